package document

import (
	"strconv"
	"strings"
	"time"

	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// accountNumber is an account number as printed: digits with masks, blanks aside, at least four characters.
var accountNumber = lazyregexp.New(`^[#(]?(?:[\dXx*•.]{1,}[-–]?)*[\dXx*•]{4,}\)?$|^[Xx*•]{2,}[-–]?\d{2,}$|^[Xx*•]{2,}(?:[-–]\d+)+$|^\d{2,}-\d{2,}(?:-\d+)*$`)

// bankNumber is an account number with where it stands.
type bankNumber struct {
	text   string
	tokens []Token
	line   int
}

// accountNumbers finds captioned account numbers: after the caption on the line, or below it.
func accountNumbers(lines []Line) []bankNumber {
	var found []bankNumber
	for i, l := range lines {
		text := l.Text()
		if n, ok := ibanOn(l, i); ok {
			found = append(found, n)
			continue
		}
		for _, at := range numberCaptionEnds(text) {
			if n, ok := numberAfter(l, at, i); ok {
				found = append(found, n)
				continue
			}
			if n, ok := numberBelow(lines, i, l, at); ok {
				found = append(found, n)
			}
		}
	}
	return found
}

// ibanOn reads an IBAN, which stands within one cell.
func ibanOn(l Line, i int) (bankNumber, bool) {
	for _, cell := range l.Cells() {
		text := cell.Text()
		if at := ibanPattern.FindStringIndex(text); at != nil {
			return bankNumber{text[at[0]:at[1]], cell.TokensOf(at[0], at[1]), i}, true
		}
	}
	return bankNumber{}, false
}

// ibanPattern is an international account number in groups or as one.
var ibanPattern = lazyregexp.New(`\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b`)

var captionedNumber = lazyregexp.New(`(?i)(?:\b(?:account|acct|a/c|kontonummer|konto|compte|cuenta|member)\.?(?:\s+(?:number|no\b\.?|num\b\.?|nbr\b|#|id\b|n°))?(?:\(s\))?|\bn°)\s*[:#]*`)

func numberCaptionEnds(text string) []int {
	var ends []int
	for _, at := range captionedNumber.FindAllStringIndex(text, -1) {
		ends = append(ends, at[1])
	}
	return ends
}

// numberAfter reads the number that follows byte at of the line.
func numberAfter(l Line, at, line int) (bankNumber, bool) {
	if at >= len(l.Text()) {
		return bankNumber{}, false
	}
	first, _ := l.tokenRange(min(at+1, len(l.Text())-1), len(l.Text()))
	var taken []Token
	for _, t := range l.Tokens[first:] {
		word := strings.TrimLeft(t.Text, ":#")
		if word == "" && len(taken) == 0 {
			continue
		}
		if len(taken) > 0 && t.X0-taken[len(taken)-1].X1 > 1.2*(t.Y1-t.Y0) {
			break
		}
		if !numberPart.MatchString(word) {
			break
		}
		taken = append(taken, t)
	}
	return bankNumberOf(taken, line)
}

var numberPart = lazyregexp.New(`^[#(]?[\dXx*•.–-]+\)?$`)

// numberBelow reads the number in the cell under the caption.
func numberBelow(lines []Line, i int, l Line, at int) (bankNumber, bool) {
	tokens := l.TokensOf(max(at-3, 0), at)
	box := boxOf(tokens)
	for j := i + 1; j < len(lines) && j <= i+2; j++ {
		below := lines[j]
		if below.Page != l.Page || below.Y0-l.Y1 > 2.5*(l.Y1-l.Y0) {
			break
		}
		for _, cell := range below.Cells() {
			if overlap(cell.X0, cell.X1, box.X0-40, box.X1+10) > 0 {
				if n, ok := bankNumberOf(cell.Tokens, j); ok {
					return n, true
				}
			}
		}
	}
	return bankNumber{}, false
}

func bankNumberOf(tokens []Token, line int) (bankNumber, bool) {
	text := strings.Trim(joinText(tokens), ":#() .")
	digits, marks := 0, 0
	for _, r := range text {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case strings.ContainsRune("Xx*•", r):
			marks++
		case strings.ContainsRune(" -–.", r):
		default:
			return bankNumber{}, false
		}
	}
	if digits+marks < 4 || digits < 2 || digits > 22 || len(FindDates(text, MonthFirst)) > 0 {
		return bankNumber{}, false
	}
	return bankNumber{text, tokens, line}, true
}

