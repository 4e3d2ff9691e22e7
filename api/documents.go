package api

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

// uploadedDocument is an entry of the answer to an upload (decisions.md section 3).
type uploadedDocument struct {
	ID          dossier.DocumentID  `json:"id"`
	Filename    string              `json:"filename"`
	Size        int64               `json:"size"`
	MimeType    string              `json:"mimeType"`
	SHA256      string              `json:"sha256"` // hex
	SignedURL   string              `json:"signedUrl"`
	UploadedAt  instant             `json:"uploadedAt"`
	EntryID     *dossier.EntryID    `json:"associatedChecklistItemId"`
	DuplicateOf *dossier.DocumentID `json:"duplicateOf,omitempty"`
}

type createDocumentsAnswer struct {
	success
	Documents   []uploadedDocument  `json:"documents"`
	ActionLogID dossier.ActionLogID `json:"actionLogId"`
}

// listedDocument is an entry of the documents list (api.md, Document).
type listedDocument struct {
	record.Document
	SignedURL string `json:"signedUrl"`
}

// document is one document with what was read in it (facts.md).
type document struct {
	listedDocument
	SHA256       *string             `json:"sha256"` // hex; null until the bytes are here
	DuplicateOf  *dossier.DocumentID `json:"duplicateOf"`
	ThumbnailURL *string             `json:"thumbnailUrl"`
	Extraction   *documentExtraction `json:"extraction"`
	Corrections  []correction        `json:"corrections"`       // of people, laid over what was read
	Content      string              `json:"content,omitempty"` // only with includeContent; written by sendWithContent
}

type documentAnswer struct {
	success
	Document document `json:"document"`
}

type documentsQuery struct{ arrayPaging }

type documentQuery struct {
	IncludeContent bool `query:"includeContent"`
}

// createDocuments stores the files of one upload. Bytes first, row second: a crash in between leaves an object
// that the sweep finds, never a document without bytes. Repeated bytes are answered with their first document.
func (s *Server) createDocuments(c *fiber.Ctx) error {
	who, err := actor(c)
	if err != nil {
		return err
	}
	form := uploadForm{FileForm: web.FileForm{Workspace: workspace(c), Objects: s.Objects}}
	if err := form.read(c); err != nil {
		form.Discard()
		return err
	}
	up, faults := form.upload(sourceOf(who), who)
	if len(faults) > 0 {
		form.Discard()
		return dossier.InvalidFaults(faults)
	}
	documents, log, err := s.db.CreateDocuments(c.UserContext(), workspace(c), up)
	if err != nil {
		// An answer that did not come may hide a commit: then the objects are a document's, and the sweep decides.
		if web.ChangedNothing(err) {
			form.Discard()
		}
		return err
	}
	answer := createDocumentsAnswer{success: yes, Documents: []uploadedDocument{}, ActionLogID: log}
	for i, d := range documents {
		if d.DuplicateOf != nil {
			form.DiscardFile(i)
		}
		url, err := s.signedURL(c.UserContext(), d)
		if err != nil {
			return err
		}
		shown := uploadedDocument{ID: d.ID, Filename: d.Filename, Size: d.Size, MimeType: d.MimeType,
			SHA256: hex.EncodeToString(d.SHA256), SignedURL: url,
			UploadedAt: instant(*d.UploadedAt), DuplicateOf: d.DuplicateOf}
		if up.EntryID != "" {
			shown.EntryID = &up.EntryID
		}
		answer.Documents = append(answer.Documents, shown)
	}
	return send(c, fiber.StatusCreated, answer)
}

// sourceOf is who gives what a call brings: a person behind it, else the customer's system.
func sourceOf(actor string) dossier.ValueSource {
	if actor != "" {
		return dossier.SourceManual
	}
	return dossier.SourceImported
}

// uploadForm collects a multipart upload while its files flow into object storage.
type uploadForm struct {
	web.FileForm
	lead     string
	entry    string
	metadata string
	faults   []dossier.Fault
}

func (f *uploadForm) read(c *fiber.Ctx) error {
	return web.EachPart(c, func(part *web.FormPart) error {
		var err error
		switch name := part.FormName(); name {
		case "leadId":
			f.lead, err = web.FormValue(part, web.JSONLimit)
		case "leadChecklistItemId":
			f.entry, err = web.FormValue(part, web.JSONLimit)
		case "metadata":
			f.metadata, err = web.FormValue(part, web.JSONLimit)
		case "files":
			err = f.Store(c.UserContext(), part)
		default:
			f.faults = append(f.faults, dossier.Fault{Pointer: "/" + web.EscapePointer(name), Code: "unknown_field",
				Detail: fmt.Sprintf("Unknown field %q", web.Printable(name))})
		}
		return err
	})
}

