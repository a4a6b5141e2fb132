package author

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
)

// sampleHub is a hub of three child plans, of which two have the same name.
func sampleHub() Outline {
	o := sample(3, false)
	o.Children = []Child{
		{Repository: "services/api", Plan: "PLAN_sort_api", Task: 1, Notes: "boxes | lists, \"a_b\""},
		{Repository: "../web", Plan: "sort pages", Task: 2, DependsOn: []string{"PLAN_sort_api"}},
		{Repository: "mobile", Plan: "PLAN_sort_pages", Task: 2, DependsOn: []string{"api:PLAN_sort_api", "web:PLAN_sort_pages"}},
	}
	return o
}

// hubOptions are those of a hub in the repository fleet.
func hubOptions() Options {
	opt := base()
	opt.Archetype, opt.Repository = Hub, "fleet"
	return opt
}

// AG-4: a hub keeps ORCHESTRATOR_MANIFEST.md with a tracking table that reads back as the list it was made of.
func TestHubFile(t *testing.T) {
	p := prepared(t, sampleHub(), hubOptions())
	s, err := plan.Read(folderOf(p.Final()), p.Name)
	must(t, err)
	if !s.Coordinates() || s.Hub == nil || s.Hub.Name != "fleet:"+p.Name {
		t.Fatalf("hub: %+v", s.Hub)
	}
	var rows []string
	for _, c := range s.Hub.Children {
		rows = append(rows, strings.Join([]string{c.Repository, c.Plan, strings.Join(c.DependsOn, "+"), c.Status}, " "))
	}
	want := []string{
		"services/api PLAN_sort_api  not recorded yet",
		"../web PLAN_sort_pages api:PLAN_sort_api not recorded yet",
		"mobile PLAN_sort_pages api:PLAN_sort_api+web:PLAN_sort_pages not recorded yet",
	}
	if !slices.Equal(rows, want) {
		t.Errorf("rows:\n%s\nwant:\n%s", strings.Join(rows, "\n"), strings.Join(want, "\n"))
	}
	if notes := s.Hub.Children[0].Notes; notes != sampleHub().Children[0].Notes {
		t.Errorf("notes: %q", notes)
	}
	// LF-4: the file comes with the texts of the plan, before state.json says that it is ready.
	at := slices.IndexFunc(p.Files, func(f File) bool { return f.Path == plan.HubFile })
	if ready := len(p.Files) - 1; at < 3 || at >= ready-2 {
		t.Errorf("it is written as number %d of %d", at, len(p.Files))
	}
}

// LF-4: list and repository are part of OUTLINE.json, so that a creation that was cut off ends in the same texts.
func TestHubIsResumed(t *testing.T) {
	p := prepared(t, sampleHub(), hubOptions())
	o, opt, gaps := readRecord([]byte(p.Final()[OutlineFile]))
	if len(gaps) > 0 {
		t.Fatal(gaps)
	}
	again := prepared(t, o, opt)
	if got, want := again.Final()[plan.HubFile], p.Final()[plan.HubFile]; got != want || want == "" {
		t.Errorf("made again:\n%s\nwant:\n%s", got, want)
	}
}

// A plan of another archetype has none of it.
func TestNoHubFileElsewhere(t *testing.T) {
	if _, ok := prepared(t, sample(2, false), base()).Final()[plan.HubFile]; ok {
		t.Error("an individual plan has an ORCHESTRATOR_MANIFEST.md")
	}
}

// An outline lists child plans in a table or a list, in Markdown or JSON, before or behind its tasks.
func TestChildPlansOfOutlines(t *testing.T) {
	want := []Child{
		{Repository: "services/api", Plan: "PLAN_sort_api", Task: 1, Notes: "first of all"},
		{Repository: "../web", Plan: "PLAN_sort_pages", Task: 2, DependsOn: []string{"PLAN_sort_api"}},
	}
	table := "## Child Plans\n\n| Repository | Plan | Task | Depends on | Notes |\n|---|---|---|---|---|\n" +
		"| services/api | PLAN_sort_api | 1 | none | first of all |\n| `../web` | `PLAN_sort_pages` | Task 2 | PLAN_sort_api | |\n\n"
	list := "## Child Plans\n\n- services/api: PLAN_sort_api, task 1 - first of all\n- `../web`: PLAN_sort_pages, task 2, after PLAN_sort_api\n\n"
	for name, src := range map[string]string{
		"table": table + Template(), "table behind": Template() + "\n" + table, "list": list + Template(), "list behind": Template() + "\n" + list,
		"crlf": strings.ReplaceAll(Template()+"\n"+table, "\n", "\r\n"),
		"json": `{"children": [{"repository": "services/api", "plan": "PLAN_sort_api", "task": 1, "notes": "first of all"},
			{"repository": "../web", "plan": "PLAN_sort_pages", "task": 2, "depends_on": ["PLAN_sort_api"]}]}`,
	} {
		o, gaps := ReadOutline([]byte(src))
		for i := range o.Children {
			o.Children[i].place = ""
		}
		if len(gaps) > 0 || len(o.Children) != len(want) {
			t.Errorf("%s: %v, %+v", name, gaps, o.Children)
			continue
		}
		for i, w := range want {
			got := o.Children[i]
			if got.Repository != w.Repository || got.Plan != w.Plan || got.Task != w.Task || !slices.Equal(got.DependsOn, w.DependsOn) || got.Notes != w.Notes {
				t.Errorf("%s: %+v, want %+v", name, got, w)
			}
		}
	}
}

