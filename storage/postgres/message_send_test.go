package postgres_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// outbound is a lead with an open run, in a workspace whose email and SMS leave by a provider at any hour.
type outbound struct {
	*leads
	lead dossier.LeadID
	run  dossier.RunID
}

func newOutbound(t *testing.T, s *pgtest.Server) *outbound {
	t.Helper()
	m := &outbound{leads: &leads{Server: s, ws: s.Workspace(t)}}
	s.Exec(t, `UPDATE workspaces SET quiet_from = '00:00', quiet_to = '00:00',
		channels = '{"email": {"provider": "smtp"}, "sms": {"provider": "twilio"}, "whatsapp": {"provider": "twilio"}}'
		WHERE id = $1`, m.ws)
	m.lead, _ = s.Lead(t, m.ws)
	m.run = dossier.RunID(m.leads.run(t, m.lead))
	return m
}

// message puts a queued message of the run on the lead, with its entry on the timeline; set changes it.
func (m *outbound) message(t *testing.T, set string) dossier.MessageID {
	t.Helper()
	id := postgres.NewID()
	m.Exec(t, `INSERT INTO messages (workspace_id, id, lead_id, workflow_run_id, direction, channel, status, to_address,
		body, created_at, updated_at)
		VALUES ($1, $2, $3, $4, 'OUTBOUND', 'email', 'QUEUED', 'ada@example.com', 'Hello', $5, $5)`,
		m.ws, id, m.lead, m.run, m.Clock.Now())
	m.Exec(t, `INSERT INTO action_logs (workspace_id, id, lead_id, type, status, summary, message_id, scheduled_at,
		created_at) VALUES ($1, $2, $3, 'OUTBOUND_MESSAGE', 'PENDING', 's', $4, $5, $5)`,
		m.ws, postgres.NewID(), m.lead, id, m.Clock.Now())
	if set != "" {
		m.Exec(t, `UPDATE messages SET `+set+` WHERE workspace_id = $1 AND id = $2`, m.ws, id)
	}
	return dossier.MessageID(id)
}

// became is a message's status with its error, and the status of its entry on the timeline.
func (m *outbound) became(t *testing.T, id dossier.MessageID) string {
	t.Helper()
	return pgtest.Value[string](t, m.Server, `SELECT concat_ws(' ', m.status, m.error_code, a.status)
		FROM messages m LEFT JOIN action_logs a ON a.message_id = m.id AND a.type = 'OUTBOUND_MESSAGE'
		WHERE m.id = $1`, id)
}

// told are the message events of the lead, in their order.
func (m *outbound) told(t *testing.T) string {
	t.Helper()
	types, _ := m.events(t, m.lead, 0)
	var told []string
	for _, name := range types {
		if strings.HasPrefix(name, "message.") {
			told = append(told, name)
		}
	}
	return strings.Join(told, " ")
}

