package work

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
)

// This file: when a task was completed that only its box tells of, and by which commit (PS-11, PS-18).

// source is one place that tells when a task was completed.
type source struct {
	at   time.Time
	name string // what tells it
	day  bool   // it tells only the day
}

// kind is the name without the commit's own.
func (s source) kind() string {
	word, _, _ := strings.Cut(s.name, " ")
	return map[string]string{"log": "log", "commit": "commit", "PROGRESS.md": "entry in PROGRESS.md"}[word]
}

// stamp sets completed_at from the first place that tells it and fits, and says which: the log's date, the entry of PROGRESS.md, the
// commit that names the task; else now.
func (e *entry) stamp(was *state.Task) string {
	w := e.w
	var started time.Time
	if was != nil && was.StartedAt != nil {
		started = was.StartedAt.Value
	}
	for _, from := range []func() source{e.logged, e.progressed, e.committed} {
		src := from()
		if src.at.IsZero() {
			continue
		}
		at := src.at.UTC()
		if src.day { // the end of the day: what ran on that day ran before
			at = at.Add(24*time.Hour - time.Second)
		}
		if src.day && at.After(w.Now) && !src.at.After(w.Now) {
			at = w.Now
		}
		if at.After(w.Now) || at.Before(started) {
			continue
		}
		e.setTime(at)
		w.notes.add("completed_at from the "+src.kind(), e.t.ID)
		return at.Format(time.DateOnly) + " (" + src.name + ")"
	}
	e.setTime(w.Now)
	w.notes.add("completed_at now, for nothing tells it", e.t.ID)
	return "now (nothing tells it)"
}

func (e *entry) setTime(at time.Time) {
	e.node.Set("completed_at", strictjson.NewString(at.UTC().Truncate(time.Second).Format(time.RFC3339)))
}

// timeIn is the first date of a text, YYYY-MM-DD, with its time where one with an offset stands behind it; zero without any. day says
// that there is only the date.
func timeIn(text string) (at time.Time, day bool) {
	const form = len(time.DateOnly)
	for i := 0; i+form <= len(text); i++ {
		if text[i] != '2' || text[i+4] != '-' || text[i+7] != '-' || i > 0 && isDigit(text[i-1]) || i+form < len(text) && isDigit(text[i+form]) {
			continue
		}
		word, _, _ := strings.Cut(text[i:], " ")
		for _, full := range []string{time.RFC3339, "2006-01-02T15:04Z07:00"} {
			if at, err := time.Parse(full, strings.TrimSpace(word)); err == nil {
				return at, false
			}
		}
		if at, err := time.Parse(time.DateOnly, text[i:i+form]); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// dayIn is the first date of a text, without its time.
func dayIn(text string) time.Time {
	at, _ := timeIn(text)
	return at.UTC().Truncate(24 * time.Hour)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// logged is the date that the task's log gives.
func (e *entry) logged() source {
	if e.t.Record == nil {
		return source{}
	}
	section := e.t.Record.Section(planmd.CompletionLog)
	if section == nil {
		return source{}
	}
	for i := range section.Fields {
		f := &section.Fields[i]
		label := strings.ToLower(strings.TrimSpace(f.Label))
		if amended(e.t.Record, f.Span.Start) || !slices.Contains(dateLabels, label) && !slices.Contains(endLabels, label) {
			continue
		}
		if at, day := timeIn(f.Value); !at.IsZero() {
			return source{at, "log", day}
		}
	}
	return source{}
}

// endLabels are labels of a log by which others date its end.
var endLabels = []string{"completed", "completed on", "completed at", "completion date", "finished", "finished on", "timestamp", "closed", "closed on"}

// progressed is the day of the task's last entry in PROGRESS.md that has one.
func (e *entry) progressed() source {
	p := e.w.s.Progress
	if p == nil {
		return source{}
	}
	for _, i := range slices.Backward(e.w.entriesOf(e.t.ID)) {
		head, _, _ := strings.Cut(p.Text(p.Entries[i].Span), "\n")
		if day := dayIn(head); !day.IsZero() && !strings.HasSuffix(strings.TrimSpace(head), reopenedWord) {
			return source{day, "PROGRESS.md", true}
		}
	}
	return source{}
}

// entriesOf lists the entries of PROGRESS.md about a task, by their place. All are sorted once.
func (w *reconciling) entriesOf(id int) []int {
	if w.told == nil {
		w.told = map[int][]int{}
		for i := range w.s.Progress.Entries {
			task := w.s.Progress.Entries[i].Task
			w.told[task] = append(w.told[task], i)
		}
	}
	return w.told[id]
}

// committed is the time of the only commit that names the task.
func (e *entry) committed() source {
	if named := e.w.named[e.t.ID]; len(named) == 1 && !named[0].At.IsZero() {
		return source{named[0].At, fmt.Sprintf("commit %.12s", named[0].ID), false}
	}
	return source{}
}

// namedTasks are the commits whose message names a task of the plan, by task (WP-2). Each message is read once.
func namedTasks(history []git.Commit, name string) map[int][]git.Commit {
	named := map[int][]git.Commit{}
	for _, c := range history {
		for _, id := range TasksNamed(c.Message, name) {
			named[id] = append(named[id], c)
		}
	}
	return named
}
