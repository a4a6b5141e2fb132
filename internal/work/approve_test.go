package work

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/crashtest"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/verify"
)

var noon = time.Date(2026, 9, 2, 12, 0, 0, 0, time.UTC)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// proposal is a plan that waits for approval; edits, "file", "old", "new", change it first.
func proposal(t *testing.T, edits ...[3]string) *disk.Twin {
	t.Helper()
	files := plantest.Plan(plantest.Spec{Tasks: 3})
	for _, e := range append([][3]string{
		{"README.md", "**Approval:** approved", "**Approval:** pending"}, {"state.json", `"approval": "approved"`, `"approval": "pending"`},
	}, edits...) {
		switch {
		case e[1] == "":
			delete(files, e[0])
			continue
		case !strings.Contains(string(files[e[0]].Data), e[1]):
			t.Fatalf("%s has no %q", e[0], e[1])
		}
		files[e[0]].Data = []byte(strings.ReplaceAll(string(files[e[0]].Data), e[1], e[2]))
	}
	tw, err := disk.TwinOf(files)
	must(t, err)
	return tw
}

func planIn(fsys disk.FS) publish.Plan {
	return publish.Plan{FS: fsys, Name: plantest.Name, Now: func() time.Time { return noon }, Owner: disk.Owner{Command: "dwp approve"}, InGit: true, System: crashtest.World(noon)}
}

func approve(t *testing.T, fsys disk.FS, a Approval) (publish.Done, error) {
	t.Helper()
	a.Now = noon
	return publish.Revise(t.Context(), planIn(fsys), ApprovalTerms, a.Decide)
}

func snapshot(t *testing.T, fsys fs.FS) *plan.Snapshot {
	t.Helper()
	s, err := plan.Read(fsys, plantest.Name)
	must(t, err)
	return s
}

// TestApprove: a person's approval stands in README.md with name and day, in state.json, and in PROGRESS.md with the granting words;
// then work may begin, and approving again changes nothing (LF-7, PS-8, PD-12, C103).
func TestApprove(t *testing.T) {
	tw := proposal(t)
	if s := snapshot(t, tw); s.Overview().Hold != plan.HoldUnapproved {
		t.Fatalf("hold %q before", s.Overview().Hold)
	}
	a := Approval{By: "Ada", Statement: "go ahead, but `keep` # Task 2: tests <!-- green", Who: revise.Who{Agent: "Mill"}}
	for round, want := range []bool{true, false} {
		done, err := approve(t, tw, a)
		if err != nil || done.Changed != want {
			t.Fatalf("round %d: %+v, %v", round, done, err)
		}
	}
	s := snapshot(t, tw)
	if s.README.Approval.Value != "approved by Ada on 2026-09-02" || s.State.Approval != "approved" || s.Overview().Hold != plan.HoldNone {
		t.Errorf("README %q, state %q, hold %q", s.README.Approval.Value, s.State.Approval, s.Overview().Hold)
	}
	progress := string(s.Progress.Src)
	if strings.Count(progress, a.Statement) != 1 || !strings.Contains(progress, "Recorded by `Mill`, as a claim") || len(s.Progress.Entries) != 0 || len(s.Progress.Problems) != 0 {
		t.Errorf("PROGRESS.md: %s", progress)
	}
	if r := verify.Plan(s, verify.Options{Now: noon, InGit: true}); r.Verdict != verify.Conformant {
		t.Errorf("%+v", r.Findings)
	}
	if strings.Contains(string(s.Files["state.json"].Data), "Ada") { // PS-7: a person's name stays out of the JSON
		t.Error("the name stands in state.json")
	}
}

