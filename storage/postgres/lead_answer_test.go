package postgres_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
)

// sameView compares views whatever the order of names in JSON, which Postgres changes.
var sameView = cmp.Options{
	cmp.Exporter(func(reflect.Type) bool { return true }), cmpopts.EquateEmpty(),
	cmp.FilterValues(func(a, b json.RawMessage) bool { return len(a)+len(b) > 0 }, cmp.Transformer("JSON", func(raw json.RawMessage) any {
		var value any
		_ = json.Unmarshal(raw, &value) // nothing is nil
		return value
	})),
}

// What the calls answer that make and change a lead is what reading the lead gives.
func TestLeadAnswers_are_what_is_read(t *testing.T) {
	t.Parallel()
	l := newLeads(t)
	l.create(t, dossier.LeadUpdate{}) // has the same address
	items := []dossier.ItemUpdate{{Code: "LEGAL_NAME", Value: json.RawMessage(`"Lee & <Sons>"`)}, {Code: "OWNER_SSN", Value: json.RawMessage(`"123-45-6789"`)},
		{Code: "AMOUNT", Value: json.RawMessage(`"12,500.50"`)}, {Code: "NO_SUCH", Value: json.RawMessage(`{"b": 1, "a": [2]}`)}}
	made, err := l.DB.CreateLeadView(t.Context(), l.ws, postgres.NewLead{LeadUpdate: dossier.LeadUpdate{FirstName: dossier.Set("Ann"),
		Email: dossier.Set("ann@example.com"), PhoneNumber: dossier.Set("212 555 0123"), Tags: &[]string{"New", "a"}, Items: items}}, byPerson)
	if err != nil {
		t.Fatal(err)
	}
	id := made.Lead.ID
	if diff := cmp.Diff(l.view(t, id), made, sameView); diff != "" || len(made.Matching) != 1 || made.PortalToken == "" {
		t.Errorf("made (-read +answered):\n%s", diff)
	}
	status := func(s dossier.LeadStatus) dossier.LeadUpdate { return dossier.LeadUpdate{Status: &s} }
	done := dossier.ItemCompleted
	ending := dossier.LeadUpdate{Items: []dossier.ItemUpdate{{Code: "LEGAL_NAME", Value: json.RawMessage(`"Lee"`)}, {Code: "OWNER_SSN", Value: json.RawMessage(`"123-45-6789"`)},
		{Code: "AMOUNT", Value: json.RawMessage(`5`)}, {Code: "BANK_STATEMENTS", Status: &done}}}
	for _, step := range []struct {
		name   string
		before func()
		upd    dossier.LeadUpdate
	}{
		{"a name and a value", nil, dossier.LeadUpdate{FirstName: dossier.Set("Eve"), Items: []dossier.ItemUpdate{{Code: "AMOUNT", Value: json.RawMessage(`7`)}}}},
		{"nothing", nil, dossier.LeadUpdate{FirstName: dossier.Set("Eve")}},
		{"a number that is no number", nil, item("AMOUNT", `"many"`)},
		{"another SSN", nil, item("OWNER_SSN", `"123-45-6780"`)},
		{"no contact", nil, dossier.LeadUpdate{Email: dossier.Clear[string](), PhoneNumber: dossier.Clear[string]()}},
		{"closed", func() { l.outreach(t, id) }, status(dossier.LeadNotInterested)},
		{"open again", nil, status(dossier.LeadInProgress)},
		{"completed, the rest skipped", nil, status(dossier.LeadCompleted)},
		{"open once more", nil, status(dossier.LeadInProgress)},
		{"a run ends with it, and the lead with the run", func() {
			l.run(t, id)
			l.Exec(t, `UPDATE workflows SET completes_lead = true`)
		}, ending},
	} {
		if step.before != nil {
			step.before()
		}
		version := l.view(t, id).Lead.Version
		got, err := l.DB.UpdateLeadView(t.Context(), l.ws, id, step.upd, version, byPerson)
		if err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if diff := cmp.Diff(l.view(t, id), got, sameView); diff != "" {
			t.Errorf("%s (-read +answered):\n%s", step.name, diff)
		}
	}
	if s := l.view(t, id).Lead.Status(); s != dossier.LeadCompleted {
		t.Errorf("after the run the lead is %s", s)
	}
}

// A repeat under the same key answers what the lead has, and makes none.
func TestCreateLeadView_again_under_its_key(t *testing.T) {
	t.Parallel()
	l := newLeads(t)
	key := postgres.IdempotencyKey{Method: "POST", Path: "/leads", Key: "k"}
	var ids []dossier.LeadID
	for range 2 {
		claim, stored, err := l.DB.ClaimIdempotency(t.Context(), l.ws, key, []byte("body"), 0)
		if err != nil || stored != nil {
			t.Fatal(stored, err)
		}
		view, err := l.DB.CreateLeadView(postgres.WithIdempotency(t.Context(), claim), l.ws,
			postgres.NewLead{LeadUpdate: dossier.LeadUpdate{Email: dossier.Set("ann@example.com")}}, byAPI)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(l.view(t, view.Lead.ID), view, sameView); diff != "" {
			t.Errorf("(-read +answered):\n%s", diff)
		}
		ids = append(ids, view.Lead.ID)
		l.Clock.Advance(time.Minute) // the call died before its answer
	}
	if ids[0] != ids[1] {
		t.Errorf("two leads were made: %v", ids)
	}
}
