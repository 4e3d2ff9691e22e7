package postgres_test

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// A lead has its primary party from the first, which is called as the lead is until it is given a name.
func TestParties_primary(t *testing.T) {
	t.Parallel()
	l := newLeads(t)
	id := l.create(t, dossier.LeadUpdate{FirstName: dossier.Set("Ann"), LastName: dossier.Set("Lee")})
	primary := func(name string, kind dossier.PartyKind) dossier.LeadParty {
		t.Helper()
		list, err := l.DB.Parties(t.Context(), l.ws, id)
		if err != nil || len(list) != 1 || !list[0].IsPrimary || list[0].Name != name || list[0].Kind != kind || list[0].Role != dossier.PartyBorrower {
			t.Fatalf("%+v %v, want %s", list, err, name)
		}
		return list[0]
	}
	first := primary("Ann Lee", dossier.PartyPerson)
	if err := l.DB.UpdateLead(t.Context(), l.ws, id, dossier.LeadUpdate{FirstName: dossier.Clear[string](), LastName: dossier.Clear[string](), BusinessName: dossier.Set("Lee LLC")}, 0, byAPI); err != nil {
		t.Fatal(err)
	}
	primary("Lee LLC", dossier.PartyBusiness)
	if _, err := l.DB.UpdateParty(t.Context(), l.ws, id, first.ID, dossier.PartyChange{Name: ptr("Lee Holding")}); err != nil {
		t.Fatal(err)
	}
	if err := l.DB.UpdateLead(t.Context(), l.ws, id, dossier.LeadUpdate{BusinessName: dossier.Set("Lee Inc")}, 0, byAPI); err != nil {
		t.Fatal(err)
	}
	primary("Lee Holding", dossier.PartyBusiness)
}

// Leads of before there were parties get their primary one by the migration, one each, however often it runs; one that the
// release before makes afterwards when it is asked for.
func TestParties_of_leads_before(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws := s.Workspace(t)
	s.Exec(t, `INSERT INTO leads (workspace_id, id, first_name, created_at, updated_at)
		SELECT $1, gen_random_uuid(), 'Ann', now(), now() FROM generate_series(1, 5001)`, ws)
	text, err := fs.ReadFile(postgres.Migrations(), "migrations/00681_party_primary.sql")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile(`(?s)StatementBegin\n(.*?)-- \+goose StatementEnd`).FindSubmatch(text)[1]
	for range 2 {
		s.Exec(t, string(block))
		if n := pgtest.Value[string](t, s, `SELECT concat_ws(' ', count(*), count(DISTINCT lead_id)) FROM parties WHERE is_primary`); n != "5001 5001" {
			t.Errorf("primary parties and their leads: %s", n)
		}
	}
	late := postgres.NewID()
	s.Exec(t, `INSERT INTO leads (workspace_id, id, first_name, created_at, updated_at) VALUES ($1, $2, 'Bo', now(), now())`, ws, late)
	for range 2 {
		if list, err := s.DB.Parties(t.Context(), ws, dossier.LeadID(late)); err != nil || len(list) != 1 || list[0].Name != "Bo" {
			t.Errorf("%+v %v", list, err)
		}
	}
}

