package worker

import (
	"context"

	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
)

// takeTurn lets an agent look at its lead and decide what to say. The rules are plain Go and need no network, so the
// whole turn is one commit.
func (w *Worker) takeTurn(ctx context.Context, claim postgres.Claim, job jobs.TakeTurn) error {
	return w.db.TakeTurn(ctx, claim, job, w.PublicURL)
}
