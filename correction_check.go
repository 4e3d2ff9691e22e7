package dossier

import (
	"fmt"
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

// entryTotal is a total of a bank's statement that may be the sum of its entries: of those of one account, or of all.
type entryTotal struct {
	pointer string
	fact    **Amount
	account *string
	out     bool // of what went out
}

func (b *BankFacts) entryTotals() []entryTotal {
	totals := []entryTotal{
		{"/totalDeposits", &b.TotalDeposits, nil, false}, {"/totalWithdrawals", &b.TotalWithdrawals, nil, true},
	}
	for i := range b.Accounts {
		a, at := &b.Accounts[i], fmt.Sprintf("/accounts/%d", i)
		totals = append(totals, entryTotal{at + "/deposits", &a.Deposits, a.Name, false},
			entryTotal{at + "/withdrawals", &a.Withdrawals, a.Name, true})
	}
	return totals
}

// of adds up the entries that a total is the sum of, without sign, and counts them.
func (t entryTotal) of(entries []BankEntry) (sum decimal.Decimal, n int) {
	sum = decimal.New(0, -2)
	for _, e := range entries {
		if e.Amount.IsNegative() == t.out && (t.account == nil || Text(e.Account) == *t.account) {
			sum, n = sum.Add(e.Amount.Abs()), n+1
		}
	}
	return sum, n
}

// sumEntries lets the totals that the machine added up of a bank's entries follow corrected entries, unless the person
// says something of the total too. It returns the pointers of the totals that moved.
func (d *ReadDocument) sumEntries(machine ReadDocument, part int, touched []string, set []Correction) (moved []string) {
	entry := func(p string) bool { return within("/entries", p) && strings.HasSuffix(p, "/amount") }
	if d.Facts.Bank == nil || machine.Facts.Bank == nil || !slices.ContainsFunc(touched, entry) {
		return nil
	}
	were := machine.Facts.Bank.entryTotals()
	for i, t := range d.Facts.Bank.entryTotals() {
		said := func(c Correction) bool { return c.Part == part && c.Pointer == t.pointer }
		was := were[i]
		read, _ := was.of(machine.Facts.Bank.Entries)
		if d.Derived[t.pointer] == "" || *was.fact == nil || !read.Equal((*was.fact).Decimal) ||
			slices.ContainsFunc(set, said) {
			continue
		}
		sum, n := t.of(d.Facts.Bank.Entries)
		if sum.Equal(read) {
			continue
		}
		of := "credits"
		if t.out {
			of = "debits"
		}
		*t.fact = &Amount{Decimal: sum}
		d.Derived[t.pointer] = fmt.Sprintf("sum of %d %s", n, of)
		moved = append(moved, t.pointer)
	}
	return moved
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
