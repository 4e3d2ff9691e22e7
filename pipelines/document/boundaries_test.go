package document_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/pipelines/document/decode"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

// bundle is a package of three to seven papers of any kind, none of the kind of the one before it, and those that are
// always the same page once.
func bundle(seed uint64) specimen.Specimen {
	d := rand.New(rand.NewPCG(seed, 27)) // the same packages in every run
	one := func(names []string) string { return names[d.IntN(len(names))] }
	kinds := []func(uint64) specimen.Specimen{
		func(s uint64) specimen.Specimen {
			return specimen.BankStatement(specimen.BankOptions{Seed: s, Layout: one(specimen.BankLayouts())})
		},
		func(s uint64) specimen.Specimen {
			return specimen.TaxReturn(specimen.TaxOptions{Seed: s, Form: one(specimen.TaxForms())})
		},
		func(s uint64) specimen.Specimen {
			return specimen.FinancialStatement(specimen.StatementOptions{Seed: s, Layout: "compilation"})
		},
		func(s uint64) specimen.Specimen { return specimen.Trap(s, "utility_bill") },
		func(s uint64) specimen.Specimen { return specimen.Trap(s, "w2") },
		func(uint64) specimen.Specimen { return specimen.PaperSheet(one([]string{"us_workday", "uk_payslip"})) },
		func(uint64) specimen.Specimen { return specimen.PaperSheet("us_lease_residential") },
		func(uint64) specimen.Specimen { return specimen.PaperSheet("mortgage_statement") },
	}
	var parts []specimen.Specimen
	once, last := map[int]bool{}, -1
	for n := 3 + d.IntN(5); len(parts) < n; {
		k := d.IntN(len(kinds))
		if k == last || once[k] {
			continue
		}
		once[k], last = k >= 5, k
		parts = append(parts, kinds[k](seed*100+uint64(len(parts))))
	}
	return specimen.Package(seed, parts...)
}

// Packages are cut where their parts begin, and long reports are one document that serves no item: eight of each, or
// 200 where DOSSIER_LONG is set.
func TestExtract_boundaries(t *testing.T) {
	n := uint64(8)
	if os.Getenv("DOSSIER_LONG") != "" {
		n = 200
	}
	r := readtest.Reader(t, decode.Limits{})
	begins, right, extra, traps := 0, 0, 0, 0
	for seed := range n {
		s := bundle(seed + 1)
		at := map[int]dossier.ReadDocument{}
		for _, d := range readtest.With(t, r, s.Data).Extraction.Documents {
			at[d.Pages[0]] = d
		}
		before := right
		for _, p := range s.Truth.Parts {
			begins++
			d, ok := at[p.First]
			switch {
			case !ok:
				t.Logf("package %d: no document begins on page %d (%s)", seed+1, p.First, p.DocType)
				continue
			case p.FieldType == dossier.FieldFile && d.FieldType != dossier.FieldFile:
				traps++
			}
			right++
		}
		extra += len(at) - (right - before)
		long := readtest.With(t, r, specimen.LongReport(seed+1).Data).Extraction.Documents
		begins, right, extra = begins+1, right+1, extra+len(long)-1
		for _, d := range long {
			if d.FieldType != dossier.FieldFile {
				traps++
			}
		}
	}
	t.Logf("%d packages and reports: %d of %d documents begin where they do, %d more begin within one, %d taken for an item",
		2*n, right, begins, extra, traps)
	if (right-extra)*100 < begins*98 || traps > 0 {
		t.Errorf("boundaries: %d of %d and %d more, traps %d", right, begins, extra, traps)
	}
}
