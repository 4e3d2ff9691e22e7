package spread

import (
	"regexp"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// term is one line of a form in a row's irs entry.
type term struct {
	line  string
	minus bool
}

var inParentheses = regexp.MustCompile(`\([^)]*\)`)

// irsTerms reads an irs entry of the template for a form: "9a + 10a", "28 less 31", "1120-S 22; 1065 21". "part of 5"
// is a share that only an attached statement tells, so it is left out.
func irsTerms(entry, form string) []term {
	entry = inParentheses.ReplaceAllString(entry, "")
	if strings.Contains(entry, ";") || strings.HasPrefix(entry, "1120") || strings.HasPrefix(entry, "1065 ") {
		entry = partFor(entry, form)
	}
	var terms []term
	minus, skip := false, false
	fields := strings.Fields(entry)
	for i := 0; i < len(fields); i++ {
		switch field := fields[i]; field {
		case "+", "-", "less":
			minus, skip = field != "+", false
		case "/":
			return terms
		case "part":
			skip = true
		case "of":
		case "Sch":
			if i+2 < len(fields) {
				terms = append(terms, term{fields[i+1] + "-" + fields[i+2], minus})
				i += 2
			}
		default:
			if !skip && field[0] >= '0' && field[0] <= '9' {
				terms = append(terms, term{field, minus})
			}
		}
	}
	return terms
}

// partFor picks the part of "1120/1120-S 7; 1065 7a" that names form.
func partFor(entry, form string) string {
	for part := range strings.SplitSeq(entry, ";") {
		names, rest, ok := strings.Cut(strings.TrimSpace(part), " ")
		if !ok {
			continue
		}
		for name := range strings.SplitSeq(names, "/") {
			if name == form {
				return rest
			}
		}
	}
	return ""
}

// taxForm is a return on its way to columns.
type taxForm struct {
	d    Document
	part dossier.ReadDocument
	f    *dossier.TaxFacts
	name string // 1120, 1120-S, 1065, SchC
	old  bool   // before 2023 the other deductions of 1120-S and 1065 stood one line higher
}

// taxColumns maps a business return: page 1 to an income statement, Schedule L to a closing and an opening balance
// sheet.
func taxColumns(d Document, part dossier.ReadDocument) []*column {
	t := taxForm{d: d, part: part, f: part.Facts.Tax}
	t.name = formName(t.f.Form)
	start, end, ok := taxPeriod(t.f)
	if t.name == "" || !ok {
		return nil
	}
	t.old = t.before2023()
	var all []*column
	if c := t.income(); len(c.lines) > 0 {
		c.start, c.end = start, end
		all = append(all, c)
	}
	for _, opening := range []bool{true, false} {
		c := t.sheet(opening)
		if len(c.lines) == 0 {
			continue
		}
		c.end, c.label = end, "Schedule L, end of year"
		if opening {
			c.end, c.label = start-1, "Schedule L, beginning of year"
		}
		all = append(all, c)
	}
	return all
}

// formName is the template's name of a form, or empty.
func formName(form *string) string {
	if form == nil {
		return ""
	}
	name := strings.ToUpper(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(*form), "Form ")))
	switch {
	case name == "1120-S" || name == "1120S":
		return "1120-S"
	case name == "1120" || name == "1065":
		return name
	case strings.Contains(name, "SCHEDULE C"):
		return "SchC"
	}
	return ""
}

func taxPeriod(f *dossier.TaxFacts) (start, end dossier.Day, ok bool) {
	start, ok = dossier.FactDay(f.PeriodStart)
	end, ended := dossier.FactDay(f.PeriodEnd)
	if ok && ended {
		return start, end, end > start
	}
	if f.TaxYear == nil {
		return 0, 0, false
	}
	year := dossier.Day(0).AddMonths(12 * (*f.TaxYear - 1970))
	return year, year.AddMonths(12) - 1, true
}

// before2023 tells the older numbering of 1120-S and 1065 by the line that holds ordinary income, else by the year.
func (t taxForm) before2023() bool {
	older, newer := "21", "22"
	if t.name == "1065" {
		older, newer = "22", "23"
	}
	if income := t.f.OrdinaryBusinessIncome; income != nil {
		o, inOld := t.f.Lines[older]
		n, inNew := t.f.Lines[newer]
		if inNew && n.Equal(income.Decimal) {
			return false
		}
		if inOld && o.Equal(income.Decimal) {
			return true
		}
	}
	return t.f.TaxYear != nil && *t.f.TaxYear < 2023
}

// lineOf is the number that the template's line has on this year's form; empty when the form had no such line.
func (t taxForm) lineOf(line string) string {
	if !t.old || t.name != "1120-S" && t.name != "1065" {
		return line
	}
	moved := map[string]map[string]string{
		"1120-S": {"19": "", "20": "19", "21": "20", "22": "21"},
		"1065":   {"20": "", "21": "20", "22": "21", "23": "22"},
	}[t.name]
	if n, ok := moved[line]; ok {
		return n
	}
	return line
}

