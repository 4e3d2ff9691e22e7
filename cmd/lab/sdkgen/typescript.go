package sdkgen

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// typescript writes the parts of the client in TypeScript that follow from the document.
func typescript(m *model) (map[string][]byte, error) {
	var types, operations bytes.Buffer
	tsTypes(&types, m)
	tsOperations(&operations, m)
	return map[string][]byte{"typescript/src/types.ts": types.Bytes(),
		"typescript/src/operations.ts": operations.Bytes()}, nil
}

func tsDoc(out *bytes.Buffer, indent, doc string) {
	doc = strings.ReplaceAll(strings.Join(strings.Fields(doc), " "), "*/", "*\\/")
	if doc != "" {
		fmt.Fprintf(out, "%s/** %s */\n", indent, doc)
	}
}

func tsTypes(out *bytes.Buffer, m *model) {
	fmt.Fprintf(out, "// %s\n\nimport type { DossierEvent } from \"./webhooks.js\";\n\nexport type { DossierEvent };\n\n", notice)
	fmt.Fprint(out, "/** The version of the document this client was made from. */\n")
	fmt.Fprintf(out, "export const apiVersion = %q;\n\n", m.version)
	for _, def := range m.types {
		tsDoc(out, "", def.doc)
		if len(def.values) > 0 {
			fmt.Fprintf(out, "export type %s =\n  | %s;\n\n", def.name, strings.Join(quoted(def.values), "\n  | "))
			continue
		}
		fmt.Fprintf(out, "export interface %s {\n", def.name)
		for _, f := range def.fields {
			tsDoc(out, "  ", f.doc)
			fmt.Fprintf(out, "  %s%s: %s;\n", tsKey(f.name), tsMaybe(f.required), tsType(f.typ))
		}
		fmt.Fprint(out, "}\n\n")
	}
	fmt.Fprint(out, "/** The data of each event, by its type. */\nexport interface EventData {\n")
	for _, e := range m.events {
		tsDoc(out, "  ", e.doc)
		fmt.Fprintf(out, "  %q: %s;\n", e.name, tsType(e.data))
	}
	fmt.Fprint(out, "}\n\n/** The codes of problems. More may be added. */\nexport type ProblemCode =\n")
	for i, c := range m.codes {
		fmt.Fprintf(out, "  | %q%s // %s\n", c.name, map[bool]string{true: ";"}[i == len(m.codes)-1], c.title)
	}
}

func quoted(list []string) []string {
	var out []string
	for _, one := range list {
		out = append(out, strconv.Quote(one))
	}
	return out
}

var plainName = regexp.MustCompile(`^[A-Za-z_]\w*$`)

func tsKey(name string) string {
	if plainName.MatchString(name) {
		return name
	}
	return strconv.Quote(name)
}

func tsMaybe(required bool) string {
	if required {
		return ""
	}
	return "?"
}

func tsType(t typ) string {
	out := tsPlain(t)
	if t.nullable {
		out += " | null"
	}
	return out
}

func tsPlain(t typ) string {
	switch t.kind {
	case textKind, timeKind:
		return "string"
	case integerKind, numberKind:
		return "number"
	case booleanKind:
		return "boolean"
	case listKind:
		return "Array<" + tsType(*t.elem) + ">"
	case mapKind:
		return "Record<string, " + tsType(*t.elem) + ">"
	case namedKind:
		if t.name == "Event" { // which browsers have, too
			return "DossierEvent"
		}
		return t.name
	case fileKind:
		return "Upload"
	}
	return "unknown"
}

func tsOperations(out *bytes.Buffer, m *model) {
	fmt.Fprintf(out, "// %s\n\nimport { Transport, type CallOptions, type Download, type Page, type Upload } ", notice)
	fmt.Fprint(out, "from \"./client.js\";\n")
	fmt.Fprint(out, "import type * as t from \"./types.js\";\n\n")
	for _, op := range m.operations {
		tsParameters(out, op)
	}
	fmt.Fprint(out, "/** A client of one workspace: see the README. */\nexport class Dossier extends Transport {\n")
	for i, op := range m.operations {
		if i > 0 {
			fmt.Fprintln(out)
		}
		tsOperation(out, op)
	}
	fmt.Fprint(out, "}\n")
}

