package statement

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
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

// mapRows gives each row the section it stands in and, when its caption is known, its row of the template.
func mapRows(kind string, rows []statementRow) {
	m := rowMapper{kind: kind, rows: rows, end: lastRow(kind, rows),
		section: firstSections[kind]}
	for i := range rows {
		if r := &rows[i]; !r.hasFigures() {
			m.heading = r.folded
			m.section = r.openedSection(kind, rows, i, m.section)
			continue
		}
		m.row(i)
	}
	if kind == captions.BalanceSheet {
		correctMaturityByPlace(rows)
	}
}

// rowMapper maps the rows of a statement from top to bottom.
// firstSections are those that the rows of a statement begin in.
var firstSections = map[string]string{captions.BalanceSheet: "assets", captions.CashFlow: "operating"}

type rowMapper struct {
	kind    string
	rows    []statementRow
	end     int    // the row that ends the statement
	section string // in which the next row stands
	heading string // of the group that is open
}

// row maps the row at place i, which has figures.
func (m *rowMapper) row(i int) {
	r := &m.rows[i]
	leading := m.kind != captions.CashFlow && r.sumsRowsBelow(i) // a heading that prints its sum
	if leading {
		m.section = r.headingSection(m.kind, m.section)
	}
	if m.kind == captions.CashFlow && m.section == "investing" && financesUnheaded(m.rows, i) {
		m.section = "financing"
	}
	m.section = r.sectionOfOwners(m.kind, m.section)
	r.section = m.section
	if r.parent >= 0 && r.parent < i && m.rows[r.parent].rule != nil {
		r.section = m.rows[r.parent].rule.Section // of the total that leads it
	}
	group := cmp.Or(groupName(m.rows, i), m.heading)
	if r.folded == "total" && r.sumsOtherSections(m.rows, m.section) {
		group = "" // of more than the section it stands below
	}
	r.mapRule(m.kind, m.rows, i, group)
	if leading && m.section == "equity" && onlyEquity(m.rows, i) {
		r.rule = &captions.Rule{Row: "totalEquity", Section: m.section, Anywhere: true}
	}
	if r.total {
		m.heading = "" // its group is closed
	}
	whole := leading && r.mapHeadingTotal(m.kind, m.section)
	if i > m.end || r.dropped || r.earnedWithin(m.rows[:i]) {
		r.dropped, r.outside, r.rule = true, true, nil
		return
	}
	if !whole {
		m.leaveSection(i)
	}
}

// sumsOtherSections reports whether a row is the sum of rows of other sections too.
func (r *statementRow) sumsOtherSections(rows []statementRow, section string) bool {
	return slices.ContainsFunc(r.members, func(k int) bool { return rows[k].section != section })
}

// ledTotals are the totals that headings of a whole side or section are, where their sum stands beside them.
var ledTotals = map[string]map[string]string{
	captions.BalanceSheet:    {"assets": "totalAssets", "liabilities": "totalLiabilities"},
	captions.IncomeStatement: {"operating expenses": "totalOperatingExpenses", "expenses": "totalOperatingExpenses"}}

// mapHeadingTotal maps a heading that prints its sum to the total it is.
func (r *statementRow) mapHeadingTotal(kind, section string) bool {
	key := ledTotals[kind][r.folded]
	if key == "" {
		return false
	}
	r.rule = &captions.Rule{Row: key, Section: section, Anywhere: true}
	return true
}

// leaveSection sets the section of the rows after a subtotal that ends the current section.
func (m *rowMapper) leaveSection(i int) {
	r := &m.rows[i]
	if r.rule == nil {
		return
	}
	next, ok := afterSubtotal[m.kind][r.rule.Row]
	if ok && endsSection(m.kind, m.section, r) && endsEquity(m.rows, i) {
		settleSections(m.kind, m.rows, i)
		m.section = next
	}
}

// openedSection is the section that a heading opens or continues.
func (r *statementRow) openedSection(kind string, rows []statementRow, i int, section string) string {
	for _, form := range r.forms {
		if s, ok := captions.Books()[kind].Heading(form); ok {
			if s == "revenue" && !slices.ContainsFunc(rows[:i], func(r statementRow) bool { return r.hasFigures() }) {
				return s // below the heading of income and expense together
			}
			if s == "costOfRevenues" && section == "operatingExpenses" && aboveGross(rows[i+1:]) {
				return s // more costs of what was sold, above the one result of both
			}
			return headedSection(kind, section, s, form)
		}
	}
	if kind == captions.IncomeStatement && section == "otherIncomeExpense" && moreExpenses.MatchString(r.folded) &&
		totalsExpenses(rows[i+1:]) {
		return "operatingExpenses"
	}
	return section
}

