package cli

import (
	"context"
	"errors"

	"github.com/deepworkplan/dwp/internal/author"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/update"
)

// revised carries a decision out, or with dryRun only works it out: then the draft tells what would change, and Changed that something
// would. What there is to warn of is told either way.
func (a *app) revised(ctx context.Context, w *writer, terms update.Terms, dryRun bool, decide publish.Decide) (*publish.Draft, publish.Done, error) {
	if dryRun {
		draft, err := publish.Preview(w.Plan, terms, decide)
		if err != nil {
			return nil, publish.Done{}, err
		}
		a.finished(false, draft.Warnings)
		return draft, publish.Done{Changed: len(draft.Changes) > 0, Warnings: draft.Warnings}, nil
	}
	done, err := publish.Revise(ctx, w.Plan, terms, decide)
	if err == nil {
		a.finished(done.Changed, done.Warnings)
	}
	return nil, done, err
}

// orGaps leaves what a text lacks as it is, and tells what any other error means.
func (w *writer) orGaps(err error) error {
	if _, gaps := errors.AsType[*author.Incomplete](err); gaps {
		return err
	}
	return w.failed(err)
}
