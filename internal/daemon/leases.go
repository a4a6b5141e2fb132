package daemon

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// kept is how many turns of a plan the history keeps.
const kept = 500

// errNothing ends a transaction in which there was nothing to do.
var errNothing = errors.New("nothing to do")

// Take gives a worker the lease on a plan that is queued, with the next higher number, and begins its line in the history: all in one
// transaction. Nil when there is no turn to take: the job that asks is an old one, or another worker was faster (UN-2).
func (s *Store) Take(ctx context.Context, path, worker, seen string, ttl time.Duration) (*Lease, error) {
	lease := &Lease{Taken: time.Now(), TTL: ttl}
	err := s.inTx(ctx, func(tx *sql.Tx, now time.Time) error {
		until := now.Add(ttl).UnixMilli()
		// A row that is locked by another worker is looked at again once that one has committed, in both databases.
		n, err := s.exec(ctx, tx, `UPDATE dwp_plans SET fence = fence + 1, turns = turns + 1, status = 'running', holder = ?, until = ?, due = ?, seen = ?
			WHERE path = ? AND status = 'queued' AND paused = 0 AND removed = 0 AND (until IS NULL OR until <= ?)`,
			worker, until, until, seen, path, now.UnixMilli())
		if err != nil {
			return err
		}
		if n == 0 {
			return errNothing
		}
		if lease.Plan, err = s.plan(ctx, tx, path); err != nil {
			return err
		}
		_, err = s.exec(ctx, tx, `INSERT INTO dwp_turns (path, fence, worker, started, ended, code, result, task, note) VALUES (?, ?, ?, ?, NULL, -1, 'open', 0, '')`,
			path, lease.Fence, worker, now.UnixMilli())
		return err
	})
	if errors.Is(err, errNothing) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("take the lease of %q: %w", path, err)
	}
	return lease, nil
}

// Renew makes a lease last from now on. False says that it is lost: it ended, whether or not another has taken it since.
func (s *Store) Renew(ctx context.Context, l *Lease) (bool, error) {
	kept := false
	err := s.inTx(ctx, func(tx *sql.Tx, now time.Time) error {
		until := now.Add(l.TTL).UnixMilli()
		n, err := s.exec(ctx, tx, `UPDATE dwp_plans SET until = ?, due = ? WHERE path = ? AND fence = ? AND status = 'running' AND until > ?`,
			until, until, l.Path, l.Fence, now.UnixMilli())
		kept = n == 1
		return err
	})
	return kept, err
}

// Finish ends a lease and says when the plan is due again. False says that it was lost meanwhile: then the plan is another's, and only the
// history says how the turn ended.
func (s *Store) Finish(ctx context.Context, l *Lease, o Outcome, pace Pace, jitter float64) (Plan, bool, error) {
	var p Plan
	held := false
	err := s.inTx(ctx, func(tx *sql.Tx, now time.Time) error {
		var err error
		if p, err = s.finish(ctx, tx, l, func(p Plan) Plan { return Decide(p, o, now, pace, jitter) }); err != nil && !errors.Is(err, errNothing) {
			return err
		}
		held = err == nil
		return s.ended(ctx, tx, l, o, held, now)
	})
	if err != nil {
		return Plan{}, false, fmt.Errorf("end the lease of %q: %w", l.Path, err)
	}
	return p, held, nil
}

// finish writes how a plan stands after its turn, as long as the lease is the worker's.
func (s *Store) finish(ctx context.Context, tx *sql.Tx, l *Lease, decide func(Plan) Plan) (Plan, error) {
	// The row is locked by a change that changes nothing, so that no pause falls between reading and writing.
	n, err := s.exec(ctx, tx, "UPDATE dwp_plans SET holder = holder WHERE path = ? AND fence = ? AND status = 'running'", l.Path, l.Fence)
	if err != nil {
		return Plan{}, err
	}
	plans, err := s.plans(ctx, tx, "path = ?", l.Path)
	switch {
	case err != nil:
		return Plan{}, err
	case n == 0 || len(plans) == 0:
		return Plan{}, errNothing
	}
	p := decide(plans[0])
	_, err = s.exec(ctx, tx, `UPDATE dwp_plans SET status = ?, paused = ?, due = CASE WHEN removed = 1 THEN NULL ELSE CAST(? AS BIGINT) END, next = ?,
		turns = ?, fruitless = ?, holder = '', until = NULL, note = ? WHERE path = ?`,
		string(p.Status), truth(p.Paused), millis(p.Due), millis(p.Next), p.Turns, p.Fruitless, p.Note, p.Path)
	return p, err
}

