package main

import (
	"io"
	"os"

	"github.com/dossierhq/dossier/cmd/lab/specimen"
)

type specimenCommand struct {
	Kind string `arg:"" help:"Kind of file; list names them."`
	Out  string `placeholder:"FILE" help:"Write it there instead of to the standard output."`
}

// Run makes a file whose verdict is known. It needs no service.
func (c specimenCommand) Run(a *app) error {
	if c.Kind == "list" {
		return c.list(a)
	}
	known, ok := specimen.FindKnown(c.Kind)
	if !ok {
		return usagef("there is no specimen %s; `dossier specimen list` names them", c.Kind)
	}
	data := known.Draw(a.now())
	if c.Out != "" {
		return os.WriteFile(c.Out, data, 0o600)
	}
	_, err := a.out.Write(data)
	return err
}

type specimenView struct {
	Kind     string `json:"kind"`
	Filename string `json:"filename"`
	MimeType string `json:"mimeType"`
	Verdict  string `json:"verdict"`
}

func (specimenCommand) list(a *app) error {
	var all []specimenView
	for _, k := range specimen.KnownKinds() {
		all = append(all, specimenView{k.Kind, k.Filename, k.MimeType, k.Verdict})
	}
	return a.show(all, func(w io.Writer) {
		for _, s := range all {
			pairs(w, s.Kind, s.Verdict)
		}
	})
}
