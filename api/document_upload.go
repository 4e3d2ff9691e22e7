package api

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres"
)

// presignBody announces a file that goes directly to object storage.
type presignBody struct {
	LeadID     dossier.LeadID  `json:"leadId" check:"required"`
	Filename   string          `json:"filename" check:"required"`
	Size       int64           `json:"size" check:"required,min=0"`
	MimeType   string          `json:"mimeType" check:"required"`
	EntryID    dossier.EntryID `json:"leadChecklistItemId"`
	ExternalID *string         `json:"externalId"`
}

type presignedUpload struct {
	Method    string            `json:"method"`
	URL       string            `json:"url"`
	Headers   map[string]string `json:"headers"`
	ExpiresAt instant           `json:"expiresAt"`
}

type presignAnswer struct {
	success
	Document document        `json:"document"`
	Upload   presignedUpload `json:"upload"`
}

// presignDocument answers where to put the bytes. The document is in no list until it is completed.
func (s *Server) presignDocument(c *fiber.Ctx) error {
	body, err := decode[presignBody](c)
	if err != nil {
		return err
	}
	if body.Size > dossier.MaxUploadBytes {
		return dossier.Errorf(dossier.TooLarge, "A file may have at most %d bytes", dossier.MaxUploadBytes)
	}
	who, err := actor(c)
	if err != nil {
		return err
	}
	file := postgres.NewFile{ID: dossier.DocumentID(postgres.NewID()), Filename: web.FileName(body.Filename),
		MimeType: web.MediaType(body.MimeType),
		Size:     body.Size, ExternalID: body.ExternalID}
	file.ObjectKey = objects.DocumentKey(workspace(c), file.ID)
	d, err := s.db.AnnounceDocument(c.UserContext(), workspace(c),
		postgres.Upload{LeadID: body.LeadID, EntryID: body.EntryID,
			Source: sourceOf(who), Actor: who, Files: []postgres.NewFile{file}})
	if err != nil {
		return err
	}
	to, err := s.Objects.PresignPut(c.UserContext(), file.ObjectKey, file.MimeType, body.Size)
	if err != nil {
		return err
	}
	shown, err := s.document(c, d)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusCreated, presignAnswer{yes, shown,
		presignedUpload{Method: to.Method, URL: to.URL, Headers: to.Headers,
			ExpiresAt: instant(s.Now().Add(objects.LinkTTL))}})
}

// completeBody may name the hash the sender computed.
type completeBody struct {
	SHA256 *string `json:"sha256" check:"max=64"`
}

// completeDocument takes an announced file whose bytes arrived into the lead's documents, once. The bytes are
// hashed here: neither the sender's size nor its hash is believed.
func (s *Server) completeDocument(c *fiber.Ctx) error {
	id, err := pathID[dossier.DocumentID](c, "documentId")
	if err != nil {
		return err
	}
	body, err := decodeOrEmpty[completeBody](c)
	if err != nil {
		return err
	}
	who, err := actor(c)
	if err != nil {
		return err
	}
	d, err := s.db.AnnouncedDocument(c.UserContext(), workspace(c), id)
	if err != nil {
		return err
	}
	if d.UploadedAt == nil {
		if d, err = s.completeUpload(c, workspace(c), d, body.SHA256, who); err != nil {
			return err
		}
	}
	return s.sendDocument(c, fiber.StatusOK, d)
}

// completeUpload makes what was uploaded the document's bytes, for good. sum is the hash that the sender names, or nil.
func (s *Server) completeUpload(c *fiber.Ctx, ws dossier.WorkspaceID, d dossier.Document, sum *string,
	who string) (dossier.Document, error) {
	file, err := s.takeUpload(c.UserContext(), ws, d)
	if known := web.ErrorOf(c, err); err != nil && known.Code == "upload_missing" {
		// Another call may just have taken it.
		if done, again := s.db.AnnouncedDocument(c.UserContext(), ws, d.ID); again == nil && done.UploadedAt != nil {
			return done, nil
		}
	}
	if err == nil && sum != nil && *sum != hex.EncodeToString(file.SHA256) {
		err = dossier.Coded(dossier.Invalid, "checksum_mismatch",
			"The bytes that arrived do not have the SHA-256 that was given; upload the file again")
	}
	if err != nil {
		s.discardFiles(c, []postgres.NewFile{file})
		return d, err
	}
	return s.finishUpload(c, ws, d, file, who)
}

