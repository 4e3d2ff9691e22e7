package worker

import (
	"context"
	"time"

	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres"
)

const (
	keepDone   = 7 * 24 * time.Hour
	keepFailed = 30 * 24 * time.Hour
	sweepBatch = 1000
	// orphanAge is how old an object without a row must be: an upload writes its bytes first and its row after them.
	orphanAge = 24 * time.Hour
	// keepRequests is how long the log of requests goes back.
	keepRequests = 7 * 24 * time.Hour
	// keepExport is how long the file of an export can be fetched, by a poll for a new address.
	keepExport = 7 * 24 * time.Hour
	// keepImport is how long an import and its report can be read.
	keepImport = 30 * 24 * time.Hour
)

func (w *Worker) noop(context.Context, postgres.Claim, jobs.Noop) error {
	if w.OnNoop != nil {
		w.OnNoop()
	}
	return nil
}

func (w *Worker) sweepJobs(ctx context.Context, _ postgres.Claim, _ jobs.SweepJobs) error {
	return whileFull(ctx, func() (int, error) { return w.db.PruneJobs(ctx, keepDone, keepFailed, sweepBatch) })
}

func (w *Worker) sweepIdempotencyKeys(ctx context.Context, _ postgres.Claim, _ jobs.SweepIdempotencyKeys) error {
	return whileFull(ctx, func() (int, error) { return w.db.PruneIdempotencyKeys(ctx, sweepBatch) })
}

func (w *Worker) sweepRequests(ctx context.Context, _ postgres.Claim, _ jobs.SweepRequests) error {
	before := w.Now().Add(-keepRequests)
	return whileFull(ctx, func() (int, error) { return w.db.PruneRequests(ctx, before, sweepBatch) })
}

func whileFull(ctx context.Context, batch func() (int, error)) error {
	for {
		n, err := batch()
		if err != nil || n < sweepBatch || ctx.Err() != nil {
			return err
		}
	}
}

// sweepObjects forgets old exports and uploads that never ended, and deletes what arrived of these and objects that no
// row names.
func (w *Worker) sweepObjects(ctx context.Context, _ postgres.Claim, _ jobs.SweepObjects) error {
	if w.Objects == nil {
		return nil
	}
	if err := whileFull(ctx, func() (int, error) {
		return w.db.PruneExports(ctx, w.Now().Add(-keepExport),
			sweepBatch)
	}); err != nil {
		return err
	}
	if err := whileFull(ctx, func() (int, error) {
		return w.db.PruneImports(ctx, w.Now().Add(-keepImport), sweepBatch)
	}); err != nil {
		return err
	}
	before := w.Now().Add(-orphanAge)
	if err := whileFull(ctx, func() (int, error) { return w.db.ForgetUploads(ctx, before, sweepBatch) }); err != nil {
		return err
	}
	if _, err := w.Objects.AbortIncomplete(ctx, before); err != nil {
		return err
	}
	orphans, err := Orphans(ctx, w.db, w.Objects, before)
	if err != nil {
		return err
	}
	for _, key := range orphans {
		// with its versions: what was replaced must not outlive an erasure
		if err := w.Objects.Erase(ctx, key); err != nil {
			return err
		}
	}
	if len(orphans) > 0 {
		w.log.Info("deleted objects that no row names", "objects", len(orphans))
	}
	return nil
}

// Orphans lists the keys of objects written before a time that no row names.
func Orphans(ctx context.Context, db *postgres.DB, store *objects.Store, before time.Time) ([]string, error) {
	var orphans, page []string
	check := func() error {
		unnamed, err := db.UnnamedObjects(ctx, page)
		orphans, page = append(orphans, unnamed...), page[:0]
		return err
	}
	for object, err := range store.List(ctx, "") {
		if err != nil {
			return nil, err
		}
		if !object.Modified.Before(before) {
			continue
		}
		if page = append(page, object.Key); len(page) == sweepBatch {
			if err := check(); err != nil {
				return nil, err
			}
		}
	}
	return orphans, check()
}
