package bank

import (
	"slices"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// captionUnder reads amounts above their captions: a tile sets a figure large, and what it is below it. Where tiles
// stand one below the other, each caption is also above the next figure: the column of figures and captions that
// begins with a figure and ends with a caption says which belong together.
func captionUnder(lines []text.Line, at int, amounts []text.Money, style text.DecimalStyle,
	order text.DateOrder) []bankItem {
	l := lines[at]
	if d := l.Dates(order); len(d) > 0 && d[0].First == 0 {
		return nil // a transaction
	}
	var items []bankItem
	for _, cell := range l.Cells() {
		m := slices.IndexFunc(amounts, func(m text.Money) bool {
			tokens := l.Tokens[m.First : m.Last+1]
			return tokens[0].X0 == cell.X0 && tokens[len(tokens)-1].X1 == cell.X1
		})
		if m < 0 {
			continue
		}
		caption, c, ok := tileCaption(lines, at, cell, style, order)
		if !ok {
			continue
		}
		if c.kind == bankBalance {
			c.kind = bankCurrent
		}
		items = append(items, bankItem{captionRead: c, money: amounts[m], tokens: cell.Tokens, caption: caption,
			line: at})
	}
	return items
}

// tileCaption is the caption below a figure, if the column that both stand in begins with a figure and ends with a
// caption.
func tileCaption(lines []text.Line, at int, figure text.Line, style text.DecimalStyle,
	order text.DateOrder) (string, captionRead, bool) {
	t := tiles{lines: lines, style: style, order: order}
	caption, below := t.next(at, figure, 1)
	if below < 0 || t.isFigure(caption) {
		return "", captionRead{}, false
	}
	read := readBankCaption(caption.Text(), order)
	if read.kind == bankNone {
		return "", captionRead{}, false
	}
	first, wantsFigure := figure, false
	for up, i := t.next(at, figure, -1); i >= 0; up, i = t.next(i, up, -1) {
		if t.isFigure(up) != wantsFigure {
			break
		}
		first, wantsFigure = up, !wantsFigure
	}
	last, wantsFigure := caption, true
	for down, i := t.next(below, caption, 1); i >= 0; down, i = t.next(i, down, 1) {
		if t.isFigure(down) != wantsFigure {
			break
		}
		last, wantsFigure = down, !wantsFigure
	}
	return caption.Text(), read, t.isFigure(first) && !t.isFigure(last)
}

// tiles are figures and their captions, one below the other.
type tiles struct {
	lines []text.Line
	style text.DecimalStyle
	order text.DateOrder
}

// next is the cell right above or below one, that shares its column, and is a figure or a caption; -1: there is none.
func (t tiles) next(at int, of text.Line, step int) (text.Line, int) {
	for i := at + step; i >= 0 && i < len(t.lines) && i <= at+2 && i >= at-2; i += step {
		l := t.lines[i]
		room := max(of.Y0-l.Y1, l.Y0-of.Y1)
		if l.Page != of.Page || room > 1.6*(of.Y1-of.Y0) {
			break
		}
		for _, cell := range l.Cells() {
			if text.Overlap(cell.X0, cell.X1, of.X0, of.X1) <= 0 {
				continue
			}
			if t.isFigure(cell) || readBankCaption(cell.Text(), t.order).kind != bankNone {
				return cell, i
			}
			return text.Line{}, -1
		}
	}
	return text.Line{}, -1
}

func (t tiles) isFigure(cell text.Line) bool {
	amounts := text.MoneyOn(cell, t.style)
	return len(amounts) == 1 && amounts[0].First == 0 && amounts[0].Last == len(cell.Tokens)-1
}

// pairedTotal is one caption of two totals, which stand behind it in its order: "Total withdrawals/deposits".
var pairedTotal = lazyregexp.New(`^(?i:totals?(?: of)?) ([\pL ]+?) ?(?:/|&|\band\b) ?([\pL ]+)$`)

// pairedTotals reads a line of two amounts whose caption names both: what went out and what came in.
func pairedTotals(l text.Line, at int, amounts []text.Money, order text.DateOrder) []bankItem {
	if len(amounts) != 2 {
		return nil
	}
	caption := l.Words(0, amounts[0].First)
	parts := pairedTotal.FindStringSubmatch(caption)
	if parts == nil {
		return nil
	}
	var items []bankItem
	for i, m := range amounts {
		c := readBankCaption("Total "+parts[i+1], order)
		items = append(items, bankItem{captionRead: c, money: m, tokens: l.Tokens[m.First : m.Last+1],
			caption: "Total " + parts[i+1], line: at})
	}
	if a, b := items[0].kind, items[1].kind; a.credits() && b.debits() || a.debits() && b.credits() {
		return items
	}
	return nil
}
