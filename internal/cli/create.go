package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/deepworkplan/dwp/internal/author"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/work"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// createFlags are the flags of create.
type createFlags struct {
	lockFlags
	from, name, title, by                string
	archetype, rigor, parent, era, place string
	tags                                 []string
	ignore, outlineTemplate, yes, hub    bool
	resume, discard                      string
	askFlags
}

// createCmd writes new plans, and finishes or removes one whose creation was cut off (LF-1 to LF-6).
func (a *app) createCmd() *cobra.Command {
	var flags createFlags
	cmd := &cobra.Command{
		Use:     "create [lite|full] [trust|auto] [OBJECTIVE...]",
		Short:   "Write a plan from an outline",
		GroupID: groupPlan,
		Long: `Write a complete plan from an outline, which holds its substance: goal, context
and the tasks. Options are the words lite, full, trust and auto at either end of
the words; the words between are the objective, and -- ends options. Without a
wish the format is recommended, and why is told and recorded.

The plan is a proposal: nothing starts before a person approves it. With trust
(or auto) it is approved beforehand and may run unattended, in the name of --by.
An outline that lacks something is refused, and everything it lacks is listed.

An outline is Markdown, as --outline-template prints, or JSON, as dwp schema
outline describes. With --hub it may have a section Child Plans, a table of
Repository, Plan, Task, Depends on and Notes. Creation that was cut off is
finished with --resume, or removed with --discard.

With --ask, on a terminal, questions make the outline, and nothing is written
before a last yes. Each question has a flag; the flags make an outline without
--ask, too: --title, --goal, --context, --task for each task, --parallel, and
for a hub --child.

Exit codes: 0 written; 1 refused: nothing was written; 2 no outline, or a wrong
call; 3 could not be written; 4 locked; 130 interrupted.`,
		Example: `  dwp create --outline-template > outline.md
  dwp create --from outline.md
  dwp create lite trust fix the label --from outline.md --by Ada
  dwp create --ask --save outline.json
  dwp create --hub --from hub.md
  dwp create --resume fix_the_label`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.create(cmd, args, flags) },
	}
	f := cmd.Flags()
	f.StringVar(&flags.from, "from", "", "read the outline from `FILE`, or from standard input when it is -")
	f.StringVar(&flags.name, "name", "", "`NAME` of the plan, two to five words (default: made of the title)")
	f.StringVar(&flags.title, "title", "", "`TITLE` of the plan (default: the outline's, else the objective)")
	f.StringVar(&flags.by, "by", "", "`NAME` of the person who allows unattended work; needed with trust")
	f.StringVar(&flags.archetype, "archetype", "individual", "the `KIND` of repository: individual, orchestrator-hub or agent-workspace (default individual)")
	f.BoolVar(&flags.hub, "hub", false, "a hub: its outline may list child plans in other repositories")
	f.StringVar(&flags.rigor, "rigor", "", "`RIGOR`: micro, standard or deep (default: by what is observed)")
	f.StringVar(&flags.parent, "parent", "", "the plan this one belongs to, as `REPO:PLAN_NAME`")
	f.StringArrayVar(&flags.tags, "tag", nil, "a `TAG` of the plan; may be repeated")
	f.StringVar(&flags.era, "era", string(state.V2), "`ERA` of the JSON files: v2 or v5 (default v2)")
	f.StringVar(&flags.place, "dir", "", "write into the folder .dwp/plans of `DIR`, wherever that is")
	f.BoolVar(&flags.ignore, "ignore", false, "add .dwp/ to .gitignore when git does not ignore it")
	f.BoolVar(&flags.outlineTemplate, "outline-template", false, "print an outline to edit, and write nothing")
	f.StringVar(&flags.resume, "resume", "", "finish the creation of `PLAN`, which was cut off")
	f.StringVar(&flags.discard, "discard", "", "show what is there of `PLAN`, whose creation was cut off, and with --yes remove it")
	f.BoolVar(&flags.yes, "yes", false, "do remove what --discard shows; with --ask, write without the last question")
	flags.askFlags.register(f)
	flags.lockFlags.register(f)
	fixed := func(name string, words ...string) {
		cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	}
	fixed("archetype", archetypes...)
	fixed("rigor", rigors...)
	fixed("era", string(state.V2), string(state.V5))
	return cmd
}

