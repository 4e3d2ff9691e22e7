package other

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// sumLine matches the caption of the line that ends an invoice; the same word may head a column of its items.
var sumLine = lazyregexp.New(`^(?:grand |invoice )?total(?: general| a pagar| ttc| due| amount| factura| eur| ` +
	`usd)?(?: (?:in )?[a-z]{1,3})?$`)

// findInvoiceTotal takes the total from the last line that bears its caption, where the word was found as the head of a
// column: what stands below a head is an item's.
func findInvoiceTotal(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	for i := len(f.Lines) - 1; i >= 0; i-- {
		l := f.Lines[i]
		amounts := text.MoneyOn(l, s.Style)
		if len(amounts) != 1 || amounts[0].First == 0 || amounts[0].Last != len(l.Tokens)-1 {
			continue
		}
		m := amounts[0]
		caption := strings.TrimSpace(text.Fold(text.Join(l.Tokens[:m.First])))
		if !sumLine.MatchString(caption) {
			continue
		}
		have, printed := found.Sources["/total"]
		if printed && (have.Page != l.Page || !headsColumn(f.Lines[:i], have.Text)) {
			return
		}
		values["total"] = m.Value.String()
		found.From("/total", l.Tokens[m.First:m.Last+1], text.Join(l.Tokens[:m.First]))
		return
	}
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
