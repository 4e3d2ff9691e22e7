package worker

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

func TestPlay_follow_ups_end_at_their_cap(t *testing.T) {
	p := newPlay(t)
	p.start(t, "ava", "collect")
	p.pass(t, 60*24*time.Hour)
	sent := p.sent(t)
	if len(sent) != 3 || !strings.Contains(sent[2], "this is my last reminder") {
		t.Errorf("sent = %q; want the first and two follow-ups, the second being the last", sent)
	}
}

func TestPlay_quiet_hours_hold_the_first_message(t *testing.T) {
	p := newPlay(t)
	zone := "Pacific/Honolulu"
	if err := p.pg.DB.UpdateLead(t.Context(), p.ws, p.lead, dossier.LeadUpdate{Timezone: dossier.Set(zone)}, 0, postgres.Caller{}); err != nil {
		t.Fatal(err)
	}
	p.pg.Clock.Set(time.Date(2021, 3, 9, 9, 0, 0, 0, time.UTC)) // 23:00 the day before in Honolulu
	p.start(t, "ava", "collect")
	view, err := p.pg.DB.LeadView(t.Context(), p.ws, p.lead)
	if err != nil {
		t.Fatal(err)
	}
	m := view.Actions[0].Message
	for _, entry := range view.Actions {
		if entry.Message != nil {
			m = entry.Message
		}
	}
	morning := time.Date(2021, 3, 9, 18, 0, 0, 0, time.UTC) // 08:00 in Honolulu
	if m == nil || m.Status != dossier.MessageQueued || !m.ScheduledAt.Equal(morning) {
		t.Fatalf("message = %+v, want it QUEUED for %v", m, morning)
	}
	p.pass(t, 8*time.Hour)
	p.expect(t)
	p.pass(t, 2*time.Hour)
	p.expect(t, "03-09 13:00 "+firstWords)
}

// What was to leave by day and comes to it by night waits for the morning.
func TestPlay_quiet_hours_hold_at_the_moment_of_sending(t *testing.T) {
	p := newPlay(t)
	p.start(t, "max", "collect")
	p.pg.Clock.Set(time.Date(2021, 3, 9, 1, 59, 0, 0, time.UTC)) // 20:59 in New York
	draft := dossier.MessageID(pgtest.Value[string](t, p.pg, `SELECT id::text FROM messages`))
	if _, err := p.pg.DB.ApproveMessage(t.Context(), p.ws, draft, p.by); err != nil {
		t.Fatal(err)
	}
	p.pg.Clock.Advance(2 * time.Minute)
	p.due(t)
	p.expect(t)
	p.pass(t, 12*time.Hour)
	if got := pgtest.Value[string](t, p.pg, `SELECT to_char(sent_at AT TIME ZONE 'America/New_York', 'MM-DD HH24:MI') FROM messages WHERE id = $1`, draft); got != "03-09 08:00" {
		t.Errorf("sent at %s, want at the end of the quiet hours", got)
	}
}

func TestPlay_weekly_reminder_keeps_its_hour_over_the_change_of_clocks(t *testing.T) {
	p := newPlay(t)
	p.pg.Clock.Set(time.Date(2021, 3, 8, 14, 0, 0, 0, time.UTC)) // Monday 09:00; clocks change on the 14th
	p.start(t, "ava", "monthly")
	p.pass(t, 60*24*time.Hour)
	text := "Hi Ann, this month's statement please."
	p.expect(t, "03-08 10:00 "+text+" Reply STOP to opt out.", "03-15 10:00 "+text, "03-22 10:00 "+text)
	if status := pgtest.Value[string](t, p.pg, `SELECT status || ' ' || completed_reason FROM workflow_runs`); status != "COMPLETED AUTOMATIC" {
		t.Errorf("run = %s, want it to end with the last reminder", status)
	}
}

