package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every line of the table names text that is there once, and a test that there is.
func TestRead(t *testing.T) {
	t.Parallel()
	mutants, err := read()
	if err != nil || len(mutants) == 0 {
		t.Fatal(len(mutants), err)
	}
	names := map[string]bool{}
	for _, m := range mutants {
		if names[m.Name] {
			t.Errorf("%s stands there twice", m.Name)
		}
		names[m.Name] = true
		if _, err := m.changed("../../.."); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
		room, test, _ := strings.Cut(m.Test, " ")
		if !hasTest(t, filepath.Join("../../..", room), strings.TrimSuffix(test, "$")) {
			t.Errorf("%s: there is no %s", m.Name, m.Test)
		}
	}
}

func hasTest(t *testing.T, room, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(room, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if regexp.MustCompile(`(?m)^func ` + name).Match(text) {
			return true
		}
	}
	return false
}

// A test that fails has caught a mutant; one that passes has not; a change that does not compile is neither.
func TestMutant_try(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":      "module example.com/sum\n\ngo 1.26\n",
		"sum.go":      "package sum\n\nfunc sum(a, b int) int { return a + b }\n",
		"sum_test.go": "package sum\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {\n\tif sum(2, 2) != 4 {\n\t\tt.Error(\"no\")\n\t}\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		new     string
		caught  bool
		failure string
	}{
		{"a - b", true, ""}, {"a * b", false, ""}, {"a +", false, "syntax error"},
	} {
		m := mutant{Name: "sum", File: "sum.go", Old: "a + b", New: test.new, Test: ". TestSum"}
		caught, _, err := m.try(t.Context(), dir)
		if caught != test.caught || (err == nil) != (test.failure == "") || err != nil && !strings.Contains(err.Error(), test.failure) {
			t.Errorf("%s: caught %v, %v", test.new, caught, err)
		}
	}
	var out bytes.Buffer
	if err := run(context.Background(), "../../..", "there is none", &out); err != nil || out.Len() > 0 {
		t.Errorf("%v, %s", err, &out)
	}
}
