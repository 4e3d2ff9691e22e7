package api

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/jobs/channel"
	"github.com/dossierhq/dossier/jobs/channel/channeltest"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// twilioServer is a server whose workspace texts by Twilio, and the address that Twilio calls.
func twilioServer(t *testing.T, secret func(string) string, change ...func(*Config)) (s *testServer, address string) {
	t.Helper()
	s = newTestServer(t, append(change, func(c *Config) { c.Secret = secret })...)
	s.Exec(t, `UPDATE workspaces SET channels = $2 WHERE id = $1`, s.Workspace, map[string]dossier.ChannelConfig{
		"sms": {Provider: "twilio", AccountSID: channeltest.TwilioAccount, AuthTokenEnv: "TWILIO", From: "+12125550100"}, "email": {Provider: "log"}})
	s.Lead(t, s.Workspace)
	return s, s.URL + "/inbound/sms/" + pgtest.Value[string](t, s.Server, `SELECT inbound_token FROM workspaces WHERE id = $1`, s.Workspace)
}

func twilioToken(name string) string {
	return map[string]string{"TWILIO": channeltest.TwilioToken}[name]
}

var twilioCall = url.Values{"MessageSid": {"SM1"}, "From": {"+12125550123"}, "To": {"+12125550100"}, "Body": {"What is missing? ¿Sí?"}, "NumMedia": {"0"}, "SmsStatus": {"received"}}

func TestInbound_twilio(t *testing.T) {
	t.Parallel()
	s, address := twilioServer(t, twilioToken)
	for range 2 { // Twilio repeats what it thinks was not heard
		response := channeltest.Call(t, address, twilioCall)
		body, _ := io.ReadAll(response.Body)
		if response.StatusCode != http.StatusOK || string(body) != noReply || !strings.HasPrefix(response.Header.Get("Content-Type"), "text/xml") {
			t.Errorf("answered %d %s %s", response.StatusCode, response.Header.Get("Content-Type"), body)
		}
	}
	got := pgtest.Value[string](t, s.Server, `SELECT string_agg(concat_ws('|', channel, status, from_address, to_address, body, lead_id IS NOT NULL), ';') FROM messages`)
	if got != "sms|RECEIVED|+12125550123|+12125550100|What is missing? ¿Sí?|t" {
		t.Errorf("kept %s", got)
	}
}

// What Twilio did not sign is refused, whatever is wrong with it, and leaves no trace.
func TestInbound_twilio_refuses_what_is_not_signed(t *testing.T) {
	t.Parallel()
	s, address := twilioServer(t, twilioToken)
	deaf, deafAddress := twilioServer(t, func(string) string { return "" })
	for name, call := range map[string]func() (string, url.Values, string){
		"no signature": func() (string, url.Values, string) { return address, twilioCall, "" },
		"another token": func() (string, url.Values, string) {
			return address, twilioCall, channel.TwilioSignature("other", address, twilioCall)
		},
		"another address": func() (string, url.Values, string) {
			return address + "?message=1", twilioCall, channel.TwilioSignature(channeltest.TwilioToken, address, twilioCall)
		},
		"no token configured": func() (string, url.Values, string) {
			return deafAddress, twilioCall, channel.TwilioSignature("", deafAddress, twilioCall)
		},
		"a changed body": func() (string, url.Values, string) {
			return address, url.Values{"MessageSid": {"SM1"}, "From": {"+12125550123"}, "Body": {"STOP"}}, channel.TwilioSignature(channeltest.TwilioToken, address, twilioCall)
		},
	} {
		target, form, signature := call()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, target, strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("X-Twilio-Signature", signature)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if response.StatusCode != http.StatusForbidden || !strings.Contains(string(body), "invalid_signature") {
			t.Errorf("%s: %d %s", name, response.StatusCode, body)
		}
	}
	if n := pgtest.Value[int](t, s.Server, `SELECT count(*) FROM messages`) + pgtest.Value[int](t, deaf.Server, `SELECT count(*) FROM messages`); n != 0 {
		t.Errorf("%d messages were kept", n)
	}
}

