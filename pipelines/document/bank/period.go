package bank

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// periodRead is a statement's period as printed.
type periodRead struct {
	Start, End           *text.Date
	StartTokens, EndText []text.Token
	statement            *text.Date
	statementTokens      []text.Token
	month                bool // the whole month that the statement is called after
	sinceLast            bool // it starts the day after the last statement's date
}

var (
	periodWords = lazyregexp.New(`(?i)\b(period|statement|zeitraum|kontoauszug|p[eé]riode|periodo|from|through` +
		`|thru|beginning|for the|cycle|dates?|covering|covers|activity)\b`)
	notPeriod = lazyregexp.New(`(?i)\b(fee period|interest rate|rate|apy|year.to.date|effective|hours` +
		`|promotion|offer|ytd|average|tax)\b`)
	// feePeriod is that of the analysis that fees of a later statement are worked out from.
	feePeriod    = lazyregexp.New(`(?i)\b(?:analysis|fee) period\b`)
	startCaption = lazyregexp.New(`(?i)\b(?:(?:statement |period |cycle )(?:begin(?:ning|s)?|start(?:ing|s)?|from` +
		`|open(?:ing)?)(?: date)?|(?:beginning|starting|start|opening|from) date|period from)\b[\s:]*`)
	endCaption = lazyregexp.New(`(?i)\b(?:(?:statement |period |cycle )(?:end(?:ing|s)?|clos(?:e|ing)|to` +
		`|through)(?: date)?|(?:ending|end|closing|to|through|thru) date|period to|period ended)\b[\s:]*`)
	statementOn = lazyregexp.New(`(?i)\b(?:statement date|date of statement|statement issued(?: on)?|issued on` +
		`|date issued|issue date|statement produced(?: on)?|as of date|statement as of|this statement|datum ` +
		`afschrift|auszugsdatum|date du relev[eé]|fecha de (?:corte|emisi[oó]n))\b[\s:]*`)
	loneDatePage   = lazyregexp.New(`(?i)^\W*(?:date\W*)?(?:page\s*\d+(?:\s*(?:of|/)\s*\d+)?)?\W*$`)
	lastStatements = lazyregexp.New(`(?i)\blast statement\b`)

	lastStatementOn = lazyregexp.New(`(?i)\b(?:(?:last|previous|prior) statement(?: date)?|date of last ` +
		`statement)\b[\s:]*`)
	thisStatementOn = lazyregexp.New(`(?i)\b(?:this statement(?: date)?|date of this statement|statement date)\b[\s:]*`)
)

// ReadPeriod finds the period: a printed span first, then captioned dates, then the dates that the opening
// and closing captions carry.
func ReadPeriod(lines []text.Line, items []bankItem, style text.DecimalStyle, order text.DateOrder) periodRead {
	var p periodRead
	p.fromSpans(lines, style, order)
	p.fromStack(lines, order)
	p.fromCaptions(lines, order)
	p.fromTo(lines, order)
	p.fromItems(items)
	p.fromPair(lines, items, order)
	p.fromLast(lines, order)
	p.fromMonth(lines)
	p.underHead(lines, style, order)
	return p
}

// underHead takes the day of the statement from below a head of the table that names the account.
func (p *periodRead) underHead(lines []text.Line, style text.DecimalStyle, order text.DateOrder) {
	if p.End != nil || p.statement != nil {
		return
	}
	for i, l := range lines[:max(0, min(len(lines)-1, 30))] {
		below := lines[i+1]
		if len(l.Cells()) < 3 || below.Page != l.Page || len(text.MoneyOn(below, style)) > 0 {
			continue
		}
		for _, head := range l.Cells() {
			if roleOfColumn(head.Text()) != roleDate {
				continue
			}
			for _, d := range below.Dates(order) {
				at := d.Tokens[0]
				if d.Complete() && d.First > 0 && text.Overlap(head.X0-2, head.X1+2, at.X0, at.X1) > 0 {
					p.statement, p.statementTokens = &d.Date, d.Tokens
					return
				}
			}
		}
	}
}

