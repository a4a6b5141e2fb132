package verify

import (
	"fmt"
	"path"
	"strings"
)

// checkGroups: groups name existing tasks once, and never share a file (AG-6).
func checkGroups(c *checker) {
	r := c.s.README
	exists, grouped := map[int]bool{}, map[int]bool{}
	for _, t := range c.view.Tasks {
		exists[t.ID] = true
	}
	last := c.finalReview()
	owners := map[string]*ownership{} // by group
	for row := range r.Groups {
		g := &r.Groups[row]
		at := c.inReadme(g.Span, 0)
		for _, id := range g.Tasks {
			switch {
			case !exists[id]:
				c.add("groups/unknown-task", at, fmt.Sprintf("group %s names task %d, which does not exist", quote(g.Name), id), "name existing tasks")
			case grouped[id]:
				c.add("groups/unknown-task", at, fmt.Sprintf("task %d stands in two groups", id), "a task is in one group")
			case last != nil && last.ID == id && (len(g.Tasks) > 1 || c.rowsOf(g.Name) > 1):
				c.add("groups/final-review", at, fmt.Sprintf("group %s holds the Final Review", quote(g.Name)), "the Final Review runs alone, last")
			}
			grouped[id] = true
		}
		name := strings.ToLower(g.Name)
		if owners[name] == nil {
			owners[name] = &ownership{row: map[string]int{}, below: map[string]int{}}
		}
		for _, file := range g.Owned {
			if owners[name].claim(file, row) {
				c.add("groups/file-ownership", at, fmt.Sprintf("two rows of group %s own %s", quote(g.Name), quote(file)), "give each file one owner, or put the tasks in different groups")
			}
		}
	}
}

// rowsOf counts the rows of a group: one row per teammate.
func (c *checker) rowsOf(name string) int {
	n := 0
	for i := range c.s.README.Groups {
		if strings.EqualFold(c.s.README.Groups[i].Name, name) {
			n++
		}
	}
	return n
}

// ownership is what the rows of one parallel group own (AG-6). A folder owns every file in it.
type ownership struct {
	row   map[string]int // row by cleaned path
	below map[string]int // last row that owns something in a folder
}

// claim notes that a row owns a file or folder, and reports whether another row owns it too, something in it, or a
// folder around it.
func (o *ownership) claim(file string, row int) (taken bool) {
	clean := path.Clean(strings.TrimRight(strings.ReplaceAll(file, "\\", "/"), "/*"))
	if other, ok := o.row[clean]; ok && other != row {
		taken = true
	}
	if other, ok := o.below[clean]; ok && other != row {
		taken = true
	}
	o.row[clean] = row
	// Names in a plan are short; a long one is walked no deeper than a real tree goes.
	const deepest = 64
	for dir, n := path.Dir(clean), 0; dir != "." && dir != "/" && n < deepest; dir, n = path.Dir(dir), n+1 {
		if other, ok := o.row[dir]; ok && other != row {
			taken = true
		}
		o.below[dir] = row
	}
	return taken
}
