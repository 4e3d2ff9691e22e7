package other_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

// What papers of other countries call themselves and their sums, names that two lines hold, and companies at the foot.
func TestOther_collected(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		kind  dossier.DocType
		facts map[string]any
	}{
		"a cash bill": {[]string{"SAGU TRADING SDN BHD", "TAMAN DAYA, 81100 JOHOR BAHRU", "CASH BILL",
			"Document No : TD0116|Date: 25/03/2024", "Cashier: MANIS", "CLAY|8.50", "PAPER|64.35", "Total :|72.85",
			"Cash|80.00", "CHANGE|7.15"}, dossier.DocReceipt, map[string]any{"total": "72.85"}},
		"a Spanish bill of electricity": {[]string{"Iberluz S.A.U.|FACTURA DE ELECTRICIDAD", "Nº factura: 2124031401",
			"Energía|61,22 €", "Impuestos|25,19 €", "TOTAL IMPORTE FACTURA|86,41 €"}, dossier.DocUtilityBill,
			map[string]any{"amountDue": "86.41"}},
		"a Dutch slip": {[]string{"Zuidhof Techniek B.V.|SALARISSPECIFICATIE", "Salaris|3.100,00", "Loonheffing|709,92",
			"Netto uit te betalen|2.390,08"}, dossier.DocPayStub, map[string]any{"netPay": "2390.08",
			"company": "Zuidhof Techniek B.V."}},
		"an insured beside the insurers": {[]string{"CERTIFICATE OF LIABILITY INSURANCE", "POLICY NUMBER GL0012",
			"INSURED|INSURER B : Northstar Indemnity", "CASCADE MILLWORK INC", "COVERAGES"}, dossier.DocInsurance,
			map[string]any{"name": "CASCADE MILLWORK INC"}},
	} {
		t.Run(name, func(t *testing.T) {
			doc := readtest.Lines(t, c.lines...)
			if doc.DocType != c.kind {
				t.Fatalf("read as %s, want %s", doc.DocType, c.kind)
			}
			readtest.WantFacts(t, doc.Facts.Other, c.facts)
		})
	}
}
