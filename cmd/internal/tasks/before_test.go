package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// The release is there as it was, on the schema of this checkout.
func TestCheckOut(t *testing.T) {
	t.Chdir("../../..")
	dir := t.TempDir()
	if err := checkOut(t.Context(), "HEAD", dir); err != nil {
		t.Skip(err) // an archive of the sources has no history
	}
	stale := filepath.Join(dir, migrations, "99999_stale.sql") // as a release would have what is no more
	if err := os.WriteFile(stale, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := copySchema(dir); err != nil {
		t.Fatal(err)
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
	if err := testRelease(t.Context(), nil); err == nil {
		t.Error("a release that is not named is taken")
	}
}

// What is accepted and never delivered, delivered again, or refused is counted, and is a fault.
func TestUpgradeLoad(t *testing.T) {
	var hook string
	var leads atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("POST /save-webhook", func(_ http.ResponseWriter, r *http.Request) {
		var asked struct{ URL string }
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			t.Error(err)
		}
		hook = asked.URL
	})
	mux.HandleFunc("POST /api/v1/leads", func(w http.ResponseWriter, r *http.Request) {
		n := leads.Add(1)
		if n == 7 || r.Header.Get("x-api-key") != "key" || r.Header.Get("Idempotency-Key") == "" {
			http.Error(w, "the schema is not there", http.StatusInternalServerError)
			return
		}
		deliver := 1
		if n == 3 || n == 4 { // one is lost, one comes twice
			deliver = int(n-3) * 2
		}
		for range deliver {
			response, err := http.Post(hook, "application/json",
				strings.NewReader(fmt.Sprintf(`{"data":{"lead":{"id":"%d"}}}`, n)))
			if err != nil {
				t.Error(err)
				continue
			}
			_ = response.Body.Close()
		}
		w.WriteHeader(http.StatusCreated)
		_, _ = fmt.Fprintf(w, `{"lead":{"id":"%d"}}`, n)
	})
	api := httptest.NewServer(mux)
	defer api.Close()
	l, err := newUpgradeLoad(t.Context(), api.URL, "key")
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	for n := range 10 {
		l.make(t.Context(), n)
		if n == 5 {
			l.phase("after it")
		}
	}
	for _, want := range []string{"9 accepted, 1 refused, 1 lost, 1 twice", "(6 leads)", "after it", "(3 leads)"} {
		if !strings.Contains(l.report(), want) {
			t.Errorf("no %q in %q", want, l.report())
		}
	}
	err = l.fault()
	if err == nil || !strings.Contains(err.Error(), "1 of 9 leads lost, 1 twice, 1 requests refused: 500 the schema") {
		t.Error(err)
	}
}
