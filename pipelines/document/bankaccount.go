package document

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// account is one account of a statement while it is read.
type account struct {
	name         string
	nameTokens   []Token
	number       string
	numberTokens []Token
	opening      *bankItem
	closing      *bankItem
	items        []*bankItem // movements and the rest
	rows         []bankRow
	combined     bool // the printed total of several accounts
	start        int  // line of its first item
	chosen       []*bankItem
	settled      bool
	foots        bool
}

// bankAccounts groups captioned amounts into accounts: rows of summary tables first, then runs of items that
// each begin with an opening balance; a run that repeats a row's balances fills that row.
func bankAccounts(items []bankItem, numbers []bankNumber, lines []Line, end *Date) []*account {
	rows, rest := tableAccounts(items)
	runs := runAccounts(rest, numbers, end)
	for _, r := range runs {
		name, number, tokens := headingAbove(lines, r.start)
		r.name, r.nameTokens = name, tokens
		if number != "" {
			r.number, r.numberTokens = number, tokens
		}
	}
	rows = dropRepeats(dropSubtotals(rows))
	if len(rows) == 1 && len(runs) == 0 {
		rows[0].combined = false
		return rows
	}
	if len(rows) == 1 && !rows[0].combined { // a table with one row is that account's summary
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
			folded := Fold(it.row)
			a.combined = strings.HasPrefix(folded, "total") || strings.HasSuffix(folded, "total") || HasWords(folded, "combined") || HasWords(folded, "all accounts")
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
		case r.closing != nil:
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
			if have.kind == it.kind && have.money.Value.Equal(it.money.Value.Decimal) && Fold(have.caption) == Fold(it.caption) {
				return // printed again
			}
		}
		a.items = append(a.items, &it)
	}
}

// runAccounts parts a sequence of captioned amounts where another account's opening balance begins.
func runAccounts(items []bankItem, numbers []bankNumber, end *Date) []*account {
	var runs []*account
	var run *account
	begin := func(it bankItem) {
		run = &account{start: it.line}
		for _, n := range numbers {
			if n.line <= it.line+2 {
				run.number, run.numberTokens = n.text, n.tokens
			}
		}
		runs = append(runs, run)
	}
	known := func(it bankItem) bool {
		for _, r := range runs {
			if r.opening != nil && r.opening.money.Value.Equal(it.money.Value.Decimal) && !numberBetween(numbers, r.start, it.line) {
				return true
			}
		}
		return false
	}
	for _, it := range items {
		it.kind = datedBalance(it, end, run)
		switch it.kind {
		case bankNone:
			continue
		case bankOpening:
			if run != nil && run.closing != nil && run.closing.money.Value.Equal(it.money.Value.Decimal) && strings.Contains(Fold(it.caption), "forward") {
				run.closing = nil // the next page of the same account
				continue
			}
			if run != nil && run.opening != nil && known(it) {
				continue
			}
			if run == nil || run.opening != nil {
				begin(it)
			}
		case bankClosing, bankCurrent:
			if run == nil {
				begin(it)
			}
		default:
			if run == nil {
				begin(it)
			}
			if run.closing != nil && it.line > run.closing.line && run.opening != nil && it.line-run.closing.line > 3 {
				if len(run.movements()) > 0 {
					continue // totals of the sections that follow the summary
				}
			}
		}
		run.take(it)
	}
	return dropEmpty(runs)
}

// numberBetween reports whether a different account number is printed between two lines.
func numberBetween(numbers []bankNumber, from, to int) bool {
	last := ""
	for _, n := range numbers {
		if n.line <= from+2 {
			last = n.text
		}
	}
	for _, n := range numbers {
		if n.line > from+2 && n.line <= to+2 && n.text != last && last != "" {
			return true
		}
	}
	return false
}

