// Package revise is the desk on which an operation on several files is put together: edits by byte span of the documents of a plan, a
// new state.json, the amendment and the PROGRESS entry that say what was done. It is pure: a snapshot in, a publish.Revision out; what
// may be done is decided by its callers, and what may be written by publish. Requirements: AM-1 as far as form goes, PD-12, PS-17, PS-19.
package revise

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
)

// The documents that operations write beside task files and state.json.
const (
	ReadmeFile   = "README.md"
	ProgressFile = "PROGRESS.md"
)

// Who makes a revision, and when.
type Who struct {
	Agent, Model string    // "" when nobody says
	Now          time.Time // dates what is written
}

// Date is the day of an entry or amendment, in UTC.
func (w Who) Date() string { return w.Now.UTC().Format(time.DateOnly) }

// Time is a time of state.json, in UTC to the second (PS-8).
func (w Who) Time() string { return w.Now.UTC().Truncate(time.Second).Format(time.RFC3339) }

// Desk holds the edits of one operation. Documents are opened when they are first asked for; what is never changed is not written.
type Desk struct {
	Who
	S *plan.Snapshot
	// View is the snapshot's overview: tasks with index line, entry and record.
	View plan.Overview

	edits   map[string]*planmd.Edit
	made    map[string][]byte // new files
	removed map[string]bool
	renamed map[string]string // new path by the one before
	root    *strictjson.Value
	notes   []string // blocks for the end of PROGRESS.md
}

// New begins an operation on a plan. The snapshot is not changed.
func New(s *plan.Snapshot, who Who) *Desk {
	return &Desk{Who: who, S: s, View: s.Overview(), edits: map[string]*planmd.Edit{}, made: map[string][]byte{}, removed: map[string]bool{},
		renamed: map[string]string{}}
}

// Edit is the edit of a document of the plan, by slash path. doc is the document that the path holds.
func (d *Desk) Edit(path string, doc *planmd.Doc) *planmd.Edit {
	if d.edits[path] == nil {
		d.edits[path] = planmd.NewEdit(doc)
	}
	return d.edits[path]
}

// Readme is the edit of README.md; the snapshot must have one.
func (d *Desk) Readme() *planmd.Edit { return d.Edit(ReadmeFile, &d.S.README.Doc) }

// Task looks a task up; nil when the plan has none of that number.
func (d *Desk) Task(id int) *plan.TaskView {
	if id > 0 && id <= len(d.View.Tasks) && d.View.Tasks[id-1].ID == id { // as in every plan that is in order
		return &d.View.Tasks[id-1]
	}
	i := slices.IndexFunc(d.View.Tasks, func(t plan.TaskView) bool { return t.ID == id })
	if i < 0 {
		return nil
	}
	return &d.View.Tasks[i]
}

// Record is the edit of the document that holds a task's record, which the task must have.
func (d *Desk) Record(t *plan.TaskView) *planmd.Edit { return d.Edit(t.File, t.Doc) }

// Create makes a file that is not there yet, or replaces one whole.
func (d *Desk) Create(path string, data []byte) { d.made[path] = data }

// Remove takes a file away.
func (d *Desk) Remove(path string) { d.removed[path] = true }

// Rename gives a file that the snapshot has another path; what is edited of it, before or after, goes along. Files may exchange names.
func (d *Desk) Rename(from, to string) { d.renamed[from] = to }

// State is the new state.json, to be edited; nil when the plan has none. What follows from the entries is filled in by Revision.
func (d *Desk) State() *strictjson.Value {
	if d.root == nil && d.S.State != nil && d.S.State.Doc != nil {
		d.root = d.S.State.Doc.Root.Clone()
	}
	return d.root
}

// SetState replaces the new state.json as a whole: reconcile makes it from the markdown, whatever stands there (PS-18). It needs a
// member "tasks" with its entries.
func (d *Desk) SetState(root *strictjson.Value) { d.root = root }

// Entry is the entry of a task in the new state.json, by its number before the operation; nil without one. Entries may be moved,
// added and taken out through State().
func (d *Desk) Entry(id int) *strictjson.Value {
	tasks := d.State().Member("tasks")
	if tasks == nil {
		return nil
	}
	entries := d.S.State.Tasks
	i := id - 1
	if i < 0 || i >= len(entries) || entries[i].ID != id { // out of order: looked for
		i = slices.IndexFunc(entries, func(e state.Task) bool { return e.ID == id })
	}
	if i < 0 || i >= len(tasks.Elems) {
		return nil
	}
	return tasks.Elems[i]
}

// Note appends a block to PROGRESS.md, which is made when there is none: a heading with the day, and what was done.
func (d *Desk) Note(title string, bullets ...string) {
	d.notes = append(d.notes, "## "+d.Date()+" "+title+"\n\n"+Bullets(bullets...))
}

// Keep adds a text to the note before it, as a quotation, so that nothing in it is structure of PROGRESS.md.
func (d *Desk) Keep(text string) {
	text = strings.Trim(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(strings.TrimRight("> "+line, " \t") + "\n")
	}
	d.notes[len(d.notes)-1] += "\n" + b.String()
}

// Revision is what the desk holds, as one operation. Its changes stand in the order of PS-19: task records, README.md, PROGRESS.md,
// other files, state.json; files are taken away after everything that replaces them stands, and before state.json.
func (d *Desk) Revision(operation string, args ...string) (*publish.Revision, error) {
	r := &publish.Revision{Operation: operation, Args: args}
	if err := d.progress(); err != nil {
		return nil, err
	}
	contents, err := d.contents()
	if err != nil {
		return nil, err
	}
	for path, data := range contents {
		r.Changes = append(r.Changes, disk.Change{Path: path, Data: data})
	}
	for path := range d.removed {
		if _, stays := contents[path]; !stays {
			r.Changes = append(r.Changes, disk.Change{Path: path, Remove: true})
		}
	}
	slices.SortFunc(r.Changes, func(a, b disk.Change) int {
		return cmp.Or(rank(a)-rank(b), cmp.Compare(a.Path, b.Path))
	})
	if d.root != nil {
		r.Warnings = d.derive()
		r.Changes = append(r.Changes, disk.Change{Path: state.StateFile, Data: strictjson.Format(d.root)})
	}
	return r, nil
}

