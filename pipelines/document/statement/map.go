package statement

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// general rows take what has no row of its own: a group's total goes there only when its lines have none.
var generalRows = text.WordSet("otherOperatingExpenses otherIncome otherExpenses otherCurrentAssets " +
	"otherNonCurrentAssets otherCurrentLiabilities otherLongTermLiabilities otherEquity otherNonCashItems " +
	"otherInvesting otherFinancing cogsOther")

// subtotalRows are the template's subtotals and totals: their lines stay lines.
var subtotalRows = text.WordSet("netRevenues totalCostOfRevenues grossProfit totalOperatingExpenses operatingIncome " +
	"totalOtherIncomeExpense incomeBeforeTaxes netIncome totalCurrentAssets netFixedAssets totalNonCurrentAssets " +
	"totalAssets totalCurrentLiabilities totalLongTermLiabilities totalLiabilities totalEquity " +
	"totalLiabilitiesAndEquity netCashFromOperating netCashFromInvesting netCashFromFinancing netChangeInCash " +
	"beginningCash endingCash")

// afterSubtotal is the section that follows a subtotal when no heading says so; "" is unknown.
var afterSubtotal = map[string]map[string]string{
	incomeStatement: {"netRevenues": "", "totalCostOfRevenues": "operatingExpenses", "grossProfit": "operatingExpenses",
		"totalOperatingExpenses": "otherIncomeExpense",
		"operatingIncome":        "otherIncomeExpense", "totalOtherIncomeExpense": "otherIncomeExpense",
		"incomeBeforeTaxes": "otherIncomeExpense"},
	balanceSheet: {"totalCurrentAssets": "nonCurrentAssets", "netFixedAssets": "nonCurrentAssets",
		"totalNonCurrentAssets": "assets", "totalAssets": "liabilities",
		"totalCurrentLiabilities":  "longTermLiabilities",
		"totalLongTermLiabilities": "liabilities", "totalLiabilities": "equity",
		"totalEquity": "liabilities"}, // of sheets that print equity first
	cashFlow: {"netCashFromOperating": "investing", "netCashFromInvesting": "financing",
		"netCashFromFinancing": "summary", "netChangeInCash": "summary"},
}

// mapRows gives each row the section it stands in and, when its caption is known, its row of the template.
func mapRows(kind string, rows []statementRow) {
	book := captionBooks()[kind]
	section := map[string]string{incomeStatement: "", balanceSheet: "assets", cashFlow: "operating"}[kind]
	end := lastRow(kind, rows)
	heading := ""
	for i := range rows {
		r := &rows[i]
		if !r.has() {
			heading = r.folded
			section = r.opens(kind, rows, i, section)
			continue
		}
		if kind == balanceSheet && len(r.closed) > 0 && r.closed[0] > i { // a heading that prints its sum
			section = r.ledSection(book, section)
		}
		if kind == cashFlow && section == "investing" && financesUnheaded(rows, i) {
			section = "financing"
		}
		r.section = section
		if r.parent >= 0 && r.parent < i && rows[r.parent].rule != nil {
			r.section = rows[r.parent].rule.section // of the total that leads it
		}
		r.mean(kind, rows, i, cmp.Or(groupName(rows, i), heading))
		if kind == balanceSheet && len(r.closed) > 0 && r.closed[0] > i && section == "equity" && onlyEquity(rows, i) {
			r.rule = &captionRule{row: "totalEquity", section: section, anywhere: true}
		}
		if r.total {
			heading = "" // its group is closed
		}
		if i > end || r.gone {
			r.gone, r.outside, r.rule = true, true, nil
			continue
		}
		if r.rule == nil {
			continue
		}
		if next, ok := afterSubtotal[kind][r.rule.row]; ok && endsSection(kind, section, r) && endsEquity(rows, i) {
			settleSections(kind, rows, i)
			section = next
		}
	}
	if kind == balanceSheet {
		moveTwins(rows)
	}
}

