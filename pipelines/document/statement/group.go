package statement

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
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
		r.forms = captions.Forms(strings.TrimSuffix(r.caption, shared))
		r.folded = r.forms[0]
		_, r.total = totalName(r.folded)
		r.neverDeducted = kind == captions.BalanceSheet && !strings.HasPrefix(text.Fold(r.caption), "less ") ||
			kind == captions.IncomeStatement && costSections[captions.Books()[kind].Headings[r.folded]]
	}
	for i := range slices.Backward(rows) {
		if rows[i].hasFigures() && !rows[i].nameless {
			groupPartsBelow(kind, rows, i)
		}
	}
	for i := range rows {
		r := &rows[i]
		if !r.hasFigures() {
			open = append(open, rowGroup{r.folded, i})
			continue
		}
		if r.nameless {
			r.sumsAbove(rows, i)
			continue
		}
		if r.sumsRowsBelow(i) {
			continue
		}
		if first := innerRun(rows, i); first >= 0 {
			r.makeTotalOf(rows, first-1, i)
			continue
		}
		if r.total {
			open = r.closesGroup(rows, i, open)
			continue
		}
		sum := netWords.MatchString(r.folded) || kind == captions.BalanceSheet && len(r.figures) > 1 ||
			kind == captions.IncomeStatement && expensesAlone[r.folded]
		if first := sumsTo(rows, i); first >= 0 && sum {
			r.makeTotalOf(rows, first-1, i)
		}
	}
}

// sumsRowsBelow reports whether a row at place i prints the sum of rows below it.
func (r *statementRow) sumsRowsBelow(i int) bool { return len(r.members) > 0 && r.members[0] > i }

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
			r.makeTotalOf(rows, group.at, i)
			return open[:k]
		}
	}
	first := lineOfSameName(rows, i, name, open)
	if first < 0 {
		if first = sumsTo(rows, i); first < 0 {
			return open
		}
		if n := len(open); n > 0 && open[n-1].at == first-1 && strings.HasSuffix(name, " "+open[n-1].name) {
			open = open[:n-1] // "total operating income" ends "income"
		}
	}
	r.makeTotalOf(rows, first-1, i)
	return open
}

// lineOfSameName is the line that has the name of the total at place i, below the last heading; -1 when there is none.
func lineOfSameName(rows []statementRow, i int, name string, open []rowGroup) int {
	for k := i - 1; k >= 0 && (len(open) == 0 || k > open[len(open)-1].at); k-- {
		if rows[k].hasFigures() && !rows[k].total && rows[k].folded == name && rows[k].parent < 0 {
			return k
		}
	}
	if i > 0 && rows[0].hasFigures() && rows[0].folded == name {
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
		captions.EditDistance(heading, name, 1) <= 1
}

// innerStep is how far left of the sums their details stand at least, in points; cells stand a column apart.
const innerStep = 24

// markInner finds the rows whose figure stands in a column of details, left of the column of their sums: where one
// period has two columns of money, and both hold more than a stray figure.
func markInner(rows []statementRow) {
	var edges []float64
	cells := false
	for _, r := range rows {
		if !r.hasFigures() || r.nameless {
			continue
		}
		if len(r.figures) != 1 {
			return // more than one period
		}
		edges = append(edges, r.edge)
		cells = cells || r.tokens[0].Cell != ""
	}
	if len(edges) < 4 {
		return
	}
	outer, step := slices.Max(edges), float64(innerStep)
	if cells {
		step = text.ColumnWidth * 0.99
	}
	inner := 0
	for _, e := range edges {
		if e <= outer-step {
			inner++
		}
	}
	if inner < 2 || len(edges)-inner < 2 {
		return
	}
	for i := range rows {
		rows[i].inner = rows[i].hasFigures() && rows[i].edge <= outer-step
	}
}

// innerRun is the first of the details right above a row of the column of sums, headings among them or not, that add up
// to it as they are printed; -1 when it is no such sum. What its caption says does not matter: the columns tell.
func innerRun(rows []statementRow, at int) int {
	if rows[at].inner || len(rows[at].figures) != 1 || rows[at].figures[0] == nil {
		return -1
	}
	sum, n, first := decimal.Zero, 0, -1
	for i := at - 1; i >= 0; i-- {
		r := &rows[i]
		if !r.hasFigures() {
			continue
		}
		if !r.inner || r.figures[0] == nil || r.parent >= 0 {
			break
		}
		sum, n, first = sum.Add(r.term(0)), n+1, i
	}
	if n < 2 || sum.IsZero() || !sum.Equal(rows[at].figures[0].Value.Decimal) {
		return -1
	}
	return first
}

// sharedSuffix is what a program hangs onto the name of nearly every account, as the short name of the firm: " - KTP".
func sharedSuffix(rows []statementRow) string {
	counts := map[string]int{}
	for _, r := range rows {
		if at := strings.LastIndex(r.caption, " - "); at > 0 && !strings.Contains(r.caption[at+3:], " ") {
			counts[r.caption[at:]]++
		}
	}
	for suffix, n := range counts {
		if n >= 4 && 2*n > len(rows) {
			return suffix
		}
	}
	return ""
}
