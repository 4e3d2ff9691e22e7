package dossier_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
)

// Every code that the rooms behind the API can give a caller stands in the table, once.
func TestCodes_are_all_in_the_table(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, table := range [][]dossier.Code{dossier.Codes, dossier.FaultCodes} {
		for _, code := range table {
			if seen[code.Name] {
				t.Errorf("%s is in the table twice", code.Name)
			}
			seen[code.Name] = true
			if code.Title == "" || !strings.HasSuffix(code.Explanation, ".") {
				t.Errorf("%s needs a title and an explanation in whole sentences", code.Name)
			}
		}
	}
	for _, room := range []string{".", "api", "storage"} {
		for file, codes := range codesIn(t, room) {
			for _, code := range codes {
				if !seen[code] {
					t.Errorf("%s uses the code %s, which is not in codes.go", file, code)
				}
			}
		}
	}
}

// codesIn finds the codes of a room's source: arguments of Coded and missing, and the Code of Error and Fault.
func codesIn(t *testing.T, room string) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	err := filepath.WalkDir(room, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && room == "." && path != "." {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || filepath.Base(path) == "codes.go" {
			return nil
		}
		tree, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if code, ok := codeAt(n); ok {
				out[path] = append(out[path], code)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func codeAt(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.CallExpr:
		switch name := lastName(n.Fun); {
		case name == "Coded" && len(n.Args) > 1:
			return literal(n.Args[1])
		case name == "missing" && len(n.Args) == 1:
			noun, ok := literal(n.Args[0])
			return strings.ReplaceAll(noun, " ", "_") + "_not_found", ok
		}
	case *ast.CompositeLit:
		if name := lastName(n.Type); name != "Fault" && name != "Error" {
			return "", false
		}
		for _, element := range n.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok && lastName(pair.Key) == "Code" {
				return literal(pair.Value)
			}
		}
	}
	return "", false
}

func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

func literal(e ast.Expr) (string, bool) {
	basic, ok := e.(*ast.BasicLit)
	if !ok || basic.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(basic.Value)
	return text, err == nil
}
