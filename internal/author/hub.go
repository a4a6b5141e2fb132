package author

import (
	"cmp"
	"fmt"
	"path"
	"strings"
	"unicode"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/strictjson"
)

// Hub is the archetype of a plan that coordinates child plans in other repositories (AG-4, PS-6).
const Hub = "orchestrator-hub"

// Child is a child plan that a hub coordinates.
type Child struct {
	Repository string // its folder, relative to the hub's root: below it, or beside it as "../name"
	Plan       string // PLAN_x
	Task       int    // the hub's task that waits for it; 0 for none
	// DependsOn are the child plans that it waits for, by the plan's name, or as "repository:PLAN_x" where a name stands twice.
	DependsOn []string
	Notes     string

	place string // where it stands in the outline
}

// name is the child's plan as it is named everywhere.
func (c *Child) name() string { return plan.NormaliseName(c.Plan) }

// id is how a hub's texts name the child: "api:PLAN_token_api".
func (c *Child) id() string { return path.Base(path.Clean(c.Repository)) + ":" + c.name() }

// children reads the section "Child Plans" of an outline.
func (m *markdown) children(h *planmd.Hub) []Child {
	var list []Child
	for i := range h.Children {
		c := &h.Children[i]
		list = append(list, Child{c.Repository, c.Plan, c.Task, c.DependsOn, c.Notes, m.place(c.Span.Start)})
	}
	if h.Table && len(list) == 0 { // said, and not understood: nothing of an outline is lost in silence
		m.gaps = append(m.gaps, Gap{"outline", "the section Child Plans names none: give a table with the columns Repository and Plan, or leave it out"})
	}
	return list
}

// child reads one child plan of an outline in JSON.
func (d *decoder) child(at string, v *strictjson.Value) Child {
	c := Child{place: at}
	d.object(at, v, map[string]reading{
		"repository": d.text(&c.Repository), "plan": d.text(&c.Plan), "depends_on": d.texts(&c.DependsOn), "notes": d.text(&c.Notes),
		"task": d.number(&c.Task),
	})
	return c
}

// encode is one child plan as JSON.
func (c *Child) encode() *strictjson.Value {
	v := strictjson.NewObject()
	setText(v, "repository", c.Repository)
	setText(v, "plan", c.Plan)
	if c.Task > 0 {
		v.Set("task", strictjson.NewInt(c.Task))
	}
	setList(v, "depends_on", textArray(c.DependsOn))
	setText(v, "notes", c.Notes)
	return v
}

// misplaced: only a hub has child plans, and it is none of them: it would wait for itself.
func (p *Plan) misplaced() []Gap {
	if len(p.Outline.Children) > 0 && p.Archetype != Hub {
		return []Gap{{p.Outline.Children[0].place, "the outline lists child plans, which only a hub has: add --hub"}}
	}
	var list []Gap
	for i := range p.Outline.Children {
		c := &p.Outline.Children[i]
		if at, _ := plan.ChildPath(c.Repository); c.name() == p.Name && (at == "." || at == "../"+p.Repository) {
			place := cmp.Or(c.place, fmt.Sprintf("children[%d]", i))
			list = append(list, Gap{place, fmt.Sprintf("child plan %d: it is the hub itself", i+1)})
		}
	}
	return list
}

