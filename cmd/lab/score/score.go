// Package score measures how well documents are read: it reads a directory of them and compares facts with what is
// known.
package score

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/reading"
)

// Tally counts how many of the tested things were right.
type Tally struct {
	Right  int `json:"right"`
	Tested int `json:"tested"`
}

func (t *Tally) add(right bool) {
	t.Tested++
	if right {
		t.Right++
	}
}

// Scores is how well the engine reads a directory of documents with known facts.
type Scores struct {
	FieldType Tally            `json:"fieldType"`
	DocType   Tally            `json:"docType"`
	Subtype   Tally            `json:"subtype"`
	Facts     map[string]Tally `json:"facts"`    // by "<docType> <layer>"
	Invented  Tally            `json:"invented"` // Tested: facts known to be absent; Right: those left empty
	Traps     Tally            `json:"traps"`    // look-alikes not taken for a checklist type
	Checks    Tally            `json:"checks"`
	Layers    map[string]Tally `json:"layers"`    // facts of text (text and native layers) and of scans (scanned and image)
	Trust     []TrustBand      `json:"trust"`     // is a type that is given with 0.9 right in nine of ten?
	Printed   []TrustBand      `json:"printed"`   // is a fact whose place was read with 0.9 right in nine of ten?
	Seconds   float64          `json:"seconds"`   // reading time of all files, added
	PeakMiB   int64            `json:"peakMiB"`   // of the greediest file's process
	Tokens    int              `json:"tokens"`    // of a language model
	Taken     int              `json:"taken"`     // values that a language model gave
	Drops     []string         `json:"drops"`     // answers that did not count: why, and of which fact
	Unprinted int              `json:"unprinted"` // of those, such as no page prints where they are said to stand: none
	Files     []FileScore      `json:"files"`
}

// TrustBand is what became of the types, or of the facts, that were given with a probability from From up to the next
// band's.
type TrustBand struct {
	From  float64 `json:"from"`
	Mean  float64 `json:"mean"` // of the probabilities
	Types Tally   `json:"types"`
}

// trustBands are where the bands of probability begin.
var trustBands = []float64{0, 0.6, 0.8, 0.9, 0.95}

// trust counts one type, or one fact, that was given with a probability.
func trust(bands []TrustBand, probability float64, right bool) []TrustBand {
	for len(bands) < len(trustBands) {
		bands = append(bands, TrustBand{From: trustBands[len(bands)]})
	}
	band := &bands[0]
	for i := range bands {
		if probability >= bands[i].From {
			band = &bands[i]
		}
	}
	n := float64(band.Types.Tested)
	band.Mean = (band.Mean*n + probability) / (n + 1)
	band.Types.add(right)
	return bands
}

// FileScore is one file's part of the scores.
type FileScore struct {
	Path    string   `json:"path"`
	DocType string   `json:"docType"`
	Facts   Tally    `json:"facts"`
	Misses  []string `json:"misses"`
	Seconds float64  `json:"seconds"`
	PeakMiB int64    `json:"peakMiB"`
	Refused string   `json:"refused,omitempty"`
}

// expectation is one entry of expected.json.
type expectation struct {
	FieldType dossier.FieldType `json:"fieldType"`
	DocType   dossier.DocType   `json:"docType"`
	Layer     string            `json:"layer"` // empty: as it is read
	Facts     map[string]any    `json:"facts"`
	Pages     any               `json:"pages"`     // of a part of a package: [first, last]
	Printed   []string          `json:"printed"`   // every figure of a financial statement; nil: not known
	Documents []expectation     `json:"documents"` // the parts of a package
}

// untested are expectations that speak of the file, not of what it prints.
var untested = map[string]bool{"issuer": true, "unitPrinted": true, "contains": true, "unit": true, "transaction": true}

