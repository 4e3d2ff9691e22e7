package tax

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// head reads what the return is and who filed it.
func (r *taxReader) head() {
	r.facts.Form = &r.Form
	r.found.Derive("/form", "title of the form")
	if r.Year != 0 {
		r.facts.TaxYear = &r.Year
		r.found.Derive("/taxYear", "year in the head of the form")
	}
	personal := strings.HasPrefix(r.Form, "1040")
	r.facts.Personal = &personal
	r.found.Derive("/personal", "form "+r.Form+" is a person's or is not")
	r.period()
	r.totalAssetsItem()
	if personal {
		r.filers()
	} else {
		r.entity()
	}
	r.set(&r.facts.Preparer, "/preparer", r.below(`^(?:print type )?preparers name`, ""), namesOnly)
	r.accountingMethod()
}

// captionValue is what is filled in below a caption.
type captionValue struct {
	tokens  []text.Token
	caption string
}

func (r *taxReader) set(at **string, pointer string, u captionValue, fits func(string) (string, bool)) {
	if *at != nil || len(u.tokens) == 0 {
		return
	}
	text, ok := fits(text.Join(u.tokens))
	if !ok || !r.readable(u.tokens, u.caption) {
		return
	}
	*at = &text
	r.found.From(pointer, u.tokens, u.caption)
}

// below returns what is filled in under the first cell whose folded caption matches, up to the next caption
// of its row. row, when not empty, must match the folded row too: every 1040 has two "Last name".
func (r *taxReader) below(caption, row string) captionValue {
	want := regexp.MustCompile(caption)
	for i, l := range r.lines {
		if row != "" && !strings.Contains(captionOf(l), row) {
			continue
		}
		cells := l.Cells()
		for c, cell := range cells {
			if !want.MatchString(captionOf(cell)) {
				continue
			}
			right := 1e9
			if c+1 < len(cells) {
				right = cells[c+1].X0 - 1
			}
			if tokens := r.filledUnder(i, cell.Box(), right); len(tokens) > 0 {
				return captionValue{tokens, cell.Text()}
			}
		}
	}
	return captionValue{}
}

// filledUnder are the tokens of the nearest line under a caption, within its box.
func (r *taxReader) filledUnder(i int, caption text.Box, right float64) []text.Token {
	height := caption.Height()
	for j := i + 1; j < len(r.lines) && j <= i+5; j++ {
		l := r.lines[j]
		if l.Page != r.lines[i].Page || l.Y0-caption.Y1 > 1.5*height {
			return nil
		}
		if l.Box().MiddleY() < caption.MiddleY()+0.7*height {
			continue
		}
		var tokens []text.Token
		for _, t := range l.Tokens {
			if t.X0 < caption.X0-1.5*height || t.X0 >= right || t.Y0-caption.Y1 > 1.5*height {
				continue
			}
			if n := len(tokens); n > 0 && tokens[n-1].Text != "$" && t.X0-tokens[n-1].X1 > 4*(t.Y1-t.Y0) {
				if n > 1 || !likeDollar(tokens[0]) {
					break
				}
				tokens = nil
			}
			tokens = append(tokens, t)
		}
		if len(tokens) > 0 && seeInstructions.MatchString(text.Fold(text.Join(tokens))) {
			caption.Y1 = max(caption.Y1, text.BoxOf(tokens).Y1) // the caption goes on
			continue
		}
		if len(tokens) > 0 {
			return tokens
		}
	}
	return nil
}

// likeDollar reports whether a token is what OCR makes of the mark at the left edge of a box of money.
func likeDollar(t text.Token) bool {
	return t.Method == text.MethodOCR && (t.Text == "5" || t.Text == "s" || t.Text == "S" || t.Text == "8")
}

// seeInstructions matches what a caption in a narrow box goes on with on its next line.
var seeInstructions = lazyregexp.New(`^(?:see (?:separate )?(?:instructions|instr|inst)|number|no)$`)

// printedWords are words of captions: what holds one is the next caption, the box being empty.
var printedWords = lazyregexp.New(`(?i)\b(name|address|number|street|city|town|apt|room|suite|security` +
	`|identification|identity|code|signature|spouse|spouse's|date|instructions|total|return|phone|telephone|check` +
	`|foreign|principal|doing business as)\b|[()]|\b1040\b|type or|^or$|^print$`)

