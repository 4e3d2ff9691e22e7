package objects

import (
	"io"
	"net/http"
	"sync"
)

// guardedTransport is a transport that leaves a request's body alone once it has answered. net/http may go on reading
// it when a service answers before it has read all (see http.RoundTripper), while minio-go seeks the same reader back
// for its next try: two readers at once, and the second try would send an incomplete body.
type guardedTransport struct{ http.RoundTripper }

// RoundTrip is that of http.RoundTripper.
func (s guardedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return s.RoundTripper.RoundTrip(r)
	}
	body := &guardedBody{body: r.Body, left: r.ContentLength}
	defer func() { _ = body.Close() }() // that of a body says nothing about the answer
	lent := *r                          // a transport must not change its request
	lent.Body = body
	return s.RoundTripper.RoundTrip(&lent)
}

// guardedBody is a body that nobody reads once it is closed.
type guardedBody struct {
	mu     sync.Mutex // held while the body is read
	body   io.ReadCloser
	left   int64 // bytes
	closed bool
}

// Read reports http.ErrBodyReadAfterClose for a body that was closed before its end.
func (b *guardedBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.closed && b.left == 0:
		return 0, io.EOF
	case b.closed:
		return 0, http.ErrBodyReadAfterClose
	}
	n, err := b.body.Read(p)
	b.left -= int64(n)
	return n, err
}

// Close closes the body once.
func (b *guardedBody) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil
	}
	b.closed = true
	return b.body.Close()
}
