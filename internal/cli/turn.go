package cli

import (
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/turn"
)

const (
	// turnVariable tells an agent's commands that they run inside an unattended turn. As "12-6f1d0c9b2a7e4f58" it names turn and lease; any
	// other value says no more than that there is a turn.
	turnVariable = "DWP_TURN"
	// planVariable tells them the folder of the turn's plan.
	planVariable = "DWP_PLAN"
)

// inTurn reports whether the caller is an agent inside an unattended turn (UN-6, LF-7): it claims no person's authority.
func (a *app) inTurn() bool { return a.env.Getenv(turnVariable) != "" }

// outsideTurn refuses an agent inside an unattended turn what a person does, or nobody: turns within turns would have no bound, a plan that
// changes its form would do so under the feet of the turn, and an approval may come with what is brought in (UN-1, UN-6, LF-7). what ends
// "inside a turn".
func (a *app) outsideTurn(what string) error {
	if !a.inTurn() {
		return nil
	}
	return refusedAs(&publish.RefuseBy(nil, "guard/in-turn", "inside a turn %s", what).Refusal)
}

// turnStands refuses an agent whose turn is over what changes no plan that is there, as a new plan does, so that no lease of its own stops it
// (UN-2, C65). The lease is in the plan that DWP_PLAN names; when none is there, or it can't be read, the turn is over, too.
func (a *app) turnStands() error {
	c, ok := markOf(a.env.Getenv(turnVariable))
	if !ok {
		return nil
	}
	if folder, err := disk.Open(a.env.Getenv(planVariable)); err == nil {
		defer folder.Close()
		if held, err := disk.HoldsLease(folder, c.Lease); held && err == nil {
			return nil
		}
	}
	return refusedAs(&publish.RefuseBy(nil, "guard/turn-over", "turn %d holds the lease of no plan, or not any more", c.Turn).Refusal)
}

// markOf takes turn and lease out of a value of DWP_TURN.
func markOf(value string) (c publish.Caller, ok bool) {
	number, lease, _ := strings.Cut(value, "-")
	n, err := strconv.Atoi(number)
	if err != nil || n <= 0 || strconv.Itoa(n) != number || len(lease) != disk.IDLength || strings.Trim(lease, "0123456789abcdef") != "" {
		return publish.Caller{}, false
	}
	return publish.Caller{Turn: n, Lease: lease}, true
}

// caller is the turn that the caller is in, with its task as the turn's record in the plan has it; nil outside a turn, or when DWP_TURN names
// none. A record that is not there, or is of another lease, as in a plan that is not the turn's, tells no task: then none may be moved.
func (a *app) caller(fsys disk.FS) *publish.Caller {
	c, ok := markOf(a.env.Getenv(turnVariable))
	if !ok {
		return nil
	}
	c.Task = publish.NoTask
	if r, err := turn.ReadRecord(fsys, c.Turn); err == nil && r.ID == c.Lease && r.Task > 0 {
		c.Task, c.Untidy = r.Task, r.Untidy
	}
	return &c
}
