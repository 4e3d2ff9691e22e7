package judge

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

var (
	literalName   = lazyregexp.New(`^` + nameSubject + ` ` + nameVerb + ` (?P<name>.+)$`)
	literalIssuer = lazyregexp.New(
		`^(?:(?:issuing |financial )?(?:bank|institution|issuer)(?: name)? (?:is |matches )?|is (?:issued by|from) ` +
			`)(?:not )?(?P<name>.+)$`,
	)
	literalText = lazyregexp.New(
		`^(?:document |statement |it )?(?:not )?(?:mentions|contains|includes|shows|says|states)(?: (?:text|words?` +
			`|phrase|name))? (?P<name>quote\d)$`,
	)
)

// wholeDocument are subjects that name the document and not a name on it.
var wholeDocument = text.WordSet("account statement document it return bill lease check policy id license passport")

// readLiteralName reads a name written out in the rule: The account holder is "Acme LLC", the issuing bank is
// Chase. Without quotes every word of the name must be written with a capital.
func readLiteralName(c clause) (rule, bool) {
	text := c.text()
	if g := literalIssuer.FindStringSubmatch(text); g != nil {
		if name, ok := c.literal(g[literalIssuer.SubexpIndex("name")]); ok {
			return negateIf(issuerRule(name), c.negated()), true
		}
	}
	if g := literalName.FindStringSubmatch(text); g != nil {
		subject := g[literalName.SubexpIndex("subject")]
		if name, ok := c.literal(g[literalName.SubexpIndex("name")]); ok && !wholeDocument[subject] {
			return negateIf(literalRule(subjectRole(subject), name), c.negated()), true
		}
	}
	if g := literalText.FindStringSubmatch(text); g != nil {
		if name, ok := c.literal(g[literalText.SubexpIndex("name")]); ok {
			return negateIf(textRule(name), c.negated()), true
		}
	}
	return rule{}, false
}

// literal returns the name that the words stand for: a quoted one, or words that are all written with a
// capital.
func (c clause) literal(words string) (string, bool) {
	list := strings.Fields(words)
	if len(list) == 1 && strings.HasPrefix(list[0], "quote") {
		i, err := strconv.Atoi(strings.TrimPrefix(list[0], "quote"))
		if err == nil && i < len(c.quotes) {
			return c.quotes[i], true
		}
	}
	if len(list) == 0 || len(list) > 7 || labelYear.MatchString(words) && len(list) == 1 {
		return "", false
	}
	for _, w := range list {
		if folded := text.Fold(w); folded != "" && !slices.Contains(c.proper, folded) || folded == "" {
			return "", false
		}
	}
	return strings.Join(list, " "), true
}

func literalRule(subject, name string) rule {
	return rule{
		reading: fmt.Sprintf("the printed name is %q", name),
		judge: func(e *evidence) answer {
			caption, printed := printedNames(e.doc, subject)
			if len(printed) == 0 {
				return ask(say("name_missing", "caption", caption))
			}
			best := max(knownName{name, true}.match(printed), knownName{name, false}.match(printed))
			if best == nearName {
				return ask(
					say("name_near", "caption", caption, "printed", printed, "known", name),
				).at(e.doc, namePointers(e.doc, subject)...)
			}
			return met(
				best == sameName,
				say("name_is", "caption", caption, "printed", printed, "asked", []string{name}),
			).at(e.doc, namePointers(e.doc, subject)...)
		},
	}
}

func issuerRule(name string) rule {
	return rule{
		reading: fmt.Sprintf("the institution is %q", name),
		judge: func(e *evidence) answer {
			issuer := ""
			if b := e.doc.Facts.Bank; b != nil && b.Institution != nil {
				issuer = *b.Institution
			} else if _, names := otherNames(e.doc.Facts.Other, "issuer"); len(names) > 0 {
				issuer = names[0]
			}
			if issuer == "" {
				return missing("institution")
			}
			a, b := withoutBank(issuer), withoutBank(name)
			return met(
				a == b || text.HasWords(a, b) || text.HasWords(b, a),
				say("institution_is", "printed", issuer, "asked", []string{name}),
			).
				at(e.doc, "/institution", "/issuer", "/merchant")
		},
	}
}

// withoutBank folds a bank's name to what tells it from others.
func withoutBank(name string) string {
	words := slices.DeleteFunc(strings.Fields(text.Fold(name)), func(w string) bool {
		switch w {
		case "bank", "na", "n", "the", "of", "national", "association", "inc", "corp", "co", "company", "fsb", "ssb":
			return true
		}
		return false
	})
	if len(words) == 0 {
		return text.Fold(name)
	}
	return strings.Join(words, " ")
}

