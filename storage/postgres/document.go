package postgres

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/record"
)

// NewFile is a file whose bytes are stored and which is to become a document.
type NewFile struct {
	ID         dossier.DocumentID
	Filename   string
	MimeType   string
	Size       int64
	SHA256     []byte
	ObjectKey  string
	ExternalID *string
}

// Upload is one call that brings files to a lead.
type Upload struct {
	LeadID  dossier.LeadID
	Party   dossier.PartyID // through whose page they come; "": the lead's own, or none
	EntryID dossier.EntryID // the item they are for; empty: the matcher decides
	Source  dossier.ValueSource
	Actor   string // the person behind the call, or empty
	Files   []NewFile
}

const documentColumns = `id, lead_id, filename, mime_type, size, sha256, object_key, external_id, source,
	requested_entry_id, page_party_id,
	uploaded_at, extraction_status, extraction_error_code, extraction_error_detail, thumbnail_key, created_at,
		updated_at`

func scanDocument(row pgx.CollectableRow) (dossier.Document, error) {
	var d dossier.Document
	var code, detail *string
	err := row.Scan(&d.ID, &d.LeadID, &d.Filename, &d.MimeType, &d.Size, &d.SHA256, &d.ObjectKey, &d.ExternalID,
		&d.Source,
		&d.RequestedEntryID, &d.PagePartyID, &d.UploadedAt, &d.ExtractionStatus, &code, &detail, &d.ThumbnailKey,
		&d.CreatedAt, &d.UpdatedAt)
	if code != nil {
		d.ExtractionError = &dossier.ExtractionError{Code: *code}
		if detail != nil {
			d.ExtractionError.Detail = *detail
		}
	}
	return d, err
}

// CreateDocuments records files of one upload, with the log entry, the events and the first job of each, in one
// commit. Bytes that the lead already has are stored once: their document in the answer is the first one, with
// DuplicateOf set. Errors: NotFound (lead, item), Invalid (the item takes no files), Conflict (limit_reached).
func (db *DB) CreateDocuments(ctx context.Context, ws dossier.WorkspaceID,
	up Upload) ([]dossier.Document, dossier.ActionLogID, error) {
	type created struct {
		documents []dossier.Document
		log       dossier.ActionLogID
	}
	c, err := transact(ctx, db, ws, "create documents", func(tx *tx) (c created, err error) {
		c.documents, c.log, err = createDocuments(ctx, tx, up)
		return c, err
	})
	return c.documents, c.log, err
}

// createDocuments is CreateDocuments for callers that have a transaction.
func createDocuments(ctx context.Context, tx *tx, up Upload) ([]dossier.Document, dossier.ActionLogID, error) {
	holdLimit(tx, string(up.LeadID))
	lead, err := shareLead(ctx, tx, up.LeadID)
	if err != nil {
		return nil, "", err
	}
	if err := requireFileItem(ctx, tx, up.LeadID, up.EntryID); err != nil {
		return nil, "", err
	}
	var documents []dossier.Document
	for _, file := range up.Files {
		d, err := createDocument(ctx, tx, lead, up, file)
		if err != nil {
			return nil, "", err
		}
		documents = append(documents, d)
	}
	if err := limitDocuments(ctx, tx, up.LeadID); err != nil {
		return nil, "", err
	}
	log, err := logUpload(ctx, tx, up, documents)
	return documents, log, err
}

// createDocument inserts one file, or finds the document that holds the same bytes.
func createDocument(ctx context.Context, tx *tx, lead leadRef, up Upload, file NewFile) (dossier.Document, error) {
	rows, err := tx.Query(ctx, `
		INSERT INTO documents (workspace_id, id, lead_id, filename, mime_type, size, sha256, object_key, external_id,
			source,
		                       requested_entry_id, uploaded_at, created_at, updated_at, page_party_id)
		VALUES (@workspace, @id, @leadId, @filename, @mimeType, @size, @sha256, @objectKey, @externalId, @source,
			@requestedEntryId, @now, @now, @now, @pagePartyId)
		ON CONFLICT (workspace_id, lead_id, sha256) WHERE deleted_at IS NULL AND uploaded_at IS NOT NULL DO NOTHING
		RETURNING `+documentColumns,
		pgx.NamedArgs{"workspace": tx.ws, "id": file.ID, "leadId": lead.LeadID, "filename": file.Filename,
			"mimeType": file.MimeType, "size": file.Size, "sha256": file.SHA256, "objectKey": file.ObjectKey,
			"externalId": file.ExternalID, "source": up.Source, "requestedEntryId": dossier.OrNil(up.EntryID),
			"now": tx.now, "pagePartyId": dossier.OrNil(up.Party)})
	if err != nil {
		return dossier.Document{}, err
	}
	d, err := pgx.CollectExactlyOneRow(rows, scanDocument)
	if errors.Is(err, pgx.ErrNoRows) {
		return repeatDocument(ctx, tx, lead, up, file)
	}
	if err != nil {
		return d, err
	}
	return d, receiveDocument(ctx, tx, lead, &d)
}

