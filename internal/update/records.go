package update

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
	"github.com/deepworkplan/dwp/internal/verify"
)

// skew is how far a clock may be ahead before a time counts as wrong (PS-11, C139).
const skew = 5 * time.Minute

// record is one gate record of the task after the change.
type record struct {
	Gate
	node    *strictjson.Value // as it stands in the file; nil for a new one
	changed bool
	rerun   bool // only last_run differs from what stood there
}

// utc writes a time the way ours are written (PS-8, C137).
func utc(t time.Time) string { return t.UTC().Truncate(time.Second).Format(time.RFC3339) }

// merge puts the given gates into the task's records (GU-4). Reopening marks all of them first: after it only new evidence
// counts (GU-6, TRAPS).
func (g *guard) merge() *Refusal {
	for i := range g.task.Gates {
		old := &g.task.Gates[i]
		r := record{Gate: Gate{Command: old.Command, Passes: old.Passes, ExitCode: old.ExitCode, Evidence: old.Evidence}, node: old.Node}
		if old.LastRun != nil {
			r.LastRun = old.LastRun.Text
		}
		if g.past != nil && !evidence.Invalidated(r.Evidence) {
			r.Evidence, r.changed = Invalidate(r.Evidence, g.now, g.past.Number), true
		}
		g.records = append(g.records, r)
	}
	last := map[string]int{} // of several runs of one command in one change the last one is recorded
	for i := range g.ch.Gates {
		last[evidence.Command(g.ch.Gates[i].Command)] = i
	}
	for i := range g.ch.Gates {
		given := g.ch.Gates[i]
		if r := g.acceptable(&given); r != nil {
			return r
		}
		if last[evidence.Command(given.Command)] != i {
			continue
		}
		if r := g.put(given); r != nil {
			return r
		}
	}
	return nil
}

// put replaces the record of the same command, or appends one. History is never replaced.
func (g *guard) put(given Gate) *Refusal {
	explicit := given.LastRun != ""
	if !explicit {
		given.LastRun = utc(g.now)
	} else if r := g.outdated(&given); r != nil {
		return r
	}
	old := g.last(given.Command)
	switch {
	case old == nil || evidence.Invalidated(old.Evidence):
		g.records = append(g.records, record{Gate: given, changed: true})
		return nil
	case explicit && earlier(given.LastRun, old.LastRun): // what ran now is no older, whatever another clock said (C139)
		return refuse("guard/gate-older", "%q ran at %s, before the run that is recorded, %s", shorten(given.Command), shorten(given.LastRun), old.LastRun)
	}
	same := old.Passes == given.Passes && old.Evidence == given.Evidence && sameExit(old.ExitCode, given.ExitCode)
	if same {
		if old.LastRun == given.LastRun {
			return nil
		}
		given.Command = old.Command // however it is spaced now
	}
	*old = record{Gate: given, node: old.node, changed: true, rerun: same && !old.changed}
	return nil
}

// last is the last record of a command, or nil.
func (g *guard) last(command string) *record {
	for i := range slices.Backward(g.records) {
		if evidence.Command(g.records[i].Command) == evidence.Command(command) {
			return &g.records[i]
		}
	}
	return nil
}

// outdated refuses a run from before the task was reopened: a writer that was slow, or one with an old file (C57). A record that
// was marked by another tool, without a time, is known by its own.
func (g *guard) outdated(given *Gate) *Refusal {
	at, _ := g.marked()
	if g.past != nil {
		at = g.now // it is reopened by this very change
	}
	if !at.IsZero() && earlier(given.LastRun, utc(at)) {
		return refuse("guard/old-evidence", "%q ran at %s, before task %d was reopened", shorten(given.Command), shorten(given.LastRun), g.task.ID)
	}
	for i := range g.records {
		r := &g.records[i]
		if evidence.Invalidated(r.Evidence) && evidence.Command(r.Command) == evidence.Command(given.Command) &&
			r.LastRun == given.LastRun && strings.Contains(r.Evidence, given.Evidence) {
			return refuse("guard/old-evidence", "the record of %q is the one that was invalidated", shorten(given.Command))
		}
	}
	return nil
}

