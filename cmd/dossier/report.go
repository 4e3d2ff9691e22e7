package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/analytics"
	"github.com/dossierhq/dossier/cmd/dossier/report"
	"github.com/dossierhq/dossier/storage/postgres"
)

type reportCommand struct {
	Analytics reportAnalytics `cmd:"" help:"Write a page of charts about a workspace's leads: one file, no script, nothing fetched."`
}

type reportAnalytics struct {
	Workspace string     `required:"" placeholder:"W" help:"Key or id of the workspace."`
	HTML      string     `name:"html" required:"" placeholder:"FILE" help:"The page to write; an old one is replaced when the new one is whole."`
	Start     *time.Time `format:"2006-01-02T15:04:05Z07:00" placeholder:"TIME" help:"Only leads created at or after this moment (2026-01-02T03:04:05Z)."`
	End       *time.Time `format:"2006-01-02T15:04:05Z07:00" placeholder:"TIME" help:"Only leads created at or before this moment."`
}

type reportWritten struct {
	File  string `json:"file"`
	Leads int    `json:"leads"`
}

// Run writes the page.
func (c reportAnalytics) Run(a *app) error {
	if c.Start != nil && c.End != nil && c.End.Before(*c.Start) {
		return usagef("--end must be on or after --start")
	}
	return a.inWorkspace(c.Workspace, func(db *postgres.DB, w dossier.Workspace) error {
		r := report.Report{Workspace: w.Name, Filter: dossier.ReportFilter{Start: c.Start, End: c.End}, Made: a.now(), Summary: &analytics.Summary{}}
		err := db.StreamReports(a.ctx, w.ID, r.Filter, func(int, int) error { return nil }, func(one dossier.LeadReport) error {
			r.Summary.Add(one)
			return nil
		})
		if err != nil {
			return err
		}
		if err := writeWhole(c.HTML, func(out io.Writer) error { return report.Write(out, r) }); err != nil {
			return err
		}
		return a.show(reportWritten{c.HTML, r.Summary.Leads}, func(out io.Writer) { fmt.Fprintf(out, "%s: %d leads\n", c.HTML, r.Summary.Leads) })
	})
}

// writeWhole writes a file beside its place and moves it there when all of it is written.
func writeWhole(name string, write func(io.Writer) error) error {
	file, err := os.CreateTemp(filepath.Dir(name), ".dossier-*")
	if err != nil {
		return err
	}
	err = write(file)
	err = errors.Join(err, file.Chmod(0o644), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		_ = os.Remove(file.Name()) // the error is what counts
	}
	return err
}
