package worker

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

var updateStories = flag.Bool("update", false, "write the stories of testdata/journeys")

// Whole journeys of leads on the test's clock. Each is compared with testdata/journeys/<name>.txt: everything that was
// written, everything on the timeline with what agents looked at and did, every event, in order. `go test ./jobs/worker -run TestJourneys -update` writes
// them anew; read what changed as a lead would.
func TestJourneys(t *testing.T) {
	for name, travel := range map[string]func(t *testing.T, p *play){
		"completes_by_text_and_portal":    completesByTextAndPortal,
		"opts_out":                        optsOut,
		"sends_the_wrong_documents_twice": sendsTheWrongDocumentsTwice,
		"honolulu_at_night":               honoluluAtNight,
		"paused_and_resumed":              pausedAndResumed,
		"reminded_monthly":                remindedMonthly,
		"listened_with_edits":             listenedWithEdits,
		"in_spanish":                      inSpanish,
		"a_person_is_talking":             aPersonIsTalking,
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlay(t)
			travel(t, p)
			got := p.story(t)
			file := filepath.Join("testdata", "journeys", name+".txt")
			if *updateStories {
				if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("the story (-want +got):\n%s", diff)
			}
		})
	}
}

// story tells everything that happened to the lead, by its own clock.
func (p *play) story(t *testing.T) string {
	var out strings.Builder
	for _, part := range []struct{ title, sql string }{
		{"What was written", `SELECT coalesce(array_agg(line ORDER BY at, id), '{}') FROM (SELECT coalesce(sent_at, created_at) AS at, id,
			to_char(coalesce(sent_at, created_at) AT TIME ZONE $2, 'Dy DD Mon HH24:MI') || ' ' || rpad(CASE direction WHEN 'INBOUND' THEN 'lead' ELSE 'agent' END, 6)
			|| channel || ' ' || status || coalesce(' "' || subject || '"', '') || E'\n' || body AS line FROM messages WHERE lead_id = $1) m`},
		{"The timeline", `SELECT coalesce(array_agg(to_char(coalesce(completed_at, scheduled_at, created_at) AT TIME ZONE $2, 'Dy DD Mon HH24:MI') || ' ' || rpad(type, 18) || ' ' || rpad(status, 9) || ' ' || summary
			|| coalesce((SELECT string_agg(E'\n' || (call->>'name') || ' ' || (call->'input')::text || ' gives ' || (call->'output')::text, '' ORDER BY n)
				FROM jsonb_array_elements(tool_calls) WITH ORDINALITY AS made (call, n)), '')
			ORDER BY coalesce(completed_at, scheduled_at, created_at), id), '{}') FROM action_logs WHERE lead_id = $1`},
		{"The events", `SELECT coalesce(array_agg(to_char(created_at AT TIME ZONE $2, 'Dy DD Mon HH24:MI') || ' ' || type ORDER BY id), '{}') FROM events WHERE lead_id = $1`},
	} {
		fmt.Fprintf(&out, "# %s\n\n", part.title)
		for _, line := range pgtest.Value[[]string](t, p.pg, part.sql, p.lead, p.zone(t)) {
			head, body, long := strings.Cut(line, "\n")
			out.WriteString(strings.TrimRight(head, " ") + "\n")
			if long {
				out.WriteString("    " + strings.ReplaceAll(body, "\n", "\n    ") + "\n")
			}
		}
		out.WriteString("\n")
	}
	text := anyID.ReplaceAllString(portalAddress.ReplaceAllString(out.String(), "LINK"), "ID")
	return regexp.MustCompile(`(?m)[ \t]+$`).ReplaceAllString(strings.TrimSpace(text)+"\n", "")
}

var anyID = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

var portalAddress = regexp.MustCompile(`\{\{portalLink\}\}`)

func (p *play) zone(t *testing.T) string {
	return pgtest.Value[string](t, p.pg, `SELECT coalesce(l.timezone, w.timezone) FROM leads l JOIN workspaces w ON w.id = l.workspace_id WHERE l.id = $1`, p.lead)
}

// completesByTextAndPortal: three days from nothing to everything.
func completesByTextAndPortal(t *testing.T, p *play) {
	p.start(t, "ava", "collect")
	p.pass(t, 3*time.Hour)
	p.writes(t, "What is an EIN?")
	p.pass(t, 45*time.Hour)
	p.writes(t, "Our EIN is 12-3456789, sorry for the delay")
	p.pass(t, 25*time.Hour)
	p.writes(t, "Did you get the EIN?")
	p.put(t, "LEGAL_NAME", `"Ann's Bakery LLC"`)
	p.pass(t, 14*24*time.Hour)
}

// optsOut: one word ends everything, at once and for good, until the lead itself comes back.
func optsOut(t *testing.T, p *play) {
	p.start(t, "ava", "collect")
	p.pass(t, 5*time.Hour)
	p.writes(t, "STOP")
	p.pass(t, 14*24*time.Hour)
	p.writes(t, "Start")
	p.pass(t, 3*24*time.Hour)
}

