package sdkgen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Example is a call of an operation in each language, as /docs shows it.
type Example struct {
	Go         string `json:"go"`
	TypeScript string `json:"typescript"`
	Python     string `json:"python"`
}

// examples writes the call of each operation with the body that the document has as its example.
func examples(m *model) (map[string][]byte, error) {
	made := map[string]Example{}
	for _, op := range m.operations {
		source, err := m.goExample(op)
		if err != nil {
			return nil, fmt.Errorf("the example of %s: %w", op.id, err)
		}
		made[op.id] = Example{source, m.tsExample(op), m.pyExample(op)}
	}
	data, err := json.MarshalIndent(made, "", " ")
	return map[string][]byte{"examples.json": append(data, '\n')}, err
}

// sample is a value of a parameter or a field of a form that must be given.
func sample(f field) any {
	switch {
	case isFile(f.typ):
		return nil
	case f.typ.kind == integerKind:
		return json.Number("1")
	case f.typ.kind == booleanKind:
		return true
	case f.typ.kind == timeKind:
		return "2026-01-31T09:00:00Z"
	case f.typ.kind == listKind:
		return []any{"..."}
	}
	return "..."
}

func (m *model) goExample(op *operation) (string, error) {
	arguments := []string{"ctx"}
	for _, p := range op.parameters {
		arguments = append(arguments, goLocal(p.name))
	}
	name := goName(op.id)
	if op.body != "" {
		arguments = append(arguments, m.goStruct(op.body, op.example))
	}
	if len(op.form) > 0 {
		arguments = append(arguments, "dossier."+name+"Form{"+m.goRequired(op.form)+"}")
	}
	if len(op.query) > 0 {
		arguments = append(arguments, "dossier."+name+"Params{"+m.goRequired(op.query)+"}")
	}
	call := "client." + name
	list := strings.Join(arguments, ", ")
	var text string
	switch {
	case op.paged():
		text = "for entry, err := range " + call + "All(" + list +
			") {\nif err != nil {\nreturn err\n}\nfmt.Println(entry)\n}"
	case op.answer == nil && !op.raw:
		text = "if err := " + call + "(" + list + "); err != nil {\nreturn err\n}"
	default:
		text = "answer, err := " + call + "(" + list + ")\nif err != nil {\nreturn err\n}\nfmt.Println(answer)"
	}
	source, err := format.Source([]byte(text))
	return string(source), err
}

func (m *model) goRequired(fields []field) string {
	var out []string
	for _, f := range fields {
		switch {
		case isFile(f.typ) && f.typ.kind == listKind:
			out = append(out, goName(f.name)+": []dossier.File{file}")
		case isFile(f.typ) && f.required:
			out = append(out, goName(f.name)+": file")
		case f.required:
			out = append(out, goName(f.name)+": "+m.goValue(f.typ, sample(f)))
		}
	}
	return strings.Join(out, ", ")
}

// goStruct is a body as a literal of its type.
func (m *model) goStruct(name string, value any) string {
	def, given := m.made[name], object(value)
	var out strings.Builder
	for _, f := range def.fields {
		v, has := given[f.name]
		if !has {
			continue
		}
		text := m.goValue(f.typ, v)
		switch {
		case def.input && !f.required && v == nil:
			text = "dossier.Null[" + goQualified(goPlain(f.typ)) + "]()"
		case def.input && !f.required && slices.Contains([]kind{anyKind, numberKind}, f.typ.kind):
			text = "dossier.Set[" + goQualified(goPlain(f.typ)) + "](" + text + ")"
		case def.input && !f.required:
			text = "dossier.Set(" + text + ")"
		case f.typ.nullable && v != nil && !slices.Contains([]kind{anyKind, listKind, mapKind}, f.typ.kind):
			text = "new(" + text + ")"
		}
		fmt.Fprintf(&out, "\n%s: %s,", goName(f.name), text)
	}
	if out.Len() == 0 {
		return "dossier." + name + "{}"
	}
	return "dossier." + name + "{" + out.String() + "\n}"
}

// goQualified is a type as another package names it.
func goQualified(name string) string {
	at := strings.LastIndexAny(name, "]*") + 1
	if plain := name[at:]; plain != "" && plain[0] >= 'A' && plain[0] <= 'Z' {
		return name[:at] + "dossier." + plain
	}
	return name
}

func (m *model) goValue(t typ, value any) string {
	switch v := value.(type) {
	case nil:
		return "nil"
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		if t.kind == integerKind {
			return v.String()
		}
		return "json.Number(" + strconv.Quote(v.String()) + ")"
	case string:
		switch t.kind {
		case timeKind:
			return "time.Date(" + goMoment(v) + ", time.UTC)"
		case namedKind:
			return "dossier." + t.name + "(" + strconv.Quote(v) + ")"
		}
		return strconv.Quote(v)
	case []any:
		elem := typ{}
		if t.elem != nil {
			elem = *t.elem
		}
		var out []string
		for _, one := range v {
			out = append(out, m.goValue(elem, one))
		}
		return "[]" + goQualified(goType(elem)) + "{" + strings.Join(out, ", ") + "}"
	case map[string]any:
		if t.kind == namedKind {
			return m.goStruct(t.name, v)
		}
		elem := typ{}
		if t.kind == mapKind {
			elem = *t.elem
		}
		var out strings.Builder
		for _, name := range slices.Sorted(maps.Keys(v)) {
			fmt.Fprintf(&out, "\n%q: %s,", name, m.goValue(elem, v[name]))
		}
		return "map[string]" + goQualified(goType(elem)) + "{" + out.String() + "\n}"
	}
	return ""
}

