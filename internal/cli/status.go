package cli

import (
	"fmt"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/verify"
	"github.com/spf13/cobra"
)

// statusCmd is the status report of WP-3, and of C125.
func (a *app) statusCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "status [PLAN]",
		Short:   "Show how far plans got",
		GroupID: groupLook,
		Long: `Show how far plans got: completed, in progress and pending work apart, the next
task, checkpoint and blocker, who changed the plan last and when, and where
README.md and state.json disagree. Without PLAN, every plan is shown. Of a hub
the child plans are shown, too, as they stand in their own repositories.

The folder that is read is named, with the time its state was updated: in
another work tree there may be an older copy of the same plan.

Exit codes: 0; 3 when there are no plans, or one of them can't be read.`,
		Example: `  dwp status
  dwp status quote_service
  dwp status latest --json`,
		Args:              atMost(1),
		ValidArgsFunction: a.completePlans,
		RunE:              func(_ *cobra.Command, args []string) error { return a.status(args) },
	}
}

// statusOf is one plan as status tells of it.
type statusOf struct {
	Plan string `json:"plan"`
	// Path is the folder that is read, absolute (C125).
	Path            string    `json:"path"`
	Title           string    `json:"title"`
	Era             state.Era `json:"era"`
	Format          string    `json:"format"`
	Materialization string    `json:"materialization"`
	// Approval is "" in generations that have no such axis (PS-8).
	Approval string `json:"approval"`
	// Status, Completed and Total follow the boxes of the README; state.json only fills in (PS-1, PS-18).
	Status    state.Status `json:"status"`
	Completed int          `json:"completed_count"`
	Total     int          `json:"task_count"`
	// Next is null when no task is open; Hold says why none may start now all the same, or is "".
	Next       *int        `json:"next_task"`
	Hold       plan.Hold   `json:"hold"`
	UpdatedAt  string      `json:"updated_at"` // as state.json says; "" without one
	ChangedAt  string      `json:"changed_at"` // when README.md or state.json was written last
	UpdatedBy  *actor      `json:"updated_by"`
	Checkpoint *checkpoint `json:"checkpoint"`
	Blocked    *blocker    `json:"blocked"`
	Lease      *held       `json:"lease"` // of the unattended turn at work; null without one
	Tasks      []taskOf    `json:"tasks"`
	Hub        *hubOf      `json:"hub"` // null unless the plan coordinates child plans
	// Findings are must findings that make this picture doubtful; verify has them all.
	Findings []rule.Finding `json:"findings"`
	Error    *errorBody     `json:"error"`
}

// actor, checkpoint, blocker and taskOf are parts of the JSON answers; times are RFC 3339 in UTC, or as written (C137).
type actor struct {
	Agent string `json:"agent"`
	Model string `json:"model"`
}

type checkpoint struct {
	Task int    `json:"task"`
	Step string `json:"step"`
	Note string `json:"note"`
	At   string `json:"at"`
}

type blocker struct {
	Task   int    `json:"task"`
	Reason string `json:"reason"`
	Needs  string `json:"needs"`
	Since  string `json:"since"`
}

type taskOf struct {
	ID     int          `json:"id"`
	Title  string       `json:"title"`
	Status state.Status `json:"status"`
	// Checked is the README box, which wins over state.json.
	Checked bool `json:"checked"`
	// File holds the record, relative to the plan folder.
	File string `json:"file"`
}

// status answers with one plan or all of them. An unreadable one is shown as such and makes the exit code 3.
func (a *app) status(args []string) error {
	targets, _, err := a.targets(args)
	// "No plans" is an answer in JSON, an empty list with an error; in text it is only a message.
	f := failureOfOrNil(err)
	if f != nil && (f.code != "no-plans" || !a.json) {
		return f
	}
	plans := make([]statusOf, len(targets))
	parallel(len(targets), func(i int) { plans[i] = a.statusOne(targets[i]) })
	code := ExitOK
	for i := range plans {
		if plans[i].Error != nil {
			code = ExitCannot
		}
	}
	if f != nil {
		code = f.exit
	}
	if a.json {
		a.writeJSON(struct {
			opening
			Plans []statusOf `json:"plans"`
			closing
		}{opened("status"), plans, closed(nil, f)})
		return answer(code)
	}
	for i := range plans {
		if i > 0 {
			a.page().line("")
		}
		writeStatus(a.page(), &plans[i], len(plans) > 1)
	}
	return answer(code)
}

