package api

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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

// At most 1,500 lines of each client are written by hand (integrate.md section 4); all else is made from the document.
func TestOpenAPI_clients_by_hand(t *testing.T) {
	t.Parallel()
	made, err := sdkgen.Files(testSpec(t).json)
	if err != nil {
		t.Fatal(err)
	}
	for client, ending := range map[string]string{"go": ".go", "typescript/src": ".ts", "python/src": ".py"} {
		lines := 0
		err := filepath.WalkDir(filepath.Join("sdk", client), func(path string, _ fs.DirEntry, err error) error {
			name, _ := filepath.Rel("sdk", path)
			if err != nil || !strings.HasSuffix(path, ending) || strings.HasSuffix(path, "_test.go") || made[filepath.ToSlash(name)] != nil {
				return err
			}
			text, err := os.ReadFile(path)
			lines += bytes.Count(text, []byte("\n"))
			return err
		})
		if err != nil || lines == 0 || lines > 1500 {
			t.Errorf("%s: %d lines are written by hand, %v", client, lines, err)
		}
	}
}