// fromLast takes what is still missing from the dates of this statement and of the last one.
func (p *periodRead) fromLast(lines []text.Line, order text.DateOrder) {
	if p.Start != nil && p.End != nil {
		return
	}
	var last, this *text.Date
	var lastAt, thisAt []text.Token
	for i, l := range lines[:min(len(lines), 40)] {
		if last == nil {
			last, lastAt = captionedDate(lines, i, l.Text(), lastStatementOn, order)
		}
		if this == nil {
			this, thisAt = captionedDate(lines, i, l.Text(), thisStatementOn, order)
		}
	}
	if last == nil || this == nil || !last.Before(*this) {
		return
	}
	if p.End == nil {
		p.End, p.EndText = this, thisAt
	}
	if next := last.AddDays(1); p.Start == nil && next.Before(*p.End) {
		p.Start, p.StartTokens, p.sinceLast = &next, lastAt, true
	}
}

// fromTo takes the days beside "From" and "To", each alone in its cell, one below the other.
func (p *periodRead) fromTo(lines []text.Line, order text.DateOrder) {
	if p.Start != nil || p.End != nil {
		return
	}
	for i, l := range lines[:max(0, min(len(lines)-1, 40))] {
		from, start := besideWord(l, "from", order)
		to, end := besideWord(lines[i+1], "to", order)
		if start != nil && end != nil && from.X0 == to.X0 && start.Before(end.Date) {
			p.Start, p.StartTokens, p.End, p.EndText = &start.Date, start.Tokens, &end.Date, end.Tokens
			return
		}
	}
}

// besideWord is the day in the cell right of one that holds a word alone.
func besideWord(l text.Line, word string, order text.DateOrder) (text.Line, *text.DateOn) {
	cells := l.Cells()
	for i, cell := range cells[:len(cells)-1] {
		if text.Fold(cell.Text()) != word {
			continue
		}
		if d := cells[i+1].Dates(order); len(d) == 1 && d[0].Complete() && d[0].First == 0 {
			return cell, &d[0]
		}
	}
	return text.Line{}, nil
}

// fromPair takes the two days, alone on their line, that stand below the opening and the closing balance of a summary.
func (p *periodRead) fromPair(lines []text.Line, items []bankItem, order text.DateOrder) {
	if p.Start != nil || p.End != nil {
		return
	}
	for i, l := range lines[:min(len(lines), 60)] {
		d := l.Dates(order)
		if i < 1 || len(d) != 2 || !d[0].Complete() || !d[1].Complete() ||
			len(d[0].Tokens)+len(d[1].Tokens) != len(l.Tokens) {
			continue
		}
		opened, closed := false, false
		for _, it := range items {
			opened = opened || it.kind == bankOpening && it.line == i-1
			closed = closed || (it.kind == bankClosing || it.kind == bankCurrent) && it.line == i-1
		}
		if days := d[1].Time().Sub(d[0].Time()).Hours() / 24; opened && closed && days > 5 && days < 100 {
			p.Start, p.StartTokens, p.End, p.EndText = &d[0].Date, d[0].Tokens, &d[1].Date, d[1].Tokens
			return
		}
	}
}

var monthStatement = lazyregexp.New(`(?i)^(?:[\w ]*\bstatement(?: for| of)? )?(\p{L}{3,10})\.? (\d{4})(?: [\w ` +
	`]*\bstatement)?$`)

// monthPeriod is a month as the whole of a captioned period: "Periode : Oktober 2024"; its days may stand behind it.
var monthPeriod = lazyregexp.New(`(?i)^(?:(?:statement )?(?:period[eo]?|p[eé]riode|per[ií]odo|zeitraum|month|maand` +
	`|monat|mois|mes|m[eê]s)\s*:|statement period)\s*(\p{L}{3,10})\.?(?: de)? (\d{4})(?: \(.*)?$`)

// fromMonth takes the whole month that a statement without a period calls itself after: "March 2024 statement".
func (p *periodRead) fromMonth(lines []text.Line) {
	if p.Start != nil || p.End != nil {
		return
	}
	for _, l := range lines[:min(len(lines), 15)] {
		cells := l.Cells()
		for k, cell := range cells {
			s := cell.Text()
			m := monthStatement.FindStringSubmatch(s)
			if m == nil && k+1 < len(cells) && !strings.Contains(s, ":") {
				s += " " + cells[k+1].Text() // the caption in a cell of its own
			}
			if m == nil {
				m = monthPeriod.FindStringSubmatch(s)
			} else if !text.HasWords(text.Fold(s), "statement") {
				continue
			}
			if m == nil || text.MonthNames[text.Fold(m[1])] == 0 {
				continue
			}
			year, err := strconv.Atoi(m[2])
			if err != nil || year < 1990 || year > 2100 {
				continue
			}
			first := time.Date(year, time.Month(text.MonthNames[text.Fold(m[1])]), 1, 0, 0, 0, 0, time.UTC)
			last := first.AddDate(0, 1, -1)
			p.Start, p.End = &text.Date{Year: year, Month: int(first.Month()), Day: 1},
				&text.Date{Year: year, Month: int(last.Month()), Day: last.Day()}
			p.StartTokens, p.EndText, p.month = cell.Tokens, cell.Tokens, true
			return
		}
	}
}

