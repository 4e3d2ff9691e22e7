package main

import (
	"io"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

type retentionCommand struct {
	Plan planRetention `cmd:"" help:"List what will go, when and by which rule; what goes first first."`
}

type planRetention struct {
	Workspace string `placeholder:"W" help:"Key or id of one workspace; all without it."`
	Limit     int    `default:"1000" help:"At most so many of a workspace."`
}

// plannedJSON is an entry of the plan.
type plannedJSON struct {
	Subject   string      `json:"subject"`
	SubjectID string      `json:"subjectId"`
	Due       record.Time `json:"due"`
	Rule      string      `json:"rule"`
}

// Run lists what will go. Nothing is changed.
func (c planRetention) Run(a *app) error {
	if err := positiveLimit(c.Limit); err != nil {
		return err
	}
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		all, err := db.ListWorkspaces(a.ctx)
		if c.Workspace != "" && err == nil {
			all = make([]dossier.Workspace, 1)
			all[0], err = workspaceNamed(a.ctx, db, c.Workspace)
		}
		if err != nil {
			return err
		}
		list, rows := []plannedJSON{}, [][]string{}
		for _, w := range all {
			plan, err := db.RetentionPlan(a.ctx, w.ID, c.Limit)
			if err != nil {
				return err
			}
			for _, p := range plan {
				list = append(list, plannedJSON{p.Subject, p.SubjectID, record.Time(p.Due), p.Rule})
				rows = append(rows, []string{w.Key, p.Subject + ":" + p.SubjectID, stamp(p.Due), p.Rule})
			}
		}
		return a.show(list, func(w io.Writer) {
			table(w, "Nothing will go, as it stands.", "WORKSPACE SUBJECT DUE RULE",
				rows)
		})
	})
}
