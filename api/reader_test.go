package api

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
)

// Sentences are said in the language that the caller reads, from the same code and values; what it does not read is English.
func TestReadChecklist_language(t *testing.T) {
	s := newTestServer(t)
	lead, entries := s.Lead(t, s.Workspace, dossier.FieldEIN)
	s.Exec(t, `UPDATE checklist_entries SET status = 'INVALID', reasons = '[{"code": "value_max", "args": {"max": "10"}, "citations": []}]' WHERE id = $1`, entries[0])
	for accept, want := range map[string]string{"": "Must be at most 10", "es-MX,es;q=0.9,en;q=0.5": "Debe ser como máximo 10", "fr": "Must be at most 10", "en, es;q=0.1": "Must be at most 10"} {
		got := s.do(t, "GET", "/api/v1/leads/"+string(lead)+"/checklist", "", "Accept-Language", accept)
		if !strings.Contains(got.Body, `"validationError":"`+want+`"`) || !strings.Contains(got.Body, `"code":"value_max"`) {
			t.Errorf("Accept-Language %q: %s", accept, got.Body)
		}
	}
}
