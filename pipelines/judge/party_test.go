package judge_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/judge"
)

func ptr[T any](v T) *T { return &v }

// Whose a document is: by the name it is made out to, and by the end of the number beside it.
func TestFindParty(t *testing.T) {
	t.Parallel()
	parties := []dossier.LeadParty{
		{Name: "Ann Lindqvist", Kind: dossier.PartyBusiness, IsPrimary: true, OtherNames: []string{"Lindqvist Boats LLC", "Ann Lindqvist"}},
		{Name: "Harbor Freight Yard Inc", Kind: dossier.PartyBusiness, TaxIDLast4: ptr("4321")},
		{Name: "Ann Lindqvist", Kind: dossier.PartyPerson, TaxIDLast4: ptr("6789")},
		{Name: "Bo Lindqvist", Kind: dossier.PartyPerson},
		{Name: "Bo Lindqvist", Kind: dossier.PartyPerson, TaxIDLast4: ptr("1111")},
	}
	tax := func(f dossier.TaxFacts) dossier.ReadDocument {
		return dossier.ReadDocument{DocType: dossier.DocTaxReturn, Facts: dossier.Facts{Tax: &f}}
	}
	other := func(facts map[string]any) dossier.ReadDocument {
		return dossier.ReadDocument{DocType: dossier.DocTaxFormOther, Facts: dossier.Facts{Other: facts}}
	}
	for name, c := range map[string]struct {
		read dossier.ReadDocument
		want int
	}{
		"the lead's business":    {tax(dossier.TaxFacts{EntityName: ptr("LINDQVIST BOATS")}), 0},
		"another business":       {tax(dossier.TaxFacts{EntityName: ptr("Harbor Freight Yard")}), 1},
		"a person's return":      {tax(dossier.TaxFacts{Taxpayer: ptr("Lindqvist, Ann"), Personal: ptr(true)}), 2},
		"by the number":          {tax(dossier.TaxFacts{Taxpayer: ptr("Bo Lindqvist"), SSN: ptr("***-**-1111"), Personal: ptr(true)}), 4},
		"two of the name":        {tax(dossier.TaxFacts{Taxpayer: ptr("Bo Lindqvist"), Personal: ptr(true)}), -1},
		"another's number":       {tax(dossier.TaxFacts{EntityName: ptr("Harbor Freight Yard"), EIN: ptr("12-3450000")}), -1},
		"a near name":            {tax(dossier.TaxFacts{EntityName: ptr("Harbor Freight")}), -1},
		"confirmed by a number":  {tax(dossier.TaxFacts{EntityName: ptr("Harbor Freight"), EIN: ptr("12-3454321")}), 1},
		"a number alone":         {other(map[string]any{"form": "941", "ein": "12-3454321"}), 1},
		"a share, to its holder": {other(map[string]any{"form": "1065 Schedule K-1", "entityName": "Harbor Freight Yard Inc", "taxpayer": "Ann Lindqvist", "ssn": "***-**-6789"}), 2},
		"a share, to nobody":     {other(map[string]any{"form": "1065 Schedule K-1", "entityName": "Harbor Freight Yard Inc", "taxpayer": "Eve Stranger"}), -1},
		"a stranger's":           {tax(dossier.TaxFacts{EntityName: ptr("Quayside Ltd")}), -1},
		"nobody named":           {other(map[string]any{"form": "W-9"}), -1},
	} {
		if got := judge.FindParty(c.read, parties); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// A K-1 says who is owned and how much; nothing else does.
func TestFindShare(t *testing.T) {
	t.Parallel()
	parties := []dossier.LeadParty{{Name: "Ann Lee", Kind: dossier.PartyPerson}, {Name: "Harbor Freight Yard Inc", Kind: dossier.PartyBusiness}}
	k1 := map[string]any{"form": "1120-S Schedule K-1", "entityName": "HARBOR FREIGHT YARD INC", "taxpayer": "Ann Lee", "ownershipPercent": "37.5", "taxYear": 2023.0}
	read := func(facts map[string]any) dossier.ReadDocument {
		return dossier.ReadDocument{DocType: dossier.DocTaxFormOther, Facts: dossier.Facts{Other: facts}}
	}
	got, ok := judge.FindShare(read(k1), parties)
	if !ok || got.Owned != 1 || got.Percent.String() != "37.5" || got.Year != 2023 {
		t.Errorf("%+v %v", got, ok)
	}
	k1["entityName"] = "Quayside Ltd"
	delete(k1, "ownershipPercent")
	if got, ok := judge.FindShare(read(k1), parties); !ok || got.Owned != -1 || !got.Percent.IsZero() {
		t.Errorf("of a stranger: %+v %v", got, ok)
	}
	if _, ok := judge.FindShare(read(map[string]any{"form": "W-2"}), parties); ok {
		t.Error("a W-2 says who owns whom")
	}
}
