package spread

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/spread/layout"
)

// proof is how far the printed totals of one column confirm its calculation. Source: relationships.md section 1.
type proof struct {
	// captions of printed lines that are in no figure or in one that no sum proves
	unexplained []string
	hard        int                        // printed figures that could not be read
	undetailed  []string                   // labels of totals printed without a line of their section
	reported    map[string]decimal.Decimal // printed totals that the calculation contradicts
	apart       map[string]decimal.Decimal // printed totals that rounding, or interest among expenses, sets apart
	confirmed   map[string]bool            // calculated rows that equal their printed total, or nearly
	doubtful    map[string]bool            // lines that no printed total confirms and some contradiction or gap touches
	unreliable  map[string]bool            // calculated rows that rest on doubtful lines
	open        bool                       // a variance row is not zero
}

// integrity is the word of the contract for a column.
func (p *proof) integrity() dossier.Integrity {
	switch {
	case len(p.unexplained) > 0 || p.hard > 0 || len(p.undetailed) > 0:
		return dossier.IntegrityIncomplete
	case len(p.reported) > 0 || p.open:
		return dossier.IntegrityVariance
	}
	return dossier.IntegrityReconciled
}

// unsure reports whether a figure must not be built upon.
func (p *proof) unsure(key string) bool {
	if p == nil {
		return false
	}
	_, contradicted := p.reported[key]
	return contradicted || p.doubtful[key] || p.unreliable[key]
}

// prove holds every column of the results against what is printed, marks what is not reliable, and warns of what is
// incomplete. It runs when all statements are calculated and before the ratios, which rest on them.
func (w *consolidation) prove() {
	w.proofs = map[string]map[string]*proof{}
	for _, s := range statements {
		w.proofs[s] = map[string]*proof{}
		for _, c := range w.chosen[s] {
			w.proofs[s][w.of[c]] = w.proofOf(c)
		}
	}
	for _, s := range statements {
		list := w.results.Statements.Named(s).Periods
		for i := range list {
			w.markReliability(s, &list[i])
		}
	}
	for _, s := range statements {
		for _, c := range w.chosen[s] {
			w.warnIncomplete(c, w.proofs[s][w.of[c]])
		}
	}
}

// proofOf proves one column. A derived cash flow has no printed total: it rests on its sources.
func (w *consolidation) proofOf(c *column) *proof {
	p := &proof{reported: map[string]decimal.Decimal{}, apart: map[string]decimal.Decimal{},
		confirmed: map[string]bool{}, doubtful: map[string]bool{}, unreliable: map[string]bool{}}
	set := w.sets[c.statement][w.of[c]]
	if c.class == "derived" {
		w.proveDerived(c, p, set)
		return p
	}
	for _, row := range w.template.Of(c.statement) {
		if printed, ok := c.printedTotal(row.Key); ok && !row.Formula.Empty() {
			p.compareTotal(row.Key, set, printed, c)
		}
	}
	p.hard = c.unread
	p.undetailed = c.undetailedTotals
	for _, u := range c.unmapped {
		if u.partOf != "" || u.source.Method == "mapping" {
			continue
		}
		proven := p.placed(c.statement, u)
		if c.covered || !proven { // the reader's count is the word; facts without one are held against the totals here
			p.unexplained = append(p.unexplained, u.caption)
		}
		if !proven && !u.afterTaxes { // what stands below taxes touches no line above them
			p.doubtSection(c.statement, u.section)
		}
	}
	if p.hard > 0 {
		p.doubtSection(c.statement, "")
	}
	p.contradictions(c, set, w.toleranceOf(c))
	p.carryDoubt(c.statement, func(ref string) bool { return p.doubtful[ref] || p.unreliable[ref] })
	return p
}

// printedTotal is what the document prints for a calculated row.
func (c *column) printedTotal(key string) (decimal.Decimal, bool) {
	if c.statement == "incomeStatement" && key == "netIncome" {
		v, ok := c.lines["reportedNetIncome"]
		return v.amount, ok
	}
	v, ok := c.printed[key]
	return v.amount, ok
}

