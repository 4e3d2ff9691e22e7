package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/scripted"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/jobs"
)

// script is what the model of --model follows; empty: there is none of this name.
func (o options) script() scripted.Script {
	name, rest, chosen := strings.Cut(o.model, ":")
	switch {
	case name != "scripted":
		return ""
	case !chosen:
		return scripted.Right
	case slices.Contains(scripted.Scripts(), scripted.Script(rest)):
		return scripted.Script(rest)
	}
	return ""
}

// demoMonth is the month of the statement in unknown wording.
func demoMonth() time.Time { return time.Now().AddDate(0, -1, -time.Now().Day()+1) }

// enableModel allows the model in the demo workspace to fill what the rules leave open. The workspace's other settings
// stay.
func (s *stack) enableModel(ctx context.Context, key string) error {
	config, err := s.services.DB.ExportWorkspace(ctx, key)
	if err != nil || config.Reading.Model.On() {
		return err
	}
	config.Reading.Model = dossier.ReadingFill
	_, _, err = s.services.DB.ApplyWorkspace(ctx, config, false, false)
	return err
}

// modelRead is the part of a document's JSON that is about the model.
type modelRead struct {
	Document struct {
		Extraction *struct {
			Model     *dossier.ModelUse
			Warnings  []dossier.FactWarning
			Documents []struct {
				DocType string
				Sources map[string]dossier.Source
			}
		}
	}
}

// demonstrateModel sends a statement in wording that no rule knows, and prints what the rules read and what the model
// then added: each value with the words of the page that support it.
func (s *stack) demonstrateModel(ctx context.Context, out io.Writer) error {
	tell := narrator(out)
	fmt.Fprintln(out, "\nA second reader: a statement in words that no rule knows, and a language model that may "+
		"fill the gaps.")
	lead, err := s.demoLead(ctx)
	if err != nil {
		return err
	}
	statement, _ := specimen.Strange(demoHolder, demoMonth())
	documents, err := s.demoUpload(ctx, lead,
		[]uploadFile{{filepath.Base(statement.Name), statement.MimeType, statement.Data}})
	if err != nil {
		return err
	}
	if len(documents) != 1 {
		return errors.New("the statement was not taken")
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	told := false
	for {
		var read modelRead
		if err := s.get(ctx, "/api/v1/documents/"+documents[0], &read); err != nil {
			return err
		}
		if e := read.Document.Extraction; e != nil {
			if !told {
				told = true
				tell("the rules read document %s as %q", documents[0], e.Documents[0].DocType)
			}
			if e.Model != nil {
				read.printResult(tell)
				return nil
			}
		}
		if !jobs.Sleep(ctx, 100*time.Millisecond) {
			return errors.New("the model did not read the statement in time; see dev.log in the data directory")
		}
	}
}

// printResult prints which of the model's answers were used.
func (r modelRead) printResult(tell func(string, ...any)) {
	e := r.Document.Extraction
	tell("model %s: asked for %d facts, took %d, dropped %d, %d tokens", e.Model.Name, e.Model.Asked, e.Model.Taken,
		e.Model.Dropped, e.Model.Tokens)
	for _, d := range e.Documents {
		tell("it is a %s", d.DocType)
		for _, pointer := range slices.Sorted(maps.Keys(d.Sources)) {
			if src := d.Sources[pointer]; src.Method == "model" {
				tell("    %-18s by the model, confidence %.2f, printed on page %d as %q", pointer, src.Confidence,
					src.Page, src.Text)
			}
		}
	}
	for _, w := range e.Warnings {
		tell("    warning %s: %s", w.Code, w.Detail)
	}
}