// headingSection is the section opened by a row that stands above its own parts and prints their sum.
func (r *statementRow) headingSection(kind, section string) string {
	for _, form := range r.forms {
		if s, ok := captions.Books()[kind].Heading(form); ok {
			return headedSection(kind, section, s, form)
		}
	}
	return section
}

// onlyEquity reports whether the heading of equity that prints its sum is all equity that a sheet prints.
func onlyEquity(rows []statementRow, at int) bool {
	for i, r := range rows {
		if !r.hasFigures() || i == at || slices.Contains(rows[at].members, i) {
			continue
		}
		for _, form := range r.forms {
			for _, rule := range captions.Books()[captions.BalanceSheet].Find(form) {
				if rule.Section == "equity" && rule.Row != "totalLiabilitiesAndEquity" {
					return false
				}
			}
		}
	}
	return true
}

// mapRule finds the rule of a row: by its caption, as the sum of other rows, or as a line of a list.
func (r *statementRow) mapRule(kind string, rows []statementRow, i int, group string) {
	r.mapCaptionRule(kind, group)
	if r.nameless {
		if r.rule = namelessRule(kind, rows, i); r.onlyTaxes(kind, rows) {
			r.rule = &captions.Rule{Row: "incomeTaxes", Section: "otherIncomeExpense", Anywhere: true}
		}
	}
	if r.rule == nil && !r.dropped && kind == captions.BalanceSheet && numberedTotal.MatchString(r.caption) {
		r.rule = namelessRule(kind, rows, i) // the law numbers the sums of sections: "Total (II)"
	}
	switch kind {
	case captions.BalanceSheet:
		r.mapAssetRule(rows, i)
	case captions.IncomeStatement:
		r.mapExpenseRule(rows, i)
	}
	if r.rule == nil && !r.dropped {
		r.rule = listRule(captions.Books()[kind], rows, i)
	}
	if r.rule == nil && !r.dropped && kind == captions.BalanceSheet && r.leftOfCost(rows) {
		r.rule = &captions.Rule{Row: "netFixedAssets", Section: "nonCurrentAssets", Anywhere: true}
	}
	if kind == captions.CashFlow {
		r.partFlow(rows, i)
	}
}

// mapAssetRule separates, on a balance sheet, the cost of fixed assets from their net amount and restricted cash from
// cash.
func (r *statementRow) mapAssetRule(rows []statementRow, i int) {
	wornBelow := i+1 < len(rows) && wornWords.MatchString(rows[i+1].folded)
	if r.rule == nil && costAlone[r.folded] && wornBelow { // "Total" or "Cost" above what is taken off
		r.rule = &captions.Rule{Row: "grossFixedAssets", Section: "nonCurrentAssets", Anywhere: true}
	}
	if r.rule == nil {
		return
	}
	if r.rule.Row == "grossFixedAssets" && r.rule.Part && heldWords.MatchString(r.folded) {
		r.rule = nil // "Stock of the reserve bank, at cost"
		return
	}
	if r.rule.Row == "netFixedAssets" && wornBelow && rows[i+1].hasFigures() && !wornWords.MatchString(r.folded) {
		r.rule = &captions.Rule{Row: "grossFixedAssets", Section: "nonCurrentAssets", Anywhere: true}
	}
	if r.rule.Row == "linesOfCredit" && r.section == "longTermLiabilities" { // that is not due within the year
		r.rule = &captions.Rule{Row: "longTermDebt", Section: r.section, Part: true}
	}
	if r.rule.Row == "cash" && allRestricted.MatchString(r.folded) && otherRow[r.section] != "" {
		r.rule = &captions.Rule{Row: otherRow[r.section], Section: r.section}
	}
}

