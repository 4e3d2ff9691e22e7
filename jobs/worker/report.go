package worker

import (
	"context"
	"time"

	"github.com/dossierhq/dossier/jobs"
)

// foldPause is how long counts of changed leads may wait when there is nothing else to do. Nobody sees an old count
// meanwhile: readers count those leads themselves.
const foldPause = time.Second

// foldReports keeps the sums of analytics near the present while this process leads.
func (w *Worker) foldReports(ctx context.Context) {
	for {
		n, err := w.db.FoldReports(ctx)
		if err != nil && ctx.Err() == nil {
			w.log.Warn("sums of analytics not folded", "error", cause(err))
		}
		if (n == 0 || err != nil) && !jobs.Sleep(ctx, foldPause) || ctx.Err() != nil {
			return
		}
	}
}
