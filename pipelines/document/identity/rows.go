package identity

import (
	"slices"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// sameRows joins lines of a picture that are parts of one printed row. A photographed card lies askew, so that a
// caption and its value end up in two lines, of which no word stands over or under a word of the other.
func sameRows(lines []text.Line) []text.Line {
	var rows []text.Line
	for _, l := range lines {
		if n := len(rows); n > 0 && oneRow(rows[n-1], l) {
			joined := text.Line{Page: l.Page, Tokens: append(slices.Clone(rows[n-1].Tokens), l.Tokens...)}
			slices.SortStableFunc(joined.Tokens, func(a, b text.Token) int { return text.CompareFloat(a.X0, b.X0) })
			joined.X0, joined.X1 = min(rows[n-1].X0, l.X0), max(rows[n-1].X1, l.X1)
			joined.Y0, joined.Y1 = min(rows[n-1].Y0, l.Y0), max(rows[n-1].Y1, l.Y1)
			rows[n-1] = joined
			continue
		}
		rows = append(rows, l)
	}
	return rows
}

// oneRow reports whether two lines are parts of one row: side by side, each word as high as its neighbour of the other
// line.
func oneRow(a, b text.Line) bool {
	if a.Page != b.Page {
		return false
	}
	near := false
	for _, s := range a.Tokens {
		for _, t := range b.Tokens {
			if s.Method != text.MethodOCR || t.Method != text.MethodOCR || text.Overlap(s.X0, s.X1, t.X0, t.X1) > 0 {
				return false
			}
			height := min(s.Y1-s.Y0, t.Y1-t.Y0)
			gap := max(s.X0, t.X0) - min(s.X1, t.X1)
			if gap > 8*height {
				continue
			}
			if text.Abs((s.Y0+s.Y1)-(t.Y0+t.Y1))/2 > 0.55*height {
				return false
			}
			near = true
		}
	}
	return near
}
