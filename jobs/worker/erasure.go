package worker

import (
	"context"

	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
)

// applyRetention erases, in every workspace that says so, what is past its age.
func (w *Worker) applyRetention(ctx context.Context, _ postgres.Claim, _ jobs.ApplyRetention) error {
	workspaces, err := w.db.RetentionWorkspaces(ctx)
	if err != nil {
		return err
	}
	for _, ws := range workspaces {
		for {
			if n, err := w.db.ApplyRetention(ctx, ws); err != nil || n == 0 {
				if err != nil {
					return err
				}
				break
			}
		}
	}
	return nil
}

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
