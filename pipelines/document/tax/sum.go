package tax

import (
	"fmt"
	"maps"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// readLine is a line of a form as it was read.
type readLine struct {
	line   taxLine
	money  text.Money
	tokens []text.Token
}

// correctLines makes facts of lines that were hard to read where a sum of the form confirms them, and corrects the one
// line through which a sum does not come out where one digit read otherwise makes it come out. What is left is left
// out.
func (r *taxReader) correctLines() {
	for range 2 { // the result of one sum is a term of the next
		for _, s := range r.sums() {
			r.correctBySum(s)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(r.read)) {
		if _, have := r.facts.Lines[n]; !have {
			r.readable(r.read[n].tokens, r.read[n].line.words)
		}
	}
}

// mostWhole is how many lines in whole dollars show that a form has no cents.
const mostWhole = 5

// dropLoneCents drops the one line of a scan that has cents when all others have none: its figure is a fragment of a
// longer one.
func (r *taxReader) dropLoneCents() {
	odd, whole := "", 0
	for n, read := range r.read {
		switch {
		case read.money.Places() == 0:
			whole++
		case odd != "" || read.tokens[0].Method != text.MethodOCR:
			return
		default:
			odd = n
		}
	}
	if odd == "" || whole < mostWhole {
		return
	}
	read := r.read[odd]
	delete(r.read, odd)
	delete(r.facts.Lines, odd)
	delete(r.found.Sources, text.Pointer("lines", odd))
	if read.line.fact != "" {
		*taxFacts[read.line.fact](r.facts) = nil
		delete(r.found.Sources, "/"+read.line.fact)
	}
	r.found.Warn("low_confidence", "The amount at %q has cents, as no other: it was left out.", read.line.words)
}

// sums are those that the form prints in this year.
func (r *taxReader) sums() []dossier.TaxSum { return dossier.TaxSums(r.Form, r.Year) }

// correctBySum looks at one sum with every line as it was read.
func (r *taxReader) correctBySum(s dossier.TaxSum) {
	missed, ok := s.Miss(r.readValue)
	if !ok {
		return
	}
	var doubted []string
	for _, n := range s.Numbers() {
		if _, known := r.facts.Lines[n]; r.read[n].tokens != nil && !known {
			doubted = append(doubted, n)
		}
	}
	fixed, value := "", dossier.Amount{}
	if missed.Abs().GreaterThan(dossier.TaxRounding) {
		if fixed, value = r.onlyOther(s, missed); fixed == "" || len(doubted) > 1 {
			return
		}
	}
	for _, n := range doubted {
		r.putLine(r.read[n], r.read[n].money.Value)
	}
	if fixed != "" {
		read := r.read[fixed]
		r.putLine(read, value)
		note := fmt.Sprintf("read as %s; the sum in line %s makes %s", read.money.Text, s.Total, value)
		r.found.Derive(text.Pointer("lines", fixed), note)
		if read.line.fact != "" {
			r.found.Derive("/"+read.line.fact, note)
		}
		read.money.Value = value
		r.read[fixed] = read
	}
}

// onlyOther is the only line of a sum that was hard to read and that makes the sum come out when one of its digits is
// another that OCR takes for it.
func (r *taxReader) onlyOther(s dossier.TaxSum, missed decimal.Decimal) (number string, value dossier.Amount) {
	for _, n := range s.Numbers() {
		read, have := r.read[n]
		if !have || text.SurelyRead(read.tokens) {
			continue
		}
		meant := read.money.Value.Add(missed)
		if n == s.Total || slices.Contains(s.Minus, n) {
			meant = read.money.Value.Sub(missed)
		}
		if !text.Mistakable(read.money.Value.Decimal, meant) {
			continue
		}
		if number != "" {
			return "", value
		}
		number, value = n, dossier.Amount{Decimal: meant}
	}
	return number, value
}

// readValue is a line's amount as a fact, else as it was read.
func (r *taxReader) readValue(n string) (decimal.Decimal, bool) {
	if v, have := r.facts.Lines[n]; have {
		return v.Decimal, true
	}
	read, have := r.read[n]
	return read.money.Value.Decimal, have
}

// foots checks the sums that lines state of one another.
func (r *taxReader) foots() {
	for _, s := range r.sums() {
		if check, ok := s.Check(r.facts.Lines); ok {
			r.found.Checks = append(r.found.Checks, check)
		}
	}
}
