package table

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// highestNote is the number of the last note that a statement refers to, and fewestMoney what some figure beside a
// column of such references is more than.
var highestNote, fewestMoney = decimal.NewFromInt(60), decimal.NewFromInt(200)

// markNotes finds the column of references to notes: the leftmost one, of small whole numbers alone, that fewer rows
// print than print money beside it. Headings of periods do not stand over it.
func (b *Grid) markNotes(lines []Line) {
	if len(b.Columns) < 2 {
		return
	}
	references, rows, large := 0, 0, false
	for _, l := range lines {
		if len(l.Caption) == 0 || AllYears(l.Figures) {
			continue
		}
		money := false
		for _, m := range l.Figures {
			switch b.Bind(m) {
			case -1:
			case 0:
				if !isReference(m) {
					return
				}
				references++
			default:
				money = true
				large = large || m.Value.Abs().GreaterThan(fewestMoney)
			}
		}
		if money {
			rows++
		}
	}
	b.notes = large && 10*references < 9*rows
}

// isReference reports whether a figure may be the number of a note: "7", "4.1".
func isReference(m text.Money) bool {
	return !m.Grouped && m.Symbol == "" && !m.Signed && m.Places() <= 1 && !m.Percent && !m.Dash &&
		m.Value.IsPositive() && m.Value.LessThanOrEqual(highestNote)
}

// letteredNote refers to a part of a note: "3(b)", "12 (a)", "4.1(c)".
var letteredNote = lazyregexp.New(`^\d{1,2}(?:\.\d{1,2})?\([a-z]{1,3}\)(?:,)?$`)

// withoutNote are the words of a caption without references to parts of notes that stand apart behind them.
func withoutNote(caption []text.Token) []text.Token {
	for n := len(caption) - 1; n > 0 && letteredNote.MatchString(caption[n].Text); n-- {
		if headGap(caption[n-1], caption[n]) {
			return caption[:n]
		}
	}
	return caption
}

// money are the places of the columns that are not of references to notes.
func (b *Grid) money() []int {
	var places []int
	for i := range b.Columns {
		if i > 0 || !b.notes {
			places = append(places, i)
		}
	}
	return places
}

// notesHead is what stands above references to notes.
var notesHead = lazyregexp.New(`(?i)^\W*(?:note|notes|notas?|noten?|not|anm|anhang|annexes?)\W*(?:nos?|ref\w*)?\W*$`)

// aboveMoney are the pieces of a heading without the one that stands above references to notes.
func (b *Grid) aboveMoney(over []headCell) []headCell {
	return slices.DeleteFunc(slices.Clone(over), func(c headCell) bool {
		return b.notes && notesHead.MatchString(text.Join(c.tokens))
	})
}

// inGroups reports whether each piece of a heading stands over as many columns of money. Beside references to notes two
// Columns under one date are a detail's and its sum's.
func (b *Grid) inGroups(over []headCell, money []int) bool {
	if len(over) < 2 || len(money) <= len(over) || len(money)%len(over) != 0 || allChanges(over) {
		return false
	}
	return !b.notes || len(money)/len(over) > 2 || !slices.ContainsFunc(over, func(c headCell) bool {
		p := ReadPeriod(text.Join(c.tokens), text.MonthFirst)
		return p.isDated()
	})
}

// allChanges reports whether pieces of a heading say of columns that they are of changes: they span no others.
func allChanges(over []headCell) bool {
	return !slices.ContainsFunc(over, func(c headCell) bool { return !changeHead.MatchString(text.Join(c.tokens)) })
}

var changeHead = lazyregexp.New(`(?i)^\W*(?:\(?(?:increase|decrease|change|variance|percent` +
	`|pct)\)?[\s/%]*)+\W*$|^\W*%\W*$`)

// eachAbove reports whether each of several pieces of a heading ends flush with a column of its own: it is one line of
// that column's heading, and spans none beside it.
func (b *Grid) eachAbove(over []headCell) bool {
	taken := map[int]bool{}
	for _, c := range over {
		i, distance := b.columnBelow(c)
		if i < 0 || taken[i] || distance > b.near || text.Abs(c.x1-b.Columns[i].Right) > b.near ||
			i > 0 && c.x0 < b.Columns[i-1].Right {
			return false
		}
		taken[i] = true
	}
	return len(over) > 1
}

// endsAgain reports whether a page prints the bottom line of a statement that has ended, below other rows: a table of a
// note, which does not go on with it.
func (b *Block) endsAgain(lines []Line) bool {
	if b.Kind != captions.IncomeStatement {
		return false
	}
	if _, ended := b.printed(); !ended {
		return false
	}
	rows := 0
	for _, l := range lines {
		if !l.isRow() {
			continue
		}
		if rows++; rows > 2 && b.ends(l) {
			return true
		}
	}
	return false
}
