package documenttest

import (
	"os"
	"path/filepath"
	"testing"
)

// FindSamples is the directory of real documents with their checked facts (expected.json): the one that DOSSIER_SAMPLES
// names, else shared/samples/documents beside the checkout, else "". They are licensed for testing only and are no part
// of the repository.
func FindSamples(t testing.TB) string {
	t.Helper()
	dir, named := os.Getenv("DOSSIER_SAMPLES"), true
	if dir == "" {
		dir, named = filepath.Join(root(t), "..", "shared", "samples", "documents"), false
	}
	if _, err := os.Stat(filepath.Join(dir, "expected.json")); err == nil {
		return dir
	} else if named {
		t.Fatal(err)
	}
	return ""
}

// Samples is FindSamples for a test that is about them alone: without them it is skipped.
func Samples(t testing.TB) string {
	t.Helper()
	dir := FindSamples(t)
	if dir == "" {
		t.Skip("no sample documents: set DOSSIER_SAMPLES")
	}
	return dir
}

// root is the directory of go.mod.
func root(t testing.TB) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		dir = filepath.Dir(dir)
	}
	t.Fatal("no go.mod above the test")
	return ""
}
