package worker

import (
	"context"
	"time"

	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
)

// foldPause is how long changed leads gather before they are counted: some cost hardly more than one, and one that
// changes again counts once. Nobody sees an old count meanwhile: readers count those leads themselves.
const foldPause = time.Second

// foldReports keeps the sums of analytics near the present while this process leads.
func (w *Worker) foldReports(ctx context.Context) {
	for {
		n, err := w.db.FoldReports(ctx)
		if err != nil && ctx.Err() == nil {
			w.log.Warn("sums of analytics not folded", "error", cause(err))
		}
		if (n < postgres.FoldSize || err != nil) && !jobs.Sleep(ctx, foldPause) || ctx.Err() != nil {
			return
		}
	}
}
