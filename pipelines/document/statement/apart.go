package statement

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// allRestricted is cash that nobody may spend, by itself.
var allRestricted = lazyregexp.New(`^restricted cash(?: and (?:restricted )?cash equivalents)?(?: current| net)?$` +
	`|^cash(?: and cash equivalents)? restricted$`)

// assetsBelow reports whether the side of the assets is printed below that of debts and equity.
func assetsBelow(rows []statementRow, at int) bool {
	return slices.ContainsFunc(rows[at+1:], func(r statementRow) bool {
		return r.has() && namesRow(captionBooks()[balanceSheet], r, "totalAssets")
	}) && !slices.ContainsFunc(rows[:at], func(r statementRow) bool {
		return r.has() && namesRow(captionBooks()[balanceSheet], r, "totalAssets")
	})
}

// lastBeforeTaxes is the result that taxes are taken off, of several that are called so: before other levies, before
// what no tax is paid on.
func (c *chosen) lastBeforeTaxes(whole []int) int {
	best := whole[0]
	for _, i := range whole[1:] {
		if taxed := slices.IndexFunc(c.rows, func(r statementRow) bool {
			return r.has() && r.rule != nil && r.rule.row == "incomeTaxes"
		}); i < taxed {
			best = i
		}
	}
	return best
}

// othersShare is what of a result belongs to owners beside those of the company.
var othersShare = lazyregexp.New(`\bnon ?controlling\b|\bminority\b`)

// lastResult is the bottom line, of several results: the last one above the share of other owners.
func (c *chosen) lastResult(whole []int) int {
	last := whole[0]
	for _, i := range whole[1:] {
		if slices.ContainsFunc(c.rows[last+1:i], func(r statementRow) bool {
			return r.has() && othersShare.MatchString(r.folded)
		}) {
			break
		}
		last = i
	}
	return last
}

// fromOperations are the sales under the name that Indian law gives them: the sum below adds other income.
func (c *chosen) fromOperations(sales []int) []int {
	return slices.DeleteFunc(slices.Clone(sales), func(i int) bool {
		return !strings.HasPrefix(c.rows[i].folded, "revenue from operations")
	})
}

// onlyCosts reports whether a total closes nothing but costs of what was sold, of two kinds or more.
func (r *statementRow) onlyCosts(rows []statementRow) bool {
	return len(r.closed) > 1 && !slices.ContainsFunc(r.closed, func(k int) bool {
		return !strings.HasPrefix(rows[k].folded, "cost of ") && !strings.HasPrefix(rows[k].folded, "costs of ")
	})
}
