package tax

import (
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// amended is the form that corrects a person's return.
const amended = "1040-X"

// amendedLines are the lines of which three amounts are printed: what was reported, the change and what is correct; the
// later ones print the correct one alone. Source: Form 1040-X of the Internal Revenue Service.
var amendedLines = []taxLine{
	{number: "1", words: "adjusted gross income", fact: "adjustedGrossIncome"},
	{number: "2", words: "itemized deductions or standard deduction"},
	{number: "3", words: "subtract line 2 from line 1"}, {number: "5", words: "taxable income", fact: "taxableIncome"},
	{number: "6", words: "tax enter"},
	{number: "8", words: "subtract line 7 from line 6"}, {number: "11", words: "total tax", fact: "totalTax"},
	{number: "17", words: "total payments"},
	{number: "20", words: "amount you owe", fact: "amountOwed"},
	{number: "21", words: "overpaid on this return", fact: "overpaid"},
	{number: "22", words: "refunded to you", fact: "refund"},
}

// readAmended reads the correct amounts of an amended return. Of three amounts the last is taken when it is the first
// with the change, so that no other column is taken for it.
func (r *taxReader) readAmended() {
	if r.Form != amended {
		return
	}
	for _, p := range r.pages {
		for _, row := range text.Lines(p) {
			for _, l := range amendedLines {
				if boxNumber(row.Tokens[0]) != l.number {
					continue
				}
				at := len(row.Tokens) - 1
				for at > 0 && boxNumber(row.Tokens[at]) != l.number {
					at--
				}
				rest := text.Line{Page: row.Page, Tokens: row.Tokens[at+1:]}
				if at == 0 || !saysMost(text.Fold(text.Join(row.Tokens[:at])), l.words) {
					continue
				}
				if m, ok := correctAmount(rightAmounts(rest, r.Style, p.Width/2)); ok {
					r.setLine(l, m, rest.Tokens[m.First:m.Last+1])
				}
			}
		}
	}
}

// correctAmount is the corrected amount of a row of an amended return.
func correctAmount(amounts []text.Money) (text.Money, bool) {
	switch len(amounts) {
	case 1:
		return amounts[0], !isBareNumber(amounts[0].Text)
	case 2: // no change is printed
		return amounts[1], amounts[0].Value.Equal(amounts[1].Value.Decimal)
	case 3:
		return amounts[2], amounts[0].Value.Add(amounts[1].Value.Decimal).Equal(amounts[2].Value.Decimal)
	}
	return text.Money{}, false
}
