package spread

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/spread/layout"
)

// Input is what a spread is made from. Documents stand in upload order.
type Input struct {
	SpreadID   dossier.SpreadID
	LeadID     dossier.LeadID
	EntityName *string // whose figures; nil: of whom most documents are
	// that it must be in; empty: the statements' own when they agree on one, else DefaultCurrency
	Currency           string
	DefaultCurrency    string
	FiscalYearEndMonth int
	GeneratedAt        time.Time
	Documents          []Document
	Adjustments        []dossier.SpreadAdjustment // an analyst's, applied in this order
	Captions           []dossier.CaptionMapping   // rows that an analyst chose for captions
}

// Problem is why a document was set aside.
type Problem struct {
	DocumentID dossier.DocumentID
	Detail     string
}

// Consolidate makes one spread of the documents. Documents of another entity or currency are set aside, never
// mixed; of several sources for one period the higher class wins the whole statement. Nothing is plugged: what
// the documents leave open shows as variances.
//
// Amounts have 2 places, rounded half away from zero at the end of each row. The same input gives the same results.
// Error: Invalid, when no document is left.
func Consolidate(in Input) (dossier.SpreadResults, []Problem, error) {
	w := &consolidation{in: in, template: Template()}
	w.collect()
	if len(w.columns) == 0 {
		return dossier.SpreadResults{}, w.problems, dossier.ErrNoFinancialDocuments()
	}
	w.results = dossier.SpreadResults{SchemaVersion: dossier.SpreadSchemaVersion, SpreadID: in.SpreadID,
		LeadID:      in.LeadID,
		GeneratedAt: in.GeneratedAt.UTC().Format("2006-01-02T15:04:05.000Z"), EntityName: w.entity,
		Currency: w.in.Currency, Warnings: w.results.Warnings}
	w.incomeStatements()
	w.balanceSheets()
	w.cashFlows()
	w.annualize()
	w.prove()
	w.results.Trailing = w.trailing()
	w.check()
	w.results.Ratios = w.ratios()
	w.results.UCA = w.uca()
	w.warnUnapplied()
	w.listSources()
	w.warnUncertain()
	return w.results, w.problems, nil
}

// consolidation is one run of Consolidate: its input and what has been calculated so far.
type consolidation struct {
	in       Input
	template *layout.Template
	columns  []*column
	problems []Problem
	entity   string
	results  dossier.SpreadResults
	chosen   map[string][]*column         // by statement, in order of time
	of       map[*column]string           // period id of a column
	sets     map[string]map[string]rowSet // calculated rows by statement and period
	proofs   map[string]map[string]*proof // by statement and period
	applied  map[int]bool                 // adjustments by their place in the input
}

// rowSet is a calculated column.
type rowSet map[string]cell

// collect reads the documents and sets aside those that must not be mixed in.
func (w *consolidation) collect() {
	w.chosen, w.of, w.sets = map[string][]*column{}, map[*column]string{}, map[string]map[string]rowSet{}
	w.applied = map[int]bool{}
	for _, s := range statements {
		w.sets[s] = map[string]rowSet{}
	}
	byDocument := map[dossier.DocumentID][]*column{}
	for i, d := range w.in.Documents {
		byDocument[d.ID] = columnsOf(d, i, captionRows(w.in.Captions))
	}
	w.chooseEntity(byDocument)
	w.chooseCurrency(byDocument)
	unscaled := w.settleScales(byDocument)
	for _, d := range w.in.Documents {
		problem := ""
		var kept []*column
		for _, c := range byDocument[d.ID] {
			switch {
			case !w.isOfEntity(c):
				problem = fmt.Sprintf("The document is about %s, the spread about %s; figures of two entities are "+
					"never mixed. Name entityName to spread the other one", c.entity[0], w.entity)
			case c.currency != nil && *c.currency != w.in.Currency:
				problem = fmt.Sprintf("The figures are in %s, the spread is in %s; create a spread with currency %s "+
					"for them", *c.currency, w.in.Currency, *c.currency)
			case c.unscaled && unscaled[d.ID] != "":
				problem = unscaled[d.ID]
			default:
				kept = append(kept, c)
			}
		}
		if problem != "" && len(kept) == 0 {
			w.problems = append(w.problems, Problem{d.ID, problem})
		}
		if problem != "" && len(kept) > 0 {
			w.warn("part_set_aside", "", d.Filename+": "+problem)
		}
		w.columns = append(w.columns, kept...)
	}
}

