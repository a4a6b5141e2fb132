package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/deepworkplan/dwp/internal/author"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// defaultAskTimeout bounds how long a question waits: agent harnesses give a pseudo-terminal at which nobody sits (C145).
const defaultAskTimeout = 5 * time.Minute

// askFlags are the flags that make an outline without a file: --ask by questions, the others one per question.
type askFlags struct {
	ask             bool
	askTimeout      time.Duration
	save            string
	goal, context   string
	tasks, parallel []string
	children        []string
}

func (w *askFlags) register(f *pflag.FlagSet) {
	f.BoolVar(&w.ask, "ask", false, "make the outline by questions; needs a terminal with somebody at it")
	f.DurationVar(&w.askTimeout, "ask-timeout", defaultAskTimeout, "with --ask, wait at most this `DURATION` for each answer (default 5m)")
	f.StringVar(&w.save, "save", "", "with --ask, keep the answers in `FILE` when no plan comes of them")
	f.StringVar(&w.goal, "goal", "", "the `GOAL` of the plan, instead of a file's")
	f.StringVar(&w.context, "context", "", "the `CONTEXT` of the plan, instead of a file's")
	f.StringArrayVar(&w.tasks, "task", nil, "`TASK` as 'title|goal|context|paths|risk|criteria|gate', lists with ;, or as JSON; may be repeated")
	f.StringArrayVar(&w.parallel, "parallel", nil, "`NUMBERS` of tasks that may run at the same time, such as 2,3; may be repeated")
	f.StringArrayVar(&w.children, "child", nil, "with --hub, a `CHILD` plan as 'repo: PLAN_name, task 1, after PLAN_other'; may be repeated")
}

// words reports whether the call makes its outline without a file.
func (w *askFlags) words() bool {
	return w.ask || w.goal != "" || w.context != "" || len(w.tasks) > 0 || len(w.parallel) > 0 || len(w.children) > 0
}

// createOfWords makes an outline of flags, with --ask of answers, too, and writes the plan. In this order: what the flags say is
// judged; there is somebody to ask; questions; what was understood is shown; a last yes; only then anything is written.
func (a *app) createOfWords(cmd *cobra.Command, flags createFlags, opt author.Options) error {
	if flags.askTimeout <= 0 {
		return usage("bad-flag", "such as 5m", "--ask-timeout is %s", flags.askTimeout)
	}
	if len(flags.parallel) > 0 && len(flags.tasks) == 0 {
		return usage("bad-flag", "give the tasks, too, each with --task", "--parallel names tasks, and none is given")
	}
	v, gaps := interviewOf(flags, opt)
	if len(gaps) > 0 {
		return a.unfit(&author.Incomplete{Gaps: gaps})
	}
	root, lost := a.hubRoot(flags, &opt)
	if !flags.ask {
		opt.Format = v.Format
		p, err := author.PrepareOutline(v.Outline, nil, opt)
		if err != nil {
			return a.unfit(err)
		}
		if lost != nil {
			return lost
		}
		return a.materialize(cmd, flags, root, p)
	}
	if lost != nil {
		return lost
	}
	// A harness may well give an unattended turn a terminal; still nobody sits at it.
	if a.env.Interactive == nil || !a.env.Interactive() || a.inTurn() {
		return usage("no-terminal", "give an outline with --from FILE, or answer by flags: --title, --goal, --context, and --task for each task; see dwp create --help",
			"--ask needs a terminal with somebody at it, and here is none; nothing was written")
	}
	// Better told before the questions than after them.
	if name := nameBeforehand(opt, v); name != "" && taken(root, name) {
		return exists(root, name)
	}
	if err := a.savable(flags.save); err != nil {
		return err
	}
	p, f := a.interview(cmd.Context(), flags, root, opt, v)
	if f != nil {
		return a.unwritten(flags.save, v, f)
	}
	if err := a.materialize(cmd, flags, root, p); err != nil {
		if flags.save == "" {
			return err
		}
		f, hint := failureOf(err), failureOf(err).hint
		a.unwritten(flags.save, v, f)
		if hint != "" {
			f.hint = hint + "; " + f.hint
		}
		return f
	}
	return nil
}

// interviewOf begins an interview with what the flags answer.
func interviewOf(flags createFlags, opt author.Options) (*author.Interview, []author.Gap) {
	v := &author.Interview{Format: opt.Format, TasksGiven: len(flags.tasks) > 0, ParallelGiven: len(flags.parallel) > 0,
		Hub: opt.Archetype == author.Hub, ChildrenGiven: len(flags.children) > 0}
	v.Outline.Title, v.Outline.Goal, v.Outline.Context = flags.title, flags.goal, flags.context
	if v.Outline.Title == "" {
		v.Outline.Title = opt.Objective
	}
	var gaps []author.Gap
	for i, text := range flags.tasks {
		t, wrong := author.ParseTask(text, i+1)
		v.Outline.Tasks = append(v.Outline.Tasks, t)
		gaps = append(gaps, wrong...)
	}
	v.Outline.Children = author.ParseChildren(flags.children)
	if len(gaps) == 0 && flags.ask { // what a flag answers is not asked again, so it is judged now
		gaps = v.Given()
	}
	for _, numbers := range flags.parallel {
		if wrong := v.Parallel(numbers); wrong != "" {
			gaps = append(gaps, author.Gap{Place: "--parallel", What: wrong})
		}
	}
	return v, gaps
}

