package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/pipelines/outreach"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// play is a bench whose runs and messages are played on the test's clock. The clock stands in 2021, so that a due time
// after 2024 is the database's "at once".
type play struct {
	*bench
	w    *Worker
	lead dossier.LeadID
	by   postgres.Caller // who starts runs

	dies   func(context.Context, dossier.Outgoing) // the worker dies after this call of a provider
	gaveUp bool                                    // a provider stays away until the job is given up
}

var mondayMorning = time.Date(2021, 3, 8, 15, 0, 0, 0, time.UTC) // 10:00 in New York

func newPlay(t *testing.T) *play {
	t.Helper()
	return playOn(t, setup(t))
}

func playOn(t *testing.T, b *bench) *play {
	t.Helper()
	b.pg.Clock.Set(mondayMorning)
	w, err := New(Config{DB: b.pg.DB, Redis: b.redis, Now: b.pg.Clock.Now, Log: testLog(t), PublicURL: "https://dossier.example"})
	if err != nil {
		t.Fatal(err)
	}
	key := pgtest.Value[string](t, b.pg, `SELECT key FROM workspaces WHERE id = $1`, b.ws)
	_, _, err = b.pg.DB.ApplyWorkspace(t.Context(), dossier.WorkspaceConfig{
		WorkspaceSettings: dossier.WorkspaceSettings{Key: key, Name: "Acme Lending", DefaultRegion: "US", Timezone: "America/New_York",
			QuietHours: dossier.QuietHours{From: "21:00", To: "08:00"}, Portal: dossier.PortalSettings{LinkDays: 90, Name: "Acme Lending", Color: "#0b5fff"},
			Channels: map[dossier.Channel]dossier.ChannelConfig{"email": {Provider: "log"}, "sms": {Provider: "log"}}},
		Items: []dossier.TemplateItem{{Code: "LEGAL_NAME", Label: "Legal business name", FieldType: dossier.FieldText, IsRequired: true},
			{Code: "EIN", Label: "Employer identification number", FieldType: dossier.FieldEIN, IsRequired: true}},
		Agents: []dossier.AgentConfig{{Key: "ava", Name: "Ava", Mode: dossier.AgentAutopilot, Channels: []dossier.Channel{"sms", "email"}},
			{Key: "max", Name: "Max", Mode: dossier.AgentListen, Channels: []dossier.Channel{"email"}}},
		Workflows: []dossier.WorkflowConfig{
			{Key: "collect", Name: "Collect", Type: dossier.WorkflowChecklist, ManualCompletion: true, CompletesLead: true, FollowUps: &dossier.FollowUps{Every: 48 * time.Hour, Max: 2}},
			{Key: "monthly", Name: "Monthly", Type: dossier.WorkflowReminder, ManualCompletion: true, Message: "Hi {{firstName}}, this month's statement please.",
				Schedule: &dossier.ReminderSchedule{Every: 168 * time.Hour, At: []string{"10:00"}, Max: 3}},
			{Key: "help", Name: "Help", Type: dossier.WorkflowSupport, ManualCompletion: true}},
	}, false, false)
	if err != nil {
		t.Fatal(err)
	}
	p := &play{bench: b, w: w}
	p.lead = p.newLead(t, dossier.LeadUpdate{FirstName: dossier.Set("Ann"), PhoneNumber: dossier.Set("2125550123"), Email: dossier.Set("ann@example.com")}, false)
	return p
}

func (p *play) newLead(t *testing.T, upd dossier.LeadUpdate, test bool) dossier.LeadID {
	t.Helper()
	lead, err := p.pg.DB.CreateLead(t.Context(), p.ws, postgres.NewLead{LeadUpdate: upd, IsTest: test}, postgres.Caller{Source: dossier.SourceImported})
	if err != nil {
		t.Fatal(err)
	}
	return lead
}

func (p *play) start(t *testing.T, agent, workflow string) dossier.RunID {
	t.Helper()
	run, err := p.create(t, agent, workflow)
	if err != nil {
		t.Fatal(err)
	}
	p.due(t)
	return run.ID
}

