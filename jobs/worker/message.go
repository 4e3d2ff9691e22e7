package worker

import (
	"context"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
)

// sendMessage hands a queued message to its provider, unless by now it must not go.
func (w *Worker) sendMessage(ctx context.Context, claim postgres.Claim, job jobs.SendMessage) error {
	return w.db.SendMessage(ctx, claim, job.Message, w.carry)
}

// carry calls the provider of a channel. An error means that the provider did not take the message and may be asked
// again; a refusal is for good.
func (w *Worker) carry(ctx context.Context, m postgres.OutgoingMessage) (postgres.Carried, error) {
	return postgres.Carried{Refused: dossier.Coded(dossier.Conflict, "provider_unavailable", "This release cannot send by the provider %s", m.Provider.Provider)}, nil
}
