package worker

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/hibiken/asynq"

	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
)

const (
	leaderLock = 4218010 // advisory lock of the one process that reaps and keeps the schedule
	reapBatch  = 200
	// askedPerPage bounds what one round asks the queue about a lane, so that a million waiting jobs cost as much as a
	// few hundred; the next round goes on where this one stopped. Losses come in heaps: a page that has some is
	// followed by the next at once.
	askedPerPage  = 300
	pagesPerRound = 30
	aCentury      = 100 * 365 * 24 * time.Hour
	// markerKey stands in Redis as long as Redis remembers anything.
	markerKey = "dossier:queue:alive"
)

// leaderLoop reaps and keeps the schedule while this process leads.
func (w *Worker) leaderLoop(ctx context.Context) {
	w.db.RunAsLeader(ctx, leaderLock, func(ctx context.Context) {
		w.log.Info("this worker leads", "worker", w.id)
		leads := w.metrics.work.leader.WithLabelValues(housekeeper)
		leads.Set(1)
		defer leads.Set(0)
		var folding sync.WaitGroup
		folding.Go(func() { w.foldReports(ctx) })
		defer folding.Wait()
		r := reaper{w: w, at: map[jobs.Lane]postgres.Waiting{}, active: map[string]time.Time{}}
		settledAt := time.Now().Add(w.timing.startupDelay)
		for round := 0; ; round++ {
			w.tick(ctx)
			// Whoever holds a job may just be coming back too, after an outage of the database: heartbeats first.
			if time.Now().After(settledAt) {
				r.reapLeases(ctx)
			}
			// Before what a wiped Redis forgot comes back: a lane that is paused stays so.
			if err := w.syncLanes(ctx); err != nil {
				w.log.Debug("lanes not compared with the queue", "error", err)
			}
			r.findLost(ctx)
			if round%3 == 0 {
				r.findIdle(ctx)
			}
			if round%30 == 0 {
				w.trimArchives()
			}
			if !jobs.Sleep(ctx, w.timing.reap) {
				return
			}
		}
	})
}

// reaper repairs what crashes and a forgetful queue leave behind.
type reaper struct {
	w      *Worker
	at     map[jobs.Lane]postgres.Waiting // how far the last rounds got in a lane
	active map[string]time.Time           // tasks seen as running whose jobs wait: since when
}

func (r *reaper) reapLeases(ctx context.Context) {
	for {
		again, failed, err := r.w.db.ReapLeases(ctx, reapBatch)
		r.w.metrics.reaped("lease_expired", again)
		r.w.metrics.reaped("failed", failed)
		if err != nil {
			r.warn(ctx, "leases not reaped", err)
			return
		}
		if again+failed > 0 {
			r.w.log.Warn("took jobs away from workers that stopped", "again", again, "failed", failed)
		}
		if again < reapBatch && failed < reapBatch {
			return
		}
	}
}

// findLost looks for waiting jobs that the queue has lost, and stages them again. It asks the queue about each job
// first: an overdue job may just be waiting in a long queue. While the outbox is behind it does nothing, since jobs are
// missing from the queue for that reason alone.
func (r *reaper) findLost(ctx context.Context) {
	lag, err := r.w.db.OutboxAge(ctx)
	if err != nil || lag > r.w.timing.lateAfter/2 {
		return
	}
	wiped, err := r.wiped(ctx)
	if err != nil {
		return // the queue is away: nothing can be asked, nothing is lost yet
	}
	if wiped {
		r.publishQueues(ctx)
	}
	for _, lane := range jobs.Lanes {
		if wiped {
			err = r.sweep(ctx, lane)
		} else {
			err = r.checkOverdue(ctx, lane)
		}
		if err != nil {
			r.warn(ctx, "lane not checked for lost jobs", err)
			return
		}
	}
	if wiped {
		r.w.log.Warn("Redis had forgotten everything; all waiting jobs are staged again")
		r.setMarker(ctx)
	}
}

// wiped reports whether Redis has lost the marker, and with it everything.
func (r *reaper) wiped(ctx context.Context) (bool, error) {
	n, err := r.w.Redis.Client().Exists(ctx, markerKey).Result()
	return n == 0, err
}

// publishQueues writes the names of the queues into Redis again. A client of asynq does so only once, and for an
// unknown queue the inspector answers every question about a task with "not found".
func (r *reaper) publishQueues(ctx context.Context) {
	names := make([]any, len(jobs.Lanes))
	for i, lane := range jobs.Lanes {
		names[i] = string(lane)
	}
	if err := r.w.Redis.Client().SAdd(ctx, "asynq:queues", names...).Err(); err != nil {
		r.warn(ctx, "queues not named", err)
	}
}

// setMarker sets the marker by which a wiped Redis is recognised. It is called after the sweep, so that a leader who
// dies in between leaves the sweep to the next one.
func (r *reaper) setMarker(ctx context.Context) {
	if err := r.w.Redis.Client().Set(ctx, markerKey, time.Now().UTC().Format(time.RFC3339), 0).Err(); err != nil {
		r.warn(ctx, "marker not set", err)
	}
}

// checkOverdue checks the next few overdue jobs of a lane.
func (r *reaper) checkOverdue(ctx context.Context, lane jobs.Lane) error {
	now, err := r.w.db.Clock(ctx)
	if err != nil {
		return err
	}
	for range pagesPerRound {
		page, err := r.w.db.WaitingJobs(ctx, lane, now.Add(-r.w.timing.lateAfter), r.at[lane], askedPerPage)
		if err != nil {
			return err
		}
		lost, err := r.redrive(ctx, page)
		if err != nil {
			return err
		}
		if len(page) < askedPerPage {
			delete(r.at, lane) // the next round begins at the front
			return nil
		}
		r.at[lane] = page[len(page)-1]
		if lost == 0 {
			return nil
		}
	}
	return nil
}

