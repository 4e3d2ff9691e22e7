package api

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"
)

var update = flag.Bool("update", false, "write examples and enums of the OpenAPI document")

// testSpec is the document of the real route table.
func testSpec(t *testing.T) *spec {
	t.Helper()
	s, err := loadSpec((&Server{}).routes())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Every row has its words, and says all that a reader needs.
func TestOpenAPI_every_operation_is_described(t *testing.T) {
	t.Parallel()
	document := loadDocument(t, testSpec(t).json)
	for _, row := range (&Server{}).routes() {
		item := document.Paths.Value(row.path)
		if item == nil || item.GetOperation(row.method) == nil {
			t.Errorf("%s %s: openapi/<noun>.yaml has no operation %s", row.method, row.path, row.name())
			continue
		}
		operation := item.GetOperation(row.method)
		if operation.Summary == "" || operation.Tags[0] == "" {
			t.Errorf("%s needs a summary and a tag", row.name())
		}
		for _, p := range operation.Parameters {
			if p.Value.Description == "" {
				t.Errorf("%s: parameter %s needs a description", row.name(), p.Value.Name)
			}
		}
		if row.scope != "" && strings.Contains(row.path, "{") && operation.Responses.Value("404") == nil {
			t.Errorf("%s has an id in its path and no problem of status 404", row.name())
		}
	}
}

// The document is valid OpenAPI 3.1 and its examples fit their schemas.
func TestOpenAPI_is_valid(t *testing.T) {
	t.Parallel()
	document := loadDocument(t, testSpec(t).json)
	if err := document.Validate(t.Context(), openapi3.EnableExamplesValidation()); err != nil {
		t.Error(err)
	}
	if document.OpenAPI != "3.1.0" {
		t.Errorf("version %s", document.OpenAPI)
	}
}

// Every operation with JSON has an example that a conversation recorded.
func TestOpenAPI_every_operation_has_an_example(t *testing.T) {
	t.Parallel()
	for _, row := range (&Server{}).routes() {
		e := exampleOf(row.name())
		if row.body != nil && !row.mayBeEmpty && e.Request == nil || row.answer != nil && e.Answer == nil {
			t.Errorf("%s has no example: let a conversation use it, with -update", row.name())
		}
	}
	files, err := openapiFiles.ReadDir("openapi/examples")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(file.Name(), ".json")
		if !slices.ContainsFunc((&Server{}).routes(), func(r route) bool { return r.name() == name }) {
			t.Errorf("openapi/examples/%s is of no operation", file.Name())
		}
	}
}

// The closed sets of the document are the constants of the root package.
func TestOpenAPI_enums(t *testing.T) {
	t.Parallel()
	constants := stringConstants(t, "..")
	want := map[string][]string{}
	for name, schema := range testSpec(t).document["components"].(object)["schemas"].(object) {
		if values := constants[name]; len(values) > 0 && schema.(object)["type"] == "string" {
			want[name] = values
		}
	}
	if *update {
		var text bytes.Buffer
		text.WriteString("# Written by go test ./api -run TestOpenAPI_enums -update, from the constants of the root package.\n")
		for _, name := range slices.Sorted(maps.Keys(want)) {
			fmt.Fprintf(&text, "%s: [%s]\n", name, strings.Join(quoted(want[name]), ", "))
		}
		if err := os.WriteFile("openapi/_enums.yaml", text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	var got map[string][]string
	data, err := os.ReadFile("openapi/_enums.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("openapi/_enums.yaml differs from the root's constants; run with -update (-want +got):\n%s", diff)
	}
}

func quoted(values []string) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = strconv.Quote(v)
	}
	return out
}

// stringConstants reads the constants of each named string type of a package, in the order of the source.
func stringConstants(t *testing.T, dir string) map[string][]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, file := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, declaration := range tree.Decls {
			general, ok := declaration.(*ast.GenDecl)
			if !ok || general.Tok != token.CONST || strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, s := range general.Specs {
				addConstant(out, s.(*ast.ValueSpec))
			}
		}
	}
	return out
}

func addConstant(out map[string][]string, s *ast.ValueSpec) {
	kind, ok := s.Type.(*ast.Ident)
	if !ok {
		return
	}
	for _, value := range s.Values {
		if literal, ok := value.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			text, _ := strconv.Unquote(literal.Value)
			out[kind.Name] = append(out[kind.Name], text)
		}
	}
}

func loadDocument(t *testing.T, text []byte) *openapi3.T {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	return document
}
