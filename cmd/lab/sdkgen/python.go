package sdkgen

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// python writes the parts of the client in Python that follow from the document.
func python(m *model) (map[string][]byte, error) {
	var types, operations, problems bytes.Buffer
	pyTypes(&types, m)
	pyOperations(&operations, m)
	pyProblems(&problems, m)
	return map[string][]byte{"python/src/dossier/types.py": types.Bytes(),
		"python/src/dossier/_operations.py": operations.Bytes(),
		"python/src/dossier/problems.py":    problems.Bytes()}, nil
}

// pyKeywords cannot be names.
var pyKeywords = []string{
	"from", "class", "def", "is", "in", "not", "import", "global", "pass", "with", "as", "or", "and", "if",
}

func pyTypes(out *bytes.Buffer, m *model) {
	fmt.Fprintf(out, "# %s\n\"\"\"Objects of the API, as dictionaries with the names of the wire.\"\"\"\n\n", notice)
	fmt.Fprint(out, "from __future__ import annotations\n\nfrom decimal import Decimal\nfrom typing import Any, Dict, List, Literal, Optional, "+
		"TypedDict, Union\n\nfrom typing import NotRequired\n\n")
	fmt.Fprintf(out, "API_VERSION = %q\n\n", m.version)
	for _, def := range m.types {
		if len(def.values) > 0 {
			fmt.Fprintf(out, "%s = Literal[\n    %s,\n]\n\n", def.name, strings.Join(quoted(def.values), ",\n    "))
			continue
		}
		pyDict(out, def)
	}
	var union []string
	for _, e := range m.events {
		name := "Event" + camel(e.name)
		union = append(union, strconv.Quote(name))
		pyEvent(out, name, e)
	}
	fmt.Fprintf(out, "Event = Union[\n    %s,\n]\n", strings.Join(union, ",\n    "))
}

func pyEvent(out *bytes.Buffer, name string, e event) {
	fmt.Fprintf(out, "\nclass %s(TypedDict):\n", name)
	pyDoc(out, "    ", e.doc)
	fmt.Fprintf(out, "    id: str\n    type: Literal[%q]\n    timestamp: str\n    workspaceId: str\n", e.name)
	fmt.Fprintf(out, "    livemode: NotRequired[bool]\n    apiVersion: NotRequired[str]\n    data: %s\n\n",
		pyType(e.data))
}

func pyDict(out *bytes.Buffer, def *typeDef) {
	strange := func(f field) bool { return !plainName.MatchString(f.name) || slices.Contains(pyKeywords, f.name) }
	if slices.ContainsFunc(def.fields, strange) {
		fmt.Fprintf(out, "\n%s = TypedDict(\n    %q,\n    {\n", def.name, def.name)
		for _, f := range def.fields {
			fmt.Fprintf(out, "        %q: %q,\n", f.name, pyField(f))
		}
		fmt.Fprint(out, "    },\n)\n\n")
		return
	}
	fmt.Fprintf(out, "\nclass %s(TypedDict):\n", def.name)
	pyDoc(out, "    ", def.doc)
	for _, f := range def.fields {
		fmt.Fprintf(out, "    %s: %s\n", f.name, pyField(f))
		pyDoc(out, "    ", f.doc)
	}
	fmt.Fprint(out, "\n")
}

func pyField(f field) string {
	if f.required {
		return pyType(f.typ)
	}
	return "NotRequired[" + pyType(f.typ) + "]"
}

