package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/spf13/cobra"
)

// listCmd lists plans; it answers for a folder with hundreds of them, so it opens them in parallel.
func (a *app) listCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the plans of the repository, newest first",
		GroupID: groupLook,
		Long: `List the plans of the repository, the one changed last first: progress, status,
name, day of the last change (UTC), title. What lies beside them is named too.

Exit codes: 0; 3 when there are no plans, or one of them can't be read.`,
		Example: `  dwp list
  dwp list --json`,
		Args: atMost(0),
		RunE: func(*cobra.Command, []string) error { return a.list() },
	}
}

// listed is one plan as list tells of it.
type listed struct {
	Plan      string       `json:"plan"`
	Path      string       `json:"path"`
	Title     string       `json:"title"`
	Era       state.Era    `json:"era"`
	Format    string       `json:"format"`
	Status    state.Status `json:"status"`
	Completed int          `json:"completed_count"`
	Total     int          `json:"task_count"`
	// Next and Hold are those of status.
	Next *int      `json:"next_task"`
	Hold plan.Hold `json:"hold"`
	// Changed is when README.md or state.json was written last, RFC 3339 in UTC; the list is ordered by it.
	Changed string     `json:"changed_at"`
	Error   *errorBody `json:"error"`

	changed time.Time
}

// list answers with all plans. One that can't be read is listed as such and makes the exit code 3 (C47: the others are
// unaffected).
func (a *app) list() error {
	root, err := a.root()
	if err != nil {
		return err
	}
	targets, beside, err := a.all(root)
	if err != nil {
		return a.listFailed(err, beside)
	}
	plans := make([]listed, len(targets))
	parallel(len(targets), func(i int) { plans[i] = listOne(targets[i]) })
	// Stable, so that plans of one time stand by name.
	slices.SortStableFunc(plans, func(x, y listed) int { return y.changed.Compare(x.changed) })
	if a.json {
		a.writeJSON(listAnswer(plans, beside, nil))
	} else {
		writeList(a.page(), plans, beside)
	}
	// The others are listed all the same; the code says that the list is not whole.
	if slices.ContainsFunc(plans, func(l listed) bool { return l.Error != nil }) {
		return answer(ExitCannot)
	}
	return nil
}

// listFailed answers when there is nothing to list; strays are named all the same.
func (a *app) listFailed(err error, beside []rule.Finding) error {
	f := failureOf(err)
	if a.json {
		a.writeJSON(listAnswer(nil, beside, f))
		return answer(f.exit)
	}
	for _, b := range beside {
		writeFinding(a.page(), b, false)
	}
	return f
}

// listAnswer is the JSON answer; f is why there are no plans, or nil.
func listAnswer(plans []listed, beside []rule.Finding, f *failure) any {
	return struct {
		opening
		Plans []listed `json:"plans"`
		closing
	}{opened("list"), list(plans), closed(beside, f)}
}

// listOne reads one plan.
func listOne(t target) listed {
	l := listed{Plan: t.Name, Path: t.Path, Era: state.None}
	s, err := plan.Open(t.Path)
	if err != nil {
		l.Error = &errorBody{Code: "unreadable", Message: cause(err).Error()}
		return l
	}
	o := s.Overview()
	l.Title, l.Era, l.Format, l.Status, l.Hold = kept(o.Title), o.Era, kept(o.Format), kept(o.Status), o.Hold
	l.Completed, l.Total, l.Next = o.Completed, o.Total, optional(o.Next)
	l.changed = s.Changed()
	if !l.changed.IsZero() {
		l.Changed = utc(l.changed)
	}
	return l
}

// optional is nil for 0, which no task has as its number.
func optional(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

// utc writes a time as RFC 3339 in UTC (C137).
func utc(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// writeList prints the plans in aligned columns, then what lies beside them.
//
//	1/3  in progress  PLAN_tea_timer  2026-09-01  Tea timer
//
// Columns are padded by width on screen, so names in wide characters don't break them.
func writeList(p page, plans []listed, beside []rule.Finding) {
	width := 0
	for i := range plans {
		width = max(width, textWidth(cleanLine(plans[i].Plan)))
	}
	rowWidth := listNameAt + width + 2 + len(time.DateOnly) + 2
	fits := true // titles stand beside the names when there is room for all of them
	for i := range plans {
		fits = fits && rowWidth+textWidth(plans[i].shownTitle()) <= p.width
	}
	for i := range plans {
		writeListed(p, &plans[i], width, fits)
	}
	for _, f := range beside {
		writeFinding(p, f, false)
	}
}

// listNameAt is the column of the names, after progress and status.
const listNameAt = 22

// writeListed prints one plan: progress, status, name, day of the last change, and the title beside them or on a line of
// its own.
func writeListed(p page, l *listed, width int, fits bool) {
	name := cleanLine(l.Plan)
	if l.Error != nil {
		p.flow(pad("      ?  unreadable", listNameAt), listNameAt, listNameAt, name+" "+cleanLine(l.Error.Message))
		return
	}
	head := fmt.Sprintf("%7s", countOf(l.Completed, l.Total))
	row := pad(pad(head, 9)+statusWords(l.Status), listNameAt) + name
	day, title := l.day(), l.shownTitle()
	if listNameAt+width+2+len(day) <= p.width {
		row += strings.Repeat(" ", width-textWidth(name)+2) + day
	} else {
		title = joined("  ", day, title) // a narrow terminal: the day goes below, too
	}
	switch {
	case title == "":
		p.line("%s", row)
	case fits:
		p.line("%s  %s", row, title)
	default:
		p.line("%s\n%s%s", row, strings.Repeat(" ", listNameAt), cut(title, p.width-listNameAt))
	}
}

// shownTitle is the title, cleaned; "" when it only repeats the name.
func (l *listed) shownTitle() string {
	if l.Title == l.Plan {
		return ""
	}
	return cleanLine(l.Title)
}

// day is the day of the last change, in UTC.
func (l *listed) day() string {
	if l.changed.IsZero() {
		return "unknown   "
	}
	return l.changed.UTC().Format(time.DateOnly)
}
