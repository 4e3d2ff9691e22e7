package channel_test

import (
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs/channel"
	"github.com/dossierhq/dossier/jobs/channel/channeltest"
)

func carriers() *channel.Carriers {
	return &channel.Carriers{Secret: func(name string) string {
		return map[string]string{"MAIL": channeltest.MailPassword, "TWILIO": channeltest.TwilioToken}[name]
	}}
}

func p[T any](v T) *T { return &v }

func email(s *channeltest.MailServer) dossier.Outgoing {
	return dossier.Outgoing{Message: dossier.Message{ID: "0190a0a0-0000-7000-8000-000000000001", Channel: "email", To: p("ann@example.com"), Subject: p("Acme: what we still need from you"),
		Body: "Hi Ann, this is Ava from Acme. To complete your file we need:\n\n- Legal business name\n- Señas <b>& más</b>\n\nYou can send everything here: https://acme.example/portal/x\n\nThank you,\nAva"},
		Provider: dossier.ChannelConfig{Provider: "smtp", Host: s.Host, Port: s.Port, Username: channeltest.MailUser, PasswordEnv: "MAIL", From: "files@acme.example"},
		Company:  "Acme Lending", Language: dossier.English, Thread: []string{"<first@acme.example>", "<reply@mail.example>"},
		Contact: dossier.MessageLinks{Unsubscribe: "https://acme.example/unsubscribe/t0ken"}}
}

func TestMail_is_threaded_readable_and_can_be_left(t *testing.T) {
	t.Parallel()
	server := channeltest.NewMailServer(t)
	got, err := carriers().Send(t.Context(), email(server))
	if err != nil {
		t.Fatal(err)
	}
	id := "<0190a0a0-0000-7000-8000-000000000001@acme.example>"
	if diff := cmp.Diff(dossier.SendResult{ProviderID: id, From: "files@acme.example"}, got); diff != "" {
		t.Errorf("sent (-want +got):\n%s", diff)
	}
	letters := server.Letters()
	if len(letters) != 1 || letters[0].To != "ann@example.com" || letters[0].From != "files@acme.example" || letters[0].Options != "NOTIFY=SUCCESS,FAILURE" {
		t.Fatalf("letters = %+v", letters)
	}
	want := map[string]string{"Message-Id": id, "In-Reply-To": "<reply@mail.example>", "References": "<first@acme.example> <reply@mail.example>",
		"List-Unsubscribe": "<https://acme.example/unsubscribe/t0ken>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
		"From": `"Acme Lending" <files@acme.example>`, "Subject": "Acme: what we still need from you"}
	for name, value := range want {
		if have := letters[0].Header.Get(name); have != value {
			t.Errorf("%s: %s, want %s", name, have, value)
		}
	}
	plain, page := parts(t, letters[0].Raw)
	if !strings.Contains(plain, "- Señas <b>& más</b>") || !strings.Contains(plain, "Stop these emails: https://acme.example/unsubscribe/t0ken") {
		t.Errorf("plain part:\n%s", plain)
	}
	for _, part := range []string{"<li", "Señas &lt;b&gt;&amp; más&lt;/b&gt;", `<a href="https://acme.example/portal/x"`, `href="https://acme.example/unsubscribe/t0ken"`} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %s:\n%s", part, page)
		}
	}
	if strings.Contains(page, "<img") || strings.Contains(page, "<script") {
		t.Error("the page loads something")
	}
	if dir := os.Getenv("DOSSIER_SHOW"); dir != "" {
		_ = os.WriteFile(dir+"/email.html", []byte(page), 0o600)
	}
}

// parts are the plain and the HTML part of an email.
func parts(t *testing.T, raw string) (plain, page string) {
	t.Helper()
	message, err := mail.ReadMessage(strings.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	kind, params, err := mime.ParseMediaType(message.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		t.Fatalf("Content-Type %s, %v", kind, err)
	}
	reader := multipart.NewReader(message.Body, params["boundary"])
	for {
		part, err := reader.NextRawPart()
		if err == io.EOF {
			return plain, page
		}
		if err != nil {
			t.Fatal(err)
		}
		var body io.Reader = part
		if part.Header.Get("Content-Transfer-Encoding") == "quoted-printable" {
			body = quotedprintable.NewReader(part)
		}
		data, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(data), "\r\n", "\n")
		if strings.HasPrefix(part.Header.Get("Content-Type"), "text/html") {
			page = text
		} else {
			plain = text
		}
	}
}