// chooseEntity finds whose figures these are: as asked for, else of whom most documents are, the first on a tie.
func (w *consolidation) chooseEntity(byDocument map[dossier.DocumentID][]*column) {
	if w.in.EntityName != nil && *w.in.EntityName != "" {
		w.entity = *w.in.EntityName
		return
	}
	count, best := map[string]int{}, 0
	for _, d := range w.in.Documents {
		for _, c := range byDocument[d.ID] {
			if len(c.entity) > 0 {
				count[entityKey(c.entity[0])]++
				break
			}
		}
	}
	for _, d := range w.in.Documents {
		for _, c := range byDocument[d.ID] {
			if len(c.entity) > 0 && count[entityKey(c.entity[0])] > best {
				best, w.entity = count[entityKey(c.entity[0])], c.entity[0]
			}
		}
	}
}

// chooseCurrency finds what the figures are in: as asked for, else what all statements of the entity that print a
// currency print, else the workspace's. Source: decisions-2.md, P-0.
func (w *consolidation) chooseCurrency(byDocument map[dossier.DocumentID][]*column) {
	if w.in.Currency != "" {
		return
	}
	w.in.Currency = w.in.DefaultCurrency
	printed := map[string]bool{}
	for _, columns := range byDocument {
		for _, c := range columns {
			if c.currency != nil && w.isOfEntity(c) {
				printed[*c.currency] = true
			}
		}
	}
	if len(printed) == 1 {
		for currency := range printed {
			w.in.Currency = currency
		}
	}
}

// isOfEntity reports whether a column is of the spread's entity. A document that names nobody counts as such.
func (w *consolidation) isOfEntity(c *column) bool {
	if len(c.entity) == 0 || w.entity == "" {
		return true
	}
	want := entityKey(w.entity)
	for _, name := range c.entity {
		key := entityKey(name)
		if key == want || strings.HasPrefix(key, want+" ") || strings.HasPrefix(want, key+" ") {
			return true
		}
	}
	return false
}

// legalForms are words that names carry on one document and lack on another.
var legalForms = map[string]bool{"inc": true, "incorporated": true, "llc": true, "llp": true, "lp": true, "co": true,
	"company": true, "corp": true,
	"corporation": true, "ltd": true, "limited": true, "pc": true, "pllc": true, "the": true, "dba": true}

// entityKey is a name without case, punctuation and legal form.
func entityKey(name string) string {
	fields := strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(name, ".", "")), func(r rune) bool {
		return r < 128 && !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	})
	kept := slices.DeleteFunc(slices.Clone(fields), func(f string) bool { return legalForms[f] })
	if len(kept) == 0 {
		kept = fields
	}
	return strings.Join(kept, " ")
}

func (w *consolidation) warn(code, period, detail string) {
	warning := dossier.SpreadWarning{Code: code, Detail: detail}
	if period != "" {
		warning.PeriodID = &period
	}
	w.results.Warnings = append(w.results.Warnings, warning)
}

func periodID(start, end dossier.Day) string { return start.String() + "_" + end.String() }

// compareSources orders sources of the same period by class, then closing before opening balances, later periods in the
// document, later upload.
func compareSources(a, b *column) int {
	switch {
	case rank(a.class) != rank(b.class):
		return rank(a.class) - rank(b.class)
	case a.opening != b.opening:
		if a.opening {
			return 1
		}
		return -1
	case a.latest != b.latest:
		return int(b.latest - a.latest)
	}
	return b.position - a.position
}

// choose takes for each key the best column, in order of time, and notes the others as comparisons.
func (w *consolidation) choose(statement string, key func(*column) string) []*column {
	groups := map[string][]*column{}
	for _, c := range w.columns {
		if c.statement == statement {
			groups[key(c)] = append(groups[key(c)], c)
		}
	}
	var chosen []*column
	for _, group := range groups {
		slices.SortStableFunc(group, compareSources)
		chosen = append(chosen, group[0])
	}
	slices.SortFunc(chosen, func(a, b *column) int {
		if a.end != b.end {
			return int(a.end - b.end)
		}
		return int(a.start - b.start)
	})
	w.chosen[statement] = chosen
	return chosen
}

// listSetAside lists the columns that were not chosen, with their differences. It runs when all columns have their
// period ids.
func (w *consolidation) listSetAside(statement string) {
	for _, best := range w.chosen[statement] {
		for _, c := range w.columns {
			if c == best || c.statement != statement || c.end != best.end || !c.noStart && c.start != best.start {
				continue
			}
			if c.opening && c.class == best.class { // a return's opening balances against last year's closing ones
				w.compareOpening(best, c)
				continue
			}
			w.results.Comparisons = append(w.results.Comparisons,
				dossier.SpreadComparison{Statement: statement, PeriodID: w.of[best],
					DocumentID: c.document, Class: c.class, ChosenDocumentID: best.document, ChosenClass: best.class,
					Differences: w.differences(best, c)})
		}
	}
}

