package worker

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/outreach"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

func (p *play) receives(t *testing.T, in postgres.Inbound) dossier.LeadID {
	t.Helper()
	if in.ProviderID == "" {
		in.ProviderID = postgres.NewID()
	}
	got, err := p.pg.DB.ReceiveMessage(t.Context(), p.ws, in, outreach.Inbound)
	if err != nil {
		t.Fatal(err)
	}
	p.due(t)
	if got.LeadID == nil {
		return ""
	}
	return *got.LeadID
}

// An opt-out is the person's, who may be several leads; none of them hears from anybody any more.
func TestPlay_an_opt_out_holds_for_the_address(t *testing.T) {
	p := newPlay(t)
	other := p.newLead(t, dossier.LeadUpdate{FirstName: dossier.Set("Ann's Bakery"), PhoneNumber: dossier.Set("2125550123")}, false)
	stranger := p.newLead(t, dossier.LeadUpdate{FirstName: dossier.Set("Bo"), PhoneNumber: dossier.Set("2125550199")}, false)
	p.writes(t, "STOP")
	out := pgtest.Value[[]string](t, p.pg, `SELECT array_agg(id::text ORDER BY id) FROM leads WHERE did_opt_out`)
	if want := []string{string(p.lead), string(other)}; !slices.Equal(out, want) {
		t.Errorf("opted out: %v, want %v and not %s", out, want, stranger)
	}
}

// Who is not to be answered: a provider that has confirmed the word itself, and a program.
func TestPlay_some_words_get_no_answer(t *testing.T) {
	p := newPlay(t)
	p.receives(t, postgres.Inbound{Channel: dossier.ChannelSMS, From: "+12125550123", Text: "STOP", Confirmed: true})
	p.expect(t)
	if out := pgtest.Value[bool](t, p.pg, `SELECT did_opt_out FROM leads WHERE id = $1`, p.lead); !out {
		t.Error("the lead is not opted out")
	}
	p.lead = p.newLead(t, dossier.LeadUpdate{FirstName: dossier.Set("Shop"), Email: dossier.Set("no-reply@shop.example")}, false)
	p.start(t, "ava", "collect")
	for _, words := range []string{"What is missing?", "STOP"} {
		p.receives(t, postgres.Inbound{Channel: dossier.ChannelEmail, From: "no-reply@shop.example", Text: words})
	}
	if sent := p.sent(t); len(sent) != 1 {
		t.Errorf("a program was answered: %q", sent[1:])
	}
}

// Of leads with one address a reply belongs to the one whose message it answers, else to the one written to last.
func TestPlay_replies_find_their_lead(t *testing.T) {
	p := newPlay(t)
	p.start(t, "ava", "collect")
	p.pg.Clock.Advance(time.Hour)
	first, ours := p.lead, pgtest.Value[string](t, p.pg, `SELECT provider_message_id FROM messages`)
	p.lead = p.newLead(t, dossier.LeadUpdate{FirstName: dossier.Set("Ann"), PhoneNumber: dossier.Set("2125550123")}, false)
	second := p.lead
	p.start(t, "ava", "collect")
	p.pg.Clock.Advance(time.Hour)
	p.newLead(t, dossier.LeadUpdate{FirstName: dossier.Set("Ann"), PhoneNumber: dossier.Set("2125550123")}, false) // never written to
	in := postgres.Inbound{Channel: dossier.ChannelSMS, From: "+12125550123", Text: "thanks"}
	if got := p.receives(t, in); got != second {
		t.Errorf("a message came to %s, want the lead written to last, %s", got, second)
	}
	in.InReplyTo = &ours
	if got := p.receives(t, in); got != first {
		t.Errorf("a reply came to %s, want %s, whose message it answers", got, first)
	}
}

// Where a run is there for questions, it answers; what a lead writes is kept without its secrets, and only what is valid
// is put on an item.
func TestPlay_questions_go_to_the_run_for_them(t *testing.T) {
	p := newPlay(t)
	help := p.start(t, "max", "help")
	p.pg.Clock.Advance(time.Hour)
	p.start(t, "ava", "collect")
	p.pg.Exec(t, `UPDATE checklist_items SET field_type = 'NUMBER', code = 'AMOUNT', label = 'Amount requested', config = '{"max": 5000}' WHERE code = 'LEGAL_NAME'`)
	p.pg.Exec(t, `UPDATE checklist_entries SET code = 'AMOUNT' WHERE code = 'LEGAL_NAME'`)
	got := p.writes(t, "My SSN is 123-45-6789 and the amount requested is 9000. Our EIN is 12-3456789.")
	run, body := pgtest.Value[string](t, p.pg, `SELECT workflow_run_id::text FROM messages WHERE id = $1`, got.MessageID), pgtest.Value[string](t, p.pg, `SELECT body FROM messages WHERE id = $1`, got.MessageID)
	if run != string(help) {
		t.Errorf("run %s has the message, want the run for questions", run)
	}
	if strings.Contains(body, "123-45-6789") {
		t.Errorf("kept %q", body)
	}
	values := pgtest.Value[string](t, p.pg, `SELECT string_agg(concat_ws(' ', code, status, value, source), '; ' ORDER BY code) FROM checklist_entries WHERE lead_id = $1`, p.lead)
	if want := `AMOUNT TODO; EIN COMPLETED "12-3456789" agent`; values != want {
		t.Errorf("items: %s, want %s", values, want)
	}
}
