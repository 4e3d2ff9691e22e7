package worker

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
)

// laneNotifier notes in which shared lanes jobs may be admitted: some were staged, or there is room again.
type laneNotifier struct {
	mu    sync.Mutex
	lanes map[jobs.Lane]bool
	all   bool // those with jobs that await admission
	wake  chan struct{}

	slots   map[jobs.Lane]int // of all workers, as last asked
	askedAt time.Time
}

func newLaneNotifier() *laneNotifier {
	return &laneNotifier{lanes: map[jobs.Lane]bool{}, wake: make(chan struct{}, 1)}
}

// notify asks for a look at the given lanes, or at all with jobs that await admission.
func (b *laneNotifier) notify(lanes ...jobs.Lane) {
	b.mu.Lock()
	b.all = b.all || len(lanes) == 0
	for _, lane := range lanes {
		b.lanes[lane] = true
	}
	b.mu.Unlock()
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

func (b *laneNotifier) pending() (lanes []jobs.Lane, all bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	lanes, all = slices.Collect(maps.Keys(b.lanes)), b.all
	clear(b.lanes)
	b.all = false
	return lanes, all
}

// admissionLoop admits jobs of shared lanes to the queue, a few more than can run, so that whoever comes next waits for
// what runs and not for all that came before. Notified when jobs were staged and when one ended; a poll behind that
// hears of limits that were raised and of rooms that others made. Every worker process runs it; in a lane one admits at
// a time.
func (w *Worker) admissionLoop(ctx context.Context) {
	for ctx.Err() == nil {
		lanes, all := w.admission.pending()
		var err error
		if all {
			lanes, err = w.db.LanesAwaiting(ctx)
		}
		for _, lane := range lanes {
			if failed := w.admit(ctx, lane); failed != nil {
				err = failed
			}
		}
		if err != nil && ctx.Err() == nil {
			w.metrics.relayErrors.Inc()
			w.log.Warn("jobs keep awaiting admission, the queue or the database cannot be reached", "error", cause(err))
			jobs.Sleep(ctx, time.Second)
			continue
		}
		select {
		case <-ctx.Done():
		case <-w.admission.wake:
		case <-time.After(w.timing.admit):
			w.admission.notify()
		}
	}
}

// admit hands the next jobs of a lane to the queue.
func (w *Worker) admit(ctx context.Context, lane jobs.Lane) error {
	slots := w.slots()[lane]
	if slots == 0 {
		return nil // nobody serves the lane
	}
	ctx, cancel := context.WithTimeout(ctx, relayTimeout)
	defer cancel()
	rows, err := w.db.AdmitJobs(ctx, lane, window(slots))
	if err != nil || len(rows) == 0 {
		return err
	}
	var undelivered []postgres.Staged
	for _, row := range rows { // one after the other: the queue keeps their order
		if failed := w.enqueue(ctx, row); failed != nil {
			undelivered, err = append(undelivered, row), failed
		}
	}
	w.metrics.relayed.Add(float64(len(rows) - len(undelivered)))
	if len(undelivered) > 0 {
		back, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		if failed := w.db.CancelAdmission(back, undelivered); failed != nil {
			return failed // the reaper finds them
		}
	}
	return err
}

// window is how many jobs of a lane are in flight at once: one for each slot, and a few at the door, so that no slot
// waits for an admission.
func window(slots int) int { return slots + max(1, slots/2) }

// slotsAsked is how old the workers' own word of their slots may be; they say it every five seconds.
const slotsAsked = 2 * time.Second

// slots is how many jobs of each lane all live workers together can run at once: they say so in Redis. When they cannot
// be asked, what was known before, and at least what this process runs.
func (w *Worker) slots() map[jobs.Lane]int {
	b := w.admission
	b.mu.Lock()
	defer b.mu.Unlock()
	if time.Since(b.askedAt) < slotsAsked {
		return b.slots
	}
	slots := map[jobs.Lane]int{}
	servers, err := w.inspector.Servers()
	if err != nil {
		maps.Copy(slots, b.slots)
	}
	for _, server := range servers {
		for queue := range server.Queues {
			slots[jobs.Lane(queue)] += server.Concurrency
		}
	}
	for _, l := range w.lanes {
		slots[l.name] = max(slots[l.name], cap(l.slots))
	}
	b.slots, b.askedAt = slots, time.Now()
	return slots
}
