package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/workers"
	"github.com/dossierhq/dossier/pipelines/document/refusal"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/judge"
	"github.com/dossierhq/dossier/pipelines/llm"
	"github.com/dossierhq/dossier/pipelines/reading"
)

type readCommand struct {
	Files    []string `arg:"" name:"file" help:"Files in any format that uploads may have."`
	Rules    []string `name:"rules" sep:"none" placeholder:"RULE" help:"${read_rules}"`
	Person   string   `placeholder:"NAME" help:"Whose document it should be, for rules about names."`
	Business string   `placeholder:"NAME" help:"The business it should be of, for rules about names."`
	HTML     bool     `name:"html" help:"Write one HTML page: the pages' pictures with a box over every fact."`
	Out      string   `type:"path" placeholder:"DIR" help:"${read_out}"`

	Reading     string `enum:"off,fill,check" default:"off" help:"${read_reading}"`
	ShowPrompts bool   `help:"${read_prompts}"`
	Images      bool   `help:"${read_images}"`
}

// fileRead is what one file gave: facts as in facts.md, or why it cannot be read.
type fileRead struct {
	File       string                    `json:"file"`
	Extraction *dossier.Extraction       `json:"extraction"`
	Refusal    *refusal.Refusal          `json:"refusal"`
	Validation *dossier.ValidationResult `json:"validationResult,omitempty"`
}

// Run reads the files one after the other, each in a sandboxed process of its own, as the worker does.
func (c readCommand) Run(a *app) error {
	if c.HTML && c.Out == "" && len(c.Files) > 1 {
		return usagef("--html writes one page to stdout; for several files give --out DIR")
	}
	if c.HTML && a.json {
		return usagef("--html and --json exclude each other")
	}
	reader, err := workers.NewReader(a.log(), a.sandboxOff())
	if err != nil {
		return err
	}
	trace := func(llm.Exchange) {}
	if c.ShowPrompts {
		trace = promptsTo(a.err, c.Out)
	}
	second, err := a.secondReader(dossier.ReadingMode(c.Reading), trace)
	if err != nil {
		return err
	}
	if second != nil {
		second.Settings.Images = c.Images
	}
	if c.HTML {
		return c.pages(a, reader, second)
	}
	list := []fileRead{}
	for _, path := range c.Files {
		read, err := c.read(a, reader, second, path)
		if err != nil {
			return err
		}
		list = append(list, read)
	}
	err = a.show(list, func(w io.Writer) {
		for _, read := range list {
			read.print(w)
		}
	})
	if err == nil && slices.ContainsFunc(list, func(r fileRead) bool { return r.Refusal != nil }) {
		err = errFound
	}
	return err
}

func (c readCommand) read(a *app, reader *sandbox.Reader, second *reading.Reader, path string) (fileRead, error) {
	file, err := os.Open(path)
	if err != nil {
		return fileRead{}, err
	}
	defer func() { _ = file.Close() }()
	got, err := reader.Read(a.ctx, file)
	if err != nil {
		return fileRead{}, fmt.Errorf("%s: %w", path, err)
	}
	if err := a.fillWithModel(second, reader, path, &got, c.traceWriter(a)); err != nil {
		return fileRead{}, fmt.Errorf("%s: %w", path, err)
	}
	read := fileRead{File: path, Extraction: got.Extraction, Refusal: got.Refusal}
	if len(c.Rules) > 0 && got.Extraction != nil {
		result := c.judge(a, filepath.Base(path), got)
		read.Validation = &result
	}
	return read, nil
}

// traceWriter is where the model's questions and answers are shown; nil: nowhere.
func (c readCommand) traceWriter(a *app) io.Writer {
	if !c.ShowPrompts {
		return nil
	}
	return a.err
}