// opens is the section that a heading opens, or goes on with.
func (r *statementRow) opens(kind string, rows []statementRow, i int, section string) string {
	for _, form := range r.forms {
		if s, ok := captionBooks()[kind].heading(form); ok {
			return headedSection(kind, section, s, form)
		}
	}
	if kind == incomeStatement && section == "otherIncomeExpense" && moreExpenses.MatchString(r.folded) &&
		totalsExpenses(rows[i+1:]) {
		return "operatingExpenses"
	}
	return section
}

// moreExpenses heads a second section of operating expenses below the total of the first.
var moreExpenses = lazyregexp.New(`\b(?:expenses?|costs)$`)

// totalsExpenses reports whether a total of expenses is still to come.
func totalsExpenses(rows []statementRow) bool {
	for _, r := range rows {
		if r.has() && r.total && namesRow(captionBooks()[incomeStatement], r, "totalOperatingExpenses") {
			return true
		}
	}
	return false
}

// ledSection is the section that a row above the lines it is the sum of opens.
func (r *statementRow) ledSection(book *captionBook, section string) string {
	for _, form := range r.forms {
		if s, ok := book.heading(form); ok {
			return headedSection(balanceSheet, section, s, form)
		}
	}
	return section
}

// onlyEquity reports whether the heading of equity that prints its sum is all equity that a sheet prints.
func onlyEquity(rows []statementRow, at int) bool {
	for i, r := range rows {
		if !r.has() || i == at || slices.Contains(rows[at].closed, i) {
			continue
		}
		for _, form := range r.forms {
			for _, rule := range captionBooks()[balanceSheet].find(form) {
				if rule.section == "equity" && rule.row != "totalLiabilitiesAndEquity" {
					return false
				}
			}
		}
	}
	return true
}

// mean finds the rule of a row: of its caption, of the sum that it is, or of the list that it is a line of.
func (r *statementRow) mean(kind string, rows []statementRow, i int, group string) {
	r.pick(kind, group)
	if r.nameless {
		r.rule = namelessRule(kind, rows, i)
	}
	if r.rule == nil && r.folded == "total" && kind == balanceSheet && i+1 < len(rows) &&
		wornWords.MatchString(rows[i+1].folded) { // "Total" above what is taken off
		r.rule = &captionRule{row: "grossFixedAssets", section: "nonCurrentAssets", anywhere: true}
	}
	if r.rule == nil && !r.gone {
		r.rule = listRule(captionBooks()[kind], rows, i)
	}
	if r.rule == nil && !r.gone && kind == balanceSheet && r.leftOfCost(rows) {
		r.rule = &captionRule{row: "netFixedAssets", section: "nonCurrentAssets", anywhere: true}
	}
	if kind == cashFlow {
		r.partFlow(rows, i)
	}
}

// leftOfCost reports whether a sum under any name is what is left of fixed assets: it closes what they cost and what is
// taken off it, and no caption says that another is.
func (r *statementRow) leftOfCost(rows []statementRow) bool {
	worn := slices.ContainsFunc(r.closed, func(k int) bool {
		return rows[k].rule != nil && rows[k].rule.row == "accumulatedDepreciation"
	})
	return worn && len(r.closed) > 1 && !slices.ContainsFunc(rows, func(other statementRow) bool {
		return other.has() && namesRow(captionBooks()[balanceSheet], other, "netFixedAssets")
	}) && !slices.ContainsFunc(r.closed, func(k int) bool {
		return rows[k].rule != nil && (subtotalRows[rows[k].rule.row] || rows[k].section == "currentAssets")
	})
}

// listRule is the rule of a line that stands further in below the name of a list whose lines make one row: inventories,
// cash.
func listRule(book *captionBook, rows []statementRow, i int) *captionRule {
	for k := i - 1; k >= 0; k-- {
		if rows[k].left < rows[i].left && (rows[k].has() || rows[k].tokens[0].Cell != "") || rows[k].total {
			return nil
		}
		if rows[k].has() {
			continue
		}
		for _, rule := range book.exact[rows[k].folded] {
			if kindsSummed[rule.row] && rows[k].left < rows[i].left {
				return &captionRule{row: rule.row, section: rule.section, part: true}
			}
		}
		return nil
	}
	return nil
}

