package dossier

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
)

// recheck does the arithmetic of a part again when facts of it were corrected at the pointers; machine is the part as
// it was read. A check whose words the facts that were read do not give needs more than the facts: it stays as the
// machine left it.
func (d *ReadDocument) recheck(machine ReadDocument, pointers []string) {
	switch {
	case len(pointers) == 0:
	case d.Facts.Bank != nil && slices.ContainsFunc(pointers, movesBalance):
		d.recheckBank(!slices.Contains(pointers, "/reconciles"))
	case d.Facts.Statement != nil:
		d.recheckStatement(machine)
	case d.Facts.Tax != nil:
		d.recheckTax(machine)
	case d.Facts.Identity != nil && slices.ContainsFunc(pointers, func(p string) bool { return within("/mrz", p) }):
		d.recheckZone(machine, !slices.Contains(pointers, "/mrzValid"))
	}
}

var balanceFacts = wordSet(
	"openingBalance closingBalance totalDeposits totalWithdrawals totalCredits totalDebits checks serviceFees " +
		"interest deposits withdrawals fees",
)

func movesBalance(pointer string) bool {
	steps, _ := pointerSteps(pointer)
	return len(steps) > 0 && balanceFacts[steps[len(steps)-1]]
}

// rollForward are the figures by which an account goes from one balance to the other.
type rollForward struct {
	name                                             string
	opening, credits, debits, checks, fees, interest *Amount
	closing                                          *Amount
}

// rolls says whether the figures give the closing balance: fees, checks and interest have captions of their own, or
// are part of the totals. Not ok: figures are missing.
func (r rollForward) rolls() (passed bool, detail string, ok bool) {
	if r.opening == nil || r.closing == nil || r.credits == nil && r.debits == nil {
		return false, "", false
	}
	for i, reading := range [][2][]*Amount{
		{{r.credits}, {r.debits}}, {{r.credits, r.interest}, {r.debits, r.checks, r.fees}},
		{{r.credits}, {r.debits, r.fees}},
		{{r.credits}, {r.debits, r.checks}}, {{r.credits}, {r.debits, r.checks, r.fees}},
	} {
		in, out := sumOf(reading[0]), sumOf(reading[1])
		total := r.opening.Add(in).Sub(out)
		sum := moneyWords(r.opening.Decimal) + " + " + moneyWords(in) + " - " + moneyWords(out) +
			" = " + moneyWords(total)
		if total.Equal(r.closing.Decimal) {
			return true, sum, true
		}
		if i == 0 {
			detail = sum + ", but the closing balance is " + moneyWords(r.closing.Decimal)
		}
	}
	return false, detail, true
}

func sumOf(amounts []*Amount) decimal.Decimal {
	sum := decimal.Zero
	for _, a := range amounts {
		if a != nil {
			sum = sum.Add(a.Decimal)
		}
	}
	return sum
}

func moneyWords(d decimal.Decimal) string { return moneyText(d.StringFixed(2)) }

const doNotFoot = "The balances do not foot: "

// recheckBank says anew whether balances and movements agree. fact: the fact reconciles is the machine's to say.
func (d *ReadDocument) recheckBank(fact bool) {
	b := d.Facts.Bank
	var accounts []rollForward
	if len(b.Accounts) == 0 {
		accounts = append(accounts, rollForward{
			opening: b.OpeningBalance, closing: b.ClosingBalance,
			credits: firstAmount(b.TotalDeposits, b.TotalCredits),
			debits:  firstAmount(b.TotalWithdrawals, b.TotalDebits),
			checks:  b.Checks, fees: b.ServiceFees, interest: b.Interest,
		})
	}
	for _, a := range b.Accounts {
		accounts = append(accounts, rollForward{
			name: Text(a.Name), opening: a.OpeningBalance, closing: a.ClosingBalance,
			credits: a.Deposits, debits: a.Withdrawals, checks: a.Checks, fees: a.Fees, interest: a.Interest,
		})
	}
	var checks []FactCheck
	all := true
	for _, a := range accounts {
		passed, detail, ok := a.rolls()
		if !ok {
			continue
		}
		if a.name != "" && len(accounts) > 1 {
			detail = a.name + ": " + detail
		}
		all = all && passed
		checks = append(checks, FactCheck{Name: "reconciles", Passed: passed, Detail: detail})
	}
	stood := slices.ContainsFunc(d.Checks, func(c FactCheck) bool { return c.Name == "reconciles" })
	if len(checks) == 0 {
		d.leaveAsRead("reconciles", "")
		return
	}
	if !all && !stood && b.Reconciles == nil {
		return // what the machine could not tell fails no document
	}
	d.Warnings = slices.DeleteFunc(
		d.Warnings,
		func(w FactWarning) bool { return strings.HasPrefix(w.Detail, doNotFoot) },
	)
	for _, c := range checks {
		if !c.Passed {
			d.Warnings = append(d.Warnings, FactWarning{Code: "possible_tampering", Detail: doNotFoot + c.Detail})
		}
	}
	at := max(slices.IndexFunc(d.Checks, func(c FactCheck) bool { return c.Name == "reconciles" }), 0)
	d.Checks = slices.DeleteFunc(d.Checks, func(c FactCheck) bool { return c.Name == "reconciles" })
	d.Checks = slices.Insert(d.Checks, min(at, len(d.Checks)), checks...)
	if fact {
		b.Reconciles = &all
		if d.Derived == nil {
			d.Derived = map[string]string{}
		}
		d.Derived["/reconciles"] = "opening balance plus credits minus debits against the closing balance"
	}
}

