package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
)

// statement writes a made-up bank statement as CSV.
func statement(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "statement.csv")
	text := "Date,Description,Amount,Balance\n2026-01-02,Opening deposit,1000.00,1000.00\n2026-01-09,Card payment,-250.50,749.50\n2026-01-30,Deposit,100.00,849.50\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	path := statement(t, dir)
	list := value[[]fileRead](t, operated{}, "read", path, "--rules", "The statement balances reconcile", "--rules", "Purple elephants dance, often")
	if len(list) != 1 || list[0].Extraction == nil || list[0].Extraction.Documents[0].DocType != dossier.DocBankStatement {
		t.Fatalf("%+v", list)
	}
	results := list[0].Validation.Results
	if len(results) != 2 || !results[0].IsValid || results[1].IsValid || list[0].Validation.OverallValid {
		t.Errorf("%+v", results)
	}
	plain := operated{}.do(t, "read", path)
	contains(t, plain, path, "bank_statement (BANK_STATEMENT)", "849.5", "holds")

	page := operated{}.do(t, "read", path, "--html")
	contains(t, page, "<!doctype html>", "statement.csv", "849.5")
	out := filepath.Join(dir, "pages")
	contains(t, operated{}.do(t, "read", path, "--html", "--out", out), "statement.csv.html")
	if written, err := os.ReadFile(filepath.Join(out, "statement.csv.html")); err != nil || !strings.Contains(string(written), "849.5") {
		t.Errorf("the page: %v", err)
	}
}

func TestRead_refused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "broken.pdf")
	if err := os.WriteFile(path, []byte("%PDF-1.7\nnothing follows"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := call(t, nil, "", "read", path, "--json")
	var list []fileRead
	if err := json.Unmarshal([]byte(r.out), &list); err != nil || r.code != 1 || list[0].Refusal == nil || list[0].Refusal.Code != "corrupt" {
		t.Errorf("%+v", r)
	}
	operated{}.refused(t, 1, "no such file", "read", path+"-absent")
	operated{}.refused(t, 2, "--out DIR", "read", path, path, "--html")
}

func TestScore(t *testing.T) {
	dir := t.TempDir()
	statement(t, dir)
	expected := `{"files":{"statement.csv":{"fieldType":"BANK_STATEMENT","docType":"bank_statement","facts":{"closingBalance":"849.50","openingBalance":"5.00"}}}}`
	if err := os.WriteFile(filepath.Join(dir, "expected.json"), []byte(expected), 0o600); err != nil {
		t.Fatal(err)
	}
	scores := value[struct {
		DocType struct{ Right, Tested int }
		Files   []struct{ Misses []string }
	}](t, operated{}, "score", dir)
	if scores.DocType.Right != 1 || scores.DocType.Tested != 1 || len(scores.Files[0].Misses) != 1 {
		t.Errorf("%+v", scores)
	}
	contains(t, operated{}.do(t, "score", dir), "document type", "100.0 %", "/openingBalance: want 5.00")
	if blind := (operated{}).do(t, "score", dir, "--blind"); strings.Contains(blind, "statement.csv") || strings.Contains(blind, "5.00") {
		t.Errorf("a blind score names a file or a value:\n%s", blind)
	}
	kept := t.TempDir()
	for range 2 { // decoded, then from what was kept
		contains(t, operated{}.do(t, "score", dir, "--keep", kept), "/openingBalance: want 5.00")
	}
	if names, err := filepath.Glob(filepath.Join(kept, "*.tokens")); err != nil || len(names) != 1 {
		t.Errorf("kept %v, %v", names, err)
	}
	operated{}.refused(t, 1, "no expected.json", "score", t.TempDir())
	operated{}.refused(t, 2, "DOSSIER_SAMPLES", "score")
}

func TestRules_explain(t *testing.T) {
	t.Parallel()
	list := value[[]explained](t, operated{}, "rules", "explain", "The statement balances reconcile")
	if len(list) != 1 || !list[0].Understood || !strings.Contains(list[0].Reading, "opening balance") {
		t.Errorf("%+v", list)
	}
	r := call(t, nil, "", "rules", "explain", "Purple elephants dance")
	if r.code != 1 || !strings.Contains(r.out, "a person will be asked") {
		t.Errorf("%+v", r)
	}
}

func TestBench(t *testing.T) {
	contains(t, operated{}.do(t, "bench"), "jobs-noop", "enqueue-to-run", "webhooks-slow-endpoint", "api-write", "console", "documents")
	operated{}.refused(t, 2, "there is no measurement", "bench", "luck")
	operated{}.refused(t, 2, "must be positive", "bench", "webhooks", "--repeat", "0")
	operated{}.refused(t, 2, "a directory", "bench", "documents")
	operated{}.refused(t, 2, "--keep DIR goes with seed", "bench", "seed", "100")
	operated{}.refused(t, 2, "--keep DIR goes with seed", "bench", "jobs-noop", "--keep", "kept")
	o := newOperated(t)
	owner := append(o.environ, "DATABASE_MIGRATE_URL="+o.URL) // who may make a database
	r := call(t, owner, "", "bench", "enqueue-to-run", "-n", "3", "--on-server", "--repeat", "2")
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	if r.code != 0 || len(lines) != 2 {
		t.Fatalf("%+v", r)
	}
	for _, line := range lines {
		var result struct {
			Name     string
			Ledgered struct{ Samples int }
		}
		if err := json.Unmarshal([]byte(line), &result); err != nil || result.Name != "enqueue-to-run" || result.Ledgered.Samples != 3 {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestBench_documents(t *testing.T) {
	dir := t.TempDir()
	statement(t, dir)
	result := value[documentsResult](t, operated{}, "bench", "documents", dir, "--only-dir")
	if len(result.Files) != 1 || result.Files[0].File != "statement.csv" || result.Files[0].DocType != "bank_statement" || result.Files[0].Seconds <= 0 || result.Files[0].CPU <= 0 || result.Files[0].PeakMiB <= 0 || result.Bars != nil {
		t.Errorf("%+v", result)
	}
}

func TestDocumentsResult_sum(t *testing.T) {
	r := documentsResult{Files: []documentTime{
		{Layer: "text", Pages: 2, Seconds: 0.4, CPU: 0.1, PeakMiB: 90, Bare: 0.1},
		{Layer: "text", Pages: 1, Seconds: 0.1, PeakMiB: 70, Bare: 0.1},
		{Layer: "text", Pages: 10, Seconds: 5},
		{Layer: "image", Pages: 1, Seconds: 2, CPU: 1.5},
		{Layer: "native", Pages: 1, Seconds: 9},
	}}
	r.sum()
	if r.TextPageCPU != 0 || r.ScannedPageCPU != 1.5 || r.TextPage != 0.2 || r.ScannedPage != 2 || r.PeakMiB != 90 || r.Ratio != 2.5 || r.P50 != 2 || r.Max != 9 || r.Seconds != 16.5 {
		t.Errorf("%+v", r)
	}
}

// The made documents have as many pages as their row of the result says, and scans have no words.
func TestBench_documents_made(t *testing.T) {
	for _, kind := range made {
		s := kind.make(1)
		if n := max(s.Truth.Pages, 1); n != kind.Pages {
			t.Errorf("%s: %d pages", kind.Name, n)
		}
		if scan := !strings.Contains(kind.Name, "of text"); scan == (s.Truth.Layer == "text") {
			t.Errorf("%s: layer %s", kind.Name, s.Truth.Layer)
		}
	}
}
