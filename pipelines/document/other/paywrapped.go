package other

import (
	"strings"
	"unicode"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// courtesyTitle stands before a person's name in English, French and German.
var courtesyTitle = lazyregexp.New(`(?i)^(?:mrs?|ms|miss|mx|dr|mme|mlle|monsieur|madame|mademoiselle|herrn?` +
	`|frau)\.?\s+`)

// findWrapped joins the names of a stub that their boxes break into two lines: a company's form of law, a person's
// surname. A person of whom no more than an initial is on the first line is none when the second does not follow.
func findWrapped(_ text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	company, _ := values["company"].(string)
	employee, _ := values["employee"].(string)
	short := employee != "" && onlyInitials(courtesyTitle.ReplaceAllString(employee, ""))
	for i := range f.Lines[:max(0, len(f.Lines)-1)] {
		for _, cell := range f.Lines[i].Cells() {
			below, ok := text.AlignedCell(f.Lines[i+1], cell)
			if !ok || below.Y0-cell.Y1 > 0.8*(cell.Y1-cell.Y0) || strings.Contains(below.Text(), ":") {
				continue
			}
			said, more := cell.Text(), below.Text()
			switch {
			case company != "" && !legalEnd.MatchString(company) && strings.HasSuffix(said, company) &&
				legalEnd.MatchString(more) && len(below.Tokens) <= 3:
				found.From("/company", joinedName(cell, company, below), "")
				values["company"], company = company+" "+more, ""
			case short && strings.HasSuffix(said, employee) && len(below.Tokens) == 1 && personWord.MatchString(more) &&
				unicode.IsUpper([]rune(more)[0]) && !isCaption(more):
				found.From("/employee", joinedName(cell, employee, below), "")
				values["employee"], short = employee+" "+more, false
			}
		}
	}
	if short {
		delete(values, "employee")
		delete(found.Sources, "/employee")
	}
}

// joinedName is the tokens of a name at the end of a cell, and of the cell below it.
func joinedName(cell text.Line, name string, below text.Line) []text.Token {
	said := cell.Text()
	return append(append([]text.Token(nil), cell.TokensOf(len(said)-len(name), len(said))...), below.Tokens...)
}

// onlyInitials reports whether no word of a name has more than one letter.
func onlyInitials(name string) bool {
	for w := range strings.FieldsSeq(text.Fold(name)) {
		if len([]rune(w)) > 1 {
			return false
		}
	}
	return true
}