// takeUpload copies what was uploaded to where no upload URL points, so that nobody changes it any more, and hashes the
// copy. Each try makes a copy of its own: none replaces one that was taken.
// Errors: Conflict (nothing was uploaded), TooLarge, Invalid (other bytes than announced).
func (s *Server) takeUpload(ctx context.Context, ws dossier.WorkspaceID, d dossier.Document) (postgres.NewFile, error) {
	file := postgres.NewFile{ID: d.ID, ObjectKey: objects.DocumentKey(ws, dossier.DocumentID(postgres.NewID()))}
	there, err := s.Objects.Stat(ctx, d.ObjectKey)
	switch {
	case dossier.KindOf(err) == dossier.NotFound:
		return file, dossier.Coded(dossier.Conflict, "upload_missing",
			"Nothing was uploaded yet; send the file to the upload URL first")
	case err != nil:
		return file, err
	case there.Size > dossier.MaxUploadBytes:
		return file, dossier.Errorf(dossier.TooLarge, "A file may have at most %d bytes", dossier.MaxUploadBytes)
	case there.Size != d.Size:
		return file, dossier.Coded(dossier.Invalid, "checksum_mismatch",
			"%d bytes arrived, %d were announced; upload the file again", there.Size, d.Size)
	}
	if err := s.Objects.Copy(ctx, d.ObjectKey, there.ETag, file.ObjectKey); err != nil {
		if dossier.KindOf(err) == dossier.Precondition {
			err = dossier.Coded(dossier.Invalid, "checksum_mismatch",
				"The file was sent again while it was taken; complete it once more")
		}
		return file, err
	}
	file.Size, file.SHA256, err = s.hashObject(ctx, file.ObjectKey)
	return file, err
}

// hashObject reads a stored file once.
func (s *Server) hashObject(ctx context.Context, key string) (int64, []byte, error) {
	object, err := s.Objects.Get(ctx, key)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = object.Close() }()
	hash := sha256.New()
	size, err := io.Copy(hash, object)
	return size, hash.Sum(nil), err
}

// finishUpload makes the taken file the document's and removes what is then left over: the uploaded one, and the copy
// of bytes that the lead had already.
func (s *Server) finishUpload(c *fiber.Ctx, ws dossier.WorkspaceID, d dossier.Document, file postgres.NewFile,
	who string) (dossier.Document, error) {
	taken, err := s.db.CompleteDocument(c.UserContext(), ws, file, who)
	if err != nil {
		if web.ChangedNothing(err) {
			s.discardFiles(c, []postgres.NewFile{file})
		}
		return taken, err
	}
	left := []postgres.NewFile{{ID: d.ID, ObjectKey: d.ObjectKey}}
	if taken.ObjectKey != file.ObjectKey {
		left = append(left, file)
	}
	s.discardFiles(c, left)
	return taken, nil
}

// sendWithContent streams the document with its bytes in base64 as the last field: a file is never held whole.
func (s *Server) sendWithContent(c *fiber.Ctx, d dossier.Document) error {
	shown, err := s.document(c, d)
	if err != nil {
		return err
	}
	head, err := json.Marshal(shown)
	if err != nil {
		return err
	}
	object, err := s.Objects.Get(c.UserContext(), d.ObjectKey)
	if err != nil {
		return err
	}
	err = s.db.AuditNote(c.UserContext(), workspace(c), dossier.AuditDocumentRead, "document:"+string(d.ID),
		map[string]any{"leadId": d.LeadID})
	if err != nil {
		_ = object.Close()
		return err
	}
	c.Status(fiber.StatusOK).Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
	c.Context().SetBodyStreamWriter(func(w *bufio.Writer) {
		defer func() { _ = object.Close() }()
		_, _ = w.WriteString(`{"success":true,"document":`)
		_, _ = w.Write(head[:len(head)-1])
		_, _ = w.WriteString(`,"content":"`)
		encoder := base64.NewEncoder(base64.StdEncoding, w)
		if _, err := io.Copy(encoder, object); err != nil {
			return // the JSON stays open: a reader sees that it is cut, not a file that is whole
		}
		_ = encoder.Close()
		_, _ = w.WriteString(`"}}`)
	})
	return nil
}
