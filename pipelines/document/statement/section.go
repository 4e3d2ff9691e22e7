package statement

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// The sections of statements: what headings open them and what subtotals end them.

// headingRules say what a heading opens that means another thing where it stands: "income" and "other income" below
// expenses are not revenue, "notes payable" within current liabilities is no section. The first that holds decides;
// where it names no section, the heading opens none.
var headingRules = []struct{ kind, within, opened, words, section string }{
	{captions.BalanceSheet, "liabilities currentLiabilities longTermLiabilities", "", "current|circulante",
		"currentLiabilities"},
	{captions.BalanceSheet, "liabilities currentLiabilities longTermLiabilities", "",
		"non current|nao circulante|no circulante|no corriente", "longTermLiabilities"},
	{captions.BalanceSheet, "currentLiabilities", "longTermLiabilities", "notes payable|loans|other liabilities", ""},
	{captions.BalanceSheet, "assets currentAssets nonCurrentAssets", "longTermLiabilities", "loans", ""}, // of a bank
	{captions.IncomeStatement, "operatingExpenses otherIncomeExpense", "costOfRevenues", "", ""},
	{captions.IncomeStatement, "operatingExpenses otherIncomeExpense", "revenue", "", ""},
	{captions.IncomeStatement, "operatingExpenses", "otherIncomeExpense", "taxes|other expenses", ""},
}

// headedSection is the section that a heading opens where another one is open; opened is what its words say alone.
func headedSection(kind, now, opened, form string) string {
	for _, rule := range headingRules {
		if rule.kind == kind && slices.Contains(strings.Fields(rule.within), now) &&
			(rule.opened == "" || rule.opened == opened) &&
			(rule.words == "" || slices.Contains(strings.Split(rule.words, "|"), form)) {
			return cmp.Or(rule.section, now)
		}
	}
	return opened
}

// afterSubtotal is the section that follows a subtotal when no heading says so; "" is unknown.
var afterSubtotal = map[string]map[string]string{
	captions.IncomeStatement: {"netRevenues": "", "totalCostOfRevenues": "operatingExpenses",
		"grossProfit":            "operatingExpenses",
		"totalOperatingExpenses": "otherIncomeExpense",
		"operatingIncome":        "otherIncomeExpense", "totalOtherIncomeExpense": "otherIncomeExpense",
		"incomeBeforeTaxes": "otherIncomeExpense"},
	captions.BalanceSheet: {"totalCurrentAssets": "nonCurrentAssets", "netFixedAssets": "nonCurrentAssets",
		"totalNonCurrentAssets": "assets", "totalAssets": "liabilities",
		"totalCurrentLiabilities":  "longTermLiabilities",
		"totalLongTermLiabilities": "liabilities", "totalLiabilities": "equity",
		"totalEquity": "liabilities"}, // of sheets that print equity first
	captions.CashFlow: {"netCashFromOperating": "investing", "netCashFromInvesting": "financing",
		"netCashFromFinancing": "summary", "netChangeInCash": "summary"},
}

// endsSection reports whether a subtotal ends the section it stands in: the section's own, or one that
// closes everything before it.
func endsSection(kind, section string, r *statementRow) bool {
	switch r.rule.Row {
	case "grossProfit", "operatingIncome", "incomeBeforeTaxes", "totalAssets", "totalLiabilities",
		"totalCurrentLiabilities", "totalLongTermLiabilities":
		return true
	case "netFixedAssets":
		return section != "currentAssets" && r.total
	case "totalCostOfRevenues":
		return r.total && section != "operatingExpenses" || section == ""
	case "totalOtherIncomeExpense":
		return false
	}
	return section == "" || section == r.rule.Section || kind == captions.CashFlow || section == "assets" ||
		section == "liabilities"
}

// sideOf reports whether a section known only as a side of the balance sheet, or not at all, may be another.
func sideOf(section, of string) bool {
	switch section {
	case "assets":
		return of == "currentAssets" || of == "nonCurrentAssets"
	case "liabilities":
		return of == "currentLiabilities" || of == "longTermLiabilities"
	case "":
		return true
	}
	return false
}

