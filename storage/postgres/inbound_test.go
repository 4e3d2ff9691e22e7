package postgres_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// plainRules take "CODE=value" as a value and confirm in three words.
var plainRules = dossier.InboundRules{
	Values: func(_ *dossier.Checklist, words, _ string) (items []dossier.ItemUpdate) {
		if code, value, ok := strings.Cut(words, "="); ok {
			raw, _ := json.Marshal(value)
			items = append(items, dossier.ItemUpdate{Code: code, Value: raw})
		}
		return items
	},
	Confirm: func(language dossier.Language, company string, optedOut bool) (string, string) {
		if optedOut {
			return company, "out of " + company + " in " + string(language)
		}
		return company, "in " + company
	},
}

// received is a message from the lead's own address.
func (m *outbound) received(t *testing.T, in postgres.Inbound) postgres.Received {
	t.Helper()
	in.ProviderID = postgres.NewID()
	if in.Channel == "" {
		in.Channel, in.From = dossier.ChannelEmail, "Ada@Example.com"
	}
	got, err := m.DB.ReceiveMessage(t.Context(), m.ws, in, plainRules)
	if err != nil || got.Repeated {
		t.Fatalf("%+v, %v", got, err)
	}
	return got
}

// What a message sets off is decided by what it says and by who vouches for its sender: consent at once, values where
// they are valid, an answer by the open run, and nothing at all between two programs.
func TestReceiveMessage(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	media := []postgres.Media{{URL: "https://provider.example/1", ContentType: "application/pdf"}}
	tests := []struct {
		name   string
		in     postgres.Inbound
		change string
		want   string // did opt out, the value, jobs by kind
	}{
		{"a question", postgres.Inbound{Text: "Which form?"}, "", "f - run.turn"},
		{"a value", postgres.Inbound{Text: "TEXT=Bakery"}, "", `f "Bakery" run.turn`},
		{"a value of no item", postgres.Inbound{Text: "OTHER=Bakery"}, "", "f - run.turn"},
		{"an invalid value", postgres.Inbound{Text: "NUMBER=many"}, "", "f - run.turn"},
		{"no run is open", postgres.Inbound{Text: "Which form?"},
			`UPDATE workflow_runs SET status = 'COMPLETED' WHERE workspace_id = $1`, "f -"},
		{"a run is paused", postgres.Inbound{Text: "Which form?"},
			`UPDATE workflow_runs SET status = 'PAUSED' WHERE workspace_id = $1`, "f - run.turn"},
		{"files to be fetched", postgres.Inbound{Text: "Here", Media: media}, "", "f - message.media"},
		{"stop", postgres.Inbound{Text: " Stop! "}, "", "t - message.send"},
		{"stop, confirmed by the provider", postgres.Inbound{Text: "STOP", Confirmed: true}, "", "t -"},
		{"stop, from nobody vouched for", postgres.Inbound{Text: "STOP", Doubtful: true}, "", "t - message.send"},
		{"stop once more", postgres.Inbound{Text: "BAJA"}, `UPDATE leads SET did_opt_out = true WHERE workspace_id = $1`,
			"t -"},
		{"start", postgres.Inbound{Text: "start"}, `UPDATE leads SET did_opt_out = true WHERE workspace_id = $1`,
			"f - message.send run.turn"},
		{"start, from nobody vouched for", postgres.Inbound{Text: "start", Doubtful: true},
			`UPDATE leads SET did_opt_out = true WHERE workspace_id = $1`, "t -"},
		{"yes of a lead that never left", postgres.Inbound{Text: "yes"}, "", "f - run.turn"},
		{"a value, from nobody vouched for", postgres.Inbound{Text: "TEXT=Bakery", Doubtful: true}, "", "f -"},
		{"a program's", postgres.Inbound{Channel: dossier.ChannelEmail, From: "no-reply@example.com", Text: "STOP"},
			`UPDATE leads SET email = 'no-reply@example.com' WHERE workspace_id = $1`, "f -"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m := newOutbound(t, s)
			m.lead, _ = s.Lead(t, m.ws, dossier.FieldText, dossier.FieldNumber)
			m.Exec(t, `UPDATE workflow_runs SET lead_id = $2 WHERE id = $1`, m.run, m.lead)
			m.Exec(t, `UPDATE leads SET email = 'elsewhere@example.com' WHERE workspace_id = $1 AND id <> $2`, m.ws, m.lead)
			if test.change != "" {
				m.Exec(t, test.change, m.ws)
			}
			got := m.received(t, test.in)
			if got.LeadID == nil || *got.LeadID != m.lead {
				t.Fatalf("of lead %v", got.LeadID)
			}
			is := pgtest.Value[string](t, s, `SELECT concat_ws(' ', did_opt_out, coalesce((SELECT string_agg(value::text, ',')
				FROM checklist_entries e WHERE e.lead_id = l.id AND value IS NOT NULL), '-'), (SELECT string_agg(kind, ' ' ORDER BY kind)
				FROM jobs j WHERE j.workspace_id = l.workspace_id AND status = 'QUEUED' AND kind LIKE ANY ('{run.%,message.%}')))
				FROM leads l WHERE id = $1`, m.lead)
			if is != test.want {
				t.Errorf("%s, want %s", is, test.want)
			}
			if told := m.told(t); told != "message.received" {
				t.Errorf("told %q", told)
			}
		})
	}
}

