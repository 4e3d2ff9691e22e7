package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
)

// A conversation is a text file of exchanges, each like this:
//
//	== create a key
//	POST /api/v1/api-keys
//	x-actor: ann@example.com
//
//	{"name": "CRM"}
//
//	=> 201
//	Content-Type: application/json
//
//	{"success": true, "apiKey": {"id": "<id:key>", "createdAt": "<time>", "...": "..."}, "key": "<string>"}
//
// Headers and bodies are optional on both sides; lines starting with # are comments; before the request line may
// stand `@advance 1h` (moves the clock) and `@sql <statement>` (one line, runs as superuser). A request header with
// an empty value is not sent (`x-api-key:`). A body of Content-Type multipart/... is written with its boundaries, one
// line each; the line ends of the wire are put in.
//
// In expected JSON the strings <id>, <time>, <string>, <number>, <bool>, <url> and <any> stand for values of that
// form, and <id:name>, <string:name>, ... also keep the value: ${name} is replaced by it in all that follows. A
// member "..." allows an object to have more members, an element "..." an array to have more elements. The body
// "<any>" takes whatever comes.
//
// Of variables there are ${workspace}, ${key}, ${url} and those given to converse.

// exchange is one request and what is expected back.
type exchange struct {
	name     string
	line     int
	setup    []string
	method   string
	path     string
	headers  []string // pairs
	body     string
	status   int
	expected []string // pairs of headers
	answer   string
}

// converse runs testdata/<file> against s, each exchange as a subtest, in order; later ones may use what earlier
// ones kept. vars come in pairs of name and value.
func converse(t *testing.T, s *testServer, file string, vars ...string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]string{"workspace": string(s.Workspace), "key": s.Key, "url": s.URL}
	for i := 0; i+1 < len(vars); i += 2 {
		known[vars[i]] = vars[i+1]
	}
	for _, ex := range parseConversation(t, file, string(text)) {
		ok := t.Run(ex.name, func(t *testing.T) { ex.run(t, s, file, known) })
		if !ok {
			t.Fatalf("%s:%d: the conversation ends here", file, ex.line)
		}
	}
}

func (ex exchange) run(t *testing.T, s *testServer, file string, vars map[string]string) {
	for _, line := range ex.setup {
		command, argument, _ := strings.Cut(fill(t, line, vars), " ")
		switch command {
		case "@advance":
			d, err := time.ParseDuration(argument)
			if err != nil {
				t.Fatal(err)
			}
			s.Clock.Advance(d)
		case "@sql":
			s.Exec(t, argument)
		default:
			t.Fatalf("%s:%d: unknown command %s", file, ex.line, command)
		}
	}
	headers := make([]string, len(ex.headers))
	for i, value := range ex.headers {
		headers[i] = fill(t, value, vars)
	}
	path, body := fill(t, ex.path, vars), fill(t, ex.body, vars)
	if i := slices.Index(headers, "Content-Type"); i >= 0 && strings.HasPrefix(headers[i+1], "multipart/") {
		body = strings.ReplaceAll(body, "\n", "\r\n") + "\r\n"
	}
	got := s.do(t, ex.method, path, body, headers...)
	held(t, fmt.Sprintf("%s:%d", file, ex.line), ex.method, path, headers, body, got)
	if got.Status != ex.status {
		t.Fatalf("%s:%d: %s %s: status %d, want %d\n%s", file, ex.line, ex.method, ex.path, got.Status, ex.status, got.Body)
	}
	for i := 0; i+1 < len(ex.expected); i += 2 {
		want, have := fill(t, ex.expected[i+1], vars), got.Header.Get(ex.expected[i])
		if !matchText(want, have, vars) {
			t.Errorf("%s:%d: header %s is %q, want %q", file, ex.line, ex.expected[i], have, want)
		}
	}
	if ex.answer != "" {
		compareJSON(t, fmt.Sprintf("%s:%d", file, ex.line), fill(t, ex.answer, vars), got.Body, vars)
	}
}

// compareJSON reports the difference between expected and actual JSON.
func compareJSON(t *testing.T, where, want, got string, vars map[string]string) {
	t.Helper()
	wantTree, err := readTree(want)
	if err != nil {
		t.Fatalf("%s: expected JSON: %v\n%s", where, err, want)
	}
	gotTree, err := readTree(got)
	if err != nil {
		t.Fatalf("%s: answer is not JSON: %v\n%s", where, err, got)
	}
	if diff := cmp.Diff(align(wantTree, gotTree, vars), gotTree); diff != "" {
		t.Fatalf("%s: answer (-want +got):\n%s", where, diff)
	}
}

func readTree(text string) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.UseNumber()
	var tree any
	err := decoder.Decode(&tree)
	return tree, err
}