// Score reads every file that dir/expected.json knows, several at a time, and compares facts. Amounts are
// compared as numbers, text folded. A null expectation must stay empty, and so must a figure that a financial
// statement does not print. The scores are in the order of the paths.
//
// kept is a directory, or empty: what a file was decoded to is kept there, and taken from there the next time, so that
// rules are scored again without decoding. It is not cleared when the decoder changes.
func Score(ctx context.Context, r *sandbox.Reader, dir, kept string) (Scores, error) {
	set, err := Read(ctx, r, dir, kept)
	if err != nil {
		return Scores{}, err
	}
	return set.Score(ctx, nil)
}

// Set is a directory of documents as the rules read them, beside what is known of them.
type Set struct {
	dir      string
	paths    []string
	readings []timedReading
	expected map[string]expectation
}

// Read reads every file that dir/expected.json knows. dir and kept are those of Score.
func Read(ctx context.Context, r *sandbox.Reader, dir, kept string) (Set, error) {
	expected, err := expectations(dir)
	if err != nil {
		return Set{}, err
	}
	set := Set{dir: dir, paths: slices.Sorted(maps.Keys(expected)), expected: expected}
	set.readings, err = readFiles(ctx, r, dir, kept, set.paths)
	return set, err
}

// expectations are what dir/expected.json knows, by path.
func expectations(dir string) (map[string]expectation, error) {
	raw, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		return nil, fmt.Errorf("score: %w", err)
	}
	var expected struct {
		Files map[string]expectation `json:"files"`
	}
	if err := json.Unmarshal(raw, &expected); err != nil {
		return nil, fmt.Errorf("score: expected.json: %w", err)
	}
	return expected.Files, nil
}

// Score compares what was read with what is known, after a language model filled what the rules left open; second is
// nil: none does. The set stays as it is.
func (set Set) Score(ctx context.Context, second *reading.Reader) (Scores, error) {
	readings := slices.Clone(set.readings)
	if err := set.fill(ctx, second, readings); err != nil {
		return Scores{}, err
	}
	s := Scores{Facts: map[string]Tally{}, Layers: map[string]Tally{}}
	for i, path := range set.paths {
		s.file(path, readings[i], set.expected[path])
	}
	return s, nil
}

// Every is the set with every nth of its files.
func (set Set) Every(n int) Set {
	part := Set{dir: set.dir, expected: set.expected}
	for i := 0; i < len(set.paths); i += n {
		part.paths, part.readings = append(part.paths, set.paths[i]), append(part.readings, set.readings[i])
	}
	return part
}

// timedReading is a reading and how long it took.
type timedReading struct {
	sandbox.Reading
	seconds   float64
	drops     []string
	unprinted int // values of a model whose words no page prints in their place
}

// readFiles reads the files with as many at a time as there are processors.
func readFiles(ctx context.Context, r *sandbox.Reader, dir, kept string, paths []string) ([]timedReading, error) {
	if err := r.Warm(ctx); err != nil { // compiled once, so no file is charged for it
		return nil, err
	}
	readings := make([]timedReading, len(paths))
	errs := make([]error, len(paths))
	var next atomic.Int64
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(paths)); i = next.Add(1) - 1 {
				readings[i], errs[i] = readFile(ctx, r, filepath.Join(dir, paths[i]), kept)
			}
		})
	}
	group.Wait()
	return readings, errors.Join(errs...)
}

