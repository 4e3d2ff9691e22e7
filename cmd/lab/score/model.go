package score

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/scripted"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/reading"
)

// Blank is the set as if the rules had told what its documents are, and nothing else but the columns of statements.
func (set Set) Blank() Set {
	set.readings = slices.Clone(set.readings)
	for i := range set.readings {
		if set.readings[i].Extraction == nil {
			continue
		}
		blank := *set.readings[i].Extraction
		blank.Documents = slices.Clone(blank.Documents)
		for j, d := range blank.Documents {
			if d.Facts.Statement == nil {
				blank.Documents[j] = document.Named(d.DocType, d.Pages, d.Confidence)
			}
		}
		set.readings[i].Extraction = &blank
	}
	return set
}

// Known are the facts of every document of the set, for a scripted model.
func (set Set) Known() []scripted.Facts { return knownOf(set.paths, set.expected) }

// Known are the facts of every document that dir/expected.json knows, for a scripted model.
func Known(dir string) ([]scripted.Facts, error) {
	expected, err := expectations(dir)
	return knownOf(slices.Sorted(maps.Keys(expected)), expected), err
}

func knownOf(paths []string, expected map[string]expectation) []scripted.Facts {
	var all []scripted.Facts
	for _, path := range paths {
		want := expected[path]
		for _, part := range append([]expectation{want}, want.Documents...) {
			if len(part.Facts) > 0 {
				all = append(all, scripted.FactsOf(part.Facts))
			}
		}
	}
	return all
}

// fill has a model read further in what was read. Its time counts.
func (set Set) fill(ctx context.Context, second *reading.Reader, readings []timedReading) error {
	for i := range readings {
		got := &readings[i]
		if second == nil || got.Extraction == nil {
			continue
		}
		decoded, err := text.DecodeTokens(got.Tokens)
		if err != nil {
			return err
		}
		began := time.Now()
		one := *second
		one.Named = func(_ context.Context, parts []dossier.DocumentPart) (*dossier.Extraction, error) {
			again := document.ExtractParts(decoded, parts)
			text.HideSecrets(&decoded, &again)
			return &again, nil
		}
		outcome := one.Fill(ctx, *got.Extraction, decoded.Pages)
		filled, _ := outcome.Apply(*got.Extraction)
		for _, drop := range outcome.Drops {
			got.drops = append(got.drops, drop.Why+": "+drop.Pointer)
		}
		for _, taken := range outcome.Taken {
			if !printedOn(decoded.Pages, taken.Source) {
				got.unprinted++
			}
		}
		got.Extraction, got.seconds = &filled, got.seconds+time.Since(began).Seconds()
	}
	return nil
}

// printedOn reports whether each word of a source is printed on its page within its box. It knows nothing of how they
// were found.
func printedOn(pages []text.Page, src dossier.Source) bool {
	box, placed := src.Box.([]float64)
	var found []string
	for _, page := range pages {
		for _, t := range page.Tokens {
			x, y := (t.X0+t.X1)/2, (t.Y0+t.Y1)/2
			if page.Number == src.Page && (t.Cell != "" && t.Cell == src.Box || placed && len(box) == 4 && x >= box[0] &&
				x <= box[2] && y >= box[1] && y <= box[3]) {
				found = append(found, t.Text)
			}
		}
	}
	inside := strings.Join(found, " ")
	for word := range strings.FieldsSeq(src.Text) {
		if !strings.Contains(inside, word) {
			return false
		}
	}
	return src.Text != ""
}