func (p *periodRead) fromSpans(lines []text.Line, style text.DecimalStyle, order text.DateOrder) {
	best := 0.0
	for i, l := range lines {
		str := l.Text()
		tokens := l
		spans := text.FindPeriods(str, order)
		if len(spans) == 0 && i+1 < len(lines) && lines[i+1].Page == l.Page && spanGoesOn.MatchString(str) {
			tokens = text.Line{Page: l.Page,
				Tokens: append(append([]text.Token(nil), l.Tokens...), lines[i+1].Tokens...)}
			spans = text.FindPeriods(tokens.Text(), order)
		}
		if len(spans) == 0 {
			tokens, spans = spanInCell(lines, i, order)
		}
		for _, s := range spans {
			days := s.End.Time().Sub(s.Start.Time()).Hours() / 24
			if days < 5 || days > 400 || feePeriod.MatchString(str) || len(text.MoneyOn(l, style)) > 0 &&
				!periodWords.MatchString(str) && (i == 0 || !periodWords.MatchString(lines[i-1].Text())) {
				continue
			}
			score := spanScore(lines, i, days)
			if score > best {
				best = score
				start, end := s.Start, s.End
				p.Start, p.End = &start, &end
				p.StartTokens = tokens.TokensOf(s.From, s.To)
				p.EndText = p.StartTokens
			}
		}
	}
}

// spanInCell is a span that a cell too narrow for it breaks over two lines, beside other cells.
func spanInCell(lines []text.Line, i int, order text.DateOrder) (text.Line, []text.Period) {
	for _, cell := range lines[i].Cells() {
		for j := i + 1; j < len(lines) && j <= i+2; j++ {
			below, ok := text.AlignedCell(lines[j], cell)
			if !ok {
				below, ok = endingCell(lines[j], cell)
			}
			if !ok || below.Y0-cell.Y1 > 0.8*(cell.Y1-cell.Y0) || len(cell.Dates(order)) == 0 {
				continue
			}
			whole := text.Line{Page: cell.Page, Tokens: slices.Concat(cell.Tokens, below.Tokens)}
			if spans := text.FindPeriods(whole.Text(), order); len(spans) == 1 {
				return whole, spans
			}
		}
	}
	return text.Line{}, nil
}

// spanScore says how much a span of days on line i looks like the statement's own.
func spanScore(lines []text.Line, i int, days float64) float64 {
	l, score := lines[i], 1.0
	str := l.Text()
	if days < 100 {
		score++
	}
	if periodWords.MatchString(str) || i > 0 && periodWords.MatchString(lines[i-1].Text()) {
		score += 2
	}
	if l.Page == lines[0].Page {
		score++
	}
	if notPeriod.MatchString(str) {
		score -= 3
	}
	if len(l.Tokens) > 16 {
		score -= 1.5
	}
	return score
}

// endingCell is the cell of a line that ends where below ends.
func endingCell(l, below text.Line) (text.Line, bool) {
	for _, cell := range l.Cells() {
		if l.Page == below.Page && text.Abs(cell.X1-below.X1) < 0.6*(below.Y1-below.Y0) {
			return cell, true
		}
	}
	return text.Line{}, false
}