// receiveDocument tells of a document whose bytes are here and starts its journey.
func receiveDocument(ctx context.Context, tx *tx, lead leadRef, d *dossier.Document) error {
	if d.RequestedEntryID != nil {
		if err := associate(ctx, tx, *d, *d.RequestedEntryID); err != nil {
			return err
		}
	}
	if err := loadAssociations(ctx, tx, []*dossier.Document{d}); err != nil {
		return err
	}
	if err := emitDocument(ctx, tx, dossier.EventDocumentReceived, lead, *d); err != nil {
		return err
	}
	_, err := enqueue(ctx, tx, jobs.ExtractDocument{Workspace: tx.ws, Document: d.ID}, staging{subject: string(d.ID)})
	return err
}

// repeatDocument answers the same bytes with the document that has them. When the sender names another item
// this time, the document serves that one too.
func repeatDocument(ctx context.Context, tx *tx, lead leadRef, up Upload, file NewFile) (dossier.Document, error) {
	rows, err := tx.Query(ctx, `SELECT `+documentColumns+` FROM documents
		WHERE workspace_id = $1 AND lead_id = $2 AND sha256 = $3 AND deleted_at IS NULL AND uploaded_at IS NOT NULL`,
		tx.ws, lead.LeadID, file.SHA256)
	if err != nil {
		return dossier.Document{}, err
	}
	d, err := pgx.CollectExactlyOneRow(rows, scanDocument)
	if err != nil {
		return d, err
	}
	first := d.ID
	d.DuplicateOf = &first
	if up.EntryID != "" {
		if err := associate(ctx, tx, d, up.EntryID); err != nil {
			return d, err
		}
		if err := rematch(ctx, tx, d); err != nil {
			return d, err
		}
	}
	return d, loadAssociations(ctx, tx, []*dossier.Document{&d})
}

// rematch stages the step after reading for a document that was read before; one that is still being read
// gets there by itself.
func rematch(ctx context.Context, tx *tx, d dossier.Document) error {
	if d.ExtractionStatus != dossier.ExtractionCompleted && d.ExtractionStatus != dossier.ExtractionFailed {
		return nil
	}
	_, err := enqueue(ctx, tx, jobs.MatchDocument{Workspace: tx.ws, Document: d.ID}, staging{subject: string(d.ID)})
	return err
}

// rematchLeads stages the matching of every document that was read before the items it may serve were there, or were
// what they are now.
func rematchLeads(ctx context.Context, tx *tx, leads []dossier.LeadID) error {
	documents, err := collect(ctx, tx, pgx.RowTo[dossier.DocumentID], `SELECT id FROM documents
		WHERE workspace_id = $1 AND lead_id = ANY($2) AND deleted_at IS NULL AND extraction_status = 'completed'
			ORDER BY created_at, id`, tx.ws, leads)
	if err != nil {
		return err
	}
	for _, id := range documents {
		if _, err := enqueue(ctx, tx, jobs.MatchDocument{Workspace: tx.ws, Document: id},
			staging{subject: string(id)}); err != nil {
			return err
		}
	}
	return nil
}

// requireFileItem refuses an item that is not on the lead's checklist or takes no files.
func requireFileItem(ctx context.Context, tx *tx, lead dossier.LeadID, entry dossier.EntryID) error {
	if entry == "" {
		return nil
	}
	var fieldType dossier.FieldType
	err := tx.QueryRow(ctx, `SELECT i.field_type FROM checklist_entries e
		JOIN checklist_items i ON i.workspace_id = e.workspace_id AND i.id = e.item_id
		WHERE e.workspace_id = $1 AND e.lead_id = $2 AND e.id = $3`, tx.ws, lead, entry).Scan(&fieldType)
	if err != nil {
		return orMissing(err, "checklist item")
	}
	if !fieldType.TakesFiles() {
		return dossier.InvalidFaults([]dossier.Fault{{Pointer: "/leadChecklistItemId", Code: "not_a_file_item",
			Detail: "leadChecklistItemId names an item of type " + string(fieldType) +
				", which takes a value, not files"}})
	}
	return nil
}