// accountWords name deposit products.
var accountWords = lazyregexp.New(`(?i)\b(checking|chequing|savings|saver|money market|current account|share draft|share savings|certificate|deposit account|cash management|demand deposit|transaction account|everyday account|spending account|esavings|regular shares?)\b`)

// productWords may stand in the name of a product; a line with other words is a sentence.
var productLine = lazyregexp.New(`^[A-Z0-9][\w&'’®™.,/ -]*$`)

// accountTypeOf finds what kind of account it is, as printed: under or after a caption "account type", else
// the product's name as a heading of the first pages.
func accountTypeOf(lines []Line, style DecimalStyle) (string, []Token) {
	for i, l := range lines {
		for _, at := range accountTypeCaption.FindAllStringIndex(l.Text(), -1) {
			if tokens := valueOf(lines, i, at[1]); len(tokens) > 0 && accountWords.MatchString(joinText(tokens)) {
				return joinText(tokens), tokens
			}
		}
	}
	for _, l := range lines[:min(len(lines), 150)] {
		if len(moneyOn(l, style)) > 0 {
			continue
		}
		for _, cell := range l.Cells() {
			name, _ := splitAccountLabel(cell)
			if name = strings.Trim(strings.TrimPrefix(name, "Your "), " -–:"); isProductName(name) {
				return name, cell.Tokens
			}
			if at := foreignProduct.FindString(cell.Text()); at != "" && len(cell.Tokens) <= 6 {
				return at, cell.Tokens
			}
		}
	}
	return "", nil
}

// foreignProduct are products in other languages.
var foreignProduct = lazyregexp.New(`(?i)\b(?:girokonto|privatkonto|kontokorrentkonto|gesch[aä]ftskonto|sparkonto|compte (?:courant|ch[eè]ques?|d'[eé]pargne)|cuenta (?:corriente|de cheques|de ahorros)|conto corrente|betaalrekening)\b`)

var accountTypeCaption = lazyregexp.New(`(?i)\b(?:account type|type of account|product name|product)\b\s*:?`)

var notProduct = lazyregexp.New(`(?i)\b(summary|loan|statement|activity|transactions?|history|detail|balance|overdraft|transfer|interest|fee|fees|deposits?|withdrawals?|protection|online|mobile|questions|information|number|options|services?|your|you|we|to|from|is|are|with|continued|date|paid|if|have|checks|in|on|combined|linked|accounts)\b`)

// loneAccountWord is a section title of one word: "CHECKING".
var loneAccountWord = lazyregexp.New(`(?i)^(checking|savings|chequing|money market|share draft|shares)( account)?:?$`)

// isProductName reports whether a cell is the name of a deposit product and nothing else.
func isProductName(text string) bool {
	words := strings.Fields(text)
	return len(words) >= 2 && len(words) <= 7 && accountWords.MatchString(text) && productLine.MatchString(text) &&
		!notProduct.MatchString(text) && !strings.HasSuffix(Fold(text), " bank") && !strings.HasSuffix(text, ".") && !strings.HasPrefix(Fold(text), "total")
}

