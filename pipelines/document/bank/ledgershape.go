package bank

import (
	"maps"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

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
	marks, letters, codes                 int
	said                                  columnKind // by the header's words
}

// isMoney reports whether the column holds amounts: most cells are, and they have cents or the header says so.
func (c *tableColumn) isMoney() bool {
	moneyWord := c.said == roleAmount || c.said == roleCredit || c.said == roleDebit || c.said == roleBalance
	return c.money*5 >= c.filled*3 && c.money > 0 && c.dates*2 < c.filled &&
		(c.cents*2 >= c.money || moneyWord || c.negative > 0 && c.cents > 0)
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
}

// maxShaped is how many rows are looked at to settle what the columns hold.
const maxShaped = 400

// ledgerHeader finds the table of transactions among the lines of a sheet, with or without a header row.
func LedgerHeader(lines []text.Line) (Ledger, bool) {
	if len(lines) == 0 || lines[0].Tokens[0].Method != text.MethodCell {
		return Ledger{}, false
	}
	pages := []text.Page{{Tokens: TokensOf(lines)}}
	s := tableShape{lines: lines, style: text.StyleOf(pages), order: text.OrderOf(pages), header: -1}
	if !s.findDates() {
		return Ledger{}, false
	}
	s.findHeader()
	s.measure()
	return s.settle()
}

// compactDate is a date of eight figures, year first.
var compactDate = lazyregexp.New(`^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$`)

// allFigures is a date in figures with the year last.
var allFigures = lazyregexp.New(`\b(\d{1,2})[-/](\d{1,2})[-/](?:\d{4}|\d{2})\b`)

// dateTail is what may follow a date in its cell: a time, a weekday.
var dateTail = lazyregexp.New(`(?i)^[,;]?(?:[ T]+(?:\d{1,2}[:.h]\d{2}.*|[a-zé]{2,10}\.?))?[.,]?$`)

// cellDate reads a cell that is a date and nothing else but a time.
func cellDate(shown string, order text.DateOrder) (text.Date, bool) {
	shown = strings.TrimLeft(strings.TrimSpace(shown), "'")
	if compactDate.MatchString(shown) {
		shown = shown[:4] + "-" + shown[4:6] + "-" + shown[6:]
	}
	if len(shown) > 40 {
		return text.Date{}, false
	}
	d := text.FindDates(shown, order)
	if len(d) == 0 || d[0].From != 0 || !d[0].Complete() || !dateTail.MatchString(shown[d[0].To:]) {
		return text.Date{}, false
	}
	return d[0].Date, true
}

// findDates finds the column of booking dates: where the most rows that have an amount have a date. Of several the
// first whose head does not say that it is the value date.
func (s *tableShape) findDates() bool {
	count := map[float64]int{}
	headed := s.moneyHeaded()
	for _, l := range s.lines {
		var dates []float64
		amounts := 0
		for _, c := range l.Tokens {
			if _, ok := cellDate(c.Text, s.order); ok {
				dates = append(dates, c.X0)
			} else if m := cellMoney(c, s.style); m != nil && (m.Looks() || m.Signed || headed[c.X0]) {
				amounts++
			}
		}
		if amounts == 0 {
			continue
		}
		for _, x := range dates {
			count[x]++
		}
	}
	most := 0
	for _, n := range count {
		most = max(most, n)
	}
	if most == 0 {
		return false
	}
	best := -1.0
	for _, x := range slices.Sorted(maps.Keys(count)) {
		if count[x]*10 < most*9 {
			continue
		}
		if best < 0 || s.secondDate(best) && !s.secondDate(x) {
			best = x
		}
	}
	s.dateX = best
	s.orderDates()
	for i, l := range s.lines {
		if _, ok := s.dateOf(l); ok && len(s.amountsOf(l)) > 0 {
			s.body = append(s.body, i)
		}
	}
	return len(s.body) > 0
}

// moneyHeaded are the columns whose heads say that they hold amounts, in a row of heads that names the dates too: whole
// figures under them are amounts.
func (s *tableShape) moneyHeaded() map[float64]bool {
	for _, l := range s.lines[:min(len(s.lines), 60)] {
		headed, dated := map[float64]bool{}, false
		for _, c := range l.Tokens {
			switch roleOfColumn(c.Text) {
			case roleDate:
				dated = true
			case roleAmount, roleCredit, roleDebit:
				headed[c.X0] = true
			}
		}
		if dated && len(headed) > 0 && len(l.Tokens) >= 3 {
			return headed
		}
	}
	return nil
}

