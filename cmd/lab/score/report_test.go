package score

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/pipelines/render"
	"github.com/dossierhq/dossier/pipelines/spread"
)

// reported is a spread of the gallery: the files it is made of, and what is changed in what was read.
type reported struct {
	name, entity string
	files        []specimen.Specimen
	change       func(*dossier.ReadDocument)
}

// gallery are spreads as different as borrowers are.
func gallery() []reported {
	filing := func(layouts ...string) (all []specimen.Specimen) {
		for _, l := range layouts {
			all = append(all, specimen.Filing(500, l))
		}
		return all
	}
	borrower := func(name string) []specimen.Specimen {
		for _, b := range specimen.Borrowers() {
			if b.Name == name {
				return b.Documents
			}
		}
		panic(name)
	}
	return []reported{
		{name: "annual_10k", files: filing("tech_10k")},
		{name: "quarter_10q", files: filing("grocery_10q")},
		{name: "release_millions", files: filing("millions_release")},
		{name: "ifrs_20f", files: filing("china_20f"), entity: "上海港湾贸易有限公司"},
		{name: "quickbooks", files: borrower("quickbooks_accrual")},
		{name: "xero", files: filing("xero_uk"), entity: "Ελληνική Ναυτιλιακή Εταιρεία Α.Ε."},
		{name: "sage", files: filing("sage50_us")},
		{name: "compilation", files: filing("compilation_ny")},
		{name: "return_1120s", files: borrower("s_corporation_three_years")},
		{name: "return_1065", files: borrower("partnership_three_years")},
		{name: "sole_proprietor", files: borrower("sole_proprietor")},
		{name: "interim_ttm", files: borrower("interim_nine_months")},
		{name: "incomplete", files: filing("wave_pdf"), change: func(d *dossier.ReadDocument) {
			for i := range d.Facts.Statement.Statements.IncomeStatement {
				c := &d.Facts.Statement.Statements.IncomeStatement[i]
				delete(c.Values, "rent")
				delete(c.Values, "salariesWages")
			}
		}},
		{name: "cyrillic", files: borrower("loss_maker"), entity: "Общество с ограниченной ответственностью «Северный путь»"},
		{name: "arabic", files: filing("zoho_uae"), entity: "شركة النور للتجارة العامة ذ.م.م"},
		{name: "negative_equity", files: borrower("negative_equity")},
		{name: "india_lakhs", files: filing("india_annual")},
		{name: "reit", files: filing("reit_10k")},
		{name: "many", files: specimen.ManySources(4, 12, true).Documents},
	}
}

// TestReport_gallery makes the files of very different spreads: all of them for whoever looks at them (RENDER_DIR names
// where to), a few otherwise.
func TestReport_gallery(t *testing.T) {
	dir, all := os.Getenv("RENDER_DIR"), gallery()
	if dir == "" {
		all = all[:3]
	}
	for _, g := range all {
		in := spread.Input{DefaultCurrency: "USD", FiscalYearEndMonth: 12,
			SpreadID: "0198c0de-0000-7000-8000-000000000001", LeadID: "0198c0de-0000-7000-8000-000000000002",
			GeneratedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
		for i, s := range g.files {
			var doc dossier.ReadDocument
			if s.Truth.Facts.Tax != nil || len(g.files) > 4 {
				doc = dossier.ReadDocument{DocType: s.Truth.DocType, Pages: [2]int{1, 3}, Confidence: 0.97, Facts: s.Truth.AllFacts()}
			} else {
				doc = filingDocument(t, s)
			}
			if g.change != nil {
				g.change(&doc)
			}
			in.Documents = append(in.Documents, spread.Document{ID: dossier.DocumentID(fmt.Sprint("d", i)), Filename: filepath.Base(s.Name),
				Parts: []dossier.ReadDocument{doc}})
		}
		r, problems, err := spread.Consolidate(in)
		if err != nil {
			t.Errorf("%s: %v", g.name, err)
			continue
		}
		if g.entity != "" {
			r.EntityName = g.entity
		}
		for _, p := range problems {
			t.Logf("%s: %+v", g.name, p)
		}
		report, err := render.Report(spread.Template(), r)
		if err != nil {
			t.Fatal(err)
		}
		sheet, err := render.Sheet(spread.Template(), r)
		if err != nil {
			t.Fatal(err)
		}
		if len(report) < 20_000 || len(sheet) < 10_000 {
			t.Errorf("%s: a report of %d bytes, a workbook of %d", g.name, len(report), len(sheet))
		}
		if dir != "" {
			_ = os.WriteFile(filepath.Join(dir, g.name+".pdf"), report, 0o600)
			_ = os.WriteFile(filepath.Join(dir, g.name+".xlsx"), sheet, 0o600)
		}
	}
}
