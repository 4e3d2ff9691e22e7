package bank

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// scannedRows are transactions "amount balance" as OCR read them; "-" is a balance that is not printed.
func scannedRows(t *testing.T, confidence float64, rows ...string) []bankRow {
	t.Helper()
	var out []bankRow
	for _, row := range rows {
		amount, balance, _ := strings.Cut(row, " ")
		read := func(s string) (text.Money, []text.Token) {
			v, err := dossier.ParseAmount(s)
			if err != nil {
				t.Fatal(err)
			}
			return text.Money{Value: v, Text: s}, []text.Token{{Text: s, Method: text.MethodOCR, Confidence: confidence}}
		}
		m, tokens := read(amount)
		r := bankRow{amount: m, tokens: tokens, sign: m.Value.Sign()}
		if balance != "-" {
			b, at := read(balance)
			r.balance, r.balanceAt = &b, at
		}
		out = append(out, r)
	}
	return out
}

func printedRows(rows []bankRow) []string {
	var out []string
	for _, r := range rows {
		text := r.signed().StringFixed(2) + " -"
		if r.balance != nil {
			text = r.signed().StringFixed(2) + " " + r.balance.Value.StringFixed(2)
		}
		if r.mended != "" {
			text += " *"
		}
		out = append(out, text)
	}
	return out
}

// A figure is corrected only where one other reading of one figure makes every balance around it come out.
func TestMendRows(t *testing.T) {
	amount := func(s string) *dossier.Amount { v, _ := dossier.ParseAmount(s); return &v }
	for _, c := range []struct {
		name       string
		rows, want []string
	}{
		{"all come out", []string{"10.00 110.00", "-30.00 80.00"}, []string{"10.00 110.00", "-30.00 80.00"}},
		{"an amount lost a figure", []string{"1.00 110.00", "-30.00 80.00"}, []string{"10.00 110.00 *", "-30.00 80.00"}},
		{"an amount misread", []string{"16.00 110.00", "-30.00 80.00"}, []string{"10.00 110.00 *", "-30.00 80.00"}},
		{"a balance misread, the amounts right", []string{"10.00 170.00", "-30.00 80.00"}, []string{"10.00 110.00 *", "-30.00 80.00"}},
		{"the last balance misread", []string{"10.00 110.00", "-30.00 86.00"}, []string{"10.00 110.00", "-30.00 80.00 *"}},
		{"a balance misread before rows without one", []string{"10.00 170.00", "-20.00 -", "-10.00 80.00"}, []string{"10.00 110.00 *", "-20.00 -", "-10.00 80.00"}},
		{"a row was lost: nothing is made up", []string{"10.00 110.00", "-30.00 55.00"}, []string{"10.00 110.00", "-30.00 55.00"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows := scannedRows(t, 0.8, c.rows...)
			correctByBalances(rows, &amount("100.00").Decimal, &amount("80.00").Decimal)
			if diff := cmp.Diff(c.want, printedRows(rows)); diff != "" {
				t.Errorf("rows (-want +got)\n%s", diff)
			}
		})
	}
}

// Without running balances the change of the balance tells, where exactly one reading of one doubtful figure gives it.
func TestMendSum(t *testing.T) {
	for _, c := range []struct {
		name       string
		confidence float64
		rows, want []string
	}{
		{"one figure fits", 0.5, []string{"45.00 -", "-85.00 -"}, []string{"45.00 -", "-65.00 - *"}},
		{"read clearly", 0.99, []string{"45.00 -", "-85.00 -"}, []string{"45.00 -", "-85.00 -"}},
		{"two figures fit", 0.5, []string{"16.00 -", "-36.00 -", "16.00 -", "-10.00 -"}, []string{"16.00 -", "-36.00 -", "16.00 -", "-10.00 -"}},
		{"digits that nobody confuses", 0.5, []string{"10.00 -", "-31.00 -"}, []string{"10.00 -", "-31.00 -"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			item := func(s string) *bankItem {
				v, _ := dossier.ParseAmount(s)
				return &bankItem{money: text.Money{Value: v}}
			}
			a := account{rows: scannedRows(t, c.confidence, c.rows...), opening: item("100.00"), closing: item("80.00"), foots: true}
			a.correctBySummary()
			if diff := cmp.Diff(c.want, printedRows(a.rows)); diff != "" {
				t.Errorf("rows (-want +got)\n%s", diff)
			}
		})
	}
}
