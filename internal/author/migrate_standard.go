package author

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
)

// This file: the declared migration of a plan to a newer version of the standard (PS-22, PD-9).

// StandardMigration declares in the README that a newer version of the standard is in force. The manifest's spec_version, under which the
// plan was created, stays (PS-3); so does the shape of tasks completed before (PD-9). It restructures nothing: what the newer
// standard demands of the rest has to be there.
type StandardMigration struct {
	revise.Who
	To string // X.Y.Z
	// From is the version that the plan was written under, when neither README nor manifest says it; else "".
	From   string
	Reason string
}

// Decide works the migration out; it is a publish.Decide. A plan under that version already gives no change.
func (m StandardMigration) Decide(s *plan.Snapshot) (*publish.Revision, error) {
	if err := migrateText("--reason", m.Reason, maxMigrateReason); err != nil {
		return nil, err
	}
	if !version().MatchString(m.To) {
		refused := refuse("guard/migrate-forward", "%q is no version of the standard", m.To)
		refused.Usage, refused.Hint = true, "write it as X.Y.Z"
		return nil, refused
	}
	if known := s.Standard(); known != "" && plan.CompareStandards(m.To, known) == 0 {
		return &publish.Revision{}, nil
	}
	from, err := m.from(s)
	if err != nil {
		return nil, err
	}
	if err := m.forward(from); err != nil {
		return nil, err
	}
	d := revise.New(s, m.Who)
	value := m.value(s.README, from)
	if f := s.README.Standard; f != nil {
		d.Readme().SetField(f, value)
	} else {
		d.Readme().AddHeaderField(s.README, "Standard", value)
	}
	history := append(slices.Clone(s.README.Migrations), planmd.Migration{From: from, On: m.Date()})
	err = readBack(d, func(r *planmd.README) bool {
		return r.StandardVersion == m.To && slices.Equal(r.Migrations, history) && r.Standard.Value == value
	})
	if err != nil {
		return nil, err
	}
	d.Note("Migrated to standard "+m.To, "What: the README declares standard "+m.To+"; "+from+" was in force before. Nothing else changed: tasks completed "+
		"until today keep their shape", "Why: "+m.Reason)
	return migrateRevision(d, s.Name, "--standard", m.To, "--reason", m.Reason)
}

// value is the Standard line's value. The history of earlier migrations is kept: the manifest agrees with the first of them only.
func (m StandardMigration) value(r *planmd.README, from string) string {
	step := fmt.Sprintf("from %s on %s \u2014 %s)", from, m.Date(), m.Reason)
	if len(r.Migrations) == 0 {
		return "DWP spec " + m.To + " (migrated " + step
	}
	was := r.Standard.Value
	told := strings.TrimSpace(was[strings.Index(strings.ToLower(was), "migrated from"):])
	return "DWP spec " + m.To + " (" + strings.TrimSuffix(told, ")") + "; " + step
}

// from is the version in force before (PS-22); nothing is guessed where none is recorded.
func (m StandardMigration) from(s *plan.Snapshot) (string, error) {
	switch known := s.Standard(); {
	case known != "" && m.From != "" && plan.CompareStandards(known, m.From) != 0:
		return "", refuse("guard/migrate-from", "the plan is under standard %s, not %q", known, m.From)
	case known != "":
		return known, nil
	case m.From == "":
		return "", refuse("guard/migrate-from", "neither README nor manifest.json says under which standard the plan was written")
	case !shortVersion().MatchString(m.From) || !plan.KnownStandard(m.From):
		refused := refuse("guard/migrate-from", "--from %q is no version of the standard", m.From)
		refused.Usage, refused.Hint = true, "1.x, 2.x, 4.x and 5.x are known"
		return "", refused
	}
	return m.From, nil
}

// forward refuses what is no step to a newer version that this tool writes.
func (m StandardMigration) forward(from string) error {
	refused := refuse("guard/migrate-forward", "%q is no version of the standard that a plan can be migrated to", m.To)
	switch {
	case plan.CompareStandards(m.To, Standard) > 0:
		refused.Hint = "this version of dwp writes plans up to standard " + Standard
		return refused
	case !plan.KnownStandard(m.To):
		refused.Hint = "1.x, 2.x, 4.x and 5.x are known"
		return refused
	case plan.CompareStandards(m.To, from) <= 0:
		return refuse("guard/migrate-forward", "the plan is under standard %s, which is not older than %s", from, m.To)
	}
	return nil
}

// version and shortVersion are the forms X.Y.Z, and X.Y or X.Y.Z.
func version() *regexp.Regexp {
	return regexp.MustCompile(`^(0|[1-9][0-9]{0,3})\.(0|[1-9][0-9]{0,3})\.(0|[1-9][0-9]{0,3})$`)
}

func shortVersion() *regexp.Regexp {
	return regexp.MustCompile(`^[1-9][0-9]{0,3}\.[0-9]{1,4}(\.[0-9]{1,4})?$`)
}