// The closed sets of PS-6.
var (
	archetypes = []string{"individual", "orchestrator-hub", "agent-workspace"}
	rigors     = []string{"micro", "standard", "deep"}
)

// create tells the ways apart: print the example, discard, resume, or write a new plan. The outline is read and judged before a
// folder is looked for, so that who tries an outline out learns everything about it at once.
func (a *app) create(cmd *cobra.Command, args []string, flags createFlags) error {
	changed := cmd.Flags().Changed
	switch {
	case flags.outlineTemplate:
		return a.outlineTemplate()
	case changed("resume") && changed("discard"):
		return usage("bad-flag", "see dwp create --help", "--resume and --discard exclude each other")
	case (changed("resume") || changed("discard")) && len(args) > 0:
		return usage("too-many-arguments", "see dwp create --help", "--resume and --discard take no objective")
	case changed("yes") && !changed("discard") && !flags.ask:
		return usage("bad-flag", "see dwp create --help", "--yes belongs to --discard, or --ask")
	case flags.words() && (flags.from != "" || changed("resume") || changed("discard")):
		return usage("bad-flag", "see dwp create --help", "--ask, --goal, --context, --task, --parallel and --child make an outline; --from, --resume and --discard exclude them")
	case (changed("save") || changed("ask-timeout")) && !flags.ask:
		return usage("bad-flag", "see dwp create --help", "--save and --ask-timeout belong to --ask")
	}
	if err := a.turnStands(); err != nil {
		return err
	}
	if changed("discard") {
		if flags.yes {
			if err := a.outsideTurn("no plan is discarded"); err != nil {
				return err
			}
		}
		return a.discardPlan(cmd, flags)
	}
	opt, err := a.createOptions(cmd, args, flags)
	if err != nil {
		return err
	}
	if changed("resume") {
		return a.resumePlan(cmd, flags, opt)
	}
	if flags.words() {
		return a.createOfWords(cmd, flags, opt)
	}
	if flags.from == "" {
		return usage("no-outline", "print one to edit with: dwp create --outline-template; then give it with --from FILE, or --from - for standard input",
			"a plan is made of an outline, and none is given")
	}
	src, err := a.outline(flags.from)
	if err != nil {
		return err
	}
	root, lost := a.hubRoot(flags, &opt)
	p, err := author.PrepareFrom(src, flags.title, opt)
	if err != nil {
		return a.unfit(err)
	}
	if lost != nil {
		return lost
	}
	return a.materialize(cmd, flags, root, p)
}

// hubRoot is where the plan goes. A hub names itself after that folder; that there is none is for the caller to tell, when the outline
// was judged.
func (a *app) hubRoot(flags createFlags, opt *author.Options) (plan.Root, error) {
	root, err := a.createRoot(flags.place)
	if opt.Archetype == author.Hub && err == nil {
		opt.Repository = filepath.Base(root.Dir)
	}
	return root, err
}

// createOptions puts words and flags together.
func (a *app) createOptions(cmd *cobra.Command, args []string, flags createFlags) (author.Options, error) {
	before, after, ended := args, []string(nil), false
	if dash := cmd.Flags().ArgsLenAtDash(); dash >= 0 {
		before, after, ended = args[:dash], args[dash:], true
	}
	r, err := author.ParseRequest(before, after, ended)
	if err != nil {
		return author.Options{}, usage("lite-and-full", "give one of them, or none to have one recommended; words that are content stand behind --", "%s", err)
	}
	opt := author.Options{
		Objective: r.Objective, Format: r.Format, Trust: r.Trust, By: strings.TrimSpace(flags.by),
		Archetype: flags.archetype, Rigor: flags.rigor, Parent: flags.parent, Tags: flags.tags,
		Agent: flags.agent, Model: flags.model, Era: state.Era(flags.era), CreatedAt: a.env.Now().UTC().Truncate(time.Second),
	}
	if flags.hub {
		if cmd.Flags().Changed("archetype") && opt.Archetype != author.Hub {
			return opt, usage("bad-flag", "--hub is short for --archetype "+author.Hub, "--hub and --archetype %s exclude each other", opt.Archetype)
		}
		opt.Archetype = author.Hub
	}
	// As in every command that writes: a model alone never stands for an agent that was not named.
	if !cmd.Flags().Changed("agent") {
		opt.Agent, opt.Model = a.knownAgent()
	}
	if cmd.Flags().Changed("model") {
		opt.Model = flags.model
	}
	if cmd.Flags().Changed("name") {
		if opt.Name = plan.NormaliseName(flags.name); !author.ValidName(opt.Name) {
			return opt, usage("bad-name", "use two to five words, such as "+author.NameFor(flags.name), "%q does not make the name of a plan", flags.name)
		}
	}
	if err := checkOptions(opt, cmd); err != nil || !opt.Trust {
		return opt, err
	}
	return opt, a.mayTrust(opt)
}

