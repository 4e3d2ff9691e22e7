package text

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// Field says how one captioned value is printed: the captions (folded), and what its value looks like.
type Field struct {
	Captions []string
	Accept   func(tokens []Token) (value string, used []Token, ok bool)
	Below    bool // the value stands under the caption rather than beside it
	Deep     bool // its box is high: the value may stand far below the caption
	Whole    bool // a caption of one word must stand alone: a cell of its own, or with a colon behind it
	Centred  bool // the value may stand below the middle of its caption, beginning further left
	Beside   bool // the value stands beside the caption and nowhere else
	Begins   bool // the caption begins its cell: "YTD gross" is no "gross"
	Cell     bool // the value begins its cell: what stands below a caption is not the end of a name
	// Not are words that make another caption of it when they follow: "Net payé avant impôt".
	Not map[string]bool
}

// FieldFinder looks captioned values up in the lines of a document.
type FieldFinder struct {
	Lines  []Line
	folded [][]string // of each line, of each token
	Twins  bool       // captions stand in two languages parted by a stroke: "Surname/Nom"
	Loose  bool       // a longer word of a caption may have one letter that OCR misread
}

func NewFieldFinder(lines []Line) *FieldFinder {
	f := &FieldFinder{Lines: lines, folded: make([][]string, len(lines))}
	for i, l := range lines {
		for k, t := range l.Tokens {
			if k > 0 && t.Method == MethodOCR && (t.Text == "'s" || t.Text == "’s") {
				f.folded[i][k-1] += "s" // "Employer 's name"
				f.folded[i] = append(f.folded[i], "")
				continue
			}
			f.folded[i] = append(f.folded[i], Fold(t.Text))
		}
	}
	return f
}

// Find returns the first acceptable value of the field, by order of captions, then of lines.
func (f *FieldFinder) Find(want Field) (string, []Token, bool) {
	for _, caption := range want.Captions {
		if found := f.valuesOf(caption, want, 1); len(found) > 0 {
			return found[0].text, found[0].tokens, true
		}
	}
	return "", nil, false
}

// FindMost returns the value that most copies of the field agree on, the first of equals: a page may print one form
// several times over, and OCR misreads each copy its own way.
func (f *FieldFinder) FindMost(want Field) (string, []Token, bool) {
	for _, caption := range want.Captions {
		found := f.valuesOf(caption, want, math.MaxInt)
		counts, best := map[string]int{}, -1
		for _, v := range found {
			counts[v.text]++
		}
		for i, v := range found {
			if best < 0 || counts[v.text] > counts[found[best].text] {
				best = i
			}
		}
		if best >= 0 {
			return found[best].text, found[best].tokens, true
		}
	}
	return "", nil, false
}

// fieldValue is an acceptable value of a field.
type fieldValue struct {
	text   string
	tokens []Token
}

// valuesOf are the first acceptable values of a caption, at most so many, by order of lines.
func (f *FieldFinder) valuesOf(caption string, want Field, most int) []fieldValue {
	words := strings.Fields(caption)
	var found []fieldValue
	for i := range f.Lines {
		for at := 0; at < len(f.Lines[i].Tokens); at++ {
			n := f.CaptionAt(i, at, words)
			if n == 0 || f.goesOn(i, at+n, want.Not) || want.Whole && len(words) == 1 && !f.alone(i, at, n) ||
				want.Begins && !f.begins(i, at) {
				continue
			}
			if v, used, ok := f.valueNear(i, at, n, want); ok {
				if found = append(found, fieldValue{v, used}); len(found) == most {
					return found
				}
			}
		}
	}
	return found
}

// CaptionAt returns how many tokens from token at of line i on spell the words; 0 when they do not.
func (f *FieldFinder) CaptionAt(i, at int, words []string) int {
	if f.folded[i][at] == "" {
		return 0 // the stroke before it: "Nombres / Given names"
	}
	need := words
	for n := 0; at+n < len(f.folded[i]); n++ {
		for part := range strings.FieldsSeq(f.folded[i][at+n]) {
			if len(need) == 0 || part != need[0] && !f.misread(i, at+n, part, need[0]) &&
				(len(words) == 1 || !f.misreadShort(i, at+n, part, need[0])) {
				if len(need) == 0 && f.Twins && strings.Contains(f.Lines[i].Tokens[at+n].Text, "/") {
					return n + 1
				}
				if len(need) == 0 && !strings.Contains(f.Lines[i].Tokens[at].Text, ":") {
					return 0
				}
				return f.glued(i, at, words)
			}
			need = need[1:]
		}
		if len(need) == 0 {
			return n + 1
		}
	}
	return 0
}

