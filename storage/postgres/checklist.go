package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/record"
)

// itemColumns are the columns of a definition with its group. i is the item, g the group.
const itemColumns = `i.id AS item_id, i.lead_id AS item_lead_id, i.party_id AS item_party_id, i.code, i.label,
	i.field_type, i.is_required, i.config,
	i.conditions, i.validation_rules, i.help_text, i.client_instructions, i.agent_instructions, i.position,
	i.created_at AS item_created_at, i.updated_at AS item_updated_at,
	g.id AS group_id, coalesce(g.key, '') AS group_key, coalesce(g.name, '') AS group_name,
		g.conditions AS group_conditions`

// checklistOrder is the template's order, what stands outside groups after it, the lead's own items last.
const checklistOrder = ` ORDER BY g.position NULLS LAST, g.id, i.lead_id IS NOT NULL, i.position, i.created_at, i.id`

// itemRow is one row of itemColumns.
type itemRow struct {
	ItemID             dossier.ItemID
	ItemLeadID         *dossier.LeadID
	ItemPartyID        *dossier.PartyID
	Code               string
	Label              string
	FieldType          dossier.FieldType
	IsRequired         bool
	Config             *dossier.ItemConfig
	Conditions         *dossier.Condition
	ValidationRules    []string
	HelpText           *string
	ClientInstructions *string
	AgentInstructions  *string
	Position           int
	ItemCreatedAt      time.Time
	ItemUpdatedAt      time.Time
	GroupID            *dossier.GroupID
	GroupKey           string
	GroupName          string
	GroupConditions    *dossier.Condition
}

// entryRow is one entry of a lead's checklist.
type entryRow struct {
	EntryID         dossier.EntryID
	EntryLeadID     dossier.LeadID
	Status          dossier.ItemStatus
	Value           json.RawMessage
	SecretValue     []byte
	Source          *dossier.ValueSource
	AlternateValues []dossier.AlternateValue
	Reasons         []dossier.Reason
	ItemOverride    json.RawMessage
	AutoSkipped     bool
	EntryCreatedAt  time.Time
	EntryUpdatedAt  time.Time
	itemRow
}

const entryColumns = `e.id AS entry_id, e.lead_id AS entry_lead_id, e.status, e.value, e.secret_value, e.source,
	e.alternate_values, e.reasons,
	e.item_override, e.auto_skipped, e.created_at AS entry_created_at, e.updated_at AS entry_updated_at, ` + itemColumns

const selectEntries = `SELECT ` + entryColumns + ` FROM checklist_entries e
	JOIN checklist_items i ON i.workspace_id = e.workspace_id AND i.id = e.item_id
	LEFT JOIN checklist_groups g ON g.workspace_id = i.workspace_id AND g.id = i.group_id
	WHERE e.workspace_id = $1 AND e.lead_id = $2` + checklistOrder

func (r itemRow) item() dossier.ChecklistItem {
	item := dossier.ChecklistItem{ID: r.ItemID, LeadID: r.ItemLeadID, PartyID: r.ItemPartyID, GroupID: r.GroupID,
		Code: r.Code, Label: r.Label,
		FieldType:  r.FieldType,
		IsRequired: r.IsRequired, Conditions: r.Conditions, ValidationRules: r.ValidationRules, HelpText: r.HelpText,
		ClientInstructions: r.ClientInstructions, AgentInstructions: r.AgentInstructions, Position: r.Position,
		CreatedAt: r.ItemCreatedAt, UpdatedAt: r.ItemUpdatedAt}
	if r.Config != nil {
		item.Config = *r.Config
	}
	return item
}

func (r entryRow) entry() dossier.ChecklistEntry {
	e := dossier.ChecklistEntry{ID: r.EntryID, Item: r.item(), Status: r.Status, Value: r.Value,
		Alternates: r.AlternateValues, Reasons: r.Reasons, Override: r.ItemOverride, AutoSkipped: r.AutoSkipped,
		CreatedAt: r.EntryCreatedAt, UpdatedAt: r.EntryUpdatedAt}
	if r.Source != nil {
		e.Source = *r.Source
	}
	return e
}

// addTo puts the entry at the end of its group, opening the group when it is the first.
func (r itemRow) addTo(c *dossier.Checklist, lead dossier.LeadID, entry dossier.ChecklistEntry) {
	group := dossier.ChecklistGroup{ID: string(lead), Name: dossier.AdditionalItemsName}
	if r.GroupID != nil {
		group = dossier.ChecklistGroup{ID: string(*r.GroupID), Key: r.GroupKey, Name: r.GroupName,
			Conditions: r.GroupConditions}
	}
	if n := len(c.Groups); n == 0 || c.Groups[n-1].ID != group.ID {
		c.Groups = append(c.Groups, group)
	}
	last := &c.Groups[len(c.Groups)-1]
	last.Entries = append(last.Entries, entry)
}

// checklistOf puts rows in checklist order together and says what is visible.
func checklistOf(lead dossier.LeadID, rows []entryRow) dossier.Checklist {
	var c dossier.Checklist
	for _, row := range rows {
		row.addTo(&c, lead, row.entry())
	}
	c.Resolve()
	return c
}

