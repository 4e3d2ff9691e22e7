package other

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

var einPattern = lazyregexp.New(`^\d{2}-\d{7,8}$`)

// formFacts are the captioned boxes of tax forms that are no returns.
func formFacts(s text.Segment) []otherFact {
	name := func(n string, captions ...string) otherFact {
		return otherFact{n, text.Field{Captions: captions, Accept: text.AcceptText(8, func(s string) bool {
			return looksLikeTitle(s) && !nextBox.MatchString(text.Fold(s))
		}), Below: true}}
	}
	amount := func(n string, captions ...string) otherFact {
		return otherFact{n, text.Field{Captions: captions, Accept: acceptFormMoney(s.Style), Below: true}}
	}
	ssn := otherFact{"ssn", text.Field{Captions: []string{"your social security number",
		"employee s social security number", "employees social security number", "social security number",
		"recipients tin"}, Accept: text.AcceptToken(ssnPattern.MatchString), Below: true}}
	ein := otherFact{"ein", text.Field{Captions: []string{"employer identification number",
		"employer identification number ein", "payers tin"}, Accept: acceptEIN, Below: true}}
	switch s.Form {
	case "W-2":
		return []otherFact{ssn, ein,
			amount("wages", "wages tips other compensation", "wages tips other comp"),
			amount("federalTaxWithheld", "federal income tax withheld"),
			tallBox(name("employer", "employers name address and zip code", "employers name")),
		}
	case "941":
		return []otherFact{ein, name("entityName", "name not your trade name"),
			{"employees", text.Field{Captions: []string{"number of employees who received wages"},
				Accept: endOfRow(s.Style, true)}},
			{"wages", text.Field{Captions: []string{"wages tips and other compensation"},
				Accept: endOfRow(s.Style, false)}},
			{"federalTaxWithheld", text.Field{Captions: []string{"federal income tax withheld from wages"},
				Accept: endOfRow(s.Style, false)}},
		}
	case "940", "943", "944":
		return []otherFact{ein, name("entityName", "name not your trade name")}
	case "SSA-1099":
		return []otherFact{{"ssn", text.Field{Captions: []string{"beneficiarys social security number"},
			Accept: text.AcceptToken(ssnPattern.MatchString), Below: true}}, name("name", "box 1 name")}
	case "1098":
		return []otherFact{
			{"ssn", text.Field{Captions: []string{"payers borrowers tin"},
				Accept: text.AcceptToken(ssnPattern.MatchString), Below: true}},
			{"ein", text.Field{Captions: []string{"recipients lenders tin"}, Accept: acceptEIN, Below: true}},
			tallBox(name("entityName", "recipients lenders name street address", "recipients lenders name")),
			tallBox(name("name", "payers borrowers name"))}
	case "1099-NEC", "1099-MISC", "1099-INT", "1099-DIV", "1099-K", "1099-R", "1099-G", "1099-S":
		return []otherFact{ssn, ein, tallBox(name("entityName", "payers name street address", "payers name",
			"filers name street address")),
			tallBox(name("name", "recipients name", "payees name")),
			amount("federalTaxWithheld", "federal income tax withheld")}
	case shareOf:
		return []otherFact{
			{"ssn", text.Field{Captions: []string{"shareholders identifying number", "partners ssn or tin",
				"partners identifying number", "shareholders ssn"}, Accept: text.AcceptToken(text.SSNShape.MatchString),
				Below: true, Centred: true}},
			{"ein", text.Field{Captions: []string{"corporations employer identification number",
				"partnerships employer identification number", "estates or trusts employer identification number"},
				Accept: text.AcceptToken(einPattern.MatchString), Below: true, Centred: true}},
		}
	case "8879":
		return []otherFact{ssn, name("taxpayer", "taxpayers name")}
	case "W-9":
		firm := text.Field{Captions: []string{"business name disregarded entity name if different from above",
			"business name"},
			Accept: text.AcceptText(8, func(s string) bool {
				return looksLikeTitle(s) &&
					!taxClass.MatchString(text.Fold(s))
			}), Below: true}
		return []otherFact{ssn, ein, name("name", "name as shown on your income tax return"), {"entityName", firm}}
	case "4506-C", "4506-T", "4506":
		person := text.Field{Captions: []string{"1b first taxpayer identification number",
			"first taxpayer identification number", "first social security number on tax return"},
			Accept: text.AcceptToken(ssnPattern.MatchString), Below: true}
		return []otherFact{{"ssn", person}, ein}
	case "4868":
		return []otherFact{ssn, name("name", "your name s see instructions", "your name s")}
	}
	return []otherFact{ssn, ein}
}

// nextBox matches the captions of the boxes below a name: the name stands beside its caption, or there is none.
var nextBox = lazyregexp.New(`^(?:trade name|address|number street|street address|city or town|foreign country` +
	`|form [a-z0-9]|copy [a-d12]|for (?:recipient|payer|state|internal))\b|^trade$`)

