package postgres

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// LeadFilter says which leads a list keeps; zero fields keep all.
type LeadFilter struct {
	IDs            []dossier.LeadID
	Tags           []string // any of them
	ExcludeTags    []string // none of them; wins over Tags
	Status         []dossier.LeadStatus
	ExternalLeadID string
	Email          string // without case
	PhoneNumber    string // any spelling
	Q              string // part of a name, email, phone number or external id
	UpdatedSince   *time.Time
	Mode           dossier.Mode
}

// ListedLead is a lead with what a list shows of its checklist and future.
type ListedLead struct {
	dossier.Lead
	CompletedItems int
	TotalItems     int
	NextFollowUp   *dossier.ActionLog
}

// ListLeads returns a page of leads, newest first, in four round trips however many leads it has; looking for a
// phone number or a text takes one more.
func (db *DB) ListLeads(ctx context.Context, ws dossier.WorkspaceID, filter LeadFilter,
	page dossier.Page) ([]ListedLead, error) {
	return snapshot(ctx, db, ws, "list leads", func(tx *tx) ([]ListedLead, error) {
		look, err := filter.lookUp(ctx, tx)
		if err != nil {
			return nil, err
		}
		sql, args, err := filter.query(tx.ws, look, page).ToSql()
		if err != nil {
			return nil, err
		}
		leads, err := collect(ctx, tx, pgx.RowToStructByName[dossier.Lead], sql, args...)
		if err != nil || len(leads) == 0 {
			return nil, err
		}
		return addListed(ctx, tx, leads)
	})
}

func (f LeadFilter) query(ws dossier.WorkspaceID, look lookUp, page dossier.Page) squirrel.SelectBuilder {
	q := psql.Select(leadColumns).From("leads l").Where("l.workspace_id = ? AND l.deleted_at IS NULL", ws)
	switch f.Mode {
	case dossier.ModeLive:
		q = q.Where("NOT l.is_test")
	case dossier.ModeTest:
		q = q.Where("l.is_test")
	}
	if len(f.IDs) > 0 {
		q = q.Where("l.id = ANY(?)", f.IDs)
	}
	if len(f.Tags) > 0 {
		q = q.Where("l.tags_folded && ?::text[]", dossier.FoldTags(f.Tags))
	}
	if len(f.ExcludeTags) > 0 {
		q = q.Where("NOT l.tags_folded && ?::text[]", dossier.FoldTags(f.ExcludeTags))
	}
	if len(f.Status) > 0 {
		q = q.Where("coalesce(l.closing_status, CASE WHEN l.open_escalations > 0 THEN 'REVIEW' ELSE 'IN_PROGRESS' "+
			"END) = ANY(?)", f.Status)
	}
	if f.ExternalLeadID != "" {
		q = q.Where("l.external_lead_id = ?", f.ExternalLeadID)
	}
	if f.Email != "" {
		q = q.Where("l.email_folded = lower(?)", f.Email)
	}
	if len(look.phones) > 0 {
		q = q.Where("l.phone_number = ANY(?)", look.phones)
	}
	if look.hits != nil {
		q = q.Where("l.id = ANY(?)", look.hits)
	} else if f.Q != "" {
		q = q.Where("l.search LIKE ?", f.pattern())
	}
	if f.UpdatedSince != nil {
		q = q.Where("l.updated_at >= ?", *f.UpdatedSince)
	}
	if page.After != nil {
		q = q.Where("(l.created_at, l.id) < (?, ?::uuid)", page.After.At, page.After.ID)
	}
	return q.OrderBy("l.created_at DESC, l.id DESC").Limit(uint64(page.Limit) + 1)
}

// lookUp is what must be known before leads can be selected.
type lookUp struct {
	phones []string         // spellings under which the wanted number may be stored: E.164, and as it was given
	hits   []dossier.LeadID // leads that have the wanted text; nil when they are too many to list
}

