package worker

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
)

// The specimens that the service gives to whoever tries it out end as they say.
func TestJourney_specimens_have_their_verdicts(t *testing.T) {
	j := newJourney(t)
	lead, entries := j.pg.Lead(t, j.ws, dossier.FieldBankStatement, dossier.FieldID, dossier.FieldTaxReturn)
	j.lead, j.item = lead, entries[0]
	j.pg.Exec(t, `UPDATE checklist_items SET label = 'Business bank statement', validation_rules = ARRAY['The statement balances reconcile'],
		config = '{"months": 1, "gracePeriodDays": 3650}' WHERE lead_id = $1 AND field_type = 'BANK_STATEMENT'`, lead)
	j.pg.Exec(t, `UPDATE checklist_items SET validation_rules = ARRAY['The ID is not expired'] WHERE lead_id = $1 AND field_type = 'ID'`, lead)
	uploaded := map[string]dossier.DocumentID{}
	for _, k := range specimen.KnownKinds() {
		uploaded[k.Kind] = j.upload(t, k.Filename, k.Draw(j.pg.Clock.Now()))
	}
	j.idle(t)
	for kind, want := range map[string]struct {
		docType dossier.DocType
		verdict string // of its item: valid, invalid, or none
	}{
		"bank_statement":            {dossier.DocBankStatement, "valid"},
		"bank_statement_unbalanced": {dossier.DocBankStatement, "invalid"},
		"drivers_license":           {dossier.DocDriversLicense, "valid"},
		"drivers_license_expired":   {dossier.DocDriversLicense, "invalid"},
		"tax_return_1040":           {dossier.DocTaxReturn, "valid"},
		"tax_return_1120s":          {dossier.DocTaxReturn, "valid"},
		"profit_and_loss":           {dossier.DocFinancialStatement, "none"},
		"balance_sheet":             {dossier.DocFinancialStatement, "none"},
	} {
		d, err := j.pg.DB.ReadDocument(t.Context(), j.ws, uploaded[kind])
		if err != nil {
			t.Fatal(err)
		}
		if d.ExtractionStatus != dossier.ExtractionCompleted || d.Extraction == nil || len(d.Extraction.Documents) != 1 || d.Extraction.Documents[0].DocType != want.docType {
			t.Errorf("%s: %s %+v %+v, want one document of the type %s", kind, d.ExtractionStatus, d.ExtractionError, d.Extraction, want.docType)
			continue
		}
		verdict := "none"
		if len(d.Associations) > 0 {
			verdict = map[bool]string{true: "valid", false: "invalid"}[d.Associations[0].Valid()]
		}
		if verdict != want.verdict {
			t.Errorf("%s is %s, want %s: %+v", kind, verdict, want.verdict, d.Associations)
		}
	}
	dark, err := j.pg.DB.ReadDocument(t.Context(), j.ws, uploaded["unreadable"]) // which takes a machine that reads pictures
	if err != nil || dark.Extraction == nil && (dark.ExtractionError == nil || dark.ExtractionError.Code != "ocr_unavailable") || len(dark.Associations) > 0 {
		t.Errorf("unreadable: %s %+v %+v, %v", dark.ExtractionStatus, dark.ExtractionError, dark.Associations, err)
	}
	d, err := j.pg.DB.ReadDocument(t.Context(), j.ws, uploaded["encrypted"])
	if err != nil || d.ExtractionStatus != dossier.ExtractionFailed || d.ExtractionError == nil || d.ExtractionError.Code != "encrypted" {
		t.Errorf("encrypted: %s %+v, %v", d.ExtractionStatus, d.ExtractionError, err)
	}
}
