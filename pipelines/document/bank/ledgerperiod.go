package bank

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// The days that an export is of.

// ledgerPeriod is the printed period around the table, else the days of the first and last row.
func (b *bankReader) ledgerPeriod(g *ledgerGroup) {
	first, last := g.span()
	p := b.periodAround(g)
	if p.statement == nil {
		p.statedDay(g.lines, b.Order)
	}
	if p.statement != nil && !p.statement.Before(last.date) && b.facts.StatementDate == nil {
		day := p.statement.String()
		b.facts.StatementDate = &day
		b.found.From("/statementDate", p.statementTokens, "")
	}
	b.setPeriod(p, first, last)
}

// periodAround is the period that stands around a table.
func (b *bankReader) periodAround(g *ledgerGroup) periodRead {
	first, last := g.span()
	p := ReadPeriod(g.lines[:min(len(g.lines), 40)], g.items, b.Style, b.Order)
	if p.Start == nil || p.End == nil {
		p = p.fromWords(g.lines, b.Order)
	}
	if p.Start == nil || p.End == nil {
		p.fromShape(cellsAsWords(g.t.above(g.sheet)), first.date, last.date, b.Order)
	}
	return p
}

// commonPeriod is the period that stands around each of several tables; none when they differ.
func (b *bankReader) commonPeriod(groups []*ledgerGroup) periodRead {
	all := b.periodAround(groups[0])
	for _, g := range groups[1:] {
		p := b.periodAround(g)
		if all.Start == nil || all.End == nil || p.Start == nil || p.End == nil || *p.Start != *all.Start ||
			*p.End != *all.End {
			return periodRead{}
		}
	}
	return all
}

// setPeriod takes a printed period that all transactions lie in, else the days of the first and the last one.
func (b *bankReader) setPeriod(p periodRead, first, last ledgerRow) {
	if p.Start != nil && p.End != nil && !first.date.Before(*p.Start) && !p.End.Before(last.date) {
		start, end := p.Start.String(), p.End.String()
		b.facts.PeriodStart, b.facts.PeriodEnd = &start, &end
		b.found.From("/periodStart", p.StartTokens, "")
		b.found.From("/periodEnd", p.EndText, "")
		return
	}
	start, end := first.date.String(), last.date.String()
	b.facts.PeriodStart, b.facts.PeriodEnd = &start, &end
	b.found.From("/periodStart", first.dateToken, "")
	b.found.From("/periodEnd", last.dateToken, "")
	b.found.Derive("/periodStart", "date of the first transaction")
	b.found.Derive("/periodEnd", "date of the last transaction")
}

// Words before the first and the last day of an export, in a cell of their own or before the date.
var (
	fromWord = lazyregexp.New(`^(?:(?:period |statement )?(?:from|start|starting|begin|beginning|since)(?: date)?` +
		`|von|ab|du|depuis(?: le)?|desde|van|da|dal|fra|fran|start dato|fecha inicio|date debut|zeitraum von|datum ` +
		`von)$`)
	untilWord = lazyregexp.New(`^(?:(?:period |statement )?(?:to|until|through|end|ending)(?: date)?|bis|au|jusqu ` +
		`au|hasta|tot|t m|a|al|til|till|slut dato|fecha fin|date fin|zeitraum bis|datum bis)$`)
	statedAt = lazyregexp.New(`^(?:statement|balance|account)? ?(?:as at|as of|date|stand)$|^statement date$` +
		`|^(?:aus|er)stellt am$|^stand$|^(?:` + exportedWords + `)$`)
	// exportedAt is statedAt within one cell: "Created date / time : 12 March 2024 / 14:05:22".
	exportedAt = lazyregexp.New(`(?i)^(?:` + exportedWords + `)\s*:?\s+(\S.*)$`)
)

// exportedWords say when an export was made.
const exportedWords = `(?:created|generated|exported|downloaded|printed|produced) (?:date|on|at)(?: ?/? ?time)?` +
	`|(?:export|creation|run|report|print|download) date|` +
	`date (?:created|generated|exported|downloaded|printed)|fecha de (?:descarga|generacion|consulta)|date d ` +
	`?(?:export|edition)|erstellungsdatum|datum export`

// fromWords reads a period whose days stand behind words of their own.
func (p periodRead) fromWords(lines []text.Line, order text.DateOrder) periodRead {
	for i := range lines {
		if d, tokens := dayBehind(lines[i], fromWord, order); d != nil && p.Start == nil {
			p.Start, p.StartTokens = d, tokens
		}
		if d, tokens := dayBehind(lines[i], untilWord, order); d != nil && p.End == nil {
			p.End, p.EndText = d, tokens
		}
	}
	return p
}

// fromShape reads a period by where its two days stand, whatever the words: alone on a line above the table, or each
// behind a caption on lines that follow one another. All transactions lie between them.
func (p *periodRead) fromShape(lines []text.Line, first, last text.Date, order text.DateOrder) {
	var before []text.DateOn
	for _, l := range lines {
		days := slices.DeleteFunc(l.Dates(order), func(d text.DateOn) bool { return !d.Complete() })
		pair := days
		if len(days) == 1 && len(before) == 1 {
			pair = []text.DateOn{before[0], days[0]}
		}
		if len(pair) == 2 && !first.Before(pair[0].Date) && !pair[1].Before(last) {
			p.Start, p.StartTokens, p.End, p.EndText = &pair[0].Date, pair[0].Tokens, &pair[1].Date, pair[1].Tokens
			return
		}
		before = nil
		if len(days) == 1 && days[0].Last == len(l.Tokens)-1 {
			before = days
		}
	}
}

// statedDay reads the day that the export states its balances for.
func (p *periodRead) statedDay(lines []text.Line, order text.DateOrder) {
	for i := range lines {
		if d, tokens := dayBehind(lines[i], statedAt, order); d != nil {
			p.statement, p.statementTokens = d, tokens
			return
		}
		g := exportedAt.FindStringSubmatch(lines[i].Text())
		if g == nil {
			continue
		}
		if d := text.FindDates(g[1], order); len(d) > 0 && d[0].From == 0 && d[0].Complete() {
			p.statement, p.statementTokens = &d[0].Date, lines[i].Tokens
			return
		}
	}
}

// dayBehind is the date that stands behind words on a line.
func dayBehind(l text.Line, words *lazyregexp.Regexp, order text.DateOrder) (*text.Date, []text.Token) {
	for n := 1; n < len(l.Tokens) && n <= 4; n++ {
		if !words.MatchString(text.Fold(text.Join(l.Tokens[:n]))) {
			continue
		}
		for end := min(len(l.Tokens), n+4); end > n; end-- {
			rest := l.Tokens[n:end]
			if strings.Trim(rest[0].Text, ":-. ") == "" {
				rest = rest[1:]
			}
			if d, ok := cellDate(text.Join(rest), order); ok {
				return &d, rest
			}
		}
	}
	return nil, nil
}
