package postgres

import (
	"context"
	"slices"

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
	Link  *string
	Token []byte
}

// matchRow is another lead with the same contact.
type matchRow struct {
	dossier.Lead
	SameEmail bool
	SamePhone bool
}

// LeadView reads a lead for an answer: one snapshot, two to four round trips. Error: NotFound.
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
		entries, err := q.actions(ctx, tx, id)
		if err != nil {
			return LeadView{}, err
		}
		token, err := q.token(tx.cipher, ws)
		if err != nil {
			return LeadView{}, err
		}
		checklist := checklistOf(id, q.entries)
		return q.view(q.lead[0].Lead, token, &checklist, entries), nil
	})
}

// leadViewQueries holds the rows of one batch.
type leadViewQueries struct {
	lead      []leadViewRow
	entries   []entryRow
	served    []dossier.Association
	documents []dossier.Document
	logs      []dossier.ActionLog
	matches   []matchRow
}

func (q *leadViewQueries) queue(batch *pgx.Batch, tx *tx, id dossier.LeadID) {
	q.queueLead(batch, tx, id)
	queue(batch, &q.entries, pgx.RowToStructByName[entryRow], selectEntries, tx.ws, id)
	q.queueFiles(batch, tx, id)
	queue(batch, &q.logs, pgx.RowToStructByName[dossier.ActionLog], selectRecentActions, tx.ws, id, recentActions)
	queue(batch, &q.matches, pgx.RowToStructByName[matchRow], selectMatches, tx.ws, id, maxMatches)
}

func (q *leadViewQueries) queueLead(batch *pgx.Batch, tx *tx, id dossier.LeadID) {
	queue(batch, &q.lead, pgx.RowToStructByName[leadViewRow], selectLeadView, tx.ws, id, tx.now)
}

// queueLink asks for the link alone of a lead that is known.
func (q *leadViewQueries) queueLink(batch *pgx.Batch, tx *tx, id dossier.LeadID) {
	batch.Queue(`SELECT p.id::text, p.token FROM portal_links p WHERE p.workspace_id = $1 AND p.lead_id = $2
		AND p.revoked_at IS NULL AND p.party_id IS NULL AND p.expires_at > $3`, tx.ws, id, tx.now).
		Query(func(rows pgx.Rows) error {
			_, err := pgx.ForEachRow(rows, []any{&q.lead[0].Link, &q.lead[0].Token}, func() error { return nil })
			return err
		})
}

// queueFiles asks for a lead's documents and the items they serve.
func (q *leadViewQueries) queueFiles(batch *pgx.Batch, tx *tx, id dossier.LeadID) {
	queue(batch, &q.served, scanAssociation, selectServed, tx.ws, id)
	queue(batch, &q.documents, scanDocument, selectLeadDocuments, tx.ws, id)
}

// token is that of the lead's page; "" when its link has expired.
func (q *leadViewQueries) token(cipher *Cipher, ws dossier.WorkspaceID) (string, error) {
	return openPortalToken(cipher, ws, storedLink{ID: deref(q.lead[0].Link), Sealed: q.lead[0].Token})
}

// pointsFurther reports whether more has to be read: the recent logs refer to messages or documents, or the last
// action, next follow-up or next draft may be older than they are.
func (q *leadViewQueries) pointsFurther() bool {
	return len(q.logs) == recentActions || slices.ContainsFunc(q.logs, func(log dossier.ActionLog) bool {
		return log.MessageID != nil || len(log.DocumentIDs) > 0
	})
}

// actions are the entries of the recent logs, and behind them older ones that are sought.
func (q *leadViewQueries) actions(ctx context.Context, tx *tx, id dossier.LeadID) ([]ActionEntry, error) {
	logs := q.logs
	if len(logs) == recentActions { // what is sought may be older
		older, err := soughtActions(ctx, tx, id)
		if err != nil {
			return nil, err
		}
		logs = slices.Concat(logs, older)
	}
	return actionEntries(ctx, tx, logs)
}

