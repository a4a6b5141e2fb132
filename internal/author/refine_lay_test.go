package author

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
	"github.com/deepworkplan/dwp/internal/verify"
)

var layTime = time.Date(2026, 10, 1, 9, 0, 0, 0, time.UTC)

// texts are the files of a plan.
type texts map[string]string

func madeTexts(spec plantest.Spec) texts {
	out := texts{}
	for name, f := range plantest.Plan(spec) {
		out[name] = string(f.Data)
	}
	return out
}

func (x texts) read(t *testing.T) *plan.Snapshot {
	t.Helper()
	s, err := plan.Read(folderOf(x), plantest.Name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// after are the files of a plan as a revision leaves them.
func (x texts) after(r *publish.Revision) texts {
	out := texts{}
	for name, text := range x {
		out[name] = text
	}
	for _, c := range r.Changes {
		if c.Remove {
			delete(out, c.Path)
		} else {
			out[c.Path] = string(c.Data)
		}
	}
	return out
}

// laid lays the tasks of a plan out anew; order names tasks by old number, 0 is a new one, negative a task that moved.
func laid(t *testing.T, x texts, order ...int) texts {
	t.Helper()
	d := revise.New(x.read(t), revise.Who{Now: layTime})
	var slots []slot
	for _, n := range order {
		switch {
		case n == 0:
			slots = append(slots, slot{task: newTask("Check the shards")})
		case n < 0:
			slots = append(slots, slot{old: -n, moved: true})
		default:
			slots = append(slots, slot{old: n})
		}
	}
	if _, err := lay(d, slots, nil); err != nil {
		t.Fatal(err)
	}
	r, err := d.Revision("refine")
	if err != nil {
		t.Fatal(err)
	}
	return x.after(r)
}

func newTask(title string) *Task {
	return &Task{Title: title, Context: "Shards may be lost.", Goal: "Every shard is counted.", Surface: Surface{Planned: []string{"shard.go"}, Risk: "isolated"},
		Acceptance: []string{"counts agree"}, Gates: []string{"make test-count"}}
}

func inOrder(t *testing.T, x texts) {
	t.Helper()
	s := x.read(t)
	if r := verify.Plan(s, verify.Options{Now: layTime}); r.Verdict != verify.Conformant {
		t.Fatalf("%s %+v", x[readmeFile], r.Findings)
	}
	for i, task := range s.Overview().Tasks {
		if task.ID != i+1 || task.Line == nil || task.Record == nil || task.Entry == nil || task.Record.ID != i+1 {
			t.Fatalf("task %d: %+v\n%s", i+1, task, x[readmeFile])
		}
	}
}

func (x texts) same(t *testing.T, y texts) {
	t.Helper()
	for name := range x {
		if name != state.StateFile && x[name] != y[name] {
			t.Errorf("%s: got %q, want %q", name, y[name], x[name])
		}
	}
	if len(x) != len(y) {
		t.Errorf("%d files, want %d", len(y), len(x))
	}
	strip := func(s string) string {
		doc, err := strictjson.Parse([]byte(s))
		if err != nil {
			t.Fatal(err)
		}
		doc.Root.Delete("updated_at")
		doc.Root.Delete("updated_by")
		return string(strictjson.Format(doc.Root))
	}
	if a, b := strip(x[state.StateFile]), strip(y[state.StateFile]); a != b {
		t.Errorf("state: got %s, want %s", b, a)
	}
}

// TestLayRoundTrip: a task that comes and goes, or moves there and back, leaves every byte as it was (LF-10, PS-9).
func TestLayRoundTrip(t *testing.T) {
	for _, full := range []bool{false, true} {
		for _, crlf := range []bool{false, true} {
			t.Run(fmt.Sprintf("full=%v,crlf=%v", full, crlf), func(t *testing.T) {
				x := madeTexts(plantest.Spec{Tasks: 5, Done: 2, Full: full})
				if crlf {
					for name, text := range x {
						if strings.HasSuffix(name, ".md") {
							x[name] = strings.ReplaceAll(text, "\n", "\r\n")
						}
					}
				}
				inOrder(t, x)
				added := laid(t, x, 1, 2, 3, 0, 4, 5)
				inOrder(t, added)
				if title := added.read(t).Overview().Tasks[3].Title; title != "Check the shards" {
					t.Errorf("task 4 is %q", title)
				}
				x.same(t, laid(t, added, 1, 2, 3, 5, 6))
				moved := laid(t, x, 1, 2, -4, 3, 5)
				inOrder(t, moved)
				x.same(t, laid(t, moved, 1, 2, 4, -3, 5))
			})
		}
	}
}
