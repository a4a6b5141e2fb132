package author

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
)

// This file: the migration of manifest.json and state.json from schema v1 to v2 (PS-3, PS-6, PS-8, PS-9, PS-21).

// SchemaMigration moves a plan's JSON files from v1 to v2. The manifest gets another schema and plan_format, and nothing else (PS-3). The
// state gets the axes that v1 does not have, and a locator for each file; records, outcomes, times and unknown fields stay.
type SchemaMigration struct {
	revise.Who
	// ApprovedBy is the person who approves the plan; "" for nobody. v1 counts as approved and says so nowhere (PS-8).
	ApprovedBy string
	// Sequential is why the tasks run one after the other; "" when the README says how they run (PD-4, LF-8).
	Sequential string
}

// Decide works the migration out; it is a publish.Decide. A plan that is v2 already gives no change. Of a pair of which another
// tool moved one file only, the other one follows: what it has to say is in both, and the whole must conform all the same.
func (m SchemaMigration) Decide(s *plan.Snapshot) (*publish.Revision, error) {
	if err := m.texts(); err != nil {
		return nil, err
	}
	if s.Manifest == nil || s.State == nil {
		return nil, refuse("guard/migrate-layer", "the plan has no manifest.json and state.json to migrate")
	}
	done, err := v2Already(s)
	if err != nil {
		return nil, err
	}
	if done {
		return &publish.Revision{}, nil
	}
	w := &schemaWork{m: m, d: revise.New(s, m.Who)}
	for _, step := range []func() error{w.manifest, w.approval, w.parallelism, w.state} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	if w.d.Readme().Changed() {
		if err := readBack(w.d, w.meant); err != nil {
			return nil, err
		}
	}
	w.d.Note("Migrated from schema v1 to v2", append([]string{w.what()}, w.notes...)...)
	r, err := migrateRevision(w.d, s.Name, "--to", string(state.V2))
	if err != nil {
		return nil, err
	}
	r.Means.Migrated = true
	r.Warnings = append(w.warnings, r.Warnings...)
	return r, nil
}

// texts checks what people typed.
func (m SchemaMigration) texts() error {
	if m.ApprovedBy != "" {
		if err := migrateText("--approved-by", m.ApprovedBy, maxMigrateName); err != nil {
			return err
		}
		if _, personal := evidence.Personal(m.ApprovedBy); personal { // a display name at most, as everywhere (PS-7)
			return refuse("secret/personal", "the name holds a personal identifier: give a display name")
		}
		if evidence.AgentName(m.ApprovedBy, m.Agent, m.Model) { // as dwp approve has it (LF-7, UN-6)
			return refuse("guard/migrate-approval", "%q names an agent: none approves in its own name", m.ApprovedBy)
		}
	}
	if m.Sequential == "" {
		return nil
	}
	return migrateText("--sequential", m.Sequential, maxMigrateReason)
}

// v2Already reports that there is nothing to do, or refuses what is no way from v1 to v2.
func v2Already(s *plan.Snapshot) (bool, error) {
	switch m, st := s.Manifest.Era, s.State.Era; {
	case m == state.V2 && st == state.V2:
		return true, nil
	case m == state.V5 && st == state.V5:
		return false, refuse("guard/migrate-forward", "the plan is of generation v5 already, which has v2's shape and is newer")
	case m == state.V5 || st == state.V5:
		refused := refuse("schema/torn", "manifest.json is of generation %s, state.json of %s", m, st)
		refused.Hint = "look which file is the plan's own, restore the other one of its generation, then migrate"
		return false, refused
	case m == state.V2 && s.Manifest.PlanFormat != "full", st == state.V2 && s.State.Format != "full":
		return false, refuse("schema/torn", "one file is of v1, which has no Lite plans, and the other of a Lite plan of v2")
	}
	return false, nil
}

// schemaWork is one migration under way: the desk, and what is said about it.
type schemaWork struct {
	m               SchemaMigration
	d               *revise.Desk
	approved        string // the approval that the new state records
	signed          bool   // an approval by ApprovedBy is written into the README
	notes, warnings []string
}

