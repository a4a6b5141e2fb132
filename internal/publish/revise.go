package publish

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
)

// Revision is what an operation on several files makes of a plan (DESIGN 6). No change means that there is nothing to do.
type Revision struct {
	// Operation is the command, "refine split", and Args what it was asked for: whoever finds it unfinished reads them.
	Operation string
	Args      []string
	// Changes are the new contents in the order in which they become visible: task records, README.md, PROGRESS.md, what else
	// there is, state.json last (PS-19). A change whose Was is "" gets the digest that the snapshot has.
	Changes []disk.Change
	// Means is what the new state.json means to do beside keeping everything.
	Means update.Rewriting
	// Expected are must rules that the plan may break afterwards though it did not before: a promotion under way is one.
	Expected []string
	// Stricter says that the plan is judged by stricter rules afterwards, as one that gets a state layer: what was advice may
	// become a fault, for the plan is no worse than it was.
	Stricter bool
	// Conformant demands that the plan conforms afterwards, whatever it broke before: a migration ends in nothing less (PS-21, PD-9).
	Conformant bool
	// Change is a guarded change of one task (GU-1 to GU-7), decided on the plan as it stands after Changes: what it makes of
	// state.json is written last. One that completes the plan is published in the same stroke (VP-1); one that reopens a
	// completed plan retires its receipt (VP-5).
	Change *update.Change
	// Twice says that the plan holds its records twice afterwards, inline and as files: what was wrong with one is wrong with both.
	Twice bool
	// Republish renames the receipt of a completed plan in the same operation, and publishes the plan anew (VP-5).
	Republish bool
	// Retire gives the receipt in force its name for history in the same operation: its state is no longer the plan's (PS-18, VP-5).
	Retire bool
	// More says that another revision follows under the same lock: decide is asked again, with the plan as it stands after this
	// one. The receipt of a completed plan is then retired with the first and published anew after the last.
	More bool
	// Instead, when not nil, is the answer: the revision takes back what had been begun, and this says why.
	Instead  error
	Warnings []string
}

// Draft is a revision that holds, with the plan before and after it.
type Draft struct {
	Revision
	Before, After *plan.Snapshot
	// Candidate is the state.json that completes the plan; nil for a revision after which it goes on. It is not among Changes.
	Candidate []byte
}

// Decide makes a revision of a plan as it stands. It is pure, and may be asked twice.
type Decide func(*plan.Snapshot) (*Revision, error)

// Preview works a revision out and judges it as Revise does, and writes nothing. Of a series it is the plan before the first
// revision and after the last.
func Preview(p Plan, terms update.Terms, decide Decide) (*Draft, error) {
	s, err := plan.Read(p.FS, p.Name)
	if err != nil {
		return nil, err
	}
	drafts, err := p.rehearse(s, terms, decide)
	if err != nil {
		return nil, err
	}
	return joined(drafts), nil
}

// Revise changes several files of a plan as one operation, so that a crash at any instant leaves the plan as it was, or an
// operation that recover finishes (DESIGN 6). The order of steps:
//
//  1. take the lock, before anything is read (GU-9); inside a turn, see that its lease still stands
//  2. read the folder; the plan is one that may be written: update.Revisable
//  3. decide; check that the new state.json loses and invents nothing (update.Rewrite), and that the plan, read as it will
//     stand, breaks no rule that it kept before. Of a series (Revision.More) the others are tried in memory now, too
//  4. stage and apply: disk's redo journal
//  5. read every file again; of a series, go on with 2 for the next revision
//  6. with Republish, or with a Change that completes the plan: the finalizer (VP-1). The marker of the publication is the last
//     change of the operation, so that there is no instant at which neither stands
//  7. release the lock
//
// A series that stops after something was written is a *Halted.
func Revise(ctx context.Context, p Plan, terms update.Terms, decide Decide) (done Done, err error) {
	err = p.locked(ctx, &done.Warnings, func(lock *disk.Lock) error {
		s, err := plan.Read(p.FS, p.Name)
		if err != nil {
			return err
		}
		return p.series(lock, s, terms, decide, &done)
	})
	return done.unless(err)
}

// longestSeries bounds what one call makes of a plan: a decision that never comes to an end is a fault of the caller.
const longestSeries = 16

