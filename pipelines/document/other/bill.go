package other

import (
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

func billFacts(s text.Segment) []otherFact {
	return []otherFact{
		dateFact(s, "statementDate", "statement date", "bill date", "billing date", "invoice date", "date of bill",
			"bill issued", "date issued", "issue date", "rechnungsdatum", "date de facture", "date de facturation",
			"facture du", "fecha de emision", "fecha de factura", "fecha factura", "data de emissao", "data emissao",
			"data emissione", "data di emissione", "data fattura", "notadatum", "factuurdatum", "datum",
			"fecha", "date"),
		dateFact(s, "dueDate", "due date", "payment due date", "payment due", "please pay by", "pay by", "due by",
			"fallig am", "zahlbar bis", "a regler avant le", "date decheance", "date limite de paiement",
			"date d echeance", "echeance", "fecha de cargo", "fecha limite de pago", "limite de pago",
			"fecha de vencimiento", "vencimiento", "vencimento", "scadenza", "data di scadenza", "data scadenza",
			"entro il", "vervaldatum", "uiterste betaaldatum", "te betalen voor"),
		moneyFact(s, "amountDue", "zu zahlender betrag", "zahlbetrag", "gesamtbetrag", "rechnungsbetrag",
			"nachzahlung", "noch zu zahlen", "offener betrag", "restbetrag", "total importe factura",
			"importe de la factura", "importe factura", "montant a payer", "net a payer",
			"montant total ttc a payer", "total ttc a payer", "montant total a payer", "montant a regler",
			"total ttc", "total a pagar", "importe total",
			"importe a pagar", "total factura", "total amount due", "amount due", "total due", "balance due",
			"please pay", "pay this amount", "amount to pay", "total to pay", "amount payable", "total payable",
			"te betalen", "totale bolletta", "totale da pagare", "importo da pagare", "valor a pagar"),
		moneyFact(s, "currentBalanceDue", "current balance due", "current charges due", "current balance"),
		numberFact("account number", "account no", "customer number", "kundennummer", "vertragskonto",
			"numero de servicio", "reference client", "account"),
		personFact("name", "customer name", "account name", "service for", "bill to", "titulaire du contrat",
			"titulaire", "titular", "nombre del cliente", "kunde", "customer", "cliente", "client"),
	}
}

// findBillCustomer reads who has the bill above an address that is not the sender's.
func findBillCustomer(_ text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	name, tokens := text.HolderOf(f.Lines)
	if values["name"] == nil && name != "" && !billWords.MatchString(name) && !notTitle.MatchString(name) {
		values["name"] = name
		found.From("/name", tokens, "")
	}
}

// findBillName reads a customer's name that stands alone at the top of a bill.
func findBillName(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	if values["name"] != nil {
		return
	}
	for _, l := range f.Lines[:min(len(f.Lines), 6)] {
		for _, cell := range l.Cells() {
			if str := cell.Text(); len(cell.Tokens) >= 2 && len(cell.Tokens) <= 4 && personLine.MatchString(str) &&
				text.MeanConfidence(cell.Tokens) > 0.75 && !text.NotPerson.MatchString(str) &&
				!text.Company.MatchString(str) && !notTitle.MatchString(str) && !billWords.MatchString(str) {
				values["name"] = str
				found.From("/name", cell.Tokens, "")
				return
			}
		}
	}
}

var (
	personLine = lazyregexp.New(`^\p{Lu}[\p{L}'’.-]*( \p{Lu}[\p{L}'’.-]*){1,3}$`)
	billWords  = lazyregexp.New(`(?i)\b(electric|electricity|gas|water|energy|power|utility|utilities|service|amount` +
		`|due|thank|you|wireless|internet|communications|city|county|district|light|hydro|stadtwerke|read` +
		`|reading|previous|present|usage|meter|col|colonia|fracc|barrio)\b`)
)
