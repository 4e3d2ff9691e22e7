package postgres_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// The result of a run can be as large as the document it is about. The event that tells of it is not: it says that the
// result was left out, which the poll has.
func TestEvent_size(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	run, err := h.DB.CreatePipelineRun(t.Context(), h.ws, "extract-document", []string{"extract-document"}, json.RawMessage(`{}`), postgres.PipelineSubjects{})
	if err != nil {
		t.Fatal(err)
	}
	large := json.RawMessage(`{"words":"` + strings.Repeat("x", 2<<20) + `"}`)
	claim := h.claim(t, "pipeline.run")
	if _, err := h.DB.FinishPipelineStep(t.Context(), claim, run.ID, large, time.Second); err != nil {
		t.Fatal(err)
	}
	body := pgtest.Value[string](t, h.Server, `SELECT body FROM events WHERE type = 'pipeline_run.completed'`)
	var event struct {
		Data struct {
			PipelineRun struct {
				JobID         string
				Result        *json.RawMessage
				ResultOmitted bool
			}
		}
	}
	if err := json.Unmarshal([]byte(body), &event); err != nil || len(body) > dossier.MaxEventBody {
		t.Fatalf("%d bytes, %v", len(body), err)
	}
	if r := event.Data.PipelineRun; r.Result != nil || !r.ResultOmitted || r.JobID != string(run.ID) {
		t.Errorf("%+v", r)
	}
	kept, err := h.DB.ReadPipelineRun(t.Context(), h.ws, "extract-document", run.ID)
	if err != nil || len(kept.Result) < 2<<20 {
		t.Errorf("the poll has %d bytes, %v", len(kept.Result), err)
	}
}

// A page that a sender reads ahead ends after so many bytes, and says that there is more.
func TestNextDeliveries_bytes(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	const events = 60
	for range events {
		id := dossier.EventID(postgres.NewID())
		data := fmt.Sprintf(`{"leadId":null,"fill":%q}`, strings.Repeat("x", 200<<10))
		body := dossier.EventBody(id, h.ws, dossier.EventLeadUpdated, h.Clock.Now(), true, []byte(data))
		h.Exec(t, `WITH e AS (INSERT INTO events (workspace_id, id, type, body, created_at) VALUES ($1, $2, $3, $4, $5))
			INSERT INTO event_inbox (workspace_id, event_id, type, created_at) VALUES ($1, $2, $3, $5)`,
			h.ws, id, dossier.EventLeadUpdated, string(body), h.Clock.Now())
	}
	h.dispatch(t)
	seen, pages := 0, 0
	for after, full := int64(0), true; full; pages++ {
		next, err := h.DB.NextDeliveries(t.Context(), h.ws, h.webhook.ID, after, nil, postgres.Room{Deliveries: 256, Bytes: 4 << 20})
		if err != nil {
			t.Fatal(err)
		}
		size := 0
		for _, o := range next.Deliveries {
			size += len(o.Body)
		}
		if size > 5<<20 {
			t.Errorf("a page of %d bytes", size)
		}
		seen, after, full = seen+len(next.Deliveries), next.Last, next.Full
	}
	if seen != events || pages < 3 {
		t.Errorf("%d deliveries on %d pages", seen, pages)
	}
}

// A round makes no more deliveries than it can, however many endpoints its events go to; none is left out.
func TestDispatchEvents_width(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	h.Exec(t, `INSERT INTO webhooks (workspace_id, id, url, secret, created_at, updated_at)
		SELECT $1, gen_random_uuid(), 'https://hooks.example/', 's', now(), now() FROM generate_series(1, 299)`, h.ws)
	const events = 40
	for range events {
		h.emit(t, dossier.EventLeadUpdated, "")
	}
	for h.dispatch(t) > 0 {
	}
	deliveries := pgtest.Value[int](t, h.Server, `SELECT count(*) FROM deliveries`)
	if most := pgtest.Value[int](t, h.Server, `SELECT max(n) FROM (SELECT count(*) AS n FROM deliveries GROUP BY xmin::text) AS rounds`); most > 5000 {
		t.Errorf("a round made %d deliveries", most)
	}
	senders := pgtest.Value[int](t, h.Server, `SELECT count(*) FROM jobs j JOIN outbox o ON o.job_id = j.id WHERE j.kind = 'webhook.drain'`)
	if deliveries != 300*events || senders != 300 {
		t.Errorf("%d deliveries, %d senders", deliveries, senders)
	}
}

// An event that cannot be dispatched is set aside: those of other tenants behind it come through.
func TestDispatchEvents_sets_aside(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	other := &hooks{Server: h.Server, ws: h.Workspace(t)}
	other.webhook = other.register(t, dossier.WebhookUpdate{URL: ptr("https://hooks.example/")})
	h.Exec(t, `ALTER TABLE deliveries ADD CONSTRAINT poison CHECK (event_type <> 'lead.completed')`)
	before := h.emit(t, dossier.EventLeadUpdated, "")
	poison := h.emit(t, dossier.EventLeadCompleted, "")
	theirs := other.emit(t, dossier.EventLeadUpdated, "")
	h.dispatch(t)
	if got := h.next(t); len(got) != 1 || got[0].EventID != before {
		t.Errorf("what came before: %+v", got)
	}
	if got := other.next(t); len(got) != 1 || got[0].EventID != theirs {
		t.Errorf("the other tenant's: %+v", got)
	}
	aside := pgtest.Value[string](t, h.Server, `SELECT string_agg(event_id || ' ' || error, ',') FROM event_aside`)
	if aside != string(poison)+" SQLSTATE 23514" || h.DB.EventsSetAside() != 1 {
		t.Errorf("set aside: %s (%d)", aside, h.DB.EventsSetAside())
	}
}

// Whom the server cancels is not to blame: its event is dispatched later. One that it gives up every time is set aside
// at last.
func TestDispatchEvents_given_up(t *testing.T) {
	t.Parallel()
	for name, failures := range map[string]int{"by the way": 18, "every time": 1 << 30} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHooks(t)
			h.Exec(t, fmt.Sprintf(`
				CREATE SEQUENCE given_up;
				GRANT USAGE ON given_up TO PUBLIC;
				CREATE FUNCTION give_up() RETURNS trigger LANGUAGE plpgsql AS $$
				BEGIN
					IF NEW.event_type = 'lead.completed' AND nextval('given_up') <= %d THEN
						RAISE EXCEPTION 'canceling statement due to user request' USING ERRCODE = '57014';
					END IF;
					RETURN NEW;
				END $$;
				CREATE TRIGGER give_up BEFORE INSERT ON deliveries FOR EACH ROW EXECUTE FUNCTION give_up()`, failures))
			event, next := h.emit(t, dossier.EventLeadCompleted, ""), h.emit(t, dossier.EventLeadUpdated, "")
			for range 12 {
				if _, err := h.DB.DispatchEvents(t.Context()); err == nil {
					break
				}
			}
			sent := pgtest.Value[string](t, h.Server, `SELECT coalesce(string_agg(event_id::text, ' ' ORDER BY event_id), '') FROM deliveries`)
			aside := pgtest.Value[string](t, h.Server, `SELECT coalesce(string_agg(event_id || ' ' || error, ','), '') FROM event_aside`)
			wantSent, wantAside := string(event)+" "+string(next), ""
			if failures > 18 {
				wantSent, wantAside = string(next), string(event)+" SQLSTATE 57014"
			}
			if sent != wantSent || aside != wantAside {
				t.Errorf("sent %q, set aside %q", sent, aside)
			}
		})
	}
}
