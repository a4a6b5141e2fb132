package runner

import (
	"bytes"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/evidence"
)

// maskedIn hands a text over in pieces of n bytes.
func maskedIn(n int, text string, values ...string) string {
	var out bytes.Buffer
	m := newMasker(values, func(p []byte) { out.Write(p) })
	for len(text) > 0 {
		k := min(n, len(text))
		m.Write([]byte(text[:k]))
		text = text[k:]
	}
	m.Close()
	return out.String()
}

// The parts of the secrets in these tests are joined when they run: no file of the project holds one.
var (
	token = "ghp_" + strings.Repeat("a1B2", 9)
	key   = "-----BEGIN RSA PRIVATE " + "KEY-----\n" + strings.Repeat("MIIEpAIBAAKCAQEA\n", 20) + "-----END RSA PRIVATE " + "KEY-----"
)

// Every secret is masked, however the stream is cut (PS-7, C161, C163).
func TestMaskedWhateverThePieces(t *testing.T) {
	long := strings.Repeat("progress ", 20000) // no line end in 180 kB
	for name, test := range map[string]struct{ text, want string }{
		"none":               {"14 passed\n", "14 passed\n"},
		"no line end":        {"14 passed", "14 passed"},
		"token":              {"using " + token + " now\n", "using [masked] now\n"},
		"header":             {"Authorization: Bearer abcdef123456\n", "Authorization: Bearer [masked]\n"},
		"URL":                {"postgres://ada:hunter2345@db/x\n", "postgres://ada:[masked]@db/x\n"},
		"assigned":           {"DB_PASSWORD=plainword1\n", "DB_PASSWORD=[masked]\n"},
		"of the environment": {"it said plainword9, twice: plainword9", "it said [masked], twice: [masked]"},
		"two lines":          {"a\nfirst-part-x\nsecond-part-y\nb\n", "a\n[masked]\n[masked]\nb\n"},
		"private key":        {"before\n" + key + "\nafter\n", "before\n[masked]\nafter\n"},
		"two keys":           {key + "\n" + key + "\nafter " + token + "\n", "[masked]\n[masked]\nafter [masked]\n"},
		"endless line":       {long + token + " " + long, long + "[masked] " + long},
		"endless, assigned":  {long + "password=plainword1 " + long, long + "password=[masked] " + long},
		"progress bar":       {"10%\r" + token + "\r100%\n", "10%\r[masked]\r100%\n"},
		"binary":             {"\x00\xff\xfe" + token + "\x00\n\xff", "\x00\xff\xfe[masked]\x00\n\xff"},
		"masked already":     {"password=[masked]\n", "password=[masked]\n"},
	} {
		for _, n := range []int{1, 3, 17, 4096, 65536, 1 << 20} {
			if n < 17 && len(test.text) > 100000 {
				continue
			}
			if got := maskedIn(n, test.text, "plainword9", "first-part-x\nsecond-part-y\nz"); got != test.want {
				t.Errorf("%s, pieces of %d: got %.200q, want %.200q", name, n, got, test.want)
			}
		}
	}
}

// A secret at every place around the cut of an endless line.
func TestMaskedAtTheCut(t *testing.T) {
	for _, secret := range []string{token, "api_key=" + strings.Repeat("k1", 40), "plainword9", "Authorization: Bearer abcdef123456"} {
		for shift := 0; shift < 5000; shift += 97 {
			text := strings.Repeat(".", most-held-2500+shift) + " " + secret + " " + strings.Repeat(".", most)
			got := maskedIn(1024, text, "plainword9")
			if strings.Count(got, Mask) != 1 || len(evidence.Secrets(got)) > 0 || strings.Contains(got, "plainword9") {
				t.Fatalf("shift %d, %.20s: %d masks, left: %v", shift, secret, strings.Count(got, Mask), evidence.Secrets(got))
			}
			if dots := strings.Count(got, "."); dots != most-held-2500+shift+most {
				t.Fatalf("shift %d: %d dots of %d", shift, dots, most-held-2500+shift+most)
			}
		}
	}
}

// A header without its key swallows no more than a key could be long.
func TestMaskedKeyWithoutEnd(t *testing.T) {
	rest := strings.Repeat("line of output\n", 4000)
	for _, n := range []int{100, 4096, 1 << 20} {
		got := maskedIn(n, "-----BEGIN PRIVATE "+"KEY-----\n"+rest)
		if !strings.HasPrefix(got, Mask) || len(got) < len(rest)-keyMost-100 {
			t.Errorf("pieces of %d: %d bytes are left of %d", n, len(got), len(rest))
		}
	}
}

func FuzzMask(f *testing.F) {
	f.Add("using "+token+"\npassword=plainword1", 3)
	f.Add(key+"\n"+"-----BEGIN PRIVATE "+"KEY-----", 5)
	f.Fuzz(func(t *testing.T, text string, n int) {
		if n < 1 || len(text) > 1<<16 {
			return
		}
		got := maskedIn(n, text, "plainword9")
		if strings.Contains(got, "plainword9") {
			t.Errorf("a secret is left in %q", got)
		}
		if !strings.ContainsAny(text, "\n\r") && len(text) < most && got != maskedIn(len(text)+1, text, "plainword9") {
			t.Errorf("pieces of %d of %q give %q", n, text, got)
		}
	})
}

// TestLogKeepsBothEnds: memory is bounded, and what is left out is told.
func TestLogKeepsBothEnds(t *testing.T) {
	for _, size := range []int{0, 1, headMost, headMost + 1, headMost + tailMost, headMost + tailMost + 1, 3*headMost + 12345} {
		for _, piece := range []int{4093, 1 << 20, headMost + tailMost + 7} {
			whole := make([]byte, size)
			for i := range whole {
				whole[i] = byte(i >> 8 * 7)
			}
			var l log
			for at := 0; at < size; at += piece {
				l.add(whole[at:min(at+piece, size)])
			}
			got := l.bytes()
			cut := max(0, size-headMost-tailMost)
			if l.cut() != int64(cut) {
				t.Fatalf("%d in pieces of %d: cut %d, want %d", size, piece, l.cut(), cut)
			}
			if cut == 0 && !bytes.Equal(got, whole) {
				t.Errorf("%d in pieces of %d: the log is not what was written", size, piece)
			}
			if cut > 0 && (!bytes.HasPrefix(got, whole[:headMost]) || !bytes.HasSuffix(got, whole[size-tailMost:])) {
				t.Errorf("%d in pieces of %d: an end is missing", size, piece)
			}
		}
	}
}

// Masking, on output of the usual kind, counting included.
func BenchmarkMask(b *testing.B) {
	piece := []byte(strings.Repeat("=== RUN   TestSomething/with_a_name\n    some_test.go:12: checked 14 of them, all as they should be\n", 320))
	c := newCounter()
	lines := c.stream()
	m := newMasker([]string{"plainword1", "another-secret"}, lines.add)
	b.SetBytes(int64(len(piece)))
	for b.Loop() {
		m.Write(piece)
	}
}
