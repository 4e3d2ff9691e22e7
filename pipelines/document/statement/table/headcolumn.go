package table

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// readDownwards reads the heading of each column from top to bottom, word by word, where its lines stand so close to
// those of its neighbours that they read as one: "Six months" beside "Six months" above "ended 30" beside "ended 30".
// It speaks only where it dates every column of figures, each by another period, and the reading line by line does not.
func (r *headingReader) readDownwards(lines []Line, instant bool) {
	if len(r.Columns) < 2 || r.datesAll(r.texts, instant) {
		return
	}
	var found [][]string
	for first := len(lines) - 1; first >= 0 && r.headsColumns(lines[first]); first-- {
		down := r.wordsByColumn(lines[first:])
		switch {
		case !r.datesAll(down, instant):
		case found == nil, lines[first].onlyDates() && r.addsLength(down, found):
			found = down
		}
	}
	if found != nil {
		r.texts = found
	}
}

// addsLength reports whether one more line above the headings gives the same periods another length: "6 months ended
// 30" above "September 2024".
func (r *headingReader) addsLength(longer, found [][]string) bool {
	other := false
	for _, i := range r.money() {
		p, q := columnPeriod(longer[i], r.order), columnPeriod(found[i], r.order)
		if p.End == nil || q.End == nil || *p.End != *q.End {
			return p.End == nil && q.End == nil && other
		}
		other = other || !p.samePeriod(q)
	}
	return other
}

// wordsByColumn collects the words of lines above each column.
func (r *headingReader) wordsByColumn(lines []Line) [][]string {
	texts := make([][]string, len(r.Columns))
	for _, l := range lines {
		words := make([][]text.Token, len(r.Columns))
		for _, t := range l.Tokens {
			if i := r.zoneOf(t); i >= 0 {
				words[i] = append(words[i], t)
			}
		}
		for i := range words {
			if len(words[i]) > 0 {
				texts[i] = append(texts[i], text.Join(words[i]))
			}
		}
	}
	return texts
}

// headsColumns reports whether a line stands above the columns: no title does, nor what goes on from left of them.
func (r *headingReader) headsColumns(l Line) bool {
	if _, titled := TitledKind(l); titled || l.Cells || len(l.Tokens) == 0 {
		return false
	}
	some := false
	for i, t := range l.Tokens {
		above := r.zoneOf(t) >= 0
		if above && i > 0 && r.zoneOf(l.Tokens[i-1]) < 0 && !headGap(l.Tokens[i-1], t) {
			return false
		}
		some = some || above
	}
	return some
}

// zoneOf is the column that a word stands above, by its middle: from the right edge of the one before to its own.
func (r *headingReader) zoneOf(t text.Token) int {
	middle := (t.X0 + t.X1) / 2
	left := 2*r.Columns[0].Right - r.Columns[1].Right
	if r.notes {
		left = r.Columns[0].Left - 4*r.near
	}
	if middle < left {
		return -1
	}
	for i, c := range r.Columns {
		if middle <= c.Right+r.near {
			return i
		}
	}
	return -1
}

// datesAll reports whether headings date every column of figures, each by another period; of those that are none they
// say so.
func (r *headingReader) datesAll(texts [][]string, instant bool) bool {
	var found []Period
	for _, i := range r.money() {
		p := columnPeriod(texts[i], r.order)
		if p.Role == AnotherColumn && !p.isDated() {
			continue
		}
		if p.Role == AnotherColumn || p.End == nil || !instant && p.Start == nil && !p.hasLength() ||
			len(AnyYear.FindAllString(strings.Join(texts[i], " "), -1)) > 1 && p.Start == nil {
			return false
		}
		if instant {
			p.Start, p.Months, p.Weeks = nil, nil, 0
		}
		for _, q := range found {
			if p.samePeriod(q) {
				return false
			}
		}
		found = append(found, p)
	}
	return len(found) > 1
}
