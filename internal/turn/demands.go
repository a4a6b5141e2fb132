package turn

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/work"
)

// This file: what tasks demand, and whether a turn left it as it was (AM-1). A gate that was rewritten to pass, or a criterion that was
// taken out, is seen by nobody who looks at the plan afterwards alone.

// weakened: criteria and gates that are gone or say something else, of the turn's task or of another. With an amendment that came in the turn
// it is on record, and told.
func (k *judging) weakened() {
	for i := range k.before.Tasks {
		was := &k.before.Tasks[i]
		is := k.is
		if was.ID != k.Task {
			is = k.others[was.ID]
		}
		if is == nil {
			continue // told as another task that moved
		}
		lost := lost(demands(was), demands(is))
		switch {
		case len(lost) == 0:
		case amendments(is) > amendments(was):
			k.find("turn/demands", "what task %d demands was changed by an amendment: %s", was.ID, few(lost))
		default:
			k.stop(S2, "turn/demands", "put it back, or amend the task", "what task %d demands was changed, and no amendment says why: %s", was.ID, few(lost))
		}
	}
}

// byID are the tasks of an overview by number, the first of each.
func byID(o *plan.Overview) map[int]*plan.TaskView {
	all := map[int]*plan.TaskView{}
	for i := range o.Tasks {
		all[o.Tasks[i].ID] = cmp.Or(all[o.Tasks[i].ID], &o.Tasks[i])
	}
	return all
}

func amendments(t *plan.TaskView) int {
	if t.Record == nil {
		return 0
	}
	return len(t.Record.Log.Amendments)
}

// demands are the criteria of a task, without their boxes, and the commands of its Validation.
func demands(t *plan.TaskView) (list []string) {
	for _, c := range criteria(t) {
		list = append(list, strings.TrimRight(revise.OneLine(c.Text), " .;"))
	}
	if t.Record == nil {
		return list
	}
	if s := t.Record.Section(planmd.Validation); s != nil {
		for _, code := range s.Code {
			for _, command := range work.Commands(code) {
				list = append(list, fmt.Sprintf("`%s`", revise.OneLine(command)))
			}
		}
	}
	return list
}

// lost are those of the demands that stand no more. One behind which a remark was put, "counts agree (12 passed)", stands.
func lost(was, is []string) (gone []string) {
	is = slices.Sorted(slices.Values(is))
	for _, demand := range was {
		at, found := slices.BinarySearch(is, demand)
		if !found && (at == len(is) || !remarked(is[at], demand)) {
			gone = append(gone, demand)
		}
	}
	return gone
}

// remarked reports whether a text is another with a remark behind it, which doesn't go on with its sentence.
func remarked(text, demand string) bool {
	rest, found := strings.CutPrefix(text, demand)
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " .;*_"))
	return found && demand != "" && strings.ContainsRune("([:-=\u2013\u2014\u2192", first)
}
