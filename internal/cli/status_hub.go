package cli

import (
	"fmt"
	"path"
	"strings"

	"github.com/deepworkplan/dwp/internal/author"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/state"
)

// hubOf is what status tells of a hub: its child plans as they stand in their own repositories, read there and not changed
// (AG-4, PS-20).
type hubOf struct {
	// Listed are the rows of the tracking table, Found those whose plan was read, Done those that are completed.
	Listed int `json:"listed"`
	Found  int `json:"found"`
	Done   int `json:"completed"`
	// Completed and Total count the tasks of the plans that were read.
	Completed int         `json:"completed_count"`
	Total     int         `json:"task_count"`
	Children  []childPlan `json:"children"`
	Warnings  []string    `json:"warnings"` // of the hub as a whole
}

// childPlan is one child plan.
type childPlan struct {
	Repository string         `json:"repository"`
	Plan       string         `json:"plan"`
	Task       *int           `json:"task"` // the hub's task that waits for it
	DependsOn  []string       `json:"depends_on"`
	Recorded   string         `json:"recorded"` // its status as the hub's table has it
	Fate       plan.ChildFate `json:"fate"`
	Path       string         `json:"path"` // "" when it was not found
	Status     state.Status   `json:"status"`
	Completed  int            `json:"completed_count"`
	Total      int            `json:"task_count"`
	Next       *int           `json:"next_task"`
	Hold       plan.Hold      `json:"hold"`
	Parent     string         `json:"parent_plan"`
	Linked     bool           `json:"linked"` // it names this hub as its parent
	Warnings   []string       `json:"warnings"`
}

// hubOfPlan looks at a hub's child plans; nil when the plan is none.
func hubOfPlan(s *plan.Snapshot, root plan.Root) *hubOf {
	if !s.Coordinates() {
		return nil
	}
	h := &hubOf{Children: []childPlan{}, Warnings: []string{}}
	switch {
	case s.Hub == nil:
		h.warn("there is no %s that could be read: which child plans it coordinates is not known", plan.HubFile)
		return h
	case !s.Hub.Table:
		h.warn("%s has no tracking table: a table with the columns Repository and Plan", plan.HubFile)
	case len(s.Hub.Children) > plan.MaxChildren:
		h.warn("%d child plans are listed; only the first %d were looked at", len(s.Hub.Children), plan.MaxChildren)
	}
	h.Listed = len(s.Hub.Children)
	name := s.Names(root)[0]
	for _, c := range s.Children(root) {
		view := seenChild(&c)
		if c.Fate == plan.ChildFound {
			h.Found++
			h.Completed += view.Completed
			h.Total += view.Total
			if view.Status == state.Completed {
				h.Done++
			}
			if !c.Linked {
				view.Warnings = append(view.Warnings, unlinked(&c, name))
			}
		}
		h.Children = append(h.Children, view)
	}
	return h
}

func (h *hubOf) warn(format string, args ...any) {
	h.Warnings = append(h.Warnings, fmt.Sprintf(format, args...))
}

// seenChild copies what is known of a child plan.
func seenChild(c *plan.Child) childPlan {
	v := childPlan{
		Repository: kept(c.Repository), Plan: kept(c.Plan), Task: optional(c.Task), DependsOn: []string{}, Recorded: kept(c.Status), Fate: c.Fate, Path: c.Path,
		Parent: kept(c.Parent), Linked: c.Linked, Warnings: []string{},
	}
	for _, name := range c.DependsOn {
		v.DependsOn = append(v.DependsOn, kept(name))
	}
	if c.Fate == plan.ChildFound {
		o := &c.Overview
		v.Status, v.Completed, v.Total, v.Next, v.Hold = kept(o.Status), o.Completed, o.Total, optional(o.Next), o.Hold
		return v
	}
	v.Warnings = append(v.Warnings, lostChild(c))
	return v
}

// lostChild says why a child plan's progress is not known.
func lostChild(c *plan.Child) string {
	switch c.Fate {
	case plan.ChildNoRepository:
		return "not found: no folder " + path.Base(path.Clean(c.Repository)) + " there, below the hub's root or beside it"
	case plan.ChildMissing:
		return "not found: its repository has no such plan"
	case plan.ChildForeign:
		return "what has its name is no plan"
	case plan.ChildOutside:
		return "not looked at: its path leads elsewhere"
	}
	return "can't be read: " + cause(c.Err).Error()
}

// unlinked says whom a child plan names instead of its hub.
func unlinked(c *plan.Child, hub string) string {
	if c.Parent == "" {
		return "it names no parent plan; its hub is " + hub
	}
	return "it names another parent, " + c.Parent + ", not " + hub
}

// line is the totals of a hub in one line.
func (h *hubOf) line() string {
	return fmt.Sprintf("%d of %d child plans found, %d completed; %s tasks", h.Found, h.Listed, h.Done, countOf(h.Completed, h.Total))
}

// write prints the totals, and unless brief each child plan.
//
//	Children    1 of 2 child plans found, 0 completed; 1/4 tasks
//	    services/api PLAN_token_api: in progress, 1/4
//	      for task 2; next is task 2: nothing is open
//	    ../web PLAN_sign_in
//	      not found: no folder web there
func (h *hubOf) write(p page, brief bool) {
	if h == nil {
		return
	}
	p.labelled("  Children", statusLabel, h.line())
	for _, w := range h.Warnings {
		p.labelled("  Warning", statusLabel, w)
	}
	doubtful := 0
	for i := range h.Children {
		c := &h.Children[i]
		if doubtful += min(len(c.Warnings), 1); !brief {
			c.write(p)
		}
	}
	if brief && doubtful > 0 {
		p.labelled("", statusLabel, fmt.Sprintf("%d with a warning: dwp status of this plan alone tells", doubtful))
	}
}

func (c *childPlan) write(p page) {
	head := c.Repository + " " + c.Plan
	if c.Fate == plan.ChildFound {
		head += ": " + statusWords(c.Status) + ", " + countOf(c.Completed, c.Total)
	}
	p.flow("    ", 4, 6, cleanLine(head))
	var facts []string
	if c.Task != nil {
		facts = append(facts, fmt.Sprintf("for task %d", *c.Task))
	}
	if len(c.DependsOn) > 0 {
		facts = append(facts, "after "+strings.Join(c.DependsOn, ", "))
	}
	switch {
	case c.Fate != plan.ChildFound || c.Hold == plan.HoldCompleted:
	case c.Next == nil || c.Hold != plan.HoldNone:
		facts = append(facts, holdWords(c.Hold))
	default:
		facts = append(facts, fmt.Sprintf("next is its task %d", *c.Next))
	}
	// The hub's table is shown where it says something else than the plan itself, or is all there is.
	if c.Recorded != "" && c.Recorded != author.Unrecorded && (c.Fate != plan.ChildFound || !strings.Contains(c.Recorded, countOf(c.Completed, c.Total))) {
		facts = append(facts, "the table says "+c.Recorded)
	}
	if len(facts) > 0 {
		p.para(6, strings.Join(facts, "; "))
	}
	for _, w := range c.Warnings {
		p.para(6, "warning: "+w)
	}
}