// maxHits is how many leads are selected by id. When more have the text, a page of them is soon found by reading
// the newest leads.
const maxHits = 2000

func (f LeadFilter) lookUp(ctx context.Context, tx *tx) (look lookUp, err error) {
	if f.PhoneNumber != "" {
		defaults, err := workspaceDefaults(ctx, tx)
		if err != nil {
			return look, err
		}
		normal, _ := dossier.NormalizePhone(f.PhoneNumber, defaults.Region)
		look.phones = []string{f.PhoneNumber, normal}
	}
	if f.Q == "" {
		return look, nil
	}
	hits, err := collect(ctx, tx, pgx.RowTo[dossier.LeadID], `SELECT search_leads($1, $2)`, f.pattern(), maxHits+1)
	if len(hits) <= maxHits {
		look.hits = append([]dossier.LeadID{}, hits...)
	}
	return look, err
}

// pattern finds Q anywhere in a lead's search text, which is in lower case.
func (f LeadFilter) pattern() string { return "%" + likeEscape.Replace(strings.ToLower(f.Q)) + "%" }

var likeEscape = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// statusRow is what counting needs of an entry.
type statusRow struct {
	LeadID dossier.LeadID
	ItemID dossier.ItemID
	Status dossier.ItemStatus
	Value  json.RawMessage
}

// addListed adds checklist counts and follow-ups to a page, in one round trip. Definitions are read once, not once
// a lead: they are what makes a checklist wide.
func addListed(ctx context.Context, tx *tx, leads []dossier.Lead) ([]ListedLead, error) {
	ids := make([]dossier.LeadID, len(leads))
	for i, l := range leads {
		ids[i] = l.ID
	}
	var items []itemRow
	var entries []statusRow
	var followUps []dossier.ActionLog
	batch := &pgx.Batch{}
	queue(batch, &items, pgx.RowToStructByName[itemRow], selectListItems, tx.ws, ids)
	queue(batch, &entries, pgx.RowToStructByPos[statusRow], selectListEntries, tx.ws, ids)
	queue(batch, &followUps, pgx.RowToStructByName[dossier.ActionLog], selectListFollowUps, tx.ws, ids)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return nil, err
	}
	next := map[dossier.LeadID]*dossier.ActionLog{}
	for i := range followUps {
		next[followUps[i].LeadID] = &followUps[i]
	}
	checklists := checklistsOf(items, entries)
	listed := make([]ListedLead, len(leads))
	for i, l := range leads {
		listed[i] = ListedLead{Lead: l, NextFollowUp: next[l.ID]}
		if c := checklists[l.ID]; c != nil {
			listed[i].CompletedItems, listed[i].TotalItems = c.Counts()
		}
	}
	return listed, nil
}

const (
	selectListItems = `SELECT ` + itemColumns + ` FROM checklist_items i
		LEFT JOIN checklist_groups g ON g.workspace_id = i.workspace_id AND g.id = i.group_id
		WHERE i.workspace_id = $1 AND (i.lead_id IS NULL OR i.lead_id = ANY($2))`

	selectListEntries = `SELECT e.lead_id, e.item_id, e.status, e.value FROM checklist_entries e
		WHERE e.workspace_id = $1 AND e.lead_id = ANY($2)`

	selectListFollowUps = `SELECT DISTINCT ON (a.lead_id) ` + actionLogColumns + ` FROM action_logs a
		WHERE a.workspace_id = $1 AND a.lead_id = ANY($2) AND a.status = 'PENDING' AND a.type = 'FOLLOW_UP_MESSAGE'
		ORDER BY a.lead_id, a.scheduled_at NULLS LAST, a.id`
)

