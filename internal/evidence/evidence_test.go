package evidence

import (
	"strings"
	"testing"
)

type verdict int

const (
	none verdict = iota
	hinted
	proven
)

func judge(find func(string) (Match, bool), text string) verdict {
	switch m, ok := find(text); {
	case !ok:
		return none
	case m.Hint:
		return hinted
	}
	return proven
}

// AM-3, TRAPS: what must not be accepted is proof, what must not be refused is at most advice.
func TestNeverRan(t *testing.T) {
	for text, want := range map[string]verdict{
		"suite was never run on this host":        proven,
		"cannot be measured here; assumed fine":   proven,
		"not executed":                            proven,
		"never entered":                           proven,
		"could not be executed":                   proven,
		"didn't run":                              proven,
		"no se ejecutó":                           proven,
		"nunca se ejecutó":                        proven,
		"não foi executado":                       proven,
		"ไม่ได้รัน":                               proven,
		"ไม่ได้ดำเนินการ":                         proven,
		"未执行":                                     proven,
		"没有运行":                                    proven,
		"無法測量":                                    proven,
		"14 passed, 1 skipped (windows only)":     none,
		"hook is not executed twice":              none,
		"executed=0.8s":                           none,
		"0 errors":                                none,
		"no failures; never flaky":                none,
		"bug never reproduced after fix; 20 runs": none,
		"verified the job is not run when disabled: 3 passed": none,
		"ran=14/14; 14 passed, 0 failed":                      none,
		"":                                                    none,
		"14 passed; slow tests not run":                       hinted,
		"14 passed, windows leg not executed":                 hinted,
		"14 passed; assumed fine on windows":                  hinted,
		"passed (entered by hand)":                            hinted, // C75
		"exit 143":                                            none,   // C91: an exit code, not a word, tells it
		"2,944 passed":                                        none,   // C87
		"completed; no pending questions, appending the second leg": none, // C109
	} {
		if got := judge(NeverRan, text); got != want {
			t.Errorf("NeverRan(%q) = %d, want %d", text, got, want)
		}
	}
}

// PS-13, TRAPS "0 tests executed", "collected 0 items"; "executed=0.8s" is a time.
func TestZeroSelected(t *testing.T) {
	for text, want := range map[string]verdict{
		"ran=0/0": proven, "0 tests executed": proven, "collected 0 items": proven, "no tests ran": proven, "no tests to run": proven, "0 passed, 0 failed": proven, "Ran 0 tests": proven, "running 0 tests": proven, "0 specs": proven,
		"0 testes executados": proven, "no se ejecutó ninguna prueba": proven, "0 个测试": proven, "ไม่พบการทดสอบ": proven,
		"10 tests": none, "ran=10/10": none, "0 failed, 14 passed": none, "executed=0.8s": none, "14 passed, 0 failed": none, "": none, "0 errors": none, "0 issues": none, "20 tests executed": none,
		"test result: ok. 14 passed; 0 failed\nrunning 0 tests\ntest result: ok. 0 passed; 0 failed": none,
	} {
		if got := judge(ZeroSelected, text); got != want {
			t.Errorf("ZeroSelected(%q) = %d, want %d", text, got, want)
		}
	}
}

// C77.
func TestTellsFailure(t *testing.T) {
	for text, want := range map[string]verdict{
		"tsc: not found": proven, "command not found": proven, "No such file": proven, "3 failed": proven, "FAILED": proven, "FAIL:": proven, "error TS2304: x": proven, "Traceback": proven, "exit status 1": proven, "permission denied": proven,
		"EXIT=127": proven, "14 passed, 2 failed": proven,
		"0 failed": none, "no failures": none, "0 errors": none, "failed: 0": none, "14 passed, 0 failed": none, "": none, "EXIT=0": none, "ok": none,
		"permission denied page: 14 passed": hinted,
	} {
		if got := judge(TellsFailure, text); got != want {
			t.Errorf("TellsFailure(%q) = %d, want %d", text, got, want)
		}
	}
}

// TRAPS "No security, no final-state and no skills work was done"; a clean result is no denial.
func TestNegated(t *testing.T) {
	for text, want := range map[string]verdict{
		"No security, no final-state and no skills work was done": proven, "security pass was not performed": proven, "skipped the security review": proven,
		"No security findings": none, "security pass: no findings": none, "There is no open critical finding": none, "No critical finding remains": none, "Critical path reviewed": none,
		"Security pass done; no skill changes were needed": none, "": none,
	} {
		if got := judge(Negated, text); got != want {
			t.Errorf("Negated(%q) = %d, want %d", text, got, want)
		}
	}
}

