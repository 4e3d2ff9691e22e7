package worker

import (
	"regexp"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs/channel/channeltest"
	"github.com/dossierhq/dossier/pipelines/outreach"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// tablesWith are the tables in which a text stands, in any column of any row.
func (p *play) tablesWith(t *testing.T, text string) string {
	t.Helper()
	return pgtest.Value[string](t, p.pg, `SELECT coalesce(string_agg(tablename, ', ' ORDER BY tablename), '') FROM pg_tables
		WHERE schemaname = 'public' AND strpos(query_to_xml(format('SELECT * FROM public.%I', tablename), true, false, '')::text, $1) > 0`, text)
}

var sentLink = regexp.MustCompile(`https://dossier\.example/portal/([A-Za-z0-9_-]{43})`)

// The key of a lead's page goes to its provider, and stands in no table: not in the message, its event, the timeline, nor in
// a reply that quotes it or words that a person wrote.
func TestPlay_the_key_of_a_page_is_stored_nowhere(t *testing.T) {
	p := newPlay(t)
	twilio := channeltest.NewTwilio(t)
	p.carried(t, twilio, nil)
	p.start(t, "ava", "collect")
	p.expectStates(t, "sms SENT")
	found := sentLink.FindStringSubmatch(twilio.Messages()[0].Form.Get("Body"))
	if found == nil {
		t.Fatalf("the lead got no link: %v", twilio.Messages()[0].Form)
	}
	link, token := found[0], found[1]
	if got := pgtest.Value[string](t, p.pg, `SELECT body FROM messages`); !strings.Contains(got, dossier.PortalLinkMark) {
		t.Errorf("stored as %q", got)
	}
	in := postgres.Inbound{Channel: "sms", From: "+12125550123", Text: "Is " + link + " yours?", ProviderID: "SM7"}
	if _, err := p.pg.DB.ReceiveMessage(t.Context(), p.ws, in, outreach.Inbound); err != nil {
		t.Fatal(err)
	}
	if _, err := p.pg.DB.CreateActivity(t.Context(), p.ws, dossier.Activity{LeadID: p.lead, EventType: "note", Title: "Sent " + link, Description: &link}, p.by); err != nil {
		t.Fatal(err)
	}
	if _, err := p.pg.DB.CreateEscalation(t.Context(), p.ws, p.lead, "Cannot open "+link, &link, p.by); err != nil {
		t.Fatal(err)
	}
	p.due(t)
	if tables := p.tablesWith(t, token); tables != "" {
		t.Errorf("the key stands in %s", tables)
	}
	if tables := p.tablesWith(t, dossier.PortalLinkMark); !strings.Contains(tables, "events") || !strings.Contains(tables, "messages") {
		t.Errorf("the mark stands in %s only", tables)
	}
	for _, message := range twilio.Messages() {
		if strings.Contains(message.Form.Get("Body"), "{{") {
			t.Errorf("a mark was sent: %s", message.Form.Get("Body"))
		}
	}
}
