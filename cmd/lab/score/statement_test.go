package score

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

// statementMisses compares a reading with the truth of a specimen. A figure that the page does not print is an
// invention.
func statementMisses(s specimen.Specimen, doc dossier.ReadDocument) (Tally, []string, []string) {
	scores := Scores{Facts: map[string]Tally{}}
	var file FileScore
	raw, err := s.Truth.FactsJSON()
	if err != nil {
		panic(err)
	}
	want := documenttest.JSONMap(json.RawMessage(raw))
	walk := walker{scores: &scores, file: &file}
	got := documenttest.JSONMap(doc.Facts)
	for _, key := range sortedKeys(want) {
		if !untested[key] {
			walk.fact("/"+key, want[key], got[key])
		}
	}
	var invented []string
	if doc.Facts.Statement != nil {
		st := doc.Facts.Statement.Statements
		for _, c := range slices.Concat(st.IncomeStatement, st.BalanceSheet, st.CashFlow) {
			for key, v := range c.Values {
				if !slices.Contains(s.Truth.Printed, v.String()) && !slices.ContainsFunc(s.Truth.Printed, func(p string) bool {
					return document.SameFact(p, v.String()) || document.SameFact("-"+p, v.String()) || document.SameFact(p, "-"+v.String())
				}) {
					invented = append(invented, fmt.Sprintf("%s %s = %s", c.Label, key, v))
				}
			}
		}
	}
	return file.Facts, file.Misses, invented
}

// statementSeeds is how many documents of a layout are read: one, or two where DOSSIER_LONG is set;
// DOSSIER_STATEMENT_SEEDS asks for more.
func statementSeeds() int {
	if n, err := strconv.Atoi(os.Getenv("DOSSIER_STATEMENT_SEEDS")); err == nil {
		return n
	}
	if os.Getenv("DOSSIER_LONG") != "" {
		return 2
	}
	return 1
}

func TestStatement_specimens(t *testing.T) {
	t.Parallel()
	for _, layout := range specimen.StatementLayouts() {
		t.Run(layout, func(t *testing.T) {
			var all Tally
			for seed := range uint64(statementSeeds()) {
				s := specimen.FinancialStatement(specimen.StatementOptions{Seed: 100 + seed, Layout: layout})
				doc := statementDocument(t, s.Data)
				tally, misses, invented := statementMisses(s, doc)
				all.Right, all.Tested = all.Right+tally.Right, all.Tested+tally.Tested
				for _, m := range misses {
					t.Logf("%d %s: %s", seed, s.Name, m)
				}
				for _, m := range invented {
					t.Errorf("%d %s: invented %s", seed, s.Name, m)
				}
			}
			t.Logf("%s: %d of %d", layout, all.Right, all.Tested)
			if all.Right*100 < all.Tested*98 {
				t.Errorf("%d of %d facts, want 98 %%", all.Right, all.Tested)
			}
		})
	}
}

// statementDocument is the first financial statement that a file holds.
func statementDocument(t *testing.T, data []byte) dossier.ReadDocument {
	t.Helper()
	got := readtest.Must(t, data)
	if got.Refusal != nil {
		t.Fatalf("refused: %v", got.Refusal)
	}
	for _, d := range got.Extraction.Documents {
		if d.DocType == dossier.DocFinancialStatement {
			return d
		}
	}
	t.Errorf("no financial statement among %d documents: %s", len(got.Extraction.Documents), got.Extraction.Documents[0].DocType)
	return dossier.ReadDocument{}
}
