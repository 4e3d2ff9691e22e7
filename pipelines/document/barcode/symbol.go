package barcode

import (
	_ "embed"
	"math"
	"strings"
	"sync"
)

// symbols.txt has a line for each value from 0 to 928 with its symbols of the clusters 0, 3 and 6, each as the widths
// of its bars and spaces in modules (ISO/IEC 15438, annex A).
//
//go:embed symbols.txt
var symbolTable string

// symbol is a word of one cluster, by its place among the three.
type symbol struct {
	cluster, value int
	widths         [8]float64
}

// symbols are all by the distances between the edges of the same kind, of which the first six tell all but a few apart.
var symbols = sync.OnceValue(func() map[[6]int8][]symbol {
	table := make(map[[6]int8][]symbol, 2787)
	value := 0
	for line := range strings.Lines(symbolTable) {
		for cluster, widths := range strings.Fields(line) {
			s := symbol{cluster: cluster, value: value}
			for i := range s.widths {
				s.widths[i] = float64(widths[i] - '0')
			}
			table[keyOf(s.widths)] = append(table[keyOf(s.widths)], s)
		}
		value++
	}
	return table
})

func keyOf(widths [8]float64) (key [6]int8) {
	for i := range key {
		key[i] = int8(math.Round(widths[i] + widths[i+1]))
	}
	return key
}

// How far the widths of a word may lie from those of a symbol, squared and added up.
const mostOff = 2.5

// symbolAt reads the nine edges from i as a word. spread is how much wider than they should be the bars are.
func symbolAt(edges []edge, i int, spread float64) (symbol, bool) {
	if i+8 >= len(edges) || !edges[i].dark {
		return symbol{}, false
	}
	module := (edges[i+8].at - edges[i].at) / 17
	var widths [8]float64
	for k := range widths {
		widths[k] = (edges[i+k+1].at - edges[i+k].at) / module
	}
	candidates := symbols()[keyOf(widths)]
	best, least := symbol{}, mostOff
	for k := range widths {
		widths[k] -= spread * float64(1-2*(k%2))
	}
	for _, c := range candidates {
		off := 0.0
		for k, w := range widths {
			off += (w - c.widths[k]) * (w - c.widths[k])
		}
		if off < least {
			best, least = c, off
		}
	}
	return best, least < mostOff
}