func textRule(s string) rule {
	return rule{
		reading: fmt.Sprintf("the document says %q", s),
		judge: func(e *evidence) answer {
			printed := e.printedText()
			if text.HasWords(printed, text.Fold(s)) {
				return met(true, say("text_printed", "quote", s))
			}
			if len(e.Pages) == 0 {
				return ask(say("text_not_at_hand", "quote", s))
			}
			return met(false, say("text_missing", "quote", s))
		},
	}
}

// printedText is all printed text at hand for the document, folded: its pages' tokens, else the printed text
// of its facts.
func (e *evidence) printedText() string {
	var b strings.Builder
	for _, page := range e.Pages {
		if page.Number < e.doc.Pages[0] || page.Number > e.doc.Pages[1] {
			continue
		}
		for _, t := range page.Tokens {
			b.WriteString(t.Text)
			b.WriteByte(' ')
		}
	}
	if len(e.Pages) == 0 {
		pointers := make([]string, 0, len(e.doc.Sources))
		for p := range e.doc.Sources {
			pointers = append(pointers, p)
		}
		slices.Sort(pointers)
		for _, p := range pointers {
			b.WriteString(e.doc.Sources[p].Text)
			b.WriteString(" | ")
		}
	}
	return text.Fold(b.String())
}

var addressIs = lazyregexp.New(
	`\b(?:(?:mailing |home |street |business |residential |service |billing |current |printed )*address(?: (?:on|of` +
		`|in|shown on|printed on|listed on) (?:statement|document|license|id|bill|account|lease|return|passport` +
		`|card))?) (?:is )?(?:same as|matches|match|agrees with|is|equals|corresponds to|consistent with|belongs ` +
		`to) (?:that of |address of )?(?:` + companyWord + `|` + ownerWord + `|` + leadWord + `|` +
		`(?:home|mailing|business|street|application) address)(?: (?:home |mailing |business |street |current ` +
		`|registered )*address)?(?: (?:on|in) (?:file|record|application|profile|records))?|\b(?:shows|contains|has` +
		`|matches|bears|includes) (?:` + companyWord + `|` + ownerWord + `|` + leadWord +
		`) (?:home |mailing |business |street |current |registered )*address(?: (?:on|in) (?:file|record` +
		`|application|profile|records))?`,
)

// readAddress reads "the address on the license matches the applicant's address".
func readAddress(c clause) (rule, bool) {
	_, negated, ok := c.matchWhole(addressIs, "address current")
	if !ok {
		return rule{}, false
	}
	return negateIf(rule{reading: "the printed address is an address of the lead", judge: judgeAddress}, negated), true
}

func judgeAddress(e *evidence) answer {
	printed := printedAddress(e.doc)
	if len(e.Party.Addresses) == 0 {
		return ask(say("address_unknown"))
	}
	best, known := otherName, e.Party.Addresses[0]
	for _, a := range e.Party.Addresses {
		l := otherName
		switch {
		case printed != "":
			l = matchAddress(a, printed)
		case len(e.Pages) > 0:
			l = matchAddress(a, e.printedText())
		}
		if l > best {
			best, known = l, a
		}
	}
	shown := func(code dossier.ReasonCode) dossier.Reason {
		return say(code, "printed", printed, "known", known.String())
	}
	at := []string{"/address", "/serviceAddress", "/mailingAddress", "/propertyAddress"}
	switch {
	case best == sameName && printed == "":
		return met(true, say("address_in_text", "known", known.String()))
	case best == sameName:
		return met(true, shown("address_same")).at(e.doc, at...)
	case printed == "":
		return missing("address")
	case best == nearName:
		return ask(shown("address_near")).at(e.doc, at...)
	}
	return met(false, shown("address_other")).at(e.doc, at...)
}

func printedAddress(d dossier.ReadDocument) string {
	if d.Facts.Identity != nil {
		if d.Facts.Identity.Address != nil {
			return *d.Facts.Identity.Address
		}
		return ""
	}
	for _, key := range []string{"address", "serviceAddress", "mailingAddress", "propertyAddress"} {
		if s, ok := d.Facts.Other[key].(string); ok {
			return s
		}
	}
	return ""
}

// streetWords undoes the abbreviations of addresses.
var streetWords = map[string]string{
	"street": "st", "avenue": "ave", "av": "ave", "boulevard": "blvd", "road": "rd", "drive": "dr", "lane": "ln",
	"court": "ct", "place": "pl", "terrace": "ter", "circle": "cir",
	"highway": "hwy", "parkway": "pkwy", "square": "sq", "apartment": "apt", "suite": "ste", "unit": "ste",
	"north": "n", "south": "s", "east": "e", "west": "w",
	"northeast": "ne", "northwest": "nw", "southeast": "se", "southwest": "sw", "first": "1st", "second": "2nd",
	"third": "3rd", "fourth": "4th", "fifth": "5th", "saint": "st",
}

