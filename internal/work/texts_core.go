package work

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/update"
)

// given is a text of a call that goes into a document.
type given struct {
	what, text string
	most       int  // characters
	lines      bool // more than one line is allowed
}

// anyLength leaves the length of a text to the guarded change, which lists it with all else that is wrong.
const anyLength = math.MaxInt

// refused checks encoding, secrets, length, control characters (PS-7, C161). A secret is named by its kind, never shown.
func (g given) refused() error {
	found := evidence.Secrets(g.text)
	control := strings.ContainsFunc(g.text, func(r rune) bool {
		return r != '\t' && (r != '\n' || !g.lines) && (unicode.IsControl(r) || r == '\u2028' || r == '\u2029')
	})
	switch n := utf8.RuneCountInString(g.text); {
	case !utf8.ValidString(g.text):
		return refuse("guard/text", "the %s is not UTF-8", g.what)
	case len(found) > 0: // whatever else is wrong with it
		return refuse("secret/json", "the %s holds what looks like a secret: %s", g.what, found[0].Kind)
	case n > g.most:
		return refuse("guard/faithful", "the %s has %d characters; at most %d are allowed", g.what, n, g.most)
	case control:
		return refuse("guard/faithful", "the %s has control characters or more than one line", g.what)
	}
	return nil
}

// all checks several.
func all(list ...given) error {
	for _, g := range list {
		if err := g.refused(); err != nil {
			return err
		}
	}
	return nil
}

// taskOf finds the view of a task, which must exist.
func taskOf(o *plan.Overview, id int) (*plan.TaskView, error) {
	if id <= 0 {
		return nil, refuse("guard/which-task", "no task has the number %d", id)
	}
	for i := range o.Tasks {
		if o.Tasks[i].ID == id {
			return &o.Tasks[i], nil
		}
	}
	return nil, refuse("guard/unknown-task", "the plan has no task %d", id)
}

// bare takes the end of a refusal off, where it becomes one of several.
func bare(message string) string { return strings.TrimSuffix(message, "; nothing was written") }

// lagging says which part of the markdown a change can't bring along.
func lagging(t *plan.TaskView) []string {
	if t.Record == nil {
		return []string{"the task has no record in the markdown, so no log was changed"}
	}
	return []string{"the task's record has no Completion & Log, so no log was changed"}
}

// logSays compares a state of the log with the one wanted; a task without a log has nothing to compare.
func logSays(t *plan.TaskView, state planmd.LogState) bool {
	return t.Record == nil || t.Record.Section(planmd.CompletionLog) == nil || t.Record.Log.State == state
}

// change is a revision that is one guarded change and nothing else.
func change(operation string, ch update.Change) *publish.Revision {
	return &publish.Revision{Operation: operation, Change: &ch}
}
