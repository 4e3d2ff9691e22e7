package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/llm"
	"github.com/dossierhq/dossier/pipelines/reading"
)

// secondReader is the model of DOSSIER_LLM_URL as a reader of documents; nil: the mode is off. trace is told of every
// question.
func (a *app) secondReader(mode dossier.ReadingMode, trace func(llm.Exchange)) (*reading.Reader, error) {
	if !mode.On() {
		return nil, nil
	}
	model, err := llm.New(llm.Config{URL: a.variable("DOSSIER_LLM_URL"), Name: a.variable("DOSSIER_LLM_MODEL"),
		Key: a.variable("DOSSIER_LLM_KEY"), Trace: trace, Log: a.log()})
	if err != nil {
		return nil, err
	}
	if model == nil {
		return nil, usagef("--reading %s asks a language model: set DOSSIER_LLM_URL and DOSSIER_LLM_MODEL", mode)
	}
	return &reading.Reader{Model: model, About: llm.About{Workspace: "dossier"},
		Settings: dossier.ReadingSettings{Model: mode}}, nil
}

// fillWithModel has the model fill in the facts that the rules left open in the file at path. The answers that were
// rejected are written to dropped, if it is not nil.
func (a *app) fillWithModel(second *reading.Reader, reader *sandbox.Reader, path string, read *sandbox.Reading,
	dropped io.Writer) error {
	if second == nil || read.Extraction == nil {
		return nil
	}
	decoded, err := text.DecodeTokens(read.Tokens)
	if err != nil {
		return err
	}
	second.Draw = func(ctx context.Context, page text.Page, width int) ([]byte, error) {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer func() { _ = file.Close() }()
		picture, _, err := reader.Picture(ctx, file, page, width)
		return picture, err
	}
	second.Named = func(ctx context.Context, parts []dossier.DocumentPart) (*dossier.Extraction, error) {
		again, err := reader.Parts(ctx, read.Tokens, parts)
		return again.Extraction, err
	}
	outcome := second.Fill(a.ctx, *read.Extraction, decoded.Pages)
	filled, _ := outcome.Apply(*read.Extraction)
	read.Extraction = &filled
	if dropped != nil {
		for _, d := range outcome.Drops {
			fmt.Fprintf(dropped, "--- dropped: %s, because %s\n", printable(d.Pointer), d.Why)
		}
	}
	return nil
}

// promptsTo writes every question with its answer, as they went over the wire, and the pictures of it to dir where
// there is one.
func promptsTo(w io.Writer, dir string) func(llm.Exchange) {
	return func(e llm.Exchange) {
		var b strings.Builder
		fmt.Fprintf(&b, "--- question %s, prompt %s\n%s\n--- sent\n%s\n", e.Kind, e.Prompt,
			strings.TrimSpace(e.System), printable(e.User))
		for _, p := range e.Pictures {
			fmt.Fprintf(&b, "--- sent: a picture of page %d, %d bytes%s\n", p.Page, len(p.PNG), keptPicture(dir, p))
		}
		fmt.Fprintf(&b, "--- answer, %d tokens\n%s\n", e.Tokens, printable(e.Answer))
		if e.Error != nil {
			fmt.Fprintf(&b, "--- %s\n", e.Error)
		}
		_, _ = io.WriteString(w, b.String()) // in one write: questions are asked side by side
	}
}

// keptPicture writes a picture that was sent, and says where.
func keptPicture(dir string, p llm.Picture) string {
	if dir == "" {
		return ", not kept without --out"
	}
	sum := sha256.Sum256(p.PNG)
	name := filepath.Join(dir, fmt.Sprintf("page-%d-sent-%x.png", p.Page, sum[:6]))
	if err := errors.Join(os.MkdirAll(dir, 0o750), os.WriteFile(name, p.PNG, 0o600)); err != nil {
		return ": " + err.Error()
	}
	return ": " + name
}

// printModel says what a model was asked and gave.
func printModel(w io.Writer, e dossier.Extraction) {
	if m := e.Model; m != nil {
		fmt.Fprintf(w, "  model %s: asked for %s, took %d, dropped %d, %d tokens\n", printable(m.Name),
			count(m.Asked, "fact"),
			m.Taken, m.Dropped, m.Tokens)
	}
	for _, warning := range e.Warnings {
		fmt.Fprintf(w, "  warning %s: %s\n", warning.Code, printable(warning.Detail))
	}
}