// fileMetadata is an entry of the form's metadata, aligned with files.
type fileMetadata struct {
	ExternalID *string `json:"externalId"`
	Name       *string `json:"name"`
}

// upload checks the form as a whole.
func (f *uploadForm) upload(source dossier.ValueSource, actor string) (postgres.Upload, []dossier.Fault) {
	faults := f.faults
	fault := func(pointer, code, detail string) {
		faults = append(faults, dossier.Fault{Pointer: pointer, Code: code, Detail: detail})
	}
	switch {
	case f.lead == "":
		fault("/leadId", "required", "leadId is required")
	case !dossier.ValidID(f.lead):
		fault("/leadId", "invalid_id", "leadId must be an id (a UUID in lower case)")
	}
	if f.entry != "" && !dossier.ValidID(f.entry) {
		fault("/leadChecklistItemId", "invalid_id", "leadChecklistItemId must be an id (a UUID in lower case)")
	}
	if len(f.Files) == 0 {
		fault("/files", "required", "files is required: send 1 to 10 files")
	}
	faults = append(faults, f.nameFiles()...)
	return postgres.Upload{LeadID: dossier.LeadID(f.lead), EntryID: dossier.EntryID(f.entry), Source: source,
		Actor: actor, Files: f.Files}, faults
}

// nameFiles gives the files what the metadata says of them.
func (f *uploadForm) nameFiles() []dossier.Fault {
	if f.metadata == "" {
		return nil
	}
	wrapped, err := web.DecodeJSON[struct {
		Metadata []fileMetadata `json:"metadata"`
	}]([]byte(`{"metadata":` + f.metadata + `}`))
	if err != nil {
		return faultsOf(err, "/metadata",
			"metadata must be a JSON array of {externalId?, name?}, one for each file in order")
	}
	if len(wrapped.Metadata) > len(f.Files) {
		return []dossier.Fault{{Pointer: "/metadata", Code: "too_long",
			Detail: "metadata has more entries than there are files"}}
	}
	for i, m := range wrapped.Metadata {
		f.Files[i].ExternalID = m.ExternalID
		if m.Name != nil {
			f.Files[i].Filename = web.FileName(*m.Name)
		}
	}
	return nil
}

// listDocuments answers a bare array, newest first.
func (s *Server) listDocuments(c *fiber.Ctx) error {
	lead, err := pathID[dossier.LeadID](c, "leadId")
	if err != nil {
		return err
	}
	q, err := query[documentsQuery](c)
	if err != nil {
		return err
	}
	page, err := q.page(c)
	if err != nil {
		return err
	}
	documents, err := s.db.ListDocuments(c.UserContext(), workspace(c), lead, page)
	if err != nil {
		return err
	}
	documents, next := pageEnd(c, page, documents,
		func(d dossier.Document) dossier.Cursor { return dossier.Cursor{At: d.CreatedAt, ID: string(d.ID)} })
	s.linkNext(c, next)
	list := []listedDocument{}
	for _, d := range documents {
		shown, err := s.listedDocument(c, d)
		if err != nil {
			return err
		}
		list = append(list, shown)
	}
	return send(c, fiber.StatusOK, list)
}

// readDocument answers one document with a fresh signed URL, and its bytes in base64 when asked for.
func (s *Server) readDocument(c *fiber.Ctx) error {
	id, err := pathID[dossier.DocumentID](c, "documentId")
	if err != nil {
		return err
	}
	q, err := query[documentQuery](c)
	if err != nil {
		return err
	}
	d, err := s.db.ReadDocument(c.UserContext(), workspace(c), id)
	if err != nil {
		return err
	}
	if q.IncludeContent {
		return s.sendWithContent(c, d)
	}
	c.Set(fiber.HeaderETag, d.Tag())
	return s.sendDocument(c, fiber.StatusOK, d)
}

func (s *Server) sendDocument(c *fiber.Ctx, status int, d dossier.Document) error {
	shown, err := s.document(c, d)
	if err != nil {
		return err
	}
	return send(c, status, documentAnswer{yes, shown})
}

// deleteDocument hides a document; the items it served are judged again. It is erased as deleteLead says.
func (s *Server) deleteDocument(c *fiber.Ctx) error {
	id, err := pathID[dossier.DocumentID](c, "documentId")
	if err != nil {
		return err
	}
	erase, waits, err := s.deletion(c)
	if err != nil {
		return err
	}
	if waits {
		e, err := s.db.EraseDocument(c.UserContext(), workspace(c), id, "deleted")
		return s.sendErasing(c, e, err)
	}
	if err := s.db.DeleteDocument(c.UserContext(), workspace(c), id, erase); err != nil {
		return err
	}
	return noContent(c)
}

