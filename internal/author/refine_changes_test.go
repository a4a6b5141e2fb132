package author

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/strictjson"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// fiveChanges has one change of each kind, of the plan of sample(6). Numbers are those before all of them.
const fiveChanges = `{"changes": [
  {"do": "remove", "number": 2},
  {"do": "add", "after": 3, "task": {"title": "Label box 3", "context": "c", "goal": "Labelled.", "surface": {"planned": ["labels/3"], "risk": "isolated"},
    "acceptance": ["label is on"], "gates": ["make label-3"], "depends_on": [3]}, "reason": "boxes look alike"},
  {"do": "add", "after": 3, "task": {"title": "Weigh box 3", "context": "c", "goal": "Weighed.", "surface": {"planned": ["weights/3"], "risk": "isolated"},
    "acceptance": ["weight is noted"], "gates": ["make weigh-3"]}},
  {"do": "split", "number": 5, "parts": [
    {"title": "Sort box 5a", "context": "c", "goal": "g", "surface": {"planned": ["boxes/5.txt"], "risk": "isolated"}, "acceptance": ["Every sheet is listed under {{YEAR}}"], "gates": ["make box-5"]},
    {"title": "Sort box 5b", "context": "c", "goal": "g", "surface": {"planned": ["boxes/5b.txt"], "risk": "isolated"}, "acceptance": ["the lid is listed"], "gates": ["make box-5"]}]},
  {"do": "move", "number": 6, "before": 4},
  {"do": "edit", "number": 4, "task": {"goal": "Box 4 is sorted well.", "depends_on": [1, 3]}}
]}`

// stepsOf reads a change file that has no gaps.
func stepsOf(t testing.TB, text string) []Step {
	t.Helper()
	steps, gaps := ReadChanges([]byte(text))
	if len(gaps) > 0 {
		t.Fatal(gaps)
	}
	return steps
}

func changesBy(steps []Step) Changes { return Changes{Who: revise.Who{Now: editDay}, Steps: steps} }

// TestChanges: several changes are one operation; their numbers are those of the plan before it (LF-10).
func TestChanges(t *testing.T) {
	for _, format := range []string{lite, full} {
		p := editTwin(t, parted(t, sample(6, false), format))
		var told []StepDone
		done, err := publish.Revise(t.Context(), p, RefineTerms, changesBy(stepsOf(t, fiveChanges)).Decide(&told))
		if err != nil {
			if gaps, ok := errors.AsType[*Incomplete](err); ok {
				t.Fatal(gaps.Gaps)
			}
			if no, ok := errors.AsType[*publish.Refused](err); ok {
				t.Fatal(no.Message, no.Findings)
			}
			t.Fatal(err)
		}
		s, err := plan.Read(p.FS, p.Name)
		must(t, err)
		var titles []string
		for _, v := range s.Overview().Tasks {
			titles = append(titles, v.Title)
		}
		want := []string{"Sort box 1", "Sort box 3", "Label box 3", "Weigh box 3", "Sort box 6", "Sort box 4", "Sort box 5a", "Sort box 5b", "Final Review"}
		if !slices.Equal(titles, want) || !done.Changed || len(told) != 6 {
			t.Errorf("%s: got %q, %d told", format, titles, len(told))
		}
		if got := taskOf(t, s, 6); !slices.Equal(got.Record.DependsOn, []int{1, 2}) || sectionText(got, planmd.Goal) != "Box 4 is sorted well." {
			t.Errorf("%s: task 4 depends on %v", format, got.Record.DependsOn)
		}
		if got := taskOf(t, s, 3).Record.DependsOn; !slices.Equal(got, []int{2}) {
			t.Errorf("%s: the label depends on %v", format, got)
		}
		if s.State.Approval != "pending" || len(s.Progress.Entries) != 0 {
			t.Errorf("%s: approval %s, entries %d", format, s.State.Approval, len(s.Progress.Entries))
		}
		stillSound(t, s)
	}
}