// A provider hands the same message over until it is answered, also twice at once: it is kept, told and answered once.
func TestReceiveMessage_once(t *testing.T) {
	t.Parallel()
	m := newOutbound(t, pgtest.New(t))
	in := postgres.Inbound{Channel: dossier.ChannelSMS, From: "+12125550123", Text: "STOP", ProviderID: "p-1"}
	type answer struct {
		got postgres.Received
		err error
	}
	answers := make(chan answer, 4)
	for range cap(answers) {
		go func() {
			got, err := m.DB.ReceiveMessage(context.Background(), m.ws, in, plainRules)
			answers <- answer{got, err}
		}()
	}
	fresh, ids := 0, map[dossier.MessageID]bool{}
	for range cap(answers) {
		a := <-answers
		if a.err != nil || a.got.LeadID == nil {
			t.Errorf("%+v, %v", a.got, a.err)
		}
		if ids[a.got.MessageID] = true; !a.got.Repeated {
			fresh++
		}
	}
	if fresh != 1 || len(ids) != 1 || m.told(t) != "message.received" {
		t.Errorf("%d kept as %d messages, told %q", fresh, len(ids), m.told(t))
	}
	if got := pgtest.Value[string](t, m.Server, `SELECT string_agg(body || ' ' || purpose || ' ' || to_address, ';')
		FROM messages WHERE direction = 'OUTBOUND'`); got != "out of Test workspace in en confirmation +12125550123" {
		t.Errorf("confirmed by %q, want one confirmation", got)
	}
	other := newOutbound(t, m.Server) // the same id at another lender is another message
	if got, err := m.DB.ReceiveMessage(t.Context(), other.ws, in, plainRules); err != nil || got.Repeated {
		t.Errorf("%+v, %v", got, err)
	}
}

