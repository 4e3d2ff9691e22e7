package bank

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// account is one account of a statement while it is read.
type account struct {
	name         string
	nameTokens   []text.Token
	number       string
	numberTokens []text.Token
	opening      *bankItem
	closing      *bankItem
	items        []*bankItem // movements and the rest
	rows         []bankRow
	combined     bool // the printed total of several accounts
	loan         bool // what is owed, printed beside the deposits
	start        int  // line of its first item
	chosen       []*bankItem
	settled      bool
	foots        bool
	unread       bool // an amount of the summary was not understood
	runningStart bool // the opening balance is what leads to the first running one
	runningEnd   bool // the closing balance is the last running one
}

// bankAccounts groups captioned amounts into accounts: rows of summary tables first, then runs of items that
// each begin with an opening balance; a run that repeats a row's balances fills that row.
func bankAccounts(items []bankItem, numbers []text.AccountNumber, lines []text.Line, end *text.Date) []*account {
	rows, rest := tableAccounts(items)
	for _, r := range rows {
		label := text.Fold(lines[r.start].Text())
		r.loan = loanLabel.MatchString(label) && !accountWords.MatchString(label)
	}
	runs := runAccounts(rest, numbers, end)
	for _, r := range runs {
		above := headingAbove(lines, r.start)
		r.name, r.nameTokens = above.name, above.nameTokens
		if above.number != "" {
			r.number, r.numberTokens = above.number, above.numberTokens
		}
		r.loan = r != runs[0] && loanAbove(lines, r.start)
	}
	rows = dropRepeats(dropSubtotals(rows))
	if len(rows) == 1 && len(runs) == 0 {
		rows[0].combined = false
		return rows
	}
	if len(rows) == 1 && !rows[0].combined { // a table with one row is that account's summary
		for _, it := range rest {
			if it.kind == bankMinimum || it.kind == bankAvailable {
				rows[0].take(it)
			}
		}
		return mergeRuns(rows, runs, true)
	}
	if len(rows) > 1 {
		return mergeRuns(rows, runs, false)
	}
	if len(runs) == 0 {
		return []*account{{}}
	}
	return runs
}

// loanLabel matches the row of an overview that is no deposit account.
var loanLabel = lazyregexp.New(`\b(?:loans?|mortgage|heloc|line of credit|credit (?:card|line)|visa|mastercard)\b`)

// loanAbove reports whether the title of a section, right above its opening balance, names what is owed.
func loanAbove(lines []text.Line, at int) bool {
	for i := at - 1; i >= 0 && i >= at-4 && lines[i].Page == lines[at].Page; i-- {
		title := lines[i].Cells()[0]
		switch text := text.Fold(title.Text()); {
		case accountWords.MatchString(text):
			return false
		case len(title.Tokens) <= 4 && loanLabel.MatchString(text):
			return true
		}
	}
	return false
}

// tableAccounts makes an account of each row of a summary table.
func tableAccounts(items []bankItem) (rows []*account, rest []bankItem) {
	byRow := map[int]*account{}
	for i := range items {
		it := items[i]
		if it.rowID == 0 {
			rest = append(rest, it)
			continue
		}
		a := byRow[it.rowID]
		if a == nil {
			a = &account{name: it.row, number: it.number, start: it.line, nameTokens: it.label, numberTokens: it.label}
			folded := text.Fold(it.row)
			a.combined = strings.HasPrefix(folded, "total") || strings.HasSuffix(folded, "total") ||
				text.HasWords(folded, "combined") || text.HasWords(folded, "all accounts")
			byRow[it.rowID] = a
			rows = append(rows, a)
		}
		a.take(it)
	}
	return rows, rest
}

// dropSubtotals removes the totals of kinds of accounts ("Total savings accounts") from an overview that also
// has no total of all: what is left as combined is the sum of the accounts, or the only total there is.
func dropSubtotals(rows []*account) []*account {
	totals, sum := 0, decimal.Zero
	for _, r := range rows {
		switch {
		case r.combined:
			totals++
		case r.closing != nil && !r.loan:
			sum = sum.Add(r.closing.money.Value.Decimal)
		}
	}
	if totals < 2 {
		return rows
	}
	kept := slices.DeleteFunc(slices.Clone(rows), func(r *account) bool {
		return r.combined && (r.closing == nil || !r.closing.money.Value.Equal(sum))
	})
	if len(kept) == len(rows)-totals && rows[0].opening != nil {
		return dropRepeats(rows) // tables whose figures do not foot keep their first total
	}
	return dropRepeats(kept)
}

// dropRepeats removes combined rows that repeat one another ("Total", "TOTAL ASSETS").
func dropRepeats(rows []*account) []*account {
	var kept []*account
	seen := false
	for _, r := range rows {
		if r.combined && seen {
			continue
		}
		seen = seen || r.combined
		kept = append(kept, r)
	}
	return kept
}

func (a *account) take(it bankItem) {
	switch it.kind {
	case bankOpening:
		if a.opening == nil {
			a.opening = &it
		}
	case bankClosing, bankCurrent:
		if a.closing == nil || a.closing.kind == bankCurrent && it.kind == bankClosing {
			a.closing = &it
		}
	case bankBalance:
	default:
		for _, have := range a.items {
			caption := undatedTotal(it.caption)
			if have.kind == it.kind && undatedTotal(have.caption) == caption &&
				(have.money.Value.Equal(it.money.Value.Decimal) || strings.HasPrefix(caption, "total ")) {
				return // printed again, or the total of a day
			}
		}
		a.items = append(a.items, &it)
	}
}

