package postgres_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// Providers report in any order and more than once: each report moves a message at most once and never back, and says
// so in as many events as the message moved.
func TestReportMessage(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	const sent = `status = 'SENT', sent_at = created_at, provider_message_id = `
	tests := []struct {
		name   string
		set    string
		report dossier.MessageStatus
		want   string
		told   string
	}{
		{"sent, arrived", sent + `'p1'`, dossier.MessageDelivered, "DELIVERED PENDING", "message.delivered"},
		{"sent, came back", sent + `'p2'`, dossier.MessageFailed, "FAILED bounced FAILED", "message.failed"},
		{"sent, told so again", sent + `'p3'`, dossier.MessageSent, "SENT PENDING", ""},
		{"its answer was lost", `provider_message_id = 'p4'`, dossier.MessageSent, "SENT COMPLETED", "message.sent"},
		{"lost, arrived", `provider_message_id = 'p5'`, dossier.MessageDelivered, "DELIVERED COMPLETED",
			"message.sent message.delivered"},
		{"unknown, arrived", `status = 'FAILED', error_code = 'outcome_unknown', provider_message_id = 'p6'`,
			dossier.MessageDelivered, "DELIVERED COMPLETED", "message.sent message.delivered"},
		{"arrived, came back", `status = 'DELIVERED', provider_message_id = 'p7'`, dossier.MessageFailed,
			"DELIVERED PENDING", ""},
		{"failed for good, arrived", `status = 'FAILED', error_code = 'bounced', provider_message_id = 'p8'`,
			dossier.MessageDelivered, "FAILED bounced PENDING", ""},
		{"cancelled, arrived", `status = 'CANCELLED', provider_message_id = 'p9'`, dossier.MessageDelivered,
			"CANCELLED PENDING", ""},
	}
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m := newOutbound(t, s)
			id := m.message(t, test.set)
			report := dossier.DeliveryReceipt{Channel: dossier.ChannelEmail, ProviderID: "p" + string(rune('1'+i)),
				Status: test.report, Error: dossier.Coded(dossier.Conflict, "bounced", "No mailbox")}
			for range 2 { // the second changes nothing
				if got, err := s.DB.ReportMessage(t.Context(), m.ws, report); err != nil || got.ID != id {
					t.Fatalf("%s, %v", got.ID, err)
				}
				if got := m.became(t, id); got != test.want {
					t.Errorf("%s, want %s", got, test.want)
				}
			}
			if told := m.told(t); told != test.told {
				t.Errorf("told %q, want %q", told, test.told)
			}
		})
	}
}

// A report is about the message it names: ours first, the provider's id else, of this workspace, this channel and what
// we sent.
func TestReportMessage_finds_its_message(t *testing.T) {
	t.Parallel()
	m := newOutbound(t, pgtest.New(t))
	other := newOutbound(t, m.Server)
	ours := m.message(t, `status = 'SENT', sent_at = created_at`)
	named := m.message(t, `status = 'SENT', sent_at = created_at, provider_message_id = 'p-1'`)
	theirs := other.message(t, `status = 'SENT', sent_at = created_at, provider_message_id = 'p-2'`)
	inbound := m.message(t, `status = 'RECEIVED', direction = 'INBOUND', provider_message_id = 'p-3'`)
	gone := m.message(t, `status = 'SENT', erased_at = created_at, provider_message_id = 'p-4'`)
	for _, test := range []struct {
		name    string
		channel dossier.Channel
		id      dossier.MessageID
		theirs  string
		want    dossier.MessageID // empty: none
	}{
		{"ours by its id", dossier.ChannelEmail, ours, "p-0", ours},
		{"by the provider's", dossier.ChannelEmail, "", "p-1", named},
		{"on another channel", dossier.ChannelSMS, "", "p-1", ""},
		{"another lender's by its id", dossier.ChannelEmail, theirs, "", ""},
		{"another lender's by the provider's", dossier.ChannelEmail, "", "p-2", ""},
		{"one that came in", dossier.ChannelEmail, inbound, "", ""},
		{"one that came in, by the provider's", dossier.ChannelEmail, "", "p-3", ""},
		{"one that retention has emptied", dossier.ChannelEmail, gone, "", ""},
		{"nobody's", dossier.ChannelEmail, "", "p-9", ""},
	} {
		got, err := m.DB.ReportMessage(t.Context(), m.ws, dossier.DeliveryReceipt{Channel: test.channel,
			MessageID: test.id, ProviderID: test.theirs, Status: dossier.MessageDelivered})
		if test.want == "" {
			if dossier.KindOf(err) != dossier.NotFound {
				t.Errorf("%s: %s, %v; want NotFound", test.name, got.ID, err)
			}
			continue
		}
		if err != nil || got.ID != test.want {
			t.Errorf("%s: %s, %v; want %s", test.name, got.ID, err, test.want)
		}
	}
	if kept := pgtest.Value[string](t, m.Server, `SELECT provider_message_id FROM messages WHERE id = $1`, named); kept !=
		"p-1" {
		t.Errorf("the provider's id became %q", kept)
	}
}