// taxClass matches the classes that a W-9 has boxes for, below the line of a business's name that may be empty.
var taxClass = lazyregexp.New(`\b(?:individual|sole proprietor|c corporation|s corporation|partnership|trust estate` +
	`|limited liab[a-z]*|check|tax classification|exempt payee)\b`)

// acceptEIN accepts an employer's number; OCR reads its hyphen as a blank, as another dash or not at all.
func acceptEIN(tokens []text.Token) (string, []text.Token, bool) {
	if tokens[0].Method == text.MethodOCR && tokens[0].Confidence < sureNumber {
		return "", nil, false
	}
	if v, used, ok := text.AcceptToken(einPattern.MatchString)(tokens); ok {
		return v, used, true
	}
	if tokens[0].Method != text.MethodOCR {
		return "", nil, false
	}
	for n := 1; n <= min(3, len(tokens)); n++ {
		if g := looseEIN.FindStringSubmatch(text.Join(tokens[:n])); g != nil {
			return g[1] + "-" + g[2], tokens[:n], true
		}
	}
	return "", nil, false
}

// sureNumber is the confidence from which a picture's number is taken that has no check digit.
const sureNumber = 0.75

var looseEIN = lazyregexp.New(`^[|\[]?(\d{2}) ?[-–—~=_.]? ?(\d{7})[|\]]?$`)

// findPayer reads the name of a W-9, which begins at the left edge of its box.
func findPayer(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	if s.Form == "W-9" && values["name"] == nil {
		findHolder(f, "name", []string{"as shown on your income tax return", "name of entity individual"}, values,
			found)
	}
}

// tallBox lets a fact's box be taller than usual.
func tallBox(f otherFact) otherFact {
	f.Deep = true
	return f
}

// endOfRow accepts the figure at the right end of the caption's row: a count, or an amount.
func endOfRow(style text.DecimalStyle, whole bool) func([]text.Token) (string, []text.Token, bool) {
	return func(tokens []text.Token) (string, []text.Token, bool) {
		row := text.Line{Tokens: tokens}
		amounts := row.Amounts(style)
		if len(amounts) == 0 {
			return "", nil, false
		}
		m := amounts[len(amounts)-1]
		switch {
		case m.Last != len(tokens)-1 || m.Dash || m.Percent:
			return "", nil, false
		case whole && (m.Places() > 0 || m.Value.IsNegative()):
			return "", nil, false
		case !whole && !m.Looks() && len(m.Text) < 3:
			return "", nil, false // the number of a line
		}
		return m.Value.String(), tokens[m.First : m.Last+1], true
	}
}

// quarters are the months beside the boxes of a quarterly return, folded.
var quarters = []string{"january february march", "april may june", "july august september",
	"october november december"}

// findQuarter reads the only quarter with a mark beside it: the mark stands left of the months, and nearest to their
// middle, as marks are set larger than words.
func findQuarter(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	if s.Form != "941" {
		return
	}
	captions := map[int]text.Line{}
	var marks []text.Token
	for _, l := range f.Lines {
		for _, cell := range l.Cells() {
			for q, months := range quarters {
				if _, have := captions[q]; !have && text.HasWords(text.Fold(cell.Text()), months) {
					captions[q] = cell
				}
			}
		}
		for _, t := range l.Tokens {
			if text.CheckMark.MatchString(t.Text) {
				marks = append(marks, t)
			}
		}
	}
	best, at, marked := 0, text.Token{}, 0
	for _, t := range marks {
		if q := quarterBeside(t, captions); q > 0 {
			best, at, marked = q, t, marked+1
		}
	}
	if marked == 1 {
		values["quarter"] = best
		found.From("/quarter", []text.Token{at}, "Report for this quarter")
	}
}

// quarterBeside is the quarter whose months stand beside a mark, nearest to its middle; 0 when none do.
func quarterBeside(mark text.Token, captions map[int]text.Line) int {
	best, nearest := 0, 0.0
	for q, cell := range captions {
		height := cell.Y1 - cell.Y0
		off := text.Abs((mark.Y0 + mark.Y1 - cell.Y0 - cell.Y1) / 2)
		if mark.Page == cell.Page && off < 0.75*height && mark.X0 < cell.X0+2*height && mark.X0 > cell.X0-6*height &&
			(best == 0 || off < nearest) {
			best, nearest = q+1, off
		}
	}
	return best
}

// figureBox is one of the boxes that hold a figure each.
var figureBox = lazyregexp.New(`^\d$`)