func logUpload(ctx context.Context, tx *tx, up Upload, documents []dossier.Document) (dossier.ActionLogID, error) {
	type file struct {
		ID       dossier.DocumentID `json:"id"`
		Filename string             `json:"filename"`
		MimeType string             `json:"mimeType"`
		Size     int64              `json:"size"`
	}
	files, ids, names := []file{}, []dossier.DocumentID{}, []string{}
	for _, d := range documents {
		files, ids, names = append(files, file{d.ID, d.Filename, d.MimeType, d.Size}), append(ids, d.ID),
			append(names, d.Filename)
	}
	return logAction(ctx, tx, dossier.ActionLog{LeadID: up.LeadID, Type: dossier.ActionDocumentUpload,
		Summary:     summaryOf(plural(len(files), "document")+" uploaded", strings.Join(names, ", ")),
		DocumentIDs: ids, Actor: dossier.OrNil(up.Actor)},
		map[string]any{"source": up.Source, "documents": files, "leadChecklistItemId": dossier.OrNil(up.EntryID)})
}

// ReadDocument returns one document with its extraction and associations. Error: NotFound, also for a document
// that was announced and has no bytes yet, or whose lead is deleted.
func (db *DB) ReadDocument(ctx context.Context, ws dossier.WorkspaceID,
	id dossier.DocumentID) (dossier.Document, error) {
	return snapshot(ctx, db, ws, "read document", func(tx *tx) (dossier.Document, error) {
		return readDocument(ctx, tx, id)
	})
}

func readDocument(ctx context.Context, tx *tx, id dossier.DocumentID) (dossier.Document, error) {
	rows, err := tx.Query(ctx, `SELECT `+wholeDocumentColumns+` FROM documents
		WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL AND uploaded_at IS NOT NULL
		  AND EXISTS (SELECT FROM leads l WHERE l.workspace_id = $1 AND l.id = lead_id AND l.deleted_at IS NULL)`,
		tx.ws, id)
	if err != nil {
		return dossier.Document{}, err
	}
	d, err := pgx.CollectExactlyOneRow(rows, scanWholeDocument)
	if err != nil {
		return d, orMissing(err, "document")
	}
	return d, loadAssociations(ctx, tx, []*dossier.Document{&d})
}

// wholeDocumentColumns are documentColumns, the extraction, what the machine read, corrections, parts and whose they
// are. $1 is the workspace.
const wholeDocumentColumns = documentColumns + `, extraction, machine_extraction, corrections, parts,
		(SELECT jsonb_object_agg(p.part, p.party_id) FROM document_parties p WHERE p.workspace_id = $1
			AND p.document_id = documents.id AND p.party_id IS NOT NULL)`

// scanWholeDocument scans wholeDocumentColumns.
func scanWholeDocument(row pgx.CollectableRow) (dossier.Document, error) {
	var d dossier.Document
	var code, detail *string
	err := row.Scan(&d.ID, &d.LeadID, &d.Filename, &d.MimeType, &d.Size, &d.SHA256, &d.ObjectKey, &d.ExternalID,
		&d.Source,
		&d.RequestedEntryID, &d.PagePartyID, &d.UploadedAt, &d.ExtractionStatus, &code, &detail, &d.ThumbnailKey,
		&d.CreatedAt, &d.UpdatedAt, &d.Extraction, &d.MachineExtraction, &d.Corrections, &d.Parts, &d.PartParties)
	if code != nil && detail != nil {
		d.ExtractionError = &dossier.ExtractionError{Code: *code, Detail: *detail}
	}
	if d.Extraction != nil && d.Extraction.Pages == nil {
		d.Extraction.Pages = []dossier.PageSize{} // read by an engine that measured none
	}
	return d, err
}

// ListDocuments returns a page of a lead's documents, newest first, without extractions. Error: NotFound (lead).
func (db *DB) ListDocuments(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID,
	page dossier.Page) ([]dossier.Document, error) {
	return snapshot(ctx, db, ws, "list documents", func(tx *tx) ([]dossier.Document, error) {
		if err := requireLead(ctx, tx, lead); err != nil {
			return nil, err
		}
		at, id := pageArgs(page)
		rows, err := tx.Query(ctx, `SELECT `+documentColumns+` FROM documents
			WHERE workspace_id = $1 AND lead_id = $2 AND deleted_at IS NULL AND uploaded_at IS NOT NULL
				AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4::uuid))
			ORDER BY created_at DESC, id DESC LIMIT $5`, tx.ws, lead, at, id, page.Limit+1)
		if err != nil {
			return nil, err
		}
		documents, err := pgx.CollectRows(rows, scanDocument)
		if err != nil {
			return nil, err
		}
		return documents, loadAssociations(ctx, tx, pointers(documents))
	})
}

