package plan

import (
	"slices"
)

// Graph is which tasks of a plan wait for which (GU-7).
type Graph struct {
	ids      []int          // numbers of the tasks of index and state, ascending
	last     int            // the Final Review: the last task of the index (PD-7)
	declared map[int][]int  // "Depends on" lines
	groups   [][]int        // groups of the parallel groups table, in order of their first row
	names    map[string]int // place of a group in groups, by name
	group    map[int]int    // place of a task's group in groups
}

// Graph reads the dependencies of a plan. Callers that ask about many tasks keep it.
func (s *Snapshot) Graph() *Graph { return newGraph(s, s.tasks()) }

// DependsOn lists the tasks that must be completed before task id may start (GU-7): its "Depends on" line; else,
// in a declared group, every task of the earlier groups and every earlier task outside the groups; else every
// earlier task. The Final Review, which is the last task of the index, waits for all others. Numbers are
// ascending, except for those of a line, which are as written: they may name a task that doesn't exist, or itself.
// A task that doesn't exist waits for none.
func (s *Snapshot) DependsOn(id int) []int { return s.Graph().DependsOn(id) }

func newGraph(s *Snapshot, tasks []TaskView) *Graph {
	g := &Graph{declared: map[int][]int{}, group: map[int]int{}, names: map[string]int{}}
	for i := range tasks {
		t := &tasks[i]
		if t.Line != nil || t.Entry != nil {
			g.ids = append(g.ids, t.ID)
		}
		if t.Line != nil {
			g.last = max(g.last, t.ID)
		}
		if t.Record != nil && t.Record.HasDepends {
			g.declared[t.ID] = t.Record.DependsOn
		}
	}
	slices.Sort(g.ids)
	g.ids = slices.Compact(g.ids)
	if g.last == 0 && len(g.ids) > 0 {
		g.last = g.ids[len(g.ids)-1]
	}
	if s.README != nil {
		for _, row := range s.README.Groups {
			g.addGroup(row.Name, row.Tasks)
		}
	}
	return g
}

// addGroup takes one row; rows of one name, one per teammate, are one group (PD-12). A task that stands in two rows
// belongs to the first.
func (g *Graph) addGroup(name string, tasks []int) {
	at, again := g.names[name]
	if !again || name == "" {
		at = len(g.groups)
		g.names[name] = at
		g.groups = append(g.groups, nil)
	}
	for _, id := range tasks {
		if _, known := slices.BinarySearch(g.ids, id); !known {
			continue
		}
		if _, taken := g.group[id]; !taken && id != g.last {
			g.group[id] = at
			g.groups[at] = append(g.groups[at], id)
		}
	}
}

// declares reports whether the plan states any dependency or group.
func (g *Graph) declares() bool { return len(g.declared) > 0 || len(g.group) > 0 }

// DependsOn is Snapshot.DependsOn without reading the plan again.
func (g *Graph) DependsOn(id int) []int {
	at, known := slices.BinarySearch(g.ids, id)
	if !known {
		return nil
	}
	if id == g.last {
		return slices.Concat(g.ids[:at], g.ids[at+1:])
	}
	if line, ok := g.declared[id]; ok {
		return slices.Clone(line)
	}
	row, grouped := g.group[id]
	if !grouped {
		return slices.Clone(g.ids[:at])
	}
	list := slices.Concat(g.groups[:row]...)
	for _, earlier := range g.ids[:at] {
		if _, inGroup := g.group[earlier]; !inGroup {
			list = append(list, earlier)
		}
	}
	slices.Sort(list)
	return list
}

// open is what is not done yet of a plan, summed up so that each task can be asked about at once.
type open struct {
	satisfied map[int]bool
	count     int   // open tasks
	first     int   // the lowest open one
	loose     int   // the lowest open one outside the groups
	before    []int // per group: open tasks in earlier groups
}

func (g *Graph) open(tasks []TaskView) *open {
	o := &open{satisfied: map[int]bool{}, first: maxID, loose: maxID}
	for i := range tasks {
		t := &tasks[i]
		was, seen := o.satisfied[t.ID]
		o.satisfied[t.ID] = t.satisfied() && (was || !seen) // of two with one number, both
	}
	for _, id := range slices.Backward(g.ids) {
		if o.satisfied[id] {
			continue
		}
		o.count++
		o.first = id
		if _, grouped := g.group[id]; !grouped {
			o.loose = id
		}
	}
	sum := 0
	for _, members := range g.groups {
		o.before = append(o.before, sum)
		for _, id := range members {
			if !o.satisfied[id] {
				sum++
			}
		}
	}
	return o
}

const maxID = int(^uint(0) >> 1)

// ready reports whether everything that an open task waits for is done: what DependsOn says, without the list.
func (g *Graph) ready(id int, o *open) bool {
	if id == g.last {
		return o.count == 1
	}
	if line, ok := g.declared[id]; ok {
		return !slices.ContainsFunc(line, func(d int) bool { return !o.satisfied[d] })
	}
	if row, grouped := g.group[id]; grouped {
		return o.before[row] == 0 && o.loose > id
	}
	return o.first == id
}

// next is the lowest open task of the index that waits for nothing (C27). Blocked tasks are not offered, nor
// skipped ones (C105), nor what no box of the index names.
func (g *Graph) next(tasks []TaskView) int {
	o := g.open(tasks)
	next := 0
	for i := range tasks {
		t := &tasks[i]
		if t.Line == nil || t.Line.Box == nil || !t.offered() || next != 0 && t.ID >= next {
			continue
		}
		if g.ready(t.ID, o) {
			next = t.ID
		}
	}
	return next
}
