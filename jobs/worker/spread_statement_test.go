package worker

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
	"github.com/dossierhq/dossier/storage/postgres"
)

// A statement that was read becomes rows of a spread, each with the page and the words it is printed in.
func TestSpread_from_a_statement_that_was_read(t *testing.T) {
	if testing.Short() {
		t.Skip("spreads as TestSpread_life does, once, without the race detector")
	}
	made := specimen.FinancialStatement(specimen.StatementOptions{Seed: 11, Layout: "compilation", Year: 2025})
	reader, err := sandbox.NewReader(sandbox.Config{CacheDir: filepath.Join(os.TempDir(), "dossier-test-cache")})
	if err != nil {
		t.Fatal(err)
	}
	read, err := reader.Read(t.Context(), bytes.NewReader(made.Data))
	if err != nil || read.Extraction == nil {
		t.Fatalf("reading: %v, %v", read.Refusal, err)
	}
	s := newSpreading(t, "")
	id := s.document(t, made.Name, read.Extraction)
	s.run(s.w)
	spread, err := s.pg.DB.CreateSpread(t.Context(), s.ws, postgres.NewSpread{LeadID: s.lead, Documents: []dossier.DocumentID{id}})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.ended(t, spread.ID); got.Status != dossier.SpreadComplete {
		t.Fatalf("spread = %+v, want it COMPLETE", got)
	}
	results, err := s.pg.DB.SpreadResults(t.Context(), s.ws, spread.ID)
	if err != nil {
		t.Fatal(err)
	}
	truth := made.Truth.Facts.Statement.Statements
	for _, part := range []struct {
		statement string
		columns   []dossier.StatementColumn
		periods   []dossier.SpreadPeriod
		rows      []string
	}{
		{"incomeStatement", truth.IncomeStatement, results.Statements.IncomeStatement.Periods, []string{"grossRevenues", "cogsLabor", "rent", "depreciation", "interestExpense"}},
		{"balanceSheet", truth.BalanceSheet, results.Statements.BalanceSheet.Periods, []string{"cash", "accountsReceivable", "accountsPayable", "retainedEarnings"}},
	} {
		for _, column := range part.columns {
			at := slices.IndexFunc(part.periods, func(p dossier.SpreadPeriod) bool { return p.End == *column.End && !p.Annualized })
			if at < 0 {
				t.Errorf("%s: no period ends on %s", part.statement, *column.End)
				continue
			}
			for _, key := range part.rows {
				want, printed := column.Values[key]
				if !printed {
					continue
				}
				i := slices.IndexFunc(part.periods[at].Values, func(v dossier.SpreadValue) bool { return v.Key == key })
				if i < 0 {
					t.Errorf("%s %s: no row %s", part.statement, *column.End, key)
					continue
				}
				v := part.periods[at].Values[i]
				if !v.Value.Equal(want.Decimal) {
					t.Errorf("%s %s %s = %s, printed is %s", part.statement, *column.End, key, v.Value, want)
				}
				if len(v.Sources) == 0 || v.Sources[0].DocumentID != id || v.Sources[0].Page == 0 || v.Sources[0].Text == "" || v.Sources[0].Box == nil {
					t.Errorf("%s %s %s: sources %+v", part.statement, *column.End, key, v.Sources)
				}
			}
		}
	}
}
