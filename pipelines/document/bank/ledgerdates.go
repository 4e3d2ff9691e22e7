package bank

import (
	"maps"
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// Which column of an export holds the dates, and in which order they name day and month.

// compactDate is a date of eight figures, year first.
var compactDate = lazyregexp.New(`^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$`)

// yearAtEnd is a date of eight figures, year last.
var yearAtEnd = lazyregexp.New(`^(?:[0-2]\d|3[01]){2}20\d{2}$`)

// allFigures is a date in figures with the year last.
var allFigures = lazyregexp.New(`\b(\d{1,2})[-/](\d{1,2})[-/](?:\d{4}|\d{2})\b`)

// dateTail is what may follow a date in its cell: a time, a weekday.
var dateTail = lazyregexp.New(`(?i)^[,;]?(?:[ T]+(?:\d{1,2}[:.h]\d{2}.*|[a-zé]{2,10}\.?))?[.,]?$`)

// parted is a date of eight figures, year last, with strokes between day, month and year.
func parted(shown string) string {
	if figures := strings.TrimLeft(shown, "'"); yearAtEnd.MatchString(figures) {
		return figures[:2] + "/" + figures[2:4] + "/" + figures[4:]
	}
	return shown
}

// cellDate reads a cell that is a date and nothing else but a time.
func cellDate(shown string, order text.DateOrder) (text.Date, bool) {
	shown = strings.TrimLeft(strings.TrimSpace(shown), "'")
	if shown = parted(shown); compactDate.MatchString(shown) {
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
	count := s.datesByColumn()
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

// datesByColumn counts the rows with an amount by the columns in which they have a date.
func (s *tableShape) datesByColumn() map[float64]int {
	count := map[float64]int{}
	headed := s.moneyHeaded()
	for _, l := range s.lines {
		var dates []float64
		amounts := 0
		for _, c := range l.Tokens {
			if _, ok := cellDate(c.Text, s.order); ok {
				dates = append(dates, c.X0)
			} else if m := cellMoney(c, s.style); m != nil &&
				(m.Looks() || m.Signed || m.Places() == 1 || headed[c.X0] || s.whole) {
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
	return count
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
				texts = append(texts, parted(c.Text))
			}
		}
	}
	other := text.DayFirst
	if s.order == text.DayFirst {
		other = text.MonthFirst
	}
	first := daysFirst(texts)
	now, otherwise := datesOutOfOrder(texts, s.order), datesOutOfOrder(texts, other)
	switch {
	case first > 0:
		s.order = text.DayFirst
	case first < 0:
		s.order = text.MonthFirst
	case otherwise < now:
		s.order = other
	case otherwise == now && s.shorterUnder(other, texts):
		s.order = other
	case otherwise == now && s.usesDayFirstMoney():
		s.order = text.DayFirst
	}
}

// datesOutOfOrder counts the dates that are not in ascending or descending order when read with an order of day and
// month.
func datesOutOfOrder(texts []string, order text.DateOrder) int {
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

// daysFirst is how many more of the dates can only be read with the day first, by a figure above 12, than with the
// month first.
func daysFirst(texts []string) int {
	n := 0
	for _, shown := range texts {
		g := allFigures.FindStringSubmatch(shown)
		switch {
		case g == nil:
		case len(g[1]) == 2 && g[1] > "12":
			n++
		case len(g[2]) == 2 && g[2] > "12":
			n--
		}
	}
	return n
}

// usesDayFirstMoney reports whether the money of a file is that of a country that writes the day first: by its
// currency, or by a comma before the cents.
func (s *tableShape) usesDayFirstMoney() bool {
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
