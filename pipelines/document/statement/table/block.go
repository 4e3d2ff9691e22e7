// Package table reads the lines of statements as tables: blocks of one statement each, columns and the periods they are
// of.
package table

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// Line is one line of a page as the reader of statements sees it: what is printed first, and the
// Figures that end it.
type Line struct {
	text.Line
	Caption []text.Token
	Figures []text.Money
	Cells   bool // of a workbook or CSV
}

// Part is the run of lines of one page that belong to one statement.
type Part struct {
	Lines []Line
	Head  int // lines before the first row
	Bound *Grid
}

// Block is one printed statement: a title, and parts on one or more pages.
type Block struct {
	Kind  string // empty: no statement that is read
	Title string
	Weak  bool // the kind is only a guess
	Parts []Part
}

// StartsLower reports whether a text goes on within a sentence: it begins with a small letter.
func StartsLower(s string) bool { return s != "" && s[0] >= 'a' && s[0] <= 'z' }

// Blocks parts the lines of a document into its statements. A page without a title goes on with the
// statement of the page before it when its rows are of the same kind.
func Blocks(s text.Segment) []*Block {
	var r blockReader
	for _, page := range s.Pages {
		lines, beside := readLines(page, s)
		r.page(page.Name, lines)
		for i, l := range lines {
			if beside > 0 && i == beside {
				r.open.part()
			}
			r.line(l)
		}
	}
	return r.blocks
}

// blockReader parts lines, as they come, into statements; open is the last of them.
type blockReader struct {
	blocks []*Block
	open   *Block
}

// begin opens a statement.
func (r *blockReader) begin(kind, title string, weak bool) {
	r.open = &Block{Kind: kind, Title: title, Weak: weak, Parts: []Part{{}}}
	r.blocks = append(r.blocks, r.open)
}

// part begins a part of a statement: on another page, or its other half.
func (b *Block) part() { b.Parts = append(b.Parts, Part{}) }

// page goes on with the open statement on another page, or begins one.
func (r *blockReader) page(name string, lines []Line) {
	guess, onward := guessKind(lines), guessKind(untitled(lines))
	if r.open != nil && (name == "" && !titledFirst(lines) && (onward == r.open.Kind || onward == "") &&
		!r.open.endsAgain(lines) ||
		r.open.repeatsHead(lines) || r.open.hasOtherSide(lines)) {
		r.open.part()
		return
	}
	r.begin(guess, name, true)
}

// line gives a line to the open statement, or to the one that it begins.
func (r *blockReader) line(l Line) {
	kind, titled := "", false
	if len(l.Figures) == 0 || AllYears(l.Figures) {
		kind, titled = TitledKind(l)
	}
	switch {
	case titled:
		r.titled(kind, l.Text())
	case r.open.beginsOther(l):
		r.begin(otherKind(l, r.open.Kind), l.Text(), true)
	}
	last := &r.open.Parts[len(r.open.Parts)-1]
	last.Lines = append(last.Lines, l)
}

// titled reads a title: of another statement, of the other half of the open one, or of what has no rows yet.
func (r *blockReader) titled(kind, title string) {
	rows := r.open.Parts[len(r.open.Parts)-1].rows()
	half := kind == r.open.Kind && r.open.isHalf(title)
	switch {
	case rows == 0 && half && len(r.open.Parts) > 1:
	case rows == 0:
		r.name(kind, title)
	case half:
		r.open.part()
	case kind != r.open.Kind || len(r.open.Parts) == 1 || rows > 3:
		r.begin(kind, title, false)
	}
}

// name gives a title to what is printed below it: a part that seemed to go on with the statement of the page before
// becomes a statement of its own.
func (r *blockReader) name(kind, title string) {
	parts := len(r.open.Parts)
	if !r.open.Weak && (kind == "" || r.open.Kind != "") && parts == 1 {
		return
	}
	if parts > 1 && r.open.Kind != kind {
		above := r.open.Parts[parts-1].Lines
		r.open.Parts = r.open.Parts[:parts-1]
		r.begin(kind, title, false)
		r.open.Parts[0].Lines = above
	}
	r.open.Kind, r.open.Weak, r.open.Title = kind, false, title
}

// repeatsHead reports whether a page prints the title and the periods of the statement above again and goes on with
// it: its bottom line is still to come.
func (b *Block) repeatsHead(lines []Line) bool {
	if b.Kind == "" || b.Weak {
		return false
	}
	printed, ended := b.printed()
	if ended {
		return false
	}
	titled, dated, continued := false, false, false
	for _, l := range lines {
		if l.isRow() {
			break
		}
		kind, isTitle := TitledKind(l)
		isDated := AnyYear.MatchString(l.Text())
		continued = continued || isTitle && continuedWord.MatchString(l.Text())
		if (isTitle || isDated) && !printed[text.Fold(continuedWord.ReplaceAllString(l.Text(), ""))] {
			return false
		}
		titled, dated = titled || isTitle && kind == b.Kind, dated || isDated
	}
	return titled && (dated || continued)
}

