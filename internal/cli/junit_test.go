package cli

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"
)

// parseJUnit prints a verification and reads it back, as a build server would.
func parseJUnit(t *testing.T, v *verification) (junitSuites, string) {
	t.Helper()
	var out bytes.Buffer
	if err := writeJUnit(&out, v); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	var doc junitSuites
	dec := xml.NewDecoder(&out)
	dec.Strict = true
	if err := dec.Decode(&doc); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return doc, text
}

func TestJUnit(t *testing.T) {
	doc, text := parseJUnit(t, sample())
	var got []string
	for _, s := range doc.Suites {
		for _, c := range s.Cases {
			kind := "pass"
			switch {
			case c.Failure != nil:
				kind = "fail"
			case c.Error != nil:
				kind = "error"
			case c.Skipped != nil:
				kind = "skip"
			}
			got = append(got, s.Name+" "+c.Name+" "+kind)
		}
	}
	want := []string{
		"PLAN_broken_one layout/readme pass", "PLAN_broken_one layout/progress pass", "PLAN_broken_one text/bom pass",
		"PLAN_broken_one index/count fail", "PLAN_broken_one index/title-differs pass", "PLAN_broken_one record/section fail",
		"PLAN_broken_one receipt/state skip", "PLAN_sound_one layout/readme pass", "PLAN_locked_away read error",
		"plans plans/stray pass",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got cases\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if doc.Tests != 10 || doc.Failures != 2 || doc.Errors != 1 || doc.Skipped != 1 {
		t.Errorf("got %d tests, %d failures, %d errors, %d skipped; want 10, 2, 1, 1", doc.Tests, doc.Failures, doc.Errors, doc.Skipped)
	}
	if strings.Contains(text, "\ufffd") || !strings.Contains(text, `\x1b[31mred`) {
		t.Errorf("the escape byte of a title is not shown as such:\n%s", text)
	}
}

func TestJUnitNoPlans(t *testing.T) {
	doc, _ := parseJUnit(t, &verification{err: cannot("no-plans", "", "no plans")})
	if doc.Errors != 1 || doc.Tests != 1 {
		t.Errorf("got %d tests, %d errors; want 1, 1: no plans is not a success (C149)", doc.Tests, doc.Errors)
	}
}

func TestXMLSafe(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"plain\n", "plain\n"}, {"\x00\x1b", `\x00\x1b`}, {"\uffff", `\uffff`}, {"\xff", `\xff`}, {"\u009b", `\x9b`}, {"\U0001f600<&", "\U0001f600<&"},
	} {
		if got := xmlSafe(tt.in); got != tt.want {
			t.Errorf("xmlSafe(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func FuzzJUnit(f *testing.F) {
	f.Add("name\x1b\xff\ufffe]]>&<")
	f.Fuzz(func(t *testing.T, s string) {
		v := sample()
		v.plans[0].Name = s
		v.plans[0].report.Findings[0].Message = s
		parseJUnit(t, v)
	})
}
