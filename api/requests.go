package api

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

type requestsQuery struct {
	paging
	Status string        `query:"status" check:"max=3"`
	Route  string        `query:"route" check:"max=255"`
	KeyID  dossier.KeyID `query:"keyId"`
	Since  *time.Time    `query:"since"`
}

type requestsAnswer struct {
	success
	Requests  []loggedRequest `json:"requests"`
	NextToken *string         `json:"nextToken"`
}

// loggedRequest is a call that was made (integrate.md section 3).
type loggedRequest struct {
	ID             string         `json:"id"` // the answer's X-Request-Id
	At             record.Time    `json:"at"`
	Method         string         `json:"method"`
	Route          string         `json:"route"`
	Path           string         `json:"path"`
	Status         int            `json:"status"`
	DurationMS     int64          `json:"durationMs"`
	KeyID          dossier.KeyID  `json:"keyId"`
	IdempotencyKey *string        `json:"idempotencyKey"`
	Problem        *loggedProblem `json:"problem"`
	Address        string         `json:"address"`
}

type loggedProblem struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// statuses are the first and last status that q.Status means: 404, or all of 4xx. Error: Invalid.
func (q requestsQuery) statuses() (int, int, error) {
	if q.Status == "" {
		return 0, 0, nil
	}
	if class, digits := q.Status[0]-'0', q.Status[1:]; class >= 1 && class <= 5 && len(digits) == 2 {
		first := int(class) * 100
		if digits == "xx" {
			return first, first + 99, nil
		}
		if n, err := strconv.ParseUint(digits, 10, 8); err == nil {
			return first + int(n), first + int(n), nil
		}
	}
	return 0, 0, dossier.InvalidFaults([]dossier.Fault{{Parameter: "status", Code: "invalid_value",
		Detail: "status is a status such as 404, or a class of them such as 4xx"}})
}

// listRequests answers the calls of the last days, newest first. A test key sees those of test keys.
func (s *Server) listRequests(c *fiber.Ctx) error {
	q, err := query[requestsQuery](c)
	if err != nil {
		return err
	}
	page, err := q.page(c)
	if err != nil {
		return err
	}
	filter := postgres.RequestFilter{Route: q.Route, KeyID: q.KeyID, Since: q.Since}
	if filter.MinStatus, filter.MaxStatus, err = q.statuses(); err != nil {
		return err
	}
	list, err := s.db.Requests(c.UserContext(), workspace(c), filter, page)
	if err != nil {
		return err
	}
	list, next := pageEnd(c, page, list,
		func(r postgres.LoggedRequest) dossier.Cursor { return dossier.Cursor{At: r.At, ID: r.ID} })
	answer := requestsAnswer{success: yes, Requests: []loggedRequest{}, NextToken: next}
	for _, r := range list {
		shown := loggedRequest{ID: r.RequestID, At: record.Time(r.At), Method: r.Method, Route: r.Route, Path: r.Path,
			Status:     r.Status,
			DurationMS: r.Took.Milliseconds(), KeyID: r.KeyID, IdempotencyKey: r.IdempotencyKey, Address: r.Address}
		if r.ProblemCode != nil {
			shown.Problem = &loggedProblem{Code: *r.ProblemCode, Detail: plain(r.ProblemDetail)}
		}
		answer.Requests = append(answer.Requests, shown)
	}
	return send(c, fiber.StatusOK, answer)
}

// noteRequest puts a call into the log of requests. Calls without a key of a workspace, those of sessions too, are not
// in it. The entry's id is the server's own of the call, made when the call began: the order of ids is that of time.
func (s *Server) noteRequest(c *fiber.Ctx, id string, call postgres.Call, took time.Duration) {
	who, known := c.Locals(callerKey).(caller)
	r, routed := c.Locals(routeKey).(route)
	if !known || !routed || who.person != nil || s.NoRequestLog {
		return
	}
	entry := postgres.LoggedRequest{ID: call.RequestID, Workspace: who.workspace, RequestID: id,
		At: s.Now().Add(-took), Method: c.Method(), Route: r.path, Path: truncate(web.ShownPath(c), web.MaxURL),
		Status: c.Response().StatusCode(), Took: took, KeyID: who.key.ID, IsTest: who.key.IsTest,
		Address: call.Address}
	if key := c.Get("Idempotency-Key"); key != "" {
		key = truncate(key, web.MaxString)
		entry.IdempotencyKey = &key
	}
	if p, ok := c.Locals(problemKey).(loggedProblem); ok {
		detail := dossier.MaskSecrets(p.Detail)
		entry.ProblemCode, entry.ProblemDetail = &p.Code, &detail
	}
	s.requests.note(entry)
}

// truncate returns the beginning of a text, at most so many bytes, without what Postgres cannot store.
func truncate(text string, most int) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text[:min(len(text), most)], "?"), "\x00", "")
}

// Of the log of requests.
const (
	requestsHeld  = 4096                   // entries that wait to be written; more are dropped
	requestsBatch = 500                    // entries of one statement
	requestsPause = 500 * time.Millisecond // how long an entry waits for company
)

// requestLog writes entries in batches, off the way of the answers they tell of. While Postgres is away or slow it
// drops what it cannot hold: nobody waits for a log. A note wakes nobody either, unless it fills a batch.
type requestLog struct {
	save  func(context.Context, []postgres.LoggedRequest) error
	warn  func(dropped int, err error)
	mu    sync.Mutex
	held  []postgres.LoggedRequest // what waits
	full  chan struct{}            // a batch waits
	start sync.Once
	stop  sync.Once
	quit  chan struct{}
	ended chan struct{}
}

func newRequestLog(save func(context.Context, []postgres.LoggedRequest) error, warn func(int, error)) *requestLog {
	return &requestLog{save: save, warn: warn, full: make(chan struct{}, 1), quit: make(chan struct{}),
		ended: make(chan struct{})}
}

func (l *requestLog) note(entry postgres.LoggedRequest) {
	l.start.Do(func() { go l.write() })
	l.mu.Lock()
	if len(l.held) < requestsHeld {
		l.held = append(l.held, entry)
	}
	batch := len(l.held)%requestsBatch == 0
	l.mu.Unlock()
	if batch {
		select {
		case l.full <- struct{}{}:
		default: // it knows
		}
	}
}

// close writes what was noted before and ends.
func (l *requestLog) close() {
	l.start.Do(func() { close(l.ended) }) // nothing was ever noted
	l.stop.Do(func() { close(l.quit) })
	<-l.ended
}

func (l *requestLog) write() {
	defer close(l.ended)
	tick := time.NewTicker(requestsPause)
	defer tick.Stop()
	for {
		select {
		case <-l.full:
		case <-tick.C:
		case <-l.quit:
			l.flush()
			return
		}
		l.flush()
	}
}

// flush writes what waits, a batch at a time.
func (l *requestLog) flush() {
	l.mu.Lock()
	waiting := l.held
	l.held = make([]postgres.LoggedRequest, 0, min(cap(waiting), requestsHeld))
	l.mu.Unlock()
	for batch := range slices.Chunk(waiting, requestsBatch) {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		if err := l.save(ctx, batch); err != nil {
			l.warn(len(batch), err)
		}
		cancel()
	}
}
