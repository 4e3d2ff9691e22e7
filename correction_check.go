package dossier

import (
	"slices"
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
