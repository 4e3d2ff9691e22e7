package bank

import (
	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// Ledger is a table of transactions in cells: the roles of its columns by left edge. header is the index of its
// header row, -1 for an export that has none.
type Ledger struct {
	Header int
	roles  map[float64]columnKind
	names  map[float64]string // of the columns that hold something, folded
	varied map[string]bool    // by name: the column's cells differ
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

// above is what stands over the table, rows the table below its header.
func (l Ledger) above(lines []text.Line) []text.Line { return lines[:max(l.Header, 0)] }
func (l Ledger) rows(lines []text.Line) []text.Line  { return lines[l.Header+1:] }

// tellingWords decide about a column whose whole name is unknown, the first that hits. What is no movement of the
// account stands first: fees and amounts in another currency.
var tellingWords = []struct {
	holds columnKind
	words []string
}{
	{roleIgnored, []string{"currency", "waehrung", "wahrung", "rate", "wechselkurs", "fee", "gebuhr", "tax", "timestamp", "original amount", "compensation amount", "transfer amount", "converted amount", "amount refunded", "iban", "id", "card"}},
	{roleBalance, []string{"balance", "bal", "saldo", "solde", "kontostand", "guthaben"}},
	{roleDebit, []string{"debit", "debits", "withdrawal", "withdrawals", "money out", "paid out", "outgoing", "ausgehend", "soll", "belastung", "cargo", "cargos", "retiro", "retiros", "retrait", "debito", "debe"}},
	{roleCredit, []string{"credit", "credits", "deposit", "deposits", "money in", "paid in", "incoming", "eingehend", "haben", "gutschrift", "abono", "abonos", "deposito", "depositos", "credito", "haber"}},
	{roleDate, []string{"date", "datum", "fecha", "buchungstag", "buchungsdatum", "created"}},
	{roleAmount, []string{"amount", "betrag", "montant", "importe", "monto", "umsatz", "bedrag", "importo", "valor"}},
	{roleDescription, []string{"description", "desc", "beschreibung", "verwendungszweck", "libelle", "concepto", "descripcion", "payee", "merchant", "memo", "narrative", "details", "partner", "reference", "empfanger", "beguenstigter", "counterparty", "referenz", "zahlungsreferenz", "transaction ref1", "transaction ref2", "transaction ref3"}},
}

var (
	parenthesised = lazyregexp.New(`\([^)]*\)`)
)

// columnTitle is a column's caption, folded, with "RunningBalance" as two words and without "(EUR)".
func columnTitle(caption string) string {
	return text.Fold(parenthesised.ReplaceAllString(text.InnerCapital.ReplaceAllString(caption, "$1 $2"), " "))
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

// LedgerHeader finds the table of transactions among the lines of a sheet: below a header row, or (as some banks
// export) without one.
func LedgerHeader(lines []text.Line) (Ledger, bool) {
	if len(lines) == 0 || lines[0].Tokens[0].Method != text.MethodCell {
		return Ledger{}, false
	}
	for i, l := range lines[:min(len(lines), 40)] {
		t := Ledger{Header: i, roles: map[float64]columnKind{}, names: map[float64]string{}, varied: map[string]bool{}}
		filled, differs := filledColumns(lines[i+1:])
		for _, token := range l.Tokens {
			if filled[token.X0] == 0 {
				continue
			}
			title := columnTitle(token.Text)
			t.names[token.X0], t.varied[title] = title, differs[token.X0]
			r := ledgerRole(token.Text)
			if once := r == roleDate || r == roleBalance || r == roleAmount || r == roleCredit || r == roleDebit; r != roleNone && !(once && t.has(r)) {
				t.roles[token.X0] = r
			}
		}
		money := t.has(roleAmount) || t.has(roleCredit) || t.has(roleDebit)
		if t.has(roleDate) && money && len(t.roles) >= 3 {
			t.directions(lines)
			return t, true
		}
	}
	return bareLedger(lines)
}

// filledColumns counts the cells of each column, by left edge, and says whether they differ.
func filledColumns(lines []text.Line) (filled map[float64]int, differs map[float64]bool) {
	filled, differs = map[float64]int{}, map[float64]bool{}
	first := map[float64]string{}
	for _, l := range lines {
		for _, c := range l.Tokens {
			if filled[c.X0]++; filled[c.X0] == 1 {
				first[c.X0] = c.Text
			}
			differs[c.X0] = differs[c.X0] || c.Text != first[c.X0]
		}
	}
	return filled, differs
}

var directionWord = lazyregexp.New(`(?i)^(?:debit|credit|dr|cr|d|c|check|dslip)$`)

// directions takes columns whose every cell says debit or credit for what they are, whatever they are called.
func (l Ledger) directions(lines []text.Line) {
	said, all := map[float64]int{}, map[float64]int{}
	for _, line := range l.rows(lines) {
		for _, c := range line.Tokens {
			all[c.X0]++
			if directionWord.MatchString(c.Text) {
				said[c.X0]++
			}
		}
	}
	for x, r := range l.roles {
		if r == roleDescription && said[x] > 0 && said[x] == all[x] {
			l.roles[x] = roleKind
		}
	}
}

// bareLedger is a table of transactions without a header row: every row begins with a date and has one signed
// amount, or an amount and the balance it leads to, and words.
func bareLedger(lines []text.Line) (Ledger, bool) {
	t := Ledger{Header: -1, roles: map[float64]columnKind{}, names: map[float64]string{}}
	if len(lines) < 2 {
		return t, false
	}
	dates, amounts, letters := map[float64]int{}, map[float64]int{}, map[float64]int{}
	style := text.StyleOf([]text.Page{{Tokens: TokensOf(lines)}})
	signed := false
	for _, l := range lines {
		for _, c := range l.Tokens {
			m, ok := text.ParseMoney(c.Text, style)
			d := text.FindDates(c.Text, text.MonthFirst)
			switch {
			case len(d) > 0 && d[0].From == 0 && d[0].Complete():
				dates[c.X0]++
			case ok && m.Places() == 2 && !m.Percent:
				amounts[c.X0]++
				signed = signed || m.Value.IsNegative()
			default:
				letters[c.X0] += len(text.Fold(c.Text))
			}
		}
	}
	full := len(lines) * 9 / 10
	first := lines[0].Tokens[0].X0
	var money []float64
	for x, n := range amounts {
		if n >= max(full, 2) {
			money = append(money, x)
		}
	}
	if dates[first] < max(full, 2) || len(money) == 0 || len(money) > 2 || !signed {
		return t, false
	}
	t.roles[first] = roleDate
	t.roles[min(money[0], money[len(money)-1])] = roleAmount
	if len(money) == 2 {
		t.roles[max(money[0], money[1])] = roleBalance
	}
	most, at := 0, 0.0
	for x, n := range letters {
		if n > most {
			most, at = n, x
		}
	}
	if most < 3*len(lines) {
		return t, false
	}
	t.roles[at] = roleDescription
	return t, true
}

func TokensOf(lines []text.Line) []text.Token {
	var all []text.Token
	for _, l := range lines {
		all = append(all, l.Tokens...)
	}
	return all
}

// WeighLedger says what a table of transactions in a CSV or workbook speaks for: a bank's export, unless its
// columns are those of a card's or a broker's export, of a shop's orders, or of a bookkeeper's journal.
func WeighLedger(t Ledger, p text.Page, add func(dossier.DocType, float64, string, ...any)) {
	switch {
	case t.named("split", "journal", "ledger", "debit account", "credit account", "class", "invoice", "customer", "vendor", "employee", "order", "sku", "qty", "due date") && !t.has(roleBalance):
		return
	case (t.varied["account name"] || t.varied["account"]) && !t.has(roleBalance):
		return // bookkeeping over several accounts
	case t.named("split", "journal", "debit account", "employee", "sku", "reconciliation status", "cleared status"), t.named("gross") && t.named("fee") && t.named("net"):
		return
	case t.named("symbol", "ticker", "shares", "quantity", "security", "action") && !t.named("check"):
		add(dossier.DocBrokerageStatement, 8, "columns of a broker's export p%d", p.Number)
	case (t.named("card no", "card member", "card number", "card", "cardholder", "member name", "purchased by", "clearing date") || t.named("category") && t.named("post date") || t.named("payee") && t.named("address")) && !t.has(roleBalance):
		add(dossier.DocCreditCardStatement, 8, "columns of a card export p%d", p.Number)
	case t.Header < 0 && !t.has(roleBalance):
		add(dossier.DocBankStatement, 5, "dated amounts with words, without a header p%d", p.Number)
	case t.has(roleBalance):
		add(dossier.DocBankStatement, 10, "transactions with a running balance p%d", p.Number)
	case t.named("category") && t.named("account", "tags", "labels", "notes"):
		add(dossier.DocBankStatement, 5, "table of transactions with categories p%d", p.Number)
	case t.has(roleDescription):
		add(dossier.DocBankStatement, 7, "table of transactions p%d", p.Number)
	}
}
