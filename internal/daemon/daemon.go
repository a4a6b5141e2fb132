// Package daemon schedules unattended turns of many plans, on one machine or several: it keeps the queue in a database, leases a plan to
// one worker at a time with a fencing number, runs "dwp turn" as a process of its own, and decides by how that ended when the plan is
// due again. It knows nothing of what a plan says: a turn does. The jobs are River's, on SQLite or PostgreSQL alike; a job only wakes a
// worker, and the plan's row decides whether there is a turn to take.
// Requirements: UN-2 as far as waking goes, UN-3 (a plan that waits for a person is left alone), UN-4, GU-10, C61, C63, C95.
package daemon

import (
	"time"
)

// Status is where a plan stands in the queue.
type Status string

// Statuses.
const (
	Waiting   Status = "waiting"   // for its time
	Queued    Status = "queued"    // for a worker
	Running   Status = "running"   // a worker has the lease
	Blocked   Status = "blocked"   // for a person: until its files change, or its schedule says
	Completed Status = "completed" // its schedule has ended
)

// Order is what a person asks of the queue for one plan.
type Order struct {
	Path     string // of the plan folder, from the root, with slashes: machines mount the root in different places
	Schedule Schedule
	Agent    string // "" leaves it to the configuration
	Model    string
	TurnTime time.Duration // the most that a turn may take; 0 leaves it to dwp
	// MostTurns ends the schedule after so many turns since the order: people have lost nights to thousands of empty ones.
	MostTurns int
	Observed  bool // gates have to be observed
}

// Plan is a plan in the queue.
type Plan struct {
	Order
	Status Status
	Paused bool
	Due    time.Time // when the scheduler looks at it again; zero for never
	Next   time.Time // by its schedule; zero for none
	// Turns are those begun since the order; Fruitless is how many of the last brought nothing.
	Turns, Fruitless int
	Fence            int64     // number of the last lease
	Holder           string    // who has the lease
	Until            time.Time // when the lease ends; zero for none
	Seen             string    // its files before the last turn, as Signature tells
	Note             string    // why it stands where it does, one line
	seq              int64     // of its last job
	job              int64     // River's number of it; 0 for none
}

// Turn is one line of the history.
type Turn struct {
	Path    string
	Fence   int64
	Worker  string
	Started time.Time
	Ended   time.Time // zero while it runs
	Code    int       // of the process; -1 for none
	Result  string    // "progress", "completed", "lost", ...
	Task    int       // 0 for none
	Note    string
}

// Lease is a worker's right to take one turn of a plan.
type Lease struct {
	Plan
	// Taken is when it was asked for, by the worker's own clock: it lasts no longer than TTL from then, whatever the database's clock says.
	Taken time.Time
	TTL   time.Duration
}
