package cli

import (
	"fmt"
	"strings"

	"github.com/deepworkplan/dwp/internal/author"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/spf13/cobra"
)

// editFlags are the flags of refine edit.
type editFlags struct {
	lockFlags
	warrantFlags
	from, section, text, title string
	invalidates                []string
	confirm, dryRun            bool
}

// refineEditCmd changes sections of an open task (LF-10).
func (a *app) refineEditCmd() *cobra.Command {
	var flags editFlags
	cmd := &cobra.Command{
		Use:   "edit [PLAN] N (--from FILE | --section NAME --text TEXT | ...)",
		Short: "Change sections of an open task",
		Long: `Replace sections of task N, and keep every other byte. FILE is a task as an
outline has it, in Markdown or JSON, with only the sections to change; a line
"Depends on: 1, 3" changes what the task waits for. The log is never edited, and
a task file keeps its name. A completed task is reopened first.

A criterion or gate that is dropped or reworded leaves an amendment in the log,
and needs --reason and --authority; only a person drops one. One that is added
grows the scope: approval is pending again, unless --authority user, --statement
and --by state a person's word, which is recorded as a claim. A criterion whose
words stay keeps its tick; any other one is open.

Records of gates that go, and those that a changed criterion takes the ground
from, are marked as invalidated: those that --invalidates names, else all of the
task. They are listed and nothing is written before --confirm says yes.

Exit codes: 0 changed, or nothing to change; 1 refused: nothing was written; 2
a wrong call; 3 could not be done; 4 locked.`,
		Example: `  dwp refine edit quote_service 3 --title "Publish the rates"
  dwp refine edit quote_service 3 --from task.md --dry-run
  dwp refine edit quote_service 3 --section Outputs --text "- rates.json"`,
		Args:              between(1, 2),
		ValidArgsFunction: a.completePlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.refineEdit(cmd, args, flags) },

		DisableFlagsInUseLine: true,
	}
	f := cmd.Flags()
	f.StringVar(&flags.from, "from", "", "read what changes from `FILE`, or from standard input when it is -")
	f.StringVar(&flags.section, "section", "", "change the section `NAME` alone")
	f.StringVar(&flags.text, "text", "", "its new words: `TEXT`, or standard input when it is -")
	f.StringVar(&flags.title, "title", "", "the task's new `TITLE`")
	f.StringArrayVar(&flags.invalidates, "invalidates", nil, "`COMMAND` whose record a changed criterion invalidates; repeatable")
	f.BoolVar(&flags.confirm, "confirm", false, "invalidate the records that are listed")
	f.BoolVar(&flags.dryRun, "dry-run", false, "show what would change in each file, and write nothing")
	flags.warrantFlags.register(f)
	flags.lockFlags.register(f)
	return cmd
}

// refineEdit reads what is to change, decides, and answers.
func (a *app) refineEdit(cmd *cobra.Command, args []string, flags editFlags) error {
	const command = "refine edit"
	named, task, err := planAndTask(args)
	if err != nil {
		return err
	}
	warrant, err := a.warrant(flags.warrantFlags, cmd.Flags().Changed)
	if err != nil {
		return err
	}
	text, gaps, err := a.taskEdit(cmd, flags)
	switch {
	case err != nil:
		return err
	case len(gaps) > 0:
		return a.lacking(command, fmt.Sprintf("task %d can't be edited by this text", task), &author.Incomplete{Gaps: gaps})
	}
	t, err := a.one(named)
	if err != nil {
		return err
	}
	ctx, w, err := a.write(cmd, t.Path, flags.lockFlags)
	if err != nil {
		return err
	}
	defer w.close()
	var told author.Edited
	decide := author.Edit{Who: w.who(), Task: task, Text: text, Warrant: warrant, Confirm: flags.confirm, Invalidates: flags.invalidates}.Decide(&told)
	answer := editAnswer{opening: opened(command), Plan: w.Name, Path: w.path, Task: task, DryRun: flags.dryRun, closing: closed(nil, nil)}
	draft, done, err := a.revised(ctx, w, author.RefineTerms, flags.dryRun, decide)
	if err != nil {
		return a.lacking(command, fmt.Sprintf("task %d can't be edited by this text", task), w.orGaps(err))
	}
	answer.fill(&told, done)
	return a.edited(&answer, draft)
}

