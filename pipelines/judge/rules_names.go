package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// partyRole is somebody a rule may compare a printed name with.
type partyRole string

const (
	roleLead     partyRole = "the lead"
	roleBusiness partyRole = "the business"
	roleOwner    partyRole = "an owner"
)

const (
	ofWhom   = `(?:legal |full |registered |borrowing |applying |operating )*`
	leadWord = ofWhom + `(?:lead|applicants?|borrowers?|clients?|customers?|individual|person|loan applicant` +
		`|applicant person|signer|contact|user|sender)`
	companyWord = ofWhom + `(?:(?:lead|applicant|borrower|client|owner|customer) )?(?:business|company|entity|firm` +
		`|corporation|organi[sz]ation|llc|legal entity|legal business|dba|merchant)(?: entity)?`
	ownerWord = `(?:1 of )?(?:its |business |company |beneficial |sole |majority |co |1 of )*(?:owners?|principals?` +
		`|proprietors?|members?|shareholders?|partners?|guarantor owner)(?: of (?:business|company))?`
	someone = `(?:` + companyWord + `|` + ownerWord + `|` + leadWord +
		`)(?: (?:legal |full |business |company )*names?)?`
	someones = `(?P<who>` + someone + `(?:(?: ,)?(?: and or| or| and| ,| /) ` + someone +
		`)*)(?: (?:on|in) (?:file|record|application|profile|our records|records|system|checklist|crm)(?: exactly)?` +
		`| exactly| himself| themselves)?`

	nameSubject = `(?P<subject>(?:bank )?account (?:holders?|owners?|names?|title)(?: names?)?|holders?(?: names?)?` +
		`|named insured|insured|(?:full |legal |printed |registered |business |company |entity )*names?(?: (?:on|in` +
		`|of|shown on|printed on|listed on|appearing on) (?:\w+ ){0,2}?(?:account|statement|document|license|id` +
		`|passport|return|bill|lease|card|file|check|stub|form))?|(?:taxpayers?|employees?|employers?|tenants?` +
		`|lessees?|landlord|payee|filer)(?: names?)?(?: (?:on|of|in|named in|listed on|shown on) (?:pay |bank |tax ` +
		`|utility )?(?:lease|document|stub|paystub|form|return|bill|statement|w-2|check|agreement))?|account` +
		`|statement|document|license|id|passport|return|bill|lease|check|policy|it)`
	nameVerb = `(?:is (?:not )?(?:in (?:full |legal )*names? of|in|(?:issued|addressed|made out|registered|billed` +
		`|assigned) (?:to|in names? of|for)|under (?:names? of)?|held by|owned by|same as|consistent with|identical ` +
		`to|for|that of|of|either|1 of|titled in|listed as)|is(?: not)?(?: either)?|(?:not )?(?:matches|match` +
		`|equals|agrees with|corresponds to|belongs to|shows|shows that|contains|includes|bears|lists|names|reads` +
		`|states|has|carries|displays|identifies)|in names? of|of)(?: (?:names? of|name))?`
)

var (
	nameIs       = lazyregexp.New(`^` + nameSubject + ` ` + nameVerb + ` ` + someones + `$`)
	nameVerbOnly = lazyregexp.New(
		`^(?:(?:is |not )*(?:in names? of|addressed to|issued to|made out to|belongs to|under names? of|held by` +
			`|registered to|owned by)|shows names? of|contains names? of|bears names? of|matches names? of|has ` +
			`names? of) ` + someones + `$`,
	)
	nameShown = lazyregexp.New(
		`^(?:names? of )?` + someones + ` (?:appears|is (?:shown|visible|printed|listed|named|present|displayed` +
			`|stated)|is account holder|match(?:es)?|is on|is taxpayer|is employee|is tenant|is name|owns account` +
			`|owns|is holder|is owner of|is named)(?: (?:on|in|as|of|correctly|clearly|account|holder|account ` +
			`holder|statement|document|license|id|name|taxpayer|it|loan|application|file|records|our|crm|profile))*$`,
	)
	nameListed = lazyregexp.New(
		`^(?:shows|displays|lists|includes|contains|has|bears|states|matches|match) (?P<who>(?:` + companyWord + `|` +
			ownerWord + `|` + leadWord +
			`)(?: (?:legal |full |business |company )*names?))(?: (?:on|in) (?:file|record|application))?$`,
	)
	whoCut     = lazyregexp.New(` (?:and or|or|and|,|/) |, `)
	whoMatches = []struct {
		role    partyRole
		pattern *lazyregexp.Regexp
	}{
		{
			roleOwner,
			lazyregexp.New(
				`\b(?:owners?|principals?|proprietors?|members?|shareholders?|partners?)\b` +
					`(?: of (?:business|company))?`,
			),
		},
		{
			roleBusiness,
			lazyregexp.New(`\b(?:business|company|entity|firm|corporation|organi[sz]ation|llc|dba|merchant)\b`),
		},
		{
			roleLead,
			lazyregexp.New(
				`\b(?:leads?|applicants?|borrowers?|clients?|customers?|individual|person|signer|contact|user` +
					`|sender)\b`,
			),
		},
	}
)

