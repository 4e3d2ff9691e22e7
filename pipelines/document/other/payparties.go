package other

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// partMark parts a name from the street behind it where a line prints a whole address.
var partMark = lazyregexp.New(`\s+[*•|·–-]\s+|,\s+`)

// legalEnd matches a name that ends in the form of a company.
var legalEnd = lazyregexp.New(`(?i)\b(?:inc|incorporated|corp|corporation|llc|l\.l\.c|llp|lp|ltd|limited|plc` +
	`|pllc|pc|pty ltd` +
	`|company|co|gmbh|ag|kg|ohg|e\.k|ug|sarl|s\.a\.r\.l|sas|s\.a\.s|eurl|sa|s\.a|s\.l|s\.l\.u|sl|s\.r\.l|srl|s\.p\.a` +
	`|spa|b\.v|bv|n\.v|ltda|eireli|s/a|de c\.v|lt[ée]e|pvt)\.?$`)

// paidBy begins what says who made the stub, which is not who pays.
var paidBy = lazyregexp.New(`(?i)\b(?:payrolls? by|prepared by|powered by|processed by|provided by|\(c\)|©|copyright)`)

// part is a piece of a line, and its tokens.
type part struct {
	text   string
	tokens []text.Token
}

// partsOf are the pieces of a line between wide gaps and marks; a comma before the form of a company parts nothing.
func partsOf(l text.Line) []part {
	var parts []part
	for _, cell := range l.Cells() {
		str, from := cell.Text(), 0
		add := func(to int) {
			if piece := strings.TrimSpace(str[from:to]); piece != "" {
				at := from + strings.Index(str[from:], piece)
				parts = append(parts, part{piece, cell.TokensOf(at, at+len(piece))})
			}
		}
		for _, at := range partMark.FindAllStringIndex(str, -1) {
			rest := strings.Fields(str[at[1]:])
			if str[at[0]] == ',' && len(rest) > 0 && legalEnd.MatchString(strings.Trim(rest[0], ",")) {
				continue // "Fennimore Glass, Inc."
			}
			add(at[0])
			from = at[1]
		}
		add(len(str))
	}
	return parts
}

// findEmployer reads the company whose address follows its name on the line or stands below it, wherever a stub prints
// it: offices print it at the foot as well.
func findEmployer(_ text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	if values["company"] != nil {
		return
	}
	for i, l := range f.Lines {
		if paidBy.MatchString(l.Text()) {
			continue
		}
		parts := partsOf(l)
		for k, p := range parts {
			if !legalEnd.MatchString(p.text) || !looksLikeTitle(p.text) || notTitle.MatchString(p.text) {
				continue
			}
			addressed := k+1 < len(parts) && (text.IsStreet(parts[k+1].text) || text.IsTown(parts[k+1].text))
			if !addressed && i+1 < len(f.Lines) {
				cell := text.Line{Page: l.Page, Tokens: p.tokens}
				box := text.BoxOf(p.tokens)
				cell.X0, cell.Y0, cell.X1, cell.Y1 = box.X0, box.Y0, box.X1, box.Y1
				below, ok := text.AlignedCell(f.Lines[i+1], cell)
				addressed = ok && (text.IsStreet(below.Text()) || text.IsTown(below.Text()))
			}
			if addressed {
				values["company"] = p.text
				found.From("/company", p.tokens, "")
				return
			}
		}
	}
}

// findOnlyCompany reads the one company that a stub names at all, wherever it stands and without an address.
func findOnlyCompany(_ text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	if values["company"] != nil {
		return
	}
	var only *part
	for _, l := range f.Lines {
		for _, p := range partsOf(l) {
			if !legalEnd.MatchString(p.text) || !looksLikeTitle(p.text) || notTitle.MatchString(p.text) ||
				paidBy.MatchString(l.Text()) || len(p.tokens) < 2 || len(p.tokens) > 7 {
				continue
			}
			if only != nil && text.Fold(only.text) != text.Fold(p.text) {
				return
			}
			only = &p
		}
	}
	if only != nil {
		values["company"] = only.text
		found.From("/company", only.tokens, "")
	}
}

// courtesyWord begins the name of who is written to in French and German; no name has it.
var courtesyWord = lazyregexp.New(`(?i)^(?:monsieur|madame|mademoiselle|herrn?|frau)\s+`)

// findPaidPerson strips the courtesy from who is paid, and reads a name that goes on with its address in one cell below
// the caption.
func findPaidPerson(_ text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	if name, ok := values["employee"].(string); ok {
		values["employee"] = courtesyWord.ReplaceAllString(name, "")
		return
	}
	name, used, ok := f.Find(text.Field{Captions: []string{"employee", "employee name", "paid to"}, Whole: true,
		Accept: func(tokens []text.Token) (string, []text.Token, bool) {
			parts := partsOf(text.Line{Tokens: tokens})
			if len(parts) < 2 || !looksLikePerson(parts[0].text) || !text.IsStreet(parts[1].text) {
				return "", nil, false
			}
			return parts[0].text, parts[0].tokens, true
		}})
	if !ok {
		name, used, ok = personBelowHead(f)
	}
	if ok {
		values["employee"] = name
		found.From("/employee", used, "")
	}
}

// personHead heads the column or the box with the person of a stub.
var personHead = lazyregexp.New(`^(?:personal(?: and check)? information|employee(?: information| details| data)?` +
	`|trabajador|paid to|datos del trabajador)$`)

// personBelowHead is a person's name alone in its cell, right below the head of a box about the person, that begins
// where the head does.
func personBelowHead(f *text.FieldFinder) (string, []text.Token, bool) {
	for i, l := range f.Lines {
		for _, cell := range l.Cells() {
			if i+1 == len(f.Lines) || !personHead.MatchString(text.Fold(cell.Text())) {
				continue
			}
			if below, ok := text.AlignedCell(f.Lines[i+1], cell); ok && looksLikePerson(below.Text()) &&
				text.MeanConfidence(below.Tokens) > 0.7 {
				return below.Text(), below.Tokens, true
			}
		}
	}
	return "", nil, false
}

// findCheckDay takes the day of the check above its stub, or of a slip that says no period: "Date" alone, no earlier
// than the period ends.
func findCheckDay(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	end, ok := values["periodEnd"].(string)
	if !ok && values["periodStart"] != nil || values["payDate"] != nil {
		return
	}
	f2 := dateFact(s, "payDate", "date")
	f2.Whole = true
	if day, used, ok := f.Find(f2.Field); ok && day >= end {
		values["payDate"] = day
		found.From("/payDate", used, "Date")
	}
}