// The files of an email become documents, but for what belongs to a signature. What nobody can read is kept and noted,
// what is too large is noted, and the words beside it are kept.
func TestInbound_mail_attachments(t *testing.T) {
	t.Parallel()
	s, address := twilioServer(t, nil, withObjects(t))
	s.Exec(t, `UPDATE leads SET email = 'ann@example.com'`)
	file := func(name, kind string, size int) map[string]string {
		content := append([]byte(name), make([]byte, size)...) // no two alike: the same bytes are one document
		return map[string]string{"filename": name, "contentType": kind, "content": base64.StdEncoding.EncodeToString(content)}
	}
	body, _ := json.Marshal(map[string]any{"from": "Ann Lee <ANN@example.com>", "subject": "Papers", "text": "Here they are.\n\nAnn Lee", "messageId": "<p1@mail.example>", "attachments": []map[string]string{
		file("january.pdf", "application/pdf", 9000), file("february.pdf", "application/octet-stream", 9000), file("IMG_0042.jpeg", "image/jpeg", 90_000),
		file("image001.png", "image/png", 20_000), file("x.gif", "image/gif", 43), file("smime.p7s", "application/pkcs7-signature", 5000), file("ann.vcf", "text/vcard", 5000),
		file("statements.zip", "application/zip", 9000), file("scan.pdf", "application/pdf", dossier.MaxMailFile)}})
	got := s.do(t, http.MethodPost, strings.TrimPrefix(strings.Replace(address, "/sms/", "/email/", 1), s.URL), string(body))
	if got.Status != http.StatusAccepted {
		t.Fatalf("answered %d %s", got.Status, got.Body)
	}
	kept := pgtest.Value[string](t, s.Server, `SELECT string_agg(filename || ' ' || source, ', ' ORDER BY filename) FROM documents`)
	if kept != "IMG_0042.jpeg portal, february.pdf portal, january.pdf portal, statements.zip portal" {
		t.Errorf("documents: %s", kept)
	}
	noted := pgtest.Value[string](t, s.Server, `SELECT concat_ws(' ', m.body, cardinality(m.document_ids), m.refused, a.input->'leftAside', a.input->'refused') FROM messages m JOIN action_logs a ON a.message_id = m.id`)
	want := "Here they are.\n\nAnn Lee 4 " + `[{"why": "size", "name": "scan.pdf"}, {"why": "type", "name": "statements.zip"}] ["image001.png", "x.gif", "smime.p7s", "ann.vcf"] [{"why": "size", "name": "scan.pdf"}]`
	if diff := cmp.Diff(want, noted); diff != "" {
		t.Errorf("the message (-want +got):\n%s", diff)
	}
}

// What may be as large as a file has its time, and only that.
func TestRoutes_large_bodies_have_time(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	slow := map[string]bool{}
	for _, r := range s.API.routes() {
		if r.deadline() >= 10*time.Minute {
			slow[r.method+" "+r.path] = true
		}
	}
	if !slow["POST /inbound/{channel}/{token}"] || !slow["POST /api/v1/documents"] || slow["POST /api/v1/leads"] || slow["GET /api/v1/leads"] {
		t.Errorf("slow are %v", slow)
	}
}

// sentMessage is a message that left, with the provider's id.
func sentMessage(t *testing.T, s *testServer, channel, providerID string) string {
	t.Helper()
	id := postgres.NewID()
	s.Exec(t, `INSERT INTO messages (workspace_id, id, lead_id, direction, channel, status, body, provider_message_id, sent_at, created_at, updated_at)
		SELECT workspace_id, $1, id, 'OUTBOUND', $2, 'SENT', 'x', $3, created_at, created_at, created_at FROM leads LIMIT 1`, id, channel, providerID)
	return id
}

func outcome(t *testing.T, s *testServer, id string) string {
	t.Helper()
	return pgtest.Value[string](t, s.Server, `SELECT concat_ws('|', status, error_code, error_detail) FROM messages WHERE id = $1`, id)
}