// TestApproveUnattended: the opt-in line stands beside an approval, with it or later; what was pre-approved stays so (UN-1, LF-3, PD-12).
func TestApproveUnattended(t *testing.T) {
	tw := proposal(t)
	for round, a := range []Approval{{By: "Ada"}, {By: "Bo", Unattended: true}, {By: "Cleo", Unattended: true}} {
		done, err := approve(t, tw, a)
		if err != nil || done.Changed != (round < 2) {
			t.Fatalf("round %d: %+v, %v", round, done, err)
		}
	}
	s := snapshot(t, tw)
	if s.README.Approval.Value != "approved by Ada on 2026-09-02" || s.README.OptInBy != "Bo" || s.README.OptInOn != "2026-09-02" {
		t.Errorf("approval %q, opt-in by %q on %q", s.README.Approval.Value, s.README.OptInBy, s.README.OptInOn)
	}
	trusted := proposal(t, [3]string{"README.md", "**Approval:** pending", "**Approval:** pre_approved by Ada on 2026-09-01"}, [3]string{"state.json", `"pending", "promotion"`, `"pre_approved", "promotion"`})
	if done, err := approve(t, trusted, Approval{By: "Bo"}); err != nil || done.Changed {
		t.Errorf("pre-approved: %+v, %v", done, err)
	}
}

// TestApproveV1: a v1 plan needs no approval, but for unattended work, which its README then grants (PS-8, UN-1).
func TestApproveV1(t *testing.T) {
	start := func() *disk.Twin {
		tw := proposal(t, [3]string{"README.md", "**Standard:** DWP spec 5.0.0\n**Approval:** pending\n", "**Standard:** DWP spec 1.2.0\n"},
			[3]string{"state.json", "plan-state/v2.json", "plan-state/v1.json"}, [3]string{"manifest.json", "plan-manifest/v2.json", "plan-manifest/v1.json"},
			[3]string{"state.json", `"format": "lite", "materialization": "ready", "approval": "pending", "promotion": null, `, ""},
			[3]string{"manifest.json", `"5.0.0"`, `"1.2.0"`}, [3]string{"manifest.json", `, "plan_format": "lite"`, ""})
		text := tw.Tree()["state.json"]
		for n := range 3 {
			text = strings.Replace(text, fmt.Sprintf(`"locator": {"kind": "inline", "value": "#task-%d"}`, n+1), fmt.Sprintf(`"file": "%d.task_x.md"`, n+1), 1)
		}
		must(t, tw.Put("state.json", []byte(text), 0o644))
		return tw
	}
	tw := start()
	if done, err := approve(t, tw, Approval{By: "Ada"}); err != nil || done.Changed {
		t.Fatalf("%+v, %v", done, err)
	}
	for round, want := range []bool{true, false} {
		if done, err := approve(t, tw, Approval{By: "Ada", Unattended: true}); err != nil || done.Changed != want {
			t.Fatalf("round %d: %+v, %v", round, done, err)
		}
	}
	s := snapshot(t, tw)
	if s.README.ApprovalValue != "approved" || s.README.OptInBy != "Ada" || tw.Tree()["state.json"] != start().Tree()["state.json"] {
		t.Errorf("README %q, %q, or state.json changed", s.README.ApprovalValue, s.README.OptInBy)
	}
	for _, f := range verify.Plan(s, verify.Options{Now: noon, InGit: true}).Findings {
		if f.Rule == "layer/unattended" {
			t.Errorf("%s", f.Message)
		}
	}
}

