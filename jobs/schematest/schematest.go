// Package schematest holds values against the JSON Schemas of pipelines. It is imported from _test.go files only.
package schematest

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Accepts reports why a schema, as clients have it, does not take a value; nil when it does.
func Accepts(t testing.TB, schema, value json.RawMessage) error {
	t.Helper()
	return compile(t, decode(t, schema)).Validate(decode(t, value))
}

// Describes fails the test unless the schema names every member of the value, however deep, and takes it. Clients may
// see answers grow; here a member that the schema does not have is an error.
func Describes(t testing.TB, what string, schema, value json.RawMessage) {
	t.Helper()
	closed := decode(t, schema)
	closeObjects(closed)
	if err := compile(t, closed).Validate(decode(t, value)); err != nil {
		t.Errorf("%s: %v\nin %.2000s", what, err, value)
	}
}

func decode(t testing.TB, text json.RawMessage) any {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
	return value
}

// compile wants a schema of the 2020-12 draft.
func compile(t testing.TB, schema any) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("schema.json", schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// closeObjects forbids the members that an object's schema does not name, where it names some.
func closeObjects(schema any) {
	switch s := schema.(type) {
	case map[string]any:
		_, open := s["additionalProperties"]
		if s["type"] != nil && s["properties"] != nil && !open {
			s["additionalProperties"] = false
		}
		for _, inner := range s {
			closeObjects(inner)
		}
	case []any:
		for _, inner := range s {
			closeObjects(inner)
		}
	}
}
