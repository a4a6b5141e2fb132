package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/author"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/spf13/cobra"
)

// outlineTemplate prints the example outline.
func (a *app) outlineTemplate() error {
	if !a.json {
		a.out.WriteString(author.Template())
		return nil
	}
	return a.writeJSON(struct {
		opening
		Template string `json:"template"`
		closing
	}{opened("create"), author.Template(), closed(nil, nil)})
}

// unfit tells why no plan can be made of an outline: everything at once, with its place.
func (a *app) unfit(err error) error {
	if e, ok := errors.AsType[*author.Unsound](err); ok {
		return &failure{exit: ExitNo, code: "outline-unsound", message: e.Error(), findings: e.Findings,
			hint: "places are those of the plan that would be written; mend the outline"}
	}
	e, ok := errors.AsType[*author.Incomplete](err)
	if !ok {
		return err
	}
	f := &failure{exit: ExitNo, code: "outline-incomplete", message: e.Error(), hint: "dwp create --outline-template prints a filled one"}
	if a.json {
		a.writeJSON(struct {
			opening
			Gaps []author.Gap `json:"gaps"`
			closing
		}{opened("create"), e.Gaps, closed(nil, f)})
		return answer(ExitNo)
	}
	a.complain(f)
	for _, g := range e.Gaps {
		fmt.Fprintf(a.env.Stderr, "  %s: %s\n", cleanLine(g.Place), cleanLine(g.What))
	}
	return answer(ExitNo)
}

// ignored tells whether git ignores the plans: "yes", "no", "added" to .gitignore, or "" where there is no git to ask (PD-1).
func (a *app) ignored(ctx context.Context, root plan.Root, add bool) (string, error) {
	if root.Git == "" {
		return "", nil
	}
	// The slash lets a pattern for folders fit though there is no folder yet.
	yes, err := git.Repo{Top: root.Git}.Ignored(ctx, filepath.Dir(root.Plans)+"/")
	switch {
	case err != nil: // it can't be told; that is no reason not to write a plan
		return "", nil
	case yes:
		return "yes", nil
	case !add:
		return "no", nil
	}
	top, err := disk.Open(root.Git)
	if err != nil {
		return "", cannot("unwritable", "", "%s; nothing was written", err)
	}
	defer top.Close()
	if err := author.Ignore(a.through(top)); err != nil {
		return "", cannot("unwritable", "", "%s; no plan was written", err)
	}
	return "added", nil
}

// createdAnswer is the JSON answer of a creation.
type createdAnswer struct {
	opening
	Plan      string      `json:"plan"`
	Path      string      `json:"path"`
	Title     string      `json:"title"`
	Format    string      `json:"format"`
	Rigor     string      `json:"rigor"`
	Tasks     int         `json:"tasks"`
	Approval  string      `json:"approval"`
	Selection createdPick `json:"selection"`
	Overruled bool        `json:"overruled"` // Lite was asked for and does not fit
	Ignored   string      `json:"ignored"`   // yes, no, added, or "" when it can't be told
	Parent    *parentOf   `json:"parent"`    // the hub that --parent names, where it was found
	Files     []string    `json:"files"`
	closing
}

// createdPick is the judgement behind the format (LF-5).
type createdPick struct {
	Scope         string `json:"scope"`
	Dependencies  string `json:"dependencies"`
	Detail        string `json:"detail"`
	Uncertainties string `json:"uncertainties"`
	Rationale     string `json:"rationale"`
}

// created answers for a plan that was written and read again.
func (a *app) created(root plan.Root, dir string, p *author.Plan, ignored string) error {
	a.changed = true
	var files []string
	for _, f := range p.Files {
		if !slices.Contains(files, f.Path) {
			files = append(files, f.Path)
		}
	}
	approval, c := "pending", p.Choice
	if p.Trust {
		approval = "pre_approved"
	}
	parent := findParent(root, p)
	if a.json {
		return a.writeJSON(createdAnswer{
			opening: opened("create"), Plan: p.Name, Path: dir, Title: p.Outline.Title, Format: c.Format, Rigor: c.Rigor,
			Tasks: p.TaskCount(), Approval: approval, Selection: createdPick(c.Selection), Overruled: c.Overruled, Ignored: ignored, Parent: parent, Files: files,
			closing: closed(p.Advice, nil),
		})
	}
	a.line("Plan", p.Name+", "+c.Format+", "+fmt.Sprint(p.TaskCount())+" tasks with the Final Review, rigor "+c.Rigor)
	a.line("Scope", c.Scope)
	a.line("Depends", c.Dependencies)
	a.line("Detail", c.Detail)
	a.line("Unsure", c.Uncertainties)
	a.line("Why", c.Rationale)
	if c.Rigor == "micro" {
		a.line("Note", "work of this size needs no plan; the README says so too")
	}
	if p.Trust {
		a.line("Approval", "pre_approved by "+p.By+", who also allows unattended work")
	} else {
		a.line("Approval", "pending: nothing starts before a person approves it. Read README.md, then: dwp approve "+p.Name+" --by NAME")
	}
	if n := len(p.Outline.Children); p.Archetype == author.Hub {
		a.line("Children", plural(n, "child plan")+", tracked in "+plan.HubFile)
	}
	if parent != nil {
		a.line("Parent", parent.words())
	}
	switch ignored {
	case "no":
		a.line("Git", "does not ignore .dwp/: add that line to .gitignore, or let --ignore do it")
	case "added":
		a.line("Git", "the line .dwp/ was added to .gitignore")
	}
	for _, f := range p.Advice {
		a.line("Advice", f.File+": "+f.Message)
	}
	return nil
}

