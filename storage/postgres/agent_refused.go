package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// refusalPause lets several uploads in a row be judged before the agent writes about them.
const refusalPause = 2 * time.Minute

// maxRefusals is how many refused documents of one item call for a person.
const maxRefusals = 3

// planRefusalTurn plans a turn in which the agent that collects the checklist explains why a document that was just
// judged cannot be used. It escalates to a person when an item was refused maxRefusals times. The caller holds the
// lead's lock.
func planRefusalTurn(ctx context.Context, tx *tx, lead leadRef, entries []dossier.EntryID) error {
	type refused struct {
		Label string
		Times int
	}
	items, err := collect(ctx, tx, pgx.RowToStructByPos[refused], `SELECT i.label, (SELECT count(*)
		FROM document_associations a
			JOIN documents d ON d.workspace_id = a.workspace_id AND d.id = a.document_id AND d.deleted_at IS NULL
			WHERE a.workspace_id = $1 AND a.entry_id = e.id AND a.overall_valid = false AND a.override_valid IS NULL)
		FROM checklist_entries e JOIN checklist_items i ON i.workspace_id = e.workspace_id AND i.id = e.item_id
		WHERE e.workspace_id = $1 AND e.id = ANY($2) AND e.status = 'INVALID' ORDER BY i.position,
		i.id`, tx.ws, nonNil(entries))
	if err != nil || len(items) == 0 {
		return err
	}
	runs, err := collect(ctx, tx, pgx.RowToStructByName[dossier.Run], `SELECT `+runColumns+` FROM workflow_runs
		WHERE workspace_id = $1 AND lead_id = $2 AND status = 'ACTIVE'
		AND workflow_type = 'CHECKLIST'`, tx.ws, lead.LeadID)
	if err != nil || len(runs) == 0 {
		return err
	}
	for _, item := range items {
		if item.Times != maxRefusals {
			continue // once: at the third, not at every one after it
		}
		detail := item.Label
		if _, err := escalate(ctx, tx, lead.LeadID, runs[0].ID, "Several documents of one item were refused", &detail,
			Caller{Source: dossier.SourceAgent}); err != nil {
			return err
		}
	}
	cancelPlannedTurns(tx, runs[0])
	return planTurn(ctx, tx, runs[0], dossier.TriggerRefused, tx.now.Add(refusalPause))
}