// readNames reads rules that compare a printed name with the lead, its business or its owners: "The account
// holder is the business or its owner", "is in the name of the applicant", "the name matches the lead".
func readNames(c clause) (rule, bool) {
	text := c.text()
	negated := false
	for _, pattern := range []*lazyregexp.Regexp{nameIs, nameVerbOnly, nameShown, nameListed} {
		g := pattern.FindStringSubmatch(text)
		if g == nil {
			continue
		}
		who := rolesOf(g[pattern.SubexpIndex("who")])
		if len(who) == 0 {
			continue
		}
		subject := ""
		if i := pattern.SubexpIndex("subject"); i >= 0 {
			subject = g[i]
		}
		rest := strings.Replace(text, g[pattern.SubexpIndex("who")], "", 1)
		for _, w := range strings.Fields(rest) {
			negated = negated != negations[w]
		}
		return negateIf(nameRule(subjectRole(subject), who), negated), true
	}
	return rule{}, false
}

// rolesOf reads "the business or its owner" as business and owner. "Business owner" is the owner only, and
// "applicant's business" the business only.
func rolesOf(who string) []partyRole {
	var roles []partyRole
	for _, part := range whoCut.Split(who, -1) {
		for _, m := range whoMatches {
			if m.pattern.MatchString(part) {
				if !slices.Contains(roles, m.role) {
					roles = append(roles, m.role)
				}
				break
			}
		}
	}
	return roles
}

// subjectRole is which printed name a rule's subject means; "" is whoever the document is made out to.
func subjectRole(subject string) string {
	for _, s := range []struct{ word, role string }{
		{"employer", "employer"}, {"employee", "employee"}, {"tenant", "tenant"}, {"lessee", "tenant"},
		{"landlord", "landlord"},
	} {
		if strings.HasPrefix(subject, s.word) {
			return s.role
		}
	}
	return ""
}

func nameRule(subject string, who []partyRole) rule {
	names := make([]string, len(who))
	for i, w := range who {
		names[i] = string(w)
	}
	called := "printed name"
	if subject != "" {
		called = subject
	}
	return rule{
		reading: fmt.Sprintf("the %s is the name of %s", called, strings.Join(names, " or ")),
		judge:   func(e *evidence) answer { return judgeName(e, subject, who) },
	}
}

func judgeName(e *evidence, subject string, who []partyRole) answer {
	caption, printed := printedNames(e.doc, subject)
	at := namePointers(e.doc, subject)
	if len(printed) == 0 {
		return ask(say("name_missing", "caption", caption))
	}
	known := e.namesOf(who)
	if len(known) == 0 {
		return ask(say("name_unknown", "caption", caption, "printed", printed, "who", whoSlugs(who))).at(e.doc, at...)
	}
	best, bestKnown, bestPrinted := otherName, known[0].name, printed[0]
	for _, k := range known {
		for _, p := range printed {
			if l := k.match([]string{p}); l > best {
				best, bestKnown, bestPrinted = l, k.name, p
			}
		}
	}
	switch best {
	case sameName:
		return met(
			true,
			say("name_same", "caption", caption, "printed", bestPrinted, "known", bestKnown),
		).at(e.doc, at...)
	case nearName:
		return ask(say("name_near", "caption", caption, "printed", bestPrinted, "known", bestKnown)).at(e.doc, at...)
	}
	var names []string
	for _, k := range known {
		names = append(names, k.name)
	}
	return met(false, say("name_other", "caption", caption, "printed", printed, "known", names)).at(e.doc, at...)
}

// namesOf returns the names of the people and businesses in the given roles. The lead is both its person and
// its business. Where nobody named an owner, the lead's person is taken for it.
func (e *evidence) namesOf(who []partyRole) []knownName {
	var known []knownName
	p := e.Party
	for _, w := range who {
		part := p
		switch w {
		case roleLead:
			part.Owners = nil
		case roleBusiness:
			part.People, part.Owners = nil, nil
		case roleOwner:
			part.Businesses = nil
			if len(p.Owners) > 0 {
				part.People = nil
			}
		}
		for _, k := range knownNames(part) {
			if !slices.Contains(known, k) {
				known = append(known, k)
			}
		}
	}
	return known
}

// whoSlugs names roles in the table of words for reasons.
func whoSlugs(who []partyRole) []string {
	slugs := map[partyRole]string{roleLead: "lead", roleBusiness: "business", roleOwner: "owner"}
	words := make([]string, len(who))
	for i, w := range who {
		words[i] = slugs[w]
	}
	return words
}