// compareTotal compares a calculated row with its printed total. The tolerance is one unit of the printed scale for
// each line.
func (p *proof) compareTotal(key string, set rowSet, printed decimal.Decimal, c *column) {
	calculated, ok := set[key]
	if !ok || len(calculated.sources) > 0 {
		return
	}
	diff := calculated.amount.Sub(printed).Abs()
	if key == "totalOperatingExpenses" && c.class == "taxReturn" {
		return // it counts more among its deductions
	}
	if diff.GreaterThan(c.roundingOf(key)) && withInterest(key, set, printed).LessThanOrEqual(c.roundingOf(key)) {
		p.apart[key] = printed
		return
	}
	if later := c.belowTaxes(); key == "netIncome" && !later.IsZero() &&
		calculated.amount.Add(later).Sub(printed).Abs().LessThanOrEqual(c.roundingOf(key)) {
		p.confirmed[key], p.apart[key] = true, printed // it counts what no row takes
		return
	}
	if diff.LessThanOrEqual(c.roundingOf(key)) {
		p.confirmed[key] = true
		if !diff.IsZero() {
			p.apart[key] = printed
		}
		return
	}
	p.reported[key] = printed
}

// withInterest is how far a total of operations is from its printed one where interest is printed among the operating
// expenses, as small firms' programs print it.
func withInterest(key string, set rowSet, printed decimal.Decimal) decimal.Decimal {
	interest := set["interestExpense"].amount
	switch key {
	case "totalOperatingExpenses":
		return set[key].amount.Add(interest).Sub(printed).Abs()
	case "operatingIncome":
		return set[key].amount.Sub(interest).Sub(printed).Abs()
	}
	return set[key].amount.Sub(printed).Abs()
}

// roundingOf is the greatest difference between the sum of rounded lines and its rounded total: one unit of the printed
// scale for each line, or one cent where cents are printed.
func (c *column) roundingOf(key string) decimal.Decimal {
	lines, cents := int64(1), false
	for _, leaf := range linesBelow(c.statement, key) {
		if v, ok := c.lines[leaf]; ok {
			lines += int64(max(1, len(v.sources)))
			cents = cents || !v.amount.IsInteger()
		}
	}
	scale := decimal.NewFromInt(max(1, c.unit))
	if cents && c.unit <= 1 {
		scale = decimal.New(1, -2)
	}
	return scale.Mul(decimal.NewFromInt(lines))
}

// linesBelow are the input lines that a calculated row adds up, directly or through other rows.
func linesBelow(statement, key string) []string {
	row := Template().Row(statement, key)
	if row == nil || row.Formula.Empty() {
		return []string{key}
	}
	var all []string
	for _, ref := range row.Formula.References() {
		all = append(all, linesBelow(statement, ref)...)
	}
	return all
}

// placed reports whether the printed total above a caption's row proves that the caption belongs there.
func (p *proof) placed(statement string, u unmapped) bool {
	if u.row == "" {
		return false
	}
	for _, row := range Template().Of(statement) {
		if p.confirmed[row.Key] && slices.Contains(linesBelow(statement, row.Key), u.row) {
			return true
		}
	}
	return false
}

// doubtSection doubts the lines of a section that no total confirms; without a section, of all.
func (p *proof) doubtSection(statement, section string) {
	for _, row := range Template().Of(statement) {
		if row.Input() && !row.Memo && (section == "" || row.Section == section) && !p.provenLine(statement, row.Key) {
			p.doubtful[row.Key] = true
		}
	}
}

// provenLine reports whether a confirmed total is made of the line directly.
func (p *proof) provenLine(statement, key string) bool {
	return slices.ContainsFunc(Template().Of(statement), func(row layout.Row) bool {
		return p.confirmed[row.Key] && row.Section == Template().Row(statement, key).Section &&
			slices.Contains(row.Formula.References(), key)
	})
}

