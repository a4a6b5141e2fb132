package turn

import (
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
	"github.com/deepworkplan/dwp/internal/work"
)

// Ready names the first precondition of unattended work that is missing, as a *publish.Refused; nil when all hold (UN-1). It is pure. The
// order is that of what has to be true before the next can be told at all.
func Ready(s *plan.Snapshot) error {
	for _, check := range []func(*plan.Snapshot) *publish.Refused{readyStandard, readyLayer, readyWhole, readyOptIn, readyApproval, readyGates} {
		if refused := check(s); refused != nil {
			return refused
		}
	}
	return nil
}

func refuse(id, format string, args ...any) *publish.Refused {
	return publish.RefuseBy(Guards(), id, format, args...)
}

func readyStandard(s *plan.Snapshot) *publish.Refused {
	switch why := s.Foreign(); {
	case why != "":
		return refuse("guard/turn-standard", "no turn is taken: %s", why)
	case s.Standard() == "":
		return refuse("guard/turn-standard", "no turn is taken: the plan names no standard")
	}
	return nil
}

func readyLayer(s *plan.Snapshot) *publish.Refused {
	for _, file := range []struct {
		name string
		read bool
	}{{state.ManifestFile, s.Manifest != nil}, {state.StateFile, s.State != nil}, {"README.md", s.README != nil}} {
		_, there := s.Nodes[file.name]
		switch {
		case file.read:
		case there:
			return refuse("guard/turn-layer", "no turn is taken: %s can't be read", file.name)
		default:
			return refuse("guard/turn-layer", "no turn is taken: the plan has no %s", file.name)
		}
	}
	return nil
}

// readyWhole: the plan is written to its end, and not between two forms (LF-4, LF-9).
func readyWhole(s *plan.Snapshot) *publish.Refused {
	switch o := s.Overview(); {
	case s.State.Promotion != nil:
		return refuse("guard/turn-whole", "no turn is taken: the plan is being promoted")
	case o.Materialization != "" && o.Materialization != "ready":
		return refuse("guard/turn-whole", "no turn is taken: the plan is %s, not ready", o.Materialization)
	case len(o.Tasks) == 0:
		return refuse("guard/turn-whole", "no turn is taken: the plan has no tasks")
	}
	return nil
}

func readyOptIn(s *plan.Snapshot) *publish.Refused {
	if s.README.OptInBy == "" {
		return refuse("guard/turn-opt-in", "no turn is taken: nobody has opened the plan to unattended work")
	}
	return nil
}

// readyApproval: an older plan that has no place for an approval may be worked with a person watching, but not alone (PS-8, C103).
func readyApproval(s *plan.Snapshot) *publish.Refused {
	if work.Approved(s) && (granted(s.State.Approval) || granted(s.README.ApprovalValue)) {
		return nil
	}
	return refuse("guard/turn-approval", "no turn is taken: no person's approval of the plan is recorded")
}

func granted(value string) bool {
	return value == planmd.ApprovalApproved || value == planmd.ApprovalPreApproved
}

// readyGates: what an agent does alone is judged by its gates, so that each task that is still to do has one.
func readyGates(s *plan.Snapshot) *publish.Refused {
	o := s.Overview()
	for i := range o.Tasks {
		t := &o.Tasks[i]
		if t.Status == state.Completed || t.Status == state.Skipped {
			continue
		}
		var validation *planmd.Section
		if t.Record != nil {
			validation = t.Record.Section(planmd.Validation)
		}
		if validation == nil || validation.Empty {
			return refuse("guard/turn-gates", "no turn is taken: task %d (%s) has no gate", t.ID, strictjson.Shorten(t.Title, 60))
		}
	}
	return nil
}
