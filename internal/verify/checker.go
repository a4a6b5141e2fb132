package verify

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
)

// source is something a check reads. A check runs when all its sources are usable.
type source uint

const (
	readme source = 1 << iota
	progress
	manifest
	stateJSON
	taskFiles
	review
	candidates
	receipt
	anything source = 0
)

// check is one row of the table: what it reads, what it evaluates, when it applies.
type check struct {
	needs source
	rules []string
	// when says whether the rules apply to this plan at all; nil for always.
	when func(*checker) bool
	run  func(*checker)
	// always marks the checks that are made even of a plan newer than this tool (PS-22, PS-23).
	always bool
}

// note is a finding before repeated ones are merged.
type note struct {
	rule      string
	level     rule.Level // "" for the catalogue's
	at        rule.Place
	msg, hint string
	// what is the thing the defect is about, when it differs from place to place: a file, a command.
	what string
}

// checker is the state of one run over one snapshot.
type checker struct {
	s     *plan.Snapshot
	opt   Options
	view  plan.Overview
	order []plan.TaskView // the tasks of the index, see orderedTasks
	shape shape
	notes []note
	// ran and failed hold rule IDs; unusable holds why a source can't be used, absent the sources that don't exist.
	ran, failed map[string]bool
	unusable    map[source]string
	absent      source
	uneval      []Unevaluated
	left        map[string]bool // the rules in uneval
	commits     []CommitClaim
	amended     []amendment       // every amendment of the plan, gathered once
	nfc         map[string]string // paths of the folder by their composed form; see onDisk
}

func newChecker(s *plan.Snapshot, opt Options) *checker {
	c := &checker{s: s, opt: opt, view: s.Overview(), ran: map[string]bool{}, failed: map[string]bool{}, left: map[string]bool{}, unusable: map[source]string{}}
	c.order = orderedTasks(c.view)
	c.findSources()
	c.shape = shapeOf(s, c.view)
	c.amended = gatherAmendments(s)
	return c
}

// findSources says of each source whether it can be used, is absent, or is there but useless (VP-6).
func (c *checker) findSources() {
	s := c.s
	c.doc(readme, "README.md", s.README != nil)
	c.doc(progress, "PROGRESS.md", s.Progress != nil)
	c.doc(review, plan.ReviewFile, s.Review != nil)
	c.doc(candidates, plan.CandidatesFile, s.Candidates != nil)
	c.json(manifest, state.ManifestFile, s.Manifest != nil, s.ManifestSyntax)
	c.json(stateJSON, state.StateFile, s.State != nil, s.StateSyntax)
	c.json(receipt, state.ReceiptFile, s.Receipt != nil, s.ReceiptSyntax)
	for _, t := range s.TaskFiles {
		if t.Doc == nil {
			c.unusable[taskFiles] = t.Path + " can't be read"
		}
	}
	if s.Moved {
		for bit := readme; bit <= receipt; bit <<= 1 {
			c.unusable[bit] = "the folder kept changing while it was read"
		}
	}
}

func (c *checker) doc(src source, path string, usable bool) {
	switch f := c.s.Files[path]; {
	case usable:
	case f != nil && f.Err != nil:
		c.unusable[src] = path + " can't be read: " + f.Err.Error()
	default:
		c.absent |= src
	}
}

func (c *checker) json(src source, path string, usable bool, fault *strictjson.SyntaxError) {
	if fault != nil {
		c.unusable[src] = path + " is not strict JSON"
		return
	}
	c.doc(src, path, usable)
}

// run makes one check, or records why its rules were not evaluated.
func (c *checker) run(ch check) {
	if reason := c.obstacle(ch); reason != "" {
		for _, id := range ch.rules {
			c.leave(id, reason)
		}
		return
	}
	if ch.needs&c.absent != 0 || ch.when != nil && !ch.when(c) {
		return
	}
	for _, id := range ch.rules {
		c.ran[id] = true
	}
	ch.run(c)
}

// leave records a rule that could not be evaluated, in whole or in part, once: it has not passed, whatever other checks say
// of it.
func (c *checker) leave(id, reason string) {
	if !c.left[id] {
		c.left[id] = true
		c.uneval = append(c.uneval, Unevaluated{Rule: id, Reason: reason})
	}
}

// obstacle says why a check can't be made, or "".
func (c *checker) obstacle(ch check) string {
	if c.shape.stop != "" && !ch.always {
		return c.shape.stop
	}
	for bit := readme; bit <= receipt; bit <<= 1 {
		if ch.needs&bit != 0 && c.unusable[bit] != "" {
			return c.unusable[bit]
		}
	}
	return ""
}

// add records a finding at the catalogue's level.
func (c *checker) add(id string, at rule.Place, msg, hint string) {
	c.addLevel("", id, at, msg, hint)
}

// addWhat records a finding about a thing that differs from place to place, so that the defect can be told once.
func (c *checker) addWhat(id string, at rule.Place, msg, what, hint string) {
	c.addLevel("", id, at, msg, hint)
	c.notes[len(c.notes)-1].what = what
}

// addLevel records a finding at a level of its own ("" for the catalogue's).
func (c *checker) addLevel(level rule.Level, id string, at rule.Place, msg, hint string) {
	c.failed[id] = true
	c.ran[id] = true
	c.notes = append(c.notes, note{rule: id, level: level, at: at, msg: msg, hint: hint})
}

// fault records a fault of shape that the decoder found.
func (c *checker) fault(f state.Fault, at rule.Place) {
	level := rule.Level("")
	if c.opt.Strict && strings.HasSuffix(f.Rule, "/unknown-field") && !strings.HasPrefix(f.Rule, "gate/") {
		level = rule.Must // PS-21: --strict makes unknown fields a must
	}
	c.addLevel(level, f.Rule, at, f.Message, f.Hint)
}