// contradictions doubts what stands under a total that is not what its lines give, and on both sides of a variance.
func (p *proof) contradictions(c *column, set rowSet, tolerance decimal.Decimal) {
	for key := range p.reported {
		if !p.explainedBelow(c.statement, key, set) && !p.countedBelow(key, set) {
			p.doubt(c.statement, key)
		}
	}
	v, ok := set[varianceNames[c.statement].row]
	if !ok || v.amount.Abs().LessThanOrEqual(tolerance) {
		return
	}
	p.open = true
	if later := c.belowTaxes(); !later.IsZero() && v.amount.Add(later).Abs().LessThanOrEqual(tolerance) {
		return
	}
	if len(p.reported) > 0 && c.statement == "incomeStatement" {
		return // the variance is that of net income, which is held above
	}
	for _, ref := range Template().Row(c.statement, varianceNames[c.statement].row).Formula.References() {
		p.doubt(c.statement, ref)
	}
}

// countedBelow reports whether a total of operations is printed without depreciation or amortization, which programs of
// accounts print among other expenses, and the net income, which counts them either way, comes out.
func (p *proof) countedBelow(key string, set rowSet) bool {
	if key != "totalOperatingExpenses" && key != "operatingIncome" || !p.confirmed["netIncome"] {
		return false
	}
	gap := set[key].amount.Sub(p.reported[key]).Abs()
	wear, writeOff := set["depreciation"].amount, set["amortization"].amount
	return !gap.IsZero() && (gap.Equal(wear) || gap.Equal(writeOff) || gap.Equal(wear.Add(writeOff)))
}

// explainedBelow reports whether a total is wrong by just what a total below it is wrong by: then the lines beside that
// one are in no doubt.
func (p *proof) explainedBelow(statement, key string, set rowSet) bool {
	gap := set[key].amount.Sub(p.reported[key]).Abs()
	for _, ref := range Template().Row(statement, key).Formula.References() {
		printed, contradicted := p.reported[ref]
		switch row := Template().Row(statement, ref); {
		case contradicted && set[ref].amount.Sub(printed).Abs().Equal(gap):
			return true
		case !contradicted && !row.Formula.Empty() && p.explainedThrough(statement, ref, gap, set):
			return true
		}
	}
	return false
}

// explainedThrough looks below a calculated row that is not printed itself.
func (p *proof) explainedThrough(statement, key string, gap decimal.Decimal, set rowSet) bool {
	return slices.ContainsFunc(Template().Row(statement, key).Formula.References(), func(ref string) bool {
		printed, contradicted := p.reported[ref]
		return contradicted && set[ref].amount.Sub(printed).Abs().Equal(gap)
	})
}

// doubt doubts the lines below a calculated row, as far as no printed total confirms them.
func (p *proof) doubt(statement, key string) {
	row := Template().Row(statement, key)
	if p.confirmed[key] || row.Memo {
		return
	}
	if row.Formula.Empty() {
		p.doubtful[key] = true
		return
	}
	for _, ref := range row.Formula.References() {
		p.doubt(statement, ref)
	}
}

// carryDoubt marks as unsure the calculated rows that depend on unsure lines, in template order. A row confirmed by its
// printed total is sure, whatever it depends on.
func (p *proof) carryDoubt(statement string, unsure func(ref string) bool) {
	for _, row := range Template().Of(statement) {
		if row.Formula.Empty() || p.confirmed[row.Key] {
			continue
		}
		if slices.ContainsFunc(row.Formula.References(), unsure) {
			p.unreliable[row.Key] = true
		}
	}
}

// proveDerived takes over the doubts of the income statement and the balance sheets that a derived cash flow is made
// of.
func (w *consolidation) proveDerived(c *column, p *proof, set rowSet) {
	lookup := w.unsureRefs(base{w.of[c], c.start, c.end}, p)
	for _, row := range w.template.Of("cashFlow") {
		formula := row.Derived
		if formula.Empty() {
			formula = row.Formula
		}
		unsure := func(ref string) bool { // a movement rests on both balance sheets
			key, sheet := strings.CutPrefix(ref, "bs.")
			return lookup(ref) || sheet && !strings.Contains(key, ".") && lookup("bs.prev."+key)
		}
		if _, ok := set[row.Key]; ok && slices.ContainsFunc(formula.References(), unsure) {
			p.unreliable[row.Key] = true
		}
	}
	for _, source := range w.sourcesOf(base{w.of[c], c.start, c.end}) {
		p.unexplained = append(p.unexplained, source.unexplained...)
		p.hard += source.hard
		p.undetailed = append(p.undetailed, source.undetailed...)
		p.open = p.open || source.integrity() == dossier.IntegrityVariance
	}
}

