package specimen

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// conventions are written into expected.json, so that the file explains itself.
var conventions = map[string]string{
	"dates":     "YYYY-MM-DD",
	"amounts":   "decimal strings; financial statements in full currency units (already multiplied by unit), all else as printed without separators",
	"null":      "a null fact means the document does not show it; inventing a value is an error; an absent key is not tested",
	"fieldType": "the checklist item type the document may satisfy; FILE means it must not satisfy BANK_STATEMENT, TAX_RETURN or ID",
	"signs":     "as in the spread: revenue, costs and expenses positive, losses negative, cash-flow lines signed; overdrawn balances negative",
	"schedules": "lines of schedules attached to a return, by schedule and number (L-15d, M1-1, M2-7, K-16d); not tested with facts",
	"printed":   "every figure that a financial statement prints, in full units: a value that is not among them is an invention; a value that is, under a key that facts lack, is not tested",
}

// expected is the file expected.json: the truth of a directory of documents.
type expected struct {
	Schema      int                   `json:"schema"`
	Set         string                `json:"set"`
	Conventions map[string]string     `json:"conventions"`
	Files       map[string]expectFile `json:"files"`
}

type expectFile struct {
	Truth
	data []byte
}

// expectedJSON is one document of expected.json.
type expectedJSON struct {
	FieldType string          `json:"fieldType"`
	DocType   string          `json:"docType"`
	Kind      string          `json:"kind"`
	Pages     any             `json:"pages"` // a number, null, or [first, last] of a part
	Layer     string          `json:"layer"`
	Severity  int             `json:"severity"`
	Facts     json.RawMessage `json:"facts"`
	Schedules any             `json:"schedules,omitempty"`
	Printed   []string        `json:"printed,omitempty"`
	Documents []expectedJSON  `json:"documents,omitempty"` // of a package
	Traps     []string        `json:"traps"`
	SHA256    string          `json:"sha256,omitempty"`
}

// MarshalJSON writes the truth of one file in the format of expected.json.
func (e expectFile) MarshalJSON() ([]byte, error) {
	out, err := e.Truth.expected()
	if err != nil {
		return nil, err
	}
	out.SHA256 = fmt.Sprintf("%x", sha256.Sum256(e.data))
	for _, p := range e.Parts {
		part, err := p.Truth.expected()
		if err != nil {
			return nil, err
		}
		part.Pages = [2]int{p.First, p.Last}
		out.Documents = append(out.Documents, part)
	}
	return json.Marshal(out)
}

func (t Truth) expected() (expectedJSON, error) {
	facts, err := t.FactsJSON()
	out := expectedJSON{FieldType: string(t.FieldType), DocType: string(t.DocType), Kind: t.Kind, Layer: t.Layer,
		Severity: t.Severity,
		Facts:    facts, Printed: t.Printed, Traps: append([]string{}, t.Traps...)}
	if len(t.Schedules) > 0 {
		out.Schedules = t.Schedules
	}
	if t.Pages > 0 {
		out.Pages = t.Pages
	}
	return out, err
}

// FactsJSON is the facts of t by their names of facts.md. Facts not tested are absent. Nil facts are null at the
// top and absent below it, where only what is printed is listed.
func (t Truth) FactsJSON() ([]byte, error) {
	raw, err := json.Marshal(t.Facts)
	if err != nil {
		return nil, err
	}
	facts := map[string]any{}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&facts); err != nil {
		return nil, err
	}
	for name, value := range facts {
		if slices.Contains(t.NotTested, name) {
			delete(facts, name)
			continue
		}
		facts[name] = withoutNulls(value)
	}
	return json.Marshal(facts)
}

// withoutNulls drops null members below the top.
func withoutNulls(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for k, inner := range v {
			if inner == nil {
				delete(v, k)
				continue
			}
			v[k] = withoutNulls(inner)
		}
	case []any:
		for i := range v {
			v[i] = withoutNulls(v[i])
		}
	}
	return value
}

// WriteDir writes the files of specimens below dir, and their truth as dir/expected.json.
func WriteDir(dir string, specimens []Specimen) error {
	all := expected{Schema: 1, Set: "generated", Conventions: conventions, Files: map[string]expectFile{}}
	for _, s := range specimens {
		path := filepath.Join(dir, filepath.FromSlash(s.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, s.Data, 0o644); err != nil {
			return err
		}
		all.Files[s.Name] = expectFile{Truth: s.Truth, data: s.Data}
	}
	index, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "expected.json"), index, 0o644)
}