// mapExpenseRule recognises a total of expenses printed below its lines, and a total of nothing but costs of sales.
func (r *statementRow) mapExpenseRule(rows []statementRow, i int) {
	if r.rule == nil && r.opensSales(rows[:i]) {
		r.rule, r.section = &captions.Rule{Row: "grossRevenues", Section: "revenue", Anywhere: true}, "revenue"
	}
	if len(r.members) > 0 && r.members[0] < i && expensesAlone[r.folded] {
		r.rule = &captions.Rule{Row: "totalOperatingExpenses", Section: "operatingExpenses", Anywhere: true}
	}
	if next := i + 1; r.folded == "tax" && next < len(rows) &&
		namesRow(captions.Books()[captions.IncomeStatement], rows[next], "netIncome") {
		r.rule = &captions.Rule{Row: "incomeTaxes", Section: "otherIncomeExpense", Anywhere: true}
	}
	if r.rule != nil && r.rule.Row == "totalOperatingExpenses" && r.onlyCosts(rows) {
		r.rule = &captions.Rule{Row: "totalCostOfRevenues", Section: "costOfRevenues", Anywhere: true}
	}
	if r.sumsOther(rows, i) {
		r.rule = &captions.Rule{Row: "totalOtherIncomeExpense", Section: "otherIncomeExpense", Anywhere: true}
	}
}

// listRule is the rule of a line that stands further in below the name of a list whose lines make one row: inventories,
// cash.
func listRule(book *captions.Book, rows []statementRow, i int) *captions.Rule {
	for k := i - 1; k >= 0; k-- {
		if rows[k].left < rows[i].left && (rows[k].hasFigures() || rows[k].tokens[0].Cell != "") || rows[k].total {
			return nil
		}
		if rows[k].hasFigures() {
			continue
		}
		for _, rule := range book.Exact[rows[k].folded] {
			if kindsSummed[rule.Row] && rows[k].left < rows[i].left {
				return &captions.Rule{Row: rule.Row, Section: rule.Section, Part: true}
			}
		}
		return nil
	}
	return nil
}

// mapCaptionRule finds the rule of a row by its caption within its section. The name of its group makes a short caption
// unambiguous: "taxes" of "payroll expenses".
func (r *statementRow) mapCaptionRule(kind, group string) {
	book := captions.Books()[kind]
	r.rule = nil
	forms := r.forms
	if kind == captions.CashFlow {
		forms = captions.ChangeForms(forms)
	}
	for _, form := range forms {
		if r.dropped = book.Skipped(form); r.dropped {
			return
		}
		if group != "" {
			r.rule = pickRule(kind, r.section, r, book.Exact[group+" "+form])
		}
		if r.rule == nil {
			r.rule = pickRule(kind, r.section, r, book.Find(form))
		}
		if r.rule != nil {
			return
		}
	}
	if general := captions.GeneralForm(r.caption); general != "" && !r.total {
		r.rule = kindRule(pickRule(kind, r.section, r, book.Exact[general]))
	}
}

// kindRule is the rule of one kind of what a row of the template holds ("Salaries - staff"): a part of the row, beside
// others of its kinds none of which is the row alone.
func kindRule(rule *captions.Rule) *captions.Rule {
	if rule == nil || subtotalRows[rule.Row] {
		return nil
	}
	if kindsSummed[rule.Row] {
		return rule
	}
	part := *rule
	part.Part = true
	return &part
}

// lastRow is the row that ends the statement: what follows is memoranda.
func lastRow(kind string, rows []statementRow) int {
	if kind == captions.CashFlow {
		return lastOfCash(rows)
	}
	end := len(rows)
	book := captions.Books()[kind]
	for i, r := range rows {
		if !r.hasFigures() || kind == captions.IncomeStatement && resultFollows(rows, i) ||
			kind == captions.BalanceSheet &&
				(!r.total && liabilitiesFollow(rows, i) || assetsBelow(rows, i)) {
			continue
		}
		for _, form := range r.forms {
			for _, rule := range book.Exact[form] {
				if rule.Row == captions.BottomLines[kind] {
					end = i
				}
			}
		}
	}
	return end
}

// liabilitiesFollow reports whether totals of liabilities or equity follow: a heading that prints its sum does not end
// the sheet.
func liabilitiesFollow(rows []statementRow, at int) bool {
	return slices.ContainsFunc(rows[at+1:], func(r statementRow) bool {
		return r.hasFigures() && namesRow(captions.Books()[captions.BalanceSheet], r,
			"totalLiabilities totalEquity totalCurrentLiabilities")
	})
}

// namesRow reports whether a caption names one of some rows of the template whole.
func namesRow(book *captions.Book, r statementRow, keys string) bool {
	for _, form := range r.forms {
		for _, rule := range book.Exact[form] {
			if slices.Contains(strings.Fields(keys), rule.Row) {
				return true
			}
		}
	}
	return false
}