// soughtActions are the last action, the next follow-up and the next draft of a lead, however old, if it has them.
func soughtActions(ctx context.Context, tx *tx, id dossier.LeadID) ([]dossier.ActionLog, error) {
	var last, followUp, draft []dossier.ActionLog
	logs, batch := pgx.RowToStructByName[dossier.ActionLog], &pgx.Batch{}
	queue(batch, &last, logs, selectLastAction, tx.ws, id)
	queue(batch, &followUp, logs, selectFollowUp, tx.ws, id)
	queue(batch, &draft, logs, selectDraft, tx.ws, id)
	err := tx.SendBatch(ctx, batch).Close()
	return slices.Concat(last, followUp, draft), err
}

const (
	selectLeadView = `SELECT ` + leadColumns + `, p.id::text AS link, p.token FROM leads l
		LEFT JOIN portal_links p ON p.workspace_id = l.workspace_id AND p.lead_id = l.id AND p.revoked_at IS NULL
			AND p.party_id IS NULL
			AND p.expires_at > $3
		WHERE l.workspace_id = $1 AND l.id = $2 AND l.deleted_at IS NULL`

	selectLeadDocuments = `SELECT ` + documentColumns + ` FROM documents
		WHERE workspace_id = $1 AND lead_id = $2 AND deleted_at IS NULL AND uploaded_at IS NOT NULL ORDER BY created_at,
			id`

	selectRecentActions = `SELECT ` + actionLogColumns + ` FROM action_logs a
		WHERE a.workspace_id = $1 AND a.lead_id = $2 ORDER BY a.created_at DESC, a.id DESC LIMIT $3`

	selectLastAction = `SELECT ` + actionLogColumns + ` FROM action_logs a
		WHERE a.workspace_id = $1 AND a.lead_id = $2 AND a.status = 'COMPLETED'
			AND a.type IN ('OUTBOUND_MESSAGE', 'FOLLOW_UP_MESSAGE')
		ORDER BY a.created_at DESC, a.id DESC LIMIT 1`

	selectFollowUp = `SELECT ` + actionLogColumns + ` FROM action_logs a
		WHERE a.workspace_id = $1 AND a.lead_id = $2 AND a.status = 'PENDING' AND a.type = 'FOLLOW_UP_MESSAGE'
		ORDER BY a.scheduled_at NULLS LAST, a.id LIMIT 1`

	selectDraft = `SELECT ` + actionLogColumns + ` FROM action_logs a
		JOIN messages m ON m.workspace_id = a.workspace_id AND m.id = a.message_id AND m.status = 'DRAFT'
		WHERE a.workspace_id = $1 AND a.lead_id = $2 AND a.status = 'PENDING' ORDER BY m.created_at, m.id LIMIT 1`

	// Two lookups by index, not one join with OR. A test lead matches nobody and nobody matches one.
	selectMatches = `WITH me AS (SELECT id, email_folded, phone_number FROM leads WHERE workspace_id = $1 AND id = $2
		AND NOT is_test AND deleted_at IS NULL),
		hits AS (
			SELECT o.id, true AS email, false AS phone FROM leads o WHERE o.workspace_id = $1
				AND o.email_folded = (SELECT email_folded FROM me)
				AND o.deleted_at IS NULL AND NOT o.is_test
			UNION ALL
			SELECT o.id, false, true FROM leads o WHERE o.workspace_id = $1 AND o.phone_number = (SELECT phone_number
				FROM me)
				AND o.deleted_at IS NULL AND NOT o.is_test),
		other AS (SELECT id, bool_or(email) AS same_email, bool_or(phone) AS same_phone FROM hits WHERE id <> $2
			GROUP BY id)
		SELECT ` + leadColumns + `, other.same_email, other.same_phone FROM other JOIN leads l ON l.workspace_id = $1
			AND l.id = other.id
		ORDER BY l.created_at DESC, l.id DESC LIMIT $3`
)

