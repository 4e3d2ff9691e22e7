package postgres_test

import (
	"context"
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
		s.DB.Lead(ctx, 99, func(ctx context.Context) { leads <- name; <-ctx.Done(); lost <- name })
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
