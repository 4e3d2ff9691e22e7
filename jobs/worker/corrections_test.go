package worker

import (
	"encoding/json"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/judge"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// What a person said of a document stays when it is read again, and so do the verdicts that rest on it.
func TestCorrections_over_reprocess(t *testing.T) {
	j := newJourney(t)
	id := j.upload(t, "november.pdf", statement(true).Data) // its balances do not foot
	j.idle(t)
	before := j.itemStatus(t)
	d, err := j.pg.DB.ReadDocument(t.Context(), j.ws, id)
	if err != nil {
		t.Fatal(err)
	}
	if before == "COMPLETED" || d.Extraction == nil || d.Extraction.Documents[0].Facts.Bank.ClosingBalance == nil {
		t.Fatalf("item = %s, %+v", before, d.Extraction)
	}
	facts := d.Extraction.Documents[0].Facts.Bank
	right := facts.OpeningBalance.Decimal
	for _, in := range []*dossier.Amount{facts.TotalDeposits, facts.TotalCredits, facts.Interest} {
		if in != nil {
			right = right.Add(in.Decimal)
		}
	}
	for _, out := range []*dossier.Amount{facts.TotalWithdrawals, facts.TotalDebits, facts.Checks, facts.ServiceFees} {
		if out != nil {
			right = right.Sub(out.Decimal)
		}
	}
	value, _ := json.Marshal(dossier.Amount{Decimal: right})
	set := postgres.CorrectionRequest{Set: []dossier.Correction{{Pointer: "/closingBalance", Value: value}}, CorrectionRules: postgres.CorrectionRules{
		Judge: func(string) dossier.Judge { return judge.NewJudge(dossier.DayOf(j.pg.Clock.Now())) },
		Validate: func(in postgres.ValidateInput) map[dossier.EntryID]dossier.ValidationResult {
			results := map[dossier.EntryID]dossier.ValidationResult{}
			for _, item := range in.Items {
				results[item.EntryID] = judge.Validate(judge.Judgement{FieldType: item.FieldType, Config: item.Config, Rules: item.Rules, Party: in.Party,
					Today: dossier.DayOf(j.pg.Clock.Now()), Document: in.File.ID, Extraction: *in.File.Extraction, Parts: item.Parts})
			}
			return results
		}, Relate: judge.Relations}}
	if _, effects, err := j.pg.DB.CorrectDocument(t.Context(), j.ws, id, set); err != nil || len(effects.Items) != 1 || j.itemStatus(t) != "COMPLETED" {
		t.Fatalf("effects = %+v, %v, item = %s", effects, err, j.itemStatus(t))
	}
	if _, err := j.pg.DB.ReprocessDocument(t.Context(), j.ws, id); err != nil {
		t.Fatal(err)
	}
	j.idle(t)
	d, err = j.pg.DB.ReadDocument(t.Context(), j.ws, id)
	if err != nil || len(d.Corrections) != 1 || d.Corrections[0].State != dossier.CorrectionApplied || d.MachineExtraction == nil {
		t.Fatalf("corrections = %+v, %v", d.Corrections, err)
	}
	if got := d.Extraction.Documents[0]; !got.Facts.Bank.ClosingBalance.Equal(right) || got.Sources["/closingBalance"].Method != dossier.MethodPerson {
		t.Errorf("read again: %v, %+v", got.Facts.Bank.ClosingBalance, got.Sources["/closingBalance"])
	}
	if got := j.itemStatus(t); got != "COMPLETED" {
		t.Errorf("item = %s after the document was read again", got)
	}
	// Had the machine read something else when the person spoke, what it reads now is a third: a person is asked, once.
	j.pg.Exec(t, `UPDATE documents SET corrections = jsonb_set(corrections, '{0,machineValue}', '"1.00"') WHERE id = $1`, id)
	again := func() string {
		t.Helper()
		if _, err := j.pg.DB.ReprocessDocument(t.Context(), j.ws, id); err != nil {
			t.Fatal(err)
		}
		j.idle(t)
		return pgtest.Value[string](t, j.pg, `SELECT corrections->0->>'state' || coalesce((SELECT ' ' || string_agg(state || ' ' || (subject_id = d.id) || pointer, ', ')
			FROM reviews WHERE code = 'correction_conflict'), '') FROM documents d WHERE id = $1`, id)
	}
	if got := again(); got != "conflict OPEN true/closingBalance" {
		t.Fatalf("a third reading: %s", got)
	}
	review := dossier.ReviewID(pgtest.Value[string](t, j.pg, `SELECT id::text FROM reviews WHERE code = 'correction_conflict'`))
	if _, err := j.pg.DB.ClaimReview(t.Context(), j.ws, review, false, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := j.pg.DB.DecideReview(t.Context(), j.ws, review, postgres.DecisionRequest{Decision: dossier.DecideAccept, Version: 1, Judge: set.Judge}); err != nil {
		t.Fatal(err)
	}
	if got := again(); got != "applied DECIDED true/closingBalance" {
		t.Errorf("what a person let stand, read again: %s", got)
	}
}
