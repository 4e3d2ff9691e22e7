package statement

import (
	"fmt"
	"strings"

	"slices"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/document/statement/table"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// write puts the columns of a block into the facts, with sources and checks.
func (r *statementReader) write(b *readStatement) {
	list := map[string]*[]dossier.StatementColumn{captions.IncomeStatement: &r.facts.Statements.IncomeStatement,
		captions.BalanceSheet: &r.facts.Statements.BalanceSheet,
		captions.CashFlow:     &r.facts.Statements.CashFlow}[b.kind]
	var written []table.Period
	for i, p := range b.periods {
		c := dossier.StatementColumn{Label: p.Label, Values: map[string]dossier.Amount{},
			Unmapped: []dossier.UnmappedCaption{}}
		at := text.Pointer("statements", b.kind, len(*list))
		doubt, facts := b.chosen.likelyMisread(i), columnFacts{}
		proven := b.chosen.proven(i)
		for key, k := range b.chosen.rowOf {
			v, ok := b.chosen.value(key, i)
			if !ok || doubt[k] {
				continue
			}
			row := b.chosen.rows[k]
			key, v = b.chosen.incomeOrExpense(key, v)
			c.Values[key] = b.scaled(v, i)
			facts[k] = columnFact{at + "/values/" + key, v}
			if len(row.parts) > 0 {
				r.found.Derive(at+"/values/"+key, b.chosen.sumWords(row))
				continue
			}
			r.found.From(at+"/values/"+key, row.tokensOf(i), row.caption)
		}
		for _, k := range b.chosen.unmappedIn(i) {
			if doubt[k] {
				continue
			}
			row, n := b.chosen.rows[k], len(c.Unmapped)
			c.Unmapped = append(c.Unmapped, b.unmapped(k, i, proven))
			facts[k] = columnFact{at + text.Pointer("unmapped", n, "amount"), c.Unmapped[n].Amount.Decimal}
			r.found.From(at+text.Pointer("unmapped", n, "amount"), row.tokensOf(i), row.caption)
			r.found.From(at+text.Pointer("unmapped", n, "caption"), row.tokens, "")
		}
		if len(c.Values) == 0 {
			continue
		}
		c.Coverage = b.chosen.coverage(i, c.Unmapped)
		for name, n := range map[string]int{"printedLines": c.Coverage.PrintedLines, "mapped": c.Coverage.Mapped,
			"unmapped": c.Coverage.Unmapped, "totals": c.Coverage.Totals, "unexplained": c.Coverage.Unexplained} {
			r.found.Derive(at+"/coverage/"+name, fmt.Sprintf("%d lines counted", n))
		}
		if len(doubt) > 0 {
			r.found.Warn("low_confidence",
				"%s: %d figures were hard to read and their sums do not come out; they were left out.", p.Label,
				len(doubt))
		}
		p = p.WithoutSharedDays(written)
		written = append(written, p)
		r.period(&c, p, b.heads[i], b, at)
		b.chosen.check(&r.found, i, c.Label)
		b.chosen.checkGroups(&r.found, i, at, c.Label, facts)
		*list = append(*list, c)
	}
}

// unmapped is a line without a row of its own. One of several lines that make a row names it, except kinds of
// sales: their total is printed.
func (b *readStatement) unmapped(k, column int, proven map[string]bool) dossier.UnmappedCaption {
	row := b.chosen.rows[k]
	u := dossier.UnmappedCaption{Caption: row.caption, Section: row.section}
	v := row.figures[column].Value.Decimal
	if row.rule == nil {
		v = row.term(column)
	}
	if rule := row.rule; rule != nil && !subtotalRows[rule.Row] &&
		(rule.Section != "revenue" || rule.Row == "returnsAllowances") {
		u.Row, u.Section, v = rule.Row, rule.Section, storedAs(rule.Row, v)
		if rule.Row == "rent" && equipmentWord.MatchString(row.folded) {
			u.Row = "otherOperatingExpenses" // beside the rent of the place itself
		}
	}
	if at, amount, ok := b.chosen.placeOf(k, column); ok {
		u.Row, u.Amount = at, b.scaled(amount, column)
		u.Section = rowSection[at]
		return u
	}
	switch {
	case u.Row != "":
	case b.chosen.isSectionCertain(k, column, proven) || v.IsZero(): // nothing is lost with a dash
		u.Row = b.chosen.otherRowOf(row, v)
	default:
		if at := b.chosen.nonOperatingRow(k, column); at != "" {
			u.Row, v = at, storedAs(at, v)
		}
	}
	if b.chosen.unmappedChangesSign(k) {
		v = v.Neg()
	}
	switch u.Section {
	case "assets", "liabilities", "summary":
		u.Section = ""
	}
	u.Amount = b.scaled(v, column)
	return u
}

// equipmentWord is in captions of what is rented beside land and buildings.
var equipmentWord = lazyregexp.New(`\bequipment\b|\bmachinery\b|\bvehicles?\b|\btools?\b`)

// storedAs is an amount with the sign that its row is stored with, where it is always one.
func storedAs(key string, v decimal.Decimal) decimal.Decimal {
	if negativeRows[key] && v.IsPositive() || absoluteRows[key] && v.IsNegative() {
		return v.Neg()
	}
	return v
}

// isSectionCertain reports whether sums leave no doubt of the section of a line without a row of its own.
func (c *chosenRows) isSectionCertain(k, column int, proven map[string]bool) bool {
	row := c.rows[k]
	if row.rule == nil {
		return proven[row.section] || c.inProvenGroup(k, column)
	}
	return row.rule.Row == "grossRevenues" && proven["revenue"] && !row.outside
}

// earnedWords and spentWords are what groups of lines beside operations are named by.
var (
	earnedWords = lazyregexp.New(`\b(?:income|gains?|produits|ertrage?|baten)\b`)
	spentWords  = lazyregexp.New(`\b(?:expenses?|loss(?:es)?|charges|aufwand|costs?|lasten)\b`)
)

// nonOperatingRow is the row of a line beside operations that the name of its group tells, where the group's printed
// sum comes out: "Total non-operating income", "Total extraordinary losses".
func (c *chosenRows) nonOperatingRow(k, column int) string {
	at := c.rows[k].parent
	if c.rows[k].section != "otherIncomeExpense" || at < k {
		return ""
	}
	if !c.groupFoots(at, column) {
		return ""
	}
	name := c.rows[at].folded
	switch earned, spent := earnedWords.MatchString(name), spentWords.MatchString(name); {
	case earned && !spent:
		return "otherIncome"
	case spent && !earned:
		return "otherExpenses"
	}
	return ""
}

// otherRowOf is the row that takes a line of its section which no list knows.
func (c *chosenRows) otherRowOf(row statementRow, v decimal.Decimal) string {
	switch {
	case !c.isPartOf(row, "netFixedAssets"):
		return otherRow[row.section]
	case v.IsNegative():
		return "accumulatedDepreciation"
	}
	return "grossFixedAssets"
}

// rowSection is the section of the rows that lines whose sign the results tell are entered in.
var rowSection = map[string]string{
	"cogsOther": "costOfRevenues", "otherOperatingExpenses": "operatingExpenses", "otherIncome": "otherIncomeExpense"}

// sumWords says which lines a row that is not printed is the sum of.
func (c *chosenRows) sumWords(row statementRow) string {
	var names []string
	for _, k := range row.parts {
		names = append(names, c.rows[k].caption)
	}
	return "sum of " + strings.Join(names, ", ")
}

// scaled is a printed figure of a column in full units.
func (b *readStatement) scaled(v decimal.Decimal, column int) dossier.Amount {
	unit := b.unit
	if b.units != nil {
		unit = b.units[column]
	}
	if unit == 1 {
		return dossier.Amount{Decimal: v}
	}
	places := -v.Exponent()
	v = v.Mul(decimal.NewFromInt(unit))
	if places <= 3 {
		v = v.Truncate(0)
	}
	return dossier.Amount{Decimal: v}
}

// tokensOf are the tokens of the figure in a column.
func (r statementRow) tokensOf(column int) []text.Token {
	m := r.figures[column]
	if len(r.parts) > 0 {
		return nil
	}
	for _, l := range r.lines {
		if m.Last < len(l.Tokens) && l.Tokens[m.First].X0 == m.X0 {
			return l.Tokens[m.First : m.Last+1]
		}
	}
	return r.tokens
}

// period writes label, dates and length of a column with where they are printed.
func (r *statementReader) period(c *dossier.StatementColumn, p table.Period, head []text.Token, b *readStatement,
	at string) {
	if len(head) == 0 {
		head = b.titleTokens(r.segment.Order)
	}
	r.found.From(at+"/label", head, "")
	if p.End == nil {
		return
	}
	end := p.End.String()
	c.End = &end
	r.found.From(at+"/end", head, "")
	if p.Derived == "calendar year" || p.Derived == "calendar quarter" || p.LastYear || p.YearOnly > 0 &&
		p.Derived != "" && len(head) == 0 {
		r.found.Derive(at+"/end", p.Derived)
	}
	if b.kind == captions.BalanceSheet || p.Start == nil {
		return
	}
	start := p.Start.String()
	c.Start = &start
	if p.Derived != "" {
		r.found.Derive(at+"/start", p.Derived)
	} else {
		r.found.From(at+"/start", head, "")
	}
	if months := table.WholeMonths(*p.Start, *p.End); months != nil {
		c.Months = months
		r.found.Derive(at+"/months", "months from "+start+" to "+end)
	}
}

// titleTokens is the line above the rows that prints the period, else the title.
func (b *readStatement) titleTokens(order text.DateOrder) []text.Token {
	for _, l := range slices.Backward(b.head) {
		if p := table.ReadPeriod(l.Text(), order); p.End != nil || p.Months != nil || p.YearOnly > 0 {
			return l.Tokens
		}
	}
	for _, l := range b.head {
		if len(l.Tokens) > 0 {
			return l.Tokens
		}
	}
	if len(b.chosen.rows) > 0 {
		return b.chosen.rows[0].tokens
	}
	return nil
}