// aboveGross reports whether the gross profit is still to come.
func aboveGross(rows []statementRow) bool {
	return slices.ContainsFunc(rows, func(r statementRow) bool {
		return r.hasFigures() && namesRow(captions.Books()[captions.IncomeStatement], r, "grossProfit")
	})
}

// moreExpenses heads a second section of operating expenses below the total of the first.
var moreExpenses = lazyregexp.New(`\b(?:expenses?|costs)$`)

// totalsExpenses reports whether a total of expenses is still to come.
func totalsExpenses(rows []statementRow) bool {
	for _, r := range rows {
		if r.hasFigures() && r.total &&
			namesRow(captions.Books()[captions.IncomeStatement], r, "totalOperatingExpenses") {
			return true
		}
	}
	return false
}

// ownsRest are lines that are equity wherever they stand: those of the owners, and of others in subsidiaries.
var ownsRest = lazyregexp.New(`^(?:non ?controlling|minority) interests?$|.\b(?:stockholders|shareholders) equity$`)

// sectionOfOwners is the section of a row: equity, where a short sheet prints no sum of its debts and no heading of
// what is the owners'.
func (r *statementRow) sectionOfOwners(kind, section string) string {
	if kind == captions.BalanceSheet && captions.SideName(section) == "liabilities" && ownsRest.MatchString(r.folded) {
		return "equity"
	}
	return section
}

// costAlone are what the cost of fixed assets is called below the name of them all.
var costAlone = map[string]bool{"total": true, "cost": true, "at cost": true, "historical cost": true,
	"gross": true, "at historical cost": true}

// heldWords name what is held and not used, and may be carried at cost as fixed assets are.
var heldWords = lazyregexp.New(`\b(?:stocks?|shares?|securities|investments?|loans?|bonds?|deposits?|receivables?` +
	`|inventor(?:y|ies)|merchandise|cryptocurrenc(?:y|ies)|digital assets)\b`)

// operatingToo are names of other income that stands between the gross profit and the costs of operations.
var operatingToo = map[string]bool{"so betr erlose": true, "sonst betr erlose": true, "sonstige betr erlose": true,
	"sonstige betriebliche erlose": true, "esas faaliyetlerden diger gelirler": true,
	"penghasilan operasi lain": true, "penghasilan operasi lainnya": true}

// leftOfCost reports whether a sum under any name is what is left of fixed assets: it closes what they cost and what is
// taken off it, and no caption says that another is.
func (r *statementRow) leftOfCost(rows []statementRow) bool {
	worn := slices.ContainsFunc(r.members, func(k int) bool {
		return rows[k].rule != nil && rows[k].rule.Row == "accumulatedDepreciation"
	})
	return worn && len(r.members) > 1 && !slices.ContainsFunc(rows, func(other statementRow) bool {
		return other.hasFigures() && namesRow(captions.Books()[captions.BalanceSheet], other, "netFixedAssets")
	}) && !slices.ContainsFunc(r.members, func(k int) bool {
		return rows[k].rule != nil && (subtotalRows[rows[k].rule.Row] || rows[k].section == "currentAssets")
	})
}

// sectionTotals are the subtotals that all rows above them, up to the one before, are part of.
var sectionTotals = text.WordSet("netRevenues totalCostOfRevenues totalOperatingExpenses totalCurrentAssets " +
	"totalCurrentLiabilities totalLongTermLiabilities")

// settleSections gives rows whose section no heading said the one of the subtotal that they stand above, the row
// at place last. Totals that close them may stand below it.
func settleSections(kind string, rows []statementRow, last int) {
	section := rows[last].rule.Section
	if !sectionTotals[rows[last].rule.Row] {
		return
	}
	for i := last - 1; i >= 0; i-- {
		r := &rows[i]
		switch {
		case !r.hasFigures() || r.dropped:
			continue
		case r.rule != nil && subtotalRows[r.rule.Row], r.section == section, !sideOf(r.section, section):
			return
		}
		r.section = section
		if r.mapCaptionRule(kind, groupName(rows, i)); r.rule == nil && !r.dropped {
			r.rule = listRule(captions.Books()[kind], rows, i)
		}
	}
}