var errEndless = errors.New("the operation comes to no end")

// series makes one revision after the other, as long as there is More. Each is judged before the first is written; one that
// meets another plan than it was judged on is worked out anew.
func (p Plan) series(lock *disk.Lock, s *plan.Snapshot, terms update.Terms, decide Decide, done *Done) error {
	var drafts []*Draft
	for n := 0; ; n++ {
		if n >= len(drafts) || n > 0 && !sameDocuments(s, drafts[n].Before) {
			rest, err := p.rehearse(s, terms, decide)
			if err != nil {
				return halted(n, err)
			}
			drafts = append(drafts[:n], rest...)
		}
		d := drafts[n]
		done.Changed = done.Changed || len(d.Changes) > 0 || d.Candidate != nil
		done.Warnings, done.StateSHA256 = append(done.Warnings, d.Warnings...), digestOf(d.After, state.StateFile)
		if d.publishes() {
			done.Published = true
			return halted(n, p.conclude(lock, d))
		}
		if len(d.Changes) > 0 {
			if err := p.operate(lock, d); err != nil {
				return halted(n, err)
			}
		}
		var err error
		switch {
		case d.Instead != nil:
			return d.Instead
		case d.More && n == longestSeries:
			return halted(n, errEndless)
		case d.More:
			if s, err = plan.Read(p.FS, p.Name); err != nil {
				return halted(n+1, err)
			}
			continue
		}
		return nil
	}
}

// rehearse works revisions out in memory to the end of their series, so that nothing is begun which could not be finished. What a
// series makes of the plan as a whole is judged, too: a step on its way may leave the next one more room than there was.
func (p Plan) rehearse(s *plan.Snapshot, terms update.Terms, decide Decide) ([]*Draft, error) {
	var drafts []*Draft
	base := fs.ReadDirFS(p.FS)
	for now := s; ; {
		d, err := p.draft(base, now, terms, decide)
		if err != nil {
			return nil, err
		}
		if drafts = append(drafts, d); !d.More {
			break
		}
		if len(drafts) > longestSeries {
			return nil, errEndless
		}
		base, now = overlay{base: base, files: d.files()}, d.After
	}
	whole := joined(drafts)
	if len(drafts) > 1 {
		if err := p.judge(whole); err != nil {
			return nil, err
		}
	}
	// A link or a read-only file stops the last revision as surely as the first (TRAPS, "Concurrency and durability").
	for _, d := range drafts {
		if err := disk.Targets(p.FS, d.Operation, d.Changes); err != nil {
			return nil, err
		}
	}
	// A plan that was published must not be left without a receipt by the very operation that means to renew it (VP-1, VP-5).
	if whole.Republish && len(whole.Changes) > 0 {
		if _, err := p.sound(whole.After); err != nil {
			return nil, err
		}
	}
	return drafts, nil
}

// joined is a series as one draft: the plan before the first revision and after the last.
func joined(drafts []*Draft) *Draft {
	whole := *drafts[len(drafts)-1]
	whole.Before = drafts[0].Before
	return &whole
}

// sameDocuments reports whether two snapshots were read from the same bytes.
func sameDocuments(a, b *plan.Snapshot) bool {
	return len(a.Nodes) == len(b.Nodes) && maps.EqualFunc(a.Files, b.Files, func(f, g *plan.File) bool {
		return f.Err == nil && g.Err == nil && bytes.Equal(f.Data, g.Data)
	})
}

// files are the new contents by path; nil takes a file away.
func (d *Draft) files() map[string][]byte {
	files := map[string][]byte{}
	for i := range d.Changes {
		c := &d.Changes[i]
		if files[c.Path] = c.Data; c.Remove {
			files[c.Path] = nil
		} else if c.Data == nil {
			files[c.Path] = []byte{}
		}
	}
	return files
}

// Halted is a series of revisions that stopped on its way: what was done so far stands, and the operation goes on from there.
type Halted struct{ Err error }

func (e *Halted) Error() string {
	return strings.TrimSuffix(e.Err.Error(), nothingWritten) + "; what was done before stands" // "nothing" is true of the last revision alone
}

func (e *Halted) Unwrap() error { return e.Err }

// halted marks an error after which n revisions stand.
func halted(n int, err error) error {
	if err == nil || n == 0 {
		return err
	}
	return &Halted{err}
}