func loadChecklist(ctx context.Context, tx *tx, lead dossier.LeadID) (dossier.Checklist, error) {
	rows, err := collect(ctx, tx, pgx.RowToStructByName[entryRow], selectEntries, tx.ws, lead)
	return checklistOf(lead, rows), err
}

const selectTemplate = `SELECT ` + itemColumns + ` FROM checklist_items i
	LEFT JOIN checklist_groups g ON g.workspace_id = i.workspace_id AND g.id = i.group_id
	WHERE i.workspace_id = $1 AND i.lead_id IS NULL AND i.archived_at IS NULL
		AND g.archived_at IS NULL` + checklistOrder

// newChecklist puts the workspace's template on a lead that is being made.
func newChecklist(tx *tx, lead dossier.LeadID, template []itemRow) (c dossier.Checklist) {
	for _, row := range template {
		row.addTo(&c, lead, dossier.ChecklistEntry{ID: newID[dossier.EntryID](), Item: row.item(),
			Status: dossier.ItemTodo, CreatedAt: tx.now, UpdatedAt: tx.now})
	}
	return c
}

// insertEntries stages entries that are new on a lead.
func insertEntries(tx *tx, lead dossier.LeadID, c dossier.Checklist) error {
	for e := range c.All() {
		secret, err := sealEntry(tx, *e)
		if err != nil {
			return err
		}
		tx.deferRow(`INSERT INTO checklist_entries (workspace_id, id, lead_id, item_id, code, status, value,
				secret_value, source, alternate_values, reasons, created_at, updated_at)
			SELECT @workspace, id, lead, item, code, status, value, secret, source, alternates, reasons, @now, @now
			FROM unnest(@ids::uuid[], @leads::uuid[], @items::uuid[], @codes::text[], @statuses::text[],
				@values::jsonb[], @secrets::bytea[], @sources::text[], @alternates::jsonb[], @reasons::jsonb[])
				AS e (id, lead, item, code, status, value, secret, source, alternates, reasons)`,
			pgx.NamedArgs{"workspace": tx.ws, "now": tx.now},
			pgx.NamedArgs{"ids": e.ID, "leads": lead, "items": e.Item.ID, "codes": e.Item.Code, "statuses": e.Status,
				"values": e.Value, "secrets": secret, "sources": dossier.OrNil(e.Source),
				"alternates": json.RawMessage(mustJSON(alternatesJSON(*e))),
				"reasons":    json.RawMessage(mustJSON(dossier.ReasonsOrNone(e.Reasons)))})
	}
	return nil
}

// saveEntries stores the changed entries, with the next round trip. A secret that was not given again stays.
func (c *leadChange) saveEntries(tx *tx) error {
	for e := range c.checklist.All() {
		if _, touched := c.touched[e]; !touched {
			continue
		}
		secret, err := sealEntry(tx, *e)
		if err != nil {
			return err
		}
		tx.deferExec(`UPDATE checklist_entries SET status = @status, value = @value,
			secret_value = CASE WHEN @value::jsonb IS NULL THEN NULL ELSE coalesce(@secret, secret_value) END,
				source = @source, alternate_values = @alternateValues, reasons = @reasons,
					auto_skipped = @autoSkipped, updated_at = @now
			WHERE workspace_id = @workspace AND lead_id = @leadId AND id = @id`,
			pgx.NamedArgs{"workspace": tx.ws, "leadId": c.lead.ID, "id": e.ID, "status": e.Status, "value": e.Value,
				"secret": secret, "source": dossier.OrNil(e.Source), "alternateValues": alternatesJSON(*e),
				"reasons": dossier.ReasonsOrNone(e.Reasons), "autoSkipped": e.AutoSkipped, "now": tx.now})
	}
	return nil
}

// sealEntry encrypts an entry's secret; nil when there is none to write.
func sealEntry(tx *tx, e dossier.ChecklistEntry) ([]byte, error) {
	if e.Secret == "" {
		return nil, nil
	}
	return tx.cipher.SealAt(secretPlace(tx.ws, e.ID), []byte(e.Secret))
}

// secretPlace is where an entry's secret is kept.
func secretPlace(ws dossier.WorkspaceID, id dossier.EntryID) place {
	return place{"checklist_entries.secret_value", ws, string(id), "checklist.secret:" + string(id)}
}

func alternatesJSON(e dossier.ChecklistEntry) []dossier.AlternateValue {
	if e.Alternates == nil {
		return []dossier.AlternateValue{}
	}
	return e.Alternates
}

// emitEntry records an event about an item of a checklist.
func emitEntry(ctx context.Context, tx *tx, event dossier.EventType, lead leadRef, e dossier.ChecklistEntry) error {
	return emitItem(ctx, tx, event, lead, record.ChecklistItem{ID: e.ID, Code: e.Item.Code, Label: e.Item.Label,
		FieldType:  e.Item.FieldType,
		IsRequired: e.Item.IsRequired, Status: e.Status, Source: dossier.OrNil(e.Source),
		ValidationError: e.ValidationError(dossier.English), Reasons: dossier.ReasonsOrNone(e.Reasons)})
}

func emitItem(ctx context.Context, tx *tx, event dossier.EventType, lead leadRef, item record.ChecklistItem) error {
	return emit(ctx, tx, event, lead.LeadID, record.ItemEvent{LeadRef: lead, Item: item})
}
