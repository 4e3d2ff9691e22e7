package integrator

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/webhooks"
)

// Listen follows the events of a workspace and sends them on as a webhook would (integrate.md section 3).
type Listen struct {
	*Client
	ForwardTo string   // "": nowhere
	Events    []string // names, or lead.* for all of a kind; none: all
	Print     bool     // also show each event's body
	Since     string   // id of the last event that is known, or a time; "": from now
	Secret    string   // "": one that belongs to the key, the same every time
	JSON      bool
	Out, Err  io.Writer
	Now       func() time.Time
}

const (
	idle      = time.Second     // between looks when nothing happens
	pageSize  = "200"           // events asked for at once
	giveUp    = 5               // tries to reach the receiver
	firstWait = time.Second / 5 // before the second of them
	longest   = 5 * time.Second // between looks while the service is away
)

// feed is a page of events.
type feed struct {
	Events    []json.RawMessage
	NextToken *string
	Epoch     int64 // another number whenever a backup was put back
}

// feedEvent is the part of an event that listen needs.
type feedEvent struct {
	ID        string
	Type      string
	Timestamp time.Time
	Body      []byte `json:"-"`
}

// forwardResult is a line that listen prints: an event and how forwarding it ended.
type forwardResult struct {
	ID         string          `json:"id"`
	Type       string          `json:"type"`
	Status     *int            `json:"status"` // of the receiver; null when it could not be reached
	DurationMS int64           `json:"durationMs"`
	Error      string          `json:"error,omitempty"`
	Event      json.RawMessage `json:"event,omitempty"`
}

// Run listens until ctx ends, which is no error. An event that is being sent when it ends is still reported.
func (l Listen) Run(ctx context.Context) error {
	if err := l.secret(); err != nil {
		return err
	}
	after, from, err := l.start(ctx)
	if err != nil {
		return ignoreCanceled(ctx, err)
	}
	receiver := webhooks.NewClient(webhooks.Config{Allow: []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0"),
		netip.MustParsePrefix("::/0")}})
	epoch, last := int64(0), feedEvent{Timestamp: l.Now()}
	for wait := idle; ctx.Err() == nil; {
		page, err := l.follow(ctx, feedPosition{after: after, since: from}, epoch)
		if err != nil && !isUnavailable(err) {
			return ignoreCanceled(ctx, err)
		}
		if err == nil && epoch > 0 && page.Epoch != epoch {
			fmt.Fprintln(l.Err, "a backup was put back and the feed began anew: going on after what was last heard")
			after, from, epoch = "", last.Timestamp, page.Epoch
			continue
		}
		if err != nil {
			if ctx.Err() == nil {
				fmt.Fprintf(l.Err, "the service cannot be asked, trying again: %v\n", err)
			}
			l.pause(ctx, wait)
			wait = min(2*wait, longest)
			continue
		}
		wait, epoch = idle, page.Epoch
		for _, body := range page.Events {
			event, err := eventOf(body)
			if err != nil {
				return err
			}
			if ctx.Err() != nil {
				return nil
			}
			after = event.ID
			if event.ID == last.ID || !wanted(l.Events, event.Type) {
				continue
			}
			last = event
			if err := l.printResult(l.forward(ctx, receiver, event)); err != nil {
				return err
			}
		}
		if len(page.Events) == 0 {
			l.pause(ctx, idle)
		}
	}
	return nil
}

// follow reads the page of events after a position. When the event at that position is gone, because the feed began
// anew in another epoch, it reads from the beginning and says so.
func (l Listen) follow(ctx context.Context, at feedPosition, epoch int64) (feed, error) {
	page, err := l.page(ctx, at)
	var problem *Problem
	if epoch == 0 || !errors.As(err, &problem) || problem.Status != http.StatusBadRequest {
		return page, err
	}
	if first, failed := l.page(ctx, feedPosition{}); failed != nil || first.Epoch != epoch {
		return first, failed
	}
	return page, err
}

