package bank

import (
	"slices"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// ledger is a table of transactions in cells: the roles of its columns by left edge. header is the index of its
// header row, -1 for an export that has none; first and last are those of its first and last transaction.
type Ledger struct {
	Header, first, last int
	roles               map[float64]columnKind
	names               map[float64]string // of the columns that hold something, folded
	varied              map[string]bool    // by name: the column's cells differ
	partly              map[string]bool    // by name: some transactions have nothing in the column
	accountAt           *float64           // the column that says whose account, where there is one
	currencyAt          *float64           // the column that says which currency
	feeAt               *float64           // the column of fees that the balances take off
	status              map[float64]bool   // the columns that say whether a transaction was booked
	thanked             bool               // a transaction is a payment that its receiver thanks for
	constants           []text.Line        // the columns that say the same in each row: head and cell
	order               text.DateOrder     // of its dates
	inverted            bool               // amounts are positive when money goes out
	before              bool               // the balance of a row is the one before it
	unbroken            bool               // all balances follow, so that all entries are of one account
	chained             int                // balances that follow from the one before and the amount
	twoWays             bool               // money goes in and out: by sign, mark or column
	marked              bool               // what is marked as a debit is negative, and as a credit positive
}

func (l Ledger) has(r columnKind) bool {
	for _, have := range l.roles {
		if have == r {
			return true
		}
	}
	return false
}

// named reports whether a column's name contains one of the words.
func (l Ledger) named(words ...string) bool {
	for _, n := range l.names {
		for _, w := range words {
			if text.HasWords(n, w) {
				return true
			}
		}
	}
	return false
}

// naming is named of a column that each transaction has something in: an account's own card is on some of its entries.
func (l Ledger) naming(words ...string) bool {
	for _, n := range l.names {
		if !l.partly[n] && slices.ContainsFunc(words, func(w string) bool { return text.HasWords(n, w) }) {
			return true
		}
	}
	return false
}

// above is what stands over the table, rows the table below its header, under what stands below the last transaction.
func (l Ledger) above(lines []text.Line) []text.Line {
	if l.Header < 0 {
		return lines[:l.first]
	}
	return lines[:l.Header]
}

// Head is what stands above the table: the heads of its columns say what its transactions are, and no title.
func (l Ledger) Head(lines []text.Line) []text.Line { return l.above(lines) }

func (l Ledger) rows(lines []text.Line) []text.Line {
	return lines[len(l.above(lines))+min(l.Header+1, 1):]
}
func (l Ledger) under(lines []text.Line) []text.Line { return lines[l.last+1:] }

// tellingWords decide about a column whose whole name is unknown, the first that hits. What is no movement of the
// account stands first: fees and amounts in another currency.
var tellingWords = []struct {
	holds columnKind
	words []string
}{
	{roleIgnored, []string{"currency", "waehrung", "wahrung", "rate", "wechselkurs", "fee", "gebuhr", "tax",
		"timestamp", "original amount", "compensation amount", "transfer amount", "converted amount", "amount refunded",
		"iban", "id", "card"}},
	{roleBalance, []string{"balance", "bal", "saldo", "solde", "kontostand", "guthaben"}},
	{roleDebit, []string{"debit", "debits", "withdrawal", "withdrawals", "money out", "paid out", "outgoing",
		"ausgehend", "soll", "belastung", "cargo", "cargos", "retiro", "retiros", "retrait", "debito", "debe"}},
	{roleCredit, []string{"credit", "credits", "deposit", "deposits", "money in", "paid in", "incoming", "eingehend",
		"haben", "gutschrift", "abono", "abonos", "deposito", "depositos", "credito", "haber"}},
	{roleDate, []string{"date", "datum", "fecha", "buchungstag", "buchungsdatum", "created"}},
	{roleAmount, []string{"amount", "betrag", "montant", "importe", "monto", "umsatz", "bedrag", "importo", "valor"}},
	{roleDescription, []string{"description", "desc", "beschreibung", "verwendungszweck", "libelle", "concepto",
		"descripcion", "payee", "merchant", "memo", "narrative", "details", "partner", "reference", "empfanger",
		"beguenstigter", "counterparty", "referenz", "zahlungsreferenz", "transaction ref1", "transaction ref2",
		"transaction ref3"}},
}

var (
	innerCapital  = lazyregexp.New(`([a-z])([A-Z])`)
	parenthesised = lazyregexp.New(`\([^)]*\)`)
)

// columnTitle is a column's caption, folded, with "RunningBalance" as two words and without "(EUR)".
func columnTitle(caption string) string {
	return text.Fold(parenthesised.ReplaceAllString(innerCapital.ReplaceAllString(caption, "$1 $2"), " "))
}

// ledgerRole is what the column of an export holds: by its whole name, else by the word that tells.
func ledgerRole(caption string) columnKind {
	if r := roleOfColumn(caption); r != roleNone {
		return r
	}
	title := columnTitle(caption)
	if r := roleOfColumn(title); r != roleNone {
		return r
	}
	if text.HasWords(title, "debit") && text.HasWords(title, "credit") {
		if text.HasWords(title, "amount") || text.HasWords(title, "montant") || text.HasWords(title, "importe") {
			return roleAmount
		}
		return roleKind
	}
	for _, c := range tellingWords {
		for _, w := range c.words {
			if text.HasWords(title, w) {
				return c.holds
			}
		}
	}
	return roleNone
}

func TokensOf(lines []text.Line) []text.Token {
	var all []text.Token
	for _, l := range lines {
		all = append(all, l.Tokens...)
	}
	return all
}

// known reports whether the header names both the dates and the amounts in words that are understood.
func (l Ledger) known() bool {
	date, money := false, false
	for x, r := range l.roles {
		said := ledgerRole(l.names[x])
		date = date || r == roleDate && said == r
		money = money || (r == roleAmount || r == roleCredit || r == roleDebit) && said == r
	}
	return date && money
}

// shopColumns are columns of what a till, a shop or a payment service sells; three of them are no bank's.
var shopColumns = []string{"qty", "quantity", "price", "unit price", "tax", "vat", "tender", "discount", "sku", "item",
	"item title", "cashier", "register", "drawer", "shipping", "tip", "subtotal", "product name"}

// measures head columns of what is counted in no money, whose balances follow as well: of a store, a vehicle, a meter.
var measures = []string{"stock", "quantity on hand", "on hand", "odometer", "mileage", "miles", "km", "kilometers",
	"kilometres", "kwh", "meter reading", "hours", "points", "litres", "liters", "kg", "headcount"}

// isSalesList reports whether the columns are those of a shop: what it sold, at which price and tax, paid with what.
func (l Ledger) isSalesList() bool {
	n := 0
	for _, column := range shopColumns {
		if l.named(column) {
			n++
		}
	}
	return n >= 3
}

// WeighLedger says what a table of transactions in a CSV or workbook speaks for: a bank's export, unless its
// columns are those of a card's or a broker's export, of a shop's orders, or of a bookkeeper's journal.
func WeighLedger(t Ledger, p text.Page, add func(dossier.DocType, float64, string, ...any)) {
	for _, sign := range ledgerSigns {
		if sign.holds(t) {
			if sign.weight > 0 {
				add(sign.speaksFor, sign.weight, sign.why+" p%d", p.Number)
			}
			return
		}
	}
}

// ledgerSigns are what the columns of an export speak for, the first that holds; those without a weight are of no
// document that is told by its columns.
var ledgerSigns = []struct {
	holds     func(Ledger) bool
	speaksFor dossier.DocType
	weight    float64
	why       string
}{
	{holds: func(t Ledger) bool {
		return !t.has(roleBalance) && t.named("split", "journal", "ledger", "debit account", "credit account", "class",
			"invoice", "customer", "vendor", "employee", "order", "sku", "qty", "due date")
	}},
	{holds: func(t Ledger) bool { // what is owed of each bill is no running balance
		return t.chained < 2 && t.named("due date", "balance due", "invoice no", "invoice number", "amount due")
	}},
	{holds: func(t Ledger) bool { // bookkeeping over several accounts
		return !t.has(roleBalance) && (t.varied["account name"] || t.varied["account"])
	}},
	{holds: func(t Ledger) bool {
		return t.named("split", "journal", "debit account", "employee", "sku", "reconciliation status",
			"cleared status")
	}},
	{holds: func(t Ledger) bool { return t.named("gross", "amount") && t.named("fee") && t.named("net") }},
	{holds: func(t Ledger) bool { return t.isSalesList() || t.named(measures...) }},
	{func(t Ledger) bool { return t.thanked && !t.has(roleBalance) },
		dossier.DocCreditCardStatement, 8, "payments that a card's issuer thanks for"},
	{func(t Ledger) bool {
		return t.named("symbol", "ticker", "shares", "quantity", "security", "action") && !t.named("check") &&
			!t.named("variable symbol", "variable symbol 1", "constant symbol")
	}, dossier.DocBrokerageStatement, 8, "columns of a broker's export"},
	{func(t Ledger) bool { return !t.has(roleBalance) && t.ofCard() },
		dossier.DocCreditCardStatement, 8, "columns of a card export"},
	{func(t Ledger) bool { return t.chained >= 2 && (t.twoWays || t.known()) },
		dossier.DocBankStatement, 10, "balances follow from the amounts"},
	{func(t Ledger) bool { return t.unclear() && t.twoWays },
		dossier.DocBankStatement, 5, "dated amounts both ways with words"},
	{holds: func(t Ledger) bool { return t.unclear() }},
	{func(t Ledger) bool { return t.has(roleBalance) },
		dossier.DocBankStatement, 10, "transactions with a running balance"},
	{func(t Ledger) bool { return t.named("category") && t.named("account", "tags", "labels", "notes") },
		dossier.DocBankStatement, 5, "table of transactions with categories"},
	{func(t Ledger) bool { return t.has(roleDescription) },
		dossier.DocBankStatement, 7, "table of transactions"},
	{func(t Ledger) bool { return t.accountAt != nil && t.twoWays },
		dossier.DocBankStatement, 7, "dated amounts of an account both ways"},
}

// ofCard reports whether the columns are those of a card's export. On a card, a debit is what is owed, and positive.
func (l Ledger) ofCard() bool {
	return !l.marked && l.naming("card no", "card member", "card number", "card", "cardholder", "member name",
		"purchased by", "clearing date") || l.named("category") && l.named("post date") ||
		l.named("payee") && l.named("address")
}

// unclear reports whether neither a header that is understood nor a balance says what the columns are.
func (l Ledger) unclear() bool { return l.Header < 0 && !l.has(roleBalance) || !l.known() }
