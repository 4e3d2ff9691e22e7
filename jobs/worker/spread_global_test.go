package worker

import (
	"testing"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// A global spread starts the spreads that its parties lack, waits for them, and counts a K-1 of the file once; what it is
// made from is what it names, so erasing one of those makes it anew.
func TestSpread_global(t *testing.T) {
	s := newSpreading(t, "s_corporation_three_years")
	s.pg.Exec(t, `UPDATE leads SET business_name = 'Quay LLC', first_name = NULL, last_name = NULL WHERE id = $1`, s.lead)
	if _, err := s.pg.DB.CreateSpread(t.Context(), s.ws, postgres.NewSpread{LeadID: s.emptyLead(t), Scope: dossier.SpreadGlobal}); dossier.KindOf(err) != dossier.Invalid {
		t.Errorf("of a lead without documents: %v", err)
	}
	ann, err := s.pg.DB.CreateParty(t.Context(), s.ws, s.lead, dossier.NewParty{Name: "Ann Lee", Kind: dossier.PartyPerson, Role: dossier.PartyOwner})
	if err != nil {
		t.Fatal(err)
	}
	parties, err := s.pg.DB.Parties(t.Context(), s.ws, s.lead)
	if err != nil {
		t.Fatal(err)
	}
	s.pg.Exec(t, `UPDATE workspaces SET spreads = '{"livingExpenses": 4000}'`)
	year := s.newestYear(t)
	share := s.document(t, "k1.pdf", &dossier.Extraction{Documents: []dossier.ReadDocument{{DocType: dossier.DocTaxFormOther, Facts: dossier.Facts{Other: map[string]any{
		"form": "1120-S Schedule K-1", "entityName": "Quay LLC", "taxpayer": "Ann Lee", "taxYear": year, "distributions": "7000", "ownershipPercent": "100"}}}}})
	s.run(s.w)
	if _, err := s.pg.DB.StageJobs(t.Context(), s.ws, jobs.JudgeLead{Workspace: s.ws, Lead: s.lead, Parties: true}); err != nil {
		t.Fatal(err)
	}
	s.until("the K-1 is Ann's", func() bool {
		edges, err := s.pg.DB.Ownership(t.Context(), s.ws, s.lead)
		if err != nil {
			t.Fatal(err)
		}
		return len(edges) == 1 && edges[0].OwnerID == ann.ID && edges[0].OwnedID == parties[0].ID
	})
	way := dossier.DistributionsK1
	global, err := s.pg.DB.CreateSpread(t.Context(), s.ws, postgres.NewSpread{LeadID: s.lead, Scope: dossier.SpreadGlobal, Distributions: &way})
	if err != nil {
		t.Fatal(err)
	}
	done := s.ended(t, global.ID)
	if done.Status != dossier.SpreadComplete || len(done.Artifacts) != 2 || done.Artifacts[0].Title != "Global Cash Flow Report - Quay LLC" {
		t.Fatalf("%+v", done)
	}
	s.sums(t, done)
	if n := pgtest.Value[int](t, s.pg, `SELECT count(*) FROM spread_documents WHERE spread_id = $1 AND document_id = $2`, global.ID, share); n != 1 {
		t.Error("the K-1 is not among what the spread is made from")
	}
	if n := pgtest.Value[int](t, s.pg, `SELECT count(*) FROM spreads WHERE party_id = $1 AND scope = 'party' AND status = 'COMPLETE'`, parties[0].ID); n != 1 {
		t.Errorf("%d spreads of the business, want the one that was started", n)
	}
	results, err := s.pg.DB.AnyResults(t.Context(), s.ws, global.ID)
	if err != nil || results.Global == nil {
		t.Fatal(err)
	}
	last := results.Global.Periods[len(results.Global.Periods)-1]
	cash, paid := last.Row("cashAvailable", parties[0].ID), last.Row("elimination", ann.ID)
	all := last.Row("globalCashAvailable", "")
	if cash == nil || cash.Value == nil || paid == nil || paid.Value.String() != "7000.00" || *paid.CounterpartyID != parties[0].ID {
		t.Fatalf("%+v %+v", cash, paid)
	}
	want := decimal.RequireFromString(cash.Value.String()).Sub(decimal.NewFromInt(4000)) // her distribution is taken off again; she lives on it
	if got := decimal.RequireFromString(all.Value.String()); !got.Equal(want) {
		t.Errorf("global cash is %s, want %s: the distribution is not counted once", got, want)
	}
	if err := s.pg.DB.DeleteParty(t.Context(), s.ws, s.lead, ann.ID); err != nil {
		t.Errorf("a party that nothing names: %v", err)
	}
	if _, err := s.pg.DB.RegenerateSpread(t.Context(), s.ws, global.ID); err != nil {
		t.Fatal(err)
	}
	if again := s.ended(t, global.ID); again.Status != dossier.SpreadComplete || again.Round != 2 || len(again.Documents) >= len(done.Documents) {
		t.Errorf("%+v", again)
	}
}

// emptyLead is another lead, without documents.
func (s *spreading) emptyLead(t *testing.T) dossier.LeadID {
	t.Helper()
	id, _ := s.pg.Lead(t, s.ws)
	return id
}

// newestYear is the last tax year of the lead's documents.
func (s *spreading) newestYear(t *testing.T) int {
	t.Helper()
	return pgtest.Value[int](t, s.pg, `SELECT max((extraction #>> '{documents,0,facts,taxYear}')::int) FROM documents WHERE lead_id = $1`, s.lead)
}
