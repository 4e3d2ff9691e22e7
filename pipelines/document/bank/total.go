package bank

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// The last line of a table, which adds its columns up.

func isTotal(folded string) bool {
	return strings.HasPrefix(folded, "total") || strings.HasPrefix(folded, "totaux") || folded == "umsatztotal" ||
		folded == "summe" || folded == "somme" || folded == "suma" ||
		strings.HasPrefix(folded, "subtotal") || text.HasWords(folded, "subtotal") ||
		strings.HasSuffix(folded, " total") || strings.HasSuffix(folded, " totals") || folded == "totals"
}

// total reads the last line of a table: what its columns of money in and out add up to.
func (t *tableReader) total(l text.Line, at int, amounts []text.Money) {
	if len(amounts) != 2 && len(amounts) != 3 || !t.hasBothWays() {
		return
	}
	var found []bankItem
	for _, m := range amounts {
		c := t.columnOf(m)
		if c == nil || text.Overlap(c.x0, c.x1, m.X0, m.X1) <= 0 {
			return
		}
		kind := map[columnKind]bankKind{roleCredit: bankCredits, roleDebit: bankDebits}[c.holds]
		if kind == bankNone {
			continue
		}
		if c.moves.credits() && kind.credits() || c.moves.debits() && kind.debits() {
			kind = c.moves
		}
		found = append(found, bankItem{captionRead: captionRead{kind: kind}, money: m,
			tokens: l.Tokens[m.First : m.Last+1], caption: text.Join(l.Tokens[:amounts[0].First]), line: at})
	}
	if len(found) == 2 && found[0].kind != found[1].kind {
		t.totals = append(t.totals, found...)
	}
}
