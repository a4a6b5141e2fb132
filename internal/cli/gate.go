package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/work"
	"github.com/spf13/cobra"
)

// gateCmd holds the commands about gates (PS-12, GU-4).
func (a *app) gateCmd() *cobra.Command {
	return parentCmd("gate", "Run gates and record what was seen, list records", groupWork,
		`Run a task's gate and record what was seen, record the result of a run that
dwp did not see, or list what is recorded. A record asserts a result; it does
not prove that a command ran.`,
		a.gateRunCmd(), a.gateRecordCmd(), a.gateListCmd())
}

// gateTarget is taskArgs for commands that have --task, too.
func gateTarget(args []string, task int) (names []string, id int, err error) {
	names, id, err = taskArgs(args)
	switch {
	case err != nil:
		return nil, 0, err
	case task < 0:
		return nil, 0, usage("bad-task", "tasks are numbered from 1", "--task is %d", task)
	case id != 0 && task != 0:
		return nil, 0, usage("bad-flag", "name the task once", "both %q and --task %d name a task", args[len(args)-1], task)
	}
	return names, max(id, task), nil
}

// taskIn is the task that a call names, or the one in progress.
func taskIn(w *writer, id int) (int, error) {
	s, err := plan.Read(w.FS, w.Name)
	if err != nil {
		return 0, cannot("unreadable", "", "read %s: %s", w.Name, cause(err))
	}
	if id, err = work.Current(s, id); err != nil {
		return 0, w.failed(err)
	}
	return id, nil
}

// configured are the values of the environment that may be secrets (C163).
func (a *app) configured() []update.EnvValue {
	if a.env.Environ == nil {
		return nil
	}
	return update.ConfiguredSecrets(a.env.Environ())
}

// gateRecordFlags are the options of gate record.
type gateRecordFlags struct {
	lockFlags
	task              int
	command, evidence string
	exit              int
	passes            bool
	gates             []givenGate
}

// gateRecordCmd records results that dwp did not see (GU-2, GU-11).
func (a *app) gateRecordCmd() *cobra.Command {
	flags := &gateRecordFlags{}
	cmd := &cobra.Command{
		Use:   "record [PLAN] [N] [flags]",
		Short: "Record the result of a gate that dwp did not run",
		Long: `Record the result of a gate that ran elsewhere: on another machine, in CI. It is
an assertion of who makes it, judged by the same rules as in state update.
Prefer gate run, which records what it saw. Without --exit the check could not
run: then it did not pass, and the evidence says why.

Exit codes: 0 recorded, or nothing to change; 1 refused; 2 a wrong call;
3 could not be done; 4 locked.`,
		Example: `  dwp gate record quote_service 2 --command 'make e2e' --exit 0 \
    --evidence '14 passed, 0 failed in CI run 731'
  dwp gate record --command 'make e2e' --evidence 'no browser on this machine'`,
		Args:              atMost(2),
		ValidArgsFunction: a.completePlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.gateRecord(cmd, args, flags) },

		DisableFlagsInUseLine: true,
	}
	f := cmd.Flags()
	f.IntVar(&flags.task, "task", 0, "task `N` (default: the one in progress)")
	f.StringVar(&flags.command, "command", "", "the `COMMAND` that was run")
	f.IntVar(&flags.exit, "exit", 0, "its exit `CODE`; leave it out when it could not run")
	f.StringVar(&flags.evidence, "evidence", "", "what it said: one line of `TEXT`")
	f.BoolVar(&flags.passes, "passes", true, "=false: it did not pass, whatever its exit code")
	f.Var(gateFlag{&flags.gates, false}, "gate", "the short form `COMMAND|EXIT|EVIDENCE`; may be repeated")
	f.Var(gateFlag{&flags.gates, true}, "gate-json", "a record as a JSON `OBJECT`; may be repeated")
	flags.register(f)
	return cmd
}

// gateRecord parses everything before a lock is taken, and makes the change through the one door for it (DESIGN 3).
func (a *app) gateRecord(cmd *cobra.Command, args []string, flags *gateRecordFlags) error {
	gates, err := flags.parse(cmd)
	if err != nil {
		return err
	}
	names, id, err := gateTarget(args, flags.task)
	if err != nil {
		return err
	}
	t, err := a.one(names)
	if err != nil {
		return err
	}
	ctx, w, err := a.write(cmd, t.Path, flags.lockFlags)
	if err != nil {
		return err
	}
	defer w.close()
	if id, err = taskIn(w, id); err != nil {
		return err
	}
	change := update.Change{Task: id, Gates: gates, Agent: w.agent, Model: w.model, Configured: a.configured()}
	done, err := publish.Apply(ctx, w.Plan, change)
	if err != nil {
		return w.failed(err)
	}
	return a.updated("gate record", w, &change, done)
}

// parse reads the gates of the call, whichever way they are spelled.
func (g *gateRecordFlags) parse(cmd *cobra.Command) ([]update.Gate, error) {
	gates, err := parseGates(g.gates)
	if err != nil {
		return nil, err
	}
	given := cmd.Flags().Changed
	if !slices.ContainsFunc([]string{"command", "exit", "evidence", "passes"}, given) {
		if len(gates) == 0 {
			return nil, usage("missing-argument", "see dwp gate record --help", "no gate is given")
		}
		return gates, nil
	}
	if !given("command") || !given("evidence") {
		return nil, usage("missing-argument", "see dwp gate record --help", "--command and --evidence go together")
	}
	gate := update.Gate{Command: g.command, Evidence: g.evidence}
	if given("exit") {
		gate.ExitCode = &g.exit
	}
	gate.Passes = g.passes && given("exit") && g.exit == 0
	// Who says in so many words that it passed, with an exit code that says otherwise, is refused and not corrected (C91).
	if given("passes") && g.passes {
		gate.Passes = true
	}
	return append(gates, gate), nil
}

