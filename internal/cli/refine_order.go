package cli

import (
	"fmt"
	"strconv"

	"github.com/deepworkplan/dwp/internal/author"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// placeFlags name a place among the tasks.
type placeFlags struct{ after, before int }

func (p *placeFlags) register(f *pflag.FlagSet) {
	f.IntVar(&p.after, "after", 0, "behind task `N`")
	f.IntVar(&p.before, "before", 0, "before task `N`")
}

// check demands at most one place, and with needed one.
func (p *placeFlags) check(changed func(string) bool, needed bool) error {
	switch after, before := changed("after"), changed("before"); {
	case after && before:
		return usage("bad-flag", "", "--after and --before exclude each other")
	case after && p.after < 1, before && p.before < 1:
		return usage("bad-task", "name a task by its number", "--after and --before take the number of a task")
	case needed && !after && !before:
		return usage("missing-argument", "give --after N or --before N", "it is not said where the task is to stand")
	}
	return nil
}

// reordering is a call of refine add, move or remove.
type reordering struct {
	command, what string
	plan          []string
	lock          lockFlags
	dryRun        bool
}

type decision = publish.Decide

// reorder carries out what one of these calls decides, and answers.
func (a *app) reorder(cmd *cobra.Command, c reordering, decide func(*writer, *author.Refined) decision) error {
	t, err := a.one(c.plan)
	if err != nil {
		return err
	}
	ctx, w, err := a.write(cmd, t.Path, c.lock)
	if err != nil {
		return err
	}
	defer w.close()
	var told author.Refined
	draft, done, err := a.revised(ctx, w, author.RefineTerms, c.dryRun, decide(w, &told))
	if err != nil {
		return a.lacking(c.command, c.what, w.orGaps(err))
	}
	return a.reordered(c.command, w, &told, draft, done)
}

// reorderedAnswer is the JSON answer of refine add, move and remove. Numbers are those of the plan afterwards but for the removed task.
type reorderedAnswer struct {
	opening
	Plan       string            `json:"plan"`
	Path       string            `json:"path"`
	Changed    bool              `json:"changed"`
	DryRun     bool              `json:"dry_run"`
	Added      []author.Position `json:"added"`
	Moved      *author.Position  `json:"moved"`
	Removed    *author.Position  `json:"removed"`
	Skipped    bool              `json:"skipped"`    // the removed task has history, and is out of scope
	Archived   bool              `json:"archived"`   // its record stands in PROGRESS.md
	Renumbered map[string]int    `json:"renumbered"` // by the number before
	Mentions   []author.Mention  `json:"mentions"`   // of a number that changed, left for a person to look at
	Approval   string            `json:"approval"`   // afterwards
	Pending    bool              `json:"pending"`    // approval is pending again
	Diff       string            `json:"diff"`       // of a dry run
	Warnings   []string          `json:"warnings"`
	closing
}

// reordered tells what came to stand where.
func (a *app) reordered(command string, w *writer, told *author.Refined, draft *publish.Draft, done publish.Done) error {
	if a.json {
		answer := reorderedAnswer{opening: opened(command), Plan: w.Name, Path: w.path, Changed: done.Changed && draft == nil, DryRun: draft != nil,
			Added: list(told.Added), Moved: told.Moved, Removed: told.Removed, Skipped: told.Skipped, Archived: told.Archived,
			Renumbered: map[string]int{}, Mentions: list(told.Left), Approval: told.Stands, Pending: told.Pending, Warnings: list(done.Warnings), closing: closed(nil, nil)}
		for _, r := range told.Renumbered {
			answer.Renumbered[strconv.Itoa(r.From)] = r.To
		}
		answer.Diff = diffOf(draft)
		return a.writeJSON(answer)
	}
	if draft != nil {
		a.printDiff(draft.Before, draft.After)
		return nil
	}
	if !done.Changed {
		a.page().line("%s: nothing to change", cleanLine(w.Name))
		return nil
	}
	a.reorderedText(cleanLine(w.Name), told)
	return nil
}

// reorderedText tells it to people.
func (a *app) reorderedText(name string, told *author.Refined) {
	p := a.page()
	for _, t := range told.Added {
		p.para(0, fmt.Sprintf("%s: task %d is new: %s; it waits for %s", name, t.Number, cleanLine(t.Title), waitsFor(t)))
	}
	if t := told.Moved; t != nil {
		p.para(0, fmt.Sprintf("%s: %s is task %d", name, cleanLine(t.Title), t.Number))
	}
	if t := told.Removed; t != nil {
		p.para(0, fmt.Sprintf("%s: task %d, %s, is %s", name, t.Number, cleanLine(t.Title), removedWords(told)))
	}
	for _, line := range renumberedRuns(told.Renumbered) {
		p.line("%s", line)
	}
	for _, m := range author.ByLine(told.Left) {
		p.para(0, fmt.Sprintf("%s, line %d: names %s, and was left: %s", cleanLine(m.File), m.Line, numbersOf(m.Tasks), cleanLine(m.Text)))
	}
	switch {
	case told.Pending:
		p.pendingAgain(name)
	case told.Skipped && !told.Archived:
		p.para(0, fmt.Sprintf("Before the next task starts, dwp refine remove %s %d --archive gives its number up; the plan can't end with a skipped task.",
			name, told.Removed.Number))
	}
}

// pendingAgain says what a person does next after the scope has grown (LF-7).
func (p page) pendingAgain(name string) {
	p.para(0, "The scope has grown, and approval is pending again: nothing goes on before a person says so with dwp approve "+name+" --by NAME.")
}

func removedWords(told *author.Refined) string {
	switch {
	case told.Archived:
		return "removed; its record stands in PROGRESS.md"
	case told.Skipped:
		return "skipped; its line, entry and record stay"
	}
	return "removed"
}

// waitsFor tells what a task waits for: all before it, or some.
func waitsFor(t author.Position) string {
	switch all := len(t.Waits) == t.Number-1; {
	case len(t.Waits) == 0:
		return "none"
	case all && t.Number > 2:
		return "all before it"
	}
	return numbersOf(t.Waits)
}

// renumberedRuns tells which numbers changed, runs of them together.
func renumberedRuns(all []author.Renumber) []string {
	var lines []string
	for _, run := range author.Runs(all) {
		if first, last := run[0], run[len(run)-1]; len(run) == 1 {
			lines = append(lines, fmt.Sprintf("Task %d is task %d from now on", first.From, first.To))
		} else {
			lines = append(lines, fmt.Sprintf("Tasks %d to %d are tasks %d to %d from now on", first.From, last.From, first.To, last.To))
		}
	}
	return lines
}
