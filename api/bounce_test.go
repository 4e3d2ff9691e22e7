package api

import (
	"encoding/base64"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/dossierhq/dossier"
)

// notification is an email of a mail server: pairs of content type and content.
func notification(parts ...string) (body inboundBody) {
	for i := 0; i+1 < len(parts); i += 2 {
		body.Attachments = append(body.Attachments, inboundAttachment{Filename: "part", ContentType: parts[i], Content: base64.StdEncoding.EncodeToString([]byte(parts[i+1]))})
	}
	return body
}

// Notifications as mail servers write them (RFC 3464, with what each makes of it).
func TestBounceOf(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		server string
		body   inboundBody
		want   string // state, code, words; "-": no notification
	}{
		{"Postfix", notification("text/plain", "This is the mail system at host mx.acme.example.",
			"message/delivery-status", "Reporting-MTA: dns; mx.acme.example\nX-Postfix-Queue-ID: 4Bq\nX-Postfix-Sender: rfc822; files@acme.example\nArrival-Date: Mon,  8 Mar 2021 10:00:00 -0500 (EST)\n\n"+
				"Final-Recipient: rfc822; ann@example.com\nOriginal-Recipient: rfc822;ann@example.com\nAction: failed\nStatus: 5.1.1\nRemote-MTA: dns; mail.example.com\n"+
				"Diagnostic-Code: smtp; 550 5.1.1 <ann@example.com>: Recipient address\n    rejected: User unknown\n",
			"message/rfc822", "Return-Path: <files@acme.example>\nFrom: files@acme.example\nMessage-ID: <m1@acme.example>\nSubject: What we need\n\nMessage-ID: <no@header.example>\n"),
			"FAILED bounced The email came back: 5.1.1 smtp; 550 5.1.1 <ann@example.com>: Recipient address rejected: User unknown"},
		{"Exchange, a folded id", notification("text/html", "<p>Your message couldn't be delivered.</p>",
			"message/delivery-status", "Reporting-MTA: dns;BN8.prod.outlook.example\r\nReceived-From-MTA: dns;mx.acme.example\r\nArrival-Date: Mon, 8 Mar 2021 15:00:00 +0000\r\n\r\n"+
				"Final-Recipient: rfc822;ann@example.com\r\nAction: failed\r\nStatus: 5.1.10\r\nDiagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; not found\r\n\r\n",
			"text/rfc822-headers", "Received: from mx\r\nMessage-ID:\r\n\t<m1@acme.example>\r\nContent-Type: multipart/alternative\r\n"),
			"FAILED bounced The email came back: 5.1.10 smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; not found"},
		{"Gmail", notification("text/plain", "** Address not found **", "message/delivery-status",
			"Reporting-MTA: dns; googlemail.com\r\nReceived-From-MTA: dns; files@acme.example\r\nX-Original-Message-ID: <m1@acme.example>\r\n\r\nFinal-Recipient: rfc822; ann@example.com\r\nAction: failed\r\nStatus: 5.1.1\r\n"+
				"Remote-MTA: dns; gmail-smtp-in.l.google.com.\r\nDiagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist.\r\n 550 5.1.1 Please try double-checking\r\nLast-Attempt-Date: Mon, 08 Mar 2021 07:00:00 -0800 (PST)\r\n",
			"message/rfc822", "Message-ID: <m1@acme.example>\r\n\r\n"),
			"FAILED bounced The email came back: 5.1.1 smtp; 550-5.1.1 The email account that you tried to reach does not exist. 550 5.1.1 Please try double-checking"},
		{"Exim, the recipient first", notification("message/delivery-status; charset=us-ascii", "Reporting-MTA: dns; mx.example\n\nAction: failed\nFinal-Recipient: rfc822;ann@example.com\nStatus: 5.0.0\nRemote-MTA: dns; mx.example\nDiagnostic-Code: smtp; 550 No such user\n",
			"message/rfc822", "From: files@acme.example\nMessage-Id: <m1@acme.example>\n"), "FAILED bounced The email came back: 5.0.0 smtp; 550 No such user"},
		{"Sendmail, with comments and lines before the fields", notification("Message/Delivery-Status", "\n\nReporting-MTA: dns; mx.example\n\n\nFinal-Recipient: RFC822; ann@example.com\naction: Failed (it came back)\nstatus: 5.2.1 (mailbox disabled)\n",
			"text/rfc822-headers", "MESSAGE-ID: <m1@acme.example>\n"), "FAILED bounced The email came back: 5.2.1"},
		{"full mailbox", notification("message/delivery-status", "Reporting-MTA: dns; mx\n\nAction: failed\nStatus: 5.2.2\n", "text/rfc822-headers", "Message-ID: <m1@acme.example>\n"), "FAILED undelivered The email came back: 5.2.2"},
		{"refused as spam", notification("message/delivery-status", "Reporting-MTA: dns; mx\n\nAction: failed\nStatus: 5.7.1\n", "text/rfc822-headers", "Message-ID: <m1@acme.example>\n"), "FAILED undelivered The email came back: 5.7.1"},
		{"internationalized (RFC 6533)", notification("message/global-delivery-status", "Reporting-MTA: dns; mx\n\nFinal-Recipient: utf-8; añ@example.com\nAction: failed\nStatus: 5.1.1\n", "message/global-headers", "Message-ID: <m1@acme.example>\n"), "FAILED bounced The email came back: 5.1.1"},
		{"delayed", notification("message/delivery-status", "Reporting-MTA: dns; mx\n\nAction: delayed\nStatus: 4.4.7\n", "text/rfc822-headers", "Message-ID: <m1@acme.example>\n"), ""},
		{"relayed", notification("message/delivery-status", "Reporting-MTA: dns; mx\n\nAction: relayed\nStatus: 2.0.0\n", "text/rfc822-headers", "Message-ID: <m1@acme.example>\n"), "DELIVERED"},
		{"about nobody knows what", notification("message/delivery-status", "Reporting-MTA: dns; mx\n\nAction: failed\nStatus: 5.1.1\n"), "-"},
		{"an answer with an email attached", notification("text/plain", "See below", "message/rfc822", "Message-ID: <m1@acme.example>\n"), "-"},
		{"a receipt (RFC 8098)", notification("message/disposition-notification", "Disposition: manual-action; displayed\nOriginal-Message-ID: <m1@acme.example>\n"), "-"},
	} {
		report, ok := bounceOf(test.body)
		got := "-"
		if ok {
			got = string(report.Status)
			if report.Error != nil {
				got += " " + report.Error.Code + " " + report.Error.Message
			}
		}
		if got != test.want || ok && report.ProviderID != "<m1@acme.example>" {
			t.Errorf("%s: %q about %q, want %q", test.server, got, report.ProviderID, test.want)
		}
	}
}

// Whatever a mail server writes: a notification names a message, and what it says of it fits where it is stored.
func FuzzBounceOf(f *testing.F) {
	f.Add("Reporting-MTA: dns; mx\n\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550\n no", "Message-ID: <m1@acme.example>\n", "")
	f.Add("\tAction: failed", "Message-ID:\r\n <a>", "<b>")
	f.Add(": :\n\naction:delayed (x)\r\n\r\n", "\xff", "<b>")
	f.Fuzz(func(t *testing.T, status, original, inReplyTo string) {
		body := notification("message/delivery-status", status, "message/rfc822", original)
		if inReplyTo != "" {
			body.InReplyTo = &inReplyTo
		}
		report, ok := bounceOf(body)
		if !ok {
			return
		}
		failed := report.Status == dossier.MessageFailed
		if report.ProviderID == "" || failed != (report.Error != nil) || !failed && report.Status != "" && report.Status != dossier.MessageDelivered {
			t.Errorf("%+v", report)
		}
		if failed && (utf8.RuneCountInString(report.Error.Message) > 600 || !strings.Contains("bounced undelivered", report.Error.Code)) {
			t.Errorf("%+v", report.Error)
		}
	})
}
