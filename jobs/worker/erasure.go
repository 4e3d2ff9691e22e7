package worker

import (
	"context"

	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
)

// erase takes what stands outside of the store away first, objects and answers kept in Redis, then every row in one commit.
// Until that commit the rows name everything, so a try that dies is made again from the start.
func (w *Worker) erase(ctx context.Context, claim postgres.Claim, job jobs.Erase) error {
	step, err := w.db.StartErasure(ctx, job.Workspace, job.Erasure)
	if err != nil || !step.Open {
		return err
	}
	for _, key := range step.Objects {
		if err := w.Objects.Erase(ctx, key); err != nil {
			return err
		}
	}
	for _, run := range step.Runs {
		if err := w.Redis.DropPoll(ctx, job.Workspace, run); err != nil {
			return err
		}
	}
	return w.db.FinishErasure(ctx, claim, job.Erasure)
}