// ignoreCanceled returns nil for an error that the end of ctx caused.
func ignoreCanceled(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// secret prints the secret with which events are signed.
func (l *Listen) secret() error {
	if l.Secret == "" {
		mac := hmac.New(sha256.New, []byte(l.Key))
		mac.Write([]byte("dossier listen"))
		l.Secret = dossier.WebhookSecret([32]byte(mac.Sum(nil)))
	}
	if _, err := webhooks.Sign([]string{l.Secret}, "id", l.Now(), nil); err != nil {
		return err
	}
	if l.JSON {
		return l.line(map[string]string{"secret": l.Secret})
	}
	_, err := fmt.Fprintf(l.Out, "signing secret: %s\n", l.Secret)
	return err
}

// start returns the id of the event after which to begin, and the time before which events are skipped.
func (l *Listen) start(ctx context.Context) (string, time.Time, error) {
	if l.Since == "" {
		after, err := l.last(ctx, "")
		return after, time.Time{}, err
	}
	if from, err := time.Parse(time.RFC3339, l.Since); err == nil {
		return "", from, nil
	}
	if !dossier.ValidID(l.Since) {
		return "", time.Time{}, errors.New("--since wants the id of an event, or a time like 2026-01-31T09:00:00Z")
	}
	return l.Since, time.Time{}, nil
}

// last is the id of the newest event of a type, or of any.
func (c *Client) last(ctx context.Context, kind string) (string, error) {
	var page feed
	query := url.Values{"tail": {"true"}, "limit": {"1"}}
	if kind != "" {
		query.Set("type", kind)
	}
	if err := c.Get(ctx, "/api/v1/events", query, &page); err != nil || page.NextToken == nil {
		return "", err
	}
	return *page.NextToken, nil
}

// feedPosition is where a page of the feed begins and which events it has; zero fields: from the beginning, all of
// them.
type feedPosition struct {
	after string
	since time.Time
	kind  string
}

func (c *Client) page(ctx context.Context, at feedPosition) (feed, error) {
	query := url.Values{"limit": {pageSize}}
	if at.after != "" {
		query.Set("after", at.after)
	}
	if !at.since.IsZero() {
		query.Set("since", at.since.Format(time.RFC3339Nano))
	}
	if at.kind != "" {
		query.Set("type", at.kind)
	}
	var page feed
	err := c.Get(ctx, "/api/v1/events", query, &page)
	return page, err
}

func eventOf(body []byte) (feedEvent, error) {
	event := feedEvent{Body: body}
	err := json.Unmarshal(body, &event)
	return event, err
}

// wanted says whether a type is among names and patterns like lead.*
func wanted(patterns []string, kind string) bool {
	for _, pattern := range patterns {
		prefix, open := strings.CutSuffix(pattern, "*")
		if pattern == kind || open && strings.HasPrefix(kind, prefix) {
			return true
		}
	}
	return len(patterns) == 0
}

// UnknownPattern returns the first pattern that matches no event type, or "".
func UnknownPattern(patterns []string) string {
	for _, pattern := range patterns {
		known := false
		for _, kind := range dossier.EventTypes() {
			known = known || wanted([]string{pattern}, string(kind))
		}
		if !known {
			return pattern
		}
	}
	return ""
}

// forward sends one event, again while the receiver cannot be reached. The end of ctx does not interrupt a request:
// whether the event arrived must be known.
func (l Listen) forward(ctx context.Context, receiver *webhooks.Client, event feedEvent) forwardResult {
	line := forwardResult{ID: event.ID, Type: event.Type}
	if l.Print {
		line.Event = event.Body
	}
	if l.ForwardTo == "" {
		return line
	}
	wait := firstWait
	for try := 1; ; try++ {
		outcome, err := receiver.Deliver(context.WithoutCancel(ctx),
			webhooks.Attempt{URL: l.ForwardTo, Secrets: []string{l.Secret},
				EventID: dossier.EventID(event.ID), Body: event.Body})
		if err != nil {
			line.Error = err.Error()
			return line
		}
		line.DurationMS, line.Error, line.Status = outcome.Duration.Milliseconds(), string(outcome.Error), nil
		if outcome.Status != 0 {
			line.Status = &outcome.Status
		}
		if outcome.Status != 0 || try == giveUp || ctx.Err() != nil {
			return line
		}
		l.pause(ctx, wait)
		wait *= 2
	}
}

func (l Listen) printResult(line forwardResult) error {
	if l.JSON {
		return l.line(line)
	}
	text := fmt.Sprintf("%s  %-30s", line.ID, line.Type)
	switch {
	case line.Status != nil:
		text += fmt.Sprintf("  %d  %d ms", *line.Status, line.DurationMS)
	case line.Error != "":
		text += "  not delivered: " + line.Error
	}
	if line.Event != nil {
		var shown bytes.Buffer
		if err := json.Indent(&shown, line.Event, "  ", "  "); err != nil {
			return err
		}
		text += "\n  " + shown.String()
	}
	_, err := fmt.Fprintln(l.Out, strings.TrimRight(text, " "))
	return err
}

func (l Listen) line(value any) error { return oneLine(l.Out, value) }

func oneLine(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}