// undatedTotal is a caption, folded, without the day that stands before the word for a total.
func undatedTotal(caption string) string {
	folded := text.Fold(caption)
	if at := strings.Index(folded, "total "); at > 0 && folded[0] >= '0' && folded[0] <= '9' {
		return folded[at:]
	}
	return folded
}

// numberBetween reports whether a different account number is printed between two lines.
func numberBetween(numbers []text.AccountNumber, from, to int) bool {
	last := ""
	for _, n := range numbers {
		if n.Line <= from+2 {
			last = n.Text
		}
	}
	for _, n := range numbers {
		if n.Line > from+2 && n.Line <= to+2 && last != "" && !sameNumber(n.Text, last) {
			return true
		}
	}
	return false
}

// sameNumber reports whether two numbers are of one account: an IBAN ends in the account's own number.
func sameNumber(a, b string) bool {
	bare := func(s string) string { return numberMarks.Replace(s) }
	a, b = bare(a), bare(b)
	return a == b || min(len(a), len(b)) >= 6 && (strings.HasSuffix(a, b) || strings.HasSuffix(b, a))
}

var numberMarks = strings.NewReplacer(" ", "", "-", "", "–", "", ".", "")

// datedBalance decides a bare "Balance on <date>": the closing one when the date ends the period, else the
// opening one of an account that has none yet.
func datedBalance(it bankItem, end *text.Date, run *account) bankKind {
	if it.kind != bankBalance {
		return it.kind
	}
	if it.date == nil {
		return bankNone
	}
	if end == nil { // without a period, of two days the first opens and the other closes
		switch {
		case run == nil || run.opening == nil:
			return bankOpening
		case run.opening.date != nil && run.opening.date.WithYear(*it.date).Before(*it.date):
			return bankClosing
		}
		return bankNone
	}
	d := it.date.WithYear(*end)
	if d == *end {
		return bankClosing
	}
	if (run == nil || run.opening == nil) && d.Before(*end) && end.Time().Sub(d.Time()).Hours() > 24*20 {
		return bankOpening
	}
	return bankNone
}

// accountHeading is the title of an account's section.
type accountHeading struct {
	name, number             string
	nameTokens, numberTokens []text.Token
}

// headingAbove is the nearest product name above a line, with the number in it or below it.
func headingAbove(lines []text.Line, at int) accountHeading {
	for i := min(at, len(lines)-1); i >= 0 && i > at-25; i-- {
		for _, cell := range lines[i].Cells() {
			name, number := splitAccountLabel(cell)
			name = strings.Trim(name, " -–:")
			if isProductName(name) || i < at && loneAccountWord.MatchString(name) {
				if below := numberUnder(lines, i); number == "" && below != nil {
					return accountHeading{name, below[0].Text, cell.Tokens, below}
				}
				return accountHeading{name, number, cell.Tokens, cell.Tokens}
			}
		}
	}
	return accountHeading{}
}

// bareNumber is an account number without a caption or a mask.
var bareNumber = lazyregexp.New(`^\d{8,17}$`)

// numberUnder is the account number that begins the line under a title.
func numberUnder(lines []text.Line, title int) []text.Token {
	if title+1 >= len(lines) || lines[title+1].Page != lines[title].Page {
		return nil
	}
	if first := lines[title+1].Cells()[0]; len(first.Tokens) == 1 && bareNumber.MatchString(first.Tokens[0].Text) {
		return first.Tokens
	}
	return nil
}

// assignRows gives each transaction to the account in whose part of the statement it stands.
func (b *bankReader) assignRows() {
	for _, r := range b.rows {
		var home *account
		for _, a := range b.accounts {
			if !a.combined && (home == nil || a.start <= r.line && a.start >= home.start) {
				home = a
			}
		}
		if home != nil {
			home.rows = append(home.rows, r)
		}
	}
	for _, a := range b.accounts {
		a.correctRows()
		a.dropRepeatedChecks()
		a.lastBalance()
		a.firstBalance()
		a.bothBalances()
	}
	b.markUnread()
}

// correctRows settles the signs of the account's rows and corrects what the running balance contradicts.
func (a *account) correctRows() {
	var opening, closing *decimal.Decimal
	if a.opening != nil {
		settleSigns(a.rows, &a.opening.money.Value)
		opening = &a.opening.money.Value.Decimal
	}
	if a.closing != nil {
		closing = &a.closing.money.Value.Decimal
	}
	a.signPositive()
	correctByBalances(a.rows, opening, closing)
}

// signPositive takes amounts without a sign as money in where the same column prints a minus before money out.
func (a *account) signPositive() {
	if !slices.ContainsFunc(a.rows, func(r bankRow) bool { return r.unsectioned && r.amount.Value.IsNegative() }) {
		return
	}
	for i, r := range a.rows {
		if r.sign == 0 && r.unsectioned {
			a.rows[i].sign = 1
		}
	}
}

// dropRepeatedChecks leaves out the list of checks when the activity lists them too.
func (a *account) dropRepeatedChecks() {
	var kept []bankRow
	for _, r := range a.rows {
		repeated := r.check && slices.ContainsFunc(a.rows, func(o bankRow) bool {
			return !o.check && o.date.Month == r.date.Month && o.date.Day == r.date.Day &&
				o.amount.Value.Abs().Equal(r.amount.Value.Abs())
		})
		if !repeated {
			kept = append(kept, r)
		}
	}
	a.rows = kept
}
