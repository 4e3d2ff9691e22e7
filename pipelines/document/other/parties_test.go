package other_test

import (
	"fmt"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

// Parties, boxes and totals of papers, each where its kind prints it; the word for a party, the caption of the next box
// and the number of a state are nobody's name.
func TestOther_partiesAndBoxes(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  map[string]string
	}{
		{"Spanish lease", []string{"CONTRATO DE ARRENDAMIENTO DE VIVIENDA", "De una parte, D. EUSEBIO GRAJO RUIZ, mayor de edad, en adelante EL", "ARRENDADOR.",
			"De otra parte, D.ª NEREA MIRLO SANZ, mayor de edad, en adelante LA", "ARRENDATARIA.", "La renta mensual será de 640 euros."},
			map[string]string{"landlord": "EUSEBIO GRAJO RUIZ", "tenant": "NEREA MIRLO SANZ"}},
		{"French lease", []string{"CONTRAT DE LOCATION", "Bailleur : SCI LES GREBES, 3 rue du Lac, 44000 Nantes", "Locataire : Mme Apolline Sarcelle, née le 12/02/1991"},
			map[string]string{"landlord": "SCI LES GREBES", "tenant": "Apolline Sarcelle"}},
		{"quarterly return", []string{"Form 941 for 2024|Employer's QUARTERLY Federal Tax Return", "Employer identification number|47-1188203",
			"Name (not your trade name) CROSSBILL PRESS LLC", "Trade name (if any)", "☐ 1: January, February, March", "☒ 2: April, May, June"},
			map[string]string{"entityName": "CROSSBILL PRESS LLC", "quarter": "2"}},
		{"boxes of a 1099", []string{"PAYER'S name, street address|1 Interest income|Form 1099-INT", "SISKIN SAVINGS|$ 1,204.17|2022", "OMB No. 1545-0112|3 Interest on U.S. Savings Bonds", "|$ 210.00"},
			map[string]string{"lines": "map[1:1204.17 3:210.00]"}},
		{"French bill", []string{"Votre facture du 12/03/2024|Électricité", "Point de livraison (PDL) : 22044188277341", "Montant total TTC à payer : 141,18 €", "Abonnement (HT)|31,20 €",
			"Consommation 612 kWh (HT)|88,44 €"}, map[string]string{"amountDue": "141.18"}},
		{"account of securities", []string{"Sandpiper Brokerage Services|INVESTMENT REPORT", "Account Number: Z44-188273", "Beginning Account Value|$407,623.24", "Ending Account Value|$418,827.34",
			"Holdings|Quantity|Price|Market Value"}, map[string]string{"accountNumber": "Z44-188273"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			facts := readtest.Lines(t, c.lines...).Facts.Other
			for k, want := range c.want {
				if got := fmt.Sprint(facts[k]); got != want {
					t.Errorf("%s: %s, want %s", k, got, want)
				}
			}
		})
	}
	blank := readtest.Lines(t, "OMB No. 1545-0008", "c Employer's name, address, and ZIP code", "WI 036-0044188", "Form W-2 Wage and Tax Statement|2023").Facts.Other
	if blank["employer"] != nil {
		t.Errorf("employer %v", blank["employer"])
	}
}
