package publish

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

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
	// Conformant demands that the plan conforms afterwards, whatever it broke before: a migration ends in nothing less (PS-21, PD-9).
	Conformant bool
	// Change is a guarded change of one task (GU-1 to GU-7), decided on the plan as it stands after Changes: what it makes of
	// state.json is written last. One that completes the plan is published in the same stroke (VP-1); one that reopens a
	// completed plan retires its receipt (VP-5).
	Change *update.Change
	// Republish renames the receipt of a completed plan in the same operation, and publishes the plan anew (VP-5).
	Republish bool
	Warnings  []string
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

// Preview works a revision out and judges it as Revise does, and writes nothing.
func Preview(p Plan, terms update.Terms, decide Decide) (*Draft, error) {
	s, err := plan.Read(p.FS, p.Name)
	if err != nil {
		return nil, err
	}
	return p.draft(s, terms, decide)
}

// Revise changes several files of a plan as one operation, so that a crash at any instant leaves the plan as it was, or an
// operation that recover finishes (DESIGN 6). The order of steps:
//
//  1. take the lock, before anything is read (GU-9)
//  2. read the folder; the plan is one that may be written: update.Revisable
//  3. decide; check that the new state.json loses and invents nothing (update.Rewrite), and that the plan, read as it will
//     stand, breaks no rule that it kept before
//  4. stage and apply: disk's redo journal
//  5. read every file again
//  6. with Republish, or with a Change that completes the plan: the finalizer (VP-1). In the latter case the marker of the
//     publication is the last change of the operation, so that there is no instant at which neither stands
//  7. release the lock
func Revise(ctx context.Context, p Plan, terms update.Terms, decide Decide) (done Done, err error) {
	err = p.locked(ctx, &done.Warnings, func(lock *disk.Lock) error {
		s, err := plan.Read(p.FS, p.Name)
		if err != nil {
			return err
		}
		d, err := p.draft(s, terms, decide)
		if err != nil {
			return err
		}
		done = Done{Changed: len(d.Changes) > 0 || d.Candidate != nil, Warnings: d.Warnings, StateSHA256: digestOf(d.After, state.StateFile)}
		switch {
		case d.Candidate != nil:
			done.Published = true
			return p.conclude(lock, d)
		case done.Changed:
			if err := p.operate(lock, d); err != nil {
				return err
			}
		}
		if !d.Republish {
			return nil
		}
		done.Published = true
		return p.republish(lock)
	})
	return done.unless(err)
}

// draft decides and judges.
func (p Plan) draft(s *plan.Snapshot, terms update.Terms, decide Decide) (*Draft, error) {
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
	if err := p.lay(d); err != nil {
		return nil, err
	}
	if d.Change != nil {
		if err := p.guarded(d); err != nil {
			return nil, err
		}
	}
	switch {
	case d.Candidate != nil:
		if err := p.conformant(d.After); err != nil {
			return nil, err
		}
		return d, nil
	case len(d.Changes) > 0:
		if err := p.judge(d); err != nil {
			return nil, err
		}
		return d, p.publishable(d)
	}
	return d, nil
}

// lay reads the plan as it will stand with the changes of a draft, and checks that its new state.json loses and invents nothing.
func (p Plan) lay(d *Draft) error {
	if len(d.Changes) == 0 {
		return nil
	}
	for i := range d.Changes {
		if c := &d.Changes[i]; c.Was == "" {
			c.Was = digestOf(d.Before, c.Path)
		}
	}
	files := contents(d.Changes)
	var err error
	if d.After, err = plan.Read(overlay{base: p.FS, files: files}, p.Name); err != nil {
		return err
	}
	if _, changed := files[state.StateFile]; changed {
		if refusal := update.Rewrite(d.Before.State, d.After.State, d.Means); refusal != nil {
			return &Refused{Refusal: *refusal}
		}
	}
	return nil
}

// contents are the files of changes as an overlay shows them: nil for one that is taken away.
func contents(changes []disk.Change) map[string][]byte {
	files := map[string][]byte{}
	for _, c := range changes {
		if files[c.Path] = c.Data; c.Remove {
			files[c.Path] = nil
		} else if c.Data == nil {
			files[c.Path] = []byte{}
		}
	}
	return files
}

// publishable refuses what the finalizer would refuse once the operation is applied: a plan that was published must not be left
// without a receipt by the very operation that means to renew it (VP-1, VP-5).
func (p Plan) publishable(d *Draft) error {
	if !d.Republish {
		return nil
	}
	for _, f := range verify.Plan(d.After, verify.Options{Now: p.Now(), InGit: p.InGit}).Findings {
		if f.Level == rule.Must {
			refused := refuse("guard/not-conformant", "the plan is published anew by this, and would not be conformant (%s: %s)", f.Rule, f.Message)
			refused.Findings = []rule.Finding{f}
			return refused
		}
	}
	return nil
}

// guarded makes the change of one task on the plan as it will stand, and reads that plan again.
func (p Plan) guarded(d *Draft) error {
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
	files := contents(d.Changes)
	files[state.StateFile] = next.State
	if !next.Terminal {
		d.Changes = append(d.Changes, disk.Change{Path: state.StateFile, Data: next.State, Was: digestOf(d.Before, state.StateFile)})
	}
	var err error
	d.After, err = plan.Read(overlay{base: p.FS, files: files}, p.Name)
	return err
}

// conclude writes the last task's markdown and publishes the completed plan. The operation ends with the publication's marker: a
// crash leaves the plan as it was, or .dwp-op, or .finalizing.json, and recover goes on from either (VP-1, VP-4, PS-19).
func (p Plan) conclude(lock *disk.Lock, d *Draft) error {
	if len(d.Changes) == 0 {
		return p.finalize(lock, d.Before, d.Candidate)
	}
	m, err := p.newMarker(d.Candidate, d.Before.Files[state.StateFile].Data, d.After)
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
	data, err := fs.ReadFile(p.FS, state.ReceiptFile)
	if err != nil {
		return nil // there is none: a completed plan may be without (VP-5)
	}
	name, err := p.freeReceipt()
	if err != nil {
		return err
	}
	d.Changes = slices.Insert(d.Changes, 0, disk.Change{Path: name, Data: data}, disk.Change{Path: state.ReceiptFile, Remove: true})
	return nil
}

// judge refuses a revision after which the plan breaks a rule more often than before, or one can no longer be evaluated. What was
// wrong before is not this revision's to mend: it is often made because of it.
func (p Plan) judge(d *Draft) error {
	if d.Conformant {
		return p.conformant(d.After)
	}
	opt := verify.Options{Now: p.Now(), InGit: p.InGit}
	before, after := verify.Plan(d.Before, opt), verify.Plan(d.After, opt)
	left := map[string]int{}
	for i := range before.Findings {
		left[before.Findings[i].Rule] += max(1, before.Findings[i].Count)
	}
	var added []rule.Finding
	for _, f := range after.Findings {
		left[f.Rule] -= max(1, f.Count)
		if f.Level == rule.Must && left[f.Rule] < 0 && !slices.Contains(d.Expected, f.Rule) {
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
	if err := disk.Stage(p.FS, op, d.Changes, lock.Check); err != nil {
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

// republish publishes a completed plan whose receipt was retired.
func (p Plan) republish(lock *disk.Lock) error {
	s, err := plan.Read(p.FS, p.Name)
	if err != nil {
		return err
	}
	f := s.Files[state.StateFile]
	if f == nil || f.Err != nil {
		return fmt.Errorf("read %s again: it can't be read", state.StateFile)
	}
	return p.finalize(lock, s, f.Data)
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
