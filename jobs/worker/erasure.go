package worker

import (
	"context"

	"github.com/dossierhq/dossier"
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

// erase takes what stands outside of the store away first, objects and answers kept in Redis, then every row in one
// commit. Until that commit the rows name everything, so a try that dies is made again from the start.
func (w *Worker) erase(ctx context.Context, claim postgres.Claim, job jobs.Erase) error {
	step, err := w.db.StartErasure(ctx, job.Workspace, job.Erasure)
	if err != nil {
		return err
	}
	if !step.Open {
		w.metrics.work.erasures.WithLabelValues("put_off").Inc()
		return nil
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
	if err := w.Redis.DropAnswers(ctx, job.Workspace, step.Named); err != nil {
		return err
	}
	err = w.db.FinishErasure(ctx, claim, job.Erasure)
	if err == nil {
		w.metrics.work.erasures.WithLabelValues("complete").Inc()
	}
	return err
}

// eraseWorkspace takes a deleted workspace's objects away, then its rows page by page, and last the workspace. What
// went is noted in the commit in which it goes, so a try that dies is gone on with.
func (w *Worker) eraseWorkspace(ctx context.Context, _ postgres.Claim, job jobs.EraseWorkspace) error {
	runs, ok, err := w.db.StartWorkspaceErasure(ctx, job.Target)
	if err != nil || !ok {
		return err
	}
	for _, run := range runs {
		if err := w.Redis.DropPoll(ctx, job.Target, run); err != nil {
			return err
		}
	}
	if err := w.Redis.DropAllAnswers(ctx, job.Target); err != nil {
		return err
	}
	if err := w.eraseObjects(ctx, job.Target); err != nil {
		return err
	}
	for {
		n, err := w.db.EraseWorkspaceRows(ctx, job.Target)
		if err != nil {
			return err
		}
		if n == 0 {
			return w.db.FinishWorkspaceErasure(ctx, job.Target)
		}
	}
}

// eraseObjects takes every object of a workspace away. They are noted before: what is noted goes, now or with the next
// try.
func (w *Worker) eraseObjects(ctx context.Context, ws dossier.WorkspaceID) error {
	if w.Objects == nil {
		return nil
	}
	var page []string
	flush := func() error {
		if err := w.db.NoteErasedObjects(ctx, ws, page); err != nil {
			return err
		}
		for _, key := range page {
			if err := w.Objects.Erase(ctx, key); err != nil {
				return err
			}
		}
		page = page[:0]
		return nil
	}
	for object, err := range w.Objects.List(ctx, string(ws)+"/") {
		if err != nil {
			return err
		}
		if page = append(page, object.Key); len(page) == sweepBatch {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}
