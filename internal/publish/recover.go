package publish

import (
	"bytes"
	"context"
	"errors"
	"io/fs"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/state"
)

// Recovered says what a recovery did.
type Recovered struct {
	// Nothing: no publication was unfinished (C111: the second recovery is a no-op).
	Nothing bool
	// Published or Withdrawn: which of the two ends was reached.
	Published, Withdrawn bool
	// Operation is the operation on several files that was finished first; nil for none (DESIGN 6).
	Operation *disk.Operation
	// Reclaimed are the owners of a lock that were provably dead; the caller logs them (GU-10).
	Reclaimed []disk.Holder
	Warnings  []string
}

// Recover finishes what was cut off: an operation on several files first, then the publication whose marker stands,
// against the same candidate only (VP-4). candidate, when not nil, must be the marker's. It never guesses: a damaged
// marker, another candidate, a changed file are refused by name.
func Recover(ctx context.Context, p Plan, candidate []byte) (Recovered, error) {
	return p.recover(ctx, func(lock *disk.Lock, m *state.Marker, r *Recovered) error {
		if candidate != nil && state.Digest(candidate) != m.CandidateSHA256 {
			return refuse("guard/other-candidate", "the candidate is not the one that was being published, whose digest is %s", m.CandidateSHA256)
		}
		r.Published = true
		return p.goOn(lock, m)
	})
}

// goOn ends a publication whose marker stands, when nothing moved and the plan still conforms.
func (p Plan) goOn(lock *disk.Lock, m *state.Marker) error {
	if err := p.unmoved(m); err != nil {
		return movedRefusal(err)
	}
	if _, err := p.validate([]byte(m.Candidate)); err != nil {
		return err
	}
	return p.carryOn(lock, m, p.giveUp)
}

// Withdraw puts the previous state back and removes what the publication left (VP-4).
func Withdraw(ctx context.Context, p Plan) (Recovered, error) {
	return p.recover(ctx, func(lock *disk.Lock, m *state.Marker, r *Recovered) error {
		now, err := fs.ReadFile(p.FS, state.StateFile)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		switch string(now) {
		case m.Previous:
		case m.Candidate, "":
			if err := p.dropReceipt(m); err != nil {
				return err
			}
			if err := p.write(lock, []byte(m.Previous)); err != nil {
				return err
			}
		default:
			return movedRefusal(&Moved{[]string{state.StateFile}})
		}
		r.Withdrawn = true
		return p.dropMarker(m)
	})
}

// recover is the frame of both ways out. In this order: a lock whose owner is provably dead is removed; the lock is taken; an
// operation that was committed is applied; then do, when a marker stands. After an error r tells what was done before it.
func (p Plan) recover(ctx context.Context, do func(*disk.Lock, *state.Marker, *Recovered) error) (r Recovered, err error) {
	if err := p.inTurn(); err != nil { // who lost its lease removes no lock either
		return r, err
	}
	if r.Reclaimed, err = p.reclaim(); err != nil {
		return r, err
	}
	err = p.locked(ctx, &r.Warnings, func(lock *disk.Lock) error {
		if err := p.intendPending(); err != nil {
			return err
		}
		if r.Operation, err = disk.Recover(p.FS); err != nil {
			return conflictRefusal(err)
		}
		m, err := p.marker()
		if err != nil || m == nil {
			r.Nothing = err == nil && r.Operation == nil
			return err
		}
		return do(lock, m, &r)
	})
	if err != nil {
		r.Published, r.Withdrawn = false, false
	}
	return r, err
}

// conflictRefusal makes a refusal of files that another hand changed under an operation: they are for a person to look at.
func conflictRefusal(err error) error {
	if conflict, ok := errors.AsType[*disk.ConflictError](err); ok {
		return refuse("guard/operation-conflict", "%v", conflict)
	}
	return err
}

// FinishOperation applies what the journal had committed of an operation, for the command of that name, which goes on from there, and ends
// the publication that the operation announced; an operation of another command is left to Recover, and so is any other publication.
// It removes no lock, not of the dead either: that is for recover alone (GU-10).
func FinishOperation(ctx context.Context, p Plan, name string) (warnings []string, err error) {
	err = p.locked(ctx, &warnings, func(lock *disk.Lock) error {
		op, err := disk.Pending(p.FS)
		if err != nil || op != nil && op.Name != name {
			return nil // whoever revises the plan next refuses it by name
		}
		if err := p.intendPending(); err != nil {
			return err
		}
		if _, err = disk.Recover(p.FS); err != nil || op == nil {
			return conflictRefusal(err)
		}
		m, err := p.marker()
		if err != nil || m == nil {
			return err
		}
		return p.goOn(lock, m)
	})
	return warnings, err
}

// Seal gives a completed plan that has no receipt one, after checking it whole (VP-5). The state is not changed. A plan
// whose receipt holds is left as it is.
func Seal(ctx context.Context, p Plan) (done Done, err error) {
	err = p.locked(ctx, &done.Warnings, func(lock *disk.Lock) error {
		s, err := plan.Read(p.FS, p.Name)
		if err != nil {
			return err
		}
		f := s.Files[state.StateFile]
		if s.State == nil || f == nil || s.State.Status != state.Completed {
			return refuse("guard/open-plan", "the plan is not completed")
		}
		if err := p.idle(); err != nil {
			return err
		}
		if p.sealed(s) {
			done = Done{StateSHA256: f.SHA256()}
			return nil
		}
		done = Done{Published: true, StateSHA256: f.SHA256()}
		return p.finalize(lock, s, f.Data)
	})
	return done.unless(err)
}

// reclaim removes a lock whose owner is provably dead; any other is left for Acquire to wait for (GU-10).
func (p Plan) reclaim() ([]disk.Holder, error) {
	holders, err := disk.ReclaimDead(p.FS, p.System)
	if locked := (*disk.LockedError)(nil); errors.As(err, &locked) {
		return nil, nil
	}
	return holders, err
}

// marker reads the marker; nil when none stands. A damaged one is refused: recovery needs all of it (VP-4).
func (p Plan) marker() (*state.Marker, error) {
	data, err := fs.ReadFile(p.FS, state.FinalizeMark)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m, faults, err := state.ReadMarker(data)
	if err == nil && len(faults) > 0 {
		err = errors.New(faults[0].Message)
	}
	if err != nil {
		return nil, refuse("guard/damaged-marker", "%s is damaged: %v", state.FinalizeMark, err)
	}
	return m, nil
}

// dropReceipt removes the receipt of the publication that is withdrawn; another one stays.
func (p Plan) dropReceipt(m *state.Marker) error {
	data, err := fs.ReadFile(p.FS, state.ReceiptFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !bytes.Equal(data, m.Receipt()) {
		return nil
	}
	return disk.RemoveFile(p.FS, state.ReceiptFile)
}

func movedRefusal(err error) error {
	moved, ok := errors.AsType[*Moved](err)
	if !ok {
		return err
	}
	return refuse("guard/changed-artefact", "%v", moved)
}
