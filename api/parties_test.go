package api

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
)

func TestParties(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, withObjects(t))
	lead, _ := s.Lead(t, s.Workspace)
	documents, _, err := s.DB.CreateDocuments(t.Context(), s.Workspace, postgres.Upload{LeadID: lead, Source: dossier.SourceImported,
		Files: []postgres.NewFile{{ID: dossier.DocumentID(postgres.NewID()), Filename: "a.pdf", MimeType: "application/pdf", Size: 1, SHA256: []byte("x"), ObjectKey: "k"}}})
	if err != nil {
		t.Fatal(err)
	}
	s.Exec(t, `UPDATE documents SET extraction_status = 'completed', extraction = '{"engineVersion": "1", "mimeType": "application/pdf", "pageCount": 1, "layer": "text", "documents":
		[{"docType": "other", "fieldType": "FILE", "pages": [1, 1], "confidence": 1, "evidence": [], "facts": {}, "sources": {}, "derived": {}, "checks": [], "warnings": []}]}'`)
	s.Exec(t, `UPDATE leads SET first_name = 'Ann', last_name = 'Lee', business_name = NULL WHERE id = $1`, lead)
	converse(t, s, "parties.txt", "lead", string(lead), "document", string(documents[0].ID))
}