// line prints a labelled line of the answer.
func (a *app) line(label, text string) {
	fmt.Fprintf(a.out, "%-9s %s\n", label, cleanLine(text))
}

// resumePlan finishes what was cut off (LF-4). The plan keeps its outline from its second step on; when it was cut off before, the
// outline is given again.
func (a *app) resumePlan(cmd *cobra.Command, flags createFlags, opt author.Options) error {
	t, s, p, err := a.partial(flags, flags.resume)
	if err != nil {
		return err
	}
	switch {
	case p != nil && flags.from != "":
		return usage("bad-flag", "leave --from out", "%s keeps its outline", t.Name)
	case p == nil && flags.from == "":
		return usage("no-outline", "give the outline again with --from, and the options that were given", "the creation of %s was cut off before its outline was kept", t.Name)
	case p == nil: // the manifest may be there: it is written once, so its time stays (PS-3)
		src, err := a.outline(flags.from)
		if err != nil {
			return err
		}
		opt.Name = t.Name
		if opt.Archetype == author.Hub {
			opt.Repository = filepath.Base(t.root.Dir)
		}
		if began := author.Started(s); !began.IsZero() {
			opt.CreatedAt = began
		}
		if p, err = author.PrepareFrom(src, flags.title, opt); err != nil {
			return a.unfit(err)
		}
	}
	if err := a.target(t.Path); err != nil {
		return err
	}
	ctx, w, err := a.write(cmd, t.Path, flags.lockFlags)
	if err != nil {
		return err
	}
	defer w.close()
	if err := author.Materialize(ctx, w.place(), p, true); err != nil {
		return w.uncreated(err)
	}
	ignored, err := a.ignored(cmd.Context(), t.root, flags.ignore)
	if err != nil {
		return err
	}
	return a.created(t.root, t.Path, p, ignored)
}

// partial finds a plan whose creation was cut off, and takes it up again from the outline it keeps; p is nil without one.
func (a *app) partial(flags createFlags, name string) (target, *plan.Snapshot, *author.Plan, error) {
	if name == "" {
		return target{}, nil, nil, usage("no-such-plan", "name the plan whose creation was cut off", "PLAN is empty")
	}
	root, err := a.createRoot(flags.place)
	if err != nil {
		return target{}, nil, nil, err
	}
	t, err := a.resolve(root, name)
	if err != nil {
		return target{}, nil, nil, err
	}
	s, err := read(t)
	if err != nil {
		return target{}, nil, nil, err
	}
	p, err := author.Load(s, os.DirFS(t.Path))
	switch {
	case errors.Is(err, author.ErrNotPartial):
		return t, s, nil, &failure{exit: ExitNo, code: "not-partial", message: "the creation of " + t.Name + " is finished; nothing was changed",
			hint: "dwp verify " + t.Name + " says what is true of it"}
	case errors.Is(err, author.ErrNoOutline):
		return t, s, nil, nil
	case err != nil:
		return t, s, nil, cannot("unreadable", "the outline that the plan keeps can't be used; move the folder away and create the plan anew", "%s", err)
	}
	return t, s, p, nil
}

// discardedAnswer is the JSON answer of a discard.
type discardedAnswer struct {
	opening
	Plan      string   `json:"plan"`
	Path      string   `json:"path"`
	Discarded bool     `json:"discarded"`
	Files     []string `json:"files"`
	closing
}

// discardPlan shows what there is of a partial plan, and with --yes removes it (LF-4).
func (a *app) discardPlan(cmd *cobra.Command, flags createFlags) error {
	t, _, p, err := a.partial(flags, flags.discard)
	if err != nil {
		return err
	}
	ctx, w, err := a.write(cmd, t.Path, flags.lockFlags)
	if err != nil {
		return err
	}
	defer w.close()
	files, err := author.Discardable(w.place(), p)
	if err != nil {
		return w.uncreated(err)
	}
	var f *failure
	if flags.yes {
		if err := author.Discard(ctx, w.place(), p); err != nil {
			return w.uncreated(err)
		}
		if err := removeFolder(t.Path); err != nil {
			return err
		}
		a.changed = true
	} else {
		f = &failure{exit: ExitNo, code: "not-confirmed", message: "nothing was removed", hint: "add --yes to remove it: dwp create --discard " + t.Name + " --yes"}
	}
	return a.discarded(t, files, f)
}

// discarded answers with what was removed, or, with f, with what would be.
func (a *app) discarded(t target, files []string, f *failure) error {
	if a.json {
		if err := a.writeJSON(discardedAnswer{opened("create"), t.Name, t.Path, f == nil, list(files), closed(nil, f)}); err != nil {
			return err
		}
		if f != nil {
			return answer(f.exit)
		}
		return nil
	}
	a.line("Folder", t.Path)
	for _, name := range files {
		a.line("File", name)
	}
	if f != nil {
		return f
	}
	a.line("Plan", t.Name+" was removed")
	return nil
}

// removeFolder removes the empty folder of a plan.
func removeFolder(dir string) error {
	real, err := filepath.EvalSymlinks(filepath.Dir(dir))
	if err != nil {
		return cannot("unwritable", "", "remove folder %q: %s", dir, cause(err))
	}
	plans, err := disk.Open(real)
	if err != nil {
		return cannot("unwritable", "", "%s", err)
	}
	defer plans.Close()
	if err := disk.RemoveFile(plans, filepath.Base(dir)); err != nil {
		return cannot("unwritable", "", "in %q: %s", strings.TrimSuffix(real, "/"), err)
	}
	return nil
}
