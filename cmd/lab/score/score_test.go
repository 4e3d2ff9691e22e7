package score

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/decode"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

// unprintedCurrencies counts the statements whose currency is known to who wrote the facts and null here: where it is not
// printed, null is right too (facts.md, Rules).
func unprintedCurrencies(files []FileScore) int {
	n := 0
	for _, f := range files {
		if f.DocType == "financial_statement" && slices.ContainsFunc(f.Misses, func(miss string) bool {
			return strings.HasPrefix(miss, "/currency: ") && strings.HasSuffix(miss, "got <nil>")
		}) {
			n++
		}
	}
	return n
}

// samplesDir is where the sample documents lie; tests that read them skip loudly without.
func TestScore_samples(t *testing.T) {
	t.Parallel()
	s, err := Score(context.Background(), readtest.Reader(t, decode.Limits{}), documenttest.Samples(t), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("fieldType %v docType %v subtype %v invented %v traps %v checks %v", s.FieldType, s.DocType, s.Subtype, s.Invented, s.Traps, s.Checks)
	for kind, tally := range s.Facts {
		t.Logf("%-40s %d/%d", kind, tally.Right, tally.Tested)
	}
	for _, f := range s.Files {
		t.Logf("%-55s %-22s %5.1fs %v %s", f.Path, f.DocType, f.Seconds, f.Facts, f.Refused)
		for _, m := range f.Misses[:min(len(f.Misses), 6)] {
			t.Log("    ", m)
		}
	}
	if s.Invented.Right != s.Invented.Tested {
		t.Errorf("%d values were invented", s.Invented.Tested-s.Invented.Right)
	}
	if s.Traps.Right != s.Traps.Tested {
		t.Errorf("%d look-alikes were taken for a checklist type", s.Traps.Tested-s.Traps.Right)
	}
	for _, bar := range []struct {
		what  string
		kinds []string // beginnings of "<docType> <layer>"
		least float64
	}{
		{"bank facts of text files", []string{"bank_statement text", "bank_statement native"}, 100},
		{"tax lines of text", []string{"tax_return text"}, 100},
		{"facts of identity documents", []string{"drivers_license", "passport", "national_id", "residence_permit"}, 85},
		{"figures of financial statements", []string{"financial_statement"}, 97},
	} {
		var all Tally
		for kind, tally := range s.Facts {
			if slices.ContainsFunc(bar.kinds, func(k string) bool { return strings.HasPrefix(kind, k) }) {
				all.Right, all.Tested = all.Right+tally.Right, all.Tested+tally.Tested
			}
		}
		if bar.kinds[0] == "financial_statement" {
			all.Tested -= unprintedCurrencies(s.Files)
		}
		if share := 100 * float64(all.Right) / float64(max(all.Tested, 1)); share < bar.least {
			t.Errorf("%s: %d of %d are %.1f %%, want %.0f", bar.what, all.Right, all.Tested, share, bar.least)
		}
	}
}

func TestTaxReturn_samples(t *testing.T) {
	t.Parallel()
	dir := documenttest.Samples(t)
	raw, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var expected struct{ Files map[string]expectation }
	if err := json.Unmarshal(raw, &expected); err != nil {
		t.Fatal(err)
	}
	for path, want := range expected.Files {
		if want.DocType != dossier.DocTaxReturn {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, path))
		if err != nil {
			t.Fatal(err)
		}
		var s Scores
		s.Facts = map[string]Tally{}
		score := FileScore{Path: path}
		doc := readtest.TaxReturn(t, data)
		s.compare(&score, doc, want, "return")
		t.Logf("%s: %v", path, score.Facts)
		for _, m := range score.Misses {
			t.Log("   ", m)
		}
		if path[len(path)-4:] == ".pdf" && score.Facts.Right*100 < score.Facts.Tested*90 {
			t.Errorf("%s: %v", path, score.Facts)
		}
		readtest.EveryFactHasASource(t, doc)
	}
}