// namesOnly accepts a name: words of captions make none, but for those of a company ("Elm Street Partners LLC").
func namesOnly(s string) (string, bool) {
	s = strings.Trim(s, " |_")
	words := strings.Fields(s)
	letters := len(text.Fold(strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' || c == ' ' {
			return -1
		}
		return c
	}, s)))
	return s, len(words) > 0 && len(words) <= 9 && letters >= 2 &&
		(!printedWords.MatchString(s) || text.LegalForm.MatchString(s) && !strings.ContainsAny(s, "()"))
}

var (
	einShape = lazyregexp.New(`^\d{2}-?\d{7}$`)
)

func numberLike(shape *lazyregexp.Regexp) func(string) (string, bool) {
	return func(text string) (string, bool) {
		if shape.MatchString(text) {
			return text, true
		}
		text = strings.ReplaceAll(text, " ", "")
		return text, shape.MatchString(text)
	}
}

// filers reads the people of a 1040 or the owner of a Schedule C.
func (r *taxReader) filers() {
	if strings.Contains(r.Form, "Schedule") {
		r.set(&r.facts.Taxpayer, "/taxpayer",
			r.below(`^names? (?:of (?:proprietor|person with self)|s shown on|shown on)`, ""), namesOnly)
		r.set(&r.facts.BusinessName, "/businessName", r.below(`^(?:c )?business name`, ""), namesOnly)
		r.set(&r.facts.SSN, "/ssn", r.below(`social security number`, ""), numberLike(text.SSNShape))
		r.set(&r.facts.EIN, "/ein", r.below(`employer id number`, ""), numberLike(einShape))
		return
	}
	r.person(&r.facts.Taxpayer, "/taxpayer", "your first name")
	r.person(&r.facts.Spouse, "/spouse", "spouses first name")
	r.set(&r.facts.SSN, "/ssn", r.below(`^your social security number`, ""), numberLike(text.SSNShape))
	r.filingStatus()
	r.dependents()
}

// dependents counts the rows of the table of dependents: each has a social security number in the table's own
// column. An empty table says nothing.
func (r *taxReader) dependents() {
	for i, l := range r.lines {
		if !text.HasWords(text.Fold(l.Text()), "dependents") || !text.HasWords(text.Fold(l.Text()), "social security") {
			continue
		}
		var column text.Box
		for _, cell := range l.Cells() {
			if text.HasWords(text.Fold(cell.Text()), "social security") {
				column = cell.Box()
			}
		}
		n := 0
		var rows []text.Token
		for _, below := range r.lines[i+1 : min(len(r.lines), i+10)] {
			if below.Page != l.Page || below.Y0-l.Y1 > 10*l.Box().Height() {
				break
			}
			if number := numberWithin(below, column); len(number) > 0 {
				rows = append(rows, number...)
				n++
			}
		}
		if n > 0 && r.readable(rows, "Dependents") {
			r.facts.Dependents = &n
			r.found.From("/dependents", rows, "Dependents")
		}
		return
	}
}

// numberWithin is the social security number of a row in a column, whose figures may stand in boxes of their own.
func numberWithin(row text.Line, column text.Box) []text.Token {
	var figures []text.Token
	for _, t := range row.Tokens {
		if text.Overlap(column.X0-20, column.X1+20, t.X0, t.X1) > 0 && strings.Trim(t.Text, "0123456789-Xx*") == "" {
			figures = append(figures, t)
		}
	}
	if _, ok := numberLike(text.SSNShape)(text.Join(figures)); !ok {
		return nil
	}
	return figures
}

// person joins the first and last names that stand in boxes of their own.
func (r *taxReader) person(at **string, pointer, row string) {
	first, last := r.below(row, row), r.below(`^last name`, row)
	if len(first.tokens) > 0 && len(last.tokens) == 0 {
		last.tokens = r.cellBeside(first.tokens)
	}
	a, okFirst := namesOnly(text.Join(first.tokens))
	b, okLast := namesOnly(text.Join(last.tokens))
	tokens := append(append([]text.Token(nil), first.tokens...), last.tokens...)
	if !okFirst || !okLast || !r.readable(tokens, row) {
		return
	}
	name := a + " " + b
	*at = &name
	r.found.From(pointer, tokens, row)
}

