package bank_test

import (
	"fmt"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

// Statements of further countries and of small banks of the United States, by what they print alone.
func TestBank_captionsOfTheWorld(t *testing.T) {
	show := func(v any) string { return fmt.Sprint(v) }
	for _, c := range []struct {
		name  string
		lines []string
		want  map[string]string
	}{
		{"French balances with their sign in words", []string{"Banque du Héron|RELEVÉ DE COMPTE", "IBAN : FR76 1558 9297 0304 4188 2734 036",
			"Date|Opération|Débit|Crédit", "|ANCIEN SOLDE CRÉDITEUR AU 30.04.2024||643,90", "02/05/2024|PRELEVEMENT EAU|88,40",
			"04/05/2024|VIREMENT RECU||2 315,00", "|NOUVEAU SOLDE CRÉDITEUR AU 31.05.2024||2 870,50"},
			map[string]string{"opening": "643.90", "closing": "2870.50"}},
		{"New Zealand's number without a caption", []string{"Dunnock Bank|Statement", "1 July 2023 - 31 July 2023", "Everyday|38-9017-0441882-00",
			"Date|Details|Withdrawals|Deposits|Balance", "01 Jul|Opening Balance|||402.17", "03 Jul|Rent|52.00||350.17", "05 Jul|Wages||100.00|450.17",
			"31 Jul|Closing Balance|||450.17", "Totals at end of period Withdrawals|$52.00|Deposits|$100.00"},
			map[string]string{"number": "38-9017-0441882-00", "out": "52.00"}},
		{"date beside the number of the page", []string{"DIPPER BANK|Date 11/30/22|Page 1", "Account Number 104418827", "Statement Dates 11/01/22 thru 11/30/22",
			"Previous Balance|100.00", "1 Deposits/Credits|50.00", "1 Checks/Debits|20.00", "Ending Balance|130.00", "11/04|DEPOSIT|50.00||150.00",
			"11/09|CHECK||20.00|130.00"}, map[string]string{"dated": "2022-11-30"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := readtest.Lines(t, c.lines...).Facts.Bank
			if f == nil {
				t.Fatal("no statement")
			}
			got := map[string]string{}
			if f.OpeningBalance != nil {
				got["opening"] = show(f.OpeningBalance)
			}
			if f.ClosingBalance != nil {
				got["closing"] = show(f.ClosingBalance)
			}
			if f.AccountNumber != nil {
				got["number"] = *f.AccountNumber
			}
			if f.TotalWithdrawals != nil {
				got["out"] = show(f.TotalWithdrawals)
			}
			if f.StatementDate != nil {
				got["dated"] = *f.StatementDate
			}
			for k, want := range c.want {
				if got[k] != want {
					t.Errorf("%s: %q, want %q", k, got[k], want)
				}
			}
		})
	}
}