// contents are the new texts by path: files that were made, edited, or renamed. A file that is renamed leaves its path, unless
// another one takes it.
func (d *Desk) contents() (map[string][]byte, error) {
	contents := d.made
	for path, e := range d.edits {
		if !e.Changed() || d.removed[path] || d.renamed[path] != "" {
			continue
		}
		data, err := e.Bytes()
		if err != nil {
			return nil, fmt.Errorf("edit %s: %w", path, err)
		}
		contents[path] = data
	}
	for from, to := range d.renamed {
		contents[to] = d.S.Files[from].Data
		if e := d.edits[from]; e != nil {
			data, err := e.Bytes()
			if err != nil {
				return nil, fmt.Errorf("edit %s: %w", from, err)
			}
			contents[to] = data
		}
		d.removed[from] = true
	}
	return contents, nil
}

// rank orders changes as they become visible.
func rank(c disk.Change) int {
	switch {
	case c.Remove:
		return 4
	case c.Path == ReadmeFile:
		return 1
	case c.Path == ProgressFile:
		return 2
	}
	if _, task := plan.TaskNumber(c.Path); task {
		return 0
	}
	return 3
}

// progress writes the notes. Not a byte of what PROGRESS.md said changes (VP-5).
func (d *Desk) progress() error {
	if len(d.notes) == 0 {
		return nil
	}
	text := strings.Join(d.notes, "\n")
	if d.S.Progress == nil {
		d.made[ProgressFile] = []byte("# Progress\n\n" + text)
		return nil
	}
	e := d.Edit(ProgressFile, &d.S.Progress.Doc)
	e.Append(text)
	return d.shows(e)
}

// shows refuses to append what nobody would read: behind a code fence or a comment that nothing closes an entry is part of it, the
// plan has it and has it not, and a repeated call would add another one (C05, C117).
func (d *Desk) shows(e *planmd.Edit) error {
	data, err := e.Bytes()
	if err != nil {
		return fmt.Errorf("edit %s: %w", ProgressFile, err)
	}
	back, heads := planmd.ReadProgress(data), map[string]int{}
	for i := range back.Sections {
		heads[strings.TrimSpace(back.Text(back.Sections[i].Head))]++
	}
	for i := range d.S.Progress.Sections {
		heads[strings.TrimSpace(d.S.Progress.Text(d.S.Progress.Sections[i].Head))]--
	}
	for _, n := range d.notes {
		head, _, _ := strings.Cut(n, "\n")
		if heads[head]--; heads[head] < 0 {
			return publish.RefuseBy(nil, "guard/progress-open", "%s would not show the entry %q: %s", ProgressFile,
				strings.TrimLeft(head, "# "), d.opened())
		}
	}
	return nil
}

// opened names what swallows the end of PROGRESS.md, as far as that is known.
func (d *Desk) opened() string {
	for _, p := range slices.Backward(d.S.Progress.Problems) {
		line, _ := d.S.Progress.Position(p.Span.Start)
		switch p.Kind {
		case planmd.FenceUnclosed:
			return fmt.Sprintf("the code fence of line %d is never closed", line)
		case planmd.CommentUnclosed:
			return fmt.Sprintf("the comment of line %d is never closed", line)
		}
	}
	return "something before it is never closed"
}

// derive fills in what follows from the entries of the new state, and who made it when (PS-17, C93).
func (d *Desk) derive() (warnings []string) {
	tasks := d.root.Member("tasks")
	all := map[state.Status]int{}
	for _, t := range tasks.Elems {
		if s := t.Member("status"); s != nil {
			all[state.Status(s.Text)]++
		}
	}
	blocked := d.root.Member("blocked")
	stands := blocked != nil && blocked.Kind == strictjson.Object
	d.root.Set("status", strictjson.NewString(string(state.Derive(all, stands))))
	setInt(d.root, "completed_count", all[state.Completed])
	setInt(d.root, "task_count", len(tasks.Elems))
	d.root.Set("updated_at", strictjson.NewString(d.Time()))
	return d.updater()
}

// updater says who made the change. One without a name doesn't keep the name of who made the one before.
func (d *Desk) updater() (warnings []string) {
	if d.Agent == "" && d.Model == "" {
		if d.root.Delete("updated_by") {
			warnings = append(warnings, "no agent is named; updated_by, which named the one before, is taken out")
		}
		return warnings
	}
	who := strictjson.NewObject()
	if d.S.State != nil && d.S.State.UpdatedBy != nil && d.S.State.UpdatedBy.Agent == d.Agent {
		who = d.S.State.UpdatedBy.Node.Clone()
	}
	for _, m := range [][2]string{{"agent", d.Agent}, {"model", d.Model}} {
		if m[1] == "" {
			who.Delete(m[0])
		} else {
			who.Set(m[0], strictjson.NewString(m[1]))
		}
	}
	d.root.Set("updated_by", who)
	return warnings
}

// setInt sets a number, and leaves one that is the same as it was written.
func setInt(v *strictjson.Value, name string, n int) {
	if value := strictjson.NewInt(n); v.Member(name) == nil || v.Member(name).Text != value.Text {
		v.Set(name, value)
	}
}
