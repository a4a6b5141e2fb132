package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/spf13/cobra"
)

// lockCmd looks at the lock of a plan, and clears one whose owner is gone (GU-10, C61, C63).
func (a *app) lockCmd() *cobra.Command {
	return parentCmd("lock", "Show or clear the lock of a plan", groupSetUp,
		`Show or clear the lock of a plan, the folder state.json.lock beside its state,
and the lease of the unattended turn that works on it, turn.lease. What a killed
process left is never taken away by age: look at it, and clear what you saw.`,
		a.lockShowCmd(), a.lockClearCmd())
}

func (a *app) lockShowCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "show [PLAN]",
		Short: "Show who holds the lock of a plan",
		Long: `Show who holds the lock of a plan, and the lease of an unattended turn when
there is one: agent, process, host, since when, and whether that process still
runs. "unknown" means that it can't be told from here: another host or
container, or a helper that leaves no record. Nothing is changed.

Exit codes: 0, locked or not; 3 when the lock can't be read.`,
		Example: `  dwp lock show
  dwp lock show quote_service --json`,
		Args:              atMost(1),
		ValidArgsFunction: a.completePlans,
		RunE:              func(_ *cobra.Command, args []string) error { return a.lockShow(args) },
	}
}

func (a *app) lockClearCmd() *cobra.Command {
	var owner, lease string
	cmd := &cobra.Command{
		Use:   "clear [PLAN] (--owner ID | --lease ID)",
		Short: "Remove the lock that was shown",
		Long: `Remove the lock of a plan that lock show has shown, named by its owner's ID;
"unknown" names a lock without a record. Naming it is your word that its owner
is gone. Another lock, and one whose owner is known to run, stays. --lease
removes the lease of a turn in the same way.

Exit codes: 0 removed, or there is none; 1 refused: an agent inside a turn has
no such word to give; 2 usage; 3 could not be done; 4 refused: the owner runs,
or the lock is another one.`,
		Example: `  dwp lock clear quote_service --owner 6f1d0c9b2a7e4f58
  dwp lock clear quote_service --lease 0c9b2a7e4f586f1d`,
		Args:              atMost(1),
		ValidArgsFunction: a.completePlans,
		RunE:              func(_ *cobra.Command, args []string) error { return a.lockClear(args, owner, lease) },

		DisableFlagsInUseLine: true,
	}
	cmd.Flags().StringVar(&owner, "owner", "", "the `ID` of the lock's owner that lock show printed")
	cmd.Flags().StringVar(&lease, "lease", "", "the `ID` of the lease's owner that lock show printed")
	return cmd
}

// lockHolder is an owner of a lock in JSON.
type lockHolder struct {
	Owner    string `json:"owner"` // what lock clear takes
	Agent    string `json:"agent"`
	Command  string `json:"command"`
	PID      int    `json:"pid"`
	Start    string `json:"process_start"`
	Host     string `json:"host"`
	Since    string `json:"since"`
	Liveness string `json:"liveness"` // alive, dead or unknown
	Queue    string `json:"queue"`    // that gave a lease; "" without one
	Fence    int64  `json:"fence"`    // number of the lease in the queue
	Error    string `json:"error"`    // why the record can't be read; "" when it can
}

// holderOf keeps what can't be read visible, rather than leaving the holder out.
func holderOf(h disk.Holder) lockHolder {
	shown := lockHolder{Owner: h.ID, Agent: h.Agent, Command: h.Command, PID: h.PID, Start: h.Start, Host: h.Host,
		Liveness: string(h.Liveness), Queue: h.Fence.Queue, Fence: h.Fence.Number}
	if !h.Since.IsZero() {
		shown.Since = h.Since.UTC().Format(time.RFC3339)
	}
	if h.Err != nil {
		shown.Error = h.Err.Error()
	}
	return shown
}

// held is a lock, or a lease, in JSON.
type held struct {
	Held    bool         `json:"held"`
	Holders []lockHolder `json:"holders"`
	Others  []string     `json:"others"` // names in its folder that are no record
}

// heldOf names the owner of a lock without a record "unknown", so that there is always something to name.
func heldOf(h disk.Holding) held {
	shown := holders(h.Holders)
	if h.Held && len(shown) == 0 {
		shown = append(shown, lockHolder{Owner: disk.UnknownOwner, Since: h.Since.UTC().Format(time.RFC3339), Liveness: string(disk.Unknown)})
	}
	return held{h.Held, shown, list(h.Others)}
}

// lockShow shows the lock and the lease.
func (a *app) lockShow(args []string) error {
	t, folder, err := a.lockFolder(args)
	if err != nil {
		return err
	}
	defer folder.Close()
	h, err := disk.Inspect(folder, disk.System{})
	if err != nil {
		return cannot("unreadable", "", "%s", err)
	}
	l, err := disk.InspectLease(folder, disk.System{})
	if err != nil {
		return cannot("unreadable", "", "%s", err)
	}
	lock, lease := heldOf(h), heldOf(l)
	if a.json {
		return a.writeJSON(struct {
			opening
			Plan string `json:"plan"`
			Path string `json:"path"`
			held
			Lease held `json:"lease"` // of an unattended turn
			closing
		}{opened("lock show"), t.Name, t.Path, lock, lease, closed(nil, nil)})
	}
	p, name := a.page(), cleanLine(t.Name)
	if lock.Held {
		p.line("%s: locked", name)
		lock.write(p, "dwp", "lock", "clear", t.Name, "--owner")
	} else {
		p.line("%s: not locked", name)
	}
	if lease.Held {
		p.line("%s: a turn has the lease", name)
		lease.write(p, "dwp", "lock", "clear", t.Name, "--lease")
	}
	return nil
}