// printed are the lines of a statement without figures, and whether its bottom line is among the others.
func (b *Block) printed() (map[string]bool, bool) {
	printed := map[string]bool{}
	for _, p := range b.Parts {
		for _, l := range p.Lines {
			if len(l.Figures) == 0 || AllYears(l.Figures) {
				printed[text.Fold(continuedWord.ReplaceAllString(l.Text(), ""))] = true
			} else if b.ends(l) {
				return nil, true
			}
		}
	}
	return printed, false
}

// isRow reports whether a line is one of captioned figures.
func (l Line) isRow() bool {
	return len(l.Caption) > 0 && len(l.Figures) > 0 && !AllYears(l.Figures) && !Furniture.MatchString(l.Text())
}

// continuedWord says of a title that its statement began on a page before.
var continuedWord = lazyregexp.New(`(?i)[\s,–—-]*[(\[]?\b(?:continued|cont['’]?d)\b\.?[)\]]?`)

// ends reports whether a line is the bottom line of the statement.
func (b *Block) ends(l Line) bool {
	for _, form := range captions.Forms(text.Join(l.Caption)) {
		for _, rule := range captions.Books()[b.Kind].Exact[form] {
			if rule.Row == captions.BottomLines[b.Kind] {
				return true
			}
		}
	}
	return false
}

// dayLast is a heading whose period goes on in the line below: "Year ended 31" above "December 2023".
var dayLast = lazyregexp.New(`(?i)\b(?:ended|ending|to|at)\s+(?:0?[1-9]|[12]\d|3[01])$`)

// isDated reports whether the figures of a line are years, or the day of a period.
func (l Line) isDated() bool {
	return AllYears(l.Figures) || len(l.Figures) == 1 && !l.Figures[0].Grouped && dayLast.MatchString(l.Text()) ||
		l.onlyDates()
}

// AllYears reports whether figures are years and nothing else.
func AllYears(figures []text.Money) bool {
	for _, m := range figures {
		if !yearLike(m) {
			return false
		}
	}
	return true
}

// yearLike reports whether a figure may be a year: four bare digits.
func yearLike(m text.Money) bool {
	if m.Grouped || m.Symbol != "" || m.Signed || m.Places() > 0 || m.Percent || m.Dash {
		return false
	}
	n := m.Value.IntPart()
	return n >= 1950 && n <= 2060 && len(m.Text) == 4
}

// rows counts the lines of the part that carry figures.
func (p Part) rows() int {
	n := 0
	for _, l := range p.Lines {
		if l.isRow() {
			n++
		}
	}
	return n
}

// titledFirst reports whether a title stands above the first row of figures.
func titledFirst(lines []Line) bool {
	for _, l := range lines {
		if len(l.Figures) == 0 || AllYears(l.Figures) {
			if _, ok := TitledKind(l); ok {
				return true
			}
			continue
		}
		if len(l.Caption) > 0 {
			return false
		}
	}
	return false
}

// untitled are the lines of a page above its first title, which may belong to the statement of the page before it.
func untitled(lines []Line) []Line {
	for i, l := range lines {
		if len(l.Figures) == 0 || AllYears(l.Figures) {
			if _, ok := TitledKind(l); ok {
				return lines[:i]
			}
		}
	}
	return lines
}

// guessKind is the statement that most captions of a page belong to; empty when that is unclear.
func guessKind(lines []Line) string {
	counts := map[string]int{}
	for _, l := range lines {
		if len(l.Figures) == 0 || len(l.Caption) == 0 {
			continue
		}
		for kind, book := range captions.Books() {
			for _, form := range captions.Forms(text.Join(l.Caption)) {
				if rules := book.Exact[form]; len(rules) > 0 {
					counts[kind]++
					if strings.HasPrefix(form, "total ") || rules[0].Row == "netCashFromOperating" ||
						rules[0].Row == "grossProfit" {
						counts[kind] += 2
					}
					break
				}
			}
		}
	}
	best, most, second := "", 0, 0
	for _, kind := range []string{captions.IncomeStatement, captions.BalanceSheet, captions.CashFlow} {
		if n := counts[kind]; n > most {
			best, most, second = kind, n, most
		} else {
			second = max(second, n)
		}
	}
	if most < 3 || most == second {
		return ""
	}
	return best
}

var turnings = map[string][]string{
	captions.BalanceSheet: {"assets", "current assets", "fixed assets"},
	captions.CashFlow: {"operating activities", "cash flows from operating activities",
		"cash flow from operating activities"},
	captions.IncomeStatement: {"income", "revenue", "revenues", "sales", "ordinary income expense", "operating revenue",
		"operating revenues"},
}

// beginsOther reports whether a heading without a title of its own begins another statement on the same page; what
// begins with a small letter is the rest of a caption.
func (b *Block) beginsOther(l Line) bool {
	if len(l.Figures) > 0 || b.Kind == "" || StartsLower(l.Text()) || b.Parts[len(b.Parts)-1].rows() < 4 {
		return false
	}
	return otherKind(l, b.Kind) != ""
}

