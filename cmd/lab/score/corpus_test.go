package score_test

import (
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/score"
	"github.com/dossierhq/dossier/cmd/lab/scripted"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
	"github.com/dossierhq/dossier/pipelines/llm"
	"github.com/dossierhq/dossier/pipelines/reading"
)

// TestScore_corpus reads documents that were made up by a package that does not know the reader, and counts
// what was read right: 60 documents, or 500 where DOSSIER_LONG is set.
func TestScore_corpus(t *testing.T) {
	t.Parallel()
	n := 60
	if os.Getenv("DOSSIER_LONG") != "" {
		n = 500
	}
	dir := t.TempDir()
	if err := specimen.WriteDir(dir, specimen.Corpus(1, n)); err != nil {
		t.Fatal(err)
	}
	set := read(t, dir)
	s := counted(t, set)
	part := set.Every(3)
	partly, err := part.Score(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	scriptedModels(t, part, partly)
	for what, tally := range map[string]score.Tally{"absent facts left empty": s.Invented, "look-alikes not taken": s.Traps} {
		if tally.Right != tally.Tested {
			t.Errorf("%s: %d of %d", what, tally.Right, tally.Tested)
		}
	}
	for _, band := range s.Trust { // a type that is given with 0.9 is right in nine of ten
		n := band.Types.Tested
		if n < 10 {
			continue
		}
		short := band.Mean - float64(band.Types.Right)/float64(n)
		luck := 2 * math.Sqrt(band.Mean*(1-band.Mean)/float64(n)) // a few that are all right do not make it too modest
		if short > 0.1 || -short > 0.1+luck {
			t.Errorf("types given with %.2f on average are right in %d of %d", band.Mean, band.Types.Right, n)
		}
	}
	for layer, least := range map[string]float64{"text": 98, "scan": 88} {
		tally := s.Layers[layer]
		if share := 100 * float64(tally.Right) / float64(max(tally.Tested, 1)); share < least {
			t.Errorf("facts of %s: %d of %d are %.1f %%, want %.0f", layer, tally.Right, tally.Tested, share, least)
		}
	}
}

// scores reads dir and logs the scores with their numerators and denominators.
func scores(t *testing.T, dir string) score.Scores {
	t.Helper()
	return counted(t, read(t, dir))
}

// scriptedModels has a model of every script read further in a set that the rules read to off: a perfect one loses nothing, a
// lying one costs next to nothing, and whatever one says, no value is taken that is not printed, and none is invented.
func scriptedModels(t *testing.T, set score.Set, off score.Scores) {
	t.Helper()
	ask := func(set score.Set, script scripted.Script) (*scripted.Server, score.Scores) {
		server := scripted.New(script, set.Known()...)
		web := httptest.NewServer(server)
		defer web.Close()
		model, err := llm.New(llm.Config{URL: web.URL, Name: "scripted", Backoff: time.Microsecond, HTTP: web.Client(), Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		s, err := set.Score(t.Context(), &reading.Reader{Model: model, Settings: dossier.ReadingSettings{Model: dossier.ReadingFill, TokensPerDocument: 1 << 30}})
		if err != nil {
			t.Fatal(err)
		}
		return server, s
	}
	server, blank := ask(set.Blank(), scripted.Right)
	if given := server.Given(); given < 50 || blank.Taken*100 < given*85 || blank.Unprinted > 0 {
		t.Errorf("of %d facts that a perfect model gave %d were taken, %d of them not printed", given, blank.Taken, blank.Unprinted)
	}
	t.Logf("dropped of a perfect model alone:\n%s", strings.Join(blank.Drops, "\n"))
	if _, s := ask(set.Blank(), scripted.Lying); s.Taken > 0 {
		t.Errorf("a lying model alone: %d values were taken", s.Taken)
	}
	for _, script := range []scripted.Script{scripted.Right, scripted.Lying, scripted.Wrong, scripted.Quoting, scripted.Obeying} { // others: TestFill_scripts
		_, s := ask(set, script)
		share := func(s score.Scores) float64 { return 100 * float64(total(s).Right) / float64(total(s).Tested) }
		t.Logf("%s: %.2f %% of the facts are right, %.2f %% without a model; %d taken", script, share(s), share(off), s.Taken)
		if s.Unprinted > 0 || s.Invented.Right < off.Invented.Right {
			t.Errorf("%s: %d values that are not printed, %d absent facts left empty of %d", script, s.Unprinted, s.Invented.Right, off.Invented.Right)
		}
		if share(s) < share(off)-0.5 || script == scripted.Right && share(s) < max(97, share(off)) {
			t.Errorf("%s: %.2f %% of the facts are right, %.2f %% without a model", script, share(s), share(off))
		}
	}
}

func total(s score.Scores) (sum score.Tally) {
	for _, tally := range s.Facts {
		sum.Right, sum.Tested = sum.Right+tally.Right, sum.Tested+tally.Tested
	}
	return sum
}

// read reads dir by the rules.
func read(t *testing.T, dir string) score.Set {
	t.Helper()
	tesseract := sandbox.Find("tesseract")
	if tesseract == "" {
		t.Skip("tesseract is not installed: scans cannot be scored")
	}
	reader, err := sandbox.NewReader(sandbox.Config{CacheDir: filepath.Join(os.TempDir(), "dossier-test-pdfium"), Tesseract: tesseract})
	if err != nil {
		t.Fatal(err)
	}
	set, err := score.Read(t.Context(), reader, dir, "")
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func counted(t *testing.T, set score.Set) score.Scores {
	t.Helper()
	s, err := set.Score(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range s.Files {
		if len(f.Misses) == 0 && f.Refused == "" {
			continue
		}
		fmt.Fprintf(&b, "%s: %s, %d of %d facts %s\n", f.Path, f.DocType, f.Facts.Right, f.Facts.Tested, f.Refused)
		for _, miss := range f.Misses[:min(len(f.Misses), 40)] {
			fmt.Fprintf(&b, "    %.150s\n", miss)
		}
	}
	row := func(what string, tally score.Tally) {
		fmt.Fprintf(&b, "%-40s %5d / %5d\n", what, tally.Right, tally.Tested)
	}
	row("field type", s.FieldType)
	row("document type", s.DocType)
	row("subtype", s.Subtype)
	row("look-alikes not taken", s.Traps)
	row("absent facts left empty", s.Invented)
	row("checks", s.Checks)
	for _, band := range s.Trust {
		row(fmt.Sprintf("types given with %.2f", band.Mean), band.Types)
	}
	for _, kind := range slices.Sorted(maps.Keys(s.Facts)) {
		row("facts of "+kind, s.Facts[kind])
	}
	for _, layer := range slices.Sorted(maps.Keys(s.Layers)) {
		row("all facts of "+layer, s.Layers[layer])
	}
	fmt.Fprintf(&b, "%d files, %.1f s of reading, at most %d MiB a file", len(s.Files), s.Seconds, s.PeakMiB)
	t.Log("\n" + b.String())
	return s
}
