// Command counters measures the house: for each room of the product its files, lines, functions and exported names, and
// what has to be none: lines over 120 columns, functions with more than 20 branches and files of more than 450 lines.
// It counts the checkout in which it is run, without tests and generated code:
//
//	go run ./cmd/lab/counters
package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
)

const (
	maxColumns  = 120 // a tab counts four
	maxBranches = 20
	maxLines    = 450
)

// room is what was counted in one package.
type room struct {
	files, lines, functions, exported int
	arrows, cyclic                    int // between its files, and those of them that lie on a circle
	wide, branchy, long               []string
}

func main() {
	dir := flag.String("dir", ".", "the root of the checkout")
	list := flag.Bool("list", false, "also list each line, function and file that is over a limit")
	flag.Parse()
	rooms, err := count(*dir)
	if err == nil {
		err = write(os.Stdout, rooms, *list)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// count measures every package of the product below dir; cmd/lab, tests and what only tests import are left out.
func count(dir string) (map[string]*room, error) {
	packages := map[string]map[string]string{} // room: file name: text
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if entry.IsDir() {
			if skipped(name, entry.Name()) && path != dir {
				return fs.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		in := "root"
		if folder := filepath.ToSlash(filepath.Dir(name)); folder != "." {
			in = folder
		}
		if packages[in] == nil {
			packages[in] = map[string]string{}
		}
		packages[in][name] = string(text)
		return nil
	})
	if err != nil {
		return nil, err
	}
	rooms := map[string]*room{}
	for name, files := range packages {
		if rooms[name], err = measure(files); err != nil {
			return nil, err
		}
	}
	return rooms, nil
}

// skipped reports whether a directory holds no code of the product.
func skipped(name, base string) bool {
	return strings.HasPrefix(base, ".") || base == "testdata" || base == "node_modules" ||
		strings.HasSuffix(base, "test") || name == "cmd/lab"
}

// measure counts one package.
func measure(files map[string]string) (*room, error) {
	r := &room{}
	fset := token.NewFileSet()
	parsed := map[string]*ast.File{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		file, err := parser.ParseFile(fset, name, files[name], parser.ParseComments)
		if err != nil {
			return nil, err
		}
		if ast.IsGenerated(file) {
			continue
		}
		parsed[name] = file
		r.files++
		r.text(name, files[name])
		for _, declaration := range file.Decls {
			r.declaration(fset, declaration)
		}
	}
	r.countCycles(parsed)
	return r, nil
}

// text counts lines, and finds those that are too wide and whether they are too many for one file.
func (r *room) text(name, text string) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	r.lines += len(lines)
	if len(lines) > maxLines {
		r.long = append(r.long, fmt.Sprintf("%s: %d lines", name, len(lines)))
	}
	for i, line := range lines {
		if width := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t"); width > maxColumns {
			r.wide = append(r.wide, fmt.Sprintf("%s:%d: %d columns", name, i+1, width))
		}
	}
}

func (r *room) declaration(fset *token.FileSet, declaration ast.Decl) {
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		r.functions++
		if n := branches(d); n > maxBranches {
			r.branchy = append(r.branchy, fmt.Sprintf("%s: %s has %d branches", fset.Position(d.Pos()), d.Name.Name, n))
		}
		if d.Name.IsExported() {
			r.exported++
		}
	case *ast.GenDecl:
		for _, name := range names(d) {
			if ast.IsExported(name) {
				r.exported++
			}
		}
	}
}

// branches counts the decisions of a function: if, for, case, && and ||.
func branches(f *ast.FuncDecl) int {
	n := 0
	ast.Inspect(f, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			n += min(len(node.List), 1)
		case *ast.CommClause:
			if node.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if node.Op == token.LAND || node.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

// names are what a declaration of types, constants or variables declares.
func names(d *ast.GenDecl) []string {
	var declared []string
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			declared = append(declared, spec.Name.Name)
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				declared = append(declared, name.Name)
			}
		}
	}
	return declared
}

// countCycles counts the dependencies between the files of a package (one uses a name that another declares) and those
// that are part of a cycle. Methods and fields are not followed.
func (r *room) countCycles(files map[string]*ast.File) {
	home := map[string]string{}
	for name, file := range files {
		for _, declaration := range file.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					home[d.Name.Name] = name
				}
			case *ast.GenDecl:
				for _, declared := range names(d) {
					home[declared] = name
				}
			}
		}
	}
	uses := map[string]map[string]bool{}
	for name, file := range files {
		uses[name] = map[string]bool{}
		for _, used := range file.Unresolved {
			if other := home[used.Name]; other != "" && other != name {
				uses[name][other] = true
			}
		}
	}
	for from := range uses {
		for to := range uses[from] {
			r.arrows++
			if reaches(uses, to, from, map[string]bool{}) {
				r.cyclic++
			}
		}
	}
}

func reaches(uses map[string]map[string]bool, from, to string, seen map[string]bool) bool {
	if from == to {
		return true
	}
	seen[from] = true
	for next := range uses[from] {
		if !seen[next] && reaches(uses, next, to, seen) {
			return true
		}
	}
	return false
}

// write prints the table, the product's own rooms first, and a line for each of the two parts.
func write(out io.Writer, rooms map[string]*room, list bool) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "room\tfiles\tlines\tfunctions\texported\tarrows\ton circles\twide lines\tbranchy\tlong\t")
	row := func(name string, r *room) {
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", name, r.files, r.lines, r.functions,
			r.exported, r.arrows, r.cyclic, len(r.wide), len(r.branchy), len(r.long))
	}
	for _, programs := range []bool{false, true} {
		var total room
		for _, name := range slices.Sorted(maps.Keys(rooms)) {
			if strings.HasPrefix(name, "cmd/") == programs {
				row(name, rooms[name])
				total.add(rooms[name])
			}
		}
		row(map[bool]string{false: "all rooms", true: "all programs"}[programs], &total)
		if list {
			defer func() {
				for _, place := range slices.Concat(total.wide, total.branchy, total.long) {
					fmt.Fprintln(out, place)
				}
			}()
		}
	}
	return table.Flush()
}

func (r *room) add(other *room) {
	r.files, r.lines, r.functions = r.files+other.files, r.lines+other.lines, r.functions+other.functions
	r.exported, r.arrows, r.cyclic = r.exported+other.exported, r.arrows+other.arrows, r.cyclic+other.cyclic
	r.wide, r.branchy = append(r.wide, other.wide...), append(r.branchy, other.branchy...)
	r.long = append(r.long, other.long...)
}