func pyDoc(out *bytes.Buffer, indent, doc string) {
	doc = strings.Join(strings.Fields(doc), " ")
	if doc != "" {
		doc = strings.ReplaceAll(strings.ReplaceAll(doc, `\`, `\\`), `"`, `\"`)
		fmt.Fprintf(out, "%s\"\"\"%s\"\"\"\n", indent, doc)
	}
}

func pyType(t typ) string {
	plain := pyPlain(t)
	if t.nullable && plain != "Any" {
		return "Optional[" + plain + "]"
	}
	return plain
}

func pyPlain(t typ) string {
	switch t.kind {
	case textKind, timeKind:
		return "str"
	case integerKind:
		return "int"
	case numberKind:
		return "Union[int, Decimal]"
	case booleanKind:
		return "bool"
	case listKind:
		return "List[" + pyType(*t.elem) + "]"
	case mapKind:
		return "Dict[str, " + pyType(*t.elem) + "]"
	case namedKind:
		return t.name
	case fileKind:
		return "Upload"
	}
	return "Any"
}

func pyProblems(out *bytes.Buffer, m *model) {
	fmt.Fprintf(out, "# %s\n\"\"\"An exception for each code of a problem.\"\"\"\n\nfrom __future__ import annotations\n\n", notice)
	fmt.Fprint(out, "from typing import Dict, Type\n\nfrom ._problem import Problem\n\n")
	for _, c := range m.codes {
		fmt.Fprintf(out, "\nclass %s(Problem):\n", pyProblem(c.name))
		pyDoc(out, "    ", c.title+".")
		fmt.Fprint(out, "\n")
	}
	fmt.Fprint(out, "\nBY_CODE: Dict[str, Type[Problem]] = {\n")
	for _, c := range m.codes {
		fmt.Fprintf(out, "    %q: %s,\n", c.name, pyProblem(c.name))
	}
	fmt.Fprint(out, "}\n")
}

func pyProblem(code string) string { return camel(code) }

func pyOperations(out *bytes.Buffer, m *model) {
	fmt.Fprintf(out, "# %s\n\nfrom __future__ import annotations\n\n", notice)
	fmt.Fprint(out, "from typing import Any, Iterator, List, Optional, Sequence\n\n")
	fmt.Fprint(out, "from . import types as t\nfrom ._transport import Download, Page, Transport, Upload, segment\n\n\n")
	fmt.Fprint(out, "class Client(Transport):\n    \"\"\"A client of one workspace: see the README.\"\"\"\n")
	for _, op := range m.operations {
		pyOperation(out, op)
	}
}

func pyLocal(name string) string {
	local := snake(name)
	if slices.Contains(pyKeywords, local) {
		local += "_"
	}
	return local
}

func pyOperation(out *bytes.Buffer, op *operation) {
	arguments, named := []string{"self"}, []string{}
	call := []string{strconv.Quote(op.method), pyPath(op)}
	for _, p := range op.parameters {
		arguments = append(arguments, pyLocal(p.name)+": str")
	}
	if op.body != "" {
		arguments, call = append(arguments, "body: t."+op.body), append(call, "body=body")
	}
	var query, form []string
	for _, q := range op.query {
		named = append(named, pyArgument(q))
		query = append(query, strconv.Quote(q.name)+": "+pyLocal(q.name))
	}
	for _, f := range op.form {
		named = append(named, pyArgument(f))
		form = append(form, strconv.Quote(f.name)+": "+pyLocal(f.name))
	}
	if len(query) > 0 {
		call = append(call, "query={"+strings.Join(query, ", ")+"}")
	}
	if len(form) > 0 {
		call = append(call, "form={"+strings.Join(form, ", ")+"}")
	}
	if op.writes {
		named = append(named, "idempotency_key: Optional[str] = None", "actor: Optional[str] = None")
		call = append(call, "idempotency_key=idempotency_key", "actor=actor")
	}
	pyMethod(out, op, arguments, named, call)
}

func pyMethod(out *bytes.Buffer, op *operation, arguments, named, call []string) {
	required := func(a, b string) int { return strings.Count(a, "=") - strings.Count(b, "=") }
	slices.SortStableFunc(named, required) // first
	if len(named) > 0 {
		arguments = append(arguments, append([]string{"*"}, named...)...)
	}
	result, do := pyResult(op)
	fmt.Fprintf(out, "\n    def %s(%s) -> %s:\n", snake(op.id), strings.Join(arguments, ", "), result)
	pyDoc(out, "        ", op.doc)
	word := "return "
	if op.answer == nil && !op.raw {
		word = ""
	}
	text := fmt.Sprintf("self.%s(%s)", do, strings.Join(call, ", "))
	if do == "_answer" {
		fmt.Fprintf(out, "        answer: %s = %s\n        return answer\n", result, text)
	} else {
		fmt.Fprintf(out, "        %s%s\n", word, text)
	}
	if op.paged() {
		pyAll(out, op, arguments)
	}
}

// pyResult is the type an operation answers, and what calls it.
func pyResult(op *operation) (string, string) {
	switch {
	case op.raw:
		return "Download", "_download"
	case op.answer == nil:
		return "None", "_send"
	case op.paged() && op.paging.items == "":
		return "Page[" + pyFrom(op.paging.elem) + "]", "_page"
	}
	return pyFrom(*op.answer), "_answer"
}

// pyFrom is a type as the operations' file names it.
func pyFrom(t typ) string {
	switch {
	case t.kind == namedKind:
		t.name = "t." + t.name
	case t.elem != nil:
		inner := *t.elem
		if inner.kind == namedKind {
			inner.name = "t." + inner.name
		}
		t.elem = &inner
	}
	return pyType(t)
}

func pyArgument(f field) string {
	name := pyLocal(f.name)
	t := pyFrom(f.typ)
	if f.typ.kind == listKind {
		t = "Sequence" + strings.TrimPrefix(t, "List")
	}
	if f.required {
		return name + ": " + t
	}
	if !f.typ.nullable && t != "Any" {
		t = "Optional[" + t + "]"
	}
	return name + ": " + t + " = None"
}

func pyAll(out *bytes.Buffer, op *operation, arguments []string) {
	call := []string{}
	for _, p := range op.parameters {
		call = append(call, pyLocal(p.name))
	}
	for _, q := range op.query {
		value := pyLocal(q.name)
		if q.name == op.paging.send {
			value = "token_ or " + value
		}
		call = append(call, pyLocal(q.name)+"="+value)
	}
	elem := pyFrom(op.paging.elem)
	fmt.Fprintf(out, "\n    def %s_all(%s) -> Iterator[%s]:\n", snake(op.id), strings.Join(arguments, ", "), elem)
	fmt.Fprintf(out, "        \"\"\"Every entry of `%s`, page by page.\"\"\"\n\n", snake(op.id))
	fmt.Fprintf(out, "        def page(token_: Optional[str]) -> Page[%s]:\n            found = self.%s(%s)\n", elem,
		snake(op.id),
		strings.Join(call, ", "))
	if op.paging.items == "" {
		fmt.Fprint(out, "            return found\n")
	} else {
		fmt.Fprintf(out, "            return Page(found.get(%q) or [], found.get(%q))\n", op.paging.items,
			op.paging.next)
	}
	fmt.Fprint(out, "\n        return self._each(page)\n")
}

// pyPath is the expression of a path with its parameters.
func pyPath(op *operation) string {
	var path strings.Builder
	for i, s := range op.segments() {
		if i%2 == 0 {
			path.WriteString(s)
			continue
		}
		path.WriteString("{segment(" + pyLocal(s) + ")}")
	}
	if len(op.parameters) == 0 {
		return strconv.Quote(path.String())
	}
	return "f" + strconv.Quote(path.String())
}
