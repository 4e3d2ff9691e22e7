package other

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// formBox is a box of an information return: its captions, with the number that stands before them, and the fact that
// it holds, empty for a box that is known in order not to be taken for another.
type formBox struct {
	fact     string
	captions []string
}

// The boxes of the forms by the IRS's print and by the usual substitutes of payers. Sources: forms W-2, W-9 and 1099 of
// 2021 to 2024; publications 1141 and 1179.
var (
	wageBoxes = []formBox{
		{"ssn", []string{"a employees social security number", "employees ssa number", "employees soc sec number"}},
		{"ein", []string{"b employer identification number ein", "b employers fed id number",
			"b employers federal id number", "employers identification number"}},
		{"employer", []string{"c employers name address and zip code", "employers name and address"}},
		{"employee", []string{"ef employees name address and zip code", "employees name address and zip code",
			"employees name"}},
		{"wages", []string{"1 wages tips other compensation", "1 wages tips other comp"}},
		{"federalTaxWithheld", []string{"2 federal income tax withheld", "2 fed income tax withheld"}},
		{"", []string{"e employees first name and initial", "last name", "suff", "f employees address and zip code",
			"d control number", "3 social security wages", "4 social security tax withheld",
			"5 medicare wages and tips", "6 medicare tax withheld", "7 social security tips", "8 allocated tips",
			"10 dependent care benefits", "11 nonqualified plans", "12a see instructions for box 12",
			"13 statutory employee retirement plan third party sick pay", "14 other",
			"15 state employers state id number", "employers state id number", "16 state wages tips etc",
			"17 state income tax", "18 local wages tips etc", "19 local income tax", "20 locality name",
			"wage and tax statement", "department of the treasury internal revenue service"}},
	}
	payerBoxes = []formBox{
		{"entityName", []string{
			"payers name street address city or town state or province country zip or foreign postal code",
			"payers name street address city state zip code and telephone no", "payers name",
			"payers name street address city or town"}},
		{"ein", []string{"payers tin", "payers federal identification number"}},
		{"ssn", []string{"recipients tin", "recipients identification number"}},
		{"name", []string{"recipients name"}},
		{"federalTaxWithheld", []string{"4 federal income tax withheld"}},
		{"", []string{"street address including apt no", "account number see instructions", "corrected if checked",
			"city or town state or province country and zip or foreign postal code", "5 state tax withheld",
			"6 state payers state no", "7 state income", "nonemployee compensation", "interest income",
			"2nd tin not", "fatca filing requirement", "for calendar year",
			"department of the treasury internal revenue service"}},
	}
	payeeBoxes = []formBox{
		{"name", []string{
			"1 name of entity individual an entry is required for a sole proprietor or disregarded entity enter the " +
				"owners name on line 1 and enter the business disregarded entitys name on line 2",
			"1 name of entity individual an entry is required",
			"1 name as shown on your income tax return name is required on this line do not leave this line blank"}},
		{"entityName", []string{"2 business name disregarded entity name if different from above"}},
		{"", []string{"3a check the appropriate box for federal tax classification",
			"3 check appropriate box for federal tax classification",
			"4 exemptions codes apply only to certain entities",
			"5 address number street and apt or suite no see instructions", "6 city state and zip code",
			"requesters name and address optional", "7 list account numbers here optional",
			"request for taxpayer identification number and certification"}},
	}
)

// boxesOf are the boxes of a form; none for the others.
func boxesOf(form string) []formBox {
	switch {
	case form == "W-2":
		return wageBoxes
	case form == "W-9":
		return payeeBoxes
	case strings.HasPrefix(form, "1099-"):
		return payerBoxes
	}
	return nil
}

// How like a caption a cell of a picture must be, from 0 to 1, and how much more than any other box's.
const (
	likeCaption  = 0.6
	clearlyLiker = 0.04
	leastLetters = 8
)

