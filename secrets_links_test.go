package dossier

import (
	"strings"
	"testing"
)

// Addresses that are keys become marks in whatever text holds them; others stay as they are.
func TestMaskLinks(t *testing.T) {
	token, way := strings.Repeat("aB-_9", 9)[:43], strings.Repeat("xY9", 30)
	for text, want := range map[string]string{
		"Open https://a.example/portal/" + token + ".":                             "Open {{portalLink}}.",
		"http://127.0.0.1:8080/portal/" + token + "/status":                        "{{portalLink}}/status",
		"<a href='https://a.example/x/unsubscribe/" + way + "'>leave</a>":          "<a href='{{unsubscribeLink}}'>leave</a>",
		"https://crm.example/portal/files":                                         "https://crm.example/portal/files",
		"https://crm.example/portal/" + token + "longer":                           "https://crm.example/portal/" + token + "longer",
		"https://a.example/portal/" + token + " https://a.example/portal/" + token: "{{portalLink}} {{portalLink}}",
	} {
		if got := MaskSecrets(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
