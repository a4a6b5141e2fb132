package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivertype"
)

// job wakes a worker for a plan. It is unique: of several daemons that see a plan due at once, one job comes. What it says is no more than a hint;
// the plan's row decides when the job is worked, so that one that is worked twice, or late, does nothing.
type job struct {
	Plan string `json:"plan" river:"unique"`
	Seq  int64  `json:"seq" river:"unique"`
}

// Kind is the name of the job's kind.
func (job) Kind() string { return "dwp_turn" }

// InsertOpts makes it unique, and never tried again: when a plan is due again is not for the job to say.
func (job) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: jobQueue, MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

const jobQueue = "turns"

// River's own rhythm. It polls in case that word of a new job is lost, as it is while a daemon starts. It takes a job for stuck that has run for a
// day: it has no heartbeat. That may hit one that runs still; then it is worked a second time, and finds that the plan is not queued.
const (
	pollTime   = 2 * time.Second
	rescueTime = 24 * time.Hour
)

// jobs is River, without the type of transaction that it has for each database.
type jobs interface {
	Start(context.Context) error
	Stop(context.Context) error
	StopAndCancel(context.Context) error
	Insert(context.Context, river.JobArgs, *river.InsertOpts) (*rivertype.JobInsertResult, error)
	JobGet(context.Context, int64) (*rivertype.JobRow, error)
}

// inLine reports whether a job will still wake a worker: nobody has taken it, or somebody has just now. One that was taken a while ago, though the
// plan's lease was not, is lost with its worker; River would notice in a day.
func inLine(ctx context.Context, from jobs, id int64, now time.Time, again time.Duration) (bool, error) {
	if id == 0 {
		return false, nil
	}
	row, err := from.JobGet(ctx, id)
	switch {
	case errors.Is(err, river.ErrNotFound):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("look for job %d: %w", id, err)
	}
	switch row.State {
	case rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateScheduled:
		return true, nil
	case rivertype.JobStateRunning:
		return row.AttemptedAt != nil && now.Sub(*row.AttemptedAt) < again/2, nil
	}
	return false, nil
}

// worker hands jobs to the engine.
type worker struct {
	river.WorkerDefaults[job]
	work func(context.Context, string)
}

// Work never fails as a job: what went wrong with a turn stands in the history, and decides when the plan is due.
func (w *worker) Work(ctx context.Context, j *river.Job[job]) error {
	w.work(ctx, j.Args.Plan)
	return nil
}

// Timeout: a turn ends itself, and its lease ends it.
func (w *worker) Timeout(*river.Job[job]) time.Duration { return -1 }

// newJobs makes the client of River. rescue is rescueTime, but for tests.
func newJobs(s *Store, workers int, grace, rescue time.Duration, log slog.Handler, work func(context.Context, string)) (jobs, error) {
	all := river.NewWorkers()
	if err := river.AddWorkerSafely(all, &worker{work: work}); err != nil {
		return nil, err
	}
	config := &river.Config{
		Queues:  map[string]river.QueueConfig{jobQueue: {MaxWorkers: workers}},
		Workers: all, Logger: slog.New(log),
		JobTimeout: -1, RescueStuckJobsAfter: rescue, MaxAttempts: 1,
		FetchPollInterval: pollTime, SoftStopTimeout: grace,
		// What became of a turn stands in our history.
		CompletedJobRetentionPeriod: time.Hour, DiscardedJobRetentionPeriod: 24 * time.Hour,
	}
	if s.pool != nil {
		return client(riverpgxv5.New(s.pool), config)
	}
	return client(quietSQLite{riversqlite.New(s.db)}, config)
}

// quietSQLite is River's driver without its listener, which would look twenty times a second for word of a new job. Without one the client that
// makes a job tells itself; other daemons on the same file find it when they poll.
type quietSQLite struct{ *riversqlite.Driver }

// SupportsListener says that there is none.
func (quietSQLite) SupportsListener() bool { return false }

func client[TTx any](driver riverdriver.Driver[TTx], config *river.Config) (jobs, error) {
	c, err := river.NewClient(driver, config)
	if err != nil {
		return nil, fmt.Errorf("make the queue of jobs: %w", err) // not c: a nil client is not a nil interface
	}
	return c, nil
}
