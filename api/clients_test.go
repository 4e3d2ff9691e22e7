package api

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/dossierhq/dossier/cmd/lab/sdkgen"
)

// The clients in api/sdk fit the document: `make clients` makes them again.
func TestOpenAPI_clients(t *testing.T) {
	t.Parallel()
	files, err := sdkgen.Files(testSpec(t).json)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		file := filepath.Join("sdk", filepath.FromSlash(name))
		if *update {
			if err := os.WriteFile(file, want, 0o644); err != nil {
				t.Error(err)
			}
			continue
		}
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s no longer fits the OpenAPI document (%v); make clients writes it anew", file, err)
		}
	}
}