// What must not go is settled without a call, what may go calls once, and whatever the provider answers is kept: a
// message that leaves although somebody said stop cannot be taken back.
func TestSendMessage(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	took := dossier.SendResult{ProviderID: "<1@provider>", From: "us@lender.example"}
	optedOut := dossier.SendResult{Refused: dossier.Coded(dossier.Conflict, "recipient_opted_out", "On a list")}
	tests := []struct {
		name   string
		set    string // of the message
		change string // of everything else, $1 is the workspace
		result dossier.SendResult
		called bool
		want   string
		job    dossier.JobStatus
		told   string
	}{
		{name: "taken", result: took, called: true, want: "SENT COMPLETED", job: "DONE", told: "message.sent"},
		{name: "refused", result: dossier.SendResult{Refused: dossier.Coded(dossier.Conflict, "bounced", "No mailbox")},
			called: true, want: "FAILED bounced FAILED", job: "DONE", told: "message.failed"},
		{name: "outcome unknown", result: dossier.SendResult{Unknown: true}, called: true,
			want: "FAILED outcome_unknown FAILED", job: "DONE", told: "message.failed"},
		{name: "opted out with the provider", result: optedOut, called: true, want: "FAILED recipient_opted_out FAILED",
			job: "DONE", told: "message.failed"},
		{name: "opted out", change: `UPDATE leads SET did_opt_out = true WHERE workspace_id = $1`,
			want: "CANCELLED CANCELLED", job: "DONE"},
		{name: "confirmed after the opt-out", set: `purpose = 'confirmation'`, result: took, called: true,
			change: `UPDATE leads SET did_opt_out = true WHERE workspace_id = $1`, want: "SENT COMPLETED", job: "DONE",
			told: "message.sent"},
		{name: "closed", change: `UPDATE leads SET closing_status = 'COMPLETED' WHERE workspace_id = $1`,
			want: "CANCELLED CANCELLED", job: "DONE"},
		{name: "its run is paused", change: `UPDATE workflow_runs SET status = 'PAUSED' WHERE workspace_id = $1`,
			want: "CANCELLED CANCELLED", job: "DONE"},
		{name: "a reply while paused", set: `purpose = 'reply'`, result: took, called: true, told: "message.sent",
			change: `UPDATE workflow_runs SET status = 'PAUSED' WHERE workspace_id = $1`, want: "SENT COMPLETED",
			job: "DONE"},
		{name: "its run is over", set: `purpose = 'reply'`, want: "CANCELLED CANCELLED", job: "DONE",
			change: `UPDATE workflow_runs SET status = 'CANCELLED' WHERE workspace_id = $1`},
		{name: "approved with a test key", set: `approved_test = true`, want: "CANCELLED CANCELLED", job: "DONE"},
		{name: "to a test lead nothing leaves", set: `approved_test = true`, told: "message.sent",
			change: `UPDATE leads SET is_test = true WHERE workspace_id = $1`, want: "SENT COMPLETED", job: "DONE"},
		{name: "in quiet hours", want: "QUEUED PENDING", job: "RETRY",
			change: `UPDATE workspaces SET quiet_from = '20:00', quiet_to = '09:00' WHERE id = $1`},
		{name: "a confirmation in quiet hours", set: `purpose = 'confirmation'`, result: took, called: true,
			change: `UPDATE workspaces SET quiet_from = '20:00', quiet_to = '09:00' WHERE id = $1`,
			want:   "SENT COMPLETED", job: "DONE", told: "message.sent"},
		{name: "before its time", set: `scheduled_at = created_at + interval '3 seconds'`, want: "QUEUED PENDING",
			job: "RETRY"},
		{name: "within the queue's whole seconds", set: `scheduled_at = created_at + interval '2 seconds'`, result: took,
			called: true, want: "SENT COMPLETED", job: "DONE", told: "message.sent"},
		{name: "no provider", change: `UPDATE workspaces SET channels = '{}' WHERE id = $1`,
			want: "FAILED channel_not_configured FAILED", job: "DONE", told: "message.failed"},
		{name: "the provider log", change: `UPDATE workspaces SET channels = '{"email": {"provider": "log"}}' WHERE id = $1`,
			want: "SENT COMPLETED", job: "DONE", told: "message.sent"},
		{name: "cancelled before", set: `status = 'CANCELLED'`, want: "CANCELLED PENDING", job: "DONE"},
		{name: "its lead is deleted", change: `UPDATE leads SET deleted_at = now() WHERE workspace_id = $1`,
			want: "QUEUED PENDING", job: "DONE"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m := newOutbound(t, s)
			id := m.message(t, test.set)
			if test.change != "" {
				m.Exec(t, test.change, m.ws)
			}
			claim := claimed(t, s, m.ws, jobs.SendMessage{Workspace: m.ws, Message: id})
			calls := 0
			err := s.DB.SendMessage(t.Context(), claim, id, "", func(_ context.Context, out dossier.Outgoing) (
				dossier.SendResult, error) {
				if calls++; out.ID != id || out.CalledAt != nil || out.Provider.Provider != "smtp" {
					t.Errorf("called with %+v", out)
				}
				return test.result, nil
			})
			if err != nil || calls > 1 || (calls == 1) != test.called {
				t.Errorf("%d calls, %v", calls, err)
			}
			if got := m.became(t, id); got != test.want {
				t.Errorf("the message is %s, want %s", got, test.want)
			}
			if got := claim.Ended().Status; got != test.job {
				t.Errorf("the job is %s, want %s", got, test.job)
			}
			if told := m.told(t); told != test.told {
				t.Errorf("told %q, want %q", told, test.told)
			}
			wantOut := strings.Contains(test.change, "opt_out = true") || strings.Contains(test.want, "opted_out")
			if out := pgtest.Value[bool](t, s, `SELECT did_opt_out FROM leads WHERE id = $1`, m.lead); out != wantOut {
				t.Errorf("the lead has opted out: %v, want %v", out, wantOut)
			}
		})
	}
}

