package worker

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs/channel"
	"github.com/dossierhq/dossier/jobs/channel/channeltest"
	"github.com/dossierhq/dossier/pipelines/outreach"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// carried makes the play's messages go by providers: sms and whatsapp by Twilio, email by a mail server.
func (p *play) carried(t *testing.T, twilio *channeltest.Twilio, mail *channeltest.MailServer) {
	t.Helper()
	channels := map[string]dossier.ChannelConfig{}
	if twilio != nil {
		twilio.Now = p.pg.Clock.Now
		config := dossier.ChannelConfig{Provider: "twilio", AccountSID: channeltest.TwilioAccount, AuthTokenEnv: "TWILIO", From: "+12125550100", URL: twilio.URL,
			TemplateSID: "HX1", TemplateText: "Hi {{firstName}}, {{workspaceName}} still needs something from you: {{portalLink}}"}
		channels["sms"], channels["whatsapp"] = config, config
	}
	if mail != nil {
		channels["email"] = dossier.ChannelConfig{Provider: "smtp", Host: mail.Host, Port: mail.Port, Username: channeltest.MailUser, PasswordEnv: "MAIL", From: "files@acme.example"}
	}
	p.pg.Exec(t, `UPDATE workspaces SET channels = $1`, channels)
	p.w.Channels = channel.Carriers{Now: p.pg.Clock.Now, Secret: func(name string) string {
		return map[string]string{"MAIL": channeltest.MailPassword, "TWILIO": channeltest.TwilioToken}[name]
	}}
}

// states lists the lead's outbound messages: channel, state, error.
func (p *play) states(t *testing.T) []string {
	return pgtest.Value[[]string](t, p.pg, `SELECT coalesce(array_agg(concat_ws(' ', channel, status, error_code) ORDER BY created_at, id), '{}')
		FROM messages WHERE lead_id = $1 AND direction = 'OUTBOUND'`, p.lead)
}

func (p *play) expectStates(t *testing.T, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, p.states(t)); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
}

func (p *play) report(t *testing.T, r dossier.DeliveryReceipt) {
	t.Helper()
	if _, err := p.pg.DB.ReportMessage(t.Context(), p.ws, r); err != nil {
		t.Fatal(err)
	}
}

