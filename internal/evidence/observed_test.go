package evidence

import (
	"strings"
	"testing"
)

var observed = Observed{
	Outcome: "exit 0 in 1.2s", Counts: "14 tests: 13 passed, 0 failed, 1 skipped",
	Log: "analysis_results/gates/2-20260901T100000Z-go-test.log", SHA256: strings.Repeat("0a", 32), Head: "79ea590", Tree: "dirty",
}

// What is written is read again, a mark around it or not (PS-12, PS-13).
func TestObservedLineReadsBack(t *testing.T) {
	bare := observed
	bare.Counts, bare.Head, bare.Tree = "", "", ""
	for _, want := range []Observed{observed, bare} {
		for _, line := range []string{want.Line(), "[invalidated by refine 2026-09-03] " + want.Line(), want.Line() + " (invalidated by refine)"} {
			got, ok := ParseObserved(line)
			if !ok || got != want {
				t.Errorf("%s:\n got %+v, %v\nwant %+v", line, got, ok, want)
			}
		}
	}
}

// The line doesn't take its own pass away, names one log, and says nothing that looks like a secret (PS-7, PS-12, PS-13, C81).
func TestObservedLineIsGoodEvidence(t *testing.T) {
	line := observed.Line()
	if n := len(line); n > 440 {
		t.Errorf("the line has %d characters", n)
	}
	if m, ok := NeverRan(line); ok {
		t.Errorf("never ran: %q", m.Text)
	}
	if m, ok := ZeroSelected(line); ok {
		t.Errorf("zero selected: %q", m.Text)
	}
	if found := Secrets(line); len(found) > 0 {
		t.Errorf("secrets: %v", found)
	}
	if p := Pointers(line); len(p) != 1 || p[0].Path != observed.Log || !p[0].Inside {
		t.Errorf("pointers: %v", p)
	}
}

func TestParseObservedRefuses(t *testing.T) {
	for _, text := range []string{
		"", "14 passed, 0 failed", "log=analysis_results/gates/a.log sha256:" + observed.SHA256,
		strings.Replace(observed.Line(), "analysis_results/", "../", 1), // C81
		strings.Replace(observed.Line(), "gates/", "../../", 1),
		strings.Replace(observed.Line(), "0a0a", "0A0A", 1),
		strings.Replace(observed.Line(), "0a0a", "0a", 1),
		"observed: exit 0; log=analysis_results/x.log",
	} {
		if o, ok := ParseObserved(text); ok {
			t.Errorf("%q is read as %+v", text, o)
		}
	}
}

func FuzzParseObserved(f *testing.F) {
	f.Add(observed.Line())
	f.Add("observed: exit 1; ; log=analysis_results/x.log sha256:")
	f.Fuzz(func(t *testing.T, text string) {
		o, ok := ParseObserved(text)
		if !ok {
			return
		}
		again, ok := ParseObserved(o.Line())
		if !ok || again.Log != o.Log || again.SHA256 != o.SHA256 {
			t.Errorf("%q: %+v, then %+v", text, o, again)
		}
	})
}
