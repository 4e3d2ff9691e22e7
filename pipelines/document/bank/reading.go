package bank

import (
	"maps"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Which columns of an export hold money out, money in and the balance: of all ways to read them the one under which
// most balances follow from the amounts.

// reading is one way to read the columns of money. A column is a left edge, -1 where the table has none.
type reading struct {
	amount, out, in, balance float64
	inverted, before         bool
	chained, steps           int
	score                    float64
}

const noColumn = -1.0

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

// markFor is the column of marks where it says which way the amounts of a column go: marks of one way beside amounts of
// both say what kind of order it was, and not its direction.
func (s *tableShape) markFor(mark, amount float64) float64 {
	if c, a := s.columns[mark], s.columns[amount]; c != nil && a != nil && a.negative > 0 &&
		(c.ins == 0 || c.ins == c.marks) {
		return noColumn
	}
	return mark
}

// bestReading tries every way to read the columns of money.
func (s *tableShape) bestReading(mark float64) (reading, bool) {
	var money []float64
	for _, x := range slices.Sorted(maps.Keys(s.columns)) {
		if c := s.columns[x]; x != s.dateX && (c.isMoney() || s.whole && c.mayBeMoney()) && len(money) < 7 {
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
	mark = s.markFor(mark, r.amount)
	r.score += s.headScore(r, money)
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

// headScore says how well a reading fits what the heads of the columns of money say, and their order.
func (s *tableShape) headScore(r reading, money []float64) float64 {
	score := 0.0
	for x, as := range map[float64]columnKind{r.amount: roleAmount, r.out: roleDebit, r.in: roleCredit,
		r.balance: roleBalance} {
		if x == noColumn {
			continue
		}
		switch said := s.columns[x].said; {
		case said == as:
			score += 4
		case said == roleIgnored || said == roleCheck:
			score -= 3
		case said != roleNone:
			score -= 4
		}
	}
	for i, x := range money {
		if x != r.amount && x != r.out && x != r.in && x != r.balance && s.columns[x].said == roleBalance {
			score--
		}
		if x == r.amount && s.isForeignAmount(x, money) {
			score -= 5
		}
		if x == r.amount {
			score -= 0.1 * float64(i) // of two that fit alike the first
		}
		if x == r.out && r.in != noColumn && r.out > r.in {
			score -= 0.5 // what went out stands first where nothing tells
		}
	}
	return score
}

// isForeignAmount reports whether a column has amounts in the currencies of the places of purchase, beside one in the
// account's currency: the currencies right of it differ, and those right of the other do not.
func (s *tableShape) isForeignAmount(x float64, money []float64) bool {
	return s.currenciesBeside(x) > 1 &&
		slices.ContainsFunc(money, func(o float64) bool { return o != x && s.currenciesBeside(o) == 1 })
}

// currenciesBeside counts the currencies in the column right of one; 0 when that holds none.
func (s *tableShape) currenciesBeside(x float64) int {
	right := x + text.ColumnWidth
	if c := s.columns[right]; c == nil || c.codes != c.filled || c.filled < s.examinedRows() ||
		!s.allCurrencies(right) {
		return 0
	}
	return s.values(right)
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
	if m := s.moneyIn(l, r.out); m != nil && !m.Value.IsZero() {
		v := m.Value.Abs().Neg()
		return &v
	}
	if m := s.moneyIn(l, r.in); m != nil && !m.Value.IsZero() {
		v := m.Value.Abs()
		return &v
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
			held, tested := following(moves, newest, before, inverted)
			steps = max(steps, tested)
			if held > most {
				most, r.inverted, r.before = held, inverted, before
			}
		}
	}
	r.chained, r.steps = most, steps
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

// following counts the pairs of balances between which the amounts account for the change, and the pairs.
func following(moves []move, newest, before, inverted bool) (held, tested int) {
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