func TestInbound_twilio_reports(t *testing.T) {
	t.Parallel()
	s, address := twilioServer(t, twilioToken)
	arrived, lost := sentMessage(t, s, "sms", "SM1"), sentMessage(t, s, "sms", "SM2")
	for _, call := range []struct{ message, sid, status, code string }{
		{arrived, "SM1", "sent", ""}, {arrived, "SM1", "delivered", ""}, {lost, "SM2", "undelivered", "30005"}, {postgres.NewID(), "SM3", "delivered", ""},
	} {
		form := url.Values{"MessageSid": {call.sid}, "MessageStatus": {call.status}, "To": {"+12125550123"}}
		if call.code != "" {
			form.Set("ErrorCode", call.code)
		}
		if response := channeltest.Call(t, address+"?message="+call.message, form); response.StatusCode != http.StatusNoContent {
			t.Errorf("%v answered %d", call, response.StatusCode)
		}
	}
	if got := outcome(t, s, arrived); got != "DELIVERED" {
		t.Errorf("the first message is %s", got)
	}
	if got := outcome(t, s, lost); got != "FAILED|invalid_recipient|Twilio error 30005: no explanation" {
		t.Errorf("the second message is %s", got)
	}
}

// A mail server's notification settles the message it is about (RFC 3464).
func TestInbound_bounces(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ status, want string }{
		"no such mailbox": {"Reporting-MTA: dns; mx.example\r\n\r\nFinal-Recipient: rfc822; ann@example.com\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 no such user\r\n here\r\n",
			"FAILED|bounced|The email came back: 5.1.1 smtp; 550 no such user here"},
		"full mailbox": {"Reporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; ann@example.com\nAction: failed\nStatus: 5.2.2\n", "FAILED|undelivered|The email came back: 5.2.2"},
		"delayed":      {"Reporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; ann@example.com\nAction: delayed\nStatus: 4.4.1\n", "SENT"},
		"delivered":    {"Reporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; ann@example.com\nAction: delivered\nStatus: 2.0.0\n", "DELIVERED"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, address := twilioServer(t, nil)
			id := sentMessage(t, s, "email", "<m1@acme.example>")
			encode := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
			body, _ := json.Marshal(map[string]any{"from": "MAILER-DAEMON@mx.example", "subject": "Delivery Status Notification", "text": "Sorry.", "messageId": "<dsn1@mx.example>",
				"attachments": []map[string]string{{"filename": "status", "contentType": "message/delivery-status", "content": encode(test.status)},
					{"filename": "headers", "contentType": "text/rfc822-headers", "content": encode("From: files@acme.example\r\nMessage-ID: <m1@acme.example>\r\n")}}})
			got := s.do(t, http.MethodPost, strings.TrimPrefix(strings.Replace(address, "/sms/", "/email/", 1), s.URL), string(body))
			if got.Status != http.StatusAccepted || !strings.Contains(string(got.Body), id) {
				t.Errorf("answered %d %s", got.Status, got.Body)
			}
			if diff := cmp.Diff(test.want, outcome(t, s, id)); diff != "" {
				t.Errorf("the message (-want +got):\n%s", diff)
			}
		})
	}
}

// unsubscribeLink is the token of the link that goes along with an email to a lead.
func unsubscribeLink(t *testing.T, s *testServer, lead dossier.LeadID) (token string) {
	t.Helper()
	id := dossier.MessageID(postgres.NewID())
	s.Exec(t, `UPDATE workspaces SET quiet_from = '00:00', quiet_to = '00:00', channels = '{"email": {"provider": "smtp"}}'`)
	s.Exec(t, `INSERT INTO messages (workspace_id, id, lead_id, direction, channel, status, body, created_at, updated_at)
		VALUES ($1, $2, $3, 'OUTBOUND', 'email', 'QUEUED', 'Hello', $4, $4)`, s.Workspace, id, lead, s.Clock.Now())
	staged, err := s.DB.StageJobs(t.Context(), s.Workspace, jobs.SendMessage{Workspace: s.Workspace, Message: id})
	if err != nil {
		t.Fatal(err)
	}
	claim, ok, err := s.DB.ClaimJob(t.Context(), staged[0], 1, "test")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	err = s.DB.SendMessage(t.Context(), claim, id, "https://x", func(_ context.Context, out dossier.Outgoing) (
		dossier.SendResult, error) {
		token = strings.TrimPrefix(out.Contact.Unsubscribe, "https://x/unsubscribe/")
		return dossier.SendResult{}, nil
	})
	if err != nil || token == "" {
		t.Fatal(err)
	}
	return token
}

