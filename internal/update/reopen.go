package update

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/verify"
)

// reopen checks that an amendment stands in the task's log, that it is not the one by which the task was reopened before
// (C117), and that it speaks of every completed task that builds on this one (GU-6, AM-1, TRAPS).
func (g *guard) reopen() *Refusal {
	if strings.TrimSpace(g.ch.ReopenReason) == "" {
		return refuse("guard/options", "the reopen reason has no words").hint("say why in one line")
	}
	if g.log != nil {
		used := g.usedAmendment()
		for i := range g.log.Log.Amendments {
			if a := &g.log.Log.Amendments[i]; a.Number > used && len(a.Fields) > 0 && (g.past == nil || a.Number >= g.past.Number) {
				g.past = a
			}
		}
	}
	if g.past == nil {
		return refuse("guard/amendment", "the log of task %d has no amendment that reopens it", g.task.ID)
	}
	// What verify would hold against the amendment for good is said now, while nothing rests on it yet (AM-1, AM-2).
	if faults := verify.AmendmentFaults(g.past, g.now); len(faults) > 0 {
		return refuse(faults[0].Rule, "task %d is not reopened: %s", g.task.ID, faults[0].Message).
			hint(faults[0].Hint + "; put that right in the log, or append the next amendment, then reopen")
	}
	return g.spokenOf()
}

// spokenOf: each completed dependant is said to be reopened, or preserved and why.
func (g *guard) spokenOf() *Refusal {
	dependants := g.dependants(g.task.ID)
	said := verify.Spoken(g.past, len(g.st.Tasks))
	var silent, waiting []string
	for i := range g.st.Tasks {
		t := &g.st.Tasks[i]
		if t.Status != state.Completed || !dependants[t.ID] {
			continue
		}
		switch said[t.ID] {
		case verify.FateUnsaid:
			silent = append(silent, strconv.Itoa(t.ID))
		case verify.FateReopened:
			waiting = append(waiting, strconv.Itoa(t.ID))
		}
	}
	if len(silent) == 0 {
		// One call opens one task (GU-1): what the amendment opens besides is still to be done.
		if len(waiting) > 0 {
			g.warn("Amendment %d says that task %s is reopened, too; it still is completed: reopen it by its own amendment", g.past.Number, some(waiting))
		}
		return nil
	}
	return refuse("guard/dependants", "Amendment %d doesn't say what becomes of completed task %s, which depends on task %d",
		g.past.Number, some(silent), g.task.ID)
}

// The mark that reopening leaves on evidence: "[invalidated by refine 2026-09-01T10:30:00Z, amendment 2] ". With numbers
// up to 999 it has at most 60 characters, which is what new evidence leaves free (PS-12).
const markWords = "invalidated by refine "

// mark is what records whose evidence an amendment invalidates get in front of it. It names the amendment, so that the same one
// is not used twice (C117), and the time, so that an older run is known for what it is (C57).
func mark(now time.Time, amendment int) string {
	if amendment == 0 {
		return fmt.Sprintf("[%s%s, reconciled] ", markWords, utc(now))
	}
	return fmt.Sprintf("[%s%s, amendment %d] ", markWords, utc(now), amendment)
}

// Invalidate marks the evidence of a record as history, by an amendment that was made now (AM-1, GU-6), or, with 0 for its number, by
// the open box of a task that state.json called completed (PS-18). Evidence that carries a
// mark already keeps it.
func Invalidate(text string, now time.Time, amendment int) string {
	if evidence.Invalidated(text) {
		return text
	}
	return stamp(mark(now, amendment), text)
}

// stamp marks a record's evidence as history. Evidence of older helpers that would pass 500 characters with the mark loses its
// end: the mark counts (PS-13).
func stamp(mark, text string) string {
	const most = 500
	if over := utf8.RuneCountInString(mark) + utf8.RuneCountInString(text) - most; over > 0 {
		const cut = "..."
		runes := []rune(text)
		text = string(runes[:max(0, len(runes)-over-len(cut))]) + cut
	}
	return strings.TrimRight(mark+text, " ")
}

// marked reads the marks of the task's records: when it was reopened last, and by which amendment. Both are zero for marks
// of other tools.
func (g *guard) marked() (at time.Time, amendment int) {
	for i := range g.task.Gates {
		text := g.task.Gates[i].Evidence
		_, rest, found := strings.Cut(text, markWords)
		if !found || !evidence.Invalidated(text) || len(rest) < len("2026-09-01T10:30:00Z") {
			continue
		}
		when, err := time.Parse(time.RFC3339, rest[:len("2026-09-01T10:30:00Z")])
		if err != nil {
			continue
		}
		if when.After(at) {
			at = when
		}
		digits, _, _ := strings.Cut(strings.TrimPrefix(rest[len("2026-09-01T10:30:00Z"):], ", amendment "), "]")
		if n, err := strconv.Atoi(digits); err == nil {
			amendment = max(amendment, n)
		}
	}
	return at, amendment
}

// usedAmendment is the number of the last amendment by which the task was reopened; 0 when it never was.
func (g *guard) usedAmendment() int {
	_, n := g.marked()
	return n
}

// unmarked is what the evidence said before it was marked.
func unmarked(text string) string {
	if _, rest, found := strings.Cut(text, "] "); found && strings.HasPrefix(text, "["+strings.TrimRight(markWords, " ")) {
		return rest
	}
	return text
}
