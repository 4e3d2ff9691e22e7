package statement

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/document/statement/table"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// What stands before a unit in the singular, or behind it: such words are parts of names too ("Lac Vert", "Million
// Air").
const (
	unitsOf = `(?:\bin|\(|[$£€¥₹:]|dollars?|euros?|pounds?|rupees|rs\.?|yen|yuan|rmb|usd|cad|aud|gbp|eur|inr|jpy` +
		`|chf|sek|dkk|nok|zar|sgd|hkd|krw|idr|php|thb|brl|mxn)\s*`
	ofMoney = `(?:of\s+)?(?:u\.?s\.?|canadian|dollars?|euros?|pounds?|yen|yuan|rmb|rupees|won|[$£€¥₹]|usd|eur|gbp)`
)

// unitWords are the ways to print the unit of figures, in several languages; a number before the word makes it an
// amount.
var unitWords = []struct {
	words *lazyregexp.Regexp
	unit  int64
}{
	{lazyregexp.New(`(?i)\bthousands\b|` + unitsOf + `thousand\b|\bthousand\s+` + ofMoney + `|^\W*thousand\W*$|['’‘` +
		"`" +
		`]000['’]?s?\b|(?:^|[\s($£€¥])000['’]?s?\b|\b000\s+omitted|[$£€¥]\s?000s?\b|\b(?:US|C|A|NZ|HK|S|NT` +
		`|R)\$\s?['’]?000|\bT\s?€|\bT(?:EUR|CHF|USD|GBP)\b|\bT\s(?:EUR|CHF)\b|\bk(?:€|EUR|USD|CHF|\$|£)|[€$£]k\b` +
		`|\bmilliers\b|\bmiles\s+de\b|\bTausend\b|\bmigliaia\b|\bmilhares\b|\bduizend|\btusental|\bT\.?kr\b` +
		`|\b(?:x|in)\s+(?:€|EUR|£)\s?1[.,]?000\b|[(\s](?:€|EUR)\s?1[.,]000\)|\bTSEK\b` +
		`|\bTDKK\b|\bTNOK\b|\bKEUR\b|\bribuan\b|\bbin\s+(?:TL|T[uü]rk)\b`), 1000},
	{lazyregexp.New(`(?i)\bmillions\b|` + unitsOf + `million\b|\bmillion\s+` + ofMoney + `|^\W*million\W*$` +
		`|[$£€¥]\s?mm?\b|[$£€¥]\s?mn\b|[$£€¥]\s?mil\b|\b(?:US|C|A|NZ|HK|S|R)\$\s?m{1,2}\b` +
		`|\b(?:EUR|USD|GBP|CHF|SEK|DKK|NOK|RMB|INR|AUD|CAD|NZD)\s?(?:m|mm|mn|mio)\b|\bmio\.?(?:\s|$` +
		`|\))|\bmn\b|\bmillionen\b|\bmillones\b|\bmilioni\b|\bmilhões\b|\bmiljoen(?:en)?\b|\bmiljoner\b|\bM€` +
		`|(?-i:\bRm\b)|\bMEUR\b|\bMSEK\b|\bMNOK\b|\bMDKK\b|\bSEKm\b|\bin\s+mm\b|^\W*mm\W*$` +
		`|\bjutaan\b|\bmilyon\s+(?:TL|T[uü]rk)\b`), 1_000_000},
	{lazyregexp.New(`(?i)\bin\s+(?:\S+\s+){0,3}billions\b|\bbillions\s+of\b|[$£€¥]\s?bn\b|\bMrd\.?|\bmilliards\b` +
		`|\bmiliaran\b`), 1_000_000_000},
	{lazyregexp.New(`(?i)` + unitsOf + `hundreds\b|(?:\bin|\(|[₹:]|\brs\.?|\binr)\s*['’]00\b`), 100},
	{lazyregexp.New(`(?i)\b(?:lakhs|lacs)\b|` + unitsOf + `(?:lakh|lac)\b`), 100_000},
	{lazyregexp.New(`(?i)\bcrores?\b|\b(?:₹|rs\.?|inr)\s*(?:in\s+)?cr\b`), 10_000_000},
}

// thousandPesos is what Chile writes for a thousand pesos, beside the words that say so; elsewhere it may be a million.
var thousandPesos = lazyregexp.New(`\bM\$`)

