package classify_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

// What explains a statement is none; a statement may have a message to its reader, and the same account below it.
func TestKind_teaching(t *testing.T) {
	account := []string{"Fallow Creek Bank|Statement period 01/01/2024 to 01/31/2024", "Account number 000441720", "Beginning balance on 01/01/2024||$9,120.40",
		"Deposits and credits||$4,400.00", "Withdrawals and debits||$3,020.15", "Ending balance on 01/31/2024||$10,500.25",
		"01/05|Payroll|2,200.00|11,320.40", "01/19|Payroll|2,200.00|13,520.40"}
	for name, c := range map[string]struct {
		above []string
		want  dossier.DocType
	}{
		"none":    {nil, dossier.DocBankStatement},
		"message": {[]string{"Fallow Creek Bank|January 31, 2024", "Your statement has a new look that we hope you will like."}, dossier.DocBankStatement},
		"article": {[]string{"Bank statements, explained", "A bank statement is a summary of what happened in an account.", "For example, Orson has this account in the month of January:"}, dossier.DocOther},
		"lesson":  {[]string{"Lesson 4: Balancing your account", "Directions: use the statement below."}, dossier.DocOther},
		"leaflet": {[]string{"Conozca su estado de cuenta"}, dossier.DocOther},
	} {
		t.Run(name, func(t *testing.T) {
			if doc := readtest.Lines(t, append(c.above, account...)...); doc.DocType != c.want {
				t.Errorf("read as %s, want %s", doc.DocType, c.want)
			}
		})
	}
}
