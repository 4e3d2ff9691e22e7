package main

import (
	"encoding/json"
	"io"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

type auditCommand struct {
	List    listAudit    `cmd:"" help:"List administrative acts of a workspace, newest first."`
	Actions auditActions `cmd:"" help:"List what counts as an administrative act."`
}

type auditEntry struct {
	ID        string              `json:"id"`
	Actor     string              `json:"actor"`
	Action    dossier.AuditAction `json:"action"`
	Subject   string              `json:"subject"`
	Detail    map[string]any      `json:"detail"`
	RequestID *string             `json:"requestId"`
	CreatedAt record.Time         `json:"createdAt"`
}

type listAudit struct {
	Workspace string `required:"" placeholder:"W" help:"Key or id of the workspace; the id of a deleted one too."`
	Limit     int    `default:"100" help:"At most so many."`
}

// Run lists audit entries.
func (c listAudit) Run(a *app) error {
	if err := positive("--limit", c.Limit); err != nil {
		return err
	}
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		w, err := workspaceNamed(a.ctx, db, c.Workspace)
		if dossier.KindOf(err) == dossier.NotFound && dossier.ValidID(c.Workspace) {
			w.ID, err = dossier.WorkspaceID(c.Workspace), nil
		}
		if err != nil {
			return err
		}
		found, err := db.AuditEntries(a.ctx, w.ID, dossier.Page{Limit: c.Limit})
		if err != nil {
			return err
		}
		list, rows := []auditEntry{}, [][]string{}
		for _, e := range found[:min(len(found), c.Limit)] {
			list = append(list, auditEntry{e.ID, e.Actor, e.Action, e.Subject, e.Detail, e.RequestID, record.Time(e.CreatedAt)})
			detail, err := json.Marshal(e.Detail)
			if err != nil {
				return err
			}
			rows = append(rows, []string{stamp(e.CreatedAt), e.Actor, string(e.Action), e.Subject, short(string(detail), 80)})
		}
		return a.show(list, func(w io.Writer) { table(w, "No entries.", "TIME ACTOR ACTION SUBJECT DETAIL", rows) })
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