// draft decides and judges. base is the folder as s shows it.
func (p Plan) draft(base fs.ReadDirFS, s *plan.Snapshot, terms update.Terms, decide Decide) (*Draft, error) {
	if refusal := update.Revisable(s, terms, p.Now()); refusal != nil {
		return nil, &Refused{Refusal: *refusal}
	}
	r, err := decide(s)
	if err != nil {
		return nil, err
	}
	d := &Draft{Revision: *r, Before: s, After: s}
	d.Changes = slices.Clone(d.Changes)
	if d.Republish && len(d.Changes) > 0 {
		// Whatever the receipt says must hold still: a new one doesn't hide what was changed after it.
		if err := p.unchanged(s); err != nil {
			return nil, err
		}
		if err := p.retireReceipt(d); err != nil {
			return nil, err
		}
	}
	if d.Retire && len(d.Changes) > 0 {
		if err := p.retireReceipt(d); err != nil {
			return nil, err
		}
	}
	if err := p.lay(base, d); err != nil {
		return nil, err
	}
	if d.Change != nil {
		if err := p.guarded(base, d); err != nil {
			return nil, err
		}
	}
	switch {
	case d.Candidate != nil:
		if _, err := p.sound(d.After); err != nil {
			return nil, err
		}
		return d, nil
	case len(d.Changes) > 0:
		return d, p.judge(d)
	}
	return d, nil
}

// lay reads the plan as it will stand with the changes of a draft, and checks that its new state.json loses and invents nothing.
func (p Plan) lay(base fs.ReadDirFS, d *Draft) error {
	if len(d.Changes) == 0 {
		return nil
	}
	d.pin()
	files := d.files()
	var err error
	if d.After, err = plan.Read(overlay{base: base, files: files}, p.Name); err != nil {
		return err
	}
	if _, changed := files[state.StateFile]; changed {
		if refusal := update.Rewrite(d.Before.State, d.After.State, d.Means); refusal != nil {
			return &Refused{Refusal: *refusal}
		}
	}
	return nil
}

// pin gives each change the digest of the file that it was made from.
func (d *Draft) pin() {
	for i := range d.Changes {
		if c := &d.Changes[i]; c.Was == "" {
			c.Was = digestOf(d.Before, c.Path)
		}
	}
}

// guarded makes the change of one task on the plan as it will stand, and reads that plan again.
func (p Plan) guarded(base fs.ReadDirFS, d *Draft) error {
	if err := p.Turn.about(d.Change.Task); err != nil {
		return err
	}
	next, refusal := update.Next(d.After, *d.Change, p.Now())
	if refusal != nil {
		return &Refused{Refusal: *refusal}
	}
	d.Warnings = append(slices.Clone(d.Warnings), next.Warnings...)
	switch {
	case !next.Changed:
		return nil
	case next.Terminal:
		d.Candidate = next.State
	case d.Before.State.Status == state.Completed:
		// What was changed since is what it is reopened for, or was done by hand before: as in Apply, the receipt is kept as history.
		if err := p.retireReceipt(d); err != nil {
			return err
		}
	}
	d.Changes = slices.DeleteFunc(d.Changes, func(c disk.Change) bool { return c.Path == state.StateFile })
	files := d.files()
	files[state.StateFile] = next.State
	if !next.Terminal {
		d.Changes = append(d.Changes, disk.Change{Path: state.StateFile, Data: next.State})
	}
	d.pin()
	var err error
	d.After, err = plan.Read(overlay{base: base, files: files}, p.Name)
	return err
}

// publishes reports whether a draft ends with a publication that its own operation has to announce.
func (d *Draft) publishes() bool {
	return d.Candidate != nil || d.Republish && !d.More && d.Instead == nil && len(d.Changes) > 0
}

