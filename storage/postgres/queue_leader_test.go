package postgres_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

func TestLead(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	leads, lost := make(chan string, 10), make(chan string, 10)
	run := func(ctx context.Context, name string) {
		s.DB.RunAsLeader(ctx, 99, func(ctx context.Context) { leads <- name; <-ctx.Done(); lost <- name })
	}
	firstCtx, stopFirst := context.WithCancel(ctx)
	go run(firstCtx, "first")
	if got := <-leads; got != "first" {
		t.Fatal(got)
	}
	go run(ctx, "second")
	if n := pgtest.Value[int](t, s, `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 99 AND granted`); n != 1 {
		t.Errorf("%d hold the lock", n)
	}
	select {
	case name := <-leads:
		t.Fatalf("%s leads too", name)
	default:
	}
	stopFirst() // leaves in good order: the other takes over
	if got := <-leads; got != "second" {
		t.Fatal(got)
	}
	if got := <-lost; got != "first" {
		t.Fatal(got)
	}
	// Its connection breaks: it stops leading, and may lead again.
	s.Exec(t, `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = 99 AND granted`)
	select {
	case <-lost:
	case <-time.After(20 * time.Second):
		t.Fatal("who lost the lock still leads")
	}
	if got := <-leads; got != "second" {
		t.Fatal(got)
	}
}

// A listener that the server ends for its silence is deaf until it has reconnected, and what is staged meanwhile waits for
// the next poll.
func TestListenOutbox_keeps_its_session(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	go s.DB.ListenOutbox(t.Context(), func() {})
	for end := time.Now().Add(90 * time.Second); ; time.Sleep(200 * time.Millisecond) {
		sessions := pgtest.Value[string](t, s, `SELECT count(*) || ' ' || coalesce(max(extract(epoch FROM now() - backend_start)), 0)::int
			FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`)
		var n, age int
		if _, err := fmt.Sscan(sessions, &n, &age); err != nil {
			t.Fatal(err)
		}
		if age >= 11 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("no listener's session lived for 11 s; now %d, the oldest of %d s", n, age)
		}
	}
}