// datedBalance decides a bare "Balance on <date>": the closing one when the date ends the period, else the
// opening one of an account that has none yet.
func datedBalance(it bankItem, end *Date, run *account) bankKind {
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

// headingAbove is the nearest product name above a line: the title of the account's section.
func headingAbove(lines []Line, at int) (name, number string, tokens []Token) {
	for i := min(at, len(lines)-1); i >= 0 && i > at-25; i-- {
		for _, cell := range lines[i].Cells() {
			name, number := splitAccountLabel(cell)
			if isProductName(name) || i < at && loneAccountWord.MatchString(name) {
				return name, number, cell.Tokens
			}
		}
	}
	return "", "", nil
}

// movements are the items that move the balance.
func (a *account) movements() []*bankItem {
	var moves []*bankItem
	for _, it := range a.items {
		if it.kind.credits() || it.kind.debits() {
			moves = append(moves, it)
		}
	}
	return moves
}

func (a *account) first(kind bankKind) *bankItem {
	for _, it := range a.items {
		if it.kind == kind {
			return it
		}
	}
	return nil
}

// settle chooses which of the printed movements make up the change of the balance: the largest set under
// which the account foots, since a total and its parts may both be printed.
func (a *account) settle() {
	if a.settled {
		return
	}
	a.settled = true
	a.chosen = a.wholes()
	moves := a.movements()
	if a.opening == nil || a.closing == nil || len(moves) == 0 {
		return
	}
	moves = moves[:min(len(moves), 14)]
	change := a.closing.money.Value.Sub(a.opening.money.Value.Decimal)
	best, size := uint(0), -1
	for set := uint(0); set < 1<<len(moves); set++ {
		if n := bits.OnesCount(set); n > size && sumOf(moves, set).Equal(change) {
			best, size = set, n
		}
	}
	if size <= 0 {
		return
	}
	a.foots = true
	a.chosen = nil
	for i, it := range moves {
		if best&(1<<i) != 0 {
			a.chosen = append(a.chosen, it)
		}
	}
}

func sumOf(moves []*bankItem, set uint) decimal.Decimal {
	sum := decimal.Zero
	for i, it := range moves {
		if set&(1<<i) != 0 {
			sum = sum.Add(it.move())
		}
	}
	return sum
}

// move is the item's effect on the balance: captions of money out make any printed sign negative.
func (it *bankItem) move() decimal.Decimal {
	if it.kind.debits() {
		return it.money.Value.Abs().Neg()
	}
	return it.money.Value.Decimal
}

// wholes are the movements to use when no set foots: totals rather than their parts.
func (a *account) wholes() []*bankItem {
	whole := map[bool]bool{}
	for _, it := range a.movements() {
		if !it.part && (it.kind == bankDeposits || it.kind == bankCredits || it.kind == bankWithdrawals || it.kind == bankDebits) {
			whole[it.kind.credits()] = true
		}
	}
	var chosen []*bankItem
	for _, it := range a.movements() {
		if it.part && whole[it.kind.credits()] {
			continue
		}
		chosen = append(chosen, it)
	}
	return chosen
}

// family is the chosen movements of a kind. Zeros that were not needed are printed facts too.
func (a *account) family(kind bankKind) []*bankItem {
	a.settle()
	var items []*bankItem
	for _, it := range a.chosen {
		if it.kind == kind {
			items = append(items, it)
		}
	}
	if len(items) == 0 { // printed, but not part of the change: interest within deposits, say
		for _, it := range a.movements() {
			if it.kind == kind && !it.part {
				return []*bankItem{it}
			}
		}
	}
	return items
}

// reconciles checks opening + credits - debits = closing; ok is false when something of it is not printed.
func (a *account) reconciles() (passed bool, detail string, ok bool) {
	a.settle()
	if a.opening == nil || a.closing == nil {
		return false, "", false
	}
	open, closing := a.opening.money.Value.Decimal, a.closing.money.Value.Decimal
	if len(a.chosen) == 0 {
		if len(a.rows) == 0 {
			return false, "", false
		}
		in, out, _, _ := a.rowSums()
		passed = a.rowsFoot()
		if !passed {
			return false, "", false // the list may not have been read whole
		}
		return true, footing(open, in, out, closing), true
	}
	in, out := decimal.Zero, decimal.Zero
	for _, it := range a.chosen {
		if v := it.move(); it.kind.credits() {
			in = in.Add(v)
		} else {
			out = out.Sub(v)
		}
	}
	return open.Add(in).Sub(out).Equal(closing), footing(open, in, out, closing), true
}

// footing is the arithmetic in words, with the true result when it differs.
func footing(open, in, out, closing decimal.Decimal) string {
	sum := open.Add(in).Sub(out)
	text := commas(open) + " + " + commas(in) + " - " + commas(out) + " = " + commas(sum)
	if !sum.Equal(closing) {
		text += ", but the closing balance is " + commas(closing)
	}
	return text
}

// commas prints an amount with two places and thousands separators.
func commas(d decimal.Decimal) string {
	s := d.Abs().StringFixed(2)
	whole, cents, _ := strings.Cut(s, ".")
	var b strings.Builder
	if d.IsNegative() {
		b.WriteByte('-')
	}
	for i, r := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	return b.String() + "." + cents
}

// rowSums adds the listed transactions by sign.
func (a *account) rowSums() (in, out decimal.Decimal, ins, outs int) {
	for _, r := range a.rows {
		switch v := r.signed(); {
		case r.sign == 0:
		case v.IsNegative():
			out = out.Sub(v)
			outs++
		default:
			in = in.Add(v)
			ins++
		}
	}
	return in, out, ins, outs
}

// rowsFoot reports whether the listed transactions, all signs known, account for the change of the balance.
func (a *account) rowsFoot() bool {
	if a.opening == nil || a.closing == nil || len(a.rows) == 0 {
		return false
	}
	for _, r := range a.rows {
		if r.sign == 0 {
			return false
		}
	}
	in, out, _, _ := a.rowSums()
	return a.opening.money.Value.Add(in).Sub(out).Equal(a.closing.money.Value.Decimal)
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
		if a.opening != nil {
			settleSigns(a.rows, &a.opening.money.Value)
			repairRows(a.rows, a.opening.money.Value.Decimal)
		}
		a.dropRepeatedChecks()
	}
}

// dropRepeatedChecks leaves out the list of checks when the activity lists them too.
func (a *account) dropRepeatedChecks() {
	var kept []bankRow
	for _, r := range a.rows {
		repeated := r.check && slices.ContainsFunc(a.rows, func(o bankRow) bool {
			return !o.check && o.date.Month == r.date.Month && o.date.Day == r.date.Day && o.amount.Value.Abs().Equal(r.amount.Value.Abs())
		})
		if !repeated {
			kept = append(kept, r)
		}
	}
	a.rows = kept
}

// repairRows corrects amounts that OCR misread by a character where the running balances on both sides say
// what they must be.
func repairRows(rows []bankRow, before decimal.Decimal) {
	known := true
	for i := range rows {
		r := &rows[i]
		if r.balance == nil {
			before = before.Add(r.signed())
			continue
		}
		now := r.balance.Value.Decimal
		if r.tokens[0].Method == MethodOCR && known && !before.Add(r.signed()).Equal(now) {
			if diff := now.Sub(before); nearly(diff.Abs().StringFixed(2), r.amount.Value.Abs().StringFixed(2)) {
				r.amount.Value, r.sign = dossier.Amount{Decimal: diff}, diff.Sign()
			}
		}
		before, known = now, true
	}
}

// nearly reports whether two figures differ by one character: replaced, added or lost.
func nearly(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		return i == len(a) || a[i+1:] == b[i+1:]
	}
	return a[i:] == b[i+1:]
}
