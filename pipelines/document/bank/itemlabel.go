package bank

import (
	"strconv"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

var (
	// countHead heads a column of how many movements the amount beside it is of.
	countHead = lazyregexp.New(`(?i)(?:\b(?:no|nbr|number|count|items|qty|quantity)\b\.?|#)`)
	fewDigits = lazyregexp.New(`^\d{1,4}$`)
)

// The way of the movements that a column counts: "Dr Count", "No. of credits".
var (
	countsOut = lazyregexp.New(`\b(?:dr|debits?|withdrawals?|paid out|cargos?|soll)\b`)
	countsIn  = lazyregexp.New(`\b(?:cr|credits?|deposits?|paid in|abonos?|haben)\b`)
)

// countOf is how many movements an amount of some kind is of: under the head of a column that counts movements of its
// way, else right before the amount, if no head there counts those of the other way.
func (h *headers) countOf(l text.Line, kind bankKind, first int) (int, bool) {
	own, other := countsOut, countsIn
	if kind.credits() {
		own, other = countsIn, countsOut
	} else if !kind.debits() {
		return h.countBefore(l, first)
	}
	for _, c := range h.columns {
		folded := text.Fold(c.text)
		if !countHead.MatchString(c.text) || !own.MatchString(folded) || other.MatchString(folded) {
			continue
		}
		for _, t := range l.Tokens {
			if fewDigits.MatchString(t.Text) && text.Overlap(c.x0-(t.Y1-t.Y0), c.x1+t.Y1-t.Y0, t.X0, t.X1) > 0 {
				n, err := strconv.Atoi(t.Text)
				return n, err == nil
			}
		}
	}
	n, ok := h.countBefore(l, first)
	if ok {
		for _, c := range h.columns {
			t := l.Tokens[first-1]
			if text.Overlap(c.x0-(t.Y1-t.Y0), c.x1+t.Y1-t.Y0, t.X0, t.X1) > 0 && other.MatchString(text.Fold(c.text)) &&
				countHead.MatchString(c.text) {
				return 0, false
			}
		}
	}
	return n, ok
}

// countBefore is the number right before the amount that begins with word first, in a column of counts.
func (h *headers) countBefore(l text.Line, first int) (int, bool) {
	if first == 0 || !fewDigits.MatchString(l.Tokens[first-1].Text) {
		return 0, false
	}
	t := l.Tokens[first-1]
	for _, c := range h.columns {
		if text.Overlap(c.x0-(t.Y1-t.Y0), c.x1+t.Y1-t.Y0, t.X0, t.X1) > 0 && countHead.MatchString(c.text) &&
			!accountColumn.MatchString(text.Fold(c.text)) {
			n, err := strconv.Atoi(t.Text)
			return n, err == nil
		}
	}
	return 0, false
}

// lastDigits are those of an account's number, behind the name of its product: "Plus Savings...1234".
var lastDigits = lazyregexp.New(`(?:\.{2,}|…|•+)\d{3,5}$`)

// splitAccountLabel parts "Plus Savings 00000123" into name and number.
func splitAccountLabel(l text.Line) (name, number string) {
	var before, behind []string
	for _, t := range l.Tokens {
		switch {
		case accountNumber.MatchString(t.Text):
			number = strings.TrimSpace(number + " " + t.Text)
		case number == "":
			before = append(before, t.Text)
		default:
			behind = append(behind, t.Text)
		}
	}
	if name := strings.Join(behind, " "); isProductName(name) && !isProductName(strings.Join(before, " ")) {
		return name, number // "SHARE ID 0009 SHARE DRAFT CHECKING"
	}
	return strings.Join(before, " "), number
}
