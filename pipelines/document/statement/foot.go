package statement

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// columnFact is where the facts have the figure of a row, and with which sign.
type columnFact struct {
	pointer string
	stored  decimal.Decimal
}

// columnFacts are the facts of a column by row.
type columnFacts map[int]columnFact

// checkGroups reports whether the totals of groups are the sums of their lines, and keeps which lines those are.
func (c *chosenRows) checkGroups(f *text.Findings, column int, at, label string, facts columnFacts) {
	var tried []dossier.TriedSum
	for i, r := range c.rows {
		given, n := c.groupSum(r, column)
		if n == 0 {
			continue
		}
		total, slack := r.figures[column].Value.Decimal, c.slack(n+1, column)
		tried = append(tried, dossier.TriedSum{Caption: r.caption, Given: given, Total: total, Slack: slack})
		f.Sums = append(f.Sums, dossier.PrintedSum{Column: at, Caption: r.caption, Total: c.term(i, total, facts),
			Lines: c.terms(r, column, facts), Slack: dossier.Amount{Decimal: slack}})
	}
	if check, ok := dossier.LinesFoot(label, tried); ok {
		f.Checks = append(f.Checks, check)
	}
}

// terms are the lines of a group. Those of one kind whose sum is a fact, though no line prints it, are that one term.
func (c *chosenRows) terms(r statementRow, column int, facts columnFacts) []dossier.SumTerm {
	var terms []dossier.SumTerm
	kinds := map[int]bool{}
	for k, f := range facts {
		parts := c.rows[k].parts
		if len(parts) == 0 || slices.ContainsFunc(parts, func(p int) bool { return !slices.Contains(r.members, p) }) {
			continue
		}
		sum := decimal.Zero
		for _, p := range parts {
			if kinds[p] = true; c.rows[p].figures[column] != nil {
				sum = sum.Add(c.rows[p].term(column))
			}
		}
		terms = append(terms, c.term(k, sum, columnFacts{k: f}))
	}
	slices.SortFunc(terms, func(a, b dossier.SumTerm) int { return strings.Compare(a.Pointer, b.Pointer) })
	for _, k := range r.members {
		if c.rows[k].figures[column] != nil && !kinds[k] {
			terms = append(terms, c.term(k, c.rows[k].term(column), facts))
		}
	}
	return terms
}

// term is a figure of a sum: the fact that has it, or the figure itself where none does.
func (c *chosenRows) term(row int, figure decimal.Decimal, facts columnFacts) dossier.SumTerm {
	f, has := facts[row]
	if !has {
		return dossier.SumTerm{Amount: &dossier.Amount{Decimal: figure}}
	}
	return dossier.SumTerm{Pointer: f.pointer, Minus: figure.Sign()*f.stored.Sign() < 0 ||
		figure.IsZero() && c.unmappedChangesSign(row)}
}