// Whose a part is follows what the documents say, but for what a person said; and goes with the party.
func TestParties_of_parts(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws := s.Workspace(t)
	lead, _ := s.Lead(t, ws)
	s.Exec(t, `UPDATE leads SET business_name = 'Quay LLC' WHERE id = $1`, lead)
	docs, _, err := s.DB.CreateDocuments(t.Context(), ws, postgres.Upload{LeadID: lead, Source: dossier.SourceImported, Files: []postgres.NewFile{file("a.pdf", "a")}})
	if err != nil {
		t.Fatal(err)
	}
	s.Exec(t, `UPDATE documents SET extraction_status = 'completed', extraction = '{"documents": [{"docType": "other"}, {"docType": "other"}, {"docType": "other"}]}'`)
	var ids []dossier.PartyID
	for _, name := range []string{"Ann", "Bo"} {
		p, err := s.DB.CreateParty(t.Context(), ws, lead, dossier.NewParty{Name: name, Kind: dossier.PartyPerson, Role: dossier.PartyOwner})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, p.ID)
	}
	var found int // which of the parties all parts are said to be of
	look := func() {
		t.Helper()
		staged, err := s.DB.StageJobs(t.Context(), ws, jobs.JudgeLead{Workspace: ws, Lead: lead, Parties: true})
		if err != nil {
			t.Fatal(err)
		}
		s.Exec(t, `UPDATE jobs SET admitted = epoch WHERE id = $1`, staged[0])
		claim, ok, err := s.DB.ClaimJob(t.Context(), staged[0], 1, "test")
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		err = s.DB.JudgeLead(t.Context(), claim, lead, nil, dossier.Judge{}, &dossier.Relations{
			Party: func(dossier.ReadDocument, []dossier.LeadParty) int { return found },
			Share: func(dossier.ReadDocument, []dossier.LeadParty) (dossier.Share, bool) {
				return dossier.Share{Owned: 0, Percent: decimal.NewFromInt(20), Year: 2024}, true
			}})
		if err != nil {
			t.Fatal(err)
		}
	}
	want := func(parties ...dossier.PartyID) {
		t.Helper()
		d, err := s.DB.ReadDocument(t.Context(), ws, docs[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		for i, id := range parties {
			if d.PartParties[i] != id {
				t.Errorf("part %d is of %q, want %q", i, d.PartParties[i], id)
			}
		}
	}
	owned := func(want string) {
		t.Helper()
		edges, err := s.DB.Ownership(t.Context(), ws, lead)
		got := ""
		for _, e := range edges {
			got += fmt.Sprintf("%d %s %s;", slices.Index(ids, e.OwnerID), e.Percent, e.Source)
		}
		if err != nil || got != want {
			t.Errorf("%s %v, want %s", got, err, want)
		}
	}
	found = 1
	look()
	want(ids[0], ids[0], ids[0])
	owned("0 20 k1;")
	primary, err := s.DB.Parties(t.Context(), ws, lead)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.DB.SaveOwnership(t.Context(), ws, lead, []dossier.OwnershipEdge{{OwnerID: ids[1], OwnedID: primary[0].ID, Percent: decimal.NewFromInt(81), Source: dossier.EdgeManual}}); err != nil {
		t.Fatal(err)
	}
	owned("1 81 manual;") // the K-1 would be more than the whole
	if _, err := s.DB.SaveOwnership(t.Context(), ws, lead, []dossier.OwnershipEdge{{OwnerID: ids[0], OwnedID: primary[0].ID, Percent: decimal.NewFromInt(25), Source: dossier.EdgeManual}}); err != nil {
		t.Fatal(err)
	}
	owned("0 25 manual;")
	if _, err := s.DB.SaveOwnership(t.Context(), ws, lead, nil); err != nil {
		t.Fatal(err)
	}
	owned("0 20 k1;")
	for part, id := range []*dossier.PartyID{&ids[1], nil} {
		if _, err := s.DB.SetPartParty(t.Context(), ws, docs[0].ID, part, id); err != nil {
			t.Fatal(err)
		}
	}
	want(ids[1], "", ids[0])
	found = 2
	look()
	want(ids[1], "", ids[1])
	owned("1 20 k1;")
	if err := s.DB.DeleteParty(t.Context(), ws, lead, ids[1]); err != nil {
		t.Fatal(err)
	}
	want("", "", "")
	owned("")
	found = -1
	look()
	want("", "", "")
	found = 1
	look()
	want(ids[0], "", ids[0])
}

// What comes through a party's page is that party's, whatever is printed, until a person says otherwise; and it serves
// the items of that page, or one that somebody put it on.
func TestParties_of_pages(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws := s.Workspace(t)
	lead, own := s.Lead(t, ws, dossier.FieldFile)
	s.Exec(t, `UPDATE leads SET business_name = 'Quay LLC' WHERE id = $1`, lead)
	primary, err := s.DB.Parties(t.Context(), ws, lead)
	if err != nil {
		t.Fatal(err)
	}
	parties := map[string]dossier.PartyID{"lead": "", "primary": primary[0].ID}
	items := map[string]dossier.EntryID{"lead": own[0]}
	for _, name := range []string{"primary", "Ann", "Bo"} {
		if parties[name] == "" {
			p, err := s.DB.CreateParty(t.Context(), ws, lead, dossier.NewParty{Name: name, Kind: dossier.PartyPerson, Role: dossier.PartyOwner})
			if err != nil {
				t.Fatal(err)
			}
			parties[name] = p.ID
		}
		entry, err := s.DB.CreateLeadItem(t.Context(), ws, lead, dossier.NewItem{Label: name, FieldType: dossier.FieldFile, PartyID: ptr(parties[name])}, byAPI)
		if err != nil {
			t.Fatal(err)
		}
		items[name] = entry.ID
	}
	for page, serves := range map[string][]string{"lead": {"lead", "primary"}, "primary": {"primary"}, "Ann": {"Ann"}, "Bo": {"Bo"}} {
		docs, err := s.DB.CreatePortalDocuments(t.Context(), ws, postgres.Upload{LeadID: lead, Party: parties[page], Source: dossier.SourcePortal,
			Files: []postgres.NewFile{file(page, page)}})
		if err != nil {
			t.Fatal(err)
		}
		id := docs[0].ID
		s.Exec(t, `UPDATE documents SET extraction_status = 'completed', extraction = '{"documents": [{"docType": "other"}, {"docType": "other"}]}' WHERE id = $1`, id)
		want := func(serves ...string) {
			t.Helper()
			in, err := s.DB.MatchInput(t.Context(), ws, id)
			if err != nil {
				t.Fatal(err)
			}
			var got, wanted []string
			for _, item := range in.Items {
				got = append(got, string(item.EntryID))
				if whose := item.Whose; whose == nil != (item.PartyID == nil || *item.PartyID == parties["primary"]) ||
					whose != nil && whose.People[0].Full() != item.Label {
					t.Errorf("documents of %s are compared with %+v", item.Label, whose)
				}
			}
			for _, name := range serves {
				wanted = append(wanted, string(items[name]))
			}
			slices.Sort(got)
			slices.Sort(wanted)
			if !slices.Equal(got, wanted) {
				t.Errorf("the page of %s serves %v, want %v", page, got, wanted)
			}
		}
		want(serves...)
		if page == "Ann" {
			if _, _, err := s.DB.AddAssociation(t.Context(), ws, id, items["Bo"]); err != nil {
				t.Fatal(err)
			}
			want("Ann", "Bo")
			if _, err := s.DB.SetPartParty(t.Context(), ws, id, 1, ptr(parties["Bo"])); err != nil {
				t.Fatal(err)
			}
		}
	}
	docs, _, err := s.DB.CreateDocuments(t.Context(), ws, postgres.Upload{LeadID: lead, Source: dossier.SourceImported, Files: []postgres.NewFile{file("a", "a")}})
	if err != nil {
		t.Fatal(err)
	}
	if in, err := s.DB.MatchInput(t.Context(), ws, docs[0].ID); err != nil || len(in.Items) != 4 {
		t.Errorf("what came otherwise may serve %d items %v", len(in.Items), err)
	}
	staged, err := s.DB.StageJobs(t.Context(), ws, jobs.JudgeLead{Workspace: ws, Lead: lead, Parties: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Exec(t, `UPDATE jobs SET admitted = epoch WHERE id = $1`, staged[0])
	claim, ok, err := s.DB.ClaimJob(t.Context(), staged[0], 1, "test")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	none := dossier.Relations{Party: func(dossier.ReadDocument, []dossier.LeadParty) int { return -1 },
		Share: func(dossier.ReadDocument, []dossier.LeadParty) (dossier.Share, bool) { return dossier.Share{}, false }}
	judge := dossier.Judge{AsksTogether: func(dossier.FileItem) bool { return false },
		Item: func(dossier.FileItem, []dossier.JudgedFile) (dossier.ItemStatus, []dossier.Reason) {
			return dossier.ItemTodo, nil
		}}
	if err := s.DB.JudgeLead(t.Context(), claim, lead, nil, judge, &none); err != nil {
		t.Fatal(err)
	}
	all, err := s.DB.ListDocuments(t.Context(), ws, lead, dossier.Page{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		whole, err := s.DB.ReadDocument(t.Context(), ws, d.ID)
		if err != nil {
			t.Fatal(err)
		}
		want := []dossier.PartyID{parties[d.Filename], parties[d.Filename]}
		if d.Filename == "Ann" {
			want[1] = parties["Bo"]
		}
		for i := range want {
			if whole.PartParties[i] != want[i] {
				t.Errorf("part %d of %s is of %q, want %q", i, d.Filename, whole.PartParties[i], want[i])
			}
		}
	}
}
