package cli

import (
	"errors"
	"io"
	"io/fs"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/verify"
)

// sampleDir is the repository of the sample; an odd name, as people have them.
const sampleDir = "/home/ana/a b"

// samplePage is a terminal of the usual width in that folder, without colour.
func samplePage(w io.Writer) page {
	return page{w: w, width: defaultWidth, dir: sampleDir, base: sampleDir}
}

// sample is a verification that has one of everything the handlers must print: each level, a repeated defect, an odd path, control
// characters in a message, a rule that was not evaluated, a plan that could not be read, and a finding beside the plans.
func sample() *verification {
	root := plan.Root{Dir: sampleDir, Plans: sampleDir + "/.dwp/plans", Git: sampleDir, Found: true}
	at := func(name string) target { return target{plan.Entry{Name: name, Path: root.Plans + "/" + name}, root} }
	broken := &verify.Report{
		Verdict: verify.Nonconformant,
		Findings: []rule.Finding{
			{Rule: "index/count", Level: rule.Must, Requirement: "PD-4", Place: rule.Place{File: "README.md", Line: 35, Column: 1},
				Message: "the README says 2/3 completed, but 1 of 3 boxes is ticked; the boxes win over every written count", Hint: "write 1/3"},
			{Rule: "record/section", Level: rule.Must, Requirement: "PD-5", Place: rule.Place{File: "2.task_caf\u00e9 #1.md"},
				Message: "the record has no Validation", Count: 2,
				Places: []rule.Place{{File: "2.task_caf\u00e9 #1.md"}, {File: "3.task_b.md", Line: 4, Column: 2}}},
			{Rule: "index/title-differs", Level: rule.Should, Requirement: "PS-9", Place: rule.Place{File: "README.md", Line: 20},
				Message: "the title is \"\x1b[31mred\x1b[0m\" here"},
			{Rule: "text/bom", Level: rule.Info, Requirement: "PD-10", Place: rule.Place{File: "PROGRESS.md", Line: 1, Column: 1},
				Message: "the file starts with a byte-order mark"},
		},
		Passed:      []string{"layout/readme", "layout/progress", "index/count"},
		Unevaluated: []verify.Unevaluated{{Rule: "receipt/state", Reason: "the receipt can't be read"}},
	}
	sound := &verify.Report{Verdict: verify.Conformant, Passed: []string{"layout/readme"}}
	return &verification{
		plans: []checked{
			{target: at("PLAN_broken_one"), era: state.V5, format: "lite", report: broken},
			{target: at("PLAN_sound_one"), era: state.V2, format: "full", report: sound},
			{target: at("PLAN_locked_away"), era: state.None, report: &verify.Report{Verdict: verify.Unverified},
				err: &fs.PathError{Op: "open", Path: "x", Err: errors.New("permission denied")}},
		},
		findings: []rule.Finding{{Rule: "plans/stray", Level: rule.Info, Requirement: "PD-1",
			Place: rule.Place{File: ".dwp/plans/notes"}, Message: "not a plan folder"}},
		verdict: verify.Nonconformant,
	}
}