// interview asks, shows, and asks for the last yes.
func (a *app) interview(parent context.Context, flags createFlags, root plan.Root, opt author.Options, v *author.Interview) (*author.Plan, *failure) {
	// Caught, an interrupt ends in the exit code and words of every other end; nothing was written in any case.
	ctx, stop := signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
	defer stop()
	v.Taken = func(name string) bool { return opt.Name == "" && taken(root, name) }
	t := a.talk(ctx, flags.askTimeout)
	t.page.para(0, "A few questions make the outline of a plan. Nothing is written before a last yes. Ctrl-D or Ctrl-C cancels.")
	about := ""
	for tries := 1; ; tries++ {
		q, more := v.Next()
		if !more {
			break
		}
		if q.About != about {
			about = q.About
			t.page.line("")
			t.page.line("%s", t.page.paint(bold, about))
		}
		answer, f := t.put(q)
		if f != nil {
			return nil, f
		}
		again := v.Answer(answer)
		switch {
		case again == "":
			tries = 0
		case tries >= mostTries:
			return nil, wornOut(q)
		default:
			t.page.para(2, "Not yet: "+again+".")
		}
	}
	opt.Format = v.Format
	p, err := author.PrepareOutline(v.Outline, nil, opt)
	if err != nil {
		return nil, unfitAnswers(err)
	}
	t.understood(p, filepath.Join(root.Plans, p.Name))
	if flags.yes {
		return p, nil
	}
	last := author.Question{Ask: "Write this plan?", Hint: "yes or no", Flag: "--yes"}
	for range mostTries {
		answer, f := t.put(last)
		if f != nil {
			return nil, f
		}
		switch strings.ToLower(strings.TrimSpace(strings.Join(answer, ""))) {
		case "yes", "y":
			return p, nil
		case "no", "n":
			return nil, &failure{exit: ExitNo, code: "not-confirmed", message: "the plan was not confirmed; nothing was written"}
		}
		t.page.para(2, "Not yet: write yes or no.")
	}
	return nil, wornOut(last)
}

// mostTries bounds how often one question is asked again: what types without reading is no person.
const mostTries = 20

// wornOut ends an interview in which one question gets no answer that means anything.
func wornOut(q author.Question) *failure {
	return usage("no-answer", "answer beforehand with "+q.Flag+", or give an outline with --from FILE", "no usable answer came in %d tries; nothing was written", mostTries)
}

// unfitAnswers tells why no plan can be made of answers that were good one by one.
func unfitAnswers(err error) *failure {
	f := &failure{exit: ExitNo, code: "outline-incomplete", message: err.Error()}
	if e, ok := errors.AsType[*author.Unsound](err); ok {
		f.code, f.findings = "outline-unsound", e.Findings
	}
	if e, ok := errors.AsType[*author.Incomplete](err); ok {
		var what []string
		for _, g := range e.Gaps {
			what = append(what, g.What)
		}
		f.message += ": " + strings.Join(what, "; ")
	}
	return f
}

// nameBeforehand is the plan's name when the call determines it; "" when the title is yet to be asked for.
func nameBeforehand(opt author.Options, v *author.Interview) string {
	if opt.Name == "" && v.Outline.Title != "" {
		return author.NameFor(v.Outline.Title)
	}
	return opt.Name
}

// taken reports whether there is something of a plan's name.
func taken(root plan.Root, name string) bool {
	_, err := os.Lstat(filepath.Join(root.Plans, name))
	return err == nil
}

// savable refuses a file for the answers that is there already, or has no folder, before anything is asked.
func (a *app) savable(name string) error {
	if name == "" {
		return nil
	}
	file, err := a.located(name)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(file); err == nil {
		return usage("bad-flag", "choose another name", "--save %q is there already", name)
	}
	if info, err := os.Stat(filepath.Dir(file)); err != nil || !info.IsDir() {
		return usage("bad-flag", "make the folder first", "--save %q: its folder is not there", name)
	}
	return nil
}

// unwritten keeps the answers of an interview that came to no plan, where that was asked for, and says how to go on.
func (a *app) unwritten(save string, v *author.Interview, f *failure) *failure {
	if save == "" {
		if f.hint == "" {
			f.hint = "the answers are gone; next time --save FILE keeps them"
		}
		return f
	}
	file, err := a.located(save)
	if err == nil {
		err = keep(file, v.Outline.JSON())
	}
	if err != nil {
		a.warn("the answers could not be kept: " + err.Error())
		return f
	}
	f.hint = fmt.Sprintf("the answers are kept in %s: complete them and go on with dwp create --from %s", save, save)
	return f
}

// keep writes a new file, and never over another.
func keep(file string, data []byte) error {
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is there meanwhile", file)
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(file))
	if err != nil {
		return err
	}
	folder, err := disk.Open(dir)
	if err != nil {
		return err
	}
	defer folder.Close()
	return disk.WriteFile(folder, filepath.Base(file), data, disk.Options{})
}
