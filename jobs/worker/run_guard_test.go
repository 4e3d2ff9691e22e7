package worker

import (
	"context"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs/channel/channeltest"
	"github.com/dossierhq/dossier/pipelines/outreach"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// What stops a message also takes its job out of the queue. Here the state changes behind the job's back, as when the job
// was claimed before: it is judged again when it is done, by each condition alone.
func TestPlay_messages_are_judged_when_they_leave(t *testing.T) {
	p := newPlay(t)
	for name, test := range map[string]struct{ change, want string }{
		"nothing happened":  {`SELECT $1::uuid`, "SENT 1"},
		"run paused":        {`UPDATE workflow_runs SET status = 'PAUSED' WHERE lead_id = $1`, "CANCELLED 0"},
		"run cancelled":     {`UPDATE workflow_runs SET status = 'CANCELLED' WHERE lead_id = $1`, "CANCELLED 0"},
		"run completed":     {`UPDATE workflow_runs SET status = 'COMPLETED' WHERE lead_id = $1`, "CANCELLED 0"},
		"opted out":         {`UPDATE leads SET did_opt_out = true WHERE id = $1`, "CANCELLED 0"},
		"not interested":    {`UPDATE leads SET closing_status = 'NOT_INTERESTED' WHERE id = $1`, "CANCELLED 0"},
		"completed":         {`UPDATE leads SET closing_status = 'COMPLETED' WHERE id = $1`, "CANCELLED 0"},
		"made a test lead":  {`UPDATE leads SET is_test = true WHERE id = $1`, "SENT 1"},
		"sent by another":   {`UPDATE messages SET status = 'SENT' WHERE lead_id = $1`, "SENT 0"},
		"cancelled":         {`UPDATE messages SET status = 'CANCELLED' WHERE lead_id = $1`, "CANCELLED 0"},
		"made a draft":      {`UPDATE messages SET status = 'DRAFT' WHERE lead_id = $1`, "DRAFT 0"},
		"put off two weeks": {`UPDATE messages SET scheduled_at = scheduled_at + interval '14 days' WHERE lead_id = $1`, "QUEUED 0"},
	} {
		t.Run(name, func(t *testing.T) {
			p.pg.Clock.Set(mondayMorning)
			p.lead = p.newLead(t, dossier.LeadUpdate{FirstName: dossier.Set("Ann"), PhoneNumber: dossier.Set("2125550123")}, false)
			p.pg.Exec(t, `UPDATE workspaces SET quiet_from = '00:00', quiet_to = '23:59'`)
			p.start(t, "ava", "collect")
			p.pg.Exec(t, `UPDATE workspaces SET quiet_from = '00:00', quiet_to = '00:00'`)
			p.pg.Exec(t, test.change, p.lead)
			p.pass(t, 24*time.Hour)
			got := pgtest.Value[string](t, p.pg, `SELECT (SELECT string_agg(status, ',') FROM messages WHERE lead_id = $1) || ' ' || (SELECT count(*) FROM events WHERE lead_id = $1 AND type = 'message.sent')`, p.lead)
			if got != test.want {
				t.Errorf("the message and how often it was told to be sent: %s, want %s", got, test.want)
			}
			p.pg.Exec(t, `UPDATE jobs SET status = 'CANCELLED' WHERE status IN ('QUEUED', 'RETRY')`)
		})
	}
}

// The same of turns: each condition alone keeps the agent from writing a follow-up.
func TestPlay_turns_are_judged_when_they_are_taken(t *testing.T) {
	p := newPlay(t)
	for name, test := range map[string]struct {
		change string
		want   int
	}{
		"nothing happened":   {`SELECT $1::uuid`, 2},
		"run paused":         {`UPDATE workflow_runs SET status = 'PAUSED' WHERE lead_id = $1`, 1},
		"run cancelled":      {`UPDATE workflow_runs SET status = 'CANCELLED' WHERE lead_id = $1`, 1},
		"plan cancelled":     {`UPDATE action_logs SET status = 'CANCELLED' WHERE lead_id = $1 AND status = 'PENDING'`, 1},
		"plan has a message": {`UPDATE action_logs SET message_id = (SELECT id FROM messages WHERE lead_id = $1) WHERE lead_id = $1 AND status = 'PENDING'`, 1},
		"plan put off":       {`UPDATE action_logs SET scheduled_at = scheduled_at + interval '14 days' WHERE lead_id = $1 AND status = 'PENDING'`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			p.pg.Clock.Set(mondayMorning)
			p.lead = p.newLead(t, dossier.LeadUpdate{FirstName: dossier.Set("Ann"), PhoneNumber: dossier.Set("2125550123")}, false)
			p.start(t, "ava", "collect")
			p.pg.Exec(t, test.change, p.lead)
			p.pass(t, 72*time.Hour)
			if sent := p.sent(t); len(sent) != test.want {
				t.Errorf("sent %q, want %d messages", sent, test.want)
			}
			p.pg.Exec(t, `UPDATE jobs SET status = 'CANCELLED' WHERE status IN ('QUEUED', 'RETRY')`)
		})
	}
}

