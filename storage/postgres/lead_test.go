package postgres_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// leads is a workspace with a template of a few items.
type leads struct {
	*pgtest.Server
	ws dossier.WorkspaceID
}

var (
	byAPI    = postgres.Caller{Source: dossier.SourceImported}
	byPerson = postgres.Caller{Source: dossier.SourceManual, Actor: "ann@lender.example"}
)

func newLeads(t *testing.T) *leads {
	t.Helper()
	l := &leads{Server: pgtest.New(t)}
	l.ws = l.Workspace(t)
	l.template(t, l.ws)
	return l
}

// template gives a workspace two groups with four items.
func (l *leads) template(t *testing.T, ws dossier.WorkspaceID) {
	t.Helper()
	for g, group := range [][]string{{"LEGAL_NAME:TEXT", "OWNER_SSN:SSN", "AMOUNT:NUMBER"}, {"BANK_STATEMENTS:BANK_STATEMENT"}} {
		id := postgres.NewID()
		l.Exec(t, `INSERT INTO checklist_groups (workspace_id, id, key, name, position, created_at, updated_at) VALUES ($1, $2, $3, $3, $4, $5, $5)`,
			ws, id, fmt.Sprintf("group %d", g), g, l.Clock.Now())
		for i, item := range group {
			code, fieldType, _ := strings.Cut(item, ":")
			l.Exec(t, `INSERT INTO checklist_items (workspace_id, id, group_id, code, label, field_type, position, created_at, updated_at) VALUES ($1, $2, $3, $4, $4, $5, $6, $7, $7)`,
				ws, postgres.NewID(), id, code, fieldType, i, l.Clock.Now())
		}
	}
}

