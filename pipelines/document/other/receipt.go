package other

import (
	"github.com/dossierhq/dossier/pipelines/document/text"
)

func receiptFacts(s text.Segment) []otherFact {
	return []otherFact{
		dateFact(s, "date", "transaction date", "date of purchase", "purchase date", "order date", "date paid", "datum",
			"fecha", "date"),
		numberFact("receipt number", "receipt no", "receipt #", "transaction id", "transaction", "order number",
			"trans #"),
		moneyFact(s, "total", "grand total", "total amount", "total a payer", "gesamtbetrag", "summe",
			"importe total", "totaal", "totale", "total", "amount paid", "total paid"),
	}
}

// findReceiptDate reads the date that a receipt prints without a caption, at the start of a line.
func findReceiptDate(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	if values["date"] != nil {
		return
	}
	for _, l := range f.Lines {
		for _, d := range l.Dates(s.Order) {
			if d.Complete() && d.First <= 1 {
				values["date"] = d.Date.String()
				found.From("/date", d.Tokens, "")
				return
			}
		}
	}
}

// findSeller reads the company above its address where a slip has no heading that names one.
func findSeller(_ text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	if values["merchant"] != nil {
		return
	}
	for _, p := range text.Parties(f.Lines) {
		heads := len(f.Lines) > 0 && len(p.Tokens) > 0 && p.Tokens[0].Page == f.Lines[0].Page &&
			p.Tokens[0].Y0 <= f.Lines[0].Y1 // a slip has one address, and the shop's name above it
		if (heads || text.Company.MatchString(p.Name)) && !isCaption(p.Name) && !notTitle.MatchString(p.Name) {
			values["merchant"] = p.Name
			found.From("/merchant", p.Tokens, "")
			return
		}
	}
}