// What a mail server answers says whether the message may be offered again.
func TestMail_outcomes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		fault   channeltest.MailFault
		code    string // of a refusal
		unknown bool
		again   bool
		taken   int
	}{
		{"", "", false, false, 1},
		{channeltest.RefuseAddress, "invalid_recipient", false, false, 0},
		{channeltest.RefuseContent, "provider_refused", false, false, 0},
		{channeltest.Greylist, "", false, true, 0},
		{channeltest.HangUpBefore, "", false, true, 0},
		{channeltest.HangUpAfter, "", true, false, 1},
	} {
		t.Run(string(test.fault), func(t *testing.T) {
			t.Parallel()
			server := channeltest.NewMailServer(t, test.fault)
			got, err := carriers().Send(t.Context(), email(server))
			if again := err != nil; again != test.again || got.Unknown != test.unknown || code(got.Refused) != test.code {
				t.Errorf("sent %+v (refused %q), %v", got, code(got.Refused), err)
			}
			if err != nil && dossier.KindOf(err) != dossier.Unavailable {
				t.Errorf("error %v is not Unavailable", err)
			}
			if n := len(server.Letters()); n != test.taken {
				t.Errorf("the server took %d messages, want %d", n, test.taken)
			}
		})
	}
}

func code(e *dossier.Error) string {
	if e == nil {
		return ""
	}
	return e.Code
}

func TestMail_wrong_password_keeps_the_message(t *testing.T) {
	t.Parallel()
	server := channeltest.NewMailServer(t)
	m := email(server)
	m.Provider.PasswordEnv = "NOTHING"
	if _, err := carriers().Send(t.Context(), m); dossier.KindOf(err) != dossier.Unavailable || err == nil {
		t.Errorf("error %v, want Unavailable: the operator may put it right", err)
	}
}

func TestMail_never_repeats_what_may_have_arrived(t *testing.T) {
	t.Parallel()
	server := channeltest.NewMailServer(t)
	m := email(server)
	m.CalledAt = p(time.Now())
	got, err := carriers().Send(t.Context(), m)
	if err != nil || !got.Unknown || len(server.Letters()) != 0 {
		t.Errorf("sent %+v, %v; the server has %d", got, err, len(server.Letters()))
	}
}

func text(s *channeltest.Twilio) dossier.Outgoing {
	return dossier.Outgoing{Message: dossier.Message{ID: "0190a0a0-0000-7000-8000-000000000001", Channel: "sms", To: p("+12125550123"), Body: "Hi Ann"},
		Provider: dossier.ChannelConfig{Provider: "twilio", AccountSID: channeltest.TwilioAccount, AuthTokenEnv: "TWILIO", From: "+12125550100", URL: s.URL},
		Contact:  dossier.MessageLinks{Report: "https://acme.example/inbound/sms/t?message=1"}}
}

// A provider of another release's configuration refuses for good.
func TestCarry_unknown_provider(t *testing.T) {
	t.Parallel()
	m := dossier.Outgoing{}
	m.Provider.Provider = "pigeon"
	if got, err := carriers().Send(t.Context(), m); err != nil || code(got.Refused) != "provider_unavailable" {
		t.Errorf("sent %+v, %v", got, err)
	}
}

func TestTwilio_form(t *testing.T) {
	t.Parallel()
	whatsapp := func(m dossier.Outgoing) dossier.Outgoing { m.Channel = "whatsapp"; return m }
	for _, test := range []struct {
		name string
		make func(dossier.Outgoing) dossier.Outgoing
		want url.Values
		code string
	}{
		{"sms", func(m dossier.Outgoing) dossier.Outgoing { return m },
			url.Values{"To": {"+12125550123"}, "From": {"+12125550100"}, "Body": {"Hi Ann"}, "StatusCallback": {"https://acme.example/inbound/sms/t?message=1"}}, ""},
		{"messaging service", func(m dossier.Outgoing) dossier.Outgoing {
			m.Provider.From, m.Contact.Report = "MG0123456789abcdef0123456789abcdef", ""
			return m
		}, url.Values{"To": {"+12125550123"}, "MessagingServiceSid": {"MG0123456789abcdef0123456789abcdef"}, "Body": {"Hi Ann"}}, ""},
		{"whatsapp within the window", func(m dossier.Outgoing) dossier.Outgoing {
			m.WindowOpen, m.Contact.Report = true, ""
			return whatsapp(m)
		}, url.Values{"To": {"whatsapp:+12125550123"}, "From": {"whatsapp:+12125550100"}, "Body": {"Hi Ann"}}, ""},
		{"whatsapp by template", func(m dossier.Outgoing) dossier.Outgoing {
			m.Template, m.Provider.TemplateSID, m.Contact.Report = []string{"Ann", "https://x"}, "HX1", ""
			return whatsapp(m)
		}, url.Values{"To": {"whatsapp:+12125550123"}, "From": {"whatsapp:+12125550100"}, "ContentSid": {"HX1"}, "ContentVariables": {`{"1":"Ann","2":"https://x"}`}}, ""},
		{"whatsapp outside the window", whatsapp, nil, "window_closed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := channeltest.NewTwilio(t)
			got, err := carriers().Send(t.Context(), test.make(text(server)))
			if err != nil || code(got.Refused) != test.code {
				t.Fatalf("sent %+v, %v", got, err)
			}
			var have url.Values
			if list := server.Messages(); len(list) == 1 {
				have = list[0].Form
			}
			if diff := cmp.Diff(test.want, have); diff != "" {
				t.Errorf("Twilio got (-want +got):\n%s", diff)
			}
		})
	}
}

