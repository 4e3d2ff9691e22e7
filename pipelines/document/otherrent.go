package document

import "strings"

func rentFacts(s Segment) []otherFact {
	return []otherFact{
		dateFact(s, "asOf", "as of", "as of date", "date"), nameFact("name", "property", "property name"),
		moneyFact(s, "total", "total rent", "total monthly rent", "total monthly rents"),
	}
}

// findRentTotal reads the sum of the rents from the last row: of its figures the one below the caption of what is paid.
func findRentTotal(s Segment, f *fieldFinder, values map[string]any, found *Findings) {
	if values["total"] != nil {
		return
	}
	var paid Box
	for _, l := range f.lines {
		for _, c := range l.Cells() {
			if text := Fold(c.Text()); HasWords(text, "rent") && !HasWords(text, "market") && !HasWords(text, "roll") && len(l.Cells()) > 2 {
				paid = c.Box()
			}
		}
		text := Fold(l.Text())
		if !strings.HasPrefix(text, "total") && !strings.HasPrefix(text, "grand total") {
			continue
		}
		for _, m := range l.Amounts(s.Style) {
			if m.Looks() && !m.Percent && overlap(m.X0, m.X1, paid.X0, paid.X1) > 0 {
				values["total"] = m.Value.String()
				found.From("/total", l.Tokens[m.First:m.Last+1], "total")
			}
		}
	}
}
