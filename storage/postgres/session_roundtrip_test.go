package postgres_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// A change that waits for no result costs one round trip, whatever it is made of; one that reads first costs two. What
// leads are made and changed with, which is most of what an installation does, is so many statements and no more.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	recorder := &statements{}
	if err := s.DB.UseTracer(t.Context(), recorder); err != nil {
		t.Fatal(err)
	}
	ws := s.Workspace(t)
	lead, _ := s.Lead(t, ws, dossier.FieldText, dossier.FieldNumber)
	name := 0
	url := "https://example.com/hook"
	hook, _, err := s.DB.CreateWebhook(t.Context(), ws, dossier.WebhookUpdate{URL: &url})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name       string
		trips      int
		statements int // 0: not counted
		call       func(ctx context.Context) error
	}{
		{"start a run of a lead", 1, 0, func(ctx context.Context) error {
			_, err := s.DB.CreatePipelineRun(ctx, ws, "match-documents", []string{"match-documents"}, []byte(`{}`), postgres.PipelineSubjects{Lead: lead})
			return err
		}},
		{"write an activity", 1, 0, func(ctx context.Context) error {
			_, err := s.DB.CreateActivity(ctx, ws, dossier.Activity{LeadID: lead, EventType: "call", Title: "A call"}, postgres.Caller{})
			return err
		}},
		{"make a lead", 2, 0, func(ctx context.Context) error {
			_, err := s.DB.CreateLead(ctx, ws, postgres.NewLead{LeadUpdate: dossier.LeadUpdate{FirstName: dossier.Set("Ann")}}, postgres.Caller{})
			return err
		}},
		{"make a lead and show it", 2, 10, func(ctx context.Context) error {
			_, err := s.DB.CreateLeadView(ctx, ws, postgres.NewLead{LeadUpdate: dossier.LeadUpdate{Email: dossier.Set("ann@example.com")}}, postgres.Caller{})
			return err
		}},
		{"change a lead and show it", 2, 13, func(ctx context.Context) error {
			name++
			_, err := s.DB.UpdateLeadView(ctx, ws, lead, dossier.LeadUpdate{FirstName: dossier.Set(fmt.Sprint("Ann ", name))}, 0, postgres.Caller{})
			return err
		}},
		{"change an item of a lead and show it", 2, 14, func(ctx context.Context) error {
			name++
			item := dossier.ItemUpdate{Code: "TEXT", Value: json.RawMessage(strconv.Quote(fmt.Sprint("Lee ", name)))}
			_, err := s.DB.UpdateLeadView(ctx, ws, lead, dossier.LeadUpdate{Items: []dossier.ItemUpdate{item}}, 0, postgres.Caller{})
			return err
		}},
		{"emit an event after a look at its endpoint", 2, 0, func(ctx context.Context) error {
			_, err := s.DB.TestWebhook(ctx, ws, hook.ID)
			return err
		}},
		{"list what belongs to a lead", 3, 0, func(ctx context.Context) error { // whether it is there, the list, the commit
			_, err := s.DB.Runs(ctx, ws, lead)
			return err
		}},
	}
	for _, test := range tests {
		if err := test.call(t.Context()); err != nil { // prepares the statements
			t.Fatalf("%s: %v", test.name, err)
		}
		recorder.take()
		if err := test.call(t.Context()); err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		sent, trips := recorder.take()
		if trips != test.trips {
			t.Errorf("%s took %d round trips, want %d", test.name, trips, test.trips)
		}
		if test.statements > 0 && len(sent) != test.statements {
			t.Errorf("%s took %d statements, want %d", test.name, len(sent), test.statements)
		}
	}
}

// Senders that ask for their endpoints together are answered in a few round trips, each with its own.
func TestEndpoint_together(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	type hook struct {
		ws  dossier.WorkspaceID
		id  dossier.WebhookID
		url string
	}
	var hooks []hook
	for i := range 40 {
		if i%10 == 0 {
			hooks = append(hooks, hook{ws: s.Workspace(t)})
		} else {
			hooks = append(hooks, hook{ws: hooks[i-1].ws})
		}
		h := &hooks[i]
		h.url = fmt.Sprint("https://example.com/", i)
		w, _, err := s.DB.CreateWebhook(t.Context(), h.ws, dossier.WebhookUpdate{URL: &h.url})
		if err != nil {
			t.Fatal(err)
		}
		h.id = w.ID
	}
	foreign := s.Workspace(t)
	recorder := &statements{}
	if err := s.DB.UseTracer(t.Context(), recorder); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for _, h := range hooks {
		all.Go(func() {
			if e, err := s.DB.Endpoint(t.Context(), h.ws, h.id); err != nil || e.URL != h.url || len(e.Secrets) != 1 {
				t.Errorf("%+v, %v, want %s", e, err, h.url)
			}
			if _, err := s.DB.Endpoint(t.Context(), foreign, h.id); dossier.KindOf(err) != dossier.NotFound {
				t.Errorf("another workspace's endpoint: %v", err)
			}
		})
	}
	all.Wait()
	if _, trips := recorder.take(); trips >= len(hooks) {
		t.Errorf("%d round trips for %d endpoints", trips, len(hooks))
	}
}