// statusOne reads one plan and picks the findings that make its picture of progress doubtful (PS-18).
func (a *app) statusOne(t target) statusOf {
	v := statusOf{Plan: t.Name, Path: t.Path, Era: state.None, Tasks: []taskOf{}, Findings: []rule.Finding{}}
	s, err := plan.Open(t.Path)
	if err != nil {
		v.Error = &errorBody{Code: "unreadable", Message: cause(err).Error()}
		return v
	}
	v.fill(s.Overview(), s.State)
	v.Lease = leaseOf(s, t.Path)
	v.Hub = hubOfPlan(s, t.root)
	if at := s.Changed(); !at.IsZero() {
		v.ChangedAt = utc(at)
	}
	r := verify.Plan(s, verify.Options{Now: a.env.Now(), InGit: t.root.Git != ""})
	// The whole of verify runs for a few of its rules: two ideas of what is out of step would differ some day.
	for _, f := range r.Findings {
		if f.Level == rule.Must && bearsOnStatus(f.Rule) {
			v.Findings = append(v.Findings, f)
		}
	}
	return v
}

// bearsOnStatus picks the rules whose breach makes the picture of progress doubtful: desync, what can't be read, and what was left half done.
// The others are verify's business.
func bearsOnStatus(id string) bool {
	group, _, _ := strings.Cut(id, "/")
	switch group {
	case "desync", "index", "json", "schema", "text", "operation", "publication", "promotion", "materialization", "standard":
		return true
	}
	return id == "layout/readme" || id == "layout/json-alone" || id == "layout/not-a-file"
}

// fill copies the overview, and what only state.json knows.
func (v *statusOf) fill(o plan.Overview, st *state.State) {
	v.Title, v.Era, v.Format = kept(o.Title), o.Era, kept(o.Format)
	v.Materialization, v.Approval = kept(o.Materialization), kept(o.Approval)
	v.Status, v.Completed, v.Total, v.Next, v.Hold = kept(o.Status), o.Completed, o.Total, optional(o.Next), o.Hold
	for _, t := range o.Tasks {
		v.Tasks = append(v.Tasks, taskOf{t.ID, kept(t.Title), kept(t.Status), t.Checked, kept(t.File)})
	}
	if st == nil {
		return
	}
	v.UpdatedAt = kept(timeText(st.UpdatedAt))
	if by := st.UpdatedBy; by != nil {
		v.UpdatedBy = &actor{kept(by.Agent), kept(by.Model)}
	}
	if c := st.Checkpoint; c != nil {
		v.Checkpoint = &checkpoint{c.Task, kept(c.Step), kept(c.Note), kept(timeText(c.At))}
	}
	if b := st.Blocked; b != nil {
		v.Blocked = &blocker{b.Task, kept(b.Reason), kept(b.Needs), kept(timeText(b.Since))}
	}
}

// timeText shows a recorded time in UTC; a bare date, and what isn't a time, as it was written (C137).
func timeText(t state.Time) string {
	if t.DateOnly || t.Value.IsZero() {
		return t.Text
	}
	return utc(t.Value)
}

const statusLabel = 14

