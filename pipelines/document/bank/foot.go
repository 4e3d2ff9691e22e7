package bank

import (
	"math/bits"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

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
	a.chosen = a.totalsOnly()
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

// totalsOnly are the movements to use when no set foots: totals rather than their parts.
func (a *account) totalsOnly() []*bankItem {
	whole := map[bool]bool{}
	for _, it := range a.movements() {
		if !it.part && (it.kind == bankDeposits || it.kind == bankCredits || it.kind == bankWithdrawals ||
			it.kind == bankDebits) {
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

// ofKind is the chosen movements of a kind. Zeros that were not needed are printed facts too.
func (a *account) ofKind(kind bankKind) []*bankItem {
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
	if open.Add(in).Sub(out).Equal(closing) {
		return true, footing(open, in, out, closing), true
	}
	if a.rowsFoot() { // a movement of the summary was not understood
		in, out, _, _ = a.rowSums()
		return true, footing(open, in, out, closing), true
	}
	return false, footing(open, in, out, closing), !a.unread && a.bothWays()
}

// bothWays reports whether the summary says what came in and what went out: else a part of it was not read.
func (a *account) bothWays() bool {
	in, out := false, false
	for _, it := range a.chosen {
		in, out = in || it.kind.credits(), out || it.kind.debits()
	}
	return in && out
}

// markUnread finds the accounts whose summary holds an amount that no caption explains: it may be what is missing when
// the account does not foot.
func (b *bankReader) markUnread() {
	read := map[text.Token]bool{}
	for _, it := range b.items {
		read[it.tokens[0]] = true
	}
	listed := map[int]bool{}
	for _, r := range b.rows {
		listed[r.line] = true
	}
	for _, a := range b.accounts {
		if a.opening == nil || a.closing == nil {
			continue
		}
		first, last := min(a.opening.line, a.closing.line), max(a.opening.line, a.closing.line)
		for at := first; at <= last && !a.unread; at++ {
			a.unread = !listed[at] && b.hasUnread(b.lines[at], read)
		}
	}
}

// hasUnread reports whether a line has an amount that is neither read nor of no concern to the balance, as averages
// are. One without words beside it has its caption elsewhere: another tile of the summary.
func (b *bankReader) hasUnread(l text.Line, read map[text.Token]bool) bool {
	from := 0
	for _, m := range text.MoneyOn(l, b.Style) {
		caption := text.Fold(l.Words(from, m.First))
		from = m.Last + 1
		if !read[l.Tokens[m.First]] && !m.Value.IsZero() && caption != "" &&
			!bankPhrases[0].pattern.MatchString(caption) {
			return true
		}
	}
	return false
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

// lastBalance closes an account whose closing balance has no caption: it is the running balance of the last
// transaction, to which all that are listed lead from the opening balance.
func (a *account) lastBalance() {
	if a.opening == nil || a.closing != nil || len(a.rows) < 2 {
		return
	}
	for _, r := range []bankRow{a.rows[len(a.rows)-1], a.rows[0]} { // the newest may stand first
		if r.balance == nil {
			continue
		}
		a.closing = &bankItem{captionRead: captionRead{kind: bankClosing}, money: *r.balance, tokens: r.balanceAt,
			caption: "balance", line: r.line}
		if a.runningEnd = a.rowsFoot(); a.runningEnd {
			return
		}
		a.closing = nil
	}
}

// firstBalance opens an account whose opening balance is not printed: the listed transactions lead from it to the
// closing balance, past every running balance on the way.
func (a *account) firstBalance() {
	if a.opening != nil || a.closing == nil || len(a.rows) < 2 {
		return
	}
	in, out, _, _ := a.rowSums()
	opening := a.closing.money.Value.Sub(in).Add(out)
	at, met := opening, 0
	for _, r := range a.rows {
		if r.sign == 0 {
			return
		}
		if at = at.Add(r.signed()); r.balance == nil {
			continue
		}
		if met++; !r.balance.Value.Equal(at) {
			return
		}
	}
	if met > 1 {
		first := *a.closing
		first.kind, first.money.Value = bankOpening, dossier.Amount{Decimal: opening}
		a.opening, a.runningStart = &first, true
	}
}

// bothBalances opens and closes an account that prints no balance but the running ones, one beside each entry, where
// each follows from the one before.
func (a *account) bothBalances() {
	if a.opening != nil || a.closing != nil || len(a.rows) < 3 {
		return
	}
	up, down := true, true // the oldest first, the newest first
	for i, r := range a.rows {
		if r.sign == 0 || r.balance == nil {
			return
		}
		if i > 0 {
			before := a.rows[i-1]
			up = up && before.balance.Value.Add(r.signed()).Equal(r.balance.Value.Decimal)
			down = down && r.balance.Value.Add(before.signed()).Equal(before.balance.Value.Decimal)
		}
	}
	first, last := a.rows[0], a.rows[len(a.rows)-1]
	if down && !up {
		first, last = last, first
	}
	if !up && !down {
		return
	}
	item := func(kind bankKind, r bankRow, v decimal.Decimal) *bankItem {
		money := *r.balance
		money.Value = dossier.Amount{Decimal: v}
		return &bankItem{captionRead: captionRead{kind: kind}, money: money, tokens: r.balanceAt, caption: "balance",
			line: r.line}
	}
	a.opening = item(bankOpening, first, first.balance.Value.Sub(first.signed()))
	a.closing = item(bankClosing, last, last.balance.Value.Decimal)
	a.runningStart, a.runningEnd = true, true
}