func (l *leads) create(t *testing.T, upd dossier.LeadUpdate) dossier.LeadID {
	t.Helper()
	if upd.Email.Value == nil {
		upd.Email = dossier.Set("ann@example.com")
	}
	id, err := l.DB.CreateLead(t.Context(), l.ws, postgres.NewLead{LeadUpdate: upd}, byAPI)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func (l *leads) update(t *testing.T, id dossier.LeadID, upd dossier.LeadUpdate, by postgres.Caller) {
	t.Helper()
	l.Clock.Advance(time.Minute)
	if err := l.DB.UpdateLead(t.Context(), l.ws, id, upd, 0, by); err != nil {
		t.Fatal(err)
	}
}

func (l *leads) view(t *testing.T, id dossier.LeadID) postgres.LeadView {
	t.Helper()
	view, err := l.DB.LeadView(t.Context(), l.ws, id)
	if err != nil {
		t.Fatal(err)
	}
	return view
}

// events lists what was recorded about the lead after the first skip, as type and data.
func (l *leads) events(t *testing.T, id dossier.LeadID, skip int) (types []string, data []map[string]any) {
	t.Helper()
	text := pgtest.Value[[]byte](t, l.Server, `SELECT coalesce(json_agg(e.body::json ORDER BY i.seq), '[]') FROM events e JOIN event_inbox i ON i.event_id = e.id WHERE e.lead_id = $1`, id)
	var events []struct {
		Type string
		Data map[string]any
	}
	if err := json.Unmarshal(text, &events); err != nil {
		t.Fatal(err)
	}
	for _, e := range events[skip:] {
		types, data = append(types, e.Type), append(data, e.Data)
	}
	return types, data
}

func item(code, value string) dossier.LeadUpdate {
	return dossier.LeadUpdate{Items: []dossier.ItemUpdate{{Code: code, Value: json.RawMessage(value)}}}
}

// Which events one call records, in which order (resources.md section 2, Events of one update).
func TestUpdateLead_events(t *testing.T) {
	t.Parallel()
	l := newLeads(t)
	id := l.create(t, dossier.LeadUpdate{ExternalLeadID: dossier.Set("crm-9")})
	to := func(s dossier.LeadStatus) dossier.LeadUpdate { return dossier.LeadUpdate{Status: &s} }
	yes, no := true, false
	reopen := dossier.LeadInProgress
	both := item("AMOUNT", `5`)
	both.Status = ptr(dossier.LeadNotInterested)
	tests := []struct {
		name    string
		upd     dossier.LeadUpdate
		want    []string
		changes []any
	}{
		{"a field", dossier.LeadUpdate{FirstName: dossier.Set("Ann")}, []string{"lead.updated"}, []any{"firstName"}},
		{"the same again", dossier.LeadUpdate{FirstName: dossier.Set("Ann")}, nil, nil},
		{"a valid value", item("LEGAL_NAME", `"Lee"`), []string{"lead.updated", "checklist_item.completed"}, []any{"checklistItems"}},
		{"the same value", item("LEGAL_NAME", `"Lee"`), nil, nil},
		{"another value, still completed", item("LEGAL_NAME", `"Lee Foods"`), []string{"lead.updated"}, []any{"checklistItems"}},
		{"an invalid value", item("OWNER_SSN", `"12"`), []string{"lead.updated", "checklist_item.invalid"}, []any{"checklistItems"}},
		{"an unknown code", item("NO_SUCH", `1`), nil, nil},
		{"COMPLETED is no lead.completed", to(dossier.LeadCompleted), []string{"lead.updated"}, []any{"status", "checklistItems"}},
		{"IN_PROGRESS", to(dossier.LeadInProgress), []string{"lead.updated", "lead.reopened"}, []any{"status", "checklistItems"}},
		{"IN_PROGRESS on an open lead", to(dossier.LeadInProgress), nil, nil},
		{"an item and NOT_INTERESTED", both, []string{"lead.updated", "checklist_item.completed", "lead.not_interested"}, []any{"status", "notInterestedAt", "checklistItems"}},
		{"OPTED_OUT", to(dossier.LeadOptedOut), []string{"lead.updated", "lead.opted_out"}, []any{"status", "didOptOut", "optOutAt"}},
		{"OPTED_OUT again", dossier.LeadUpdate{DidOptOut: &yes}, nil, nil},
		{"opted in and reopened", dossier.LeadUpdate{DidOptOut: &no, Status: &reopen}, []string{"lead.updated", "lead.reopened"}, []any{"status", "didOptOut", "optOutAt", "notInterestedAt"}},
	}
	if types, data := l.events(t, id, 0); !cmp.Equal(types, []string{"lead.created"}) || data[0]["externalLeadId"] != "crm-9" {
		t.Errorf("creating recorded %v with %v", types, data)
	}
	for _, test := range tests {
		before := pgtest.Value[int](t, l.Server, `SELECT count(*) FROM events WHERE lead_id = $1`, id)
		l.update(t, id, test.upd, byAPI)
		types, data := l.events(t, id, before)
		if diff := cmp.Diff(test.want, types); diff != "" {
			t.Errorf("%s: events (-want +got):\n%s", test.name, diff)
			continue
		}
		for i, d := range data {
			if d["leadId"] != string(id) || d["externalLeadId"] != "crm-9" {
				t.Errorf("%s: %s has no leadId and externalLeadId: %v", test.name, types[i], d)
			}
		}
		if len(data) == 0 {
			continue
		}
		if diff := cmp.Diff(test.changes, data[0]["changes"]); diff != "" {
			t.Errorf("%s: changes (-want +got):\n%s", test.name, diff)
		}
	}
	// Every call wrote its one action log, the ones without change too.
	if n := pgtest.Value[int](t, l.Server, `SELECT count(*) FROM action_logs WHERE lead_id = $1 AND type = 'API_ACTIVITY' AND input->>'eventType' = 'lead_updated'`, id); n != len(tests) {
		t.Errorf("%d action logs, want %d", n, len(tests))
	}
}

// Closing a lead cancels what is on its way; each closing status on its own.
func TestUpdateLead_closing_stops_outreach(t *testing.T) {
	t.Parallel()
	for _, status := range []dossier.LeadStatus{dossier.LeadCompleted, dossier.LeadNotInterested, dossier.LeadOptedOut} {
		t.Run(string(status), func(t *testing.T) {
			t.Parallel()
			l := newLeads(t)
			id, other := l.create(t, dossier.LeadUpdate{}), l.create(t, dossier.LeadUpdate{})
			for _, lead := range []dossier.LeadID{id, other} {
				l.outreach(t, lead)
			}
			l.update(t, id, dossier.LeadUpdate{Status: &status}, byAPI)
			count := func(lead dossier.LeadID) string {
				return pgtest.Value[string](t, l.Server, `SELECT (SELECT count(*) FILTER (WHERE status = 'CANCELLED') || '/' || count(*) FROM messages WHERE lead_id = $1)
					|| ' ' || (SELECT count(*) FILTER (WHERE status = 'CANCELLED') FROM action_logs WHERE lead_id = $1)`, lead)
			}
			if got := count(id); got != "2/4 1" {
				t.Errorf("cancelled %s, want the draft and the queued message of 4, and the follow-up", got)
			}
			if got := count(other); got != "0/4 0" {
				t.Errorf("of another lead %s were cancelled", got)
			}
		})
	}
}

// outreach gives a lead a draft, a queued, a sent and a received message, and a planned follow-up.
func (l *leads) outreach(t *testing.T, lead dossier.LeadID) {
	t.Helper()
	for _, status := range []string{"DRAFT", "QUEUED", "SENT", "RECEIVED"} {
		direction := "OUTBOUND"
		if status == "RECEIVED" {
			direction = "INBOUND"
		}
		l.Exec(t, `INSERT INTO messages (workspace_id, id, lead_id, direction, channel, status, body, created_at, updated_at) VALUES ($1, $2, $3, $4, 'email', $5, 'x', $6, $6)`,
			l.ws, postgres.NewID(), lead, direction, status, l.Clock.Now())
	}
	l.Exec(t, `INSERT INTO action_logs (workspace_id, id, lead_id, type, status, summary, scheduled_at, created_at) VALUES ($1, $2, $3, 'FOLLOW_UP_MESSAGE', 'PENDING', 'later', $4, $4)`,
		l.ws, postgres.NewID(), lead, l.Clock.Now())
}

// A person's change counts once, one that changes nothing does not, nor does a program's.
func TestUpdateLead_interventions(t *testing.T) {
	t.Parallel()
	l := newLeads(t)
	id := l.create(t, dossier.LeadUpdate{})
	l.update(t, id, dossier.LeadUpdate{FirstName: dossier.Set("Ann")}, byAPI)
	l.update(t, id, item("AMOUNT", `5`), byPerson)
	l.update(t, id, item("AMOUNT", `5`), byPerson)
	if n := pgtest.Value[int](t, l.Server, `SELECT count(*) FROM interventions WHERE lead_id = $1 AND kind = 'manualUpdates' AND actor = 'ann@lender.example'`, id); n != 1 {
		t.Errorf("%d manual updates, want 1", n)
	}
	if entry := ptr(l.view(t, id).Checklist).Entry("AMOUNT"); entry.Source != dossier.SourceManual {
		t.Errorf("source %s, want manual", entry.Source)
	}
}

// A social security number stands nowhere in the open: not in any table, event or log. Only revealing shows it.
func TestUpdateLead_ssn_is_encrypted(t *testing.T) {
	t.Parallel()
	l := newLeads(t)
	id := l.create(t, dossier.LeadUpdate{})
	l.update(t, id, item("OWNER_SSN", `"123-45-6789"`), byAPI)
	l.update(t, id, item("OWNER_SSN", `"987-65-4321x"`), byAPI) // an invalid one is as secret; it displaces the first
	l.update(t, id, item("OWNER_SNN", `"123-45-6789"`), byAPI)  // a typo in the code
	l.update(t, id, dossier.LeadUpdate{FirstName: dossier.Set("Ann")}, byAPI)
	for _, table := range []string{"leads", "checklist_entries", "action_logs", "events", "audit_entries", "jobs", "outbox"} {
		rows := pgtest.Value[string](t, l.Server, `SELECT coalesce(string_agg(t::text, ' '), '') FROM `+table+` t`)
		for _, secret := range []string{"123-45-6789", "123456789", "987-65-4321"} {
			if strings.Contains(rows, secret) {
				t.Errorf("%s holds %s in the open", table, secret)
			}
		}
	}
	sealed := pgtest.Value[[]byte](t, l.Server, `SELECT secret_value FROM checklist_entries WHERE lead_id = $1 AND code = 'OWNER_SSN'`, id)
	if len(sealed) == 0 || bytes.Contains(sealed, []byte("987")) {
		t.Errorf("the number is not sealed: %x", sealed)
	}
	entry := ptr(l.view(t, id).Checklist).Entry("OWNER_SSN")
	if string(entry.Value) != `"***-**-4321"` || entry.Secret != "" || entry.Status != dossier.ItemInvalid || string(entry.Alternates[0].Value) != `"***-**-6789"` {
		t.Errorf("read as %s, secret %q, %s, alternates %v", entry.Value, entry.Secret, entry.Status, entry.Alternates)
	}
	revealed, err := l.DB.RevealChecklist(postgres.WithActor(t.Context(), postgres.Actor{Type: dossier.ActorKey, ID: postgres.NewID(), OnBehalfOf: "ann@lender.example"}), l.ws, id)
	if err != nil {
		t.Fatal(err)
	}
	if got := revealed.Entry("OWNER_SSN").Secret; got != "987-65-4321x" {
		t.Errorf("revealed %q", got)
	}
	if n := pgtest.Value[int](t, l.Server, `SELECT count(*) FROM audit_entries WHERE action = 'checklist.reveal' AND on_behalf_of = 'ann@lender.example' AND detail = '{"codes": ["OWNER_SSN"]}' AND subject = 'lead:' || $1::text`, string(id)); n != 1 {
		t.Errorf("%d audit entries, want 1", n)
	}
	l.update(t, id, item("OWNER_SSN", `null`), byAPI)
	if pgtest.Value[bool](t, l.Server, `SELECT secret_value IS NOT NULL FROM checklist_entries WHERE lead_id = $1 AND code = 'OWNER_SSN'`, id) {
		t.Error("clearing left the number behind")
	}
}

// Many updates of one lead at once: every field and every item of every call is there afterwards, in one version each.
func TestUpdateLead_at_once_loses_nothing(t *testing.T) {
	t.Parallel()
	l := newLeads(t)
	id := l.create(t, dossier.LeadUpdate{})
	updates := []dossier.LeadUpdate{
		{FirstName: dossier.Set("Ann")}, {LastName: dossier.Set("Lee")}, {BusinessName: dossier.Set("Lee Foods")}, {Website: dossier.Set("https://lee.example")},
		{Tags: &[]string{"a"}}, item("AMOUNT", `5`), item("LEGAL_NAME", `"Lee"`), item("OWNER_SSN", `"123-45-6789"`),
	}
	var wait sync.WaitGroup
	for _, upd := range updates {
		wait.Go(func() {
			if err := l.DB.UpdateLead(t.Context(), l.ws, id, upd, 0, byAPI); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	view := l.view(t, id)
	if view.Lead.Name() != "Ann Lee" || *view.Lead.BusinessName != "Lee Foods" || view.Lead.Website == nil || len(view.Lead.Tags) != 1 {
		t.Errorf("a field was lost: %+v", view.Lead)
	}
	for _, code := range []string{"AMOUNT", "LEGAL_NAME", "OWNER_SSN"} {
		if e := view.Checklist.Entry(code); e.Status != dossier.ItemCompleted {
			t.Errorf("%s was lost: %s", code, e.Status)
		}
	}
	if view.Lead.Version != int64(len(updates))+1 {
		t.Errorf("version %d after %d updates", view.Lead.Version, len(updates))
	}
}

// With If-Match exactly one of several callers that read the same version wins.
func TestUpdateLead_version(t *testing.T) {
	t.Parallel()
	l := newLeads(t)
	id := l.create(t, dossier.LeadUpdate{})
	var mu sync.Mutex
	won := 0
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Go(func() {
			err := l.DB.UpdateLead(t.Context(), l.ws, id, dossier.LeadUpdate{FirstName: dossier.Set(fmt.Sprint(i))}, 1, byAPI)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				won++
			} else if dossier.KindOf(err) != dossier.Precondition {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if won != 1 {
		t.Errorf("%d callers won, want 1", won)
	}
}

// The portal's and an agent's answers go the same way with their own source, and are told apart on the timeline.
func TestUpdateLead_by_portal_and_agent(t *testing.T) {
	t.Parallel()
	l := newLeads(t)
	id := l.create(t, dossier.LeadUpdate{})
	l.update(t, id, item("LEGAL_NAME", `"By portal"`), postgres.Caller{Source: dossier.SourcePortal})
	l.update(t, id, item("LEGAL_NAME", `"By agent"`), postgres.Caller{Source: dossier.SourceAgent})
	view := l.view(t, id)
	entry := view.Checklist.Entry("LEGAL_NAME")
	if string(entry.Value) != `"By portal"` || entry.Source != dossier.SourcePortal || len(entry.Alternates) != 1 || string(entry.Alternates[0].Value) != `"By agent"` {
		t.Errorf("value %s from %s, alternates %v", entry.Value, entry.Source, entry.Alternates)
	}
	if view.Actions[0].Type != dossier.ActionAgentActivity || view.Actions[1].Type != dossier.ActionPortalActivity {
		t.Errorf("types %s, %s", view.Actions[0].Type, view.Actions[1].Type)
	}
}

// Deleting hides the lead and stops everything in flight.
func TestDeleteLead(t *testing.T) {
	t.Parallel()
	l := newLeads(t)
	id := l.create(t, dossier.LeadUpdate{ExternalLeadID: dossier.Set("crm-1")})
	l.outreach(t, id)
	run := l.run(t, id)
	_, _, err := l.DB.CreateDocuments(t.Context(), l.ws, postgres.Upload{LeadID: id, Source: dossier.SourceImported, Files: []postgres.NewFile{file("a.pdf", "a")}})
	if err != nil {
		t.Fatal(err)
	}
	link, err := l.DB.RenewPortalLink(t.Context(), l.ws, postgres.PortalOwner{Lead: id}, false)
	if err != nil || link.Token == "" {
		t.Fatal(err)
	}
	if err := l.DB.DeleteLead(t.Context(), l.ws, id, false, byAPI); err != nil {
		t.Fatal(err)
	}
	if got := pgtest.Value[string](t, l.Server, `SELECT concat_ws(' ',
		(SELECT status FROM workflow_runs WHERE id = $2), (SELECT count(*) FROM messages WHERE status IN ('DRAFT', 'QUEUED')),
		(SELECT count(*) FROM action_logs WHERE status = 'PENDING'), (SELECT count(*) FROM jobs WHERE status IN ('QUEUED', 'RUNNING', 'RETRY') AND kind <> 'system.erase'),
		(SELECT count(*) FROM portal_links WHERE revoked_at IS NULL), (SELECT count(*) FROM leads WHERE id = $1 AND deleted_at IS NOT NULL))`, id, run); got != "CANCELLED 0 0 0 0 1" {
		t.Errorf("run, messages, follow-ups, jobs, links, lead: %s", got)
	}
	if types, _ := l.events(t, id, 0); types[len(types)-1] != "workflow_run.cancelled" {
		t.Errorf("events %v, want workflow_run.cancelled last", types)
	}
	if err := l.DB.DeleteLead(t.Context(), l.ws, id, false, byAPI); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("deleting again: %v, want NotFound", err)
	}
	l.create(t, dossier.LeadUpdate{ExternalLeadID: dossier.Set("crm-1")}) // the id is free again
}

// run puts an ACTIVE run on a lead.
func (l *leads) run(t *testing.T, lead dossier.LeadID) string {
	t.Helper()
	agent, workflow, run := postgres.NewID(), postgres.NewID(), postgres.NewID()
	l.Exec(t, `INSERT INTO agents (workspace_id, id, key, name, mode, channels, created_at, updated_at) VALUES ($1, $2, $3, 'Ava', 'LISTEN', '{email}', $4, $4)`, l.ws, agent, agent, l.Clock.Now())
	l.Exec(t, `INSERT INTO workflows (workspace_id, id, key, name, type, created_at, updated_at) VALUES ($1, $2, $3, 'Collect', 'CHECKLIST', $4, $4)`, l.ws, workflow, workflow, l.Clock.Now())
	l.Exec(t, `INSERT INTO workflow_runs (workspace_id, id, lead_id, agent_id, workflow_id, workflow_type, status, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, 'CHECKLIST', 'ACTIVE', $6, $6)`,
		l.ws, run, lead, agent, workflow, l.Clock.Now())
	return run
}

// What update's answer shows of messages: the last that went out, the next follow-up, the next draft, each with its message.
func TestLeadView_actions(t *testing.T) {
	t.Parallel()
	l := newLeads(t)
	id := l.create(t, dossier.LeadUpdate{})
	log := func(logType, status string, message any, minutes int) string {
		log, at := postgres.NewID(), l.Clock.Now().Add(time.Duration(minutes)*time.Minute)
		l.Exec(t, `INSERT INTO action_logs (workspace_id, id, lead_id, type, status, summary, message_id, tool_calls, scheduled_at, created_at)
			VALUES ($1, $2, $3, $4, $5, 's', $6, '[{"name":"send","input":{},"output":null}]', $7, $7)`, l.ws, log, id, logType, status, message, at)
		return log
	}
	message := func(status string) string {
		message := postgres.NewID()
		l.Exec(t, `INSERT INTO messages (workspace_id, id, lead_id, direction, channel, status, body, created_at, updated_at) VALUES ($1, $2, $3, 'OUTBOUND', 'sms', $4, 'Hello', $5, $5)`,
			l.ws, message, id, status, l.Clock.Now())
		return message
	}
	sent, draft := message("SENT"), message("DRAFT")
	log("OUTBOUND_MESSAGE", "COMPLETED", nil, 1)
	last := log("FOLLOW_UP_MESSAGE", "COMPLETED", sent, 2)
	log("FOLLOW_UP_MESSAGE", "PENDING", nil, 20)
	next := log("FOLLOW_UP_MESSAGE", "PENDING", nil, 10)
	waiting := log("OUTBOUND_MESSAGE", "PENDING", draft, 3)
	later := message("DRAFT")
	l.Exec(t, `UPDATE messages SET created_at = created_at + interval '1 hour' WHERE id = $1`, later)
	log("OUTBOUND_MESSAGE", "PENDING", later, 2)
	check := func(timeline string, logs int) {
		t.Helper()
		view := l.view(t, id)
		if len(view.Actions) != logs {
			t.Errorf("%s: %d action logs, want %d", timeline, len(view.Actions), logs)
		}
		if a := view.LastAction; a == nil || string(a.ID) != last || a.Message == nil || string(a.Message.ID) != sent || !strings.Contains(string(a.ToolCalls), "send") {
			t.Errorf("%s: last action %+v", timeline, a)
		}
		if a := view.NextFollowUp; a == nil || string(a.ID) != next {
			t.Errorf("%s: next follow-up %+v", timeline, a)
		}
		if a := view.NextDraft; a == nil || string(a.ID) != waiting || a.Message == nil || string(a.Message.ID) != draft || a.Message.Body != "Hello" {
			t.Errorf("%s: next draft %+v", timeline, a)
		}
	}
	check("a short timeline", 7)
	for range 150 { // newer entries do not push them out
		log("SYSTEM", "COMPLETED", nil, 30)
	}
	check("a long one", 100)
}

// No store method reads or changes a lead of another workspace: its id is as good as unknown.
func TestLeads_of_another_workspace_are_absent(t *testing.T) {
	t.Parallel()
	l := newLeads(t)
	id := l.create(t, dossier.LeadUpdate{})
	entry, err := l.DB.CreateLeadItem(t.Context(), l.ws, id, dossier.NewItem{Label: "Bill", FieldType: dossier.FieldFile}, byAPI)
	if err != nil {
		t.Fatal(err)
	}
	escalation, err := l.DB.CreateEscalation(t.Context(), l.ws, id, "help", nil, byAPI)
	if err != nil {
		t.Fatal(err)
	}
	log, err := l.DB.CreateActivity(t.Context(), l.ws, dossier.Activity{LeadID: id, EventType: "note", Title: "x"}, byAPI)
	if err != nil {
		t.Fatal(err)
	}
	other, ctx, page := l.Workspace(t), t.Context(), dossier.Page{Limit: 10}
	before := pgtest.Value[string](t, l.Server, `SELECT string_agg(t::text, '|') FROM leads t`)
	calls := map[string]func() error{
		"update": func() error {
			return l.DB.UpdateLead(ctx, other, id, dossier.LeadUpdate{FirstName: dossier.Set("X")}, 0, byAPI)
		},
		"view":      func() error { _, err := l.DB.LeadView(ctx, other, id); return err },
		"delete":    func() error { return l.DB.DeleteLead(ctx, other, id, false, byAPI) },
		"checklist": func() error { _, err := l.DB.ReadChecklist(ctx, other, id); return err },
		"reveal":    func() error { _, err := l.DB.RevealChecklist(ctx, other, id); return err },
		"create item": func() error {
			_, err := l.DB.CreateLeadItem(ctx, other, id, dossier.NewItem{Label: "X", FieldType: dossier.FieldText}, byAPI)
			return err
		},
		"change item": func() error {
			_, err := l.DB.ChangeLeadItem(ctx, other, id, entry.ID, dossier.ItemChange{Label: ptr("X")}, byAPI)
			return err
		},
		"delete item": func() error { return l.DB.DeleteLeadItem(ctx, other, id, entry.ID, byAPI) },
		"activity": func() error {
			_, err := l.DB.CreateActivity(ctx, other, dossier.Activity{LeadID: id, EventType: "x", Title: "x"}, byAPI)
			return err
		},
		"timeline":    func() error { _, err := l.DB.Timeline(ctx, other, id, page); return err },
		"action log":  func() error { _, err := l.DB.ReadActionLog(ctx, other, log); return err },
		"escalate":    func() error { _, err := l.DB.CreateEscalation(ctx, other, id, "x", nil, byAPI); return err },
		"resolve":     func() error { _, err := l.DB.ResolveEscalation(ctx, other, escalation.ID, nil, byAPI); return err },
		"escalations": func() error { _, err := l.DB.Escalations(ctx, other, id, "", page); return err },
		"portal link": func() error {
			_, err := l.DB.RenewPortalLink(ctx, other, postgres.PortalOwner{Lead: id}, true)
			return err
		},
	}
	for name, call := range calls {
		if err := call(); dossier.KindOf(err) != dossier.NotFound {
			t.Errorf("%s with another workspace's id = %v, want NotFound", name, err)
		}
	}
	if list, err := l.DB.ListLeads(ctx, other, postgres.LeadFilter{}, page); err != nil || len(list) != 0 {
		t.Errorf("another workspace lists %d leads (%v)", len(list), err)
	}
	if list, err := l.DB.Escalations(ctx, other, "", "", page); err != nil || len(list) != 0 {
		t.Errorf("another workspace lists %d escalations (%v)", len(list), err)
	}
	if after := pgtest.Value[string](t, l.Server, `SELECT string_agg(t::text, '|') FROM leads t`); after != before {
		t.Errorf("another workspace changed the lead:\n%s", cmp.Diff(before, after))
	}
}

// A run that completes its lead skips what is open, stops outreach, and tells lead.completed once.
func TestCompleteLead(t *testing.T) {
	t.Parallel()
	l := newLeads(t)
	id := l.create(t, dossier.LeadUpdate{})
	l.outreach(t, id)
	for range 2 { // completing a completed lead changes nothing
		if err := l.DB.CompleteLead(t.Context(), l.ws, id); err != nil {
			t.Fatal(err)
		}
	}
	view := l.view(t, id)
	if view.Lead.Status() != dossier.LeadCompleted || view.Lead.CompletedAt == nil || view.NextFollowUp != nil {
		t.Errorf("status %s at %v, next follow-up %v", view.Lead.Status(), view.Lead.CompletedAt, view.NextFollowUp)
	}
	for e := range view.Checklist.All() {
		if e.Status != dossier.ItemSkipped || !e.AutoSkipped {
			t.Errorf("%s is %s", e.Item.Code, e.Status)
		}
	}
	if types, _ := l.events(t, id, 1); !cmp.Equal(types, []string{"lead.completed"}) {
		t.Errorf("events %v, want lead.completed once and no lead.updated", types)
	}
}

// Searching asks an index that begins with the workspace, finds what is in this workspace only, and goes on finding
// when more leads have the text than are listed by id.
func TestListLeads_search(t *testing.T) {
	t.Parallel()
	l := newLeads(t)
	seedTenants(t, l.Server, 40) // 2,000 leads called Ann Lee
	mine := l.create(t, dossier.LeadUpdate{LastName: dossier.Set("Leeward")})
	search := func(q string) (found []dossier.LeadID) {
		list, err := l.DB.ListLeads(t.Context(), l.ws, postgres.LeadFilter{Q: q}, dossier.Page{Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		for _, lead := range list {
			found = append(found, lead.ID)
		}
		return found
	}
	if diff := cmp.Diff([]dossier.LeadID{mine}, search("LEEW")); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	if got := search("lee1"); got != nil {
		t.Errorf("found %d leads of other workspaces", len(got))
	}
	narrow := pgtest.Value[string](t, l.Server, `SELECT 1::text WHERE NOT has_table_privilege('dossier_search', 'leads', 'SELECT') AND NOT has_table_privilege('dossier_search', 'checklist_entries', 'SELECT')
		AND NOT has_function_privilege('public', 'search_leads(text, int)', 'EXECUTE')`)
	if narrow != "1" {
		t.Error("the searching role may see more than it needs")
	}
	l.Exec(t, `INSERT INTO leads (workspace_id, id, last_name, created_at, updated_at) SELECT $1, gen_random_uuid(), 'Common', now() - i * interval '1 second', now() FROM generate_series(1, 2100) i`, l.ws)
	if got := search("common"); len(got) != 11 {
		t.Errorf("%d of many found, want a full page and one", len(got))
	}
}

// An item that comes after the documents is matched with those that were read; one that takes a value is not.
func TestCreateLeadItem_looks_among_the_documents(t *testing.T) {
	t.Parallel()
	l := newLeads(t)
	id := l.create(t, dossier.LeadUpdate{})
	docs, _, err := l.DB.CreateDocuments(t.Context(), l.ws, postgres.Upload{LeadID: id, Source: dossier.SourceImported, Files: []postgres.NewFile{file("a.pdf", "a"), file("b.pdf", "b")}})
	if err != nil {
		t.Fatal(err)
	}
	l.Exec(t, `UPDATE documents SET extraction_status = 'completed' WHERE id = $1`, docs[0].ID)
	staged := func() string {
		return pgtest.Value[string](t, l.Server, `SELECT coalesce(string_agg(payload->>'document', ' '), '') FROM jobs WHERE kind = 'document.match'`)
	}
	if _, err := l.DB.CreateLeadItem(t.Context(), l.ws, id, dossier.NewItem{Label: "Age", FieldType: dossier.FieldNumber}, byAPI); err != nil || staged() != "" {
		t.Fatalf("an item with a value: %v, staged %q", err, staged())
	}
	lease, err := l.DB.CreateLeadItem(t.Context(), l.ws, id, dossier.NewItem{Label: "Lease", FieldType: dossier.FieldFile}, byAPI)
	if err != nil || staged() != string(docs[0].ID) {
		t.Fatalf("a file item: %v, staged %q, want the document that was read, %s", err, staged(), docs[0].ID)
	}
	if _, err := l.DB.ChangeLeadItem(t.Context(), l.ws, id, lease.ID, dossier.ItemChange{ValidationRules: &[]string{"The lease is signed"}}, byAPI); err != nil {
		t.Fatal(err)
	}
	if want := string(docs[0].ID) + " " + string(docs[0].ID); staged() != want {
		t.Errorf("new rules: staged %q, want %q", staged(), want)
	}
}
