package author

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
	"github.com/deepworkplan/dwp/internal/verify"
)

// section gives one section its new words. What the record has not yet gets a place of its own, in the order of records (PD-5).
func (w *editing) section(p part) {
	s := w.t.Record.Section(p.kind)
	if s == nil {
		w.insert(p)
		return
	}
	span := listSpan(w.t.Doc, w.t.Record, s)
	was := plainText(w.t.Doc, span)
	text := w.words(p, s.Level, was)
	w.want[p.kind] = text
	if text == was {
		return
	}
	w.out.Sections = append(w.out.Sections, string(p.kind))
	e := w.d.Record(w.t)
	own := span.Start < span.End && w.startsLine(span.Start)
	switch {
	case was == "" && s.Level > 0:
		e.Replace(s.Body, "\n"+text+"\n\n")
	case own || s.Level > 0:
		e.Replace(span, text)
	case isBlock(text):
		// Behind a label on its line a list, a fence or a second paragraph would be none.
		e.Replace(planmd.Span{Start: s.Head.End, End: span.End}, "\n\n"+text)
	default:
		e.Replace(planmd.Span{Start: s.Head.End, End: span.End}, " "+text)
	}
}

// startsLine reports whether nothing but white space stands before an offset on its line.
func (w *editing) startsLine(at int) bool {
	before := w.t.Doc.Src[:at]
	return len(bytes.TrimSpace(before[bytes.LastIndexByte(before, '\n')+1:])) == 0
}

// isBlock reports whether a text needs lines of its own.
func isBlock(text string) bool {
	_, listed := unmark(text)
	var f fence
	first, _, _ := strings.Cut(text, "\n")
	return listed || f.inside(first) || strings.Contains(text, "\n")
}

// insert puts a section that the record lacks before the first one that comes behind it in the order of records.
func (w *editing) insert(p part) {
	level := w.level()
	text := w.words(p, level, "")
	w.want[p.kind] = text
	w.out.Sections = append(w.out.Sections, string(p.kind))
	at := w.t.Record.Span.End
	order := append(slices.Clone(editable), planmd.CompletionLog)
	for _, kind := range order[slices.Index(order, p.kind)+1:] {
		if s := w.t.Record.Section(kind); s != nil {
			at = bytes.LastIndexByte(w.t.Doc.Src[:s.Head.Start], '\n') + 1
			break
		}
	}
	head := strings.Repeat("#", level) + " " + string(p.kind)
	if level == 0 {
		head = "**" + string(p.kind) + ":**"
	}
	block := head + "\n\n" + text + "\n\n"
	if src := w.t.Doc.Src[:at]; len(src) > 0 && !bytes.HasSuffix(src, []byte("\n\n")) && !bytes.HasSuffix(src, []byte("\n\r\n")) {
		block = "\n" + block
		if !bytes.HasSuffix(src, []byte("\n")) {
			block = "\n" + block
		}
	}
	if at == len(w.t.Doc.Src) {
		block = strings.TrimRight(block, "\n") + "\n"
	}
	w.d.Record(w.t).Insert(at, block)
}

// level is that of the record's sections; 0 when they are labelled lines.
func (w *editing) level() int {
	for _, kind := range editable {
		if s := w.t.Record.Section(kind); s != nil {
			return s.Level
		}
	}
	return 3
}

// words is the text of a part as the record will have it.
func (w *editing) words(p part, level int, was string) string {
	switch {
	case p.kind == planmd.Acceptance || p.kind == planmd.Checklist:
		return boxed(itemsOf(was), w.given(p, level))
	case p.kind == planmd.Surface:
		return strings.TrimSpace(w.surface(p))
	case p.fields == nil:
		return nest(p.text, level)
	}
	var out page
	switch p.kind {
	case planmd.Instructions:
		out.numbered(nestAll(w.now.Instructions, level))
	case planmd.Validation:
		out.paragraph(nest(w.now.Validation, level))
		if !strings.Contains(w.now.Validation, "`"+strings.Join(w.now.Gates, "")+"`") || len(w.now.Gates) != 1 {
			out.paragraph(code(w.now.Gates))
		}
	case planmd.Reads, planmd.Outputs:
		out.bullets("- ", w.now.list(p.kind))
	default:
		out.paragraph(nest(w.prose(p.kind), level))
	}
	return strings.TrimSpace(out.String())
}

