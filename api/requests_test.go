package api

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// logged waits until so many calls are in the log.
func (s *testServer) logged(t *testing.T, want int) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); pgtest.Value[int](t, s.Server, `SELECT count(*) FROM request_log`) < want; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the log has not %d calls", want)
		}
	}
}

// The log has what was called with which key and what came of it, and nothing of a body or a query.
func TestRequests(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	tester, text, err := s.DB.CreateKey(t.Context(), s.Workspace, postgres.NewKey{Name: "tests", IsTest: true, Scopes: []dossier.Scope{dossier.ScopeRead}})
	if err != nil {
		t.Fatal(err)
	}
	s.do(t, "GET", "/api/v1/leads?email=ann@example.com", "", "X-Request-Id", "first")
	s.do(t, "POST", "/api/v1/leads", `{"firstName": "Ann", "email": "ann@example.com"}`, "Idempotency-Key", "once")
	s.do(t, "GET", "/api/v1/leads/"+postgres.NewID(), "", "X-Request-Id", "lost")
	s.do(t, "GET", "/api/v1/leads", "", "x-api-key", "wrong")
	s.do(t, "GET", "/healthz", "")
	s.do(t, "GET", "/api/v1/leads/"+postgres.NewID(), "", "x-api-key", text)
	s.logged(t, 4)
	if whole := pgtest.Value[string](t, s.Server, `SELECT string_agg(r::text, ' ') FROM request_log r`); strings.Contains(whole, "ann@") || strings.Contains(whole, "Ann") {
		t.Errorf("the log tells of a lead: %s", whole)
	}
	converse(t, s, "requests.txt", "tester", text, "testKeyId", string(tester.ID), "own",
		pgtest.Value[string](t, s.Server, `SELECT id::text FROM api_keys WHERE NOT is_test`))
	s.Exec(t, `UPDATE request_log SET id = '0190a000-0000-7000-8000-000000000001' WHERE request_id = 'first'`)
	if n, err := s.DB.PruneRequests(t.Context(), time.Now().AddDate(0, 0, -7), 10); n != 1 || err != nil {
		t.Errorf("%d old requests were forgotten, %v", n, err)
	}
}

// What waits is written when the server ends.
func TestRequests_at_the_end(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	s.do(t, "GET", "/api/v1/leads", "")
	if err := s.API.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := pgtest.Value[int](t, s.Server, `SELECT count(*) FROM request_log`); n != 1 {
		t.Errorf("%d calls in the log, want 1", n)
	}
}

// While the log cannot be written, calls are not held up and a bounded number of them is kept; the rest is dropped. What is
// kept is written in batches, in its order, when it can be.
func TestRequests_bounded(t *testing.T) {
	t.Parallel()
	stuck, entered := make(chan struct{}), make(chan struct{}, 1)
	var saved []string
	largest := 0
	log := newRequestLog(func(_ context.Context, entries []postgres.LoggedRequest) error {
		select {
		case entered <- struct{}{}:
		default:
		}
		<-stuck
		largest = max(largest, len(entries))
		for _, e := range entries {
			saved = append(saved, e.RequestID)
		}
		return nil
	}, func(int, error) {})
	for i := range requestsBatch {
		log.note(postgres.LoggedRequest{RequestID: fmt.Sprintf("%06d", i)})
	}
	<-entered
	for i := range 3 * requestsHeld {
		log.note(postgres.LoggedRequest{RequestID: fmt.Sprintf("%06d", requestsBatch+i)})
	}
	close(stuck)
	log.close()
	if len(saved) > requestsBatch+requestsHeld || len(saved) < requestsHeld || largest > requestsBatch || !slices.IsSorted(saved) {
		t.Errorf("%d are kept, at most %d at once, in order: %v", len(saved), largest, slices.IsSorted(saved))
	}
}
