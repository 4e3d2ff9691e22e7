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
			if have.kind == it.kind && have.money.Value.Equal(it.money.Value.Decimal) &&
				text.Fold(have.caption) == text.Fold(it.caption) {
				return // printed again
			}
		}
		a.items = append(a.items, &it)
	}
}

// runAccounts parts a sequence of captioned amounts where another account's opening balance begins.
func runAccounts(items []bankItem, numbers []text.AccountNumber, end *text.Date) []*account {
	r := accountRuns{numbers: numbers}
	for _, it := range items {
		it.kind = datedBalance(it, end, r.open)
		if it.kind != bankNone && r.takes(it) {
			r.open.take(it)
		}
	}
	return dropEmpty(r.runs)
}

// accountRuns are the accounts that captioned amounts are of, as they come; open is the last.
type accountRuns struct {
	numbers []text.AccountNumber
	runs    []*account
	open    *account
}

// begin opens an account with the number that is printed above its first amount.
func (r *accountRuns) begin(it bankItem) {
	r.open = &account{start: it.line}
	for _, n := range r.numbers {
		if n.Line <= it.line+2 {
			r.open.number, r.open.numberTokens = n.Text, n.Tokens
		}
	}
	r.runs = append(r.runs, r.open)
}

// takes reports whether the open account takes an amount, which may open another one.
func (r *accountRuns) takes(it bankItem) bool {
	if r.open == nil {
		r.begin(it)
		return true
	}
	switch it.kind {
	case bankOpening:
		if r.carriesForward(it) {
			r.open.closing = nil
			return false
		}
		if r.open.opening != nil {
			if r.opened(it) {
				return false
			}
			r.begin(it)
		}
	case bankClosing, bankCurrent:
	default:
		return !r.closedBefore(it)
	}
	return true
}

// carriesForward reports whether an opening balance is the closing one of the page before.
func (r *accountRuns) carriesForward(it bankItem) bool {
	closing := r.open.closing
	return closing != nil && closing.money.Value.Equal(it.money.Value.Decimal) &&
		strings.Contains(text.Fold(it.caption), "forward")
}

// opened reports whether an account began with this balance already and no other number is printed since.
func (r *accountRuns) opened(it bankItem) bool {
	return slices.ContainsFunc(r.runs, func(a *account) bool {
		return a.opening != nil && a.opening.money.Value.Equal(it.money.Value.Decimal) &&
			!numberBetween(r.numbers, a.start, it.line)
	})
}

// closedBefore reports whether an amount is a total of the sections that follow the summary.
func (r *accountRuns) closedBefore(it bankItem) bool {
	a := r.open
	return a.opening != nil && a.closing != nil && it.line-a.closing.line > 3 && len(a.movements()) > 0
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
	if it.date == nil || end == nil {
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

// dropEmpty removes runs that have no balance at all, unless they are all there is.
func dropEmpty(runs []*account) []*account {
	var kept []*account
	for _, r := range runs {
		if r.opening != nil || r.closing != nil {
			kept = append(kept, r)
		}
	}
	if len(kept) == 0 && len(runs) > 0 {
		return runs[:1]
	}
	return kept
}

// mergeRuns fills the rows of a summary table with the runs that print the same balances.
func mergeRuns(rows, runs []*account, lone bool) []*account {
	for _, r := range runs {
		matched := false
		for _, row := range rows {
			if row.combined || !row.sameOpening(r) {
				continue
			}
			if row.closing != nil && r.closing != nil && !row.closing.money.Value.Equal(r.closing.money.Value.Decimal) {
				continue
			}
			matched = true
			if row.opening == nil {
				row.opening = r.opening
			}
			if row.closing == nil {
				row.closing = r.closing
			}
			if len(row.items) == 0 {
				row.items = r.items
			}
			if row.number == "" {
				row.number, row.numberTokens = r.number, r.numberTokens
			}
			if row.name == "" {
				row.name, row.nameTokens = r.name, r.nameTokens
			}
			row.start = r.start
			break
		}
		if !matched && r.opening != nil && r.closing != nil && !lone {
			rows = append(rows, r)
		}
	}
	return rows
}

// sameOpening reports whether a run can be the row's account: by its opening balance, or where the table has
// none, by its closing balance or else its number: a heading that OCR lost leaves a run with the number before it.
func (a *account) sameOpening(run *account) bool {
	if run.opening == nil {
		return false
	}
	if a.opening != nil {
		return a.opening.money.Value.Equal(run.opening.money.Value.Decimal)
	}
	if a.closing != nil && run.closing != nil {
		return a.closing.money.Value.Equal(run.closing.money.Value.Decimal)
	}
	return a.number != "" && strings.ReplaceAll(a.number, " ", "") == strings.ReplaceAll(run.number, " ", "")
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
		a.mend()
		a.dropRepeatedChecks()
		a.lastBalance()
		a.firstBalance()
		a.bothBalances()
	}
	b.markUnread()
}

// mend settles the signs of the account's rows and corrects what the running balance contradicts.
func (a *account) mend() {
	var opening, closing *decimal.Decimal
	if a.opening != nil {
		settleSigns(a.rows, &a.opening.money.Value)
		opening = &a.opening.money.Value.Decimal
	}
	if a.closing != nil {
		closing = &a.closing.money.Value.Decimal
	}
	a.signPositive()
	mendRows(a.rows, opening, closing)
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
