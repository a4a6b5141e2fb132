package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/spf13/cobra"
)

// stateCmd holds the commands with the interface of the standard's own helpers (DESIGN 7), so that a repository can swap them in.
func (a *app) stateCmd() *cobra.Command {
	return parentCmd("state", "Change, publish or hash a state.json", groupHelper,
		`Change, publish or hash a state.json, with the flags and exit codes of the
standard's own helpers: 0 done, 1 refused or failed, 2 the call is wrong.`,
		a.stateUpdateCmd(), a.stateFinalizeCmd(), a.stateHashCmd())
}

// updateFlags are the options of one change (GU-2).
type updateFlags struct {
	lockFlags
	change   update.Change
	status   string
	gates    []givenGate
	expected string
}

// givenGate is a gate as the call spells it.
type givenGate struct {
	text string
	json bool
}

// gateFlag collects --gate and --gate-json in one list, so that records stand in the order of the call. It keeps each text whole: commas
// and quotes are the gate's own.
type gateFlag struct {
	list *[]givenGate
	json bool
}

func (f gateFlag) String() string { return "" }
func (f gateFlag) Type() string   { return "string" }
func (f gateFlag) Set(text string) error {
	*f.list = append(*f.list, givenGate{text, f.json})
	return nil
}

// stateUpdateCmd changes one task of one state.json (GU-1, GU-2).
func (a *app) stateUpdateCmd() *cobra.Command {
	flags := &updateFlags{}
	cmd := &cobra.Command{
		Use:   "update STATE.json --task N [--status S] [flags]",
		Short: "Change one task under guard",
		Long: `Change one task of one state.json: its status, gate records, outcome,
checkpoint, blocker. The whole plan is read under its lock; a change that
breaks a rule is refused, and then nothing is written. A change that completes
the plan publishes it: every artefact has to hold, and a receipt is written.

Records are claims of who makes them. Nothing is run, committed, or mended:
tick the README and write the log yourself; a warning says what lags behind.

Exit codes: 0 done, or nothing to change; 1 refused, locked, or could not be
done; 2 the call is wrong.`,
		Example: `  dwp state update .dwp/plans/PLAN_a/state.json --task 2 --status in_progress
  dwp state update state.json --task 2 --status completed \
    --gate 'go test ./...|0|42 passed' --commit 1a2b3c4
  dwp state update state.json --task 2 \
    --gate-json '{"command": "a | b", "passes": true, "exit_code": 0}'
  dwp state update state.json --task 3 --status blocked \
    --block-reason '[C2] no key' --block-needs 'a key'`,
		Args: between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.compatibleWrite(func() error { return a.stateUpdate(cmd, args[0], flags) })
		},

		DisableFlagsInUseLine: true,
	}
	flags.registerAll(cmd)
	return cmd
}

// registerAll adds the options under the names that the standard gives them. Texts that may be repeated are kept whole, where a list
// flag would cut them at commas.
func (u *updateFlags) registerAll(cmd *cobra.Command) {
	f, c := cmd.Flags(), &u.change
	f.IntVar(&c.Task, "task", 0, "the number `N` of the task")
	f.StringVar(&u.status, "status", "", "the new status `S`: pending, in_progress, completed or blocked")
	f.Var(gateFlag{&u.gates, false}, "gate", "record a gate in the short form `COMMAND|EXIT|EVIDENCE`; may be repeated")
	f.Var(gateFlag{&u.gates, true}, "gate-json", "record a gate as a JSON `OBJECT`; may be repeated")
	f.StringVar(&c.Worked, "worked", "", "outcome: what worked, one line of `TEXT`")
	f.StringVar(&c.Notes, "notes", "", "outcome: notes, one line of `TEXT`")
	f.StringArrayVar(&c.Tried, "tried", nil, "outcome: `TEXT` on what was tried; may be repeated")
	f.StringArrayVar(&c.Failed, "failed", nil, "outcome: `TEXT` on what failed; may be repeated")
	f.StringVar(&c.Commit, "commit", "", "the `HASH` of the task's commit")
	f.StringVar(&c.CheckpointStep, "checkpoint-step", "", "checkpoint: the `STEP` that was reached")
	f.StringVar(&c.CheckpointNote, "checkpoint-note", "", "checkpoint: a note, `TEXT`")
	f.StringVar(&c.BlockReason, "block-reason", "", "block the task, with its class and reason as `TEXT`")
	f.StringVar(&c.BlockNeeds, "block-needs", "", "what the block needs, `TEXT`")
	f.BoolVar(&c.ResolveBlocker, "resolve-blocker", false, "clear the blocker of this task")
	f.StringVar(&c.ReopenReason, "reopen-reason", "", "reopen a completed task, by the amendment that `TEXT` names")
	f.StringVar(&u.expected, "expected-sha256", "", "refuse unless state.json has the digest `H`")
	u.register(f)
	cmd.RegisterFlagCompletionFunc("status", cobra.FixedCompletions([]string{"pending", "in_progress", "completed", "blocked"}, cobra.ShellCompDirectiveNoFileComp))
}

