package specimen

import (
	"fmt"
	"sort"
	"time"
)

// posting is one entry of a deposit account; amount is signed by its effect on the balance.
type posting struct {
	date    time.Time
	text    string
	kind    postingKind
	amount  cents
	check   string // number of a check
	balance cents  // after the entry
}

type postingKind int

const (
	deposit postingKind = iota
	withdrawal
	check
	fee
	interest
)

// ledger is a month of a deposit account. Opening plus postings is closing, always.
type ledger struct {
	start, end time.Time
	opening    cents
	postings   []posting // by date
}

// closing is the balance after the last entry.
func (l ledger) closing() cents {
	if len(l.postings) == 0 {
		return l.opening
	}
	return l.postings[len(l.postings)-1].balance
}

// total sums the absolute amounts of some kinds and counts them.
func (l ledger) total(kinds ...postingKind) (sum cents, count int) {
	for _, p := range l.of(kinds...) {
		sum += max(p.amount, -p.amount)
		count++
	}
	return sum, count
}

// of selects the entries of some kinds.
func (l ledger) of(kinds ...postingKind) []posting {
	var out []posting
	for _, p := range l.postings {
		for _, k := range kinds {
			if p.kind == k {
				out = append(out, p)
			}
		}
	}
	return out
}

// dailyBalances is the balance at the end of each day with an entry.
func (l ledger) dailyBalances() []posting {
	var out []posting
	for _, p := range l.postings {
		if n := len(out); n > 0 && out[n-1].date.Equal(p.date) {
			out[n-1].balance = p.balance
			continue
		}
		out = append(out, posting{date: p.date, balance: p.balance})
	}
	return out
}

// lowest is the lowest end-of-day balance, the opening balance included.
func (l ledger) lowest() cents {
	low := l.opening
	for _, p := range l.dailyBalances() {
		low = min(low, p.balance)
	}
	return low
}

// trading shapes a generated month.
type trading struct {
	entries   int
	business  bool
	checks    bool
	fees      bool
	interest  bool
	overdraft bool // the balance goes below zero and may stay there
	texts     phrases
}

// phrases are the descriptions an account's entries use.
type phrases struct{ in, out, fee, interest []string }

var (
	personalTexts = phrases{
		in: []string{"PAYROLL DIRECT DEP %s", "MOBILE DEPOSIT REF %s", "ZELLE FROM %n CONF %s",
			"TAX REFUND EXAMPLE ST", "TRANSFER FROM SAVINGS XXXX%4"},
		out: []string{"POS PURCHASE EXAMPLE GROCERY %s", "ACH DEBIT EXAMPLE POWER & LIGHT",
			"ATM WITHDRAWAL %s MAIN ST", "DEBIT CARD SAMPLE PHARMACY %4",
			"ONLINE PMT SPECIMEN MORTGAGE %s", "RECURRING PMT EXAMPLE STREAMING", "POS PURCHASE SAMPLE FUEL #%4",
			"DEBIT CARD CORNER BAKERY %4", "ZELLE TO %n CONF %s"},
		fee:      []string{"MONTHLY MAINTENANCE FEE", "OUT OF NETWORK ATM FEE", "PAPER STATEMENT FEE"},
		interest: []string{"INTEREST PAYMENT"},
	}
	businessTexts = phrases{
		in: []string{"MERCHANT DEPOSIT EXAMPLE PAY %s", "DEPOSIT BRANCH 0%3", "ACH CREDIT SAMPLE CUSTOMER %s",
			"WIRE IN ORIG %n TRADING %s", "REMOTE CHECK DEPOSIT %s", "LOCKBOX DEPOSIT %4"},
		out: []string{"ACH DEBIT EXAMPLE PAYROLL SVC %s", "ACH DEBIT SPECIMEN SUPPLY CO %s",
			"WIRE OUT BENE %n MATERIALS %s", "EXAMPLE ST SALES TAX PMT", "SAMPLE INSURANCE PREM %4",
			"BUSINESS CARD PMT XXXX%4", "RENT SPECIMEN PROPERTIES", "ACH DEBIT FUEL CARD SVC %s", "IRS USATAXPYMT %s",
			"EQUIPMENT LEASE %4"},
		fee:      []string{"ACCOUNT ANALYSIS FEE", "WIRE TRANSFER FEE", "CASH HANDLING CHARGE", "OVERDRAFT ITEM FEE"},
		interest: []string{"INTEREST PAID"},
	}
)

