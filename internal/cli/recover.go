package cli

import (
	"fmt"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/spf13/cobra"
)

// recoverFlags are the flags of recover.
type recoverFlags struct {
	lockFlags
	candidate string
	withdraw  bool
}

// recoverCmd finishes what was cut off (VP-4, DESIGN 6).
func (a *app) recoverCmd() *cobra.Command {
	var flags recoverFlags
	cmd := &cobra.Command{
		Use:     "recover [PLAN]",
		Short:   "Finish or withdraw what was cut off",
		GroupID: groupCheck,
		Long: `Finish what was cut off: an operation on several files (.dwp-op), and a
publication (.finalizing.json), which holds all that is needed. A file that was
changed in between is named, and nothing is guessed. With --withdraw the
publication is taken back: the previous state.json is put in place again.
With nothing to recover, it says so; a second call does no harm.

A lock is removed only when its owner is provably dead, and that is told.

Exit codes: 0 recovered, or nothing to do; 1 refused; 3 could not be done;
4 locked.`,
		Example: `  dwp recover
  dwp recover quote_service --candidate candidate.json
  dwp recover quote_service --withdraw`,
		Args:              atMost(1),
		ValidArgsFunction: a.completePlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.recoverPlan(cmd, args, flags) },
	}
	f := cmd.Flags()
	f.StringVar(&flags.candidate, "candidate", "", "demand that the publication is of the state in `FILE`")
	f.BoolVar(&flags.withdraw, "withdraw", false, "put the previous state back")
	flags.register(f)
	return cmd
}

// recoverPlan works on a plan that may be in any condition, so it is found by its name and not read before the lock is
// taken.
func (a *app) recoverPlan(cmd *cobra.Command, args []string, flags recoverFlags) error {
	if flags.withdraw && cmd.Flags().Changed("candidate") {
		return usage("bad-flag", "see dwp recover --help", "--candidate and --withdraw exclude each other")
	}
	if flags.withdraw {
		if err := a.outsideTurn("no publication is withdrawn"); err != nil { // what is recorded would be so no longer
			return err
		}
	}
	var candidate []byte
	if cmd.Flags().Changed("candidate") {
		data, err := a.given(flags.candidate)
		if err != nil {
			return err
		}
		candidate = append([]byte{}, data...) // an empty file is a candidate too, and never the right one
	}
	t, err := a.one(args)
	if err != nil {
		return err
	}
	ctx, w, err := a.write(cmd, t.Path, flags.lockFlags)
	if err != nil {
		return err
	}
	defer w.close()
	if flags.withdraw {
		r, err := publish.Withdraw(ctx, w.Plan)
		return a.recovered("recover", w, r, err)
	}
	r, err := publish.Recover(ctx, w.Plan, candidate)
	return a.recovered("recover", w, r, err)
}

// recoveredAnswer is the JSON answer of a recovery.
type recoveredAnswer struct {
	opening
	Plan      string       `json:"plan"`
	Path      string       `json:"path"`
	Nothing   bool         `json:"nothing"`
	Published bool         `json:"published"`
	Withdrawn bool         `json:"withdrawn"`
	Operation string       `json:"operation"` // that was finished; "" for none
	Reclaimed []lockHolder `json:"reclaimed"` // locks of dead processes that were removed
	Warnings  []string     `json:"warnings"`
	closing
}

// recovered tells what a recovery did, what it did before an error included: a lock that it removed is on record (GU-10).
func (a *app) recovered(command string, w *writer, r publish.Recovered, err error) error {
	for _, h := range r.Reclaimed {
		r.Warnings = append(r.Warnings, fmt.Sprintf("removed the lock of %v: that process is gone", h.Owner))
	}
	// An operation and a publication may both be told: the first is finished before the second is looked at.
	operation := ""
	if r.Operation != nil {
		operation = r.Operation.Name
	}
	a.finished(r.Published || r.Withdrawn || r.Operation != nil || len(r.Reclaimed) > 0, r.Warnings)
	if err != nil {
		return w.failed(err)
	}
	if a.json {
		return a.writeJSON(recoveredAnswer{opened(command), w.Name, w.path, r.Nothing, r.Published, r.Withdrawn, operation,
			holders(r.Reclaimed), list(r.Warnings), closed(nil, nil)})
	}
	p, name := a.page(), cleanLine(w.Name)
	if operation != "" {
		p.line("%s: the operation %s is finished", name, cleanLine(operation))
	}
	switch { // none of them when an operation was all there was
	case r.Nothing:
		p.line("%s: nothing to recover", name)
	case r.Published:
		p.line("%s: the publication is finished", name)
	case r.Withdrawn:
		p.line("%s: the publication is withdrawn; the previous state is back", name)
	}
	return nil
}

// holders lists owners as JSON shows them.
func holders(all []disk.Holder) []lockHolder {
	shown := []lockHolder{}
	for _, h := range all {
		shown = append(shown, holderOf(h))
	}
	return shown
}