// prose is the text of a section that is no list.
func (w *editing) prose(kind planmd.SectionKind) string {
	switch kind {
	case planmd.Context:
		return w.now.Context
	case planmd.Goal:
		return w.now.Goal
	case planmd.Rollback:
		return w.now.Rollback
	}
	return w.now.Delta
}

// given are the items of a part that is a list of boxes.
func (w *editing) given(p part, level int) []item {
	if p.fields == nil {
		return itemsOf(nest(p.text, level))
	}
	var items []item
	for _, text := range nestAll(w.now.list(p.kind), level) {
		items = append(items, item{text: strings.TrimSpace(text), listed: true})
	}
	return items
}

// surface is a Touched Surface, with the paths that were really touched, which are a record and stay.
func (w *editing) surface(p part) string {
	text := p.text
	if p.fields != nil {
		var out page
		out.bullets("- ", surfaceLines(&w.now))
		text = strings.TrimSpace(out.String())
	}
	actual := w.t.Record.Surface.Actual
	if actual == nil || actual.Value == "" || planmd.ReadTask([]byte("# Task 1: x\n\n## Touched Surface\n\n"+text+"\n")).Record.Surface.Actual != nil {
		return text
	}
	if _, listed := unmark(text); listed {
		return text + "\n- " + field("Actual", oneLine(actual.Value))
	}
	return text + "\n\n" + field("Actual", oneLine(actual.Value))
}

// boxed writes the items of a list of boxes. One whose words stood there before keeps its lines, ticks included; any other one is
// open, in the form that the list has.
func boxed(old, given []item) string {
	mark := "- [ ] "
	have := map[string][]string{}
	listed := slices.ContainsFunc(given, func(it item) bool { return it.listed })
	for i, it := range old {
		if !it.listed {
			continue
		}
		if i == 0 || mark == "- [ ] " {
			mark = markOf(it.raw)
		}
		key := wordsKey(it.text)
		have[key] = append(have[key], it.raw)
	}
	var out strings.Builder
	for _, it := range given {
		key := wordsKey(it.text)
		switch {
		case listed && !it.listed:
			if out.Len() > 0 {
				out.WriteString("\n")
			}
			out.WriteString(it.raw + "\n\n")
		case len(have[key]) > 0:
			out.WriteString(have[key][0] + "\n")
			have[key] = have[key][1:]
		default:
			out.WriteString(hang(mark, it.text, len(mark)-len("[ ] ")))
		}
	}
	return strings.TrimRight(out.String(), "\n")
}

// markOf is the mark of an open box in the form of an item: its indent and its bullet.
func markOf(raw string) string {
	indent := indentOf(raw)
	if bullet := raw[indent:]; bullet != "" && strings.ContainsRune("-*+", rune(bullet[0])) {
		return raw[:indent] + bullet[:1] + " [ ] "
	}
	return raw[:indent] + "- [ ] "
}

// listSpan is wordsOf with the indent of the first line, which is part of a list's form.
func listSpan(doc *planmd.Doc, r *planmd.Record, s *planmd.Section) planmd.Span {
	span := wordsOf(doc, r, s)
	start := span.Start
	for start > s.Body.Start && (doc.Src[start-1] == ' ' || doc.Src[start-1] == '\t') {
		start--
	}
	if start > 0 && doc.Src[start-1] == '\n' {
		span.Start = start
	}
	return span
}

// listBody is the text of a section whose words are a list.
func listBody(doc *planmd.Doc, r *planmd.Record, s *planmd.Section) string {
	return plainText(doc, listSpan(doc, r, s))
}

