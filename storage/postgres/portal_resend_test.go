package postgres_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// linked is an outbound whose lead has a link to its page.
func linked(t *testing.T, s *pgtest.Server) (*outbound, string) {
	t.Helper()
	m := newOutbound(t, s)
	link, err := s.DB.RenewPortalLink(t.Context(), m.ws, postgres.PortalOwner{Lead: m.lead}, false)
	if err != nil {
		t.Fatal(err)
	}
	return m, link.Token
}

func (m *outbound) resend(t *testing.T, token string) {
	t.Helper()
	err := m.DB.ResendPortalLink(t.Context(), token, publicURL, func(channel dossier.Channel, company, link string) (
		string, string) {
		return company, "Your page: " + link
	})
	if err != nil {
		t.Fatal(err)
	}
}

// resent is the channels by which links were sent again.
func (m *outbound) resent(t *testing.T) string {
	t.Helper()
	return pgtest.Value[string](t, m.Server, `SELECT coalesce(string_agg(channel || ' ' || to_address, ','), '')
		FROM messages WHERE workspace_id = $1`, m.ws)
}

// Whoever holds an old link gets a working one at the address on file, and the caller never hears whether anybody did:
// that would tell a stranger who is a customer.
func TestResendPortalLink(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	for _, test := range []struct{ name, change, want string }{
		{"a link that lives", "", "email ada@example.com"},
		{"one that has expired", `UPDATE portal_links SET expires_at = created_at WHERE workspace_id = $1`,
			"email ada@example.com"},
		{"without an email", `UPDATE leads SET email = NULL WHERE workspace_id = $1`, "sms +12125550123"},
		{"without a provider for emails", `UPDATE workspaces SET channels = '{"sms": {"provider": "twilio"}}' WHERE id = $1`,
			"sms +12125550123"},
		{"without any provider", `UPDATE workspaces SET channels = '{}' WHERE id = $1`, ""},
		{"without an address", `UPDATE leads SET email = NULL, phone_number = NULL WHERE workspace_id = $1`, ""},
		{"who has opted out", `UPDATE leads SET did_opt_out = true WHERE workspace_id = $1`, ""},
		{"who is closed", `UPDATE leads SET closing_status = 'COMPLETED' WHERE workspace_id = $1`, ""},
		{"who is deleted", `UPDATE leads SET deleted_at = now() WHERE workspace_id = $1`, ""},
		{"whose lender is gone", `UPDATE workspaces SET deleted_at = now() WHERE id = $1`, ""},
		{"a link that was revoked", `UPDATE portal_links SET revoked_at = created_at WHERE workspace_id = $1`, ""},
		{"a party's link", `UPDATE portal_links SET party_id = gen_random_uuid() WHERE workspace_id = $1`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m, token := linked(t, s)
			if test.change != "" {
				m.Exec(t, test.change, m.ws)
			}
			if m.resend(t, token); m.resent(t) != test.want {
				t.Errorf("sent to %q, want %q", m.resent(t), test.want)
			}
		})
	}
	m, _ := linked(t, s)
	if m.resend(t, "no token"); m.resent(t) != "" {
		t.Errorf("an unknown token sent to %s", m.resent(t))
	}
}

// A lead is sent a link every quarter of an hour and four times a day at most, or a stranger could fill its mailbox.
func TestResendPortalLink_limits(t *testing.T) {
	t.Parallel()
	m, token := linked(t, pgtest.New(t))
	sent := func(name string, after time.Duration, want int) {
		t.Helper()
		m.Clock.Advance(after)
		m.resend(t, token)
		if n := pgtest.Value[int](t, m.Server, `SELECT count(*) FROM messages`); n != want {
			t.Errorf("%s: %d messages, want %d", name, n, want)
		}
	}
	sent("at first", 0, 1)
	sent("just before the quarter", 15*time.Minute-time.Microsecond, 1)
	sent("after it", time.Microsecond, 2)
	sent("once more", time.Hour, 3)
	sent("the last of the day", time.Hour, 4)
	sent("the fifth of the day", time.Hour, 4)
	sent("a day after the first", 24*time.Hour-3*time.Hour-15*time.Minute, 5)
	body := pgtest.Value[string](t, m.Server, `SELECT body FROM messages LIMIT 1`)
	if body != "Your page: "+dossier.PortalLinkMark || strings.Contains(body, token) {
		t.Errorf("kept is %q", body)
	}
	if n := pgtest.Value[int](t, m.Server, `SELECT count(*) FROM jobs WHERE kind = 'message.send'`); n != 5 {
		t.Errorf("%d are to be sent", n)
	}
}

