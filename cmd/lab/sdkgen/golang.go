package sdkgen

import (
	"bytes"
	"cmp"
	"fmt"
	"go/format"
	"slices"
	"strconv"
	"strings"
)

// golang writes the parts of the client in Go that follow from the document.
func golang(m *model) (map[string][]byte, error) {
	files := map[string][]byte{}
	for name, write := range map[string]func(*bytes.Buffer, *model){
		"go/types_gen.go": goTypes, "go/operations_gen.go": goOperations, "go/events_gen.go": goEvents,
		"go/codes_gen.go": goCodes,
	} {
		var out bytes.Buffer
		write(&out, m)
		text, err := format.Source(out.Bytes())
		if err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", name, err, out.Bytes())
		}
		files[name] = text
	}
	return files, nil
}

// goInitials are written in capitals in Go.
var goInitials = []string{"id", "url", "api", "sha256", "ssn", "ein", "csv", "json", "http", "ip"}

// goName is an exported name.
func goName(name string) string {
	var out strings.Builder
	for _, word := range words(name) {
		switch {
		case slices.Contains(goInitials, word):
			word = strings.ToUpper(word)
		case word == "ids" || word == "urls":
			word = strings.ToUpper(word[:len(word)-1]) + "s"
		}
		out.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return out.String()
}

// goLocal is the name of a parameter.
func goLocal(name string) string {
	exported := goName(name)
	first := words(name)[0]
	local := first + exported[len(first):]
	if slices.Contains([]string{"type", "range", "func", "map"}, local) {
		local += "Name"
	}
	return local
}

func goDoc(out *bytes.Buffer, indent, name, doc string) {
	doc = strings.TrimSpace(name + " " + doc)
	if doc == "" {
		return
	}
	line := indent + "//"
	for _, word := range strings.Fields(doc) {
		if len(line)+len(word) > 115 {
			fmt.Fprintln(out, line)
			line = indent + "//"
		}
		line += " " + word
	}
	fmt.Fprintln(out, line)
}

func goTypes(out *bytes.Buffer, m *model) {
	fmt.Fprintf(out, "// %s\n\npackage dossier\n\nimport (\n\"encoding/json\"\n\"time\"\n)\n\n", notice)
	fmt.Fprintf(out, "// APIVersion is the version of the document this client was made from.\n"+
		"const APIVersion = %q\n\n", m.version)
	for _, def := range m.types {
		if len(def.values) > 0 {
			goEnum(out, def)
			continue
		}
		goDoc(out, "", def.name, orElse(def.doc, "is an object of the API."))
		fmt.Fprintf(out, "type %s struct {\n", def.name)
		for _, f := range def.fields {
			goDoc(out, "\t", "", f.doc)
			tag := f.name
			switch {
			case def.input && !f.required:
				tag += ",omitzero"
			case !f.required:
				tag += ",omitempty"
			}
			fmt.Fprintf(out, "\t%s %s `json:%q`\n", goName(f.name), goFieldType(def, f), tag)
		}
		fmt.Fprint(out, "}\n\n")
	}
}

func orElse(doc, usual string) string {
	if doc == "" {
		return usual
	}
	return "is this: " + doc
}

func goEnum(out *bytes.Buffer, def *typeDef) {
	goDoc(out, "", def.name, orElse(def.doc, "is one of a closed set of words. More may be added."))
	fmt.Fprintf(out, "type %s string\n\n// Values of %s.\nconst (\n", def.name, def.name)
	for _, value := range def.values {
		fmt.Fprintf(out, "\t%s%s %s = %q\n", def.name, cmp.Or(camel(value), "None"), def.name, value)
	}
	fmt.Fprint(out, ")\n\n")
}

// goFieldType is a field's type. What is sent says whether it is there, null or a value; what is received has null as
// nil.
func goFieldType(def *typeDef, f field) string {
	switch {
	case def.input && !f.required:
		return "Field[" + goPlain(f.typ) + "]"
	case !def.input && !f.required:
		f.typ.nullable = true
	}
	return goType(f.typ)
}

func goType(t typ) string {
	if t.nullable && !slices.Contains([]kind{anyKind, listKind, mapKind}, t.kind) {
		return "*" + goPlain(t)
	}
	return goPlain(t)
}

func goPlain(t typ) string {
	switch t.kind {
	case textKind:
		return "string"
	case timeKind:
		return "time.Time"
	case integerKind:
		return "int"
	case numberKind:
		return "json.Number"
	case booleanKind:
		return "bool"
	case listKind:
		return "[]" + goType(*t.elem)
	case mapKind:
		return "map[string]" + goType(*t.elem)
	case namedKind:
		return t.name
	case fileKind:
		return "File"
	}
	return "any"
}

func goOperations(out *bytes.Buffer, m *model) {
	fmt.Fprintf(out, "// %s\n\npackage dossier\n\nimport (\n\"context\"\n\"iter\"\n\"net/url\"\n\"time\"\n)\n\n",
		notice)
	for _, op := range m.operations {
		goParameters(out, op)
		goForm(out, op)
		goOperation(out, op)
	}
}

func goParameters(out *bytes.Buffer, op *operation) {
	if len(op.query) == 0 {
		return
	}
	name := goName(op.id) + "Params"
	fmt.Fprintf(out, "// %s are the parameters of %s. A zero value is not sent.\ntype %s struct {\n", name,
		goName(op.id), name)
	for _, q := range op.query {
		goDoc(out, "\t", "", q.doc)
		fmt.Fprintf(out, "\t%s %s\n", goName(q.name), goPlain(q.typ))
	}
	fmt.Fprintf(out, "}\n\nfunc (p %s) values() url.Values {\nvalues := url.Values{}\n", name)
	for _, q := range op.query {
		fmt.Fprintf(out, "addQuery(values, %q, p.%s)\n", q.name, goName(q.name))
	}
	fmt.Fprint(out, "return values\n}\n\n")
}

func goForm(out *bytes.Buffer, op *operation) {
	if len(op.form) == 0 {
		return
	}
	name := goName(op.id) + "Form"
	fmt.Fprintf(out, "// %s is the form of %s. A zero value is not sent.\ntype %s struct {\n", name, goName(op.id),
		name)
	for _, f := range op.form {
		goDoc(out, "\t", "", f.doc)
		f.typ.nullable = false
		fmt.Fprintf(out, "\t%s %s\n", goName(f.name), goPlain(f.typ))
	}
	fmt.Fprintf(out, "}\n\nfunc (f %s) parts() []part {\nvar parts []part\n", name)
	for _, files := range []bool{false, true} { // fields stand before files, so that these can be streamed
		for _, f := range op.form {
			if isFile(f.typ) == files {
				fmt.Fprintf(out, "parts = addPart(parts, %q, f.%s)\n", f.name, goName(f.name))
			}
		}
	}
	fmt.Fprint(out, "return parts\n}\n\n")
}

func isFile(t typ) bool { return t.kind == fileKind || t.kind == listKind && t.elem.kind == fileKind }

func goOperation(out *bytes.Buffer, op *operation) {
	name := goName(op.id)
	arguments, call := []string{"ctx context.Context"}, []string{fmt.Sprintf("method: %q, path: %s", op.method,
		goPath(op))}
	for _, p := range op.parameters {
		arguments = append(arguments, goLocal(p.name)+" string")
	}
	if op.body != "" {
		arguments, call = append(arguments, "body "+op.body), append(call, "body: body")
	}
	if len(op.form) > 0 {
		arguments, call = append(arguments, "form "+name+"Form"), append(call, "parts: form.parts()")
	}
	if len(op.query) > 0 {
		arguments, call = append(arguments, "params "+name+"Params"), append(call, "query: params.values()")
	}
	arguments = append(arguments, "options ...CallOption")
	result, do := goResult(op)
	goDoc(out, "", name+":", op.doc)
	fmt.Fprintf(out, "func (c *Client) %s(%s) %s {\nreturn %s(ctx, c, request{%s}, options)\n}\n\n", name,
		strings.Join(arguments, ", "), result, do, strings.Join(call, ", "))
	if op.paged() {
		goAll(out, op, name, arguments)
	}
}

// goResult is the type an operation answers, and what calls it.
func goResult(op *operation) (string, string) {
	switch {
	case op.raw:
		return "(*Content, error)", "download"
	case op.answer == nil:
		return "error", "send"
	case op.paged() && op.paging.items == "":
		elem := goType(op.paging.elem)
		return "(Page[" + elem + "], error)", "page[" + elem + "]"
	}
	return "(" + goType(*op.answer) + ", error)", "answer[" + goType(*op.answer) + "]"
}

// goAll writes the iterator over all pages of a list.
func goAll(out *bytes.Buffer, op *operation, name string, arguments []string) {
	elem, call := goType(op.paging.elem), []string{"ctx"}
	for _, p := range op.parameters {
		call = append(call, goLocal(p.name))
	}
	fmt.Fprintf(out, "// %sAll is every entry of %s, page by page. It ends with the first error.\n", name, name)
	fmt.Fprintf(out, "func (c *Client) %sAll(%s) iter.Seq2[%s, error] {\nreturn each(func(token string) ([]%s, string, error) {\n",
		name, strings.Join(arguments, ", "), elem, elem)
	fmt.Fprintf(out, "if token != \"\" {\nparams.%s = token\n}\n", goName(op.paging.send))
	fmt.Fprintf(out, "found, err := c.%s(%s, params, options...)\n", name, strings.Join(call, ", "))
	items, next := "found."+goName(op.paging.items), "textOf(found."+goName(op.paging.next)+")"
	if op.paging.items == "" {
		items, next = "found.Items", "found.NextToken"
	}
	fmt.Fprintf(out, "return %s, %s, err\n})\n}\n\n", items, next)
}

// goPath is the expression of a path with its parameters.
func goPath(op *operation) string {
	var parts []string
	for i, segment := range op.segments() {
		if i%2 == 0 {
			parts = append(parts, strconv.Quote(segment))
			continue
		}
		parts = append(parts, "url.PathEscape("+goLocal(segment)+")")
	}
	return strings.Join(parts, " + ")
}

func goEvents(out *bytes.Buffer, m *model) {
	fmt.Fprintf(out, "// %s\n\npackage dossier\n\n", notice)
	fmt.Fprint(out, "// dataOf makes the empty data of an event, by its type.\nvar dataOf = map[EventType]func() any{\n")
	for _, e := range m.events {
		fmt.Fprintf(out, "EventType%s: func() any { return new(%s) },\n", camel(e.name), goType(e.data))
	}
	fmt.Fprint(out, "}\n")
}

func goCodes(out *bytes.Buffer, m *model) {
	fmt.Fprintf(out, "// %s\n\npackage dossier\n\n// Codes of problems. errors.Is(err, CodeLeadNotFound) says whether err is one.\nconst (\n", notice)
	for _, c := range m.codes {
		goDoc(out, "\t", "", c.title+".")
		fmt.Fprintf(out, "\tCode%s Code = %q\n", goName(c.name), c.name)
	}
	fmt.Fprint(out, ")\n")
}
