package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/storage/record"
)

// use says which side of an exchange a type is on: bodies have rules (check tags), answers always all their fields.
type use int

const (
	forBody use = iota
	forAnswer
)

// schemas turns Go types into JSON Schema (2020-12, as OpenAPI 3.1 has it). Structs and closed sets get a name.
type schemas struct {
	named map[string]any
	names map[namedUse]string
}

type namedUse struct {
	t reflect.Type
	u use
}

func newSchemas() *schemas { return &schemas{named: map[string]any{}, names: map[namedUse]string{}} }

// known are the types whose JSON is not that of their fields.
var known = map[reflect.Type]object{
	web.TimeType:                           {"$ref": "#/components/schemas/Timestamp"},
	reflect.TypeFor[record.Time]():         {"$ref": "#/components/schemas/Timestamp"},
	reflect.TypeFor[dossier.Amount]():      {"$ref": "#/components/schemas/Amount"},
	reflect.TypeFor[json.RawMessage]():     anything(),
	reflect.TypeFor[dossier.Figure]():      {"type": "number"},
	reflect.TypeFor[dossier.Condition]():   {"type": "object"},
	reflect.TypeFor[json.Number]():         {"type": "number"},
	reflect.TypeFor[dossier.Facts]():       {"type": "object"},
	reflect.TypeFor[dossier.ItemConfig]():  {"type": []any{"object", "null"}},
	reflect.TypeFor[dossier.Condition]():   {"type": "object"},
	reflect.TypeFor[dossier.WorkspaceID](): {"$ref": "#/components/schemas/Id"},
}

// anything is said at length: some readers take an empty schema for "not null". Go's client generator knows no type for
// so many and is told one.
func anything() object {
	return object{"type": []any{"object", "array", "string", "number", "boolean", "null"}, "items": object{},
		"x-go-type": "any"}
}

// of is the schema of t.
func (s *schemas) of(t reflect.Type, u use) object {
	if schema, ok := known[t]; ok {
		return maps.Clone(schema)
	}
	if t == reflect.TypeFor[dossier.SpreadValues]() { // rows by key
		return object{"type": "object", "additionalProperties": s.of(reflect.TypeFor[dossier.SpreadValue](), u)}
	}
	if t == reflect.TypeFor[feedEvent]() {
		s.named["Event"] = anyEvent()
		return object{"$ref": "#/components/schemas/Event"}
	}
	if t == reflect.TypeFor[anyResults]() {
		return object{"anyOf": []any{s.of(reflect.TypeFor[dossier.SpreadResults](), u),
			s.of(reflect.TypeFor[dossier.GlobalResults](), u)}}
	}
	if t.Implements(web.OptionalType) {
		return nullable(s.of(reflect.Zero(t).Interface().(web.AnyOptional).Inner(), u))
	}
	switch t.Kind() {
	case reflect.Pointer:
		return nullable(s.of(t.Elem(), u))
	case reflect.Interface:
		return anything()
	case reflect.String:
		return s.text(t)
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int32, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Slice:
		return object{"type": "array", "items": s.of(t.Elem(), u)}
	case reflect.Array:
		return object{"type": "array", "items": s.of(t.Elem(), u), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": s.of(t.Elem(), u)}
	case reflect.Struct:
		return s.structure(t, u)
	}
	panic(fmt.Sprintf("no JSON Schema for %s", t))
}

// text is the schema of a string: an id, a closed set with a name of its own (openapi/_enums.yaml), or any text.
func (s *schemas) text(t reflect.Type) object {
	switch {
	case web.IsID(t):
		return object{"$ref": "#/components/schemas/Id"}
	case t == reflect.TypeFor[dossier.ReasonCode]():
		s.named["ReasonCode"] = reasonCodes()
		return object{"$ref": "#/components/schemas/ReasonCode"}
	case t.PkgPath() == web.RootPackage:
		s.named[t.Name()] = object{"type": "string"}
		return object{"$ref": "#/components/schemas/" + t.Name()}
	}
	return object{"type": "string"}
}

// structure names the schema of a struct after its type. The name is taken before the fields are read, so that a
// type may contain itself.
func (s *schemas) structure(t reflect.Type, u use) object {
	if t.Name() == "" {
		return s.fields(t, u)
	}
	key := namedUse{t, u}
	name, done := s.names[key]
	if !done {
		name = s.freeName(t, u)
		s.names[key] = name
		s.named[name] = object{}
		s.named[name] = s.fields(t, u)
	}
	return object{"$ref": "#/components/schemas/" + name}
}

func (s *schemas) freeName(t reflect.Type, u use) string {
	name := strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
	name = strings.ReplaceAll(name, "API", "Api")
	if _, other := s.names[namedUse{t, 1 - u}]; other {
		name += map[use]string{forBody: "Input", forAnswer: "Output"}[u]
	}
	if _, taken := s.named[name]; taken {
		name = strings.ToUpper(t.PkgPath()[strings.LastIndex(t.PkgPath(), "/")+1:][:1]) +
			t.PkgPath()[strings.LastIndex(t.PkgPath(), "/")+2:] + name
	}
	return name
}

func (s *schemas) fields(t reflect.Type, u use) object {
	properties, required := object{}, []any{}
	for _, field := range jsonFields(t) {
		schema := s.of(field.Type, u)
		if t == reflect.TypeFor[dossier.Source]() && field.name == "page" {
			schema = nullable(schema) // a person may not have said where
		}
		r := web.ParseRules(field.Tag.Get("check"))
		if u == forBody {
			schema = limited(schema, field.Type, r)
		}
		properties[field.name] = schema
		if (u == forBody && r.Required) || (u == forAnswer && !field.omitted) {
			required = append(required, field.name)
		}
	}
	out := object{"type": "object", "properties": properties}
	if len(required) > 0 {
		out["required"] = required
	}
	if u == forBody {
		out["additionalProperties"] = false
	}
	return out
}

// jsonField is a field with its name on the wire.
type jsonField struct {
	reflect.StructField
	name    string
	omitted bool // left out when empty
}

// jsonFields are the fields of t as encoding/json writes them: embedded structs count as their fields, and an
// outer field hides an inner one of the same name.
func jsonFields(t reflect.Type) []jsonField {
	depth := map[string]int{}
	var out []jsonField
	for _, field := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || (field.Anonymous && name == "" && deref(field.Type).Kind() == reflect.Struct) ||
			!field.IsExported() {
			continue
		}
		if name == "" {
			name = field.Name
		}
		if d, seen := depth[name]; seen && d <= len(field.Index) {
			continue
		}
		depth[name] = len(field.Index)
		out = slices.DeleteFunc(out, func(f jsonField) bool { return f.name == name })
		out = append(out, jsonField{field, name, strings.Contains(options, "omitempty") ||
			strings.Contains(options, "omitzero")})
	}
	return out
}