func (p *play) create(t *testing.T, agent, workflow string) (dossier.Run, error) {
	a := pgtest.Value[string](t, p.pg, `SELECT id::text FROM agents WHERE key = $1`, agent)
	w := pgtest.Value[string](t, p.pg, `SELECT id::text FROM workflows WHERE key = $1`, workflow)
	return p.pg.DB.CreateRun(t.Context(), p.ws, p.lead, dossier.AgentID(a), dossier.WorkflowID(w), p.by)
}

// due does everything that is due at the clock's time, by the handlers of the worker.
func (p *play) due(t *testing.T) {
	t.Helper()
	for {
		job := pgtest.Value[string](t, p.pg, `SELECT coalesce((SELECT id || ' ' || kind || ' ' || epoch FROM jobs WHERE lane IN ('agent', 'message') AND status IN ('QUEUED', 'RETRY')
			AND (run_at <= $1 OR run_at > '2024-01-01') ORDER BY id LIMIT 1), '')`, p.pg.Clock.Now())
		if job == "" {
			return
		}
		var id, kind string
		var epoch int
		if _, err := fmt.Sscan(job, &id, &kind, &epoch); err != nil {
			t.Fatal(err)
		}
		p.pg.Exec(t, `UPDATE jobs SET run_at = now() WHERE id = $1`, id)
		claim, ok, err := p.pg.DB.ClaimJob(t.Context(), dossier.JobID(id), epoch, "play")
		if err != nil || !ok {
			t.Fatalf("claim %s: %v, %v", kind, ok, err)
		}
		if err := p.do(t, kind, claim); err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		if outcome := claim.Ended(); outcome.Status == dossier.JobRetry {
			p.pg.Exec(t, `UPDATE jobs SET run_at = $2 WHERE id = $1`, id, p.pg.Clock.Now().Add(outcome.Delay))
		}
	}
}

// do does one job as the worker would.
func (p *play) do(t *testing.T, kind string, claim postgres.Claim) error {
	t.Helper()
	if p.dies != nil && kind == "message.send" {
		return p.die(t, claim)
	}
	err := p.w.handlers[kind].do(t.Context(), claim)
	if err != nil && p.gaveUp {
		known := &dossier.Error{}
		if !errors.As(err, &known) || known.Kind != dossier.Unavailable {
			return err
		}
		return p.pg.DB.FailJob(t.Context(), claim, known.Code, known.Message)
	}
	return err
}

// die calls the provider and never comes to the commit.
func (p *play) die(t *testing.T, claim postgres.Claim) error {
	var job jobs.SendMessage
	if err := json.Unmarshal(claim.Payload, &job); err != nil {
		t.Fatal(err)
	}
	ctx, kill := context.WithCancel(t.Context())
	defer kill()
	err := p.pg.DB.SendMessage(ctx, claim, job.Message, p.w.PublicURL, func(_ context.Context, m dossier.Outgoing) (dossier.SendResult, error) {
		p.dies(t.Context(), m)
		kill()
		return dossier.SendResult{ProviderID: "never stored"}, nil
	})
	if err == nil {
		t.Fatal("the worker survived")
	}
	return nil
}

// lost gives jobs whose worker died to another, as the reaper does when their lease has lapsed.
func (p *play) lost(t *testing.T) {
	p.pg.Exec(t, `UPDATE jobs SET status = 'QUEUED', epoch = epoch + 1, lease_until = NULL WHERE status = 'RUNNING'`)
}

// pass lets time go by, stopping at each due time on the way.
func (p *play) pass(t *testing.T, d time.Duration) {
	t.Helper()
	end := p.pg.Clock.Now().Add(d)
	p.due(t)
	for {
		next := pgtest.Value[*time.Time](t, p.pg, `SELECT min(run_at) FROM jobs WHERE lane IN ('agent', 'message') AND status IN ('QUEUED', 'RETRY') AND run_at < '2024-01-01'`)
		if next == nil || next.After(end) {
			break
		}
		p.pg.Clock.Set(*next)
		p.due(t)
	}
	p.pg.Clock.Set(end)
	p.due(t)
}