// matchAddress compares a known address with printed text. Same: house number and street, and the postal code or
// the city, are all there. Near: most of it is.
func matchAddress(a dossier.Address, printed string) likeness {
	s := addressWords(printed)
	street := strings.Fields(addressWords(a.Street))
	if len(street) == 0 || s == "" {
		return otherName
	}
	found := 0
	for _, w := range street {
		if text.HasWords(s, w) {
			found++
		}
	}
	number := text.HasWords(s, street[0])
	zip := addressWords(a.PostalCode)
	if len(zip) > 5 {
		zip = zip[:5]
	}
	place := zip != "" && strings.Contains(" "+s, " "+zip) || a.City != "" && text.HasWords(s, addressWords(a.City))
	switch {
	case found == len(street) && text.HasWords(s, strings.Join(street[:min(2, len(street))], " ")) && place:
		return sameName
	case number && place && found*2 >= len(street), found == len(street):
		return nearName
	}
	return otherName
}

func addressWords(s string) string {
	words := strings.Fields(text.Fold(s))
	for i, w := range words {
		if short, ok := streetWords[w]; ok {
			words[i] = short
		}
	}
	return strings.Join(words, " ")
}

var ageIs = lazyregexp.New(
	`\b(?:(?:holder|license holder|card holder|cardholder|person|applicant|owner|borrower|individual|lead|age|he` +
		`|she)(?: (?:of id|of license))? (?:is )?|is |aged )?(?:(?:at least|over|older than|not younger than` +
		`|minimum age of|minimum age|not under) )?(?P<n>\d{2})(?: (?:years?(?: (?:old|of age))?))?(?P<suffix> (?:or` +
		`|and) (?:older|over|above))?$`,
)

var (
	aboutAge = lazyregexp.New(
		`\b(?:years? (?:old|of age)|age|aged|younger|older|holder|applicant|owner|person|borrower|individual|lead)\b`,
	)
	lowerBound = lazyregexp.New(`\b(?:at least|over|older|not younger|minimum|not under|above)\b`)
)

// readAge reads "the holder is at least 18 years old".
func readAge(c clause) (rule, bool) {
	g, negated, ok := c.matchWhole(ageIs, "age old")
	text := c.text()
	if !ok || !aboutAge.MatchString(text) ||
		!lowerBound.MatchString(text) {
		return rule{}, false
	}
	if strings.Contains(text, "not younger") || strings.Contains(text, "not under") {
		negated = false
	}
	years, _ := strconv.Atoi(g["n"])
	return negateIf(rule{
		reading: fmt.Sprintf("the holder is at least %d years old on the day of judging", years),
		judge: func(e *evidence) answer {
			if e.doc.Facts.Identity == nil {
				return missing("date_of_birth")
			}
			born, ok := dossier.FactDay(e.doc.Facts.Identity.DateOfBirth)
			if !ok {
				return missing("date_of_birth")
			}
			return met(
				born.AddMonths(12*years) <= e.Today,
				say("birth_date", "date", born.String()),
			).at(e.doc, "/dateOfBirth")
		},
	}, negated), true
}

var einIs = lazyregexp.New(
	`\b(?:ein|tax ?id|fein|employer identification number|federal tax id|tax identification number)(?: number)?(?: ` +
		`(?:on|in|shown on|of) (?:return|document|form|letter|statement))? (?:is )?(?:same as|matches|match|is` +
		`|agrees with|equals|belongs to|of|corresponds to) (?:that of |ein of |1 on file)?(?:` + companyWord + `|` +
		ownerWord + `|` + leadWord + `|on file)?(?: (?:ein|tax ?id)(?: number)?)?(?: (?:on|in) (?:file|record` +
		`|application|profile))?`,
)

// readEIN reads "the EIN matches the business".
func readEIN(c clause) (rule, bool) {
	_, negated, ok := c.matchWhole(einIs, "")
	if !ok {
		return rule{}, false
	}
	return negateIf(rule{
		reading: "the printed EIN is the business's",
		judge: func(e *evidence) answer {
			printed := ""
			if t := e.doc.Facts.Tax; t != nil && t.EIN != nil {
				printed = *t.EIN
			} else {
				printed, _ = e.doc.Facts.Other["ein"].(string)
			}
			switch {
			case printed == "":
				return missing("ein")
			case len(e.Party.EINs) == 0:
				return ask(say("ein_unknown", "printed", printed)).at(e.doc, "/ein")
			}
			holds := slices.ContainsFunc(e.Party.EINs,
				func(ein string) bool { return text.DigitsOf(ein) == text.DigitsOf(printed) })
			return met(holds, say("ein_is", "printed", printed, "asked", e.Party.EINs)).at(e.doc, "/ein")
		},
	}, negated), true
}