// sendsTheWrongDocumentsTwice: each refusal is explained with its reason, the right one is praised by silence.
func sendsTheWrongDocumentsTwice(t *testing.T, p *play) {
	item, err := p.pg.DB.CreateLeadItem(t.Context(), p.ws, p.lead, dossier.NewItem{Label: "Last month's bank statement", FieldType: dossier.FieldFile, IsRequired: true}, postgres.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	p.put(t, "LEGAL_NAME", `"Ann's Bakery LLC"`)
	p.put(t, "EIN", `"12-3456789"`)
	p.start(t, "ava", "collect")
	p.pass(t, time.Hour)
	p.refuse(t, item.ID, 1)
	p.pass(t, 26*time.Hour)
	p.writes(t, "Why was it rejected?")
	p.pass(t, time.Hour)
	p.refuse(t, item.ID, 2)
	p.pass(t, 5*time.Hour)
	if err := p.pg.DB.UpdateLead(t.Context(), p.ws, p.lead, dossier.LeadUpdate{Items: []dossier.ItemUpdate{{Code: item.Item.Code, Status: new(dossier.ItemCompleted)}}}, 0,
		postgres.Caller{Source: dossier.SourceManual, Actor: "bo@lender.example"}); err != nil {
		t.Fatal(err)
	}
	p.pass(t, 7*24*time.Hour)
}

// honoluluAtNight: nothing before 8 in the morning of the lead's own day; an answer waits too.
func honoluluAtNight(t *testing.T, p *play) {
	if err := p.pg.DB.UpdateLead(t.Context(), p.ws, p.lead, dossier.LeadUpdate{Timezone: dossier.Set("Pacific/Honolulu")}, 0, postgres.Caller{}); err != nil {
		t.Fatal(err)
	}
	p.pg.Clock.Set(time.Date(2021, 3, 9, 8, 30, 0, 0, time.UTC)) // 22:30 there
	p.start(t, "ava", "collect")
	p.pass(t, 22*time.Hour) // 20:30 the day after
	p.pass(t, time.Hour)
	p.writes(t, "What is still missing?") // 21:30
	p.pass(t, 40*time.Hour)
}

// pausedAndResumed: silence while paused, but for answers; no burst afterwards.
func pausedAndResumed(t *testing.T, p *play) {
	run := p.start(t, "ava", "collect")
	p.pass(t, 24*time.Hour)
	if _, err := p.pg.DB.PauseRun(t.Context(), p.ws, run, postgres.Caller{Source: dossier.SourceManual, Actor: "bo@lender.example"}); err != nil {
		t.Fatal(err)
	}
	p.pass(t, 10*24*time.Hour)
	p.writes(t, "Where do I send the papers?")
	p.pass(t, 24*time.Hour)
	if _, err := p.pg.DB.ResumeRun(t.Context(), p.ws, run, postgres.Caller{Source: dossier.SourceManual, Actor: "bo@lender.example"}); err != nil {
		t.Fatal(err)
	}
	p.pass(t, 5*24*time.Hour)
}

// remindedMonthly: at 10 by the lead's clock, in winter and in summer, on working days, until the cap.
func remindedMonthly(t *testing.T, p *play) {
	p.pg.Exec(t, `UPDATE workflows SET schedule = '{"every": "720h", "at": ["10:00"], "weekdays": ["MON", "TUE", "WED", "THU", "FRI"], "max": 4}' WHERE key = 'monthly'`)
	p.pg.Clock.Set(time.Date(2021, 2, 10, 14, 0, 0, 0, time.UTC))
	p.start(t, "ava", "monthly")
	p.pass(t, 150*24*time.Hour)
}

// listenedWithEdits: the agent drafts, a person edits one, rejects one and approves one as it is.
func listenedWithEdits(t *testing.T, p *play) {
	by := postgres.Caller{Source: dossier.SourceManual, Actor: "bo@lender.example"}
	draft := func() dossier.MessageID {
		return dossier.MessageID(pgtest.Value[string](t, p.pg, `SELECT id::text FROM messages WHERE lead_id = $1 AND status = 'DRAFT'`, p.lead))
	}
	p.start(t, "max", "collect")
	p.pass(t, time.Hour)
	first := draft()
	if _, err := p.pg.DB.EditMessage(t.Context(), p.ws, first, "Dear Ann, two short answers and we can go on.", nil, by); err != nil {
		t.Fatal(err)
	}
	if _, err := p.pg.DB.ApproveMessage(t.Context(), p.ws, first, by); err != nil {
		t.Fatal(err)
	}
	p.pass(t, 49*time.Hour)
	reason := "Too soon"
	if _, err := p.pg.DB.RejectMessage(t.Context(), p.ws, draft(), &reason, by); err != nil {
		t.Fatal(err)
	}
	p.pass(t, 49*time.Hour)
	if _, err := p.pg.DB.ApproveMessage(t.Context(), p.ws, draft(), by); err != nil {
		t.Fatal(err)
	}
	p.pass(t, 2*time.Hour)
}

// inSpanish: a tag of the lead says how to write to it.
func inSpanish(t *testing.T, p *play) {
	tags := []string{"language:es"}
	if err := p.pg.DB.UpdateLead(t.Context(), p.ws, p.lead, dossier.LeadUpdate{Tags: &tags}, 0, postgres.Caller{}); err != nil {
		t.Fatal(err)
	}
	p.start(t, "ava", "collect")
	p.pass(t, 3*time.Hour)
	p.writes(t, "¿Dónde puedo subir los papeles?")
	p.pass(t, time.Hour)
	p.writes(t, "El EIN es 12-3456789")
	p.pass(t, time.Hour)
	p.writes(t, "¿Me pueden bajar la tasa de interés?")
	p.pass(t, 49*time.Hour)
}

// aPersonIsTalking: after a call the agent leaves the lead alone for a day.
func aPersonIsTalking(t *testing.T, p *play) {
	p.start(t, "ava", "collect")
	p.pass(t, 47*time.Hour)
	if _, err := p.pg.DB.CreateActivity(t.Context(), p.ws, dossier.Activity{LeadID: p.lead, EventType: "sales_call", Title: "Called Ann about the papers"},
		postgres.Caller{Source: dossier.SourceManual, Actor: "bo@lender.example"}); err != nil {
		t.Fatal(err)
	}
	p.pass(t, 3*24*time.Hour)
}
