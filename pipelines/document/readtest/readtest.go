// Package readtest reads documents for tests. It is imported from _test.go files only.
package readtest

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/decode"
	"github.com/dossierhq/dossier/pipelines/document/decode/office"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Reader reads files in a process of its own, the running one's program.
func Reader(t *testing.T, limits decode.Limits) *sandbox.Reader {
	t.Helper()
	r, err := sandbox.NewReader(sandbox.Config{CacheDir: documenttest.Cache(), Tesseract: sandbox.Find("tesseract"),
		Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// With reads a file with a reader of many.
func With(t *testing.T, r *sandbox.Reader, data []byte) sandbox.Reading {
	t.Helper()
	got, err := r.Read(context.Background(), bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// Must reads a file.
func Must(t *testing.T, data []byte) sandbox.Reading {
	t.Helper()
	got, err := Reader(t, decode.Limits{}).Read(context.Background(), bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// Lines reads a page of lines; "|" parts cells.
func Lines(t *testing.T, lines ...string) dossier.ReadDocument {
	t.Helper()
	e := document.Extract(text.Decoded{PageCount: 1, Layer: text.LayerText,
		Pages: []text.Page{documenttest.Page(lines...)}})
	return e.Documents[0]
}

// Facts reads data and returns its only document with the facts as JSON values.
func Facts(t *testing.T, data []byte) (dossier.ReadDocument, map[string]any) {
	t.Helper()
	got := Must(t, data)
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

// WantFacts compares the named facts; a nil wanted value must not have been found.
func WantFacts(t *testing.T, facts map[string]any, want map[string]any) {
	t.Helper()
	got := map[string]any{}
	for k := range want {
		got[k] = facts[k]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("facts (-want +got)\n%s", diff)
	}
}

// Extract decodes a text file or a CSV in this process and reads it.
func Extract(t *testing.T, path string) dossier.Extraction {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	str := office.TXT
	if decode.Sniff(data) == decode.MIMECSV {
		str = office.CSV
	}
	d, err := str(data)
	if err != nil {
		t.Fatal(err)
	}
	d.MimeType = decode.Sniff(data)
	return document.Extract(d)
}

func WantCheck(t *testing.T, doc dossier.ReadDocument, name string, passed bool) {
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

// TaxReturn is the first return that a file holds.
func TaxReturn(t *testing.T, data []byte) dossier.ReadDocument {
	t.Helper()
	got := Must(t, data)
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

func EveryFactHasASource(t *testing.T, doc dossier.ReadDocument) {
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
	walk("", documenttest.JSONMap(doc.Facts.Tax))
}