// title gives the task another title, in the index line, in the heading and in the entry. The file keeps its name.
func (w *editing) title() error {
	title := oneLine(w.Text.Title)
	if title == "" || title == w.t.Title {
		return nil
	}
	if w.last() && !endsWithReview(title) {
		return refuse("guard/final-review", "task %d is the Final Review, and %q would be none", w.Task, shortly(title))
	}
	changed := w.t.Line == nil || w.retitle(w.d.Readme(), &w.d.S.README.Doc, w.t.Line.Span, w.t.Line.Title, title)
	if w.t.Record.Head.End > w.t.Record.Head.Start && w.t.Record.Title != "" {
		changed = changed && w.retitle(w.d.Record(w.t), w.t.Doc, w.t.Record.Head, w.t.Record.Title, title)
	}
	if !changed {
		return refuse("guard/title", "the title of task %d stands in a form that can't be changed in place", w.Task)
	}
	if w.t.Entry != nil {
		w.d.Entry(w.Task).Set("title", strictjson.NewString(title))
	}
	w.out.Sections = append(w.out.Sections, "title")
	return nil
}

// retitle replaces the title in a line; escaped or not, it must stand there once.
func (w *editing) retitle(e *planmd.Edit, doc *planmd.Doc, line planmd.Span, was, title string) bool {
	text := doc.Text(line)
	for _, form := range []string{escape(was), was} {
		if i := strings.LastIndex(text, form); i >= 0 {
			e.Replace(planmd.Span{Start: line.Start + i, End: line.Start + i + len(form)}, escape(title))
			return true
		}
	}
	return false
}

// last reports whether the task is the last one, which is the Final Review (PD-7).
func (w *editing) last() bool {
	return len(w.d.View.Tasks) > 0 && w.d.View.Tasks[len(w.d.View.Tasks)-1].ID == w.Task
}

// dependencies: each task that is named exists, and is another one.
func (w *editing) dependencies() []Gap {
	c := gaps{}
	for _, id := range w.Text.DependsOn {
		switch {
		case id == w.Task:
			c.add("Depends on", fmt.Sprintf("task %d depends on itself", id))
		case w.d.Task(id) == nil:
			c.add("Depends on", fmt.Sprintf("it depends on task %d, which the plan has not", id))
		}
	}
	return c.list
}

// rivals are paths that another task of the same parallel group plans to write, too (AG-6).
func (w *editing) rivals() []Gap {
	c := gaps{}
	for _, p := range w.Text.parts {
		if p.kind != planmd.Surface {
			continue
		}
		writes := besides(w.d, w.Task)
		for _, planned := range w.now.Surface.Planned {
			if other := writes[path.Clean(planned)]; other != "" {
				c.add(p.place, fmt.Sprintf("%s, of the same parallel group, plans to write %s, too", other, planned))
			}
		}
	}
	return c.list
}

// depends rewrites the line about dependencies, or gives the record one below its heading (GU-7).
func (w *editing) depends() {
	r := w.t.Record
	if !w.Text.HasDepends || r.HasDepends && slices.Equal(r.DependsOn, w.Text.DependsOn) {
		return
	}
	w.out.Sections = append(w.out.Sections, "Depends on")
	list := or(numberList(w.Text.DependsOn), "none")
	e := w.d.Record(w.t)
	s := r.Section(planmd.Dependencies)
	switch {
	case r.HasDepends && s != nil && s.Body == r.DependsAt:
		e.Replace(wordsOf(w.t.Doc, &planmd.Record{}, s), "- Task "+strings.ReplaceAll(list, ", ", "\n- Task "))
	case r.HasDepends:
		e.Replace(r.DependsAt, list)
	case r.Head.End > r.Head.Start:
		e.AddLines(r.Head, "", field("Depends on", list))
	default:
		e.Insert(r.Span.Start, field("Depends on", list)+"\n\n")
	}
}