// phrase fills the placeholders of a description: %s a reference, %4 and %3 digits, %n a surname.
func phrase(d dice, of []string) string {
	in := []rune(pick(d, of))
	out := ""
	for i := 0; i < len(in); i++ {
		if in[i] != '%' || i+1 == len(in) {
			out += string(in[i])
			continue
		}
		i++
		switch in[i] {
		case 's':
			out += d.digits(7)
		case '4':
			out += d.digits(4)
		case '3':
			out += d.digits(3)
		case 'n':
			out += pick(d, []string{"QUILLFEATHER", "THISTLEDOWN", "RAVENSCROFT", "LARKSPUR"})
		}
	}
	return out
}

// newLedger invents a month of entries. Deposits come first and withdrawals stay below the balance unless an
// overdraft is wanted.
func newLedger(d dice, start, end time.Time, t trading) ledger {
	l := ledger{start: start, end: end, opening: cents(d.between(90_000, 900_000))}
	scale := 1
	if t.business {
		scale = 9
		l.opening *= 6
	}
	for range t.entries {
		l.postings = append(l.postings, newPosting(d, l, t, scale))
	}
	if t.fees {
		for range d.between(1, 3) {
			l.postings = append(l.postings, posting{date: l.day(d), kind: fee, text: phrase(d, t.texts.fee),
				amount: -cents(d.between(3, 45) * 100)})
		}
	}
	sort.SliceStable(l.postings, func(i, j int) bool { return l.postings[i].date.Before(l.postings[j].date) })
	if t.interest {
		l.postings = append(l.postings, posting{date: end, kind: interest, text: phrase(d, t.texts.interest),
			amount: cents(d.between(3, 4_000))})
	}
	l.balance(t.overdraft)
	return l
}

func (l ledger) day(d dice) time.Time {
	days := int(l.end.Sub(l.start).Hours()/24) + 1
	return l.start.AddDate(0, 0, d.IntN(days))
}

func newPosting(d dice, l ledger, t trading, scale int) posting {
	p := posting{date: l.day(d)}
	switch roll := d.IntN(100); {
	case roll < 34:
		p.kind, p.text, p.amount = deposit, phrase(d, t.texts.in), cents(d.between(4_000, 420_000)*scale)
	case roll < 50 && t.checks:
		p.kind, p.check, p.amount = check, fmt.Sprint(d.between(1001, 4899)), -cents(d.between(2_500, 160_000)*scale)
		p.text = "CHECK " + p.check
	default:
		p.kind, p.text, p.amount = withdrawal, phrase(d, t.texts.out), -cents(d.between(700, 150_000)*scale)
	}
	return p
}

// balance runs the balances. Without an overdraft, an entry that would go below zero is made smaller until it fits.
func (l *ledger) balance(overdraft bool) {
	at := l.opening
	for i := range l.postings {
		p := &l.postings[i]
		for !overdraft && p.amount < 0 && at+p.amount < 0 {
			p.amount = p.amount/3 - 1
			if at < 10 {
				p.kind, p.text, p.check, p.amount = deposit, "COUNTER DEPOSIT", "", 50_000
			}
		}
		at += p.amount
		p.balance = at
	}
	if overdraft && l.lowest() >= 0 && len(l.postings) > 0 {
		l.overdraw()
	}
}

// overdraw makes the middle withdrawal large enough to take the account below zero.
func (l *ledger) overdraw() {
	mid := len(l.postings) / 2
	for i := mid; i < len(l.postings); i++ {
		if l.postings[i].kind != withdrawal {
			continue
		}
		l.postings[i].amount -= l.postings[i].balance + 31_417
		at := l.opening
		for j := range l.postings {
			at += l.postings[j].amount
			l.postings[j].balance = at
		}
		return
	}
}