// TestApproveForms: where the approval is recorded in plans of each kind (PS-8, PD-9).
func TestApproveForms(t *testing.T) {
	const schema = "https://deepworkplan.com/schema/plan-state/v2.json"
	noJSON := [][3]string{{"state.json"}, {"manifest.json"}}
	for name, test := range map[string]struct {
		edits   [][3]string
		changed bool
		line    string // the Approval line afterwards
		state   string
	}{
		"no line":               {[][3]string{{"README.md", "**Approval:** pending\n", ""}}, true, "approved by Ada on 2026-09-02", "approved"},
		"absent from the state": {[][3]string{{"state.json", `"approval": "pending", `, ""}}, true, "approved by Ada on 2026-09-02", "approved"},
		"README only, absent":   {[][3]string{{"state.json", `"approval": "pending", `, ""}, {"README.md", "pending", "approved by Bo"}}, false, "approved by Bo", ""},
		"they disagree":         {[][3]string{{"README.md", "**Approval:** pending", "**Approval:** approved"}}, true, "approved by Ada on 2026-09-02", "approved"},
		"no JSON, standard 5":   {noJSON, true, "approved by Ada on 2026-09-02", ""},
		"no JSON, standard 2":   {append(noJSON, [3]string{"README.md", "**Standard:** DWP spec 5.0.0\n**Approval:** pending\n", "**Standard:** DWP spec 2.0.0\n"}), false, "", ""},
		"no value":              {[][3]string{{"README.md", "**Approval:** pending", "**Approval:**"}}, true, "approved by Ada on 2026-09-02", "approved"},
		"no value, plain":       {[][3]string{{"README.md", "**Approval:** pending", "- Approval:"}}, true, "approved by Ada on 2026-09-02", "approved"},
		"below a heading":       {[][3]string{{"README.md", "**Approval:** pending\n", ""}, {"README.md", "## Goal", "## Approval\n\nPending.\n\n## Goal"}}, true, "approved by Ada on 2026-09-02", "approved"},
		"a paragraph below":     {[][3]string{{"README.md", "**Approval:** pending\n", ""}, {"README.md", "## Goal", "Approval:\n\nShards are big.\n\n## Goal"}}, true, "approved by Ada on 2026-09-02", "approved"},
		"relayed by hand":       {[][3]string{{"README.md", "**Approval:** pending", "**Approval:** approved by Bo, relayed by Mill"}}, true, "approved by Ada on 2026-09-02", "approved"},
		"CRLF":                  {[][3]string{{"README.md", "\n", "\r\n"}}, true, "approved by Ada on 2026-09-02", "approved"},
		"no PROGRESS.md":        {[][3]string{{"PROGRESS.md"}}, true, "approved by Ada on 2026-09-02", "approved"},
		"fields in a table": {[][3]string{{"README.md", "**Standard:** DWP spec 5.0.0\n**Approval:** pending\n", "| Field | Value |\n|---|---|\n| Standard | DWP spec 5.0.0 |\n\n"}},
			true, "approved by Ada on 2026-09-02", "approved"},
	} {
		t.Run(name, func(t *testing.T) {
			tw := proposal(t, test.edits...)
			done, err := approve(t, tw, Approval{By: "Ada"})
			if err != nil || done.Changed != test.changed {
				t.Fatalf("%+v, %v", done, err)
			}
			s := snapshot(t, tw)
			if line := s.README.Approval; test.line != "" && (line == nil || line.Value != test.line) || test.line == "" && line != nil {
				t.Errorf("line %+v, want %q", line, test.line)
			}
			if s.State != nil && s.State.Approval != test.state {
				t.Errorf("state %q, want %q", s.State.Approval, test.state)
			}
			if s.State != nil && s.State.Doc.Root.Member("schema").Text != schema {
				t.Error("the schema changed")
			}
			if name == "a paragraph below" && !strings.Contains(string(s.README.Src), "\n\nShards are big.\n\n") {
				t.Errorf("the paragraph is gone: %s", s.README.Src)
			}
			if !Approved(s) {
				t.Error("it is not approved")
			}
		})
	}
}

// TestApproveRelayed: what an agent passes on is recorded once, whatever the line ends (C15), adds no authority, and may be told inside
// a turn (UN-6).
func TestApproveRelayed(t *testing.T) {
	for name, edits := range map[string][][3]string{"as made": nil, "CRLF": {{"PROGRESS.md", "\n", "\r\n"}}, "no PROGRESS.md": {{"PROGRESS.md"}}} {
		tw := proposal(t, edits...)
		a := Approval{By: "Ada", RelayedBy: "Mill", Statement: "approved, start now", Turn: true}
		for round, want := range []bool{true, false} {
			done, err := approve(t, tw, a)
			if err != nil || done.Changed != want {
				t.Fatalf("%s, round %d: %+v, %v", name, round, done, err)
			}
		}
		s := snapshot(t, tw)
		if Approved(s) || s.README.ApprovalValue != "pending" || s.State.Approval != "pending" {
			t.Errorf("%s: a relayed approval approved the plan", name)
		}
		if !strings.Contains(string(s.Progress.Src), "relayed by `Mill`, which adds no authority") {
			t.Errorf("%s: PROGRESS.md: %s", name, s.Progress.Src)
		}
	}
}

