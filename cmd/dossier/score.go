package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/workers"
	"github.com/dossierhq/dossier/cmd/lab/score"
	"github.com/dossierhq/dossier/cmd/lab/scripted"
	"github.com/dossierhq/dossier/pipelines/llm"
	"github.com/dossierhq/dossier/pipelines/reading"
)

type scoreCommand struct {
	Dir    string `arg:"" optional:"" help:"Directory with expected.json; DOSSIER_SAMPLES when it is not given."`
	Misses int    `default:"5" help:"Show at most so many misses of a file; 0: none."`
	Blind  bool   `help:"Show the scores by kind alone: no file, no value."`
	Keep   string `type:"existingdir" placeholder:"DIR" help:"${score_keep}"`

	Reading  []dossier.ReadingMode `enum:"off,fill,check" default:"off" placeholder:"MODE" help:"${score_reading}"`
	Alone    bool                  `help:"${score_alone}"`
	Scripted scripted.Script       `placeholder:"SCRIPT" help:"${score_scripted}"`
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
	if c.Scripted != "" && !slices.Contains(scripted.Scripts(), c.Scripted) {
		return usagef("--scripted is one of %v", scripted.Scripts())
	}
	set, err := score.Read(a.ctx, reader, c.Dir, c.Keep)
	if err != nil {
		return err
	}
	if c.Alone {
		set = set.Blank()
	}
	all := map[dossier.ReadingMode]score.Scores{}
	for _, mode := range c.Reading {
		second, err := c.second(a, mode, set)
		if err != nil {
			return err
		}
		scores, err := set.Score(a.ctx, second)
		if err != nil {
			return err
		}
		if c.Blind {
			for i, f := range scores.Files {
				scores.Files[i] = score.FileScore{Seconds: f.Seconds, PeakMiB: f.PeakMiB}
			}
		}
		all[mode] = scores
	}
	if len(c.Reading) == 1 {
		return a.show(all[c.Reading[0]], func(w io.Writer) { c.print(w, all[c.Reading[0]]) })
	}
	return a.show(all, func(w io.Writer) { c.compare(w, all) })
}

// second is the model that reads in a mode: the one that is configured, or one that follows a script and knows the set.
func (c scoreCommand) second(a *app, mode dossier.ReadingMode, set score.Set) (*reading.Reader, error) {
	if c.Scripted == "" || !mode.On() {
		return a.secondReader(mode, nil)
	}
	url, err := scripted.Serve(a.ctx, scripted.New(c.Scripted, set.Known()...))
	if err != nil {
		return nil, err
	}
	model, err := llm.New(llm.Config{URL: url, Name: "scripted", Log: a.log()})
	return &reading.Reader{Model: model,
		Settings: dossier.ReadingSettings{Model: mode, TokensPerDocument: 1 << 30}}, err
}

// compare writes the modes side by side.
func (c scoreCommand) compare(w io.Writer, all map[dossier.ReadingMode]score.Scores) {
	rows := [][]string{{"right"}, {"share"}, {"wrong or missing"}, {"invented"}, {"taken of a model"},
		{"of those not printed"}, {"tokens"}, {"seconds"}}
	head := "FACTS"
	for _, mode := range c.Reading {
		s, sum := all[mode], score.Tally{}
		for _, t := range s.Facts {
			sum.Right, sum.Tested = sum.Right+t.Right, sum.Tested+t.Tested
		}
		head += " " + strings.ToUpper(string(mode))
		for i, n := range []string{fmt.Sprint(sum.Right), tallied("", sum)[3], fmt.Sprint(sum.Tested - sum.Right),
			fmt.Sprint(s.Invented.Tested - s.Invented.Right), fmt.Sprint(s.Taken), fmt.Sprint(s.Unprinted),
			fmt.Sprint(s.Tokens), fmt.Sprintf("%.1f", s.Seconds)} {
			rows[i] = append(rows[i], n)
		}
	}
	table(w, "", head, rows)
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
	for _, b := range s.Printed {
		if b.Types.Tested > 0 {
			rows = append(rows, tallied(fmt.Sprintf("facts read with %.0f %% on average", 100*b.Mean), b.Types))
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
