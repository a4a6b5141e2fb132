package work

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
)

// This file: what PROGRESS.md says of a reconciliation, and the manifest of a plan that has none.

// progressNotes are the bullets of the entry in PROGRESS.md: what was done to which tasks, and single lines.
type progressNotes struct {
	words []string
	tasks map[string][]int
	lines []string
}

// add notes that something was done to a task.
func (n *progressNotes) add(what string, task int) {
	if n.tasks == nil {
		n.tasks = map[string][]int{}
	}
	if n.tasks[what] == nil {
		n.words = append(n.words, what)
	}
	n.tasks[what] = append(n.tasks[what], task)
}

// say notes a line.
func (n *progressNotes) say(text string) { n.lines = append(n.lines, text) }

// note writes the entry. No bullet begins with the name of a task: it would be read as that task's entry.
func (w *reconciling) note(hasState bool) {
	why := "Why: README.md is the truth where state.json says otherwise"
	switch {
	case !hasState:
		why = "Why: the plan had no state.json"
	case w.st.Doc == nil:
		why = "Why: state.json could not be read"
	}
	bullets := []string{why}
	for _, what := range w.notes.words {
		bullets = append(bullets, what+": "+tasksOf(w.notes.tasks[what]))
	}
	bullets = append(bullets, w.notes.lines...)
	if len(w.Answer.Owing) > 0 {
		bullets = append(bullets, "Late evidence is due: "+tasksOf(w.Answer.Owing))
	}
	if _, stands := w.s.Nodes[state.ReceiptFile]; stands {
		bullets = append(bullets, "The plan was published, and is another now: the receipt is kept as history")
	}
	if w.Answer.Lost != "" {
		bullets = append(bullets, "Lost: "+w.Answer.Lost)
	}
	if w.Answer.Copy != "" {
		bullets = append(bullets, "The file as it was: `"+w.Answer.Copy+"`")
	}
	w.desk.Note("State reconciled", bullets...)
}

// tasksOf names tasks: "task 2", "tasks 1-3, 7".
func tasksOf(ids []int) string {
	if len(ids) == 1 {
		return "task " + Ranges(ids)
	}
	return "tasks " + Ranges(ids)
}

// Ranges writes ascending numbers shortly: "1-3, 7".
func Ranges(ids []int) string {
	var parts []string
	for i := 0; i < len(ids); {
		j := i
		for j+1 < len(ids) && ids[j+1] == ids[j]+1 {
			j++
		}
		part := strconv.Itoa(ids[i])
		if j > i {
			part += "-" + strconv.Itoa(ids[j])
		}
		parts = append(parts, part)
		i = j + 1
	}
	return strings.Join(parts, ", ")
}

// count is like "1 record", "2 records".
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// firstLayered is the first standard that has a state layer (PS-2): the one that an older plan without a Standard line is taken for.
const firstLayered = "1.2.0"

// manifest renders manifest.json for a plan without one, from what the markdown says (PS-3, PS-6). Who created it is not known.
func (w *reconciling) manifest(root *strictjson.Value) ([]byte, error) {
	standard, named := w.s.Standard(), ""
	switch {
	case standard != "":
	case w.era != state.V1:
		return nil, refuse("guard/undecided", "manifest.json is missing, and README.md has no Standard line to make it from")
	default:
		standard = firstLayered
		named = ", the first with a state layer, for README.md names none"
	}
	created, from := w.created(root)
	w.plan("manifest.json made: generation %s, standard %s%s, created_at %s", w.era, standard, named, from)
	v := strictjson.NewObject()
	text := func(name, value string) { v.Set(name, strictjson.NewString(value)) }
	text("schema", state.SchemaURL(state.ManifestFile, w.era))
	text("spec_version", standard)
	text("name", w.s.Name)
	text("title", strings.Join(strings.Fields(w.desk.View.Title), " "))
	text("archetype", map[bool]string{true: "orchestrator-hub", false: "individual"}[w.s.Hub != nil])
	text("rigor", "standard")
	if w.era != state.V1 {
		text("plan_format", w.format())
	}
	text("created_at", created)
	v.Set("task_count", strictjson.NewInt(len(w.s.README.Index)))
	return strictjson.Format(v), nil
}

// created is when the plan was made, as far as anything tells: the first day that PROGRESS.md names in a heading, or the first time
// that a task has, whichever is earlier; else now.
func (w *reconciling) created(root *strictjson.Value) (at, from string) {
	first, source := w.Now.Truncate(time.Second), " (nothing tells it)"
	take := func(at time.Time, name string) {
		if !at.IsZero() && at.Before(first) {
			first, source = at, name
		}
	}
	if p := w.s.Progress; p != nil {
		for i := range p.Sections {
			take(dayIn(p.Sections[i].Label), " (the first day in PROGRESS.md)")
		}
		for i := range p.Entries {
			head, _, _ := strings.Cut(p.Text(p.Entries[i].Span), "\n")
			take(dayIn(head), " (the first day in PROGRESS.md)")
		}
	}
	for _, t := range root.Member("tasks").Elems {
		for _, name := range []string{"started_at", "completed_at"} {
			if v := t.Member(name); v != nil {
				at, _ := time.Parse(time.RFC3339, v.Text)
				take(at, " (the first time that a task has)")
			}
		}
	}
	at = first.UTC().Format(time.RFC3339)
	return at, at + source
}
