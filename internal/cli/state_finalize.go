package cli

import (
	"bytes"

	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/spf13/cobra"
)

// finalizeFlags are the flags of state finalize.
type finalizeFlags struct {
	lockFlags
	candidate, expected string
	recover             bool
}

// stateFinalizeCmd publishes a candidate state (VP-1), or goes on with the publication of that candidate (VP-4).
func (a *app) stateFinalizeCmd() *cobra.Command {
	var flags finalizeFlags
	cmd := &cobra.Command{
		Use:   "finalize DIR --candidate FILE [flags]",
		Short: "Publish a candidate state of a completed plan",
		Long: `Publish a candidate state: a state.json in which the last open task of the plan
in DIR is completed. It has to follow from the current state by that change
alone, and the whole plan has to hold with it; else nothing is written. Then
state.json and the receipt, analysis_results/FINALIZATION.json, are written.

Cut off, it leaves .finalizing.json; --recover goes on with the same candidate.

Exit codes: 0 published; 1 refused, locked, or could not be done; 2 the call is
wrong.`,
		Example: `  dwp state finalize .dwp/plans/PLAN_a --candidate candidate.json
  dwp state finalize .dwp/plans/PLAN_a --candidate candidate.json --recover`,
		Args: between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.compatibleWrite(func() error { return a.stateFinalize(cmd, args[0], flags) })
		},

		DisableFlagsInUseLine: true,
	}
	f := cmd.Flags()
	f.StringVar(&flags.candidate, "candidate", "", "the `FILE` that holds the whole candidate state")
	f.StringVar(&flags.expected, "expected-sha256", "", "refuse unless state.json has the digest `H`")
	f.BoolVar(&flags.recover, "recover", false, "go on with a publication that was cut off")
	flags.register(f)
	return cmd
}

// stateFinalize reads the candidate before the plan is locked: it is the caller's file, and may be slow or missing.
func (a *app) stateFinalize(cmd *cobra.Command, dir string, flags finalizeFlags) error {
	switch {
	case flags.candidate == "":
		return usage("missing-argument", "see dwp state finalize --help", "state finalize: --candidate is missing")
	case cmd.Flags().Changed("expected-sha256") && flags.expected == "":
		return usage("bad-flag", "leave it out to accept any state", "--expected-sha256 is empty")
	}
	candidate, err := a.given(flags.candidate)
	if err != nil {
		return err
	}
	if dir, err = a.located(dir); err == nil {
		dir, err = a.folder(dir)
	}
	if err != nil {
		return err
	}
	ctx, w, err := a.write(cmd, dir, flags.lockFlags)
	if err != nil {
		return err
	}
	defer w.close()
	// The helper's word for it; dwp recover does the same and can withdraw as well.
	if flags.recover {
		r, err := publish.Recover(ctx, w.Plan, bytes.Clone(candidate))
		return a.recovered("state finalize", w, r, err)
	}
	done, err := publish.Publish(ctx, w.Plan, candidate, flags.expected)
	if err != nil {
		return w.failed(err)
	}
	return a.published("state finalize", w, done)
}

// publishedAnswer is the JSON answer of a publication.
type publishedAnswer struct {
	opening
	Plan        string   `json:"plan"`
	Path        string   `json:"path"`
	Published   bool     `json:"published"` // false: it was before, nothing was written
	StateSHA256 string   `json:"state_sha256"`
	Receipt     string   `json:"receipt"`
	Warnings    []string `json:"warnings"`
	closing
}

// published tells that a plan is published, by this call or before. The receipt says what was verified, and nothing of gates (VP-3).
func (a *app) published(command string, w *writer, done publish.Done) error {
	a.finished(done.Published, done.Warnings)
	if a.json {
		return a.writeJSON(publishedAnswer{opened(command), w.Name, w.path, done.Published, done.StateSHA256, state.ReceiptFile,
			list(done.Warnings), closed(nil, nil)})
	}
	// Both are success: who asks twice wants to know that it is done (C111).
	words := "published"
	if !done.Published {
		words = "published before, nothing to change"
	}
	a.page().line("%s: %s; sha256 %s; receipt %s", cleanLine(w.Name), words, done.StateSHA256, state.ReceiptFile)
	return nil
}

// stateHashCmd prints what --expected-sha256 takes.
func (a *app) stateHashCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "hash STATE.json",
		Short: "Print the digest that --expected-sha256 takes",
		Long: `Print the SHA-256 of a file, in hexadecimal: what --expected-sha256 takes.

Exit codes: 0; 1 when the file can't be read; 2 the call is wrong.`,
		Example: `  dwp state hash .dwp/plans/PLAN_a/state.json`,
		Args:    between(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.compatibleWrite(func() error { return a.stateHash(args[0]) })
		},
	}
}

// stateHash prints the digest of the file's bytes as they stand: any other form of them would be a state that nobody has.
func (a *app) stateHash(name string) error {
	data, err := a.given(name)
	if err != nil {
		return err
	}
	if a.json {
		return a.writeJSON(struct {
			opening
			SHA256 string `json:"sha256"`
			closing
		}{opened("state hash"), state.Digest(data), closed(nil, nil)})
	}
	a.page().line("%s", state.Digest(data))
	return nil
}
