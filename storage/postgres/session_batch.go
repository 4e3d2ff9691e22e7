package postgres

import (
	"context"
	"sync"
	"time"

	"github.com/dossierhq/dossier"
)

const (
	batchLimit   = 256
	batchWindow  = time.Millisecond // how long a busy flusher gathers before it writes
	batchWriters = 2                // one gathers while the other waits for its commit

	// For saving attempts that succeeded: nothing waits for their commit.
	savesWindow = 10 * time.Millisecond
	nextsWindow = 200 * time.Microsecond // for senders' reads: one dispatch wakes all senders

	requestWriters = 3 // for writes of requests, which never wait for a window
)

// batcher collects calls made at the same time into one statement and one commit. A lone call goes at once; when
// calls pile up they share a commit. Its goroutines start with the first call.
type batcher[I, O any] struct {
	in      chan batched[I, O]
	writers int
	window  time.Duration
	run     func(ctx context.Context, in []I) ([]O, error) // one result per input, in order
	start   sync.Once
	done    <-chan struct{}
}

type batched[I, O any] struct {
	in    I
	reply chan batchReply[O]
}

type batchReply[O any] struct {
	out O
	err error
}

func newBatcher[I, O any](done <-chan struct{}, run func(context.Context, []I) ([]O, error)) *batcher[I, O] {
	return &batcher[I, O]{in: make(chan batched[I, O], batchLimit), writers: batchWriters, window: batchWindow,
		run: run, done: done}
}

// newRequestBatcher makes a batcher that never waits for more calls: only those that arrive while its writers are busy
// are batched.
func newRequestBatcher[I, O any](done <-chan struct{}, run func(context.Context, []I) ([]O, error)) *batcher[I, O] {
	b := newBatcher(done, run)
	b.writers, b.window = requestWriters, 0
	return b
}

// do adds one call to a batch and waits for the commit. When ctx ends first the call may still take effect.
func (b *batcher[I, O]) do(ctx context.Context, in I) (O, error) {
	b.start.Do(func() {
		for range b.writers {
			go b.write()
		}
	})
	var none O
	call := batched[I, O]{in: in, reply: make(chan batchReply[O], 1)}
	select {
	case b.in <- call:
	case <-ctx.Done():
		return none, ctx.Err()
	case <-b.done:
		return none, errClosed
	}
	select {
	case reply := <-call.reply:
		return reply.out, reply.err
	case <-ctx.Done():
		return none, ctx.Err()
	case <-b.done:
		return none, errClosed
	}
}

var errClosed = dossier.Errorf(dossier.Unavailable, "The database connection is closed")

func (b *batcher[I, O]) write() {
	busy := false // the last batch held several calls, so this one probably will too
	for {
		select {
		case <-b.done:
			return
		case first := <-b.in:
			calls := b.gather(first, busy)
			busy = len(calls) > 1 && b.window > 0
			b.flush(calls)
		}
	}
}

func (b *batcher[I, O]) gather(first batched[I, O], wait bool) []batched[I, O] {
	calls := []batched[I, O]{first}
	var window <-chan time.Time
	if wait {
		window = time.After(b.window)
	}
	for len(calls) < batchLimit {
		if wait {
			select {
			case call := <-b.in:
				calls = append(calls, call)
				continue
			case <-window:
				return calls
			}
		}
		select {
		case call := <-b.in:
			calls = append(calls, call)
		default:
			return calls
		}
	}
	return calls
}

func (b *batcher[I, O]) flush(calls []batched[I, O]) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	in := make([]I, len(calls))
	for i, call := range calls {
		in[i] = call.in
	}
	out, err := b.run(ctx, in)
	for i, call := range calls {
		reply := batchReply[O]{err: err}
		if err == nil {
			reply.out = out[i]
		}
		call.reply <- reply
	}
}
