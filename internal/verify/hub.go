package verify

import (
	"fmt"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
)

func isHub(c *checker) bool { return c.s.Coordinates() }

// checkHub: a hub keeps ORCHESTRATOR_MANIFEST.md with a tracking table whose rows can be followed (AG-4). Whether the child plans are
// there, and name this hub, is for status to tell: verify looks at one plan folder only.
func checkHub(c *checker) {
	h := c.s.Hub
	if h == nil {
		// One that can't be read is reported as such.
		if _, there := c.s.Nodes[plan.HubFile]; !there {
			c.add("hub/manifest", rule.Place{File: plan.HubFile}, "the plan is a hub, and "+plan.HubFile+" is missing", "write it, with a tracking table of the child plans")
		}
		return
	}
	if !h.Table {
		c.add("hub/manifest", rule.Place{File: plan.HubFile}, "no tracking table stands in it", "add a table with the columns Repository, Plan, Hub task, Status")
	}
	exists := map[int]bool{}
	for _, t := range c.view.Tasks {
		exists[t.ID] = true
	}
	for i := range h.Children {
		child := &h.Children[i]
		var wrong []string
		if _, ok := plan.ChildPath(child.Repository); !ok {
			wrong = append(wrong, fmt.Sprintf("its repository %s is no path from the hub's root", quote(child.Repository)))
		}
		if !plan.ValidName(plan.NormaliseName(child.Plan)) {
			wrong = append(wrong, fmt.Sprintf("%s is no name of a plan", quote(child.Plan)))
		}
		if child.Task > 0 && !exists[child.Task] {
			wrong = append(wrong, fmt.Sprintf("it names task %d, which does not exist", child.Task))
		}
		if len(wrong) > 0 {
			c.add("hub/row", docPlace(plan.HubFile, &h.Doc, child.Span, 0), fmt.Sprintf("row %d: %s", i+1, strings.Join(wrong, "; ")),
				"name repository, plan and an existing task")
		}
	}
}