func tsParameters(out *bytes.Buffer, op *operation) {
	if len(op.query) > 0 {
		tsInterface(out, "The parameters of `"+op.id+"`.", camel(op.id)+"Params", op.query)
	}
	if len(op.form) > 0 {
		tsInterface(out, "The form of `"+op.id+"`.", camel(op.id)+"Form", op.form)
	}
}

func tsInterface(out *bytes.Buffer, doc, name string, fields []field) {
	tsDoc(out, "", doc)
	fmt.Fprintf(out, "export interface %s {\n", name)
	for _, f := range fields {
		tsDoc(out, "  ", f.doc)
		fmt.Fprintf(out, "  %s%s: %s;\n", tsKey(f.name), tsMaybe(f.required), tsFrom(f.typ))
	}
	fmt.Fprint(out, "}\n\n")
}

var tsNamed = regexp.MustCompile(`\b[A-Z]\w*\b`)

// tsFrom is a type as the operations' file names it.
func tsFrom(t typ) string {
	return tsNamed.ReplaceAllStringFunc(tsType(t), func(name string) string {
		if slices.Contains([]string{"Array", "Record", "Upload"}, name) {
			return name
		}
		return "t." + name
	})
}

func tsOperation(out *bytes.Buffer, op *operation) {
	var arguments []string
	call := []string{fmt.Sprintf("method: %q, path: %s", op.method, tsPath(op))}
	for _, p := range op.parameters {
		arguments = append(arguments, p.name+": string")
	}
	if op.body != "" {
		arguments, call = append(arguments, "body: t."+op.body), append(call, "body")
	}
	if len(op.form) > 0 {
		arguments, call = append(arguments, "form: "+camel(op.id)+"Form"), append(call, "form: { ...form }")
	}
	params := ""
	if len(op.query) > 0 {
		params = "params: " + camel(op.id) + "Params"
		if !slices.ContainsFunc(op.query, func(f field) bool { return f.required }) {
			params += " = {}"
		}
		arguments, call = append(arguments, params), append(call, "query: { ...params }")
	}
	arguments = append(arguments, "options: CallOptions = {}")
	result, do := tsResult(op)
	tsDoc(out, "  ", op.doc)
	fmt.Fprintf(out, "  %s(%s): Promise<%s> {\n    return this.%s({ %s }, options);\n  }\n", op.id,
		strings.Join(arguments, ", "), result,
		do, strings.Join(call, ", "))
	if op.paged() {
		tsAll(out, op, arguments)
	}
}

// tsResult is the type an operation answers, and what calls it.
func tsResult(op *operation) (string, string) {
	switch {
	case op.raw:
		return "Download", "download"
	case op.answer == nil:
		return "void", "send"
	case op.paged() && op.paging.items == "":
		elem := tsFrom(op.paging.elem)
		return "Page<" + elem + ">", "page<" + elem + ">"
	}
	return tsFrom(*op.answer), "answer<" + tsFrom(*op.answer) + ">"
}

func tsAll(out *bytes.Buffer, op *operation, arguments []string) {
	call := ""
	for _, p := range op.parameters {
		call += p.name + ", "
	}
	items, next := "items", "nextToken"
	if op.paging.items != "" {
		items, next = op.paging.items, op.paging.next
	}
	elem := tsFrom(op.paging.elem)
	fmt.Fprintf(out, "\n  /** Every entry of `%s`, page by page. */\n", op.id)
	fmt.Fprintf(out, "  %sAll(%s): AsyncGenerator<%s, void, undefined> {\n    return this.each<%s>(async (token) => {\n", op.id,
		strings.Join(arguments, ", "), elem, elem)
	fmt.Fprintf(out, "      const found = await this.%s(%stoken ? { ...params, %s: token } : params, options);\n",
		op.id, call,
		op.paging.send)
	fmt.Fprintf(out, "      return { items: found.%s ?? [], nextToken: found.%s ?? null };\n    });\n  }\n", items,
		next)
}

func tsPath(op *operation) string {
	var path strings.Builder
	for i, segment := range op.segments() {
		if i%2 == 0 {
			path.WriteString(segment)
			continue
		}
		path.WriteString("${encodeURIComponent(" + segment + ")}")
	}
	return "`" + path.String() + "`"
}
