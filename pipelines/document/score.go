package document

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
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
	Files     []FileScore      `json:"files"`
}

// FileScore is one file's part of the scores.
type FileScore struct {
	Path    string   `json:"path"`
	DocType string   `json:"docType"`
	Facts   Tally    `json:"facts"`
	Misses  []string `json:"misses"`
	Seconds float64  `json:"seconds"`
	Refused string   `json:"refused,omitempty"`
}

// expectation is one entry of expected.json.
type expectation struct {
	FieldType dossier.FieldType `json:"fieldType"`
	DocType   dossier.DocType   `json:"docType"`
	Facts     map[string]any    `json:"facts"`
}

// untested are expectations that speak of the file, not of what it prints.
var untested = map[string]bool{"issuer": true, "unitPrinted": true, "contains": true, "unit": true, "transaction": true}

// Score reads every file that dir/expected.json knows and compares facts. Amounts are compared as numbers,
// text folded. A null expectation must stay empty.
func Score(ctx context.Context, r *Reader, dir string) (Scores, error) {
	raw, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		return Scores{}, fmt.Errorf("score: %w", err)
	}
	var expected struct {
		Files map[string]expectation `json:"files"`
	}
	if err := json.Unmarshal(raw, &expected); err != nil {
		return Scores{}, fmt.Errorf("score: expected.json: %w", err)
	}
	paths := make([]string, 0, len(expected.Files))
	for path := range expected.Files {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	s := Scores{Facts: map[string]Tally{}}
	for _, path := range paths {
		if err := s.file(ctx, r, dir, path, expected.Files[path]); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (s *Scores) file(ctx context.Context, r *Reader, dir, path string, want expectation) error {
	f, err := os.Open(filepath.Join(dir, path))
	if err != nil {
		return fmt.Errorf("score: %w", err)
	}
	defer f.Close()
	started := time.Now()
	got, err := r.Read(ctx, f)
	if err != nil {
		return fmt.Errorf("score %s: %w", path, err)
	}
	score := FileScore{Path: path, Seconds: time.Since(started).Seconds()}
	doc, layer := dossier.ReadDocument{}, "refused"
	if got.Refusal != nil {
		score.Refused = got.Refusal.Code
	} else {
		doc, layer = bestDocument(got.Extraction.Documents, want), got.Extraction.Layer
	}
	score.DocType = string(doc.DocType)
	s.FieldType.add(doc.FieldType == want.FieldType)
	s.DocType.add(doc.DocType == want.DocType)
	if want.FieldType == dossier.FieldFile {
		s.Traps.add(doc.FieldType == dossier.FieldFile)
	}
	s.compare(&score, doc, want, string(want.DocType)+" "+layer)
	s.Files = append(s.Files, score)
	return nil
}

// bestDocument is the document of a file that the expectation speaks of: of its type, else the first.
func bestDocument(docs []dossier.ReadDocument, want expectation) dossier.ReadDocument {
	for _, d := range docs {
		if d.DocType == want.DocType {
			return d
		}
	}
	if len(docs) == 0 {
		return dossier.ReadDocument{}
	}
	return docs[0]
}

// compare walks the expected facts beside the found ones.
func (s *Scores) compare(score *FileScore, doc dossier.ReadDocument, want expectation, kind string) {
	raw, err := json.Marshal(doc.Facts)
	if err != nil {
		return
	}
	var facts map[string]any
	if err := json.Unmarshal(raw, &facts); err != nil {
		return
	}
	walk := walker{scores: s, file: score, kind: kind}
	for _, key := range sortedKeys(want.Facts) {
		if untested[key] {
			continue
		}
		switch key {
		case "form", "taxYear", "idType":
			s.Subtype.add(sameFact(want.Facts[key], facts[key]))
		case "reconciles":
			s.Checks.add(sameFact(want.Facts[key], facts[key]))
		}
		walk.fact("/"+key, want.Facts[key], facts[key])
	}
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

type walker struct {
	scores *Scores
	file   *FileScore
	kind   string
}

func (w walker) fact(at string, want, got any) {
	switch want := want.(type) {
	case map[string]any:
		have, _ := got.(map[string]any)
		for _, key := range sortedKeys(want) {
			w.fact(at+"/"+key, want[key], have[key])
		}
		return
	case []any:
		have, _ := got.([]any)
		for i, item := range want {
			w.fact(fmt.Sprintf("%s/%d", at, i), item, matching(item, have, i))
		}
		return
	case nil:
		w.scores.Invented.add(got == nil)
		if got != nil {
			w.file.Misses = append(w.file.Misses, fmt.Sprintf("%s: invented %v", at, got))
		}
		return
	}
	right := sameFact(want, got)
	tally := w.scores.Facts[w.kind]
	tally.add(right)
	w.scores.Facts[w.kind] = tally
	w.file.Facts.add(right)
	if !right {
		w.file.Misses = append(w.file.Misses, fmt.Sprintf("%s: want %v, got %v", at, want, got))
	}
}

// matching is the item of a list that an expected item speaks of: the one with the same name or period end,
// else the one in its place.
func matching(item any, have []any, i int) any {
	want, ok := item.(map[string]any)
	if ok {
		for _, keys := range [][]string{{"start", "end"}, {"end"}, {"name"}, {"accountNumber"}} {
			if want[keys[0]] == nil {
				continue
			}
			for _, h := range have {
				m, _ := h.(map[string]any)
				same := true
				for _, k := range keys {
					same = same && sameFact(want[k], m[k])
				}
				if same {
					return h
				}
			}
		}
	}
	if i < len(have) {
		return have[i]
	}
	return nil
}

// sameFact compares two values: amounts as numbers, everything else as folded text.
func sameFact(want, got any) bool {
	if want == nil || got == nil {
		return want == nil && got == nil
	}
	a, b := fmt.Sprint(want), fmt.Sprint(got)
	if x, err := dossier.ParseAmount(a); err == nil && !strings.HasPrefix(a, "0") {
		if y, err := dossier.ParseAmount(b); err == nil {
			return x.Equal(y.Decimal)
		}
	}
	return Fold(a) == Fold(b)
}
