// Package sdkgen makes the clients in api/sdk from the OpenAPI document: types, operations, problems and events. What
// every client does by itself (retries, uploads, webhooks) is written by hand beside what is made here.
//
// `make clients` writes the files; a test of package api fails while they do not fit the document.
package sdkgen

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Files are what the clients in api/sdk hold of the document: contents by path below that directory.
func Files(document []byte) (map[string][]byte, error) {
	m, err := read(document)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, language := range []func(*model) (map[string][]byte, error){golang, typescript, python, examples} {
		made, err := language(m)
		if err != nil {
			return nil, err
		}
		maps.Copy(files, made)
	}
	return files, nil
}

const notice = "Code generated from the OpenAPI document by make clients. DO NOT EDIT."

// model is what a client must know of the document.
type model struct {
	version    string
	types      []*typeDef
	operations []*operation
	events     []event
	codes      []code

	schemas map[string]schema
	made    map[string]*typeDef
}

// typeDef is a named type: a structure, or a closed set of words.
type typeDef struct {
	name, doc string
	fields    []field
	values    []string // of a closed set
	input     bool     // sent, not received: a field may be left out
}

type field struct {
	name, doc string
	typ       typ
	required  bool
}

// typ is the type of a value.
type typ struct {
	kind     kind
	name     string // of a named type
	elem     *typ   // of a list or a map
	nullable bool
}

type kind int

const (
	anyKind kind = iota
	textKind
	timeKind
	integerKind
	numberKind
	booleanKind
	listKind
	mapKind
	namedKind
	fileKind // bytes of an upload
)

type operation struct {
	id, method, path, doc string
	parameters            []parameter
	query                 []field
	body                  string // its type, or none
	example               any    // of the body
	form                  []field
	answer                *typ // nil: none, unless raw
	raw                   bool // the answer is a file
	writes                bool // takes an Idempotency-Key
	paging                paging
}

type parameter struct{ name, doc string }

// paging says how a list goes on.
type paging struct {
	items, next string // properties of the answer; no items: the answer is the list and a header has the token
	send        string // the parameter that takes the token
	elem        typ
}

type event struct {
	name, doc string
	data      typ
}

type code struct{ name, title string }

// schema is a JSON Schema or a part of one.
type schema = map[string]any

func read(document []byte) (*model, error) {
	var d struct {
		Info       struct{ Version string }
		Paths      map[string]map[string]rawOperation
		Webhooks   map[string]map[string]rawOperation
		Components struct{ Schemas map[string]schema }
	}
	if err := json.Unmarshal(document, &d); err != nil {
		return nil, fmt.Errorf("the document: %w", err)
	}
	m := &model{version: d.Info.Version, schemas: d.Components.Schemas, made: map[string]*typeDef{}}
	codes := map[string]string{}
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(d.Paths[path])) {
			raw := d.Paths[path][method]
			if raw.Scope == "" {
				continue // pages, and what a key does not open
			}
			if err := m.operation(strings.ToUpper(method), path, raw); err != nil {
				return nil, fmt.Errorf("%s: %w", raw.ID, err)
			}
			raw.problems(codes)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(codes)) {
		m.codes = append(m.codes, code{name, codes[name]})
	}
	m.readEvents(d.Webhooks)
	for _, name := range slices.Sorted(maps.Keys(m.made)) {
		m.types = append(m.types, m.made[name])
	}
	return m, nil
}

// readEvents reads the section webhooks; before there was one, the names of events are all that is known.
func (m *model) readEvents(webhooks map[string]map[string]rawOperation) {
	for _, name := range slices.Sorted(maps.Keys(webhooks)) {
		post := webhooks[name]["post"]
		body := m.resolve(post.Body.Content["application/json"].Schema)
		data, _ := properties(body)["data"].(schema)
		m.events = append(m.events, event{name: name, doc: post.Summary, data: m.typeOf(data, camel(name)+"Data",
			false)})
	}
	if len(m.events) > 0 {
		return
	}
	values, _ := m.schemas["EventType"]["enum"].([]any)
	for _, value := range values {
		m.events = append(m.events, event{name: value.(string), data: typ{kind: mapKind, elem: &typ{}}})
	}
}

// typeOf is the type of a schema. name is what an object without a name of its own is called.
func (m *model) typeOf(s schema, name string, input bool) typ {
	if ref, ok := s["$ref"].(string); ok {
		return m.named(ref[strings.LastIndex(ref, "/")+1:], input)
	}
	for _, choice := range []string{"anyOf", "oneOf"} {
		if list, ok := s[choice].([]any); ok {
			return m.choice(list, name, input)
		}
	}
	var out typ
	kinds := typesOf(s)
	if len(kinds) > 1 && slices.Contains(kinds, "null") {
		out.nullable = true
		kinds = slices.DeleteFunc(kinds, func(k string) bool { return k == "null" })
	}
	if len(kinds) != 1 {
		return out
	}
	out.kind = plainKinds[kinds[0]]
	switch {
	case kinds[0] == "array":
		items, _ := s["items"].(schema)
		elem := m.typeOf(items, singular(name), input)
		out.kind, out.elem = listKind, &elem
	case kinds[0] == "object":
		return m.object(s, name, out.nullable, input)
	case s["contentMediaType"] != nil || s["format"] == "binary":
		out.kind = fileKind
	}
	return out
}

var plainKinds = map[string]kind{"string": textKind, "integer": integerKind, "number": numberKind,
	"boolean": booleanKind}

