package statement

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// endsEquity reports whether a row does not go on with equity: a total of it that is followed by liabilities. Below the
// part that is the owners' stands the part of others, then the total of both.
func endsEquity(rows []statementRow, i int) bool {
	if rows[i].rule.Row != "totalEquity" {
		return true
	}
	for _, r := range rows[i+1 : min(len(rows), i+4)] {
		if !r.hasFigures() {
			break
		}
		if namesRow(captions.Books()[captions.BalanceSheet], r, "totalEquity") {
			return false
		}
	}
	return !slices.ContainsFunc(rows[:i], isLiability)
}

// isLiability reports whether a row is a liability.
func isLiability(r statementRow) bool {
	return r.hasFigures() && captions.SideName(r.section) == "liabilities"
}

// groupName is the name of the group that a row is a line of: "payroll expenses" of "total payroll expenses".
// Empty when a subtotal of the template closes it or none does.
func groupName(rows []statementRow, i int) string {
	at := rows[i].parent
	if at < 0 || at < i {
		return ""
	}
	return strings.TrimPrefix(rows[at].folded, "total ")
}

// correctMaturityByPlace maps a line by its place where the same name also stands in the other half of the side
// (current and non-current): there the place decides, not the name. Without such a second line the name decides,
// because sheets do list long-term items among current ones.
func correctMaturityByPlace(rows []statementRow) {
	home := map[string]bool{}
	for _, r := range rows {
		if r.hasFigures() && !r.dropped && r.rule != nil && r.section == r.rule.Section {
			home[r.rule.Row] = true
		}
	}
	for i := range rows {
		r := &rows[i]
		if !r.hasFigures() || r.dropped || r.rule == nil || subtotalRows[r.rule.Row] || !halves[r.section] ||
			!halves[r.rule.Section] ||
			r.section == r.rule.Section || !home[r.rule.Row] {
			continue
		}
		key := elsewhere[[2]string{r.rule.Row, r.section}]
		if r.rule = nil; key != "" {
			r.rule = &captions.Rule{Row: key, Section: r.section, Anywhere: true, Rank: lastRank}
		}
	}
}

// lastRank is that of a line whose own name is another row's: one that bears the row's name comes before it.
const lastRank = 1000

// elsewhere is the row of a line that stands in the other half of its side of the balance sheet, beside a line of the
// same name in its own half: securities that are held for long, and the part of a debt that is due within the year.
var elsewhere = map[[2]string]string{{"marketableSecurities", "nonCurrentAssets"}: "investments",
	{"longTermDebt", "currentLiabilities"}: "currentPortionLongTermDebt"}

// halves are the sections of a balance sheet that a heading or a total tells apart.
var halves = text.WordSet("currentAssets nonCurrentAssets currentLiabilities longTermLiabilities")
