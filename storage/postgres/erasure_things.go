package postgres

import (
	"bytes"
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// erasureScope is what an erasure removes, and what it has to regenerate.
type erasureScope struct {
	Subject  dossier.ErasureSubject
	Lead     dossier.LeadID
	Document dossier.DocumentID      // empty: the whole lead
	Spreads  []dossier.SpreadID      // that used the document
	IDs      []string                // of everything that is removed, to find rows that mention it
	Runs     []dossier.PipelineRunID // whose parameters or result mention one of the IDs
	Objects  []string                // keys in object storage
}

// readErasureScope finds what an erasure has to remove.
func readErasureScope(ctx context.Context, tx *tx, subject dossier.ErasureSubject, lead dossier.LeadID,
	id string) (erasureScope, error) {
	t := erasureScope{Subject: subject, Lead: lead}
	ids, objects := namedByLead, storedByLead
	if subject == dossier.EraseDocument {
		t.Document = dossier.DocumentID(id)
		ids, objects = namedByDocument, storedByDocument
		var err error
		if t.Spreads, err = collect(ctx, tx, pgx.RowTo[dossier.SpreadID],
			`SELECT spread_id FROM spread_documents WHERE workspace_id = $1 AND document_id = $2 ORDER BY spread_id`,
			tx.ws, id); err != nil {
			return t, err
		}
	}
	var err error
	if t.IDs, err = collect(ctx, tx, pgx.RowTo[string], ids, tx.ws, id); err != nil {
		return t, err
	}
	t.Runs, err = collect(ctx, tx, pgx.RowTo[dossier.PipelineRunID], `SELECT id FROM pipeline_runs
		WHERE workspace_id = $1
		AND (parameters::text || coalesce(result::text, '')) ~ $2`, tx.ws, strings.Join(t.IDs, "|"))
	if err != nil {
		return t, err
	}
	for _, run := range t.Runs {
		t.IDs = append(t.IDs, string(run))
	}
	t.Objects, err = collect(ctx, tx, pgx.RowTo[string], `SELECT DISTINCT k FROM (`+objects+`) t WHERE k <> ''
			ORDER BY k`, tx.ws, id)
	return t, err
}

// What an erasure names and stores: $1 is the workspace, $2 the subject.
const (
	namedByLead = `SELECT $2::uuid::text FROM workspaces WHERE id = $1
		UNION SELECT id::text FROM documents WHERE workspace_id = $1 AND lead_id = $2::uuid
		UNION SELECT id::text FROM spreads WHERE workspace_id = $1 AND lead_id = $2::uuid`
	storedByLead = `
		SELECT unnest(ARRAY[object_key, tokens_key, thumbnail_key]) k FROM documents WHERE workspace_id = $1
		AND lead_id = $2::uuid
		UNION ALL SELECT p.object_key FROM page_pictures p JOIN documents d ON d.workspace_id = p.workspace_id
		AND d.id = p.document_id
			WHERE p.workspace_id = $1 AND d.lead_id = $2::uuid
		UNION ALL SELECT a.object_key FROM artifacts a JOIN spreads s ON s.workspace_id = a.workspace_id
		AND s.id = a.spread_id
			WHERE a.workspace_id = $1 AND s.lead_id = $2::uuid
		UNION ALL SELECT coalesce(x.object_key, '') FROM exports x JOIN leads l ON l.workspace_id = x.workspace_id
		AND l.id = $2::uuid
			WHERE x.workspace_id = $1 AND ` + exportsOf

	namedByDocument = `SELECT $2::uuid::text FROM workspaces WHERE id = $1
		UNION SELECT spread_id::text FROM spread_documents WHERE workspace_id = $1 AND document_id = $2::uuid`
	storedByDocument = `
		SELECT unnest(ARRAY[object_key, tokens_key, thumbnail_key]) k FROM documents WHERE workspace_id = $1
		AND id = $2::uuid
		UNION ALL SELECT object_key FROM page_pictures WHERE workspace_id = $1 AND document_id = $2::uuid
		UNION ALL SELECT a.object_key FROM artifacts a JOIN spread_documents s ON s.workspace_id = a.workspace_id
		AND s.spread_id = a.spread_id
			WHERE a.workspace_id = $1 AND s.document_id = $2::uuid`

	// exportsOf is true of the exports x that contain a lead l: those made between its creation and its deletion.
	exportsOf = `x.created_at >= l.created_at AND (l.deleted_at IS NULL OR x.created_at <= l.deleted_at)`
)

// erasedTable is a table from which an erasure deletes rows. In where, $1 is the workspace, $2 the lead, $3 a regular
// expression of all IDs that are removed, $4 the document. id is the expression by which a row is named in the
// certificate.
type erasedTable struct{ table, where, id string }

// erasedTables lists, for each kind of subject, the tables to delete from, in an order that foreign keys allow.
var erasedTables = map[dossier.ErasureSubject][]erasedTable{
	dossier.EraseLead: append(eventTables(`lead_id = $2 OR (type LIKE 'pipeline_run.%' OR type = `+
		`'export.completed') AND body ~ $3`), []erasedTable{
		{"exports", `EXISTS (SELECT FROM leads l WHERE l.workspace_id = $1 AND l.id = $2 AND ` +
			strings.ReplaceAll(exportsOf, "x.", "t.") + `)`, "id::text"},
		{"pipeline_runs", `(parameters::text || coalesce(result::text, '')) ~ $3`, "id::text"},
		{"review_looks", `review_id IN (SELECT id FROM reviews WHERE workspace_id = $1 AND lead_id = $2)`,
			"md5(t::text)"},
		{"reviews", `lead_id = $2`, "id::text"},
		{"spread_adjustments", `spread_id IN (SELECT id FROM spreads WHERE workspace_id = $1 AND lead_id = $2)`,
			"id::text"},
		{"artifacts", `spread_id IN (SELECT id FROM spreads WHERE workspace_id = $1 AND lead_id = $2)`, "id::text"},
		{"spread_documents", `spread_id IN (SELECT id FROM spreads WHERE workspace_id = $1 AND lead_id = $2)`,
			"spread_id::text || '/' || document_id"},
		{"caption_mappings", `lead_id = $2`, "md5(t::text)"},
		{"spreads", `lead_id = $2`, "id::text"},
		{"document_associations", `lead_id = $2`, "id::text"},
		{"document_parties", `lead_id = $2`, "document_id::text || '/' || part"},
		{"ownership_shares", `lead_id = $2`, "document_id::text || '/' || part"},
		{"ownership_edges", `lead_id = $2`, "md5(t::text)"},
		{"debts", `lead_id = $2`, "id::text"},
		{"page_pictures", `document_id IN (SELECT id FROM documents WHERE workspace_id = $1 AND lead_id = $2)`,
			"document_id::text || '/' || page || '/' || width"},
		{"documents", `lead_id = $2`, "id::text"},
		{"action_logs", `lead_id = $2`, "id::text"},
		{"interventions", `lead_id = $2`, "id::text"},
		{"escalations", `lead_id = $2`, "id::text"},
		{"messages", `lead_id = $2`, "id::text"},
		{"workflow_runs", `lead_id = $2`, "id::text"},
		{"portal_links", `lead_id = $2`, "id::text"},
		{"checklist_entries", `lead_id = $2`, "id::text"},
		{"checklist_items", `lead_id = $2`, "id::text"},
		{"parties", `lead_id = $2`, "id::text"},
		{"holds", `lead_id = $2`, "id::text"},
		{"leads", `id = $2`, "id::text"},
	}...),
	dossier.EraseDocument: append(eventTables(`(lead_id = $2 OR type LIKE 'pipeline_run.%') AND body ~ $3`),
		[]erasedTable{
			{"pipeline_runs", `(parameters::text || coalesce(result::text, '')) ~ $3`, "id::text"},
			{"review_looks", `document_id = $4`, "md5(t::text)"},
			{"reviews", `lead_id = $2 AND subject_id = $4`, "id::text"},
			{"artifacts", `spread_id IN (SELECT spread_id FROM spread_documents WHERE workspace_id = $1
					AND document_id = $4)`, "id::text"},
			{"spread_documents", `document_id = $4`, "spread_id::text || '/' || document_id"},
			{"document_associations", `document_id = $4`, "id::text"},
			{"document_parties", `document_id = $4`, "document_id::text || '/' || part"},
			{"ownership_shares", `document_id = $4`, "document_id::text || '/' || part"},
			{"action_logs", logsOf, "id::text"},
			{"page_pictures", `document_id = $4`, "document_id::text || '/' || page || '/' || width"},
			{"documents", `id = $4`, "id::text"},
		}...),
}

// logsOf is true of the entries of a lead's timeline that mention a document.
const logsOf = `lead_id = $2 AND ($4 = ANY(document_ids) OR (input::text || tool_calls::text) ~ $3)`

// eventTables lists the tables of the events that fulfil a condition, and of their deliveries.
func eventTables(condition string) []erasedTable {
	events := `SELECT id FROM events WHERE workspace_id = $1 AND (` + condition + `)`
	deliveries := `event_id IN (` + events + `)`
	return []erasedTable{
		{"attempts", `delivery_id IN (SELECT id FROM deliveries WHERE workspace_id = $1 AND ` + deliveries + `)`,
			"delivery_id::text || '/' || number"},
		{"deliveries", deliveries, "id::text"},
		{"event_inbox", `event_id IN (` + events + `)`, "event_id::text"},
		{"event_aside", `event_id IN (` + events + `)`, "event_id::text"},
		{"events", `id IN (` + events + `)`, "id::text"},
	}
}

// erasableRows returns the names of all rows in the scope of an erasure. With remove it deletes them.
func erasableRows(ctx context.Context, tx *tx, t erasureScope, remove bool) ([]string, error) {
	var ids []string
	for _, e := range erasedTables[t.Subject] {
		erased := `SELECT ` + e.id + ` FROM ` + e.table + ` t WHERE workspace_id = $1 AND (` + e.where + `)`
		if remove {
			erased = `DELETE FROM ` + e.table + ` t WHERE workspace_id = $1 AND (` + e.where + `) RETURNING ` + e.id
		}
		found, err := collect(ctx, tx, pgx.RowTo[string], `WITH mine AS (SELECT $2::uuid, $3::text, $4::uuid) `+erased,
			tx.ws, t.Lead, strings.Join(t.IDs, "|"), dossier.OrNil(t.Document))
		if err != nil {
			return nil, err
		}
		ids = append(ids, found...)
	}
	return ids, nil
}

// removeReferences removes what mentions the erased things in rows that stay: sums of analytics, answers kept for
// repeated requests, and of a document also what the items and messages of its lead say of it.
func removeReferences(ctx context.Context, tx *tx, t erasureScope) error {
	if err := deleteStoredAnswers(ctx, tx, t.IDs); err != nil {
		return err
	}
	if t.Subject == dossier.EraseLead {
		// With this lock no fold of analytics is under way, and none will see the lead again.
		tx.deferExec(`SELECT pg_advisory_xact_lock(4218004, hashtext($1))`, string(tx.ws))
		return foldLeads(ctx, tx, []dossier.LeadID{t.Lead})
	}
	tx.deferExec(`UPDATE messages SET document_ids = array_remove(document_ids, $3::uuid) WHERE workspace_id = $1
			AND lead_id = $2 AND $3::uuid = ANY(document_ids)`,
		tx.ws, t.Lead, t.Document)
	tx.deferExec(`UPDATE leads SET activity_summary = (SELECT summary FROM action_logs WHERE workspace_id = $1
		AND lead_id = $2 AND NOT (`+logsOf+`)
			ORDER BY created_at DESC, id DESC LIMIT 1)
		WHERE workspace_id = $1 AND id = $2 AND activity_summary IN (SELECT summary FROM action_logs
		WHERE workspace_id = $1 AND `+logsOf+`)`,
		tx.ws, t.Lead, strings.Join(t.IDs, "|"), t.Document)
	tx.deferExec(`UPDATE checklist_entries SET reasons = '[]', validation_error = NULL
		WHERE workspace_id = $1 AND lead_id = $2 AND (reasons <> '[]' OR validation_error IS NOT NULL)
		AND (id IN (SELECT entry_id FROM document_associations WHERE workspace_id = $1 AND document_id = $3)
			OR reasons @> jsonb_build_array(jsonb_build_object('citations',
				jsonb_build_array(jsonb_build_object('documentId', ($3::uuid)::text)))))`, tx.ws, t.Lead, t.Document)
	return nil
}

// deleteStoredAnswers deletes the answers kept for repeated requests (idempotency keys) that contain one of the ids.
func deleteStoredAnswers(ctx context.Context, tx *tx, ids []string) error {
	type answer struct {
		Place         string
		Key           IdempotencyKey
		Body, Effects []byte
	}
	rows, err := tx.Query(ctx, `SELECT ctid::text, method, path, key, body, effects FROM idempotency_keys
			WHERE workspace_id = $1`, tx.ws)
	if err != nil {
		return err
	}
	var gone []string
	var a answer
	_, err = pgx.ForEachRow(rows, []any{&a.Place, &a.Key.Method, &a.Key.Path, &a.Key.Key, &a.Body, &a.Effects},
		func() error {
			text := []byte(a.Key.Path)
			for column, sealed := range map[string][]byte{"body": a.Body, "effects": a.Effects} {
				plain, err := tx.cipher.OpenAt(a.Key.place(column, tx.ws), sealed)
				if err != nil {
					return err
				}
				text = append(text, plain...)
			}
			for _, id := range ids {
				if bytes.Contains(text, []byte(id)) {
					gone = append(gone, a.Place)
					break
				}
			}
			return nil
		})
	if err == nil && len(gone) > 0 {
		tx.deferExec(`DELETE FROM idempotency_keys WHERE workspace_id = $1 AND ctid = ANY ($2::tid[])`, tx.ws, gone)
	}
	return err
}

// regenerateWithout starts a new round of the spreads that used an erased document, which is deleted by now.
func regenerateWithout(ctx context.Context, tx *tx, spreads []dossier.SpreadID) error {
	for _, id := range spreads {
		s, err := lockSpread(ctx, tx, id)
		if dossier.KindOf(err) == dossier.NotFound {
			continue // its lead was deleted
		}
		if err != nil {
			return err
		}
		tx.deferExec(`UPDATE spreads SET results = NULL WHERE workspace_id = $1 AND id = $2`, tx.ws, id)
		s.Status, s.Error, s.UpdatedAt, s.Artifacts = dossier.SpreadInProgress, nil, tx.now, nil
		s.Round++ // jobs of the round that is under way still know the document
		if len(s.Documents) == 0 {
			err = failSpread(ctx, tx, s, "The documents of this spread were erased")
		} else {
			err = restartSpread(ctx, tx, s)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// restartSpread stages the jobs of a round whose number the caller has set: the figures of documents that are not
// settled, or, when all are, the consolidation.
func restartSpread(ctx context.Context, tx *tx, s dossier.Spread) error {
	if err := updateSpread(ctx, tx, s); err != nil {
		return err
	}
	switch all, usable := s.Settled(); {
	case !all:
		for _, d := range s.Documents {
			if d.Status.Settled() {
				continue
			}
			if err := stageFigures(ctx, tx, s.ID, d.ID, s.Round); err != nil {
				return err
			}
		}
	case usable == 0:
		return failSpread(ctx, tx, s, dossier.ErrNoFinancialDocuments().Message)
	default:
		if err := stageConsolidation(ctx, tx, s); err != nil {
			return err
		}
	}
	lead, err := shareLead(ctx, tx, s.LeadID)
	if err != nil {
		return err
	}
	return emitSpread(ctx, tx, dossier.EventSpreadStarted, lead, s)
}
