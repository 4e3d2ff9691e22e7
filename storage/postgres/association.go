package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// loadAssociations fills in the associations of documents, in the order of the checklist.
func loadAssociations(ctx context.Context, tx *tx, documents []*dossier.Document) error {
	if len(documents) == 0 {
		return nil
	}
	byID, ids := map[dossier.DocumentID]*dossier.Document{}, []dossier.DocumentID{}
	for _, d := range documents {
		byID[d.ID], ids = d, append(ids, d.ID)
		d.Associations = nil
	}
	rows, err := tx.Query(ctx, selectAssociations+`
		WHERE a.workspace_id = $1 AND a.document_id = ANY($2) ORDER BY i.position, a.id`, tx.ws, ids)
	if err != nil {
		return err
	}
	associations, err := pgx.CollectRows(rows, scanAssociation)
	for _, a := range associations {
		d := byID[a.DocumentID]
		d.Associations = append(d.Associations, a)
	}
	return err
}

// selectAssociations lists the columns of scanAssociation.
const selectAssociations = `
		SELECT a.id, a.document_id, a.entry_id, i.code, i.label, a.requested, a.parts, coalesce(a.score, 0),
			coalesce(a.reason, ''),
		       a.validation_result, a.override_valid, a.override_by, a.override_note, a.override_at
		FROM document_associations a
		JOIN checklist_entries e ON e.workspace_id = a.workspace_id AND e.id = a.entry_id
		JOIN checklist_items i ON i.workspace_id = e.workspace_id AND i.id = e.item_id`

func scanAssociation(row pgx.CollectableRow) (dossier.Association, error) {
	var a dossier.Association
	var score float32
	var o struct {
		valid    *bool
		by, note *string
		at       *time.Time
	}
	err := row.Scan(&a.ID, &a.DocumentID, &a.EntryID, &a.Code, &a.Label, &a.Requested, &a.Parts, &score, &a.Reason,
		&a.Result, &o.valid, &o.by, &o.note, &o.at)
	a.Score = float64(score)
	if o.valid != nil {
		a.Override = &dossier.Override{Valid: *o.valid, By: dossier.Text(o.by), Note: dossier.Text(o.note)}
		if o.at != nil {
			a.Override.At = *o.at
		}
	}
	return a, err
}