// fromStack reads a period whose two dates stand below each other, each alone in its cell.
func (p *periodRead) fromStack(lines []text.Line, order text.DateOrder) {
	for i, l := range lines[:min(len(lines), 40)] {
		for _, cell := range l.Cells() {
			tokens := cell.Tokens
			if p.Start != nil || len(tokens) > 6 || len(cell.Dates(order)) != 1 {
				continue
			}
			below := cell
			for j := i + 1; j < len(lines) && j <= i+2 && len(cell.Dates(order)) == 1; j++ {
				next, ok := text.AlignedCell(lines[j], below)
				if !ok {
					next, ok = endingCell(lines[j], below)
				}
				if !ok || !stackJoin.MatchString(next.Text()) && j == i+1 ||
					next.Y0-below.Y1 > 1.5*(below.Y1-below.Y0) {
					break
				}
				tokens, below = append(slices.Clone(tokens), next.Tokens...), next
				stack := text.Line{Page: l.Page, Tokens: tokens}
				if s := text.FindPeriods(stack.Text(), order); len(s) == 1 {
					p.Start, p.End = &s[0].Start, &s[0].End
					p.StartTokens = stack.TokensOf(s[0].From, s[0].To)
					p.EndText = p.StartTokens
					return
				}
			}
		}
	}
}

// stackJoin begins, or is, the line between two dates of a period.
var stackJoin = lazyregexp.New(`(?i)^(?:to|through|thru|until|-|–)(?:\s|$)`)

var spanGoesOn = lazyregexp.New(`(?i)(?:-|–|to|through|thru)\s*$`)

func (p *periodRead) fromCaptions(lines []text.Line, order text.DateOrder) {
	for i, l := range lines {
		text := l.Text()
		if p.Start == nil {
			p.Start, p.StartTokens = captionedDate(lines, i, text, startCaption, order)
		}
		if p.End == nil {
			p.End, p.EndText = captionedDate(lines, i, text, endCaption, order)
		}
		if p.statement == nil && !lastStatements.MatchString(text) {
			p.statement, p.statementTokens = captionedDate(lines, i, text, statementOn, order)
		}
	}
	if p.statement != nil {
		return
	}
	for i, l := range lines[:min(len(lines), 12)] {
		if i > 0 && spanGoesOn.MatchString(lines[i-1].Text()) || i+1 < len(lines) &&
			stackJoin.MatchString(lines[i+1].Text()) {
			continue // of a period
		}
		for _, part := range append([]text.Line{l}, l.Cells()...) {
			dates := part.Dates(order)
			if len(dates) != 1 || !dates[0].Complete() {
				continue
			}
			d := dates[0]
			rest := strings.TrimSpace(part.Text()[:d.From] + " " + part.Text()[d.To:])
			if loneDatePage.MatchString(rest) && (len(part.Tokens) == len(l.Tokens) ||
				text.HasWords(text.Fold(l.Text()), "page")) { // beside the name of the bank
				p.statement, p.statementTokens = &d.Date, d.Tokens
				return
			}
		}
	}
}

func captionedDate(lines []text.Line, i int, s string, caption *lazyregexp.Regexp, order text.DateOrder) (*text.Date,
	[]text.Token) {
	at := caption.FindStringIndex(s)
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
	tokens := text.ValueOf(lines, i, at[1])
	if len(tokens) == 0 {
		return nil, nil
	}
	value := text.Line{Page: l.Page, Tokens: tokens}
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
	year := p.End
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
		if !d.Valid() {
			continue // a 29 February of a year without one
		}
		switch {
		case (it.kind == bankClosing || it.kind == bankCurrent) && p.End == nil:
			p.End, p.EndText = &d, it.tokens
		case it.kind == bankOpening && p.Start == nil:
			p.Start, p.StartTokens = &d, it.tokens
		}
	}
	if p.Start == nil && p.End == nil {
		p.fromBalances(items)
	}
	if p.Start != nil && p.End != nil && p.End.Before(*p.Start) {
		p.Start, p.End, p.StartTokens, p.EndText = nil, nil, nil, nil
	}
}

// fromBalances takes the two days of which a statement without other dates states the balance.
func (p *periodRead) fromBalances(items []bankItem) {
	var stated []bankItem
	for _, it := range items {
		if it.kind == bankBalance && it.date != nil && it.date.Complete() &&
			!slices.ContainsFunc(stated, func(o bankItem) bool { return *o.date == *it.date }) {
			stated = append(stated, it)
		}
	}
	if len(stated) != 2 || !stated[0].date.Before(*stated[1].date) {
		return
	}
	p.Start, p.StartTokens = stated[0].date, stated[0].tokens
	p.End, p.EndText = stated[1].date, stated[1].tokens
}