// pick finds the rule of a row in its section. The name of its group tells a line's short name from others:
// "taxes" of "payroll expenses".
func (r *statementRow) pick(kind, group string) {
	book := captionBooks()[kind]
	r.rule = nil
	for _, form := range r.forms {
		if r.gone = book.skipped(form); r.gone {
			return
		}
		if group != "" {
			r.rule = pickRule(kind, r.section, r, book.exact[group+" "+form])
		}
		if r.rule == nil {
			r.rule = pickRule(kind, r.section, r, book.find(form))
		}
		if r.rule != nil {
			return
		}
	}
}

// sectionTotals are the subtotals that all rows above them, up to the one before, are part of.
var sectionTotals = text.WordSet("netRevenues totalCostOfRevenues totalOperatingExpenses totalCurrentAssets " +
	"totalCurrentLiabilities totalLongTermLiabilities")

// settleSections gives rows whose section no heading said the one of the subtotal that they stand above, the row
// at place last. Totals that close them may stand below it.
func settleSections(kind string, rows []statementRow, last int) {
	section := rows[last].rule.section
	if !sectionTotals[rows[last].rule.row] {
		return
	}
	for i := last - 1; i >= 0; i-- {
		r := &rows[i]
		switch {
		case !r.has() || r.gone:
			continue
		case r.rule != nil && subtotalRows[r.rule.row], r.section == section, !sideOf(r.section, section):
			return
		}
		r.section = section
		if r.pick(kind, groupName(rows, i)); r.rule == nil && !r.gone {
			r.rule = listRule(captionBooks()[kind], rows, i)
		}
	}
}

// headedSection is the section that a heading opens. "Income" and "Other income" below expenses are not
// revenue; "notes payable" within current liabilities is no section.
func headedSection(kind, now, opened, form string) string {
	switch {
	case kind == balanceSheet && form == "current" && sideName(now) == "liabilities":
		return "currentLiabilities"
	case kind == balanceSheet && form == "non current" && sideName(now) == "liabilities":
		return "longTermLiabilities"
	case kind == balanceSheet && now == "currentLiabilities" && opened == "longTermLiabilities" &&
		(form == "notes payable" || form == "loans" || form == "other liabilities"):
		return now
	case kind == balanceSheet && now == "currentAssets" && form == "other assets":
		return opened
	case kind == incomeStatement && opened == "costOfRevenues" &&
		(now == "operatingExpenses" || now == "otherIncomeExpense"):
		return now
	case kind == incomeStatement && opened == "revenue" && (now == "otherIncomeExpense" || now == "operatingExpenses"):
		return now
	case kind == incomeStatement && opened == "otherIncomeExpense" && now == "operatingExpenses" &&
		(form == "taxes" || form == "other expenses"):
		return now
	}
	return opened
}

