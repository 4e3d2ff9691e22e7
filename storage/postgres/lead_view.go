package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// recentActions is how many action logs a lead is answered with (api.md, Limits).
const recentActions = 100

// maxMatches bounds how many leads with the same contact are shown.
const maxMatches = 50

// LeadView is a lead with everything its answer shows, all of one moment.
type LeadView struct {
	Lead         dossier.Lead
	PortalToken  string // "" when the link has expired
	Checklist    dossier.Checklist
	Actions      []ActionEntry // newest first
	Matching     []dossier.LeadMatch
	LastAction   *ActionEntry // the most recent completed outbound message or follow-up
	NextFollowUp *ActionEntry // the next pending follow-up
	NextDraft    *ActionEntry // the next message that waits for approval
	Documents    []dossier.Document
}

// leadViewRow is a lead with its live portal token, sealed.
type leadViewRow struct {
	dossier.Lead
	Token []byte
}

// matchRow is another lead with the same contact.
type matchRow struct {
	dossier.Lead
	SameEmail bool
	SamePhone bool
}

// LeadView reads a lead for an answer: one snapshot, three round trips. Error: NotFound.
func (db *DB) LeadView(ctx context.Context, ws dossier.WorkspaceID, id dossier.LeadID) (LeadView, error) {
	return snapshot(ctx, db, ws, "read lead", func(tx *tx) (LeadView, error) {
		var q leadViewQueries
		batch := &pgx.Batch{}
		q.queue(batch, tx, id)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return LeadView{}, err
		}
		if len(q.lead) == 0 {
			return LeadView{}, missing("lead")
		}
		return q.view(tx.cipher, id)
	})
}

// leadViewQueries holds the rows of one batch.
type leadViewQueries struct {
	lead      []leadViewRow
	entries   []entryRow
	served    []dossier.Association
	documents []dossier.Document
	logs      []dossier.ActionLog
	last      []dossier.ActionLog
	followUp  []dossier.ActionLog
	draft     []dossier.ActionLog
	messages  []dossier.Message
	logFiles  []dossier.Document
	matches   []matchRow
}

func (q *leadViewQueries) queue(batch *pgx.Batch, tx *tx, id dossier.LeadID) {
	logs := pgx.RowToStructByName[dossier.ActionLog]
	queue(batch, &q.lead, pgx.RowToStructByName[leadViewRow], selectLeadView, tx.ws, id, tx.now)
	queue(batch, &q.entries, pgx.RowToStructByName[entryRow], selectEntries, tx.ws, id)
	queue(batch, &q.served, scanAssociation, selectServed, tx.ws, id)
	queue(batch, &q.documents, scanDocument, selectLeadDocuments, tx.ws, id)
	queue(batch, &q.logs, logs, selectRecentActions, tx.ws, id, recentActions)
	queue(batch, &q.last, logs, selectLastAction, tx.ws, id)
	queue(batch, &q.followUp, logs, selectFollowUp, tx.ws, id)
	queue(batch, &q.draft, logs, selectDraft, tx.ws, id)
	queue(batch, &q.messages, pgx.RowToStructByName[dossier.Message], selectActionMessages, tx.ws, id, recentActions)
	queue(batch, &q.logFiles, scanDocument, selectActionDocuments, tx.ws, id, recentActions)
	queue(batch, &q.matches, pgx.RowToStructByName[matchRow], selectMatches, tx.ws, id, maxMatches)
}

