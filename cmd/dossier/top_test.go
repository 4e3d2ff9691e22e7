package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier/jobs"
)

// top names the lanes with work, the workspaces it belongs to, and a statement that waits for another, with the process
// that it waits for.
func TestTop(t *testing.T) {
	t.Parallel()
	o := newOperated(t)
	contains(t, o.do(t, "top"), "No lane has work.", "No workspace has work.", "No slow statement.")
	ws := o.Workspace(t)
	if _, err := o.DB.StageJobs(t.Context(), ws, jobs.JudgeLead{Workspace: ws}, jobs.JudgeLead{Workspace: ws}); err != nil {
		t.Fatal(err)
	}
	o.Exec(t, `UPDATE jobs SET in_turn = epoch WHERE id = (SELECT min(id::text)::uuid FROM jobs)`)
	connect := func() *pgx.Conn {
		cfg, err := pgx.ParseConfig(o.Server.Run)
		if err != nil {
			t.Fatal(err)
		}
		cfg.RuntimeParams["application_name"] = "dossier/test"
		conn, err := pgx.ConnectConfig(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close(context.Background()) })
		return conn
	}
	holder, waiter := connect(), connect()
	// In a transaction, and its process asked for there: behind a pooler each transaction has a connection of its own.
	if _, err := holder.Exec(t.Context(), "BEGIN"); err != nil {
		t.Fatal(err)
	}
	var holding int32
	if err := holder.QueryRow(t.Context(), "SELECT pg_backend_pid() FROM pg_advisory_xact_lock(7)").Scan(&holding); err != nil {
		t.Fatal(err)
	}
	waits := make(chan error, 1)
	go func() {
		_, err := waiter.Exec(t.Context(), "SELECT pg_advisory_xact_lock(7), 'waits'")
		waits <- err
	}()
	blocked := func(now busy) bool {
		for _, s := range now.Slow {
			if s.Statement == "SELECT pg_advisory_xact_lock(7), 'waits'" && len(s.BlockedBy) == 1 &&
				s.BlockedBy[0] == holding {
				return true
			}
		}
		return false
	}
	now := value[busy](t, o, "top", "--slow", "0s")
	for end := time.Now().Add(20 * time.Second); !blocked(now); now = value[busy](t, o, "top", "--slow", "0s") {
		if time.Now().After(end) {
			t.Fatalf("the statement that waits is not named: %+v", now.Slow)
		}
	}
	if len(now.Lanes) != 1 || now.Lanes[0].Lane != jobs.LaneDocument {
		t.Errorf("lanes %+v", now.Lanes)
	}
	if len(now.Tenants) != 1 || now.Tenants[0].Waiting != 2 || now.Tenants[0].Running != 0 || now.Tenants[0].Workspace == "" {
		t.Errorf("tenants %+v", now.Tenants)
	}
	contains(t, o.do(t, "top", "--slow", "0s"), "document", "Lock: advisory", now.Tenants[0].Workspace)
	if _, err := holder.Exec(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if err := <-waits; err != nil {
		t.Fatal(err)
	}
	o.refused(t, 2, "--every must be at least 1s", "top", "--every", "10ms")
	o.refused(t, 2, "--slow must not be negative", "top", "--slow=-1s")
}

// On a terminal each look is drawn over the one before, an error in its place, until the command is interrupted.
func TestTop_terminal(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	var screen bytes.Buffer
	a := &app{ctx: ctx, out: &screen, now: time.Now}
	looks := 0
	if err := a.watch(time.Millisecond, func() (busy, error) {
		switch looks++; looks {
		case 1:
			return busy{}, nil
		case 2:
			return busy{}, errors.New("the database is away")
		}
		stop()
		return busy{}, nil
	}); err != nil {
		t.Fatal(err)
	}
	first, second, found := strings.Cut(strings.TrimPrefix(screen.String(), "\x1b[H"), "\x1b[H")
	if !found || !strings.Contains(first, "No slow statement.\x1b[K\n\x1b[J") || !strings.Contains(second, "the database is away") {
		t.Errorf("%q", screen.String())
	}
}
