package verify

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
)

// This file: the order of tasks and what they declare to depend on (GU-7).

// checkOrder: nothing starts before what it depends on is done (GU-7, PS-10).
func checkOrder(c *checker) {
	left := c.view.Graph().Remaining(c.view.Tasks)
	for _, t := range c.view.Tasks {
		if t.ID == 0 || !begun(t) {
			continue
		}
		some, count := left.Before(t.ID, most)
		if count == 0 || t.Status == state.Completed && count == len(some) && c.preserved(t.ID, some) {
			continue
		}
		word := "started"
		if t.Status == state.Completed {
			word = "completed"
		}
		c.add("order/too-early", c.taskPlace(t), fmt.Sprintf("it was %s before %s, on which it depends", word, someTasks(some, count)), "finish what comes first, or declare the dependencies with Depends on lines")
	}
}

// preserved reports whether tasks that come before a completed one are open again by amendments which say that it stays as it is,
// and why: then it was not done too early (GU-6).
func (c *checker) preserved(task int, before []int) bool {
	for _, id := range before {
		i := slices.IndexFunc(c.view.Tasks, func(t plan.TaskView) bool { return t.ID == id })
		if i < 0 || c.view.Tasks[i].Record == nil || c.view.Tasks[i].Entry == nil {
			return false
		}
		reopened := func(g state.Gate) bool { return evidence.Invalidated(g.Evidence) }
		log := c.view.Tasks[i].Record.Log.Amendments
		if len(log) == 0 || !slices.ContainsFunc(c.view.Tasks[i].Entry.Gates, reopened) || Spoken(&log[len(log)-1], c.view.Total)[task] != FatePreserved {
			return false
		}
	}
	return true
}

// someTasks names count tasks, some of them by number: "task 2", "tasks 1-3", "tasks 1, 3, 5, 7 and 12 more".
func someTasks(some []int, count int) string {
	text := "tasks " + ranges(some)
	switch {
	case count == 1:
		return "task " + ranges(some)
	case count > len(some):
		text += fmt.Sprintf(" and %d more", count-len(some))
	}
	return text
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

// arrows writes a closed cycle: "1 → 2 → 1". A long one is cut: a message is no listing.
func arrows(cycle []int) string {
	const longest = 12
	var words []string
	for i, id := range cycle {
		if i == longest && len(cycle) > longest+1 {
			words = append(words, "...", strconv.Itoa(cycle[len(cycle)-1]))
			break
		}
		words = append(words, strconv.Itoa(id))
	}
	return strings.Join(words, " → ")
}

// findCycle returns one cycle of a graph, closed (first and last equal), or nil. It keeps its own stack, so that
// thousands of tasks in a chain do no harm.
func findCycle(edges map[int][]int) []int {
	const fresh, open, closed = 0, 1, 2
	mark := map[int]int{}
	for _, root := range slices.Sorted(maps.Keys(edges)) {
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
				return append(slices.Clone(stack[slices.Index(stack, to):]), to)
			case mark[to] == fresh:
				mark[to] = open
				stack = append(stack, to)
			}
		}
	}
	return nil
}
