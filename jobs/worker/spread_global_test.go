package worker

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/pipelines/spread"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// A global spread starts the spreads that its parties lack, waits for them, and counts a K-1 of the file once; what it is
// made from is what it names, so erasing one of those makes it anew.
func TestSpread_global(t *testing.T) {
	if testing.Short() {
		t.Skip("spreads as TestSpread_life does, once, without the race detector")
	}
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
	rounds := s.followed(t, global.ID, share)
	s.owing(t, parties[0].ID, ann.ID)
	if err := s.pg.DB.DeleteParty(t.Context(), s.ws, s.lead, ann.ID); err != nil {
		t.Errorf("a party that nothing names: %v", err)
	}
	if _, err := s.pg.DB.RegenerateSpread(t.Context(), s.ws, global.ID); err != nil {
		t.Fatal(err)
	}
	if again := s.ended(t, global.ID); again.Status != dossier.SpreadComplete || again.Round != rounds+1 || len(again.Documents) >= len(done.Documents) {
		t.Errorf("%+v", again)
	}
}

// owing gives debts to the business and to its owner, and counts distributions as shares of cash: what is paid on debts
// in a year stands with who owes it, and the owner's share is taken off again on a line that names both.
func (s *spreading) owing(t *testing.T, quay, ann dossier.PartyID) {
	t.Helper()
	save := func(list ...dossier.Debt) {
		t.Helper()
		if _, err := s.pg.DB.SaveDebts(t.Context(), s.ws, s.lead, list); err != nil {
			t.Fatal(err)
		}
	}
	save(dossier.Debt{PartyID: quay, Lender: "Harbor Bank", Kind: dossier.DebtTermLoan, Payment: decimal.NewFromInt(100), Frequency: dossier.DebtMonthly},
		dossier.Debt{PartyID: ann, Lender: "Card Co", Kind: dossier.DebtCreditCard, Payment: decimal.NewFromInt(10), Frequency: dossier.DebtWeekly})
	way := dossier.DistributionsEntity
	made, err := s.pg.DB.CreateSpread(t.Context(), s.ws, postgres.NewSpread{LeadID: s.lead, Scope: dossier.SpreadGlobal, Distributions: &way})
	if err != nil {
		t.Fatal(err)
	}
	if done := s.ended(t, made.ID); done.Status != dossier.SpreadComplete {
		t.Fatalf("%+v", done)
	}
	results, err := s.pg.DB.AnyResults(t.Context(), s.ws, made.ID)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(results.Global.Periods, func(p dossier.GlobalPeriod) bool { return p.Row("cashAvailable", quay).Value != nil })
	if at < 0 {
		t.Fatal("no year with cash of the business")
	}
	year := results.Global.Periods[at]
	of := func(key string, party dossier.PartyID) decimal.Decimal {
		t.Helper()
		row := year.Row(key, party)
		if row == nil || row.Value == nil {
			t.Fatalf("%s of %q has no value", key, party)
		}
		return decimal.RequireFromString(row.Value.String())
	}
	cash := of("cashAvailable", quay)
	for _, c := range []struct {
		key   string
		party dossier.PartyID
		want  decimal.Decimal
	}{{"debtService", quay, decimal.NewFromInt(1200)}, {"personalDebtService", ann, decimal.NewFromInt(520)}, {"businessDistributions", ann, cash}, {"elimination", ann, cash},
		{"globalCashAvailable", "", cash.Sub(decimal.NewFromInt(4000))}, {"globalDebtService", "", decimal.NewFromInt(1720)},
		{"globalDscr", "", cash.Sub(decimal.NewFromInt(4000)).DivRound(decimal.NewFromInt(1720), 4)}} {
		if got := of(c.key, c.party); !got.Equal(c.want) {
			t.Errorf("%s is %s, want %s", c.key, got, c.want)
		}
	}
	if paid := year.Row("elimination", ann); paid.CounterpartyID == nil || *paid.CounterpartyID != quay || !strings.Contains(paid.Label, "Quay LLC") || !strings.Contains(paid.Label, "Ann Lee") {
		t.Errorf("%+v", paid)
	}
	save() // a party that owes stays
}

// followed corrects a K-1 and a return of a business: the effects say beforehand which cells of the global spread change,
// and the next round changes these and no others. It returns the round.
func (s *spreading) followed(t *testing.T, global dossier.SpreadID, share dossier.DocumentID) int {
	t.Helper()
	caller := s.serveAPI(t, s.objects)
	results := func() dossier.GlobalResults {
		t.Helper()
		r, err := s.pg.DB.AnyResults(t.Context(), s.ws, global)
		if err != nil {
			t.Fatal(err)
		}
		return *r.Global
	}
	follow := func(id dossier.DocumentID, pointer, value string, spreads int) {
		t.Helper()
		before := results()
		effects := caller.correct(t, id, []map[string]any{{"part": 0, "pointer": pointer, "value": value}}, false)
		if n := len(effects.Spreads); n != spreads || effects.Spreads[n-1].SpreadID != global || len(effects.Spreads[n-1].Changes) == 0 {
			t.Fatalf("effects: %+v", effects.Spreads)
		}
		for _, e := range effects.Spreads {
			if done := s.ended(t, e.SpreadID); done.Status != dossier.SpreadComplete {
				t.Fatalf("%+v", done)
			}
		}
		var changed []postgres.SpreadChange
		for _, c := range spread.GlobalChanges(before, results()) {
			changed = append(changed, postgres.SpreadChange(c))
		}
		if diff := gocmp.Diff(changed, effects.Spreads[spreads-1].Changes); diff != "" {
			t.Errorf("%s: cells (-changed +told):\n%s", pointer, diff)
		}
	}
	follow(share, "/distributions", "9000", 1)
	read := pgtest.Value[string](t, s.pg, `SELECT id || ' ' || (extraction #>> '{documents,0,facts,ordinaryBusinessIncome}') FROM documents WHERE lead_id = $1
		AND extraction #>> '{documents,0,facts,ordinaryBusinessIncome}' IS NOT NULL ORDER BY extraction #>> '{documents,0,facts,taxYear}' DESC LIMIT 1`, s.lead)
	id, _, _ := strings.Cut(read, " ")
	follow(dossier.DocumentID(id), s.telling(t, caller, dossier.DocumentID(id)), "12345", 2)
	done, err := s.pg.DB.ReadSpread(t.Context(), s.ws, global)
	if err != nil {
		t.Fatal(err)
	}
	return done.Round
}

// telling is a fact of a return that moves the spread of its business and the global one.
func (s *spreading) telling(t *testing.T, caller apiOf, id dossier.DocumentID) string {
	t.Helper()
	d, err := s.pg.DB.ReadDocument(t.Context(), s.ws, id)
	if err != nil {
		t.Fatal(err)
	}
	for _, fact := range falsifiable(d.Extraction.Documents[0]) {
		if d.Extraction.CheckCorrections([]dossier.Correction{{Pointer: fact.pointer, Value: json.RawMessage(`"12345"`)}}) != nil {
			continue
		}
		effects := caller.correct(t, id, []map[string]any{{"part": 0, "pointer": fact.pointer, "value": "12345"}}, true)
		if n := len(effects.Spreads); n == 2 && len(effects.Spreads[0].Changes) > 0 && len(effects.Spreads[1].Changes) > 0 {
			return fact.pointer
		}
	}
	t.Fatal("no fact moves both spreads")
	return ""
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