// Whose a message is: of the lead it answers, else of the one with this address that was written to last, a real one
// before a test lead; nobody's is kept in the inbox, by its page.
func TestReceiveMessage_sender(t *testing.T) {
	t.Parallel()
	m := newOutbound(t, pgtest.New(t))
	second, _ := m.Lead(t, m.ws)
	test, _ := m.Lead(t, m.ws)
	m.Exec(t, `UPDATE leads SET is_test = true, created_at = created_at + interval '1 hour' WHERE id = $1`, test)
	m.Exec(t, `UPDATE leads SET created_at = created_at + interval '1 minute' WHERE id = $1`, second)
	whose := func(name string, in postgres.Inbound, want dossier.LeadID) {
		t.Helper()
		if got := m.received(t, in); got.LeadID == nil && want != "" || got.LeadID != nil && *got.LeadID != want {
			t.Errorf("%s is of %v, want %q", name, got.LeadID, want)
		}
	}
	whose("the newest real one's", postgres.Inbound{Text: "a"}, second)
	m.message(t, `status = 'SENT', provider_message_id = '<ours@lender.example>'`)
	whose("whoever was written to last", postgres.Inbound{Text: "b"}, m.lead)
	m.Clock.Advance(time.Minute)
	(&outbound{m.leads, second, m.run}).message(t, `status = 'SENT'`)
	whose("written to since", postgres.Inbound{Text: "c"}, second)
	whose("an answer", postgres.Inbound{Text: "d", InReplyTo: ptr("<ours@lender.example>")}, m.lead)
	whose("an answer to nothing of ours", postgres.Inbound{Text: "e", InReplyTo: ptr("<theirs@x>")}, second)
	m.Exec(t, `UPDATE leads SET deleted_at = now() WHERE id = $1`, m.lead)
	whose("an answer to one that is deleted", postgres.Inbound{Text: "f", InReplyTo: ptr("<ours@lender.example>")}, second)
	var want []string
	for _, text := range []string{"one", "two", "my SSN is 123-45-6789"} {
		m.Clock.Advance(time.Minute)
		whose("a stranger's", postgres.Inbound{Channel: dossier.ChannelEmail, From: "who@example.net", Text: text}, "")
		want = append(want, strings.ReplaceAll(text, "123-45-", "***-**-"))
	}
	slices.Reverse(want)
	var got []string
	page := dossier.Page{Limit: 1}
	for range 4 {
		list, err := m.DB.Inbox(t.Context(), m.ws, page)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) == 0 {
			break
		}
		got = append(got, list[0].Body)
		page.After = &dossier.Cursor{At: list[0].CreatedAt, ID: string(list[0].ID)}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the inbox holds %q, want %q", got, want)
	}
	if other, err := m.DB.Inbox(t.Context(), m.Workspace(t), dossier.Page{Limit: 5}); err != nil || len(other) != 0 {
		t.Errorf("another lender's inbox holds %d, %v", len(other), err)
	}
}

// Files of a message are documents like any other, as far as the lead may still send; what cannot be used is noted, and
// the words of a message are kept without its secrets.
func TestReceiveMessage_files(t *testing.T) {
	t.Parallel()
	m := newOutbound(t, pgtest.New(t))
	m.Exec(t, `UPDATE workspaces SET limits = '{"documents": 2}' WHERE id = $1`, m.ws)
	exe := file("run.exe", "x")
	exe.MimeType = "application/octet-stream"
	got := m.received(t, postgres.Inbound{Text: "SSN 123-45-6789", Subject: ptr("123-45-6789"),
		Files:     []postgres.NewFile{file("a.pdf", "a"), exe, file("late.pdf", "c")},
		LeftAside: []string{"logo.png"}, Refused: []dossier.RefusedFile{{Name: "big.pdf", Why: dossier.RefusedLimit}}})
	kept := pgtest.Value[string](t, m.Server, `SELECT concat_ws(' ', body, subject, cardinality(document_ids), refused)
		FROM messages WHERE id = $1`, got.MessageID)
	if kept != `SSN ***-**-6789 ***-**-6789 2 [{"why": "limit", "name": "big.pdf"}, {"why": "type", "name": "run.exe"},`+
		` {"why": "limit", "name": "late.pdf"}]` {
		t.Errorf("kept %s", kept)
	}
	list, err := m.DB.ListDocuments(t.Context(), m.ws, m.lead, dossier.Page{Limit: 10})
	if err != nil || len(list) != 2 {
		t.Errorf("%d documents, %v", len(list), err)
	}
	entry := pgtest.Value[string](t, m.Server, `SELECT input::text FROM action_logs WHERE message_id = $1
		AND type = 'INBOUND_MESSAGE'`, got.MessageID)
	for _, want := range []string{"logo.png", "big.pdf", `"email"`} {
		if !strings.Contains(entry, want) {
			t.Errorf("the timeline says %s, not %s", entry, want)
		}
	}
	if jobs := pgtest.Value[int](t, m.Server, `SELECT count(*) FROM jobs WHERE kind = $1`,
		jobs.ExtractDocument{}.Spec().Kind); jobs != 2 {
		t.Errorf("%d documents are to be read", jobs)
	}
}

