package other

import (
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// sumLine matches the caption of the line that ends an invoice; the same word may head a column of its items.
var sumLine = lazyregexp.New(`^(?:grand |invoice |importe |monto )?total(?:es| general| a pagar| ttc| due| amount` +
	`| factura| eur| usd)?(?: (?:in )?[a-z]{1,3})?$`)

// findInvoiceTotal takes the total from the last line that bears its caption, where the word was found as the head of a
// column: what stands below a head is an item's.
func findInvoiceTotal(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	for i := len(f.Lines) - 1; i >= 0; i-- {
		l := f.Lines[i]
		amounts := text.MoneyOn(l, s.Style)
		if len(amounts) == 0 || amounts[0].First == 0 {
			continue
		}
		m := amounts[len(amounts)-1] // below a column of discounts and one of sums
		if m.Last != len(l.Tokens)-1 {
			continue
		}
		caption := strings.TrimSpace(text.Fold(text.Join(l.Tokens[:amounts[0].First])))
		if !sumLine.MatchString(caption) {
			continue
		}
		have, printed := found.Sources["/total"]
		// The row of sums adds up each column: how many there are of the items, then what they cost.
		same := printed && len(amounts) > 1 && have.Text == text.Join(l.Tokens[amounts[0].First:amounts[0].Last+1])
		due, rest := values["amountDue"].(string)
		rest = rest && due == values["total"] && bareTotal.MatchString(caption) && isGreater(m.Value.String(), due)
		if printed && (have.Page != l.Page || !same && !rest && !headsColumn(f.Lines[:i], have.Text)) {
			return
		}
		values["total"] = m.Value.String()
		found.From("/total", l.Tokens[m.First:m.Last+1], text.Join(l.Tokens[:m.First]))
		return
	}
}

// bareTotal is the caption of the sum itself: what is due of it may be less.
var bareTotal = lazyregexp.New(`^(?:grand |invoice )?total$`)

// isGreater reports whether an amount is more than another one.
func isGreater(a, b string) bool {
	x, errX := dossier.ParseAmount(a)
	y, errY := dossier.ParseAmount(b)
	return errX == nil && errY == nil && x.GreaterThan(y.Decimal)
}

// headsColumn reports whether a figure stands on a line of items: one with other figures beside it.
func headsColumn(lines []text.Line, figure string) bool {
	for _, l := range lines {
		if len(l.Amounts(text.DotDecimal)) > 1 && strings.HasSuffix(l.Text(), figure) {
			return true
		}
	}
	return false
}

// invoiceTitle matches the title of an invoice at the beginning of a cell, folded, with the words that go on with it;
// numberMark what a number is announced by.
var (
	invoiceTitle = lazyregexp.New(`(?i)^(?:(?:commercial|tax|proforma|pro[ -]forma|sales)\s+)?(?:invoice|factura` +
		`|facture|rechnung|fattura|factuur|fatura|faktura|nota fiscal)` +
		`(?:\s+(?:electr[oó]nica|eletr[oô]nica|elettronica|de|venta|venda|servi[cç]os?|acompagnatoria|recibo` +
		`|afecta|exenta|simplificada|comercial|proforma))*\s*`)
	numberMark = lazyregexp.New(`(?i)^(?:n\.?\s?[°ºo]?\.?|no\.?|nr\.?|nro\.?|num\.?` +
		`|num[eé]ro|number|nummer|folio|#)\s*[:.]?\s*`)
	inSeries = lazyregexp.New(`^[A-Z]{0,5}\d{0,4}[-/ ]?\d{1,12}(?:[-/]\d{1,8}){0,2}\b`)
)

// findInvoiceNumber reads a number that has no caption of its own but stands by the title: behind it in its cell, or
// right below it in the same frame.
func findInvoiceNumber(_ text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	if values["number"] != nil {
		return
	}
	if numberAtTitle(f, values, found, false) {
		return
	}
	folio := numberFact("folio", "no", "nro", "nr", "n")
	folio.Whole = true
	if v, used, ok := f.Find(folio.Field); ok {
		values["number"] = v
		found.From("/number", used, "number")
		return
	}
	numberAtTitle(f, values, found, true)
}

// numberAtTitle reads the number behind the title in its cell, or alone in the first cell below it.
func numberAtTitle(f *text.FieldFinder, values map[string]any, found *text.Findings, below bool) bool {
	for i, l := range f.Lines[:min(len(f.Lines), 30)] {
		for _, cell := range l.Cells() {
			at := invoiceTitle.FindStringIndex(cell.Text())
			switch {
			case at == nil:
			case !below:
				if takeNumber(cell, at[1], false, values, found) {
					return true
				}
			case strings.TrimSpace(cell.Text()[at[1]:]) == "":
				if c, ok := firstBelow(f.Lines[i+1:min(i+3, len(f.Lines))], cell); ok &&
					takeNumber(c, 0, true, values, found) {
					return true
				}
			}
		}
	}
	return false
}

// firstBelow is the first cell below another that shares some of its width and is near.
func firstBelow(lines []text.Line, cell text.Line) (text.Line, bool) {
	for _, l := range lines {
		for _, c := range l.Cells() {
			if text.Overlap(c.X0, c.X1, cell.X0, cell.X1) > 0 {
				return c, c.Page == cell.Page && c.Y0-cell.Y1 < 2.5*(cell.Y1-cell.Y0)
			}
		}
	}
	return text.Line{}, false
}

// takeNumber takes the number that a cell has from a place on: announced by a mark, or alone in its cell and in a
// series of letters and figures.
func takeNumber(cell text.Line, from int, alone bool, values map[string]any, found *text.Findings) bool {
	str := cell.Text()
	if mark := numberMark.FindStringIndex(str[from:]); mark != nil && mark[1] > 0 {
		from, alone = from+mark[1], false
	}
	number := inSeries.FindString(str[from:])
	rest := strings.TrimSpace(str[from+len(number):])
	if !text.HasDigits(number, 2) || alone && (rest != "" || !text.HasDigits(number, 4)) ||
		wholeDate(number) || strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, ",") {
		return false
	}
	values["number"] = number
	found.From("/number", cell.TokensOf(from, from+len(number)), "")
	return true
}

