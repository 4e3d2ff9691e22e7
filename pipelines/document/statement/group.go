package statement

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// groupRows finds which rows a total closes: those since the heading of its name, or since the row of its
// name that has figures of its own.
func groupRows(kind string, rows []statementRow) {
	var open []rowGroup
	markInner(rows)
	shared := sharedSuffix(rows)
	for i := range rows {
		r := &rows[i]
		r.forms = captionForms(strings.TrimSuffix(r.caption, shared))
		r.folded = r.forms[0]
		_, r.total = totalName(r.folded)
		r.owned = kind == balanceSheet && !strings.HasPrefix(text.Fold(r.caption), "less ") ||
			kind == incomeStatement && costSections[captionBooks()[kind].headings[r.folded]]
	}
	for i := range slices.Backward(rows) {
		if rows[i].has() && !rows[i].nameless {
			leads(kind, rows, i)
		}
	}
	for i := range rows {
		r := &rows[i]
		if !r.has() {
			open = append(open, rowGroup{r.folded, i})
			continue
		}
		if r.nameless {
			r.sumsAbove(rows, i)
			continue
		}
		if r.leading(i) {
			continue
		}
		if first := innerRun(rows, i); first >= 0 {
			r.closes(rows, first-1, i)
			continue
		}
		if r.total {
			open = r.closesGroup(rows, i, open)
			continue
		}
		sum := netWords.MatchString(r.folded) || kind == balanceSheet && len(r.figures) > 1 ||
			kind == incomeStatement && expensesAlone[r.folded]
		if first := sumsTo(rows, i); first >= 0 && sum {
			r.closes(rows, first-1, i)
		}
	}
}

// leading reports whether a row at place i prints the sum of rows below it.
func (r *statementRow) leading(i int) bool { return len(r.closed) > 0 && r.closed[0] > i }

// totalWords are how languages begin or end the caption of a total.
var totalWords = lazyregexp.New(`^(?:total|sum|summa|summe(?: der)?|totale|totaal|suma)(?: |$)` +
	`| (?:i alt|razem|ogołem|gesamt|yhteensa)$`)

// totalName is what a total is of; ok is false when a caption is of none.
func totalName(folded string) (name string, ok bool) {
	at := totalWords.FindStringIndex(folded)
	if at == nil {
		return folded, false
	}
	return folded[:at[0]] + folded[at[1]:], true
}

// rowGroup is a heading whose total is still to come.
type rowGroup struct {
	name string
	at   int
}

// closesGroup makes a total close the innermost group of its name, else the rows below the one of its name, else those
// it is the sum of, and is what is open after it.
func (r *statementRow) closesGroup(rows []statementRow, i int, open []rowGroup) []rowGroup {
	name, _ := totalName(r.folded)
	for k, group := range slices.Backward(open) {
		if sameGroup(group.name, name) {
			r.closes(rows, group.at, i)
			return open[:k]
		}
	}
	first := ownLine(rows, i, name, open)
	if first < 0 {
		if first = sumsTo(rows, i); first < 0 {
			return open
		}
		if n := len(open); n > 0 && open[n-1].at == first-1 && strings.HasSuffix(name, " "+open[n-1].name) {
			open = open[:n-1] // "total operating income" ends "income"
		}
	}
	r.closes(rows, first-1, i)
	return open
}

// ownLine is the line with the name of the total at place i, below the last heading; -1 when there is none.
func ownLine(rows []statementRow, i int, name string, open []rowGroup) int {
	for k := i - 1; k >= 0 && (len(open) == 0 || k > open[len(open)-1].at); k-- {
		if rows[k].has() && !rows[k].total && rows[k].folded == name && rows[k].parent < 0 {
			return k
		}
	}
	if i > 0 && rows[0].has() && rows[0].folded == name {
		return 0
	}
	return -1
}

func sameGroup(heading, name string) bool {
	if heading == name {
		return true
	}
	if len(name) < 4 || len(heading) < 4 {
		return false
	}
	return strings.HasPrefix(heading, name+" ") || strings.HasPrefix(name, heading+" ") ||
		strings.TrimSuffix(heading, "s") == strings.TrimSuffix(name, "s") || heading == "less "+name ||
		editDistance(heading, name, 1) <= 1
}
