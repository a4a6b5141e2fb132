package cli

import (
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/work"
	"github.com/spf13/cobra"
)

// skillsCmd holds the commands about skills candidates (PD-8).
func (a *app) skillsCmd() *cobra.Command {
	return parentCmd("skills", "Keep what tasks teach as skills candidates", groupWork,
		`What a task teaches that is worth a skill is a candidate: it gets an ID that
never changes, and the Final Review decides it. Candidates stand in the plan's
analysis_results/SKILLS_CANDIDATES.md.`,
		a.skillsAddCmd(), a.skillsUpdateCmd(), a.skillsListCmd())
}

// skillsAddCmd adds a candidate.
func (a *app) skillsAddCmd() *cobra.Command {
	var flags lockFlags
	var c work.AddSkill
	cmd := &cobra.Command{
		Use:   "add [PLAN] --title TEXT [flags]",
		Short: "Add a candidate",
		Long: `Add a candidate with the next ID of its task, such as T2-1. The ID never
changes, not when tasks are renumbered, and is not given again. A candidate of
that title is not added twice.

Exit codes: 0 added, or there before; 1 refused; 2 a wrong call; 3 could not be
done; 4 locked.`,
		Example: `  dwp skills add --task 2 --title 'Check labels against the glossary' \
    --why 'three tasks did it by hand'`,
		Args:              atMost(1),
		ValidArgsFunction: a.completePlans,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := demand(cmd, "title"); err != nil {
				return err
			}
			if err := numberedTask(cmd, c.Task); err != nil {
				return err
			}
			w, done, err := a.ledger(cmd, args, flags, func(w *writer) publish.Decide {
				c.Who, c.Configured = w.who(), a.configured()
				return c.Decide
			})
			if err != nil {
				return err
			}
			return a.ledgered("skills add", w, c.ID, c.Title, done)
		},

		DisableFlagsInUseLine: true,
	}
	f := cmd.Flags()
	f.IntVar(&c.Task, "task", 0, "the number `N` of the task that taught it (default: the one in progress)")
	f.StringVar(&c.Title, "title", "", "the skill, one line of `TEXT`")
	f.StringVar(&c.Why, "why", "", "why it is worth one, one line of `TEXT`")
	flags.register(f)
	return cmd
}

// skillsUpdateCmd decides a candidate.
func (a *app) skillsUpdateCmd() *cobra.Command {
	var flags lockFlags
	var c work.UpdateSkill
	cmd := &cobra.Command{
		Use:   "update [PLAN] ID --disposition TEXT [flags]",
		Short: "Decide a candidate",
		Long: `Decide a candidate: none, update x, create x, or defer with a reason and an
owner. It is written where the candidate has a place for it, else in a line of
its own at the end of the file.

Exit codes: 0 decided, or decided so before; 1 refused; 2 a wrong call; 3 could
not be done; 4 locked.`,
		Example: `  dwp skills update T2-1 --disposition 'create label-check'
  dwp skills update quote_service T1-1 --disposition 'defer - no time, Ada'`,
		Args:              between(1, 2),
		ValidArgsFunction: a.completePlans,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := demand(cmd, "disposition"); err != nil {
				return err
			}
			c.ID = args[len(args)-1]
			w, done, err := a.ledger(cmd, args[:len(args)-1], flags, func(w *writer) publish.Decide {
				c.Who = w.who()
				return c.Decide
			})
			if err != nil {
				return err
			}
			return a.ledgered("skills update", w, c.ID, c.Disposition, done)
		},

		DisableFlagsInUseLine: true,
	}
	f := cmd.Flags()
	f.StringVar(&c.Disposition, "disposition", "", "what is decided, one line of `TEXT`")
	flags.register(f)
	return cmd
}

// skillsListCmd lists candidates.
func (a *app) skillsListCmd() *cobra.Command {
	return &cobra.Command{
		Use:               "list [PLAN]",
		Short:             "List the candidates, and what was decided",
		Long:              "List the candidates of a plan by their IDs, and what was decided about each.\nNothing is written.\n\nExit codes: 0 listed; 2 there is no such plan; 3 unreadable.",
		Example:           `  dwp skills list quote_service`,
		Args:              atMost(1),
		ValidArgsFunction: a.completePlans,
		RunE:              func(_ *cobra.Command, args []string) error { return a.skillsList(args) },
	}
}

// skillJSON is one candidate.
type skillJSON struct {
	ID          string `json:"id"`
	Task        int    `json:"task"` // as the ID names it, which may have another number by now
	Title       string `json:"title"`
	Why         string `json:"why"`
	Disposition string `json:"disposition"` // "" when nothing is said
}

func (a *app) skillsList(args []string) error {
	t, s, err := a.open(args)
	if err != nil {
		return err
	}
	all := []skillJSON{}
	if s.Candidates != nil {
		for _, c := range s.Candidates.List {
			said := ""
			if c.Disposition != nil {
				said = c.Disposition.Value
			}
			all = append(all, skillJSON{c.ID, c.Task, c.Title, c.Why, said})
		}
	}
	if a.json {
		return a.writeJSON(struct {
			opening
			Plan       string      `json:"plan"`
			Path       string      `json:"path"`
			Candidates []skillJSON `json:"candidates"`
			closing
		}{opened("skills list"), t.Name, t.Path, all, closed(nil, nil)})
	}
	p := a.page()
	if len(all) == 0 {
		p.line("%s: no candidates", cleanLine(t.Name))
		return nil
	}
	p.line("%s", p.paint(bold, cleanLine(t.Name)))
	for _, c := range all {
		const width = 10
		p.flow("  "+pad(cleanLine(c.ID), width-2), width, width, cleanLine(c.Title))
		p.labelled(pad("", width-1), width, c.Why)
		said := c.Disposition
		if said == "" {
			said = "undecided"
		}
		p.labelled(pad("", width-1), width, "-> "+said)
	}
	return nil
}
