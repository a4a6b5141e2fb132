package cli

import (
	"github.com/deepworkplan/dwp/internal/author"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/spf13/cobra"
)

// changesFlags are the flags of refine itself, which takes a change file.
type changesFlags struct {
	lockFlags
	warrantFlags
	from            string
	confirm, dryRun bool
}

// takeChanges lets refine take a change file: several of its commands as one operation (LF-10).
func (a *app) takeChanges(cmd *cobra.Command) {
	var flags changesFlags
	cmd.Use = "refine COMMAND | refine [PLAN] --from FILE"
	cmd.Args = atMost(1)
	cmd.ValidArgsFunction = a.completePlans
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case cmd.Flags().Changed("from"):
			return a.refineAll(cmd, args, flags)
		case len(args) > 0:
			return unknownCommand(cmd, args[0])
		}
		return cmd.Help()
	}
	f := cmd.Flags()
	f.StringVar(&flags.from, "from", "", "make the changes of `FILE`, or of standard input when it is -, as one operation")
	f.BoolVar(&flags.confirm, "confirm", false, "invalidate the records that are listed, move what has history")
	f.BoolVar(&flags.dryRun, "dry-run", false, "show what would change in each file, and write nothing")
	flags.warrantFlags.register(f)
	flags.lockFlags.register(f)
}

// refineAll reads the changes, decides, and answers.
func (a *app) refineAll(cmd *cobra.Command, args []string, flags changesFlags) error {
	const command, what = "refine", "these changes can't be made"
	warrant, err := a.warrant(flags.warrantFlags, cmd.Flags().Changed)
	if err != nil {
		return err
	}
	src, err := a.outline(flags.from)
	if err != nil {
		return err
	}
	steps, gaps := author.ReadChanges(src)
	if len(gaps) > 0 {
		return a.lacking(command, what, &author.Incomplete{Gaps: gaps})
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
	var told []author.StepDone
	decide := author.Changes{Who: w.who(), Steps: steps, Warrant: warrant, Confirm: flags.confirm}.Decide(&told)
	draft, done, err := a.revised(ctx, w, author.RefineTerms, flags.dryRun, decide)
	if err != nil {
		return a.lacking(command, what, w.orGaps(err))
	}
	return a.allRefined(w, told, draft, done)
}

// changesAnswer is the JSON answer to a change file: what each change came to, as its own command answers it. Numbers are those
// after the change, which later ones may move.
type changesAnswer struct {
	opening
	Plan     string   `json:"plan"`
	Path     string   `json:"path"`
	Changed  bool     `json:"changed"`
	DryRun   bool     `json:"dry_run"`
	Changes  []any    `json:"changes"`
	Diff     string   `json:"diff"` // of a dry run
	Warnings []string `json:"warnings"`
	closing
}

// allRefined tells what was done, change by change.
func (a *app) allRefined(w *writer, told []author.StepDone, draft *publish.Draft, done publish.Done) error {
	name := cleanLine(w.Name)
	if a.json {
		answer := changesAnswer{opening: opened("refine"), Plan: w.Name, Path: w.path, Changed: done.Changed && draft == nil, DryRun: draft != nil,
			Changes: []any{}, Warnings: list(done.Warnings), closing: closed(nil, nil)}
		for _, s := range told {
			answer.Changes = append(answer.Changes, stepTold(s))
		}
		answer.Diff = diffOf(draft)
		return a.writeJSON(answer)
	}
	if draft != nil {
		a.printDiff(draft.Before, draft.After)
		return nil
	}
	for _, s := range told {
		switch {
		case s.Edited != nil:
			e := editAnswer{Plan: w.Name, Task: s.Now}
			e.fill(s.Edited, publish.Done{Changed: len(s.Edited.Sections) > 0})
			a.editText(name, &e)
		case s.Parted != nil:
			a.splitText(name, s.Now, s.Parted)
		case s.Tasks != nil:
			a.reorderedText(name, s.Tasks)
		}
	}
	a.page().line("%s: %d changes, as one operation", name, len(told))
	return nil
}

// stepTold is one change in JSON.
func stepTold(s author.StepDone) any {
	type head struct {
		Do     string `json:"do"`
		Number int    `json:"number"` // as the change file has it
		Now    int    `json:"now"`    // when it was done
	}
	h := head{s.Do, s.Task, s.Now}
	switch {
	case s.Edited != nil:
		e := editAnswer{}
		e.fill(s.Edited, publish.Done{})
		return struct {
			head
			Sections    []string      `json:"sections"`
			Revised     []revisedText `json:"revised"`
			Added       []string      `json:"added"`
			Amendments  []int         `json:"amendments"`
			Invalidated []string      `json:"invalidated"`
			Pending     bool          `json:"pending"`
		}{h, e.Sections, e.Revised, e.Added, e.Amendments, e.Invalidated, e.Pending}
	case s.Parted != nil:
		return struct {
			head
			Parts   []author.Position `json:"parts"`
			Landed  []author.Landing  `json:"landed"`
			Added   []author.Landing  `json:"added"`
			Pending bool              `json:"pending"`
		}{h, list(s.Parted.Refined.Added), list(s.Parted.Landed), list(s.Parted.More), s.Parted.Pending}
	}
	return struct {
		head
		Added   []author.Position `json:"added"`
		Moved   *author.Position  `json:"moved"`
		Removed *author.Position  `json:"removed"`
		Skipped bool              `json:"skipped"`
		Pending bool              `json:"pending"`
	}{h, list(s.Tasks.Added), s.Tasks.Moved, s.Tasks.Removed, s.Tasks.Skipped, s.Tasks.Pending}
}