func TestPlay_twilio_carries_and_reports(t *testing.T) {
	p := newPlay(t)
	twilio := channeltest.NewTwilio(t)
	p.carried(t, twilio, nil)
	p.start(t, "ava", "collect")
	p.expectStates(t, "sms SENT")
	sid := twilio.Messages()[0].SID
	for _, status := range []string{"delivered", "sent", "delivered", "failed"} { // in any order, more than once
		p.report(t, dossier.DeliveryReceipt{Channel: "sms", ProviderID: sid, Status: channel.TwilioStatus(status), Error: channel.TwilioError(30003, "")})
	}
	p.expectStates(t, "sms DELIVERED")
	if diff := cmp.Diff("lead.created workflow_run.created message.sent message.delivered", p.eventTypes(t)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// A worker that dies while the provider is being called leaves a message of which nobody knows: the next try asks the
// provider where it can be asked, and never sends again.
func TestPlay_a_crash_between_call_and_commit_sends_once(t *testing.T) {
	for name, test := range map[string]struct {
		channel string
		arrived bool
		want    string
	}{
		"sms, it had arrived":          {"sms", true, "sms SENT"},
		"sms, it had not arrived":      {"sms", false, "sms FAILED outcome_unknown"},
		"whatsapp, it had arrived":     {"whatsapp", true, "whatsapp SENT"},
		"whatsapp, it had not arrived": {"whatsapp", false, "whatsapp FAILED outcome_unknown"},
		"email, it had arrived":        {"email", true, "email FAILED outcome_unknown"}, // SMTP cannot be asked
		"email, it had not arrived":    {"email", false, "email FAILED outcome_unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlay(t)
			p.pg.Exec(t, `UPDATE agents SET channels = ARRAY[$1] WHERE key = 'ava'`, test.channel)
			twilio, mail := channeltest.NewTwilio(t), channeltest.NewMailServer(t)
			p.carried(t, twilio, mail)
			if _, err := p.create(t, "ava", "collect"); err != nil {
				t.Fatal(err)
			}
			p.dies = func(ctx context.Context, m dossier.Outgoing) {
				if test.arrived {
					if _, err := p.w.Channels.Send(ctx, m); err != nil {
						t.Error(err)
					}
				}
			}
			p.due(t)
			p.expectStates(t, test.channel+" QUEUED")
			p.dies = nil
			p.lost(t) // the reaper gives the job to another worker
			p.due(t)
			p.expectStates(t, test.want)
			if n := len(twilio.Messages()) + len(mail.Letters()); n != map[bool]int{true: 1, false: 0}[test.arrived] {
				t.Errorf("the provider has %d messages", n)
			}
		})
	}
}

// A stop that comes before the next try leaves nobody who would ask: the message may have arrived, and is told so.
func TestPlay_a_stop_after_a_lost_call_is_told(t *testing.T) {
	for name, stop := range stops {
		t.Run(name, func(t *testing.T) {
			p := newPlay(t)
			twilio := channeltest.NewTwilio(t)
			p.carried(t, twilio, nil)
			run, err := p.create(t, "ava", "collect")
			if err != nil {
				t.Fatal(err)
			}
			p.dies = func(ctx context.Context, m dossier.Outgoing) { _, _ = p.w.Channels.Send(ctx, m) }
			p.due(t)
			p.dies = nil
			if err := stop(p, run.ID); err != nil {
				t.Fatal(err)
			}
			p.lost(t)
			p.due(t)
			p.expectStates(t, "sms FAILED outcome_unknown")
			if events := p.eventTypes(t); strings.Count(events, "message.failed") != 1 || strings.Contains(events, "message.sent") {
				t.Errorf("events: %s", events)
			}
			if got := pgtest.Value[string](t, p.pg, `SELECT status FROM action_logs WHERE message_id IS NOT NULL`); got != "FAILED" {
				t.Errorf("the entry of the timeline is %s", got)
			}
			if n := len(twilio.Messages()); n != 1 {
				t.Errorf("Twilio has %d messages", n)
			}
		})
	}
}

// The provider log takes a message in the commit itself: a worker that lost its job before has sent nothing, and the
// next one sends once.
func TestPlay_a_crash_before_the_log_took_it_sends_once(t *testing.T) {
	p := newPlay(t)
	p.start(t, "max", "collect")
	id := dossier.MessageID(pgtest.Value[string](t, p.pg, `SELECT id::text FROM messages`))
	if _, err := p.pg.DB.ApproveMessage(t.Context(), p.ws, id, postgres.Caller{Source: dossier.SourceImported}); err != nil {
		t.Fatal(err)
	}
	job := dossier.JobID(pgtest.Value[string](t, p.pg, `SELECT id::text FROM jobs WHERE kind = 'message.send'`))
	claim, ok, err := p.pg.DB.ClaimJob(t.Context(), job, 1, "dying")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	p.lost(t)
	if err := p.do(t, claim.Kind, claim); !errors.Is(err, postgres.ErrFenced) {
		t.Errorf("the worker that lost its job: %v", err)
	}
	p.expectStates(t, "email QUEUED")
	p.due(t)
	p.expectStates(t, "email SENT")
	if n := strings.Count(p.eventTypes(t), "message.sent"); n != 1 {
		t.Errorf("%d events of one message", n)
	}
}

// A report of the provider settles what nobody knew.
func TestPlay_a_report_settles_an_unknown_outcome(t *testing.T) {
	p := newPlay(t)
	twilio := channeltest.NewTwilio(t, channeltest.TwilioFault{Taken: true, Lag: true})
	p.carried(t, twilio, nil)
	p.start(t, "ava", "collect")
	p.expectStates(t, "sms FAILED outcome_unknown")
	id := pgtest.Value[string](t, p.pg, `SELECT id::text FROM messages`)
	p.report(t, dossier.DeliveryReceipt{Channel: "sms", MessageID: dossier.MessageID(id), ProviderID: twilio.Messages()[0].SID, Status: dossier.MessageDelivered})
	p.expectStates(t, "sms DELIVERED")
	if n := pgtest.Value[int](t, p.pg, `SELECT count(*) FROM messages WHERE error_code IS NULL AND sent_at IS NOT NULL AND delivered_at IS NOT NULL`); n != 1 {
		t.Error("the message still has an error")
	}
}

// An address that does not work is not used again; the agent goes another way, and asks for a person when there is none.
func TestPlay_dead_addresses_are_left(t *testing.T) {
	p := newPlay(t)
	twilio, mail := channeltest.NewTwilio(t, channeltest.TwilioFault{Status: 400, Code: 21614}), channeltest.NewMailServer(t)
	p.carried(t, twilio, mail)
	p.start(t, "ava", "collect")
	p.pass(t, 49*time.Hour)
	p.expectStates(t, "sms FAILED invalid_recipient", "email SENT")
	id := mail.Letters()[0].Header.Get("Message-Id")
	p.report(t, dossier.DeliveryReceipt{Channel: "email", ProviderID: id, Status: dossier.MessageFailed, Error: dossier.Coded(dossier.Conflict, "bounced", "The email came back: 5.1.1")})
	p.expectStates(t, "sms FAILED invalid_recipient", "email FAILED bounced")
	p.pass(t, 60*24*time.Hour)
	p.expectStates(t, "sms FAILED invalid_recipient", "email FAILED bounced")
	if reason := pgtest.Value[string](t, p.pg, `SELECT string_agg(reason, ', ') FROM escalations`); reason != "The lead cannot be reached" {
		t.Errorf("escalations: %s", reason)
	}
	if !strings.HasSuffix(p.eventTypes(t), "message.failed message.sent message.failed lead.escalated review.opened") {
		t.Errorf("events: %s", p.eventTypes(t))
	}
}

func TestPlay_who_opted_out_with_the_provider_has_opted_out(t *testing.T) {
	p := newPlay(t)
	p.carried(t, channeltest.NewTwilio(t, channeltest.TwilioFault{Status: 400, Code: 21610}), nil)
	p.start(t, "ava", "collect")
	p.pass(t, 30*24*time.Hour)
	p.expectStates(t, "sms FAILED recipient_opted_out")
	if !pgtest.Value[bool](t, p.pg, `SELECT did_opt_out FROM leads WHERE id = $1`, p.lead) {
		t.Error("the lead has not opted out")
	}
}

func TestPlay_whatsapp_keeps_its_window(t *testing.T) {
	p := newPlay(t)
	p.pg.Exec(t, `UPDATE agents SET channels = '{whatsapp}' WHERE key = 'ava'`)
	twilio := channeltest.NewTwilio(t)
	p.carried(t, twilio, nil)
	p.start(t, "ava", "collect")
	first := twilio.Messages()[0].Form
	if first.Get("ContentSid") != "HX1" || !strings.HasPrefix(first.Get("ContentVariables"), `{"1":"Ann","2":"Acme Lending","3":"https://dossier.example/portal/`) {
		t.Errorf("the first message: %v; want the approved template", first)
	}
	if body := pgtest.Value[string](t, p.pg, `SELECT body FROM messages`); !strings.HasPrefix(body, "Hi Ann, Acme Lending still needs something from you: {{portalLink}}") {
		t.Errorf("stored as %q, want the words that arrive", body)
	}
	if _, err := p.pg.DB.ReceiveMessage(t.Context(), p.ws, postgres.Inbound{Channel: "whatsapp", From: "+12125550123", Text: "What is missing?", ProviderID: "SM9"}, outreach.Inbound); err != nil {
		t.Fatal(err)
	}
	p.due(t)
	if answer := twilio.Messages()[1].Form; !strings.Contains(answer.Get("Body"), "this is what we still need:\n\n- Legal business name") {
		t.Errorf("the answer: %v; want free words", answer)
	}
}

func TestPlay_emails_are_one_thread(t *testing.T) {
	p := newPlay(t)
	p.pg.Exec(t, `UPDATE agents SET channels = '{email}' WHERE key = 'ava'`)
	mail := channeltest.NewMailServer(t)
	p.carried(t, nil, mail)
	p.start(t, "ava", "collect")
	first := mail.Letters()[0].Header
	subject := "Re: " + first.Get("Subject")
	answered := first.Get("Message-Id")
	if _, err := p.pg.DB.ReceiveMessage(t.Context(), p.ws, postgres.Inbound{Channel: "email", From: "ann@example.com", Subject: &subject, Text: "What is missing?\n\nOn Monday Ava wrote:\n> our lawyer",
		ProviderID: "<q1@mail.example>", InReplyTo: &answered}, outreach.Inbound); err != nil {
		t.Fatal(err)
	}
	p.due(t)
	reply := mail.Letters()[1].Header
	for name, want := range map[string]string{"In-Reply-To": "<q1@mail.example>", "References": answered + " <q1@mail.example>", "Subject": subject} {
		if got := reply.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	link := strings.Trim(reply.Get("List-Unsubscribe"), "<>")
	token := link[strings.LastIndexByte(link, '/')+1:]
	who, err := p.pg.DB.Unsubscribe(t.Context(), token)
	if err != nil || !who.Out || who.Company != "Acme Lending" {
		t.Errorf("unsubscribed: %+v, %v", who, err)
	}
	p.pass(t, 30*24*time.Hour)
	p.expectStates(t, "email SENT", "email SENT")
	if got := p.eventTypes(t); !strings.HasSuffix(got, "lead.updated lead.opted_out") {
		t.Errorf("events: %s", got)
	}
	if _, err := p.pg.DB.Unsubscribe(t.Context(), token[:len(token)-3]+"abc"); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("a changed token: %v", err)
	}
}

// A provider that stays away uses up no message silently: at the end it is FAILED with the reason.
func TestPlay_a_provider_that_stays_away_fails_the_message(t *testing.T) {
	p := newPlay(t)
	p.carried(t, channeltest.NewTwilio(t), nil)
	p.w.Channels.Secret = nil
	if _, err := p.create(t, "ava", "collect"); err != nil {
		t.Fatal(err)
	}
	p.gaveUp = true
	p.due(t)
	p.expectStates(t, "sms FAILED provider_unreachable")
}

// A message that was approved fails when the configuration no longer has its channel.
func TestPlay_a_channel_without_a_provider_fails_the_message(t *testing.T) {
	p := newPlay(t)
	p.start(t, "max", "collect")
	id := pgtest.Value[string](t, p.pg, `SELECT id::text FROM messages`)
	if _, err := p.pg.DB.ApproveMessage(t.Context(), p.ws, dossier.MessageID(id), postgres.Caller{Source: dossier.SourceImported}); err != nil {
		t.Fatal(err)
	}
	p.pg.Exec(t, `UPDATE workspaces SET channels = '{}' WHERE id = $1`, p.ws)
	p.due(t)
	p.expectStates(t, "email FAILED channel_not_configured")
}

func TestPlay_texted_files_become_documents(t *testing.T) {
	p := newPlay(t)
	p.w.Objects = objectstest.New(t)
	twilio := channeltest.NewTwilio(t)
	p.carried(t, twilio, nil)
	p.start(t, "ava", "collect")
	if _, err := p.pg.DB.ReceiveMessage(t.Context(), p.ws, postgres.Inbound{Channel: "sms", From: "+12125550123", Text: "Here it is", ProviderID: "MM1",
		Media: []postgres.Media{{URL: twilio.Keep("ME1", "%PDF-1.7"), ContentType: "application/pdf"}, {URL: twilio.URL + "/gone", ContentType: "image/jpeg"}}}, outreach.Inbound); err != nil {
		t.Fatal(err)
	}
	p.due(t)
	if got := pgtest.Value[string](t, p.pg, `SELECT concat_ws(' ', filename, mime_type, size, source) FROM documents WHERE lead_id = $1`, p.lead); got != "attachment-ME1.pdf application/pdf 8 portal" {
		t.Errorf("documents: %s", got)
	}
	if body := twilio.Messages()[1].Form.Get("Body"); body != "Hi Ann, thank you, your document arrived and will be checked now." {
		t.Errorf("answered %q", body)
	}
	if n := pgtest.Value[int](t, p.pg, `SELECT count(*) FROM action_logs WHERE summary = '1 attached file could not be fetched from the provider'`); n != 1 {
		t.Error("the lost file is not on the timeline")
	}
}

// Whoever mails files is told which of them cannot be used, and why.
func TestPlay_mailed_files_that_cannot_be_used_are_told(t *testing.T) {
	for name, test := range map[string]struct {
		files   []string
		refused []dossier.RefusedFile
		want    string
	}{
		"all fine":    {[]string{"a.pdf", "b.jpg"}, nil, "Hi Ann, thank you, your 2 documents arrived and will be checked now."},
		"one of them": {[]string{"a.pdf", "b.zip"}, nil, "Hi Ann, thank you, your document arrived and will be checked now. I cannot open b.zip: please send a PDF, a photo (JPEG or PNG), or an Excel, Word or CSV file."},
		"none": {[]string{"a.exe"}, []dossier.RefusedFile{{Name: "scan.pdf", Why: dossier.RefusedSize}},
			"Hi Ann, thank you for your message. I cannot open a.exe: please send a PDF, a photo (JPEG or PNG), or an Excel, Word or CSV file. scan.pdf is too large for an email. You can upload it here: LINK"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlay(t)
			p.start(t, "ava", "collect")
			in := postgres.Inbound{Channel: "email", From: "ann@example.com", Text: "Here it is", ProviderID: "<m1@mail.example>", Refused: test.refused}
			for i, name := range test.files {
				id := dossier.DocumentID(postgres.NewID())
				in.Files = append(in.Files, postgres.NewFile{ID: id, Filename: name, MimeType: "application/octet-stream", Size: 8, SHA256: []byte{byte(i)}, ObjectKey: "documents/" + string(id)})
			}
			if _, err := p.pg.DB.ReceiveMessage(t.Context(), p.ws, in, outreach.Inbound); err != nil {
				t.Fatal(err)
			}
			p.due(t)
			body := pgtest.Value[string](t, p.pg, `SELECT body FROM messages WHERE direction = 'OUTBOUND' AND channel = 'email'`)
			if diff := cmp.Diff(test.want+"\n\nThank you,\nAva\nAcme Lending", portalAddress.ReplaceAllString(body, "LINK")); diff != "" {
				t.Errorf("answered (-want +got):\n%s", diff)
			}
		})
	}
}

// What a test key approves goes nowhere.
func TestPlay_approved_with_a_test_key(t *testing.T) {
	p := newPlay(t)
	p.start(t, "max", "collect")
	id := pgtest.Value[string](t, p.pg, `SELECT id::text FROM messages`)
	if _, err := p.pg.DB.ApproveMessage(t.Context(), p.ws, dossier.MessageID(id), postgres.Caller{Source: dossier.SourceImported, Test: true}); err != nil {
		t.Fatal(err)
	}
	p.due(t)
	p.expectStates(t, "email CANCELLED")
}