// valueDate are heads of dates that are not those of booking.
var valueDate = lazyregexp.New(`\b(?:value|valuta|valutadatum|valor|wert|wertstellung|valeur|effective|settlement` +
	`|rentedato|rentedatum|clearing|due|created|authori[sz]ed)\b`)

// secondDate reports whether the first cell above the dates of a column that is none says that they are of value.
func (s *tableShape) secondDate(x float64) bool {
	head := ""
	for _, l := range s.lines {
		for _, c := range l.Tokens {
			if c.X0 != x {
				continue
			}
			if _, ok := cellDate(c.Text, s.order); ok {
				return valueDate.MatchString(columnTitle(head))
			}
			head = c.Text
		}
	}
	return false
}

func (s *tableShape) dateOf(l text.Line) (text.Date, bool) {
	for _, c := range l.Tokens {
		if c.X0 == s.dateX {
			return cellDate(c.Text, s.order)
		}
	}
	return text.Date{}, false
}

// amountsOf are the cells of a line that look like money.
func (s *tableShape) amountsOf(l text.Line) []text.Token {
	var found []text.Token
	for _, c := range l.Tokens {
		if c.X0 == s.dateX {
			continue
		}
		if m := cellMoney(c, s.style); m != nil && len(c.Text) < 20 {
			found = append(found, c)
		}
	}
	return found
}

// orderDates decides the order of day and month by the column of dates itself: the one under which all are dates, else
// the one under which they run in time.
func (s *tableShape) orderDates() {
	var texts []string
	for _, l := range s.lines {
		for _, c := range l.Tokens {
			if _, ok := cellDate(c.Text, s.order); ok && c.X0 == s.dateX {
				texts = append(texts, c.Text)
			}
		}
	}
	astray := func(order text.DateOrder) int {
		up, down := 0, 0
		var before text.Date
		for i, shown := range texts {
			d, ok := cellDate(shown, order)
			if !ok {
				continue
			}
			if i > 0 && d.Before(before) {
				down++
			} else if i > 0 && before.Before(d) {
				up++
			}
			before = d
		}
		return min(up, down)
	}
	figures := 0 // above 12 as the first or the second
	for _, shown := range texts {
		if g := allFigures.FindStringSubmatch(shown); g != nil {
			switch {
			case len(g[1]) == 2 && g[1] > "12":
				figures++
			case len(g[2]) == 2 && g[2] > "12":
				figures--
			}
		}
	}
	other := text.DayFirst
	if s.order == text.DayFirst {
		other = text.MonthFirst
	}
	switch {
	case figures > 0:
		s.order = text.DayFirst
	case figures < 0:
		s.order = text.MonthFirst
	case astray(other) < astray(s.order):
		s.order = other
	case astray(other) == astray(s.order) && s.shorterUnder(other, texts):
		s.order = other
	case astray(other) == astray(s.order) && s.abroad():
		s.order = text.DayFirst
	}
}

// abroad reports whether the money of a file is that of a country that writes the day first: by its currency, or by a
// comma before the cents.
func (s *tableShape) abroad() bool {
	return s.style == text.CommaDecimal ||
		slices.ContainsFunc(s.lines, func(l text.Line) bool { return dayFirstMoney.MatchString(l.Text()) })
}

var dayFirstMoney = lazyregexp.New(`\b(?:EUR|GBP|CHF|AUD|NZD|INR|SGD|HKD|MXN|BRL|SEK|NOK|DKK|PLN|COP|CLP|ARS|PEN)\b` +
	`|[€£₹]`)