// resultFollows reports whether a supposed bottom line is not the last: income before taxes or an operating subtotal
// follows.
func resultFollows(rows []statementRow, at int) bool {
	book := captions.Books()[captions.IncomeStatement]
	for _, r := range rows[at+1:] {
		if !r.hasFigures() {
			continue
		}
		for _, form := range r.forms {
			for _, rule := range book.Exact[form] {
				if rule.Row == "incomeBeforeTaxes" || rule.Row == "operatingIncome" || rule.Row == "grossProfit" {
					return true
				}
			}
		}
	}
	return false
}

// pickRule is the rule that holds in the section: its own, else one that holds everywhere. In a part of a
// statement whose section is not known every rule of that side holds.
func pickRule(kind, section string, r *statementRow, rules []captions.Rule) *captions.Rule {
	var best *captions.Rule
	score := -1
	for i := range rules {
		rule := &rules[i]
		n := -1
		switch {
		case rule.Section == section:
			n = 4
		case section == "liabilities" && rule.Row == "linesOfCredit" && !rule.Anywhere:
			n = 1 // a note that is not said to be current is long-term debt
		case section == "liabilities" && rule.Section == "equity" && !subtotalRows[rule.Row]:
			n = 1 // one heading for both, equity first: "Passif", "Passiva"
		case section == "" && rule.Row == "cogsDepreciation" && !rule.Anywhere:
			n = 2 // where no heading tells, depreciation is of operations
		case sideOf(section, rule.Section):
			n = 3
		case rule.Anywhere && !clashes(kind, section, rule):
			n = 2
		}
		if n >= 0 && r.total && subtotalRows[rule.Row] {
			n++
		}
		if n > score {
			best, score = rule, n
		}
	}
	return best
}

// clashes reports whether a rule that holds everywhere cannot hold here: a line of assets among liabilities,
// wages among costs of revenue, a payable among investments.
func clashes(kind, section string, rule *captions.Rule) bool {
	if subtotalRows[rule.Row] {
		return kind == captions.BalanceSheet && rule.Section != section &&
			captions.SideName(section) != captions.SideName(rule.Section) &&
			rule.Row != "totalLiabilitiesAndEquity" && !ownSide.MatchString(rule.Phrase)
	}
	switch kind {
	case captions.BalanceSheet:
		if section == "currentLiabilities" &&
			(rule.Row == "leaseLiabilities" || rule.Row == "otherLongTermLiabilities") {
			return !longWords.MatchString(rule.Phrase)
		}
		return captions.SideName(section) != captions.SideName(rule.Section)
	case captions.CashFlow:
		return section != rule.Section && rule.Section != "summary"
	}
	not := foreignTo[section]
	return !not.but[rule.Row] && (not.sections[rule.Section] || not.rows[rule.Row] && !operatingToo[rule.Phrase])
}

// foreignTo is what does not stand in a section of an income statement: rows of other sections, but for a few,
// and some rows.
var foreignTo = map[string]struct{ sections, but, rows map[string]bool }{
	"revenue": {sections: text.WordSet("operatingExpenses costOfRevenues"), but: text.WordSet("cogsGoodsMaterials"),
		rows: text.WordSet("otherIncome incomeTaxes")},
	"costOfRevenues": {sections: text.WordSet("operatingExpenses revenue")},
	"operatingExpenses": {sections: text.WordSet("revenue"), but: text.WordSet("returnsAllowances"),
		rows: text.WordSet("otherIncome")},
	"otherIncomeExpense": {sections: text.WordSet("revenue")},
}

// longWords say of a line among current liabilities that it is none of them.
var longWords = lazyregexp.New(`\bnon ?current\b|\blong term\b|net of current|less current`)

// ownSide are subtotals whose name says what they are of, wherever they stand.
var ownSide = lazyregexp.New(`^total |^creditors |falling due|^net (?:assets|liabilities)|^(?:capitaux propres` +
	`|eigenkapital|egenkapital(?: i alt)?|eget kapital|kapitał własny|kapitał fundusz własny|patrimonio neto` +
	`|capital contable)$` +
	`|^(?:(?:common )?(?:stockholders?|shareholders?|members?` +
	`|owners?) )?(?:equity|funds)$`)
