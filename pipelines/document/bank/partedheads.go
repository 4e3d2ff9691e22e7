package bank

import (
	"slices"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Heads of columns that stand so close together that their words seem one cell.

// edgesBelow are the right edges of the amounts on the first line with three or more of them right below line i.
func edgesBelow(lines []text.Line, i int, style text.DecimalStyle) []float64 {
	for _, l := range lines[i+1 : min(len(lines), i+4)] {
		amounts := text.MoneyOn(l, style)
		if l.Page != lines[i].Page {
			return nil
		}
		if len(amounts) < 3 {
			continue
		}
		var edges []float64
		for _, m := range amounts {
			edges = append(edges, m.X1)
		}
		return edges
	}
	return nil
}

// partedHeads are the cells of a line of heads. Where a head ends at each edge of the amounts below, the heads part
// there, however close the next one begins.
func partedHeads(l text.Line, edges []float64) []text.Line {
	at := func(t text.Token, x float64) bool { return text.Abs(t.X1-x) < 0.4*(t.Y1-t.Y0) }
	for _, x := range edges {
		if !slices.ContainsFunc(l.Tokens, func(t text.Token) bool { return at(t, x) }) {
			return l.Cells()
		}
	}
	ends := func(t text.Token) bool {
		return slices.ContainsFunc(edges, func(x float64) bool { return at(t, x) })
	}
	var parted []text.Line
	for _, cell := range l.Cells() {
		from := 0
		for k, t := range cell.Tokens {
			if k+1 == len(cell.Tokens) || ends(t) {
				part := text.Line{Page: l.Page, Tokens: cell.Tokens[from : k+1]}
				box := text.BoxOf(part.Tokens)
				part.X0, part.Y0, part.X1, part.Y1 = box.X0, box.Y0, box.X1, box.Y1
				parted, from = append(parted, part), k+1
			}
		}
	}
	return parted
}

// beginsWithDate reports whether a cell heads a column of dates, alone or with the head of the next column close by.
func beginsWithDate(c text.Line) bool {
	for n := 1; n <= min(len(c.Tokens), 3); n++ {
		if roleOfColumn(c.Words(0, n)) == roleDate && (n == len(c.Tokens) ||
			roleOfColumn(c.Words(n, len(c.Tokens))) == roleDescription) {
			return true
		}
	}
	return false
}
