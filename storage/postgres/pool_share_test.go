package postgres_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// However many changes of a tenant wait for a lead that something holds, another tenant's change finds a connection.
func TestShares(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	busy, other := s.Workspace(t), s.Workspace(t)
	held, _ := s.Lead(t, busy)
	free, _ := s.Lead(t, other)
	conn, err := pgx.Connect(t.Context(), s.URL)
	if err != nil {
		t.Fatal(err)
	}
	holding, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := holding.Exec(t.Context(), `SELECT FROM leads WHERE id = $1 FOR UPDATE`, held); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var waiting sync.WaitGroup
	change := func(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID) error {
		return s.DB.UpdateLead(ctx, ws, lead, dossier.LeadUpdate{FirstName: dossier.Set("Ann")}, 0, postgres.Caller{})
	}
	for range 100 { // more than the pool has connections
		waiting.Go(func() { _ = change(ctx, busy, held) })
	}
	waiters := func() int {
		return pgtest.Value[int](t, s, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
			AND wait_event_type = 'Lock'`)
	}
	for waiters() < 6 { // of eight connections
	}
	soon, end := context.WithTimeout(t.Context(), 20*time.Second)
	defer end()
	for range 3 {
		if err := change(soon, other, free); err != nil {
			t.Error(err)
		}
	}
	if waiters() == 0 {
		t.Error("nobody waits for the lead any more")
	}
	cancel()
	waiting.Wait()
	if err := holding.Rollback(t.Context()); err != nil {
		t.Error(err)
	}
	_ = conn.Close(t.Context())
}
