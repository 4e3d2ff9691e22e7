package judge

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
)

// What would have to be so is found by asking the rule; it says the edge of what passes, and nothing where no single fact decides.
func TestValidate_wouldPassIf(t *testing.T) {
	undated := statement(func(d *dossier.ReadDocument) { d.Facts.Bank.StatementDate = nil })
	wrong := statement(func(d *dossier.ReadDocument) {
		d.Checks, d.Facts.Bank.ClosingBalance = nil, amount("3000.00")
	})
	apart := func(change func(*dossier.BankFacts)) dossier.ReadDocument {
		return statement(func(d *dossier.ReadDocument) {
			d.Checks = []dossier.FactCheck{{Name: "reconciles", Detail: "2,967.65 + 6,411.44 - 6,504.68 = 2,874.41, printed 3,000.00"}}
			b := d.Facts.Bank
			b.Checks, b.ServiceFees, b.ClosingBalance = amount("100.00"), amount("28.00"), amount("3000.00")
			change(b)
		})
	}
	besides := apart(func(*dossier.BankFacts) {})
	within := apart(func(b *dossier.BankFacts) { b.TotalDebits, b.TotalWithdrawals = b.TotalWithdrawals, nil })
	listed := apart(func(b *dossier.BankFacts) {
		b.Entries = []dossier.BankEntry{{Amount: *amount("6411.44")}, {Amount: *amount("-6376.68")}}
	})
	for _, c := range []struct {
		rule string
		doc  dossier.ReadDocument
		want string // "": null
	}{
		{"Dated within the last 10 days", undated, "the statement ended on or after 2024-03-10"},
		{"Issued on or before January 31, 2024", undated, "the statement ended on or before 2024-01-31"},
		{"Is valid for at least 3 years", license(), "the expiry date was 2027-03-20 or later"},
		{"The closing balance is at least $5,000", statement(), "the closing balance was 5,000 or more"},
		{"The account holder is the business", statement(func(d *dossier.ReadDocument) { d.Facts.Bank.AccountHolder = str("SOMEBODY ELSE") }), `the account holder was "Juniper Hollow LLC"`},
		{"The balances reconcile", wrong, "the closing balance was 3,002.41"},
		{"The balances reconcile", besides, "the closing balance was 2,874.41"},
		{"The balances reconcile", within, "the closing balance was 3,002.41"},
		{"The balances reconcile", listed, "the closing balance was 3,002.41"},
		{"The document is a passport", license(), "the document was a passport"},
		{"The closing balance is at least $1", statement(), ""},
		{"The statement is in the hands of a dragon", statement(), ""},
	} {
		for pointer := range map[string]bool{"/statementDate": true, "/expiryDate": true, "/accountHolder": true, "/closingBalance": true, "/periodEnd": true} {
			if c.doc.Sources == nil {
				c.doc.Sources = map[string]dossier.Source{}
			}
			c.doc.Sources[pointer] = dossier.Source{Page: 1, Box: []float64{1, 2, 3, 4}, Text: "printed"}
		}
		in := Judgement{Document: "d1", FieldType: dossier.FieldFile, Rules: []string{c.rule}, Party: testParty, Today: testDay(t, rulesToday),
			Extraction: dossier.Extraction{Layer: "text", MimeType: "application/pdf", PageCount: 4, Documents: []dossier.ReadDocument{c.doc}}}
		r := Validate(in).Results[0]
		got := ""
		if r.WouldPassIf != nil {
			got = *r.WouldPassIf
		}
		if got != c.want {
			t.Errorf("%s (%s): %q, want %q", c.rule, r.IsValidReason, got, c.want)
		}
		if strings.Contains(c.rule, "dragon") || r.Code == "kind_is" {
			continue
		}
		if len(r.Citations) == 0 || r.Citations[0].DocumentID == nil || *r.Citations[0].DocumentID != "d1" || *r.Citations[0].Page != 1 || r.Citations[0].Text != "printed" {
			t.Errorf("%s cites %+v", c.rule, r.Citations)
		}
	}
}