// TestApproveRefuses: who may not approve, what can't be approved, and names that would not read back; nothing is written (LF-7, UN-1,
// UN-6, PS-7, PS-22).
func TestApproveRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		edits [][3]string
		a     Approval
		rule  string
	}{
		"in a turn":            {nil, Approval{By: "Ada", Turn: true}, "guard/in-turn"},
		"the agent itself":     {nil, Approval{By: "  mill ", Who: revise.Who{Agent: "Mill"}}, "guard/agent-name"},
		"its model":            {nil, Approval{By: "grind-2", Who: revise.Who{Agent: "Mill", Model: "grind-2"}}, "guard/agent-name"},
		"a known agent":        {nil, Approval{By: "Claude"}, "guard/agent-name"},
		"the assistant":        {nil, Approval{By: "the assistant"}, "guard/agent-name"},
		"an address":           {nil, Approval{By: "ada@example.org"}, "secret/personal"},
		"a secret":             {nil, Approval{By: "Ada", Statement: "use ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6 for it"}, "secret/json"},
		"a name that denies":   {nil, Approval{By: "nobody, still pending, relayed by Bo"}, "guard/unreadable-name"},
		"a name with a mark":   {nil, Approval{By: "Ada <!-- x"}, "guard/unreadable-name"},
		"a name with on":       {nil, Approval{By: "Ada on call <!--", Unattended: true}, "guard/unreadable-name"},
		"materializing":        {[][3]string{{"state.json", `"materialization": "ready"`, `"materialization": "materializing"`}}, Approval{By: "Ada"}, "materialization/partial"},
		"promoting":            {[][3]string{{"state.json", `"promotion": null`, `"promotion": {"from": "lite", "to": "full", "phase": "intent", "tasks": 3}`}, {"state.json", `"ready"`, `"promoting"`}}, Approval{By: "Ada"}, "promotion/unfinished"},
		"a newer standard":     {[][3]string{{"README.md", "DWP spec 5.0.0", "DWP spec 9.0.0"}}, Approval{By: "Ada"}, "standard/newer"},
		"unattended, no layer": {[][3]string{{"state.json"}, {"manifest.json"}}, Approval{By: "Ada", Unattended: true}, "guard/unattended-layer"},
		"completed":            {[][3]string{{"README.md", "- [ ] Task", "- [x] Task"}}, Approval{By: "Ada"}, "guard/nothing-to-approve"},
	} {
		t.Run(name, func(t *testing.T) {
			tw := proposal(t, test.edits...)
			before := tw.Tree()
			_, err := approve(t, tw, test.a)
			refused, ok := errors.AsType[*publish.Refused](err)
			if !ok || refused.Rule != test.rule || refused.Requirement == "" || refused.Hint == "" {
				t.Fatalf("got %+v", err)
			}
			if !strings.HasSuffix(refused.Message, "; nothing was written") || !maps.Equal(before, tw.Tree()) {
				t.Errorf("something was written: %s", refused.Message)
			}
		})
	}
}

// TestApproveCrashes: an approval that is cut off is not given, or given, or finished by recover (PS-5, C103).
func TestApproveCrashes(t *testing.T) {
	a := Approval{By: "Ada", Statement: "go ahead", Unattended: true, Who: revise.Who{Now: noon}}
	crashtest.Matrix(t, crashtest.Operation{
		Start: func() *disk.Twin { return proposal(t) },
		Plan:  planIn,
		Run: func(p publish.Plan) error {
			_, err := publish.Revise(t.Context(), p, ApprovalTerms, a.Decide)
			return err
		},
	})
}

// UN-6, PD-10: an approval that is relayed again adds nothing, in a PROGRESS.md of either line ends.
func TestRelayedAgain(t *testing.T) {
	for _, ends := range []string{"\n", "\r\n"} {
		tw := proposal(t, [3]string{"PROGRESS.md", "\n", ends})
		relay := Approval{By: "Ada", RelayedBy: "Mill", Statement: "yes"}
		for _, want := range []bool{true, false} {
			if done, err := approve(t, tw, relay); err != nil || done.Changed != want {
				t.Errorf("%q: changed %v, want %v, %v", ends, done.Changed, want, err)
			}
		}
	}
}