// associate records that the sender named an item for a document. Naming it twice changes nothing.
func associate(ctx context.Context, tx *tx, d dossier.Document, entry dossier.EntryID) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO document_associations (workspace_id, id, lead_id, document_id, entry_id, requested, score, reason,
			created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, true, 1, 'Named by the sender', $6, $6)
		ON CONFLICT (workspace_id, document_id, entry_id) DO UPDATE SET requested = true`,
		tx.ws, newID[dossier.AssociationID](), d.LeadID, d.ID, entry, tx.now)
	return err
}

// OverrideAssociation records a person's word on a document for an item, counts the intervention and judges
// the item again. Under four eyes it waits for a second person (Document.Asked). Error: NotFound.
func (db *DB) OverrideAssociation(ctx context.Context, ws dossier.WorkspaceID, document dossier.DocumentID,
	id dossier.AssociationID, valid bool, note, actor string) (dossier.Document, error) {
	return transact(ctx, db, ws, "override association", func(tx *tx) (dossier.Document, error) {
		needed, err := needsSecond(ctx, tx, dossier.FourEyesOverride)
		if err != nil {
			return dossier.Document{}, err
		}
		if needed {
			return askOverride(ctx, tx, document, id, valid, note, actor)
		}
		return overrideAssociation(ctx, tx, document, id, valid, note, actor)
	})
}

// askOverride lets an override wait for a second person.
func askOverride(ctx context.Context, tx *tx, document dossier.DocumentID, id dossier.AssociationID, valid bool, note,
	actor string) (dossier.Document, error) {
	d, err := lockDocument(ctx, tx, document)
	if err != nil {
		return d, err
	}
	k := slices.IndexFunc(d.Associations, func(a dossier.Association) bool { return a.ID == id })
	if k < 0 {
		return d, missing("association")
	}
	lead, err := lockLeadRef(ctx, tx, d.LeadID)
	if err != nil {
		return d, err
	}
	word := map[bool]string{true: "accept", false: "refuse"}[valid]
	d.Asked, err = askSecond(ctx, tx, lead, dossier.ReviewSubject{Type: dossier.SubjectDocument, ID: string(d.ID)},
		string(id), "To "+word+" "+d.Filename+" for "+d.Associations[k].Label+".", waitingOperation{
			Kind: waitingOverride, Document: document, Association: id, Valid: valid, Note: dossier.OrNil(note),
			By: Caller{Actor: actor}})
	return d, err
}

// overrideAssociation is OverrideAssociation for callers that have a transaction and need no second person.
func overrideAssociation(ctx context.Context, tx *tx, document dossier.DocumentID, id dossier.AssociationID, valid bool,
	note, actor string) (dossier.Document, error) {
	d, err := readDocument(ctx, tx, document)
	if err != nil {
		return d, err
	}
	tag, err := tx.Exec(ctx, `UPDATE document_associations SET override_valid = @overrideValid,
		override_by = @overrideBy,
		override_note = @overrideNote, override_at = @now, updated_at = @now
		WHERE workspace_id = @workspace AND document_id = @documentId AND id = @id`,
		pgx.NamedArgs{"workspace": tx.ws, "documentId": document, "id": id, "overrideValid": valid,
			"overrideBy": actor, "overrideNote": dossier.OrNil(note), "now": tx.now})
	if err != nil {
		return d, err
	}
	if tag.RowsAffected() == 0 {
		return d, missing("association")
	}
	if err := countIntervention(ctx, tx, d.LeadID, "documentOverrides", actor); err != nil {
		return d, err
	}
	if err := logAutomatic(ctx, tx, d.LeadID, "DOCUMENT_OVERRIDE", "A person decided about "+d.Filename,
		map[string]any{"documentId": document, "associationId": id, "overallValid": valid,
			"note": dossier.OrNil(note)}); err != nil {
		return d, err
	}
	audit(ctx, tx, dossier.AuditDocumentOverride, "document:"+string(document),
		map[string]any{"leadId": d.LeadID, "associationId": id, "overallValid": valid})
	if _, err := enqueue(ctx, tx, jobs.JudgeLead{Workspace: tx.ws, Lead: d.LeadID},
		staging{subject: string(d.LeadID)}); err != nil {
		return d, err
	}
	return d, loadAssociations(ctx, tx, []*dossier.Document{&d})
}

// AddAssociation puts a document on an item because a person says so, and stages its matching and judging. created
// is false when it was there; the machine does not take it away either way. Errors: NotFound (document, or no such
// item of its lead), Invalid (the item takes no files).
func (db *DB) AddAssociation(ctx context.Context, ws dossier.WorkspaceID, id dossier.DocumentID,
	entry dossier.EntryID) (dossier.Document, bool, error) {
	type added struct {
		Document dossier.Document // exported: a repeat of the call is answered from its JSON
		Created  bool
	}
	out, err := transact(ctx, db, ws, "add association", func(tx *tx) (out added, err error) {
		if out.Document, err = lockDocument(ctx, tx, id); err != nil {
			return out, err
		}
		d := &out.Document
		if err := requireFileItem(ctx, tx, d.LeadID, entry); err != nil {
			return out, err
		}
		kept := slices.ContainsFunc(
			d.Associations,
			func(a dossier.Association) bool { return a.EntryID == entry && a.Requested },
		)
		out.Created = !slices.ContainsFunc(
			d.Associations,
			func(a dossier.Association) bool { return a.EntryID == entry },
		)
		if kept {
			return out, nil
		}
		_, err = tx.Exec(ctx, `
			INSERT INTO document_associations (workspace_id, id, lead_id, document_id, entry_id, requested, score,
			reason,
				created_at, updated_at)
			VALUES ($1, $2, $3, $4, $5, true, 1, 'Put here by a person', $6, $6)
			ON CONFLICT (workspace_id, document_id, entry_id) DO UPDATE SET requested = true,
			updated_at = excluded.updated_at`,
			tx.ws, newID[dossier.AssociationID](), d.LeadID, d.ID, entry, tx.now)
		if err != nil {
			return out, err
		}
		if err := recordManualMatch(ctx, tx, d, entry, false); err != nil {
			return out, err
		}
		if d.ExtractionStatus == dossier.ExtractionCompleted || d.ExtractionStatus == dossier.ExtractionFailed {
			_, err = enqueue(
				ctx,
				tx,
				jobs.MatchDocument{Workspace: tx.ws, Document: d.ID},
				staging{subject: string(d.ID)},
			)
		}
		return out, err
	})
	return out.Document, out.Created, err
}

// RemoveAssociation takes a document from an item because a person says so; the machine does not put it there
// again. The item is judged without it. Error: NotFound.
func (db *DB) RemoveAssociation(ctx context.Context, ws dossier.WorkspaceID, id dossier.DocumentID,
	association dossier.AssociationID) error {
	_, err := transact(ctx, db, ws, "remove association", func(tx *tx) (none, error) {
		d, err := lockDocument(ctx, tx, id)
		if err != nil {
			return none{}, err
		}
		var entry dossier.EntryID
		err = tx.QueryRow(ctx, `DELETE FROM document_associations WHERE workspace_id = $1 AND document_id = $2
			AND id = $3
			RETURNING entry_id`, tx.ws, id, association).
			Scan(&entry)
		if err != nil {
			return none{}, orMissing(err, "association")
		}
		if err := recordManualMatch(ctx, tx, &d, entry, true); err != nil {
			return none{}, err
		}
		_, err = enqueue(ctx, tx, jobs.JudgeLead{Workspace: tx.ws, Lead: d.LeadID, Lost: []dossier.EntryID{entry}},
			staging{subject: string(d.LeadID)})
		return none{}, err
	})
	return err
}

// lockDocument holds the lead of a document, and reads the document as it is then.
func lockDocument(ctx context.Context, tx *tx, id dossier.DocumentID) (dossier.Document, error) {
	d, err := readDocument(ctx, tx, id)
	if err != nil {
		return d, err
	}
	if _, err := lockLeadRef(ctx, tx, d.LeadID); err != nil {
		return d, err
	}
	return readDocument(ctx, tx, id)
}

// recordManualMatch logs that a person put a document on an item or took it away, and stores in the document whether
// the matcher may put it there again.
func recordManualMatch(ctx context.Context, tx *tx, d *dossier.Document, entry dossier.EntryID, away bool) error {
	_, err := tx.Exec(ctx, `UPDATE documents SET updated_at = $5, refused_entries = CASE WHEN $4::boolean
			THEN array_append(array_remove(refused_entries, $3::uuid), $3::uuid) ELSE array_remove(refused_entries,
			$3::uuid) END,
			requested_entry_id = CASE WHEN $4::boolean AND requested_entry_id = $3::uuid THEN NULL
			ELSE requested_entry_id END
		WHERE workspace_id = $1 AND id = $2`, tx.ws, d.ID, entry, away, tx.now)
	if err != nil {
		return err
	}
	action, summary := dossier.AuditDocumentAttach, "A person put "+d.Filename+" on an item"
	if away {
		action, summary = dossier.AuditDocumentDetach, "A person took "+d.Filename+" from an item"
	}
	if err := logAutomatic(ctx, tx, d.LeadID, "DOCUMENT_MOVE", summary,
		map[string]any{"documentId": d.ID, "leadChecklistItemId": entry, "removed": away}); err != nil {
		return err
	}
	audit(ctx, tx, action, "document:"+string(d.ID), map[string]any{"leadId": d.LeadID, "leadChecklistItemId": entry})
	return loadAssociations(ctx, tx, []*dossier.Document{d})
}

// logAutomatic writes a completed entry on the lead's timeline about something Dossier or a person did.
func logAutomatic(ctx context.Context, tx *tx, lead dossier.LeadID, logType, summary string,
	input map[string]any) error {
	_, err := logAction(ctx, tx, dossier.ActionLog{LeadID: lead, Type: dossier.ActionLogType(logType),
		Summary: summary}, input)
	return err
}

// countIntervention records an intervention of a person, for analytics (decisions.md section 8).
func countIntervention(ctx context.Context, tx *tx, lead dossier.LeadID, kind, actor string) error {
	_, err := tx.Exec(ctx, `INSERT INTO interventions (workspace_id, id, lead_id, kind, actor, created_at)
		VALUES ($1, $2, $3, $4, $5, $6)`,
		tx.ws, NewID(), lead, kind, dossier.OrNil(actor), tx.now)
	return err
}

// plural counts in words: "1 document", "3 documents".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok && !strings.HasSuffix(stem, "e") {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
