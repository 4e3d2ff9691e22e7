package api

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// released is what the last release promised, a promise a line. With -update it is written anew when the version of the
// document is another than the file's: a release is what was said when its version began, and more.
const releasedFile = "testdata/released.txt"

// promises are what clients rest on in a document, one line each: operations, parameters, fields of bodies (<) and of
// answers and events (>) with their types, words that a body may hold, bounds, and what must be sent.
type promises struct {
	document object
	lines    map[string]bool
	seen     map[string]bool
}

func promised(document object) map[string]bool {
	p := &promises{document, map[string]bool{}, map[string]bool{}}
	paths, _ := document["paths"].(object)
	for path, item := range paths {
		for method, op := range item.(object) {
			p.operation(strings.ToUpper(method)+" "+path, op.(object))
		}
	}
	events, _ := document["webhooks"].(object)
	for name, item := range events {
		p.lines["event "+name] = true
		p.schema("event "+name, ">", content(item.(object)["post"].(object)["requestBody"])["schema"])
	}
	return p.lines
}

func (p *promises) operation(name string, op object) {
	p.lines[name] = true
	list, _ := op["parameters"].([]any)
	for _, entry := range list {
		parameter := p.resolve(entry.(object))
		at := name + " ?" + text(parameter["name"])
		if required, _ := parameter["required"].(bool); required {
			p.lines[at+" required"] = true
		}
		p.schema(at, "<", parameter["schema"])
	}
	if body, ok := op["requestBody"].(object); ok {
		p.schema(name, "<", content(body)["schema"])
	}
	responses, _ := op["responses"].(object)
	for status, response := range responses {
		if status[0] == '2' {
			p.lines[name+" "+status] = true
			if media := content(p.resolve(response.(object))); media != nil {
				p.schema(name+" "+status, ">", media["schema"])
			}
		}
	}
}

func (p *promises) resolve(schema object) object {
	return (&spec{document: p.document}).resolve(schema)
}

// schema notes what a schema promises at a place. Named ones stand for themselves, once for each direction.
func (p *promises) schema(at, way string, of any) {
	schema, ok := of.(object)
	if !ok {
		return
	}
	if ref, named := schema["$ref"].(string); named {
		name := ref[strings.LastIndex(ref, "/")+1:]
		p.lines[at+" "+way+" "+name] = true
		if !p.seen[way+name] {
			p.seen[way+name] = true
			p.schema(name, way, p.resolve(schema))
		}
		return
	}
	if kind := schema["type"]; kind != nil && !everyKind(kind) {
		p.lines[fmt.Sprintf("%s %s type %v", at, way, kind)] = true
	}
	for _, word := range []string{"anyOf", "oneOf", "allOf"} {
		options, _ := schema[word].([]any)
		for i, option := range options {
			p.schema(at+"|"+strconv.Itoa(i), way, option)
		}
	}
	properties, _ := schema["properties"].(object)
	for name, property := range properties {
		p.lines[at+"."+name+" "+way] = true
		p.schema(at+"."+name, way, property)
	}
	p.schema(at+"[]", way, schema["items"])
	p.schema(at+".*", way, schema["additionalProperties"])
	if way == "<" {
		p.sent(at, schema)
	}
}

// everyKind says that a type promises nothing: a value of every kind.
func everyKind(kind any) bool {
	kinds, _ := kind.([]any)
	return len(kinds) >= 6
}

// sent notes what only bodies and parameters promise.
func (p *promises) sent(at string, schema object) {
	switch words := schema["enum"].(type) {
	case []string:
		for _, word := range words {
			p.lines[at+" = "+word] = true
		}
	case []any:
		for _, word := range words {
			p.lines[fmt.Sprintf("%s = %v", at, word)] = true
		}
	}
	for _, bound := range []string{"maxLength", "maxItems", "maximum", "minLength", "minItems", "minimum"} {
		if n, ok := schema[bound]; ok {
			p.lines[fmt.Sprintf("%s %s %v", at, bound, n)] = true
		}
	}
	required, _ := schema["required"].([]any)
	for _, name := range required {
		p.lines[fmt.Sprintf("%s.%v required", at, name)] = true
	}
}

// breaks are the promises of before that are broken now.
func breaks(before, now map[string]bool) []string {
	var out []string
	for line := range before {
		if !now[line] && !strings.HasSuffix(line, " required") && !wider(line, now) {
			out = append(out, "- "+line)
		}
	}
	for line := range now {
		at, must := strings.CutSuffix(line, " required")
		owner, _, _ := strings.Cut(at, " ?")
		if i := strings.LastIndex(at, "."); owner == at && i > 0 {
			owner = at[:i]
		}
		if must && !before[line] && stood(owner, before) {
			out = append(out, "+ "+line)
		}
		if at, _, bound := boundOf(line); bound != "" && !before[line] && stood(at, before) && !bounded(at, bound, before) {
			out = append(out, "+ "+line)
		}
	}
	slices.Sort(out)
	return out
}

// stood says whether something of that place was promised before.
func stood(at string, before map[string]bool) bool {
	for line := range before {
		if line == at || strings.HasPrefix(line, at+" ") || strings.HasPrefix(line, at+".") {
			return true
		}
	}
	return false
}