func (p *play) writes(t *testing.T, text string) postgres.Received {
	t.Helper()
	got, err := p.pg.DB.ReceiveMessage(t.Context(), p.ws, postgres.Inbound{Channel: dossier.ChannelSMS, From: "+12125550123", Text: text, ProviderID: postgres.NewID()}, outreach.Inbound)
	if err != nil {
		t.Fatal(err)
	}
	p.due(t)
	return got
}

// sent lists what left for the lead: when, by the clock of New York, and the words.
func (p *play) sent(t *testing.T) []string {
	return pgtest.Value[[]string](t, p.pg, `SELECT coalesce(array_agg(to_char(sent_at AT TIME ZONE 'America/New_York', 'MM-DD HH24:MI ') || body ORDER BY sent_at, id), '{}')
		FROM messages WHERE lead_id = $1 AND status = 'SENT'`, p.lead)
}

func (p *play) eventTypes(t *testing.T) string {
	return strings.Join(pgtest.Value[[]string](t, p.pg, `SELECT coalesce(array_agg(type ORDER BY id), '{}') FROM events WHERE lead_id = $1`, p.lead), " ")
}

func (p *play) expect(t *testing.T, want ...string) {
	t.Helper()
	got := p.sent(t)
	link := pgtest.Value[string](t, p.pg, `SELECT count(*)::text FROM portal_links WHERE lead_id = $1`, p.lead)
	for i, line := range got {
		if strings.Contains(line, "https://dossier.example/portal/") {
			t.Errorf("a stored message holds the key of the lead's page: %s", line)
		}
		got[i] = strings.ReplaceAll(line, dossier.PortalLinkMark, "LINK")
	}
	if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
		t.Errorf("sent (-want +got), %s links:\n%s", link, diff)
	}
}

const firstWords = "Hi Ann, this is Ava from Acme Lending. To complete your file we need: Legal business name; Employer identification number. You can send everything here: LINK Reply STOP to opt out."

func (p *play) put(t *testing.T, code, value string) {
	t.Helper()
	err := p.pg.DB.UpdateLead(t.Context(), p.ws, p.lead, dossier.LeadUpdate{Items: []dossier.ItemUpdate{{Code: code, Value: []byte(value)}}}, 0, postgres.Caller{Source: dossier.SourcePortal})
	if err != nil {
		t.Fatal(err)
	}
}

