package statement

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// totalOfSection is the subtotal that all lines of a section make.
var totalOfSection = map[string]string{"revenue": "netRevenues", "costOfRevenues": "totalCostOfRevenues",
	"operatingExpenses": "totalOperatingExpenses", "currentAssets": "totalCurrentAssets",
	"otherIncomeExpense": "totalOtherIncomeExpense", "nonCurrentAssets": "totalNonCurrentAssets",
	"currentLiabilities": "totalCurrentLiabilities", "longTermLiabilities": "totalLongTermLiabilities",
	"equity": "totalEquity"}

// namelessRule is the subtotal that a sum without a caption is: of all lines of the section it stands in, that ends
// there.
func namelessRule(kind string, rows []statementRow, i int) *captions.Rule {
	if rule := fixedAssetsRule(rows, i); rule != nil {
		return rule
	}
	if rule := sheetRule(kind, rows, i); rule != nil {
		return rule
	}
	sum := rows[i]
	if p := sum.parent; p == i+2 && rows[p].nameless && heldForSale.MatchString(rows[i+1].folded) {
		return nil // the sum below it adds what the section prints apart
	}
	key := totalOfSection[sum.section]
	if key == "" || len(sum.members) == 0 || i+1 < len(rows) && goesOnAfter(kind, sum, rows[i+1]) {
		return nil
	}
	for _, r := range rows[:i] {
		if r.section == sum.section && r.hasFigures() && !r.dropped && r.parent < 0 &&
			(r.rule == nil || !subtotalRows[r.rule.Row]) {
			return nil // a line that is not in the sum
		}
	}
	for _, k := range sum.members {
		if rows[k].section != sum.section {
			return nil
		}
	}
	return &captions.Rule{Row: key, Section: sum.section, Anywhere: true}
}

// fixedAssetsRule is the cost of fixed assets, above what is taken off it, or what is left of them, below it, unless a
// caption says that another row is.
func fixedAssetsRule(rows []statementRow, i int) *captions.Rule {
	if captions.SideName(rows[i].section) != "assets" {
		return nil
	}
	if i+1 < len(rows) && wornWords.MatchString(rows[i+1].folded) {
		return &captions.Rule{Row: "grossFixedAssets", Section: "nonCurrentAssets", Anywhere: true}
	}
	if i > 0 && wornWords.MatchString(rows[i-1].folded) && !slices.ContainsFunc(rows, func(r statementRow) bool {
		return r.hasFigures() && namesRow(captions.Books()[captions.BalanceSheet], r, "netFixedAssets")
	}) {
		return &captions.Rule{Row: "netFixedAssets", Section: "nonCurrentAssets", Anywhere: true}
	}
	return nil
}

// onlyTaxes reports whether a sum without a caption is of taxes: current and deferred.
func (r *statementRow) onlyTaxes(kind string, rows []statementRow) bool {
	return kind == captions.IncomeStatement && len(r.members) > 1 && !slices.ContainsFunc(r.members, func(k int) bool {
		return !taxWord.MatchString(rows[k].folded)
	})
}

var taxWord = lazyregexp.New(`\btax(?:es|ation)?\b`)

// heldForSale are current assets and debts that a sheet prints below the others.
var heldForSale = lazyregexp.New(`\bheld for sale\b|\bdisposal groups?\b`)

// sheetRule is the total of a side that a sum without a caption is: on a balance sheet no row above it is left that no
// sum closes. Of what stands below the total of assets, the sum that is as high is that of the other side.
func sheetRule(kind string, rows []statementRow, i int) *captions.Rule {
	if kind != captions.BalanceSheet || len(rows[i].members) < 2 {
		return nil
	}
	assets := -1
	for k, r := range rows[:i] {
		if r.rule != nil && r.rule.Row == "totalAssets" && r.hasFigures() {
			assets = k
		}
	}
	side, ok := sideBetween(rows, assets+1, i)
	switch {
	case !ok:
	case assets < 0:
		if i+1 < len(rows) && side == "assets" && partsOf(rows, i, "currentAssets") && !assetsFollow(rows, i) {
			return &captions.Rule{Row: "totalAssets", Section: "nonCurrentAssets", Anywhere: true}
		}
	case rows[i].repeatsRow(rows[assets]):
		return &captions.Rule{Row: "totalLiabilitiesAndEquity", Section: "equity", Anywhere: true}
	case side == "liabilities" && partsOf(rows, i, "currentLiabilities"):
		return &captions.Rule{Row: "totalLiabilities", Section: "longTermLiabilities", Anywhere: true}
	}
	return nil
}

// sideBetween is the one side that the rows from a place up to a sum are of, "" when they are of several; ok is false
// when one of them is in no sum.
func sideBetween(rows []statementRow, from, sum int) (side string, ok bool) {
	sides := map[string]bool{}
	for _, r := range rows[from:sum] {
		if !r.hasFigures() || r.outside || r.dropped {
			continue
		}
		if r.parent < 0 {
			return "", false
		}
		if r.parent == sum || !r.total {
			side = captions.SideName(r.section)
			sides[side] = true
		}
	}
	if len(sides) != 1 {
		side = ""
	}
	return side, true
}

// partsOf reports whether a sum is of a section's rows and of others beside them.
func partsOf(rows []statementRow, i int, section string) bool {
	in, out := false, false
	for _, k := range rows[i].members {
		in, out = in || rows[k].section == section, out || rows[k].section != section
	}
	return in && out
}

// assetsFollow reports whether the next row with a figure and a known caption is an asset.
func assetsFollow(rows []statementRow, i int) bool {
	for _, r := range rows[i+1:] {
		if !r.hasFigures() {
			if s, ok := captions.Books()[captions.BalanceSheet].Heading(r.folded); ok {
				return captions.SideName(s) == "assets"
			}
			continue
		}
		for _, rule := range captions.Books()[captions.BalanceSheet].Find(r.folded) {
			return captions.SideName(rule.Section) == "assets"
		}
	}
	return false
}

// fewestKnown is how many lines a sum without a caption closes at least, if one that may be of its section follows it.
const fewestKnown = 4

// goesOnAfter reports whether a section may go on with a row: it is no sum, and its caption is not of another section.
func goesOnAfter(kind string, sum, next statementRow) bool {
	if !next.hasFigures() || next.total || namesAnySubtotal(next) {
		return false
	}
	var rules []captions.Rule
	for _, form := range next.forms {
		rules = append(rules, captions.Books()[kind].Find(form)...)
	}
	if kind == captions.BalanceSheet && len(sum.members) >= fewestKnown {
		return len(rules) > 0 &&
			!slices.ContainsFunc(rules, func(r captions.Rule) bool { return r.Section != sum.section })
	}
	return len(rules) == 0 || slices.ContainsFunc(rules, func(r captions.Rule) bool { return r.Section == sum.section })
}

// wornWords are what is taken off the cost of fixed assets.
var wornWords = lazyregexp.New(`\baccum\w* (?:depreciation|amorti[sz]ation|depr\b)`)

// namesAnySubtotal reports whether the caption of a row names a subtotal of any statement.
func namesAnySubtotal(r statementRow) bool {
	for _, book := range captions.Books() {
		for _, rule := range book.Exact[r.folded] {
			if subtotalRows[rule.Row] {
				return true
			}
		}
	}
	return strings.HasPrefix(r.folded, "net ")
}

// numberedTotal is the sum of a section by its number.
var numberedTotal = lazyregexp.New(`(?i)^\s*(?:sous-?)?total\s*\(?[IVX]{1,4}\)?\s*$`)