// The link of an email asks first and opts out by one POST, for every lead with the address.
func TestUnsubscribe(t *testing.T) {
	t.Parallel()
	s, _ := twilioServer(t, nil)
	s.Exec(t, `UPDATE leads SET phone_number = NULL, email = 'ANN@example.com'`)
	second, _ := s.Lead(t, s.Workspace)
	s.Exec(t, `UPDATE leads SET email = 'ann@example.com' WHERE id = $1`, second)
	link := unsubscribeLink(t, s, second)
	out := func() int { return pgtest.Value[int](t, s.Server, `SELECT count(*) FROM leads WHERE did_opt_out`) }
	page := s.do(t, http.MethodGet, "/unsubscribe/"+link, "")
	if page.Status != http.StatusOK || !strings.Contains(string(page.Body), "<button") || strings.Contains(string(page.Body), "example.com") || out() != 0 {
		t.Errorf("the page: %d %s; %d out", page.Status, page.Body, out())
	}
	for range 2 {
		response, err := http.Post(s.URL+"/unsubscribe/"+link, "application/x-www-form-urlencoded", strings.NewReader("List-Unsubscribe=One-Click"))
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusOK || out() != 2 {
			t.Errorf("one click: %d, %d leads out; want both with the address", response.StatusCode, out())
		}
	}
	if got := s.do(t, http.MethodPost, "/unsubscribe/nobody", ""); got.Status != http.StatusNotFound {
		t.Errorf("an unknown link: %d", got.Status)
	}
	if n := pgtest.Value[int](t, s.Server, `SELECT count(*) FROM events WHERE type = 'lead.opted_out'`); n != 2 {
		t.Errorf("%d events lead.opted_out, want one a lead", n)
	}
}

// Of a sender whom nobody vouches for a message is kept and shown, and an opt-out is obeyed; nothing else it says is.
func TestInbound_authenticated(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	s.Exec(t, `UPDATE workspaces SET channels = '{"email": {"provider": "log"}, "sms": {"provider": "log"}}'`)
	s.Lead(t, s.Workspace, dossier.FieldEIN)
	token := pgtest.Value[string](t, s.Server, `SELECT inbound_token FROM workspaces`)
	n := 0
	send := func(channel, rest string) int {
		n++
		return s.do(t, "POST", "/inbound/"+channel+"/"+token, `{"from": "ada@example.com", "messageId": "m`+strconv.Itoa(n)+`", `+rest+`}`, "x-api-key", "").Status
	}
	state := func() string {
		return pgtest.Value[string](t, s.Server, `SELECT concat_ws('|', (SELECT did_opt_out FROM leads), (SELECT coalesce(max(value::text), 'none') FROM checklist_entries),
			(SELECT authenticated FROM messages WHERE direction = 'INBOUND' ORDER BY created_at DESC, id DESC LIMIT 1))`)
	}
	for _, step := range []struct{ channel, rest, want string }{
		{"email", `"authenticated": false, "text": "Our EIN is 12-3456789"`, "f|none|f"},
		{"email", `"authenticated": false, "text": "STOP"`, "t|none|f"},
		{"email", `"authenticated": false, "text": "START"`, "t|none|f"},
		{"email", `"authenticated": true, "text": "START"`, "f|none|t"},
		{"email", `"text": "Our EIN is 12-3456789"`, `f|"12-3456789"|t`}, // of the log provider
	} {
		if status := send(step.channel, step.rest); status != 202 || state() != step.want {
			t.Errorf("%s: %d, %s; want %s", step.rest, status, state(), step.want)
		}
	}
	for _, wrong := range []struct{ channel, rest string }{{"email", `"authenticated": "yes", "text": "x"`}, {"email", `"authenticated": null, "text": "x"`}, {"sms", `"authenticated": true, "text": "x"`}} {
		if status := send(wrong.channel, wrong.rest); status != 400 {
			t.Errorf("%s by %s: %d", wrong.rest, wrong.channel, status)
		}
	}
	s.Exec(t, `UPDATE workspaces SET channels = '{"email": {"provider": "smtp", "host": "mail.example", "port": 25, "from": "a@lender.example"}}'`)
	s.Exec(t, `UPDATE checklist_entries SET value = NULL, status = 'TODO'`)
	if status := send("email", `"text": "Our EIN is 12-3456789"`); status != 202 || state() != "f|none|f" {
		t.Errorf("a gateway that does not say: %d, %s", status, state())
	}
}
