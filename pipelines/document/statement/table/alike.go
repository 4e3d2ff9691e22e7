package table

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// splitRepeated splits a piece of a heading whose parts stand too close together: as many parts of the same form as
// columns ("months ended 31 months ended 31").
func (b *Grid) splitRepeated(over []headCell) []headCell {
	var out []headCell
	for _, c := range over {
		out = append(out, b.repeatedPieces(c)...)
	}
	return out
}

// repeatedPieces are the parts of a piece that repeats itself above several columns, else the piece itself.
func (b *Grid) repeatedPieces(c headCell) []headCell {
	for beside := range min(3, len(c.tokens)) { // words above what is no money: "No. ended 31.03.2023 ended 31.03.2022"
		words := c.tokens[beside:]
		for parts := min(len(words), len(b.Columns)); parts > 1; parts-- {
			if pieces := b.inParts(words, parts); pieces != nil {
				if beside > 0 {
					pieces = append([]headCell{cellOf(c.tokens[:beside])}, pieces...)
				}
				return pieces
			}
		}
	}
	return []headCell{c}
}

func cellOf(words []text.Token) headCell {
	return headCell{tokens: words, x0: words[0].X0, x1: words[len(words)-1].X1}
}

// inParts parts words into as many pieces of one form, each above a column of its own; nil where they are none.
func (b *Grid) inParts(words []text.Token, parts int) []headCell {
	n := len(words) / parts
	if n*parts != len(words) {
		return nil
	}
	var pieces []headCell
	taken := map[int]bool{}
	for k := 0; k < len(words); k += n {
		piece := cellOf(words[k : k+n])
		at, distance := b.columnBelow(piece)
		if at < 0 || taken[at] || distance > 2*b.near || formOf(piece.tokens) != formOf(words[:n]) {
			return nil
		}
		taken[at] = true
		pieces = append(pieces, piece)
	}
	return pieces
}

var monthName = lazyregexp.New(`(?i)^` + MonthWord + `\.?,?$`)

// formOf is what words look like, whichever figures and months they name.
func formOf(words []text.Token) string {
	var form strings.Builder
	for _, w := range words {
		switch {
		case monthName.MatchString(w.Text):
			form.WriteString("month ")
		default:
			for _, r := range strings.ToLower(w.Text) {
				if r >= '0' && r <= '9' {
					r = '0'
				}
				form.WriteRune(r)
			}
			form.WriteByte(' ')
		}
	}
	return form.String()
}

// dateWords are what periods are made of, beside days and years.
var dateWords = lazyregexp.New(`(?i)^(?:` + MonthWord + `\.?|ended|ending|end|months?|weeks?|years?|quarters?|half` +
	`|one|three|six|nine|twelve|to|from|through|of|the|for|as|at|and|(?:un)?audited|restated|notes?|no)$`)

// onlyDates reports whether a line says nothing but parts of periods: "months ended 31 months ended 31", which a line
// above begins and one below ends.
func (l Line) onlyDates() bool {
	some, days, lengths := false, false, false
	for _, t := range l.Tokens {
		word := strings.Trim(t.Text, " ,.()*–—-")
		switch {
		case word == "":
		case dayAlone.MatchString(word):
			days = true
		case yearAlone.MatchString(word):
		case dateWords.MatchString(word):
			some = some || monthName.MatchString(word) || endedWord.MatchString(word)
			lengths = lengths || lengthUnit.MatchString(word)
		default:
			return false
		}
	}
	return some || days && lengths // "Six months Six months 31", the day of "year ended 31 December"
}

// lengthUnit is what periods are counted in.
var lengthUnit = lazyregexp.New(`(?i)^(?:months?|weeks?|quarters?)$`)