// isJoinedFigures reports whether OCR read the figures of several one-figure boxes, right after the caption, as one
// token.
func isJoinedFigures(row text.Line, t text.Token) bool {
	at := slices.Index(row.Tokens, t)
	if at < 0 || t.Method != text.MethodOCR || t.Confidence < sureNumber || !boxesTogether.MatchString(t.Text) {
		return false
	}
	for at--; at >= 0 && boxesTogether.MatchString(row.Tokens[at].Text); at-- {
	}
	return at >= 0 && captionEnd[text.Fold(row.Tokens[at].Text)]
}

// captionEnd is the last word of the caption.
var captionEnd = text.WordSet("number ein")

var boxesTogether = lazyregexp.New(`^\d{0,2}-?\d{1,7}$`)

// findBoxedEIN reads an employer's number whose figures stand in boxes of their own, on the row of its caption.
func findBoxedEIN(_ text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	if values["ein"] != nil {
		return
	}
	for _, l := range f.Lines {
		if !text.HasWords(text.Fold(l.Text()), "employer identification number") {
			continue
		}
		height := l.Tokens[0].Y1 - l.Tokens[0].Y0
		var figures []text.Token
		for _, row := range f.Lines {
			for _, t := range row.Tokens {
				bare := strings.Trim(t.Text, "—–- ")
				if t.Page == l.Page && text.Abs((t.Y0+t.Y1)/2-(l.Tokens[0].Y0+l.Tokens[0].Y1)/2) < 1.6*height &&
					(figureBox.MatchString(bare) || isJoinedFigures(l, t)) {
					t.Text = bare
					figures = append(figures, t)
				}
			}
		}
		slices.SortFunc(figures, func(a, b text.Token) int { return text.CompareFloat(a.X0, b.X0) })
		number := ""
		for _, t := range figures {
			number += strings.Trim(strings.ReplaceAll(t.Text, "-", ""), "—–")
		}
		if len(number) != 9 {
			continue
		}
		values["ein"] = number[:2] + "-" + number[2:]
		found.From("/ein", figures, "Employer identification number")
		return
	}
}

// acceptFormMoney accepts the amount of a box: whole dollars are usual.
func acceptFormMoney(style text.DecimalStyle) func([]text.Token) (string, []text.Token, bool) {
	return func(tokens []text.Token) (string, []text.Token, bool) {
		if len(tokens) > 1 && tokens[0].Text == "$" {
			tokens = tokens[1:] // at the left edge of the box, however far
		}
		l := text.Line{Tokens: tokens[:min(len(tokens), 3)]}
		for _, m := range l.Amounts(style) {
			if !m.Percent && !m.Dash && m.First == 0 && (m.Looks() || len(m.Text) >= 3) {
				return m.Value.String(), l.Tokens[m.First : m.Last+1], true
			}
		}
		return "", nil, false
	}
}

// findForm states which form it is and of which year, from where its title prints them.
func findForm(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	if s.Form == "" {
		return
	}
	values["form"] = s.Form
	found.Derive("/form", "title of the form")
	year := strconv.Itoa(s.Year)
	for _, l := range f.Lines {
		str := text.Fold(l.Text())
		if text.HasWords(str, "form "+text.Fold(s.Form)) && found.Sources["/form"].Page == 0 {
			found.From("/form", l.Tokens, "")
		}
		for _, t := range l.Tokens {
			if s.Year != 0 && values["taxYear"] == nil && strings.Trim(t.Text, "(),.:") == year {
				values["taxYear"] = s.Year
				found.From("/taxYear", []text.Token{t}, "")
			}
		}
	}
}

// firstAndLast are the captions of the boxes in which a form has the first and the last name of a person, and the fact.
func firstAndLast(form string) (fact string, captions []string) {
	switch form {
	case "W-2", "W-2c":
		return "employee", []string{"employees first name and initial", "employees name address and zip code",
			"employees name"}
	case "4506-C":
		return "name", []string{"i first name", "current name"}
	case "W-4":
		return "name", []string{"a first name and middle initial", "first name and middle initial"}
	}
	return "", nil
}

// findEmployee reads the employee of a W-2, and whose transcript is asked for: first and last name stand in boxes of
// their own.
func findEmployee(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	fact, captions := firstAndLast(s.Form)
	if fact == "" {
		return
	}
	accept := func(tokens []text.Token) (string, []text.Token, bool) {
		var used []text.Token
		for _, t := range tokens {
			if !text.PersonName.MatchString(t.Text) || text.IsFieldWord(t.Text) || len(used) > 0 &&
				t.X0-used[len(used)-1].X1 > 16*(t.Y1-t.Y0) || len(used) == 4 {
				break
			}
			used = append(used, t)
		}
		return text.Join(used), used, len(used) >= 2
	}
	if v, used, ok := f.FindMost(text.Field{Captions: captions, Accept: accept, Below: true, Deep: true}); ok {
		values[fact] = v
		found.From(text.Pointer(fact), used, "")
	}
}
