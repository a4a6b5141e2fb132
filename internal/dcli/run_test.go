package dcli

import (
	"log/slog"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/daemon"
	"github.com/google/go-cmp/cmp"
)

// River's errors are told without its own time and level, and one a minute: it says several each second while a database is away.
func TestQuiet(t *testing.T) {
	now := time.Date(2026, 9, 2, 12, 0, 0, 0, time.UTC)
	var got []daemon.Event
	log := slog.New(quiet(func(e daemon.Event) { got = append(got, e) }, func() time.Time { return now }))
	log.Warn("slow")
	for range 3 {
		log.Error("no route", "attempt", 1)
		now = now.Add(30 * time.Second)
	}
	event := daemon.Event{Text: `the queue of jobs: msg="no route" attempt=1`, Faulty: true}
	if diff := cmp.Diff(got, []daemon.Event{event, event}); diff != "" {
		t.Error(diff)
	}
}
