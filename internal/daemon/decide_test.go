package daemon

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

var noon = time.Date(2026, 9, 2, 12, 0, 0, 0, time.UTC)

// slow is a rhythm without jitter in the way: with 0.5 it is none.
func slow() Pace { return Pace{First: time.Minute, Most: time.Hour, Watch: 5 * time.Minute} }

// UN-2, UN-3, C97, C101: what comes after a turn is decided by its exit code; the answer only tells completed from moved.
func TestDecide(t *testing.T) {
	hourly := Schedule{Every: time.Hour}
	tests := []struct {
		name   string
		plan   Plan
		o      Outcome
		status Status
		due    time.Time
		fruit  int
	}{
		{"progress goes on at once", Plan{Fruitless: 3}, Outcome{Code: 0, Result: "progress", Told: true}, Waiting, noon, 0},
		{"a completed task goes on at once", Plan{Order: Order{Schedule: hourly}}, Outcome{Code: 0, Result: "completed", Told: true}, Waiting, noon, 0},
		{"the completed plan ends its schedule", Plan{Order: Order{Schedule: hourly}}, Outcome{Code: 0, Result: "plan-completed", Told: true}, Completed, time.Time{}, 0},
		{"no progress waits", Plan{}, Outcome{Code: 1, Result: "no-progress", Told: true}, Waiting, noon.Add(time.Minute), 1},
		{"no progress again waits longer", Plan{Fruitless: 2}, Outcome{Code: 1, Result: "no-progress", Told: true}, Waiting, noon.Add(4 * time.Minute), 3},
		{"a wait has an end", Plan{Fruitless: 500}, Outcome{Code: 3, Told: true}, Waiting, noon.Add(time.Hour), 501},
		{"a refusal waits for a person (C103)", Plan{Fruitless: 1}, Outcome{Code: 1, Told: true}, Blocked, noon.Add(5 * time.Minute), 0},
		{"exit 1 without an answer is a fault", Plan{}, Outcome{Code: 1}, Waiting, noon.Add(time.Minute), 1},
		{"exit 0 without an answer is no progress", Plan{Fruitless: 1}, Outcome{}, Waiting, noon.Add(2 * time.Minute), 2},
		{"a wrong call waits", Plan{}, Outcome{Code: 2}, Waiting, noon.Add(time.Minute), 1},
		{"no agent waits", Plan{}, Outcome{Code: 3, Told: true}, Waiting, noon.Add(time.Minute), 1},
		{"another's lease waits", Plan{}, Outcome{Code: 4, Told: true}, Waiting, noon.Add(time.Minute), 1},
		{"blocked waits for its files", Plan{Fruitless: 1}, Outcome{Code: 5, Result: "stopped", Told: true}, Blocked, noon.Add(5 * time.Minute), 0},
		{"blocked waits for its schedule", Plan{Order: Order{Schedule: Schedule{Every: 2 * time.Minute}}}, Outcome{Code: 5, Told: true}, Blocked, noon.Add(2 * time.Minute), 0},
		{"killed waits", Plan{}, Outcome{Code: 137}, Waiting, noon.Add(time.Minute), 1},
		{"not started waits", Plan{}, Outcome{Code: -1}, Waiting, noon.Add(time.Minute), 1},
		{"interrupted goes on with the next daemon", Plan{Fruitless: 1}, Outcome{Code: 130, Told: true}, Waiting, noon, 1},
		{"ended by us goes on with the next daemon", Plan{Fruitless: 1}, Outcome{Code: 137, Stopping: true}, Waiting, noon, 1},
		{"paused is due never", Plan{Paused: true}, Outcome{Code: 0, Result: "progress", Told: true}, Waiting, time.Time{}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.plan.MostTurns, tt.plan.Turns = 100, 1
			got := Decide(tt.plan, tt.o, noon, slow(), 0.5)
			if got.Status != tt.status || !got.Due.Equal(tt.due) || got.Fruitless != tt.fruit {
				t.Errorf("got %s, due %s, fruitless %d; want %s, %s, %d", got.Status, got.Due, got.Fruitless, tt.status, tt.due, tt.fruit)
			}
			if got.Holder != "" || !got.Until.IsZero() {
				t.Errorf("the lease stays with %q until %s", got.Holder, got.Until)
			}
		})
	}
}