// checklistsOf puts entries together by lead, far enough to count them: groups are in no order.
func checklistsOf(items []itemRow, entries []statusRow) map[dossier.LeadID]*dossier.Checklist {
	definitions := map[dossier.ItemID]dossier.ChecklistEntry{}
	groups := map[dossier.ItemID]itemRow{}
	for _, row := range items {
		definitions[row.ItemID], groups[row.ItemID] = dossier.ChecklistEntry{Item: row.item()}, row
	}
	checklists := map[dossier.LeadID]*dossier.Checklist{}
	for _, e := range entries {
		c := checklists[e.LeadID]
		if c == nil {
			c = &dossier.Checklist{}
			checklists[e.LeadID] = c
		}
		entry := definitions[e.ItemID]
		entry.Status, entry.Value = e.Status, e.Value
		groups[e.ItemID].addTo(c, e.LeadID, entry)
	}
	for _, c := range checklists {
		c.Resolve()
	}
	return checklists
}

// DeleteLead hides a lead and stops everything in flight for it: runs, messages, follow-ups, jobs, its portal link. Its
// data is erased after a time of grace, or now when erase says so. Errors: NotFound, also when repeated, Conflict
// retention_floor.
func (db *DB) DeleteLead(ctx context.Context, ws dossier.WorkspaceID, id dossier.LeadID, erase bool, by Caller) error {
	_, err := transact(ctx, db, ws, "delete lead", func(tx *tx) (none, error) {
		ref, err := lockLeadRef(ctx, tx, id)
		if err != nil {
			return none{}, err
		}
		stored, err := lockStoredLead(ctx, tx, id)
		if err != nil {
			return none{}, err
		}
		if err := hideLead(ctx, tx, ref, by); err != nil {
			return none{}, err
		}
		audit(ctx, tx, dossier.AuditLeadDelete, leadSubject(id), nil)
		return none{}, eraseDeleted(ctx, tx, erasing{subject: dossier.EraseLead, id: string(id), lead: id,
			stored: stored}, erase)
	})
	return err
}

// hideLead takes a lead out of sight and ends what is under way for it.
func hideLead(ctx context.Context, tx *tx, ref leadRef, by Caller) error {
	id := ref.LeadID
	for _, step := range []func() error{
		func() error { return cancelRuns(ctx, tx, ref) },
		func() error { return cancelOutreach(ctx, tx, id) },
		func() error { return cancelLeadJobs(ctx, tx, id) },
		func() error { return wakeLeadRuns(ctx, tx, id) },
		func() error { revokePortalLinks(tx, id); return nil },
		func() error { endAllReviews(tx, id); return nil },
		func() error {
			_, err := logAction(ctx, tx, dossier.ActionLog{LeadID: id, Type: dossier.ActionAPIActivity,
				Summary: "Lead deleted", Actor: dossier.OrNil(by.Actor)},
				map[string]any{"eventType": "lead_deleted", "source": "api"})
			return err
		},
		func() error {
			_, err := tx.Exec(ctx, `UPDATE leads SET deleted_at = $3, updated_at = $3, version = version + 1
				WHERE workspace_id = $1 AND id = $2`, tx.ws, id, tx.now)
			return err
		},
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// cancelLeadJobs stops the unfinished jobs of a lead, its documents, spreads and messages.
func cancelLeadJobs(ctx context.Context, tx *tx, id dossier.LeadID) error {
	subjects, err := collect(ctx, tx, pgx.RowTo[string], `SELECT $2::uuid
		UNION ALL SELECT id FROM documents WHERE workspace_id = $1 AND lead_id = $2 AND deleted_at IS NULL
		UNION ALL SELECT id FROM spreads WHERE workspace_id = $1 AND lead_id = $2
		UNION ALL SELECT id FROM messages WHERE workspace_id = $1 AND lead_id = $2
			AND status IN ('QUEUED', 'CANCELLED')`, tx.ws, id)
	if err != nil {
		return err
	}
	for _, subject := range subjects {
		if err := cancelSubject(ctx, tx, subject); err != nil {
			return err
		}
	}
	return nil
}