// An opt-out is the person's: it holds for every lead with the address, of this lender, and an opt-in the same way.
func TestReceiveMessage_consent_of_all_leads(t *testing.T) {
	t.Parallel()
	m := newOutbound(t, pgtest.New(t))
	other := newOutbound(t, m.Server)
	m.Lead(t, m.ws)
	elsewhere, _ := m.Lead(t, m.ws)
	m.Exec(t, `UPDATE leads SET phone_number = '+12125550199' WHERE id = $1`, elsewhere)
	out := func() int {
		return pgtest.Value[int](t, m.Server, `SELECT count(*) FROM leads WHERE did_opt_out AND workspace_id = $1`, m.ws)
	}
	sms := postgres.Inbound{Channel: dossier.ChannelSMS, From: "+12125550123", Text: "STOP"}
	if m.received(t, sms); out() != 2 {
		t.Errorf("%d leads are out, want the two of the number", out())
	}
	sms.Text = "UNSTOP"
	if m.received(t, sms); out() != 0 {
		t.Errorf("%d leads are still out", out())
	}
	if pgtest.Value[bool](t, m.Server, `SELECT did_opt_out FROM leads WHERE id = $1`, other.lead) {
		t.Error("out at another lender")
	}
	if subject := pgtest.Value[int](t, m.Server, `SELECT count(*) FROM messages WHERE purpose = 'confirmation'
		AND subject IS NULL AND channel = 'sms'`); subject != 2 {
		t.Errorf("%d confirmations by SMS without a subject, want 2", subject)
	}
}

// A provider that still has yesterday's token goes on handing messages over for a day; a token opens one channel of one
// lender, and stands nowhere in the open.
func TestInboundTokens(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws := s.Workspace(t) // of before: one token in the clear, for all channels
	plain := pgtest.Value[string](t, s, `SELECT inbound_token FROM workspaces WHERE id = $1`, ws)
	opens := func(channel dossier.Channel, token string, want bool) {
		t.Helper()
		got, err := s.DB.WorkspaceByInboundToken(t.Context(), channel, token)
		if want && (err != nil || got.ID != ws) || !want && dossier.KindOf(err) != dossier.NotFound {
			t.Errorf("%s opens %q, %v; want %v", channel, got.ID, err, want)
		}
	}
	opens(dossier.ChannelEmail, plain, true)
	for range 2 { // the second changes nothing
		if err := s.DB.SealInboundTokens(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if n := pgtest.Value[int](t, s, `SELECT count(*) FROM workspaces WHERE inbound_token IS NOT NULL`); n != 0 {
		t.Errorf("%d tokens stand in the clear", n)
	}
	tokens, err := s.DB.InboundTokens(t.Context(), ws)
	if err != nil || len(tokens) != len(dossier.Channels) {
		t.Fatalf("%v, %v", tokens, err)
	}
	for _, channel := range dossier.Channels {
		if opens(channel, tokens[channel], true); tokens[channel] != plain {
			t.Errorf("sealing changed the token of %s", channel)
		}
	}
	rotated, err := s.DB.RotateInbound(t.Context(), ws, dossier.ChannelSMS)
	if err != nil || rotated.PreviousUntil != s.Clock.Now().Add(24*time.Hour) || rotated.Token == plain {
		t.Fatalf("%v", err)
	}
	if tokens, err = s.DB.InboundTokens(t.Context(), ws); err != nil || tokens[dossier.ChannelSMS] != rotated.Token {
		t.Errorf("the token of the channel is not the new one: %v", err)
	}
	opens(dossier.ChannelSMS, rotated.Token, true)
	opens(dossier.ChannelEmail, rotated.Token, false)
	s.Clock.Advance(24*time.Hour - time.Microsecond)
	opens(dossier.ChannelSMS, plain, true)
	s.Clock.Advance(time.Microsecond)
	opens(dossier.ChannelSMS, plain, false)
	opens(dossier.ChannelEmail, plain, true)
	s.Exec(t, `UPDATE workspaces SET deleted_at = now() WHERE id = $1`, ws)
	opens(dossier.ChannelSMS, rotated.Token, false)
	if _, err := s.DB.RotateInbound(t.Context(), dossier.WorkspaceID(postgres.NewID()),
		dossier.ChannelSMS); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("of no workspace: %v", err)
	}
}
