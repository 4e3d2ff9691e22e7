package other

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

func rentFacts(s text.Segment) []otherFact {
	return []otherFact{
		dateFact(s, "asOf", "as of", "as of date", "date"), nameFact("name", "property", "property name"),
		moneyFact(s, "total", "total rent", "total monthly rent", "total monthly rents"),
	}
}

// findRentTotal reads the sum of the rents from the last row: of its figures the one below the caption of what is paid.
func findRentTotal(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	if values["total"] != nil {
		return
	}
	var paid text.Box
	for _, l := range f.Lines {
		for _, c := range l.Cells() {
			if str := text.Fold(c.Text()); text.HasWords(str, "rent") && !text.HasWords(str, "market") &&
				!text.HasWords(str, "roll") && len(l.Cells()) > 2 {
				paid = c.Box()
			}
		}
		str := text.Fold(l.Text())
		if !strings.HasPrefix(str, "total") && !strings.HasPrefix(str, "grand total") {
			continue
		}
		for _, m := range l.Amounts(s.Style) {
			if m.Looks() && !m.Percent && text.Overlap(m.X0, m.X1, paid.X0, paid.X1) > 0 {
				values["total"] = m.Value.String()
				found.From("/total", l.Tokens[m.First:m.Last+1], "total")
			}
		}
	}
}