// A page's link opens that page alone until it ends or is replaced; whoever it belonged to is not found any more.
func TestRenewPortalLink(t *testing.T) {
	t.Parallel()
	m, token := linked(t, pgtest.New(t))
	party, err := m.DB.CreateParty(t.Context(), m.ws, m.lead, dossier.NewParty{Name: "Bo", Kind: dossier.PartyPerson,
		Role: dossier.PartyGuarantor})
	if err != nil {
		t.Fatal(err)
	}
	own, its := postgres.PortalOwner{Lead: m.lead}, postgres.PortalOwner{Lead: m.lead, Party: party.ID}
	renew := func(of postgres.PortalOwner, rotate bool) string {
		t.Helper()
		link, err := m.DB.RenewPortalLink(t.Context(), m.ws, of, rotate)
		if err != nil {
			t.Fatal(err)
		}
		return link.Token
	}
	opens := func(token string, want *postgres.PortalOwner) {
		t.Helper()
		ws, of, err := m.DB.PortalLead(t.Context(), token)
		if want == nil && dossier.KindOf(err) != dossier.NotFound || want != nil && (err != nil || of != *want || ws != m.ws) {
			t.Errorf("opens %+v, %v; want %+v", of, err, want)
		}
	}
	opens(token, &own)
	opens("nothing", nil)
	if renew(own, false) != token {
		t.Error("a link that lives was replaced")
	}
	partys := renew(its, false)
	opens(partys, &its)
	second := renew(own, true)
	opens(second, &own)
	opens(token, nil)
	opens(partys, &its) // links of other pages stay
	for range 2 {
		if err := m.DB.RevokePortalLink(t.Context(), m.ws, its); err != nil {
			t.Fatal(err)
		}
	}
	opens(partys, nil)
	m.Clock.Advance(90 * 24 * time.Hour)
	opens(second, nil)
	if third := renew(own, false); third == second {
		t.Error("an expired link was given out again")
	}
	stranger := postgres.PortalOwner{Lead: m.lead, Party: dossier.PartyID(postgres.NewID())}
	if _, err := m.DB.RenewPortalLink(t.Context(), m.ws, stranger, false); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("a party that is not there: %v", err)
	}
	if kept := pgtest.Value[string](t, m.Server, `SELECT string_agg(p::text, ' ') FROM portal_links p`); strings.Contains(
		kept, token) || strings.Contains(kept, second) {
		t.Error("a token stands in the open")
	}
}

// A key opens its workspace while the secret fits; that it was used is noted once a minute, and not of one that ended.
func TestAuthenticate(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws := s.Workspace(t)
	ends := s.Clock.Now().Add(time.Hour)
	key, text, err := s.DB.CreateKey(t.Context(), ws, postgres.NewKey{Name: "k", ExpiresAt: &ends})
	if err != nil {
		t.Fatal(err)
	}
	used := func(want time.Duration) {
		t.Helper()
		at, found, err := s.DB.Authenticate(t.Context(), key.Prefix, dossier.HashKey(text))
		if err != nil || at != ws || found.ID != key.ID {
			t.Fatalf("%s, %+v, %v", at, found, err)
		}
		if last := pgtest.Value[time.Time](t, s, `SELECT last_used_at FROM api_keys`); !last.Equal(ends.Add(-want)) {
			t.Errorf("last used %s before its end, want %s", ends.Sub(last), want)
		}
	}
	used(time.Hour)
	s.Clock.Advance(time.Minute - time.Microsecond)
	used(time.Hour)
	s.Clock.Advance(time.Microsecond)
	used(59 * time.Minute)
	s.Clock.Set(ends)
	used(59 * time.Minute) // expired: it is found, and not used
	for name, try := range map[string]struct{ prefix, text string }{
		"another secret": {key.Prefix, text + "0"}, "another prefix": {"dsr_live_0", text}, "none": {"", ""}} {
		if _, _, err := s.DB.Authenticate(t.Context(), try.prefix, dossier.HashKey(try.text)); dossier.KindOf(err) !=
			dossier.NotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{string(key.ID), key.Prefix} {
		if at, found, err := s.DB.FindKey(t.Context(), name); err != nil || at != ws || found.ID != key.ID {
			t.Errorf("%s: %s, %v", name, at, err)
		}
	}
	if _, _, err := s.DB.FindKey(t.Context(), "dsr_live_0"); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("a key that is not there: %v", err)
	}
	for range 2 { // the second changes nothing
		if err := s.DB.RevokeKey(t.Context(), ws, key.ID); err != nil {
			t.Fatal(err)
		}
	}
	if n := pgtest.Value[int](t, s, `SELECT count(*) FROM audit_entries WHERE action = $1`, dossier.AuditKeyRevoke); n != 1 {
		t.Errorf("revoked in %d entries of the audit", n)
	}
	s.Exec(t, `UPDATE workspaces SET deleted_at = now()`)
	if _, _, err := s.DB.Authenticate(t.Context(), key.Prefix, dossier.HashKey(text)); dossier.KindOf(err) !=
		dossier.NotFound {
		t.Errorf("a deleted workspace lets in: %v", err)
	}
}

// A workspace has so many keys that open it and no more, also when several are made at once; what has ended makes room.
func TestCreateKey_limit(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws := s.Workspace(t)
	s.Exec(t, `UPDATE workspaces SET limits = '{"apiKeys": 3}' WHERE id = $1`, ws)
	made := make(chan error, 8)
	for range cap(made) {
		go func() {
			_, _, err := s.DB.CreateKey(t.Context(), ws, postgres.NewKey{Name: "k", ExpiresAt: ptr(s.Clock.Now().Add(time.Second))})
			made <- err
		}()
	}
	ok := 0
	for range cap(made) {
		var refused *dossier.Error
		if err := <-made; err == nil {
			ok++
		} else if !errors.As(err, &refused) || refused.Code != "limit_reached" {
			t.Errorf("%v, want limit_reached", err)
		}
	}
	if ok != 3 {
		t.Errorf("%d keys were made", ok)
	}
	s.Clock.Advance(time.Second)
	if _, _, err := s.DB.CreateKey(t.Context(), ws, postgres.NewKey{Name: "k"}); err != nil {
		t.Errorf("beside keys that have expired: %v", err)
	}
}