// reprocessDocument reads a document anew. While a reading is under way it changes nothing.
func (s *Server) reprocessDocument(c *fiber.Ctx) error {
	id, err := pathID[dossier.DocumentID](c, "documentId")
	if err != nil {
		return err
	}
	d, err := s.db.ReprocessDocument(c.UserContext(), workspace(c), id)
	if err != nil {
		return err
	}
	return s.sendDocument(c, fiber.StatusAccepted, d)
}

// overrideBody is the body of PATCH on an association.
type overrideBody struct {
	OverallValid *bool  `json:"overallValid" check:"required"`
	Note         string `json:"note" check:"text"`
}

// overrideAssociation records a person's word on a document for an item.
func (s *Server) overrideAssociation(c *fiber.Ctx) error {
	id, err := pathID[dossier.DocumentID](c, "documentId")
	if err != nil {
		return err
	}
	association, err := pathID[dossier.AssociationID](c, "associationId")
	if err != nil {
		return err
	}
	body, err := decode[overrideBody](c)
	if err != nil {
		return err
	}
	who, err := actor(c)
	if err != nil {
		return err
	}
	d, err := s.db.OverrideAssociation(c.UserContext(), workspace(c), id, association, *body.OverallValid, body.Note,
		who)
	if err != nil {
		return err
	}
	if d.Asked != nil {
		return s.sendAsked(c, *d.Asked)
	}
	return s.sendDocument(c, fiber.StatusOK, d)
}

// signedURL is a link to a document's bytes for an hour. It always downloads: an upload is never shown as a page of
// ours.
func (s *Server) signedURL(ctx context.Context, d dossier.Document) (string, error) {
	return s.Objects.PresignGet(ctx, d.ObjectKey, d.Filename, d.MimeType)
}

func (s *Server) listedDocument(c *fiber.Ctx, d dossier.Document) (listedDocument, error) {
	url, err := s.signedURL(c.UserContext(), d)
	return listedDocument{Document: documentIn(reader(c), d), SignedURL: url}, err
}

func (s *Server) document(c *fiber.Ctx, d dossier.Document) (document, error) {
	listed, err := s.listedDocument(c, d)
	if err != nil {
		return document{}, err
	}
	shown := document{listedDocument: listed, DuplicateOf: d.DuplicateOf, Extraction: extractionOf(d),
		Corrections: correctionsOf(d.Corrections)}
	if d.SHA256 != nil {
		sum := hex.EncodeToString(d.SHA256)
		shown.SHA256 = &sum
	}
	if d.ThumbnailKey != nil {
		url, err := s.Objects.PresignGet(c.UserContext(), *d.ThumbnailKey, "thumbnail.png", "image/png")
		if err != nil {
			return document{}, err
		}
		shown.ThumbnailURL = &url
	}
	return shown, nil
}

// faultsOf gives the faults inside err, or one fault at the pointer.
func faultsOf(err error, pointer, detail string) []dossier.Fault {
	var e *dossier.Error
	if errors.As(err, &e) && len(e.Faults) > 0 {
		return e.Faults
	}
	return []dossier.Fault{{Pointer: pointer, Code: "invalid_json", Detail: detail}}
}

// itemDocument is a document inside a checklist (decisions.md section 2).
type itemDocument struct {
	ID               dossier.DocumentID        `json:"id"`
	Filename         string                    `json:"filename"`
	MimeType         string                    `json:"mimeType"`
	Size             int64                     `json:"size"`
	SignedURL        string                    `json:"signedUrl"`
	Metadata         itemDocumentMetadata      `json:"metadata"`
	ValidationResult *dossier.ValidationResult `json:"validationResult"`
}

type itemDocumentMetadata struct {
	ExtractionStatus dossier.ExtractionStatus `json:"extractionStatus"`
	OverallValid     bool                     `json:"overallValid"`
}

// documentOfItem shapes a document as it stands in the item of an association.
func (s *Server) documentOfItem(c *fiber.Ctx, d dossier.Document, a dossier.Association) (itemDocument, error) {
	url, err := s.signedURL(c.UserContext(), d)
	return itemDocument{ID: d.ID, Filename: d.Filename, MimeType: d.MimeType, Size: d.Size, SignedURL: url,
		Metadata:         itemDocumentMetadata{ExtractionStatus: d.ExtractionStatus, OverallValid: a.Valid()},
		ValidationResult: translated(reader(c), a.Result)}, err
}
