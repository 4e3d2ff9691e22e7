package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

type auditCommand struct {
	List    listAudit    `cmd:"" help:"List administrative acts of a workspace, newest first."`
	Verify  verifyAudit  `cmd:"" help:"Check that no entry was changed or removed: names the first that does not hold."`
	Actions auditActions `cmd:"" help:"List what counts as an administrative act."`
}

type listAudit struct {
	Workspace string `required:"" placeholder:"W" help:"Key or id of the workspace; the id of a deleted one too."`
	Limit     int    `default:"100" help:"At most so many."`
}

// Run lists audit entries.
func (c listAudit) Run(a *app) error {
	if err := positiveLimit(c.Limit); err != nil {
		return err
	}
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		id, err := auditedWorkspace(a, db, c.Workspace)
		if err != nil {
			return err
		}
		found, err := db.AuditEntries(a.ctx, id, postgres.AuditQuery{Page: dossier.Page{Limit: c.Limit}})
		if err != nil {
			return err
		}
		list, rows := []record.AuditEntry{}, [][]string{}
		for _, e := range found[:min(len(found), c.Limit)] {
			list = append(list, record.Audit(e))
			details, err := json.Marshal(e.Details)
			if err != nil {
				return err
			}
			rows = append(rows, []string{stamp(e.At), actorText(e.Actor), string(e.Action), e.Subject.Type + ":" +
				e.Subject.ID, short(string(details), 80)})
		}
		return a.show(list, func(w io.Writer) { table(w, "No entries.", "TIME ACTOR ACTION SUBJECT DETAILS", rows) })
	})
}

// auditedWorkspace is the id of a workspace by key or id; a deleted one has only its id.
func auditedWorkspace(a *app, db *postgres.DB, keyOrID string) (dossier.WorkspaceID, error) {
	w, err := workspaceNamed(a.ctx, db, keyOrID)
	if dossier.KindOf(err) == dossier.NotFound && dossier.ValidID(keyOrID) {
		return dossier.WorkspaceID(keyOrID), nil
	}
	return w.ID, err
}

func actorText(actor dossier.AuditActor) string {
	switch {
	case actor.Name != nil:
		return *actor.Name
	case actor.ID != nil:
		return string(actor.Type) + ":" + *actor.ID
	}
	return string(actor.Type)
}

type verifyAudit struct {
	Workspace string `placeholder:"W" help:"Key or id of one workspace, deleted ones too; all without it."`
}

type verifiedAudit struct {
	Entries int    `json:"entries"`
	Broken  string `json:"broken,omitempty"` // id of the first entry that does not hold
}

// Run checks the chains, and ends at the first entry that does not hold.
func (c verifyAudit) Run(a *app) error {
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		all, err := db.AuditedWorkspaces(a.ctx)
		if c.Workspace != "" && err == nil {
			all = make([]dossier.WorkspaceID, 1)
			all[0], err = auditedWorkspace(a, db, c.Workspace)
		}
		if err != nil {
			return err
		}
		var sum verifiedAudit
		for _, ws := range all {
			chain, err := db.VerifyAudit(a.ctx, ws)
			if err != nil {
				return err
			}
			sum.Entries += chain.Entries
			if chain.Broken != "" {
				sum.Broken = chain.Broken
				fmt.Fprintf(a.err, "dossier: entry %s of workspace %s does not hold: it, or one before it, was "+
					"changed or removed\n", chain.Broken, ws)
				break
			}
		}
		if err := a.show(sum, func(w io.Writer) {
			if sum.Broken == "" {
				fmt.Fprintf(w, "%d entries hold\n", sum.Entries)
			}
		}); err != nil || sum.Broken == "" {
			return err
		}
		return errFound
	})
}

type auditActions struct{}

type auditAction struct {
	Action  dossier.AuditAction `json:"action"`
	Meaning string              `json:"meaning"`
}

// Run lists the acts that are recorded.
func (auditActions) Run(a *app) error {
	list, rows := []auditAction{}, [][]string{}
	for _, act := range dossier.AuditActions {
		list, rows = append(list, auditAction(act)), append(rows, []string{string(act.Action), act.Meaning})
	}
	return a.show(list, func(w io.Writer) { table(w, "", "ACTION MEANING", rows) })
}
