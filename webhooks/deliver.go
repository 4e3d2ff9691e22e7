package webhooks

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
)

const (
	maxResponse  = 16 << 10 // of the body, kept in the attempt log
	userAgent    = "Dossier-Webhooks/1"
	contentType  = "application/json"
	idempotently = "Idempotency-Key"
)

// Attempt is one try to send an event.
type Attempt struct {
	URL     string
	Headers []dossier.Header
	Secrets []string // every live one signs
	EventID dossier.EventID
	Body    []byte // sent byte for byte
}

// Outcome is what came of an Attempt. Success is Error "" with Aborted false.
type Outcome struct {
	StartedAt  time.Time
	Duration   time.Duration // to the response head, or to the failure
	Status     int           // 0 without a response head
	Error      dossier.ErrorClass
	Response   string        // the first 16 KiB of the body, as valid UTF-8 without NUL
	RetryAfter time.Duration // what the endpoint asked for, 0 when it did not
	Aborted    bool          // our side gave up (ctx ended): nothing is known, and it is no failure of the endpoint
}

// Deliver signs and sends one event and waits for the answer: at most 15 seconds for dial, TLS, request and
// response head together, then at most 2 seconds and 16 KiB of body. A 2xx head in time is success whatever
// the body does. The request may reach the endpoint twice when a kept connection turns out dead; both
// carry the same webhook-id. Failures of the endpoint are in the Outcome; an error is ours (a malformed
// URL or secret).
func (c *Client) Deliver(ctx context.Context, a Attempt) (Outcome, error) {
	started := c.config.Now()
	sending, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	sending, phase := c.trace(sending)
	req, err := request(sending, a, started)
	if err != nil {
		return Outcome{}, err
	}
	timer := time.AfterFunc(c.config.HeadTimeout, func() { cancel(errHeadTimeout) })
	defer timer.Stop()
	res, err := c.http.Do(req)
	out := Outcome{StartedAt: started, Duration: c.config.Now().Sub(started)}
	if err != nil {
		out.Aborted = ctx.Err() != nil
		out.Error = classify(phase, err)
		return out, nil
	}
	timer.Reset(c.bodyTimeout)
	defer res.Body.Close()
	out.Status, out.Error = res.StatusCode, statusClass(res.StatusCode)
	out.RetryAfter = retryAfter(res.Header.Get("Retry-After"), started)
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxResponse)) // a body cut short changes nothing
	out.Response = printable(body)
	return out, nil
}

func request(ctx context.Context, a Attempt, at time.Time) (*http.Request, error) {
	signed, err := Sign(a.Secrets, string(a.EventID), at, a.Body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.URL, bytes.NewReader(a.Body))
	if err != nil {
		return nil, dossier.Errorf(dossier.Invalid, "the webhook's url cannot be used")
	}
	for _, h := range a.Headers {
		if h.Usable() { // refused at registration; rows outlive rules
			req.Header.Add(h.Key, h.Value)
		}
	}
	// An empty, unsent Idempotency-Key tells net/http that resending is safe when a kept connection was
	// closed by the other side before an answer began. Receivers know repeats by webhook-id.
	if req.Header.Get(idempotently) == "" {
		req.Header[idempotently] = nil
	}
	req.Header.Set("Content-Type", contentType)
	if req.Header.Get("User-Agent") == "" {
		req.Header.Set("User-Agent", userAgent)
	}
	// Lower case, as the standard writes them; HTTP/1.1 sends them as they stand.
	req.Header[HeaderID] = []string{string(a.EventID)}
	req.Header[HeaderTimestamp] = []string{strconv.FormatInt(at.Unix(), 10)}
	req.Header[HeaderSignature] = []string{signed}
	return req, nil
}

// printable makes a response storable as text: what is not UTF-8 becomes U+FFFD, NUL is left out.
func printable(body []byte) string {
	return strings.ReplaceAll(strings.ToValidUTF8(string(body), "\uFFFD"), "\x00", "")
}