// endsSection reports whether a subtotal ends the section it stands in: the section's own, or one that
// closes everything before it.
func endsSection(kind, section string, r *statementRow) bool {
	switch r.rule.row {
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
	return section == "" || section == r.rule.section || kind == cashFlow || section == "assets" ||
		section == "liabilities"
}

// bottomLines are the rows with which statements end.
var bottomLines = map[string]string{incomeStatement: "netIncome", balanceSheet: "totalLiabilitiesAndEquity",
	cashFlow: "endingCash"}

// lastRow is the row that ends the statement: what follows is memoranda.
func lastRow(kind string, rows []statementRow) int {
	if kind == cashFlow {
		return lastOfCash(rows)
	}
	end := len(rows)
	book := captionBooks()[kind]
	for i, r := range rows {
		if !r.has() || kind == incomeStatement && soon(rows, i) || kind == balanceSheet && !r.total &&
			owesBelow(rows, i) {
			continue
		}
		for _, form := range r.forms {
			for _, rule := range book.exact[form] {
				if rule.row == bottomLines[kind] {
					end = i
				}
			}
		}
	}
	return end
}

// owesBelow reports whether totals of debts or of equity stand below: a heading that prints its sum ends nothing.
func owesBelow(rows []statementRow, at int) bool {
	return slices.ContainsFunc(rows[at+1:], func(r statementRow) bool {
		return r.has() && namesRow(captionBooks()[balanceSheet], r,
			"totalLiabilities totalEquity totalCurrentLiabilities")
	})
}

// namesRow reports whether a caption names one of some rows of the template whole.
func namesRow(book *captionBook, r statementRow, keys string) bool {
	for _, form := range r.forms {
		for _, rule := range book.exact[form] {
			if slices.Contains(strings.Fields(keys), rule.row) {
				return true
			}
		}
	}
	return false
}

// soon reports whether a bottom line is none yet: income before taxes or a subtotal of operations follows.
func soon(rows []statementRow, at int) bool {
	book := captionBooks()[incomeStatement]
	for _, r := range rows[at+1:] {
		if !r.has() {
			continue
		}
		for _, form := range r.forms {
			for _, rule := range book.exact[form] {
				if rule.row == "incomeBeforeTaxes" || rule.row == "operatingIncome" || rule.row == "grossProfit" {
					return true
				}
			}
		}
	}
	return false
}

// pickRule is the rule that holds in the section: its own, else one that holds everywhere. In a part of a
// statement whose section is not known every rule of that side holds.
func pickRule(kind, section string, r *statementRow, rules []captionRule) *captionRule {
	var best *captionRule
	score := -1
	for i := range rules {
		rule := &rules[i]
		n := -1
		switch {
		case rule.section == section:
			n = 4
		case section == "liabilities" && rule.row == "linesOfCredit" && !rule.anywhere:
			n = 1 // a note that is not said to be current is long-term debt
		case section == "liabilities" && rule.section == "equity" && !subtotalRows[rule.row]:
			n = 1 // one heading for both, equity first: "Passif", "Passiva"
		case sideOf(section, rule.section):
			n = 3
		case rule.anywhere && !clashes(kind, section, rule):
			n = 2
		}
		if n >= 0 && r.total && subtotalRows[rule.row] {
			n++
		}
		if n > score {
			best, score = rule, n
		}
	}
	return best
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

// clashes reports whether a rule that holds everywhere cannot hold here: a line of assets among liabilities,
// wages among costs of revenue, a payable among investments.
func clashes(kind, section string, rule *captionRule) bool {
	if subtotalRows[rule.row] {
		return kind == balanceSheet && rule.section != section && sideName(section) != sideName(rule.section) &&
			rule.row != "totalLiabilitiesAndEquity" && !ownSide.MatchString(rule.phrase)
	}
	switch kind {
	case balanceSheet:
		if section == "currentLiabilities" &&
			(rule.row == "leaseLiabilities" || rule.row == "otherLongTermLiabilities") {
			return !longWords.MatchString(rule.phrase)
		}
		return sideName(section) != sideName(rule.section)
	case cashFlow:
		return section != rule.section && rule.section != "summary"
	}
	switch section {
	case "revenue":
		return rule.section == "operatingExpenses" || rule.row == "otherIncome" || rule.section == "costOfRevenues" &&
			rule.row != "cogsGoodsMaterials" || rule.row == "incomeTaxes"
	case "costOfRevenues":
		return rule.section == "operatingExpenses" || rule.section == "revenue"
	case "operatingExpenses":
		return rule.section == "revenue" && rule.row != "returnsAllowances" || rule.row == "otherIncome"
	case "otherIncomeExpense":
		return rule.section == "revenue"
	}
	return false
}

// longWords say of a line among current liabilities that it is none of them.
var longWords = lazyregexp.New(`\bnon ?current\b|\blong term\b|net of current|less current`)

// ownSide are subtotals whose name says what they are of, wherever they stand.
var ownSide = lazyregexp.New(`^total |^creditors |falling due|^net (?:assets|liabilities)|^(?:capitaux propres` +
	`|eigenkapital|patrimonio neto|capital contable)$|^(?:(?:common )?(?:stockholders?|shareholders?|members?` +
	`|owners?) )?(?:equity|funds)$`)

func sideName(section string) string {
	switch section {
	case "assets", "currentAssets", "nonCurrentAssets":
		return "assets"
	case "liabilities", "currentLiabilities", "longTermLiabilities":
		return "liabilities"
	}
	return section
}
