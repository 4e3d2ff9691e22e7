package score_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/pipelines/document/decode"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
	"github.com/dossierhq/dossier/pipelines/document/text"
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

// unresolved says why a source does not lead to its words; "" when it does.
func unresolved(pages []text.Page, e dossier.Extraction, source dossier.Source) string {
	i := slices.IndexFunc(pages, func(p text.Page) bool { return p.Number == source.Page })
	if i < 0 || !slices.ContainsFunc(e.Pages, func(p dossier.PageSize) bool { return p.Page == source.Page }) {
		return fmt.Sprintf("no page %d", source.Page)
	}
	var said strings.Builder
	for _, w := range pages[i].Tokens {
		if inBox(w, source.Box) {
			said.WriteString(w.Text)
		}
	}
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
	if !strings.Contains(squeeze(said.String()), squeeze(source.Text)) {
		return "other words"
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
