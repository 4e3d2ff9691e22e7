package main

import (
	"fmt"
	"io"
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
	return &reading.Reader{Model: model, Scope: "dossier", Settings: dossier.ReadingSettings{Model: mode}}, nil
}

// readFurther has the model fill what the rules left open.
func (a *app) readFurther(second *reading.Reader, read *sandbox.Reading) error {
	if second == nil || read.Extraction == nil {
		return nil
	}
	decoded, err := text.DecodeTokens(read.Tokens)
	if err != nil {
		return err
	}
	filled, _ := second.Fill(a.ctx, *read.Extraction, decoded.Pages).Apply(*read.Extraction)
	read.Extraction = &filled
	return nil
}

// promptsTo writes every question with its answer, as they went over the wire.
func promptsTo(w io.Writer) func(llm.Exchange) {
	return func(e llm.Exchange) {
		var b strings.Builder
		fmt.Fprintf(&b, "--- question %s, prompt %s\n%s\n--- sent\n%s\n--- answer, %d tokens\n%s\n", e.Kind, e.Prompt,
			strings.TrimSpace(e.System), printable(e.User), e.Tokens, printable(e.Answer))
		if e.Error != nil {
			fmt.Fprintf(&b, "--- %s\n", e.Error)
		}
		_, _ = io.WriteString(w, b.String()) // in one write: questions are asked side by side
	}
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
