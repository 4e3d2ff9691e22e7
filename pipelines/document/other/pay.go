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
	`|salaire)|fiche de paie|(?:lohn|gehalts|entgelt|verdienst)abrechnung` +
	`|recibo de (?:nomina|salarios|sueldo|haberes))\b`)

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

// dropShortYear forgets a year to date that is less than the period it includes, and a gross pay that is less than the
// net: they are another row's or column's.
func dropShortYear(_ text.Segment, _ *text.FieldFinder, values map[string]any, found *text.Findings) {
	period, _ := values["totalEarnings"].(string)
	net, _ := values["netPay"].(string)
	paid, errNet := dossier.ParseAmount(net)
	if gross, err := dossier.ParseAmount(period); err == nil && errNet == nil && gross.LessThan(paid.Decimal) {
		delete(values, "totalEarnings") // hours or a rate
		delete(found.Sources, "/totalEarnings")
	}
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