// cellBeside is the next cell of the row of some tokens of a picture: the last name beside the first, when its caption
// was misread.
func (r *taxReader) cellBeside(tokens []text.Token) []text.Token {
	last := tokens[len(tokens)-1]
	for _, l := range r.lines {
		at := slices.Index(l.Tokens, last)
		if at < 0 || at+1 == len(l.Tokens) || last.Method != text.MethodOCR || !text.WideGap(last, l.Tokens[at+1]) {
			continue
		}
		return text.Line{Page: l.Page, Tokens: l.Tokens[at+1:]}.Cells()[0].Tokens
	}
	return nil
}

// filingStatuses are the captions of the boxes, folded, longest first where one begins another.
var filingStatuses = []string{"single", "married filing jointly", "married filing separately", "head of household",
	"qualifying widow er", "qualifying surviving spouse"}

// filingStatus is the only status with a mark before it.
func (r *taxReader) filingStatus() {
	var chosen []string
	var at []text.Token
	for _, status := range filingStatuses {
		if t, ok := r.marked(status); ok {
			chosen, at = append(chosen, strings.Replace(status, "widow er", "widow(er)", 1)), []text.Token{t}
		}
	}
	if len(chosen) == 1 && !r.otherMark(at[0]) {
		r.facts.FilingStatus = &chosen[0]
		r.found.From("/filingStatus", at, chosen[0])
	}
}

// otherMark reports whether a picture shows another mark on the row of one: which of them is meant, nobody knows.
func (r *taxReader) otherMark(mark text.Token) bool {
	return mark.Method == text.MethodOCR && slices.ContainsFunc(r.lines, func(l text.Line) bool {
		return slices.Contains(l.Tokens, mark) && slices.ContainsFunc(l.Tokens,
			func(t text.Token) bool { return t != mark && text.CheckMark.MatchString(t.Text) })
	})
}

// marked finds a mark that stands right before a caption.
func (r *taxReader) marked(caption string) (text.Token, bool) {
	words := strings.Fields(caption)
	f := text.NewFieldFinder(r.lines)
	for i, l := range r.lines {
		for at := 1; at < len(l.Tokens); at++ {
			if !text.CheckMark.MatchString(l.Tokens[at-1].Text) ||
				f.CaptionAt(i, at, words) == 0 && !misreadCaption(l.Tokens[at:], caption) {
				continue
			}
			t := l.Tokens[at-1]
			if l.Tokens[at].X0-t.X1 < 2*(t.Y1-t.Y0) {
				return t, true
			}
		}
	}
	return text.Token{}, false
}

// entity reads the head of a business return.
func (r *taxReader) entity() {
	r.set(&r.facts.EntityName, "/entityName",
		r.below(`^(?:name|name of (?:corporation|partnership|foundation)|(?:c )?name of organization)$`, ""), namesOnly)
	r.set(&r.facts.EIN, "/ein", r.below(`employer identification number|^\w \w* ?identification number$`, ""),
		numberLike(einShape))
	if r.Form == charity || r.Form == smallCharity {
		r.set(&r.facts.EntityName, "/entityName", r.besideCaption(), namesOnly)
		r.grossReceiptsItem()
	}
}

// besideCaption is the name that stands beside its caption, in the box that has the name of business below it.
func (r *taxReader) besideCaption() captionValue {
	for _, l := range r.lines[:min(len(r.lines), 40)] {
		for _, cell := range l.Cells() {
			at := slices.IndexFunc(cell.Tokens,
				func(t text.Token) bool { return correctSpelling(text.Fold(t.Text)) == "organization" })
			if at < 1 || at+1 == len(cell.Tokens) ||
				!organizationName.MatchString(text.Fold(text.Join(cell.Tokens[:at]))) {
				continue
			}
			return captionValue{cell.Tokens[at+1:], "Name of organization"}
		}
	}
	return captionValue{}
}

// organizationName matches what stands before "organization" in the caption of its name.
var organizationName = lazyregexp.New(`(?:^|^c |\bapplicable c )name \w{1,2}$`)

// grossReceiptsItem reads the item beside the address of an exempt organization: "G Gross receipts $ 1,200,345".
func (r *taxReader) grossReceiptsItem() {
	f := text.NewFieldFinder(r.lines[:min(len(r.lines), 40)])
	amount := func(tokens []text.Token) (string, []text.Token, bool) {
		l := text.Line{Tokens: tokens[:min(len(tokens), 3)]}
		for _, m := range l.Amounts(r.Style) {
			if m.First <= 1 && !m.Dash && !m.Percent && !isBareNumber(m.Text) {
				return m.Value.String(), l.Tokens[m.First : m.Last+1], true
			}
		}
		return "", nil, false
	}
	if _, tokens, ok := f.Find(text.Field{Captions: []string{"gross receipts"}, Accept: amount}); ok &&
		r.readable(tokens, "gross receipts") {
		found := text.Line{Tokens: tokens}.Amounts(r.Style)
		v := found[0].Value
		r.facts.GrossReceipts = &v
		r.found.From("/grossReceipts", tokens, "gross receipts")
	}
}

