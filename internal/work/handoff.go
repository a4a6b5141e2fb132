package work

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
)

// handoffGuards is the table of the rules by which packages are refused.
var handoffGuards = []update.Guard{
	{ID: "guard/handoff-at-rest", Requirement: "UN-2", Title: "a plan is handed over while nobody is at work on its files",
		Hint: "let the turn end; mend what dwp verify names"},
	{ID: "guard/handoff-file", Requirement: "UN-2", Title: "a package holds regular files of bounded number and size, with names that every system has",
		Hint: "take the file out of the plan's folder"},
	{ID: "guard/handoff-secret", Requirement: "AG-5", Title: "no secret leaves the machine in a package",
		Hint: "take it out of the file, and revoke it: it counts as shown from now on"},
	{ID: "guard/handoff-package", Requirement: "UN-2", Title: "a package is whole, and holds one plan and nothing else",
		Hint: "fetch it again from where it was made"},
	{ID: "guard/handoff-over", Requirement: "UN-2", Title: "a package is never written over a plan that differs from it",
		Hint: "compare the two; --replace-if-sha256 with the digest of the plan's state.json puts the package in its place"},
	{ID: "guard/handoff-newer", Requirement: "UN-2", Title: "a package is never written over a newer plan",
		Hint: "work went on in the plan: export it, and go on from that"},
}

// Bounds of a package: those of a plan folder, and less than a small machine's memory.
const (
	maxPackFiles = plan.MaxNodes
	maxPackFile  = 64 << 20
	maxPackTotal = 256 << 20
)

// Standing is where the product's repository stood when a package was made.
type Standing struct {
	Head, Branch string // "" when there is none
	Dirty        bool
}

// Package is a plan on its way to another machine (UN-2): what stands in its folder, and facts about it. It holds no path and no name of the
// machine that it comes from.
type Package struct {
	Plan     string
	Made     time.Time
	Agent    string
	Model    string
	Git      *Standing      // nil when the plan is in no repository, or git could not be asked
	Verdict  verify.Verdict // of the plan as it lies in the package
	Told     verify.Verdict // what the package says of itself; "" for one that was made here
	Files    []disk.Placed  // sorted by path
	snapshot *plan.Snapshot
}

// Snapshot is the plan as the package holds it.
func (p *Package) Snapshot() *plan.Snapshot { return p.snapshot }

// Export makes a package of a plan, under its lock, so that no writer is half-way. It refuses a plan that is not at rest, and one with a
// secret in any of its files. Locks, the lease of a turn that is dead, and what killed writers left stay out.
func Export(ctx context.Context, p publish.Plan, who revise.Who, standing *Standing) (_ *Package, err error) {
	if err := signed(who); err != nil {
		return nil, err
	}
	lock, err := disk.Acquire(ctx, p.FS, p.Owner, p.Wait, p.System)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	out := &Package{Plan: p.Name, Made: who.Now.UTC().Truncate(time.Second), Agent: who.Agent, Model: who.Model, Git: standing}
	if !packable(p.Name) || !strings.HasPrefix(p.Name, planPrefix) {
		return nil, refuse("guard/handoff-file", "the plan's folder has a name that other systems may not have: %q", p.Name)
	}
	if err := cmp.Or(p.InTurn(0), noTurn(p)); err != nil {
		return nil, err
	}
	if out.Files, err = gather(p.FS); err != nil {
		return nil, err
	}
	if err := secretFree(out.Files); err != nil {
		return nil, err
	}
	return out, out.read(p.Now(), p.InGit)
}

// planPrefix begins the names of plan folders (PD-1).
const planPrefix = "PLAN_"

// noTurn refuses while a turn is at work on the plan, or may be: its lease is held, and its owner is not provably dead (UN-2, GU-10). A lease
// that was left behind says nothing on another machine, and stays out.
func noTurn(p publish.Plan) error {
	h, err := disk.InspectLease(p.FS, p.System)
	if err != nil || !h.Held || h.Stale() {
		return err
	}
	return refuse("guard/handoff-at-rest", "a turn is at work on the plan: %s is held, and its owner is not provably gone", disk.LeaseDir)
}