// conclude writes what the operation changes and publishes the completed plan, for the first time or anew. The operation ends with the
// publication's marker: a crash leaves the plan as it was, or .dwp-op, or .finalizing.json, and recover goes on from either; it never
// leaves a plan whose receipt was retired and that nobody would publish again (VP-1, VP-4, VP-5, PS-19).
func (p Plan) conclude(lock *disk.Lock, d *Draft) error {
	if len(d.Changes) == 0 {
		return p.finalize(lock, d.Before, d.Candidate)
	}
	candidate, previous := d.Candidate, d.Before.Files[state.StateFile].Data
	if candidate == nil { // the completed state is among the changes, or stays as it is
		candidate = d.After.Files[state.StateFile].Data
		previous = candidate
	}
	m, err := p.newMarker(candidate, previous, d.After)
	if err == nil {
		err = p.intend(m.CandidateSHA256)
	}
	if err != nil {
		return err
	}
	d.Changes = append(d.Changes, disk.Change{Path: state.FinalizeMark, Data: m.Bytes()})
	if err := p.operate(lock, d); err != nil {
		return err
	}
	// From here on the markdown says that the plan is completed: the marker stays whatever happens.
	return p.carryOn(lock, m, func(_ *state.Marker, cause error) error { return &Interrupted{cause} })
}

// retireReceipt adds to a draft that the receipt in force gets its name for history.
func (p Plan) retireReceipt(d *Draft) error {
	f := d.Before.Files[state.ReceiptFile]
	if f == nil || f.Err != nil {
		return nil // there is none: a completed plan may be without (VP-5)
	}
	name, err := p.freeReceipt()
	if err != nil {
		return err
	}
	d.Changes = slices.Insert(slices.Clone(d.Changes), 0, disk.Change{Path: name, Data: f.Data}, disk.Change{Path: state.ReceiptFile, Remove: true})
	return nil
}

// judge refuses a revision after which the plan breaks a rule more often than before, or one can no longer be evaluated. What was
// wrong before is not this revision's to mend: it is often made because of it.
func (p Plan) judge(d *Draft) error {
	if d.Conformant {
		_, err := p.sound(d.After)
		return err
	}
	opt := verify.Options{Now: p.Now(), InGit: p.InGit}
	before, after := verify.Plan(d.Before, opt), verify.Plan(d.After, opt)
	left := map[string]int{}
	for i := range before.Findings {
		n := max(1, before.Findings[i].Count)
		if before.Findings[i].Level != rule.Must && !d.Stricter { // what was advice before may not become a fault
			continue
		}
		if d.Twice {
			n *= 2
		}
		left[before.Findings[i].Rule] += n
	}
	var added []rule.Finding
	for _, f := range after.Findings {
		if f.Level != rule.Must {
			continue
		}
		left[f.Rule] -= max(1, f.Count)
		if left[f.Rule] < 0 && !slices.Contains(d.Expected, f.Rule) {
			added = append(added, f)
		}
	}
	if len(added) > 0 {
		refused := refuse("guard/worse", "the plan would break a rule that it keeps now (%s: %s)", added[0].Rule, added[0].Message)
		refused.Findings = added
		return refused
	}
	was := map[string]bool{}
	for _, u := range before.Unevaluated {
		was[u.Rule] = true
	}
	open := slices.DeleteFunc(slices.Clone(after.Unevaluated), func(u verify.Unevaluated) bool { return was[u.Rule] })
	if len(open) > 0 {
		return &Unverified{open}
	}
	return nil
}

// operate stages the changes, applies them, and reads them again: success is said only of what stands on disk.
func (p Plan) operate(lock *disk.Lock, d *Draft) error {
	op := disk.Operation{Name: d.Operation, Args: d.Args}
	if i := slices.IndexFunc(d.Changes, func(c disk.Change) bool { return c.Path == state.StateFile }); i >= 0 {
		if err := p.intend(state.Digest(d.Changes[i].Data)); err != nil {
			return err
		}
	}
	if err := disk.Stage(p.FS, op, d.Changes, p.guard(lock)); err != nil {
		return err
	}
	if _, err := disk.Apply(p.FS); err != nil {
		return &Unfinished{Operation: d.Operation, Err: err}
	}
	for _, c := range d.Changes {
		if c.Remove {
			continue
		}
		if err := p.demand(c.Path, c.Data); err != nil {
			return err
		}
	}
	return nil
}

// Unfinished is an operation that was committed and could not be applied whole: it stands in .dwp-op, and recover goes on.
type Unfinished struct {
	Operation string
	Err       error
}

func (e *Unfinished) Error() string {
	return fmt.Sprintf("%s is unfinished: %v", e.Operation, e.Err)
}

func (e *Unfinished) Unwrap() error { return e.Err }
