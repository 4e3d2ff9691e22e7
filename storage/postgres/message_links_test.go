package postgres_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

const publicURL = "https://dossier.example"

// offered is what the provider of a message is handed.
func (m *outbound) offered(t *testing.T, id dossier.MessageID) (out dossier.Outgoing) {
	t.Helper()
	claim := claimed(t, m.Server, m.ws, jobs.SendMessage{Workspace: m.ws, Message: id})
	err := m.DB.SendMessage(t.Context(), claim, id, publicURL, func(_ context.Context, o dossier.Outgoing) (
		dossier.SendResult, error) {
		out = o
		return dossier.SendResult{ProviderID: "<" + string(id) + "@lender.example>"}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The way into a lead's page stands in what leaves and never in what is kept: every mark of a message gets the same
// address, that of the link that lives; a lead whose link ended gets another.
func TestSendMessage_links(t *testing.T) {
	t.Parallel()
	m := newOutbound(t, pgtest.New(t))
	const marked = `subject = '{{portalLink}}', body = 'See {{portalLink}}, again {{portalLink}}, or {{unsubscribeLink}}',
		template = '{Ada,"{{portalLink}}"}'`
	portal := func() string {
		t.Helper()
		id := m.message(t, marked)
		out := m.offered(t, id)
		link := *out.Subject
		if !strings.HasPrefix(link, publicURL) || out.Template[0] != "Ada" || out.Template[1] != link ||
			out.Body != "See "+link+", again "+link+", or "+out.Contact.Unsubscribe {
			t.Errorf("%q %q %q", link, out.Body, out.Template)
		}
		kept := pgtest.Value[string](t, m.Server, `SELECT concat(subject, body, template) FROM messages WHERE id = $1`, id)
		if strings.Contains(kept, publicURL) || strings.Count(kept, dossier.PortalLinkMark) != 4 {
			t.Errorf("kept is %q", kept)
		}
		return strings.TrimPrefix(link, publicURL+"/portal/")
	}
	page := postgres.PortalOwner{Lead: m.lead}
	first := portal()
	if link, err := m.DB.RenewPortalLink(t.Context(), m.ws, page, false); err != nil || link.Token != first {
		t.Errorf("the link of the message is not the lead's: %v", err)
	}
	if again := portal(); again != first {
		t.Error("a link that lives was replaced: the message before leads nowhere")
	}
	if err := m.DB.RevokePortalLink(t.Context(), m.ws, page); err != nil {
		t.Fatal(err)
	}
	second := portal()
	m.Clock.Advance(91 * 24 * time.Hour) // the default life of a link
	third := portal()
	if second == first || third == second {
		t.Error("a link that ended was sent")
	}
	if n := pgtest.Value[int](t, m.Server, `SELECT count(*) FROM portal_links WHERE revoked_at IS NULL`); n != 1 {
		t.Errorf("%d links let the lead in, want the last", n)
	}
	m.Exec(t, `UPDATE leads SET external_portal_link = 'https://lender.example/ada' WHERE id = $1`, m.lead)
	id := m.message(t, marked)
	if out := m.offered(t, id); *out.Subject != "https://lender.example/ada" {
		t.Errorf("a lead with a page elsewhere is sent to %q", *out.Subject)
	}
	out := m.offered(t, m.message(t, `channel = 'sms', to_address = '+12125550123'`))
	if out.Contact.Unsubscribe != "" || !strings.Contains(out.Contact.Report, "/inbound/sms/") {
		t.Errorf("an SMS has %+v", out.Contact)
	}
}

// An email stands in its thread: the last ten that left or came, oldest first, and nothing that is no Message-ID, which
// would break a header apart.
func TestSendMessage_thread(t *testing.T) {
	t.Parallel()
	m := newOutbound(t, pgtest.New(t))
	other := newOutbound(t, m.Server)
	add := func(of *outbound, n int, status, id string) {
		t.Helper()
		m.Exec(t, `INSERT INTO messages (workspace_id, id, lead_id, direction, channel, status, body, provider_message_id,
			created_at, updated_at) VALUES ($1, gen_random_uuid(), $2, CASE WHEN $3 = 'RECEIVED' THEN 'INBOUND' ELSE
			'OUTBOUND' END, 'email', $3, '', $4, $5, $5)`, of.ws, of.lead, status, id, m.Clock.Now().Add(-time.Hour).
			Add(time.Duration(n)*time.Second))
	}
	var want []string
	for n := range 12 {
		id := "<" + string(rune('a'+n)) + "@mail.example>"
		add(m, n, []string{"SENT", "DELIVERED", "RECEIVED"}[n%3], id)
		want = append(want, id)
	}
	want = want[3:]
	add(m, 12, "RECEIVED", "<x@y>\r\nBcc: all@lender.example") // takes a place of the ten
	add(m, 13, "FAILED", "<failed@mail.example>")
	add(other, 14, "SENT", "<other@mail.example>")
	if diff := cmp.Diff(want, m.offered(t, m.message(t, "")).Thread); diff != "" {
		t.Errorf("thread (-want +got):\n%s", diff)
	}
}

// Free words may be sent on WhatsApp for 24 hours after the lead's own; a minute too late the provider refuses them.
func TestSendMessage_whatsapp_window(t *testing.T) {
	t.Parallel()
	m := newOutbound(t, pgtest.New(t))
	const whatsapp = `channel = 'whatsapp', to_address = '+12125550123'`
	if m.offered(t, m.message(t, whatsapp)).WindowOpen {
		t.Error("open to a lead that never wrote")
	}
	m.Exec(t, `INSERT INTO messages (workspace_id, id, lead_id, direction, channel, status, body, created_at, updated_at)
		VALUES ($1, gen_random_uuid(), $2, 'INBOUND', 'whatsapp', 'RECEIVED', 'Hi', $3, $3)`, m.ws, m.lead, m.Clock.Now())
	m.Clock.Advance(dossier.WhatsAppWindow - time.Microsecond)
	if !m.offered(t, m.message(t, whatsapp)).WindowOpen {
		t.Error("closed before its end")
	}
	m.Clock.Advance(time.Microsecond)
	if m.offered(t, m.message(t, whatsapp)).WindowOpen {
		t.Error("open at its end")
	}
}

// The way out of an email works for ever, for the person and not the row: all leads of the address, of this lender alone.
func TestUnsubscribe(t *testing.T) {
	t.Parallel()
	m := newOutbound(t, pgtest.New(t))
	other := newOutbound(t, m.Server) // the same address at another lender
	same, _ := m.Lead(t, m.ws)
	another, _ := m.Lead(t, m.ws)
	m.Exec(t, `UPDATE leads SET email = 'ADA@example.com' WHERE id = $1`, same)
	m.Exec(t, `UPDATE leads SET email = 'bo@example.com' WHERE id = $1`, another)
	token := strings.TrimPrefix(m.offered(t, m.message(t, "")).Contact.Unsubscribe, publicURL+"/unsubscribe/")
	m.Clock.Advance(20 * 365 * 24 * time.Hour)
	if sub, err := m.DB.ReadSubscriber(t.Context(), token); err != nil || sub.Out || sub.Company != "Test workspace" {
		t.Errorf("before: %+v, %v", sub, err)
	}
	for range 2 { // the second changes nothing
		if sub, err := m.DB.Unsubscribe(t.Context(), token); err != nil || !sub.Out {
			t.Errorf("%+v, %v", sub, err)
		}
	}
	out := pgtest.Value[[]string](t, m.Server, `SELECT array_agg(id::text) FROM leads WHERE did_opt_out`)
	slices.Sort(out)
	want := []string{string(m.lead), string(same)}
	if slices.Sort(want); !slices.Equal(out, want) {
		t.Errorf("opted out are %v, want %v", out, want)
	}
	for _, lead := range want {
		types, _ := m.events(t, dossier.LeadID(lead), 0)
		types = slices.DeleteFunc(types, func(name string) bool { return name != "lead.opted_out" })
		if len(types) != 1 {
			t.Errorf("told %v", types)
		}
	}
	m.Exec(t, `UPDATE leads SET deleted_at = now() WHERE id = $1`, m.lead)
	flipped := []byte(strings.TrimPrefix(other.offered(t, other.message(t, "")).Contact.Unsubscribe,
		publicURL+"/unsubscribe/"))
	flipped[20] ^= 1
	for name, token := range map[string]string{"of a deleted lead": token, "empty": "", "no base64": "?", "short": "YWJj",
		"changed": string(flipped)} {
		if _, err := m.DB.ReadSubscriber(t.Context(), token); dossier.KindOf(err) != dossier.NotFound {
			t.Errorf("a token %s shows a page: %v", name, err)
		}
		if _, err := m.DB.Unsubscribe(t.Context(), token); dossier.KindOf(err) != dossier.NotFound {
			t.Errorf("a token %s opts somebody out: %v", name, err)
		}
	}
}