// gather reads a plan folder. What is neither a regular file nor a folder is refused by name.
func gather(fsys fs.FS) (files []disk.Placed, err error) {
	total := 0
	err = fs.WalkDir(fsys, ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == ".":
			return nil
		case name == state.LockDir || name == disk.LeaseDir || disk.IsTemp(name):
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		case name == state.OperationMark:
			return refuse("operation/unfinished", "an operation on several files was cut off: %s stands", name)
		case name == state.FinalizeMark:
			return refuse("publication/unfinished", "a publication was cut off: %s stands", name)
		case e.IsDir():
			return nil
		}
		f, err := packed(fsys, name, e)
		if err != nil {
			return err
		}
		if total += len(f.Data); total > maxPackTotal || len(files) >= maxPackFiles {
			return refuse("guard/handoff-file", "the plan's files are over %d MiB, or more than %d", maxPackTotal>>20, maxPackFiles)
		}
		files = append(files, f)
		return nil
	})
	slices.SortFunc(files, func(a, b disk.Placed) int { return cmp.Compare(a.Path, b.Path) })
	return files, err
}

// Of a file's mode a package keeps whether it may be written: somebody protected it on purpose (PS-23).
const (
	ownerWrites fs.FileMode = 0o200
	readOnly    fs.FileMode = 0o444
)

// packed reads one file.
func packed(fsys fs.FS, name string, e fs.DirEntry) (f disk.Placed, err error) {
	info, err := e.Info()
	switch {
	case err != nil:
		return f, err
	case !info.Mode().IsRegular():
		return f, refuse("guard/handoff-file", "%s is a link or a special file", name)
	case info.Size() > maxPackFile:
		return f, refuse("guard/handoff-file", "%s is over %d MiB", name, maxPackFile>>20)
	case !packable(name):
		return f, refuse("guard/handoff-file", "%q has a name that other systems may not have, or lies too deep", name)
	}
	f = disk.Placed{Path: name}
	if info.Mode().Perm()&ownerWrites == 0 {
		f.Mode = readOnly
	}
	f.Data, err = fs.ReadFile(fsys, name)
	return f, err
}

// packable reports whether a slash path is one that every system can have, and that can be nothing but a file of a plan.
func packable(name string) bool {
	parts := strings.Split(name, "/")
	if !fs.ValidPath(name) || name == "." || len(parts) > plan.MaxDepth+1 || strings.ContainsFunc(name, func(r rune) bool {
		return r < ' ' || r == 0x7f || r == 0xfffd || strings.ContainsRune(`\:*?"<>|`, r)
	}) {
		return false
	}
	for _, part := range parts {
		if len(part) > 255 || strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ") || disk.IsTemp(part) {
			return false
		}
	}
	switch strings.ToLower(parts[0]) {
	case state.LockDir, state.OperationMark, state.FinalizeMark, disk.LeaseDir:
		return false
	}
	return true
}

// secretFree refuses files with secrets; it names the file and the kind, never the secret (AG-5, PS-7).
func secretFree(files []disk.Placed) error {
	for _, f := range files {
		text := string(f.Data)
		if found := evidence.Secrets(text); len(found) > 0 {
			line := 1 + strings.Count(text[:found[0].Start], "\n")
			return refuse("guard/handoff-secret", "%s holds what looks like a secret on line %d: %s", f.Path, line, found[0].Kind)
		}
	}
	return nil
}

