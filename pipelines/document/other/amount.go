package other

import (
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// moneyFact is an amount; a caption may go on with the day that it is due, or is of: "Amount due by March 1, 2024",
// "Total Amount Due Dec 08".
func moneyFact(s text.Segment, name string, captions ...string) otherFact {
	money := text.AcceptMoney(s.Style)
	return otherFact{name, text.Field{Captions: captions, Centred: true,
		Accept: func(tokens []text.Token) (string, []text.Token, bool) {
			return money(afterDate(tokens, s.Order))
		}}}
}

// afterDate is what follows the date that tokens begin with: a whole date, or one without its year when a word
// announces it or its month is written out.
func afterDate(tokens []text.Token, order text.DateOrder) []text.Token {
	from := 0
	if dueBy[text.Fold(tokens[0].Text)] {
		from = 1
	}
	if from == len(tokens) {
		return tokens
	}
	dates := text.Line{Tokens: tokens[from:min(len(tokens), from+5)]}.Dates(order)
	if len(dates) == 0 || dates[0].First != 0 || from+dates[0].Last+1 >= len(tokens) {
		return tokens
	}
	if written := text.MonthNames[text.Fold(tokens[from].Text)] != 0; from == 0 && !dates[0].Complete() && !written {
		return tokens
	}
	return tokens[from+dates[0].Last+1:]
}

// totalFact is the sum of an invoice: what words make another sum of is none.
func totalFact(s text.Segment, captions ...string) otherFact {
	f := moneyFact(s, "total", captions...)
	f.Not = partOfTotal
	return f
}

// partOfTotal are words that make of a total what it is without taxes, or the taxes: "Total HT", "Total IVA".
var partOfTotal = text.WordSet("ht iva tva vat gst hst pst mwst ust btw net netto neto excl excluding hors sin sem " +
	"tax taxes discount discounts desconto descuento remise rabatt iliquido liquido bruto impuestos impostos imposta " +
	"imposte imponibile items qty quantity hours pages paid payments")

var dueBy = text.WordSet("by on before am bis le el al au until du vom per")
