package daemon

import (
	"fmt"
	"math"
	"time"
)

// Exit codes of "dwp turn" (DESIGN, Commands).
const (
	exitOK          = 0
	exitNo          = 1
	exitLocked      = 4
	exitBlocked     = 5
	exitInterrupted = 130
)

// Outcome is what a turn came to, as far as its process tells.
type Outcome struct {
	Code     int    // -1 when the process could not be started, or was killed
	Result   string // of its answer; "" when there is none
	Task     int
	Note     string // one line: why it stopped, or what went wrong
	Told     bool   // there was an answer that could be read
	Stopping bool   // the daemon ended it, because it stops itself
}

// Pace is how the queue waits.
type Pace struct {
	First, Most time.Duration // after a first fruitless turn, and at the most
	Watch       time.Duration // between two looks at the files of a plan that waits for a person
}

// DefaultPace: a broken agent costs one start a minute at first, and one an hour in the end; a person's answer is noticed within a minute.
func DefaultPace() Pace { return Pace{First: time.Minute, Most: time.Hour, Watch: time.Minute} }

// Backoff is how long to wait after so many fruitless turns in a row, from 1: twice as long each time, up to the most, and a fifth more or less
// by jitter, which is in [0, 1): many plans that failed for one reason don't come back at one instant.
func (p Pace) Backoff(fruitless int, jitter float64) time.Duration {
	d := float64(p.First) * math.Pow(2, float64(min(max(fruitless, 1), 60)-1))
	d = min(d, float64(p.Most))
	return time.Duration(d * (0.8 + 0.4*jitter))
}

// Decide says how a plan stands after a turn, and when it is due again (UN-2, UN-3). It is pure.
//
//	moved            at once, since progress is verified by the turn
//	completed        never: the schedule has ended
//	brought nothing  later each time
//	not to be run    later each time: no agent, no disk, a wrong configuration
//	another's lease  later each time
//	blocked, refused when its files change, or by its schedule: a person is needed
//	cut off by us    at once, by whoever runs then
func Decide(p Plan, o Outcome, now time.Time, pace Pace, jitter float64) Plan {
	p.Status, p.Holder, p.Until, p.Note = Waiting, "", time.Time{}, o.Note
	p.Next = p.Schedule.Next(now)
	switch {
	case o.Stopping && o.Code != exitOK, o.Code == exitInterrupted:
		p.Due = now
	case o.Code == exitOK && o.Told && o.Result == "plan-completed":
		p.Status, p.Due, p.Next, p.Fruitless = Completed, time.Time{}, time.Time{}, 0
	case o.Code == exitOK && o.Told: // a program that says nothing has proven nothing: it would be called again and again
		p.Due, p.Fruitless = now, 0
	case o.Code == exitBlocked, o.Code == exitNo && o.Told && o.Result == "":
		p.Status, p.Fruitless = Blocked, 0
		p.Due = p.recheck(now, pace)
	default: // it brought nothing (1), the call was wrong (2), could not be run (3), another's lease (4), killed
		p.Fruitless++
		p.Due = now.Add(pace.Backoff(p.Fruitless, jitter))
	}
	if p.Turns >= p.MostTurns && p.Status != Completed {
		p.Paused, p.Note = true, fmt.Sprintf("it had its %d turns; dwp daemon resume gives it as many again", p.MostTurns)
	}
	if p.Paused {
		p.Due = time.Time{}
	}
	return p
}

// recheck is when a plan that waits for a person is looked at next: its files soon, the plan itself by its schedule.
func (p *Plan) recheck(now time.Time, pace Pace) time.Time {
	due := now.Add(pace.Watch)
	if !p.Next.IsZero() && p.Next.Before(due) {
		return p.Next
	}
	return due
}

// Look says what to do with a plan whose time has come: whether a turn is to be queued, and how the plan stands otherwise. signature tells how its
// files are now; it is asked only for one that waits for a person. It is pure apart from that.
func Look(p Plan, now time.Time, pace Pace, signature func() string) (Plan, bool) {
	switch {
	case p.Paused:
		p.Due = time.Time{}
		return p, false
	case p.Status == Blocked && (p.Next.IsZero() || p.Next.After(now)) && signature() == p.Seen:
		p.Due = p.recheck(now, pace)
		return p, false
	}
	p.Status = Queued
	return p, true
}