// what tells which files were moved.
func (w *schemaWork) what() string {
	s := w.d.S
	switch {
	case s.Manifest.Era != state.V1:
		return "What: state.json moved from schema v1 to v2; manifest.json, of v2 already, was left: another tool had moved it alone"
	case s.State.Era != state.V1:
		return "What: manifest.json moved from schema v1 to v2 and names its plan_format; state.json, of v2 already, was left: another tool had moved it alone"
	}
	return "What: manifest.json and state.json moved from schema v1 to v2 together; the manifest names its plan_format, the state its format, " +
		"materialization, approval and locators; records and times stayed"
}

// manifest changes schema and adds plan_format by byte span: nothing else in the file changes, white space included (PS-3).
func (w *schemaWork) manifest() error {
	m := w.d.S.Manifest
	if m.Era != state.V1 {
		return nil
	}
	data, root := w.d.S.Files[state.ManifestFile].Data, m.Doc.Root
	schema, given := root.Member("schema"), root.Member("plan_format")
	if given != nil && (given.Kind != strictjson.String || given.Text != "full") {
		return refuse("guard/migrate-field", "manifest.json has a field plan_format that is not full, and every plan of v1 is")
	}
	var out []byte
	out = append(out, data[:schema.Start]...)
	out = append(out, strconv.Quote(state.SchemaURL(state.ManifestFile, state.V2))...)
	end := root.Members[len(root.Members)-1].Value.End
	out = append(out, data[schema.End:end]...)
	if given == nil {
		// The new last member is set off as the last one is: ",\n  ".
		n := len(root.Members)
		out = append(out, data[root.Members[n-2].Value.End:root.Members[n-1].NameStart]...)
		out = append(out, `"plan_format": "full"`...)
	}
	out = append(out, data[end:]...)
	if out[len(out)-1] != '\n' {
		out = append(out, '\n') // PS-23
	}
	w.d.Replace(state.ManifestFile, out)
	return nil
}

// approval decides what the new state says of approval. v1 counts as approved without saying by whom, and in v2 silence means pending:
// what the README records is kept, what a person says now is recorded, and where nobody said anything a plan that was begun is
// not migrated, for its work would stand without approval (PS-8, LF-7).
func (w *schemaWork) approval() error {
	r, by := w.d.S.README, w.m.ApprovedBy
	if w.d.S.State.Era != state.V1 {
		if by != "" {
			w.warnings = append(w.warnings, "state.json has its approval already; --approved-by records nothing")
		}
		return nil
	}
	w.approved = r.ApprovalValue
	switch {
	case w.approved == planmd.ApprovalApproved || w.approved == planmd.ApprovalPreApproved:
		w.notes = append(w.notes, "Approval: "+w.approved+", as the README's Approval line says")
		if by != "" {
			w.warnings = append(w.warnings, "the README records an approval already, which is kept; --approved-by records nothing")
		}
		return nil
	case by != "":
		return w.sign(by)
	case begun(w.d.View.Tasks) && r.Approval == nil:
		return refuse("guard/migrate-approval", "work on the plan has begun, and its README does not say who approved it: in v2 it would be pending")
	case begun(w.d.View.Tasks):
		return refuse("guard/migrate-approval", "work on the plan has begun, and its README's Approval line does not say approved")
	}
	w.approved = planmd.ApprovalPending
	w.notes = append(w.notes, "Approval: pending; nobody's approval is recorded, and no work has begun")
	w.warnings = append(w.warnings, "the plan's approval is pending now: nothing starts before a person approves it")
	return nil
}

// sign records the approval of a person, as dwp approve does: by name in README and PROGRESS.md, without in state.json (PS-7, LF-7).
func (w *schemaWork) sign(by string) error {
	r := w.d.S.README
	value := "approved by " + by + " on " + w.m.Date()
	w.approved, w.signed = planmd.ApprovalApproved, true
	w.notes = append(w.notes, "Approval: "+value+"; v1 has no such field")
	if r.Approval != nil {
		w.d.Readme().SetField(r.Approval, value)
		return nil
	}
	w.d.Readme().AddHeaderField(r, "Approval", value)
	return nil
}