// A run has one next turn: an answer puts the planned one off, a pause cancels it and an answer during the pause plans
// none, a new address of the lead adds none, and a pause gives no follow-ups beyond the cap.
func TestPlay_one_turn_is_planned(t *testing.T) {
	p := newPlay(t)
	run := p.start(t, "ava", "collect")
	plans := func(after string, want int) {
		t.Helper()
		if n := pgtest.Value[int](t, p.pg, `SELECT count(*) FROM action_logs WHERE status = 'PENDING'`); n != want {
			t.Errorf("%d turns are planned after %s, want %d", n, after, want)
		}
	}
	plans("the first message", 1)
	p.writes(t, "What is still missing?")
	plans("an answer", 1)
	if err := p.pg.DB.UpdateLead(t.Context(), p.ws, p.lead, dossier.LeadUpdate{Email: dossier.Set("ann@new.example")}, 0, p.by); err != nil {
		t.Fatal(err)
	}
	plans("a new address", 1)
	if err := stops["pause"](p, run); err != nil {
		t.Fatal(err)
	}
	plans("the pause", 0)
	p.writes(t, "What is still missing?")
	plans("an answer during the pause", 0)
	resume := func() {
		t.Helper()
		if _, err := p.pg.DB.ResumeRun(t.Context(), p.ws, run, p.by); err != nil {
			t.Fatal(err)
		}
	}
	resume()
	p.pass(t, 30*24*time.Hour)
	before := len(p.sent(t)) // two follow-ups among them: the cap
	if err := stops["pause"](p, run); err != nil {
		t.Fatal(err)
	}
	resume()
	p.pass(t, 30*24*time.Hour)
	if sent := p.sent(t); len(sent) != before {
		t.Errorf("sent after the cap: %q", sent[before:])
	}
}

// A question that was asked before a pause is answered during it.
func TestPlay_a_pause_does_not_end_an_answer(t *testing.T) {
	p := newPlay(t)
	run := p.start(t, "ava", "collect")
	if _, err := p.pg.DB.ReceiveMessage(t.Context(), p.ws, postgres.Inbound{Channel: dossier.ChannelSMS, From: "+12125550123", Text: "What is missing?", ProviderID: "SM1"}, outreach.Inbound); err != nil {
		t.Fatal(err)
	}
	if err := stops["pause"](p, run); err != nil {
		t.Fatal(err)
	}
	p.due(t)
	if sent := p.sent(t); len(sent) != 2 {
		t.Errorf("sent = %q; want the answer too", sent)
	}
}

// Follow-ups and reminders that a provider carries count, and lead to the next, as those that the log takes.
func TestPlay_carried_follow_ups_end_at_their_cap(t *testing.T) {
	for workflow, want := range map[string]int{"collect": 3, "monthly": 3} { // the first and two follow-ups; three reminders
		t.Run(workflow, func(t *testing.T) {
			p := newPlay(t)
			twilio := channeltest.NewTwilio(t)
			p.carried(t, twilio, nil)
			p.start(t, "ava", workflow)
			p.pass(t, 60*24*time.Hour)
			if got := twilio.Messages(); len(got) != want {
				t.Errorf("the provider carried %d messages, want %d", len(got), want)
			}
		})
	}
}

// A try that finds its provider away does not forget that the one before it had called.
func TestPlay_a_call_is_remembered_while_its_provider_is_away(t *testing.T) {
	p := newPlay(t)
	twilio := channeltest.NewTwilio(t)
	p.carried(t, twilio, nil)
	if _, err := p.create(t, "ava", "collect"); err != nil {
		t.Fatal(err)
	}
	p.dies = func(ctx context.Context, m dossier.Outgoing) {
		if _, err := p.w.Channels.Send(ctx, m); err != nil {
			t.Error(err)
		}
	}
	p.due(t)
	p.dies = nil
	p.lost(t)
	id := pgtest.Value[string](t, p.pg, `SELECT id::text FROM jobs WHERE kind = 'message.send'`)
	p.pg.Exec(t, `UPDATE jobs SET run_at = now() WHERE id = $1`, id)
	claim, ok, err := p.pg.DB.ClaimJob(t.Context(), dossier.JobID(id), pgtest.Value[int](t, p.pg, `SELECT epoch FROM jobs WHERE id = $1`, id), "second")
	if err != nil || !ok {
		t.Fatalf("claimed %v, %v", ok, err)
	}
	message := pgtest.Value[string](t, p.pg, `SELECT id::text FROM messages`)
	away := dossier.Errorf(dossier.Unavailable, "away")
	err = p.pg.DB.SendMessage(t.Context(), claim, dossier.MessageID(message), "", func(context.Context, dossier.Outgoing) (dossier.SendResult, error) { return dossier.SendResult{}, away })
	if err == nil {
		t.Fatal("the provider was away")
	}
	p.lost(t)
	p.due(t)
	p.expectStates(t, "sms SENT")
	if n := len(twilio.Messages()); n != 1 {
		t.Errorf("the provider carried it %d times", n)
	}
}

