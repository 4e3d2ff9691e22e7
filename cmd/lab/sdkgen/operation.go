package sdkgen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// rawOperation is an operation as the document has it.
type rawOperation struct {
	ID          string `json:"operationId"`
	Summary     string
	Description string
	Scope       string `json:"x-scope"`
	Parameters  []struct {
		Ref, Name, In, Description string
		Required                   bool
		Schema                     schema
	}
	Body      content `json:"requestBody"`
	Responses map[string]response
}

type content struct {
	Content map[string]struct {
		Schema  schema
		Example json.RawMessage
	}
}

type response struct {
	content
	Description string
	Codes       []string `json:"x-codes"`
}

// problems notes the codes an operation can meet, with their titles.
func (raw rawOperation) problems(codes map[string]string) {
	for _, status := range slices.Sorted(maps.Keys(raw.Responses)) {
		r := raw.Responses[status]
		for _, name := range r.Codes {
			codes[name] = ""
		}
		for line := range strings.Lines(r.Description) {
			name, title, found := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "- `"), "`: ")
			if _, known := codes[name]; found && known {
				codes[name] = strings.TrimSpace(title)
			}
		}
	}
}

func (m *model) operation(method, path string, raw rawOperation) error {
	op := &operation{id: raw.ID, method: method, path: path, doc: strings.TrimSpace(raw.Summary + ".\n" +
		raw.Description),
		writes: method != "GET"}
	for _, p := range raw.Parameters {
		doc := strings.Join(strings.Fields(p.Description), " ")
		switch p.In {
		case "path":
			op.parameters = append(op.parameters, parameter{p.Name, doc})
		case "query":
			op.query = append(op.query, field{name: p.Name, doc: doc, required: p.Required,
				typ: m.typeOf(p.Schema, camel(raw.ID)+camel(p.Name), true)})
		}
	}
	if err := m.body(op, raw.Body); err != nil {
		return err
	}
	if err := m.answer(op, raw.Responses); err != nil {
		return err
	}
	m.operations = append(m.operations, op)
	return nil
}

func (m *model) body(op *operation, body content) error {
	for media, one := range body.Content {
		switch media {
		case "application/json":
			t := m.typeOf(one.Schema, camel(op.id)+"Body", true)
			if t.kind != namedKind {
				return fmt.Errorf("the body is no object with properties")
			}
			op.body = t.name
			if len(one.Example) > 0 {
				numbers := json.NewDecoder(bytes.NewReader(one.Example))
				numbers.UseNumber()
				if err := numbers.Decode(&op.example); err != nil {
					return err
				}
			}
		case "multipart/form-data":
			form := m.resolve(one.Schema)
			required, _ := form["required"].([]any)
			for _, name := range slices.Sorted(maps.Keys(properties(form))) {
				s := properties(form)[name].(schema)
				op.form = append(op.form, field{name: name, doc: text(s), typ: m.typeOf(s, camel(op.id)+camel(name),
					true),
					required: slices.Contains(required, any(name))})
			}
		default:
			return fmt.Errorf("a body of type %s", media)
		}
	}
	return nil
}

// answer finds the type of the successful answers. Two different ones become one that may be either.
func (m *model) answer(op *operation, responses map[string]response) error {
	var found []schema
	for _, status := range slices.Sorted(maps.Keys(responses)) {
		if status[0] != '2' {
			continue
		}
		media, isJSON := responses[status].Content["application/json"]
		switch {
		case isJSON:
			found = append(found, media.Schema)
		case status != "204":
			op.raw = true
		}
	}
	if len(found) == 0 {
		return nil
	}
	if op.raw {
		return fmt.Errorf("an answer that is JSON or a file")
	}
	found = slices.CompactFunc(found, func(a, b schema) bool { return reflect.DeepEqual(a, b) })
	one := found[0]
	if len(found) > 1 || one["oneOf"] != nil {
		one = m.together(found)
	}
	t := m.typeOf(one, camel(op.id)+"Result", false)
	op.answer = &t
	m.findPaging(op, m.resolve(one))
	return nil
}

// findPaging recognises a list that comes in pages by the parameter that takes a token.
func (m *model) findPaging(op *operation, s schema) {
	for _, q := range op.query {
		if q.name == "token" || q.name == "after" {
			op.paging.send = q.name
		}
	}
	if op.paging.send == "" {
		return
	}
	if op.answer.kind == listKind {
		op.paging.elem = *op.answer.elem
		return
	}
	if _, has := properties(s)["nextToken"]; !has {
		op.paging = paging{}
		return
	}
	def := m.made[op.answer.name]
	for _, f := range def.fields {
		if f.typ.kind == listKind {
			op.paging.items, op.paging.next, op.paging.elem = f.name, "nextToken", *f.typ.elem
			return
		}
	}
	op.paging = paging{}
}

// paged says whether the operation is a list in pages.
func (op *operation) paged() bool { return op.paging.send != "" }

// segments splits a path at its parameters: a text, a name, a text and so on.
func (op *operation) segments() []string {
	return strings.FieldsFunc(op.path, func(r rune) bool { return r == '{' || r == '}' })
}