// writeStatus prints one plan: facts in two columns, tasks by status, findings.
//
//	PLAN_tea_timer
//	  Title       Tea timer
//	  Status      in progress; approved
//	  Format      lite, schema v5
//	  Progress    [##########--------------------] 1/3
//	  Completed
//	      1  Boil water
//
// Facts that a plan doesn't have (checkpoint, blocker) have no line. brief is for a list of plans: a hub's child plans are one line there.
func writeStatus(p page, v *statusOf, brief bool) {
	p.line("%s", p.paint(bold, cleanLine(v.Plan)))
	p.labelled("  Title", statusLabel, v.Title)
	p.labelled("  Folder", statusLabel, v.Path)
	if v.Error != nil {
		p.labelled("  Unreadable", statusLabel, v.Error.Message)
		return
	}
	p.labelled("  Updated", statusLabel, v.updated())
	p.labelled("  Status", statusLabel, v.words())
	p.labelled("  Format", statusLabel, joined(", ", v.Format, eraWords(v.Era)))
	p.line("%s%s", pad("  Progress", statusLabel), bar(v.Completed, v.Total, 30))
	p.labelled("  Next", statusLabel, v.next())
	if c := v.Checkpoint; c != nil {
		p.labelled("  Checkpoint", statusLabel, joined(" - ", fmt.Sprintf("task %d: %s", c.Task, c.Step), c.Note, c.At))
	}
	if b := v.Blocked; b != nil {
		p.labelled("  Blocked", statusLabel, joined(" - ", fmt.Sprintf("task %d", b.Task), b.Reason, "since "+b.Since))
		p.labelled("  Needs", statusLabel, b.Needs)
	}
	if v.Lease != nil {
		p.labelled("  Turn", statusLabel, v.Lease.atWork())
	}
	v.writeTasks(p)
	v.Hub.write(p, brief)
	for _, f := range v.Findings {
		writeFinding(p.in(v.Path), f, false)
	}
}

// updated says when and by whom the state was written, or that there is none.
func (v *statusOf) updated() string {
	switch {
	case v.UpdatedAt == "" && v.Era == state.None:
		return joined(" ", v.ChangedAt, "by the file's time: there is no state.json")
	case v.UpdatedAt == "":
		return joined(" ", v.ChangedAt, "by the files' times: state.json does not say")
	case v.UpdatedBy == nil:
		return v.UpdatedAt
	}
	return v.UpdatedAt + " by " + joined(" / ", v.UpdatedBy.Agent, v.UpdatedBy.Model)
}

// words is like "in progress; approved". Each of the axes names itself where its value alone would not say which one it
// is (PS-8), and being ready goes without saying.
func (v *statusOf) words() string {
	approval := strings.ReplaceAll(v.Approval, "_", "-")
	if v.Approval == planmd.ApprovalPending {
		approval = "approval pending"
	}
	materialization := v.Materialization
	if materialization == "ready" {
		materialization = ""
	}
	return joined("; ", statusWords(v.Status), materialization, approval)
}

// eraWords names the generation of the JSON files.
func eraWords(e state.Era) string {
	switch e {
	case state.None:
		return "no JSON files"
	case state.Unknown:
		return "unknown schema"
	}
	return "schema " + string(e)
}

// next names the next task, or says why none may start.
func (v *statusOf) next() string {
	if v.Next == nil || v.Hold != plan.HoldNone {
		return holdWords(v.Hold)
	}
	for _, t := range v.Tasks {
		if t.ID == *v.Next {
			return fmt.Sprintf("task %d: %s", t.ID, t.Title)
		}
	}
	return fmt.Sprintf("task %d", *v.Next)
}

// writeTasks lists completed, running and pending work apart (WP-3).
func (v *statusOf) writeTasks(p page) {
	for _, s := range []state.Status{state.Completed, state.InProgress, state.Blocked, state.Pending, state.Skipped} {
		first := true
		for _, t := range v.Tasks {
			if t.Status != s {
				continue
			}
			if first {
				p.line("  %s", capital(statusWords(s)))
				first = false
			}
			p.flow(fmt.Sprintf("    %3d  ", t.ID), 9, 9, cleanLine(t.Title))
		}
	}
}

// statusWords is a status as people read it.
func statusWords(s state.Status) string {
	if s == "" {
		return "unknown"
	}
	return strings.ReplaceAll(string(s), "_", " ")
}

// capital writes the first letter, which is ASCII, in upper case.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// bar is like "[######----] 3/5".
func bar(done, total, width int) string {
	// A count beyond the total is a fault that verify names; the bar only must not break on it.
	filled := 0
	if total > 0 {
		filled = min(max(done, 0), total) * width / total
	}
	return "[" + strings.Repeat("#", filled) + strings.Repeat("-", width-filled) + "] " + countOf(done, total)
}

// countOf is like "3/5".
func countOf(done, total int) string { return fmt.Sprintf("%d/%d", done, total) }

// joined joins the texts that are not empty.
func joined(separator string, texts ...string) string {
	var full []string
	for _, t := range texts {
		if t != "" {
			full = append(full, t)
		}
	}
	return strings.Join(full, separator)
}
