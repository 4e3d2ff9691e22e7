package api

import (
	"reflect"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
)

// Every field of an update can be sent and is handed on.
func TestRecipe_lead_field(t *testing.T) {
	t.Parallel()
	var fields leadFields
	sent := reflect.ValueOf(&fields).Elem()
	for _, field := range reflect.VisibleFields(reflect.TypeFor[dossier.LeadUpdate]()) {
		if field.Type != reflect.TypeFor[dossier.Patch[string]]() {
			continue
		}
		of := sent.FieldByName(field.Name)
		if !of.IsValid() {
			t.Errorf("no caller can send %s", field.Name)
			continue
		}
		if err := of.Addr().Interface().(*web.Optional[string]).UnmarshalJSON([]byte(`"a value"`)); err != nil {
			t.Fatal(err)
		}
	}
	update := reflect.ValueOf(fields.update())
	for _, field := range reflect.VisibleFields(update.Type()) {
		if patch, ok := update.FieldByIndex(field.Index).Interface().(dossier.Patch[string]); ok && !patch.Sent {
			t.Errorf("%s is sent and not handed on", field.Name)
		}
	}
}
