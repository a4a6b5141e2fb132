package publish

import (
	"bytes"
	"context"
	"errors"
	"fmt"
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
	// Reclaimed are the owners of a lock that were provably dead; the caller logs them (GU-10).
	Reclaimed []disk.Holder
}

// Recover finishes the publication whose marker stands, against the same candidate only (VP-4). candidate, when not
// nil, must be the marker's. It never guesses: a damaged marker, another candidate, a changed file are refused by name.
func Recover(ctx context.Context, p Plan, candidate []byte) (r Recovered, err error) {
	reclaimed, err := p.reclaim()
	if err != nil {
		return r, err
	}
	err = p.locked(ctx, func(lock *disk.Lock) error {
		m, err := p.marker()
		if err != nil || m == nil {
			r.Nothing = err == nil
			return err
		}
		if candidate != nil && state.Digest(candidate) != m.CandidateSHA256 {
			return refuse("guard/other-candidate", "VP-4", "the candidate is not the one that was being published", "recover without a candidate, or withdraw")
		}
		if err := p.unmoved(m); err != nil {
			return movedRefusal(err)
		}
		if _, err := p.validate([]byte(m.Candidate)); err != nil {
			return err
		}
		r.Published = true
		return p.carryOn(lock, m)
	})
	if err != nil {
		r = Recovered{}
	}
	r.Reclaimed = reclaimed
	return r, err
}

// Withdraw puts the previous state back and removes what the publication left (VP-4).
func Withdraw(ctx context.Context, p Plan) (r Recovered, err error) {
	reclaimed, err := p.reclaim()
	if err != nil {
		return r, err
	}
	err = p.locked(ctx, func(lock *disk.Lock) error {
		m, err := p.marker()
		if err != nil || m == nil {
			r.Nothing = err == nil
			return err
		}
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
		return p.dropMarker()
	})
	if err != nil {
		r = Recovered{}
	}
	r.Reclaimed = reclaimed
	return r, err
}

// Seal gives a completed plan that has no receipt one, after checking it whole (VP-5). The state is not changed.
func Seal(ctx context.Context, p Plan) (done Done, err error) {
	err = p.locked(ctx, func(lock *disk.Lock) error {
		s, err := plan.Read(p.FS, p.Name)
		if err != nil {
			return err
		}
		f := s.Files[state.StateFile]
		if s.State == nil || f == nil || s.State.Status != state.Completed {
			return refuse("guard/not-completed", "VP-1", "the plan is not completed; nothing was written", "complete its tasks first")
		}
		if _, err := p.FS.Lstat(state.FinalizeMark); err == nil {
			return refuse("guard/publishing", "VP-4", "a publication is unfinished; nothing was written", "recover it first")
		}
		done = Done{Published: true, StateSHA256: f.SHA256()}
		return p.finalize(lock, s, f.Data)
	})
	return done, err
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
		return nil, refuse("guard/damaged-marker", "VP-4", fmt.Sprintf("%s is damaged: %v", state.FinalizeMark, err), "look at it and at state.json, then remove it by hand")
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
	return refuse("guard/changed-artefact", "VP-4", moved.Error(), "put it back as it was, or withdraw the publication")
}