// lines adds up the terms found on the form.
func (t taxForm) lines(terms []term, label string, find func(line string) (string, bool)) (cell, bool) {
	var sum cell
	found := false
	for _, term := range terms {
		key, ok := find(term.line)
		if !ok {
			continue
		}
		amount := t.f.Lines[key]
		v := amount.Decimal
		if term.minus {
			v = v.Neg()
		}
		sum = sum.plus(cell{amount: v, sources: []dossier.SpreadSource{t.source(key, label, amount)}})
		found = true
	}
	return sum, found
}

func (t taxForm) source(key, label string, amount dossier.Amount) dossier.SpreadSource {
	return sourceOf(t.d, t.part, "/lines/"+dossier.PointerStep(key),
		"Line "+key+", "+label, amount.String(), "formLine")
}

// pageOne finds a line of the form itself.
func (t taxForm) pageOne(line string) (string, bool) {
	if !strings.HasPrefix(line, "K-") {
		line = t.lineOf(line)
	}
	_, ok := t.f.Lines[line]
	return line, ok && line != ""
}

func (t taxForm) income() *column {
	f := t.f
	c := &column{statement: "incomeStatement", class: "taxReturn", unit: 1, lines: map[string]cell{},
		printed: map[string]cell{}, entity: t.names()}
	if f.TaxYear != nil {
		c.label = "Tax year " + itoa(*f.TaxYear)
	}
	if f.AccountingMethod != nil {
		switch m := strings.ToLower(*f.AccountingMethod); m {
		case "cash", "accrual":
			c.basis = &m
		}
	}
	for _, row := range Template().Of("incomeStatement") {
		entry := row.IRS[t.name]
		if entry == "" || row.Section == "costOfRevenues" && !t.costTotal(row.Key) ||
			strings.Contains(entry, "(less interest") {
			continue
		}
		v, ok := t.lines(irsTerms(entry, t.name), row.Label, t.pageOne)
		switch {
		case !ok || row.Key == "netIncome":
		case row.Computed == "never":
			c.lines[row.Key] = v
		default:
			c.printed[row.Key] = v
		}
	}
	t.fillFromNamedFacts(c)
	t.costs(c)
	c.placeBareTotals()
	t.tieIncome(c)
	return c
}

func (t taxForm) costTotal(key string) bool {
	return key == "totalCostOfRevenues" || key == "grossProfit"
}

// names are those under which the return's business may appear on other documents.
func (t taxForm) names() []string {
	var names []string
	for _, n := range []*string{t.f.EntityName, t.f.BusinessName, t.f.Taxpayer} {
		if n != nil && *n != "" {
			names = append(names, *n)
		}
	}
	return names
}

// fillFromNamedFacts fills rows whose line number was not read from the facts that have names of their own.
func (t taxForm) fillFromNamedFacts(c *column) {
	f := t.f
	fill := func(rows map[string]cell, key, pointer string, amount *dossier.Amount) {
		if _, have := rows[key]; have || amount == nil {
			return
		}
		label := Template().Row("incomeStatement", key).Label
		rows[key] = cell{amount: amount.Decimal,
			sources: []dossier.SpreadSource{sourceOf(t.d, t.part, pointer, label, amount.String(), "formLine")}}
	}
	fill(c.lines, "grossRevenues", "/grossReceipts", f.GrossReceipts)
	fill(c.printed, "netRevenues", "/netRevenues", f.NetRevenues)
	fill(c.printed, "totalCostOfRevenues", "/costOfGoodsSold", f.CostOfGoodsSold)
	fill(c.printed, "grossProfit", "/grossProfit", f.GrossProfit)
	fill(c.lines, "officersCompensation", "/officerCompensation", f.OfficerCompensation)
	fill(c.lines, "salariesWages", "/salariesWages", f.SalariesWages)
	fill(c.lines, "rent", "/rent", f.Rent)
	fill(c.lines, "interestExpense", "/interestExpense", f.InterestExpense)
	switch t.name {
	case "1120-S", "1065":
		fill(c.lines, "reportedNetIncome", "/ordinaryBusinessIncome", f.OrdinaryBusinessIncome)
	case "SchC":
		fill(c.lines, "reportedNetIncome", "/netProfit", f.NetProfit)
	}
}

// costs takes the parts of cost of revenues from Form 1125-A or Part III of Schedule C when they add up to the
// form's own line; else the undetailed line counts.
func (t taxForm) costs(c *column) {
	entry, find := "1125-A", t.form1125A
	if t.name == "SchC" {
		entry, find = "SchC", t.pageOne
	}
	parts, sum := map[string]cell{}, decimal.Zero
	for _, row := range Template().Of("incomeStatement") {
		if row.Section != "costOfRevenues" || row.Computed != "never" || row.IRS[entry] == "" {
			continue
		}
		if v, ok := t.lines(irsTerms(row.IRS[entry], entry), row.Label, find); ok {
			parts[row.Key], sum = v, sum.Add(v.amount)
		}
	}
	total, known := c.printed["totalCostOfRevenues"]
	if len(parts) == 0 || known && total.amount.Sub(sum).Abs().GreaterThan(decimal.New(int64(len(parts)), 0)) {
		return
	}
	for key, v := range parts {
		c.lines[key] = v
	}
}

func (t taxForm) form1125A(line string) (string, bool) {
	for _, prefix := range []string{"1125-A-", "1125A-", "A-"} {
		if _, ok := t.f.Lines[prefix+line]; ok {
			return prefix + line, true
		}
	}
	return "", false
}