// alone reports whether the tokens of a caption are no part of a longer phrase.
func (f *FieldFinder) alone(i, at, n int) bool {
	tokens := f.Lines[i].Tokens
	begins := at == 0 || WideGap(tokens[at-1], tokens[at]) || enumerator.MatchString(tokens[at-1].Text) &&
		(at == 1 || WideGap(tokens[at-2], tokens[at-1])) // the number of a box: "3. Name"
	last := at + n - 1
	return begins && (strings.HasSuffix(tokens[last].Text, ":") || last+1 == len(tokens) ||
		WideGap(tokens[last], tokens[last+1]) || tokens[last+1].Text == ":")
}

// goesOn reports whether a caption that ends before token at goes on with one of the words.
func (f *FieldFinder) goesOn(i, at int, words map[string]bool) bool {
	tokens := f.Lines[i].Tokens
	return at < len(tokens) && words[f.folded[i][at]] && !WideGap(tokens[at-1], tokens[at])
}

// begins reports whether no word stands right before a caption.
func (f *FieldFinder) begins(i, at int) bool {
	tokens := f.Lines[i].Tokens
	return at == 0 || WideGap(tokens[at-1], tokens[at]) || !hasLetter(tokens[at-1].Text) ||
		enumerator.MatchString(tokens[at-1].Text)
}

// enumerator is the letter or the number of a row: "A. TOTAL DEVENGADO".
var enumerator = lazyregexp.New(`^\(?[A-Za-z0-9]{1,2}[.)]$`)

func hasLetter(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }

// glued accepts a caption and its value set as one token: "DOB03/23/1988", "EXP:03/23/2026". The number of a field is
// no caption of the date that begins with its figure: "3" of "30.01.2024".
func (f *FieldFinder) glued(i, at int, words []string) int {
	text, caption := f.Lines[i].Tokens[at].Text, words[0]
	n := len(caption)
	if len(words) != 1 || len(text) <= n+3 || !strings.EqualFold(text[:n], caption) || isLetter(text[n]) ||
		isDigit(caption[n-1]) && (isDigit(text[n]) || isDigit(text[n+1])) {
		return 0
	}
	return 1
}

