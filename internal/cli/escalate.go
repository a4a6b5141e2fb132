package cli

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/deepworkplan/dwp/internal/work"
	"github.com/spf13/cobra"
)

// escalateCmd asks a person what an agent may not decide (UN-5, UN-7).
func (a *app) escalateCmd() *cobra.Command {
	var flags lockFlags
	var e work.Escalate
	var notify string
	cmd := &cobra.Command{
		Use:     "escalate [PLAN] --class CLASS --question TEXT --default TEXT",
		Short:   "Ask a person what an agent may not decide",
		GroupID: groupAutomate,
		Long: `Ask a person what an agent may not decide. The question is kept with an ID (Q1,
Q2, ...) in analysis_results/QUESTIONS.md, where it waits with the others. The
same question again adds nothing. An escalation names its class:

` + classLines() + `
All else is the agent's: splits, order, names, wording that evidence backs,
retries, environment. It decides, and records that with dwp decide.

With --critical the question blocks its task, the one in progress or --task N,
and what depends on it; independent tasks go on. Behind another blocker it
waits. With --notify, sh runs COMMAND once the question is recorded, with the
question as JSON to read, for 10 seconds at most. Its output is dropped, and
its failure is only warned of.

Exit codes: 0 recorded, or asked before; 1 refused; 2 a wrong call; 3 could not
be done; 4 locked.`,
		Example: `  dwp escalate --class C2 --question 'Which tariff is billed?' \
    --option 2025 --option 2026 --default 2026 --task 2 --critical
  dwp escalate quote_service --class C4 --question 'Leave the PDF out?' \
    --default 'keep it' --notify 'mail -s "a question" ada'`,
		Args:              atMost(1),
		ValidArgsFunction: a.completePlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.escalate(cmd, args, flags, &e, notify) },

		DisableFlagsInUseLine: true,
	}
	f := cmd.Flags()
	f.StringVar(&e.Class, "class", "", "the `CLASS` of the question: C1 to C5")
	f.StringVar(&e.Question, "question", "", "what is asked, one line of `TEXT`")
	f.StringVar(&e.Default, "default", "", "the answer that is recommended, one line of `TEXT`")
	f.StringArrayVar(&e.Options, "option", nil, "what there is to choose from, one line of `TEXT`; may be repeated")
	f.IntVar(&e.Task, "task", 0, "the number `N` of the task that it is about")
	f.BoolVar(&e.Critical, "critical", false, "block the task until a person answers")
	f.StringVar(&notify, "notify", "", "run the shell `COMMAND` once the question is recorded")
	flags.register(f)
	cmd.RegisterFlagCompletionFunc("class", cobra.FixedCompletions(classIDs(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// classLines explains the classes, in 80 columns.
func classLines() string {
	var b strings.Builder
	for _, c := range work.EscalationClasses() {
		for i, line := range wrap(c.Means, defaultWidth-6, defaultWidth-6) {
			if label := "  " + c.ID + "  "; i == 0 {
				b.WriteString(label + line + "\n")
				continue
			}
			b.WriteString("      " + line + "\n")
		}
	}
	return b.String()
}

func classIDs() (ids []string) {
	for _, c := range work.EscalationClasses() {
		ids = append(ids, c.ID)
	}
	return ids
}

// escalate records the question, then tells whom the caller wants told.
func (a *app) escalate(cmd *cobra.Command, args []string, flags lockFlags, e *work.Escalate, notify string) error {
	if err := demand(cmd, "class", "question", "default"); err != nil {
		return err
	}
	if err := numberedTask(cmd, e.Task); err != nil {
		return err
	}
	if cmd.Flags().Changed("notify") && strings.TrimSpace(notify) == "" {
		return usage("bad-flag", "", "--notify is empty")
	}
	e.Class = strings.ToUpper(e.Class)
	if ids := classIDs(); !strings.Contains(" "+strings.Join(ids, " ")+" ", " "+e.Class+" ") {
		return usage("bad-flag", "one of: "+enumerate(ids)+"; what has none you decide yourself: dwp decide", "there is no class %q", e.Class)
	}
	t, err := a.one(args)
	if err != nil {
		return err
	}
	ctx, w, err := a.write(cmd, t.Path, flags)
	if err != nil {
		return err
	}
	defer w.close()
	e.Who, e.Configured = w.who(), a.configured()
	done, err := publish.Revise(ctx, w.Plan, work.QuestionTerms, e.Decide)
	if err != nil {
		return w.failed(err)
	}
	a.finished(done.Changed, done.Warnings)
	asked, err := a.questionOf(w, e.ID)
	if err != nil {
		return err
	}
	said := escalateAnswer{opened("escalate"), w.Name, w.path, done.Changed, e.Behind, asked, done.Warnings, closed(nil, nil)}
	if notify != "" && done.Changed { // sent once (UN-7)
		if text := a.notify(ctx, notify, notifyTime, said); text != "" {
			a.warn(text)
			said.Warnings = append(said.Warnings, text)
		}
	}
	said.Warnings = list(said.Warnings)
	if a.json {
		return a.writeJSON(said)
	}
	a.page().para(0, w.Name+" "+e.ID+": "+escalated(e, done.Changed))
	return nil
}

// escalateAnswer is the JSON answer of escalate, and what --notify is given to read.
type escalateAnswer struct {
	opening
	Plan     string        `json:"plan"`
	Path     string        `json:"path"`
	Changed  bool          `json:"changed"` // false: it was asked before
	Behind   int           `json:"behind"`  // the task whose blocker stands before a critical question; 0 for none
	Question *questionJSON `json:"question"`
	Warnings []string      `json:"warnings"`
	closing
}

// escalated tells what became of the question.
func escalated(e *work.Escalate, changed bool) string {
	text := ""
	switch {
	case e.Answered != nil:
		text = "it was answered: " + e.Answered.Text
	case e.Blocked > 0:
		text = fmt.Sprintf("task %d is blocked until a person answers", e.Blocked)
	case e.Behind > 0:
		text = fmt.Sprintf("it waits: the blocker of task %d stands, and is not replaced", e.Behind)
	default:
		text = "it waits for a person, and blocks nothing"
	}
	if !changed {
		return "asked before; " + text
	}
	return text
}

// How long a notification may take, and how long it may then take to end.
const (
	notifyTime  = 10 * time.Second
	notifyGrace = time.Second
)

// notify runs the caller's command with the question to read, and says what went wrong; "" for nothing. The record is durable by then.
func (a *app) notify(ctx context.Context, command string, limit time.Duration, what escalateAnswer) string {
	what.Warnings = list(what.Warnings)
	return a.notifyOf(ctx, command, limit, what, "the question is recorded")
}

// notifyOf runs a command of the caller's with an answer to read, as JSON. What it says of a failure ends with what holds all the same: an
// unreachable channel never blocks (UN-4).
func (a *app) notifyOf(ctx context.Context, command string, limit time.Duration, what any, holds string) string {
	text, err := marshal(what)
	if err != nil {
		return "the notification could not be made: " + err.Error()
	}
	c := runner.Command{Args: []string{"sh", "-c", command}, Stdin: bytes.TrimSpace(text), Timeout: limit, Grace: notifyGrace, Now: a.env.Now}
	if c.Dir, err = a.start(); err != nil {
		c.Dir = "" // the folder went away meanwhile; the command may do without
	}
	if a.env.Environ != nil {
		c.Env = a.env.Environ()
	}
	switch r := runner.Run(ctx, c); {
	case r.End != runner.Exited:
		return "the notification failed: " + r.Reason + "; " + holds
	case r.Code != 0:
		return fmt.Sprintf("the notification failed: exit code %d; %s", r.Code, holds)
	}
	return ""
}
