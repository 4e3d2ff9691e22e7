package tax_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

// Each fixture is a page or more as a tax program prints it; the .want file beside it gives the type and facts by
// pointer, "-" for those that must be absent.
func TestTaxReturn_layouts(t *testing.T) {
	wants, err := filepath.Glob("testdata/returns/*.want")
	if err != nil || len(wants) < 10 {
		t.Fatalf("%d fixtures, %v", len(wants), err)
	}
	for _, path := range wants {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".want"), func(t *testing.T) {
			doc := readtest.Extract(t, strings.TrimSuffix(path, ".want")+".txt").Documents[0]
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(raw)) {
				at, want, _ := strings.Cut(strings.TrimSpace(line), " ")
				switch {
				case at == "docType":
					if string(doc.DocType) != want {
						t.Fatalf("read as %s, want %s", doc.DocType, want)
					}
				case strings.HasPrefix(at, "check:"):
					readtest.WantCheck(t, doc, strings.TrimPrefix(at, "check:"), want == "passed")
				default:
					if got := document.FactAt(doc.Facts, at); got != want && (want != "-" || got != "") {
						t.Errorf("%s = %q, want %q", at, got, want)
					}
				}
			}
			if doc.Facts.Tax != nil {
				readtest.EveryFactHasASource(t, doc)
			}
		})
	}
}
