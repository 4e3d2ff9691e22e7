package dossier

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// An event type is a constant, an entry of EventTypes and of the API document's enum, and something that the store tells
// of: the recipe of CONTRIBUTING.md, step by step.
func TestRecipe_event_type(t *testing.T) {
	t.Parallel()
	names, values := constantsOf(t, "event.go", "EventType")
	var listed []string
	for _, known := range EventTypes() {
		listed = append(listed, string(known))
	}
	if !slices.Equal(slices.Sorted(slices.Values(listed)), slices.Sorted(slices.Values(values))) {
		t.Errorf("EventTypes lists\n%q\nthe constants are\n%q", listed, values)
	}
	enums, err := os.ReadFile("api/openapi/_enums.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if enum := `EventType: ["` + strings.Join(listed, `", "`) + `"]`; !strings.Contains(string(enums), enum) {
		t.Errorf("api/openapi/_enums.yaml does not have the line\n%s", enum)
	}
	told := eventsTold(t)
	for _, name := range names {
		if !told[name] {
			t.Errorf("nothing in storage/postgres tells of %s", name)
		}
	}
}

// constantsOf are the constants of a type in a file: their names and their values.
func constantsOf(t *testing.T, name, typ string) (names, values []string) {
	t.Helper()
	file, err := parser.ParseFile(gotoken.NewFileSet(), name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if of, ok := spec.Type.(*ast.Ident); ok && of.Name == typ && len(spec.Values) == 1 {
			value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			names, values = append(names, spec.Names[0].Name), append(values, value)
		}
		return true
	})
	return names, values
}

// eventsTold are the names of event types that the store's code names.
func eventsTold(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("storage/postgres/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files of the store, %v", len(files), err)
	}
	told := map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(gotoken.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if of, ok := n.(*ast.SelectorExpr); ok {
				told[of.Sel.Name] = true
			}
			return true
		})
	}
	return told
}
