package classify

import (
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// What the forms of the tax office print beside their titles, in type that a scan keeps: their own page at the office,
// and at the foot their name with the year, beside the notice of the Paperwork Reduction Act.
var (
	ownPage = lazyregexp.New(`\birs gov (?:form ?(1040|1120 ?s|1120|1065|990 ?ez|990)|schedule ?([a-f]|se)) for ` +
		`instructions\b`)
	footName = lazyregexp.New(`\b(?:form (1040 sr|1040|1120 s|1120|1065|990 ez|990)|schedule ([a-f]|se) form 1040) ` +
		`20[0-4]\d\b`)
	footNotice = lazyregexp.New(`\b(?:paperwork|disclosure|cat no|separate instructions)\b`)
)

// footLines is how many lines of a page are its foot.
const footLines = 4

// unreadTitle finds the form of a page whose title a scan has lost, by the address in its head, else by its foot.
func unreadTitle(folded, head string) (taxForm, bool) {
	g := ownPage.FindStringSubmatch(head)
	if g == nil {
		lines := strings.Split(folded, "\n")
		foot := strings.Join(lines[max(0, len(lines)-footLines):], "\n")
		if g = footName.FindStringSubmatch(foot); g == nil || !footNotice.MatchString(foot) {
			return taxForm{}, false
		}
	}
	if !officialMark.MatchString(folded) {
		return taxForm{}, false
	}
	if g[2] != "" {
		return taxForm{name: "1040 Schedule " + strings.ToUpper(g[2]), docType: dossier.DocTaxReturn}, true
	}
	for _, f := range taxForms {
		if f.docType == dossier.DocTaxReturn && text.Fold(f.name) == spacedName.Replace(g[1]) {
			return f, true
		}
	}
	return taxForm{}, false
}

// spacedName puts the blank into a form's name as an address prints it.
var spacedName = strings.NewReplacer("1120s", "1120 s", "990ez", "990 ez")