// judge applies the rules as if the file stood on an item of its own type.
func (c readCommand) judge(a *app, name string, reading sandbox.Reading) dossier.ValidationResult {
	in := judge.Judgement{Rules: c.Rules, Filename: name, Extraction: *reading.Extraction,
		Today: dossier.DayOf(a.now())}
	if len(in.Extraction.Documents) > 0 {
		in.FieldType = in.Extraction.Documents[0].FieldType
	}
	if words := strings.Fields(c.Person); len(words) > 0 {
		in.Party.People = []dossier.PersonName{{First: strings.Join(words[:len(words)-1], " "),
			Last: words[len(words)-1]}}
	}
	if c.Business != "" {
		in.Party.Businesses = []string{c.Business}
	}
	if decoded, err := text.DecodeTokens(reading.Tokens); err == nil {
		in.Pages = decoded.Pages
	}
	return judge.Validate(in)
}

func (c readCommand) pages(a *app, reader *sandbox.Reader, second *reading.Reader) error {
	for _, path := range c.Files {
		if err := c.page(a, reader, second, path); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

func (c readCommand) page(a *app, reader *sandbox.Reader, second *reading.Reader, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	shown, err := reader.Show(a.ctx, file)
	if err != nil {
		return err
	}
	if err := a.fillWithModel(second, reader, path, &shown.Reading, c.traceWriter(a)); err != nil {
		return err
	}
	if c.Out == "" {
		return sandbox.WritePage(a.out, filepath.Base(path), shown)
	}
	if err := os.MkdirAll(c.Out, 0o750); err != nil {
		return err
	}
	name := filepath.Join(c.Out, filepath.Base(path)+".html")
	page, err := os.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600) // it shows what the document says
	if err != nil {
		return err
	}
	if err := sandbox.WritePage(page, filepath.Base(path), shown); err != nil {
		_ = page.Close()
		return err
	}
	fmt.Fprintln(a.out, name)
	return page.Close()
}

func (r fileRead) print(w io.Writer) {
	fmt.Fprintln(w, r.File)
	if r.Refusal != nil {
		fmt.Fprintf(w, "  cannot be read: %s: %s\n", r.Refusal.Code, r.Refusal.Detail)
		return
	}
	fmt.Fprintf(w, "  %s, %s, layer %s\n", r.Extraction.MimeType, count(r.Extraction.PageCount, "page"),
		r.Extraction.Layer)
	for _, d := range r.Extraction.Documents {
		printDocument(w, d)
	}
	printModel(w, *r.Extraction)
	if r.Validation == nil {
		return
	}
	fmt.Fprintf(w, "  rules: %s\n", map[bool]string{true: "all passed",
		false: "not all passed"}[r.Validation.OverallValid])
	for _, result := range r.Validation.Results {
		fmt.Fprintf(w, "    %-6s %s\n           %s\n", map[bool]string{true: "passed", false: "no"}[result.IsValid],
			printable(result.RuleName), printable(result.IsValidReason))
	}
}

func printDocument(w io.Writer, d dossier.ReadDocument) {
	fmt.Fprintf(w, "  %s (%s), pages %d to %d, confidence %.2f\n", d.DocType, d.FieldType, d.Pages[0], d.Pages[1],
		d.Confidence)
	var facts any
	if raw, err := json.Marshal(d.Facts); err == nil && json.Unmarshal(raw, &facts) == nil {
		printFacts(w, "", facts)
	}
	for _, check := range d.Checks {
		fmt.Fprintf(w, "    %-6s %s: %s\n", map[bool]string{true: "holds", false: "FAILS"}[check.Passed], check.Name,
			printable(check.Detail))
	}
	for _, warning := range d.Warnings {
		fmt.Fprintf(w, "    warning %s: %s\n", warning.Code, printable(warning.Detail))
	}
}

// longList is from how many elements on a list is only counted: --json has all.
const longList = 6

// printFacts walks the facts in the order of their names.
func printFacts(w io.Writer, at string, fact any) {
	switch fact := fact.(type) {
	case nil:
	case map[string]any:
		names := make([]string, 0, len(fact))
		for name := range fact {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			printFacts(w, at+"/"+name, fact[name])
		}
	case []any:
		if len(fact) >= longList {
			fmt.Fprintf(w, "    %-32s %d entries\n", at, len(fact))
			return
		}
		for i, element := range fact {
			printFacts(w, fmt.Sprintf("%s/%d", at, i), element)
		}
	default:
		fmt.Fprintf(w, "    %-32s %s\n", at, printable(fmt.Sprint(fact)))
	}
}