// findBoxes reads the boxes of a form whose small captions OCR garbled, as it loses letters of print of six points: the
// cell is the caption of the box that its letters are most like. It fills in what no caption gave letter by letter.
func findBoxes(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	boxes := boxesOf(s.Form)
	if boxes == nil {
		return
	}
	read := map[string][]boxValue{}
	for i, l := range f.Lines {
		for _, cell := range l.Cells() {
			fact := boxCaption(cell.Text(), boxes)
			if fact == "" || values[fact] != nil {
				continue
			}
			field := text.Field{Accept: acceptBox(s, fact), Below: true, Deep: fact == "entityName" ||
				fact == "employer"}
			if v, used, ok := f.Under(i, cell.Box(), field); ok {
				read[fact] = append(read[fact], boxValue{v, used})
			}
		}
	}
	for fact, all := range read {
		v := mostCommon(all)
		values[fact] = v.text
		found.From(text.Pointer(fact), v.used, "")
	}
	firm := map[string]string{"W-2": "employer", "W-9": ""}
	fact, other := firm[s.Form]
	if !other {
		fact = "entityName"
	}
	if fact == "" || values[fact] != nil {
		return
	}
	if v, ok := senderBlock(f, acceptBox(s, fact)); ok && v.text != values["name"] && v.text != values["employee"] {
		values[fact] = v.text
		found.From(text.Pointer(fact), v.used, "")
	}
}

// senderBlock is the name over the first street and town of a form that stand right below one another: the payer's,
// whose box has room for all three. The recipient's stand in boxes of their own, with captions between them.
func senderBlock(f *text.FieldFinder, accept func([]text.Token) (string, []text.Token, bool)) (boxValue, bool) {
	for i, l := range f.Lines {
		for _, cell := range l.Cells() {
			street, ok := rightBelow(f, i, cell, senderStreet)
			if !ok {
				continue
			}
			if _, ok := rightBelow(f, i+1, street, senderTown); !ok {
				continue
			}
			if v, used, ok := accept(cell.Tokens); ok {
				return boxValue{v, used}, true
			}
		}
	}
	return boxValue{}, false
}

var (
	senderStreet = lazyregexp.New(`^(?:\d+ [A-Z0-9]|(?i:p\.? ?o\.? box) )`)
	senderTown   = lazyregexp.New(`^[A-Z][A-Za-z .'-]+ ?[.,]? ?[A-Z]{2},? \d{5}(?:-\d{4})?$`)
)

// rightBelow is the cell of a shape that begins below a cell of a line, within three lines.
func rightBelow(f *text.FieldFinder, i int, above text.Line, shape *lazyregexp.Regexp) (text.Line, bool) {
	height := above.Y1 - above.Y0
	for j := i + 1; j < len(f.Lines) && j <= i+4 && f.Lines[j].Page == above.Page; j++ {
		for _, cell := range f.Lines[j].Cells() {
			if text.Abs(cell.X0-above.X0) < height && cell.Y0 > above.Y0+0.5*height &&
				cell.Y0 < above.Y1+1.2*height && shape.MatchString(cell.Text()) {
				return cell, true
			}
		}
	}
	return text.Line{}, false
}

type boxValue struct {
	text string
	used []text.Token
}

// mostCommon is the value that most copies of a form agree on, the first of equals.
func mostCommon(all []boxValue) boxValue {
	counts := map[string]int{}
	for _, v := range all {
		counts[v.text]++
	}
	return slices.MaxFunc(all, func(a, b boxValue) int { return counts[a.text] - counts[b.text] })
}

// boxCaption is the fact whose caption a cell is; empty when it is none's, another box's, or may be either.
func boxCaption(cell string, boxes []formBox) string {
	letters := lettersOf(cell)
	if len(letters) < leastLetters || len(letters) > 200 {
		return ""
	}
	best, second, fact := 0.0, 0.0, ""
	for _, b := range boxes {
		like := 0.0
		for _, caption := range b.captions {
			like = max(like, likeness(letters, lettersOf(caption)))
		}
		switch {
		case like > best:
			best, second, fact = like, best, b.fact
		case like > second:
			second = like
		}
	}
	if best < likeCaption || best-second < clearlyLiker {
		return ""
	}
	return fact
}

// lettersOf are the letters and figures of a text, folded.
func lettersOf(s string) string { return strings.ReplaceAll(text.Fold(s), " ", "") }

