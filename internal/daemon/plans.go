package daemon

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// ErrUnknownPlan marks a plan that the queue doesn't have.
var ErrUnknownPlan = errors.New("the queue has no such plan")

// columns are those of a plan, in the order of scan.
const columns = `path, every_ms, cron, agent, model, turn_ms, most_turns, observed, status, paused,
	due, next, turns, fruitless, seq, job, fence, holder, until, seen, note`

// row is a row of a result.
type row interface{ Scan(...any) error }

// scan reads a plan.
func scan(r row) (Plan, error) {
	var p Plan
	var every, turn int64
	var due, next, until sql.NullInt64
	err := r.Scan(&p.Path, &every, &p.Schedule.Cron, &p.Agent, &p.Model, &turn, &p.MostTurns, &p.Observed, &p.Status, &p.Paused,
		&due, &next, &p.Turns, &p.Fruitless, &p.seq, &p.job, &p.Fence, &p.Holder, &until, &p.Seen, &p.Note)
	p.Schedule.Every, p.TurnTime = time.Duration(every)*time.Millisecond, time.Duration(turn)*time.Millisecond
	p.Due, p.Next, p.Until = instant(due), instant(next), instant(until)
	return p, err
}

// plans reads the plans that a condition selects.
func (s *Store) plans(ctx context.Context, on asker, condition string, args ...any) ([]Plan, error) {
	rows, err := on.QueryContext(ctx, s.say("SELECT "+columns+" FROM dwp_plans WHERE "+condition), args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var plans []Plan
	for rows.Next() {
		p, err := scan(rows)
		if err != nil {
			return nil, err
		}
		plans = append(plans, p)
	}
	return plans, rows.Err()
}

// List is the queue, by path.
func (s *Store) List(ctx context.Context) ([]Plan, error) {
	plans, err := s.plans(ctx, s.db, "removed = 0 ORDER BY path")
	if err != nil {
		return nil, fmt.Errorf("list the queue: %w", err)
	}
	return plans, nil
}

// Plan is one plan of the queue; ErrUnknownPlan when it has none of that path.
func (s *Store) Plan(ctx context.Context, path string) (Plan, error) {
	p, err := s.plan(ctx, s.db, path)
	if err != nil && !errors.Is(err, ErrUnknownPlan) {
		err = fmt.Errorf("read the queue: %w", err)
	}
	return p, err
}

func (s *Store) plan(ctx context.Context, on asker, path string) (Plan, error) {
	plans, err := s.plans(ctx, on, "removed = 0 AND path = ?", path)
	if err == nil && len(plans) == 0 {
		err = ErrUnknownPlan
	}
	if err != nil {
		return Plan{}, err
	}
	return plans[0], nil
}

// Enqueue puts a plan into the queue, or changes the order for one that is there; what it counted begins anew. Its first turn is due by the
// schedule, or at once when there is none or now is set. A turn that runs is left alone: it ends by its own.
func (s *Store) Enqueue(ctx context.Context, o Order, now bool) (Plan, error) {
	var p Plan
	err := s.inTx(ctx, func(tx *sql.Tx, at time.Time) error {
		next := o.Schedule.Next(at)
		due := next
		if now || next.IsZero() {
			due = at
		}
		_, err := s.exec(ctx, tx, `INSERT INTO dwp_plans (`+columns+`, removed)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting', 0, ?, ?, 0, 0, 0, 0, 0, '', NULL, '', '', 0)
			ON CONFLICT (path) DO UPDATE SET every_ms = excluded.every_ms, cron = excluded.cron, agent = excluded.agent, model = excluded.model,
				turn_ms = excluded.turn_ms, most_turns = excluded.most_turns, observed = excluded.observed,
				status = CASE WHEN dwp_plans.status = 'running' THEN 'running' ELSE 'waiting' END,
				due = CASE WHEN dwp_plans.status = 'running' THEN dwp_plans.due ELSE excluded.due END,
				next = excluded.next, turns = 0, fruitless = 0, paused = 0, removed = 0, note = ''`,
			o.Path, o.Schedule.Every.Milliseconds(), o.Schedule.Cron, o.Agent, o.Model, o.TurnTime.Milliseconds(), o.MostTurns, truth(o.Observed),
			millis(due), millis(next))
		if err != nil {
			return err
		}
		p, err = s.plan(ctx, tx, o.Path)
		return err
	})
	if err != nil {
		return Plan{}, fmt.Errorf("enqueue: %w", err)
	}
	return p, nil
}

// Pause keeps a plan in the queue and takes no turn of it. One that runs ends first.
func (s *Store) Pause(ctx context.Context, path string) (Plan, error) {
	return s.change(ctx, "pause", path, `paused = 1, due = CASE WHEN status = 'running' THEN due ELSE NULL END,
		status = CASE WHEN status = 'queued' THEN 'waiting' ELSE status END`)
}

// Resume takes a plan up again, at once, with as many turns as at first. One that has not been paused is taken up earlier; so is one that had
// ended, since a person says that there is more to do.
func (s *Store) Resume(ctx context.Context, path string) (Plan, error) {
	var p Plan
	err := s.inTx(ctx, func(tx *sql.Tx, at time.Time) error {
		n, err := s.exec(ctx, tx, `UPDATE dwp_plans SET paused = 0, turns = 0, fruitless = 0, note = '',
			due = CASE WHEN status IN ('running', 'queued') THEN due ELSE ? END,
			status = CASE WHEN status IN ('running', 'queued') THEN status ELSE 'waiting' END
			WHERE path = ? AND removed = 0`, at.UnixMilli(), path)
		if err == nil && n == 0 {
			err = ErrUnknownPlan
		}
		if err != nil {
			return err
		}
		p, err = s.plan(ctx, tx, path)
		return err
	})
	return p, named("resume", err)
}

// Remove takes a plan out of the queue. Its history stays, and so does the number of its last lease.
func (s *Store) Remove(ctx context.Context, path string) (Plan, error) {
	p, err := s.Plan(ctx, path)
	if err != nil {
		return p, err
	}
	n, err := s.exec(ctx, s.db, `UPDATE dwp_plans SET removed = 1, due = CASE WHEN status = 'running' THEN due ELSE NULL END,
		status = CASE WHEN status = 'queued' THEN 'waiting' ELSE status END WHERE path = ? AND removed = 0`, path)
	if err == nil && n == 0 {
		err = ErrUnknownPlan
	}
	return p, named("remove", err)
}

// change sets columns of one plan.
func (s *Store) change(ctx context.Context, what, path, set string) (Plan, error) {
	n, err := s.exec(ctx, s.db, "UPDATE dwp_plans SET "+set+" WHERE path = ? AND removed = 0", path)
	if err == nil && n == 0 {
		err = ErrUnknownPlan
	}
	if err != nil {
		return Plan{}, named(what, err)
	}
	return s.Plan(ctx, path)
}

// named says what an error kept from being done; callers branch on ErrUnknownPlan.
func named(what string, err error) error {
	if err == nil || errors.Is(err, ErrUnknownPlan) {
		return err
	}
	return fmt.Errorf("%s: %w", what, err)
}

// History is the last turns, the newest first: of one plan, or of all with an empty path. At most so many.
func (s *Store) History(ctx context.Context, path string, most int) ([]Turn, error) {
	statement, args := "", []any{}
	if path != "" {
		statement, args = "WHERE path = ? ", append(args, path)
	}
	rows, err := s.db.QueryContext(ctx, s.say(`SELECT path, fence, worker, started, ended, code, result, task, note FROM dwp_turns `+
		statement+`ORDER BY started DESC, path, fence DESC LIMIT ?`), append(args, most)...)
	if err != nil {
		return nil, fmt.Errorf("read the history: %w", err)
	}
	defer rows.Close()
	var turns []Turn
	for rows.Next() {
		var t Turn
		var started, ended sql.NullInt64
		if err := rows.Scan(&t.Path, &t.Fence, &t.Worker, &started, &ended, &t.Code, &t.Result, &t.Task, &t.Note); err != nil {
			return nil, fmt.Errorf("read the history: %w", err)
		}
		t.Started, t.Ended = instant(started), instant(ended)
		turns = append(turns, t)
	}
	return turns, rows.Err()
}