// otherDay matches what says of a date that it is not the invoice's.
var otherDay = lazyregexp.New(`\b(?:due|pay|payment|zahlbar|fallig|bis|echeance|reglement|avant|vencimiento|vto|vence` +
	`|vencimento|scadenza|verval|forfallo|period|periode|periodo|from|to|through|desde|hasta|del? .* al?|delivery` +
	`|lieferung|liefer|livraison|entrega|service|shipped|ship|order|bestell|commande|pedido|terms)\b`)

// findInvoiceDay takes the only complete date in the head of an invoice that nothing says to be another's: many print
// the day beside the town or behind the number.
func findInvoiceDay(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	if values["date"] != nil || len(s.Pages) == 0 {
		return
	}
	first := s.Pages[0]
	var day *text.DateOn
	for _, l := range f.Lines {
		if l.Page != first.Number || l.Y0 > 0.5*first.Height {
			continue
		}
		for _, cell := range l.Cells() {
			if otherDay.MatchString(text.Fold(cell.Text())) {
				continue
			}
			for _, d := range cell.Dates(s.Order) {
				if !d.Complete() || d.Date.String() == values["dueDate"] {
					continue
				}
				if day != nil && day.Date != d.Date {
					return
				}
				day = &d
			}
		}
	}
	if day != nil {
		values["date"] = day.Date.String()
		found.From("/date", day.Tokens, "")
	}
}

// findIssuer reads who sends an invoice where a caption says so.
func findIssuer(_ text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	if values["issuer"] != nil {
		return
	}
	sender := nameFact("issuer", "seller", "vendor", "supplier", "sold by", "emisor", "nombre emisor", "vendedor",
		"proveedor", "prestador", "fornecedor", "emetteur", "vendeur", "fournisseur", "lieferant", "verkaufer",
		"fornitore")
	if v, used, ok := f.Find(sender.Field); ok {
		values["issuer"] = v
		found.From("/issuer", used, "seller")
	}
}
