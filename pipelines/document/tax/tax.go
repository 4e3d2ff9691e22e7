// Package tax reads returns of the income tax of the United States, and the schedules that go with them.
package tax

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/classify"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// Read reads an income tax return: who filed, for which year, and the lines of its form. A line is
// taken only when its number stands at the row and its caption agrees, because numbers move between years.
// Source: facts.md, row tax_return.
func Read(s text.Segment) text.Findings {
	s.Style = text.DotDecimal // whatever else the file prints: "0.0" is an amount of a federal form
	r := taxReader{Segment: s, facts: &dossier.TaxFacts{Lines: map[string]dossier.Amount{}},
		read: map[string]readLine{}}
	r.found.Facts.Tax = r.facts
	r.pages = joinFigures(taxPages(s))
	for _, p := range r.pages {
		r.lines = append(r.lines, text.Lines(p)...)
	}
	r.head()
	r.inlineReceipts()
	r.readLines()
	r.readBoxes()
	r.dropLoneCents()
	r.correctLines()
	r.proprietorInterest()
	r.readSchedules()
	r.readProperties()
	r.readAmended()
	r.foots()
	return r.found
}

// taxReader is one return being read.
type taxReader struct {
	text.Segment
	pages []text.Page // of the form itself, without attached schedules of other names
	lines []text.Line
	facts *dossier.TaxFacts
	found text.Findings
	read  map[string]readLine // by number; not all are facts
	// laidOut is the year whose numbers the form prints where its own year is not known; 0 when no year fits.
	laidOut int
}

// attachedSchedules name, in their head, the form that they are attached to.
var attachedSchedules = []string{"form 1040", "form 1040 sr", "form 1120", "form 1120 s", "form 1065", "form 990",
	"forms 1040"}

// taxPages are the pages of the form itself: a schedule has lines with the same numbers, and a summary the same
// captions.
func taxPages(s text.Segment) []text.Page {
	if strings.Contains(s.Form, "Schedule") {
		return s.Pages
	}
	var pages []text.Page
	for i, p := range s.Pages {
		if i == 0 || !isAttached(p) && !classify.IsAside(p) {
			pages = append(pages, p)
		}
	}
	return pages
}

func isAttached(p text.Page) bool {
	lines := text.Lines(p)
	head := ""
	for _, l := range lines[:min(4, len(lines))] {
		head += text.Fold(l.Text()) + " "
	}
	return strings.HasPrefix(head, "schedule ") &&
		slices.ContainsFunc(attachedSchedules, func(f string) bool { return text.HasWords(head, f) })
}

// taxFacts are the named facts that lines of the table give.
var taxFacts = map[string]func(*dossier.TaxFacts) **dossier.Amount{
	"totalIncome":            func(f *dossier.TaxFacts) **dossier.Amount { return &f.TotalIncome },
	"adjustedGrossIncome":    func(f *dossier.TaxFacts) **dossier.Amount { return &f.AdjustedGrossIncome },
	"taxableIncome":          func(f *dossier.TaxFacts) **dossier.Amount { return &f.TaxableIncome },
	"totalTax":               func(f *dossier.TaxFacts) **dossier.Amount { return &f.TotalTax },
	"amountOwed":             func(f *dossier.TaxFacts) **dossier.Amount { return &f.AmountOwed },
	"overpaid":               func(f *dossier.TaxFacts) **dossier.Amount { return &f.Overpaid },
	"refund":                 func(f *dossier.TaxFacts) **dossier.Amount { return &f.Refund },
	"grossReceipts":          func(f *dossier.TaxFacts) **dossier.Amount { return &f.GrossReceipts },
	"netRevenues":            func(f *dossier.TaxFacts) **dossier.Amount { return &f.NetRevenues },
	"costOfGoodsSold":        func(f *dossier.TaxFacts) **dossier.Amount { return &f.CostOfGoodsSold },
	"grossProfit":            func(f *dossier.TaxFacts) **dossier.Amount { return &f.GrossProfit },
	"officerCompensation":    func(f *dossier.TaxFacts) **dossier.Amount { return &f.OfficerCompensation },
	"salariesWages":          func(f *dossier.TaxFacts) **dossier.Amount { return &f.SalariesWages },
	"rent":                   func(f *dossier.TaxFacts) **dossier.Amount { return &f.Rent },
	"interestExpense":        func(f *dossier.TaxFacts) **dossier.Amount { return &f.InterestExpense },
	"totalDeductions":        func(f *dossier.TaxFacts) **dossier.Amount { return &f.TotalDeductions },
	"totalExpenses":          func(f *dossier.TaxFacts) **dossier.Amount { return &f.TotalExpenses },
	"totalRevenue":           func(f *dossier.TaxFacts) **dossier.Amount { return &f.TotalRevenue },
	"netProfit":              func(f *dossier.TaxFacts) **dossier.Amount { return &f.NetProfit },
	"ordinaryBusinessIncome": func(f *dossier.TaxFacts) **dossier.Amount { return &f.OrdinaryBusinessIncome },
	"totalAssets":            func(f *dossier.TaxFacts) **dossier.Amount { return &f.TotalAssets },
	"totalLiabilities":       func(f *dossier.TaxFacts) **dossier.Amount { return &f.TotalLiabilities },
	"netAssets":              func(f *dossier.TaxFacts) **dossier.Amount { return &f.NetAssets },
}