func deref(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// nullable allows null beside what schema allows.
func nullable(schema object) object {
	switch kind := schema["type"].(type) {
	case string:
		schema["type"] = []any{kind, "null"}
	case []any:
	default:
		if len(schema) > 0 {
			return object{"anyOf": []any{schema, object{"type": "null"}}}
		}
	}
	return schema
}

// limited writes the rules of a body's field into its schema.
func limited(schema object, t reflect.Type, r web.Rules) object {
	if t.Implements(web.OptionalType) {
		t = reflect.Zero(t).Interface().(web.AnyOptional).Inner()
	}
	if r.Required || r.NotNull {
		schema = notNull(schema)
	}
	t = deref(t)
	if _, plain := schema["type"]; !plain {
		return schema
	}
	switch t.Kind() {
	case reflect.String:
		schema["maxLength"] = dossier.MaxString
		if r.Email {
			schema["format"] = "email"
		}
		bounds(schema, r, "minLength", "maxLength")
		if r.Required && r.Min == nil {
			schema["minLength"] = 1
		}
	case reflect.Slice:
		schema["maxItems"] = web.MaxList
		bounds(schema, r, "minItems", "maxItems")
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Float64:
		bounds(schema, r, "minimum", "maximum")
	}
	return schema
}

func bounds(schema object, r web.Rules, low, high string) {
	if r.Min != nil {
		schema[low] = *r.Min
	}
	if r.Max != nil {
		schema[high] = *r.Max
	}
}

func notNull(schema object) object {
	if kinds, ok := schema["type"].([]any); ok {
		schema["type"] = kinds[0]
	}
	if any, ok := schema["anyOf"].([]any); ok {
		return any[0].(object)
	}
	return schema
}

// parameters describes those of the path, of the query struct, and the headers of its kind of operation.
func (b *specBuilder) parameters(row route, meanings map[string]string) ([]any, error) {
	var out []any
	left := maps.Clone(meanings)
	describe := func(p object, usual string) {
		name := p["name"].(string)
		p["description"] = usual
		if text, ok := left[name]; ok {
			p["description"] = text
			delete(left, name)
		}
		out = append(out, p)
	}
	for _, found := range pathParameter.FindAllStringSubmatch(row.path, -1) {
		schema := object{"type": "string"}
		if strings.HasSuffix(found[1], "Id") && found[1] != "pipelineId" {
			schema = object{"$ref": "#/components/schemas/Id"}
		}
		if found[1] == "page" {
			schema = object{"type": "integer", "minimum": 1}
		}
		describe(object{"name": found[1], "in": "path", "required": true, "schema": schema}, "")
	}
	if row.query != nil {
		for _, field := range reflect.VisibleFields(reflect.TypeOf(row.query)) {
			if name := field.Tag.Get("query"); name != "" {
				describe(b.queryParameter(name, field), usualMeaning[name])
			}
		}
	}
	if row.scope != "" && row.method != "GET" {
		out = append(out, object{"$ref": "#/components/parameters/Idempotency-Key"},
			object{"$ref": "#/components/parameters/x-actor"})
	}
	if len(left) > 0 {
		return nil, fmt.Errorf("parameters: there is no %v", slices.Sorted(maps.Keys(left)))
	}
	return out, nil
}

// usualMeaning describes parameters that mean the same everywhere.
var usualMeaning = map[string]string{
	"limit":  "How many entries a page has at most.",
	"token":  "The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters.",
	"leadId": "Only of this lead.",
}

func (b *specBuilder) queryParameter(name string, field reflect.StructField) object {
	r := web.ParseRules(field.Tag.Get("check"))
	schema := notNull(b.schemas.of(field.Type, forBody))
	p := object{"name": name, "in": "query", "required": r.Required}
	if field.Type.Kind() == reflect.Slice {
		p["style"], p["explode"] = "form", false
	}
	p["schema"] = limited(schema, field.Type, r)
	return p
}
