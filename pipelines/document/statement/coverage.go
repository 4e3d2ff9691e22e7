package statement

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// sectionSums are the printed figures that the lines of a section add up to; of several any one that does is the proof.
var sectionSums = map[string][]string{
	"revenue":             {"netRevenues"},
	"costOfRevenues":      {"totalCostOfRevenues"},
	"operatingExpenses":   {"totalOperatingExpenses", "grossProfit -operatingIncome", "netRevenues -operatingIncome"},
	"otherIncomeExpense":  {"totalOtherIncomeExpense"},
	"assets":              {"totalAssets"},
	"liabilities":         {"totalLiabilities", "totalLiabilitiesAndEquity -totalEquity"},
	"currentAssets":       {"totalCurrentAssets"},
	"nonCurrentAssets":    {"totalNonCurrentAssets", "totalAssets -totalCurrentAssets"},
	"currentLiabilities":  {"totalCurrentLiabilities"},
	"longTermLiabilities": {"totalLongTermLiabilities", "totalLiabilities -totalCurrentLiabilities"},
	"equity":              {"totalEquity", "totalLiabilitiesAndEquity -totalLiabilities"},
	"operating":           {"netCashFromOperating"},
	"investing":           {"netCashFromInvesting"},
	"financing":           {"netCashFromFinancing"},
}

// otherRow is the row of a section that takes a line which no list knows. Kinds of sales make up gross revenues.
var otherRow = map[string]string{
	"revenue": "grossRevenues", "costOfRevenues": "cogsOther", "operatingExpenses": "otherOperatingExpenses",
	"currentAssets":    "otherCurrentAssets",
	"nonCurrentAssets": "otherNonCurrentAssets", "currentLiabilities": "otherCurrentLiabilities",
	"longTermLiabilities": "otherLongTermLiabilities",
	"assets":              "otherNonCurrentAssets", "liabilities": "otherLongTermLiabilities",
	"equity": "otherEquity", "otherIncomeExpense": "otherIncome", "operating": "otherNonCashItems",
	"investing": "otherInvesting",
	"financing": "otherFinancing",
}

// closing are the printed figures that end sections: no line of one.
var closing = text.WordSet("netRevenues totalCostOfRevenues grossProfit totalOperatingExpenses operatingIncome " +
	"incomeBeforeTaxes netIncome totalCurrentAssets totalNonCurrentAssets totalAssets totalCurrentLiabilities " +
	"totalLongTermLiabilities totalLiabilities totalEquity totalLiabilitiesAndEquity netCashFromOperating " +
	"netCashFromInvesting netCashFromFinancing netChangeInCash beginningCash endingCash")

// proven are the sections whose lines add up to what is printed for them in a column: where a line without a row stands
// in one, nothing is left to doubt.
func (c *chosenRows) proven(column int) map[string]bool {
	found := map[string]bool{}
	for section, targets := range sectionSums {
		for _, place := range []bool{false, true} {
			sum, n := c.sectionSum(section, column, place)
			if n > 0 && c.reachesOne(targets, sum, n, column) {
				found[section] = true
			}
		}
	}
	for _, half := range [][2]string{{"assets", "totalCurrentAssets"}, {"liabilities", "totalCurrentLiabilities"}} {
		if _, parted := c.rowOf[half[1]]; parted {
			delete(found, half[0]) // a line of either half is not known to be of one
		}
	}
	return found
}

// reachesOne reports whether a sum of n lines is one of several printed figures.
func (c *chosenRows) reachesOne(targets []string, sum decimal.Decimal, n, column int) bool {
	return slices.ContainsFunc(targets, func(target string) bool {
		want, ok := c.targetOf(target, column)
		return ok && sum.Abs().Sub(want.Abs()).Abs().LessThanOrEqual(c.slack(n+2, column))
	})
}

// targetOf adds printed figures: "totalAssets -totalCurrentAssets".
func (c *chosenRows) targetOf(terms string, column int) (decimal.Decimal, bool) {
	sum := decimal.Zero
	for term := range strings.FieldsSeq(terms) {
		key := strings.TrimPrefix(term, "-")
		v, ok := c.value(key, column)
		if !ok {
			return sum, false
		}
		if key != term {
			v = v.Neg()
		}
		sum = sum.Add(v)
	}
	return sum, true
}

// sectionSum adds the lines of a section, sums of sub-lists in place of their lines: those whose rows are of it, or by
// place all that stand in it.
func (c *chosenRows) sectionSum(section string, column int, place bool) (sum decimal.Decimal, n int) {
	for _, r := range c.rows {
		if r.outside || len(r.parts) > 0 || r.figures[column] == nil || c.isBelowSection(r) || r.parent >= 0 &&
			!c.isBelowSection(c.rows[r.parent]) {
			continue
		}
		in := r.section
		if r.rule != nil && !place {
			in = r.rule.Section
		}
		if in == section {
			sum, n = sum.Add(r.term(column)), n+1
		}
	}
	return sum, n
}

// isPartOf reports whether a row is, directly or through subtotals, part of the sum that is mapped to a row of the
// template.
func (c *chosenRows) isPartOf(r statementRow, key string) bool {
	for depth := 0; r.parent >= 0 && depth < 9; depth++ {
		r = c.rows[r.parent]
		if r.rule != nil && r.rule.Row == key {
			return true
		}
	}
	return false
}

// isBelowSection reports whether a row is a result or total printed after a section rather than a line in it. Net
// income at the top of a cash flow is a line.
func (c *chosenRows) isBelowSection(r statementRow) bool {
	return r.running || r.rule != nil && closing[r.rule.Row] &&
		(c.kind != captions.CashFlow || r.rule.Row != "netIncome")
}

// coverage counts where the printed lines of a column went. unmapped are the entries that it has no row by itself for.
func (c *chosenRows) coverage(column int, unmapped []dossier.UnmappedCaption) *dossier.StatementCoverage {
	out := &dossier.StatementCoverage{}
	placed := map[int]string{}
	for key, i := range c.rowOf {
		placed[i] = key
		for _, k := range c.rows[i].parts {
			placed[k] = key
		}
	}
	left := map[int]bool{}
	for _, i := range c.unmapped {
		left[i] = true
	}
	for i, r := range c.rows {
		if r.outside || len(r.parts) > 0 || r.figures[column] == nil {
			continue
		}
		out.PrintedLines++
		switch key, ok := placed[i]; {
		case left[i]:
		case ok && !subtotalRows[key], r.dropped:
			out.Mapped++
		default:
			out.Totals++
		}
	}
	for _, u := range unmapped {
		if u.Row != "" {
			out.Unmapped++
		}
	}
	out.Unexplained = out.PrintedLines - out.Mapped - out.Unmapped - out.Totals
	return out
}