// Reminders that came due while nobody worked, or while the run was paused, are not made up for in a burst.
func TestPlay_missed_reminders_are_not_made_up_for(t *testing.T) {
	const text, first = "Hi Ann, this month's statement please.", "Hi Ann, this month's statement please. Reply STOP to opt out."
	for name, test := range map[string]struct {
		paused bool
		want   []string
	}{
		"while nobody worked": {false, []string{"03-08 10:00 " + first, "04-07 12:00 " + text, "04-12 10:00 " + text}}, // one late, the next in its time
		"while paused":        {true, []string{"03-08 10:00 " + first, "04-12 10:00 " + text, "04-19 10:00 " + text}},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlay(t)
			p.pg.Clock.Set(time.Date(2021, 3, 8, 14, 0, 0, 0, time.UTC)) // Monday 09:00
			run := p.start(t, "ava", "monthly")
			p.pass(t, 2*time.Hour)
			if test.paused {
				if _, err := p.pg.DB.PauseRun(t.Context(), p.ws, run, p.by); err != nil {
					t.Fatal(err)
				}
			}
			p.pg.Clock.Set(time.Date(2021, 4, 7, 16, 0, 0, 0, time.UTC)) // Wednesday 12:00, four weeks missed
			if test.paused {
				if _, err := p.pg.DB.ResumeRun(t.Context(), p.ws, run, p.by); err != nil {
					t.Fatal(err)
				}
			}
			p.due(t)
			p.pass(t, 60*24*time.Hour)
			p.expect(t, test.want...)
		})
	}
}

// A lead gets no more than four messages on one of its days, whoever writes; the next waits for the morning. Its own
// questions are answered all the same.
func TestPlay_a_day_has_a_cap(t *testing.T) {
	p := newPlay(t)
	p.pg.Exec(t, `INSERT INTO messages (workspace_id, id, lead_id, direction, channel, status, purpose, body, sent_at, created_at, updated_at)
		SELECT $1, gen_random_uuid(), $2, 'OUTBOUND', 'sms', 'SENT', 'outreach', 'before', $3, $3, $3 FROM generate_series(1, $4::int)`,
		p.ws, p.lead, mondayMorning.Add(-time.Hour), dossier.MaxDailyOutreach)
	p.start(t, "ava", "collect")
	p.writes(t, "What is missing?")
	p.pass(t, 24*time.Hour)
	const missing = "Hi Ann, this is what we still need: Legal business name; Employer identification number. You can send everything here: LINK"
	before := "03-08 09:00 before"
	p.expect(t, before, before, before, before, "03-08 10:00 "+missing, "03-09 09:00 "+firstWords)
}

// While nothing is left of the rate that all workers share, a due turn is not taken; then it is.
func TestPaceTurn(t *testing.T) {
	p := newPlay(t)
	p.w.AgentRate = 1
	run, err := p.create(t, "ava", "collect")
	if err != nil {
		t.Fatal(err)
	}
	job := dossier.JobID(pgtest.Value[string](t, p.pg, `SELECT id::text FROM jobs WHERE kind = 'run.turn'`))
	claim, ok, err := p.pg.DB.ClaimJob(t.Context(), job, 1, "play")
	if err != nil || !ok {
		t.Fatalf("claimed %v, %v", ok, err)
	}
	plan := dossier.ActionLogID(pgtest.Value[string](t, p.pg, `SELECT id::text FROM action_logs WHERE workflow_run_id = $1 AND status = 'PENDING'`, run.ID))
	turn := jobs.TakeTurn{Workspace: p.ws, Run: run.ID, Plan: plan}
	bucket := "limit:agent-turns"
	later := time.Now().Add(time.Hour).UnixMilli() // nothing flows in before the first look
	if err := p.redis.Client().HSet(t.Context(), bucket, "tokens", "0", "at", later).Err(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := p.w.takeTurn(ctx, claim, turn); err == nil {
		t.Error("a turn was taken beyond the rate")
	}
	if sent := p.sent(t); len(sent) != 0 {
		t.Errorf("sent %q beyond the rate", sent)
	}
	if err := p.redis.Client().Del(t.Context(), bucket).Err(); err != nil {
		t.Fatal(err)
	}
	if err := p.w.takeTurn(t.Context(), claim, turn); err != nil {
		t.Error(err)
	}
	if sent := p.sent(t); len(sent) != 1 {
		t.Errorf("sent %q within the rate", sent)
	}
}