// Whatever travels together is written together or not at all, each in its own workspace.
func TestTogether(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	type target struct {
		ws   dossier.WorkspaceID
		lead dossier.LeadID
	}
	var targets []target
	for range 3 {
		ws := s.Workspace(t)
		for range 3 {
			lead, _ := s.Lead(t, ws)
			targets = append(targets, target{ws, lead})
		}
	}
	foreign := target{targets[0].ws, targets[8].lead}
	const each = 12
	var all sync.WaitGroup
	for i := range each {
		for _, to := range append(targets, foreign) {
			all.Go(func() {
				_, started := s.DB.CreatePipelineRun(t.Context(), to.ws, "match-documents", []string{"match-documents"}, []byte(`{}`), postgres.PipelineSubjects{Lead: to.lead})
				_, logged := s.DB.CreateActivity(t.Context(), to.ws, dossier.Activity{LeadID: to.lead, EventType: "call", Title: fmt.Sprint("Call ", i)}, postgres.Caller{})
				for what, err := range map[string]error{"run": started, "activity": logged} {
					if to == foreign && dossier.KindOf(err) != dossier.NotFound {
						t.Errorf("a %s for a lead of another workspace gave %v, want NotFound", what, err)
					}
					if to != foreign && err != nil {
						t.Errorf("%s: %v", what, err)
					}
				}
			})
		}
	}
	all.Wait()
	for _, to := range targets {
		if n := pgtest.Value[int](t, s, `SELECT count(*) FROM action_logs WHERE workspace_id = $1 AND lead_id = $2`, to.ws, to.lead); n != each {
			t.Errorf("a lead has %d entries, want %d", n, each)
		}
	}
	for _, sql := range []string{
		`SELECT count(*) FROM pipeline_runs`,
		`SELECT count(*) FROM jobs j JOIN pipeline_runs r ON r.workspace_id = j.workspace_id AND r.id = j.subject_id`,
		`SELECT count(*) FROM outbox o JOIN jobs j ON j.workspace_id = o.workspace_id AND j.id = o.job_id AND j.epoch = o.epoch`,
	} {
		if n := pgtest.Value[int](t, s, sql); n != each*len(targets) {
			t.Errorf("%s: %d, want %d", sql, n, each*len(targets))
		}
	}
}

// A lead that another transaction holds makes only those wait who write to that lead.
func TestTogether_beside_a_lock(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws := s.Workspace(t)
	locked, _ := s.Lead(t, ws)
	free, _ := s.Lead(t, ws)
	conn, err := pgx.Connect(t.Context(), s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), `SELECT FROM leads WHERE workspace_id = $1 AND id = $2 FOR UPDATE`, string(ws), string(locked)); err != nil {
		t.Fatal(err)
	}
	write := func(lead dossier.LeadID) error {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err := s.DB.CreateActivity(ctx, ws, dossier.Activity{LeadID: lead, EventType: "call", Title: "A call"}, postgres.Caller{})
		return err
	}
	waited := make(chan error, 1)
	go func() { waited <- write(locked) }()
	for range 8 {
		if err := write(free); err != nil {
			t.Errorf("beside a held lead: %v", err)
		}
	}
	select {
	case err := <-waited:
		t.Errorf("a held lead was written: %v", err)
	default:
	}
	if err := errors.Join(tx.Rollback(t.Context()), <-waited); err != nil {
		t.Error(err)
	}
}

// Ids travel as uuids: named strings, lists and missing ones, and what is no id is refused.
func TestIDs(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws := s.Workspace(t)
	lead, _ := s.Lead(t, ws)
	if _, err := s.DB.Runs(t.Context(), ws, lead); err != nil {
		t.Error(err)
	}
	if _, err := s.DB.Runs(t.Context(), ws, "no id"); err == nil {
		t.Error("what is no id was taken for one")
	}
}
