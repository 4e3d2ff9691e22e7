package webhooks

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
)

func TestVerifyCaptured(t *testing.T) {
	secret := newTestSecret(t)
	at := time.Unix(1_800_000_000, 0)
	body := "{\"a\":1}"
	h := signedHeader(t, []string{secret}, "0190-a", at, []byte(body))
	head := fmt.Sprintf("Content-Type: application/json\nwebhook-id: %s\nWebhook-Timestamp: %s\nwebhook-signature: %s\n", h.Get(HeaderID), h.Get(HeaderTimestamp), h.Get(HeaderSignature))
	tests := []struct {
		name         string
		text         string
		genuine      bool
		reason, hint string
	}{
		{"headers and body", head + "\n" + body, true, "", ""},
		{"whole request", "POST /hooks HTTP/1.1\nHost: x\n" + head + "\n" + body, true, "", ""},
		{"CRLF", strings.ReplaceAll(head, "\n", "\r\n") + "\r\n" + body, true, "", ""},
		{"an editor's line end", head + "\n" + body + "\n", false, "no signature matches", "line end"},
		{"changed", head + "\n" + `{"a":2}`, false, "no signature matches", ""},
		{"no signature", "webhook-id: x\nwebhook-timestamp: 1\n\n" + body, false, "webhook-signature is missing", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := ReadCaptured(strings.NewReader(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			f := VerifyCaptured(c, []string{secret}, time.Time{})
			if f.Genuine != tt.genuine || !strings.Contains(f.Reason, tt.reason) || !strings.Contains(f.Hint, tt.hint) || (tt.hint == "") != (f.Hint == "") {
				t.Errorf("%+v", f)
			}
			if tt.genuine && !f.Timestamp.Equal(at) {
				t.Errorf("timestamp %s", f.Timestamp)
			}
		})
	}
	if _, err := ReadCaptured(strings.NewReader("just a body")); dossier.KindOf(err) != dossier.Invalid {
		t.Errorf("without a head: %v", err)
	}
}