// ended writes the end of a turn into the history, and drops its oldest lines.
func (s *Store) ended(ctx context.Context, tx *sql.Tx, l *Lease, o Outcome, held bool, now time.Time) error {
	result, note := o.Result, o.Note
	if result == "" {
		result = "failed"
	}
	if !held {
		result, note = "lost", "the lease was lost; "+note
	}
	if _, err := s.exec(ctx, tx, "UPDATE dwp_turns SET ended = ?, code = ?, result = ?, task = ?, note = ? WHERE path = ? AND fence = ?",
		now.UnixMilli(), o.Code, result, o.Task, note, l.Path, l.Fence); err != nil {
		return err
	}
	_, err := s.exec(ctx, tx, "DELETE FROM dwp_turns WHERE path = ? AND fence <= ?", l.Path, l.Fence-kept)
	return err
}

// Due is when the scheduler has to look next, from now; false when there is nothing to wait for. It is one step into an index, however many
// plans there are.
func (s *Store) Due(ctx context.Context) (time.Duration, bool, error) {
	var due sql.NullInt64
	now, err := s.now(ctx, s.db)
	if err == nil {
		err = s.db.QueryRowContext(ctx, "SELECT min(due) FROM dwp_plans").Scan(&due)
	}
	if err != nil || !due.Valid {
		return 0, false, err
	}
	return max(instant(due).Sub(now), 0), true, nil
}

// batch is how many plans the scheduler looks at in one go.
const batch = 100

// Dispatch looks at the plans whose time has come, at most a batch, and returns those for which a job is to be made, and whether there may be
// more. A turn whose lease has ended is lost, and its plan is queued for the next worker. One that has been queued for the time again, and still
// is, comes with the number of its job: that may be in line behind others, or lost with the worker who had taken it.
func (s *Store) Dispatch(ctx context.Context, pace Pace, again time.Duration, signature func(path string) string) (jobs []Plan, more bool, err error) {
	var due []Plan
	err = s.inTx(ctx, func(tx *sql.Tx, now time.Time) error {
		if due, err = s.plans(ctx, tx, "due <= ? ORDER BY due, path LIMIT ?", now.UnixMilli(), batch); err != nil {
			return err
		}
		for _, p := range due {
			queued, err := s.dispatch(ctx, tx, p, now, pace, again, signature)
			if err != nil {
				return err
			}
			if queued != nil {
				jobs = append(jobs, *queued)
			}
		}
		return nil
	})
	if err != nil {
		return nil, false, fmt.Errorf("look for plans that are due: %w", err)
	}
	return jobs, len(due) == batch, nil
}

// dispatch looks at one plan. Of several daemons one wins: the row must stand as it was read.
func (s *Store) dispatch(ctx context.Context, tx *sql.Tx, was Plan, now time.Time, pace Pace, again time.Duration, signature func(string) string) (*Plan, error) {
	p := was
	if p.Status == Running {
		p.Status, p.Holder, p.Until, p.Note = Waiting, "", time.Time{}, "its last turn was lost with its worker"
		if _, err := s.exec(ctx, tx, "UPDATE dwp_turns SET ended = ?, result = 'lost', note = ? WHERE path = ? AND fence = ? AND ended IS NULL",
			now.UnixMilli(), "its worker did not renew the lease in time", p.Path, p.Fence); err != nil {
			return nil, err
		}
	}
	if p.Status != Queued {
		p.job = 0
	}
	p, queue := Look(p, now, pace, func() string { return signature(p.Path) })
	if queue {
		p.seq++
		p.Due = now.Add(again)
	}
	n, err := s.exec(ctx, tx, `UPDATE dwp_plans SET status = ?, due = CASE WHEN removed = 1 THEN NULL ELSE CAST(? AS BIGINT) END, seq = ?, job = ?, holder = ?, until = ?, note = ?
		WHERE path = ? AND due = ? AND status = ? AND fence = ?`,
		string(p.Status), millis(p.Due), p.seq, p.job, p.Holder, millis(p.Until), p.Note, p.Path, was.Due.UnixMilli(), string(was.Status), was.Fence)
	if err != nil || n == 0 || !queue {
		return nil, err
	}
	return &p, nil
}

// Job notes which job was made for a plan.
func (s *Store) Job(ctx context.Context, p Plan, job int64) error {
	_, err := s.exec(ctx, s.db, "UPDATE dwp_plans SET job = ? WHERE path = ? AND seq = ?", job, p.Path, p.seq)
	return err
}
