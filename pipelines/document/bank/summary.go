package bank

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// balances sets the facts of the summary: one account's at the top level, several as a list beside the
// printed combined ones.
func (b *bankReader) balances() {
	var accounts []*account
	var combined *account
	for _, a := range b.accounts {
		if a.combined {
			combined = a
			continue
		}
		if !a.loan {
			accounts = append(accounts, a)
		}
	}
	b.foots = len(accounts) > 0
	for _, a := range accounts {
		a.settle()
		a.correctBySummary()
		b.foots = b.foots && (a.foots || a.rowsFoot())
	}
	if len(accounts) == 1 {
		b.setTopLevelFacts(accounts[0])
		return
	}
	for i, a := range accounts {
		b.facts.Accounts = append(b.facts.Accounts, b.accountFacts(i, a))
	}
	if combined != nil {
		b.amount(&b.facts.OpeningBalance, "/openingBalance", combined.opening)
		b.amount(&b.facts.ClosingBalance, "/closingBalance", combined.closing)
	}
	b.reconcileAll(accounts)
}

func (b *bankReader) amount(at **dossier.Amount, pointer string, it *bankItem) {
	if it == nil || b.doubtful(it) {
		return
	}
	v := it.money.Value
	*at = &v
	b.found.From(pointer, it.tokens, it.caption)
}

// opening sets an account's opening balance: printed, or derived from the running balances.
func (b *bankReader) opening(at **dossier.Amount, pointer string, a *account) {
	if !a.runningStart {
		b.amount(at, pointer, a.opening)
		return
	}
	v := a.opening.money.Value
	*at = &v
	b.found.Derive(pointer, "first running balance minus the transactions up to it")
}

// doubtful reports whether a figure was hard to read and no arithmetic confirms it: it is left out, with a
// warning, for a wrong figure is worse than none.
func (b *bankReader) doubtful(it *bankItem) bool {
	if it.tokens[0].Method != text.MethodOCR || b.foots {
		return false
	}
	for _, t := range it.tokens {
		if t.Confidence < text.Surely {
			b.found.Warn("low_confidence", "The amount after %q was hard to read and was left out.", it.caption)
			return true
		}
	}
	return false
}

// sum sets a fact to the sum of printed items: the item itself when it is one.
func (b *bankReader) sum(at **dossier.Amount, pointer string, items []*bankItem) {
	if len(items) == 0 || slices.ContainsFunc(items, b.doubtful) {
		return
	}
	total := decimal.Zero
	var names []string
	for _, it := range items {
		total = total.Add(it.money.Value.Abs())
		names = append(names, strings.TrimSpace(it.caption))
	}
	v := dossier.Amount{Decimal: total}
	*at = &v
	if len(items) == 1 {
		b.found.From(pointer, items[0].tokens, items[0].caption)
		return
	}
	b.found.Derive(pointer, "sum of "+strings.Join(names, ", "))
}

// setTopLevelFacts sets the top-level facts from the only account.
func (b *bankReader) setTopLevelFacts(a *account) {
	f := b.facts
	b.opening(&f.OpeningBalance, "/openingBalance", a)
	b.amount(&f.ClosingBalance, "/closingBalance", a.closing)
	if a.runningEnd && f.ClosingBalance != nil {
		b.found.Derive("/closingBalance", "last running balance")
	}
	b.amount(&f.AvailableBalance, "/availableBalance", a.first(bankAvailable))
	b.amount(&f.MinimumDailyBalance, "/minimumDailyBalance", a.first(bankMinimum))
	b.sum(&f.TotalDeposits, "/totalDeposits", a.ofKind(bankDeposits))
	b.sum(&f.TotalWithdrawals, "/totalWithdrawals", a.ofKind(bankWithdrawals))
	b.sum(&f.TotalCredits, "/totalCredits", a.ofKind(bankCredits))
	b.sum(&f.TotalDebits, "/totalDebits", a.ofKind(bankDebits))
	b.sum(&f.Checks, "/checks", a.ofKind(bankChecks))
	b.sum(&f.ServiceFees, "/serviceFees", a.ofKind(bankFees))
	b.sum(&f.Interest, "/interest", a.ofKind(bankInterest))
	b.count(&f.DepositCount, "/depositCount", firstOf(a.ofKind(bankDeposits), a.ofKind(bankCredits)))
	b.count(&f.WithdrawalCount, "/withdrawalCount", firstOf(a.ofKind(bankWithdrawals), a.ofKind(bankDebits)))
	b.totalsFromRows(a)
	b.reconcileAll([]*account{a})
}