// read looks at the plan as it lies in the package: it must be at rest.
func (p *Package) read(now time.Time, inGit bool) error {
	held := disk.NewTwin()
	for _, f := range p.Files {
		if err := held.Put(f.Path, f.Data, disk.DefaultMode); err != nil {
			return err
		}
	}
	s, err := plan.Read(held, p.Plan)
	if err != nil {
		return err
	}
	switch {
	case s.README == nil:
		return refuse("guard/handoff-package", "the plan has no README.md")
	case s.State == nil && p.file(state.StateFile) != nil:
		return refuse("guard/handoff-at-rest", "state.json can't be read, so nothing says that the plan is at rest")
	case s.State != nil && (s.State.Promotion != nil || s.State.Materialization == "promoting"):
		return refuse("promotion/unfinished", "a promotion from Lite to Full is in progress")
	case s.README.Materializing || s.State != nil && s.State.Materialization == "materializing":
		return refuse("materialization/partial", "the plan's creation is not finished")
	}
	p.snapshot, p.Verdict = s, verify.Plan(s, verify.Options{Now: now, InGit: inGit}).Verdict
	return nil
}

// file is a file of the package; nil when there is none of that path.
func (p *Package) file(name string) *disk.Placed {
	i, found := slices.BinarySearchFunc(p.Files, name, func(f disk.Placed, name string) int { return cmp.Compare(f.Path, name) })
	if !found {
		return nil
	}
	return &p.Files[i]
}

// StateSHA256 is the digest of the state.json in the package; "" without one.
func (p *Package) StateSHA256() string {
	if f := p.file(state.StateFile); f != nil {
		return state.Digest(f.Data)
	}
	return ""
}

// questionsFile is where questions wait for a person (PD-12).
const questionsFile = plan.QuestionsFile

// OpenQuestions are the headings of the questions that have no line for an answer (PD-12, UN-7).
func (p *Package) OpenQuestions() []string {
	if f := p.file(questionsFile); f != nil {
		return openQuestions(f.Data)
	}
	return nil
}

// openQuestions lists the headings of the entries of a QUESTIONS.md that nobody answered.
func openQuestions(data []byte) (open []string) {
	for _, q := range update.ReadQuestions(string(data)) {
		if len(q.Answers) == 0 {
			open = append(open, q.Title)
		}
	}
	return open
}

// Differing lists the paths in which a plan folder differs from the package, sorted: a file that has other bytes, or that only one of the
// two has.
func (p *Package) Differing(fsys fs.FS) ([]string, error) {
	there, err := gather(fsys)
	if err != nil {
		return nil, err
	}
	have := map[string]string{}
	for _, f := range there {
		have[f.Path] = string(f.Data)
	}
	var odd []string
	for _, f := range p.Files {
		if data, ok := have[f.Path]; !ok || data != string(f.Data) {
			odd = append(odd, f.Path)
		}
		delete(have, f.Path)
	}
	for name := range have {
		odd = append(odd, name)
	}
	slices.Sort(odd)
	return odd, nil
}

// Place puts the plan into the folder of plans, where none of its name may be: whole or not at all. What stands there under its name is left
// as it is; when it is the very same plan, there is nothing to do. The plan is read again in the folder that is about to get its name.
func (p *Package) Place(plans disk.FS) (placed bool, err error) {
	if err := p.beside(plans); err != nil {
		return false, err
	}
	switch info, err := plans.Lstat(p.Plan); {
	case errors.Is(err, fs.ErrNotExist):
		err = disk.PlaceFolder(plans, p.Plan, p.Files, func(dir string) error { return p.same(plans, dir) })
		return err == nil, err
	case err != nil:
		return false, err
	case !info.IsDir():
		return false, refuse("guard/handoff-over", "%s is there, and is no folder", p.Plan)
	}
	return false, p.same(plans, p.Plan)
}

// same refuses a folder that differs from the package.
func (p *Package) same(plans disk.FS, dir string) error {
	below, err := fs.Sub(plans, dir)
	if err != nil {
		return err
	}
	odd, err := p.Differing(below)
	if err != nil {
		return err
	}
	if len(odd) > 0 {
		return refuse("guard/handoff-over", "%s is there, and differs from the package in %s", p.Plan, few(odd, false))
	}
	return nil
}