// readLines finds every line of the form's table. Business forms print them on their first page.
func (r *taxReader) readLines() {
	pages := r.formPages()
	lines := linesOf(r.Form, r.mapYear())
	found := map[int][]placed{}
	for i, l := range lines {
		for _, p := range pages {
			if r.Form == charity {
				if r.twoYears(p, l) {
					break
				}
				continue
			}
			if m, tokens, ok := r.boxed(p, l); ok {
				r.setLine(l, m, tokens)
				found[p.Number] = append(found[p.Number], placed{i, m.X1, m.Y0})
				break
			}
		}
	}
	for _, p := range pages {
		r.findByOrder(p, lines, found[p.Number])
	}
}

// formPages are the pages with the lines of the form itself: business forms print them on one, which a cover or a
// letter may come before.
func (r *taxReader) formPages() []text.Page {
	if strings.HasPrefix(r.Form, "1040") {
		return r.pages
	}
	best, most := 0, 0
	lines := linesOf(r.Form, r.mapYear())
	for i, p := range r.pages {
		rows, n := text.Lines(p), 0
		for _, l := range lines {
			if printsLine(rows, l) {
				n++
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	return r.pages[best : best+1]
}

// proprietorInterest is the interest of a Schedule C, when only one of its two lines is filled in.
func (r *taxReader) proprietorInterest() {
	if r.Form != proprietor {
		return
	}
	a, mortgage := r.facts.Lines["16a"]
	b, other := r.facts.Lines["16b"]
	switch {
	case mortgage && !other:
		r.facts.InterestExpense = &a
		r.found.Derive("/interestExpense", "line 16a, line 16b being empty")
	case other && !mortgage:
		r.facts.InterestExpense = &b
		r.found.Derive("/interestExpense", "line 16b, line 16a being empty")
	}
}

// setLine takes a line of the form; one that was hard to read waits for what the sums say of it.
func (r *taxReader) setLine(l taxLine, m text.Money, tokens []text.Token) {
	if _, have := r.facts.Lines[l.number]; have {
		return
	}
	read := readLine{l, m, tokens}
	r.read[l.number] = read
	if text.SurelyRead(tokens) {
		r.putLine(read, m.Value)
	}
}

func (r *taxReader) putLine(read readLine, v dossier.Amount) {
	l := read.line
	r.facts.Lines[l.number] = v
	r.found.From(text.Pointer("lines", l.number), read.tokens, l.words)
	if l.fact != "" {
		*taxFacts[l.fact](r.facts) = &v
		r.found.From("/"+l.fact, read.tokens, l.words)
	}
}

// readable is false for a figure that OCR is unsure of: it is left out with a warning.
func (r *taxReader) readable(tokens []text.Token, caption string) bool {
	if !text.SurelyRead(tokens) {
		r.found.Warn("low_confidence", "The amount at %q was hard to read and was left out.", caption)
		return false
	}
	return true
}

// boxed finds a line by its number box: the caption left of it, the amount right of it.
func (r *taxReader) boxed(p text.Page, l taxLine) (text.Money, []text.Token, bool) {
	for _, box := range p.Tokens {
		if box.Method == text.MethodForm || boxNumber(box) != l.number {
			continue
		}
		row := rowOf(p, box)
		at := slices.Index(row.Tokens, box)
		if at < 1 || mentions[text.Fold(row.Tokens[at-1].Text)] || !saysMost(leftOf(row, box), l.words) &&
			!saysMost(captionAbove(p, box, l.number), l.words) {
			continue
		}
		if m, tokens, ok := amountAfter(row, at, r.Style); ok && !r.isOtherBox(m, tokens, l, leftOf(row, box)) {
			return m, tokens, true
		}
	}
	return text.Money{}, nil, false
}

// captionAbove is the first row of a caption that runs over several, at whose last the box stands: the number that
// begins it is the box's, or its small letter, and no other box stands between them.
func captionAbove(p text.Page, box text.Token, number string) string {
	height := box.Y1 - box.Y0
	var lead text.Token
	for _, t := range p.Tokens {
		if t.Y0 > box.Y0-0.7*height || t.Y0 < box.Y0-6*height || t.Method == text.MethodForm {
			continue
		}
		switch s := boxNumber(t); {
		case t.X0 > box.X0-2*height && t.X0 < box.X1+2*height && lineNumber.MatchString(s) &&
			(lead.Text == "" || t.Y0 >= lead.Y0-0.5*height):
			lead = text.Token{Text: "", Y0: t.Y0} // what stands above another box is that box's
		case t.X0 < box.X0-0.2*p.Width && t.Y0 > lead.Y0+0.5*height &&
			(s == number || len(s) == 1 && strings.TrimLeft(number, "0123456789") == s):
			lead = t
		}
	}
	if lead.Text == "" {
		return ""
	}
	row := rowOf(p, lead)
	row.Tokens = row.Tokens[slices.Index(row.Tokens, lead)+1:]
	return leftOf(row, box)
}

var lineNumber = lazyregexp.New(`^\d{1,2}[a-z]?$`)

// mentions are words before a number that a caption speaks of: "from line 42".
var mentions = map[string]bool{"line": true, "lines": true, "form": true, "from line": true, "schedule": true,
	"through": true, "and": true, "or": true}

// boxNumber is a token as a line number: "1a", "22"; OCR takes the figure 1 for the letter l.
func boxNumber(t text.Token) string {
	s := strings.ToLower(strings.Trim(t.Text, "|[](){}.:;_ "))
	if t.Method == text.MethodOCR && len(s) > 1 && len(s) <= 3 && (s[0] == 'l' || s[0] == 'i') {
		s = "1" + s[1:]
	}
	return s
}

// rowOf is the row that a number box stands on, left to right.
func rowOf(p text.Page, box text.Token) text.Line {
	middle, height := (box.Y0+box.Y1)/2, box.Y1-box.Y0
	row := text.Line{Page: p.Number}
	for _, t := range p.Tokens {
		if text.Abs((t.Y0+t.Y1)/2-middle) < 0.55*max(height, min(t.Y1-t.Y0, 1.3*height)) {
			row.Tokens = append(row.Tokens, t)
		}
	}
	slices.SortStableFunc(row.Tokens, func(a, b text.Token) int { return text.CompareFloat(a.X0, b.X0) })
	return row
}

// leftOf is the caption of a box: what stands left of it on its row.
func leftOf(row text.Line, box text.Token) string {
	var words []text.Token
	for _, t := range row.Tokens {
		if t.X0 < box.X0 {
			words = append(words, t)
		}
	}
	return text.Fold(text.Join(words))
}

// saysMost reports whether a caption holds at least three of four of the wanted words, or all of them run together.
func saysMost(caption, words string) bool {
	if strings.Contains(words, " ") && strings.Contains(strings.ReplaceAll(caption, " ", ""),
		strings.ReplaceAll(words, " ", "")) {
		return true
	}
	have := strings.Fields(caption)
	want, found := strings.Fields(words), 0
	for _, w := range want {
		if slices.ContainsFunc(have, func(h string) bool { return h == w || misspelled(h, w) }) {
			found++
		}
	}
	return found*4 >= len(want)*3
}

// amountAfter reads the amount that begins right after token at, before the next word. A column of cents
// holds two figures.
func amountAfter(row text.Line, at int, style text.DecimalStyle) (text.Money, []text.Token, bool) {
	rest := text.Line{Page: row.Page}
	for _, t := range row.Tokens[at+1:] {
		if isGraphic(t) {
			continue
		}
		t.Text = strings.Trim(t.Text, "|[]_")
		rest.Tokens = append(rest.Tokens, t)
	}
	found := rest.Amounts(style)
	if len(found) == 0 || found[0].First != 0 || found[0].Dash || found[0].Percent {
		return text.Money{}, nil, false
	}
	m := found[0]
	if rest.Tokens[m.First].Method == text.MethodOCR && len(m.Text) == 1 && m.Text != "0" {
		return text.Money{}, nil, false // what is left of a longer figure
	}
	word := func(m text.Money) bool { return m.Last+1 < len(rest.Tokens) && !isAmount(rest.Tokens[m.Last+1], style) }
	if isBareNumber(m.Text) && word(m) && rest.Tokens[m.First].Method != text.MethodForm &&
		!isBetweenBoxes(row.Tokens[at], m, rest.Tokens[m.Last+1]) {
		return text.Money{}, nil, false // the number of the line beside it
	}
	if len(found) > 1 && found[1].First == m.Last+1 && found[1].Text != "00" && !word(found[1]) {
		return text.Money{}, nil, false // what this figure is, nobody knows
	}
	return m, rest.Tokens[m.First : m.Last+1], true
}

// isBetweenBoxes reports whether a figure stands between the box of a line and that of the line beside it: 4a and 4b.
func isBetweenBoxes(box text.Token, m text.Money, next text.Token) bool {
	number, ok := strings.CutSuffix(text.Fold(box.Text), "a")
	after := text.Fold(next.Text)
	return ok && number != "" && m.Text != number && (after == number+"b" || after == "b")
}

// isGraphic reports whether a token is not text: leader dots, a rule, or a box or check mark that OCR sees in shading.
func isGraphic(t text.Token) bool {
	return text.Fold(t.Text) == "" && strings.Trim(t.Text, "|._[]") == "" ||
		t.Method == text.MethodOCR && text.CheckMark.MatchString(t.Text)
}

func isAmount(t text.Token, style text.DecimalStyle) bool {
	_, ok := text.ParseMoney(t.Text, style)
	return ok
}

// isBareNumber reports whether a figure could as well be the number of a line.
func isBareNumber(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n > 0 && n < 50
}

// isOtherBox reports whether an amount is in truth the box of another line, whose caption stands on the row.
func (r *taxReader) isOtherBox(m text.Money, tokens []text.Token, l taxLine, caption string) bool {
	if !isBareNumber(m.Text) || tokens[0].Method == text.MethodForm {
		return false
	}
	return slices.ContainsFunc(linesOf(r.Form, r.mapYear()), func(o taxLine) bool {
		return o.number == m.Text && o.number != l.number && saysMost(caption, o.words)
	})
}

// twoYears finds a line of the 990, which prints the year before at the left of the year: by two amounts, or by the
// head of the column that one stands in.
func (r *taxReader) twoYears(p text.Page, l taxLine) bool {
	prior, current, headed := yearColumns(p)
	for _, number := range p.Tokens {
		if boxNumber(number) != l.number {
			continue
		}
		row := rowOf(p, number)
		at := slices.Index(row.Tokens, number)
		rest := text.Line{Page: row.Page, Tokens: row.Tokens[at+1:]}
		amounts := rightAmounts(rest, r.Style, p.Width*0.62)
		if len(amounts) == 0 || len(amounts) > 2 ||
			!saysMost(text.Fold(text.Join(rest.Tokens[:amounts[0].First])), l.words) {
			continue
		}
		switch {
		case len(amounts) == 2:
			r.setPrior(l, amounts[0], rest.Tokens[amounts[0].First:amounts[0].Last+1])
		case !headed || isBareNumber(amounts[0].Text):
			continue
		case text.Abs(amounts[0].X1-prior) < text.Abs(amounts[0].X1-current):
			r.setPrior(l, amounts[0], rest.Tokens[amounts[0].First:amounts[0].Last+1])
			return true
		}
		last := amounts[len(amounts)-1]
		r.setLine(l, last, rest.Tokens[last.First:last.Last+1])
		return true
	}
	return false
}

// yearColumns are the right edges of the heads of the two columns of amounts; ok is false where they are not printed.
func yearColumns(p text.Page) (prior, current float64, ok bool) {
	for _, row := range text.Lines(p) {
		for _, cell := range row.Cells() {
			switch head := text.Fold(cell.Text()); {
			case strings.HasSuffix(head, "prior year"):
				prior = cell.X1
			case head == "current year":
				current = cell.X1
			}
		}
		if prior > 0 && current > prior {
			return prior, current, true
		}
	}
	return 0, 0, false
}

func (r *taxReader) setPrior(l taxLine, m text.Money, tokens []text.Token) {
	if l.fact == "" || len(l.number) == 2 && l.number >= "20" || !r.readable(tokens, l.words) {
		return // the balances at the year's beginning are no figures of a year
	}
	if r.facts.PriorYear == nil {
		r.facts.PriorYear = &dossier.TaxFacts{Lines: map[string]dossier.Amount{}}
	}
	v := m.Value
	*taxFacts[l.fact](r.facts.PriorYear) = &v
	r.found.From(text.Pointer("priorYear", l.fact), tokens, l.words)
}

// rightAmounts are the amounts of a row that end right of x.
func rightAmounts(row text.Line, style text.DecimalStyle, x float64) []text.Money {
	var found []text.Money
	for _, m := range row.Amounts(style) {
		if m.X1 > x && !m.Dash && !m.Percent {
			found = append(found, m)
		}
	}
	return found
}
