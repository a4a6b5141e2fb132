package work

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
)

// What a call says of the commit of a task, beside its name.
const (
	CommitAuto = "auto" // HEAD, or the newest commit that names the task
	CommitNone = "none" // the task changed no source
)

// Product is what git says of the work on a task (WP-2). The agent commits by itself, before it completes the task.
type Product struct {
	Asked string // CommitAuto, CommitNone, or the name of a commit
	Git   bool   // there is a repository, and git answered
	// History are the newest commits; Dirty what is not committed, DirtyCut that there is more.
	History  []git.Commit
	Dirty    []string
	DirtyCut bool
	// Commit is the one that the task records, or "". Known says that the repository has it.
	Commit string
	Known  bool
	Leaks  []Leak // what its diff adds that looks like a secret (WP-5)
	// DiffCut says that the commit was too large to be searched to its end.
	DiffCut bool
}

// Leak is what looks like a secret in a commit. The secret itself is nowhere in it.
type Leak struct {
	File string
	Line int
	Kind string
}

// historyDepth bounds how far back a commit of the task is looked for.
const historyDepth = 300

// Inspect asks git about the work on a task of a plan. It runs before the lock is taken: git may be slow, and its answers are facts of
// the repository, not of the plan.
func Inspect(ctx context.Context, repo git.Repo, asked, name string, task int) (Product, error) {
	p := Product{Asked: asked, Git: true}
	var err error
	// A commit that is named needs no clean tree: the caller has looked.
	if asked != CommitNone && asked != CommitAuto {
		missing, err := repo.Missing(ctx, []string{asked})
		if err != nil {
			return p, err
		}
		if p.Commit, p.Known = strings.ToLower(asked), len(missing) == 0; !p.Known {
			return p, nil
		}
		return p, p.search(ctx, repo)
	}
	if p.Dirty, p.DirtyCut, err = repo.Dirty(ctx); err != nil {
		return p, err
	}
	if p.History, err = repo.History(ctx, historyDepth); err != nil || asked == CommitNone {
		return p, err
	}
	// Not HEAD alone: in a tree that agents share, another's commit may lie on top.
	if i := slices.IndexFunc(p.History, func(c git.Commit) bool { return NamesTask(c.Message, name, task) }); i >= 0 {
		p.Commit, p.Known = p.History[i].ID, true
		return p, p.search(ctx, repo)
	}
	return p, nil
}

// Except leaves the files of a folder out of what is not committed, by its path in the work tree: plans may lie anywhere (PD-1), and are
// no part of the work. A folder that is not committed as a whole and holds it is left out, too.
func (p *Product) Except(folder string) {
	folder = strings.TrimSuffix(folder, "/") + "/"
	p.Dirty = slices.DeleteFunc(p.Dirty, func(f string) bool {
		return strings.HasPrefix(f, folder) || strings.HasSuffix(f, "/") && strings.HasPrefix(folder, f)
	})
}

// search looks for secrets in what the commit adds.
func (p *Product) search(ctx context.Context, repo git.Repo) error {
	lines, cut, err := repo.Added(ctx, p.Commit)
	p.DiffCut = cut
	for _, l := range lines {
		const longest = 1 << 14 // bytes: a longer line is generated, and its start is enough
		for _, found := range evidence.Secrets(l.Text[:min(len(l.Text), longest)]) {
			p.Leaks = append(p.Leaks, Leak{l.File, l.Line, found.Kind})
		}
	}
	return err
}

// CommitMessage is the form of the message by which a commit names its task (WP-2).
func CommitMessage(name string, task int) string {
	return "type(scope): what - Task " + strconv.Itoa(task) + " of " + name
}

// maxNamed bounds how many tasks one message names: no honest one names more.
const maxNamed = 100

// TasksNamed lists the tasks of a plan that a commit's message names: "Task 3 of PLAN_x", in any case, and no longer word, number or name;
// each once, in their order. A commit that takes another back names none, though it quotes that one's message: it is no work on the task.
func TasksNamed(message, name string) []int {
	text := " " + strings.ToLower(strings.Join(strings.Fields(message), " "))
	if strings.HasPrefix(text, ` revert "`) {
		return nil
	}
	of := " of " + strings.ToLower(name)
	var list []int
	for len(list) < maxNamed {
		before, rest, found := strings.Cut(text, "task ")
		if !found {
			break
		}
		text = rest
		digits := text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
		after, ok := strings.CutPrefix(text[len(digits):], of)
		whole := (before == "" || !nameByte(before[len(before)-1])) && (after == "" || !nameByte(after[0]))
		if id, err := strconv.Atoi(digits); ok && whole && err == nil && strconv.Itoa(id) == digits && !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	return list
}

// NamesTask reports whether a commit's message names a task of a plan.
func NamesTask(message, name string, task int) bool {
	return slices.Contains(TasksNamed(message, name), task)
}

func nameByte(c byte) bool {
	return c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || c >= 0x80
}

// judge adds what is wrong with the commit to the gaps (WP-2, WP-5).
func (p *Product) judge(g *gaps, s *plan.Snapshot, t *plan.TaskView) {
	place := func(id, format string, args ...any) { g.add(id, "", nil, noPlace, format, args...) }
	owner := recordedBy(s, p.Commit, t.ID)
	if !p.Git { // nothing else can be known
		if owner != 0 {
			place("guard/commit", "commit %.12s is recorded by task %d already", p.Commit, owner)
		}
		return
	}
	if len(p.Dirty) > 0 && (p.Asked == CommitAuto || p.Asked == CommitNone) {
		place("guard/work-tree", "not committed: %s", few(p.Dirty, p.DirtyCut))
	}
	switch {
	// "None" is a claim about the repository, and git can contradict it.
	case p.Asked == CommitNone:
		for _, c := range p.History {
			if NamesTask(c.Message, s.Name, t.ID) && (t.Entry == nil || !sameCommit(c.ID, t.Entry.Commit)) {
				place("guard/commit", "commit %.12s names the task, so its work changed something: record it", c.ID)
				break
			}
		}
	case p.Commit == "":
		place("guard/commit", "no commit names the task; commit its work with a message like %q", CommitMessage(s.Name, t.ID))
	case !p.Known:
		place("guard/commit", "the repository has no commit %s", p.Commit)
	case owner != 0:
		place("guard/commit", "commit %.12s is recorded by task %d already", p.Commit, owner)
	}
	for i, l := range p.Leaks {
		if i == 10 {
			place("guard/commit-secret", "and %d more", len(p.Leaks)-i)
			break
		}
		place("guard/commit-secret", "commit %.12s adds what looks like a secret: %s, line %d (%s)", p.Commit, l.File, l.Line, l.Kind)
	}
}

// recordedBy is another task that records a commit; 0 for none.
func recordedBy(s *plan.Snapshot, commit string, task int) int {
	if commit == "" || s.State == nil {
		return 0
	}
	for i := range s.State.Tasks {
		if o := &s.State.Tasks[i]; o.ID != task && sameCommit(commit, o.Commit) {
			return o.ID
		}
	}
	return 0
}

// sameCommit compares two names of commits, of which one may be abbreviated.
func sameCommit(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	return len(a) >= 7 && len(b) >= 7 && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}

// few lists the first of many. cut says that there are more than the list has.
func few(list []string, cut bool) string {
	const most = 8
	text := strings.Join(list[:min(len(list), most)], ", ")
	switch {
	case cut:
		text += " and many more"
	case len(list) > most:
		text += fmt.Sprintf(" and %d more", len(list)-most)
	}
	return text
}
