package judge

import (
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// FindParty returns the index of the party that a document belongs to, or -1 when it is not exactly one. It compares
// the names the document is made out to, in their printed order, and the last digits of the tax number it prints: a
// number that differs rules a party out; one that agrees confirms a name that is only near, and is enough where no name
// is printed.
func FindParty(read dossier.ReadDocument, parties []dossier.LeadParty) int {
	number, personal := printedNumber(read), ofPerson(read)
	_, names := printedNames(read, "")
	if isShare(read) {
		holder, _ := read.Facts.Other["taxpayer"].(string)
		names = []string{holder} // not of whom it is a share
	}
	for _, printed := range names {
		for _, name := range splitPeople(printed) {
			if at := namedParty(name, printed, number, personal, parties); at >= 0 {
				return at
			}
		}
	}
	if len(names) == 0 && number != "" {
		return uniqueParty(parties, func(p dossier.LeadParty) bool { return dossier.Text(p.TaxIDLast4) == number })
	}
	return -1
}

// namedParty returns the index of the party with a printed name. Among several it prefers the one whose tax number is
// printed, then the one of the kind (person or business) that the document is about.
func namedParty(name, printed, number string, personal bool, parties []dossier.LeadParty) int {
	fits := make([]bool, len(parties))
	for i, p := range parties {
		last4 := dossier.Text(p.TaxIDLast4)
		if number != "" && last4 != "" && number != last4 {
			continue
		}
		like := matchParty(p, name, printed)
		fits[i] = like == sameName || like == nearName && number != "" && number == last4
	}
	one := func(also func(dossier.LeadParty) bool) int {
		at := -1
		for i, p := range parties {
			switch {
			case !fits[i] || !also(p):
			case at >= 0:
				return -1
			default:
				at = i
			}
		}
		return at
	}
	for _, also := range []func(dossier.LeadParty) bool{
		func(dossier.LeadParty) bool { return true },
		func(p dossier.LeadParty) bool { return number != "" && dossier.Text(p.TaxIDLast4) == number },
		func(p dossier.LeadParty) bool { return personal == (p.Kind == dossier.PartyPerson) },
	} {
		if at := one(also); at >= 0 {
			return at
		}
	}
	return -1
}

// matchParty compares a printed name with those of a party. A primary party has the lead's names too.
func matchParty(p dossier.LeadParty, name, printed string) likeness {
	best := otherName
	for i, expected := range append([]string{p.Name}, p.OtherNames...) {
		if expected == "" {
			continue
		}
		if p.Kind == dossier.PartyBusiness || i > 0 {
			best = max(best, matchBusiness(expected, printed))
		}
		if p.Kind == dossier.PartyPerson || i > 0 {
			best = max(best, matchPerson(expected, name))
		}
	}
	return best
}

// uniqueParty returns the index of the only party for which is holds, or -1.
func uniqueParty(parties []dossier.LeadParty, is func(dossier.LeadParty) bool) int {
	at := -1
	for i, p := range parties {
		if !is(p) {
			continue
		}
		if at >= 0 {
			return -1
		}
		at = i
	}
	return at
}

// printedNumber returns the last digits of the tax number that a document prints of its owner, or "" when it prints
// none or two.
func printedNumber(read dossier.ReadDocument) string {
	var numbers []string
	switch f := read.Facts; {
	case f.Tax != nil && ofPerson(read):
		numbers = []string{dossier.Text(f.Tax.SSN)}
	case f.Tax != nil:
		numbers = []string{dossier.Text(f.Tax.EIN)}
	case f.Other != nil:
		ssn, _ := f.Other["ssn"].(string)
		ein, _ := f.Other["ein"].(string)
		numbers = []string{ssn, ein}
		if f.Other["employer"] != nil || f.Other["entityName"] != nil && f.Other["taxpayer"] != nil {
			numbers = []string{ssn} // the other number is that of who issued the paper
		}
	}
	for _, number := range numbers {
		digits := strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, number)
		if len(digits) >= 4 {
			return digits[len(digits)-4:]
		}
	}
	return ""
}

// ofPerson reports whether a document is about a person rather than a business.
func ofPerson(read dossier.ReadDocument) bool {
	f := read.Facts
	switch {
	case f.Identity != nil:
		return true
	case f.Tax != nil:
		return f.Tax.Personal != nil && *f.Tax.Personal
	case f.Bank != nil:
		return f.Bank.Personal != nil && *f.Bank.Personal
	}
	switch read.DocType {
	case dossier.DocPayStub, dossier.DocSocialSecurityCard:
		return true
	case dossier.DocTaxFormOther:
		form, _ := f.Other["form"].(string)
		return strings.HasPrefix(form, "W-2")
	}
	return false
}

// isShare reports whether a document is a Schedule K-1.
func isShare(read dossier.ReadDocument) bool {
	form, _ := read.Facts.Other["form"].(string)
	return read.DocType == dossier.DocTaxFormOther && strings.HasSuffix(form, "Schedule K-1")
}

// Relations finds out from documents which party they belong to and who owns whom.
var Relations = dossier.Relations{Party: FindParty, Share: FindShare, Spouse: FindSpouse}

// FindShare returns the business that a Schedule K-1 is about, the percentage owned, and the tax year; false for other
// documents.
func FindShare(read dossier.ReadDocument, parties []dossier.LeadParty) (dossier.Share, bool) {
	if !isShare(read) {
		return dossier.Share{}, false
	}
	share := dossier.Share{Owned: -1}
	if entity, _ := read.Facts.Other["entityName"].(string); entity != "" {
		share.Owned = uniqueParty(parties, func(p dossier.LeadParty) bool {
			return p.Kind == dossier.PartyBusiness && matchParty(p, entity, entity) == sameName
		})
	}
	if percent, _ := read.Facts.Other["ownershipPercent"].(string); percent != "" {
		share.Percent, _ = decimal.NewFromString(percent)
	}
	switch year := read.Facts.Other["taxYear"].(type) {
	case int:
		share.Year = year
	case float64:
		share.Year = int(year)
	}
	return share, true
}

// FindSpouse returns the index of the party who filed a joint return together with its taxpayer, or -1.
func FindSpouse(read dossier.ReadDocument, parties []dossier.LeadParty) int {
	if read.Facts.Tax == nil || dossier.Text(read.Facts.Tax.Spouse) == "" {
		return -1
	}
	return uniqueParty(parties, func(p dossier.LeadParty) bool {
		return p.Kind == dossier.PartyPerson && matchPerson(p.Name, *read.Facts.Tax.Spouse) == sameName
	})
}