// stateUpdate makes the change through the one door for it (DESIGN 3), and says what became of it.
func (a *app) stateUpdate(cmd *cobra.Command, name string, flags *updateFlags) error {
	change := flags.change
	change.Status = state.Status(flags.status)
	change.ExpectedSHA256 = flags.expected
	// An unset variable of a script must neither switch the guard off, nor leave undone what was to be done, without a word.
	for _, given := range []struct{ flag, value, without string }{
		{"expected-sha256", flags.expected, "leave it out to accept any state"},
		{"status", flags.status, "leave it out to keep the status"},
		{"commit", change.Commit, "leave it out when nothing was committed"},
	} {
		if given.value == "" && cmd.Flags().Changed(given.flag) {
			return usage("bad-flag", given.without, "--%s is empty", given.flag)
		}
	}
	var err error
	if change.Gates, err = parseGates(flags.gates); err != nil {
		return err
	}
	path, err := a.stateFile(name)
	if err != nil {
		return err
	}
	ctx, w, err := a.write(cmd, filepath.Dir(path), flags.lockFlags)
	if err != nil {
		return err
	}
	defer w.close()
	change.Agent, change.Model = w.agent, w.model
	change.Configured = a.configured() // compared with the texts of the change, never stored or shown (C163)
	// From here on everything is decided under the lock; nothing that was read before counts.
	done, err := publish.Apply(ctx, w.Plan, change)
	if err != nil {
		return w.failed(err)
	}
	return a.updated("state update", w, &change, done)
}

// stateFile finds the state.json that the call names. A link is refused: what stands behind it has another name and another
// lock (TRAPS).
func (a *app) stateFile(name string) (string, error) {
	path, err := a.located(name)
	if err != nil {
		return "", err
	}
	if filepath.Base(path) != state.StateFile {
		return "", usage("not-a-state", "name the state.json of a plan", "%q is not named %s", name, state.StateFile)
	}
	info, err := os.Lstat(path)
	switch {
	case err != nil:
	case info.Mode()&os.ModeSymlink != 0:
		err = errors.New("it is a symbolic link; nothing was written")
	case !info.Mode().IsRegular():
		err = fmt.Errorf("%w; nothing was written", disk.ErrNotRegular)
	}
	if err != nil {
		return "", cannot("unreadable", "", "read %q: %s", name, cause(err))
	}
	return path, nil
}

// updateAnswer is the JSON answer of state update and gate record.
type updateAnswer struct {
	opening
	Plan        string   `json:"plan"`
	Path        string   `json:"path"`
	Task        int      `json:"task"`
	Status      string   `json:"status"`       // that was asked for; "" to keep the one it has
	Changed     bool     `json:"changed"`      // false: nothing to change, nothing written
	Published   bool     `json:"published"`    // the plan is completed, and has its receipt
	StateSHA256 string   `json:"state_sha256"` // of state.json as it stands
	Warnings    []string `json:"warnings"`
	closing
}

// updated tells what a change did. It stands on disk and was read again.
func (a *app) updated(command string, w *writer, change *update.Change, done publish.Done) error {
	a.finished(done.Changed, done.Warnings)
	if a.json {
		return a.writeJSON(updateAnswer{opened(command), w.Name, w.path, change.Task, string(change.Status),
			done.Changed, done.Published, done.StateSHA256, list(done.Warnings), closed(nil, nil)})
	}
	a.page().line("%s task %d: %s; sha256 %s", cleanLine(w.Name), change.Task, changeWords(change, done), done.StateSHA256)
	return nil
}

// changeWords sums a change up in one phrase.
func changeWords(c *update.Change, done publish.Done) string {
	if !done.Changed {
		return "nothing to change"
	}
	// Said in the words of the options, so that who made the call finds each of them again.
	var parts []string
	add := func(says bool, text string) {
		if says {
			parts = append(parts, text)
		}
	}
	add(c.Status != "", string(c.Status))
	add(c.ReopenReason != "", "reopened")
	add(c.BlockReason != "", "blocker recorded")
	add(c.ResolveBlocker, "blocker cleared")
	add(len(c.Gates) > 0, plural(len(c.Gates), "gate")+" recorded")
	add(c.CheckpointStep+c.CheckpointNote != "", "checkpoint recorded")
	add(c.Worked+c.Notes != "" || len(c.Tried)+len(c.Failed) > 0, "outcome recorded")
	add(c.Commit != "", "commit recorded")
	add(done.Published, "the plan is completed and published")
	return cmp.Or(strings.Join(parts, ", "), "changed")
}
