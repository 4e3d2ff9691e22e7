package postgres

import (
	"context"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// CreateLeadItem puts a one-off item on one lead's checklist; documents the lead has already may serve it. Errors:
// NotFound (lead, party), Invalid, Conflict (duplicate_code, limit_reached).
func (db *DB) CreateLeadItem(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID, create dossier.NewItem,
	by Caller) (dossier.ChecklistEntry, error) {
	return transact(ctx, db, ws, "create checklist item", func(tx *tx) (dossier.ChecklistEntry, error) {
		locked, err := lockLead(ctx, tx, lead)
		if err != nil {
			return dossier.ChecklistEntry{}, err
		}
		if err := requireParty(ctx, tx, lead, create.PartyID); err != nil {
			return dossier.ChecklistEntry{}, err
		}
		item, err := create.Item(newID[dossier.ItemID](), lead, &locked.checklist, tx.now)
		if err != nil {
			return dossier.ChecklistEntry{}, err
		}
		limits, err := readLimits(ctx, tx)
		if err != nil {
			return dossier.ChecklistEntry{}, err
		}
		if locked.checklist.Len() >= limits.ChecklistItems {
			return dossier.ChecklistEntry{}, dossier.LimitReached("checklistItems",
				strconv.Itoa(limits.ChecklistItems)+" a lead")
		}
		entry := dossier.ChecklistEntry{ID: newID[dossier.EntryID](), Item: item, Status: dossier.ItemTodo,
			CreatedAt: tx.now, UpdatedAt: tx.now}
		if err := insertLeadItem(ctx, tx, item); err != nil {
			return entry, err
		}
		one := dossier.Checklist{Groups: []dossier.ChecklistGroup{{Entries: []dossier.ChecklistEntry{entry}}}}
		if err := insertEntries(tx, lead, one); err != nil {
			return entry, err
		}
		if item.FieldType.TakesFiles() {
			if err := rematchLeads(ctx, tx, []dossier.LeadID{lead}); err != nil {
				return entry, err
			}
		}
		return entry, logItem(ctx, tx, lead, "checklist_item_created", "Checklist item added: "+item.Label, entry, by)
	})
}

// ChangeLeadItem alters a one-off item. When its config or rules change, what it holds is judged again, and so is
// which documents serve it.
// Errors: NotFound (item, party), Invalid, Conflict (template_item).
func (db *DB) ChangeLeadItem(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID, id dossier.EntryID,
	change dossier.ItemChange, by Caller) (dossier.ChecklistEntry, error) {
	return transact(ctx, db, ws, "change checklist item", func(tx *tx) (dossier.ChecklistEntry, error) {
		locked, entry, err := lockEntry(ctx, tx, lead, id)
		if err != nil {
			return dossier.ChecklistEntry{}, err
		}
		if err := requireParty(ctx, tx, lead, change.PartyID.Value); err != nil {
			return *entry, err
		}
		before := entry.Status
		if err := entry.Change(change, locked.region, tx.now); err != nil {
			return *entry, err
		}
		if err := updateLeadItem(ctx, tx, entry.Item); err != nil {
			return *entry, err
		}
		locked.touched = map[*dossier.ChecklistEntry]dossier.ItemStatus{entry: before}
		if err := locked.saveEntries(tx); err != nil {
			return *entry, err
		}
		if change.Judged() && entry.Item.FieldType.TakesFiles() {
			if err := rematchLeads(ctx, tx, []dossier.LeadID{lead}); err != nil {
				return *entry, err
			}
			if _, err := enqueue(ctx, tx, jobs.JudgeLead{Workspace: ws, Lead: lead},
				staging{subject: string(lead)}); err != nil {
				return *entry, err
			}
		}
		if err := logItem(ctx, tx, lead, "checklist_item_changed", "Checklist item changed: "+entry.Item.Label, *entry,
			by); err != nil {
			return *entry, err
		}
		if err := locked.emitTurns(ctx, tx); err != nil {
			return *entry, err
		}
		return *entry, finishRuns(ctx, tx, locked.ref())
	})
}

// DeleteLeadItem takes a one-off item off a lead's checklist; documents that served it stay with the lead.
// Errors: NotFound, Conflict (template_item).
func (db *DB) DeleteLeadItem(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID, id dossier.EntryID,
	by Caller) error {
	_, err := transact(ctx, db, ws, "delete checklist item", func(tx *tx) (none, error) {
		locked, entry, err := lockEntry(ctx, tx, lead, id)
		if err != nil {
			return none{}, err
		}
		if err := entry.Change(dossier.ItemChange{}, "", tx.now); err != nil {
			return none{}, err
		}
		endReviews(tx, []string{string(entry.ID)}, dossier.ItemCodes)
		if _, err := tx.Exec(ctx, `DELETE FROM checklist_entries WHERE workspace_id = $1 AND lead_id = $2 AND id = $3`,
			tx.ws, lead, entry.ID); err != nil {
			return none{}, err
		}
		if _, err := tx.Exec(ctx, `DELETE FROM checklist_items WHERE workspace_id = $1 AND lead_id = $2 AND id = $3`,
			tx.ws, lead, entry.Item.ID); err != nil {
			return none{}, err
		}
		if err := logItem(ctx, tx, lead, "checklist_item_deleted", "Checklist item deleted: "+entry.Item.Label, *entry,
			by); err != nil {
			return none{}, err
		}
		return none{}, finishRuns(ctx, tx, locked.ref())
	})
	return err
}

// lockEntry holds the lead and finds one of its entries, by its own id or by its definition's. Error: NotFound.
func lockEntry(ctx context.Context, tx *tx, lead dossier.LeadID,
	id dossier.EntryID) (*leadChange, *dossier.ChecklistEntry, error) {
	locked, err := lockLead(ctx, tx, lead)
	if err != nil {
		return nil, nil, err
	}
	for entry := range locked.checklist.All() {
		if entry.ID == id || string(entry.Item.ID) == string(id) {
			return locked, entry, nil
		}
	}
	return nil, nil, missing("checklist item")
}

func insertLeadItem(ctx context.Context, tx *tx, i dossier.ChecklistItem) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO checklist_items (workspace_id, id, lead_id, code, label, field_type, is_required, config,
			validation_rules,
			agent_instructions, client_instructions, position, created_at, updated_at, party_id)
		VALUES (@workspace, @id, @leadId, @code, @label, @fieldType, @isRequired, @config, @validationRules,
			@agentInstructions, @clientInstructions, @position, @now, @now, @partyId)`,
		pgx.NamedArgs{"workspace": tx.ws, "id": i.ID, "leadId": i.LeadID, "code": i.Code, "label": i.Label,
			"fieldType": i.FieldType, "isRequired": i.IsRequired, "config": configJSON(i),
			"validationRules": rulesOf(i), "agentInstructions": i.AgentInstructions,
			"clientInstructions": i.ClientInstructions, "position": i.Position, "now": tx.now, "partyId": i.PartyID})
	return err
}

func updateLeadItem(ctx context.Context, tx *tx, i dossier.ChecklistItem) error {
	_, err := tx.Exec(ctx, `
		UPDATE checklist_items SET label = @label, is_required = @isRequired, config = @config,
			validation_rules = @validationRules,
			agent_instructions = @agentInstructions,
			client_instructions = @clientInstructions, updated_at = @updatedAt, party_id = @partyId
		WHERE workspace_id = @workspace AND lead_id = @leadId AND id = @id`,
		pgx.NamedArgs{"workspace": tx.ws, "leadId": i.LeadID, "id": i.ID, "label": i.Label,
			"isRequired": i.IsRequired, "config": configJSON(i), "validationRules": rulesOf(i),
			"agentInstructions": i.AgentInstructions, "clientInstructions": i.ClientInstructions,
			"updatedAt": i.UpdatedAt, "partyId": i.PartyID})
	return err
}

// configJSON stores no config as NULL.
func configJSON(i dossier.ChecklistItem) *dossier.ItemConfig {
	if i.Config.IsZero() {
		return nil
	}
	return &i.Config
}

func rulesOf(i dossier.ChecklistItem) []string {
	if i.ValidationRules == nil {
		return []string{}
	}
	return i.ValidationRules
}

func logItem(ctx context.Context, tx *tx, lead dossier.LeadID, eventType, summary string, e dossier.ChecklistEntry,
	by Caller) error {
	_, err := logAction(ctx, tx, dossier.ActionLog{LeadID: lead, Type: dossier.ActionAPIActivity, Summary: summary,
		Actor: dossier.OrNil(by.Actor)},
		map[string]any{"eventType": eventType, "source": "api", "code": e.Item.Code, "label": e.Item.Label,
			"fieldType": e.Item.FieldType})
	return err
}
