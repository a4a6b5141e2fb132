package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/author"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/spf13/cobra"
)

// splitFlags are the flags of refine split.
type splitFlags struct {
	lockFlags
	warrantFlags
	from   string
	dryRun bool
}

// refineSplitCmd puts several tasks in the place of one (LF-10).
func (a *app) refineSplitCmd() *cobra.Command {
	var flags splitFlags
	cmd := &cobra.Command{
		Use:   "split [PLAN] N --from FILE",
		Short: "Split a task that was never started",
		Long: `Put the tasks of an outline in the place of task N, which was never started.
Each criterion and each output of it must stand in exactly one of them, verbatim
up to white space; each gate, planned path, instruction and rollback in one at
least. What is missing or doubled is listed, and nothing is written. The answer
and PROGRESS.md say where each of them went.

In the outline the parts are numbered from 1. A part without a "Depends on" line
waits for what task N waited for and for the parts before it; one with such a
line for the parts that it names. What waited for N waits for the parts.

A criterion, gate or output that N has not grows the scope: approval is pending
again, unless --authority user, --statement and --by state a person's word. A
task with history keeps its number and its records: add the rest with refine
add, then make it smaller with refine edit.

Exit codes: 0 split; 1 refused: nothing was written; 2 a wrong call; 3 could not
be done; 4 locked.`,
		Example: `  dwp refine split quote_service 3 --from parts.md --dry-run
  dwp refine split quote_service 3 --from parts.md`,
		Args:              between(1, 2),
		ValidArgsFunction: a.completePlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.refineSplit(cmd, args, flags) },

		DisableFlagsInUseLine: true,
	}
	f := cmd.Flags()
	f.StringVar(&flags.from, "from", "", "read the parts from `FILE`, or from standard input when it is -")
	f.BoolVar(&flags.dryRun, "dry-run", false, "show what would change in each file, and write nothing")
	flags.warrantFlags.register(f)
	flags.lockFlags.register(f)
	return cmd
}

// refineSplit reads the parts, decides, and answers.
func (a *app) refineSplit(cmd *cobra.Command, args []string, flags splitFlags) error {
	const command = "refine split"
	named, task, err := planAndTask(args)
	if err != nil {
		return err
	}
	if flags.from == "" {
		return usage("no-outline", "give it with --from FILE, or --from - for standard input", "a task is split by an outline of its parts, and none is given")
	}
	warrant, err := a.warrant(flags.warrantFlags, cmd.Flags().Changed)
	if err != nil {
		return err
	}
	src, err := a.outline(flags.from)
	if err != nil {
		return err
	}
	what := fmt.Sprintf("task %d can't be split so", task)
	parts, gaps := author.ReadParts(src)
	if len(gaps) > 0 {
		return a.lacking(command, what, &author.Incomplete{Gaps: gaps})
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
	var told author.Parted
	draft, done, err := a.revised(ctx, w, author.RefineTerms, flags.dryRun, author.Split{Who: w.who(), Task: task, Parts: parts, Warrant: warrant}.Decide(&told))
	if err != nil {
		return a.lacking(command, what, w.orGaps(err))
	}
	return a.split(w, task, &told, draft, done)
}

// splitAnswer is the JSON answer of refine split. Numbers are those of the plan afterwards.
type splitAnswer struct {
	opening
	Plan       string            `json:"plan"`
	Path       string            `json:"path"`
	Task       int               `json:"task"` // the one that was split
	Changed    bool              `json:"changed"`
	DryRun     bool              `json:"dry_run"`
	Parts      []author.Position `json:"parts"`
	Landed     []author.Landing  `json:"landed"`     // each requirement of the task, and where it stands now
	Added      []author.Landing  `json:"added"`      // what the task had not
	Renumbered map[string]int    `json:"renumbered"` // by the number before
	Mentions   []author.Mention  `json:"mentions"`   // of a number that changed, left for a person to look at
	Pending    bool              `json:"pending"`    // approval is pending again
	Diff       string            `json:"diff"`       // of a dry run
	Warnings   []string          `json:"warnings"`
	closing
}

// split tells where everything went.
func (a *app) split(w *writer, task int, told *author.Parted, draft *publish.Draft, done publish.Done) error {
	if a.json {
		answer := splitAnswer{opening: opened("refine split"), Plan: w.Name, Path: w.path, Task: task, Changed: done.Changed && draft == nil, DryRun: draft != nil,
			Parts: list(told.Added), Landed: list(told.Landed), Added: list(told.More), Renumbered: map[string]int{}, Mentions: list(told.Left),
			Pending: told.Pending, Warnings: list(done.Warnings), closing: closed(nil, nil)}
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
	a.splitText(cleanLine(w.Name), task, told)
	return nil
}

// splitText tells it to people.
func (a *app) splitText(name string, task int, told *author.Parted) {
	p := a.page()
	var parts []int
	for _, part := range told.Added {
		parts = append(parts, part.Number)
	}
	p.para(0, fmt.Sprintf("%s: task %d is split into %s", name, task, numbersOf(parts)))
	const width = 26
	for _, l := range told.Landed {
		p.labelled(fmt.Sprintf("  %s, %s", l.Kind, numbersOf(l.Tasks)), width, cleanLine(l.Text))
	}
	for _, l := range told.More {
		p.labelled(fmt.Sprintf("  new %s, %s", l.Kind, numbersOf(l.Tasks)), width, cleanLine(l.Text))
	}
	rest := told.Refined
	rest.Added = nil // they are told
	a.reorderedText(name, &rest)
}

// numbersOf lists numbers of tasks: "task 2", "tasks 2, 3".
func numbersOf(tasks []int) string {
	var numbers []string
	for _, n := range tasks {
		numbers = append(numbers, strconv.Itoa(n))
	}
	if len(numbers) == 1 {
		return "task " + numbers[0]
	}
	return "tasks " + strings.Join(numbers, ", ")
}
