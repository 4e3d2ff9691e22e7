package llm

import (
	"context"
	"io"
	"net/http"
	"sync"
)

// flights lets concurrent calls with the same question share one request.
type flights struct {
	mu   sync.Mutex
	open map[string]*flight
}

type flight struct {
	done   chan struct{}
	answer Answer
	err    error
}

// do calls ask, or waits for a call with the same key that is under way. Who waited paid nothing. When the caller that
// asks is cancelled, the next one asks.
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

// limitedClient reads at most maxBody bytes of a response.
type limitedClient struct{ client *http.Client }

// maxBody caps what a server may answer, in bytes.
const maxBody = 1 << 20

// Do implements option.HTTPClient.
func (b limitedClient) Do(r *http.Request) (*http.Response, error) {
	res, err := b.client.Do(r)
	if err == nil {
		res.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(res.Body, maxBody), res.Body}
	}
	return res, err
}
