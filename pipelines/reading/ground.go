package reading

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// Answer is one fact as a model gives it.
type Answer struct {
	Pointer string `json:"pointer"`
	Value   string `json:"value"`
	Page    int    `json:"page"`
	Text    string `json:"text"`
}

// Why an answer is dropped.
var (
	errUnknown    = errors.New("nobody asked for it")
	errNotPrinted = errors.New("its words are not printed on the page")
	errOrder      = errors.New("its words tell a reader what to write")
	errOther      = errors.New("its words say something else")
	errAmbiguous  = errors.New("its words stand in several places, or say several things")
	errTaken      = errors.New("its place is another fact's")
	errCaption    = errors.New("its caption is another fact's")
)

// maxConfidence is the highest confidence of what a model gave.
const maxConfidence = 0.9

// grounded is an answer that counts.
type grounded struct {
	value  any // as facts hold it in JSON
	source dossier.Source
}

// box is a place on a page: a rectangle, or a cell.
type box struct {
	page int
	text.Box
	cell string
}

// ground decides whether an answer counts. taken are the boxes of the document's other facts; unit is the factor by
// which figures of a statement are multiplied. It is pure.
func (p *paper) ground(f fact, a Answer, taken map[string]box, unit int64) (grounded, error) {
	page := p.pages[a.Page]
	if page == nil || strings.TrimSpace(a.Value) == "" || len(a.Value) > maxValue {
		return grounded{}, errNotPrinted
	}
	places := page.find(a.Text)
	if len(places) == 0 {
		return grounded{}, errNotPrinted
	}
	var found []grounded
	var why error
	for _, at := range places {
		g, err := p.readAt(page, f, a, at, unit)
		if err == nil && isTaken(a.Pointer, boxOf(g.source), taken) {
			err = errTaken
		}
		if err != nil {
			if why == nil || errors.Is(why, errTaken) {
				why = err
			}
			continue
		}
		if !contains(found, g) {
			found = append(found, g)
		}
	}
	switch {
	case len(found) == 0:
		return grounded{}, why
	case len(found) > 1 && f.kind.mustStandOnce():
		return grounded{}, errAmbiguous
	}
	return found[0], nil
}

// maxValue caps a value, in bytes.
const maxValue = 300

// mustStandOnce reports whether the same text in two places makes an answer ambiguous: it does for figures, not for
// names and dates.
func (k kind) mustStandOnce() bool {
	return k == amount || k == total || k == row || k == numbered || k == count
}

func contains(found []grounded, g grounded) bool {
	for _, have := range found {
		if boxOf(have.source) == boxOf(g.source) {
			return true
		}
	}
	return false
}

// readAt parses the fact from the quoted words.
func (p *paper) readAt(s *sheet, f fact, a Answer, at []place, unit int64) (grounded, error) {
	for i, word := range at {
		if (i == 0 || at[i-1].line != word.line) && isInstruction(s, word.line) {
			return grounded{}, errOrder
		}
	}
	var value any
	var tokens []text.Token
	var err error
	switch f.kind {
	case amount, total, row, numbered:
		value, tokens, err = p.readAmount(s, f, a, at, unit)
	case count, year:
		value, tokens, err = readCount(s, f, a, at)
	case day:
		value, tokens, err = p.readDay(s, a, at)
	case currencyCode:
		value, tokens, err = readCurrency(s, a, at)
	case accountingBasis:
		value, tokens, err = readBasis(s, a, at)
	default:
		value, tokens, err = readWords(s, f, a, at)
	}
	if err != nil {
		return grounded{}, err
	}
	caption := captionOf(s, tokens, at, f.kind == count)
	if f.kind.mustStandOnce() && f.kind != row && !hasLetters(caption) {
		return grounded{}, errCaption // a bare figure is nobody's
	}
	if f.kind == numbered && !s.hasLineNumber(tokens[0], f.name) || f.kind != row && f.kind != numbered &&
		mislabelled(f.name, caption) {
		return grounded{}, errCaption
	}
	source := text.SourceOf(tokens, "")
	source.Method, source.Confidence = "model", min(source.Confidence, maxConfidence)
	return grounded{value, source}, nil
}

// hasLineNumber reports whether a word begins with the form's line number, or follows right after it.
func (s *sheet) hasLineNumber(word text.Token, number string) bool {
	for _, l := range s.lines {
		for i, t := range l.Tokens {
			if t != word {
				continue
			}
			says := func(t text.Token) bool { return strings.EqualFold(strings.Trim(t.Text, ".:()"), number) }
			return i > 0 && (says(l.Tokens[0]) || says(l.Tokens[i-1]))
		}
	}
	return false
}

func hasLetters(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }

