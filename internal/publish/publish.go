// Package publish owns the one entry through which a guarded change reaches state.json (Apply), and the finalizer: the
// verified publication of a completed plan, its receipt and its recovery. Decisions are update's and verify's, writing is
// disk's; this package keeps the order of steps. It runs no gate, commits nothing, mends no Markdown (GU-12).
// Requirements: PS-4, PS-5, GU-9, VP-1 to VP-6.
package publish

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
)

// Plan is the plan to write to, and the world around it.
type Plan struct {
	FS   disk.FS
	Name string // the folder's name
	Now  func() time.Time
	// Owner is who asks for the lock; Wait is how long to wait for it (GU-10).
	Owner  disk.Owner
	Wait   time.Duration
	System disk.System
	// Turn is the unattended turn that the caller is in; nil outside. Who lost its lease writes nothing (UN-2, C65), and no other task
	// than the turn's is touched.
	Turn *Caller
	// InGit says that the plan's repository is a git work tree.
	InGit bool
}

// Done says what a change did.
type Done struct {
	// Changed is false for a replay that brought nothing new: nothing was written.
	Changed bool
	// Published: the plan is completed and has its receipt.
	Published bool
	// StateSHA256 is the digest of state.json as it stands now.
	StateSHA256 string
	Warnings    []string
}

// unless is what was done, or nothing of it with an error.
func (d Done) unless(err error) (Done, error) {
	if err != nil {
		return Done{}, err
	}
	return d, nil
}

// Refused is an answer of no: nothing was written. Findings is set when the plan as a whole does not hold (VP-1).
type Refused struct {
	update.Refusal
	Findings []rule.Finding
}

func (e *Refused) Error() string { return e.Message }

// Unverified says that the plan could not be evaluated; nothing was written (VP-6).
type Unverified struct {
	Rules []verify.Unevaluated
}

func (e *Unverified) Error() string {
	return fmt.Sprintf("the plan could not be evaluated: %s", e.Rules[0].Reason) + nothingWritten
}

// nothingWritten ends every refusal.
const nothingWritten = "; nothing was written"

// Interrupted is a publication that stopped after its marker was written: the marker stands, and recover goes on.
type Interrupted struct{ Err error }

func (e *Interrupted) Error() string {
	cause := strings.TrimSuffix(e.Err.Error(), nothingWritten) // true of the check that failed, no longer of the publication
	return cause + "; the publication is unfinished, .finalizing.json stands"
}

func (e *Interrupted) Unwrap() error { return e.Err }

// Apply makes one change of one task (GU-1 to GU-9). The order of steps:
//
//  1. take the lock, before anything is read: what is read can't move on (GU-9); inside a turn, see that its lease still stands
//  2. read the folder; compare the expected digest with the bytes that were parsed
//  3. decide: update.Next
//  4. a change that completes the plan goes to the finalizer (VP-1); any other is written durably and read again
//  5. release the lock
//
// A refusal is a *Refused; a lock that is held is disk's error; anything else could not be done.
func Apply(ctx context.Context, p Plan, change update.Change) (done Done, err error) {
	err = p.locked(ctx, &done.Warnings, func(lock *disk.Lock) error {
		if err := p.Turn.about(change.Task); err != nil {
			return err
		}
		s, err := plan.Read(p.FS, p.Name)
		if err != nil {
			return err
		}
		next, refusal := update.Next(s, change, p.Now())
		if refusal != nil {
			return &Refused{Refusal: *refusal}
		}
		done = Done{Changed: next.Changed, Warnings: next.Warnings, StateSHA256: digestOf(s, state.StateFile)}
		switch {
		case !next.Changed:
			return nil
		case next.Terminal:
			if err := p.finalize(lock, s, next.State); err != nil {
				return err
			}
			done.Published = true
		case s.State.Status == state.Completed:
			if err := p.reopen(lock, next.State); err != nil {
				return err
			}
		default:
			if err := p.write(lock, next.State); err != nil {
				return err
			}
		}
		done.StateSHA256 = state.Digest(next.State)
		return nil
	})
	return done.unless(err)
}

