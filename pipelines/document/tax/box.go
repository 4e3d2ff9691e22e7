package tax

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// The forms of the tax office print a line's number twice: before its caption, and in a box right before its amount.
// The boxes stand below each other and count upwards. A box that agrees with the number at the left, or stands between
// boxes that do, proves its line without knowing the form, its year or its words.
const (
	leastBoxes  = 3   // of a column
	leftmostBox = 0.3 // of the page's width
)

// boxedLine is a number box on a page.
type boxedLine struct {
	number string
	token  text.Token
	row    text.Line
	proven bool // its number stands at the left of its row too
}

// readBoxes takes the lines that are not in the tables: those of schedules, and of forms that changed.
func (r *taxReader) readBoxes() {
	if r.Form == charity || r.Form == landlord {
		return // columns of years and of properties
	}
	for _, p := range r.formPages() {
		r.pageBoxes(p)
	}
}

// readBox takes the amount right after a box.
func (r *taxReader) readBox(b boxedLine, columns [][]boxedLine) {
	if _, have := r.read[b.number]; have {
		return
	}
	at := slices.Index(b.row.Tokens, b.token)
	m, tokens, ok := amountAfter(b.row, at, r.Style)
	if !ok || isBoxOf(columns, tokens[0]) {
		return
	}
	caption := leftOf(b.row, b.token)
	line := taxLine{number: b.number, words: caption}
	for _, l := range linesOf(r.Form, r.mapYear()) {
		if l.number == b.number && l.fact != "" && sharesWord(caption, l.words) {
			line.fact = l.fact
		}
	}
	r.setLine(line, m, tokens)
}

// sharesWord reports whether a caption holds one of the longer words.
func sharesWord(caption, words string) bool {
	for w := range strings.FieldsSeq(words) {
		if len(w) > 4 && strings.Contains(caption, w) {
			return true
		}
	}
	return false
}

func isBoxOf(columns [][]boxedLine, t text.Token) bool {
	for _, column := range columns {
		for _, b := range column {
			if b.token == t {
				return true
			}
		}
	}
	return false
}

// boxColumns are the columns of number boxes of a page, each top down.
func boxColumns(p text.Page) [][]boxedLine {
	var boxes []boxedLine
	for _, t := range p.Tokens {
		if t.Method != text.MethodForm && t.X0 > leftmostBox*p.Width && lineNumber.MatchString(boxNumber(t)) {
			boxes = append(boxes, boxedLine{number: boxNumber(t), token: t})
		}
	}
	slices.SortStableFunc(boxes, func(a, b boxedLine) int { return text.CompareFloat(a.token.Y0, b.token.Y0) })
	var columns [][]boxedLine
	for _, b := range boxes {
		i := slices.IndexFunc(columns, func(c []boxedLine) bool {
			return text.Abs(middleX(c[0].token)-middleX(b.token)) < 0.009*p.Width &&
				beforeLine(c[len(c)-1].number, b.number)
		})
		if i < 0 {
			columns = append(columns, []boxedLine{b})
			continue
		}
		columns[i] = append(columns[i], b)
	}
	var kept [][]boxedLine
	for _, c := range columns {
		if len(c) < leastBoxes {
			continue
		}
		if c = provenBoxes(p, c); len(c) > 0 {
			kept = append(kept, c)
		}
	}
	return kept
}

// provenBoxes are the boxes of a column that agree with the number at the left of their row, and those between two
// such.
func provenBoxes(p text.Page, column []boxedLine) []boxedLine {
	first, last, proven := -1, -1, 0
	for i := range column {
		b := &column[i]
		b.row = rowOf(p, b.token)
		if b.proven = numbersRow(b.row, *b, p.Width); b.proven {
			if first < 0 {
				first = i
			}
			last, proven = i, proven+1
		}
	}
	if proven < 2 {
		return nil
	}
	return column[first : last+1]
}

// numbersRow reports whether a row begins with the number of its box, with the figure alone, or with its letter.
func numbersRow(row text.Line, b boxedLine, width float64) bool {
	figure := strings.TrimRight(b.number, "abcdefghijklmnopqrstuvwxyz")
	letter := b.number[len(figure):]
	for _, t := range row.Tokens {
		if t.X1 > b.token.X0-0.04*width {
			return false
		}
		if n := boxNumber(t); n == b.number || letter != "" && (n == letter || n == figure) {
			return true
		}
	}
	return false
}

func middleX(t text.Token) float64 { return (t.X0 + t.X1) / 2 }

// beforeLine reports whether line a comes before line b in a form: "9" before "10", "10" before "10a".
func beforeLine(a, b string) bool {
	x, y := lineOrder(a), lineOrder(b)
	return x < y && y-x < 20*27
}

// lineOrder is the place of a line in its form.
func lineOrder(number string) int {
	n := 0
	for _, c := range number {
		if c >= '0' && c <= '9' {
			n = n*10 + int(c-'0')
		}
	}
	n *= 27
	if c := number[len(number)-1]; c >= 'a' && c <= 'z' {
		n += int(c-'a') + 1
	}
	return n
}

// mapYear is the year whose lines the form prints: the year itself, else the one year that knows most of them.
func (r *taxReader) mapYear() int {
	if r.Year != 0 || r.laidOut != 0 {
		return max(r.Year, r.laidOut)
	}
	best, most, tied := 0, 0, false
	for year := stableFrom; year <= lastYear; year++ {
		n := 0
		for _, l := range linesOf(r.Form, year) {
			if l.fact != "" && printsLine(r.lines, l) {
				n++
			}
		}
		switch {
		case n > most:
			best, most, tied = year, n, false
		case n == most:
			tied = tied || !sameFacts(r.Form, best, year)
		}
	}
	if most < 2 || tied {
		best = 0
	}
	r.laidOut = best
	return best
}

// printsLine reports whether a row has the number and the words of a line.
func printsLine(rows []text.Line, l taxLine) bool {
	for _, row := range rows {
		at := slices.IndexFunc(row.Tokens, func(t text.Token) bool { return boxNumber(t) == l.number })
		if at >= 0 && saysMost(text.Fold(row.Text()), l.words) {
			return true
		}
	}
	return false
}

// sameFacts reports whether two years number the named facts of a form alike.
func sameFacts(form string, a, b int) bool {
	named := func(year int) []string {
		var all []string
		for _, l := range linesOf(form, year) {
			if l.fact != "" {
				all = append(all, l.fact+l.number)
			}
		}
		return all
	}
	return slices.Equal(named(a), named(b))
}