// TestChangesRefused: all changes are made, or none; what they lack is told with its place, all of it (LF-10).
func TestChangesRefused(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"unknown task": {`{"changes": [{"do": "edit", "number": 1, "task": {"goal": "x"}}, {"do": "move", "number": 9, "after": 1}]}`, []string{"changes[1]", "there is no task 9"}},
		"gone":         {`{"changes": [{"do": "remove", "number": 2}, {"do": "edit", "number": 2, "task": {"goal": "x"}}]}`, []string{"changes[1]", "was split or removed by a change above"}},
		"place gone":   {`{"changes": [{"do": "remove", "number": 2}, {"do": "move", "number": 3, "after": 2}]}`, []string{"task 2 was removed by a change above"}},
		"two lacks": {`{"changes": [{"do": "edit", "number": 1, "task": {"rollback": ""}}, {"do": "edit", "number": 2, "task": {"depends_on": [2]}}]}`,
			[]string{"changes[0].task.rollback", "changes[1], Depends on"}},
		"lack and refusal": {`{"changes": [{"do": "edit", "number": 1, "task": {"rollback": ""}}, {"do": "remove", "number": 7}]}`,
			[]string{"changes[0].task.rollback", "task 7 is the Final Review"}},
	} {
		p := editTwin(t, parted(t, sample(6, false), lite))
		before := p.FS.(*disk.Twin).Tree()
		var told []StepDone
		_, err := publish.Revise(t.Context(), p, RefineTerms, changesBy(stepsOf(t, test.text)).Decide(&told))
		said := fmt.Sprint(err)
		if gaps, ok := errors.AsType[*Incomplete](err); ok {
			said = fmt.Sprint(gaps.Gaps)
		}
		for _, want := range test.want {
			if err == nil || !strings.Contains(said, want) {
				t.Errorf("%s: got %s, want %q", name, said, want)
			}
		}
		if !maps.Equal(before, p.FS.(*disk.Twin).Tree()) {
			t.Errorf("%s: something was written", name)
		}
	}
}

// TestChangesSchema: the published schema refuses exactly what the decoder refuses, for every way in which one value of a change file may
// be off (PS-21's care for change files).
func TestChangesSchema(t *testing.T) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(ChangesSchema()))
	must(t, err)
	c := jsonschema.NewCompiler()
	must(t, c.AddResource("changes.json", doc))
	schema, err := c.Compile("changes.json")
	must(t, err)
	text := strings.Replace(fiveChanges, `{"do": "remove", "number": 2}`, `{"do": "remove", "number": 2, "archive": true, "drop": true, "reason": "r"},
	  {"do": "remove", "number": 3, "redirect": 1}, {"do": "move", "number": 1, "after": 2}, {"do": "edit", "number": 1, "invalidates": ["x"], "reason": "r", "task": {
	  "title": "t", "context": "c", "read": ["r"], "surface": {"planned": ["p"], "risk": "seam", "consumers": "c", "mapping": "m", "gate": "g"}, "instructions": ["i"],
	  "acceptance": ["a"], "outputs": ["o"], "gates": ["g"], "validation": "v", "checklist": ["c"], "rollback": "r", "delta": "d"}}`, 1)
	whole, err := strictjson.Parse([]byte(text))
	must(t, err)
	tried := 0
	mutate(whole.Root, func(v *strictjson.Value) {
		tried++
		src := strictjson.Format(v)
		_, gaps := ReadChanges(src)
		gaps = slices.DeleteFunc(gaps, func(g Gap) bool { return strings.Contains(g.What, "risk class is \"") })
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(src))
		if err == nil {
			err = schema.Validate(value)
		}
		if (err == nil) != (len(gaps) == 0) {
			t.Errorf("decoder: %v\nschema: %v\n%s", gaps, err, src)
		}
	})
	if tried < 300 {
		t.Errorf("only %d documents", tried)
	}
}