func TestPlay_lead_completes_by_text_and_portal(t *testing.T) {
	p := newPlay(t)
	run := p.start(t, "ava", "collect")
	p.pass(t, 47*time.Hour)
	p.expect(t, "03-08 10:00 "+firstWords)
	p.pass(t, 2*time.Hour)
	p.writes(t, "Our EIN is 12-3456789")
	p.expect(t, "03-08 10:00 "+firstWords,
		"03-10 10:00 Hi Ann, Ava from Acme Lending again. A few things are still missing: Legal business name; Employer identification number. You can send everything here: LINK",
		"03-10 11:00 Hi Ann, thank you, noted: Employer identification number. Still open: Legal business name. You can send it here: LINK")
	p.pass(t, time.Hour)
	p.put(t, "LEGAL_NAME", `"Ann's Bakery LLC"`)
	p.pass(t, 30*24*time.Hour)
	got, err := p.pg.DB.ReadRun(t.Context(), p.ws, run)
	if err != nil || got.Status != dossier.RunCompleted || *got.CompletedReason != dossier.CompletedAutomatically {
		t.Errorf("run = %+v, %v; want it COMPLETED by itself", got, err)
	}
	want := "lead.created workflow_run.created message.sent message.sent message.received lead.updated checklist_item.completed message.sent " +
		"lead.updated checklist_item.completed workflow_run.completed lead.completed"
	if diff := cmp.Diff(want, p.eventTypes(t)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if n := len(p.sent(t)); n != 3 {
		t.Errorf("%d messages left, want 3: none after the end", n)
	}
}

func TestPlay_listen_agent_drafts_and_a_person_decides(t *testing.T) {
	p := newPlay(t)
	p.start(t, "max", "collect")
	view, err := p.pg.DB.LeadView(t.Context(), p.ws, p.lead)
	if err != nil || view.NextDraft == nil {
		t.Fatalf("next draft = %v, %v", view.NextDraft, err)
	}
	draft, by := view.NextDraft.Message, postgres.Caller{Source: dossier.SourceManual, Actor: "bo@lender.example"}
	if _, err := p.pg.DB.EditMessage(t.Context(), p.ws, draft.ID, "Dear Ann, two answers please.", nil, by); err != nil {
		t.Fatal(err)
	}
	p.expect(t)
	if _, err := p.pg.DB.ApproveMessage(t.Context(), p.ws, draft.ID, by); err != nil {
		t.Fatal(err)
	}
	p.due(t)
	p.expect(t, "03-08 10:00 Dear Ann, two answers please.")
	if n := pgtest.Value[int](t, p.pg, `SELECT count(*) FROM interventions WHERE kind = 'messageEdits' AND actor = 'bo@lender.example'`); n != 1 {
		t.Errorf("%d edits counted, want 1", n)
	}
	if kept := pgtest.Value[string](t, p.pg, `SELECT original_body FROM messages WHERE id = $1`, draft.ID); kept != draft.Body {
		t.Errorf("the agent's words were not kept: %q", kept)
	}
	p.pass(t, 49*time.Hour)
	second := pgtest.Value[string](t, p.pg, `SELECT id::text FROM messages WHERE status = 'DRAFT'`)
	if _, err := p.pg.DB.RejectMessage(t.Context(), p.ws, dossier.MessageID(second), nil, by); err != nil {
		t.Fatal(err)
	}
	_, err = p.pg.DB.ApproveMessage(t.Context(), p.ws, dossier.MessageID(second), by)
	if dossier.KindOf(err) != dossier.Conflict || err.Error() != "Only a DRAFT can be approved; this message is REJECTED" {
		t.Errorf("approving a rejected draft: %v", err)
	}
}

func TestPlay_nothing_open_completes_by_itself(t *testing.T) {
	p := newPlay(t)
	p.put(t, "LEGAL_NAME", `"Ann's Bakery LLC"`)
	p.put(t, "EIN", `"12-3456789"`)
	run, err := p.create(t, "ava", "collect")
	if err != nil || run.Status != dossier.RunActive {
		t.Fatalf("created %s, %v; want ACTIVE", run.Status, err)
	}
	p.due(t)
	if run, err = p.pg.DB.ReadRun(t.Context(), p.ws, run.ID); err != nil || run.Status != dossier.RunCompleted {
		t.Errorf("run = %s, %v; want COMPLETED", run.Status, err)
	}
	p.expect(t)
}

func TestPlay_support_answers_and_escalates(t *testing.T) {
	p := newPlay(t)
	p.start(t, "ava", "help")
	p.expect(t)
	p.writes(t, "Where do I upload the papers?")
	p.writes(t, "Can I get a lower interest rate?")
	p.expect(t, "03-08 10:00 Hi Ann, here you go. You can send everything here: LINK Reply STOP to opt out.",
		"03-08 10:00 Hi Ann, thank you for your question. I have passed it on to a colleague, who will get back to you.")
	view, err := p.pg.DB.LeadView(t.Context(), p.ws, p.lead)
	if err != nil || view.Lead.Status() != dossier.LeadReview {
		t.Errorf("lead = %s, %v; want REVIEW", view.Lead.Status(), err)
	}
}

func TestPlay_a_repeated_delivery_is_processed_once(t *testing.T) {
	p := newPlay(t)
	p.start(t, "ava", "collect")
	in := postgres.Inbound{Channel: dossier.ChannelSMS, From: "+12125550123", Text: "What is missing?", ProviderID: "SM1"}
	first, err := p.pg.DB.ReceiveMessage(t.Context(), p.ws, in, outreach.Inbound)
	if err != nil {
		t.Fatal(err)
	}
	again, err := p.pg.DB.ReceiveMessage(t.Context(), p.ws, in, outreach.Inbound)
	if err != nil || again.MessageID != first.MessageID || !again.Repeated {
		t.Errorf("repeated = %+v, %v; want %s again", again, err, first.MessageID)
	}
	p.due(t)
	if n := len(p.sent(t)); n != 2 {
		t.Errorf("%d messages left, want one answer", n)
	}
}

// What was refused is explained soon, and the third refusal of an item calls for a person.
func TestPlay_refused_documents_are_explained(t *testing.T) {
	p := newPlay(t)
	item, err := p.pg.DB.CreateLeadItem(t.Context(), p.ws, p.lead, dossier.NewItem{Label: "Bank statement", FieldType: dossier.FieldFile}, postgres.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	p.start(t, "ava", "collect")
	for n := 1; n <= 3; n++ {
		p.refuse(t, item.ID, n)
		p.pass(t, 3*time.Minute)
	}
	sent := p.sent(t)
	want := "Hi Ann, thank you for what you sent. One thing is not right yet: Bank statement (The page is blank). You can send it here: "
	if len(sent) != 4 || !strings.Contains(sent[1], want) {
		t.Errorf("sent = %q; want each refusal explained", sent)
	}
	if n := pgtest.Value[int](t, p.pg, `SELECT count(*) FROM escalations WHERE reason = 'Several documents of one item were refused'`); n != 1 {
		t.Errorf("%d escalations, want 1, at the third", n)
	}
	if by := pgtest.Value[string](t, p.pg, `SELECT concat_ws(' ', source, (SELECT string_agg(DISTINCT body::jsonb #>> '{data,checklistItem,source}', ' ') FROM events WHERE type = 'checklist_item.invalid'))
		FROM checklist_entries WHERE id = $1`, item.ID); by != "portal portal" {
		t.Errorf("the item and its events are from %s, the files from the portal", by)
	}
}

// refuse brings a document of an item and a verdict against it.
func (p *play) refuse(t *testing.T, item dossier.EntryID, n int) {
	t.Helper()
	docs, _, err := p.pg.DB.CreateDocuments(t.Context(), p.ws, postgres.Upload{LeadID: p.lead, EntryID: item, Source: dossier.SourcePortal,
		Files: []postgres.NewFile{{ID: dossier.DocumentID(postgres.NewID()), Filename: "a.pdf", MimeType: "application/pdf", Size: 1, SHA256: []byte{byte(n)}, ObjectKey: "k"}}})
	if err != nil {
		t.Fatal(err)
	}
	ids, err := p.pg.DB.StageJobs(t.Context(), p.ws, jobs.ValidateDocument{Workspace: p.ws, Document: docs[0].ID})
	if err != nil {
		t.Fatal(err)
	}
	p.pg.Exec(t, `UPDATE jobs SET admitted = epoch WHERE id = $1`, ids[0]) // without a queue nobody takes turns
	claim, ok, err := p.pg.DB.ClaimJob(t.Context(), ids[0], 1, "play")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	blank := dossier.NewReason("earlier", "text", "The page is blank")
	no := dossier.ValidationResult{OverallValid: false, Results: []dossier.RuleResult{dossier.NewRuleResult("r", false, blank)}}
	judge := dossier.Judge{AsksTogether: func(dossier.FileItem) bool { return false },
		Item: func(dossier.FileItem, []dossier.JudgedFile) (dossier.ItemStatus, []dossier.Reason) {
			return dossier.ItemInvalid, []dossier.Reason{blank}
		}}
	if err := p.pg.DB.SaveValidation(t.Context(), claim, p.lead, postgres.Validated{Document: docs[0].ID,
		Results: map[dossier.EntryID]dossier.ValidationResult{item: no}, Judge: judge}); err != nil {
		t.Fatal(err)
	}
}
