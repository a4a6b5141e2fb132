package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/verify"
	"github.com/google/go-cmp/cmp"
)

// checkGolden compares with a file under testdata, or rewrites it with -update.
func checkGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *rewrite {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

func TestVerifyText(t *testing.T) {
	for name, flags := range map[string]verifyFlags{
		"verify_default.txt": {}, "verify_quiet.txt": {quiet: true}, "verify_verbose.txt": {verbose: true},
	} {
		var out bytes.Buffer
		writeVerifyText(samplePage(&out), sample(), flags)
		if bytes.ContainsRune(out.Bytes(), 0x1b) {
			t.Errorf("%s: an escape byte of a plan reaches the terminal (C157)", name)
		}
		checkGolden(t, name, out.Bytes())
	}
}

// Colour is never the sole carrier of meaning: without it, the same words stand in the same places.
func TestVerifyTextColour(t *testing.T) {
	var plain, coloured bytes.Buffer
	writeVerifyText(samplePage(&plain), sample(), verifyFlags{})
	inColour := samplePage(&coloured)
	inColour.colour = true
	writeVerifyText(inColour, sample(), verifyFlags{})
	text := coloured.String()
	for _, s := range []style{bold, red, green, yellow, faint, "0"} {
		text = strings.ReplaceAll(text, "\x1b["+string(s)+"m", "")
	}
	if diff := cmp.Diff(plain.String(), text); diff != "" {
		t.Errorf("text with colours taken off (-plain +coloured):\n%s", diff)
	}
}

func TestVerifyJSON(t *testing.T) {
	text, err := marshal(verifyJSON(sample()))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Version  int
		Command  string
		Verdict  string
		Findings []rule.Finding
		Error    *errorBody
		Plans    []struct {
			Plan, Path, Era, Format, Verdict string
			Findings                         []rule.Finding
			Error                            *errorBody
		}
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if got.Version != 1 || got.Command != "verify" || got.Verdict != "nonconformant" || got.Error != nil {
		t.Errorf("got header %d %q %q %v", got.Version, got.Command, got.Verdict, got.Error)
	}
	if diff := cmp.Diff(sample().findings, got.Findings); diff != "" {
		t.Errorf("findings beside the plans (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(sample().plans[0].report.Findings, got.Plans[0].Findings); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if e := got.Plans[2].Error; e == nil || e.Code != "unreadable" || e.Message != "permission denied" {
		t.Errorf("unreadable plan: got error %+v", e)
	}
	for _, name := range []string{"findings", "unevaluated", "plans"} {
		if bytes.Contains(text, []byte(`"`+name+`": null`)) {
			t.Errorf("an empty list %s is written as null", name)
		}
	}
}

// C131: odd but valid names come back from JSON as they were, and no character is escaped for HTML.
func TestJSONOddNames(t *testing.T) {
	const name = "a b\"c'\\d&e$f<g>\nh\U0001f600\u009bi\x7f"
	v := sample()
	v.plans[0].Path = name
	text, err := marshal(verifyJSON(v))
	if err != nil {
		t.Fatal(err)
	}
	var got verifyAnswer
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if got.Plans[0].Path != name {
		t.Errorf("got path %q, want %q", got.Plans[0].Path, name)
	}
	if !bytes.Contains(text, []byte("&e$f<g>")) {
		t.Error("characters were escaped for HTML")
	}
	if bytes.ContainsFunc(text, isLateControl) {
		t.Error("a control character reaches the terminal")
	}
}

func TestSumUp(t *testing.T) {
	must := []rule.Finding{{Rule: "plans/link", Level: rule.Must}}
	for _, tt := range []struct {
		name string
		v    verification
		want verify.Verdict
	}{
		{"no plans", verification{err: cannot("no-plans", "", "no plans")}, verify.Unverified}, // C149
		{"sound", verification{plans: sample().plans[1:2]}, verify.Conformant},
		{"one unreadable", verification{plans: sample().plans[1:]}, verify.Unverified},
		{"one broken, one unreadable", verification{plans: sample().plans}, verify.Nonconformant},
		{"must beside the plans", verification{plans: sample().plans[1:2], findings: must}, verify.Nonconformant},
	} {
		tt.v.sumUp()
		if tt.v.verdict != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, tt.v.verdict, tt.want)
		}
	}
}

func TestConformanceText(t *testing.T) {
	v := sample()
	c := &conformanceAnswer{
		checks: []verify.RepoCheck{
			{Rule: "repo/agents-md", Title: "the repository has an AGENTS.md"},
			{Rule: "repo/ignored", Title: "git ignores .dwp", Finding: &rule.Finding{Rule: "repo/ignored", Level: rule.Must, Message: "git does not ignore .dwp"}},
			{Rule: "repo/commands", Title: "AGENTS.md has a block of commands", Reason: "AGENTS.md is missing"},
			{Rule: "repo/docs", Title: "the repository has docs/", Finding: &rule.Finding{Rule: "repo/docs", Level: rule.Should, Message: "there is no docs/"}},
		},
		dir: sampleDir, plans: v.plans, beside: v.findings,
	}
	c.sumUp()
	var out bytes.Buffer
	writeConformance(samplePage(&out), c)
	checkGolden(t, "conformance.txt", out.Bytes())
	// TRAPS: no positive line about a rule that failed, though the report lists it as passed too.
	if strings.Contains(out.String(), "[x] every written count") {
		t.Error("a positive line is printed about a rule that failed")
	}
}
