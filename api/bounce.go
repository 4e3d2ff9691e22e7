package api

import (
	"encoding/base64"
	"net/textproto"
	"regexp"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
)

// originalID is the Message-ID in the returned headers of a message.
var originalID = regexp.MustCompile(`(?im)^Message-ID:\s*(<[^<>\s]+>)`)

// bounceOf reads a delivery status notification (RFC 3464): an email of a mail server about one of ours, whose parts
// the gateway hands over as attachments. A report without a status only says that there is a delay.
func bounceOf(body inboundBody) (report dossier.DeliveryReceipt, ok bool) {
	status, found := "", false
	original := ""
	for _, a := range body.Attachments {
		kind := strings.ToLower(web.MediaType(a.ContentType))
		data, err := base64.StdEncoding.DecodeString(a.Content)
		if err != nil {
			continue
		}
		switch kind {
		case "message/delivery-status", "message/global-delivery-status":
			status, found = string(data), true
		case "message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers":
			if id := originalID.FindStringSubmatch(string(data)); id != nil {
				original = id[1]
			}
		}
	}
	if original == "" && body.InReplyTo != nil {
		original = *body.InReplyTo
	}
	if !found || original == "" {
		return report, false
	}
	report = dossier.DeliveryReceipt{Channel: dossier.ChannelEmail, ProviderID: original}
	return readStatus(report, status), true
}

// readStatus finds what became of the message for its one recipient.
func readStatus(report dossier.DeliveryReceipt, status string) dossier.DeliveryReceipt {
	for block := range strings.SplitSeq(strings.ReplaceAll(status, "\r\n", "\n"), "\n\n") {
		fields := headerFields(block)
		status := firstWord(fields["Status"])
		switch strings.ToLower(firstWord(fields["Action"])) {
		case "failed":
			report.Status = dossier.MessageFailed
			detail := strings.TrimSpace(status + " " + fields["Diagnostic-Code"])
			report.Error = dossier.Coded(dossier.Conflict, bounceCode(status), "The email came back: %s",
				clipped(detail, 500))
			return report
		case "delivered", "relayed", "expanded":
			report.Status = dossier.MessageDelivered
			return report
		}
	}
	return report
}

// firstWord is a field's value without the comment that may follow it: "5.1.1 (bad destination mailbox address)".
func firstWord(value string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(value, "\t", " ")), " ")
	return word
}

// bounceCode tells an address that does not work (5.1.x, a disabled mailbox) from a message that was not wanted or
// could not be brought: the address may work another day.
func bounceCode(status string) string {
	if strings.HasPrefix(status, "5.1.") || status == "5.2.1" || status == "5.0.0" || status == "" {
		return "bounced"
	}
	return "undelivered"
}

// headerFields reads "Name: value" lines; a line that begins with a space goes on with the one before.
func headerFields(block string) map[string]string {
	fields, last := map[string]string{}, ""
	for line := range strings.SplitSeq(block, "\n") {
		name, value, ok := strings.Cut(line, ":")
		switch {
		case strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t"):
			fields[last] += " " + strings.TrimSpace(line)
		case ok:
			last = textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name))
			fields[last] = strings.TrimSpace(value)
		}
	}
	return fields
}

func clipped(s string, limit int) string {
	if runes := []rune(s); len(runes) > limit {
		return string(runes[:limit])
	}
	return s
}
