package score_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/pipelines/document/decode"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/judge"
)

// A fact that is printed has a box on its page, and the words in that box say what the fact's source quotes.
func TestSources_resolve(t *testing.T) {
	t.Parallel()
	reader := readtest.Reader(t, decode.Limits{})
	checked := 0
	for i := range 60 {
		made := specimen.CorpusDocument(29, i)
		if made.Truth.Layer != text.LayerText && made.Truth.Layer != text.LayerNative {
			continue // reading a picture takes long
		}
		got, err := reader.Read(t.Context(), strings.NewReader(string(made.Data)))
		if err != nil {
			t.Fatal(err)
		}
		if got.Extraction == nil {
			t.Fatalf("%s: %+v", made.Name, got.Refusal)
		}
		kept, err := text.DecodeTokens(got.Tokens)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range got.Extraction.Documents {
			for at, source := range d.Sources {
				checked++
				if fault := unresolved(kept.Pages, *got.Extraction, source); fault != "" {
					t.Errorf("%s %s %s: %q %v %s", made.Name, d.DocType, at, source.Text, source.Box, fault)
				}
			}
		}
	}
	if checked < 1000 {
		t.Errorf("only %d sources were looked up", checked)
	}
}

// evidence counts the facts of readings that carry a value, by how they can be looked up.
type evidence struct {
	facts, printed, derived int
	cited                   int // by verdicts, but what is derived
	faults                  []string
}

// askedOfSamples are rules of each kind, so that verdicts cite what documents print.
var askedOfSamples = []string{"The document is in the name of the applicant", "The document is from the last 20 years", "The closing balance is at least $1",
	"The statement balances reconcile", "The net income is positive", "The document is not expired", "Total income is at least $1", "The document covers at least 1 month"}

// verdicts follows every citation of verdicts on a reading to the words that it quotes.
func (e *evidence) verdicts(name string, pages []text.Page, read dossier.Extraction) {
	for i, d := range read.Documents {
		result := judge.Validate(judge.Judgement{FieldType: d.FieldType, Rules: askedOfSamples, Extraction: read, Parts: []int{i}, Pages: pages,
			Today: dossier.DayOf(time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)), Party: dossier.Party{Businesses: []string{"Example Bakery LLC"}}})
		for _, rule := range result.Results {
			for _, c := range rule.Citations {
				if c.Box == nil && read.Documents[c.Part].Derived[c.Pointer] != "" {
					continue
				}
				e.cited++
				fault := "no place"
				if c.Page != nil {
					fault = unresolved(pages, read, dossier.Source{Page: *c.Page, Box: c.Box, Text: c.Text})
				}
				if fault != "" {
					e.faults = append(e.faults, fmt.Sprintf("%s, %q cites %s: %s", name, rule.RuleName, c.Pointer, fault))
				}
			}
		}
	}
}

// lookUp follows every fact of a reading that carries a value to where it is printed.
func (e *evidence) lookUp(t *testing.T, name string, got sandbox.Reading) {
	t.Helper()
	kept, err := text.DecodeTokens(got.Tokens)
	if err != nil {
		t.Fatal(err)
	}
	e.verdicts(name, kept.Pages, *got.Extraction)
	for _, d := range got.Extraction.Documents {
		for at, value := range valuesOf(t, d.Facts) {
			if mapped.MatchString(at) {
				continue
			}
			source, derived := d.Sources[at], d.Derived[at] != ""
			for up := at; source.Page == 0 && !derived && strings.Count(up, "/") > 1; { // a line of a list is printed whole
				up = up[:strings.LastIndex(up, "/")]
				source, derived = d.Sources[up], d.Derived[up] != ""
			}
			e.facts++
			fault := ""
			switch {
			case source.Page != 0:
				if fault = unresolved(kept.Pages, *got.Extraction, source); fault == "" && !derived && !strings.HasSuffix(at, "/description") && !says(source.Text, value) {
					fault = fmt.Sprintf("%q does not say %q", source.Text, value)
				}
				e.printed++
			case derived:
				e.derived++
			default:
				fault = "neither printed nor derived"
			}
			if fault != "" {
				e.faults = append(e.faults, fmt.Sprintf("%s %s %s: %s", name, d.DocType, at, fault))
			}
		}
	}
}