// An error of the provider means that it did not take the message, so the next try calls anew; what a crash leaves in
// the middle is only asked about, since it may have arrived.
func TestSendMessage_again(t *testing.T) {
	t.Parallel()
	m := newOutbound(t, pgtest.New(t))
	id := m.message(t, "")
	job := jobs.SendMessage{Workspace: m.ws, Message: id}
	refused := errors.New("not now")
	var called []*time.Time
	send := func(answer error) error {
		claim := claimed(t, m.Server, m.ws, job)
		return m.DB.SendMessage(t.Context(), claim, id, "", func(_ context.Context, out dossier.Outgoing) (
			dossier.SendResult, error) {
			called = append(called, out.CalledAt)
			return dossier.SendResult{ProviderID: "p-1"}, answer
		})
	}
	marked := func() bool {
		return pgtest.Value[bool](t, m.Server, `SELECT sending_at IS NOT NULL FROM messages WHERE id = $1`, id)
	}
	if err := send(refused); !errors.Is(err, refused) || m.became(t, id) != "QUEUED PENDING" || marked() {
		t.Errorf("not taken: %v, %s, marked %v", err, m.became(t, id), marked())
	}
	before := m.Clock.Now()
	m.Exec(t, `UPDATE messages SET sending_at = $2 WHERE id = $1`, id, before) // a worker died in its call
	m.Clock.Advance(time.Minute)
	if err := send(refused); !errors.Is(err, refused) || !marked() {
		t.Errorf("not found out: %v, marked %v: it may have arrived and would be called anew", err, marked())
	}
	if err := send(nil); err != nil || m.became(t, id) != "SENT COMPLETED" {
		t.Errorf("found out: %v, %s", err, m.became(t, id))
	}
	if diff := cmp.Diff([]*time.Time{nil, &before, &before}, called); diff != "" {
		t.Errorf("what the carrier hears of the call before (-want +got):\n%s", diff)
	}
}

// A provider that gives one id to two messages stops neither: the second is sent once, and moves by our own id.
func TestSendMessage_with_the_id_of_another(t *testing.T) {
	t.Parallel()
	m := newOutbound(t, pgtest.New(t))
	first := m.message(t, `status = 'SENT', sent_at = created_at, provider_message_id = 'p-1'`)
	second := m.message(t, "")
	claim := claimed(t, m.Server, m.ws, jobs.SendMessage{Workspace: m.ws, Message: second})
	if err := m.DB.SendMessage(t.Context(), claim, second, "", func(context.Context, dossier.Outgoing) (
		dossier.SendResult, error) {
		return dossier.SendResult{ProviderID: "p-1"}, nil
	}); err != nil || m.became(t, second) != "SENT COMPLETED" {
		t.Fatalf("sent: %v, %s", err, m.became(t, second))
	}
	if _, err := m.DB.ReportMessage(t.Context(), m.ws, dossier.DeliveryReceipt{Channel: dossier.ChannelEmail,
		MessageID: second, ProviderID: "p-1", Status: dossier.MessageDelivered}); err != nil {
		t.Fatal(err)
	}
	if got := m.became(t, first) + ", " + m.became(t, second); got != "SENT PENDING, DELIVERED COMPLETED" {
		t.Error(got)
	}
}