// A commit that Postgres undoes after the provider took the message is made again without calling it again.
func TestPlay_a_commit_made_again_does_not_call_again(t *testing.T) {
	p := newPlay(t)
	twilio := channeltest.NewTwilio(t)
	p.carried(t, twilio, nil)
	p.pg.Exec(t, `CREATE SEQUENCE tries`) // counts undone tries too
	p.pg.Exec(t, `GRANT USAGE ON tries TO dossier_app`)
	p.pg.Exec(t, `CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN IF NEW.status = 'SENT' AND nextval('tries') < 3 THEN RAISE EXCEPTION USING ERRCODE = '40001'; END IF; RETURN NEW; END $$`)
	p.pg.Exec(t, `CREATE TRIGGER conflict AFTER UPDATE OF status ON messages FOR EACH ROW EXECUTE FUNCTION conflict()`)
	p.start(t, "ava", "collect")
	p.expectStates(t, "sms SENT")
	if n := pgtest.Value[int](t, p.pg, `SELECT last_value FROM tries`); n != 3 {
		t.Errorf("%d tries of the commit, want 3", n)
	}
	if n := len(twilio.Messages()); n != 1 {
		t.Errorf("the provider carried it %d times", n)
	}
}

// Refusals call for a person once: one who has resolved that is not called at the next refusal. A paused run plans nothing
// for them.
func TestPlay_refusals_call_once(t *testing.T) {
	p := newPlay(t)
	item, err := p.pg.DB.CreateLeadItem(t.Context(), p.ws, p.lead, dossier.NewItem{Label: "Bank statement", FieldType: dossier.FieldFile}, postgres.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	run := p.start(t, "ava", "collect")
	for n := 1; n <= 3; n++ {
		p.refuse(t, item.ID, n)
	}
	id := pgtest.Value[string](t, p.pg, `SELECT id::text FROM escalations`)
	if _, err := p.pg.DB.ResolveEscalation(t.Context(), p.ws, dossier.EscalationID(id), nil, p.by); err != nil {
		t.Fatal(err)
	}
	p.refuse(t, item.ID, 4)
	if n := pgtest.Value[int](t, p.pg, `SELECT count(*) FROM escalations`); n != 1 {
		t.Errorf("%d escalations after the fourth refusal, want 1", n)
	}
	if err := stops["pause"](p, run); err != nil {
		t.Fatal(err)
	}
	p.refuse(t, item.ID, 5)
	if n := pgtest.Value[int](t, p.pg, `SELECT count(*) FROM action_logs WHERE status = 'PENDING'`); n != 0 {
		t.Errorf("%d turns are planned for the paused run", n)
	}
}

// While a person handles the lead, an agent that writes by itself elsewhere drafts.
func TestPlay_a_person_handles_the_lead(t *testing.T) {
	p := newPlay(t)
	person := dossier.AssigneeHuman
	if err := p.pg.DB.UpdateLead(t.Context(), p.ws, p.lead, dossier.LeadUpdate{AssigneeType: &person}, 0, p.by); err != nil {
		t.Fatal(err)
	}
	p.start(t, "ava", "collect")
	p.expectStates(t, "sms DRAFT")
}

// The cap counts what was sent and what is queued, on the day as the lead's clock has it.
func TestPlay_a_day_is_the_leads(t *testing.T) {
	for name, test := range map[string]struct {
		status string
		ago    time.Duration
		want   string
	}{
		"late the evening before": {"SENT", 10*time.Hour + 30*time.Minute, "03-08 10:00 " + firstWords}, // 23:30 in New York, past midnight in UTC
		"queued for later":        {"QUEUED", -time.Hour, "03-09 09:00 " + firstWords},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlay(t)
			p.pg.Exec(t, `INSERT INTO messages (workspace_id, id, lead_id, direction, channel, status, purpose, body, scheduled_at, created_at, updated_at)
				SELECT $1, gen_random_uuid(), $2, 'OUTBOUND', 'sms', $3, 'outreach', 'before', $4, $4, $4 FROM generate_series(1, $5::int)`,
				p.ws, p.lead, test.status, mondayMorning.Add(-test.ago), dossier.MaxDailyOutreach)
			p.start(t, "ava", "collect")
			p.pg.Exec(t, `DELETE FROM messages WHERE body = 'before'`)
			p.pass(t, 24*time.Hour)
			p.expect(t, test.want)
		})
	}
}

// A next follow-up that would fall into quiet hours is announced for their end.
func TestPlay_plans_avoid_quiet_hours(t *testing.T) {
	p := newPlay(t)
	p.pg.Exec(t, `UPDATE workflows SET follow_ups = '{"every": "12h", "max": 2}' WHERE key = 'collect'`)
	p.start(t, "ava", "collect")
	if at := pgtest.Value[string](t, p.pg, `SELECT to_char(scheduled_at AT TIME ZONE 'America/New_York', 'MM-DD HH24:MI') FROM action_logs WHERE status = 'PENDING'`); at != "03-09 08:00" {
		t.Errorf("the next follow-up is announced for %s, not for the end of the quiet hours", at)
	}
}