// A plan that has had its turns is paused, whatever they brought: nights are not lost to thousands of them.
func TestDecideEndsAfterMostTurns(t *testing.T) {
	p := Plan{Order: Order{MostTurns: 3}, Turns: 3}
	if got := Decide(p, Outcome{Result: "progress", Told: true}, noon, slow(), 0); !got.Paused || !got.Due.IsZero() || got.Note == "" {
		t.Errorf("got paused %v, due %s, note %q; want it paused, with a note", got.Paused, got.Due, got.Note)
	}
	if got := Decide(p, Outcome{Result: "plan-completed", Told: true}, noon, slow(), 0); got.Paused || got.Status != Completed {
		t.Errorf("got paused %v, %s; want completed", got.Paused, got.Status)
	}
}

// Whatever turns come to, the next is never at once unless one brought something or was cut off by us.
func TestDecideNeverLoops(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Plan{Order: Order{MostTurns: 1000}, Turns: 1, Fruitless: rapid.IntRange(0, 1e9).Draw(t, "fruitless")}
		o := Outcome{
			Code:   rapid.SampledFrom([]int{-1, 1, 2, 3, 4, 5, 137, 255}).Draw(t, "code"),
			Result: rapid.SampledFrom([]string{"", "progress", "no-progress", "plan-completed"}).Draw(t, "result"),
			Told:   rapid.Bool().Draw(t, "told"),
		}
		got := Decide(p, o, noon, slow(), rapid.Float64Range(0, 0.999).Draw(t, "jitter"))
		wait := got.Due.Sub(noon)
		if least, most := 48*time.Second, 72*time.Minute; wait < least || wait > most {
			t.Errorf("after %+v: due in %s, want %s to %s", o, wait, least, most)
		}
	})
}

func TestBackoff(t *testing.T) {
	for _, tt := range []struct {
		fruitless int
		jitter    float64
		want      time.Duration
	}{
		{1, 0.5, time.Minute}, {2, 0.5, 2 * time.Minute}, {6, 0.5, 32 * time.Minute}, {7, 0.5, time.Hour}, {1 << 40, 0.5, time.Hour},
		{1, 0, 48 * time.Second}, {0, 0.5, time.Minute},
	} {
		if got := slow().Backoff(tt.fruitless, tt.jitter); got != tt.want {
			t.Errorf("Backoff(%d, %v) = %s, want %s", tt.fruitless, tt.jitter, got, tt.want)
		}
	}
}

// UN-3: a plan that waits for a person gets no turn until its files change, or its schedule says.
func TestLook(t *testing.T) {
	tests := []struct {
		name  string
		plan  Plan
		files string
		queue bool
		due   time.Time // when it is not queued
	}{
		{"its time has come", Plan{Status: Waiting}, "a", true, time.Time{}},
		{"a job was lost", Plan{Status: Queued}, "a", true, time.Time{}},
		{"blocked, nothing changed", Plan{Status: Blocked, Seen: "a"}, "a", false, noon.Add(5 * time.Minute)},
		{"blocked, files changed", Plan{Status: Blocked, Seen: "a"}, "b", true, time.Time{}},
		{"blocked, its schedule says", Plan{Status: Blocked, Seen: "a", Next: noon}, "a", true, time.Time{}},
		{"blocked, its schedule is soon", Plan{Status: Blocked, Seen: "a", Next: noon.Add(time.Minute)}, "a", false, noon.Add(time.Minute)},
		{"paused", Plan{Status: Waiting, Paused: true}, "a", false, time.Time{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, queue := Look(tt.plan, noon, slow(), func() string { return tt.files })
			if queue != tt.queue || !queue && !got.Due.Equal(tt.due) {
				t.Errorf("got queue %v, due %s; want %v, %s", queue, got.Due, tt.queue, tt.due)
			}
			if queue && got.Status != Queued {
				t.Errorf("got %s, want %s", got.Status, Queued)
			}
		})
	}
}
