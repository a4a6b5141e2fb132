package planmd_test

import (
	"errors"
	"testing"

	"github.com/deepworkplan/dwp/internal/planmd"
)

const editable = "# Rent bikes\r\n\r\n**Approval:** pending\r\n\r\n## Task List\r\n\r\n* [ ] Task 1: Count\r\n- [x] Task 2: Final Review\r\n\r\nPlan Status: 1 / 2 completed"

// TestEdit: an edit changes only its own bytes, in the form of the document (DESIGN 1, PD-10, C07).
func TestEdit(t *testing.T) {
	for _, test := range []struct {
		name string
		edit func(*planmd.Edit, *planmd.README)
		want string
	}{
		{"nothing", func(e *planmd.Edit, r *planmd.README) {
			e.SetField(r.Approval, "pending")
			e.Tick(*r.Index[1].Box, true)
		}, editable},
		{"a value", func(e *planmd.Edit, r *planmd.README) { e.SetField(r.Approval, "approved by Ada") },
			"# Rent bikes\r\n\r\n**Approval:** approved by Ada\r\n\r\n## Task List\r\n\r\n* [ ] Task 1: Count\r\n- [x] Task 2: Final Review\r\n\r\nPlan Status: 1 / 2 completed"},
		{"boxes and count", func(e *planmd.Edit, r *planmd.README) {
			e.Count(r.Claims[0], 12, 13)
			e.Tick(*r.Index[0].Box, true)
			e.Tick(*r.Index[1].Box, false)
		}, "# Rent bikes\r\n\r\n**Approval:** pending\r\n\r\n## Task List\r\n\r\n* [x] Task 1: Count\r\n- [ ] Task 2: Final Review\r\n\r\nPlan Status: 12 / 13 completed"},
		{"lines", func(e *planmd.Edit, r *planmd.README) {
			e.AddLines(r.Approval.Span, "Format: lite", "Execution: sequential")
			e.DeleteLines(r.Index[0].Span)
			e.AddLines(r.Claims[0].Span, "the end")
		}, "# Rent bikes\r\n\r\n**Approval:** pending\r\nFormat: lite\r\nExecution: sequential\r\n\r\n## Task List\r\n\r\n- [x] Task 2: Final Review\r\n\r\nPlan Status: 1 / 2 completed\r\nthe end"},
		{"blocks", func(e *planmd.Edit, r *planmd.README) {
			e.AppendTo(r.Index[0].Span, "between\n")
			e.Append("## New\n\n- one\n")
		}, "# Rent bikes\r\n\r\n**Approval:** pending\r\n\r\n## Task List\r\n\r\n* [ ] Task 1: Count\r\n\r\nbetween\r\n- [x] Task 2: Final Review\r\n\r\nPlan Status: 1 / 2 completed\r\n\r\n## New\r\n\r\n- one\r\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := planmd.ReadREADME([]byte(editable))
			e := planmd.NewEdit(&r.Doc)
			test.edit(e, r)
			got, err := e.Bytes()
			if err != nil || string(got) != test.want {
				t.Errorf("got %q, %v\nwant %q", got, err, test.want)
			}
			if e.Changed() != (test.want != editable) {
				t.Errorf("Changed is %v", e.Changed())
			}
			if string(r.Src) != editable {
				t.Errorf("the document was written to: %q", r.Src)
			}
		})
	}
}

// Two changes of the same bytes are refused, whichever came first; insertions at one place keep their order.
func TestEditOverlap(t *testing.T) {
	r := planmd.ReadREADME([]byte("# A\n\nGoal: go\n"))
	e := planmd.NewEdit(&r.Doc)
	e.Insert(5, "x")
	e.Insert(5, "y")
	e.Replace(planmd.Span{Start: 5, End: 9}, "Ziel")
	if got, err := e.Bytes(); err != nil || string(got) != "# A\n\nxyZiel: go\n" {
		t.Errorf("got %q, %v", got, err)
	}
	e.Delete(planmd.Span{Start: 7, End: 8})
	if _, err := e.Bytes(); !errors.Is(err, planmd.ErrOverlap) {
		t.Errorf("got %v, want ErrOverlap", err)
	}
}
