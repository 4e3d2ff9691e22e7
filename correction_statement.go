package dossier

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
)

// factColumn is a column of a statement as the facts have it.
type factColumn struct {
	kind    string
	at      string // pointer of the column
	column  StatementColumn
	columns []StatementColumn // of the statement
	unit    decimal.Decimal
	sources map[string]Source // where the machine read the figures
}

// columnsOf are the columns of all statements in the order in which the machine checks them.
func (d *ReadDocument) columnsOf(sources map[string]Source) []factColumn {
	f, all := d.Facts.Statement, []factColumn{}
	for _, s := range []struct {
		kind    string
		columns []StatementColumn
	}{{"incomeStatement", f.Statements.IncomeStatement}, {"balanceSheet", f.Statements.BalanceSheet},
		{"cashFlow", f.Statements.CashFlow}} {
		for i, column := range s.columns {
			all = append(all, factColumn{s.kind, fmt.Sprintf("/statements/%s/%d", s.kind, i), column, s.columns,
				decimal.NewFromInt(max(f.Unit, 1)), sources})
		}
	}
	return all
}

// recheckStatement says anew whether income statements and cash flows foot and balance sheets balance.
func (d *ReadDocument) recheckStatement(machine ReadDocument) {
	was, is := machine.columnsOf(machine.Sources), d.columnsOf(machine.Sources)
	seen := map[FactCheck]int{} // columns with the same figures and label have the same check
	for i := range min(len(was), len(is)) {
		before, read := StatementCheck(was[i].kind, was[i].column.Label, was[i])
		after, ok := StatementCheck(is[i].kind, is[i].column.Label, is[i])
		at := -1
		if read {
			at = nthCheck(d.Checks, before, seen[before])
			seen[before]++
		}
		switch {
		case read && at < 0 || before == after:
		case read && ok:
			d.Checks[at] = after
			seen[before]--
		case read:
			d.Checks = slices.Delete(d.Checks, at, at+1)
			seen[before]--
		case ok && !d.hasCheck(after):
			d.Checks = slices.Insert(d.Checks, d.placeOf(is[i].column.Label), after)
		}
	}
}

// nthCheck is where a check stands for the n-th time, from 0; -1 when it does not.
func nthCheck(checks []FactCheck, wanted FactCheck, n int) int {
	for i, c := range checks {
		if c == wanted {
			if n == 0 {
				return i
			}
			n--
		}
	}
	return -1
}

// hasCheck reports whether the machine said something of its own of the same column.
func (d *ReadDocument) hasCheck(check FactCheck) bool {
	label, _, _ := strings.Cut(check.Detail, ": ")
	return slices.ContainsFunc(d.Checks, func(c FactCheck) bool {
		return c.Name == check.Name && strings.HasPrefix(c.Detail, label+": ")
	})
}

// placeOf is where a check of a column goes that there was none of: before what else is said of the column.
func (d *ReadDocument) placeOf(label string) int {
	for i, c := range d.Checks {
		if c.Name == "lines_foot" && strings.HasPrefix(c.Detail, label+": ") {
			return i
		}
	}
	return len(d.Checks)
}

// printedIn is an amount in the units that the statement prints.
func (c factColumn) printedIn(a Amount) decimal.Decimal {
	if c.unit.Equal(decimal.NewFromInt(1)) {
		return a.Decimal
	}
	return decimal.RequireFromString(a.Div(c.unit).String()) // without places that are zero
}

// Figure is that of a row, with the sign that the spread gives it.
func (c factColumn) Figure(key string) (decimal.Decimal, bool) {
	v, has := c.column.Values[key]
	return c.printedIn(v), has
}

// FigureOrParts is Figure, or the sum of the lines that are of the row.
func (c factColumn) FigureOrParts(key string) (decimal.Decimal, bool) {
	if v, has := c.Figure(key); has {
		return v, true
	}
	sum, some := decimal.Zero, false
	for _, u := range c.column.Unmapped {
		if u.Row == key && u.Section != "revenue" {
			sum, some = sum.Add(c.printedIn(u.Amount)), true
		}
	}
	return sum, some
}

// HasRow reports whether a row is printed in any column.
func (c factColumn) HasRow(key string) bool {
	return slices.ContainsFunc(c.columns, func(o StatementColumn) bool { _, has := o.Values[key]; return has })
}

// Unplaced reports whether a line of other income and expense has no row.
func (c factColumn) Unplaced() bool {
	return slices.ContainsFunc(c.column.Unmapped, func(u UnmappedCaption) bool {
		return u.Row == "" && u.Section == "otherIncomeExpense"
	})
}

var printedCents = regexp.MustCompile(`[.,]\d{2}\)?$`)

// Slack is the rounding that n figures printed without cents may hide, half a unit each; with cents none.
func (c factColumn) Slack(n int) decimal.Decimal {
	for pointer, s := range c.sources {
		if strings.HasPrefix(pointer, c.at+"/") && printedCents.MatchString(strings.TrimSpace(s.Text)) &&
			(strings.HasSuffix(pointer, "/amount") || strings.Contains(pointer, "/values/")) {
			return decimal.New(1, -2)
		}
	}
	return decimal.New(int64(n), 0).Div(decimal.New(2, 0))
}

// Above reports whether a row is printed above another, by where the machine read them.
func (c factColumn) Above(result, key string) bool {
	end, has := c.sources[c.at+"/values/"+result]
	at, ok := c.sources[c.at+"/values/"+key]
	return ok && has && (at.Page < end.Page || at.Page == end.Page && topOf(at.Box) < topOf(end.Box))
}

// topOf is how far down a box or a cell begins.
func topOf(box any) float64 {
	switch b := box.(type) {
	case string: // Sheet1!C14
		row, _ := strconv.Atoi(b[strings.LastIndexFunc(b, func(r rune) bool { return r < '0' || r > '9' })+1:])
		return float64(row)
	case []any:
		if len(b) == 4 {
			top, _ := b[1].(float64)
			return top
		}
	case []float64:
		if len(b) == 4 {
			return b[1]
		}
	case [4]float64:
		return b[1]
	}
	return 0
}

// recheckTax says anew whether the lines of a form make its totals.
func (d *ReadDocument) recheckTax(machine ReadDocument) {
	read, anew := taxChecks(machine.Facts.Tax), taxChecks(d.Facts.Tax)
	at := slices.IndexFunc(d.Checks, func(c FactCheck) bool { return c.Name == "lines_foot" })
	stood := slices.DeleteFunc(slices.Clone(d.Checks), func(c FactCheck) bool { return c.Name != "lines_foot" })
	if !slices.Equal(read, stood) {
		return
	}
	if at < 0 {
		at = 0
	}
	d.Checks = slices.DeleteFunc(d.Checks, func(c FactCheck) bool { return c.Name == "lines_foot" })
	d.Checks = slices.Insert(d.Checks, min(at, len(d.Checks)), anew...)
}

func taxChecks(f *TaxFacts) (checks []FactCheck) {
	if f.Form == nil || f.TaxYear == nil {
		return nil
	}
	for _, s := range TaxSums(*f.Form, *f.TaxYear) {
		if c, ok := s.Check(f.Lines); ok {
			checks = append(checks, c)
		}
	}
	return checks
}