// sourcesOf are the proofs that a derived cash flow rests on: income statement, closing and opening balance sheet.
func (w *consolidation) sourcesOf(b base) []*proof {
	_, closing := w.sheetAt(b.end)
	_, opening := w.sheetAt(b.start - 1)
	return slices.DeleteFunc([]*proof{w.proofs["incomeStatement"][b.id], w.proofs["balanceSheet"][closing],
		w.proofs["balanceSheet"][opening]},
		func(p *proof) bool { return p == nil })
}

// unsureRefs returns a function that reports whether a reference of a formula ("bs.prev.cash", "is.rent",
// "cf.netIncome") is to a figure that is not reliable.
func (w *consolidation) unsureRefs(b base, flow *proof) func(ref string) bool {
	_, columns := w.viewOf(b)
	sheets, income := w.proofs["balanceSheet"], w.proofs["incomeStatement"]
	of := map[string]*proof{"is": income[strings.TrimSuffix(columns.Income, "_annualized")],
		"bs": sheets[columns.Sheet], "cf": flow,
		"is.prev": income[columns.PriorIncome], "bs.prev": sheets[columns.PriorSheet], "": flow}
	return func(ref string) bool {
		at := strings.LastIndex(ref, ".")
		if at < 0 {
			return of[""].unsure(ref)
		}
		return of[ref[:at]].unsure(ref[at+1:])
	}
}

// markReliability writes the proof of a column into a period of the results. An annualized column is as reliable as its
// base.
func (w *consolidation) markReliability(statement string, period *dossier.SpreadPeriod) {
	id := strings.TrimSuffix(period.ID, "_annualized")
	p := w.proofs[statement][id]
	period.Integrity = p.integrity()
	for i := range period.Values {
		v := &period.Values[i]
		printed, contradicted := p.reported[v.Key]
		apart, within := p.apart[v.Key]
		if within {
			printed = apart // told too: a reader who knows the printed figure must find it
		}
		if (contradicted || within) && !period.Annualized {
			f := figure(printed)
			v.Reported = &f
		}
		if v.Computed && (p.unreliable[v.Key] || contradicted && period.Annualized) {
			no := false
			v.Reliable = &no
		}
	}
}

// warnIncomplete says what is missing of a statement.
func (w *consolidation) warnIncomplete(c *column, p *proof) {
	if c.class == "derived" || p.integrity() != dossier.IntegrityIncomplete {
		return
	}
	var missing []string
	if n := len(p.unexplained); n > 0 {
		missing = append(missing, fmt.Sprintf("no row is certain for %s", quoted(p.unexplained)))
	}
	if p.hard > 0 {
		missing = append(missing, fmt.Sprintf("%d printed figures could not be read", p.hard))
	}
	for _, label := range p.undetailed {
		missing = append(missing, label+" is printed without the lines it is made of")
	}
	document, name, id := c.document, c.statement, w.of[c]
	w.results.Warnings = append(w.results.Warnings,
		dossier.SpreadWarning{Code: "statement_incomplete", DocumentID: &document, Statement: &name, PeriodID: &id,
			Detail: c.label + ": " + strings.Join(missing, "; ")})
}

// quoted lists the first captions of many.
func quoted(captions []string) string {
	const most = 5
	list := make([]string, 0, most)
	for _, c := range captions[:min(most, len(captions))] {
		list = append(list, fmt.Sprintf("%q", c))
	}
	if more := len(captions) - most; more > 0 {
		return strings.Join(list, ", ") + fmt.Sprintf(" and %d more lines", more)
	}
	return strings.Join(list, ", ")
}

// warnUncertain says what of the header no document prints.
func (w *consolidation) warnUncertain() {
	if w.entity == "" {
		w.warn("entity_uncertain", "", "No document names whose figures these are; name entityName")
	}
	if !slices.ContainsFunc(w.columns, func(c *column) bool { return c.currency != nil }) {
		w.warn("currency_uncertain", "", "No document prints its currency; the figures are taken for "+w.in.Currency)
	}
}