// DeleteDocument hides a document and judges its items again. Its bytes and facts are erased after a time of grace, or
// now when erase says so. Errors: NotFound, also when repeated, Conflict retention_floor.
func (db *DB) DeleteDocument(ctx context.Context, ws dossier.WorkspaceID, id dossier.DocumentID, erase bool) error {
	_, err := transact(ctx, db, ws, "delete document", func(tx *tx) (none, error) {
		d, err := readDocument(ctx, tx, id)
		if err != nil {
			return none{}, err
		}
		return none{}, deleteDocument(ctx, tx, d, "api", erase)
	})
	return err
}

// deleteDocument is DeleteDocument for callers that have a transaction and the document.
func deleteDocument(ctx context.Context, tx *tx, d dossier.Document, source string, erase bool) error {
	stored, err := lockStoredLead(ctx, tx, d.LeadID)
	if err != nil {
		return err
	}
	if err := hideDocument(ctx, tx, d, source); err != nil {
		return err
	}
	audit(ctx, tx, dossier.AuditDocumentDelete, "document:"+string(d.ID), map[string]any{"leadId": d.LeadID})
	return eraseDeleted(ctx, tx, erasing{subject: dossier.EraseDocument, id: string(d.ID), lead: d.LeadID,
		stored: stored}, erase)
}

// hideDocument takes a document out of sight; the items it served are judged again.
func hideDocument(ctx context.Context, tx *tx, d dossier.Document, source string) error {
	if _, err := tx.Exec(ctx, `UPDATE documents SET deleted_at = $3, updated_at = $3
		WHERE workspace_id = $1 AND id = $2`, tx.ws, d.ID, tx.now); err != nil {
		return err
	}
	endReviews(tx, []string{string(d.ID)}, append(slices.Clone(dossier.DocumentCodes), dossier.ReviewSecondOpinion))
	if err := cancelSubject(ctx, tx, string(d.ID)); err != nil {
		return err
	}
	if err := wakePipelineRuns(ctx, tx, d.ID); err != nil { // whatever awaits it learns that it will not come
		return err
	}
	if err := wakeSpreads(ctx, tx, d.ID); err != nil {
		return err
	}
	if err := logAutomatic(ctx, tx, d.LeadID, "DOCUMENT_DELETED", "Document deleted: "+d.Filename,
		map[string]any{"documentId": d.ID, "source": source}); err != nil {
		return err
	}
	_, err := enqueue(ctx, tx, jobs.JudgeLead{Workspace: tx.ws, Lead: d.LeadID}, staging{subject: string(d.LeadID)})
	return err
}

// leadRef is what every event about a lead carries.
type leadRef = record.LeadRef

// shareLead holds the lead against deletion while rows are added to it. Error: NotFound.
func shareLead(ctx context.Context, tx *tx, id dossier.LeadID) (leadRef, error) {
	return readLeadRef(ctx, tx, id, "FOR KEY SHARE")
}

// lockLeadRef holds the lead against every other change. Error: NotFound.
func lockLeadRef(ctx context.Context, tx *tx, id dossier.LeadID) (leadRef, error) {
	return readLeadRef(ctx, tx, id, "FOR NO KEY UPDATE")
}

// requireLead is NotFound when the lead is not there.
func requireLead(ctx context.Context, tx *tx, id dossier.LeadID) error {
	var exists bool
	err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM leads WHERE workspace_id = $1 AND id = $2
		AND deleted_at IS NULL)`,
		tx.ws, id).Scan(&exists)
	if err == nil && !exists {
		err = missing("lead")
	}
	return err
}

func readLeadRef(ctx context.Context, tx *tx, id dossier.LeadID, lock string) (leadRef, error) {
	ref := leadRef{LeadID: id}
	err := tx.QueryRow(ctx, `SELECT external_lead_id FROM leads WHERE workspace_id = $1 AND id = $2
		AND deleted_at IS NULL `+lock, tx.ws, id).
		Scan(&ref.ExternalLeadID)
	return ref, orMissing(err, "lead")
}

func emitDocument(ctx context.Context, tx *tx, event dossier.EventType, lead leadRef, d dossier.Document) error {
	return emit(ctx, tx, event, lead.LeadID, record.DocumentEvent{LeadRef: lead, Document: record.OfDocument(d)})
}

// pointers lists pointers to the elements of s, so that they can be filled in place.
func pointers[T any](s []T) []*T {
	all := make([]*T, len(s))
	for i := range s {
		all[i] = &s[i]
	}
	return all
}
