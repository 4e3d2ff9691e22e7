package api

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
)

// Whatever the body, decoding ends with a value or with a fault that a caller can act on: a known code of status 400,
// a detail, and for each fault a pointer into the body.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"leadId":"0190a0a0-0000-7000-8000-000000000000","firstName":"Ann","tags":["a"],"checklistItems":[{"code":"EIN","value":{"a":[1,null]},"status":"TODO"}]}`,
		`{"leadId":"0190a0a0-0000-7000-8000-000000000000","email":null,"status":"REVIEW","didOptOut":true}`,
		`{"label":"Statements","fieldType":"BANK_STATEMENT","config":{"months":3},"validationRules":["x"]}`,
		`{"leadId":"0190a0a0-0000-7000-8000-000000000000","eventType":"x","title":"t","metadata":{"a":1e999}}`,
		`{"name":"x","scopes":["read",7],"expiresAt":"tomorrow","name":"y"}`,
		`{}`, `null`, `[]`, `""`, `{"a`, `{"a":}`, "\xff", `{"a\u0000b":"\ud800"}`, `{"x/~":1}`, strings.Repeat("[", 40), `{"size":1.5,"filename":"a"}`, " [ ] ", `{ "a" : [ 1 , -0.5e3 , true , false , null , { } ] , "\\b\u00e9" : "\"," }`, `{"since":"2026-01-01T00:00:00Z","limit":99999999999999999999}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		holdTree(t, body)
		holdDecode[updateLeadBody](t, body)
		holdDecode[createLeadBody](t, body)
		holdDecode[newItemBody](t, body)
		holdDecode[itemChangeBody](t, body)
		holdDecode[activityBody](t, body)
		holdDecode[presignBody](t, body)
		holdDecode[keyBody](t, body)
		holdDecode[webhookBody](t, body)
		holdDecode[createSpreadBody](t, body)
	})
}

// holdTree reads a body as a tree: written again it says the same.
func holdTree(t *testing.T, body []byte) {
	t.Helper()
	tree, err := web.ParseJSON(body)
	if err != nil {
		return
	}
	var said, again any
	if json.Unmarshal(body, &said) == nil {
		if err := json.Unmarshal(tree.Raw(), &again); err != nil || !reflect.DeepEqual(said, again) {
			t.Fatalf("%q became %q, %v", body, tree.Raw(), err)
		}
	}
}

func holdDecode[T any](t *testing.T, body []byte) {
	t.Helper()
	_, err := web.DecodeJSON[T](body)
	if err == nil {
		if !json.Valid(body) {
			t.Fatalf("taken, though it is not JSON: %q", body)
		}
		return
	}
	var known *dossier.Error
	if !errors.As(err, &known) || known.Kind != dossier.Invalid || known.Message == "" {
		t.Fatalf("%T: %v", *new(T), err)
	}
	if code, ok := dossier.CodeByName(known.Code); !ok || code.Kind != dossier.Invalid {
		t.Fatalf("%T: the code %q is not one of status 400", *new(T), known.Code)
	}
	for _, fault := range known.Faults {
		if _, ok := dossier.CodeByName(fault.Code); !ok || fault.Detail == "" || fault.Parameter != "" || fault.Pointer != "" && fault.Pointer[0] != '/' {
			t.Fatalf("%T: %+v", *new(T), fault)
		}
	}
}
