package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/dossierhq/dossier/webhooks"
)

type verifyCommand struct {
	File       string   `arg:"" optional:"" help:"${verify_webhook_file}"`
	Header     []string `short:"H" sep:"none" placeholder:"'webhook-id: ...'" help:"${verify_webhook_header}"`
	Secret     []string `sep:"none" placeholder:"whsec_..." help:"${verify_webhook_secret}"`
	SecretFile string   `placeholder:"FILE" help:"${verify_webhook_secretfile}"`
	Saved      bool     `help:"The delivery was saved earlier: do not judge its age."`
}

// Run tells whether a delivery is genuine. One that is not is a finding: exit 1.
func (c verifyCommand) Run(a *app) error {
	secrets, err := c.secrets()
	if err != nil {
		return err
	}
	captured, err := c.captured(a)
	if err != nil {
		return err
	}
	now := a.now()
	if c.Saved {
		now = time.Time{}
	}
	found := webhooks.VerifyCaptured(captured, secrets, now)
	if err := a.show(found, func(w io.Writer) { printFinding(w, found) }); err != nil {
		return err
	}
	if !found.Genuine {
		return errFound
	}
	return nil
}

func printFinding(w io.Writer, f webhooks.Finding) {
	if f.Genuine {
		fmt.Fprintf(w, "genuine: %s, signed %s UTC\n", printable(f.ID), stamp(f.Timestamp))
		return
	}
	fmt.Fprintf(w, "not genuine: %s\n", printable(f.Reason))
	if f.Hint != "" {
		fmt.Fprintf(w, "  -> %s\n", f.Hint)
	}
}

func (c verifyCommand) secrets() ([]string, error) {
	secrets := c.Secret
	if c.SecretFile != "" {
		text, err := os.ReadFile(c.SecretFile)
		if err != nil {
			return nil, err
		}
		secrets = append(secrets, strings.Fields(string(text))...)
	}
	if len(secrets) == 0 {
		return nil, usagef("give the webhook's secret with --secret or --secret-file")
	}
	return secrets, nil
}

func (c verifyCommand) captured(a *app) (webhooks.Captured, error) {
	in := a.in
	if c.File != "" && c.File != "-" {
		file, err := os.Open(c.File)
		if err != nil {
			return webhooks.Captured{}, err
		}
		defer func() { _ = file.Close() }()
		in = file
	}
	if len(c.Header) == 0 {
		return webhooks.ReadCaptured(in)
	}
	captured := webhooks.Captured{Header: http.Header{}}
	for _, line := range c.Header {
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return captured, usagef("--header must be like 'webhook-id: 0190...', not %q", line)
		}
		captured.Header.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	var err error
	captured.Body, err = io.ReadAll(in)
	return captured, err
}
