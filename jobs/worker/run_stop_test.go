package worker

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

func TestPlay_opt_out_is_confirmed_once_and_final(t *testing.T) {
	p := newPlay(t)
	p.start(t, "ava", "collect")
	p.writes(t, " stop. ")
	p.writes(t, "STOP")
	p.pass(t, 30*24*time.Hour)
	bye := "Acme Lending: you will receive no more messages from us. Reply START if you change your mind."
	p.expect(t, "03-08 10:00 "+firstWords, "03-08 10:00 "+bye)
	p.writes(t, "Start")
	p.pass(t, 47*time.Hour)
	if sent := p.sent(t); len(sent) != 3 || !strings.Contains(sent[2], "welcome back") {
		t.Errorf("sent = %q; want the opt-in confirmed", sent)
	}
	p.pass(t, 2*time.Hour)
	if sent := p.sent(t); len(sent) != 4 {
		t.Errorf("sent = %q; want the agent to go on after the opt-in", sent)
	}
}

func TestPlay_pause_silences_outreach_and_still_answers(t *testing.T) {
	p := newPlay(t)
	run := p.start(t, "ava", "collect")
	if _, err := p.pg.DB.PauseRun(t.Context(), p.ws, run, postgres.Caller{}); err != nil {
		t.Fatal(err)
	}
	p.pass(t, 10*24*time.Hour)
	if n := len(p.sent(t)); n != 1 {
		t.Fatalf("%d messages left while paused, want the first only", n)
	}
	p.writes(t, "What is still missing?")
	if sent := p.sent(t); len(sent) != 2 || !strings.Contains(sent[1], "this is what we still need: Legal business name") {
		t.Fatalf("sent = %q; want the question answered while paused", sent)
	}
	if _, err := p.pg.DB.ResumeRun(t.Context(), p.ws, run, postgres.Caller{}); err != nil {
		t.Fatal(err)
	}
	p.due(t)
	if n := len(p.sent(t)); n != 2 {
		t.Fatalf("%d messages after the resume, want no burst", n)
	}
	p.pass(t, 49*time.Hour)
	if n := len(p.sent(t)); n != 3 {
		t.Fatalf("%d messages two days after the resume, want one follow-up", n)
	}
}

// Messages to test leads are made and count as sent, whatever the workspace's providers are: none of them is called.
func TestPlay_test_leads_reach_nobody(t *testing.T) {
	p := newPlay(t)
	p.pg.Exec(t, `UPDATE workspaces SET channels = '{"sms": {"provider": "twilio"}, "email": {"provider": "smtp"}}'`)
	p.lead = p.newLead(t, dossier.LeadUpdate{FirstName: dossier.Set("Tess"), PhoneNumber: dossier.Set("2125550124")}, true)
	p.start(t, "ava", "collect")
	p.pass(t, 30*24*time.Hour)
	p.expect(t,
		"03-08 10:00 Hi Tess, this is Ava from Acme Lending. To complete your file we need: Legal business name; Employer identification number. You can send everything here: LINK Reply STOP to opt out.",
		"03-10 10:00 Hi Tess, Ava from Acme Lending again. A few things are still missing: Legal business name; Employer identification number. You can send everything here: LINK",
		"03-12 10:00 Hi Tess, this is my last reminder. We can go on with your file as soon as we have: Legal business name; Employer identification number. You can send everything here: LINK")
	if n := pgtest.Value[int](t, p.pg, `SELECT count(*) FROM messages WHERE sending_at IS NOT NULL OR provider_message_id NOT LIKE 'log:%'`); n != 0 {
		t.Errorf("%d messages went to a provider", n)
	}
}

// stops are what stops a run's messages.
var stops = map[string]func(p *play, run dossier.RunID) error{
	"pause": func(p *play, run dossier.RunID) error {
		_, err := p.pg.DB.PauseRun(p.t.Context(), p.ws, run, p.by)
		return err
	},
	"cancel": func(p *play, run dossier.RunID) error {
		_, err := p.pg.DB.CancelRun(p.t.Context(), p.ws, run, p.by)
		return err
	},
	"completion": func(p *play, run dossier.RunID) error {
		_, err := p.pg.DB.CompleteRun(p.t.Context(), p.ws, run, p.by)
		return err
	},
	"opt-out": func(p *play, _ dossier.RunID) error {
		return p.pg.DB.UpdateLead(p.t.Context(), p.ws, p.lead, dossier.LeadUpdate{DidOptOut: new(true)}, 0, p.by)
	},
	"deletion": func(p *play, _ dossier.RunID) error {
		return p.pg.DB.DeleteLead(p.t.Context(), p.ws, p.lead, false, p.by)
	},
}

