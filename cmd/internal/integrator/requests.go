package integrator

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"time"
)

// Requests shows the calls that were made with the keys of a workspace, oldest first (integrate.md section 3).
type Requests struct {
	*Client
	Status string // "404" or "4xx"; "": every one
	Route  string // part of the route; "": every one
	KeyID  string
	Since  string // RFC 3339; "": the last Limit
	Limit  int    // most that are shown before those that follow; 0: all since Since
	Follow bool   // go on until ctx ends
	JSON   bool
	Out    io.Writer
	Err    io.Writer
}

// logDelay is how long after a call began its log entry may still appear: a call may last 25 seconds, and several
// servers write entries in batches.
const logDelay = 40 * time.Second

// logPage is a page of the log, newest first.
type logPage struct {
	Requests  []json.RawMessage
	NextToken *string
}

// logEntry is the part of a logged call that requests needs.
type logEntry struct {
	ID         string
	At         time.Time
	Method     string
	Path       string
	Status     int
	DurationMS int64
	Problem    *struct{ Code, Detail string }
	Body       json.RawMessage `json:"-"`
}

// key identifies a call: the caller chooses the id, so ids may repeat.
func (e logEntry) key() string { return fmt.Sprint(e.ID, e.At, e.Method, e.Path) }

// Run shows the calls; with Follow it ends with ctx, which is no error.
func (r Requests) Run(ctx context.Context) error {
	shown := map[string]time.Time{}
	since, limit, wait := r.Since, r.Limit, idle
	for {
		entries, err := r.since(ctx, since, limit)
		switch {
		case err != nil && (!r.Follow || !isUnavailable(err)):
			return ignoreCanceled(ctx, err)
		case err != nil:
			if ctx.Err() != nil {
				return nil
			}
			fmt.Fprintf(r.Err, "the service cannot be asked, trying again: %v\n", err)
			r.pause(ctx, wait)
			wait = min(2*wait, longest)
			continue
		}
		wait = idle
		newest := time.Time{}
		for _, entry := range entries {
			if entry.At.After(newest) {
				newest = entry.At
			}
			if _, known := shown[entry.key()]; known {
				continue
			}
			shown[entry.key()] = entry.At
			if err := r.printEntry(entry); err != nil {
				return err
			}
		}
		if !r.Follow {
			return nil
		}
		if !newest.IsZero() {
			since, limit = newest.Add(-logDelay).UTC().Format(time.RFC3339Nano), 0
			for mark, at := range shown {
				if at.Before(newest.Add(-logDelay)) {
					delete(shown, mark)
				}
			}
		}
		if r.pause(ctx, idle); ctx.Err() != nil {
			return nil
		}
	}
}

// since reads the calls since a time, or the last limit of them, oldest first.
func (r Requests) since(ctx context.Context, since string, limit int) ([]logEntry, error) {
	query := url.Values{"limit": {pageSize}}
	if limit > 0 {
		query.Set("limit", strconv.Itoa(min(limit, 200)))
	}
	for name, value := range map[string]string{"status": r.Status, "route": r.Route, "keyId": r.KeyID, "since": since} {
		if value != "" {
			query.Set(name, value)
		}
	}
	var out []logEntry
	for {
		var page logPage
		if err := r.Get(ctx, "/api/v1/requests", query, &page); err != nil {
			return nil, err
		}
		for _, body := range page.Requests {
			entry := logEntry{Body: body}
			if err := json.Unmarshal(body, &entry); err != nil {
				return nil, err
			}
			if out = append(out, entry); len(out) == limit {
				page.NextToken = nil
				break
			}
		}
		if page.NextToken == nil {
			slices.Reverse(out)
			return out, nil
		}
		query.Set("token", *page.NextToken)
	}
}

func (r Requests) printEntry(entry logEntry) error {
	if r.JSON {
		return oneLine(r.Out, entry.Body)
	}
	text := fmt.Sprintf("%s  %d  %-6s %s  %d ms  %s", entry.At.UTC().Format(time.RFC3339), entry.Status, entry.Method,
		entry.Path, entry.DurationMS, entry.ID)
	if entry.Problem != nil {
		text += fmt.Sprintf("\n    %s: %s", entry.Problem.Code, entry.Problem.Detail)
	}
	_, err := fmt.Fprintln(r.Out, text)
	return err
}