func (s *Scores) file(path string, got timedReading, want expectation) {
	score := FileScore{Path: path, Seconds: got.seconds, PeakMiB: got.PeakMiB}
	s.Seconds, s.PeakMiB = s.Seconds+got.seconds, max(s.PeakMiB, got.PeakMiB)
	s.Unprinted, s.Drops = s.Unprinted+got.unprinted, append(s.Drops, got.drops...)
	var docs []dossier.ReadDocument
	layer := "refused"
	if got.Refusal != nil {
		score.Refused = got.Refusal.Code
	} else {
		docs, layer = got.Extraction.Documents, got.Extraction.Layer
		if m := got.Extraction.Model; m != nil {
			s.Tokens, s.Taken = s.Tokens+m.Tokens, s.Taken+m.Taken
		}
	}
	if want.Layer != "" {
		layer = want.Layer
	}
	parts := want.Documents
	if len(parts) == 0 {
		parts = []expectation{want}
	}
	for _, part := range parts {
		doc := bestDocument(docs, part)
		score.DocType = string(doc.DocType)
		s.FieldType.add(doc.FieldType == part.FieldType)
		s.DocType.add(doc.DocType == part.DocType)
		s.Trust = trust(s.Trust, doc.Confidence, doc.DocType == part.DocType)
		if doc.DocType != part.DocType || doc.FieldType != part.FieldType {
			score.Misses = append(score.Misses, fmt.Sprintf("type: want %s for %s, got %s for %s", part.DocType,
				part.FieldType, doc.DocType, doc.FieldType))
		}
		if part.FieldType == dossier.FieldFile {
			s.Traps.add(doc.FieldType == dossier.FieldFile)
		}
		s.compare(&score, doc, part, layer)
	}
	s.Files = append(s.Files, score)
}

// bestDocument is the document of a file that the expectation speaks of: of its pages and type, else of its
// type, else the first.
func bestDocument(docs []dossier.ReadDocument, want expectation) dossier.ReadDocument {
	var best dossier.ReadDocument
	most := -1
	for _, d := range docs {
		points := 0
		if d.DocType == want.DocType {
			points += 2
		}
		if pages, ok := want.Pages.([]any); ok && len(pages) == 2 && pages[0] == float64(d.Pages[0]) {
			points += 3
		}
		if points > most {
			best, most = d, points
		}
	}
	return best
}

// compare walks the expected facts beside the found ones.
func (s *Scores) compare(score *FileScore, doc dossier.ReadDocument, want expectation, layer string) {
	raw, err := json.Marshal(doc.Facts)
	if err != nil {
		return
	}
	var facts map[string]any
	if err := json.Unmarshal(raw, &facts); err != nil {
		return
	}
	if want.Facts["unitPrinted"] == false && warned(doc, "scale_unknown") {
		want.Facts = asPrinted(want.Facts)
	}
	walk := walker{scores: s, file: score, kind: string(want.DocType) + " " + layer, sources: doc.Sources,
		scan: layer == text.LayerScanned || layer == text.LayerImage}
	for _, key := range sortedKeys(want.Facts) {
		if untested[key] {
			continue
		}
		switch key {
		case "form", "taxYear", "idType":
			s.Subtype.add(document.SameFact(want.Facts[key], facts[key]))
		case "reconciles":
			s.Checks.add(document.SameFact(want.Facts[key], facts[key]))
		}
		walk.fact("/"+key, want.Facts[key], facts[key])
	}
	if want.Printed != nil {
		walk.figures(want.Printed, facts)
	}
}

func warned(doc dossier.ReadDocument, code string) bool {
	return slices.ContainsFunc(doc.Warnings, func(w dossier.FactWarning) bool { return w.Code == code })
}

// asPrinted is the expectation of a financial statement that does not print its scale: expected.json states true
// values and their unit, and facts.md wants figures as printed, with a warning.
func asPrinted(facts map[string]any) map[string]any {
	unit, ok := facts["unit"].(float64)
	statements, isMap := facts["statements"].(map[string]any)
	if !ok || !isMap || unit == 0 {
		return facts
	}
	scaled := map[string]any{}
	for kind, columns := range statements {
		var printed []any
		list, _ := columns.([]any)
		for _, column := range list {
			c, _ := column.(map[string]any)
			if c == nil {
				continue
			}
			c = maps.Clone(c)
			values := map[string]any{}
			had, _ := c["values"].(map[string]any)
			for row, value := range had {
				values[row] = value
				if amount, err := dossier.ParseAmount(fmt.Sprint(value)); err == nil {
					values[row] = amount.Div(decimal.NewFromFloat(unit)).String()
				}
			}
			c["values"] = values
			printed = append(printed, c)
		}
		scaled[kind] = printed
	}
	facts = maps.Clone(facts)
	facts["statements"] = scaled
	return facts
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