const (
	selectLeadView = `SELECT ` + leadColumns + `, p.token FROM leads l
		LEFT JOIN portal_links p ON p.workspace_id = l.workspace_id AND p.lead_id = l.id AND p.revoked_at IS NULL AND p.expires_at > $3
		WHERE l.workspace_id = $1 AND l.id = $2 AND l.deleted_at IS NULL`

	selectLeadDocuments = `SELECT ` + documentColumns + ` FROM documents
		WHERE workspace_id = $1 AND lead_id = $2 AND deleted_at IS NULL AND uploaded_at IS NOT NULL ORDER BY created_at, id`

	selectRecentActions = `SELECT ` + actionLogColumns + ` FROM action_logs a
		WHERE a.workspace_id = $1 AND a.lead_id = $2 ORDER BY a.created_at DESC, a.id DESC LIMIT $3`

	selectLastAction = `SELECT ` + actionLogColumns + ` FROM action_logs a
		WHERE a.workspace_id = $1 AND a.lead_id = $2 AND a.status = 'COMPLETED' AND a.type IN ('OUTBOUND_MESSAGE', 'FOLLOW_UP_MESSAGE')
		ORDER BY a.created_at DESC, a.id DESC LIMIT 1`

	selectFollowUp = `SELECT ` + actionLogColumns + ` FROM action_logs a
		WHERE a.workspace_id = $1 AND a.lead_id = $2 AND a.status = 'PENDING' AND a.type = 'FOLLOW_UP_MESSAGE'
		ORDER BY a.scheduled_at NULLS LAST, a.id LIMIT 1`

	selectDraft = `SELECT ` + actionLogColumns + ` FROM action_logs a
		JOIN messages m ON m.workspace_id = a.workspace_id AND m.id = a.message_id AND m.status = 'DRAFT'
		WHERE a.workspace_id = $1 AND a.lead_id = $2 AND a.status = 'PENDING' ORDER BY m.created_at, m.id LIMIT 1`

	// The messages and documents that the entries above point to. Those of the last action and of pending entries
	// may be older than the recent ones.
	selectActionMessages = `SELECT ` + messageColumns + ` FROM messages m WHERE m.workspace_id = $1 AND m.id IN (
		(SELECT a.message_id FROM action_logs a WHERE a.workspace_id = $1 AND a.lead_id = $2 ORDER BY a.created_at DESC, a.id DESC LIMIT $3)
		UNION (SELECT a.message_id FROM action_logs a WHERE a.workspace_id = $1 AND a.lead_id = $2 AND a.status = 'PENDING')
		UNION (SELECT a.message_id FROM action_logs a WHERE a.workspace_id = $1 AND a.lead_id = $2 AND a.status = 'COMPLETED'
			AND a.type IN ('OUTBOUND_MESSAGE', 'FOLLOW_UP_MESSAGE') ORDER BY a.created_at DESC, a.id DESC LIMIT 1))`

	selectActionDocuments = `SELECT ` + documentColumns + ` FROM documents WHERE workspace_id = $1 AND deleted_at IS NULL AND id IN (
		SELECT unnest(r.document_ids) FROM (SELECT a.document_ids FROM action_logs a
			WHERE a.workspace_id = $1 AND a.lead_id = $2 ORDER BY a.created_at DESC, a.id DESC LIMIT $3) r)`

	// Two lookups by index, not one join with OR. A test lead matches nobody and nobody matches one.
	selectMatches = `WITH me AS (SELECT id, email_folded, phone_number FROM leads WHERE workspace_id = $1 AND id = $2 AND NOT is_test AND deleted_at IS NULL),
		hits AS (
			SELECT o.id, true AS email, false AS phone FROM leads o WHERE o.workspace_id = $1 AND o.email_folded = (SELECT email_folded FROM me)
				AND o.deleted_at IS NULL AND NOT o.is_test
			UNION ALL
			SELECT o.id, false, true FROM leads o WHERE o.workspace_id = $1 AND o.phone_number = (SELECT phone_number FROM me)
				AND o.deleted_at IS NULL AND NOT o.is_test),
		other AS (SELECT id, bool_or(email) AS same_email, bool_or(phone) AS same_phone FROM hits WHERE id <> $2 GROUP BY id)
		SELECT ` + leadColumns + `, other.same_email, other.same_phone FROM other JOIN leads l ON l.workspace_id = $1 AND l.id = other.id
		ORDER BY l.created_at DESC, l.id DESC LIMIT $3`
)

