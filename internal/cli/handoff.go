package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/work"
	"github.com/spf13/cobra"
)

// handoffCmd holds the commands that carry a plan to another machine (UN-2).
func (a *app) handoffCmd() *cobra.Command {
	return parentCmd("handoff", "Carry a plan to another machine", groupWork,
		`Carry a plan to another machine as one file: a gzipped tar archive with the
plan's folder, and handoff.json, which says digests, the commit of the product,
open questions, decisions, the blocker and the next task. The product itself
travels by git.`,
		a.handoffExportCmd(), a.handoffImportCmd())
}

// handoffExportCmd makes a package.
func (a *app) handoffExportCmd() *cobra.Command {
	var flags lockFlags
	var to string
	cmd := &cobra.Command{
		Use:   "export [PLAN] [flags]",
		Short: "Make a package of a plan",
		Long: `Make a package of a plan. A plan that is not at rest is refused: something was
cut off, a turn is at work, the lock is held. So is one with a secret in any of
its files; the file is named. Locks and temporary files stay out. The file must
not be there yet.

Exit codes: 0 made; 1 refused; 2 a wrong call; 3 could not be done; 4 locked.`,
		Example: `  dwp handoff export quote_service
  dwp handoff export --to ../quote.tar.gz`,
		Args:              atMost(1),
		ValidArgsFunction: a.completePlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.handoffExport(cmd, args, flags, to) },
	}
	f := cmd.Flags()
	f.StringVar(&to, "to", "", "write into `FILE` (default: PLAN_x.handoff.tar.gz here)")
	flags.register(f)
	return cmd
}

// handoffExport reads the plan under its lock, and writes the package outside of it.
func (a *app) handoffExport(cmd *cobra.Command, args []string, flags lockFlags, to string) error {
	t, err := a.one(args)
	if err != nil {
		return err
	}
	ctx, w, err := a.write(cmd, t.Path, flags)
	if err != nil {
		return err
	}
	defer w.close()
	if !cmd.Flags().Changed("to") {
		to = w.Name + ".handoff.tar.gz"
	}
	target, err := a.newFile(to, w.path)
	if err != nil {
		return err
	}
	p, err := work.Export(ctx, w.Plan, w.who(), standing(ctx, w.path, a))
	if err != nil {
		return w.failed(err)
	}
	data, err := p.Bytes()
	if err != nil {
		return cannot("unwritable", "", "pack %s: %s", w.Name, err)
	}
	if err := writeNew(target, data); err != nil {
		return err
	}
	a.finished(true, nil)
	return a.exported(w, p, target, data)
}

// newFile is where a file may be made that a call names: it is not there yet, and not in the plan's folder.
func (a *app) newFile(name, planDir string) (string, error) {
	target, err := a.located(name)
	if err != nil {
		return "", err
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(target))
	if err != nil {
		return "", cannot("unwritable", "", "open folder %q: %s", filepath.Dir(name), cause(err))
	}
	target = filepath.Join(dir, filepath.Base(target))
	if rel, err := filepath.Rel(planDir, target); err == nil && filepath.IsLocal(rel) {
		return "", usage("bad-flag", "name a file outside of it", "%q lies in the plan's folder", name)
	}
	switch _, err := os.Lstat(target); {
	case err == nil:
		return "", &failure{exit: ExitNo, code: "file-exists", message: "there is a file " + strconv.Quote(name) + " already; nothing was written", hint: "name another with --to, or remove it"}
	case !errors.Is(err, fs.ErrNotExist):
		return "", cannot("unwritable", "", "write %q: %s", name, cause(err))
	}
	return target, nil
}

// writeNew writes a file durably: it is there whole or not at all (PS-5).
func writeNew(target string, data []byte) error {
	folder, err := disk.Open(filepath.Dir(target))
	if err != nil {
		return cannot("unwritable", "", "%s", cause(err))
	}
	defer folder.Close()
	if err := disk.WriteFile(folder, filepath.Base(target), data, disk.Options{}); err != nil {
		return cannot("unwritable", "", "%s", err)
	}
	return nil
}