// earlier compares two times as they are written; what is no time, or a bare date beside a time of the same day, is not earlier.
func earlier(a, b string) bool {
	at, aDay, aOK := when(a)
	bt, bDay, bOK := when(b)
	if !aOK || !bOK {
		return false
	}
	if aDay || bDay {
		at, bt = at.UTC().Truncate(24*time.Hour), bt.UTC().Truncate(24*time.Hour)
	}
	return at.Before(bt)
}

// when reads a timestamp or a bare date.
func when(text string) (at time.Time, day, ok bool) {
	if at, err := time.Parse(time.DateOnly, text); err == nil {
		return at, true, true
	}
	at, err := time.Parse(time.RFC3339, strings.ToUpper(text))
	return at, false, err == nil && !strings.Contains(text, ",")
}

// sameExit compares two exit codes; absent is equal to absent only.
func sameExit(a, b *int) bool { return a == b || a != nil && b != nil && *a == *b }

// acceptable checks a given record by itself (PS-12, AM-3): what verify would call a must finding under any status is not written.
func (g *guard) acceptable(r *Gate) *Refusal {
	switch {
	case evidence.Command(r.Command) == "":
		return refuse("evidence/empty", "the gate has no command")
	case r.Passes && r.ExitCode == nil:
		return refuse("gate/pass-with-failure", "the gate %q passes without an exit code", shorten(r.Command))
	case r.Passes && *r.ExitCode != 0:
		return refuse("gate/pass-with-failure", "the gate %q passes with exit code %d", shorten(r.Command), *r.ExitCode)
	case r.Passes && planmd.Wordless(r.Evidence):
		return refuse("evidence/empty", "the gate %q has no evidence: it says %q", shorten(r.Command), shorten(r.Evidence))
	case evidence.Invalidated(r.Evidence):
		return refuse("guard/gate-mark", "the evidence of %q is marked as invalidated", shorten(r.Command))
	}
	id, words := verify.Rejects(r.Command, r.Evidence)
	switch {
	case r.Passes && id != "":
		return refuse(id, "the evidence of %q does not support a pass: it says %q", shorten(r.Command), shorten(words)).
			hint("run the check and record what it says; one that could not run is recorded with --gate-json and passes false")
	case !r.Passes && id == "" && r.ExitCode != nil && *r.ExitCode == 0:
		return refuse("gate/fail-with-success", "the gate %q fails with exit code 0", shorten(r.Command))
	case r.Passes:
		g.doubts(r)
	}
	if r := g.dated(r); r != nil {
		return r
	}
	return g.pointers(r)
}

// doubts warns of words of a passing record that don't take its pass away, but might (PS-13, AM-3).
func (g *guard) doubts(r *Gate) {
	if m, ok := evidence.NeverRan(r.Evidence); ok {
		g.warn("the evidence of %q sounds as if the check did not run: %q", shorten(r.Command), shorten(m.Text))
	}
	if filter, ok := evidence.Filtered(r.Command); ok {
		g.warn("the exit code of %q belongs to %q, not to the check", shorten(r.Command), shorten(filter.Text))
	}
}

// dated checks last_run, and writes it in UTC; a bare date stays what it is (PS-8, PS-11, C137).
func (g *guard) dated(r *Gate) *Refusal {
	if r.LastRun == "" {
		return nil
	}
	at, day, ok := when(r.LastRun)
	switch {
	case !ok, at.UTC().Year() < 1:
		return refuse("state/timestamp", "the gate's last_run %q is no RFC 3339 time", shorten(r.LastRun))
	case at.Sub(g.now) > skew:
		return refuse("time/future", "the gate's last_run %s lies in the future", r.LastRun)
	case !day:
		r.LastRun = at.UTC().Format(time.RFC3339Nano)
	}
	return nil
}

