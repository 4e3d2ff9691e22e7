package worker

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/pipelines/bankanalysis"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// bankMonth is a month of an account: money comes in on the 5th and rent goes out on the 2nd.
func bankMonth(t *testing.T, month, opening, closing string) *dossier.Extraction {
	t.Helper()
	facts := `{"docType": "bank_statement", "fieldType": "BANK_STATEMENT", "pages": [1, 2], "confidence": 0.97, "facts": {"institution": "First Harbor Bank", "accountNumber": "000111222",
		"currency": "USD", "periodStart": "` + month + `-01", "periodEnd": "` + month + `-28", "openingBalance": "` + opening + `", "closingBalance": "` + closing + `", "accounts": [], "entries": [
		{"date": "` + month + `-02", "description": "ACH DEBIT ALDER REALTY RENT", "amount": "-1800.00"}, {"date": "` + month + `-05", "description": "DEPOSIT COBALT FREIGHT INV 88", "amount": "3000.00"}]}}`
	var read dossier.ReadDocument
	if err := json.Unmarshal([]byte(facts), &read); err != nil || read.Facts.Bank == nil {
		t.Fatalf("%v: %+v", err, read)
	}
	return &dossier.Extraction{Documents: []dossier.ReadDocument{read}}
}

// analyze-bank-statements waits for what is still being read, leaves out what cannot be, and gives the figures that
// the statements prove, each with the entries it was made of.
func TestBankStatements_pipeline(t *testing.T) {
	s := newSpreading(t, "")
	s.document(t, "jan.pdf", bankMonth(t, "2026-01", "5000.00", "6200.00"))
	broken := s.document(t, "broken.pdf", nil)
	s.pg.Exec(t, `UPDATE documents SET extraction_status = 'failed', extraction_error_code = 'encrypted' WHERE id = $1`, broken)
	late := s.document(t, "feb.pdf", nil)
	pipeline := jobs.PipelineAnalyzeBankStatements
	run, err := s.pg.DB.CreatePipelineRun(t.Context(), s.ws, pipeline, []string{pipeline}, []byte(`{"leadId":"`+string(s.lead)+`"}`), postgres.PipelineSubjects{Lead: s.lead})
	if err != nil {
		t.Fatal(err)
	}
	s.run(s.w)
	s.until("the run waits for February", func() bool {
		return pgtest.Value[bool](t, s.pg, `SELECT coalesce(awaits_document = $2, false) FROM pipeline_runs WHERE id = $1`, run.ID, late)
	})
	s.read(t, late, postgres.Extracted{Extraction: bankMonth(t, "2026-02", "6200.00", "7400.00")})
	for end := time.Now().Add(time.Minute); !run.Status.Ended(); time.Sleep(10 * time.Millisecond) {
		if run, err = s.pg.DB.ReadPipelineRun(t.Context(), s.ws, pipeline, run.ID); err != nil || time.Now().After(end) {
			t.Fatalf("%s, %v", run.Status, err)
		}
	}
	var got bankanalysis.Analysis
	if err := json.Unmarshal(run.Result, &got); err != nil || run.Status != dossier.PipelineComplete {
		t.Fatalf("%s %v %v %s", run.Status, run.Failure, err, run.Result)
	}
	var months [][]string
	for _, m := range got.Months {
		months = append(months, []string{m.Month, m.Deposits.Value.String(), m.Withdrawals.Value.String()})
	}
	if diff := cmp.Diff([][]string{{"2026-01", "3000.00", "1800.00"}, {"2026-02", "3000.00", "1800.00"}}, months); diff != "" {
		t.Error("months: -want +got\n", diff)
	}
	if len(got.Accounts) != 1 || got.Accounts[0].Closing.Value.String() != "7400.00" || len(got.Recurring) != 1 || got.Recurring[0].Kind != "rent" || len(got.Entries) != 4 || len(got.Months[0].Deposits.Entries) != 1 {
		t.Errorf("%s", run.Result)
	}
	if !strings.Contains(strings.Join(got.Warnings, "\n"), string(broken)) {
		t.Errorf("nothing is said about the document that cannot be read: %q", got.Warnings)
	}
}