// A sending that has no try left says what is known: unreachable where nobody was called, unknown where somebody was,
// and cancelled only what cannot have left.
func TestFailJob_of_a_message(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	for _, test := range []struct{ name, set, class, want string }{
		{"never called", "", "internal", "FAILED provider_unreachable FAILED"},
		{"called", `sending_at = created_at`, "internal", "FAILED outcome_unknown FAILED"},
		{"its job cancelled", "", "cancelled", "CANCELLED CANCELLED"},
		{"cancelled in its call", `sending_at = created_at`, "cancelled", "FAILED outcome_unknown FAILED"},
		{"sent before", `status = 'SENT'`, "internal", "SENT PENDING"},
		{"erased", `erased_at = created_at`, "internal", "QUEUED PENDING"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m := newOutbound(t, s)
			id := m.message(t, test.set)
			claim := claimed(t, s, m.ws, jobs.SendMessage{Workspace: m.ws, Message: id})
			if err := s.DB.FailJob(t.Context(), claim, test.class, "connection refused"); err != nil {
				t.Fatal(err)
			}
			if got := m.became(t, id); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// The files of a message become documents once, in the order they came; the agent answers when they are there, or when
// it is plain that they will not come.
func TestSaveMedia(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	const waiting = `direction = 'INBOUND', status = 'RECEIVED', channel = 'whatsapp',
		media = '[{"url": "https://provider.example/1", "contentType": "application/pdf"}]'`
	fetch := func(t *testing.T) (*outbound, dossier.MessageID, postgres.Claim) {
		m := newOutbound(t, s)
		id := m.message(t, waiting)
		w, err := s.DB.WaitingMedia(t.Context(), m.ws, id)
		if err != nil || len(w.Media) != 1 || w.Media[0].URL != "https://provider.example/1" ||
			w.Provider.Provider != "twilio" || w.Channel != dossier.ChannelWhatsApp {
			t.Errorf("waiting %+v, %v", w, err)
		}
		return m, id, claimed(t, s, m.ws, jobs.FetchMedia{Workspace: m.ws, Message: id})
	}
	// the documents of the message and of its entry, how often the agent is to answer, and what the timeline says is missing
	after := func(t *testing.T, m *outbound, id dossier.MessageID) string {
		if w, err := s.DB.WaitingMedia(t.Context(), m.ws, id); err != nil || len(w.Media) != 0 {
			t.Errorf("still waiting %+v, %v", w, err)
		}
		return pgtest.Value[string](t, s, `SELECT concat_ws(' ', cardinality(m.document_ids), (SELECT cardinality(document_ids)
			FROM action_logs WHERE message_id = m.id), (SELECT count(*) FROM jobs WHERE subject_id = m.id::uuid
			AND kind = 'run.turn'), (SELECT string_agg(summary, ';') FROM action_logs a WHERE a.lead_id = m.lead_id
			AND summary LIKE '%fetched%')) FROM messages m WHERE id = $1`, id)
	}
	t.Run("saved", func(t *testing.T) {
		t.Parallel()
		m, id, claim := fetch(t)
		files := []postgres.NewFile{file("a.pdf", "a"), file("b.pdf", "b")}
		if err := s.DB.SaveMedia(t.Context(), claim, id, files, 1); err != nil {
			t.Fatal(err)
		}
		if got := after(t, m, id); got != "2 2 1 1 attached file could not be fetched from the provider" {
			t.Error(got)
		}
		if err := s.DB.SaveMedia(t.Context(), claim, id, files, 0); err == nil {
			t.Error("saved again under a claim that has ended")
		}
		if n := pgtest.Value[int](t, s, `SELECT count(*) FROM documents WHERE lead_id = $1`, m.lead); n != 2 {
			t.Errorf("%d documents", n)
		}
	})
	t.Run("given up", func(t *testing.T) {
		t.Parallel()
		m, id, claim := fetch(t)
		if err := s.DB.FailJob(t.Context(), claim, "internal", "gone"); err != nil {
			t.Fatal(err)
		}
		if got := after(t, m, id); got != "0 0 1 1 attached file could not be fetched from the provider" {
			t.Error(got)
		}
	})
	t.Run("its lead is deleted", func(t *testing.T) {
		t.Parallel()
		m, id, claim := fetch(t)
		m.Exec(t, `UPDATE leads SET deleted_at = now() WHERE id = $1`, m.lead)
		if _, err := s.DB.WaitingMedia(t.Context(), m.ws, id); dossier.KindOf(err) != dossier.NotFound {
			t.Errorf("waiting: %v", err)
		}
		if err := s.DB.SaveMedia(t.Context(), claim, id, nil, 0); dossier.KindOf(err) != dossier.NotFound {
			t.Errorf("saved: %v", err)
		}
		if err := s.DB.FailJob(t.Context(), claim, "internal", "gone"); err != nil {
			t.Errorf("its job cannot end: %v", err)
		}
	})
}