// inReadme is the place of a span of README.md.
func (c *checker) inReadme(at planmd.Span, task int) rule.Place {
	return docPlace("README.md", &c.s.README.Doc, at, task)
}

func docPlace(file string, doc *planmd.Doc, at planmd.Span, task int) rule.Place {
	line, column := doc.Position(at.Start)
	return rule.Place{File: file, Line: line, Column: column, Task: task}
}

// inState and inManifest are the places of JSON values; a nil value stands for the file.
func (c *checker) inState(v *strictjson.Value, task int) rule.Place {
	return jsonPlace(state.StateFile, c.s.State.Doc, v, task)
}

func (c *checker) inManifest(v *strictjson.Value) rule.Place {
	return jsonPlace(state.ManifestFile, c.s.Manifest.Doc, v, 0)
}

func jsonPlace(file string, doc *strictjson.Document, v *strictjson.Value, task int) rule.Place {
	if v == nil || doc == nil {
		return rule.Place{File: file, Task: task}
	}
	line, column := doc.Position(v.Start)
	return rule.Place{File: file, Line: line, Column: column, Task: task}
}

// taskPlace is where a task is best shown: its index line, else its entry, else its file.
func (c *checker) taskPlace(t plan.TaskView) rule.Place {
	switch {
	case t.Line != nil:
		return c.inReadme(t.Line.Span, t.ID)
	case t.Entry != nil:
		return c.inState(t.Entry.Node, t.ID)
	}
	return rule.Place{File: t.File, Task: t.ID}
}

// key is the value of a top-level key of a document, or nil.
func key(doc *strictjson.Document, name string) *strictjson.Value {
	if doc == nil || doc.Root == nil {
		return nil
	}
	for _, m := range doc.Root.Members {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// member is a member of an object, or nil.
func member(v *strictjson.Value, name string) *strictjson.Value {
	if v == nil || v.Kind != strictjson.Object {
		return nil
	}
	return v.Member(name)
}

// report sums the run up.
func (c *checker) report() *Report {
	r := &Report{Findings: merge(c.notes), Unevaluated: c.uneval, Commits: c.commits}
	sortFindings(r.Findings)
	for id := range c.ran {
		if !c.failed[id] && !c.left[id] {
			r.Passed = append(r.Passed, id)
		}
	}
	slices.Sort(r.Passed)
	r.Verdict = verdict(r)
	return r
}

// verdict: a must finding decides; else anything not evaluated makes it UNVERIFIED, never conformant (VP-6).
func verdict(r *Report) Verdict {
	for _, f := range r.Findings {
		if f.Level == rule.Must {
			return Nonconformant
		}
	}
	if len(r.Unevaluated) > 0 {
		return Unverified
	}
	return Conformant
}

// merge makes one finding of a defect that repeats: same rule, level and words. Notes keep their order.
func merge(notes []note) []rule.Finding {
	type identity struct {
		rule      string
		level     rule.Level
		msg, hint string
	}
	var out []rule.Finding
	type thing struct {
		finding int
		what    string
	}
	whats, told := [][]string{}, map[thing]bool{}
	at := map[identity]int{}
	for _, n := range notes {
		r, _ := rule.Lookup(n.rule)
		level := cmp.Or(n.level, r.Level)
		id := identity{n.rule, level, n.msg, n.hint}
		i, repeated := at[id]
		if !repeated {
			i, at[id] = len(out), len(out)
			out = append(out, rule.Finding{Rule: n.rule, Level: level, Requirement: r.Requirement, Place: n.at, Message: n.msg, Hint: n.hint})
			whats = append(whats, nil)
		}
		out[i].Places = append(out[i].Places, n.at)
		if n.what != "" && !told[thing{i, n.what}] {
			told[thing{i, n.what}] = true
			whats[i] = append(whats[i], n.what)
		}
	}
	for i := range out {
		f := &out[i]
		f.Message = about(f.Places) + f.Message + things(whats[i])
		if f.Count = len(f.Places); f.Count == 1 {
			f.Count, f.Places = 0, nil
		}
	}
	return out
}

// most is how many things a repeated finding names.
const most = 4

// things lists what a finding is about: `: "a", "b" and 3 more`.
func things(list []string) string {
	if len(list) == 0 {
		return ""
	}
	quoted := make([]string, 0, most)
	for _, w := range list[:min(len(list), most)] {
		quoted = append(quoted, quote(w))
	}
	text := ": " + strings.Join(quoted, ", ")
	if n := len(list) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// about names the tasks that places belong to: "task 3: ", "tasks 1-3, 7: ".
func about(places []rule.Place) string {
	var ids []int
	for _, p := range places {
		if p.Task > 0 {
			ids = append(ids, p.Task)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	switch len(ids) {
	case 0:
		return ""
	case 1:
		return "task " + strconv.Itoa(ids[0]) + ": "
	}
	return "tasks " + ranges(ids) + ": "
}

// ranges writes sorted numbers shortly: "1-3, 7".
func ranges(ids []int) string {
	var b strings.Builder
	for i := 0; i < len(ids); {
		j := i
		for j+1 < len(ids) && ids[j+1] == ids[j]+1 {
			j++
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(ids[i]))
		if j > i {
			b.WriteString("-" + strconv.Itoa(ids[j]))
		}
		i = j + 1
	}
	return b.String()
}

func sortFindings(list []rule.Finding) {
	slices.SortStableFunc(list, func(a, b rule.Finding) int {
		return cmp.Or(cmp.Compare(a.Level.Rank(), b.Level.Rank()), cmp.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message))
	})
}

// quote puts a text of the plan into a message.
func quote(s string) string { return strconv.Quote(strictjson.Shorten(s, 60)) }