// moneyAndShares is a unit of both: "Dollars and shares in millions".
// Or it is of money in one unit and of shares in another: "Dollars in millions, shares in thousands".
var moneyAndShares = lazyregexp.New(`(?i)(?:dollars?|amounts|[$€£])\s*(?:&|and|,|or)\s*shares\s+in\b` +
	`|(?:dollars?|amounts|figures|[$€£¥])\s+(?:are\s+)?(?:\w+\s+)?in\s+(?:thousands|millions|billions)\b`)

// sharesBefore is what stands before the unit of shares; sharesJoined, where it is that of money too.
var (
	sharesBefore = lazyregexp.New(`(?i)\bshares\s+(?:are\s+)?(?:in\s*)?$`)
	sharesJoined = lazyregexp.New(`(?i)(?:dollars?|amounts|[$€£])\s*(?:&|and|,|or)\s*shares\s+(?:are\s+)?(?:in\s*)?$`)
)

// ofShares reports whether a line speaks of the unit of shares and of no money's.
func ofShares(l text.Line) bool {
	return sharesOnly.MatchString(l.Text()) && !moneyAndShares.MatchString(l.Text())
}

var (
	numberBefore = lazyregexp.New(`\d[\d.,]*\s*$`)
	// the state of an address stands before its number
	zipBehind = lazyregexp.New(`^\.?\s+\d{5}(?:-\d{4})?\b`)
	// a year above a column is no number of units: "2023 £m", "31.12.2022 TEUR"
	yearBefore = lazyregexp.New(`(?:^|[^\d.,]|\b\d{1,2}[./-]\d{1,2}[./-])(?:19|20)\d{2}\s*$`)
	sharesUnit = lazyregexp.New(`(?i)^[^a-z]*(?:weighted|average|shares|number of shares|common|basic|diluted)` +
		`|\bshares\s*(?:used|outstanding)?,?\s*(?:are\s+)?(?:presented\s+)?\(?(?:in\s+)?$`)
	moneyBefore = lazyregexp.New(`(?i)dollars?|amounts?|figures|[$£€¥]|\bin\b|expressed|all\b|usd|eur|rupees`)
)

// unitIn finds the unit that a line of a heading prints: the first one that is no amount and not of shares.
func unitIn(l text.Line) (unit int64, where []text.Token, ok bool) {
	text := thousandPesos.ReplaceAllString(l.Text(), "  ")
	at := -1
	for _, u := range unitWords {
		for _, m := range u.words.FindAllStringIndex(text, -1) {
			before := text[:m[0]]
			if zipBehind.MatchString(text[m[1]:]) {
				continue // "Duluth, MN 55802" is a place
			}
			if sharesBefore.MatchString(before) && !sharesJoined.MatchString(before) {
				continue // of shares, beside money in another unit: "USD ($) shares in Thousands, $ in Millions"
			}
			if numberBefore.MatchString(before) && !yearBefore.MatchString(before) || sharesUnit.MatchString(before) &&
				!moneyBefore.MatchString(strings.TrimSuffix(strings.TrimSpace(before), "in")) {
				continue
			}
			if at < 0 || m[0] < at {
				at, unit, where = m[0], u.unit, l.TokensOf(m[0], m[1])
			}
			break
		}
	}
	return unit, where, at >= 0
}

// unitOf is the unit that lines above the figures print: those next to the figures speak first, for a report's own
// heading may stand above several tables.
func unitOf(lines []text.Line) (int64, []text.Token, bool) {
	for i := len(lines) - 1; i >= 0; i-- {
		l := lines[i]
		if len(l.Tokens) > 45 || ofShares(l) {
			continue
		}
		if unit, where, ok := unitIn(l); ok {
			return unit, where, true
		}
	}
	return 1, nil, false
}

// unitLine is a remark beside the figures that says what unit they are in: a footer, a note under a table, the cover.
var unitLine = lazyregexp.New(`(?i)^\W*(?:note:?\s*)?(?:all\s+)?(?:\w+\s+){0,3}(?:amounts?|figures|numbers|dollars` +
	`|values|tabular|expressed|stated|presented|in|u\.?s\.?|us\$|\$|€|£|rs\.?|₹|rupees|en|expresad[oa]s|exprimés?` +
	`|montants|angaben|werte|alle)\b?`)