// PS-13.
func TestInvalidated(t *testing.T) {
	for text, want := range map[string]bool{
		"14 passed [invalidated by refine]": true, "INVALIDATED BY REFINE": true, "`invalidated  by refine` 14 passed": true,
		"": false, "not invalidated by refine": false, "refine": false, "invalidated": false,
	} {
		if got := Invalidated(text); got != want {
			t.Errorf("Invalidated(%q) = %t, want %t", text, got, want)
		}
	}
}

// TRAPS: "A " and "A" are one command; white space inside may be quoted.
func TestCommand(t *testing.T) {
	for text, want := range map[string]string{"A ": "A", "\tA\n": "A", "grep 'a  b' x": "grep 'a  b' x", "": "", "\u00a0A": "A"} {
		if got := Command(text); got != want {
			t.Errorf("Command(%q) = %q, want %q", text, got, want)
		}
	}
}

// The words come back as written, with their language.
func TestMatchText(t *testing.T) {
	got, _ := NeverRan("Result: Não foi EXECUTADO aqui")
	if want := (Match{Text: "Não foi EXECUTADO", Language: "pt"}); got != want {
		t.Errorf("NeverRan = %+v, want %+v", got, want)
	}
}

func FuzzEvidence(f *testing.F) {
	for _, seed := range []string{
		"suite was never run", "ran=0/0", "tsc | tail; true", "log=../x", "pass" + "word=hunter22", "a@b.co +55 11 91234-5678", "未执行", "ไม่ได้รัน", "\xff=\xc3", "-----BEGIN " + "PRIVATE KEY", "://a:b@", "((('", "1..0", "{ a; }", "sh -c '",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, find := range []func(string) (Match, bool){NeverRan, ZeroSelected, TellsFailure, Negated, Personal, Filtered} {
			if m, ok := find(text); ok && !strings.Contains(text, m.Text) {
				t.Errorf("%q is not in %q", m.Text, text)
			}
		}
		end := 0
		for _, s := range Secrets(text) {
			if s.Start < end || s.End <= s.Start || s.End > len(text) {
				t.Errorf("secret %+v of %q is out of order or bounds", s, text)
			}
			end = s.End
		}
		for _, p := range Pointers(text) {
			if p.Path == "" || !strings.Contains(text, p.Path) {
				t.Errorf("pointer %q is not in %q", p.Path, text)
			}
		}
		Invalidated(text)
	})
}

func BenchmarkNeverRan(b *testing.B) {
	for b.Loop() {
		NeverRan("ran=14/14; 14 passed, 0 failed")
	}
}

func BenchmarkZeroSelected(b *testing.B) {
	for b.Loop() {
		ZeroSelected("ran=14/14; 14 passed, 0 failed")
	}
}

// BenchmarkLong shows that the time grows with the text, not with its square: compare the two rates.
func BenchmarkLong(b *testing.B) {
	for name, unit := range map[string]string{"words": "not a test was no ", "signs": "((((::==//", "mail": "@a.a", "quotes": "'|\"|", "keys": "-----BEGIN password=://a:"} {
		for _, size := range []int{1 << 16, 1 << 20} {
			text := strings.Repeat(unit, size/len(unit))
			b.Run(name+"/"+map[bool]string{true: "1M", false: "64K"}[size > 1<<16], func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					NeverRan(text)
					ZeroSelected(text)
					TellsFailure(text)
					Negated(text)
					Filtered(text)
					Pointers(text)
					Secrets(text)
					Personal(text)
				}
			})
		}
	}
}

// AM-3: beside "ok" lines of go test or "all tests passed", words about another check are advice; about the same one they are proof.
func TestNeverRanBesideARun(t *testing.T) {
	for text, hint := range map[string]bool{
		"ok example.com/rates 0.4s; integration tests not run here":            true,
		"All tests passed; e2e not run in this gate":                           true,
		"pre-commit: all hooks Passed; check-toml (no files to check) Skipped": true,
		"14 passed on Linux; not run on Windows":                               true,
		"all tests passed last week; not executed today":                       false,
		"ok rates 0.01s [no tests to run]; not executed":                       false,
		"14 passed on CI; not run on this host":                                false,
	} {
		if got, ok := NeverRan(text); !ok || got.Hint != hint {
			t.Errorf("NeverRan(%q) = %+v, %t; want a match with hint %t", text, got, ok, hint)
		}
	}
	if got, ok := NeverRan(`the label "Not run" is shown for idle jobs`); ok {
		t.Errorf("a quotation was taken for an admission: %+v", got)
	}
}
