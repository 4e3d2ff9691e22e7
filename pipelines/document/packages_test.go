package document_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

// The parts of a package that the generator draws are found where they begin.
func TestExtract_package(t *testing.T) {
	s := specimen.Package(27, specimen.PaperSheet("us_workday"), specimen.PaperSheet("uk_payslip"), specimen.PaperSheet("us_lease_residential"),
		specimen.PaperSheet("mortgage_statement"), specimen.Trap(3, "utility_bill"), specimen.FinancialStatement(specimen.StatementOptions{Seed: 4, Layout: "compilation"}))
	got := readtest.Must(t, s.Data)
	var starts, want []int
	for _, d := range got.Extraction.Documents {
		starts = append(starts, d.Pages[0])
	}
	for _, p := range s.Truth.Parts {
		want = append(want, p.First)
	}
	if !cmp.Equal(starts, want) {
		t.Errorf("documents begin on pages %v, want %v", starts, want)
	}
}
