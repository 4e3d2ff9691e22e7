package other

import (
	"slices"
	"strings"
	"unicode"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// paySum is one of the sums that a pay stub states.
type paySum struct {
	fact, year string // of the period and of the year so far; no fact of the year where empty
	row        *lazyregexp.Regexp
}

// paySums match the captions of the rows, and the heads of the columns, with what was earned and what is paid out.
var paySums = []paySum{
	{"totalEarnings", "totalEarningsYtd", lazyregexp.New(`^(?:(?:current )?gross(?: pay| earnings?| wages?| salary` +
		`| income)?(?: total)?|(?:current )?total gross(?: pay| earnings| wages)?` +
		`|(?:current )?(?:total )?earnings total` +
		`|(?:current )?total earnings|total pay|salaire brut|total brut|remuneration brute|brut total|total des gains` +
		`|gesamt ?brutto|brutto(?:lohn|gehalt)|bruttoverdienst|brutto gesamt|total devengado` +
		`|total (?:de )?percepciones|total haberes` +
		`|total (?:de )?vencimentos|totale competenze|bruto ?loon|totaal bruto|total remuneracoes|total payments)$`)},
	{"netPay", "", lazyregexp.New(`^(?:(?:current )?(?:total )?net (?:pay|check|earnings|wages|salary|amount)` +
		`|take home pay|net paye|paie nette|net a payer|auszahlungs ?betrag|netto(?:lohn|gehalt)` +
		`|liquido (?:total )?a (?:percibir|receber)` +
		`|neto a (?:percibir|pagar|cobrar)|valor liquido|netto in busta|netto del mese|netto ?loon|netto a pagare)$`)},
}

// Heads of the columns of a period and of the year so far, and what turns the head of a sum into one of the year.
var (
	payNow = lazyregexp.New(`^(?:current(?: (?:period|amount|pay|total|earnings))?|this (?:period|pay|check)` +
		`|amount(?: this period)?|period|total|earnings|courant|montant|part salarie|importe|betrag|bedrag|betaling` +
		`|totales|competenze|vencimentos)$`)
	payYear = lazyregexp.New(`^(?:calendar |cal |fiscal )?(?:ytd|year to date|y t d)(?: (?:amount|total|earnings` +
		`|gross))?$|^(?:amount|total|earnings|gross) (?:ytd|year to date)$|^(?:cumulatif|cumul|cumule)$`)
	yearOf = lazyregexp.New(`^(?:ytd|y t d|year to date) | (?:ytd|y t d|year to date)$`)
	rowNow = lazyregexp.New(`^(?:current|this period|this pay)\b`)
	rowOn  = lazyregexp.New(`^(?:ytd|y t d|year to date)\b`)
)

// The head of a box with the sums of the year, and that of its gross.
var (
	payCumul   = lazyregexp.New(`^(?:cumuls?(?: annuels?)?|ytd|year to date|jahreswerte|acumulados?)$`)
	cumulGross = lazyregexp.New(`^(?:brut|gross|brutto|bruto|salaire brut|gross pay)$`)
)

// payHeads are the heads of a period's and a year's column in one block of a stub; a block may have either alone.
type payHeads struct{ now, year *text.Line }

// findPayTotals reads the sums of a stub by the columns that their amounts stand in: rates and hours may stand in the
// same row, and two tables may stand side by side.
func findPayTotals(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	var blocks []payHeads
	read := map[string]bool{}
	for i, l := range f.Lines {
		cells := l.Cells()
		if heads := headsOf(cells); len(heads) > 0 {
			blocks = heads
			if i+1 < len(f.Lines) {
				sumBelowHeads(s, cells[0], f.Lines[i+1], heads[0], values, found)
			}
			continue
		}
		for _, cell := range cells {
			for _, sum := range paySums {
				if read[sum.fact] || !sum.row.MatchString(captionOf(cell, s.Style)) {
					continue
				}
				at := slices.IndexFunc(blocks, func(b payHeads) bool {
					return b.now.X1 > cell.X0 && b.now.Page == l.Page
				})
				if at < 0 {
					continue
				}
				b := blocks[at]
				if m, ok := underHead(l, *b.now, b.year, s.Style); ok && !wordsBetween(cells, cell, m) {
					read[sum.fact] = true
					values[sum.fact] = m.Value.String()
					found.From(text.Pointer(sum.fact), l.Tokens[m.First:m.Last+1], cell.Text())
				}
				if b.year == nil || sum.year == "" {
					continue
				}
				if m, ok := underHead(l, *b.year, b.now, s.Style); ok {
					values[sum.year] = m.Value.String()
					found.From(text.Pointer(sum.year), l.Tokens[m.First:m.Last+1], cell.Text())
				}
			}
		}
	}
}

// sumBelowHeads reads a sum that captions the row of the heads itself, with its amounts alone on the line below.
func sumBelowHeads(s text.Segment, caption, row text.Line, heads payHeads, values map[string]any,
	found *text.Findings) {
	if len(text.MoneyOn(row, s.Style)) != len(row.Cells()) {
		return
	}
	for _, sum := range paySums {
		if !sum.row.MatchString(text.Fold(caption.Text())) {
			continue
		}
		if m, ok := underHead(row, *heads.now, heads.year, s.Style); ok {
			values[sum.fact] = m.Value.String()
			found.From(text.Pointer(sum.fact), row.Tokens[m.First:m.Last+1], caption.Text())
		}
	}
}

// wordsBetween reports whether another caption stands between one and an amount, as the rows of two tables do that
// stand side by side.
func wordsBetween(cells []text.Line, caption text.Line, m text.Money) bool {
	return slices.ContainsFunc(cells, func(c text.Line) bool {
		return c.X0 > caption.X0 && c.X0 < m.X0 && strings.ContainsFunc(c.Text(), unicode.IsLetter)
	})
}

// captionOf is what a cell says before its first amount, folded.
func captionOf(cell text.Line, style text.DecimalStyle) string {
	str := strings.TrimSpace(cell.Caption(style))
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(str, "a "), "b "))
}

