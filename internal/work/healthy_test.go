package work

import (
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
)

// TestHealthyPlansAreCarried: every healthy plan of the vectors that has a task to do, of each generation, format and language, goes through
// start, question, answer and completion, and stays healthy (WP-2, PD-9 to PD-11).
func TestHealthyPlansAreCarried(t *testing.T) {
	names, err := filepath.Glob("../../testdata/vectors/healthy/*.txtar")
	must(t, err)
	carried := 0
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		must(t, err)
		files := fstest.MapFS{}
		for _, f := range archive.Files {
			files[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
		}
		tw, err := disk.TwinOf(files)
		must(t, err)
		p := planIn(tw)
		s, err := plan.Read(tw, p.Name)
		must(t, err)
		if s.State != nil {
			p.Name = s.State.Plan
		}
		if s, err = plan.Read(tw, p.Name); err != nil || s.State == nil || s.Overview().Hold != plan.HoldNone {
			continue
		}
		carried++
		t.Run(filepath.Base(name), func(t *testing.T) { carry(t, tw, p) })
	}
	if carried < 6 {
		t.Errorf("only %d plans were carried", carried)
	}
}

// carry takes the next task of a plan from its start to its end.
func carry(t *testing.T, tw *disk.Twin, p publish.Plan) {
	step := func(decide publish.Decide) {
		t.Helper()
		if d, err := publish.Revise(t.Context(), p, update.Terms{}, decide); err != nil || !d.Changed && d.StateSHA256 == "" {
			t.Fatalf("%+v, %v%s", d, err, why(err))
		}
	}
	st := &Start{Who: mill}
	step(st.Decide)
	step((&Block{Who: mill, Task: st.Chosen, Class: "C1", Reason: "which?", Needs: "an answer"}).Decide)
	step((&Unblock{Who: mill, Answer: "this one", By: "Ada"}).Decide)
	s, err := plan.Read(tw, p.Name)
	must(t, err)
	var v *plan.TaskView
	o := s.Overview()
	for i := range o.Tasks {
		if o.Tasks[i].ID == st.Chosen {
			v = &o.Tasks[i]
		}
	}
	if got := Answers(v); len(got) != 1 || got[0].Text != "this one" || v.Record.Log.State != planmd.LogInProgress {
		t.Errorf("answers %+v, log %s", got, v.Record.Log.State)
	}
	ch := update.Change{Task: st.Chosen, Agent: "Mill"}
	zero := 0
	for _, code := range v.Record.Section(planmd.Validation).Code {
		for _, command := range Commands(code) {
			ch.Gates = append(ch.Gates, update.Gate{Command: command, Passes: true, ExitCode: &zero, Evidence: "12 passed"})
		}
	}
	_, err = publish.Apply(t.Context(), p, ch)
	must(t, err)
	step(completion(st.Chosen).Decide)
	s, err = plan.Read(tw, p.Name)
	must(t, err)
	for _, task := range s.State.Tasks {
		if task.ID == st.Chosen && task.Status != state.Completed {
			t.Errorf("task %d is %s", task.ID, task.Status)
		}
	}
	for _, f := range verify.Plan(s, verify.Options{Now: noon, InGit: true}).Findings {
		if f.Level == rule.Must {
			t.Errorf("%s: %s", f.Rule, f.Message)
		}
	}
}