// standing asks git where the product's repository stands; nil when the plan is in none, or git can't be asked.
func standing(ctx context.Context, dir string, a *app) *work.Standing {
	root, err := plan.FindRoot(dir, "")
	if err != nil || root.Git == "" {
		return nil
	}
	repo := git.Repo{Top: root.Git}
	if a.env.Environ != nil {
		repo.Env = a.env.Environ()
	}
	head, err := repo.Head(ctx)
	if err != nil {
		return nil
	}
	return &work.Standing{Head: head.Commit, Branch: repo.Branch(ctx), Dirty: head.Dirty}
}

// packageJSON is a package as JSON answers show it.
type packageJSON struct {
	Plan        string         `json:"plan"`
	MadeAt      string         `json:"made_at"`
	Agent       string         `json:"agent"`
	Files       int            `json:"files"`
	Verdict     string         `json:"verdict"`
	StateSHA256 string         `json:"state_sha256"`
	NextTask    int            `json:"next_task"` // 0 for none
	Git         *standingJSON  `json:"git"`
	Questions   []string       `json:"questions"`
	Decisions   []decisionJSON `json:"decisions"`
}

type standingJSON struct {
	Head   string `json:"head"`
	Branch string `json:"branch"`
	Dirty  bool   `json:"dirty"`
}

func packageOf(p *work.Package) packageJSON {
	o := p.Snapshot().Overview()
	shown := packageJSON{Plan: p.Plan, MadeAt: p.Made.Format("2006-01-02T15:04:05Z07:00"), Agent: p.Agent, Files: len(p.Files), Verdict: string(p.Verdict),
		StateSHA256: p.StateSHA256(), NextTask: o.Next, Questions: list(p.OpenQuestions()), Decisions: decisionsOf(p.Snapshot())}
	if p.Git != nil {
		shown.Git = &standingJSON{p.Git.Head, p.Git.Branch, p.Git.Dirty}
	}
	return shown
}

// exported tells what was packed.
func (a *app) exported(w *writer, p *work.Package, target string, data []byte) error {
	if a.json {
		return a.writeJSON(struct {
			opening
			File    string      `json:"file"`
			Bytes   int         `json:"bytes"`
			Package packageJSON `json:"package"`
			closing
		}{opened("handoff export"), target, len(data), packageOf(p), closed(nil, nil)})
	}
	page := a.page()
	page.para(0, w.Name+": packed into "+target)
	a.packageFacts(page, p)
	return nil
}

// packageFacts tells what a package holds.
func (a *app) packageFacts(page page, p *work.Package) {
	const width = 12
	o := p.Snapshot().Overview()
	shown := packageOf(p)
	page.labelled("  Files", width, strconv.Itoa(shown.Files))
	page.labelled("  Done", width, strconv.Itoa(o.Completed)+" of "+strconv.Itoa(o.Total))
	if o.Next > 0 {
		next := "task " + strconv.Itoa(o.Next)
		if o.Hold != plan.HoldNone {
			next += ", held: " + string(o.Hold)
		}
		page.labelled("  Next", width, next)
	}
	page.labelled("  Verdict", width, shown.Verdict)
	if p.Git != nil {
		page.labelled("  Commit", width, gitWords(p.Git))
	}
	page.labelled("  Questions", width, strings.Join(shown.Questions, " | "))
	if n := len(shown.Decisions); n > 0 {
		page.labelled("  Decisions", width, strconv.Itoa(n))
	}
}

// gitWords says where a repository stands.
func gitWords(s *work.Standing) string {
	text := s.Head
	if text == "" {
		text = "no commit yet"
	}
	if s.Branch != "" {
		text += " on " + s.Branch
	}
	if s.Dirty {
		text += ", with changes that are not committed"
	}
	return text
}