// scales reads the unit of each statement: from its own heading, else from a remark on its page, else from the other
// statements of the set, which are in one unit; else from a remark elsewhere in the document.
func (r *statementReader) scales(lines []text.Line) {
	unit, where, printed := int64(1), []text.Token(nil), false
	for _, b := range r.blocks {
		b.unit, b.scale, b.printed = unitOf(b.head)
		if !b.printed {
			b.unit, b.scale, b.printed = remarkedUnit(lines, b.pages())
		}
		if b.printed && !printed {
			unit, where, printed = b.unit, b.scale, true
		}
	}
	if !printed {
		unit, where, printed = remarkedUnit(lines, nil)
	}
	for _, b := range r.blocks {
		if !b.printed {
			b.unit, b.scale, b.printed = unit, where, printed
		}
		b.setColumnUnits()
	}
	if len(r.blocks) > 0 && printed {
		unit = r.blocks[0].unit
	}
	if r.unitsClash() {
		r.found.Warn("scale_unknown", "The statements print the same figures in different units.")
		for _, b := range r.blocks {
			b.unit, b.units, b.scale, b.printed = 1, nil, nil, true
		}
		unit, printed = 1, false
	}
	r.facts.Unit = unit
	switch {
	case printed && len(r.blocks) > 0 && r.blocks[0].units != nil:
		r.found.Derive("/unit", "the unit above the first column; others are in another")
		return
	case printed:
		r.found.From("/unit", where, "")
		return
	}
	r.found.Derive("/unit", "no scale is printed: figures as they stand")
}

// setColumnUnits gives each column the unit printed above it, where some are in thousands and others are not: German
// sheets print "EUR" above the year and "TEUR" above the year before.
func (r *readStatement) setColumnUnits() {
	units, apart := make([]int64, len(r.heads)), map[bool]bool{}
	for i, head := range r.heads {
		l := text.Line{Tokens: head}
		units[i] = 1
		unit, _, scaled := unitIn(l)
		if code, _ := table.CurrencyIn(l); !scaled && code == "" {
			return
		}
		if scaled {
			units[i] = unit
		}
		apart[scaled] = true
	}
	if len(apart) == 2 {
		r.units, r.unit = units, units[0]
	}
}

// remarkedUnit is the unit that a short line that speaks of the figures names; pages limits where, nil is everywhere.
func remarkedUnit(lines []text.Line, pages map[int]bool) (int64, []text.Token, bool) {
	for _, l := range lines {
		if pages != nil && !pages[l.Page] || len(l.Tokens) > 16 || !unitLine.MatchString(l.Text()) &&
			(pages != nil || !strings.Contains(text.Fold(l.Text()), "statement")) {
			continue
		}
		if ofShares(l) {
			continue
		}
		if unit, where, ok := unitIn(l); ok && len(l.Amounts(text.DotDecimal)) <= 1 {
			return unit, where, true
		}
	}
	return 1, nil, false
}

// pages are the pages that a statement stands on.
func (r *readStatement) pages() map[int]bool {
	on := map[int]bool{}
	for _, row := range r.chosen.rows {
		for _, l := range row.lines {
			on[l.Page] = true
		}
	}
	return on
}

// unitsClash reports whether two statements print the same net income or cash in different units: one of the units is
// not theirs, and nothing says which.
func (r *statementReader) unitsClash() bool {
	keys := []struct{ a, key, b, same string }{{captions.IncomeStatement, "netIncome", captions.CashFlow, "netIncome"},
		{captions.BalanceSheet, "cash", captions.CashFlow, "endingCash"}}
	for _, k := range keys {
		for _, a := range r.blocks {
			for _, b := range r.blocks {
				if a.kind == k.a && b.kind == k.b && a.unit != b.unit && a.units == nil && b.units == nil &&
					printsSame(a, k.key, b, k.same) {
					return true
				}
			}
		}
	}
	return false
}

// printsSame reports whether two statements print one figure in columns that end the same day.
func printsSame(a *readStatement, key string, b *readStatement, same string) bool {
	for i, p := range a.periods {
		for k, q := range b.periods {
			x, okX := a.chosen.printed(key, i)
			y, okY := b.chosen.printed(same, k)
			if okX && okY && p.End != nil && q.End != nil && *p.End == *q.End && x.Equal(y) &&
				x.Abs().GreaterThan(decimal.NewFromInt(99)) {
				return true
			}
		}
	}
	return false
}
