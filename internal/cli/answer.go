package cli

import (
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/work"
	"github.com/spf13/cobra"
)

// answerCmd records a person's answer to a question (UN-6, GU-5).
func (a *app) answerCmd() *cobra.Command {
	var flags lockFlags
	var q work.AnswerQuestion
	cmd := &cobra.Command{
		Use:     "answer [PLAN] ID --text TEXT --by NAME [flags]",
		Short:   "Record a person's answer to a question",
		GroupID: groupAutomate,
		Long: `Record a person's answer to the question ID (Q1, Q2, ...), word for word, below
the question in analysis_results/QUESTIONS.md. When the question blocks a task,
the blocker is resolved in the same operation: the answer stands in the task's
log, too, and the task is in progress. A later answer is appended; both stand.

Nobody answers inside an unattended turn (DWP_TURN is set), and no agent in its
own name. Trust and a standing "be autonomous" answer nothing. What an agent
passes on is recorded with --relayed-by and adds no authority: the question
stays open.

Exit codes: 0 recorded, or recorded before; 1 refused; 2 a wrong call; 3 could
not be done; 4 locked; 5 an answer was only relayed.`,
		Example: `  dwp answer Q1 --text 'the tariff of 2026' --by Ada
  dwp answer quote_service Q2 --text 'keep it' --by Ada --relayed-by Codex`,
		Args:              between(1, 2),
		ValidArgsFunction: a.completePlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.answer(cmd, args, flags, &q) },

		DisableFlagsInUseLine: true,
	}
	f := cmd.Flags()
	f.StringVar(&q.Text, "text", "", "the answer, word for word, as `TEXT`")
	f.StringVar(&q.By, "by", "", "`NAME` of the person who answers")
	f.StringVar(&q.RelayedBy, "relayed-by", "", "`AGENT` that passes the answer on, which adds no authority")
	flags.register(f)
	return cmd
}

// answer records, and lets the task go on that waited.
func (a *app) answer(cmd *cobra.Command, args []string, flags lockFlags, q *work.AnswerQuestion) error {
	if err := demand(cmd, "text", "by"); err != nil {
		return err
	}
	for _, text := range []given{{"by", q.By, nameLength}, {"relayed-by", q.RelayedBy, nameLength}} {
		if err := text.check(cmd.Flags().Changed(text.flag)); err != nil {
			return err
		}
	}
	q.By, q.RelayedBy = revise.OneLine(q.By), revise.OneLine(q.RelayedBy)
	t, err := a.one(args[:len(args)-1])
	if err != nil {
		return err
	}
	ctx, w, err := a.write(cmd, t.Path, flags)
	if err != nil {
		return err
	}
	defer w.close()
	q.Who, q.ID, q.InTurn = w.who(), args[len(args)-1], a.inTurn()
	done, err := publish.Revise(ctx, w.Plan, work.QuestionTerms, q.Decide)
	if err != nil {
		return w.failed(err)
	}
	a.finished(done.Changed, done.Warnings)
	asked, err := a.questionOf(w, q.ID)
	if err != nil {
		return err
	}
	return a.answerGiven(w, q, asked, done)
}

// answerGiven tells what stands now, and ends with 5 where only the person's own word helps (UN-6).
func (a *app) answerGiven(w *writer, q *work.AnswerQuestion, asked *questionJSON, done publish.Done) error {
	var f *failure
	if asked.Open {
		f = &failure{exit: ExitBlocked, code: "relayed", message: q.ID + " is still open: an answer that an agent passes on is recorded, and adds no authority",
			hint: "the person says so: dwp answer " + w.Name + " " + q.ID + " --text TEXT --by NAME"}
	}
	if a.json {
		return a.jsonAnswer(struct {
			opening
			Plan     string        `json:"plan"`
			Path     string        `json:"path"`
			Changed  bool          `json:"changed"`  // false: it stood there already
			Resolved int           `json:"resolved"` // the task that goes on; 0 for none
			Question *questionJSON `json:"question"`
			Warnings []string      `json:"warnings"`
			closing
		}{opened("answer"), w.Name, w.path, done.Changed, q.Resolved, asked, list(done.Warnings), closed(nil, f)}, f)
	}
	if f != nil {
		return f
	}
	a.page().para(0, w.Name+" "+q.ID+": "+answerWords(q, done.Changed))
	return nil
}

// answerWords tells what became of the question.
func answerWords(q *work.AnswerQuestion, changed bool) string {
	text := "answered"
	switch {
	case !changed:
		return "nothing to change"
	case q.RelayedBy != "":
		return "the relayed words are recorded; a person had answered before"
	case q.Again:
		text = "answered again; the earlier answer stands, too"
	}
	if q.Resolved > 0 {
		text += "; task " + itoa(q.Resolved) + " is in progress"
	}
	return text
}
