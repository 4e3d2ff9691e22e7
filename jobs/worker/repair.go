package worker

import (
	"context"
	"log/slog"
	"time"

	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/cache"
	"github.com/dossierhq/dossier/storage/postgres"
)

// repairPage is how many overdue jobs of a lane are looked at.
const repairPage = 1000

// Stuck is what a working installation would not leave for longer than some seconds.
type Stuck struct {
	Outbox  time.Duration // how long the oldest staged job waits for the queue
	Expired int           // RUNNING, but their worker stopped giving signs of life
	Lost    int           // due, but the queue has forgotten them
	Waiting int           // due and in the queue or in turn: no worker serves their lane, or too few do
}

// FindStuck looks for jobs that have been so for longer than late, at most 1,000 of a lane. It changes nothing.
func FindStuck(ctx context.Context, db *postgres.DB, redis *cache.Conn, late time.Duration) (Stuck, error) {
	var s Stuck
	r, err := newRepair(db, redis)
	if err != nil {
		return s, err
	}
	if s.Outbox, err = db.OutboxAge(ctx); err != nil {
		return s, err
	}
	if s.Expired, err = db.ExpiredLeases(ctx, late); err != nil {
		return s, err
	}
	if s.Waiting, err = db.LateAdmissions(ctx, late); err != nil {
		return s, err
	}
	err = r.overdue(ctx, late, func(page, lost []postgres.Waiting) error {
		s.Lost += len(lost)
		s.Waiting += len(page) - len(lost)
		return nil
	})
	return s, err
}

// Repaired counts what Repair did.
type Repaired struct {
	Relayed  int // staged jobs given to the queue
	Again    int // jobs taken away from workers that stopped, on to their next try
	Failed   int // of those, without a try left
	Redriven int // jobs staged again that the queue had forgotten
}

// Repair does once what running workers do all the time: it relays the outbox, takes jobs away from workers that
// stopped, and stages again what the queue has forgotten. It runs no job. Workers may run beside it.
func Repair(ctx context.Context, db *postgres.DB, redis *cache.Conn, late time.Duration) (Repaired, error) {
	var done Repaired
	r, err := newRepair(db, redis)
	if err != nil {
		return done, err
	}
	if done.Relayed, err = r.relayAll(ctx); err != nil {
		return done, err
	}
	for {
		again, failed, err := db.ReapLeases(ctx, reapBatch)
		done.Again, done.Failed = done.Again+again, done.Failed+failed
		if err != nil {
			return done, err
		}
		if again < reapBatch && failed < reapBatch {
			break
		}
	}
	err = r.overdue(ctx, late, func(_, lost []postgres.Waiting) error {
		if len(lost) == 0 {
			return nil
		}
		n, err := db.RedriveJobs(ctx, lost)
		done.Redriven += n
		return err
	})
	if err != nil {
		return done, err
	}
	_, err = r.relayAll(ctx) // what was just staged again
	return done, err
}

// newRepair is a reaper of a worker that never runs.
func newRepair(db *postgres.DB, redis *cache.Conn) (reaper, error) {
	w, err := New(Config{DB: db, Redis: redis, Log: slog.New(slog.DiscardHandler)})
	return reaper{w: w, active: map[string]time.Time{}}, err
}

// relayAll empties the outbox, apart from rows the queue refuses.
func (r reaper) relayAll(ctx context.Context) (int, error) {
	relayed := 0
	for range 10_000 { // rows that are refused come back: not for ever
		n, err := r.w.relayBatch(ctx)
		relayed += n
		if err != nil || n < relayBatch {
			return relayed, err
		}
	}
	return relayed, nil
}

// overdue gives each lane's jobs that wait although due for longer than late, and those of them that are lost.
func (r reaper) overdue(ctx context.Context, late time.Duration,
	found func(page, lost []postgres.Waiting) error) error {
	now, err := r.w.db.Clock(ctx)
	if err != nil {
		return err
	}
	for _, lane := range jobs.Lanes {
		page, err := r.w.db.WaitingJobs(ctx, lane, now.Add(-late), postgres.Waiting{}, repairPage)
		if err != nil {
			return err
		}
		lost, err := r.lostOf(page)
		if err != nil {
			return err
		}
		if err := found(page, lost); err != nil {
			return err
		}
	}
	return nil
}
