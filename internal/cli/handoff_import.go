package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/verify"
	"github.com/deepworkplan/dwp/internal/work"
	"github.com/spf13/cobra"
)

// handoffImportFlags are the options of handoff import.
type handoffImportFlags struct {
	lockFlags
	place, expected string
}

// handoffImportCmd puts a package's plan in its place.
func (a *app) handoffImportCmd() *cobra.Command {
	var flags handoffImportFlags
	cmd := &cobra.Command{
		Use:   "import FILE [flags]",
		Short: "Put the plan of a package in its place",
		Long: `Put the plan of a package into .dwp/plans of this repository. All of it is
checked before anything is written; the plan is there whole or not at all. When
the very same plan is there, there is nothing to do; one that differs is left
as it is. With --replace-if-sha256 and the digest of its state.json (see dwp
state hash) the package takes its place, unless work went on there since.

A commit other than the one at export is told.

Exit codes: 0 in place, now or before; 1 refused: nothing was written; 2 a wrong
call; 3 could not be done; 4 locked, or another digest.`,
		Example: `  dwp handoff import PLAN_quote_service.handoff.tar.gz
  dwp handoff import ../quote.tar.gz --dir ../quotes`,
		Args: between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.handoffImport(cmd, args[0], flags) },
	}
	f := cmd.Flags()
	f.StringVar(&flags.place, "dir", "", "write into the folder .dwp/plans of `DIR`, wherever that is")
	f.StringVar(&flags.expected, "replace-if-sha256", "", "replace a plan whose state.json has this `DIGEST`")
	flags.register(f)
	return cmd
}

// handoffImport checks the package, then places it.
func (a *app) handoffImport(cmd *cobra.Command, file string, flags handoffImportFlags) error {
	if expected := flags.expected; cmd.Flags().Changed("replace-if-sha256") && (len(expected) != 64 || strings.Trim(strings.ToLower(expected), "0123456789abcdef") != "") {
		return usage("bad-flag", "dwp state hash prints it", "--replace-if-sha256 is not 64 hexadecimal digits")
	}
	if err := a.outsideTurn("no plan is brought in"); err != nil { // nor what a person allowed elsewhere
		return err
	}
	data, err := a.given(file)
	if err != nil {
		return err
	}
	root, err := a.createRoot(flags.place)
	if err != nil {
		return err
	}
	if err := a.answerable(); err != nil {
		return err
	}
	p, err := work.Unpack(data, a.env.Now(), root.Git != "")
	if err != nil {
		return (&writer{}).failed(err)
	}
	done := imported{pack: p, target: filepath.Join(root.Plans, p.Plan), inGit: root.Git != ""}
	if flags.expected != "" && isFolder(done.target) {
		done.replaced, err = a.replacePlan(cmd, done.target, p, flags)
	} else {
		done.placed, err = a.placePlan(root, p)
	}
	if err != nil {
		return err
	}
	a.finished(done.placed || done.replaced, a.importWarnings(cmd, root, p))
	return a.imported(&done)
}

// placePlan puts a plan where none is.
func (a *app) placePlan(root plan.Root, p *work.Package) (bool, error) {
	if err := a.makeFolder(root.Plans); err != nil {
		return false, err
	}
	real, err := filepath.EvalSymlinks(root.Plans)
	if err != nil {
		return false, cannot("unwritable", "", "open folder %q: %s", root.Plans, cause(err))
	}
	plans, err := disk.Open(real)
	if err != nil {
		return false, cannot("unwritable", "", "open folder %q: %s", root.Plans, cause(err))
	}
	defer plans.Close()
	placed, err := p.Place(plans)
	if errors.Is(err, fs.ErrExist) { // another import was faster
		placed, err = p.Place(plans)
	}
	if err != nil {
		return false, (&writer{path: root.Plans}).failed(err)
	}
	return placed, nil
}

// replacePlan puts a plan in the place of another, under that one's lock.
func (a *app) replacePlan(cmd *cobra.Command, target string, p *work.Package, flags handoffImportFlags) (bool, error) {
	ctx, w, err := a.write(cmd, target, flags.lockFlags)
	if err != nil {
		return false, err
	}
	defer w.close()
	replaced, err := p.Replace(ctx, w.Plan, flags.expected)
	if err != nil {
		return false, w.failed(err)
	}
	return replaced, nil
}

// isFolder reports whether a folder is there.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// importWarnings compare what the package says with what is here.
func (a *app) importWarnings(cmd *cobra.Command, root plan.Root, p *work.Package) (warnings []string) {
	if p.Told != p.Verdict && p.Told != "" {
		warnings = append(warnings, "the package says that verify called the plan "+cleanLine(string(p.Told))+"; here it says "+string(p.Verdict))
	}
	// What a killed import left has a name of its own, and nothing uses it; but only a person knows that no other import is under way.
	list, _ := os.ReadDir(root.Plans)
	for _, e := range list {
		if disk.IsTemp(e.Name()) && strings.HasPrefix(e.Name(), "."+p.Plan+".") {
			warnings = append(warnings, "left behind by an import that was cut off: "+filepath.Join(root.Plans, e.Name())+"; remove it when no other runs")
		}
	}
	if p.Git == nil || p.Git.Head == "" {
		return warnings
	}
	here := standing(cmd.Context(), root.Dir, a)
	switch there := cleanLine(gitWords(p.Git)); {
	case here == nil:
		warnings = append(warnings, "the product was at "+there+"; here is no git repository to compare")
	case !strings.HasPrefix(here.Head, p.Git.Head) && !strings.HasPrefix(p.Git.Head, here.Head) || here.Head == "":
		warnings = append(warnings, "the product was at "+there+"; here it is at "+cleanLine(gitWords(here)))
	case p.Git.Dirty:
		warnings = append(warnings, "where the package was made, work of the product was not committed; it is not here")
	}
	return warnings
}

// imported is what an import did.
type imported struct {
	pack             *work.Package
	target           string
	inGit            bool
	placed, replaced bool
}

// imported reads the plan again, and tells.
func (a *app) imported(done *imported) error {
	s, err := plan.Open(done.target)
	if err != nil {
		return cannot("unreadable", "", "read the plan again: %s", cause(err))
	}
	verdict := verify.Plan(s, verify.Options{Now: a.env.Now(), InGit: done.inGit}).Verdict
	if a.json {
		return a.writeJSON(struct {
			opening
			Plan     string      `json:"plan"`
			Path     string      `json:"path"`
			Changed  bool        `json:"changed"` // false: the very same plan was there
			Replaced bool        `json:"replaced"`
			Verdict  string      `json:"verdict"` // of the plan in its place
			Package  packageJSON `json:"package"`
			closing
		}{opened("handoff import"), done.pack.Plan, done.target, done.placed || done.replaced, done.replaced, string(verdict), packageOf(done.pack), closed(nil, nil)})
	}
	page := a.page()
	said := "is there already, byte for byte; nothing to do"
	switch {
	case done.placed:
		said = "in place"
	case done.replaced:
		said = "in place of the one that was there"
	}
	page.para(0, done.pack.Plan+": "+said)
	page.labelled("  Made", 12, done.pack.Made.UTC().Format("2006-01-02 15:04 UTC")+by(done.pack.Agent))
	a.packageFacts(page, done.pack)
	return nil
}

// by names who made something; "" when nobody is named.
func by(name string) string {
	if name == "" {
		return ""
	}
	return " by " + name
}