// What is wrong with a list of child plans is told, all of it.
func TestChildPlanGaps(t *testing.T) {
	for what, change := range map[string]func(o *Outline){
		"its repository is missing":                  func(o *Outline) { o.Children[0].Repository = " " },
		`its repository is "/srv/api"`:               func(o *Outline) { o.Children[0].Repository = "/srv/api" },
		`its repository is "../../api"`:              func(o *Outline) { o.Children[0].Repository = "../../api" },
		`its repository is "a/../../../b"`:           func(o *Outline) { o.Children[0].Repository = "a/../../../b" },
		`its repository is "a|b"`:                    func(o *Outline) { o.Children[0].Repository = "a|b" },
		`"api" is no name of a plan`:                 func(o *Outline) { o.Children[0].Plan = "api" },
		"it belongs to task 9":                       func(o *Outline) { o.Children[0].Task = 9 },
		"child plan 2: it stands twice":              func(o *Outline) { o.Children[1].Repository, o.Children[1].Plan = "./services/api/", "sort_api" },
		`waits for "PLAN_other_one", which is no`:    func(o *Outline) { o.Children[0].DependsOn = []string{"PLAN_other_one"} },
		`waits for "PLAN_sort_pages", which names`:   func(o *Outline) { o.Children[0].DependsOn = []string{"PLAN_sort_pages"} },
		"child plan 1: it waits for itself":          func(o *Outline) { o.Children[0].DependsOn = []string{"PLAN_sort_api"} },
		"no child plan could ever start of api:PLAN": func(o *Outline) { o.Children[0].DependsOn = []string{"mobile:PLAN_sort_pages"} },
	} {
		o := sampleHub()
		change(&o)
		_, err := Prepare(o, hubOptions())
		if !mentions(err, what) {
			t.Errorf("%s: %v", what, err)
		}
	}
	// AG-4: a hub is none of its own child plans, however its root is named; another plan of its root may be one.
	for at, want := range map[string]bool{".": true, "./x/..": true, "../" + hubOptions().Repository: true, "services": false} {
		o := sampleHub()
		p, err := Prepare(o, hubOptions())
		if err != nil {
			t.Fatal(err)
		}
		o.Children[2].Repository, o.Children[2].Plan = at, p.Name
		if _, err := Prepare(o, hubOptions()); mentions(err, "child plan 3: it is the hub itself") != want {
			t.Errorf("the hub at %s: %v", at, err)
		}
	}
	// What stands under the heading and is no list of child plans is told, not lost.
	for _, body := range []string{"| Repository | Task |\n|---|---|\n| services/api | 1 |", "The accounts service, later.", "```\n- services/api: PLAN_sort_api\n```"} {
		if _, gaps := ReadOutline([]byte(Template() + "\n## Child Plans\n\n" + body + "\n")); len(gaps) != 1 || !strings.Contains(gaps[0].What, "names none") {
			t.Errorf("%q: %v", body, gaps)
		}
	}
	// Only a hub has child plans.
	if _, err := Prepare(sampleHub(), base()); !mentions(err, "add --hub") {
		t.Errorf("without --hub: %v", err)
	}
}

// mentions reports whether one of the gaps says something.
func mentions(err error, what string) bool {
	e, ok := err.(*Incomplete)
	return ok && slices.ContainsFunc(e.Gaps, func(g Gap) bool { return strings.Contains(g.What, what) })
}

// PS-7: what looks like a secret in a note is refused, as in every other text.
func TestHubHoldsNoSecret(t *testing.T) {
	o := sampleHub()
	o.Children[1].Notes = "Authorization: Bearer " + strings.Repeat("aB3dE6gH", 3)
	if _, err := Prepare(o, hubOptions()); err == nil {
		t.Error("a secret is written into the tracking table")
	} else if e, ok := err.(*Unsound); !ok || !slices.ContainsFunc(e.Findings, func(f rule.Finding) bool { return f.Rule == "secret/markdown" && f.File == plan.HubFile }) {
		t.Errorf("%v", err)
	}
}

// A repository's folder may have a name that no text can hold: the hub is created all the same.
func TestHubInOddFolder(t *testing.T) {
	for _, name := range []string{"", "a`b", "a\nb", "a:b", "it's"} {
		opt := hubOptions()
		opt.Repository = name
		if p := prepared(t, sampleHub(), opt); !strings.Contains(p.Final()[plan.HubFile], "this-repository:"+p.Name) {
			t.Errorf("%q is named", name)
		}
	}
}

// The example of a hub is created as it is.
func TestExampleHub(t *testing.T) {
	src, err := os.ReadFile(filepath.Join("..", "..", "examples", "outlines", "one-login.md"))
	must(t, err)
	opt := hubOptions()
	opt.Name = ""
	p, err := PrepareFrom(src, "", opt)
	if err != nil {
		t.Fatalf("%v: %+v", err, err)
	}
	if len(p.Outline.Children) != 3 || len(p.Advice) > 0 {
		t.Errorf("%d child plans, advice %v", len(p.Outline.Children), p.Advice)
	}
}
