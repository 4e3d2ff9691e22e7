package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/dossierhq/dossier/cmd/internal/workers"
	"github.com/dossierhq/dossier/cmd/lab/score"
)

type scoreCommand struct {
	Dir    string `arg:"" optional:"" help:"Directory with expected.json; DOSSIER_SAMPLES when it is not given."`
	Misses int    `default:"5" help:"Show at most so many misses of a file; 0: none."`
	Blind  bool   `help:"Show the scores by kind alone: no file, no value."`
	Keep   string `type:"existingdir" placeholder:"DIR" help:"${score_keep}"`
}

// Run reads the directory and counts.
func (c scoreCommand) Run(a *app) error {
	if c.Dir == "" {
		c.Dir = a.variable("DOSSIER_SAMPLES")
	}
	if c.Dir == "" {
		return usagef("name a directory with expected.json, or set DOSSIER_SAMPLES")
	}
	if _, err := os.Stat(filepath.Join(c.Dir, "expected.json")); err != nil {
		return fmt.Errorf("%s holds no expected.json: %w", c.Dir, err)
	}
	reader, err := workers.NewReader(a.log(), a.sandboxOff())
	if err != nil {
		return err
	}
	scores, err := score.Score(a.ctx, reader, c.Dir, c.Keep)
	if err != nil {
		return err
	}
	if c.Blind {
		for i, f := range scores.Files {
			scores.Files[i] = score.FileScore{Seconds: f.Seconds, PeakMiB: f.PeakMiB}
		}
	}
	return a.show(scores, func(w io.Writer) { c.print(w, scores) })
}

func (c scoreCommand) print(w io.Writer, s score.Scores) {
	for _, f := range s.Files {
		if f.Facts.Right == f.Facts.Tested && len(f.Misses) == 0 && f.Refused == "" {
			continue
		}
		fmt.Fprintf(w, "%s: %s, %d of %d facts %s\n", f.Path, f.DocType, f.Facts.Right, f.Facts.Tested, f.Refused)
		for _, miss := range f.Misses[:min(len(f.Misses), max(c.Misses, 0))] {
			fmt.Fprintf(w, "    %s\n", printable(short(miss, 160)))
		}
	}
	rows := [][]string{tallied("field type", s.FieldType), tallied("document type", s.DocType),
		tallied("subtype", s.Subtype),
		tallied("traps not taken", s.Traps), tallied("absent facts left empty", s.Invented),
		tallied("checks", s.Checks)}
	for _, kind := range slices.Sorted(maps.Keys(s.Facts)) {
		rows = append(rows, tallied("facts of "+kind, s.Facts[kind]))
	}
	for _, layer := range slices.Sorted(maps.Keys(s.Layers)) {
		rows = append(rows, tallied("all facts of "+layer, s.Layers[layer]))
	}
	for _, b := range s.Trust {
		if b.Types.Tested > 0 {
			rows = append(rows, tallied(fmt.Sprintf("types given with %.0f %% on average", 100*b.Mean), b.Types))
		}
	}
	table(w, "", "WHAT RIGHT TESTED SHARE", rows)
	fmt.Fprintf(w, "%s, %.1f s of reading (%.2f s a file, longest %.1f s), at most %d MiB a file\n",
		count(len(s.Files), "file"), s.Seconds, s.Seconds/float64(max(len(s.Files), 1)), longest(s.Files), s.PeakMiB)
}

func longest(files []score.FileScore) float64 {
	most := 0.0
	for _, f := range files {
		most = max(most, f.Seconds)
	}
	return most
}

func tallied(what string, t score.Tally) []string {
	share := ""
	if t.Tested > 0 {
		share = fmt.Sprintf("%.1f %%", 100*float64(t.Right)/float64(t.Tested))
	}
	return []string{what, fmt.Sprint(t.Right), fmt.Sprint(t.Tested), share}
}