// leaseOf looks at the lease of a plan that has one; nil for none. A lease that can't be read is still one.
func leaseOf(s *plan.Snapshot, path string) *held {
	if _, there := s.Nodes[disk.LeaseDir]; !there {
		return nil
	}
	lease := held{Held: true, Holders: []lockHolder{}, Others: []string{}}
	if folder, err := disk.Open(path); err == nil {
		defer folder.Close()
		if h, err := disk.InspectLease(folder, disk.System{}); err == nil {
			lease = heldOf(h)
		}
	}
	if !lease.Held { // given back meanwhile
		return nil
	}
	return &lease
}

// atWork says in a line who has the lease, and whether he is known to be at work.
func (h *held) atWork() string {
	var list []string
	for _, s := range h.Holders {
		who := s.Agent
		if s.Since != "" {
			who = joined(" ", who, "since "+s.Since)
		}
		list = append(list, joined(": ", who, map[string]string{string(disk.Alive): "at work", string(disk.Dead): "its process is gone, the next turn tidies up"}[s.Liveness]))
	}
	return joined("; ", append(list, "see dwp lock show")...)
}

// write prints what a person needs to judge whether the owner is gone (C61), and the command to copy, which ends with the owner's ID. Names
// are those of files that anybody may have put there: a shell that the line is pasted into takes each for one word.
func (h *held) write(p page, clear ...string) {
	const label = 12
	for _, s := range h.Holders {
		p.labelled("  Owner", label, s.Owner)
		p.labelled("  Agent", label, s.Agent)
		if s.PID != 0 {
			p.labelled("  Process", label, fmt.Sprintf("%d on %s, started at tick %s: %s", s.PID, s.Host, s.Start, s.Liveness))
		} else {
			p.labelled("  Process", label, s.Liveness)
		}
		p.labelled("  Command", label, s.Command)
		p.labelled("  Since", label, s.Since)
		if s.Queue != "" {
			p.labelled("  Queue", label, fmt.Sprintf("%s, number %d", s.Queue, s.Fence))
		}
		p.labelled("  Record", label, s.Error)
		p.line("  Clear     %s", cleanLine(runner.Quote(append(slices.Clip(clear), s.Owner))))
	}
	p.labelled("  Beside", label, strings.Join(h.Others, ", "))
}

// lockFolder opens the folder of the plan that a call names. The plan is not read: its lock may be the trouble.
func (a *app) lockFolder(args []string) (target, *disk.Folder, error) {
	t, err := a.one(args)
	if err != nil {
		return t, nil, err
	}
	folder, err := disk.Open(t.Path)
	if err != nil {
		return t, nil, cannot("unreadable", "", "open folder %q: %s", t.Path, cause(err))
	}
	return t, folder, nil
}

// lockClear removes the lock, or the lease, that the call names, and no other.
func (a *app) lockClear(args []string, owner, lease string) error {
	switch {
	case owner == "" && lease == "":
		return usage("missing-argument", "dwp lock show prints the ID of the owner", "lock clear: --owner is missing, and so is --lease")
	case owner != "" && lease != "":
		return usage("bad-flag", "one call clears one of them", "--owner and --lease exclude each other")
	}
	if err := a.outsideTurn("nobody gives his word that an owner is gone"); err != nil { // of the turn's own lease, say
		return err
	}
	clear, id, what := disk.Clear, owner, "lock"
	if lease != "" {
		clear, id, what = disk.ClearLease, lease, "lease"
	}
	if err := a.answerable(); err != nil {
		return err
	}
	t, folder, err := a.lockFolder(args)
	if err != nil {
		return err
	}
	defer folder.Close()
	// What stands there is looked at again, and compared with the name: it may have changed since it was shown.
	removed, err := clear(folder, id, disk.System{})
	cleared := err == nil
	switch {
	case err == nil, errors.Is(err, disk.ErrNotLocked):
	case errors.Is(err, disk.ErrOwnerAlive), errors.Is(err, disk.ErrNotShown):
		return &failure{exit: ExitLocked, code: "locked", message: err.Error(), hint: "dwp lock show " + t.Name + " shows who holds it now"}
	default:
		return cannot("error", "", "%s", err)
	}
	a.finished(cleared, nil)
	if a.json {
		return a.writeJSON(struct {
			opening
			Plan    string     `json:"plan"`
			Path    string     `json:"path"`
			Cleared bool       `json:"cleared"`
			Holder  lockHolder `json:"holder"`
			closing
		}{opened("lock clear"), t.Name, t.Path, cleared, holderOf(removed), closed(nil, nil)})
	}
	if !cleared {
		a.page().line("%s: %s, nothing to clear", cleanLine(t.Name), map[string]string{"lock": "not locked", "lease": "no lease"}[what])
		return nil
	}
	a.page().para(0, fmt.Sprintf("%s: removed the %s of %s", t.Name, what, ownerWords(removed)))
	return nil
}

// ownerWords names whose lock was removed, with the ID that was asked for.
func ownerWords(h disk.Holder) string {
	if h.ID == disk.UnknownOwner {
		return "someone unknown"
	}
	return fmt.Sprintf("%s: %v", h.ID, h.Owner)
}