// A message is sent once whatever Twilio answers: it is asked for what got lost, and when it cannot tell, that is said.
func TestTwilio_outcomes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		fault   channeltest.TwilioFault
		sid     bool
		code    string
		unknown bool
		again   bool
	}{
		{"taken", channeltest.TwilioFault{Status: 201, Taken: true}, true, "", false, false},
		{"no such number", channeltest.TwilioFault{Status: 400, Code: 21211}, false, "invalid_recipient", false, false},
		{"opted out there", channeltest.TwilioFault{Status: 400, Code: 21610}, false, "recipient_opted_out", false, false},
		{"no such template", channeltest.TwilioFault{Status: 400, Code: 21656}, false, "provider_refused", false, false},
		{"too fast", channeltest.TwilioFault{Status: 429, Code: 20429}, false, "", false, true},
		{"wrong token", channeltest.TwilioFault{Status: 401, Code: 20003}, false, "", false, true},
		{"broken, yet taken", channeltest.TwilioFault{Status: 500, Taken: true}, true, "", false, false},
		{"broken, and no trace", channeltest.TwilioFault{Status: 500}, false, "", true, false},
		{"answer lost, taken", channeltest.TwilioFault{Taken: true}, true, "", false, false},
		{"answer lost, not in the list", channeltest.TwilioFault{Taken: true, Lag: true}, false, "", true, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := channeltest.NewTwilio(t, test.fault)
			got, err := carriers().Send(t.Context(), text(server))
			if (err != nil) != test.again || got.Unknown != test.unknown || code(got.Refused) != test.code || (got.ProviderID != "") != test.sid {
				t.Errorf("sent %+v (refused %q), %v", got, code(got.Refused), err)
			}
			if n := len(server.Messages()); n > 1 {
				t.Errorf("Twilio took %d messages", n)
			}
		})
	}
}

// After a crash the message is looked for, never sent again.
func TestTwilio_finds_what_a_crash_lost(t *testing.T) {
	t.Parallel()
	server := channeltest.NewTwilio(t)
	if _, err := carriers().Send(t.Context(), text(server)); err != nil {
		t.Fatal(err)
	}
	m := text(server)
	m.CalledAt = p(time.Now())
	found, err := carriers().Send(t.Context(), m)
	if err != nil || found.ProviderID != server.Messages()[0].SID || len(server.Messages()) != 1 {
		t.Errorf("found %+v, %v; Twilio has %d", found, err, len(server.Messages()))
	}
	m.Body = "Another message"
	if found, err = carriers().Send(t.Context(), m); err != nil || !found.Unknown || len(server.Messages()) != 1 {
		t.Errorf("found %+v, %v; want it unknown", found, err)
	}
}

func TestTwilio_media(t *testing.T) {
	t.Parallel()
	server := channeltest.NewTwilio(t)
	config := text(server).Provider
	body, err := carriers().Fetch(t.Context(), config, server.Keep("ME1", "bytes"))
	if err != nil {
		t.Fatal(err)
	}
	data, _ := io.ReadAll(body)
	if err := body.Close(); err != nil || string(data) != "bytes" {
		t.Errorf("fetched %q, %v", data, err)
	}
	for _, address := range []string{server.URL + "/nowhere", "https://evil.example/x", "http://169.254.169.254/", "https://twilio.com.evil.example/"} {
		if _, err := carriers().Fetch(t.Context(), config, address); err != channel.ErrGone {
			t.Errorf("%s: %v, want ErrGone", address, err)
		}
	}
}
