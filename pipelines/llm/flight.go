package llm

import (
	"context"
	"io"
	"net/http"
	"sync"
)

// flights lets those who ask the same at the same moment share one question.
type flights struct {
	mu   sync.Mutex
	open map[string]*flight
}

type flight struct {
	done   chan struct{}
	answer Answer
	err    error
}

// do calls f, or waits for whoever does with the same key. Those who waited paid nothing. When the one who asks gives
// up, the next one asks.
func (f *flights) do(ctx context.Context, key string, ask func() (Answer, error)) (Answer, error) {
	for {
		f.mu.Lock()
		other := f.open[key]
		if other == nil {
			if f.open == nil {
				f.open = map[string]*flight{}
			}
			own := &flight{done: make(chan struct{})}
			f.open[key] = own
			f.mu.Unlock()
			own.answer, own.err = ask()
			f.mu.Lock()
			delete(f.open, key)
			f.mu.Unlock()
			close(own.done)
			return own.answer, own.err
		}
		f.mu.Unlock()
		select {
		case <-other.done:
		case <-ctx.Done():
			return Answer{}, ctx.Err()
		}
		if other.err == nil {
			return Answer{JSON: other.answer.JSON, Cached: true}, nil
		}
	}
}

// bounded reads no more of an answer than a completion can be.
type bounded struct{ client *http.Client }

// maxBody caps what a server may answer, in bytes.
const maxBody = 1 << 20

// Do implements option.HTTPClient.
func (b bounded) Do(r *http.Request) (*http.Response, error) {
	res, err := b.client.Do(r)
	if err == nil {
		res.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(res.Body, maxBody), res.Body}
	}
	return res, err
}