// goMoment are the arguments of time.Date for a timestamp.
func goMoment(timestamp string) string {
	numbers := strings.FieldsFunc(timestamp, func(r rune) bool { return r < '0' || r > '9' })
	out := make([]string, 7)
	for i := range out {
		out[i] = "0"
		if i < 6 && i < len(numbers) {
			n, _ := strconv.Atoi(numbers[i])
			out[i] = strconv.Itoa(n)
		}
	}
	return strings.Join(out, ", ")
}

func object(value any) map[string]any {
	o, _ := value.(map[string]any)
	return o
}

func (m *model) tsExample(op *operation) string {
	var arguments []string
	for _, p := range op.parameters {
		arguments = append(arguments, p.name)
	}
	if op.body != "" {
		arguments = append(arguments, tsLiteral(bodyExample(op), ""))
	}
	for _, fields := range [][]field{op.form, op.query} {
		var given []string
		for _, f := range fields {
			switch {
			case isFile(f.typ) && f.typ.kind == listKind:
				given = append(given, tsKey(f.name)+": [file]")
			case isFile(f.typ) && f.required:
				given = append(given, tsKey(f.name)+": file")
			case f.required:
				given = append(given, tsKey(f.name)+": "+tsLiteral(sample(f), ""))
			}
		}
		if len(given) > 0 {
			arguments = append(arguments, "{ "+strings.Join(given, ", ")+" }")
		}
	}
	call := "client." + op.id
	list := "(" + strings.Join(arguments, ", ") + ")"
	switch {
	case op.paged():
		return "for await (const entry of " + call + "All" + list + ") {\n  console.log(entry);\n}"
	case op.answer == nil && !op.raw:
		return "await " + call + list + ";"
	}
	return "const answer = await " + call + list + ";\nconsole.log(answer);"
}

// bodyExample is the document's example of a body, or an empty body: one whose fields are all optional needs none.
func bodyExample(op *operation) any {
	if op.example == nil {
		return map[string]any{}
	}
	return op.example
}

func tsLiteral(value any, indent string) string {
	return literal(value, indent, tsKey, func(v any) string { return plainJSON(v) })
}

func pyLiteral(value any, indent string) string {
	return literal(value, indent, strconv.Quote, func(v any) string {
		switch v {
		case nil:
			return "None"
		case true:
			return "True"
		case false:
			return "False"
		}
		if n, ok := v.(json.Number); ok && strings.ContainsAny(n.String(), ".eE") {
			return "Decimal(" + strconv.Quote(n.String()) + ")" // a float would lose digits, and is not taken
		}
		return plainJSON(v)
	})
}

// literal writes what JSON can say as both languages do: short lists and objects on a line.
func literal(value any, indent string, key func(string) string, plain func(any) string) string {
	inner := indent + "  "
	var parts []string
	open, shut := "[", "]"
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			parts = append(parts, literal(one, inner, key, plain))
		}
	case map[string]any:
		open, shut = "{", "}"
		for _, name := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, key(name)+": "+literal(v[name], inner, key, plain))
		}
	default:
		return plain(value)
	}
	if line := strings.Join(parts, ", "); len(line) < 60 && !strings.Contains(line, "\n") {
		return open + line + shut
	}
	return open + "\n" + inner + strings.Join(parts, ",\n"+inner) + "\n" + indent + shut
}

func plainJSON(value any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value)
	return strings.TrimSpace(out.String())
}

func (m *model) pyExample(op *operation) string {
	var arguments []string
	for _, p := range op.parameters {
		arguments = append(arguments, pyLocal(p.name))
	}
	if op.body != "" {
		arguments = append(arguments, pyLiteral(bodyExample(op), ""))
	}
	for _, f := range slices.Concat(op.query, op.form) {
		switch {
		case isFile(f.typ) && f.typ.kind == listKind:
			arguments = append(arguments, pyLocal(f.name)+"=[file]")
		case isFile(f.typ) && f.required:
			arguments = append(arguments, pyLocal(f.name)+"=file")
		case f.required:
			arguments = append(arguments, pyLocal(f.name)+"="+pyLiteral(sample(f), ""))
		}
	}
	call := "client." + snake(op.id)
	list := "(" + strings.Join(arguments, ", ") + ")"
	switch {
	case op.paged():
		return "for entry in " + call + "_all" + list + ":\n    print(entry)"
	case op.answer == nil && !op.raw:
		return call + list
	}
	return "answer = " + call + list + "\nprint(answer)"
}