// readAmount parses the one amount among the words, including signs, brackets and marks that stand beside them.
func (p *paper) readAmount(s *sheet, f fact, a Answer, at []place, unit int64) (any, []text.Token, error) {
	want, err := dossier.ParseAmount(strings.NewReplacer(",", "", "$", "", " ", "").Replace(a.Value))
	if err != nil {
		return nil, nil, errOther
	}
	m, tokens, err := p.onlyAmount(s, at)
	if err != nil {
		return nil, nil, err
	}
	value := m.Value
	if f.kind == total || f.kind == row && expenseRow.MatchString(f.name) {
		value = dossier.Amount{Decimal: value.Abs()}
	}
	if f.kind == row && unit > 1 {
		value = dossier.Amount{Decimal: value.Mul(decimal.NewFromInt(unit))}
	}
	if !value.Equal(want.Decimal) {
		return nil, nil, errOther
	}
	return value.String(), tokens, nil
}

// onlyAmount is the amount that the words hold, when they hold one.
func (p *paper) onlyAmount(s *sheet, at []place) (text.Money, []text.Token, error) {
	var all, sure []text.Money
	var where [][]text.Token
	var sureAt [][]text.Token
	for line, span := range spans(at) {
		l := s.lines[line]
		for _, m := range l.Amounts(p.style) {
			if m.Last < span[0] || m.First > span[1] || m.Percent || m.Dash {
				continue
			}
			tokens := l.Tokens[m.First : m.Last+1]
			if !m.Looks() && isReference(l, m.First) {
				continue
			}
			all, where = append(all, m), append(where, tokens)
			if m.Looks() {
				sure, sureAt = append(sure, m), append(sureAt, tokens)
			}
		}
	}
	if m, tokens, ok := p.brokenAmount(s, at); ok && len(sure) <= 1 {
		return m, tokens, nil
	}
	switch {
	case len(sure) == 1:
		return sure[0], sureAt[0], nil
	case len(sure) == 0 && len(all) == 1:
		return all[0], where[0], nil
	case len(all) == 0:
		return text.Money{}, nil, errOther
	}
	return text.Money{}, nil, errAmbiguous
}

// isReference reports whether a bare number on a form's line is no amount but the line's own number, at its beginning
// or repeated before the amount, or the number of another line that the caption names.
func isReference(l text.Line, at int) bool {
	if at == 0 {
		return len(l.Tokens) > 1
	}
	own := func(i int) string { return strings.Trim(l.Tokens[i].Text, ".:()") }
	if at < len(l.Tokens)-1 && own(at) == own(0) {
		return true
	}
	joined := false // what stands behind goes on with this number
	for i := at - 1; i >= 0; i-- {
		word := text.Fold(strings.Trim(own(i), ","))
		switch {
		case referenceNoun.MatchString(word):
			return true
		case word == "and" || word == "through" || word == "or":
			joined = true
		case lineNumber.MatchString(word) && (joined || strings.HasSuffix(l.Tokens[i].Text, ",")):
			joined = false
		default:
			return false
		}
	}
	return false
}

var referenceNoun = lazyregexp.New(`^(lines?|forms?|schedules?|box|boxes|parts?|sections?|codes?|items?|pages?)$`)

// spans are the first and last of the words on each line.
func spans(at []place) map[int][2]int {
	out := map[int][2]int{}
	for _, p := range at {
		s, have := out[p.line]
		if !have {
			s = [2]int{p.token, p.token}
		}
		out[p.line] = [2]int{min(s[0], p.token), max(s[1], p.token)}
	}
	return out
}

// brokenAmount parses an amount that a line break splits: "1,234," at the end of a line and "567.00" on the next.
func (p *paper) brokenAmount(s *sheet, at []place) (text.Money, []text.Token, bool) {
	for i := 1; i < len(at); i++ {
		head, rest := s.token(at[i-1]), s.token(at[i])
		if at[i-1].line == at[i].line || !strings.HasSuffix(head.Text, ",") && !strings.HasSuffix(head.Text, ".") {
			continue
		}
		if m, ok := text.ParseMoney(head.Text+rest.Text, p.style); ok && m.Looks() {
			return m, []text.Token{head, rest}, true
		}
	}
	return text.Money{}, nil, false
}

// readCount parses the one whole number among the words.
func readCount(s *sheet, f fact, a Answer, at []place) (any, []text.Token, error) {
	var tokens []text.Token
	n := 0
	for _, t := range s.tokens(at) {
		figures := strings.Trim(t.Text, ".,:;()#")
		var v int
		if _, err := fmt.Sscanf(figures, "%d", &v); err != nil || fmt.Sprint(v) != figures ||
			f.kind == year && (v < 1950 || v > 2100) {
			continue
		}
		if tokens != nil && v != n {
			return nil, nil, errAmbiguous
		}
		if tokens == nil {
			n, tokens = v, []text.Token{t}
		}
	}
	if tokens == nil || fmt.Sprint(n) != strings.TrimSpace(a.Value) {
		return nil, nil, errOther
	}
	return n, tokens, nil
}

