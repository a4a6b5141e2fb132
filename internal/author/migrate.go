package author

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

// This file: what the two migrations have in common. A migration is deliberate, never a side effect (PS-21, PD-9); it is one operation,
// so that no crash leaves a torn pair that passes for a plan; and it ends in a plan that conforms, or is refused with the list of
// all that is in the way. SchemaMigration moves the JSON files, StandardMigration the version of the standard.

// migrateTerms: plans without JSON are migrated too, as far as the standard goes (PD-9).
var migrateTerms = update.Terms{Stateless: true}

// Migrate makes a migration (publish.Revise). decide is the Decide of a SchemaMigration or StandardMigration.
func Migrate(ctx context.Context, p publish.Plan, decide publish.Decide) (publish.Done, error) {
	done, err := publish.Revise(ctx, p, migrateTerms, decide)
	return done, migrateAdvice(err)
}

// PreviewMigration works a migration out as Migrate does, and writes nothing.
func PreviewMigration(p publish.Plan, decide publish.Decide) (*publish.Draft, error) {
	d, err := publish.Preview(p, migrateTerms, decide)
	return d, migrateAdvice(err)
}

// migrateAdvice says what to do about a plan that would not conform: the rules that it would break are not those of today.
func migrateAdvice(err error) error {
	refused, no := errors.AsType[*publish.Refused](err)
	if !no || refused.Rule != "guard/not-conformant" {
		return err
	}
	broken := func(ids ...string) bool {
		return slices.ContainsFunc(refused.Findings, func(f rule.Finding) bool { return slices.Contains(ids, f.Rule) })
	}
	refused.Hint = "mend each finding first, and migrate again; dwp verify judges the plan as it is, and need not show them"
	switch {
	case broken("review/last", "ending/mixed", "ending/incomplete"):
		refused.Hint += ". The three-task ending stays with its own standard: a migration restructures nothing. Put an open Final Review in its place through " +
			"refine first, where at most a completed security review may stand just before it; a plan that ended the old way is left under its standard"
	case broken("evidence/none"):
		refused.Hint += ". A completed task without any gate record takes late evidence: dwp gate run, or dwp gate record"
	case broken("parallelism/missing"):
		refused.Hint += ". With --sequential REASON the migration states how the tasks are executed"
	}
	return err
}

// migrateGuards is the table of the rules that speak of a migration.
var migrateGuards = []update.Guard{
	{ID: "guard/migrate-layer", Requirement: "PS-21", Title: "a migration of the schema starts from both JSON files",
		Hint: "regenerate manifest.json and state.json from the markdown first, with dwp reconcile"},
	{ID: "guard/migrate-forward", Requirement: "PS-21", Title: "a migration goes forward, to a generation that this tool knows",
		Hint: "leave the plan where it is"},
	{ID: "guard/migrate-approval", Requirement: "PS-8", Title: "a migration makes nobody's approval up, and leaves no work without one",
		Hint: "a person says so: --approved-by NAME records it in the README, as an approval does"},
	{ID: "guard/migrate-field", Requirement: "PS-21", Title: "no field gets a new meaning by a migration",
		Hint: "look at the field, which the old generation doesn't know: remove it, or write what the new one would say"},
	{ID: "guard/migrate-from", Requirement: "PS-22", Title: "a declared migration says from which standard",
		Hint: "say with --from A.B.C under which standard the plan was written"},
	{ID: "guard/migrate-text", Requirement: "PS-22", Title: "what a migration writes into the README reads as it was given",
		Hint: "use plain words, without Markdown, and look at the README's title and header"},
}

// Limits of what people type, in characters.
const (
	maxMigrateName   = 100
	maxMigrateReason = 300
)

// migrateText checks a text that goes into the README: one line of words, and no secret (PS-7, C161). what names it.
func migrateText(what, text string, most int) error {
	refused := refuse("guard/migrate-text", "%s is not one line of at most %d characters", what, most)
	refused.Usage, refused.Hint = true, "write one line of plain words"
	switch {
	case !utf8.ValidString(text), strings.TrimSpace(text) != text, text == "", utf8.RuneCountInString(text) > most,
		strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }):
		return refused
	case len(evidence.Secrets(text)) > 0:
		refused := refuse("secret/markdown", "%s holds what looks like a secret: %s", what, evidence.Secrets(text)[0].Kind)
		refused.Hint = "leave it out, and revoke it if it was shown anywhere"
		return refused
	}
	return nil
}

// readBack compares the README as it would stand with what was meant: its header as expect says, everything else as before. Words that
// Markdown takes for something else are refused, not escaped: people read them in the file, too.
func readBack(d *revise.Desk, expect func(*planmd.README) bool) error {
	data, err := d.Readme().Bytes()
	if err != nil {
		return err
	}
	was, is := d.S.README, planmd.ReadREADME(data)
	if !expect(is) || is.Title != was.Title || len(is.Index) != len(was.Index) || len(is.Sections) != len(was.Sections) ||
		len(is.Records) != len(was.Records) || len(is.Loose) != len(was.Loose) || len(is.Problems) != len(was.Problems) {
		return refuse("guard/migrate-text", "the README would not read as it was meant to")
	}
	return nil
}

// migrateRevision is what a desk holds, as a revision that ends in a conformant plan. A plan whose receipt is in force gets a new one.
func migrateRevision(d *revise.Desk, args ...string) (*publish.Revision, error) {
	r, err := d.Revision("migrate", args...)
	if err != nil {
		return nil, err
	}
	r.Conformant, r.Republish = true, published(d.S)
	return r, nil
}

func completedState(s *plan.Snapshot) bool {
	return s.State != nil && s.State.Status == state.Completed
}