// view puts the rows together. entries are those of the recent logs, and behind them older ones that are sought.
func (q *leadViewQueries) view(lead dossier.Lead, token string, checklist *dossier.Checklist,
	entries []ActionEntry) LeadView {
	v := LeadView{Lead: lead, PortalToken: token, Actions: entries[:min(len(entries), recentActions)]}
	v.Documents = putDocuments(checklist, q.documents, q.served)
	v.Checklist = *checklist
	v.seek(entries)
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
	return v
}

// seek sets the last action, the next follow-up and the next draft. entries are newest first.
func (v *LeadView) seek(entries []ActionEntry) {
	for i := range entries {
		e := &entries[i]
		outbound := e.Type == dossier.ActionOutboundMessage || e.Type == dossier.ActionFollowUpMessage
		switch {
		case e.Status == dossier.ActionCompleted && outbound:
			if v.LastAction == nil {
				v.LastAction = e
			}
		case e.Status != dossier.ActionPending:
		default:
			if e.Type == dossier.ActionFollowUpMessage && (v.NextFollowUp == nil || e.sooner(v.NextFollowUp)) {
				v.NextFollowUp = e
			}
			if e.drafted() && (v.NextDraft == nil || e.draftedBefore(v.NextDraft)) {
				v.NextDraft = e
			}
		}
	}
}

// sooner reports whether a planned entry is due before another; one without a time is due last.
func (e *ActionEntry) sooner(other *ActionEntry) bool {
	switch {
	case e.ScheduledAt == nil || other.ScheduledAt == nil:
		if (e.ScheduledAt == nil) != (other.ScheduledAt == nil) {
			return other.ScheduledAt == nil
		}
	case !e.ScheduledAt.Equal(*other.ScheduledAt):
		return e.ScheduledAt.Before(*other.ScheduledAt)
	}
	return e.ID < other.ID
}

func (e *ActionEntry) drafted() bool {
	return e.Message != nil && e.Message.Status == dossier.MessageDraft
}

func (e *ActionEntry) draftedBefore(other *ActionEntry) bool {
	if !e.Message.CreatedAt.Equal(other.Message.CreatedAt) {
		return e.Message.CreatedAt.Before(other.Message.CreatedAt)
	}
	return e.Message.ID < other.Message.ID
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
func (db *DB) ReadChecklist(ctx context.Context, ws dossier.WorkspaceID,
	lead dossier.LeadID) (dossier.Checklist, error) {
	return snapshot(ctx, db, ws, "read checklist", func(tx *tx) (dossier.Checklist, error) {
		c, _, err := readChecklist(ctx, tx, lead)
		return c, err
	})
}

func readChecklist(ctx context.Context, tx *tx, lead dossier.LeadID) (dossier.Checklist, []entryRow, error) {
	var found []dossier.LeadID
	var q leadViewQueries
	batch := &pgx.Batch{}
	queue(batch, &found, pgx.RowTo[dossier.LeadID], `SELECT id FROM leads WHERE workspace_id = $1 AND id = $2
		AND deleted_at IS NULL`, tx.ws, lead)
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

// RevealChecklist is ReadChecklist with the full numbers of SSN items in Secret. A call that shows one writes an audit
// entry. Error: NotFound (lead).
func (db *DB) RevealChecklist(ctx context.Context, ws dossier.WorkspaceID,
	lead dossier.LeadID) (dossier.Checklist, error) {
	return transact(ctx, db, ws, "reveal checklist", func(tx *tx) (dossier.Checklist, error) {
		c, rows, err := readChecklist(ctx, tx, lead)
		if err != nil {
			return c, err
		}
		var codes []string
		for _, row := range rows {
			if row.SecretValue == nil {
				continue
			}
			plain, err := tx.cipher.OpenAt(secretPlace(tx.ws, row.EntryID), row.SecretValue)
			if err != nil {
				return c, err
			}
			c.Entry(row.Code).Secret = string(plain)
			codes = append(codes, row.Code)
		}
		if len(codes) > 0 {
			audit(ctx, tx, dossier.AuditReveal, leadSubject(lead), map[string]any{"codes": codes})
		}
		return c, nil
	})
}
