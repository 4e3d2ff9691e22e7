package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The release is there as it was, on the schema of this checkout.
func TestCheckOut(t *testing.T) {
	t.Chdir("../../..")
	dir := t.TempDir()
	if err := checkOut(t.Context(), "HEAD", dir); err != nil {
		t.Skip(err) // an archive of the sources has no history
	}
	if _, err := os.Stat(filepath.Join(dir, "jobs/worker/worker.go")); err != nil {
		t.Error(err)
	}
	here, err := os.ReadDir(migrations)
	if err != nil {
		t.Fatal(err)
	}
	there, err := os.ReadDir(filepath.Join(dir, migrations))
	if err != nil || len(there) != len(here) {
		t.Errorf("%d migrations beside %d: %v", len(there), len(here), err)
	}
	if err := before(t.Context(), nil); err == nil {
		t.Error("a release that is not named is taken")
	}
}
