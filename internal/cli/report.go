package cli

import (
	"context"
	"io"
	"path/filepath"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/verify"
	"github.com/deepworkplan/dwp/internal/work"
	"github.com/spf13/cobra"
)

// reportCmd prints an executive report, on request only; nothing is written into the plan (PS-20).
func (a *app) reportCmd() *cobra.Command {
	var to, format string
	cmd := &cobra.Command{
		Use:     "report [PLAN] [flags]",
		Short:   "Report on a plan from what its files say",
		GroupID: groupLook,
		Long: `Print an executive report as Markdown: goal, outcome of each task, evidence,
amendments and exceptions, decisions, open points, receipt. It is made of the
plan's files alone, and says which statements are claims of whoever wrote them.
Nothing is written into the plan; --to writes a new file elsewhere.

Exit codes: 0 reported; 1 the file is there already; 2 a wrong call; 3 could not
be done.`,
		Example: `  dwp report quote_service
  dwp report quote_service --to quote_report.md`,
		Args:              atMost(1),
		ValidArgsFunction: a.completePlans,
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "md" {
				return usage("bad-flag", "the only format is md", "--format %q is not known", format)
			}
			return a.report(cmd.Context(), args, to, cmd.Flags().Changed("to"))
		},
	}
	f := cmd.Flags()
	f.StringVar(&to, "to", "", "write into the new `FILE`, outside of the plan")
	f.StringVar(&format, "format", "md", "the `FORMAT`: md, which is Markdown (default md)")
	cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"md"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// report makes the report and prints it, or writes it.
func (a *app) report(ctx context.Context, args []string, to string, written bool) error {
	t, s, err := a.open(args)
	if err != nil {
		return err
	}
	questions, err := readQuestions(t.Path)
	if err != nil {
		return err
	}
	found := verify.Plan(s, verify.Options{Now: a.env.Now(), InGit: t.root.Git != ""})
	var passed lists
	a.askGit(ctx, []checked{{target: t, report: found}}, &passed) // as in verify: commits that git doesn't know
	text := work.Report(s, found, questions, a.env.Now())
	target := ""
	if written {
		real, err := filepath.EvalSymlinks(t.Path)
		if err != nil {
			return cannot("unreadable", "", "open folder %q: %s", t.Path, cause(err))
		}
		if target, err = a.newFile(to, real); err != nil {
			return err
		}
		if err := a.answerable(); err != nil {
			return err
		}
		if err := writeNew(target, []byte(text)); err != nil {
			return err
		}
		a.finished(true, nil)
	}
	switch {
	case a.json:
		return a.writeJSON(struct {
			opening
			Plan   string `json:"plan"`
			Path   string `json:"path"`
			File   string `json:"file"`   // that was written; "" for none
			Report string `json:"report"` // Markdown
			closing
		}{opened("report"), t.Name, t.Path, target, text, closed(nil, nil)})
	case written:
		a.page().para(0, t.Name+": report written to "+target)
		return nil
	}
	_, err = io.WriteString(a.out, text)
	return err
}

// readQuestions reads a plan's QUESTIONS.md; nil without one. Only a regular file inside the plan is opened: anything else might never answer.
func readQuestions(dir string) ([]byte, error) {
	folder, err := disk.Open(dir)
	if err != nil {
		return nil, cannot("unreadable", "", "open folder %q: %s", dir, cause(err))
	}
	defer folder.Close()
	return questions(&writer{Plan: publish.Plan{FS: folder}})
}
