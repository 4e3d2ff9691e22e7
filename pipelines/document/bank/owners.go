package bank

import (
	"maps"
	"slices"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// What a table of transactions says of its account in every row: a column whose cells are all the same speaks of the
// account, and not of a transaction.

var (
	// ownAccounts are heads of the column that says which of the customer's accounts an entry is of.
	ownAccounts = lazyregexp.New(`^(?:(?:own |my )?account(?: (?:number|no|name|id|nr|num))?|acct(?: no)?|a c(?: no)?` +
		`|konto|kontonummer|auftragskonto|iban auftragskonto|rekening|iban bban|rekeningnummer|compte` +
		`|numero de compte|cuenta|iban)$`)
	// accountWord is in the heads of columns of numbers of accounts, one's own or another's.
	accountWord = lazyregexp.New(`\b(?:accounts?|acct|konto(?:nummer|nr)?|\pL{3,14}konto|iban|compte|cuenta|conta` +
		`|rekening(?:nummer)?|tili(?:numero)?|rachunek|rachunku|cislo uctu|ucet|szamlaszam|hesap` +
		`|no rekening|saskaitos)\b`)
	// otherParty is in the heads of columns that speak of the other side of a transaction, or of a bank's code.
	otherParty = lazyregexp.New(`\b(?:counter ?(?:party|account)|partner|payee|payer|beneficiary|beguenstigter` +
		`|empfanger|zahlungs\pL*|gegen\pL*|tegen\pL*|tegenpartij|destinat\pL*|ordenante|benefici\pL*|recipient|sender` +
		`|merchant|to|from|proti\pL*|nadawc\pL*|odbiorc\pL*|mottagare|avsandare|modtager|saajan|debtor|creditor` +
		`|glaubiger|blz|bankleitzahl|description|category|type)\b`)
	// foreignMoney is in the heads of columns of what an amount was elsewhere.
	foreignMoney = lazyregexp.New(`\b(?:original\pL*|foreign|local|oorspr\pL*|origine|ursprung\pL*|exchange` +
		`|transaction currency)\b`)
)

// findOwners finds the columns that say whose account and which currency. A column of accounts with nearly as many
// values as rows is that of the partners; of several an IBAN is surer than another number, and that than a name.
func (s *tableShape) findOwners(t *Ledger) {
	best := 0
	for _, x := range slices.Sorted(maps.Keys(s.columns)) {
		c := s.columns[x]
		if c.filled != s.examinedRows() || t.moves(x) {
			continue
		}
		if t.currencyAt == nil && c.codes == c.filled && !(t.unbroken && s.values(x) > 1) &&
			!foreignMoney.MatchString(t.names[x]) && s.allCurrencies(x) && !s.ofOtherMoney(x, t) {
			t.currencyAt, t.roles[x] = &x, roleIgnored
			continue
		}
		if sure := s.ownAccount(x, t.names[x]); sure > best {
			best, t.accountAt = sure, &x
		}
	}
	if t.accountAt != nil {
		t.roles[*t.accountAt] = roleIgnored
	}
}

// ofOtherMoney reports whether a column of currencies is that of the amounts left of it, which are not those that are
// read: these have a column of currencies of their own.
func (s *tableShape) ofOtherMoney(x float64, t *Ledger) bool {
	left := s.columns[x-text.ColumnWidth]
	if left == nil || !left.isMoney() || t.moves(left.x) {
		return false
	}
	for o, r := range t.roles {
		if r == roleAmount && s.currenciesBeside(o) > 0 {
			return true
		}
	}
	return false
}

// examinedRows is how many transactions are looked at.
func (s *tableShape) examinedRows() int { return min(len(s.body), maxShaped) }

// moves reports whether the column holds what a transaction is: its day, amount, balance or direction.
func (l Ledger) moves(x float64) bool {
	switch l.roles[x] {
	case roleDate, roleAmount, roleCredit, roleDebit, roleBalance, roleKind:
		return true
	}
	return false
}

// ownAccount says how surely a column names the account of each row: 0 is not at all.
func (s *tableShape) ownAccount(x float64, head string) int {
	n := s.values(x)
	named := ownAccounts.MatchString(head) && (n == 1 || n <= 6 && n*2 < len(s.body))
	same := n == 1 && len(s.body) > 1
	shown := s.firstCell(x)
	iban := text.IBANPattern.FindString(shown) == shown
	number := accountNumber.MatchString(shown) || longNumber.MatchString(shown)
	switch {
	case iban && (named || same && !otherParty.MatchString(head)):
		return 3
	case number && (named || same && accountWord.MatchString(head) && !otherParty.MatchString(head)),
		s.header < 0 && same && (longNumber.MatchString(shown) || len(s.body) > 2 && sixFigures.MatchString(shown)):
		return 2
	case named:
		return 1
	}
	return 0
}

// sixFigures is a short account number.
var sixFigures = lazyregexp.New(`^[1-9]\d{5,6}$`)

func (s *tableShape) firstCell(x float64) string {
	for _, c := range s.lines[s.body[0]].Tokens {
		if c.X0 == x {
			return c.Text
		}
	}
	return ""
}

// findConstants keeps the columns that say the same in each of at least three rows, each as a line of its head and
// what it says. What the other party is called may be the same by chance.
func (s *tableShape) findConstants(t *Ledger) {
	if len(s.body) < 3 {
		return
	}
	described := false
	for x, r := range t.roles {
		described = described || r == roleDescription && s.values(x) > 1
	}
	heads := map[float64]text.Token{}
	if s.header >= 0 {
		for _, head := range s.lines[s.header].Tokens {
			heads[head.X0] = head
		}
	}
	for _, cell := range s.lines[s.body[0]].Tokens {
		x := cell.X0
		if c := s.columns[x]; c == nil || c.filled != s.examinedRows() || t.moves(x) || s.values(x) != 1 ||
			otherParty.MatchString(t.names[x]) || t.roles[x] == roleDescription && !described ||
			bareName.MatchString(t.names[x]) && t.accountAt == nil {
			continue
		}
		line := text.Line{Page: cell.Page, Tokens: []text.Token{cell}}
		if head, ok := heads[x]; ok {
			cell.X0, cell.X1 = head.X0+text.ColumnWidth, head.X1+text.ColumnWidth
			cell.Y0, cell.Y1 = head.Y0, head.Y1
			line.Tokens = []text.Token{head, cell}
		}
		line.X0, line.X1 = line.Tokens[0].X0, cell.X1
		line.Y0, line.Y1 = cell.Y0, cell.Y1
		t.constants = append(t.constants, line)
	}
}

// bareName heads a column of names that does not say whose; beside the number of one's own account it is one's own.
var bareName = lazyregexp.New(`^(?:name|naam|nom|nombre|nome|namn|navn)$`)

var (
	notBooked = lazyregexp.New(`\b(?:pending|vorgemerkt|offen|reverted|declined|failed|cancell?ed|authori[sz]ed` +
		`|en attente|pendiente|in behandeling|reserverad|uncleared|rejected|denied|refused|reversed|expired)\b`)
	booked = lazyregexp.New(`\b(?:booked|gebucht|posted|complete|completed|cleared|settled|ok|done|success|successful` +
		`|approved|executed|utfort|bokford|bokfort|contabilizzato|comptabilise|contabilizado|processed|paid)\b`)
)

// findStatus finds the columns that say whether a transaction was booked: of few values, some of which say that it was
// and some that it was not, whatever their heads.
func (s *tableShape) findStatus(t *Ledger) {
	for x, c := range s.columns {
		if t.moves(x) || t.roles[x] == roleDescription || c.money > 0 || c.dates > 0 || s.values(x) > 5 {
			continue
		}
		not, done := false, false
		for _, i := range s.body {
			for _, cell := range s.lines[i].Tokens {
				if cell.X0 == x && len(cell.Text) < 30 {
					folded := text.Fold(cell.Text)
					not, done = not || notBooked.MatchString(folded), done || booked.MatchString(folded)
				}
			}
		}
		if not && done || statusNames[t.names[x]] {
			t.status[x], t.roles[x] = true, roleIgnored
		}
	}
}

// feeColumn is the column of fees that the balances take off beside the amounts; nil when they take off none.
func (s *tableShape) feeColumn(r reading, mark float64) *float64 {
	if r.balance == noColumn || s.header < 0 {
		return nil
	}
	for _, head := range s.lines[s.header].Tokens {
		x := head.X0
		if c := s.columns[x]; c == nil || c.money == 0 || x == r.amount || x == r.out || x == r.in || x == r.balance ||
			!feeHead.MatchString(columnTitle(head.Text)) {
			continue
		}
		moves := s.moves(r, mark)
		for i := range moves {
			if fee := s.moneyIn(s.lines[s.body[i]], x); fee != nil && moves[i].amount != nil {
				less := moves[i].amount.Sub(fee.Value.Abs())
				moves[i].amount = &less
			}
		}
		if s.chain(r, moves).chained > r.chained {
			return &x
		}
	}
	return nil
}

var feeHead = lazyregexp.New(`\b(?:fees?|gebuhr(?:en)?|frais|commission|comision|kosten|avgift|gebyr)\b`)

// values counts the different cells of a column.
func (s *tableShape) values(x float64) int {
	seen := map[string]bool{}
	for _, i := range s.body {
		for _, c := range s.lines[i].Tokens {
			if c.X0 == x {
				seen[c.Text] = true
			}
		}
	}
	return len(seen)
}

// allCurrencies reports whether the cells of a column are codes of currencies.
func (s *tableShape) allCurrencies(x float64) bool {
	for _, i := range s.body {
		for _, c := range s.lines[i].Tokens {
			if c.X0 == x && len(text.SymbolCode(c.Text)) != 3 {
				return false
			}
		}
	}
	return true
}