// shorterUnder reports whether the dates, in time under either order of day and month, lie much closer together under
// the other one: an export is of some weeks, and not of one day of every month. A file that is American keeps its
// order.
func (s *tableShape) shorterUnder(other text.DateOrder, texts []string) bool {
	if code, _ := text.CurrencyOf(s.lines, s.order); code == "USD" {
		return false
	}
	days := func(order text.DateOrder) (int, int) {
		seen := map[text.Date]bool{}
		var first, last text.Date
		for _, shown := range texts {
			d, ok := cellDate(shown, order)
			if !ok {
				continue
			}
			if len(seen) == 0 || d.Before(first) {
				first = d
			}
			if len(seen) == 0 || last.Before(d) {
				last = d
			}
			seen[d] = true
		}
		if len(seen) == 0 {
			return 0, 0
		}
		return int(last.Time().Sub(first.Time()).Hours() / 24), len(seen)
	}
	span, different := days(s.order)
	shorter, _ := days(other)
	return different >= 3 && 3*shorter < span && shorter <= 31
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
		if cell.money.Places() == 2 || cell.money.Symbol != "" {
			c.cents++
		}
		if cell.money.Value.IsNegative() {
			c.negative++
		}
	case currencyCode.MatchString(cell.token.Text):
		c.codes++
	}
	if cell.mark != 0 {
		c.marks++
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

// currencyCode is a currency's code alone in a cell.
var currencyCode = lazyregexp.New(`^[A-Z]{3}$`)

// ways are the marks by which exports say which way money goes, folded; signs are read as they stand.
var (
	outWay = text.WordSet("d dr db dt s af uit out debit debet debito debe soll withdrawal withdrawals cargo uscita " +
		"dare ausgang ausgehend retrait sortie paid payment belastung lastschrift deb")
	inWay = text.WordSet("c cr ct h bij in credit kredit credito haber haben deposit deposits abono entrata avere " +
		"eingang eingehend depot entree received gutschrift cred dep")
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

// reading is one way to read the columns of money. A column is a left edge, -1 where the table has none.
type reading struct {
	amount, out, in, balance float64
	inverted, before         bool
	chained                  int
	score                    float64
}

const noColumn = -1.0

// settle chooses what the columns hold.
func (s *tableShape) settle() (Ledger, bool) {
	t := Ledger{Header: s.header, first: s.body[0], last: s.body[len(s.body)-1], order: s.order,
		roles: map[float64]columnKind{s.dateX: roleDate}, names: map[float64]string{}, varied: map[string]bool{}}
	mark := s.markColumn()
	best, ok := s.bestReading(mark)
	if !ok || s.header < 0 && len(s.body) < 2 {
		return t, false
	}
	t.inverted, t.before, t.chained = best.inverted, best.before, best.chained
	for x, r := range map[float64]columnKind{best.amount: roleAmount, best.out: roleDebit, best.in: roleCredit,
		best.balance: roleBalance} {
		if x != noColumn {
			t.roles[x] = r
		}
	}
	if mark != noColumn && best.amount != noColumn {
		t.roles[mark] = roleKind
	}
	t.twoWays = s.goesBothWays(best, mark)
	s.name(&t)
	described := s.describe(&t)
	s.findOwners(&t)
	return t, described
}

// markColumn is the column whose cells say which way money goes; noColumn when there is none.
func (s *tableShape) markColumn() float64 {
	best := noColumn
	for _, x := range slices.Sorted(maps.Keys(s.columns)) {
		if c := s.columns[x]; c.marks > 0 && c.marks == c.filled &&
			c.filled*10 >= len(s.body[:min(len(s.body), maxShaped)])*9 {
			if best == noColumn || c.said == roleKind && s.columns[best].said != roleKind {
				best = x
			}
		}
	}
	return best
}

// bestReading tries every way to read the columns of money.
func (s *tableShape) bestReading(mark float64) (reading, bool) {
	var money []float64
	for _, x := range slices.Sorted(maps.Keys(s.columns)) {
		if c := s.columns[x]; x != s.dateX && c.isMoney() && len(money) < 7 {
			money = append(money, x)
		}
	}
	best, found := reading{score: -1}, false
	try := func(r reading) {
		for _, b := range append([]float64{noColumn}, money...) {
			if b != noColumn && (b == r.amount || b == r.out || b == r.in) {
				continue
			}
			r.balance = b
			if got := s.weigh(r, mark, money); !found || got.score > best.score {
				best, found = got, true
			}
		}
	}
	for _, a := range money {
		r := reading{amount: a, out: noColumn, in: noColumn}
		try(r)
		if s.columns[a].said == roleDebit {
			try(reading{amount: noColumn, out: a, in: noColumn})
		}
		if s.columns[a].said == roleCredit {
			try(reading{amount: noColumn, out: noColumn, in: a})
		}
		for _, b := range money {
			if a != b && s.exclusive(a, b) {
				try(reading{amount: noColumn, out: a, in: b})
			}
		}
	}
	return best, found && best.score > 0
}

// exclusive reports whether no transaction has an amount in both columns.
func (s *tableShape) exclusive(a, b float64) bool {
	for _, i := range s.body[:min(len(s.body), maxShaped)] {
		x, y := s.moneyIn(s.lines[i], a), s.moneyIn(s.lines[i], b)
		if x != nil && y != nil && !x.Value.IsZero() && !y.Value.IsZero() {
			return false
		}
	}
	return true
}

func (s *tableShape) moneyIn(l text.Line, x float64) *text.Money {
	for _, c := range l.Tokens {
		if c.X0 == x {
			return cellMoney(c, s.style)
		}
	}
	return nil
}

// weigh says how well a reading fits: the header's words, balances that follow, and rows that have an amount.
func (s *tableShape) weigh(r reading, mark float64, money []float64) reading {
	for x, as := range map[float64]columnKind{r.amount: roleAmount, r.out: roleDebit, r.in: roleCredit,
		r.balance: roleBalance} {
		if x == noColumn {
			continue
		}
		switch said := s.columns[x].said; {
		case said == as:
			r.score += 4
		case said == roleIgnored || said == roleCheck:
			r.score -= 3
		case said != roleNone:
			r.score -= 4
		}
	}
	for i, x := range money {
		if x != r.amount && x != r.out && x != r.in && x != r.balance && s.columns[x].said == roleBalance {
			r.score--
		}
		if x == r.amount {
			r.score -= 0.1 * float64(i) // of two that fit alike the first
		}
		if x == r.out && r.in != noColumn && r.out > r.in {
			r.score -= 0.5 // what went out stands first where nothing tells
		}
	}
	covered, signed := 0, mark != noColumn && r.amount != noColumn
	moves := s.moves(r, mark)
	for _, m := range moves {
		if m.amount != nil {
			covered++
			signed = signed || m.amount.IsNegative()
		}
	}
	r.score += 3 * float64(covered) / float64(len(moves))
	if !signed {
		r.score -= 1.5
	}
	if r.balance == noColumn {
		return r
	}
	return s.chain(r, moves)
}

// move is one transaction under a reading.
type move struct{ amount, balance *decimal.Decimal }

// moves are the transactions under a reading, as they stand in the file.
func (s *tableShape) moves(r reading, mark float64) []move {
	var all []move
	for _, i := range s.body[:min(len(s.body), maxShaped)] {
		l := s.lines[i]
		var m move
		if v := s.amountUnder(l, r, mark); v != nil {
			m.amount = v
		}
		if b := s.moneyIn(l, r.balance); b != nil {
			m.balance = &b.Value.Decimal
		}
		all = append(all, m)
	}
	return all
}

func (s *tableShape) amountUnder(l text.Line, r reading, mark float64) *decimal.Decimal {
	if r.amount != noColumn {
		m := s.moneyIn(l, r.amount)
		if m == nil {
			return nil
		}
		v := m.Value.Decimal
		if mark != noColumn {
			v = byMark(v, s.markOn(l, mark))
		}
		return &v
	}
	for x, sign := range map[float64]int64{r.out: -1, r.in: 1} {
		if m := s.moneyIn(l, x); x != noColumn && m != nil && !m.Value.IsZero() {
			v := m.Value.Abs().Mul(decimal.NewFromInt(sign))
			return &v
		}
	}
	return nil
}

func (s *tableShape) markOn(l text.Line, x float64) int {
	for _, c := range l.Tokens {
		if c.X0 == x {
			return wayOf(c.Text)
		}
	}
	return 0
}

// byMark is an amount with the sign that a mark gives to one that has none.
func byMark(v decimal.Decimal, mark int) decimal.Decimal {
	if mark < 0 && v.IsPositive() {
		return v.Neg()
	}
	return v
}

// chain counts the balances that follow from the one before, in the four ways in which exports run, and with amounts
// that are positive when money goes out.
func (s *tableShape) chain(r reading, moves []move) reading {
	steps, most := 0, 0
	for _, inverted := range []bool{false, true} {
		if inverted && (r.amount == noColumn || s.header >= 0 && s.columns[r.amount].said == roleAmount &&
			s.columns[r.amount].negative > 0) {
			continue
		}
		for way := range 4 {
			newest, before := way&1 != 0, way&2 != 0
			held, tested := follows4(moves, newest, before, inverted)
			steps = max(steps, tested)
			if held > most {
				most, r.inverted, r.before = held, inverted, before
			}
		}
	}
	r.chained = most
	switch {
	case steps >= 2 && most*5 >= steps*3:
		r.score += 8 * float64(most) / float64(steps)
	case steps >= 2:
		r.score -= 3
	case steps == 1 && most == 1:
		r.score += 2
	}
	return r
}

// follows4 counts the pairs of balances between which the amounts account for the change, and the pairs.
func follows4(moves []move, newest, before, inverted bool) (held, tested int) {
	sum := decimal.Zero
	var last *decimal.Decimal
	for n := range moves {
		m := moves[n]
		if newest {
			m = moves[len(moves)-1-n]
		}
		v := decimal.Zero
		if m.amount != nil {
			v = *m.amount
		}
		if inverted {
			v = v.Neg()
		}
		if !before {
			sum = sum.Add(v)
		}
		if m.balance != nil {
			if last != nil && !sum.IsZero() {
				tested++
				if last.Add(sum).Equal(*m.balance) {
					held++
				}
			}
			last, sum = m.balance, decimal.Zero
		}
		if before {
			sum = sum.Add(v)
		}
	}
	return held, tested
}

// goesBothWays reports whether the amounts of a reading go in and out, or its columns are made for it.
func (s *tableShape) goesBothWays(r reading, mark float64) bool {
	if r.out != noColumn && r.in != noColumn {
		return true
	}
	in, out := false, false
	for _, m := range s.moves(r, mark) {
		if m.amount != nil {
			in, out = in || m.amount.IsPositive(), out || m.amount.IsNegative()
		}
	}
	return in && out || mark != noColumn && r.amount != noColumn
}

// name notes the heads of the columns, and which columns vary.
func (s *tableShape) name(t *Ledger) {
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
		if s.columns[head.X0] != nil {
			t.names[head.X0], t.varied[title] = title, differs[head.X0]
		}
	}
}

// describe takes the columns of words: those whose head says so, else the one with most letters.
func (s *tableShape) describe(t *Ledger) bool {
	found := false
	most, at := 0, noColumn
	for _, x := range slices.Sorted(maps.Keys(s.columns)) {
		c := s.columns[x]
		if t.roles[x] != roleNone || c.isMoney() || c.dates*2 > c.filled || c.codes == c.filled {
			continue
		}
		if t.roles[x] = c.said; c.said == roleDescription {
			found = true
		}
		if c.said == roleKind || c.said == roleDate || c.said == roleCredit || c.said == roleDebit ||
			c.said == roleBalance || c.said == roleAmount {
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

// ownAccounts are heads of the column that says which of the customer's accounts an entry is of.
var ownAccounts = lazyregexp.New(`^(?:(?:own |my )?account(?: (?:number|no|name|id|nr))?|acct(?: no)?|a c(?: no)?` +
	`|konto|kontonummer|auftragskonto|iban auftragskonto|rekening|iban bban|rekeningnummer|compte|numero de compte` +
	`|cuenta|iban)$`)

// findOwners finds the columns that say whose account and which currency. A column of accounts with nearly as many
// values as rows is that of the partners.
func (s *tableShape) findOwners(t *Ledger) {
	for _, x := range slices.Sorted(maps.Keys(s.columns)) {
		c := s.columns[x]
		r := t.roles[x]
		if r == roleDate || r == roleAmount || r == roleCredit || r == roleDebit || r == roleBalance || r == roleKind {
			continue
		}
		if t.currencyAt == nil && c.codes == c.filled && s.allCurrencies(x) {
			t.currencyAt, t.roles[x] = &x, roleIgnored
			continue
		}
		own := ownAccounts.MatchString(t.names[x]) || s.header < 0 && s.sameNumber(x)
		if n := s.values(x); t.accountAt == nil && own && (n == 1 || n <= 6 && n*2 < len(s.body)) &&
			c.filled == len(s.body[:min(len(s.body), maxShaped)]) {
			t.accountAt, t.roles[x] = &x, roleIgnored
		}
	}
}

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

// sameNumber reports whether every cell of a column without a head is the same account number.
func (s *tableShape) sameNumber(x float64) bool {
	for _, c := range s.lines[s.body[0]].Tokens {
		if c.X0 == x {
			return s.values(x) == 1 && len(s.body) > 1 &&
				(longNumber.MatchString(c.Text) || text.IBANPattern.MatchString(c.Text))
		}
	}
	return false
}
