package plan

import (
	"slices"
)

// Graph is which tasks of a plan wait for which (GU-7). An Overview has that of its tasks.
type Graph struct {
	ids      []int          // numbers of the tasks of index and state, ascending
	last     int            // the Final Review: the last task of the index (PD-7)
	declared map[int][]int  // "Depends on" lines
	groups   [][]int        // groups of the parallel groups table, in order of their first row
	names    map[string]int // place of a group in groups, by name
	group    map[int]int    // place of a task's group in groups
}

// Graph reads the dependencies of a plan. Callers that have an Overview take its own.
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

// Remaining is what is not done yet of a plan, summed up so that each of many tasks can be asked about in little time.
type Remaining struct {
	graph     *Graph
	satisfied map[int]bool
	all       []int // every open task, ascending
	loose     []int // those outside the groups, ascending
	grouped   []int // those of the groups, group by group
	before    []int // per group: how many of grouped stand in earlier groups
}

// Remaining sums up the tasks that are neither completed nor skipped (PS-10). Of two views with one number both must be.
func (g *Graph) Remaining(tasks []TaskView) *Remaining {
	r := &Remaining{graph: g, satisfied: map[int]bool{}}
	for i := range tasks {
		t := &tasks[i]
		was, seen := r.satisfied[t.ID]
		r.satisfied[t.ID] = t.satisfied() && (was || !seen)
	}
	for _, id := range g.ids {
		if r.satisfied[id] {
			continue
		}
		r.all = append(r.all, id)
		if _, grouped := g.group[id]; !grouped {
			r.loose = append(r.loose, id)
		}
	}
	for _, members := range g.groups {
		r.before = append(r.before, len(r.grouped))
		for _, id := range members {
			if !r.satisfied[id] {
				r.grouped = append(r.grouped, id)
			}
		}
	}
	return r
}

// Before tells which open tasks a task waits for: some of them, at most most, ascending; and how many there are. It agrees
// with DependsOn, but takes no time for those that it doesn't name: in a plan of thousands of tasks each may wait
// for thousands.
func (r *Remaining) Before(id, most int) (some []int, count int) {
	g := r.graph
	if _, known := slices.BinarySearch(g.ids, id); !known {
		return nil, 0
	}
	row, grouped := g.group[id]
	line, declared := g.declared[id]
	switch {
	case id == g.last:
		some, count = slices.Clone(r.all[:min(most+1, len(r.all))]), len(r.all)
		if !r.satisfied[id] { // it doesn't wait for itself
			some, count = slices.DeleteFunc(some, func(other int) bool { return other == id }), count-1
		}
	case declared:
		some = slices.DeleteFunc(slices.Clone(line), func(d int) bool { return r.satisfied[d] })
		slices.Sort(some)
		some = slices.Compact(some)
		count = len(some)
	case grouped:
		loose, _ := slices.BinarySearch(r.loose, id)
		some = slices.Concat(r.loose[:min(most, loose)], r.grouped[:min(most, r.before[row])])
		slices.Sort(some)
		count = loose + r.before[row]
	default:
		count, _ = slices.BinarySearch(r.all, id)
		some = slices.Clone(r.all[:min(most, count)])
	}
	return some[:min(most, len(some))], count
}

// ready reports whether everything that a task waits for is done.
func (r *Remaining) ready(id int) bool {
	_, count := r.Before(id, 0)
	return count == 0
}

// next is the lowest open task of the index that waits for nothing (C27). Blocked tasks are not offered, nor
// skipped ones (C105), nor what no box of the index names.
func (g *Graph) next(tasks []TaskView) int {
	left := g.Remaining(tasks)
	next := 0
	for i := range tasks {
		t := &tasks[i]
		if t.Line == nil || t.Line.Box == nil || !t.offered() || next != 0 && t.ID >= next {
			continue
		}
		if left.ready(t.ID) {
			next = t.ID
		}
	}
	return next
}
