package dossier

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// recheck does the arithmetic of a part again when figures of it were corrected at the pointers. Checks that need
// more than the facts stay as the machine left them.
func (d *ReadDocument) recheck(pointers []string) {
	switch {
	case d.Facts.Bank != nil && slices.ContainsFunc(pointers, movesBalance):
		d.recheckBank(!slices.Contains(pointers, "/reconciles"))
	case d.Facts.Statement != nil:
		d.recheckBalance(pointers)
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
		sum := moneyWords(
			r.opening.Decimal,
		) + " + " + moneyWords(
			in,
		) + " - " + moneyWords(
			out,
		) + " = " + moneyWords(
			total,
		)
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
	accounts := []rollForward{
		{
			"",
			b.OpeningBalance,
			firstAmount(b.TotalDeposits, b.TotalCredits),
			firstAmount(b.TotalWithdrawals, b.TotalDebits),
			b.Checks,
			b.ServiceFees,
			b.Interest,
			b.ClosingBalance,
		},
	}
	if len(b.Accounts) > 0 {
		accounts = nil
	}
	for _, a := range b.Accounts {
		accounts = append(
			accounts,
			rollForward{
				Text(a.Name),
				a.OpeningBalance,
				a.Deposits,
				a.Withdrawals,
				a.Checks,
				a.Fees,
				a.Interest,
				a.ClosingBalance,
			},
		)
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
	if len(checks) == 0 || !all && !stood && b.Reconciles == nil {
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

// recheckBalance says anew whether the balance sheets balance whose totals were corrected.
func (d *ReadDocument) recheckBalance(pointers []string) {
	for i, column := range d.Facts.Statement.Statements.BalanceSheet {
		at := fmt.Sprintf("/statements/balanceSheet/%d/values/total", i)
		if !slices.ContainsFunc(pointers, func(p string) bool { return strings.HasPrefix(p, at) }) {
			continue
		}
		k := slices.IndexFunc(d.Checks, func(c FactCheck) bool {
			return c.Name == "balance_sheet_balances" && strings.HasPrefix(c.Detail, column.Label+": ")
		})
		if k < 0 {
			continue
		}
		if passed, detail, ok := balances(column.Values, d.Facts.Statement.Unit); ok {
			d.Checks[k].Passed, d.Checks[k].Detail = passed, column.Label+": "+detail
		}
	}
}

// balances says whether total assets are what a sheet's other totals give: of the sums that it prints the first that
// holds, else the first. Amounts are said as they are printed, in units; each may be rounded by half a one. Not ok: it
// prints none.
func balances(values map[string]Amount, unit int64) (passed bool, detail string, ok bool) {
	assets, there := values["totalAssets"]
	if !there {
		return false, "", false
	}
	units := decimal.NewFromInt(max(unit, 1))
	for _, terms := range [][]string{
		{"totalLiabilitiesAndEquity"}, {"totalLiabilities", "totalEquity"},
		{"totalCurrentAssets", "totalNonCurrentAssets"},
	} {
		sum, printed := decimal.Zero, []string{}
		for _, key := range terms {
			if v, there := values[key]; there {
				sum, printed = sum.Add(v.Decimal), append(printed, inUnits(v, unit))
			}
		}
		slack := units.Mul(decimal.NewFromInt(int64(len(terms) + 1))).Div(decimal.NewFromInt(2))
		holds := sum.Sub(assets.Decimal).Abs().LessThanOrEqual(slack)
		if len(printed) < len(terms) || ok && !holds {
			continue
		}
		equals := " = "
		if !holds {
			equals = " is not "
		}
		passed, detail, ok = holds, strings.Join(printed, " + ")+equals+inUnits(assets, unit), true
		if holds {
			break
		}
	}
	return passed, detail, ok
}

// inUnits is an amount as statements print it: in thousands or millions where they do, negative ones in brackets.
func inUnits(a Amount, unit int64) string {
	size := Amount{a.Abs()}
	if unit > 1 {
		// without places that are zero
		size = Amount{decimal.RequireFromString(size.Div(decimal.NewFromInt(unit)).String())}
	}
	if a.IsNegative() {
		return "(" + moneyText(size.String()) + ")"
	}
	return moneyText(size.String())
}

// CheckEffect is a check that corrections turn: nil where there is none of its name.
type CheckEffect struct {
	Part   int    `json:"part"`
	Name   string `json:"name"`
	Before *bool  `json:"before"`
	After  *bool  `json:"after"`
}

// CheckEffects lists the checks that differ between two readings of a file, in the order of its parts.
func CheckEffects(before, after Extraction) []CheckEffect {
	effects := []CheckEffect{}
	for i := range min(len(before.Documents), len(after.Documents)) {
		was, is := passedByName(before.Documents[i]), passedByName(after.Documents[i])
		names := []string{}
		for _, c := range slices.Concat(before.Documents[i].Checks, after.Documents[i].Checks) {
			if !slices.Contains(names, c.Name) {
				names = append(names, c.Name)
			}
		}
		for _, name := range names {
			b, a := was[name], is[name]
			if (b == nil) != (a == nil) || b != nil && *b != *a {
				effects = append(effects, CheckEffect{i, name, b, a})
			}
		}
	}
	return effects
}

// passedByName says of each kind of check whether all of them passed.
func passedByName(d ReadDocument) map[string]*bool {
	passed := map[string]*bool{}
	for _, c := range d.Checks {
		all := c.Passed && (passed[c.Name] == nil || *passed[c.Name])
		passed[c.Name] = &all
	}
	return passed
}
