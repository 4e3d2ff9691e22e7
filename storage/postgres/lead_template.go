package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// leadTemplate is what every new lead of a workspace begins with.
type leadTemplate struct {
	leadDefaults
	items []itemRow
}

// queueTemplate reads it in a round trip with others.
func (t *leadTemplate) queueTemplate(batch *pgx.Batch, tx *tx) {
	queueOne(batch, &t.leadDefaults, "workspace", pgx.RowToStructByPos[leadDefaults], selectLeadDefaults, tx.ws,
		defaultLinkDays)
	queue(batch, &t.items, pgx.RowToStructByName[itemRow], selectTemplate, tx.ws)
}

// draft is a new lead with the workspace's checklist; nothing is written of it.
func (t *leadTemplate) draft(tx *tx, isTest bool) *leadChange {
	change := &leadChange{region: t.Region, linkDays: t.LinkDays, lead: dossier.Lead{
		ID: newID[dossier.LeadID](), Source: "api", Tags: []string{}, AssigneeType: dossier.AssigneeAgent,
		IsTest: isTest, Version: 1, CreatedAt: tx.now, UpdatedAt: tx.now}}
	change.checklist = newChecklist(tx, change.lead.ID, t.items)
	return change
}

// draftLead is the draft of one lead.
func draftLead(ctx context.Context, tx *tx, isTest bool) (*leadChange, error) {
	var template leadTemplate
	batch := &pgx.Batch{} // one round trip
	template.queueTemplate(batch, tx)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return nil, err
	}
	return template.draft(tx, isTest), nil
}
