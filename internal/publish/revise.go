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
	// Republish renames the receipt of a completed plan in the same operation, and publishes the plan anew (VP-5).
	Republish bool
	Warnings  []string
}

// Draft is a revision that holds, with the plan before and after it.
type Draft struct {
	Revision
	Before, After *plan.Snapshot
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
//  6. with Republish: the finalizer (VP-1)
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
		done = Done{Changed: len(d.Changes) > 0, Warnings: d.Warnings, StateSHA256: digestOf(d.After, state.StateFile)}
		if done.Changed {
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
	if len(d.Changes) == 0 {
		return d, nil
	}
	if d.Republish {
		if err := p.retireReceipt(s, d); err != nil {
			return nil, err
		}
	}
	files := map[string][]byte{}
	for i := range d.Changes {
		c := &d.Changes[i]
		if c.Was == "" {
			c.Was = digestOf(s, c.Path)
		}
		if files[c.Path] = c.Data; c.Remove {
			files[c.Path] = nil
		} else if c.Data == nil {
			files[c.Path] = []byte{}
		}
	}
	if d.After, err = plan.Read(overlay{base: p.FS, files: files}, p.Name); err != nil {
		return nil, err
	}
	if _, changed := files[state.StateFile]; changed {
		if refusal := update.Rewrite(s.State, d.After.State, d.Means); refusal != nil {
			return nil, &Refused{Refusal: *refusal}
		}
	}
	return d, p.judge(d)
}

// retireReceipt adds to a draft that the receipt in force gets its name for history. Whatever it says must hold still: a new
// receipt doesn't hide what was changed after the old one.
func (p Plan) retireReceipt(s *plan.Snapshot, d *Draft) error {
	if err := p.unchanged(s); err != nil {
		return err
	}
	data, err := fs.ReadFile(p.FS, state.ReceiptFile)
	if err != nil {
		return nil // there is none: a completed plan may be without (VP-5)
	}
	name, err := p.freeReceipt()
	if err != nil {
		return err
	}
	d.Changes = slices.Insert(slices.Clone(d.Changes), 0, disk.Change{Path: name, Data: data}, disk.Change{Path: state.ReceiptFile, Remove: true})
	return nil
}

// judge refuses a revision after which the plan breaks a rule more often than before, or one can no longer be evaluated. What was
// wrong before is not this revision's to mend: it is often made because of it.
func (p Plan) judge(d *Draft) error {
	opt := verify.Options{Now: p.Now(), InGit: p.InGit}
	before, after := verify.Plan(d.Before, opt), verify.Plan(d.After, opt)
	if d.Conformant {
		return conformant(after)
	}
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

// conformant refuses a plan that breaks any rule, or of which one can't be evaluated (VP-6); all that is wrong is listed.
func conformant(r *verify.Report) error {
	findings := slices.DeleteFunc(slices.Clone(r.Findings), func(f rule.Finding) bool { return f.Level != rule.Must })
	switch {
	case len(findings) > 0:
		refused := refuse("guard/not-conformant", "the plan would not be conformant (%s: %s)", findings[0].Rule, findings[0].Message)
		refused.Findings = findings
		return refused
	case len(r.Unevaluated) > 0:
		return &Unverified{r.Unevaluated}
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