func isLetter(b byte) bool { return b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' }

// valueNear tries what stands beside the caption, then what stands below it.
func (f *FieldFinder) valueNear(i, at, n int, want Field) (string, []Token, bool) {
	l := f.Lines[i]
	caption := BoxOf(l.Tokens[f.firstOfTwins(i, at) : at+n])
	beside := func() (string, []Token, bool) {
		tokens := l.Tokens[at+n:]
		if n == 1 && !slices.Contains(want.Captions, f.folded[i][at]) {
			if rest := gluedRest(l.Tokens[at]); rest.Text != "" {
				tokens = append([]Token{rest}, tokens...)
			}
		}
		for len(tokens) > 0 && Fold(tokens[0].Text) == "" {
			tokens = tokens[1:]
		}
		if len(tokens) == 0 || tokens[0].X0-caption.X1 > 60*caption.Height() {
			return "", nil, false
		}
		return want.Accept(tokens)
	}
	if want.Below {
		if v, used, ok := f.under(i, caption, want); ok {
			return v, used, true
		}
		if want.Centred {
			if v, used, ok := f.centredUnder(i, f.cellOf(i, at, n, caption), want); ok {
				return v, used, true
			}
		}
		return beside()
	}
	if v, used, ok := beside(); ok || want.Beside {
		return v, used, ok
	}
	if v, used, ok := f.under(i, caption, want); ok || !want.Centred {
		return v, used, ok
	}
	return f.centredUnder(i, f.cellOf(i, at, n, caption), want)
}

// cellOf is the box of a caption's cell: the caption may be the begin of what is printed over a value.
func (f *FieldFinder) cellOf(i, at, n int, caption Box) Box {
	tokens := f.Lines[i].Tokens
	for k := at + n; k < len(tokens) && !WideGap(tokens[k-1], tokens[k]); k++ {
		caption.X1 = max(caption.X1, tokens[k].X1)
	}
	return caption
}

// centredUnder tries the cell right below a caption that has the same middle.
func (f *FieldFinder) centredUnder(i int, caption Box, want Field) (string, []Token, bool) {
	height := caption.Height()
	for j := i + 1; j < len(f.Lines) && j <= i+3; j++ {
		l := f.Lines[j]
		if l.Page != f.Lines[i].Page || l.Y0-caption.Y1 > 2.2*height {
			break
		}
		for _, cell := range l.Cells() {
			middle := (cell.X0 + cell.X1) / 2
			if cell.Y0 < caption.Y0+0.4*height || middle < caption.X0 || middle > caption.X1 {
				continue
			}
			return want.Accept(cell.Tokens)
		}
	}
	return "", nil, false
}

// firstOfTwins is where a caption in several languages ("Prénoms / Given names") begins: its value stands below it.
func (f *FieldFinder) firstOfTwins(i, at int) int {
	tokens := f.Lines[i].Tokens
	first, twins := at, false
	for first > 0 && !WideGap(tokens[first-1], tokens[first]) {
		first--
		twins = twins || strings.HasSuffix(tokens[first].Text, "/")
	}
	if !twins && !f.misreadBefore(i, first, at) {
		return at
	}
	return first
}

// gluedRest is what follows the letters of a token: the value of "DOB:03/23/1988".
func gluedRest(t Token) Token {
	at := strings.IndexFunc(t.Text, func(r rune) bool { return r == ':' || r == '#' || r >= '0' && r <= '9' })
	if at <= 0 {
		return Token{}
	}
	t.Text = strings.TrimLeft(t.Text[at:], ":# ")
	return t
}

// Under tries what stands below a caption of line i that the caller found.
func (f *FieldFinder) Under(i int, caption Box, want Field) (string, []Token, bool) {
	return f.under(i, caption, want)
}

// under tries the tokens below a caption that begin no further left than it does, up to three lines down.
func (f *FieldFinder) under(i int, caption Box, want Field) (string, []Token, bool) {
	height := caption.Height()
	reach, lines := 3.2, 4
	if want.Deep {
		reach, lines = 6.5, 7
	}
	for j := i + 1; j < len(f.Lines) && j <= i+lines; j++ {
		l := f.Lines[j]
		if l.Page != f.Lines[i].Page || l.Y0-caption.Y1 > reach*height {
			break
		}
		if l.Y1 < caption.Y0+0.4*height { // a line of several sizes may begin beside the caption
			continue
		}
		for k, t := range l.Tokens {
			if t.X0 < caption.X0-1.5*height || t.X0 > caption.X1+0.5*height || t.Y0 < caption.Y0+0.4*height ||
				k > 0 && withinNumber(l.Tokens[k-1], t) {
				continue
			}
			for want.Cell && k > 0 && !WideGap(l.Tokens[k-1], l.Tokens[k]) {
				k--
			}
			if v, used, ok := want.Accept(l.Tokens[k:]); ok {
				return v, used, true
			}
			break
		}
	}
	return "", nil, false
}

// AcceptDate accepts a complete date at the start of the tokens.
func AcceptDate(order DateOrder) func([]Token) (string, []Token, bool) {
	return func(tokens []Token) (string, []Token, bool) {
		l := Line{Tokens: tokens[:min(len(tokens), 6)]}
		for _, d := range l.Dates(order) {
			if d.Complete() && d.From <= 2 {
				return d.Date.String(), d.Tokens, true
			}
		}
		return "", nil, false
	}
}

// monthTwice is a date whose month stands in two languages: "12 JUNE/JUIN 84", "10 MAA/MAR 2021". The stroke is lost or
// misread in small print.
// Turkey sets them off with strokes: "11/AĞU-AUG/2019".
var monthTwice = lazyregexp.New(`^(\d{1,2})[ /]?([\pL]{3,9})\.?(?: ?[/7|1l-] ?| )([\pL]{3,10})\.?[ /](\d{4}|\d{2})\b`)

// monthFigured is a date whose month stands as a figure and in English: "26 1月/JAN 2020", of which OCR loses the sign.
var monthFigured = lazyregexp.New(`^(\d{1,2}) \d{1,2} ?\PL? ?/ ?([A-Z]{3}) (\d{4})\b`)

// firstIssue is the month and year of the first card, which cards of Hong Kong print before the date of issue.
var firstIssue = lazyregexp.New(`^\(\d{2}-\d{2}\)$`)

// AcceptCardDate accepts a complete date, also one whose month stands twice or whose parts are set apart: "14 11 1969"
// is day, month, year.
func AcceptCardDate(order DateOrder) func([]Token) (string, []Token, bool) {
	whole := AcceptDate(order)
	return func(tokens []Token) (string, []Token, bool) {
		if t, ok := repairedDate(tokens[0]); ok {
			tokens = append([]Token{t}, tokens[1:]...)
		}
		if len(tokens) > 1 && firstIssue.MatchString(tokens[0].Text) {
			tokens = tokens[1:]
		}
		l := Line{Tokens: tokens[:min(len(tokens), 6)]}
		if g := monthFigured.FindStringSubmatch(l.Text()); g != nil {
			if d := FindDates(g[1]+" "+g[2]+" "+g[3], order); len(d) == 1 && d[0].Complete() {
				return d[0].String(), l.TokensOf(0, len(g[0])), true
			}
		}
		if g := monthTwice.FindStringSubmatch(l.Text()); g != nil {
			for _, month := range g[2:4] { // one of the two is of a language that is known
				if d := FindDates(g[1]+" "+month+" "+g[4], order); len(d) == 1 && d[0].Complete() {
					return d[0].String(), l.TokensOf(0, len(g[0])), true
				}
			}
		}
		if v, used, ok := whole(tokens); ok || len(tokens) < 3 || len(tokens[0].Text) != 2 ||
			len(tokens[1].Text) != 2 || len(tokens[2].Text) != 4 {
			return v, used, ok
		}
		dates := FindDates(tokens[0].Text+"."+tokens[1].Text+"."+tokens[2].Text, DayFirst)
		if len(dates) != 1 || !dates[0].Complete() {
			return "", nil, false
		}
		return dates[0].String(), tokens[:3], true
	}
}

// AcceptMoney accepts an amount near the start of the tokens.
func AcceptMoney(style DecimalStyle) func([]Token) (string, []Token, bool) {
	return func(tokens []Token) (string, []Token, bool) {
		l := Line{Tokens: tokens[:min(len(tokens), 6)]}
		for _, m := range l.Amounts(style) {
			if m.Looks() && !m.Percent && m.First <= 2 {
				return m.Value.String(), l.Tokens[m.First : m.Last+1], true
			}
		}
		return "", nil, false
	}
}

// AcceptText accepts the tokens of one cell, at most words of them.
func AcceptText(words int, fits func(string) bool) func([]Token) (string, []Token, bool) {
	return func(tokens []Token) (string, []Token, bool) {
		cells := Line{Tokens: tokens}.Cells()
		if len(cells) == 0 {
			return "", nil, false
		}
		used := cells[0].Tokens
		for len(used) > 0 && Fold(used[0].Text) == "" {
			used = used[1:]
		}
		if len(used) == 0 || len(used) > words {
			return "", nil, false
		}
		text := strings.Trim(Join(used), " :#,")
		return text, used, text != "" && MeanConfidence(used) > 0.65 && fits(text)
	}
}

// AcceptToken accepts the first token when it fits.
func AcceptToken(fits func(string) bool) func([]Token) (string, []Token, bool) {
	return func(tokens []Token) (string, []Token, bool) {
		text := strings.Trim(tokens[0].Text, " :#,.")
		return text, tokens[:1], text != "" && fits(text)
	}
}

// AcceptJoined accepts the first token, or the first ones joined where a number is printed in groups.
func AcceptJoined(fits func(string) bool) func([]Token) (string, []Token, bool) {
	return func(tokens []Token) (string, []Token, bool) {
		for len(tokens) > 1 && captionOnly(tokens[0].Text) {
			tokens = tokens[1:]
		}
		for n := groupsOfNumber(tokens); n > 0; n-- {
			group := Line{Tokens: tokens[:n]}.Cells()
			if len(group) != 1 {
				continue
			}
			text := strings.Trim(Join(tokens[:n]), " :#.,")
			if spacedDate.MatchString(text) {
				return "", nil, false
			}
			if fits(strings.ReplaceAll(text, " ", "")) &&
				(n == 1 || !strings.ContainsFunc(text, func(r rune) bool { return r >= 'a' && r <= 'z' })) {
				return text, tokens[:n], true
			}
		}
		return "", nil, false
	}
}

// groupsOfNumber is how many tokens may belong to one number: up to the next word, and without the number of the field
// that the word is the caption of ("123456789 9 CLASS D").
func groupsOfNumber(tokens []Token) int {
	most := min(len(tokens), 5)
	for n := 1; n < most; n++ {
		if tokens[n].Text == "-" && n+1 < most && HasDigits(tokens[n+1].Text, 1) {
			continue // "F4531 - 23456"
		}
		if !HasDigits(tokens[n].Text, 1) {
			if n > 1 && len(tokens[n-1].Text) <= 2 {
				return n - 1
			}
			return n
		}
	}
	return most
}

// spacedDate is a date whose parts are set apart: no number in groups.
var spacedDate = lazyregexp.New(`^[0-3]\d [01]\d (?:19|20)\d{2}$`)
