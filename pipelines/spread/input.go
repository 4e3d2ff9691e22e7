package spread

import (
	"time"

	"github.com/dossierhq/dossier"
)

// InputOf is what a spread is made from: its own settings, and of its documents, in upload order, the parts that are
// of its party. nobodys: parts that are nobody's count too. currency is the workspace's, for a spread that names none.
func InputOf(s dossier.Spread, documents []dossier.Document, nobodys bool, currency string, now time.Time) Input {
	in := Input{SpreadID: s.ID, LeadID: s.LeadID, EntityName: s.EntityName, Currency: s.Currency,
		FiscalYearEndMonth: s.FiscalYearEndMonth, GeneratedAt: now}
	if !s.CurrencyNamed {
		in.Currency, in.DefaultCurrency = "", currency
	}
	for _, d := range documents {
		in.Documents = append(in.Documents, documentOfParty(d, s.PartyID, nobodys))
	}
	return in
}

// DocumentOf is a stored document with what was read in it.
func DocumentOf(d dossier.Document) Document {
	f := Document{ID: d.ID, Filename: d.Filename}
	if d.Extraction != nil {
		f.Parts = d.Extraction.Documents
	}
	return f
}

// documentOfParty are the figures of a document that are of a party; all, when none is named.
func documentOfParty(d dossier.Document, party *dossier.PartyID, nobodys bool) Document {
	f := DocumentOf(d)
	if party == nil {
		return f
	}
	var kept []dossier.ReadDocument
	for i, part := range f.Parts {
		if of, known := d.PartParties[i]; of == *party || !known && nobodys {
			kept = append(kept, part)
		}
	}
	f.Parts = kept
	return f
}

// GlobalInputOf is what a global spread is made from; rules say whose papers are and who is named in them.
func GlobalInputOf(in dossier.GlobalInput, rules dossier.Relations, now time.Time) GlobalInput {
	s := in.Spread
	out := GlobalInput{SpreadID: s.ID, LeadID: s.LeadID, Distributions: dossier.DistributionsK1,
		LivingExpenses: in.LivingExpenses, DefaultCurrency: in.Currency, GeneratedAt: now, Parties: in.Parties,
		Edges: in.Edges, Debts: in.Debts, Spreads: in.Spreads, Papers: papersOf(in, rules)}
	if s.Distributions != nil {
		out.Distributions = *s.Distributions
	}
	return out
}

// papersOf are the tax papers among the files of a lead, with whose they are and who is named in them.
func papersOf(in dossier.GlobalInput, rules dossier.Relations) []Paper {
	var papers []Paper
	for _, file := range in.Files {
		for i, part := range file.Parts {
			if part.DocType != dossier.DocTaxReturn && part.DocType != dossier.DocTaxFormOther {
				continue
			}
			p := Paper{DocumentID: file.ID, Of: file.Of[i], Read: part}
			if share, is := rules.Share(part, in.Parties); is && share.Owned >= 0 {
				p.Owned = in.Parties[share.Owned].ID
			}
			if at := rules.Spouse(part, in.Parties); at >= 0 {
				p.Spouse = in.Parties[at].ID
			}
			if p.Of != "" {
				papers = append(papers, p)
			}
		}
	}
	return papers
}