func (q *leadViewQueries) view(cipher *Cipher, id dossier.LeadID) (LeadView, error) {
	token, err := openPortalToken(cipher, q.lead[0].Token)
	if err != nil {
		return LeadView{}, err
	}
	v := LeadView{Lead: q.lead[0].Lead, PortalToken: token, Checklist: checklistOf(id, q.entries)}
	v.Documents = putDocuments(&v.Checklist, q.documents, q.served)
	v.Actions = joinActionEntries(q.logs, q.messages, q.logFiles)
	v.LastAction, v.NextFollowUp, v.NextDraft = q.first(q.last), q.first(q.followUp), q.first(q.draft)
	for _, row := range q.matches {
		match := dossier.LeadMatch{Lead: row.Lead}
		if row.SameEmail {
			match.MatchedOn = append(match.MatchedOn, "email")
		}
		if row.SamePhone {
			match.MatchedOn = append(match.MatchedOn, "phoneNumber")
		}
		v.Matching = append(v.Matching, match)
	}
	return v, nil
}

func (q *leadViewQueries) first(logs []dossier.ActionLog) *ActionEntry {
	if len(logs) == 0 {
		return nil
	}
	return &joinActionEntries(logs, q.messages, q.logFiles)[0]
}

// selectServed lists the associations of one lead's documents.
const selectServed = selectAssociations + ` WHERE a.workspace_id = $1 AND a.lead_id = $2 ORDER BY i.position, a.id`

// putDocuments gives each file item the documents that serve it and returns all documents, newest first, with
// their associations. documents are oldest first.
func putDocuments(c *dossier.Checklist, documents []dossier.Document, served []dossier.Association) []dossier.Document {
	byDocument := map[dossier.DocumentID][]dossier.Association{}
	for _, a := range served {
		byDocument[a.DocumentID] = append(byDocument[a.DocumentID], a)
	}
	entries := map[dossier.EntryID]*dossier.ChecklistEntry{}
	for entry := range c.All() {
		entries[entry.ID] = entry
	}
	newestFirst := make([]dossier.Document, len(documents))
	for i, d := range documents {
		for _, a := range byDocument[d.ID] {
			one := d
			one.Associations = []dossier.Association{a}
			if entry := entries[a.EntryID]; entry != nil {
				entry.Documents = append(entry.Documents, one)
			}
		}
		d.Associations = byDocument[d.ID]
		newestFirst[len(documents)-1-i] = d
	}
	return newestFirst
}

// ReadChecklist returns a lead's checklist with the documents of file items. Error: NotFound (lead).
func (db *DB) ReadChecklist(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID) (dossier.Checklist, error) {
	return snapshot(ctx, db, ws, "read checklist", func(tx *tx) (dossier.Checklist, error) {
		c, _, err := readChecklist(ctx, tx, lead)
		return c, err
	})
}

func readChecklist(ctx context.Context, tx *tx, lead dossier.LeadID) (dossier.Checklist, []entryRow, error) {
	var found []dossier.LeadID
	var q leadViewQueries
	batch := &pgx.Batch{}
	queue(batch, &found, pgx.RowTo[dossier.LeadID], `SELECT id FROM leads WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL`, tx.ws, lead)
	queue(batch, &q.entries, pgx.RowToStructByName[entryRow], selectEntries, tx.ws, lead)
	queue(batch, &q.served, scanAssociation, selectServed, tx.ws, lead)
	queue(batch, &q.documents, scanDocument, selectLeadDocuments, tx.ws, lead)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return dossier.Checklist{}, nil, err
	}
	if len(found) == 0 {
		return dossier.Checklist{}, nil, missing("lead")
	}
	c := checklistOf(lead, q.entries)
	putDocuments(&c, q.documents, q.served)
	return c, q.entries, nil
}

// RevealChecklist is ReadChecklist with the full numbers of SSN items in Secret. Every call writes an audit entry.
// Error: NotFound (lead).
func (db *DB) RevealChecklist(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID) (dossier.Checklist, error) {
	return transact(ctx, db, ws, "reveal checklist", func(tx *tx) (dossier.Checklist, error) {
		c, rows, err := readChecklist(ctx, tx, lead)
		if err != nil {
			return c, err
		}
		for _, row := range rows {
			if row.SecretValue == nil {
				continue
			}
			plain, err := tx.cipher.Open(secretLabel(row.EntryID), row.SecretValue)
			if err != nil {
				return c, err
			}
			c.Entry(row.Code).Secret = string(plain)
		}
		audit(ctx, tx, dossier.AuditReveal, leadSubject(lead), nil)
		return c, nil
	})
}
