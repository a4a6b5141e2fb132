package author

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
	"github.com/deepworkplan/dwp/internal/update"
)

// The phases of a promotion, as state.json names them (PS-8).
const (
	phaseIntent   = "intent"
	phaseWritten  = "tasks_written"
	phaseSwitched = "switched"
	promoting     = "promoting"
)

// promoteName is the operation as its journal names it.
const promoteName = "promote"

// promoteTerms: the marker of a promotion may stand. A plan without a state layer is looked at, too: it may be Full already.
func promoteTerms() update.Terms { return update.Terms{Promoting: true, Stateless: true} }

// Promoted says what a promotion did.
type Promoted struct {
	publish.Done
	// Already: the plan is Full and no promotion stands, so there was nothing to do. Nothing: there was none to take back.
	Already, Nothing bool
	// From is the phase at which the promotion was taken up again; "" when it began with this call.
	From string
	// Files are the task files of the plan, in the order of the tasks.
	Files []string
	// Kept are task files that another hand had changed, where they were kept when the promotion was taken back.
	Kept []string
}

// Promote makes a Lite plan Full (LF-9, C115): representation only, so a plan that is not approved may be promoted, too, and
// nothing of what its tasks say, proved or decided changes. Each phase is one operation of disk's journal, and all are made under
// one lock, so that nobody works on a plan that is half the one and half the other:
//
//	intent         state.json: materialization promoting, the marker with the files to come; the receipt of a published plan
//	               is retired, because it covers README.md (VP-5)
//	tasks_written  the task files; state.json
//	(compare)      every file, read from disk, with its record in the README; a difference takes the promotion back
//	switched       README.md: index lines link the files, inline records leave; PROGRESS.md; state.json: format, locators
//	(clear)        state.json: no marker, materialization ready; a completed plan is published anew
//
// Before the first of them all are tried in memory. After a crash the same call goes on from the phase that stands; what the
// journal had committed is applied first. It refuses, as *publish.Refused, what can't be carried faithfully.
func Promote(ctx context.Context, p publish.Plan, who revise.Who) (Promoted, error) {
	warnings, err := finishStep(ctx, p)
	if err != nil {
		return Promoted{}, err
	}
	var told Promoted
	told.Done, err = publish.Revise(ctx, p, promoteTerms(), promoteSteps(who, &told))
	told.Warnings = append(warnings, told.Warnings...)
	return told, err
}

// PreviewPromotion works the whole promotion out as Promote does, and writes nothing.
func PreviewPromotion(p publish.Plan, who revise.Who) (*publish.Draft, Promoted, error) {
	var told Promoted
	d, err := publish.Preview(p, promoteTerms(), promoteSteps(who, &told))
	return d, told, err
}

// WithdrawPromotion takes a promotion back that has not switched (LF-9): its files go, state.json is as it was but for updated_at. A
// file that another hand has changed since is kept under analysis_results/withdrawn.
func WithdrawPromotion(ctx context.Context, p publish.Plan, who revise.Who) (Promoted, error) {
	warnings, err := finishStep(ctx, p)
	if err != nil {
		return Promoted{}, err
	}
	var told Promoted
	told.Done, err = publish.Revise(ctx, p, promoteTerms(), func(s *plan.Snapshot) (*publish.Revision, error) {
		m, err := readPromotion(s, who)
		switch {
		case err != nil:
			return nil, err
		case m.phase == "":
			told.Nothing = true
			return &publish.Revision{}, nil
		case m.phase == phaseSwitched:
			return nil, refuse("guard/promotion-switched", "the promotion has switched README.md and state.json")
		}
		return m.takeBack(&told)
	})
	told.Warnings = append(warnings, told.Warnings...)
	return told, err
}

