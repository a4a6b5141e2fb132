package turn

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/rule"
)

func remove(file string) func(*world) { return func(w *world) { delete(w.files, file) } }

// UN-1, C103: each precondition that is missing has its own refusal, and the first one is named; with all of them there is none.
func TestReady(t *testing.T) {
	pending := func(w *world) {
		w.replace("README.md", "**Approval:** approved", "**Approval:** pending")
		w.replace("state.json", `"approval": "approved"`, `"approval": "pending"`)
	}
	old := func(w *world) {
		for _, file := range []string{"manifest.json", "state.json"} {
			w.write(file, strings.ReplaceAll(string(w.files[file].Data), "/v2.json", "/v1.json"))
		}
	}
	for name, test := range map[string]struct {
		changes []func(*world)
		want    string
	}{
		"everything there":                            {nil, ""},
		"C103: approval pending":                      {[]func(*world){pending}, "guard/turn-approval"},
		"approved in one place only":                  {[]func(*world){edit("README.md", "**Approval:** approved", "**Approval:** pending")}, "guard/turn-approval"},
		"pre-approved":                                {[]func(*world){edit("README.md", "**Approval:** approved", "**Approval:** pre_approved"), edit("state.json", `"approval": "approved"`, `"approval": "pre_approved"`)}, ""},
		"absent in state.json, told by README":        {[]func(*world){edit("state.json", `"approval": "approved", `, "")}, ""},
		"no opt-in":                                   {[]func(*world){edit("README.md", "**Unattended:** allowed by Ana on 2026-09-01\n", "")}, "guard/turn-opt-in"},
		"opt-in without a name":                       {[]func(*world){edit("README.md", "allowed by Ana on 2026-09-01", "allowed")}, "guard/turn-opt-in"},
		"no state.json":                               {[]func(*world){remove("state.json")}, "guard/turn-layer"},
		"no manifest.json":                            {[]func(*world){remove("manifest.json")}, "guard/turn-layer"},
		"no README.md":                                {[]func(*world){remove("README.md")}, "guard/turn-layer"},
		"state.json cut off":                          {[]func(*world){put("state.json", `{"schema": `)}, "guard/turn-layer"},
		"a newer standard":                            {[]func(*world){edit("README.md", "DWP spec 5.0.0", "DWP spec 9.0.0")}, "guard/turn-standard"},
		"materializing":                               {[]func(*world){edit("state.json", `"materialization": "ready"`, `"materialization": "materializing"`)}, "guard/turn-whole"},
		"promoting":                                   {[]func(*world){edit("state.json", `"promotion": null`, `"promotion": {"from": "lite", "to": "full", "phase": "intent", "tasks": [1]}`)}, "guard/turn-whole"},
		"an open task without a gate":                 {[]func(*world){edit("3.task_load_shard_3.md", "```sh\nmake test-shard\n```", "TBD")}, "guard/turn-gates"},
		"a completed task without a gate":             {[]func(*world){edit("1.task_load_shard_1.md", "```sh\nmake test-shard\n```", "TBD")}, ""},
		"an open task without a record":               {[]func(*world){remove("3.task_load_shard_3.md")}, "guard/turn-gates"},
		"a first generation plan without an approval": {[]func(*world){old, edit("README.md", "**Approval:** approved\n", ""), edit("README.md", "**Standard:** DWP spec 5.0.0", "**Standard:** DWP spec 2.0.0")}, "guard/turn-approval"},
	} {
		err := Ready(laid(t, test.changes...))
		refused, _ := errors.AsType[*publish.Refused](err)
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case test.want != "" && (refused == nil || refused.Rule != test.want):
			t.Errorf("%s: %v, want %s", name, err, test.want)
		case refused != nil && (refused.Requirement != "UN-1" || refused.Hint == "" || !strings.Contains(refused.Message, "nothing was written")):
			t.Errorf("%s: %+v", name, refused)
		}
	}
}

// Each rule and guard is told in full, under its own name, in the group that explain knows.
func TestRulesAreExplained(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules() {
		if !strings.HasPrefix(r.ID, "turn/") || seen[r.ID] || r.Title == "" || r.Why == "" || r.Example == "" || r.Mend == "" || r.Requirement == "" {
			t.Errorf("%+v", r)
		}
		seen[r.ID] = true
	}
	for _, g := range Guards() {
		if !strings.HasPrefix(g.ID, "guard/turn-") || seen[g.ID] || g.Title == "" || g.Hint == "" {
			t.Errorf("%+v", g)
		}
		seen[g.ID] = true
	}
	list := Rules()
	list[0].ID = "changed"
	if slices.ContainsFunc(Rules(), func(r rule.Rule) bool { return r.ID == "changed" }) {
		t.Error("the table is shared")
	}
}

// TestHumanGateExample: the criterion that a rule shows as a person's is one of those that are found (UN-6).
func TestHumanGateExample(t *testing.T) {
	for _, r := range Rules() {
		if _, found := evidence.HumanGate(r.Example); found != (r.ID == "turn/human-gate") {
			t.Errorf("%s: %q: %v", r.ID, r.Example, found)
		}
	}
}

// The order in which a hold is looked for doesn't let a plan through that is not there at all.
func TestReadyOfNothing(t *testing.T) {
	if err := Ready(&plan.Snapshot{}); err == nil {
		t.Error("an empty folder is ready")
	}
}