// parseGates reads all gates before anything is opened: a call that is wrong in one of them takes no lock.
func parseGates(given []givenGate) ([]update.Gate, error) {
	var gates []update.Gate
	for _, g := range given {
		parse := update.ParseGate
		if g.json {
			parse = update.ParseGateJSON
		}
		gate, refusal := parse(g.text)
		if refusal != nil {
			return nil, refusedAs(refusal)
		}
		gates = append(gates, gate)
	}
	return gates, nil
}

// gateJSON is a gate record as JSON shows it: the record of state.json, then what is known of it.
type gateJSON struct {
	Task     int    `json:"task"`
	Command  string `json:"command"`
	Passes   bool   `json:"passes"`
	ExitCode *int   `json:"exit_code"`
	LastRun  string `json:"last_run"`
	Evidence string `json:"evidence"`
	// History: a later record stands, or this one was invalidated. Observed: the evidence has the form of a run by dwp.
	History     bool     `json:"history"`
	Invalidated bool     `json:"invalidated"`
	Observed    bool     `json:"observed"`
	Log         string   `json:"log"`       // "" for none
	LogState    work.Log `json:"log_state"` // "", intact, changed, missing, unreadable
	OnBase      string   `json:"on_base"`   // the base commit on which it fails, too; "" for none
}

// gateListCmd lists records (GU-4).
func (a *app) gateListCmd() *cobra.Command {
	var task int
	cmd := &cobra.Command{
		Use:   "list [PLAN] [N]",
		Short: "List gate records, and whether their logs are unchanged",
		Long: `List the gate records of a plan, or of task N. Of each command the latest record
counts; others are marked as history. Of a run that dwp saw, it is told whether
the log on disk is still the one that was recorded. "on base": it fails without
the task's work, too; see gate run --on-base.

Exit codes: 0 listed; 2 a wrong call; 3 could not be read.`,
		Example: `  dwp gate list
  dwp gate list quote_service 2 --json`,
		Args:              atMost(2),
		ValidArgsFunction: a.completePlans,
		RunE:              func(_ *cobra.Command, args []string) error { return a.gateList(args, task) },
	}
	cmd.Flags().IntVar(&task, "task", 0, "task `N` (default: all)")
	return cmd
}

func (a *app) gateList(args []string, task int) error {
	names, id, err := gateTarget(args, task)
	if err != nil {
		return err
	}
	t, s, err := a.open(names)
	if err != nil {
		return err
	}
	if s.State == nil {
		return cannot("no-state", "dwp verify "+t.Name+" says why", "%s has no state.json that can be read", t.Name)
	}
	if id > len(s.State.Tasks) {
		return usage("unknown-task", fmt.Sprintf("it has tasks 1 to %d", len(s.State.Tasks)), "%s has no task %d", t.Name, id)
	}
	records := work.Gates(s, id)
	if a.json {
		return a.writeJSON(struct {
			opening
			Plan  string     `json:"plan"`
			Path  string     `json:"path"`
			Gates []gateJSON `json:"gates"`
			closing
		}{opened("gate list"), t.Name, t.Path, gatesJSON(records), closed(nil, nil)})
	}
	a.printGates(t.Name, records)
	return nil
}

func gatesJSON(records []work.GateRecord) []gateJSON {
	all := []gateJSON{}
	for i := range records {
		r := &records[i]
		g := gateJSON{r.Task, r.Command, r.Passes, r.ExitCode, "", r.Evidence, r.History, r.Invalidated, r.Observed, r.LogPath, r.Log, r.Base}
		if r.LastRun != nil {
			g.LastRun = r.LastRun.Text
		}
		all = append(all, g)
	}
	return all
}

// printGates prints one record after the other, task by task.
func (a *app) printGates(name string, records []work.GateRecord) {
	p := a.page()
	if len(records) == 0 {
		p.line("%s: no gate is recorded", cleanLine(name))
		return
	}
	last := 0
	for i := range records {
		r := &records[i]
		if r.Task != last {
			p.line("%s task %d", cleanLine(name), r.Task)
			last = r.Task
		}
		p.para(2, cleanLine(r.Command))
		p.para(4, verdictOf(r))
		p.para(4, cleanLine(r.Evidence))
	}
}

// verdictOf is what a record says, in a few words.
func verdictOf(r *work.GateRecord) string {
	words := []string{"failed"}
	if r.Passes {
		words[0] = "passed"
	}
	if r.Base != "" {
		words = append(words, "on base "+r.Base)
	}
	if r.LastRun != nil {
		words = append(words, r.LastRun.Text)
	}
	switch {
	case r.Invalidated:
		words = append(words, "invalidated")
	case r.History:
		words = append(words, "history")
	}
	if r.Log != work.LogNone {
		words = append(words, "log "+string(r.Log))
	}
	return cleanLine(strings.Join(words, ", "))
}
