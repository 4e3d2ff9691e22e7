package reading

import (
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// boxesOf returns where a document's facts are printed, by pointer.
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

// isTaken reports whether another fact is already read from this box. Two facts may share it: the two ends of a period,
// and a numbered line of a return with the named amount on it.
func isTaken(pointer string, b box, taken map[string]box) bool {
	for at, other := range taken {
		if at != pointer && b.overlaps(other) && !areEndsOfPeriod(pointer, at) && !isLineAndNamed(pointer, at) {
			return true
		}
	}
	return false
}

// isLineAndNamed reports whether exactly one of two pointers is a numbered line of a return: an amount may be both.
func isLineAndNamed(a, b string) bool {
	return strings.HasPrefix(a, "/lines/") != strings.HasPrefix(b, "/lines/")
}

func areEndsOfPeriod(a, b string) bool { return isPeriodEnd(a) && isPeriodEnd(b) }

func isPeriodEnd(at string) bool {
	return at == "/periodStart" || at == "/periodEnd" || at == "/statementDate" ||
		strings.HasSuffix(at, "/start") || strings.HasSuffix(at, "/end")
}

// overlaps reports whether two boxes are the same place: the same cell, or more than a third of the smaller one in
// common.
func (b box) overlaps(o box) bool {
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
