package main

import (
	"fmt"
	"io"

	"github.com/dossierhq/dossier/pipelines/judge"
)

type rulesCommand struct {
	Explain explainRules `cmd:"" help:"Print how each rule is read, or that a person would be asked."`
}

type explainRules struct {
	Rules []string `arg:"" name:"rule" help:"Rules as a workspace file writes them, each in quotes."`
}

type explained struct {
	Rule       string `json:"rule"`
	Understood bool   `json:"understood"`
	Reading    string `json:"reading"`
}

// Run explains. A rule that is not understood is a finding: exit 1.
func (c explainRules) Run(a *app) error {
	list, all := []explained{}, true
	for _, rule := range c.Rules {
		reading, understood := judge.ExplainRule(rule)
		list, all = append(list, explained{rule, understood, reading}), all && understood
	}
	err := a.show(list, func(w io.Writer) {
		for _, e := range list {
			fmt.Fprintf(w, "%s\n  -> %s\n", printable(e.Rule), printable(e.Reading))
		}
	})
	if err == nil && !all {
		err = errFound
	}
	return err
}