func otherKind(l Line, from string) string {
	folded := text.Fold(l.Text())
	for kind, words := range turnings {
		if kind == from || from == captions.CashFlow && kind == captions.IncomeStatement {
			continue
		}
		for _, w := range words {
			if folded == w && !(from == captions.BalanceSheet && (w == "income" || w == "sales")) {
				return kind
			}
		}
	}
	return ""
}

// readLines reads the lines of a page with their trailing figures. Where two sides stand beside each other, beside
// is the first line of the right one, else 0.
func readLines(p text.Page, s text.Segment) (lines []Line, beside int) {
	printed := joinSkewed(text.Lines(p), s.Style)
	if left, right, ok := splitSides(printed, s.Style); ok {
		printed, beside = slices.Concat(left, right), len(left)
	}
	for i, l := range printed {
		for _, part := range rowsOfCell(l) {
			lines = append(lines, readLine(part, s))
		}
		if i < beside {
			beside += len(rowsOfCell(l)) - 1
		}
	}
	return lines, beside
}

// rowsOfCell parts a cell that holds the whole heading of a report, line under line.
func rowsOfCell(l text.Line) []text.Line {
	if len(l.Tokens) != 1 || !strings.Contains(l.Tokens[0].Text, "\n") {
		return []text.Line{l}
	}
	var parts []text.Line
	for part := range strings.SplitSeq(l.Tokens[0].Text, "\n") {
		if part = strings.TrimSpace(part); part != "" {
			t := l.Tokens[0]
			t.Text = part
			parts = append(parts, lineOf(l, []text.Token{t}))
		}
	}
	if len(parts) == 0 {
		return []text.Line{l}
	}
	return parts
}

// joinSkewed joins what a skewed scan separated: a line of figures alone with the nearest caption.
func joinSkewed(lines []text.Line, style text.DecimalStyle) []text.Line {
	if len(lines) == 0 || lines[0].Tokens[0].Method != text.MethodOCR {
		return lines
	}
	out := slices.Clone(lines)
	for i, l := range lines {
		if text.Wordy(l.Text()) || len(text.MoneyOn(l, style)) == 0 {
			continue
		}
		best, distance := -1, 0.8*l.Box().Height()
		for _, k := range []int{i - 1, i + 1} {
			if k < 0 || k >= len(out) || !text.Wordy(out[k].Text()) || out[k].X1 >= l.X0 ||
				len(text.MoneyOn(out[k], style)) > 0 {
				continue
			}
			if d := text.Abs(out[k].Box().MiddleY() - l.Box().MiddleY()); d < distance {
				best, distance = k, d
			}
		}
		if best >= 0 {
			out[best].Tokens = append(slices.Clone(out[best].Tokens), l.Tokens...)
			b := text.BoxOf(out[best].Tokens)
			out[best].X0, out[best].Y0, out[best].X1, out[best].Y1 = b.X0, b.Y0, b.X1, b.Y1
			out[i].Tokens = nil
		}
	}
	return slices.DeleteFunc(out, func(l text.Line) bool { return len(l.Tokens) == 0 })
}

// readLine parts a line into caption and figures. Figures that words follow belong to the caption:
// "900,000 shares authorized". In a table of cells the first cell with letters is the caption.
func readLine(l text.Line, s text.Segment) Line {
	out := Line{Line: l, Cells: l.Tokens[0].Cell != ""}
	dates := l.Dates(s.Order)
	inDate := func(m text.Money) bool {
		for _, d := range dates {
			if m.First <= d.Last && d.First <= m.Last {
				return true
			}
		}
		return false
	}
	first := 0 // token with which the figures may begin
	if out.Cells {
		for first < len(l.Tokens) && !text.Wordy(l.Tokens[first].Text) {
			first++
		}
		if first < len(l.Tokens) {
			out.Caption = l.Tokens[first : first+1]
		} else {
			first = 0
		}
	} else {
		for i, t := range l.Tokens {
			if text.Wordy(t.Text) && !isMark(t.Text) {
				first = i + 1
			}
		}
	}
	for _, m := range l.Amounts(s.Style) {
		if m.First >= first && !inDate(m) && (len(dates) == 0 || !opensLength(l, m)) {
			out.Figures = append(out.Figures, m)
		}
	}
	if !out.Cells {
		end := len(l.Tokens)
		if len(out.Figures) > 0 {
			end = out.Figures[0].First
		}
		out.Caption = withoutNote(l.Tokens[:end])
		if !text.Wordy(text.Join(out.Caption)) {
			out.Caption = nil
		}
	}
	return out
}

var markWords = lazyregexp.New(`^(?:(?i:CR|DR|OD|USD|CAD|AUD|GBP|EUR)|\(?[a-z]\)|[A-Z]{0,3}\$)$`)

func isMark(text string) bool { return markWords.MatchString(text) }