// beside refuses a name that only its case tells from that of another plan: on other systems they are one.
func (p *Package) beside(plans disk.FS) error {
	list, err := plans.ReadDir(".")
	if err != nil {
		return err
	}
	for _, e := range list {
		if e.Name() != p.Plan && strings.EqualFold(e.Name(), p.Plan) {
			return refuse("guard/handoff-over", "there is a plan %s, whose name differs in its case only", e.Name())
		}
	}
	return nil
}

// Replace puts the package in the place of a plan whose state.json has a digest that the caller names, in one operation that a crash leaves
// undone or for recover to finish (DESIGN 6). A plan on which work went on later than the package says is never replaced.
func (p *Package) Replace(ctx context.Context, at publish.Plan, expected string) (replaced bool, err error) {
	lock, err := disk.Acquire(ctx, at.FS, at.Owner, at.Wait, at.System)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	if err := cmp.Or(at.InTurn(0), noTurn(at)); err != nil {
		return false, err
	}
	there, err := gather(at.FS)
	if err != nil {
		return false, err
	}
	changes := p.changes(there)
	if len(changes) == 0 {
		return false, nil
	}
	s, err := plan.Read(at.FS, at.Name)
	if err != nil {
		return false, err
	}
	switch f := s.Files[state.StateFile]; {
	case f == nil || f.Err != nil:
		return false, refuse("guard/handoff-over", "the plan that is there has no state.json that can be read")
	case !strings.EqualFold(f.SHA256(), expected):
		return false, refuse("guard/moved-on", "state.json has the digest %s, not the expected %q", f.SHA256(), expected)
	case s.State != nil && (p.snapshot.State == nil || p.snapshot.State.UpdatedAt.Value.Before(s.State.UpdatedAt.Value)):
		return false, refuse("guard/handoff-newer", "the plan that is there was changed after the package was made")
	case s.Progress != nil && p.snapshot.Progress != nil && len(s.Progress.Src) > len(p.snapshot.Progress.Src) &&
		bytes.HasPrefix(s.Progress.Src, p.snapshot.Progress.Src): // a decision, say, which state.json knows nothing of
		return false, refuse("guard/handoff-newer", "PROGRESS.md of the plan that is there goes on where that of the package ends")
	}
	if err := disk.Stage(at.FS, disk.Operation{Name: "handoff import", Args: []string{"--replace-if-sha256", expected}}, changes, lock.Check); err != nil {
		return false, err
	}
	if _, err := disk.Apply(at.FS); err != nil {
		return false, &publish.Unfinished{Operation: "handoff import", Err: err}
	}
	odd, err := p.Differing(at.FS)
	if err == nil && len(odd) > 0 {
		err = errors.New("read the plan again: it is not what was written: " + few(odd, false))
	}
	return err == nil, err
}

// changes make of a folder what the package holds, state.json last (PS-19).
func (p *Package) changes(there []disk.Placed) []disk.Change {
	var list []disk.Change
	was := map[string]string{}
	for _, f := range there {
		was[f.Path] = state.Digest(f.Data)
		if p.file(f.Path) == nil {
			list = append(list, disk.Change{Path: f.Path, Remove: true, Was: was[f.Path]})
		}
	}
	for _, f := range p.Files {
		if was[f.Path] != state.Digest(f.Data) {
			list = append(list, disk.Change{Path: f.Path, Data: f.Data, Mode: f.Mode, Was: was[f.Path]})
		}
	}
	rank := func(c disk.Change) int {
		_, task := plan.TaskNumber(c.Path)
		return slices.Index([]bool{task && !c.Remove, c.Path == revise.ReadmeFile, c.Path == revise.ProgressFile, c.Path != state.StateFile, true}, true)
	}
	slices.SortStableFunc(list, func(a, b disk.Change) int { return cmp.Or(rank(a)-rank(b), cmp.Compare(a.Path, b.Path)) })
	return list
}