// mapped is where a line of a statement is entered: the reader's mapping, which no page prints.
var mapped = regexp.MustCompile(`/unmapped/\d+/(section|row)$`)

// valuesOf are the texts, amounts, numbers and flags of facts by JSON pointer; what is null or empty carries none.
func valuesOf(t *testing.T, facts dossier.Facts) map[string]string {
	t.Helper()
	raw, err := json.Marshal(facts)
	if err != nil {
		t.Fatal(err)
	}
	var all any
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	var walk func(at string, value any)
	walk = func(at string, value any) {
		switch v := value.(type) {
		case map[string]any:
			for name, inner := range v {
				walk(at+text.Pointer(name), inner)
			}
		case []any:
			for i, inner := range v {
				walk(at+text.Pointer(strconv.Itoa(i)), inner)
			}
		case string:
			if v != "" {
				found[at] = v
			}
		case float64, bool:
			found[at] = fmt.Sprint(v)
		}
	}
	walk("", all)
	return found
}

var amountForm = regexp.MustCompile(`^-?\d+(\.\d+)?$`)

// says reports whether words say an amount or a number: its digits, but for the zeros of a printed scale and of cents,
// are among theirs. A tick says what stands beside it, and scales are words; other values are read more freely.
func says(words, value string) bool {
	if !amountForm.MatchString(value) || strings.ContainsAny(words, "☒☑✓✔") ||
		slices.Contains([]string{"1000", "1000000", "1000000000"}, value) {
		return true
	}
	digits := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, s)
	}
	return strings.Contains(digits(words), strings.Trim(digits(value), "0"))
}

// unresolved says why a source does not lead to its words; "" when it does.
func unresolved(pages []text.Page, e dossier.Extraction, source dossier.Source) string {
	i := slices.IndexFunc(pages, func(p text.Page) bool { return p.Number == source.Page })
	if i < 0 || !slices.ContainsFunc(e.Pages, func(p dossier.PageSize) bool { return p.Page == source.Page }) {
		return fmt.Sprintf("no page %d", source.Page)
	}
	squeeze := func(s string) string { return strings.ReplaceAll(strings.Join(strings.Fields(s), ""), "-", "") }
	said := ""
	for _, w := range pages[i].Tokens {
		if inBox(w, source.Box) {
			said += squeeze(w.Text)
		}
	}
	if strings.Contains(said, squeeze(source.Text)) { // dashes are not always printed in what is masked
		return ""
	}
	for _, word := range strings.Fields(source.Text) { // between lines of a caption other words may stand
		if !strings.Contains(said, squeeze(word)) {
			return fmt.Sprintf("other words: %q, want %q", said, source.Text)
		}
	}
	return ""
}

func inBox(w text.Token, box any) bool {
	if cell, ok := box.(string); ok {
		return w.Cell == cell
	}
	corners, ok := box.([]any)
	if !ok || len(corners) != 4 {
		return false
	}
	var b [4]float64
	for i := range corners {
		b[i], _ = corners[i].(float64)
	}
	x, y := (w.X0+w.X1)/2, (w.Y0+w.Y1)/2
	return b[0] <= x && x <= b[2] && b[1] <= y && y <= b[3]
}

// Over real documents, where there are any (DOSSIER_SAMPLES, with its folders): every fact that carries a value leads to
// words on a page, or to a cell, that say it, or names the formula that gave it.
func TestSources_resolve_samples(t *testing.T) {
	dir := os.Getenv("DOSSIER_SAMPLES")
	if dir == "" {
		t.Skip("no sample documents: set DOSSIER_SAMPLES")
	}
	reader := readtest.Reader(t, decode.Limits{})
	seen, files := evidence{}, 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || slices.Contains([]string{".json", ".md"}, filepath.Ext(path)) {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		got, err := reader.Read(t.Context(), bytes.NewReader(data))
		if err != nil {
			return err
		}
		if got.Extraction != nil {
			files++
			seen.lookUp(t, entry.Name(), got)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(seen.faults)
	for _, fault := range seen.faults {
		t.Error(fault)
	}
	t.Logf("%d files, %d facts: %d have words at their source, %d are derived; %d citations of verdicts; %d faults", files, seen.facts,
		seen.printed, seen.derived, seen.cited, len(seen.faults))
	if seen.printed == 0 || seen.cited == 0 {
		t.Error("no fact was looked up")
	}
}
