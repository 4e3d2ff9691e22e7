package worker

import (
	"context"
	"time"

	"github.com/dossierhq/dossier/jobs"
)

// periodic is work that comes again by itself.
type periodic struct {
	name  string
	every time.Duration
	job   jobs.Job
}

// housekeeping is the schedule.
var housekeeping = []periodic{
	{"sweep-jobs", time.Hour, jobs.SweepJobs{}},
	{"sweep-idempotency-keys", 10 * time.Minute, jobs.SweepIdempotencyKeys{}},
	{"sweep-requests", time.Hour, jobs.SweepRequests{}},
	{"sweep-events", time.Hour, jobs.SweepEvents{}},
	{"apply-retention", time.Hour, jobs.ApplyRetention{}},
	{"sweep-objects", 6 * time.Hour, jobs.SweepObjects{}},
}

// Every adds a job to the schedule, before Run. Its ticks are the multiples of every since 1970 in UTC; each is staged
// at most once, whichever process leads, and only when the one before has ended. Ticks missed while no worker ran
// are not made up for.
func (w *Worker) Every(name string, every time.Duration, job jobs.Job) {
	w.schedule = append(w.schedule, periodic{name, every, job})
}

// tick stages what is due. It is called while leading, far more often than any schedule ticks.
func (w *Worker) tick(ctx context.Context) {
	for i := range w.schedule {
		p := &w.schedule[i]
		tick := w.Now().UTC().Truncate(p.every)
		if w.lastTick[p.name].Equal(tick) {
			continue
		}
		if _, err := w.db.StageTick(ctx, p.name, tick, p.job); err != nil {
			if ctx.Err() == nil {
				w.log.Warn("tick not staged", "name", p.name, "error", cause(err))
			}
			continue
		}
		w.lastTick[p.name] = tick
	}
}
