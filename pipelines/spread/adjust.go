package spread

import (
	"fmt"
	"maps"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// rowOfCaption is the row that an analyst chose, by statement and folded caption.
type rowOfCaption map[[2]string]string

func captionRows(list []dossier.CaptionMapping) rowOfCaption {
	rows := rowOfCaption{}
	for _, m := range list {
		rows[[2]string{m.Statement, dossier.FoldCaption(m.Caption)}] = m.Row
	}
	return rows
}

func (r rowOfCaption) of(statement, caption string) string {
	return r[[2]string{statement, dossier.FoldCaption(caption)}]
}

// synonym is the row of which a caption is an exact synonym in its section. Source: template.yaml, mapping.order.
func synonym(statement, section, caption string) string {
	folded := dossier.FoldCaption(caption)
	for _, row := range Template().Of(statement) {
		if row.Input() && !row.Memo && row.Section == section &&
			slices.ContainsFunc(row.Synonyms, func(s string) bool { return dossier.FoldCaption(s) == folded }) {
			return row.Key
		}
	}
	return ""
}

// adjusted is the column with an analyst's adjustments of a period. The column itself stays as the document has it: the
// comparisons of sources are about documents.
func (w *consolidation) adjusted(c *column, period string) *column {
	if len(w.in.Adjustments) == 0 {
		return c
	}
	changed := *c
	changed.lines = maps.Clone(c.lines)
	w.adjust(changed.lines, c.statement, period)
	return &changed
}

// adjust changes lines in the order in which the adjustments were given.
func (w *consolidation) adjust(lines map[string]cell, statement, period string) {
	for i, a := range w.in.Adjustments {
		if a.Statement != statement || a.PeriodID != period {
			continue
		}
		if a.MoveTo == nil {
			writeAdjusted(lines, a.Row, a, a.Value.Decimal)
		} else if !reclassify(lines, a) {
			continue
		}
		w.applied[i] = true
	}
}

// writeAdjusted writes an adjusted amount. The machine's figure beside it is that of the documents, also when two
// adjustments touch one row.
func writeAdjusted(lines map[string]cell, key string, a dossier.SpreadAdjustment, amount decimal.Decimal) {
	before, had := lines[key]
	adjusted := &dossier.SpreadAdjusted{Reason: a.Reason, Actor: a.Actor}
	switch {
	case before.adjusted != nil:
		adjusted.Machine = before.adjusted.Machine
		adjusted.Reason = before.adjusted.Reason + "; " + a.Reason
	case had:
		machine := figure(before.amount)
		adjusted.Machine = &machine
	}
	lines[key] = cell{amount: amount, sources: before.sources, adjusted: adjusted}
}

// reclassify moves a figure or a part of it to another row and reports whether there was a figure to move. The bottom
// line does not change: an expense that becomes income changes its sign.
func reclassify(lines map[string]cell, a dossier.SpreadAdjustment) bool {
	from, ok := lines[a.Row]
	if !ok {
		return false
	}
	amount := from.amount
	if a.Value != nil {
		amount = a.Value.Decimal
	}
	weight, target := weightOf(a.Statement, a.Row), weightOf(a.Statement, *a.MoveTo)
	moved := amount
	if !weight.IsZero() && weight.Equal(target.Neg()) {
		moved = amount.Neg()
	}
	writeAdjusted(lines, *a.MoveTo, a, lines[*a.MoveTo].amount.Add(moved))
	writeAdjusted(lines, a.Row, a, from.amount.Sub(amount))
	return true
}

// bottom is what a reclassification leaves as it is.
var bottom = map[string]func(set rowSet) decimal.Decimal{
	"incomeStatement": func(set rowSet) decimal.Decimal { return set["netIncome"].amount },
	"balanceSheet": func(set rowSet) decimal.Decimal {
		return set["totalAssets"].amount.Sub(set["totalLiabilitiesAndEquity"].amount)
	},
	"cashFlow": func(set rowSet) decimal.Decimal { return set["netChangeInCash"].amount },
}

// weightOf is what 1 more in a row adds to the bottom line: 1, -1, or 0 for a memo row.
func weightOf(statement, key string) decimal.Decimal {
	set := rowSet{key: {amount: decimal.NewFromInt(1)}}
	complete(set, statement)
	return bottom[statement](set)
}

// warnUnapplied lists the adjustments that were applied and warns of those that no longer match a figure.
func (w *consolidation) warnUnapplied() {
	for i, a := range w.in.Adjustments {
		if w.applied[i] {
			w.results.Adjustments = append(w.results.Adjustments, a)
			continue
		}
		label := Template().Row(a.Statement, a.Row).Label
		w.warn("adjustment_not_applied", a.PeriodID,
			fmt.Sprintf("The adjustment of %s has no place: the documents give no such period, or no figure to move",
				label))
	}
}
