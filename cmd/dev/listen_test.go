package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/integrator"
	"github.com/dossierhq/dossier/webhooks"
)

// hearing is a receiver that takes what one secret has signed, and lets the test act at some of the events.
type hearing struct {
	secret string
	ids    []string
	at     map[int]func()
}

func (h *hearing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || webhooks.Verify([]string{h.secret}, r.Header, body, time.Now()) != nil {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	h.ids = append(h.ids, r.Header.Get(webhooks.HeaderID))
	if do := h.at[len(h.ids)]; do != nil {
		do()
	}
}

// commitEvents makes events as work does, and gives them their places in the feed.
func (s *stack) commitEvents(t *testing.T, conn *pgx.Conn, n int) {
	t.Helper()
	_, err := conn.Exec(t.Context(), `
		WITH e AS (INSERT INTO events (workspace_id, id, type, body, created_at)
			SELECT $1, id, 'lead.updated', format('{"id":"%s","type":"lead.updated","timestamp":"2026-01-31T09:00:00.000Z","data":{}}', id), now()
				FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $2)) made RETURNING id)
		INSERT INTO event_inbox (workspace_id, event_id, type, created_at) SELECT $1, id, 'lead.updated', now() FROM e`, s.ws, n)
	for made := -1; err == nil && made != 0; {
		made, err = s.services.DB.DispatchEvents(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Two thousand events, ten thousand where DOSSIER_LONG is set, arrive in order, none lost and none twice, though the API's
// process is killed and comes back with another key for what it keeps secret, and listening is stopped, and goes on after
// the last event it showed, signing with another secret.
func TestListen_over_restarts(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of events")
	}
	all := 2000
	if os.Getenv("DOSSIER_LONG") != "" {
		all = 10_000
	}
	killedAt, stoppedAt := all/4+50, all/2
	s := startStack(t, options{noWorker: true})
	conn, err := pgx.Connect(t.Context(), s.cfg.MigrateURL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	s.commitEvents(t, conn, stoppedAt+100)
	server, address := s.apiAt(t, "127.0.0.1:0")
	first, second := dossier.WebhookSecret([32]byte{1}), dossier.WebhookSecret([32]byte{2})
	ctx, stop := context.WithCancel(t.Context())
	defer func() { stop() }()
	gone := make(chan struct{})
	h := &hearing{secret: first, at: map[int]func(){
		killedAt:  func() { kill(server); close(gone) },
		stoppedAt: func() { stop() },
		all:       func() { stop() },
	}}
	receiver := httptest.NewServer(h)
	defer receiver.Close()
	waits := 0
	client := &integrator.Client{URL: "http://" + address, Key: s.key, Pause: func(ctx context.Context, _ time.Duration) {
		if waits++; waits == 3 { // it was away for some tries
			<-gone
			s.apiAt(t, address, "DOSSIER_SECRET_KEY="+base64.StdEncoding.EncodeToString(random(32))+","+s.secretKey())
		}
		select {
		case <-ctx.Done():
		case <-time.After(10 * time.Millisecond):
		}
	}}
	var out, errOut bytes.Buffer
	listen := integrator.Listen{Client: client, ForwardTo: receiver.URL, Since: "2020-01-01T00:00:00Z", Secret: first, JSON: true,
		Out: &out, Err: &errOut, Now: time.Now}
	if err := listen.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if waits < 3 || !strings.Contains(errOut.String(), "trying again") {
		t.Errorf("%d waits; it said %q", waits, errOut.String())
	}
	shown := shownIDs(t, out.String())
	if len(shown) != stoppedAt {
		t.Fatalf("%d are shown before it stopped", len(shown))
	}
	s.commitEvents(t, conn, all-stoppedAt-100)
	out.Reset()
	ctx, stop = context.WithCancel(t.Context())
	defer func() { stop() }()
	h.secret, listen.Secret, listen.Since = second, second, shown[len(shown)-1]
	if err := listen.Run(ctx); err != nil {
		t.Fatal(err)
	}
	shown = append(shown, shownIDs(t, out.String())...)
	rows, err := conn.Query(t.Context(), `SELECT event_id::text FROM event_feed ORDER BY position`)
	if err != nil {
		t.Fatal(err)
	}
	want, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(want) != all || !slices.Equal(h.ids, want) || !slices.Equal(shown, want) {
		t.Errorf("%d happened, %d arrived and %d are shown; in order: %v and %v; %v", len(want), len(h.ids), len(shown),
			slices.Equal(h.ids, want), slices.Equal(shown, want), err)
	}
}

func random(n int) []byte {
	out := make([]byte, n)
	_, _ = rand.Read(out) // never fails
	return out
}

// secretKey is the stack's own.
func (s *stack) secretKey() string {
	return base64.StdEncoding.EncodeToString(s.cfg.SecretKeys[0])
}

// shownIDs are the events that dossier listen told of; each must have been taken.
func shownIDs(t *testing.T, out string) []string {
	t.Helper()
	var ids []string
	for i, line := range strings.Split(strings.TrimSpace(out), "\n") {
		var told struct {
			ID     string
			Status int
		}
		if err := json.Unmarshal([]byte(line), &told); err != nil || i > 0 && told.Status != http.StatusOK {
			t.Fatalf("%s: %v", line, err)
		}
		if i > 0 {
			ids = append(ids, told.ID)
		}
	}
	return ids
}
