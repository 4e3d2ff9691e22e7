package other

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// payTitle matches what heads a pay stub.
var payTitle = lazyregexp.New(`^(?:earnings statement|statement of earnings|pay ?stub|pay ?slip|pay statement` +
	`|payroll statement|payment advice|(?:non negotiable )?advice of deposit|pay advice|bulletin de (?:paie` +
	`|salaire)|fiche de paie|(?:lohn|gehalts|entgelt|verdienst)abrechnung|recibo de (?:nomina|salarios|sueldo))\b`)

// findPayTitle reads the title of a pay stub.
func findPayTitle(_ text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	for _, l := range f.Lines {
		for _, cell := range l.Cells() {
			if values["title"] == nil && len(cell.Tokens) <= 6 && payTitle.MatchString(text.Fold(cell.Text())) {
				values["title"] = cell.Text()
				found.From("/title", cell.Tokens, "")
			}
		}
	}
}

// payGross are the captions of the row with what was earned; payNow and payYear head the columns of the period and of
// the year so far.
var (
	payGross = lazyregexp.New(`^(?:gross (?:pay|earnings|wages)|total (?:gross(?: pay| earnings)?|earnings|pay)` +
		`|gross|earnings total)\b`)
	payNow = lazyregexp.New(`^(?:current(?: (?:period|amount|pay|total))?|this period|this pay|amount|period|total` +
		`|earnings)$`)
	payYear = lazyregexp.New(`^(?:calendar |cal |fiscal )?(?:ytd|year to date|y t d)(?: (?:amount|total|earnings` +
		`|gross))?$|^(?:amount|total|earnings|gross) (?:ytd|year to date)$`)
)

// findPayColumns reads what was earned in the period and in the year by the columns that the amounts stand in: rates
// and hours may stand in the same row.
func findPayColumns(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	var now, year *text.Line
	for _, l := range f.Lines {
		cells := l.Cells()
		if y := slices.IndexFunc(
			cells, func(c text.Line) bool { return payYear.MatchString(text.Fold(c.Text())) }); y >= 0 {
			year, now = &cells[y], nil
			for i := range cells {
				if i != y && payNow.MatchString(text.Fold(cells[i].Text())) {
					now = &cells[i]
				}
			}
			continue
		}
		if now == nil || now.Page != l.Page || !payGross.MatchString(text.Fold(l.Text())) {
			continue
		}
		a, okNow := under(l, *now, *year, s.Style)
		b, okYear := under(l, *year, *now, s.Style)
		if okNow {
			values["totalEarnings"] = a.Value.String()
			found.From("/totalEarnings", l.Tokens[a.First:a.Last+1], "")
		}
		if okYear {
			values["totalEarningsYtd"] = b.Value.String()
			found.From("/totalEarningsYtd", l.Tokens[b.First:b.Last+1], "")
		}
		return
	}
}

// under is the amount of a row that stands below a column's head, nearer to it than to the other one.
func under(row, head, other text.Line, style text.DecimalStyle) (text.Money, bool) {
	width := max(head.X1-head.X0, 6*(head.Y1-head.Y0))
	for _, m := range row.Amounts(style) {
		near := min(text.Abs(m.X1-head.X1), text.Abs((m.X0+m.X1)/2-(head.X0+head.X1)/2))
		far := min(text.Abs(m.X1-other.X1), text.Abs((m.X0+m.X1)/2-(other.X0+other.X1)/2))
		if m.Looks() && near < width && near < far {
			return m, true
		}
	}
	return text.Money{}, false
}

// publicBody matches the names of employers that are no companies: schools, towns, offices.
var publicBody = lazyregexp.New(`(?i)\b(?:district|schools?|university|college|academy|county|parish|(?:city|town` +
	`|village|state|county|commonwealth|borough) of|department|authority|hospital|clinic|commission|board of` +
	`|council|ministry|agency|library|diocese)\b`)

// findPayParties tells who pays from who is paid by the names above addresses: of a company, and of a person.
func findPayParties(_ text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	for _, p := range text.Parties(f.Lines) {
		name := "employee"
		if text.Company.MatchString(p.Name) || publicBody.MatchString(p.Name) {
			name = "company"
		} else if !looksLikePerson(p.Name) {
			continue
		}
		if values[name] == nil {
			values[name] = p.Name
			found.From(text.Pointer(name), p.Tokens, "")
		}
	}
}