// align returns want with every placeholder that holds replaced by what it stands for, so that a plain diff shows
// only what is wrong.
func align(want, got any, vars map[string]string) any {
	switch want := want.(type) {
	case string:
		if matchValue(want, got, vars) {
			return got
		}
	case map[string]any:
		return alignObject(want, got, vars)
	case []any:
		return alignArray(want, got, vars)
	}
	return want
}

func alignObject(want map[string]any, got any, vars map[string]string) any {
	have, ok := got.(map[string]any)
	if !ok {
		return want
	}
	out := map[string]any{}
	if _, more := want["..."]; more {
		maps.Copy(out, have)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if name != "..." {
			out[name] = align(want[name], have[name], vars)
		}
	}
	return out
}

func alignArray(want []any, got any, vars map[string]string) any {
	have, ok := got.([]any)
	if !ok {
		return want
	}
	out := []any{}
	for i, item := range want {
		if item == "..." {
			return append(out, have[min(i, len(have)):]...)
		}
		var actual any
		if i < len(have) {
			actual = have[i]
		}
		out = append(out, align(item, actual, vars))
	}
	return out
}

var (
	placeholder = regexp.MustCompile(`^<(id|time|string|number|bool|url|any)(?::(\w+))?>$`)
	timeForm    = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)
	variable    = regexp.MustCompile(`\$\{(\w+)\}`)
)

func matchText(want, got string, vars map[string]string) bool {
	return want == got || matchValue(want, got, vars)
}

// matchValue reports whether want is a placeholder for got, and keeps the value if it asks for it.
func matchValue(want string, got any, vars map[string]string) bool {
	m := placeholder.FindStringSubmatch(want)
	if m == nil || !formOf(m[1], got) {
		return false
	}
	if m[2] != "" {
		vars[m[2]] = fmt.Sprint(got)
	}
	return true
}

func formOf(form string, got any) bool {
	text, isText := got.(string)
	switch form {
	case "id":
		return isText && dossier.ValidID(text)
	case "time":
		return isText && timeForm.MatchString(text)
	case "string":
		return isText && text != ""
	case "url":
		return isText && (strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://"))
	case "number":
		_, ok := got.(json.Number)
		return ok
	case "bool":
		_, ok := got.(bool)
		return ok
	}
	return true
}

// fill replaces ${name}.
func fill(t *testing.T, text string, vars map[string]string) string {
	t.Helper()
	return variable.ReplaceAllStringFunc(text, func(found string) string {
		value, ok := vars[found[2:len(found)-1]]
		if !ok {
			t.Fatalf("no variable %s", found)
		}
		return value
	})
}

func parseConversation(t *testing.T, file, text string) []exchange {
	t.Helper()
	var out []exchange
	var current *exchange
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		name, starts := strings.CutPrefix(lines[i], "== ")
		if !starts {
			continue
		}
		end := i + 1
		for end < len(lines) && !strings.HasPrefix(lines[end], "== ") {
			end++
		}
		ex, err := parseExchange(lines[i+1 : end])
		if err != nil {
			t.Fatalf("%s:%d: %v", file, i+1, err)
		}
		ex.name, ex.line = strings.TrimSpace(name), i+1
		out = append(out, ex)
		current = &out[len(out)-1]
		i = end - 1
	}
	if current == nil {
		t.Fatalf("%s has no exchange", file)
	}
	return out
}

func parseExchange(lines []string) (exchange, error) {
	var ex exchange
	lines = slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return strings.HasPrefix(l, "#") })
	at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "=> ") })
	if at < 0 {
		return ex, fmt.Errorf("no line => <status>")
	}
	request, response := lines[:at], lines[at+1:]
	for len(request) > 0 && (request[0] == "" || strings.HasPrefix(request[0], "@")) {
		if request[0] != "" {
			ex.setup = append(ex.setup, request[0])
		}
		request = request[1:]
	}
	if len(request) == 0 {
		return ex, fmt.Errorf("no request line")
	}
	ex.method, ex.path, _ = strings.Cut(request[0], " ")
	ex.headers, ex.body = splitMessage(request[1:])
	ex.expected, ex.answer = splitMessage(response)
	var err error
	ex.status, err = strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(lines[at], "=> ")))
	return ex, err
}

// splitMessage takes headers up to an empty line, then the body.
func splitMessage(lines []string) (headers []string, body string) {
	for i, line := range lines {
		name, value, ok := strings.Cut(line, ":")
		if line == "" || !ok || strings.ContainsAny(name, ` "{[`) {
			return headers, strings.TrimSpace(strings.Join(lines[i:], "\n"))
		}
		headers = append(headers, name, strings.TrimSpace(value))
	}
	return headers, ""
}

// mustJSON is for values that cannot fail to encode.
func mustJSON(value any) []byte {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return data
}