// begun reports whether work on a plan is recorded anywhere.
func begun(tasks []plan.TaskView) bool {
	return slices.ContainsFunc(tasks, func(t plan.TaskView) bool {
		if t.Checked {
			return true
		}
		e := t.Entry
		return e != nil && (e.Status != state.Pending && e.Status != state.Skipped || e.StartedAt != nil || len(e.Gates) > 0)
	})
}

// parallelism states how the tasks run, when the caller says so: a plan with plan_format must (PD-4, LF-8).
func (w *schemaWork) parallelism() error {
	why := w.m.Sequential
	if why == "" {
		return nil
	}
	if r := w.d.S.README; r.Execution != nil || r.TeamTable {
		w.warnings = append(w.warnings, "the README states its execution already, which is kept; --sequential writes nothing")
		w.m.Sequential = ""
		return nil
	}
	w.notes = append(w.notes, "Execution: sequential")
	w.d.Readme().AddHeaderField(w.d.S.README, "Execution", "sequential \u2014 "+why)
	return nil
}

// meant reports whether a README reads as this migration means it to.
func (w *schemaWork) meant(r *planmd.README) bool {
	if w.signed && (r.ApprovalValue != planmd.ApprovalApproved || r.Approval.Value != "approved by "+w.m.ApprovedBy+" on "+w.m.Date()) {
		return false
	}
	return w.m.Sequential == "" || r.Execution != nil && r.Rationale == w.m.Sequential
}

// state gives state.json v2's axes and locators; derived fields follow in Revision.
func (w *schemaWork) state() error {
	root := w.d.State()
	if w.d.S.State.Era != state.V1 {
		return nil
	}
	root.Set("schema", strictjson.NewString(state.SchemaURL(state.StateFile, state.V2)))
	if p := root.Member("promotion"); p != nil && p.Kind != strictjson.Null {
		return refuse("guard/migrate-field", "state.json has a field promotion, which v1 does not know")
	}
	for _, axis := range [][2]string{{"format", "full"}, {"materialization", "ready"}, {"approval", w.approved}} {
		if err := giveAxis(root, axis[0], axis[1]); err != nil {
			return err
		}
	}
	for _, entry := range root.Member("tasks").Elems {
		if entry.Member("locator") != nil {
			return refuse("guard/migrate-field", "a task of state.json has a field locator, which v1 does not know")
		}
		for i := range entry.Members {
			if file := &entry.Members[i]; file.Name == "file" {
				*file = strictjson.Member{Name: "locator", Value: strictjson.NewObject(
					strictjson.Member{Name: "kind", Value: strictjson.NewString("file")}, strictjson.Member{Name: "value", Value: file.Value})}
			}
		}
	}
	w.checkpoint(root)
	return nil
}

// giveAxis adds a member of v2 before the tasks. One of that name that v1 did not know stays only when it says the same.
func giveAxis(root *strictjson.Value, name, value string) error {
	if there := root.Member(name); there != nil {
		if there.Kind == strictjson.String && there.Text == value {
			return nil
		}
		return refuse("guard/migrate-field", "state.json has a field %s, which v1 does not know and which does not say %q", name, value)
	}
	i := slices.IndexFunc(root.Members, func(m strictjson.Member) bool { return m.Name == "tasks" })
	root.Members = slices.Insert(root.Members, i, strictjson.Member{Name: name, Value: strictjson.NewString(value)})
	return nil
}

// checkpoint moves that of a completed plan to the last task, step done, as every later generation demands (PS-15); where it stood
// is told in PROGRESS.md, and when and its note are kept.
func (w *schemaWork) checkpoint(root *strictjson.Value) {
	st := w.d.S.State
	cp, last := st.Checkpoint, len(st.Tasks)
	if cp == nil || st.Status != state.Completed || cp.Task == last && cp.Step == "done" {
		return
	}
	v := root.Member("checkpoint")
	v.Set("task", strictjson.NewInt(last))
	v.Set("step", strictjson.NewString("done"))
	w.notes = append(w.notes, fmt.Sprintf("Checkpoint: task %d, step done; it stood at task %d, step %q", last, cp.Task, cp.Step))
}
