package plan

import (
	"cmp"
	"path"
	"slices"

	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/state"
)

// gathering puts the sources of a plan's tasks together: nothing that names a task is silently
// dropped. A number that stands twice in one source gives two views.
type gathering struct {
	s     *Snapshot
	views []TaskView
	byID  map[int][]int // places in views
}

// tasks gathers the views of all tasks: the index lines in order, then what only other sources know.
func (s *Snapshot) tasks() []TaskView {
	g := &gathering{s: s, byID: map[int][]int{}}
	g.lines()
	listed := len(g.views)
	g.entries()
	if s.Format() == formatLite {
		g.records()
		g.files()
	} else {
		g.files()
		g.records()
	}
	slices.SortStableFunc(g.views[listed:], func(a, b TaskView) int { return cmp.Compare(a.ID, b.ID) })
	for i := range g.views {
		g.finish(&g.views[i])
	}
	return g.views
}

func (g *gathering) add(t TaskView) {
	g.byID[t.ID] = append(g.byID[t.ID], len(g.views))
	g.views = append(g.views, t)
}

// lines takes the index in its order: boxes, and the plain bullets whose task has no box (C17).
func (g *gathering) lines() {
	readme := g.s.README
	if readme == nil {
		return
	}
	var lines []*planmd.IndexLine
	boxed := map[int]bool{}
	for i := range readme.Index {
		lines = append(lines, &readme.Index[i])
		boxed[readme.Index[i].ID] = true
	}
	for i := range readme.Bullets {
		if line := &readme.Bullets[i]; !boxed[line.ID] {
			lines = append(lines, line)
		}
	}
	slices.SortStableFunc(lines, func(a, b *planmd.IndexLine) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	for _, line := range lines {
		g.add(TaskView{ID: line.ID, Line: line, Checked: line.Box != nil && line.Box.Checked()})
	}
}

func (g *gathering) entries() {
	if g.s.State == nil {
		return
	}
	listed := len(g.views)
	seen := map[int]bool{}
	for i := range g.s.State.Tasks {
		entry := &g.s.State.Tasks[i]
		at := g.byID[entry.ID]
		if seen[entry.ID] || len(at) == 0 || at[0] >= listed {
			g.add(TaskView{ID: entry.ID, Entry: entry})
		} else {
			for _, v := range at {
				g.views[v].Entry = entry
			}
		}
		seen[entry.ID] = true
	}
}

// files gives each view the task file of its number. Files at the plan's root come first; of several the
// linked one, then one that no other view has (C25). Those in sub-folders serve tasks without one (C39).
func (g *gathering) files() {
	taken := map[*TaskFile]bool{}
	root, nested := byNumber(g.s.TaskFiles), byNumber(g.s.Nested)
	for i := range g.views {
		v := &g.views[i]
		if v.File != "" {
			continue
		}
		files := root[v.ID]
		if files == nil {
			files = nested[v.ID]
		}
		if files != nil {
			g.attach(v, files.take(v.Line, taken))
		}
	}
	for i := range g.s.TaskFiles {
		if f := &g.s.TaskFiles[i]; !taken[f] && !g.recorded(f.Number) {
			g.addFile(f)
		}
	}
	for i := range g.s.Nested {
		if f := &g.s.Nested[i]; len(g.byID[f.Number]) == 0 {
			g.addFile(f)
		}
	}
}

// recorded reports whether a task has its record in the README: a task file beside it is a copy, not a task more.
func (g *gathering) recorded(id int) bool {
	return slices.ContainsFunc(g.byID[id], func(v int) bool { return g.views[v].File == readmeFile })
}

func (g *gathering) addFile(f *TaskFile) {
	v := TaskView{ID: f.Number}
	g.attach(&v, f)
	g.add(v)
}

func (g *gathering) attach(v *TaskView, f *TaskFile) {
	v.File = f.Path
	if f.Doc != nil {
		v.Record, v.Doc = &f.Doc.Record, &f.Doc.Doc
	}
}

// shelf holds the task files of one number, of which views take one after the other. It remembers where it is: a hostile
// index may name one number a million times.
type shelf struct {
	files  []*TaskFile
	byPath map[string]*TaskFile
	next   int // the files before it are taken
}

func byNumber(files []TaskFile) map[int]*shelf {
	shelves := make(map[int]*shelf, len(files))
	for i := range files {
		f := &files[i]
		s := shelves[f.Number]
		if s == nil {
			s = &shelf{byPath: map[string]*TaskFile{}}
			shelves[f.Number] = s
		}
		s.files = append(s.files, f)
		s.byPath[f.Path] = f
	}
	return shelves
}

// take picks the file that an index line links, else the first that is not taken, else the first; and takes it.
func (s *shelf) take(line *planmd.IndexLine, taken map[*TaskFile]bool) *TaskFile {
	for s.next < len(s.files) && taken[s.files[s.next]] {
		s.next++
	}
	best := s.files[s.next%len(s.files)]
	if line != nil && line.Link != "" {
		if linked := s.byPath[path.Clean(line.Link)]; linked != nil {
			best = linked
		}
	}
	taken[best] = true
	return best
}

// records gives views the inline records of the README. Headings "Task N" without an anchor serve where
// nothing else does, and name tasks only in a README that has no other.
func (g *gathering) records() {
	readme := g.s.README
	if readme == nil {
		return
	}
	for i := range readme.Records {
		g.record(&readme.Records[i], true)
	}
	alone := len(g.views) == 0
	for i := range readme.Loose {
		g.record(&readme.Loose[i], alone)
	}
}

func (g *gathering) record(r *planmd.Record, add bool) {
	id := recordID(r)
	at := g.byID[id]
	if len(at) == 0 && id > 0 && add {
		g.add(TaskView{ID: id})
		at = g.byID[id]
	}
	if len(at) == 0 || g.views[at[0]].File != "" {
		return // views of one number get their records together, the first one found
	}
	for _, i := range at {
		v := &g.views[i]
		v.File, v.Record, v.Doc = readmeFile, r, &g.s.README.Doc
	}
}

// recordID is the task number of an inline record: that of its anchor, by which the index refers to it, else of its heading.
func recordID(r *planmd.Record) int {
	if id, ok := r.AnchorTask(); ok {
		return id
	}
	return r.ID
}

// finish fills in what follows from the sources of a view.
func (g *gathering) finish(v *TaskView) {
	switch {
	case v.Line != nil && v.Line.Title != "":
		v.Title = v.Line.Title
	case v.Entry != nil && v.Entry.Title != "":
		v.Title = v.Entry.Title
	case v.Record != nil:
		v.Title = v.Record.Title
	}
	v.Status = v.status(g.s.State != nil)
}

// status reads a task's status, markdown first (PS-18): a ticked box is completed; a line that is not
// ticked is not, whatever the entry says. Otherwise the entry speaks; in a plan without state.json, the log.
func (t *TaskView) status(layer bool) state.Status {
	status := state.Pending
	switch {
	case t.Checked:
		return state.Completed
	case t.Entry != nil:
		status = t.Entry.Status
	case !layer && t.Record != nil:
		status = logStatus(t.Record.Log.State)
	}
	if status == "" || status == state.Completed && t.Line != nil {
		return state.Pending
	}
	return status
}

func logStatus(log planmd.LogState) state.Status {
	switch log {
	case planmd.LogInProgress:
		return state.InProgress
	case planmd.LogBlocked:
		return state.Blocked
	case planmd.LogSkipped:
		return state.Skipped
	}
	return state.Pending
}