// children judges the list of child plans: each has a place and a valid name, stands once, and waits for others of the list, never in a
// ring.
func (c *gaps) children(o *Outline) {
	if len(o.Children) > plan.MaxChildren {
		c.add("outline", fmt.Sprintf("%d child plans; a hub coordinates %d at most", len(o.Children), plan.MaxChildren))
		return
	}
	seen := map[string]bool{}
	for i := range o.Children {
		child := &o.Children[i]
		place := cmp.Or(child.place, fmt.Sprintf("children[%d]", i))
		of := func(what string) string { return fmt.Sprintf("child plan %d: %s", i+1, what) }
		switch _, ok := plan.ChildPath(child.Repository); {
		case strings.TrimSpace(child.Repository) == "":
			c.add(place, of("its repository is missing"))
		case !ok || !writable(child.Repository):
			c.add(place, of(fmt.Sprintf("its repository is %q: write a path from the hub's root, such as services/api or ../web", oneLine(child.Repository))))
		}
		if !ValidName(child.name()) {
			c.add(place, of(fmt.Sprintf("%q is no name of a plan: write PLAN_ and two to five words", oneLine(child.Plan))))
		}
		if child.Task < 0 || child.Task > len(o.Tasks) {
			c.add(place, of(fmt.Sprintf("it belongs to task %d, which the outline has not", child.Task)))
		}
		if key := path.Clean(child.Repository) + ":" + child.name(); seen[key] {
			c.add(place, of("it stands twice"))
		} else {
			seen[key] = true
		}
		for _, name := range child.DependsOn {
			switch found := o.childrenNamed(name); {
			case len(found) == 0:
				c.add(place, of(fmt.Sprintf("it waits for %q, which is no child plan of the list", oneLine(name))))
			case len(found) > 1:
				c.add(place, of(fmt.Sprintf("it waits for %q, which names several: write repository:PLAN_name", oneLine(name))))
			case found[0] == i:
				c.add(place, of("it waits for itself"))
			}
		}
	}
	if stuck := o.stuckChildren(); len(stuck) > 0 {
		c.add("outline", "no child plan could ever start of "+strings.Join(stuck, ", ")+": they wait for each other")
	}
}

// writable reports whether a path can stand in a cell of a table and be read back.
func writable(repository string) bool {
	return repository == strings.TrimSpace(repository) && !strings.ContainsFunc(repository, func(r rune) bool {
		return unicode.IsControl(r) || r == '`' || r == '|' || r == '<'
	})
}

// childrenNamed lists the children that a name stands for, by index.
func (o *Outline) childrenNamed(name string) []int {
	repository, short, both := strings.Cut(name, ":")
	if !both {
		short = name
	}
	var found []int
	for i := range o.Children {
		c := &o.Children[i]
		in := !both || repository == c.Repository || repository == path.Base(path.Clean(c.Repository))
		if in && c.name() == plan.NormaliseName(short) {
			found = append(found, i)
		}
	}
	return found
}

// stuckChildren names the children that can never start: in each round those go whose own list is empty, as long as there are any.
func (o *Outline) stuckChildren() []string {
	waits, followers := make([]int, len(o.Children)), make([][]int, len(o.Children))
	for i := range o.Children {
		for _, name := range o.Children[i].DependsOn {
			if found := o.childrenNamed(name); len(found) == 1 && found[0] != i {
				waits[i]++
				followers[found[0]] = append(followers[found[0]], i)
			}
		}
	}
	var free []int
	for i := range waits {
		if waits[i] == 0 {
			free = append(free, i)
		}
	}
	for len(free) > 0 {
		i := free[0]
		free = free[1:]
		for _, next := range followers[i] {
			if waits[next]--; waits[next] == 0 {
				free = append(free, next)
			}
		}
	}
	var stuck []string
	for i := range waits {
		if waits[i] > 0 {
			stuck = append(stuck, o.Children[i].id())
		}
	}
	return stuck
}

// children compares the tracking table with the list it was made of (faithful).
func (f *fidelity) children(p *Plan, h *planmd.Hub) {
	want := p.Outline.Children
	if p.Archetype != Hub {
		return
	}
	if h == nil || !h.Table || len(h.Children) != len(want) || h.Name != p.self() {
		f.odd("outline", "the list of child plans")
		return
	}
	for i := range want {
		w, got := &want[i], &h.Children[i]
		if got.Repository != w.Repository || got.Plan != w.name() || got.Task != w.Task || (got.Notes == "") != (w.Notes == "") {
			f.odd(cmp.Or(w.place, fmt.Sprintf("children[%d]", i)), fmt.Sprintf("child plan %d", i+1))
		}
	}
}
