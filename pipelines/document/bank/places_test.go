package bank_test

import (
	"fmt"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/decode/office"
)

// Cells drop the zeros at the end; facts have the places that the currency has, and keep those that are printed.
func TestLedger_places(t *testing.T) {
	for currency, want := range map[string]string{
		"USD": "50.00 1180.50 [-20.00 180.50] [1000.00 1180.50] [0.125 1180.625]",
		"JPY": "50.0 1180.5 [-20 180.5] [1000 1180.5] [0.125 1180.625]",
		"KWD": "50.0 1180.5 [-20 180.5] [1000 1180.5] [0.125 1180.625]",
		"":    "50.0 1180.5 [-20 180.5] [1000 1180.5] [0.125 1180.625]", // nobody knows what it has
	} {
		d, err := office.CSV([]byte("Date,Description,Amount,Currency,Balance\n2024-03-18,Transfer,150.5," + currency + ",200.5\n2024-03-20,Water,-20," + currency +
			",180.5\n2024-03-21,Pay,1000," + currency + ",1180.5\n2024-03-22,Interest,0.125," + currency + ",1180.625\n"))
		if err != nil {
			t.Fatal(err)
		}
		f := document.Extract(d).Documents[0].Facts.Bank
		if f == nil || len(f.Entries) != 4 {
			t.Fatalf("%s: %+v", currency, f)
		}
		got := fmt.Sprint(f.OpeningBalance, f.Entries[2].Balance)
		for _, e := range f.Entries[1:] {
			got += fmt.Sprintf(" [%s %s]", e.Amount, e.Balance)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", currency, got, want)
		}
	}
}
