package other

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

func dealFacts(s text.Segment) []otherFact {
	return []otherFact{
		nameFact("landlord", "landlord", "lessor", "bailleur", "proprietaire", "arrendador", "propietario", "vermieter",
			"vermieterin", "locador", "locatore", "verhuurder"),
		nameFact("tenant", "tenant", "tenant s", "tenants", "lessee", "locataire", "arrendatario", "inquilino",
			"mieter", "mieterin", "locatario", "conduttore", "huurder"),
		dateFact(s, "date", "date de signature", "fait le", "fecha de firma", "fecha del contrato", "vertragsdatum",
			"lease date", "date of lease", "datum", "agreement date", "date of agreement", "dated",
			"effective date", "date"),
	}
}

var (
	leaseParty = map[string]*lazyregexp.Regexp{
		"landlord": lazyregexp.New(`(?is)\bbetween:?\s+(?:the\s+)?(.{3,260}?)(?:["“'‘]|\((?:the )?)(?:landlord` +
			`|lessor|owner)["”'’)]`),
		"tenant": lazyregexp.New(`(?is)(?:["“'‘]|\((?:the )?)(?:landlord|lessor|owner)["”'’)][),.;]*\s+(?:and\s+` +
			`|&\s+)(.{3,260}?)(?:["“'‘]|\((?:the )?)(?:tenants?|lessee|resident)["”'’)]`),
	}
	// partyEnd begins what says more of a party than its name.
	partyEnd = lazyregexp.New(`(?i)\s*(?:,\s*(?:an?|the|whose|having|with|located|of|as|hereinafter|individually` +
		`|jointly|collectively|trustee)\b|\s+(?:an?|whose|having|located|residing|hereinafter|hereafter)\s|,?\s*\(` +
		`|,\s*\d).*$`)
	leaseMade = lazyregexp.New(`(?i)\ben \p{Lu}[\p{L} ]{2,30},? a\s+|\b(?:made|entered into|dated` +
		`|effective)\s+(?:and entered into\s+)?(?:this|as of|on|of)*\s*`)
)

// findLeaseParties reads the opening sentence: "made on DATE between A (Landlord) and B (Tenant)".
func findLeaseParties(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	var tokens []text.Token
	for _, l := range f.Lines[:min(len(f.Lines), 40)] {
		tokens = append(tokens, l.Tokens...)
	}
	all := text.Line{Tokens: tokens}
	str := all.Text()
	for name, pattern := range leaseParty {
		at := pattern.FindStringSubmatchIndex(str)
		if at == nil {
			continue
		}
		party := strings.TrimRight(partyEnd.ReplaceAllString(strings.ReplaceAll(str[at[2]:at[3]], "\n", " "), ""),
			" ,;(")
		if looksLikeTitle(party) {
			values[name] = party
			found.From(text.Pointer(name), all.TokensOf(at[2], at[2]+len(party)), "")
		}
	}
	if values["date"] != nil {
		return
	}
	for _, at := range leaseMade.FindAllStringIndex(str, -1) {
		for _, d := range all.Dates(s.Order) {
			if d.Complete() && d.From >= at[1]-1 && d.From <= at[1]+1 {
				values["date"] = d.Date.String()
				found.From("/date", d.Tokens, "")
				return
			}
		}
	}
}