// Publish publishes a candidate state, which must follow from the current one (VP-1, PS-20). expected, when not "", is the
// digest that the current state must have (GU-9). A candidate that was published already changes nothing.
func Publish(ctx context.Context, p Plan, candidate []byte, expected string) (done Done, err error) {
	err = p.locked(ctx, &done.Warnings, func(lock *disk.Lock) error {
		s, err := plan.Read(p.FS, p.Name)
		if err != nil {
			return err
		}
		now := digestOf(s, state.StateFile)
		if expected != "" && !strings.EqualFold(expected, now) {
			return refuse("guard/moved-on", "state.json has the digest %s, not the expected %q", now, expected)
		}
		if err := p.idle(); err != nil {
			return err
		}
		if err := follows(s, candidate, p.Now()); err != nil {
			return err
		}
		if err := p.Turn.ends(s.State); err != nil {
			return err
		}
		if now == state.Digest(candidate) && p.sealed(s) {
			done = Done{StateSHA256: now} // it was published before: the receipt says so, and verify agrees
			return nil
		}
		done = Done{Changed: true, Published: true, StateSHA256: state.Digest(candidate)}
		return p.finalize(lock, s, candidate)
	})
	return done.unless(err)
}

// follows refuses a candidate that is no state, or that allowed changes don't lead to (VP-1).
func follows(s *plan.Snapshot, candidate []byte, now time.Time) error {
	next, faults, err := state.ReadState(candidate)
	switch {
	case err != nil:
		return refuse("guard/candidate", "the candidate is no state: %v", err)
	case len(faults) > 0 && faults[0].Rule != "state/unknown-field":
		refused := refuse("guard/candidate", "the candidate is malformed (%s): %s", faults[0].Rule, faults[0].Message)
		refused.Hint = cmp.Or(faults[0].Hint, refused.Hint)
		return refused
	case s.State == nil:
		return refuse("guard/no-state", "there is no state.json to go on from")
	}
	if refusal := update.Follows(s.State, next, now); refusal != nil {
		return &Refused{Refusal: *refusal}
	}
	return nil
}

// locked runs do under the plan's lock (GU-10); in a turn, while that holds its lease. What do achieved stands, whatever becomes of the
// lock: one that could not be released after success is a warning.
func (p Plan) locked(ctx context.Context, warnings *[]string, do func(*disk.Lock) error) error {
	lock, err := disk.Acquire(ctx, p.FS, p.Owner, p.Wait, p.System)
	if err != nil {
		return err
	}
	if err = p.inTurn(); err == nil {
		err = do(lock)
	}
	left := lock.Release()
	if err == nil && left != nil {
		*warnings = append(*warnings, fmt.Sprintf("the change was made, but %v", left))
		return nil
	}
	return errors.Join(err, left)
}

// write replaces state.json and reads it again: success is said only of what stands on disk.
func (p Plan) write(lock *disk.Lock, data []byte) error {
	if err := p.intend(state.Digest(data)); err != nil {
		return err
	}
	if err := disk.WriteFile(p.FS, state.StateFile, data, disk.Options{Guard: p.guard(lock)}); err != nil {
		return err
	}
	return p.demand(state.StateFile, data)
}

// demand reads a file again and compares it with what was written.
func (p Plan) demand(name string, data []byte) error {
	got, err := fs.ReadFile(p.FS, name)
	if err != nil {
		return fmt.Errorf("read %s again: %w", name, err)
	}
	if string(got) != string(data) {
		return fmt.Errorf("read %s again: it is not what was written", name)
	}
	return nil
}

// digestOf is the digest of a file of a snapshot; "" when it was not read.
func digestOf(s *plan.Snapshot, name string) string {
	if f := s.Files[name]; f != nil {
		return f.SHA256()
	}
	return ""
}