// boundOf reads a line about a bound; bound is empty for others.
func boundOf(line string) (at string, n float64, bound string) {
	words := strings.Fields(line)
	if len(words) < 3 || !strings.HasPrefix(words[len(words)-2], "m") {
		return "", 0, ""
	}
	bound = words[len(words)-2]
	n, err := strconv.ParseFloat(words[len(words)-1], 64)
	if err != nil || !strings.HasPrefix(bound, "max") && !strings.HasPrefix(bound, "min") {
		return "", 0, ""
	}
	return strings.Join(words[:len(words)-2], " "), n, bound
}

func bounded(at, bound string, lines map[string]bool) bool {
	for line := range lines {
		if strings.HasPrefix(line, at+" "+bound+" ") {
			return true
		}
	}
	return false
}

// wider says that a bound went, or lets more through than before.
func wider(line string, now map[string]bool) bool {
	at, before, bound := boundOf(line)
	if bound == "" {
		return false
	}
	for other := range now {
		if place, after, name := boundOf(other); place == at && name == bound {
			return (after > before) == strings.HasPrefix(bound, "max")
		}
	}
	return true
}

// What the last release promised holds, unless the log of changes names what does not: `breaks` of a change has the line
// as the failure prints it.
func TestOpenAPI_keeps_promises(t *testing.T) {
	t.Parallel()
	document := testSpec(t).document
	now := promised(document)
	version := text(document["info"].(object)["version"])
	stored, err := os.ReadFile(releasedFile)
	if *update && (err != nil || !bytes.HasPrefix(stored, []byte("# "+version+"\n"))) {
		stored = []byte("# " + version + "\n" + strings.Join(slices.Sorted(maps.Keys(now)), "\n") + "\n")
		err = os.WriteFile(releasedFile, stored, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	before := map[string]bool{}
	for lines := bufio.NewScanner(bytes.NewReader(stored)); lines.Scan(); {
		if line := lines.Text(); !strings.HasPrefix(line, "#") {
			before[line] = true
		}
	}
	if len(before) < 1000 {
		t.Fatalf("%s has %d promises", releasedFile, len(before))
	}
	log, err := loadChangelog()
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, release := range log.Releases {
		for _, change := range release.Changes {
			for _, line := range change.Breaks {
				named[line] = true
			}
		}
	}
	for _, line := range breaks(before, now) {
		if !named[line] {
			t.Errorf("clients of the last release break: %q; put it back, or name it in breaks of api/changelog.yaml", line)
		}
	}
}

// Each way to break a client is found, and what breaks none is not.
func TestOpenAPI_breaks(t *testing.T) {
	t.Parallel()
	document := func(edit func(property, body, answer, operation object)) object {
		property := object{"type": "string", "maxLength": 10, "enum": []string{"a", "b"}}
		body := object{"type": "object", "properties": object{"name": property}, "required": []any{}}
		answer := object{"type": "object", "properties": object{"id": object{"type": "string"}}}
		operation := object{"requestBody": object{"content": object{"application/json": object{"schema": body}}},
			"responses": object{"200": object{"content": object{"application/json": object{"schema": answer}}}}}
		d := object{"paths": object{"/x": object{"post": operation}}}
		edit(property, body, answer, operation)
		return d
	}
	before := promised(document(func(_, _, _, _ object) {}))
	for name, edit := range map[string]func(property, body, answer, operation object){
		"- POST /x 200.id >":             func(_, _, a, _ object) { delete(a["properties"].(object), "id") },
		"- POST /x 200.id > type string": func(_, _, a, _ object) { a["properties"].(object)["id"] = object{"type": "integer"} },
		"- POST /x.name <":               func(_, b, _, _ object) { delete(b["properties"].(object), "name") },
		"+ POST /x.name required":        func(_, b, _, _ object) { b["required"] = []any{"name"} },
		"- POST /x.name = b":             func(p, _, _, _ object) { p["enum"] = []string{"a", "c"} },
		"- POST /x.name maxLength 10":    func(p, _, _, _ object) { p["maxLength"] = 5 },
		"+ POST /x.name minLength 2":     func(p, _, _, _ object) { p["minLength"] = 2 },
		"+ POST /x ?mode required":       func(_, _, _, o object) { o["parameters"] = []any{object{"name": "mode", "required": true}} },
		"- POST /x 200":                  func(_, _, _, o object) { o["responses"] = object{"201": object{}} },
		"":                               func(p, _, _, _ object) { p["maxLength"] = 20; p["enum"] = []string{"a", "b", "c"} },
		" a new field and parameter, both": func(_, b, a, o object) {
			b["properties"].(object)["more"], a["properties"].(object)["more"] = object{"type": "string"}, object{"type": "string"}
			o["parameters"] = []any{object{"name": "mode"}}
		},
	} {
		found := breaks(before, promised(document(edit)))
		if name == "" || name[0] == ' ' {
			if len(found) > 0 {
				t.Errorf("%q: %q", name, found)
			}
		} else if !slices.Contains(found, name) {
			t.Errorf("%q is not found: %q", name, found)
		}
	}
	if found := breaks(before, promised(object{})); !slices.Contains(found, "- POST /x") {
		t.Errorf("an operation that went: %q", found)
	}
}
