package cli

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/deepworkplan/dwp/internal/author"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/spf13/pflag"
)

// warrantFlags say why what a plan demands changes, and who says so (AM-1, LF-7).
type warrantFlags struct {
	reason, observed, authority, statement, by string
}

func (w *warrantFlags) register(f *pflag.FlagSet) {
	f.StringVar(&w.reason, "reason", "", "why, as `TEXT` of one line")
	f.StringVar(&w.observed, "observed", "", "what was observed, as `TEXT` of one line")
	f.StringVar(&w.authority, "authority", "", "`WHO` decided it: evidence, developer or user")
	f.StringVar(&w.statement, "statement", "", "that person's words, as `TEXT` of one line; needed with user")
	f.StringVar(&w.by, "by", "", "that person's `NAME`")
}

// warrant checks the texts of the flags. In a turn the decision itself refuses what only a person may say (UN-6).
func (a *app) warrant(w warrantFlags, changed func(string) bool) (author.Warrant, error) {
	for _, text := range []given{{"reason", w.reason, textLength}, {"observed", w.observed, textLength}, {"authority", w.authority, nameLength},
		{"statement", w.statement, textLength}, {"by", w.by, nameLength}} {
		if err := text.check(changed(text.flag)); err != nil {
			return author.Warrant{}, err
		}
	}
	return author.Warrant{Reason: w.reason, Observed: w.observed, Authority: w.authority, Statement: w.statement, By: revise.OneLine(w.by), InTurn: a.inTurn()}, nil
}

// planAndTask tells the plan, which may be left out, from the number of its task.
func planAndTask(args []string) (plan []string, task int, err error) {
	last := len(args) - 1
	task, err = strconv.Atoi(args[last])
	if err != nil || task < 1 {
		return nil, 0, usage("bad-task", "name the plan and the number of the task", "%q is not the number of a task", args[last])
	}
	return args[:last], task, nil
}

// lacking tells what a text lacks to be what a refine makes of it, all of it at once.
func (a *app) lacking(command, what string, err error) error {
	e, ok := errors.AsType[*author.Incomplete](err)
	if !ok {
		return err
	}
	f := &failure{exit: ExitNo, code: "text-incomplete", message: what + "; nothing was written", hint: "mend each of these; see dwp " + command + " --help"}
	if a.json {
		answer := struct {
			opening
			Gaps []author.Gap `json:"gaps"`
			closing
		}{opened(command), e.Gaps, closed(nil, f)}
		return a.jsonAnswer(answer, f)
	}
	a.complain(f)
	for _, g := range e.Gaps {
		fmt.Fprintf(a.env.Stderr, "  %s: %s\n", cleanLine(g.Place), cleanLine(g.What))
	}
	return answer(ExitNo)
}