func firstAmount(a, b *Amount) *Amount {
	if a != nil {
		return a
	}
	return b
}

// factColumn is a column of a statement as the facts have it.
type factColumn struct {
	kind    string
	at      string // pointer of the column
	column  StatementColumn
	columns []StatementColumn // of the statement
	unit    decimal.Decimal
	sources map[string]Source // where the machine read the figures
	places  int32             // that its figures are printed with
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
			c := factColumn{kind: s.kind, at: fmt.Sprintf("/statements/%s/%d", s.kind, i), column: column,
				columns: s.columns, unit: decimal.NewFromInt(max(f.Unit, 1)), sources: sources}
			c.places = c.printedPlaces()
			all = append(all, c)
		}
	}
	return all
}

// columnCheck is a check of a column by the facts of its part; ok is false where they give none.
type columnCheck struct {
	check FactCheck
	ok    bool
}

// recheckStatement says anew whether income statements and cash flows foot, balance sheets balance, and totals are the
// sums of their lines.
func (d *ReadDocument) recheckStatement(machine ReadDocument) {
	was, is := machine.columnsOf(machine.Sources), d.columnsOf(machine.Sources)
	seen := map[FactCheck]int{} // columns with the same figures and label have the same check
	for i := range min(len(was), len(is)) {
		for _, by := range []func(*ReadDocument, factColumn) columnCheck{sheetCheck, footCheck} {
			d.takeCheck(was[i], by(&machine, was[i]), by(d, is[i]), !was[i].same(is[i]), seen)
		}
	}
}

func sheetCheck(_ *ReadDocument, c factColumn) (out columnCheck) {
	out.check, out.ok = StatementCheck(c.kind, c.column.Label, c)
	return out
}

func footCheck(d *ReadDocument, c factColumn) (out columnCheck) {
	out.check, out.ok = d.linesFoot(c)
	return out
}

// takeCheck puts the check that the facts give now in the place of the one that those which were read give. What the
// machine says of the column for reasons that the facts do not hold stays, and says so when figures moved.
func (d *ReadDocument) takeCheck(of factColumn, was, is columnCheck, moved bool, seen map[FactCheck]int) {
	at := -1
	if was.ok {
		at = nthCheck(d.Checks, was.check, seen[was.check])
		seen[was.check]++
	}
	switch {
	case at >= 0 && was == is:
	case at >= 0:
		seen[was.check]--
		if d.Checks[at] = is.check; !is.ok {
			d.Checks = slices.Delete(d.Checks, at, at+1)
		}
	case d.hasCheck(was.check.Name, of.column.Label):
		if moved {
			d.leaveAsRead(was.check.Name, of.column.Label+": ")
		}
	case !was.ok && is.ok:
		d.Checks = slices.Insert(d.Checks, d.placeOf(of.column.Label), is.check)
	}
}

// asRead ends what a check says that rests on more than the facts hold: it is as the machine left it.
const asRead = " (as it was read; not recomputed after the correction)"

// leaveAsRead lets the checks of a name whose words begin so say that they were not made again.
func (d *ReadDocument) leaveAsRead(name, begin string) {
	for i, c := range d.Checks {
		if c.Name == name && strings.HasPrefix(c.Detail, begin) && !strings.HasSuffix(c.Detail, asRead) {
			d.Checks[i].Detail += asRead
		}
	}
}

// same reports whether two columns have the same figures.
func (c factColumn) same(o factColumn) bool {
	return c.unit.Equal(o.unit) && bytes.Equal(jsonOf(c.column.Values), jsonOf(o.column.Values)) &&
		bytes.Equal(jsonOf(c.column.Unmapped), jsonOf(o.column.Unmapped))
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

// hasCheck reports whether the machine said something of its own of a column.
func (d *ReadDocument) hasCheck(name, label string) bool {
	return slices.ContainsFunc(d.Checks, func(c FactCheck) bool {
		return c.Name == name && strings.HasPrefix(c.Detail, label+": ")
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
	v := decimal.RequireFromString(a.Div(c.unit).String()) // without places that are zero
	if -v.Exponent() < c.places {
		v = decimal.RequireFromString(v.StringFixed(c.places))
	}
	return v
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

var placesOf = regexp.MustCompile(`[.,](\d{1,2})\)?$`)

// Slack is the rounding that n figures printed without cents may hide, half a unit each; with cents none.
func (c factColumn) Slack(n int) decimal.Decimal {
	if c.places == 2 {
		return decimal.New(1, -2)
	}
	return decimal.New(int64(n), 0).Div(decimal.New(2, 0))
}

// printedPlaces is how many places the figures of the column are printed with, 2 at most.
func (c factColumn) printedPlaces() (places int32) {
	for pointer, s := range c.sources {
		if !strings.HasPrefix(pointer, c.at+"/") || !strings.HasSuffix(pointer, "/amount") &&
			!strings.Contains(pointer, "/values/") {
			continue
		}
		if g := placesOf.FindStringSubmatch(strings.TrimSpace(s.Text)); g != nil {
			places = max(places, int32(len(g[1])))
		}
	}
	return places
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
		if !slices.Equal(read, anew) {
			d.leaveAsRead("lines_foot", "")
		}
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
