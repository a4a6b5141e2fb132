package cli

import (
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/verify"
	"github.com/spf13/cobra"
)

// verifyFlags are the flags of verify.
type verifyFlags struct {
	strict, sarif, junit, quiet, verbose bool
}

// verifyCmd checks plans. Its help holds the table of words and exit codes (VP-6, C147) and the pipe-free recipe (C85).
func (a *app) verifyCmd() *cobra.Command {
	var flags verifyFlags
	cmd := &cobra.Command{
		Use:     "verify [PLAN]",
		Short:   "Check plans against the standard",
		GroupID: groupCheck,
		Long: `Check plans against the standard. Without PLAN, every plan is checked.

Each finding has a rule, a level, a place and a message. Findings of the level
must break conformance; should and info are advice. Info is only counted
unless --verbose is given. "dwp explain RULE" tells more about a rule. A place
is file:line:column, as seen from the current folder; in JSON the file is
relative to its plan's path.

The answer of a plan is one of three:
  CONFORMANT      no must finding, every rule evaluated
  NOT CONFORMANT  at least one must finding
  UNVERIFIED      no must finding, but a rule or the plan could not be
                  evaluated, or there is no plan

Exit codes: 0 CONFORMANT; 1 NOT CONFORMANT; 3 UNVERIFIED. Over several plans the
first that holds decides, in the order 1, 3, 0. A plan that isn't found is a
fault of the call: 2.

Verify reports what the records say. They are claims, not proof that a command
ran. For scripts, take the exit code, or --json; don't search the text
for words: "dwp verify --quiet" is all a build job needs.`,
		Example: `  dwp verify
  dwp verify quote_service --verbose
  dwp verify --strict --sarif > dwp.sarif
  dwp verify --junit > dwp.xml`,
		Args:              atMost(1),
		ValidArgsFunction: a.completePlans,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.verify(cmd, args, flags)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&flags.strict, "strict", false, "unknown fields in the JSON files are must findings")
	f.BoolVar(&flags.sarif, "sarif", false, "print SARIF 2.1.0, for code scanning")
	f.BoolVar(&flags.junit, "junit", false, "print JUnit XML, for build servers")
	f.BoolVarP(&flags.quiet, "quiet", "q", false, "print only the verdicts")
	f.BoolVarP(&flags.verbose, "verbose", "v", false, "print info findings and every place of a repeated one")
	return cmd
}

// verification is the answer of verify over all plans; the output handlers print it.
type verification struct {
	plans    []checked
	findings []rule.Finding // outside plans
	verdict  verify.Verdict
	err      *failure // why nothing could be checked
}

// verify resolves plans, checks them, and prints the answer. A repository without plans gets an answer too, in every
// format (C149).
func (a *app) verify(cmd *cobra.Command, args []string, flags verifyFlags) error {
	if err := oneFormat(a.json, flags); err != nil {
		return err
	}
	targets, beside, err := a.targets(args)
	v := verification{verdict: verify.Unverified}
	switch f := failureOfOrNil(err); {
	case f == nil || f.code == "no-plans":
		v.err = f
	default:
		return f
	}
	// Without plans there is still an answer to print, in whatever format was asked for.
	v.plans = a.checkAll(cmd.Context(), targets, flags.strict)
	v.findings = beside
	v.sumUp()
	return a.printVerification(&v, flags)
}

// oneFormat refuses flags that contradict each other.
func oneFormat(json bool, flags verifyFlags) error {
	// One answer per call: two formats on one stream could be read by nobody.
	formats := 0
	for _, on := range []bool{json, flags.sarif, flags.junit} {
		if on {
			formats++
		}
	}
	if formats > 1 || flags.quiet && flags.verbose {
		return usage("bad-flag", "see dwp verify --help", "--json, --sarif and --junit exclude each other, and so do --quiet and --verbose")
	}
	return nil
}

// sumUp sets the verdict over everything: no plan at all is UNVERIFIED, never conformant (C149).
func (v *verification) sumUp() {
	if v.err != nil {
		v.verdict = verify.Unverified
		return
	}
	v.verdict = verify.Conformant
	for i := range v.plans {
		v.verdict = worse(v.verdict, v.plans[i].verdict())
	}
	for _, f := range v.findings {
		if f.Level == rule.Must {
			v.verdict = verify.Nonconformant
		}
	}
}

// printVerification hands the answer to the handler that is asked for.
func (a *app) printVerification(v *verification, flags verifyFlags) error {
	var err error
	switch {
	case a.json:
		err = a.writeJSON(verifyJSON(v))
	case flags.sarif:
		err = a.writeJSON(sarifOf(v, version()))
	case flags.junit:
		err = writeJUnit(a.out, v)
	default:
		// Without plans, the reason goes to standard error; what lies beside them is still told.
		if v.err == nil {
			writeVerifyText(a.page(), v, flags)
			return answer(verdictExit(v.verdict))
		}
		for _, f := range v.findings {
			writeFinding(a.page(), f, flags.verbose)
		}
	}
	if err != nil {
		return err
	}
	if v.err != nil && !a.json {
		return v.err
	}
	return answer(verdictExit(v.verdict))
}

// verifyPlan is one plan of the JSON answer.
type verifyPlan struct {
	Plan string `json:"plan"`
	// Path is absolute; the files of findings are relative to it.
	Path string `json:"path"`
	// Era is "v1", "v2", "v5", "none" for a plan without JSON, or "unknown".
	Era      string         `json:"era"`
	Format   string         `json:"format"`
	Verdict  verify.Verdict `json:"verdict"`
	Findings []rule.Finding `json:"findings"`
	// Unevaluated rules are why a plan without must findings is not conformant (VP-6).
	Unevaluated []verify.Unevaluated `json:"unevaluated"`
	Counts      verify.Counts        `json:"counts"`
	// Error is set when the folder could not be read at all.
	Error *errorBody `json:"error"`
}

// verifyAnswer is the JSON answer; its verdict is the one that the exit code stands for.
type verifyAnswer struct {
	opening
	Verdict verify.Verdict `json:"verdict"`
	Plans   []verifyPlan   `json:"plans"`
	closing
}

// verifyJSON makes the JSON answer. Lists are never null.
func verifyJSON(v *verification) verifyAnswer {
	answer := verifyAnswer{opened("verify"), v.verdict, []verifyPlan{}, closed(v.findings, v.err)}
	for i := range v.plans {
		c := &v.plans[i]
		p := verifyPlan{
			Plan: c.Name, Path: c.Path, Era: string(c.era), Format: c.format, Verdict: c.verdict(),
			Findings: list(c.report.Findings), Unevaluated: list(c.report.Unevaluated), Counts: c.report.Counts(),
		}
		if c.err != nil {
			p.Error = &errorBody{Code: "unreadable", Message: cause(c.err).Error()}
		}
		answer.Plans = append(answer.Plans, p)
	}
	return answer
}
