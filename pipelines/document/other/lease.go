package other

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

func dealFacts(s text.Segment) []otherFact {
	return []otherFact{
		partyFact("landlord", "landlord", "lessor", "bailleur", "proprietaire", "arrendador", "propietario",
			"vermieter",
			"vermieterin", "locador", "locatore", "verhuurder"),
		partyFact("tenant", "tenant", "tenant s", "tenants", "lessee", "locataire", "arrendatario", "inquilino",
			"mieter", "mieterin", "locatario", "conduttore", "huurder"),
		dateFact(s, "date", "date de signature", "fait le", "fecha de firma", "fecha del contrato", "vertragsdatum",
			"lease date", "date of lease", "datum", "agreement date", "date of agreement", "dated",
			"effective date", "date"),
	}
}

// partyFact is the name of a party beside its caption, without what goes on about it: an address, a birth.
func partyFact(name string, captions ...string) otherFact {
	whole := text.AcceptText(8, isParty)
	return otherFact{name, text.Field{Captions: captions, Whole: true,
		Accept: func(tokens []text.Token) (string, []text.Token, bool) {
			if v, used, ok := whole(tokens); ok && !strings.Contains(v, ",") {
				return v, used, ok
			}
			parts := partsOf(text.Line{Tokens: tokens})
			if len(parts) < 2 || !isParty(parts[0].text) {
				return "", nil, false
			}
			return partyCourtesy.ReplaceAllString(parts[0].text, ""), parts[0].tokens, true
		}}}
}

// isParty reports whether a text names a party: it is not the word for one.
func isParty(s string) bool { return looksLikeTitle(s) && !partyWord.MatchString(text.Fold(s)) }

var (
	partyCourtesy = lazyregexp.New(`(?i)^(?:mme|mlle|m\.|monsieur|madame|herrn?|frau|don|do[ñn]a|d\.\s?ª|d\.)\s+`)
	partyWord     = lazyregexp.New(`^(?:el |la |le |der |die )?(?:landlord|tenants?|lessor|lessee|bailleur|locataire` +
		`|arrendador|arrendadora|arrendatario|arrendataria|propietario|inquilino|vermieter|mieter)$` +
		`|^de (?:una|la otra|otra)\b`)
)

var (
	leaseParty = map[string]*lazyregexp.Regexp{
		"landlord": lazyregexp.New(`(?is)\bbetween:?\s+(?:the\s+)?(.{3,260}?)(?:["“'‘]|\((?:the )?)(?:landlord` +
			`|lessor|owner)["”'’)]`),
		"tenant": lazyregexp.New(`(?is)(?:["“'‘]|\((?:the )?)(?:landlord|lessor|owner)["”'’)](?:[),.;]*\s+|[),.;]+)` +
			`(?:and\s+|&\s+)(.{3,260}?)(?:["“'‘]|\((?:the )?)(?:tenants?|lessee|resident)["”'’)]`),
	}
	// partyEnd begins what says more of a party than its name.
	partyEnd = lazyregexp.New(`(?i)\s*(?:,\s*(?:an?|the|whose|having|with|located|of|as|hereinafter|individually` +
		`|jointly|collectively|trustee)\b|\s+(?:an?|whose|having|located|residing|hereinafter|hereafter)\s|,?\s*\(` +
		`|,\s*\d).*$`)
	leaseMade = lazyregexp.New(`(?i)\ben \p{Lu}[\p{L} ]{2,30},? a\s+|\b(?:made|entered into|dated` +
		`|effective)\s+(?:and entered into\s+)?(?:this|as of|on|of)*\s*(?:the\s+)?`)
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
	readParties(all, str, values, found)
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

// ofOneSide matches how a Spanish contract lets its parties appear: "De una parte, D. X, mayor de edad, ... el
// ARRENDADOR".
var ofOneSide = lazyregexp.New(`(?i)\bde (una|(?:la )?otra)(?: parte)?[,:]*\s+(?:(?:don|do[ñn]a|d\.\s?ª|dña\.|d\.` +
	`|sr\.|sra\.|la (?:mercantil|entidad|sociedad))\s+)?(\p{Lu}[^,;(]{4,80})[,;(]`)

// readParties reads the parties of a contract that introduces them one after the other: each has the role that the
// words before the next one give it.
func readParties(all text.Line, str string, values map[string]any, found *text.Findings) {
	at := ofOneSide.FindAllStringSubmatchIndex(str, 2)
	if len(at) != 2 {
		return
	}
	ends := []int{at[1][0], min(len(str), at[1][1]+400)}
	for i, g := range at {
		said, fact := text.Fold(str[g[1]:ends[i]]), ""
		switch {
		case hiringParty.MatchString(said):
			fact = "tenant"
		case lettingParty.MatchString(said):
			fact = "landlord"
		}
		if name := str[g[4]:g[5]]; fact != "" && values[fact] == nil && isParty(name) {
			values[fact] = name
			found.From(text.Pointer(fact), all.TokensOf(g[4], g[5]), "")
		}
	}
}

var (
	lettingParty = lazyregexp.New(`\b(?:arrendador|arrendadora|propietario|propietaria)\b`)
	hiringParty  = lazyregexp.New(`\b(?:arrendatario|arrendataria|inquilino|inquilina)\b`)
)