// mayTrust: a plan that is approved beforehand is so by a person's word, which nobody inside a turn has, and in a person's name (LF-3,
// LF-7, UN-6).
func (a *app) mayTrust(opt author.Options) error {
	if err := (given{"by", opt.By, nameLength}).check(true); err != nil {
		return err
	}
	claim := work.Approval{Who: revise.Who{Agent: opt.Agent, Model: opt.Model}, By: opt.By, Unattended: true, Turn: a.inTurn()}
	if refused, no := errors.AsType[*publish.Refused](claim.Claim()); no {
		return refusedAs(&refused.Refusal)
	}
	return nil
}

// checkOptions refuses what no plan can hold.
func checkOptions(opt author.Options, cmd *cobra.Command) error {
	_, name, of := strings.Cut(opt.Parent, ":")
	switch {
	case opt.Trust && opt.By == "":
		return usage("no-name", "say who allows it: --by NAME; or leave trust out for a proposal", "trust approves the plan and allows unattended work, and nobody is named")
	case !opt.Trust && cmd.Flags().Changed("by"):
		return usage("bad-flag", "--by names who allows unattended work; add trust to the words", "--by is given without trust")
	case !slices.Contains(archetypes, opt.Archetype):
		return usage("bad-flag", "one of: "+enumerate(archetypes), "there is no archetype %q", opt.Archetype)
	case opt.Rigor != "" && !slices.Contains(rigors, opt.Rigor):
		return usage("bad-flag", "one of: "+enumerate(rigors), "there is no rigor %q", opt.Rigor)
	case opt.Era != state.V2 && opt.Era != state.V5:
		return usage("bad-flag", "new plans are of v2, or v5", "no plan is created in generation %q", opt.Era)
	case opt.Parent != "" && (!of || !author.ValidName(name) || strings.HasPrefix(opt.Parent, ":")):
		return usage("bad-flag", "write it as repository:PLAN_name", "--parent is %q", opt.Parent)
	}
	return nil
}

// createRoot is where a new plan goes: what --dir says, whatever lies above; else the plans of this repository, or where
// they will be (PD-1, C121).
func (a *app) createRoot(dir string) (plan.Root, error) {
	if dir == "" {
		return a.root()
	}
	if !filepath.IsAbs(dir) {
		start, err := a.start()
		if err != nil {
			return plan.Root{}, err
		}
		dir = filepath.Join(start, dir)
	}
	dir, err := a.folder(dir)
	if err != nil {
		return plan.Root{}, err
	}
	// Named like this, the folder is taken as it is, and nothing is searched upwards.
	found, err := plan.FindRoot(dir, filepath.Join(dir, ".dwp"))
	if err != nil {
		return plan.Root{}, cannot("unreadable", "", "%s", err)
	}
	return found, nil
}

// outline reads the file that --from names. A terminal is not read: who asked for standard input and gave none would wait for
// ever (C145).
func (a *app) outline(name string) ([]byte, error) {
	if name != "-" {
		return a.given(name)
	}
	if f, ok := a.env.Stdin.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return nil, usage("no-outline", "give the outline through a pipe, or name its file", "standard input is a terminal")
	}
	data, err := io.ReadAll(io.LimitReader(a.env.Stdin, maxGiven+1))
	if err == nil && len(data) > maxGiven {
		return nil, cannot("unreadable", "", "read standard input: over %d bytes", maxGiven)
	}
	if err != nil {
		return nil, cannot("unreadable", "", "read standard input: %s", cause(err))
	}
	return data, nil
}

