package worker

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs/channel/channeltest"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// claimSending takes the job of the one message that waits.
func (p *play) claimSending(t *testing.T) (postgres.Claim, dossier.MessageID) {
	t.Helper()
	id := pgtest.Value[string](t, p.pg, `SELECT id::text FROM jobs WHERE kind = 'message.send'`)
	p.pg.Exec(t, `UPDATE jobs SET run_at = now() WHERE id = $1`, id)
	p.pg.Exec(t, `UPDATE messages SET scheduled_at = NULL WHERE status = 'QUEUED'`)
	claim, ok, err := p.pg.DB.ClaimJob(t.Context(), dossier.JobID(id), pgtest.Value[int](t, p.pg, `SELECT epoch FROM jobs WHERE id = $1`, id), "sender")
	if err != nil || !ok {
		t.Fatalf("claimed %v, %v", ok, err)
	}
	return claim, dossier.MessageID(pgtest.Value[string](t, p.pg, `SELECT id::text FROM messages WHERE status = 'QUEUED'`))
}

// queued has a message of the agent wait to be sent.
func (p *play) queued(t *testing.T) dossier.RunID {
	t.Helper()
	run, err := p.create(t, "ava", "collect")
	if err != nil {
		t.Fatal(err)
	}
	p.pg.Exec(t, `UPDATE workspaces SET quiet_from = '00:00', quiet_to = '23:59'`)
	p.due(t)
	p.pg.Exec(t, `UPDATE workspaces SET quiet_from = '00:00', quiet_to = '00:00'`)
	return run.ID
}

// While a provider takes its time nobody waits for the lead: not its page, not a change of it.
func TestPlay_nobody_waits_for_a_provider(t *testing.T) {
	p := newPlay(t)
	p.carried(t, channeltest.NewTwilio(t), nil)
	p.queued(t)
	claim, message := p.claimSending(t)
	calls := 0
	err := p.pg.DB.SendMessage(t.Context(), claim, message, "", func(context.Context, dossier.Outgoing) (dossier.SendResult, error) {
		calls++
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		if err := p.pg.DB.UpdateLead(ctx, p.ws, p.lead, dossier.LeadUpdate{FirstName: dossier.Set("Grace")}, 0, p.by); err != nil {
			t.Errorf("a change of the lead: %v", err)
		}
		if n := pgtest.Value[int](t, p.pg, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'
			AND application_name = 'dossier'`); n != 0 {
			t.Errorf("%d transactions are open while the provider is called", n)
		}
		return dossier.SendResult{ProviderID: "SM1", From: "+12125550100"}, nil
	})
	if err != nil || calls != 1 {
		t.Fatalf("%d calls, %v", calls, err)
	}
	p.expectStates(t, "sms SENT")
}

// Of a call that a stop overtook the outcome counts: a message that left was sent, one that was refused stays as the stop
// left it. Nothing is sent again.
func TestPlay_a_stop_during_the_call(t *testing.T) {
	for name, stop := range stops {
		if name == "deletion" {
			continue // nobody is told of a lead that is gone
		}
		t.Run(name, func(t *testing.T) {
			p := newPlay(t)
			twilio := channeltest.NewTwilio(t)
			p.carried(t, twilio, nil)
			run := p.queued(t)
			claim, message := p.claimSending(t)
			err := p.pg.DB.SendMessage(t.Context(), claim, message, "", func(ctx context.Context, m dossier.Outgoing) (dossier.SendResult, error) {
				if err := stop(p, run); err != nil {
					t.Error(err)
				}
				return p.w.Channels.Send(ctx, m)
			})
			if err != nil {
				t.Fatal(err)
			}
			p.due(t)
			p.expectStates(t, "sms SENT")
			if n := len(twilio.Messages()); n != 1 {
				t.Errorf("Twilio has %d messages", n)
			}
			if events := p.eventTypes(t); strings.Count(events, "message.sent") != 1 {
				t.Errorf("events: %s", events)
			}
		})
	}
}
