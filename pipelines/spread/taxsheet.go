package spread

import (
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

func itoa(n int) string { return strconv.Itoa(n) }

// sheet maps Schedule L: columns (a) and (b) are the opening balances, (c) and (d) the closing ones. Gross amounts
// and what is taken off them stand in the inner columns (a) and (c).
func (t taxForm) sheet(opening bool) *column {
	c := &column{statement: "balanceSheet", class: "taxReturn", unit: 1, noStart: true, opening: opening,
		lines: map[string]cell{}, printed: map[string]cell{}, entity: t.names()}
	inner, outer := "c", "d"
	if opening {
		inner, outer = "a", "b"
	}
	for _, row := range Template().Of("balanceSheet") {
		entry := row.IRS["SchL"]
		if entry == "" {
			continue
		}
		contra := row.Sign == "negative"
		v, ok := t.lines(irsTerms(entry, t.name), row.Label,
			func(line string) (string, bool) { return t.scheduleL(line, inner, outer, contra) })
		if !ok {
			continue
		}
		if contra && v.amount.IsPositive() {
			v.amount = v.amount.Neg()
		}
		if row.Computed == "never" {
			c.lines[row.Key] = v
		} else {
			c.printed[row.Key] = v
		}
	}
	if t.name == "1065" {
		c.partnership = true
	}
	if !opening {
		t.equity(c)
		t.tieSheet(c)
	}
	return c
}

// scheduleL finds a line's amount: inner column first, for lines printed gross; a deduction has no other.
func (t taxForm) scheduleL(line, inner, outer string, contra bool) (string, bool) {
	key := "L-" + line + inner
	if _, ok := t.f.Lines[key]; ok {
		return key, true
	}
	if contra {
		return "", false
	}
	key = "L-" + line + outer
	if amount, ok := t.f.Lines[key]; ok {
		return key, !t.isTotal(line, outer, amount)
	}
	switch {
	case (line == "2a" || line == "9a" || line == "10a" || line == "11a" || line == "12a" || line == "13a"):
		// Only the net amount is printed, in the line of the deduction.
		key = "L-" + strings.TrimSuffix(line, "a") + "b" + outer
		_, ok := t.f.Lines[key]
		return key, ok && t.twoLines(line)
	case t.name == "1120" && line == "22b":
		key = "L-22" + outer // both classes of stock in one amount
		_, ok := t.f.Lines[key]
		return key, ok
	}
	return "", false
}

// twoLines reports whether a line "a" has its deduction in the line "b" below it.
func (t taxForm) twoLines(line string) bool {
	if t.name == "1065" {
		return line == "2a" || line == "9a" || line == "10a" || line == "12a"
	}
	return line == "2a" || line == "10a" || line == "11a" || line == "13a"
}

// isTotal tells the line of total liabilities and equity, whose number is 27 on some years' forms and treasury
// stock's on others.
func (t taxForm) isTotal(line, outer string, amount dossier.Amount) bool {
	total, ok := t.f.Lines["L-15"+outer]
	return line == "27" && ok && t.name == "1120" && total.Equal(amount.Decimal)
}

// equity reads what Schedules M-2 and K say of owners' money.
func (t taxForm) equity(c *column) {
	candidates := map[string][]string{"1120": {"M2-5", "M2-5a"}, "1120-S": {"M2-7", "K-16d"},
		"1065": {"M2-6", "M2-6a", "K-19a"}}[t.name]
	for _, key := range candidates {
		if amount, ok := t.f.Lines[key]; ok {
			c.distributions = &cell{amount: amount.Abs().Neg(),
				sources: []dossier.SpreadSource{t.source(key, "Distributions", amount)}}
			break
		}
	}
	if _, ok := t.f.Lines["M2-1"]; !ok {
		return
	}
	sum := t.f.Lines["M2-2a"].Decimal.Add(t.f.Lines["M2-2b"].Decimal)
	c.contributions = &sum
}

// tieSheet notes pairs of figures of the return that must agree (template.yaml, checks.taxReturnTieOut).
func (t taxForm) tieSheet(c *column) {
	total, ok := c.printed["totalAssets"]
	if ok && t.f.TotalAssets != nil {
		c.ties = append(c.ties, tie{"Schedule L total assets and total assets of page 1", total.amount,
			t.f.TotalAssets.Decimal})
	}
	if opening, ok := t.f.Lines["M2-1"]; ok && t.name != "1065" {
		if retained, ok := t.f.Lines["L-24b"]; ok {
			c.ties = append(c.ties, tie{"Schedule M-2 opening balance and Schedule L opening retained earnings",
				opening.Decimal, retained.Decimal})
		}
	}
}

func (t taxForm) tieIncome(c *column) {
	books, ok := t.f.Lines["M1-1"]
	if again, both := t.f.Lines["M2-2"]; ok && both && t.name != "1065" {
		c.ties = append(c.ties, tie{"Schedule M-1 line 1 and Schedule M-2 line 2, net income per books", books.Decimal,
			again.Decimal})
	}
}

// splitPartners divides partners' capital, one line on Schedule L, into capital and retained earnings by the
// contributions that Schedule M-2 states, so that the cash flow does not count the year's income twice. The first
// sheet known is all capital. sheets are in order of time.
func splitPartners(sheets []*column) {
	var capital *decimal.Decimal
	for _, s := range sheets {
		whole, ok := s.lines["capitalStock"]
		if !s.partnership || !ok {
			capital = nil
			continue
		}
		if capital == nil || s.contributions == nil && !s.opening {
			capital = &whole.amount
			continue
		}
		paid := *capital
		if s.contributions != nil {
			paid = paid.Add(*s.contributions)
		}
		capital = &paid
		s.lines["capitalStock"] = cell{amount: paid, sources: whole.sources}
		s.lines["retainedEarnings"] = cell{amount: whole.amount.Sub(paid), sources: whole.sources}
	}
}
