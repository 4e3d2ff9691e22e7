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
			return namedHeads(l)
		}
	}
	if len(edges) == 0 {
		return namedHeads(l)
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

// namedHeads are the cells of a line of heads, parted where one name of a column ends and another begins a little
// apart: "Paid out Paid in Balance".
func namedHeads(l text.Line) []text.Line {
	var parted []text.Line
	for _, cell := range l.Cells() {
		parts := namesIn(l.Page, cell.Tokens)
		if len(parts) < 2 || roleOfColumn(cell.Text()) != roleNone {
			parts = []text.Line{cell}
		}
		parted = append(parted, parts...)
	}
	if !slices.ContainsFunc(parted, beginsWithDate) {
		return l.Cells() // of another table
	}
	return parted
}

// namesIn are the names of columns that words consist of, each apart from the next; none where words are left over.
func namesIn(page int, words []text.Token) []text.Line {
	for n := min(len(words), 3); n > 0; n-- {
		part := text.Line{Page: page, Tokens: words[:n]}
		if roleOfColumn(part.Text()) == roleNone {
			continue
		}
		box := text.BoxOf(part.Tokens)
		part.X0, part.Y0, part.X1, part.Y1 = box.X0, box.Y0, box.X1, box.Y1
		if n == len(words) {
			return []text.Line{part}
		}
		if words[n].X0-box.X1 < 0.4*box.Height() {
			continue
		}
		if rest := namesIn(page, words[n:]); rest != nil {
			return append([]text.Line{part}, rest...)
		}
	}
	return nil
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
