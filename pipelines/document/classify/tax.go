package classify

import (
	"regexp"
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// taxAside matches the titles of papers about a return that are not the return: what an accountant's program prints
// around it, letters, and what the tax office writes back.
var taxAside = lazyregexp.New(`\b(?:` + strings.Join([]string{
	`tax return (?:comparison|summary|history|overview|organizer|checklist|cover sheet)`,
	`(?:tax|federal|income) (?:tax )?summary`,
	`(?:year|years) (?:tax )?(?:return )?comparison`, `comparison (?:report|summary|worksheet)`,
	`tax (?:projection|organizer|planner)`, `client organizer`,
	`filing (?:instructions|confirmation)`, `instructions for filing`,
	`e fil(?:e|ing) (?:confirmation|acknowledg[a-z]*|status|history|information)`,
	`acknowledg[a-z]* (?:and general|history|report)`, `accepted by the (?:irs|internal revenue)`, `engagement letter`,
	`to whom it may concern`, `dear`, `sincerely`,
	`notice (?:number )?(?:cp|lt) ?\d+`, `notice date`, `date of this notice`, `number of this notice`,
	`notice of (?:acceptance|deficiency|levy)`, `in reply refer to`, `(?:ltr|letter) \d{2,4} ?[a-z]?`,
	`e postcard`, `federal (?:supporting )?statements?`, `statement \d{1,2} form \d{3,4}`,
	`carryover (?:report|worksheet|schedule)`, `diagnostics? (?:report|summary)`, `preparers? (?:notes|summary)`,
	`consent to (?:use|disclos[a-z]*)`,
}, "|") + `)\b`)

// isTaxAside reports whether a page is such a paper, or a form that is no return.
func isTaxAside(head string) bool {
	return taxAside.MatchString(ownWorksheet.ReplaceAllString(head, " ")) || isOtherForm(head)
}

// ownWorksheet matches what a line of Schedule D says of a worksheet.
var ownWorksheet = lazyregexp.New(`\byour (?:\n )?capital (?:\n )?loss (?:\n )?carryover worksheet\b`)

// IsAside is isTaxAside of a page that goes with a return.
func IsAside(p text.Page) bool {
	lines := text.Lines(p)
	return isTaxAside(foldedLines(lines[:headLines(lines, p)]))
}

// officialMark matches what the forms of the tax office print beside their titles, which a letter that only names a
// form does not.
var officialMark = lazyregexp.New(`\b(?:omb|department of the treasury|internal revenue|irs use only|irs gov|staple` +
	`|attachment sequence|filing status|your (?:first|social)|security (?:number|no)|employer (?:identification|id)` +
	`|(?:for )?calendar year|for the year jan|tax year beginning|principal (?:business|product)|name of ` +
	`(?:proprietor|corporation|partnership|organization|foundation)|accounting method|under (?:section|penalties)` +
	`|sole proprietorship|names? (?:s )?shown on|schedule [a-z0-9]{1,2} form 1040|page \d)\b`)

// titleWords are what a form prints before its title on the same line.
var titleWords = text.WordSet("form department of the treasury internal revenue service u s us amended irs omb no " +
	"rev schedule")

// beginsLine reports whether a title begins a line of the head, or stands after what forms print before it: in a
// sentence that names the form it does not.
func beginsLine(head, title string) bool {
	title, _, _ = strings.Cut(title, "+")
	for _, at := range regexp.MustCompile(strings.ReplaceAll(`\b`+regexp.QuoteMeta(title)+`\b`, " ",
		`(?: \n)? `)).FindAllStringIndex(head, -1) {
		before, others := head[strings.LastIndexByte(head[:at[0]], '\n')+1:at[0]], 0
		for w := range strings.FieldsSeq(before) {
			if len(w) > 2 && !titleWords[w] && !text.HasDigits(w, 1) {
				others++
			}
		}
		if others <= 2 {
			return true
		}
	}
	return false
}

// formNumber matches the number of the form that a line begins with; the year of a head stands beside "Form" where its
// number is set larger, on a line of its own.
var (
	formNumber = lazyregexp.New(`^form (\d{3,5})\b`)
	aYear      = lazyregexp.New(`^20[12]\d$`)
)

// isOtherForm reports whether a page begins with the number of a form that is no return: one attached to a return, or
// one that only speaks of returns.
func isOtherForm(head string) bool {
	for line := range strings.SplitSeq(firstLines(head, 3), "\n") {
		if g := formNumber.FindStringSubmatch(strings.TrimSpace(line)); g != nil && !aYear.MatchString(g[1]) {
			return !slices.Contains([]string{"1040", "1041", "1065", "1120", "990"}, g[1])
		}
	}
	return false
}

// stateReturn matches what only the returns of the states print in their heads. Their lines have numbers like those of
// the federal forms, and other meanings.
var (
	stateReturn = lazyregexp.New(`\b(?:(?:department|division) of (?:revenue|taxation|taxes|treasury|finance)` +
		`|franchise tax board|tax commission|(?:revenue|taxation) department|comptroller of|(?:full|part) year ` +
		`resident|resident (?:individual )?income tax return)\b`)
	stateForm = lazyregexp.New(`\b(?:A[KLRZ]|C[AOT]|D[CE]|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMY]|O[HKR]` +
		`|PA|PR|RI|SC|UT|V[AT]|W[IV])-(?:1040|1065|1120|990)`)
	incomeTaxName = lazyregexp.New(`\b(?:income|franchise|corporation|partnership|excise|business)\b.*\btax\b|\btax ` +
		`return\b`)
)

// isStateReturn reports whether the head of a page is of a return to a state: its own form number, or its office beside
// the title of a tax return.
func isStateReturn(lines []text.Line, head string) bool {
	for _, l := range lines {
		if stateForm.MatchString(l.Text()) {
			return true
		}
	}
	return stateReturn.MatchString(head) && !text.HasWords(head, "internal revenue service") &&
		incomeTaxName.MatchString(head)
}

// foldedLines are the texts of lines, folded, each line apart.
func foldedLines(lines []text.Line) string {
	s := make([]string, len(lines))
	for i, l := range lines {
		s[i] = text.Fold(l.Text())
	}
	return strings.Join(s, " \n ")
}

// laterPages match the header that pages after a form's first carry: "Form 1040 (2020) Page 2".
var laterPages = lazyregexp.New(`\b(?:form|schedule [a-z0-9]+) ?\(? ?(1040 sr|1040 nr|1040 x|1040|1120 s|1120s|1120` +
	`|1065|1041|990 ez|990 pf|990 t|990)\b ?(?:\n )?(20[0-4]\d)?`)

// headsLaterPage matches what begins a page after a form's first.
var headsLaterPage = lazyregexp.New(`^ ?form (?:1040|1120|1065|1041|990)(?: [a-z]{1,2})? (?:20[0-4]\d ` +
	`)?(?:[^\n]{0,80} )?(?:\n )?page (?:[2-9]\b|\n)`) // the figure may be cut off at the paper's edge

// laterPage finds the form whose later page, or attached schedule, a page is.
func laterPage(folded, head string) (taxForm, bool) {
	top := firstLines(head, 4)
	g := laterPages.FindStringSubmatch(top)
	if g == nil || strings.Contains(g[0], "schedule k 1") || g[2] == "" && !text.HasWords(top, "page") &&
		!officialMark.MatchString(folded) || !beginsLine(top, strings.Join(strings.Fields(g[0]), " ")) {
		return taxForm{}, false
	}
	name := strings.ToUpper(strings.ReplaceAll(strings.ReplaceAll(g[1], "1120s", "1120 s"), " ", "-"))
	if letter, ok := strings.CutPrefix(g[0], "schedule "); ok {
		letter, _, _ = strings.Cut(letter, " ")
		name += " Schedule " + strings.ToUpper(letter)
	}
	return taxForm{name: name, docType: dossier.DocTaxReturn, anyPage: true}, true
}
