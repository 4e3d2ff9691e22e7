package postgres_test

import (
	"slices"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// The whole set that is given by hand replaces the one before; what statements say stays beside it and is not to be
// changed by its id. Source: relationships.md section 3, decisions-2.md P-19.
func TestDebts(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws := s.Workspace(t)
	lead, _ := s.Lead(t, ws)
	other, _ := s.Lead(t, ws)
	docs, _, err := s.DB.CreateDocuments(t.Context(), ws, postgres.Upload{LeadID: lead, Source: dossier.SourceImported, Files: []postgres.NewFile{file("card.pdf", "a")}})
	if err != nil {
		t.Fatal(err)
	}
	parties, err := s.DB.Parties(t.Context(), ws, lead)
	if err != nil {
		t.Fatal(err)
	}
	strangers, err := s.DB.Parties(t.Context(), ws, other)
	if err != nil {
		t.Fatal(err)
	}
	said := dossier.DebtID(postgres.NewID())
	s.Exec(t, `INSERT INTO debts (workspace_id, id, lead_id, party_id, position, lender, kind, balance, payment, frequency, secured, source, document_id)
		VALUES ($1, $2, $3, $4, 0, 'Card Co', 'credit_card', 900, 35, 'monthly', false, 'statement', $5)`, ws, said, lead, parties[0].ID, docs[0].ID)
	rate := decimal.New(725, -2)
	loan := dossier.Debt{PartyID: parties[0].ID, Lender: "Harbor Bank", Kind: dossier.DebtTermLoan, Balance: decimal.NewFromInt(120000), Rate: &rate, Payment: decimal.New(240050, -2),
		Frequency: dossier.DebtQuarterly, Maturity: ptr("2029-05-01"), Secured: true, DocumentID: &docs[0].ID}
	save := func(list ...dossier.Debt) []dossier.Debt {
		t.Helper()
		got, err := s.DB.SaveDebts(t.Context(), ws, lead, list)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := s.DB.Debts(t.Context(), ws, lead); err != nil || len(again) != len(got) {
			t.Errorf("listed %+v, %v; answered %+v", again, err, got)
		}
		return got
	}
	ids := func(list []dossier.Debt) (all []dossier.DebtID) {
		for _, d := range list {
			all = append(all, d.ID)
		}
		return all
	}
	first := save(loan, loan)
	if len(first) != 3 || !slices.Contains(ids(first), said) {
		t.Fatalf("%+v", first)
	}
	kept := first[slices.IndexFunc(first, func(d dossier.Debt) bool { return d.ID != said })]
	if kept.Source != dossier.DebtManual || !kept.Rate.Equal(rate) || !kept.Payment.Equal(loan.Payment) || !kept.Balance.Equal(loan.Balance) || !kept.Secured ||
		kept.Frequency != loan.Frequency || *kept.Maturity != *loan.Maturity || *kept.DocumentID != docs[0].ID || kept.Annual().String() != "9602" {
		t.Errorf("%+v", kept)
	}
	kept.Balance = decimal.Zero
	second := save(kept)
	if got := ids(second); len(got) != 2 || !slices.Contains(got, kept.ID) || !slices.Contains(got, said) {
		t.Errorf("%v, want the one that names its id and what the statement says", got)
	}
	for name, change := range map[string]func(d *dossier.Debt){
		"what a statement says":   func(d *dossier.Debt) { d.ID = said },
		"an id of nobody":         func(d *dossier.Debt) { d.ID = dossier.DebtID(postgres.NewID()) },
		"a party of another lead": func(d *dossier.Debt) { d.PartyID = strangers[0].ID },
		"a document of nobody":    func(d *dossier.Debt) { d.DocumentID = ptr(dossier.DocumentID(postgres.NewID())) },
	} {
		d := loan
		change(&d)
		if _, err := s.DB.SaveDebts(t.Context(), ws, lead, []dossier.Debt{d}); dossier.KindOf(err) != dossier.NotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got, err := s.DB.Debts(t.Context(), ws, lead); err != nil || len(got) != 2 {
		t.Errorf("after what was refused: %+v %v", got, err)
	}
	if got := save(); len(got) != 1 || got[0].ID != said {
		t.Errorf("an empty set leaves %+v", got)
	}
}

// A spread takes what is of its party; the primary one's, and one that names no party of several, what is nobody's too.
// Source: decisions-2.md P-20.
func TestCreateSpread_of_parties(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws := s.Workspace(t)
	lead, _ := s.Lead(t, ws)
	s.Exec(t, `UPDATE leads SET business_name = 'Quay LLC' WHERE id = $1`, lead)
	parties, err := s.DB.Parties(t.Context(), ws, lead)
	if err != nil {
		t.Fatal(err)
	}
	yard, err := s.DB.CreateParty(t.Context(), ws, lead, dossier.NewParty{Name: "Yard LP", Kind: dossier.PartyBusiness, Role: dossier.PartyAffiliate})
	if err != nil {
		t.Fatal(err)
	}
	docs, _, err := s.DB.CreateDocuments(t.Context(), ws, postgres.Upload{LeadID: lead, Source: dossier.SourceImported,
		Files: []postgres.NewFile{file("quay", "a"), file("yard", "b"), file("nobody", "c")}})
	if err != nil {
		t.Fatal(err)
	}
	s.Exec(t, `UPDATE documents SET extraction_status = 'completed', extraction = '{"documents":[{"docType":"financial_statement","facts":{}}]}'`)
	for i, of := range []*dossier.PartyID{&parties[0].ID, &yard.ID, nil} {
		if _, err := s.DB.SetPartParty(t.Context(), ws, docs[i].ID, 0, of); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		of   *dossier.PartyID
		want []string
	}{"nobody named": {nil, []string{"quay", "nobody"}}, "the primary": {&parties[0].ID, []string{"quay", "nobody"}}, "the other": {&yard.ID, []string{"yard"}}} {
		spread, err := s.DB.CreateSpread(t.Context(), ws, postgres.NewSpread{LeadID: lead, PartyID: c.of})
		if err != nil {
			t.Fatal(name, err)
		}
		var got []string
		for _, d := range spread.Documents {
			got = append(got, d.Filename)
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if n := pgtest.Value[int](t, s, `SELECT count(*) FROM jobs WHERE kind = $1`, jobs.ExtractFigures{}.Spec().Kind); n != 5 {
		t.Errorf("%d documents are looked at, want 5", n)
	}
}