// valueOf is what a caption that ends at byte at of line i captions: the rest of its cell, the next cell, or
// the cell below.
func valueOf(lines []Line, i, at int) []Token {
	l := lines[i]
	text := l.Text()
	if rest := strings.TrimLeft(text[at:], " :"); rest != "" {
		first, _ := l.tokenRange(len(text)-len(rest), len(text))
		cells := Line{Page: l.Page, Tokens: l.Tokens[first:]}.Cells()
		if len(cells) > 0 {
			before := l.Tokens[max(first-1, 0)]
			if cells[0].X0-before.X1 < 20*(before.Y1-before.Y0) {
				return cells[0].Tokens
			}
		}
	}
	box := boxOf(l.TokensOf(max(at-4, 0), at))
	for j := i + 1; j < len(lines) && j <= i+2; j++ {
		below := lines[j]
		if below.Page != l.Page || below.Y0-l.Y1 > 2.5*(l.Y1-l.Y0) {
			break
		}
		for _, cell := range below.Cells() {
			if overlap(cell.X0, cell.X1, box.X0-60, box.X1+10) > 0 {
				return cell.Tokens
			}
		}
	}
	return nil
}

// periodRead is a statement's period as printed.
type periodRead struct {
	start, end           *Date
	startTokens, endText []Token
	statement            *Date
	statementTokens      []Token
	month                bool // the whole month that the statement is called after
}

var (
	periodWords    = lazyregexp.New(`(?i)\b(period|statement|zeitraum|kontoauszug|p[eé]riode|periodo|from|through|thru|beginning|for the|cycle|dates?|covering|covers|activity)\b`)
	notPeriod      = lazyregexp.New(`(?i)\b(fee period|interest rate|rate|apy|year.to.date|effective|hours|promotion|offer|ytd|average|tax)\b`)
	startCaption   = lazyregexp.New(`(?i)\b(?:(?:statement |period |cycle )(?:begin(?:ning|s)?|start(?:ing|s)?|from|open(?:ing)?)(?: date)?|(?:beginning|starting|start|opening|from) date|period from)\b[\s:]*`)
	endCaption     = lazyregexp.New(`(?i)\b(?:(?:statement |period |cycle )(?:end(?:ing|s)?|clos(?:e|ing)|to|through)(?: date)?|(?:ending|end|closing|to|through|thru) date|period to|period ended)\b[\s:]*`)
	statementOn    = lazyregexp.New(`(?i)\b(?:statement date|date of statement|statement issued(?: on)?|issued on|date issued|issue date|statement produced(?: on)?|as of date|statement as of|this statement)\b[\s:]*`)
	loneDatePage   = lazyregexp.New(`(?i)^\W*(?:page\s*\d+\s*(?:of|/)\s*\d+)?\W*$`)
	lastStatements = lazyregexp.New(`(?i)\blast statement\b`)
)

// readPeriod finds the period: a printed span first, then captioned dates, then the dates that the opening
// and closing captions carry.
func readPeriod(lines []Line, items []bankItem, style DecimalStyle, order DateOrder) periodRead {
	var p periodRead
	p.fromSpans(lines, style, order)
	p.fromCaptions(lines, order)
	p.fromItems(items)
	p.fromMonth(lines)
	return p
}

var monthStatement = lazyregexp.New(`(?i)^(?:[\w ]*\bstatement(?: for| of)? )?(\p{L}{3,10})\.? (\d{4})(?: [\w ]*\bstatement)?$`)

// fromMonth takes the whole month that a statement without a period calls itself after: "March 2024 statement".
func (p *periodRead) fromMonth(lines []Line) {
	if p.start != nil || p.end != nil {
		return
	}
	for _, l := range lines[:min(len(lines), 15)] {
		for _, cell := range l.Cells() {
			text := cell.Text()
			m := monthStatement.FindStringSubmatch(text)
			if m == nil || !HasWords(Fold(text), "statement") || monthNames[Fold(m[1])] == 0 {
				continue
			}
			year, err := strconv.Atoi(m[2])
			if err != nil || year < 1990 || year > 2100 {
				continue
			}
			first := time.Date(year, time.Month(monthNames[Fold(m[1])]), 1, 0, 0, 0, 0, time.UTC)
			last := first.AddDate(0, 1, -1)
			p.start, p.end = &Date{year, int(first.Month()), 1}, &Date{year, int(last.Month()), last.Day()}
			p.startTokens, p.endText, p.month = cell.Tokens, cell.Tokens, true
			return
		}
	}
}

