package document

import (
	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/classify"
	"github.com/dossierhq/dossier/pipelines/document/other"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// leastForm is how many words a form or an article has: a page with fewer may be the part of one that was kept, or a
// card.
const leastForm = 100

// refuseVacant takes from a document that says nothing of its own what it may be good for: the terms of an account, an
// article about a passport and a form that nobody filled in have the words of a kind, and none of its facts. Of
// pictures nobody knows what was lost.
func refuseVacant(doc *dossier.ReadDocument, c classify.Result) {
	words := 0
	for _, p := range c.Segment.Pages {
		words += len(p.Tokens)
		if p.Layer != text.LayerText && p.Layer != text.LayerNative {
			return
		}
	}
	facts := doc.Facts
	switch {
	case facts.Tax != nil && words >= leastForm && emptyForm(facts.Tax):
		doc.FieldType = dossier.FieldFile
		doc.Warnings = append(doc.Warnings, dossier.FactWarning{Code: "low_confidence",
			Detail: "No name, no number and no amount is filled in on this form."})
	case facts.Bank != nil && noAccount(facts.Bank),
		facts.Identity != nil && words >= leastForm && namesNobody(facts.Identity):
		s := c.Segment
		s.Type = dossier.DocOther
		doc.DocType, doc.FieldType = dossier.DocOther, dossier.FieldFile
		found := other.Readers[dossier.DocOther](s)
		doc.Facts, doc.Sources, doc.Derived = found.Facts, found.Sources, found.Derived
		doc.Checks, doc.Warnings, doc.Confidence = found.Checks, found.Warnings, 0.5
	}
}

// emptyForm reports whether a return names nobody and has no amount.
func emptyForm(f *dossier.TaxFacts) bool {
	return len(f.Lines) == 0 && f.Taxpayer == nil && f.EntityName == nil && f.BusinessName == nil && f.SSN == nil &&
		f.EIN == nil && f.GrossReceipts == nil && f.TotalAssets == nil
}

// noAccount reports whether a statement has neither balances nor entries, and no sums of an account that it names.
func noAccount(f *dossier.BankFacts) bool {
	sums := f.TotalDeposits != nil || f.TotalWithdrawals != nil || f.TotalCredits != nil || f.TotalDebits != nil
	balances := f.OpeningBalance != nil || f.ClosingBalance != nil || f.AvailableBalance != nil ||
		f.MinimumDailyBalance != nil
	return !balances && (!sums || f.AccountNumber == nil) && len(f.Entries) == 0 && len(f.Accounts) == 0
}

// namesNobody reports whether a card names no person, no number and no date of birth.
func namesNobody(f *dossier.IdentityFacts) bool {
	return f.Number == nil && f.LastName == nil && f.FirstName == nil && f.DateOfBirth == nil && len(f.MRZ) == 0
}
