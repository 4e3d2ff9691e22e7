package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/spread"
)

// globalOf is the cash flow of three businesses and two owners over five years.
func globalOf(t *testing.T) dossier.GlobalResults {
	t.Helper()
	living := decimal.NewFromInt(48000)
	in := spread.GlobalInput{SpreadID: "0193a0e0-0000-7000-8000-000000000001", LeadID: "0193a0e0-0000-7000-8000-000000000002", LivingExpenses: &living, GeneratedAt: time.Unix(1_750_000_000, 0),
		Distributions: dossier.DistributionsEntity, Spreads: map[dossier.PartyID]dossier.SpreadResults{}}
	for i, name := range []string{"Lindqvist Boats & Marine Engineering LLC", "Harbor Freight Yard LP", "Quay Street Properties Inc", "Ann Lindqvist", "José Íñigo de la Cruz"} {
		id := dossier.PartyID(fmt.Sprint("P", i))
		p := dossier.LeadParty{ID: id, Name: name, Kind: dossier.PartyBusiness, IsPrimary: i == 0}
		if i > 2 {
			p.Kind = dossier.PartyPerson
			in.Debts = append(in.Debts, dossier.Debt{ID: "d", PartyID: id, Lender: "First Harbor Bank", Payment: decimal.New(210050, -2), Frequency: dossier.DebtMonthly})
		}
		in.Parties = append(in.Parties, p)
		r := dossier.SpreadResults{SpreadID: dossier.SpreadID("0193a0e0-0000-7000-8000-00000000001" + fmt.Sprint(i)), Currency: "USD"}
		for year := 2020; year < 2025; year++ {
			if i < 3 {
				v := dossier.SpreadValue{Key: "ebitda", Label: "EBITDA", Value: dossier.Figure{Decimal: decimal.New(int64(12345678+i*9876543-year*3000), -2)}}
				if i == 2 && year == 2021 {
					v.Reliable = new(bool)
				}
				r.Statements.IncomeStatement.Periods = append(r.Statements.IncomeStatement.Periods, dossier.SpreadPeriod{ID: fmt.Sprint(year), Label: fmt.Sprint("FY ", year),
					Start: fmt.Sprintf("%d-01-01", year), End: fmt.Sprintf("%d-12-31", year), Values: dossier.SpreadValues{v, {Key: "interestExpense", Value: dossier.Figure{Decimal: decimal.NewFromInt(8000)}}}})
			} else {
				in.Papers = append(in.Papers, spread.Paper{DocumentID: "0193a0e0-0000-7000-8000-000000000020", Of: id, Read: dossier.ReadDocument{DocType: dossier.DocTaxFormOther,
					Facts: dossier.Facts{Other: map[string]any{"form": "W-2", "taxYear": float64(year), "employer": "Dock Company", "wages": "61250.40", "federalTaxWithheld": "7100"}}}})
			}
		}
		if i < 3 {
			in.Spreads[id] = r
		}
	}
	for _, e := range [][3]string{{"P3", "P0", "60"}, {"P4", "P0", "40"}, {"P0", "P1", "75"}, {"P3", "P1", "25"}, {"P4", "P2", "33.3333"}} {
		in.Edges = append(in.Edges, dossier.OwnershipEdge{OwnerID: dossier.PartyID(e[0]), OwnedID: dossier.PartyID(e[1]), Percent: decimal.RequireFromString(e[2])})
	}
	r, err := spread.Global(in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Every row and figure is in the report, on pages that are full and numbered.
func TestGlobalReport(t *testing.T) {
	t.Parallel()
	r := globalOf(t)
	data, err := GlobalReport(r)
	if err != nil {
		t.Fatal(err)
	}
	keepFile(t, "global.pdf", data)
	for i, page := range pagesOf(t, data) {
		page.check(t, i+1)
	}
	words := squeezed(textOf(t, data, "-layout"))
	for _, year := range r.Periods {
		for _, row := range year.Rows {
			if !strings.Contains(words, squeezed(row.Label)) && len(row.Label) < 60 {
				t.Errorf("%q is not in the report", row.Label)
			}
			if row.Value == nil || row.Key == "globalDscr" {
				continue
			}
			if figure := thousands(*row.Value); !strings.Contains(words, figure) {
				t.Errorf("%s, %s: %s is not in the report", year.ID, row.Label, figure)
			}
		}
	}
	again, err := GlobalReport(r)
	if err != nil || !bytes.Equal(data, again) {
		t.Errorf("the same results give another file (%v)", err)
	}
}

// keepFile keeps a file to be looked at.
func keepFile(t *testing.T, name string, data []byte) {
	t.Helper()
	if dir := os.Getenv("RENDER_DIR"); dir != "" {
		_ = os.WriteFile(filepath.Join(dir, name), data, 0o600)
	}
}

func thousands(n json.Number) string {
	whole, cents, _ := strings.Cut(strings.TrimPrefix(n.String(), "-"), ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return whole + "." + cents
}

// Subtotals, totals and the coverage are formulas that give what the results say.
func TestGlobalSheet(t *testing.T) {
	t.Parallel()
	r := globalOf(t)
	data, err := GlobalSheet(r)
	if err != nil {
		t.Fatal(err)
	}
	keepFile(t, "global.xlsx", data)
	book, err := excelize.OpenReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = book.Close() }()
	const sheet = "Global Cash Flow"
	rows, err := book.GetRows(sheet)
	if err != nil {
		t.Fatal(err)
	}
	formulas := 0
	for n, year := range r.Periods {
		for i := range rows {
			cell, _ := excelize.CoordinatesToCellName(n+2, i+1)
			formula, err := book.GetCellFormula(sheet, cell)
			if err != nil {
				t.Fatal(err)
			}
			if formula == "" {
				continue
			}
			formulas++
			got, err := book.CalcCellValue(sheet, cell, excelize.Options{RawCellValue: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range year.Rows {
				if row.Label != rows[i][0] {
					continue
				}
				want, one := decimal.RequireFromString(row.Value.String()), decimal.RequireFromString(got)
				id, _ := book.GetCellStyle(sheet, cell)
				style, err := book.GetStyle(id)
				if err != nil || strings.Contains(*style.CustomNumFmt, `" *"`) != (row.Reliable != nil) {
					t.Errorf("%s %s is shown as %s, %v", year.ID, row.Label, *style.CustomNumFmt, err)
				}
				if one.Sub(want).Abs().GreaterThan(decimal.New(1, -4)) {
					t.Errorf("%s %s: %s gives %s, want %s", year.ID, row.Label, formula, got, want)
				}
			}
		}
	}
	if formulas < 5*7 {
		t.Errorf("only %d formulas", formulas)
	}
}