// totalAssetsItem reads the item of page 1 of business returns.
func (r *taxReader) totalAssetsItem() {
	if r.Form != corporate && r.Form != sCorp && r.Form != partners {
		return
	}
	u := r.below(`^(?:d |f )?total assets`, "")
	l := text.Line{Tokens: u.tokens}
	found := l.Amounts(r.Style)
	if len(found) != 1 || found[0].Dash || found[0].First > 0 || likeDollar(u.tokens[0]) ||
		!r.readable(u.tokens, u.caption) {
		return
	}
	v := found[0].Value
	r.facts.TotalAssets = &v
	r.found.From("/totalAssets", u.tokens, u.caption)
}

// accountingMethod reads the accounting method, when exactly one is marked.
func (r *taxReader) accountingMethod() {
	if r.Form == corporate {
		return // its boxes are questions of a schedule
	}
	var methods []string
	var at []text.Token
	for _, m := range []string{"cash", "accrual"} {
		for _, caption := range []string{m, "1 " + m, "2 " + m, "a " + m, "b " + m} {
			if t, ok := r.marked(caption); ok {
				methods, at = append(methods, m), []text.Token{t}
				break
			}
		}
	}
	if len(methods) == 1 {
		r.facts.AccountingMethod = &methods[0]
		r.found.From("/accountingMethod", at, methods[0])
	}
}

// taxSpan is a tax year that is filled in: "beginning July 1, 2022, and ending June 30, 2023", with the years in boxes
// of their own or within the dates.
var taxSpan = lazyregexp.New(`(?i)year[\s.]+beginning\s+` + taxDate + `\s*,?\s*(?:and\s+)?ending\s+` + taxDate)

const taxDate = `([A-Z]{3,9}\.?\s?\d{1,2}|\d{1,2}[-/]\d{1,2}(?:[-/]\d{2}(?:\d{2})?)?)\b\s*,?\s*(20 ?\d\d)?\b`

// filledDate is a date of which the year may stand in a box of its own.
func filledDate(date, year string, order text.DateOrder) (text.Date, bool) {
	year = strings.ReplaceAll(year, " ", "")
	s := date
	switch at := strings.IndexAny(date, "-/"); {
	case at < 0:
		s += ", " + year
	case year != "" && len(date) <= len("12-31"):
		s += date[at:at+1] + year
	}
	found := text.FindDates(s, order)
	if len(found) != 1 || !found[0].Complete() {
		return text.Date{}, false
	}
	return found[0].Date, true
}

// period reads a fiscal year's dates. Blank dates mean the calendar year of the form.
func (r *taxReader) period() {
	for _, l := range r.lines {
		s := l.Text()
		folded := text.Fold(s)
		if !text.HasWords(folded, "year beginning") {
			continue
		}
		if g := taxSpan.FindStringSubmatch(s); g != nil {
			start, okStart := filledDate(g[1], g[2], r.Order)
			end, okEnd := filledDate(g[3], g[4], r.Order)
			if okStart && okEnd && start.Before(end) && end.Before(start.AddDays(372)) {
				r.setPeriod(start.String(), end.String(), l.Tokens)
			}
			return
		}
		year := strconv.Itoa(r.Year)
		_, rest, _ := strings.Cut(folded, "beginning")
		if r.Year != 0 && lazyregexp.New(`^\s*`+year+`\s*(?:and )?ending\s*(?:20)?\s*(?:see separate instructions|`+
			year+`)?$`).MatchString(rest) {
			r.setPeriod(fmt.Sprintf("%s-01-01", year), fmt.Sprintf("%s-12-31", year), nil)
		}
		return
	}
}

func (r *taxReader) setPeriod(start, end string, tokens []text.Token) {
	r.facts.PeriodStart, r.facts.PeriodEnd = &start, &end
	for _, at := range []string{"/periodStart", "/periodEnd"} {
		if tokens == nil {
			r.found.Derive(at, "calendar year of the form: no other tax year is filled in")
			continue
		}
		r.found.From(at, tokens, "tax year beginning")
	}
}
