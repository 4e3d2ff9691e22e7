package postgres_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// written is a statement as it stands in the source of the store.
type written struct {
	where  string // file:line
	method string // whose body it stands in; empty for a constant
	sql    string
}

// varies has one value of each part of a statement that is not constant, by its name.
var varies = map[string]string{
	"rowEstimateHint": " BETWEEN 1 AND 2147483647", // behind its column
	"lock":            " FOR UPDATE",
	"addressColumn":   "l.phone_number",
	"countList":       "leads, items",
	"countSums":       "1",
	"countsReplaced":  "items = excluded.items",
	"countsAdded":     "items = report_hours.items + excluded.items",
	"update":          "UPDATE jobs SET status = 'QUEUED'",
	"ofTest":          "false",
	"leadMoment":      "l.created_at",
	"table":           "leads",
	"pastFloor":       "true",
	"condition":       "lead_id = $2",
	"objects":         "SELECT object_key k FROM documents WHERE workspace_id = $1 AND id = $2::uuid",
	"erased":          "SELECT id::text FROM documents t WHERE workspace_id = $1 AND lead_id = $2",
	"sql":             "SELECT j.id FROM jobs j WHERE j.status = 'FAILED' ORDER BY j.id LIMIT 10",
}

var verb = regexp.MustCompile(`^\s*\(?(SELECT|INSERT|UPDATE|DELETE|WITH)\b`)

// source is the store's package, as far as its texts can be put together.
type source struct {
	files   *token.FileSet
	texts   map[string]ast.Expr // constants by name
	pieces  map[string]bool     // constants that are only pieces of longer texts
	found   []written
	method  string   // that is being read
	strange []string // parts that vary and are not known
}

// writtenStatements are all statements of the store's source. Constants are put in their places, and a constant that
// stands by itself nowhere is no statement.
func writtenStatements(t *testing.T) []written {
	t.Helper()
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	s := &source{files: token.NewFileSet(), texts: map[string]ast.Expr{}, pieces: map[string]bool{}}
	var parsed []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(s.files, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, file)
		ast.Inspect(file, s.constant)
	}
	for _, file := range parsed {
		ast.Inspect(file, s.piece)
	}
	for _, file := range parsed {
		ast.Inspect(file, s.bare)
	}
	for _, file := range parsed {
		ast.Inspect(file, s.statement)
	}
	for _, part := range s.strange {
		t.Errorf("%s varies in a statement: give a value of it in varies", part)
	}
	for i, w := range s.found { // as it is sent: the names of parameters are ours
		sql, args, err := pgx.NamedArgs{}.RewriteQuery(t.Context(), nil, w.sql, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(args) > 0 {
			s.found[i].sql = sql
		}
	}
	return s.found
}

func (s *source) constant(n ast.Node) bool {
	decl, ok := n.(*ast.GenDecl)
	if !ok || decl.Tok != token.CONST {
		return true
	}
	for _, spec := range decl.Specs {
		value := spec.(*ast.ValueSpec)
		for i, name := range value.Names {
			if i < len(value.Values) {
				s.texts[name.Name] = value.Values[i]
			}
		}
	}
	return true
}

// piece notes the constants that a longer text is put together of.
func (s *source) piece(n ast.Node) bool {
	if sum, ok := n.(*ast.BinaryExpr); ok && sum.Op == token.ADD {
		for _, part := range []ast.Expr{sum.X, sum.Y} {
			if name, ok := part.(*ast.Ident); ok && s.texts[name.Name] != nil {
				s.pieces[name.Name] = true
			}
		}
	}
	return true
}

// bare takes those back that are also sent as they are.
func (s *source) bare(n ast.Node) bool {
	if call, ok := n.(*ast.CallExpr); ok {
		for _, arg := range call.Args {
			if name, ok := arg.(*ast.Ident); ok {
				delete(s.pieces, name.Name)
			}
		}
	}
	return true
}

func (s *source) statement(n ast.Node) bool {
	switch e := n.(type) {
	case *ast.FuncDecl:
		s.method = e.Name.Name
	case *ast.GenDecl:
		if e.Tok == token.IMPORT {
			return false
		}
	case *ast.AssignStmt: // a value of a part
		name, ok := e.Lhs[0].(*ast.Ident)
		return !ok || varies[name.Name] == ""
	case *ast.ValueSpec:
		for i := range e.Values {
			if s.pieces[e.Names[i].Name] {
				return false
			}
		}
	case *ast.BinaryExpr, *ast.BasicLit:
		known := len(s.strange)
		text := s.text(e.(ast.Expr))
		if verb.MatchString(text) {
			at := s.files.Position(n.Pos())
			s.found = append(s.found, written{at.Filename + ":" + strconv.Itoa(at.Line), s.method, numbered(text)})
		} else {
			s.strange = s.strange[:known]
		}
		return false
	}
	return true
}

// numbered gives places of parameters that are counted at run time their numbers.
func numbered(sql string) string {
	for n := 1; strings.Contains(sql, "$%d"); n++ {
		sql = strings.Replace(sql, "$%d", "$"+strconv.Itoa(n), 1)
	}
	return sql
}

// text puts a text together.
func (s *source) text(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(e.Value) // a number is no text
		return text
	case *ast.ParenExpr:
		return s.text(e.X)
	case *ast.BinaryExpr:
		return s.text(e.X) + s.text(e.Y)
	case *ast.CallExpr:
		text := ""
		for _, arg := range e.Args {
			text += s.text(arg)
		}
		return text + s.text(e.Fun)
	case *ast.Ident:
		if constant := s.texts[e.Name]; constant != nil {
			return s.text(constant)
		}
		if value, ok := varies[e.Name]; ok {
			return value
		}
		s.strange = append(s.strange, s.files.Position(e.Pos()).String()+": "+e.Name)
	}
	return ""
}
