package postgres_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
	"github.com/dossierhq/dossier/storage/record"
)

// A text of a lead that callers may set is taken by the rules, stored, read back and told of: the recipe of
// CONTRIBUTING.md, step by step.
func TestRecipe_lead_field(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws := s.Workspace(t)
	formed := map[string][2]string{
		"Email":              {"ann@example.com", "bo@example.com"},
		"PhoneNumber":        {"+12125550123", "+12125550124"},
		"Timezone":           {"America/New_York", "Europe/Berlin"},
		"Website":            {"https://a.example", "https://b.example"},
		"ExternalPortalLink": {"https://a.example/p", "https://b.example/p"},
	}
	values := func(i int) (dossier.LeadUpdate, map[string]string) {
		var update dossier.LeadUpdate
		want, fields := map[string]string{}, reflect.ValueOf(&update).Elem()
		for _, field := range reflect.VisibleFields(fields.Type()) {
			if field.Type != reflect.TypeFor[dossier.Patch[string]]() {
				continue
			}
			value := []string{"First of " + field.Name, "Second of " + field.Name}[i]
			if form, ok := formed[field.Name]; ok {
				value = form[i]
			}
			fields.FieldByIndex(field.Index).Set(reflect.ValueOf(dossier.Set(value)))
			want[field.Name] = value
		}
		return update, want
	}
	check := func(lead dossier.Lead, want map[string]string) {
		encoded, err := json.Marshal(record.OfLead(lead, nil))
		if err != nil {
			t.Fatal(err)
		}
		var told map[string]any
		if err := json.Unmarshal(encoded, &told); err != nil {
			t.Fatal(err)
		}
		for name, value := range want {
			field := reflect.ValueOf(lead).FieldByName(name)
			if !field.IsValid() || field.IsNil() || field.Elem().String() != value {
				t.Errorf("the lead's %s is not the %q that was stored", name, value)
			}
			if key := strings.ToLower(name[:1]) + strings.ReplaceAll(name[1:], "ID", "Id"); told[key] != value {
				t.Errorf("the lead's record has %v as %s, want %q", told[key], key, value)
			}
		}
	}
	read := func(id dossier.LeadID) dossier.Lead {
		view, err := s.DB.LeadView(t.Context(), ws, id)
		if err != nil {
			t.Fatal(err)
		}
		return view.Lead
	}
	update, want := values(0)
	id, err := s.DB.CreateLead(t.Context(), ws, postgres.NewLead{LeadUpdate: update}, byAPI)
	if err != nil {
		t.Fatal(err)
	}
	check(read(id), want)
	update, want = values(1)
	if err := s.DB.UpdateLead(t.Context(), ws, id, update, 0, byAPI); err != nil {
		t.Fatal(err)
	}
	check(read(id), want)
	changed := pgtest.Value[string](t, s, `SELECT input::text FROM action_logs WHERE lead_id = $1
		ORDER BY created_at DESC, id DESC LIMIT 1`, id)
	for name, value := range want {
		if !strings.Contains(changed, value) {
			t.Errorf("the timeline does not tell that %s became %q (leadDiff)", name, value)
		}
	}
}
