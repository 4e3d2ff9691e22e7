package api

import (
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/storage/postgres"
)

// Specimens are listed and given to test keys, and to no others.
func TestSpecimens(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) {
		for _, k := range specimen.KnownKinds() {
			c.Specimens = append(c.Specimens, Specimen{Kind: k.Kind, Filename: k.Filename, MimeType: k.MimeType, Verdict: k.Verdict, Draw: k.Draw})
		}
	})
	_, text, err := s.DB.CreateKey(t.Context(), s.Workspace, postgres.NewKey{Name: "tests", IsTest: true, Scopes: []dossier.Scope{dossier.ScopeRead}})
	if err != nil {
		t.Fatal(err)
	}
	converse(t, s, "specimens.txt", "tester", text)
	known, _ := specimen.FindKnown("encrypted")
	if got := s.do(t, "GET", "/api/v1/test/specimens/encrypted", "", "x-api-key", text); got.Body != string(known.Draw(time.Time{})) ||
		got.Header.Get("Content-Type") != "application/pdf" || got.Header.Get("Content-Disposition") != `attachment; filename="encrypted.pdf"` {
		t.Errorf("%d bytes of another file, %v", len(got.Body), got.Header)
	}
}
