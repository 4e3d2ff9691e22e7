package bank

import (
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// pairedTotal is one caption of two totals, which stand behind it in its order: "Total withdrawals/deposits".
var pairedTotal = lazyregexp.New(`^(?i:totals?(?: of)?) ([\pL ]+?) ?(?:/|&|\band\b) ?([\pL ]+)$`)

// pairedTotals reads a line of two amounts whose caption names both: what went out and what came in.
func pairedTotals(l text.Line, at int, amounts []text.Money, order text.DateOrder) []bankItem {
	if len(amounts) != 2 {
		return nil
	}
	caption := l.Words(0, amounts[0].First)
	parts := pairedTotal.FindStringSubmatch(caption)
	if parts == nil {
		return nil
	}
	var items []bankItem
	for i, m := range amounts {
		c := readBankCaption("Total "+parts[i+1], order)
		items = append(items, bankItem{captionRead: c, money: m, tokens: l.Tokens[m.First : m.Last+1],
			caption: "Total " + parts[i+1], line: at})
	}
	if a, b := items[0].kind, items[1].kind; a.credits() && b.debits() || a.debits() && b.credits() {
		return items
	}
	return nil
}
