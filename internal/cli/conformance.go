package cli

import (
	"context"
	"math"
	"path/filepath"

	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/verify"
	"github.com/spf13/cobra"
)

// conformanceFlags are the flags of conformance.
type conformanceFlags struct {
	repoOnly bool
	plan     string
}

// conformanceCmd has the interface of the standard's own checker (DESIGN 7), so that scripts made for that one go on working: flags,
// one optional folder, sections, marks, and exit codes 0, 1, 2. Only the wording is ours.
func (a *app) conformanceCmd() *cobra.Command {
	var flags conformanceFlags
	cmd := &cobra.Command{
		Use:     "conformance [--repo-only] [--plan NAME] [DIR]",
		Short:   "Check a repository and its plans",
		GroupID: groupHelper,
		Long: `Check the repository in DIR (the current folder by default) and its plans, with
the flags, lines and exit codes of the standard's own checker.

  [x] passed   [ ] broken   [~] advice, or not evaluated

Each rule has its line, in the order of dwp explain --all, then the counts. The
last line and the exit code agree.

Exit codes: 0 CONFORMANT; 1 NOT CONFORMANT; 2 UNVERIFIED, as is any fault of
the call.`,
		Example: `  dwp conformance
  dwp conformance --repo-only ../other
  dwp conformance --plan quote_service`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a.unanswered = ExitUsage
			return compatible(a.conformance(cmd.Context(), args, flags))
		},

		DisableFlagsInUseLine: true,
	}
	f := cmd.Flags()
	f.BoolVar(&flags.repoOnly, "repo-only", false, "check the repository, not its plans")
	f.StringVar(&flags.plan, "plan", "", "check only the plan `NAME`")
	return cmd
}

// compatible keeps to the exit codes of the standard's checker: whatever could not be done is 2.
func compatible(err error) error {
	// In that interface 2 also stands for "could not be done", which is 3 elsewhere.
	switch code, ok := err.(answered); {
	case err == nil:
		return nil
	case ok && int(code) == ExitCannot: // UNVERIFIED
		return answered(ExitUsage)
	case ok:
		return code
	}
	f := failureOf(err)
	f.exit = ExitUsage
	return f
}

// conformanceAnswer is what conformance says of a repository.
type conformanceAnswer struct {
	verdict verify.Verdict
	dir     string
	checks  []verify.RepoCheck
	plans   []checked
	beside  []rule.Finding
	noPlans string // why there are none, when that was asked
}

// conformance checks the repository, then its plans. DIR and -C may both be given: DIR is then taken from there.
func (a *app) conformance(ctx context.Context, args []string, flags conformanceFlags) error {
	if flags.repoOnly && flags.plan != "" {
		return usage("bad-flag", "see dwp conformance --help", "--repo-only and --plan exclude each other")
	}
	dir, err := a.startIn(args)
	if err != nil {
		return err
	}
	// The repository may begin above DIR; its checks are about the whole of it.
	root, err := a.rootOf(dir)
	if err != nil {
		return err
	}
	c := conformanceAnswer{dir: root.Dir}
	if a.env.Getenv("DWP_DIR") != "" {
		c.dir = dir // plans kept elsewhere say nothing about where the repository is
	}
	c.checks = a.repository(ctx, c.dir, root.Git)
	if !flags.repoOnly {
		if err := a.conformPlans(ctx, root, flags.plan, &c); err != nil {
			return err
		}
	}
	c.sumUp()
	if a.json {
		a.writeJSON(conformanceJSON(&c))
	} else {
		p := a.page()
		if a.env.Width == 0 {
			p.width = math.MaxInt32 // a line per rule is what programs read (DESIGN 7)
		}
		writeConformance(p, &c)
	}
	return answer(verdictExit(c.verdict))
}

// startIn is the folder to start from: DIR, which is taken from where -C says.
func (a *app) startIn(args []string) (string, error) {
	dir, err := a.start()
	if err != nil || len(args) == 0 {
		return dir, err
	}
	if filepath.IsAbs(args[0]) {
		return a.folder(args[0])
	}
	return a.folder(filepath.Join(dir, args[0]))
}

// repository checks the repository at dir. When git is there but can't be asked, its rule is not evaluated, never broken (VP-6).
func (a *app) repository(ctx context.Context, dir, top string) []verify.RepoCheck {
	const id = "repo/ignored"
	if top == "" {
		return verify.Repository(dir, verify.RepoFacts{})
	}
	// The slash lets a pattern for folders fit though there is no folder yet.
	ignored, err := git.Repo{Top: top}.Ignored(ctx, filepath.Join(dir, ".dwp")+"/")
	if err == nil {
		return verify.Repository(dir, verify.RepoFacts{InGit: true, Ignored: ignored})
	}
	known, _ := rule.Lookup(id)
	return append(verify.Repository(dir, verify.RepoFacts{}), verify.RepoCheck{Rule: id, Title: known.Title, Reason: err.Error()})
}

// conformPlans fills in the plan sections: every plan, or the one called name.
func (a *app) conformPlans(ctx context.Context, root plan.Root, name string, c *conformanceAnswer) error {
	targets, beside, err := a.all(root)
	if f := failureOfOrNil(err); f != nil {
		if f.code != "no-plans" || name != "" {
			return f
		}
		c.noPlans = f.message // a repository without plans may conform: its own checks decide
	}
	c.beside = beside
	if name != "" {
		// A name, never a path: one that climbs out of the folder is refused (TRAPS).
		if name != filepath.Base(name) || name == "." || name == ".." {
			return usage("no-such-plan", "--plan takes the name of a plan in .dwp/plans", "not a plan name: %q", name)
		}
		t, err := a.resolve(root, name)
		if err != nil {
			return err
		}
		targets = []target{t}
	}
	c.plans = a.checkAll(ctx, targets, false)
	return nil
}

// sumUp sets the verdict over repository, plans and what lies beside them, by the rule of VP-6.
func (c *conformanceAnswer) sumUp() {
	c.verdict = verify.Conformant
	for _, check := range c.checks {
		switch {
		case check.Finding != nil && check.Finding.Level == rule.Must:
			c.verdict = verify.Nonconformant
		case check.Reason != "":
			c.verdict = worse(c.verdict, verify.Unverified)
		}
	}
	// The order doesn't matter: worse never goes back to a better verdict.
	for i := range c.plans {
		c.verdict = worse(c.verdict, c.plans[i].verdict())
	}
	for _, f := range c.beside {
		if f.Level == rule.Must {
			c.verdict = verify.Nonconformant
		}
	}
}
