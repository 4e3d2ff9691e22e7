package worker

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dossierhq/dossier/jobs"
)

func TestHandlers_every_payload_has_one(t *testing.T) {
	t.Parallel()
	handlers := (&Worker{}).handlerTable()
	for _, job := range jobs.All {
		spec := job.Spec()
		if _, ok := handlers[spec.Kind]; !ok {
			t.Errorf("nobody handles %s (%T)", spec.Kind, job)
		}
		if !slices.Contains(jobs.Lanes, spec.Lane) || spec.Timeout <= 0 || spec.Tries <= 0 || strings.Count(spec.Kind, ".") != 1 {
			t.Errorf("%T declares %+v", job, spec)
		}
		delete(handlers, spec.Kind)
	}
	for kind := range handlers {
		t.Errorf("%s has a handler but is not in jobs.All", kind)
	}
}

// A payload type is whatever has a method Spec.
func TestJobs_all_is_all(t *testing.T) {
	t.Parallel()
	listed := map[string]bool{}
	for _, job := range jobs.All {
		listed[reflect.TypeOf(job).Name()] = true
	}
	names, err := filepath.Glob("../*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, declaration := range file.Decls {
			method, ok := declaration.(*ast.FuncDecl)
			if !ok || method.Recv == nil || method.Name.Name != "Spec" {
				continue
			}
			if name := method.Recv.List[0].Type.(*ast.Ident).Name; !listed[name] {
				t.Errorf("jobs.%s is not in jobs.All", name)
			}
		}
	}
}
