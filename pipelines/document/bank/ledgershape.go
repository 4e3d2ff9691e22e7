package bank

import (
	"maps"
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// A table of transactions is found by its shape: rows with a date in one column and amounts in others. Which column
// holds what is settled by arithmetic (balances that follow from amounts) and by the words of the header where there is
// one.

// tableCell is one cell with what it can be.
type tableCell struct {
	token text.Token
	money *text.Money
	date  text.Date // zero when the cell is none
	mark  int       // +1 or -1 when its text says which way money goes, else 0
}

// tableColumn is what the cells of a column are, over the rows of the table.
type tableColumn struct {
	x                                     float64
	filled, dates, money, cents, negative int
	marks, ins, letters, codes, numbers   int        // marks of either way, and those of money in
	said                                  columnKind // by the header's words
}

// isMoney reports whether the column holds amounts: most cells are, and they have cents or the header says so.
func (c *tableColumn) isMoney() bool {
	moneyWord := c.said == roleAmount || c.said == roleCredit || c.said == roleDebit || c.said == roleBalance
	return c.money*5 >= c.filled*3 && c.money > 0 && c.dates*2 < c.filled &&
		(c.cents*2 >= c.money || moneyWord || c.negative > 0 && c.cents > 0)
}

// mayBeMoney reports whether the column holds what a currency without cents prints: whole figures, none of them a
// number with zeros before it or with more than nine figures. Balances that follow must prove it.
func (c *tableColumn) mayBeMoney() bool {
	return c.money*5 >= c.filled*3 && c.money > 0 && c.dates*2 < c.filled && c.numbers == 0
}

// tableShape is a sheet being looked at.
type tableShape struct {
	lines   []text.Line
	style   text.DecimalStyle
	order   text.DateOrder
	dateX   float64
	header  int
	body    []int // indexes of the lines that are transactions
	columns map[float64]*tableColumn
	whole   bool // amounts may be whole figures under heads that are not understood
}

// maxShaped is how many rows are looked at to settle what the columns hold.
const maxShaped = 400

// LedgerHeader finds the table of transactions among the lines of a sheet, with or without a header row.
func LedgerHeader(lines []text.Line) (Ledger, bool) {
	if len(lines) == 0 || lines[0].Tokens[0].Method != text.MethodCell {
		return Ledger{}, false
	}
	lines = WithYears(lines)
	t, ok := ledgerOf(lines, false)
	if !ok {
		t, ok = ledgerOf(lines, true)
	}
	return t, ok
}

// ledgerOf is LedgerHeader; whole says that figures without cents may be amounts, where balances prove it.
func ledgerOf(lines []text.Line, whole bool) (Ledger, bool) {
	pages := []text.Page{{Tokens: TokensOf(lines)}}
	s := tableShape{lines: lines, style: text.StyleOf(pages), order: text.OrderOf(pages), header: -1, whole: whole}
	if !s.findDates() {
		return Ledger{}, false
	}
	s.findHeader()
	s.measure()
	return s.settle()
}

// findHeader finds the header row: of the lines above the first transaction the one whose cells are the heads of most
// columns. Words that are known count more; unknown ones must head half of the columns from right above.
func (s *tableShape) findHeader() {
	used := map[float64]bool{}
	for _, i := range s.body[:min(len(s.body), maxShaped)] {
		for _, c := range s.lines[i].Tokens {
			used[c.X0] = true
		}
	}
	best := 0
	for i := s.body[0] - 1; i >= max(0, s.body[0]-60); i-- {
		known, heads := 0, 0
		kinds := map[columnKind]bool{}
		for _, c := range s.lines[i].Tokens {
			if _, ok := cellDate(c.Text, s.order); ok || cellMoney(c, s.style) != nil || !used[c.X0] ||
				text.Fold(c.Text) == "" {
				continue
			}
			heads++
			if r := ledgerRole(c.Text); r != roleNone {
				known++
				kinds[r] = true
			}
		}
		near := s.body[0]-i <= 3
		if len(kinds) < 2 && !(near && heads >= 2 && heads*2 >= len(used) && heads >= len(s.lines[i].Tokens)-1) {
			continue
		}
		if score := 3*len(kinds) + heads; score > best {
			best, s.header = score, i
		}
	}
}

// measure looks at the cells of the transactions by column.
func (s *tableShape) measure() {
	s.columns = map[float64]*tableColumn{}
	for _, i := range s.body[:min(len(s.body), maxShaped)] {
		for _, token := range s.lines[i].Tokens {
			c := s.columns[token.X0]
			if c == nil {
				c = &tableColumn{x: token.X0}
				s.columns[token.X0] = c
			}
			c.see(s.cell(token))
		}
	}
	if s.header < 0 {
		return
	}
	for _, head := range s.lines[s.header].Tokens {
		if c := s.columns[head.X0]; c != nil {
			c.said = ledgerRole(head.Text)
		}
	}
}

func (c *tableColumn) see(cell tableCell) {
	c.filled++
	switch {
	case cell.date != (text.Date{}):
		c.dates++
	case cell.money != nil:
		c.money++
		if n := cell.money.Places(); n == 1 || n == 2 || cell.money.Symbol != "" {
			c.cents++
		}
		if cell.money.Value.IsNegative() {
			c.negative++
		}
		if numberNotMoney.MatchString(cell.token.Text) {
			c.numbers++
		}
	case currencyCode.MatchString(cell.token.Text):
		c.codes++
	}
	if cell.mark != 0 {
		c.marks++
	}
	if cell.mark > 0 {
		c.ins++
	}
	if cell.money == nil && cell.date == (text.Date{}) {
		c.letters += len(text.Fold(cell.token.Text))
	}
}

func (s *tableShape) cell(t text.Token) tableCell {
	c := tableCell{token: t, mark: wayOf(t.Text)}
	if d, ok := cellDate(t.Text, s.order); ok {
		c.date = d
	} else {
		c.money = cellMoney(t, s.style)
	}
	return c
}

// numberNotMoney is a figure that counts nothing: with zeros before it, or long and ungrouped.
var numberNotMoney = lazyregexp.New(`^0\d+$|^\d{10,}$`)

// currencyCode is a currency's code alone in a cell.
var currencyCode = lazyregexp.New(`^[A-Z]{3}$`)

// ways are the marks by which exports say which way money goes, folded; signs are read as they stand.
var (
	outWay = text.WordSet("d dr db dt s af uit out debit debet debito debe soll withdrawal withdrawals cargo uscita " +
		"dare ausgang ausgehend retrait sortie paid payment belastung lastschrift deb debets deebet wn")
	inWay = text.WordSet("c cr ct h bij in credit kredit credito haber haben deposit deposits abono entrata avere " +
		"eingang eingehend depot entree received gutschrift cred dep k kredits kreedit ma")
)

// wayOf is +1 or -1 when a cell says which way money goes, else 0.
func wayOf(shown string) int {
	switch strings.TrimSpace(shown) {
	case "+":
		return 1
	case "-", "–", "−":
		return -1
	}
	if len(shown) > 24 {
		return 0
	}
	folded := text.Fold(shown)
	first, _, _ := strings.Cut(folded, " ")
	switch {
	case inWay[folded] || first == "credit" || first == "deposit":
		return 1
	case outWay[folded] || first == "debit" || first == "withdrawal":
		return -1
	}
	return 0
}

// thanksForPayment matches what the issuer of a card calls a payment.
var thanksForPayment = lazyregexp.New(`\bpayment(?: received)? thank you\b|\bautopay(?: payment)? thank you\b`)

// settle chooses what the columns hold.
func (s *tableShape) settle() (Ledger, bool) {
	t := Ledger{Header: s.header, first: s.body[0], last: s.body[len(s.body)-1], order: s.order,
		roles: map[float64]columnKind{s.dateX: roleDate}, names: map[float64]string{}, varied: map[string]bool{},
		partly: map[string]bool{}, status: map[float64]bool{}}
	mark := s.markColumn()
	best, ok := s.bestReading(mark)
	if !ok || s.header < 0 && len(s.body) < 2 || s.whole && best.chained < 2 {
		return t, false
	}
	mark = s.markFor(mark, best.amount)
	t.inverted, t.before, t.chained = best.inverted, best.before, best.chained
	t.unbroken = best.chained >= 2 && best.chained == best.steps
	for x, r := range map[float64]columnKind{best.amount: roleAmount, best.out: roleDebit, best.in: roleCredit,
		best.balance: roleBalance} {
		if x != noColumn {
			t.roles[x] = r
		}
	}
	if mark != noColumn && best.amount != noColumn {
		t.roles[mark] = roleKind
		t.marked = s.signsMatchMarks(mark, best.amount)
	}
	t.twoWays = s.goesBothWays(best, mark)
	s.nameColumns(&t)
	t.feeAt = s.feeColumn(best, mark)
	described := s.describe(&t)
	s.findOwners(&t)
	s.findStatus(&t)
	s.findConstants(&t)
	t.thanked = slices.ContainsFunc(s.body, func(i int) bool {
		return thanksForPayment.MatchString(text.Fold(s.lines[i].Text()))
	})
	return t, described
}

// signsMatchMarks reports whether the amounts of all transactions have the sign that their marks say, of both ways.
func (s *tableShape) signsMatchMarks(mark, amount float64) bool {
	ways := map[int]bool{}
	for _, i := range s.body[:min(len(s.body), maxShaped)] {
		way, sign := 0, 0
		for _, token := range s.lines[i].Tokens {
			switch c := s.cell(token); {
			case token.X0 == mark:
				way = c.mark
			case token.X0 == amount && c.money != nil:
				sign = c.money.Value.Sign()
			}
		}
		if way != sign {
			return false
		}
		ways[way] = true
	}
	return ways[1] && ways[-1]
}

// nameColumns notes the heads of the columns, and which columns vary.
func (s *tableShape) nameColumns(t *Ledger) {
	if s.header < 0 {
		return
	}
	first, differs := map[float64]string{}, map[float64]bool{}
	for _, i := range s.body {
		for _, c := range s.lines[i].Tokens {
			if first[c.X0] == "" {
				first[c.X0] = c.Text
			}
			differs[c.X0] = differs[c.X0] || c.Text != first[c.X0]
		}
	}
	for _, head := range s.lines[s.header].Tokens {
		title := columnTitle(head.Text)
		if c := s.columns[head.X0]; c != nil {
			t.names[head.X0], t.varied[title] = title, differs[head.X0]
			t.partly[title] = c.filled < min(len(s.body), maxShaped)
		}
	}
}

// describe takes the columns of words: those whose head says so, else the one with most letters.
func (s *tableShape) describe(t *Ledger) bool {
	found := false
	most, at := 0, noColumn
	for _, x := range slices.Sorted(maps.Keys(s.columns)) {
		if t.roles[x] != roleNone || !s.mayDescribe(x) {
			continue
		}
		c := s.columns[x]
		if t.roles[x] = c.said; c.said == roleDescription {
			found = true
		}
		if slices.Contains(rolesTaken, c.said) {
			t.roles[x] = roleIgnored
		}
		if c.letters > most && c.said != roleIgnored && c.said != roleCheck {
			most, at = c.letters, x
		}
	}
	if !found && at != noColumn && most >= 3*min(len(s.body), maxShaped) {
		t.roles[at], found = roleDescription, true
	}
	return found || t.has(roleBalance) && t.chained >= 2 || s.header >= 0 && t.known()
}

// mayDescribe reports whether a column holds words that differ from row to row: no money, dates or codes.
func (s *tableShape) mayDescribe(x float64) bool {
	c := s.columns[x]
	if c.isMoney() || c.dates*2 > c.filled || c.codes == c.filled {
		return false
	}
	return s.header >= 0 || len(s.body) <= 2 || s.values(x) != 1
}

// rolesTaken are what other columns are: a column of words whose head says one of them says nothing.
var rolesTaken = []columnKind{roleKind, roleDate, roleCredit, roleDebit, roleBalance, roleAmount}
