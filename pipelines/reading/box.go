package reading

import (
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// boxesOf are where a document's facts stand, by pointer.
func boxesOf(d dossier.ReadDocument) map[string]box {
	out := make(map[string]box, len(d.Sources))
	for at, src := range d.Sources {
		out[at] = boxOf(src)
	}
	return out
}

func boxOf(src dossier.Source) box {
	b := box{page: src.Page}
	var n []float64
	switch at := src.Box.(type) {
	case string:
		b.cell = at
	case []float64:
		n = at
	case []any: // from JSON
		for _, v := range at {
			if f, ok := v.(float64); ok {
				n = append(n, f)
			}
		}
	}
	if len(n) == 4 {
		b.Box = text.Box{X0: n[0], Y0: n[1], X1: n[2], Y1: n[3]}
	}
	return b
}

// isTaken reports whether another fact stands where this one would. The two ends of a period may be one word, and a
// line of a return is the amount that has a name, too.
func isTaken(pointer string, b box, taken map[string]box) bool {
	for at, other := range taken {
		if at != pointer && b.meets(other) && !ends(pointer, at) && !named(pointer, at) {
			return true
		}
	}
	return false
}

// named reports whether one of two facts is a numbered line of a return and the other none: one amount may be both.
func named(a, b string) bool {
	return strings.HasPrefix(a, "/lines/") != strings.HasPrefix(b, "/lines/")
}

func ends(a, b string) bool { return period(a) && period(b) }

func period(at string) bool {
	return at == "/periodStart" || at == "/periodEnd" || at == "/statementDate" ||
		strings.HasSuffix(at, "/start") || strings.HasSuffix(at, "/end")
}

// meets reports whether two boxes are one place: the same cell, or more than a third of the smaller one in common.
func (b box) meets(o box) bool {
	if b.page != o.page {
		return false
	}
	if b.cell != "" || o.cell != "" {
		return b.cell == o.cell
	}
	wide, high := text.Overlap(b.X0, b.X1, o.X0, o.X1), text.Overlap(b.Y0, b.Y1, o.Y0, o.Y1)
	if wide <= 0 || high <= 0 {
		return false
	}
	area := func(b box) float64 { return (b.X1 - b.X0) * (b.Y1 - b.Y0) }
	return wide*high > min(area(b), area(o))/3
}
