package verify

import (
	"fmt"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
)

// This file: the order of tasks and what they declare to depend on (GU-7).

// checkOrder: nothing starts before what it depends on is done (GU-7, PS-10).
func checkOrder(c *checker) {
	done := map[int]bool{}
	for _, t := range c.view.Tasks {
		done[t.ID] = t.Status == state.Completed || t.Status == state.Skipped
	}
	graph := c.s.Graph()
	for _, t := range c.view.Tasks {
		if t.ID == 0 || !begun(t) {
			continue
		}
		var open []int
		for _, d := range graph.DependsOn(t.ID) {
			if !done[d] {
				open = append(open, d)
			}
		}
		if len(open) > 0 {
			word := "started"
			if t.Status == state.Completed {
				word = "completed"
			}
			c.add("order/too-early", c.taskPlace(t), fmt.Sprintf("it was %s before task %s, on which it depends", word, ranges(open)), "finish what comes first, or declare the dependencies with Depends on lines")
		}
	}
}

// begun: completed or in progress, by the box or by the entry.
func begun(t plan.TaskView) bool {
	if t.Checked || t.Status == state.InProgress {
		return true
	}
	return t.Entry != nil && (t.Entry.Status == state.Completed || t.Entry.Status == state.InProgress)
}

// checkDepends: dependencies name existing tasks and have no cycle (GU-7).
func checkDepends(c *checker) {
	exists := map[int]bool{}
	edges := map[int][]int{}
	for _, t := range c.view.Tasks {
		exists[t.ID] = true
	}
	for _, t := range c.view.Tasks {
		if t.Record == nil || !t.Record.HasDepends {
			continue
		}
		edges[t.ID] = t.Record.DependsOn
		for _, d := range t.Record.DependsOn {
			if !exists[d] || d == t.ID {
				c.add("depends/unknown-task", docPlace(t.File, t.Doc, t.Record.DependsAt, t.ID), fmt.Sprintf("it depends on task %d, which is not another task of the plan", d), "name existing tasks")
			}
		}
	}
	if cycle := findCycle(edges); len(cycle) > 0 {
		c.add("depends/cycle", rule.Place{File: "README.md", Task: cycle[0]}, "tasks wait for each other: "+arrows(cycle), "remove one of the dependencies")
	}
}

func arrows(ids []int) string {
	text := ""
	for i, id := range ids {
		if i > 0 {
			text += " → "
		}
		text += fmt.Sprint(id)
	}
	return text
}

// findCycle returns one cycle of a graph, closed (first and last equal), or nil. It keeps its own stack, so that
// thousands of tasks in a chain do no harm.
func findCycle(edges map[int][]int) []int {
	const fresh, open, closed = 0, 1, 2
	mark := map[int]int{}
	for _, root := range sortedKeys(edges) {
		var stack []int
		next := map[int]int{}
		if mark[root] == fresh {
			stack = append(stack, root)
			mark[root] = open
		}
		for len(stack) > 0 {
			at := stack[len(stack)-1]
			if next[at] == len(edges[at]) {
				mark[at] = closed
				stack = stack[:len(stack)-1]
				continue
			}
			to := edges[at][next[at]]
			next[at]++
			switch {
			case mark[to] == open && to != at:
				return closeCycle(stack, to)
			case mark[to] == fresh:
				mark[to] = open
				stack = append(stack, to)
			}
		}
	}
	return nil
}

func closeCycle(stack []int, to int) []int {
	for i, id := range stack {
		if id == to {
			return append(append([]int(nil), stack[i:]...), to)
		}
	}
	return nil
}
