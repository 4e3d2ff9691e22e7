package channel

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // what Twilio signs with
	"encoding/base64"
	"maps"
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
)

// TwilioSignature is what Twilio sends as X-Twilio-Signature with a call of address: HMAC-SHA1 under the account's
// token of the address followed by each parameter's name and value, sorted by name.
//
// Source: twilio.com/docs/usage/webhooks/webhooks-security.
func TwilioSignature(token, address string, form map[string][]string) string {
	var signed strings.Builder
	signed.WriteString(address)
	for _, name := range slices.Sorted(maps.Keys(form)) {
		for _, value := range form[name] {
			signed.WriteString(name + value)
		}
	}
	mac := hmac.New(sha1.New, []byte(token))
	mac.Write([]byte(signed.String()))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// TwilioSigned reports whether a call carries the right signature.
func TwilioSigned(token, address string, form map[string][]string, signature string) bool {
	return token != "" && hmac.Equal([]byte(TwilioSignature(token, address, form)), []byte(signature))
}

// TwilioError gives an error of Twilio, of an answer or of a later report, a code of ours.
//
// Source: twilio.com/docs/api/errors.
func TwilioError(code int, message string) *dossier.Error {
	if message == "" {
		message = "no explanation"
	}
	ours := "undelivered"
	switch code {
	case 21211, 21214, 21217, 21408, 21601, 21612, 21614, 30005, 30006, 63003:
		ours = "invalid_recipient"
	case 21610:
		ours = "recipient_opted_out"
	case 63016, 63051:
		ours = "window_closed"
	case 0:
	default:
		if code < 30000 {
			ours = "provider_refused"
		}
	}
	return dossier.Coded(dossier.Conflict, ours, "Twilio error %d: %s", code, strings.TrimSpace(message))
}

// TwilioStatus is the state that a MessageStatus of Twilio stands for, "" for those on the way there.
func TwilioStatus(status string) dossier.MessageStatus {
	switch status {
	case "sent":
		return dossier.MessageSent
	case "delivered", "read":
		return dossier.MessageDelivered
	case "failed", "undelivered", "canceled":
		return dossier.MessageFailed
	}
	return ""
}