// sweep checks all waiting jobs of a lane. A due job that is staged again becomes due at that moment and so leaves
// the first part's range; the second part begins behind all of those.
func (r *reaper) sweep(ctx context.Context, lane jobs.Lane) error {
	begun, err := r.w.db.Clock(ctx)
	if err != nil {
		return err
	}
	// What became due a moment ago may be on its way; the usual rounds look after it.
	if err := r.sweepRange(ctx, lane, postgres.Waiting{}, begun.Add(-r.w.timing.lateAfter/5)); err != nil {
		return err
	}
	later, err := r.w.db.Clock(ctx)
	if err != nil {
		return err
	}
	return r.sweepRange(ctx, lane, postgres.Waiting{RunAt: later}, later.Add(aCentury))
}

func (r *reaper) sweepRange(ctx context.Context, lane jobs.Lane, after postgres.Waiting, before time.Time) error {
	for {
		page, err := r.w.db.WaitingJobs(ctx, lane, before, after, 1000)
		if err != nil || len(page) == 0 {
			return err
		}
		after = page[len(page)-1]
		if _, err := r.redrive(ctx, page); err != nil {
			return err
		}
	}
}

// redrive stages again what the queue has lost of a page, and returns how many.
func (r *reaper) redrive(ctx context.Context, page []postgres.Waiting) (int, error) {
	lost, err := r.lostOf(page)
	if err != nil || len(lost) == 0 {
		return 0, err
	}
	n, err := r.w.db.RedriveJobs(ctx, lost)
	r.w.metrics.reaped("redriven", n)
	if n > 0 {
		r.w.log.Warn("the queue had lost jobs, they are staged again", "jobs", n, "lane", lost[0].Lane)
	}
	return n, err
}

// lostOf asks the queue about each job, some at a time.
func (r *reaper) lostOf(page []postgres.Waiting) ([]postgres.Waiting, error) {
	states := make([]taskState, len(page))
	errs := make([]error, len(page))
	var all sync.WaitGroup
	width := min(8, len(page))
	for lane := range width {
		all.Go(func() {
			for i := lane; i < len(page); i += width {
				states[i], errs[i] = r.w.taskState(page[i])
			}
		})
	}
	all.Wait()
	var lost []postgres.Waiting
	for i, job := range page {
		if errs[i] != nil {
			return nil, errs[i]
		}
		if r.isLost(job, states[i]) {
			lost = append(lost, job)
		}
	}
	return lost, nil
}

type taskState int

const (
	taskGone taskState = iota
	taskWaits
	taskActive
)

func (w *Worker) taskState(job postgres.Waiting) (taskState, error) {
	info, err := w.inspector.GetTaskInfo(string(job.Lane), taskID(job.Job, job.Epoch))
	switch {
	case errors.Is(err, asynq.ErrTaskNotFound), errors.Is(err, asynq.ErrQueueNotFound):
		return taskGone, nil
	case err != nil:
		// A key that was evicted or deleted by hand leaves a task that cannot be read; it is as good as gone.
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		return taskGone, w.Redis.Ping(ctx)
	}
	switch info.State {
	case asynq.TaskStatePending, asynq.TaskStateScheduled, asynq.TaskStateRetry:
		return taskWaits, nil
	case asynq.TaskStateActive:
		return taskActive, nil
	}
	return taskGone, nil // archived or completed, though the ledger says it waits
}

// isLost judges a task that is running although its job waits: a worker may be about to claim it, or died before it
// could. Only when it stays so is the job staged again.
func (r *reaper) isLost(job postgres.Waiting, state taskState) bool {
	id := taskID(job.Job, job.Epoch)
	if state != taskActive {
		delete(r.active, id)
		return state == taskGone
	}
	since, seen := r.active[id]
	if !seen {
		if len(r.active) > 10_000 {
			clear(r.active)
		}
		r.active[id] = time.Now()
		return false
	}
	if time.Since(since) < r.w.timing.lateAfter/2 {
		return false
	}
	delete(r.active, id)
	return true
}

// trimArchives keeps asynq's archives far below the size at which archiving itself begins to fail. Nothing is lost:
// the list of failed jobs is the ledger.
func (w *Worker) trimArchives() {
	const most = 4000
	for _, lane := range jobs.Lanes {
		info, err := w.inspector.GetQueueInfo(string(lane))
		if err != nil || info.Archived <= most {
			continue
		}
		oldest, err := w.inspector.ListArchivedTasks(string(lane), asynq.PageSize(info.Archived-most/2))
		if err != nil {
			continue
		}
		for _, task := range oldest {
			_ = w.inspector.DeleteTask(string(lane), task.ID)
		}
		w.metrics.reaped("archive_trimmed", len(oldest))
	}
}

// findIdle gives senders to the endpoints that have deliveries waiting and none.
func (r *reaper) findIdle(ctx context.Context) {
	if _, err := r.w.db.SweepSenders(ctx); err != nil {
		r.warn(ctx, "endpoints without a sender were not looked for", err)
	}
}

func (r *reaper) warn(ctx context.Context, what string, err error) {
	if ctx.Err() == nil {
		r.w.log.Warn(what, "error", cause(err))
	}
}
