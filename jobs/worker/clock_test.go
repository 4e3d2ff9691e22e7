package worker

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// A lead whose clock is put forward by 30 days hears the same, on the same days and at the same hours, as one for whom 30
// days go by.
func TestClock_plays_what_time_does(t *testing.T) {
	for _, workflow := range []string{"monthly", "collect"} {
		t.Run(workflow, func(t *testing.T) {
			slow := newPlay(t)
			slow.start(t, "ava", workflow)
			slow.pass(t, 30*24*time.Hour)
			want := slow.sent(t)

			fast := playOn(t, newBench(t))
			fast.pg.Exec(t, `DELETE FROM jobs`)
			fast.pg.Exec(t, `DELETE FROM outbox`)
			fast.lead = fast.newLead(t, dossier.LeadUpdate{FirstName: dossier.Set("Ann"), PhoneNumber: dossier.Set("2125550123"),
				Email: dossier.Set("ann@example.com")}, true)
			db := fast.live(t)
			ahead := time.Until(mondayMorning) // the lead's time is that of the other play
			fast.pg.Exec(t, `UPDATE leads SET clock_ahead = $2 WHERE id = $1`, fast.lead, ahead.Microseconds())
			agent := pgtest.Value[string](t, fast.pg, `SELECT id::text FROM agents WHERE key = 'ava'`)
			kind := pgtest.Value[string](t, fast.pg, `SELECT id::text FROM workflows WHERE key = $1`, workflow)
			if _, err := db.CreateRun(postgres.WithAhead(t.Context(), ahead), fast.ws, fast.lead, dossier.AgentID(agent), dossier.WorkflowID(kind),
				postgres.Caller{Source: dossier.SourceImported, Test: true}); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			fast.advance(t, db, 30*24*time.Hour)
			if took := time.Since(began); took > time.Minute {
				t.Errorf("30 days took %s", took)
			}
			if diff := cmp.Diff(want, fast.sent(t)); diff != "" || len(want) < 3 {
				t.Errorf("what %d messages are by time, and by the clock: -want +got\n%s", len(want), diff)
			}
		})
	}
}

// live runs a worker on a store whose clock is the real one, and returns the store.
func (p *play) live(t *testing.T) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), postgres.Config{URL: p.pg.Run, ListenURL: pgtest.DirectURL(p.pg.URL), SecretKey: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	w, err := New(Config{DB: db, Redis: p.redis, Log: testLog(t), PublicURL: "https://dossier.example",
		Lanes: []jobs.Lane{jobs.LaneAgent, jobs.LaneMessage, jobs.LaneSystem}, Drain: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	w.timing, w.schedule = quick, nil
	p.run(w)
	return db
}

// advance puts the lead's clock forward and returns the events of the way.
func (p *play) advance(t *testing.T, db *postgres.DB, by time.Duration) []dossier.EventID {
	t.Helper()
	start, err := db.StartClock(t.Context(), p.ws, p.lead, by)
	if err != nil {
		t.Fatal(err)
	}
	end := time.Now().Add(90 * time.Second)
	now, err := db.AdvanceLead(t.Context(), p.ws, p.lead, start.Until, func() bool {
		return time.Now().Before(end) && jobs.Sleep(context.Background(), 5*time.Millisecond)
	})
	if err != nil && dossier.KindOf(err) != dossier.NotFound {
		t.Fatal(err)
	}
	if err == nil && now.Before(start.Until) {
		t.Fatalf("the clock stands at %s, want %s", now, start.Until)
	}
	events, err := db.EventsOfLead(t.Context(), p.ws, p.lead, start.Feed)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// The end of the grace of a deletion comes by the clock, and a second call goes on where the first ended; the link to the
// lead's page ends in its time.
func TestClock_grace_and_links(t *testing.T) {
	p := newPlay(t)
	p.lead = p.newLead(t, dossier.LeadUpdate{FirstName: dossier.Set("Ann")}, true)
	db := p.live(t)
	p.pg.Exec(t, `UPDATE leads SET clock_ahead = 0, created_at = now()`)
	p.pg.Exec(t, `UPDATE portal_links SET expires_at = now() + interval '90 days' WHERE lead_id = $1`, p.lead)
	p.advance(t, db, 91*24*time.Hour)
	if n := pgtest.Value[int](t, p.pg, `SELECT count(*) FROM portal_links WHERE lead_id = $1 AND expires_at > now()`, p.lead); n != 0 {
		t.Error("the link is open after its days")
	}
	ahead, err := db.LeadAhead(t.Context(), p.ws, p.lead)
	if err != nil || ahead < 91*24*time.Hour-2*time.Minute {
		t.Fatalf("the clock is ahead by %s, %v", ahead, err)
	}
	ctx := postgres.WithAhead(t.Context(), ahead)
	if err := db.DeleteLead(ctx, p.ws, p.lead, false, postgres.Caller{Test: true}); err != nil {
		t.Fatal(err)
	}
	p.advance(t, db, 29*24*time.Hour)
	if n := pgtest.Value[int](t, p.pg, `SELECT count(*) FROM leads WHERE id = $1`, p.lead); n != 1 {
		t.Fatal("the lead is erased before its time")
	}
	events := p.advance(t, db, 2*24*time.Hour)
	if n := pgtest.Value[int](t, p.pg, `SELECT count(*) FROM leads WHERE id = $1`, p.lead); n != 0 {
		t.Error("the lead is not erased after its grace")
	}
	erased := pgtest.Value[string](t, p.pg, `SELECT coalesce((SELECT id::text FROM events WHERE type = 'lead.erased'), '')`)
	if !slices.Contains(events, dossier.EventID(erased)) {
		t.Errorf("the erasure is not among what happened: %v", events)
	}
}

// The clocks of live leads and of other workspaces' are nobody's.
func TestClock_of_whom(t *testing.T) {
	p := newPlay(t)
	other := p.pg.Workspace(t)
	test := p.newLead(t, dossier.LeadUpdate{FirstName: dossier.Set("Tess")}, true)
	for _, who := range []struct {
		ws   dossier.WorkspaceID
		lead dossier.LeadID
	}{{p.ws, p.lead}, {other, test}} {
		_, start := p.pg.DB.StartClock(t.Context(), who.ws, who.lead, time.Hour)
		_, rest := p.pg.DB.LeadAtRest(t.Context(), who.ws, who.lead)
		_, events := p.pg.DB.EventsOfLead(t.Context(), who.ws, who.lead, 0)
		_, advanced := p.pg.DB.AdvanceLead(t.Context(), who.ws, who.lead, time.Now(), func() bool { return false })
		for _, err := range []error{start, rest, events, advanced} {
			if dossier.KindOf(err) != dossier.NotFound {
				t.Errorf("another's clock: %v, want NotFound", err)
			}
		}
	}
}
