package worker

import (
	"context"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// rehearsed are the lanes that a rehearsal plays.
var rehearsed = []jobs.Lane{jobs.LaneAgent, jobs.LaneMessage}

// Rehearse plays the agents and messages of a workspace up to a moment, without a queue and without waiting: set puts
// the clock that the store and this worker share to each due time on the way. The clock must run before began, the real
// time at which the rehearsal started.
func (w *Worker) Rehearse(ctx context.Context, until, began time.Time, set func(time.Time)) error {
	for {
		if err := w.doDue(ctx, began); err != nil {
			return err
		}
		next, err := w.db.NextDue(ctx, rehearsed, began)
		if err != nil {
			return err
		}
		if next.IsZero() || next.After(until) {
			set(until)
			return nil
		}
		if next.After(w.Now()) {
			set(next)
		}
	}
}

// doDue does what is due now, one job after the other.
func (w *Worker) doDue(ctx context.Context, began time.Time) error {
	for ctx.Err() == nil {
		claim, ok, err := w.db.ClaimDue(ctx, rehearsed, w.Now(), began, w.id)
		if err != nil || !ok {
			return err
		}
		if err := w.handlers[claim.Kind].do(ctx, claim); err != nil {
			return err
		}
		if outcome := claim.Ended(); outcome.Status == dossier.JobRetry {
			if err := w.db.PutOff(ctx, claim.Job, w.Now().Add(outcome.Delay)); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}
