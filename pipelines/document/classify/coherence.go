package classify

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// bond is how surely a page belongs to the document of the pages before it, by what both print at their edges.
type bond int

const (
	noBond     bond = iota
	weakBond        // the same running head or foot: also of the statements of one bank
	strongBond      // page numbers go on: "12" follows "11", "page 3 of 9" follows "page 2 of 9"
)

// How far a bond reaches: a page or two between may print nothing at their edges (a picture, a full-page table).
const (
	bondReach  = 3
	leastCount = 3 // pages whose bare numbers go on: two may do so by chance
	edgeLines  = 3 // lines at the top and at the foot of a page that can be running ones
)

// pageEdge is what a page prints at its top and foot.
type pageEdge struct {
	running map[string]float64 // lines, folded, figures left out, and how far down the page they stand, from 0 to 1
	offsets map[int]bool       // of the numbers that may be the page's own: number less index
}

// bondsOf gives the bond of every page with the pages before it.
func bondsOf(pages []text.Page, kinds []pageKind) []bond {
	edges := make([]pageEdge, len(pages))
	for i, p := range pages {
		edges[i] = edgeOf(p, i)
	}
	series := seriesOf(edges)
	bonds := make([]bond, len(pages))
	for i := 1; i < len(pages); i++ {
		for back := 1; back <= min(bondReach, i); back++ {
			b := noBond
			switch j := i - back; {
			case countsOn(kinds[j], kinds[i], back) || shareKey(series[j], series[i]) && !countEnds(kinds[j:i]):
				b = strongBond
			case sameRunning(edges[j].running, edges[i].running) && !othersBetween(kinds[j:i+1]):
				b = weakBond
			}
			for k := i - back + 1; k <= i; k++ { // what stands between them belongs to both
				bonds[k] = max(bonds[k], b)
			}
		}
	}
	for i := 1; i < min(len(pages), bondReach+1); i++ {
		if series[i][1] { // page 2 of the file says that it is the second: what comes before it prints no number
			for k := 1; k <= i; k++ {
				bonds[k] = strongBond
			}
		}
	}
	return dropShort(bonds)
}

// dropShort forgets the weak bonds of short stretches: letters of one sender have the same head and foot as well.
func dropShort(bonds []bond) []bond {
	for from := 0; from < len(bonds); {
		to := from + 1
		for to < len(bonds) && bonds[to] != noBond {
			to++
		}
		for i := from + 1; i < to && to-from < longRun; i++ {
			if bonds[i] == weakBond {
				bonds[i] = noBond
			}
		}
		from = to
	}
	return bonds
}

// countsOn reports whether a page prints the number that comes so many pages after another's, of the same count.
func countsOn(a, b pageKind, after int) bool {
	return a.of > 1 && a.of == b.of && b.number == a.number+after
}

// countEnds reports whether one of the pages is the last of its count: numbers that go on after it do so by chance.
func countEnds(kinds []pageKind) bool {
	return slices.ContainsFunc(kinds, func(k pageKind) bool { return k.of > 0 && k.number == k.of })
}

// othersBetween reports whether between the first and the last of the pages stands one that surely is another paper:
// two bills of one house with a lease between them are no long paper.
func othersBetween(kinds []pageKind) bool {
	first, last := kinds[0].docType, kinds[len(kinds)-1].docType
	return slices.ContainsFunc(kinds[1:len(kinds)-1], func(k pageKind) bool {
		return k.score >= smoothScore && k.docType != first && k.docType != last
	})
}

func shareKey[K comparable](a, b map[K]bool) bool {
	for k := range a {
		if b[k] {
			return true
		}
	}
	return false
}

// sameHeight is how much of a page's height a running line may stand higher or lower on another page.
const sameHeight = 0.02

// sameRunning reports whether two pages have a line at the same height: the name above a company's statement is also
// that of the holder in the letter's window of a bank.
func sameRunning(a, b map[string]float64) bool {
	for line, y := range a {
		if other, have := b[line]; have && text.Abs(y-other) < sameHeight {
			return true
		}
	}
	return false
}

// runningNoise matches running lines that senders, scanners and signing services add to whatever they carry.
var runningNoise = lazyregexp.New(`\b(?:fax|from|docusign|envelope id|scanned|camscanner|received|transmission` +
	`|confidential|page of|loan (?:no|number)|exhibit)\b`)

// folioLine matches an edge line that holds a page's number and little else: "12", "- 12 -", "F-12", "text.Page 12",
// "12 |".
var folioLine = lazyregexp.New(`^(?:page |f |s |pg )?(\d{1,3})$`)

// folioInLine matches the number that begins or ends a running line: "2023 Annual Report 41", "41 Marlow Industries".
var folioInLine = lazyregexp.New(`^(\d{1,3}) \pL|\pL (?:page )?(\d{1,3})$`)

func edgeOf(p text.Page, index int) pageEdge {
	e := pageEdge{running: map[string]float64{}, offsets: map[int]bool{}}
	lines := text.Lines(p)
	for i, l := range lines {
		if i >= edgeLines && i < len(lines)-edgeLines || p.Layer == text.LayerNative {
			continue
		}
		line := text.Fold(l.Text())
		if p.Height > 0 && l.Y0 > 0.16*p.Height && l.Y0 < 0.84*p.Height {
			if i == len(lines)-1 && folioLine.MatchString(line) { // of a page that ends above its foot
				e.note(line, index, 1)
			}
			continue
		}
		if runningNoise.MatchString(line) {
			continue
		}
		for _, cell := range append([]text.Line{l}, l.Cells()...) {
			e.note(text.Fold(cell.Text()), index, l.Y0/max(p.Height, 1))
		}
	}
	return e
}

// note takes a line, or a cell of one, as a running line and a page number.
func (e pageEdge) note(edge string, index int, y float64) {
	for _, pattern := range []*lazyregexp.Regexp{folioLine, folioInLine} {
		for _, g := range pattern.FindAllStringSubmatch(edge, 2) {
			for _, digits := range g[1:] {
				if n, err := strconv.Atoi(digits); err == nil {
					e.offsets[n-index] = true
				}
			}
		}
	}
	words := slices.DeleteFunc(strings.Fields(edge), func(w string) bool { return text.HasDigits(w, 1) || w == "page" })
	if line := strings.Join(words, " "); len(words) >= 2 && len(line) >= 10 {
		e.running[line] = y
	}
}

// seriesOf keeps of each page the offsets that at least leastCount pages near each other share: numbers that count
// pages.
func seriesOf(edges []pageEdge) []map[int]bool {
	at := map[int][]int{}
	for i, e := range edges {
		for o := range e.offsets {
			at[o] = append(at[o], i)
		}
	}
	series := make([]map[int]bool, len(edges))
	for i := range series {
		series[i] = map[int]bool{}
	}
	for o, pages := range at {
		from := 0
		for i := 1; i <= len(pages); i++ {
			if i < len(pages) && pages[i]-pages[i-1] <= bondReach {
				continue
			}
			if i-from >= leastCount {
				for _, p := range pages[from:i] {
					series[p][o] = true
				}
			}
			from = i
		}
	}
	return series
}