// holds reads the plan as the texts make it, and demands that every part reads as it was given and every other one as before, that
// the plan can still be worked, and that no secret came in (PS-7, PD-7). The log has not been touched yet.
func (w *editing) holds() error {
	if len(w.out.Sections) == 0 {
		return nil
	}
	after, err := w.after()
	if err != nil {
		return err
	}
	if gaps := w.odd(after); len(gaps) > 0 {
		return &Incomplete{gaps}
	}
	if stuck := ring(after); len(stuck) > 0 && len(ring(w.d.S)) == 0 {
		return &Incomplete{[]Gap{{"Depends on", "no task could ever start of " + tasksNamed(stuck) + ": they wait for each other"}}}
	}
	for _, f := range newFindings(w.d.S, after, verify.Options{Now: w.Now}) {
		switch {
		case strings.HasPrefix(f.Rule, "secret/"):
			return refuse(f.Rule, "%s", f.Message)
		case strings.HasPrefix(f.Rule, "review/"):
			return refuse("guard/final-review", "the Final Review would be none: %s", f.Message)
		}
	}
	return w.Warrant.secrets()
}

// after is the plan with the texts as they stand on the desk.
func (w *editing) after() (*plan.Snapshot, error) {
	sofar := &publish.Revision{}
	for name, e := range map[string]*planmd.Edit{revise.ReadmeFile: w.d.Readme(), w.t.File: w.d.Record(w.t)} {
		data, err := e.Bytes()
		if err != nil {
			return nil, fmt.Errorf("edit %s: %w", name, err)
		}
		sofar.Changes = append(sofar.Changes, disk.Change{Path: name, Data: data})
	}
	if root := w.d.State(); root != nil {
		sofar.Changes = append(sofar.Changes, disk.Change{Path: state.StateFile, Data: strictjson.Format(root)})
	}
	return standing(w.d.S, sofar)
}

// odd lists what does not read back: an underlined heading in a text, say, ends the section that it stands in.
func (w *editing) odd(after *plan.Snapshot) []Gap {
	f := fidelity{}
	view := after.Overview()
	if len(view.Tasks) != len(w.d.View.Tasks) {
		return []Gap{{"task", fmt.Sprintf("a text of it reads as the index of tasks: %d tasks would be found, not %d", len(view.Tasks), len(w.d.View.Tasks))}}
	}
	i := slices.IndexFunc(view.Tasks, func(t plan.TaskView) bool { return t.ID == w.Task })
	if i < 0 || view.Tasks[i].Record == nil {
		return []Gap{{"task", "its record would not be found"}}
	}
	now := view.Tasks[i]
	if title := oneLine(w.Text.Title); title != "" && now.Title != title {
		f.odd("title", "the title")
	}
	if w.Text.HasDepends && !slices.Equal(now.Record.DependsOn, w.Text.DependsOn) {
		f.odd("Depends on", "what it depends on")
	}
	for _, p := range w.Text.parts {
		s := now.Record.Section(p.kind)
		if s == nil || plainText(now.Doc, listSpan(now.Doc, now.Record, s)) != w.want[p.kind] {
			f.odd(p.place, string(p.kind))
		}
	}
	for _, kind := range slices.Concat(editable, []planmd.SectionKind{planmd.CompletionLog, planmd.TeamMetadata}) {
		if _, given := w.want[kind]; given {
			continue
		}
		was, is := w.t.Record.Section(kind), now.Record.Section(kind)
		if (was == nil) != (is == nil) || was != nil && strings.TrimSpace(w.t.Doc.Text(was.Body)) != strings.TrimSpace(now.Doc.Text(is.Body)) {
			f.odd(string(kind), string(kind)+", which is not edited,")
		}
	}
	return f.gaps
}

// newFindings are what verify reports of a plan, and didn't before, as often.
func newFindings(before, after *plan.Snapshot, opt verify.Options) []rule.Finding {
	left := map[string]int{}
	for _, f := range verify.Plan(before, opt).Findings {
		left[f.Rule] += max(1, f.Count)
	}
	var fresh []rule.Finding
	for _, f := range verify.Plan(after, opt).Findings {
		if left[f.Rule] -= max(1, f.Count); left[f.Rule] < 0 {
			fresh = append(fresh, f)
		}
	}
	return fresh
}