// A queued message races a pause, a cancel and an opt-out: whichever commits first, nothing leaves after it.
func TestPlay_nothing_leaves_after_a_stop_commits(t *testing.T) {
	for name, stop := range stops {
		t.Run(name, func(t *testing.T) {
			p := newPlay(t)
			run, err := p.create(t, "ava", "collect")
			if err != nil {
				t.Fatal(err)
			}
			p.pg.Exec(t, `UPDATE workspaces SET quiet_from = '00:00', quiet_to = '23:59'`) // the message waits, queued
			p.due(t)
			p.pg.Exec(t, `UPDATE workspaces SET quiet_from = '00:00', quiet_to = '00:00'`)
			message := pgtest.Value[string](t, p.pg, `SELECT id::text FROM messages`)
			if err := stop(p, run.ID); err != nil {
				t.Fatal(err)
			}
			// The job may have been taken before the stop: what it does now must change nothing.
			err = p.pg.DB.SendMessage(t.Context(), postgres.Claim{Workspace: p.ws, Job: dossier.JobID(postgres.NewID())}, dossier.MessageID(message), "", p.w.Channels.Send)
			if err != nil && err != postgres.ErrFenced && !strings.Contains(err.Error(), postgres.ErrFenced.Error()) {
				t.Fatal(err)
			}
			p.due(t)
			if status := pgtest.Value[string](t, p.pg, `SELECT status FROM messages WHERE id = $1`, message); status != "CANCELLED" {
				t.Errorf("the message is %s after the %s", status, name)
			}
		})
	}
}

// Many callers at once: one run begins, the others hear why not.
func TestPlay_two_callers_open_one_run(t *testing.T) {
	p := newPlay(t)
	var all sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		agent := []string{"ava", "max"}[i%2]
		all.Go(func() { _, errs[i] = p.create(t, agent, "collect") })
	}
	all.Wait()
	begun := 0
	for _, err := range errs {
		switch {
		case err == nil:
			begun++
		case dossier.KindOf(err) != dossier.Conflict:
			t.Errorf("refused with %v, want a conflict", err)
		}
	}
	if open := pgtest.Value[int](t, p.pg, `SELECT count(*) FROM workflow_runs WHERE status IN ('ACTIVE', 'PAUSED')`); begun != 1 || open != 1 {
		t.Errorf("%d runs begun, %d open; want 1", begun, open)
	}
}

// A run started with a test key writes to nobody, whoever the lead is (decisions.md section 4).
func TestPlay_test_keys_write_to_nobody(t *testing.T) {
	p := newPlay(t)
	p.by = postgres.Caller{Source: dossier.SourceImported, Test: true}
	p.start(t, "ava", "collect")
	p.pass(t, 10*24*time.Hour)
	if n := pgtest.Value[int](t, p.pg, `SELECT count(*) FROM messages`); n != 0 {
		t.Errorf("%d messages, want none", n)
	}
}

// Whatever stops a run takes its tasks out of the queue: nothing of it waits there until it would be due.
func TestPlay_stopping_empties_the_queue(t *testing.T) {
	for name, stop := range stops {
		t.Run(name, func(t *testing.T) {
			p := newPlay(t)
			tasks := func() int {
				p.relay(p.w)
				info, err := p.w.inspector.GetQueueInfo(string(jobs.LaneAgent))
				if err != nil {
					t.Fatal(err)
				}
				return info.Size
			}
			run, err := p.create(t, "ava", "collect")
			if err != nil {
				t.Fatal(err)
			}
			if n := tasks(); n != 1 {
				t.Fatalf("%d tasks wait in the queue, want that of the first message", n)
			}
			if err := stop(p, run.ID); err != nil {
				t.Fatal(err)
			}
			if n := tasks(); n != 0 {
				t.Errorf("%d tasks wait in the queue", n)
			}
		})
	}
}

// lead.completed follows workflow_run.completed at once, also where a message is stopped while its provider is called.
func TestPlay_completion_is_told_in_order(t *testing.T) {
	p := newPlay(t)
	p.start(t, "ava", "collect")
	p.pg.Exec(t, `INSERT INTO messages (workspace_id, id, lead_id, direction, channel, status, to_address, body, purpose, sending_at, created_at, updated_at)
		SELECT workspace_id, gen_random_uuid(), lead_id, direction, channel, 'QUEUED', to_address, 'You are opted out', 'confirmation', now(), now(), now() FROM messages LIMIT 1`)
	p.put(t, "EIN", `"12-3456789"`)
	p.put(t, "LEGAL_NAME", `"Ann's Bakery LLC"`)
	told := pgtest.Value[[]string](t, p.pg, `SELECT array_agg(type ORDER BY id) FROM events`)
	if want := []string{"workflow_run.completed", "lead.completed", "message.failed"}; !slices.Equal(told[len(told)-3:], want) {
		t.Errorf("told %v, want %v at the end", told, want)
	}
}