// finishStep applies a step of a promotion that the journal had committed, or clears away what a finished one left.
func finishStep(ctx context.Context, p publish.Plan) (warnings []string, err error) {
	if _, err := p.FS.Lstat(disk.OpDir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return publish.FinishOperation(ctx, p, promoteName)
}

// promoteSteps is the decision of each phase, by the one that stands.
func promoteSteps(who revise.Who, told *Promoted) publish.Decide {
	began := false
	return func(s *plan.Snapshot) (*publish.Revision, error) {
		m, err := readPromotion(s, who)
		if err != nil {
			return nil, err
		}
		if !began {
			began, told.From = true, m.phase
		}
		if told.Files = m.paths(); m.phase == "" && s.Format() == full {
			told.Already = told.From == ""
			return &publish.Revision{}, nil
		}
		switch m.phase {
		case "":
			return m.begin()
		case phaseIntent:
			return m.write()
		case phaseWritten:
			return m.compareAndSwitch(told)
		}
		return m.clear()
	}
}

// promotion is a plan on its way from Lite to Full, at one phase.
type promotion struct {
	*revise.Desk
	phase string // "" when no promotion stands
	tasks []moving
	// files are the paths that a standing marker names, in order of the tasks; "" where it names none.
	files map[int]string
	parts []planmd.LinkPart // the links of README.md, once they were asked for
	moved []retarget        // those that change, once they were asked for
}

// moving is a task whose record moves into a file.
type moving struct {
	*plan.TaskView
	path string
}

// readPromotion reads where a promotion stands. A marker whose form or phase is not the standard's was refused before, by
// update.Revisable; one that disagrees with the rest of the state is refused here (PS-8, LF-9).
func readPromotion(s *plan.Snapshot, who revise.Who) (*promotion, error) {
	m := &promotion{Desk: revise.New(s, who)}
	st := s.State
	switch {
	case st == nil && s.Format() == full:
		return m, nil
	case st == nil:
		return nil, refuse("guard/no-state", "there is no state.json to record a promotion in")
	case st.Era == state.V1 && s.Format() == lite:
		return nil, refuse("guard/promotion-era", "state.json is of generation v1, which knows no formats")
	case st.Materialization == "materializing" || s.README.Materializing:
		return nil, refuse("materialization/partial", "the creation of the plan is not finished")
	case (st.Promotion != nil) != (st.Materialization == promoting):
		return nil, refuse("promotion/shape", "the promotion marker and materialization disagree in state.json")
	}
	if st.Promotion != nil {
		m.phase = st.Promotion.Phase
		if err := m.readMarker(st.Promotion.Node.Member("tasks")); err != nil {
			return nil, err
		}
	}
	if switched := m.phase == phaseSwitched; st.Promotion != nil && switched != (st.Format == full) {
		return nil, refuse("guard/promotion-facts", "the marker says %s, but state.json has format %s", m.phase, st.Format)
	}
	views := map[int]*plan.TaskView{}
	for i := range m.View.Tasks {
		if v := &m.View.Tasks[i]; views[v.ID] == nil {
			views[v.ID] = v
		}
	}
	onDisk := map[int]string{}
	for i := range s.TaskFiles {
		onDisk[s.TaskFiles[i].Number] = s.TaskFiles[i].Path
	}
	for i := range st.Tasks {
		t := &st.Tasks[i]
		one := moving{TaskView: views[t.ID], path: taskFile(t.ID, t.Title)}
		switch {
		case t.Locator.Kind == "file":
			one.path = t.Locator.Value
		case m.files[t.ID] != "":
			one.path = m.files[t.ID]
		case m.phase == phaseWritten && onDisk[t.ID] != "": // another tool's marker that names numbers: the files tell their names
			one.path = onDisk[t.ID]
		}
		m.tasks = append(m.tasks, one)
	}
	return m, nil
}

// readMarker reads the tasks of a marker: task files, as we write them, or numbers. What is neither is of a tool that we don't know.
func (m *promotion) readMarker(list *strictjson.Value) error {
	m.files = map[int]string{}
	if list == nil {
		return nil
	}
	for i, v := range list.Elems {
		name := v.Text
		id, file := plan.TaskNumber(name)
		switch {
		case v.Kind == strictjson.String && file && path.Base(name) == name && m.files[id] == "" && id >= 1 && id <= len(m.S.State.Tasks):
			m.files[id] = name
		case v.Kind == strictjson.Number && slices.ContainsFunc(m.S.State.Tasks, func(t state.Task) bool { return fmt.Sprint(t.ID) == name }):
		default:
			return refuse("guard/promotion-facts", "promotion.tasks[%d] in state.json is no task file or number of this plan", i)
		}
	}
	return nil
}

// paths are the task files, in order of the tasks.
func (m *promotion) paths() []string {
	var list []string
	for i := range m.tasks {
		list = append(list, m.tasks[i].path)
	}
	return list
}

// revision is a step of the promotion. Until the last one the plan says itself that it is being promoted.
func (m *promotion) revision(more bool) (*publish.Revision, error) {
	r, err := m.Revision(promoteName)
	if err != nil {
		return nil, err
	}
	r.More = more
	r.Expected = []string{"promotion/unfinished"}
	r.Republish = m.published()
	return r, nil
}

// published: the plan has a receipt, or had one until this promotion began (VP-5).
func (m *promotion) published() bool {
	if m.S.State == nil || m.S.State.Status != state.Completed {
		return false
	}
	for name := range m.S.Nodes {
		if name == state.ReceiptFile || strings.HasPrefix(name, "analysis_results/FINALIZATION-") {
			return true
		}
	}
	return false
}

// begin records the intent. Everything that could keep the promotion from its end is refused here.
func (m *promotion) begin() (*publish.Revision, error) {
	if m.S.Format() != lite {
		return nil, refuse("guard/promotion-facts", "the plan's format is %s, not lite", m.S.Format())
	}
	for _, f := range m.S.TaskFiles {
		return nil, refuse("guard/promotion-facts", "%s stands in the plan already", f.Path)
	}
	if _, err := m.render(); err != nil {
		return nil, err
	}
	m.mark(phaseIntent)
	m.State().Set("materialization", strictjson.NewString(promoting))
	return m.revision(true)
}

// mark sets the phase. What else the marker says stays as it is.
func (m *promotion) mark(phase string) {
	marker := m.State().Member("promotion")
	if marker == nil || marker.Kind != strictjson.Object {
		marker = strictjson.NewObject()
		for _, member := range [][2]string{{"from", lite}, {"to", full}, {"phase", ""}} {
			marker.Set(member[0], strictjson.NewString(member[1]))
		}
		files := strictjson.NewArray()
		for _, p := range m.paths() {
			files.Elems = append(files.Elems, strictjson.NewString(p))
		}
		marker.Set("tasks", files)
	}
	marker.Set("phase", strictjson.NewString(phase))
	m.State().Set("promotion", marker)
}

// write writes the task files. One that stands already, written by another tool, is what the record says, or refused by name.
func (m *promotion) write() (*publish.Revision, error) {
	texts, err := m.render()
	if err != nil {
		return nil, err
	}
	if err := m.strangers(); err != nil {
		return nil, err
	}
	desk := m.Desk
	for i := range m.tasks {
		t := &m.tasks[i]
		if f := m.S.Files[t.path]; f == nil {
			desk.Create(t.path, texts[i])
		} else if err := m.same(i, f.Data, texts[i], m.links()); err != nil {
			return nil, refuse("guard/promotion-facts", "%s stands already, and says something else: %v", t.path, err)
		}
	}
	m.mark(phaseWritten)
	r, err := m.revision(true)
	if err == nil {
		r.Twice = true
	}
	return r, err
}

// strangers refuses task files that are none of this promotion.
func (m *promotion) strangers() error {
	own := map[string]bool{}
	for _, p := range m.paths() {
		own[p] = true
	}
	for _, f := range m.S.TaskFiles {
		if !own[f.Path] {
			return refuse("guard/promotion-facts", "%s is none of the files that the promotion writes", f.Path)
		}
	}
	return nil
}

// compareAndSwitch compares the files with the records, and switches README.md and state.json over when nothing differs. On a
// difference the promotion is taken back whole, and the difference is the answer.
func (m *promotion) compareAndSwitch(told *Promoted) (*publish.Revision, error) {
	if err := m.strangers(); err != nil {
		return nil, err
	}
	texts, differs := m.render()
	for i := 0; i < len(m.tasks) && differs == nil; i++ {
		f := m.S.Files[m.tasks[i].path]
		if f == nil || f.Err != nil {
			differs = fmt.Errorf("%s is missing, or can't be read", m.tasks[i].path)
			continue
		}
		differs = m.same(i, f.Data, texts[i], m.links())
	}
	if differs != nil {
		r, err := m.takeBack(told)
		if err == nil {
			r.Instead = rolledBack(differs, told.Kept)
		}
		return r, err
	}
	if err := m.switchReadme(); err != nil {
		return nil, err
	}
	st := m.State()
	st.Set("format", strictjson.NewString(full))
	for i := range m.tasks {
		m.Entry(m.tasks[i].ID).Set("locator", strictjson.NewObject(strictjson.Member{Name: "kind", Value: strictjson.NewString("file")},
			strictjson.Member{Name: "value", Value: strictjson.NewString(m.tasks[i].path)}))
	}
	m.mark(phaseSwitched)
	m.Note("Plan promoted from Lite to Full", "The records of "+counted(len(m.tasks), "task")+" moved from README.md into files of their own.",
		"No requirement, status, evidence or decision changed.")
	return m.revision(true)
}

// clear ends the promotion.
func (m *promotion) clear() (*publish.Revision, error) {
	for i := range m.tasks {
		if f := m.S.Files[m.tasks[i].path]; f == nil || f.Err != nil {
			return nil, refuse("guard/promotion-facts", "the marker says switched, but %s is missing, or can't be read", m.tasks[i].path)
		}
	}
	m.ready()
	return m.revision(false)
}

// ready takes the marker out, and says that the plan may be worked again.
func (m *promotion) ready() {
	m.State().Set("promotion", strictjson.NewNull())
	m.State().Set("materialization", strictjson.NewString("ready"))
}

// keptDir is where files of a promotion that was taken back are kept when another hand had changed them.
const keptDir = "analysis_results/withdrawn"

// takeBack removes what the promotion wrote. state.json is as it was before, but for who changed it last, and when.
func (m *promotion) takeBack(told *Promoted) (*publish.Revision, error) {
	texts, _ := m.render() // a README that was changed since renders to something else, or to nothing: then the files are kept
	told.Kept = nil
	desk := m.Desk
	for i := range m.tasks {
		f := m.S.Files[m.tasks[i].path]
		if f == nil {
			continue
		}
		if f.Err != nil {
			return nil, refuse("guard/unreadable", "%s can't be read: %v", f.Path, f.Err)
		}
		if texts == nil || string(texts[i]) != string(f.Data) {
			name := m.freeName(f.Path)
			desk.Create(name, f.Data)
			told.Kept = append(told.Kept, name)
		}
		desk.Remove(f.Path)
	}
	if m.ready(); m.addedMember() {
		m.State().Delete("promotion")
	}
	r, err := m.revision(false)
	if err != nil {
		return nil, err
	}
	for _, name := range told.Kept {
		r.Warnings = append(r.Warnings, "another hand had changed a task file of the promotion; it is kept as "+name)
	}
	return r, nil
}

// addedMember reports whether begin put the member promotion into state.json: then it stands behind all that was there, and whoever
// wrote the file had none.
func (m *promotion) addedMember() bool {
	members := m.State().Members
	for i := len(members) - 1; i >= 0 && (members[i].Name == "promotion" || members[i].Name == "updated_by"); i-- {
		if members[i].Name == "promotion" {
			return true
		}
	}
	return false
}

// freeName is a name under keptDir that is not taken.
func (m *promotion) freeName(file string) string {
	name := keptDir + "/" + file
	for n := 2; m.S.Nodes[name].Path != ""; n++ {
		name = fmt.Sprintf("%s/%d-%s", keptDir, n, file)
	}
	return name
}
