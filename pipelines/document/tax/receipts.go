package tax

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// inlineReceipts reads the first row of business forms where it holds three lines, of which only the last has its
// number in a box: "1a Gross receipts or sales 812,400 b Less returns and allowances 2,118 c Balance | 1c | 810,282".
func (r *taxReader) inlineReceipts() {
	if r.Form != corporate && r.Form != sCorp && r.Form != partners {
		return
	}
	for _, row := range r.lines {
		folded := text.Fold(row.Text())
		if !text.HasWords(folded, "gross receipts or sales") || !strings.Contains(folded, "balance") ||
			!strings.Contains(folded, "allowanc") {
			continue
		}
		lines := linesOf(r.Form, r.mapYear())
		from := 0
		for _, m := range row.Amounts(r.Style) {
			caption := text.Fold(text.Join(row.Tokens[from:m.First]))
			number := ""
			switch words := strings.Fields(caption); {
			case m.Dash || m.Percent || isBareNumber(m.Text):
				continue
			case len(words) > 0 && lineNumber.MatchString(words[len(words)-1]):
				return // its box stands before it: what stands there is read by the boxes
			case strings.HasSuffix(caption, "gross receipts or sales"):
				number = "1a"
			case strings.Contains(caption, "allowanc"):
				number = "1b"
			}
			i := slices.IndexFunc(lines, func(l taxLine) bool { return l.number == number })
			if i >= 0 {
				r.setLine(lines[i], m, row.Tokens[m.First:m.Last+1])
			}
			from = m.Last + 1
		}
		return
	}
}