// materialize writes a plan that does not exist yet, in this order: standard output is tried; the target is told; .gitignore; the
// folder; the texts.
func (a *app) materialize(cmd *cobra.Command, flags createFlags, root plan.Root, p *author.Plan) error {
	dir := filepath.Join(root.Plans, p.Name)
	if _, err := os.Lstat(dir); err == nil {
		return exists(root, p.Name)
	} else if !errors.Is(err, os.ErrNotExist) {
		return cannot("unreadable", "", "look for folder %q: %s", dir, cause(err))
	}
	if err := a.answerable(); err != nil {
		return err
	}
	if err := a.target(dir); err != nil {
		return err
	}
	ignored, err := a.ignored(cmd.Context(), root, flags.ignore)
	if err != nil {
		return err
	}
	if err := a.makeFolder(dir); err != nil {
		return err
	}
	ctx, w, err := a.write(cmd, dir, flags.lockFlags)
	if err != nil {
		return err
	}
	defer w.close()
	if err := author.Materialize(ctx, w.place(), p, false); err != nil {
		if errors.Is(err, author.ErrExists) { // made by another in this very moment
			return exists(root, p.Name)
		}
		return w.uncreated(err)
	}
	return a.created(root, dir, p, ignored)
}

// target says where the plan will be before anything is written (PD-1, C121): before the answer, or beside it when that is
// one object. A target that can't be told is not written to; a reader that went away has seen enough.
func (a *app) target(dir string) error {
	if a.json {
		fmt.Fprintf(a.env.Stderr, "dwp: writing %s\n", cleanLine(dir))
		return nil
	}
	a.line("Folder", dir)
	if err := a.out.Flush(); err != nil && !errors.Is(err, syscall.EPIPE) {
		return cannot("no-output", "", "write standard output: %s; nothing was written", err)
	}
	return nil
}

// makeFolder makes a plan folder, and the folders above it that are missing, each durably.
func (a *app) makeFolder(dir string) error {
	top, missing := filepath.Dir(dir), filepath.Base(dir)
	// The nearest folder that is there is opened by its real name: plans may lie behind a link (C127).
	for {
		if info, err := os.Stat(top); err == nil && info.IsDir() {
			break
		}
		parent := filepath.Dir(top)
		if parent == top {
			break
		}
		top, missing = parent, filepath.Join(filepath.Base(top), missing)
	}
	folder, err := disk.Open(top)
	if err != nil {
		return cannot("unwritable", "", "%s; nothing was written", err)
	}
	defer folder.Close()
	if err := disk.MkdirAll(a.through(folder), filepath.ToSlash(missing)); err != nil {
		return cannot("unwritable", "", "in %q: %s", top, err)
	}
	return nil
}

// exists refuses to write over a plan, and names a way on.
func exists(root plan.Root, name string) *failure {
	f := &failure{exit: ExitNo, code: "plan-exists", message: "there is a folder " + name + " already; nothing was written"}
	s, err := plan.Open(filepath.Join(root.Plans, name))
	if err == nil && author.Partial(s) {
		f.hint = "its creation was cut off: finish it with dwp create --resume " + name + ", or remove it with --discard " + name
		return f
	}
	f.hint = "choose another name with --name"
	if free := freeName(root, name); free != "" {
		f.hint += ", such as " + free
	}
	return f
}

// freeName is a name near to one that is taken; "" when there is none.
func freeName(root plan.Root, name string) string {
	words := strings.Split(name, "_")
	for _, n := range []string{"2", "3", "4", "5", "6", "7", "8", "9"} {
		near := name + "_" + n
		if !author.ValidName(near) { // it has five words already
			near = strings.Join(words[:len(words)-1], "_") + "_" + n
		}
		if _, err := os.Lstat(filepath.Join(root.Plans, near)); errors.Is(err, os.ErrNotExist) && author.ValidName(near) {
			return near
		}
	}
	return ""
}

// place is the plan folder as package author takes it.
func (w *writer) place() author.Place {
	return author.Place{FS: w.FS, Owner: w.Owner, Wait: w.Wait}
}

// uncreated tells what keeps a plan from being finished, or removed.
func (w *writer) uncreated(err error) *failure {
	if foreign, ok := errors.AsType[*author.Foreign](err); ok {
		return &failure{exit: ExitNo, code: "foreign-files", message: foreign.Error() + "; nothing was changed",
			hint: "move these files out of the plan folder, then try again"}
	}
	f := w.failed(err)
	if f.exit == ExitCannot && f.hint == "" {
		f.hint = "what was written is kept: finish it with dwp create --resume " + w.Name + ", or remove it with --discard " + w.Name
	}
	return f
}
