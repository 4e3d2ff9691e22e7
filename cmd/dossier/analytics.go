package main

import (
	"fmt"
	"io"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/storage/postgres"
)

type analyticsCommand struct {
	Verify verifyAnalytics `cmd:"" help:"${analytics_verify}"`
}

type verifyAnalytics struct {
	Workspace string `placeholder:"W" help:"Key or id of the workspace; default all."`
	Repair    bool   `help:"Where there is a difference, throw the counts away and make them again."`
}

type reportCheck struct {
	Workspace   string             `json:"workspace"` // its key
	Leads       int                `json:"leads"`
	Hours       int                `json:"hours"`
	Pending     int                `json:"pending"` // changed since their counts were made: read afresh by every reader
	Differences []reportDifference `json:"differences"`
	Repaired    bool               `json:"repaired"`
}

type reportDifference struct {
	LeadID dossier.LeadID `json:"leadId,omitempty"`
	Hour   string         `json:"hour,omitempty"`
	Column string         `json:"column"`
	Kept   int64          `json:"kept"`
	Want   int64          `json:"want"`
}

// Run prints what it finds. Differences that were not repaired end it with exit code 1.
func (c verifyAnalytics) Run(a *app) error {
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		workspaces, err := c.workspaces(a, db)
		if err != nil {
			return err
		}
		list, wrong := []reportCheck{}, false
		for _, w := range workspaces {
			check, err := c.verify(a, db, w)
			if err != nil {
				return err
			}
			list, wrong = append(list, check), wrong || (len(check.Differences) > 0 && !check.Repaired)
		}
		if err := a.show(list, func(out io.Writer) { printChecks(out, list) }); err != nil {
			return err
		}
		if wrong {
			return errFound
		}
		return nil
	})
}

func (c verifyAnalytics) workspaces(a *app, db *postgres.DB) ([]dossier.Workspace, error) {
	if c.Workspace == "" {
		return db.ListWorkspaces(a.ctx)
	}
	w, err := workspaceNamed(a.ctx, db, c.Workspace)
	return []dossier.Workspace{w}, err
}

func (c verifyAnalytics) verify(a *app, db *postgres.DB, w dossier.Workspace) (reportCheck, error) {
	found, err := db.VerifyReports(a.ctx, w.ID)
	check := reportCheck{Workspace: w.Key, Leads: found.Leads, Hours: found.Hours, Pending: found.Pending,
		Differences: []reportDifference{}}
	for _, d := range found.Differences {
		one := reportDifference{LeadID: d.LeadID, Column: d.Column, Kept: d.Kept, Want: d.Want}
		if d.Hour != nil {
			one.Hour = stamp(*d.Hour)
		}
		check.Differences = append(check.Differences, one)
	}
	if err != nil || !c.Repair || len(check.Differences) == 0 {
		return check, err
	}
	if err := db.RepairReports(a.ctx, w.ID); err != nil {
		return check, err
	}
	for n := 1; n > 0; {
		if n, err = db.FoldWorkspaceReports(a.ctx, w.ID); err != nil {
			return check, err
		}
	}
	check.Repaired = true
	return check, nil
}

func printChecks(out io.Writer, list []reportCheck) {
	rows := make([][]string, len(list))
	for i, c := range list {
		state := fmt.Sprint(len(c.Differences), " differences")
		if c.Repaired {
			state += ", repaired"
		}
		rows[i] = []string{c.Workspace, fmt.Sprint(c.Leads), fmt.Sprint(c.Pending), state}
	}
	table(out, "No workspaces.", "WORKSPACE LEADS PENDING RESULT", rows)
	for _, c := range list {
		for _, d := range c.Differences {
			where := d.Hour
			if d.LeadID != "" {
				where = string(d.LeadID)
			}
			fmt.Fprintf(out, "%s %s %s: kept %d, is %d\n", c.Workspace, where, d.Column, d.Kept, d.Want)
		}
	}
}
