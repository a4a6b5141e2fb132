package daemon

import (
	"testing"
	"time"
)

func TestScheduleNext(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skipf("no time zones here: %v", err)
	}
	for _, tt := range []struct {
		s         Schedule
		now, want time.Time
	}{
		{Schedule{}, noon, time.Time{}},
		{Schedule{Every: 30 * time.Minute}, noon, noon.Add(30 * time.Minute)},
		{Schedule{Cron: "0 2 * * *"}, noon, time.Date(2026, 9, 3, 2, 0, 0, 0, time.UTC)},
		{Schedule{Cron: "@hourly"}, noon, noon.Add(time.Hour)},
		// The night in which there is no half past two: that day's turn falls out, the next day's does not.
		{Schedule{Cron: "30 2 * * *"}, time.Date(2026, 3, 29, 0, 0, 0, 0, berlin), time.Date(2026, 3, 30, 2, 30, 0, 0, berlin)},
		// The night in which it comes twice: a time that has been is not due again.
		{Schedule{Cron: "30 1 * * *"}, time.Date(2026, 10, 25, 1, 30, 0, 0, berlin), time.Date(2026, 10, 26, 1, 30, 0, 0, berlin)},
		{Schedule{Cron: "CRON_TZ=Asia/Tokyo 0 2 * * *"}, noon, time.Date(2026, 9, 2, 17, 0, 0, 0, time.UTC)},
	} {
		if got := tt.s.Next(tt.now); !got.Equal(tt.want) {
			t.Errorf("%s after %s: got %s, want %s", tt.s, tt.now, got, tt.want)
		}
	}
}

func TestScheduleCheck(t *testing.T) {
	for _, tt := range []struct {
		s  Schedule
		ok bool
	}{
		{Schedule{}, true},
		{Schedule{Every: time.Minute}, true},
		{Schedule{Every: time.Second}, false},
		{Schedule{Every: -time.Hour}, false},
		{Schedule{Cron: "*/5 * * * 1-5"}, true},
		{Schedule{Cron: "* * * * * *"}, false},
		{Schedule{Cron: "0 0 30 2 *"}, false},
		{Schedule{Cron: "soon"}, false},
		{Schedule{Every: time.Hour, Cron: "@daily"}, false},
	} {
		if err := tt.s.Check(); (err == nil) != tt.ok {
			t.Errorf("%+v: got %v, want ok %v", tt.s, err, tt.ok)
		}
	}
}

func TestShort(t *testing.T) {
	for d, want := range map[time.Duration]string{30 * time.Minute: "30m", 2 * time.Hour: "2h", 90 * time.Minute: "1h30m", 90 * time.Second: "1m30s", time.Second: "1s"} {
		if got := Short(d); got != want {
			t.Errorf("Short(%s) = %q, want %q", d, got, want)
		}
	}
}

// FuzzSchedule: no expression panics, or is due at a time that has been.
func FuzzSchedule(f *testing.F) {
	for _, s := range []string{"0 2 * * *", "@every 1s", "CRON_TZ=x * * * * *", "TZ=", "*/0 * * * *", "1-2-3 * * * *", "TZ=UTC"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, expression string) {
		s := Schedule{Cron: expression}
		if s.Check() != nil || expression == "" {
			return
		}
		if next := s.Next(noon); !next.After(noon) {
			t.Errorf("%q: due at %s, which is not after %s", expression, next, noon)
		}
	})
}