func (p *periodRead) fromSpans(lines []Line, style DecimalStyle, order DateOrder) {
	best := 0.0
	for i, l := range lines {
		text := l.Text()
		tokens := l
		spans := FindPeriods(text, order)
		if len(spans) == 0 && i+1 < len(lines) && lines[i+1].Page == l.Page && spanGoesOn.MatchString(text) {
			tokens = Line{Page: l.Page, Tokens: append(append([]Token(nil), l.Tokens...), lines[i+1].Tokens...)}
			spans = FindPeriods(tokens.Text(), order)
		}
		for _, s := range spans {
			days := s.End.Time().Sub(s.Start.Time()).Hours() / 24
			if days < 5 || days > 400 || len(moneyOn(l, style)) > 0 && !periodWords.MatchString(text) {
				continue
			}
			score := 1.0
			if days < 100 {
				score++
			}
			if periodWords.MatchString(text) || i > 0 && periodWords.MatchString(lines[i-1].Text()) {
				score += 2
			}
			if l.Page == lines[0].Page {
				score++
			}
			if notPeriod.MatchString(text) {
				score -= 3
			}
			if len(l.Tokens) > 16 {
				score -= 1.5
			}
			if score > best {
				best = score
				start, end := s.Start, s.End
				p.start, p.end = &start, &end
				p.startTokens = tokens.TokensOf(s.From, s.To)
				p.endText = p.startTokens
			}
		}
	}
}

var spanGoesOn = lazyregexp.New(`(?i)(?:-|–|to|through|thru)\s*$`)

func (p *periodRead) fromCaptions(lines []Line, order DateOrder) {
	for i, l := range lines {
		text := l.Text()
		if p.start == nil {
			p.start, p.startTokens = captionedDate(lines, i, text, startCaption, order)
		}
		if p.end == nil {
			p.end, p.endText = captionedDate(lines, i, text, endCaption, order)
		}
		if p.statement == nil && !lastStatements.MatchString(text) {
			p.statement, p.statementTokens = captionedDate(lines, i, text, statementOn, order)
		}
	}
	if p.statement != nil {
		return
	}
	for _, l := range lines[:min(len(lines), 12)] {
		for _, d := range l.Dates(order) {
			if d.Complete() && len(l.Dates(order)) == 1 && loneDatePage.MatchString(strings.TrimSpace(l.Text()[:d.From]+" "+l.Text()[d.To:])) {
				date := d.Date
				p.statement, p.statementTokens = &date, d.Tokens
				return
			}
		}
	}
}

func captionedDate(lines []Line, i int, text string, caption *lazyregexp.Regexp, order DateOrder) (*Date, []Token) {
	at := caption.FindStringIndex(text)
	if at == nil {
		return nil, nil
	}
	l := lines[i]
	for _, d := range l.Dates(order) {
		if d.From >= at[1]-1 && d.From-at[1] < 3 && d.Complete() {
			date := d.Date
			return &date, d.Tokens
		}
	}
	tokens := valueOf(lines, i, at[1])
	if len(tokens) == 0 {
		return nil, nil
	}
	value := Line{Page: l.Page, Tokens: tokens}
	for _, d := range value.Dates(order) {
		if d.Complete() && d.From == 0 {
			date := d.Date
			return &date, d.Tokens
		}
	}
	return nil, nil
}

// fromItems takes what is still missing from the dates of the opening and closing captions.
func (p *periodRead) fromItems(items []bankItem) {
	year := p.end
	if year == nil {
		year = p.statement
	}
	for _, it := range items {
		if it.date == nil || it.date.Year == 0 && year == nil {
			continue
		}
		d := *it.date
		if d.Year == 0 {
			d = d.WithYear(*year)
		}
		switch {
		case (it.kind == bankClosing || it.kind == bankCurrent) && p.end == nil:
			p.end, p.endText = &d, it.tokens
		case it.kind == bankOpening && p.start == nil:
			p.start, p.startTokens = &d, it.tokens
		}
	}
	if p.start != nil && p.end != nil && p.end.Before(*p.start) {
		p.start, p.end, p.startTokens, p.endText = nil, nil, nil, nil
	}
}
