package tax

import (
	"math"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// placed is a line whose amount was found, with where it stands.
type placed struct {
	index int     // in the form's table
	right float64 // right edge of the amount
	y     float64
}

// findByOrder finds lines of a scanned page whose number was lost: the row says the caption, its amount stands in the
// column of the form, and it lies between the lines that the form has before and after it. What number and caption
// prove together elsewhere, caption and order prove here; a row that two lines could be is neither.
func (r *taxReader) findByOrder(p text.Page, lines []taxLine, found []placed) {
	if p.Layer != text.LayerScanned && p.Layer != text.LayerImage || len(found) < 4 {
		return
	}
	type candidate struct {
		line   int
		money  text.Money
		tokens []text.Token
	}
	rows := map[float64][]candidate{} // by height on the page
	seen := map[int]int{}
	for _, row := range text.Lines(p) {
		m, tokens, caption, ok := lastAmount(row, r.Style)
		if !ok || takenBy(found, m) {
			continue
		}
		for i, l := range lines {
			if _, have := r.facts.Lines[l.number]; have || !saysMost(caption, l.words) ||
				!inOrder(found, i, m, p.Width) || ofOtherBox(row, m, l.number) {
				continue
			}
			rows[row.Y0] = append(rows[row.Y0], candidate{i, m, tokens})
			seen[i]++
		}
	}
	for _, list := range rows {
		if len(list) == 1 && seen[list[0].line] == 1 {
			r.setLine(lines[list[0].line], list[0].money, list[0].tokens)
		}
	}
}

// lastAmount is the amount at the end of a row with the caption before it.
func lastAmount(row text.Line, style text.DecimalStyle) (m text.Money, tokens []text.Token, caption string, ok bool) {
	amounts := row.Amounts(style)
	if len(amounts) == 0 {
		return m, nil, "", false
	}
	m = amounts[len(amounts)-1]
	if m.First == 0 || m.Dash || m.Percent || isBareNumber(m.Text) || m.Last != len(row.Tokens)-1 {
		return m, nil, "", false
	}
	return m, row.Tokens[m.First : m.Last+1], text.Fold(text.Join(row.Tokens[:m.First])), true
}

// ofOtherBox reports whether the box before an amount has another number than the line: where a row holds several
// lines, the amount is of the last.
func ofOtherBox(row text.Line, m text.Money, number string) bool {
	if m.First < 2 || mentions[text.Fold(row.Tokens[m.First-2].Text)] {
		return false
	}
	box := boxNumber(row.Tokens[m.First-1])
	return lineNumber.MatchString(box) && !strings.HasPrefix(number, box) && !strings.HasSuffix(number, box)
}

func takenBy(found []placed, m text.Money) bool {
	for _, f := range found {
		if text.Abs(f.right-m.X1) < 1 && text.Abs(f.y-m.Y0) < m.Height() {
			return true
		}
	}
	return false
}

// inOrder reports whether the amount m can be that of line i: it stands between the neighbouring lines in the same
// column of amounts.
func inOrder(found []placed, i int, m text.Money, width float64) bool {
	above, below, column := math.Inf(-1), math.Inf(1), 0
	before, after := false, false
	for _, f := range found {
		if text.Abs(f.right-m.X1) > width/60 {
			continue
		}
		column++
		if f.index < i {
			above, before = max(above, f.y), true
		} else {
			below, after = min(below, f.y), true
		}
	}
	return column >= 3 && (before || after) && above < m.Y0 && m.Y0 < below
}