// findPublicEmployer reads the school or the office that heads a stub where no company does.
func findPublicEmployer(_ text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	for _, l := range f.Lines[:min(len(f.Lines), 5)] {
		cell := l.Cells()[0]
		name := strings.TrimSpace(cell.Text())
		if values["company"] == nil && publicBody.MatchString(name) && looksLikeTitle(name) &&
			!notTitle.MatchString(name) && len(cell.Tokens) <= 8 {
			values["company"] = name
			found.From("/company", cell.Tokens, "")
		}
	}
}

// dropShortYear forgets a year to date that is less than the period it includes: it is another row's.
func dropShortYear(_ text.Segment, _ *text.FieldFinder, values map[string]any, found *text.Findings) {
	period, _ := values["totalEarnings"].(string)
	year, _ := values["totalEarningsYtd"].(string)
	if v, err := dossier.ParseAmount(year); err == nil && v.IsZero() {
		delete(values, "totalEarningsYtd")
		delete(found.Sources, "/totalEarningsYtd")
		return
	}
	a, errPeriod := dossier.ParseAmount(period)
	b, errYear := dossier.ParseAmount(year)
	if errPeriod != nil || errYear != nil || !b.LessThan(a.Decimal) {
		return
	}
	delete(values, "totalEarningsYtd")
	delete(found.Sources, "/totalEarningsYtd")
}

// payee matches who a bill is to be paid to.
var payee = lazyregexp.New(`(?i)\bpayable to:?\s+(?:the\s+)?([\p{Lu}][\p{L}&'’. -]{2,40}?)\s*(?:[.,;:)]|$)`)

// findPayee reads the sender of a bill where it says to whom checks are made out.
func findPayee(_ text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	for _, l := range f.Lines {
		line := l.Text()
		at := payee.FindStringSubmatchIndex(line)
		if at == nil {
			continue
		}
		name := strings.TrimSpace(line[at[2]:at[3]])
		if isCaption(name) || isSentence(name) {
			continue
		}
		for _, fact := range []string{"issuer", "institution"} {
			if values[fact] == nil {
				values[fact] = name
				found.From(text.Pointer(fact), l.TokensOf(at[2], at[3]), "payable to")
			}
		}
		return
	}
}

// findSplitName reads a person whose first and last name have captions of their own.
func findSplitName(_ text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	if values["name"] != nil {
		return
	}
	word := text.AcceptText(2, func(s string) bool {
		return personWord.MatchString(strings.Fields(s)[0]) &&
			!isCaption(s)
	})
	first, a, okFirst := f.Find(text.Field{Captions: []string{"first name"}, Accept: word})
	last, b, okLast := f.Find(text.Field{Captions: []string{"last name"}, Accept: word})
	if okFirst && okLast {
		values["name"] = first + " " + last
		found.From("/name", slices.Concat(a, b), "First name, last name")
	}
}

// gridHead heads the column of gross pay in a grid whose rows are the period and the year.
var (
	gridHead = lazyregexp.New(`^(?:total gross|gross pay|gross earnings|total earnings|gross)$`)
	gridNow  = lazyregexp.New(`^(?:current|this period|this pay)\b`)
	gridYear = lazyregexp.New(`^(?:ytd|y t d|year to date)\b`)
)

// findPayGrid reads a grid with the period in one row and the year in another, below the heads of their columns.
func findPayGrid(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	for i, l := range f.Lines {
		cells := l.Cells()
		at := slices.IndexFunc(cells, func(c text.Line) bool { return gridHead.MatchString(text.Fold(c.Text())) })
		if at < 0 || len(cells) < 3 {
			continue
		}
		for _, row := range f.Lines[i+1 : min(i+4, len(f.Lines))] {
			name, folded := "", text.Fold(row.Text())
			switch {
			case gridNow.MatchString(folded):
				name = "totalEarnings"
			case gridYear.MatchString(folded):
				name = "totalEarningsYtd"
			}
			if m, ok := nearest(row, cells, at, s.Style); ok && name != "" && values[name] == nil {
				values[name] = m.Value.String()
				found.From(text.Pointer(name), row.Tokens[m.First:m.Last+1], cells[at].Text())
			}
		}
	}
}

// nearest is the amount of a row that stands nearer to a head than to any other.
func nearest(row text.Line, heads []text.Line, at int, style text.DecimalStyle) (text.Money, bool) {
	for _, m := range row.Amounts(style) {
		away := func(h text.Line) float64 {
			return min(text.Abs(m.X1-h.X1), text.Abs((m.X0+m.X1)/2-(h.X0+h.X1)/2))
		}
		own := away(heads[at])
		if m.Looks() && !slices.ContainsFunc(heads, func(h text.Line) bool { return away(h) < own }) {
			return m, true
		}
	}
	return text.Money{}, false
}