// compareOpening warns when a return opens with other balances than the year before closed with.
func (w *consolidation) compareOpening(best, opening *column) {
	if d := w.differences(best, opening); len(d) > 0 {
		w.warn("opening_balances_differ", w.of[best],
			fmt.Sprintf("The next year's return opens with other balances in %s and %d more rows", d[0].Label,
				len(d)-1))
	}
}

func (w *consolidation) differences(best, other *column) []dossier.SpreadDifference {
	tolerance := decimal.Max(best.tolerance(), other.tolerance())
	a, b := calculate(best), calculate(other)
	list := []dossier.SpreadDifference{}
	for _, row := range w.template.Of(best.statement) {
		x, inA := a[row.Key]
		y, inB := b[row.Key]
		if diff := x.amount.Sub(y.amount); (inA || inB) && diff.Abs().GreaterThan(tolerance) {
			list = append(list, dossier.SpreadDifference{Key: row.Key, Label: row.Label, Chosen: figure(x.amount),
				Other: figure(y.amount), Difference: figure(diff)})
		}
	}
	return list
}

func figure(d decimal.Decimal) dossier.Figure { return dossier.Figure{Decimal: d.Round(2)} }

// calculate gives a column its calculated rows.
func calculate(c *column) rowSet {
	set := rowSet{}
	for key, v := range c.lines {
		v.amount = v.amount.Round(2)
		set[key] = v
	}
	complete(set, c.statement)
	if v, ok := c.printed["netRevenues"]; ok && c.statement == "incomeStatement" {
		if _, have := set["netRevenues"]; !have {
			set["netRevenues"] = v
		}
	}
	return set
}

// complete calculates the rows that have a formula, in template order, each rounded to 2 places.
func complete(set rowSet, statement string) {
	for _, row := range Template().Of(statement) {
		if row.Formula.Empty() {
			continue
		}
		if needed := needs[row.Key]; slices.ContainsFunc(needed,
			func(key string) bool { _, ok := set[key]; return !ok }) {
			continue
		}
		v := row.Formula.Eval(layout.FormulaScope{Ref: set.operand})
		if v.Present {
			set[row.Key] = cell{amount: v.Amount.Round(2)}
		}
	}
}

// needs are the rows without which a variance says nothing (notes of the template).
var needs = map[string][]string{
	"incomeStatementVariance": {"netIncome", "reportedNetIncome"},
	"balanceSheetVariance":    {"totalAssets", "totalLiabilitiesAndEquity"},
	"cashFlowVariance":        {"netChangeInCash", "beginningCash", "endingCash"},
}

func (s rowSet) operand(key string) layout.Operand {
	v, ok := s[key]
	return layout.Operand{Amount: v.amount, Present: ok}
}

// values lists a calculated column in template order. derived marks the lines of a derived cash flow, all a whole
// column that is computed.
func values(set rowSet, statement string, derived, all bool) dossier.SpreadValues {
	list := dossier.SpreadValues{}
	for _, row := range Template().Of(statement) {
		v, ok := set[row.Key]
		if !ok {
			continue
		}
		computed := all || row.Computed == "always" || row.Computed == "fallback" && len(v.sources) == 0 ||
			row.Computed == "derived" && derived && v.adjusted == nil
		list = append(list, dossier.SpreadValue{Key: row.Key, Label: row.Label, Value: figure(v.amount), Kind: row.Kind,
			Computed: computed, Memo: row.Memo, Sources: v.sources, Adjusted: v.adjusted})
	}
	return list
}

// listSources says which document gave which periods, and which captions have no row.
func (w *consolidation) listSources() {
	for _, d := range w.in.Documents {
		used := dossier.SpreadUsedDocument{DocumentID: d.ID, Filename: d.Filename, Periods: []string{}}
		for _, s := range statements {
			for _, c := range w.chosen[s] {
				if c.document != d.ID || c.class == "derived" {
					continue
				}
				used.Class = c.class
				if id := w.of[c]; id != "" && !slices.Contains(used.Periods, id) {
					used.Periods = append(used.Periods, id)
				}
				w.listUnmapped(c)
			}
		}
		for _, c := range w.columns {
			if c.document == d.ID && used.Class == "" {
				used.Class = c.class
			}
		}
		if used.Class != "" {
			w.results.Documents = append(w.results.Documents, used)
		}
	}
}

func (w *consolidation) listUnmapped(c *column) {
	for _, u := range c.unmapped {
		w.results.Unmapped = append(w.results.Unmapped,
			dossier.SpreadUnmapped{DocumentID: c.document, Statement: c.statement, PeriodID: w.of[c],
				Caption: u.caption, Amount: figure(u.amount), Row: u.row})
	}
}