// A stop during the call does not unsend the message: what the provider took is SENT, the rest stays as the stop left it.
func TestSendMessage_stopped_in_its_call(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	took := dossier.SendResult{ProviderID: "p-1", From: "us@lender.example"}
	for name, test := range map[string]struct {
		result dossier.SendResult
		want   string
	}{
		"taken":           {took, "SENT"},
		"refused":         {dossier.SendResult{Refused: dossier.Coded(dossier.Conflict, "bounced", "No")}, "FAILED outcome_unknown"},
		"outcome unknown": {dossier.SendResult{Unknown: true}, "FAILED outcome_unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newOutbound(t, s)
			id := m.message(t, "")
			claim := claimed(t, s, m.ws, jobs.SendMessage{Workspace: m.ws, Message: id})
			err := s.DB.SendMessage(t.Context(), claim, id, "", func(ctx context.Context, _ dossier.Outgoing) (
				dossier.SendResult, error) {
				return test.result, s.DB.UpdateLead(ctx, m.ws, m.lead, dossier.LeadUpdate{DidOptOut: ptr(true)}, 0, byAPI)
			})
			if got := m.became(t, id); err != nil || !strings.HasPrefix(got, test.want) {
				t.Errorf("%s, %v; want %s", got, err, test.want)
			}
			if from := pgtest.Value[string](t, s, `SELECT coalesce(from_address, '') FROM messages WHERE id = $1`,
				id); from != test.result.From {
				t.Errorf("sent from %q, want %q", from, test.result.From)
			}
		})
	}
	t.Run("deleted", func(t *testing.T) {
		t.Parallel()
		m := newOutbound(t, s)
		id := m.message(t, "")
		claim := claimed(t, s, m.ws, jobs.SendMessage{Workspace: m.ws, Message: id})
		err := s.DB.SendMessage(t.Context(), claim, id, "", func(context.Context, dossier.Outgoing) (dossier.SendResult,
			error) {
			m.Exec(t, `UPDATE leads SET deleted_at = now() WHERE id = $1`, m.lead)
			return took, nil
		})
		if err != nil || claim.Ended().Status != dossier.JobDone || m.told(t) != "" {
			t.Errorf("%v, the job is %q, told %q", err, claim.Ended().Status, m.told(t))
		}
	})
}

// Whoever lost the claim writes nothing: the message that the other worker is about to settle stays as it is.
func TestSendMessage_is_fenced(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	for name, change := range map[string]string{
		"the provider log": `UPDATE workspaces SET channels = '{"email": {"provider": "log"}}' WHERE id = $1`,
		"no provider":      `UPDATE workspaces SET channels = '{}' WHERE id = $1`,
		"opted out":        `UPDATE leads SET did_opt_out = true WHERE workspace_id = $1`,
		"quiet hours":      `UPDATE workspaces SET quiet_from = '20:00', quiet_to = '09:00' WHERE id = $1`,
		"the provider":     `UPDATE leads SET did_opt_out = false WHERE workspace_id = $1`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newOutbound(t, s)
			id := m.message(t, "")
			m.Exec(t, change, m.ws)
			claim := claimed(t, s, m.ws, jobs.SendMessage{Workspace: m.ws, Message: id})
			m.Exec(t, `UPDATE jobs SET epoch = epoch + 1 WHERE id = $1`, claim.Job)
			err := s.DB.SendMessage(t.Context(), claim, id, "",
				func(context.Context, dossier.Outgoing) (dossier.SendResult, error) { return dossier.SendResult{}, nil })
			if !errors.Is(err, postgres.ErrFenced) || m.became(t, id) != "QUEUED PENDING" || m.told(t) != "" {
				t.Errorf("%v, the message is %s, told %q", err, m.became(t, id), m.told(t))
			}
		})
	}
}
