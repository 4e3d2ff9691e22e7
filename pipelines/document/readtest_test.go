package document

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/google/go-cmp/cmp"
)

// readers share the compiled PDF engine between test runs.
var testCache = sync.OnceValue(func() string { return filepath.Join(os.TempDir(), "dossier-document-test") })

func testReader(t *testing.T, limits Limits) *Reader {
	t.Helper()
	r, err := NewReader(Config{CacheDir: testCache(), Tesseract: Find("tesseract"), Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func mustRead(t *testing.T, data []byte) Reading {
	t.Helper()
	got, err := testReader(t, Limits{}).Read(context.Background(), bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func identityOf(t *testing.T, lines ...string) dossier.ReadDocument {
	t.Helper()
	e := Extract(Decoded{PageCount: 1, Layer: LayerText, Pages: []Page{page(lines...)}})
	return e.Documents[0]
}

// factsOf reads data and returns its only document with the facts as JSON values.
func factsOf(t *testing.T, data []byte) (dossier.ReadDocument, map[string]any) {
	t.Helper()
	got := mustRead(t, data)
	if got.Refusal != nil {
		t.Fatalf("refused: %v", got.Refusal)
	}
	if len(got.Extraction.Documents) != 1 {
		t.Fatalf("%d documents, want 1", len(got.Extraction.Documents))
	}
	d := got.Extraction.Documents[0]
	raw, err := json.Marshal(d.Facts)
	if err != nil {
		t.Fatal(err)
	}
	var facts map[string]any
	if err := json.Unmarshal(raw, &facts); err != nil {
		t.Fatal(err)
	}
	return d, facts
}

// wantFacts compares the named facts; a nil wanted value must not have been found.
func wantFacts(t *testing.T, facts map[string]any, want map[string]any) {
	t.Helper()
	got := map[string]any{}
	for k := range want {
		got[k] = facts[k]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("facts (-want +got)\n%s", diff)
	}
}

// extractFile decodes a text file or a CSV in this process and reads it.
func extractFile(t *testing.T, path string) dossier.Extraction {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	decode := decodeTXT
	if Sniff(data) == mimeCSV {
		decode = decodeCSV
	}
	d, err := decode(data)
	if err != nil {
		t.Fatal(err)
	}
	d.MimeType = Sniff(data)
	return Extract(d)
}

func wantCheck(t *testing.T, doc dossier.ReadDocument, name string, passed bool) {
	t.Helper()
	found := false
	for _, c := range doc.Checks {
		if c.Name == name {
			found = true
			if c.Passed != passed {
				t.Errorf("check %s: %v: %s", name, c.Passed, c.Detail)
			}
		}
	}
	if !found {
		t.Errorf("no check %s", name)
	}
}

// taxDocument is the first return that a file holds.
func taxDocument(t *testing.T, data []byte) dossier.ReadDocument {
	t.Helper()
	got := mustRead(t, data)
	if got.Refusal != nil {
		t.Fatalf("refused: %v", got.Refusal)
	}
	for _, d := range got.Extraction.Documents {
		if d.DocType == dossier.DocTaxReturn {
			return d
		}
	}
	t.Fatalf("no return among %d documents", len(got.Extraction.Documents))
	return dossier.ReadDocument{}
}

func everyFactHasASource(t *testing.T, doc dossier.ReadDocument) {
	t.Helper()
	var walk func(at string, v any)
	walk = func(at string, v any) {
		if m, ok := v.(map[string]any); ok {
			for k, x := range m {
				walk(at+"/"+k, x)
			}
			return
		}
		_, printed := doc.Sources[at]
		_, derived := doc.Derived[at]
		if v != nil && !printed && !derived {
			t.Errorf("%s = %v has no source", at, v)
		}
	}
	walk("", jsonMap(doc.Facts.Tax))
}