// readDay parses the one date among the words; of a period, the end that the pointer names.
func (p *paper) readDay(s *sheet, a Answer, at []place) (any, []text.Token, error) {
	line := text.Line{Tokens: s.tokens(at)}
	words := line.Text()
	var from, to int
	var got text.Date
	dates := text.FindDates(words, p.order)
	if periods := text.FindPeriods(words, p.order); len(periods) == 1 && len(dates) == 2 {
		got, from, to = periods[0].Start, dates[0].From, dates[0].To
		if strings.HasSuffix(a.Pointer, "End") || strings.HasSuffix(a.Pointer, "Date") {
			got, from, to = periods[0].End, dates[1].From, dates[1].To
		}
	} else {
		complete := 0
		for _, d := range dates {
			if d.Complete() {
				complete++
				got, from, to = d.Date, d.From, d.To
			}
		}
		if complete > 1 {
			return nil, nil, errAmbiguous
		}
	}
	if !got.Complete() || got.String() != strings.TrimSpace(a.Value) {
		return nil, nil, errOther
	}
	return got.String(), line.TokensOf(from, to), nil
}

// readCurrency accepts the ISO code, or a sign that only one currency has.
func readCurrency(s *sheet, a Answer, at []place) (any, []text.Token, error) {
	for _, t := range s.tokens(at) {
		code := text.SymbolCode(t.Text)
		if len(code) == 3 && code == a.Value || strings.Trim(t.Text, "().,:;") == a.Value &&
			isoCode.MatchString(a.Value) {
			return a.Value, []text.Token{t}, nil
		}
	}
	return nil, nil, errOther
}

// readBasis accepts the word only beside "basis" or "method".
func readBasis(s *sheet, a Answer, at []place) (any, []text.Token, error) {
	tokens := s.tokens(at)
	said := text.Fold(text.Join(tokens))
	if (a.Value == "accrual" || a.Value == "cash" || a.Value == "tax") &&
		(text.HasWords(said, a.Value+" basis") || text.HasWords(said, a.Value+" method")) {
		return a.Value, tokens, nil
	}
	return nil, nil, errOther
}

// readWords returns the value as the words print it. In words recognized from a picture, letters that OCR confuses
// count as equal.
func readWords(s *sheet, f fact, a Answer, at []place) (any, []text.Token, error) {
	want := lettersOf(a.Value)
	if len(want) == 0 || f.kind == name && !hasLetters(a.Value) ||
		f.kind == number && !strings.ContainsAny(a.Value, "0123456789") {
		return nil, nil, errOther
	}
	for first := range at {
		var have []rune
		scanned := false
		for last := first; last < len(at) && len(have) < len(want); last++ {
			t := s.token(at[last])
			have = append(have, lettersOf(t.Text)...)
			scanned = scanned || t.Method == text.MethodOCR
			if len(have) != len(want) || string(have) != string(want) {
				continue
			}
			tokens := s.tokens(at[first : last+1])
			printed := strings.Trim(text.Join(tokens), " :;,")
			if !scanned {
				if text.Fold(printed) != text.Fold(a.Value) && compact(printed) != compact(a.Value) {
					return nil, nil, errOther
				}
				return printed, tokens, nil
			}
			return strings.TrimSpace(a.Value), tokens, nil
		}
	}
	return nil, nil, errOther
}

func compact(s string) string { return strings.ReplaceAll(text.Fold(s), " ", "") }

// captionOf returns the caption of a value: the text before it on its line, back to the previous figure; for a count at
// the beginning of a line the text after it, up to the next figure; else the text above.
func captionOf(s *sheet, tokens []text.Token, at []place, counts bool) string {
	line, first := at[0].line, -1
	for _, p := range at {
		for i, t := range s.lines[p.line].Tokens {
			if first < 0 && t == tokens[0] {
				line, first = p.line, i
			}
		}
	}
	if first < 0 {
		return ""
	}
	l := s.lines[line]
	var near []string
	for i := first - 1; i >= 0; i-- {
		if hasLetters(l.Tokens[i].Text) {
			near = append([]string{l.Tokens[i].Text}, near...)
			continue
		}
		if len(near) > 0 && strings.ContainsAny(l.Tokens[i].Text, "0123456789") {
			break
		}
	}
	for i := first + 1; counts && first == 0 && i < len(l.Tokens) && hasLetters(l.Tokens[i].Text); i++ {
		near = append(near, l.Tokens[i].Text)
	}
	if len(near) > 0 {
		return strings.Join(near, " ")
	}
	for above := line - 1; above >= 0 && above >= line-2; above-- {
		for _, cell := range s.lines[above].Cells() {
			if text.Overlap(cell.X0, cell.X1, tokens[0].X0, tokens[len(tokens)-1].X1) > 0 && hasLetters(cell.Text()) {
				return cell.Text()
			}
		}
	}
	return ""
}
