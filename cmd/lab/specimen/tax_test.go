package specimen

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	"github.com/shopspring/decimal"
)

var taxSpecimens = sync.OnceValue(taxSamples)

func taxSamples() []Specimen {
	var all []Specimen
	for i, form := range TaxForms() {
		for _, fillable := range []bool{true, false} {
			all = append(all, TaxReturn(TaxOptions{Seed: uint64(40 + i), Form: form, Fillable: fillable, Flattened: !fillable}))
		}
	}
	for _, year := range []int{2018, 2019, 2020, 2021, 2022, 2024} {
		all = append(all, TaxReturn(TaxOptions{Seed: uint64(year), Form: "1040", Year: year}))
	}
	return append(all,
		TaxReturn(TaxOptions{Seed: 61, Form: "1120-S", Year: 2021}), TaxReturn(TaxOptions{Seed: 61, Form: "1120-S", Year: 2023, YearEnd: 6}),
		TaxReturn(TaxOptions{Seed: 62, Form: "1065", Year: 2022}), TaxReturn(TaxOptions{Seed: 62, Form: "1065", Year: 2024}))
}

// TestTaxReturn_printsItsTruth: every line, name and number of the truth is on the pages.
func TestTaxReturn_printsItsTruth(t *testing.T) {
	for _, s := range taxSpecimens() {
		text := squeeze(popplerText(t, s))
		f := s.Truth.Facts.Tax
		for no, a := range f.Lines {
			if !strings.Contains(text, squeeze(a.Abs().String())) {
				t.Errorf("%s: line %s %s is not in the text", s.Name, no, a)
			}
		}
		for _, name := range []*string{f.EntityName, f.EIN, f.SSN, f.BusinessName, f.Preparer} {
			if name != nil && !strings.Contains(text, squeeze(*name)) {
				t.Errorf("%s: %q is not in the text", s.Name, *name)
			}
		}
	}
}

// TestTaxReturn_foots holds the forms' own arithmetic.
func TestTaxReturn_foots(t *testing.T) {
	for _, s := range taxSpecimens() {
		f := s.Truth.Facts.Tax
		line := func(no string) decimal.Decimal { return f.Lines[no].Decimal }
		var got, want decimal.Decimal
		switch *f.Form {
		case "1120-S", "1065":
			got, want = f.OrdinaryBusinessIncome.Decimal, f.TotalIncome.Sub(f.TotalDeductions.Decimal)
		case "1120":
			got, want = line("28"), line("11").Sub(line("27"))
		case "990":
			got, want = f.NetAssets.Decimal, f.TotalAssets.Sub(f.TotalLiabilities.Decimal)
		case "1040 Schedule C":
			got, want = signed(f.NetProfit), line("7").Sub(signed(f.TotalExpenses))
		case "1040":
			got, want = signed(f.Overpaid).Sub(signed(f.AmountOwed)), paid1040(*f.TaxYear, line).Sub(signed(f.TotalTax))
		}
		if !got.Equal(want) {
			t.Errorf("%s: %s, want %s", s.Name, got, want)
		}
		if f.GrossProfit != nil && !f.GrossProfit.Equal(f.GrossReceipts.Sub(line("1b")).Sub(line("2")).Sub(costOfScheduleC(*f.Form, line))) {
			t.Errorf("%s: gross profit %s does not follow", s.Name, f.GrossProfit)
		}
	}
}

func costOfScheduleC(form string, line func(string) decimal.Decimal) decimal.Decimal {
	if form == "1040 Schedule C" {
		return line("4")
	}
	return decimal.Zero
}

// paid1040 is the line of total payments, whose number moves with the year.
func paid1040(year int, line func(string) decimal.Decimal) decimal.Decimal {
	switch year {
	case 2018:
		return line("18")
	case 2019:
		return line("19")
	}
	return line("33")
}

func TestTaxReturn_sameSeedSameBytes(t *testing.T) {
	again := taxSamples()
	for i, first := range taxSpecimens() {
		if !bytes.Equal(first.Data, again[i].Data) {
			t.Errorf("%s differs between two runs of one seed", first.Name)
		}
	}
}