func typesOf(s schema) []string {
	switch t := s["type"].(type) {
	case string:
		return []string{t}
	case []any:
		var out []string
		for _, one := range t {
			out = append(out, one.(string))
		}
		return out
	}
	return nil
}

// choice is one of several types: null and another, or objects, whose properties are put together.
func (m *model) choice(list []any, name string, input bool) typ {
	var others []schema
	nullable := false
	for _, one := range list {
		s := one.(schema)
		if slices.Equal(typesOf(s), []string{"null"}) {
			nullable = true
			continue
		}
		others = append(others, s)
	}
	var out typ
	switch len(others) {
	case 0:
	case 1:
		out = m.typeOf(others[0], name, input)
	default:
		out = m.object(m.together(others), name, false, input)
	}
	out.nullable = out.nullable || nullable
	return out
}

// together is an object that may be any of several: it has to have what all of them must have.
func (m *model) together(list []schema) schema {
	all, must := schema{}, map[string]int{}
	for _, s := range list {
		s = m.resolve(s)
		if nested, ok := s["oneOf"].([]any); ok {
			var inner []schema
			for _, one := range nested {
				inner = append(inner, one.(schema))
			}
			s = m.together(inner)
		}
		for name, property := range properties(s) {
			if _, has := all[name]; !has {
				all[name] = property
			}
		}
		required, _ := s["required"].([]any)
		for _, name := range required {
			must[name.(string)]++
		}
	}
	var required []any
	for _, name := range slices.Sorted(maps.Keys(must)) {
		if must[name] == len(list) {
			required = append(required, name)
		}
	}
	return schema{"type": "object", "properties": all, "required": required}
}

func (m *model) resolve(s schema) schema {
	for {
		ref, ok := s["$ref"].(string)
		if !ok {
			return s
		}
		s = m.schemas[ref[strings.LastIndex(ref, "/")+1:]]
	}
}

func properties(s schema) schema {
	list, _ := s["properties"].(schema)
	return list
}

// object is a map, or a structure, which gets a name.
func (m *model) object(s schema, name string, nullable, input bool) typ {
	if len(properties(s)) == 0 {
		elem := typ{}
		if values, ok := s["additionalProperties"].(schema); ok {
			elem = m.typeOf(values, singular(name), input)
		}
		return typ{kind: mapKind, elem: &elem, nullable: nullable}
	}
	m.structure(name, s, input)
	return typ{kind: namedKind, name: name, nullable: nullable}
}

// reserved are names of what every client has by hand.
var reserved = []string{
	"Call", "CallOption", "CallOptions", "Client", "Code", "Content", "Dossier", "DossierEvent", "Download", "Event",
	"EventData",
	"EventOf", "Fault", "Field", "File", "HeadersLike", "NotGenuine", "Options", "Page", "Problem", "ProblemCode",
	"Transport", "Upload",
}

// named is the type of a component.
func (m *model) named(name string, input bool) typ {
	switch name {
	case "Id", "Amount":
		return typ{kind: textKind}
	case "Timestamp":
		return typ{kind: timeKind}
	case "Event": // any of those of the section webhooks: every client has a type for it
		return typ{kind: namedKind, name: name}
	}
	s := m.schemas[name]
	if slices.Contains(reserved, name) {
		name += "Object"
	}
	if values, ok := s["enum"].([]any); ok && m.made[name] == nil {
		def := &typeDef{name: name, doc: text(s)}
		for _, value := range values {
			if word, ok := value.(string); ok {
				def.values = append(def.values, word)
			}
		}
		m.made[name] = def
	}
	if m.made[name] != nil {
		m.made[name].input = m.made[name].input || input
		return typ{kind: namedKind, name: name}
	}
	return m.typeOf(s, name, input)
}

func (m *model) structure(name string, s schema, input bool) {
	if m.made[name] != nil {
		return
	}
	def := &typeDef{name: name, doc: text(s), input: input}
	m.made[name] = def // before its fields: it may hold itself
	required, _ := s["required"].([]any)
	for _, property := range slices.Sorted(maps.Keys(properties(s))) {
		inner := properties(s)[property].(schema)
		def.fields = append(def.fields, field{name: property, doc: text(inner),
			typ: m.typeOf(inner, name+camel(property), input), required: slices.Contains(required, any(property))})
	}
}

func text(s schema) string {
	out, _ := s["description"].(string)
	out, _, _ = strings.Cut(out, "\n\n") // tables and the like are for /docs
	return strings.Join(strings.Fields(out), " ")
}

// words are the parts of a name: leadId, lead_not_found, is.prev, OPTED_OUT.
func words(name string) []string {
	var out []string
	start, runes := 0, []rune(name)
	cut := func(end int) {
		if end > start {
			out = append(out, strings.ToLower(string(runes[start:end])))
		}
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			cut(i)
			start = i + 1
		case i > 0 && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1]) ||
			i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			cut(i)
			start = i
		}
	}
	cut(len(runes))
	return out
}

func camel(name string) string {
	var out strings.Builder
	for _, word := range words(name) {
		out.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return out.String()
}

func snake(name string) string { return strings.Join(words(name), "_") }

func singular(name string) string {
	if strings.HasSuffix(name, "ss") {
		return name
	}
	if short, ok := strings.CutSuffix(name, "s"); ok {
		return short
	}
	return name + "Item"
}