// taskEdit puts together what --from, --section, --text and --title say.
func (a *app) taskEdit(cmd *cobra.Command, flags editFlags) (author.TaskEdit, []author.Gap, error) {
	changed := cmd.Flags().Changed
	none := author.TaskEdit{}
	switch {
	case changed("from") && (changed("section") || changed("text")):
		return none, nil, usage("bad-flag", "see dwp refine edit --help", "--from and --section exclude each other")
	case changed("section") != changed("text"):
		return none, nil, usage("bad-flag", "give both, or a file with --from", "--section and --text belong together")
	case !changed("from") && !changed("section") && !changed("title"):
		return none, nil, usage("no-text", "give --from FILE, --section NAME with --text, or --title", "nothing is to change")
	}
	if err := (given{"title", flags.title, textLength}).check(changed("title")); err != nil {
		return none, nil, err
	}
	var e author.TaskEdit
	var gaps []author.Gap
	switch {
	case changed("from"):
		src, err := a.outline(flags.from)
		if err != nil {
			return none, nil, err
		}
		e, gaps = author.ReadTaskEdit(src)
	case changed("section"):
		text := flags.text
		if text == "-" {
			src, err := a.outline(text)
			if err != nil {
				return none, nil, err
			}
			text = string(src)
		}
		e, gaps = author.SectionEdit(flags.section, text)
	}
	if changed("title") {
		e.Title = flags.title
	}
	return e, gaps, nil
}

// editAnswer is the JSON answer of refine edit.
type editAnswer struct {
	opening
	Plan        string        `json:"plan"`
	Path        string        `json:"path"`
	Task        int           `json:"task"`
	Changed     bool          `json:"changed"`
	DryRun      bool          `json:"dry_run"`
	Sections    []string      `json:"sections"`    // whose words changed, with "title" and "Depends on"
	Revised     []revisedText `json:"revised"`     // criteria and gates that were dropped or reworded
	Added       []string      `json:"added"`       // criteria and gates that were not there
	Amendments  []int         `json:"amendments"`  // their numbers in the task's log
	Invalidated []string      `json:"invalidated"` // commands whose records are marked
	Pending     bool          `json:"pending"`     // approval is pending again
	Diff        string        `json:"diff"`        // of a dry run
	Warnings    []string      `json:"warnings"`
	closing
}

// revisedText is a criterion or gate; the new one is "" when it was dropped.
type revisedText struct {
	Old string `json:"old"`
	New string `json:"new"`
}

func (e *editAnswer) fill(told *author.Edited, done publish.Done) {
	e.Changed, e.Sections, e.Added, e.Pending = done.Changed && !e.DryRun, list(told.Sections), list(told.Added), told.Pending
	e.Amendments, e.Invalidated, e.Warnings, e.Revised = list(told.Amendments), list(told.Invalidated), list(done.Warnings), []revisedText{}
	for _, r := range told.Revised {
		e.Revised = append(e.Revised, revisedText{r.Old, r.New})
	}
}

// edited tells what was done, or what would be.
func (a *app) edited(e *editAnswer, draft *publish.Draft) error {
	if a.json {
		e.Diff = diffOf(draft)
		return a.writeJSON(e)
	}
	if draft != nil {
		a.printDiff(draft.Before, draft.After)
		return nil
	}
	a.editText(cleanLine(e.Plan), e)
	return nil
}

// editText tells it to people.
func (a *app) editText(name string, e *editAnswer) {
	p := a.page()
	if !e.Changed {
		p.para(0, fmt.Sprintf("%s: task %d reads so already, nothing to change", name, e.Task))
		return
	}
	p.para(0, fmt.Sprintf("%s: task %d is edited: %s", name, e.Task, strings.Join(e.Sections, ", ")))
	for _, r := range e.Revised {
		if r.New == "" {
			p.flow("  dropped   ", 12, 12, cleanLine(r.Old))
			continue
		}
		p.flow("  revised   ", 12, 12, cleanLine(r.Old))
		p.flow("  to        ", 12, 12, cleanLine(r.New))
	}
	for _, text := range e.Added {
		p.flow("  added     ", 12, 12, cleanLine(text))
	}
	for _, n := range e.Amendments {
		p.line("  amendment %d", n)
	}
	for _, c := range e.Invalidated {
		p.flow("  invalid   ", 12, 12, "the record of "+cleanLine(c)+": run it again")
	}
	if e.Pending {
		p.pendingAgain(name)
	}
}
