package other

import (
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// checkNumber is the number in the upper right corner of a check.
var checkNumber = lazyregexp.New(`^\d{3,7}$`)

// findCheckHead reads what checks print without captions above the line of the payee: the number in the right corner,
// and the date, if there is only one.
func findCheckHead(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	var dates []text.DateOn
	for _, l := range f.Lines {
		if folded := text.Fold(l.Text()); text.HasWords(folded, "pay to") || text.HasWords(folded, "order of") {
			break
		}
		for _, d := range l.Dates(s.Order) {
			if d.Complete() {
				dates = append(dates, d)
			}
		}
		n := len(l.Tokens)
		last := l.Tokens[n-1]
		if values["number"] == nil && checkNumber.MatchString(last.Text) && last.X0 > pageWidth(s, l.Page)*0.55 &&
			(n == 1 || text.WideGap(l.Tokens[n-2], last)) {
			values["number"] = last.Text
			found.From("/number", []text.Token{last}, "")
		}
	}
	if values["date"] == nil && len(dates) == 1 {
		values["date"] = dates[0].Date.String()
		found.From("/date", dates[0].Tokens, "")
	}
}

func pageWidth(s text.Segment, number int) float64 {
	for _, p := range s.Pages {
		if p.Number == number {
			return p.Width
		}
	}
	return 0
}

// findCheckTotal reads the amount of a check whose sign of the currency stands apart: the only figure with cents on the
// line of the payee, or on the one below it.
func findCheckTotal(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	if values["total"] != nil {
		return
	}
	for i, l := range f.Lines {
		if folded := text.Fold(l.Text()); !text.HasWords(folded, "order of") && !text.HasWords(folded, "ordre de") &&
			!text.HasWords(folded, "orden de") {
			continue
		}
		for _, row := range f.Lines[i:min(i+2, len(f.Lines))] {
			if amounts := text.MoneyOn(row, s.Style); len(amounts) == 1 && amounts[0].Places() == 2 {
				m := amounts[0]
				values["total"] = m.Value.String()
				found.From("/total", row.Tokens[m.First:m.Last+1], "order of")
				return
			}
		}
	}
}