// pointers: what evidence names as its log lies in the plan's own analysis_results, and exists (PS-12, C81).
func (g *guard) pointers(r *Gate) *Refusal {
	own := strings.ReplaceAll(r.Evidence, ".dwp/plans/"+g.s.Name+"/", "")
	for _, p := range evidence.Pointers(own) {
		if !p.Inside {
			return refuse("gate/pointer-outside", "the evidence points to %q, outside analysis_results", shorten(p.Path))
		}
		if _, exists := g.s.Nodes[path.Clean(strings.ReplaceAll(p.Path, `\`, "/"))]; !exists && !g.s.Cut {
			return refuse("gate/pointer-missing", "the evidence points to %q, which does not exist", shorten(p.Path))
		}
	}
	return nil
}

// evidence checks what a completed task rests on (GU-3, PS-13): the latest record of each command. Of an open task it asks only
// that no record passes against its own words, in any era (AM-3).
func (g *guard) evidence() *Refusal {
	latest := g.latest()
	if g.to != state.Completed || g.from == state.Completed && len(g.records) == 0 {
		return g.admissions(latest)
	}
	var passing, known []string
	for _, r := range latest {
		known = append(known, r.Command)
		if _, _, ok := g.supports(r); ok {
			passing = append(passing, r.Command)
		}
	}
	for _, r := range latest {
		id, why, ok := g.supports(r)
		if ok {
			id, why, ok = g.intact(r)
		}
		if !ok && !g.replaced(r.Command, passing, known) {
			return refuse(id, "task %d can't be completed: the record of %q %s", g.task.ID, shorten(r.Command), why)
		}
	}
	if len(passing) == 0 {
		return refuse("evidence/none", "task %d can't be completed without a passing gate record", g.task.ID).
			hint("run its gate with dwp gate run, or give the result with --gate or --gate-json")
	}
	return nil
}

// admissions refuses passes that their own words deny.
func (g *guard) admissions(latest []*record) *Refusal {
	for _, r := range latest {
		if id, why, ok := g.supports(r); !ok && r.Passes && !evidence.Invalidated(r.Evidence) && id != "evidence/empty" {
			return refuse(id, "the record of %q of task %d passes, but %s", shorten(r.Command), g.task.ID, why).hint("run that gate again, and give its result in this change")
		}
	}
	return nil
}

// latest returns the last record of each command, in order of first appearance.
func (g *guard) latest() []*record {
	var order []*record
	at := map[string]int{}
	for i := range g.records {
		command := evidence.Command(g.records[i].Command)
		if n, ok := at[command]; ok {
			order[n] = &g.records[i]
			continue
		}
		at[command] = len(order)
		order = append(order, &g.records[i])
	}
	return order
}

// supports reports whether a record carries a completion; else the rule and why not.
func (g *guard) supports(r *record) (id, why string, ok bool) {
	switch {
	case evidence.Invalidated(r.Evidence):
		return "evidence/invalidated", "was invalidated by refine", false
	case !r.Passes || r.ExitCode == nil || *r.ExitCode != 0:
		return "evidence/failing", "fails", false
	case evidence.Command(r.Command) == "" || planmd.Wordless(r.Evidence):
		return "evidence/empty", "has no evidence", false
	}
	if id, words := verify.Rejects(r.Command, r.Evidence); id != "" {
		return id, "says that nothing was proven: " + shorten(words), false
	}
	return "", "", true
}

// replaced reports whether an amendment of the task names the command and a passing one that replaces it (PS-13).
func (g *guard) replaced(command string, passing, known []string) bool {
	if g.log == nil {
		return false
	}
	for i := range g.log.Log.Amendments {
		if verify.Replaces(&g.log.Log.Amendments[i], command, passing, known) {
			return true
		}
	}
	return false
}
