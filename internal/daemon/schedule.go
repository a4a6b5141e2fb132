package daemon

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// Schedule says when a plan is due. The zero value is none: its turns follow each other until it is completed, or waits for a person.
type Schedule struct {
	Every time.Duration
	Cron  string // five fields, or @daily and the like; in the time zone of the daemon, unless it begins with CRON_TZ=
}

// Shortest is the shortest interval: what is due more often is no schedule but a loop.
const Shortest = time.Minute

// Check tells what is wrong with a schedule.
func (s Schedule) Check() error {
	switch {
	case s.Every != 0 && s.Cron != "":
		return errors.New("an interval and a cron expression exclude each other")
	case s.Every != 0 && s.Every < Shortest:
		return fmt.Errorf("an interval is at least %s", Shortest)
	case s.Cron == "":
		return nil
	}
	c, err := parseCron(s.Cron)
	if err != nil {
		return fmt.Errorf("cron expression %q: %w", s.Cron, err)
	}
	// 30 February: the library gives up after five years.
	if c.Next(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)).IsZero() {
		return fmt.Errorf("cron expression %q: there is no such time", s.Cron)
	}
	return nil
}

// parseCron reads an expression. The library panics on a time zone without anything after it, and knows intervals as well, which may be too short.
func parseCron(expression string) (cron.Schedule, error) {
	if zone, rest, _ := strings.Cut(expression, " "); strings.Contains(zone, "TZ=") && strings.TrimSpace(rest) == "" {
		return nil, errors.New("there is nothing after the time zone")
	}
	if strings.Contains(expression, "@every") {
		return nil, errors.New("that is an interval, and no time")
	}
	return cron.ParseStandard(expression)
}

// Next is the first time after now, by the schedule; zero when there is none.
func (s Schedule) Next(now time.Time) time.Time {
	switch {
	case s.Every > 0:
		return now.Add(s.Every)
	case s.Cron == "":
		return time.Time{}
	}
	c, err := parseCron(s.Cron)
	if err != nil {
		return time.Time{} // it was checked when it was ordered
	}
	return c.Next(now)
}

// String is the schedule in words.
func (s Schedule) String() string {
	switch {
	case s.Every > 0:
		return "every " + Short(s.Every)
	case s.Cron != "":
		return "cron " + s.Cron
	}
	return "until done"
}

// Short writes a duration without the zero units that time.Duration adds: 30m, not 30m0s.
func Short(d time.Duration) string {
	text := d.String()
	if d >= time.Minute && d%time.Minute == 0 {
		text = text[:len(text)-len("0s")]
	}
	if d >= time.Hour && d%time.Hour == 0 {
		text = text[:len(text)-len("0m")]
	}
	return text
}