// headsOf are the blocks of columns whose heads a line has: each year's, with the period's head nearest to its left.
func headsOf(cells []text.Line) []payHeads {
	var blocks []payHeads
	var now *text.Line
	for i := range cells {
		folded := text.Fold(cells[i].Text())
		switch {
		case payYear.MatchString(folded) && now != nil:
			blocks = append(blocks, payHeads{now, &cells[i]})
			now = nil
		case payNow.MatchString(folded):
			now = &cells[i]
		}
	}
	return blocks
}

// underHead is the amount of a row that stands below a column's head, nearer to it than to the other one.
func underHead(row, head text.Line, other *text.Line, style text.DecimalStyle) (text.Money, bool) {
	width := max(head.X1-head.X0, 6*(head.Y1-head.Y0))
	best, near := text.Money{}, width
	for _, m := range row.Amounts(style) {
		d := distanceTo(m, head)
		if m.Looks() && d < near && (other == nil || d < distanceTo(m, *other)) {
			best, near = m, d
		}
	}
	return best, near < width
}

// distanceTo is the distance of an amount from a column's heading: amounts are aligned with its right edge or its
// middle.
func distanceTo(m text.Money, head text.Line) float64 {
	return min(text.Abs(m.X1-head.X1), text.Abs((m.X0+m.X1)/2-(head.X0+head.X1)/2))
}

// findPayGrid reads a grid whose heads are the sums and whose rows are the period and the year, or one row where heads
// say of which they are.
func findPayGrid(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	g := payGrid{style: s.Style, values: values, found: found, read: map[string]bool{}}
	for i, l := range f.Lines {
		heads := l.Cells()
		if len(heads) < 3 || len(text.MoneyOn(l, s.Style)) > 0 {
			continue
		}
		rows := f.Lines[i+1 : min(i+4, len(f.Lines))]
		ofYear := len(rows) > 0 && payCumul.MatchString(text.Fold(heads[0].Text()))
		for at, head := range heads {
			if ofYear && cumulGross.MatchString(text.Fold(head.Text())) {
				g.take("totalEarningsYtd", rows[0], heads, at, heads[0].Text())
			}
			for _, sum := range paySums {
				g.column(sum, rows, heads, at)
			}
		}
	}
}

// payGrid are the sums read in grids.
type payGrid struct {
	style  text.DecimalStyle
	values map[string]any
	found  *text.Findings
	read   map[string]bool
}

// column reads a sum below the head at place at: of the period and of the year, where the head or the row says so.
func (g *payGrid) column(sum paySum, rows, heads []text.Line, at int) {
	folded := text.Fold(heads[at].Text())
	bare := strings.TrimSpace(yearOf.ReplaceAllString(folded, " "))
	current := bare == "current total" && sum.fact == "totalEarnings" && hasNetPay(heads)
	if !sum.row.MatchString(bare) && !current {
		return
	}
	for _, row := range rows {
		label := text.Fold(row.Text())
		fact := sum.fact
		if bare != folded || rowOn.MatchString(label) {
			fact = sum.year
		} else if !rowNow.MatchString(label) && len(row.Amounts(g.style)) < len(row.Cells()) {
			continue
		}
		g.take(fact, row, heads, at, heads[at].Text())
	}
}

// take takes the amount of a row that stands nearest to a head for a fact that is not read yet.
func (g *payGrid) take(fact string, row text.Line, heads []text.Line, at int, caption string) {
	m, ok := nearest(row, heads, at, g.style)
	if !ok || fact == "" || g.read[fact] {
		return
	}
	g.read[fact] = true
	g.values[fact] = m.Value.String()
	g.found.From(text.Pointer(fact), row.Tokens[m.First:m.Last+1], caption)
}

// hasNetPay reports whether headings are those of the row of totals of a pay stub: one of them is the net pay.
func hasNetPay(heads []text.Line) bool {
	return slices.ContainsFunc(heads, func(h text.Line) bool { return text.Fold(h.Text()) == "net pay" })
}

// nearest is the amount of a row that stands nearer to a head than to any other.
func nearest(row text.Line, heads []text.Line, at int, style text.DecimalStyle) (text.Money, bool) {
	for _, m := range row.Amounts(style) {
		own := distanceTo(m, heads[at])
		if m.Looks() && !slices.ContainsFunc(heads, func(h text.Line) bool { return distanceTo(m, h) < own }) {
			return m, true
		}
	}
	return text.Money{}, false
}