// firstOf are the movements under the one caption, else those under the other: "8 Credits" counts deposits too.
func firstOf(items, others []*bankItem) []*bankItem {
	if len(items) > 0 {
		return items
	}
	return others
}

// count sets a fact to the count that a caption prints ("Deposits (14)").
func (b *bankReader) count(at **int, pointer string, items []*bankItem) {
	if len(items) == 1 && items[0].count != nil && (items[0].rowID == 0 || items[0].counted) {
		*at = items[0].count
		b.found.From(pointer, b.lines[items[0].line].Tokens, items[0].caption)
	}
}

// totalsFromRows sums the listed transactions when the statement prints no totals and the list accounts
// for the whole change of the balance.
func (b *bankReader) totalsFromRows(a *account) {
	if len(a.ofKind(bankDeposits))+len(a.ofKind(bankWithdrawals))+len(a.ofKind(bankCredits))+len(a.ofKind(bankDebits))+
		len(a.ofKind(bankChecks)) > 0 || !a.rowsFoot() || len(a.rows) == 0 {
		return
	}
	in, out, ins, outs := a.rowSums()
	if ins > 0 {
		b.facts.TotalDeposits = &dossier.Amount{Decimal: in}
		b.found.Derive("/totalDeposits", fmt.Sprintf("sum of %d credits", ins))
	}
	if outs > 0 {
		b.facts.TotalWithdrawals = &dossier.Amount{Decimal: out}
		b.found.Derive("/totalWithdrawals", fmt.Sprintf("sum of %d debits", outs))
	}
}

func (b *bankReader) accountFacts(i int, a *account) dossier.BankAccount {
	var f dossier.BankAccount
	if a.name != "" {
		f.Name = &a.name
		b.found.From(text.Pointer("accounts", i, "name"), a.nameTokens, "")
	}
	if a.number != "" {
		f.AccountNumber = &a.number
		b.found.From(text.Pointer("accounts", i, "accountNumber"), a.numberTokens, "")
	}
	b.opening(&f.OpeningBalance, text.Pointer("accounts", i, "openingBalance"), a)
	b.amount(&f.ClosingBalance, text.Pointer("accounts", i, "closingBalance"), a.closing)
	b.sum(&f.Deposits, text.Pointer("accounts", i, "deposits"),
		append(a.ofKind(bankDeposits), a.ofKind(bankCredits)...))
	b.sum(&f.Withdrawals, text.Pointer("accounts", i, "withdrawals"),
		append(a.ofKind(bankWithdrawals), a.ofKind(bankDebits)...))
	b.sum(&f.Checks, text.Pointer("accounts", i, "checks"), a.ofKind(bankChecks))
	b.sum(&f.Interest, text.Pointer("accounts", i, "interest"), a.ofKind(bankInterest))
	b.sum(&f.Fees, text.Pointer("accounts", i, "fees"), a.ofKind(bankFees))
	if len(a.rows) > 0 && a.rowsFoot() {
		n := len(a.rows)
		f.Transactions = &n
		b.found.Derive(text.Pointer("accounts", i, "transactions"), "count of the listed transactions")
	}
	return f
}

// reconcileAll states whether the accounts foot. It is unknown when no account prints both balances and the
// movements between them.
func (b *bankReader) reconcileAll(accounts []*account) {
	known, all := 0, true
	for _, a := range accounts {
		passed, detail, ok := a.reconciles()
		if !ok {
			continue
		}
		known++
		all = all && passed
		if len(accounts) > 1 && a.name != "" {
			detail = a.name + ": " + detail
		}
		b.found.Check("reconciles", passed, "%s", detail)
		if !passed {
			b.found.Warn("possible_tampering", "The balances do not foot: %s", detail)
		}
	}
	if known > 0 {
		b.facts.Reconciles = &all
		b.found.Derive("/reconciles", "opening balance plus credits minus debits against the closing balance")
		if all {
			b.found.Evidence = append(b.found.Evidence, "balances foot")
		}
	}
}