// likeness says how much of a caption a text is: OCR loses letters more often than it makes some up, so what is there
// must be found in the caption in its order, and the more of the caption is there, the better.
func likeness(read, caption string) float64 {
	if read == "" || caption == "" || read[0] != caption[0] && !strings.HasPrefix(caption[1:], read[:2]) {
		return 0 // what a line begins with is read best
	}
	row := make([]int, len(caption)+1)
	for i := range len(read) {
		diagonal := 0
		for j := range len(caption) {
			up := row[j+1]
			if read[i] == caption[j] {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(up, row[j])
			}
			diagonal = up
		}
	}
	same := float64(row[len(caption)])
	return (same/float64(len(read)) + 2*same/float64(len(read)+len(caption))) / 2
}

// acceptBox says what the value of a box looks like.
func acceptBox(s text.Segment, fact string) func([]text.Token) (string, []text.Token, bool) {
	switch fact {
	case "ssn":
		return text.AcceptToken(ssnPattern.MatchString)
	case "ein":
		return acceptEIN
	case "wages", "federalTaxWithheld":
		return acceptFormMoney(s.Style)
	case "employee":
		return text.AcceptText(6, func(v string) bool { return looksLikeTitle(v) && !isBusiness(v) && !isPlace(v) })
	}
	return text.AcceptText(8, func(v string) bool {
		return looksLikeTitle(v) && !isPlace(v) && !taxClass.MatchString(text.Fold(v)) &&
			!nextBox.MatchString(text.Fold(v)) && boxCaption(v, boxesOf(s.Form)) == ""
	})
}

// isBusiness reports whether a name ends in a company's form.
func isBusiness(name string) bool {
	words := strings.Fields(name)
	return len(words) > 0 && text.LegalForm.MatchString(words[len(words)-1])
}

// isPlace reports whether a text is the line of a town.
func isPlace(s string) bool { return text.CityLine.MatchString(s) }

// formYear matches the year of a form.
var formYear = lazyregexp.New(`^20[12]\d$`)

// findFormYear reads the year of a form that its title does not hold: beside the title in large figures, or below "For
// calendar year". Copies on one sheet agree on it; two years are none.
func findFormYear(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	if boxesOf(s.Form) == nil || s.Form == "W-9" || values["taxYear"] != nil {
		return
	}
	var year text.Token
	for _, l := range f.Lines {
		for i, t := range l.Tokens {
			if !formYear.MatchString(t.Text) || i > 0 && revision.MatchString(l.Tokens[i-1].Text) {
				continue
			}
			if year.Text != "" && year.Text != t.Text {
				return
			}
			year = t
		}
	}
	if n, err := strconv.Atoi(year.Text); err == nil {
		values["taxYear"] = n
		found.From("/taxYear", []text.Token{year}, "")
	}
}

// revision matches what stands before the year of a form's revision: "(Rev. January 2024)".
var revision = lazyregexp.New(`(?i)^\(?(?:rev|january|february|march|april|may|june|july|august|september|october` +
	`|november|december)[.,]?$`)

// findBoxedNumber reads a taxpayer's number whose figures stand in boxes of their own below its caption.
func findBoxedNumber(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	if s.Form != "W-9" {
		return
	}
	for fact, caption := range map[string]string{"ssn": "social security number",
		"ein": "employer identification number"} {
		if values[fact] != nil {
			continue
		}
		for _, l := range f.Lines {
			for _, cell := range l.Cells() {
				if text.Fold(cell.Text()) != caption {
					continue
				}
				if figures := figuresUnder(f, cell); len(figures) == 9 {
					number := ""
					for _, t := range figures {
						number += t.Text
					}
					values[fact] = map[string]string{"ssn": number[:3] + "-" + number[3:5] + "-" + number[5:],
						"ein": number[:2] + "-" + number[2:]}[fact]
					found.From(text.Pointer(fact), figures, "")
				}
			}
		}
	}
}

// figuresUnder are the figures on the row below a caption, each a word of its own or joined with its neighbours.
func figuresUnder(f *text.FieldFinder, caption text.Line) []text.Token {
	height := caption.Y1 - caption.Y0
	for _, row := range f.Lines {
		if row.Page != caption.Page || row.Y0 < caption.Y0+0.5*height || row.Y0 > caption.Y1+4*height {
			continue
		}
		var figures []text.Token
		for _, t := range row.Tokens {
			if bare := strings.Trim(t.Text, "—–-|[] "); t.X0 > caption.X0-2*height && figureBox.MatchString(bare) {
				t.Text = bare
				figures = append(figures, t)
			}
		}
		if len(figures) > 0 {
			return figures
		}
	}
	return nil
}
