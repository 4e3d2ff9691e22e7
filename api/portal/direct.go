package portal

import (
	"strconv"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres"
)

// portalFile announces a file that the page's script sends to object storage itself.
type portalFile struct {
	Filename string          `json:"filename" check:"required"`
	Size     int64           `json:"size" check:"min=0"`
	MimeType string          `json:"mimeType"`
	EntryID  dossier.EntryID `json:"leadChecklistItemId"`
	Modified int64           `json:"lastModified"` // as browsers count; 0: unknown
}

// UploadPlan says which parts of a file are still to be sent, and where to.
type UploadPlan struct {
	ID       dossier.DocumentID `json:"id"`
	PartSize int64              `json:"partSize"` // bytes; part n begins at (n-1) * partSize
	Parts    []PartPlan         `json:"parts"`
}

// PartPlan is where one piece goes.
type PartPlan struct {
	Number  int               `json:"number"` // from 1
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
}

// beginPortalUpload announces a file. Up to one part's size it is sent in one piece, else in parts that can be
// repeated alone. A file that was announced before and not finished goes on where it was (200).
func (s *Server) beginPortalUpload(c *fiber.Ctx) error {
	v, err := s.openPortal(c, UploadsPerToken)
	if err != nil {
		return s.sendPortalError(c, err)
	}
	body, err := portalJSON[portalFile](c)
	if err != nil {
		return s.refusePortalUpload(c, v, "", err)
	}
	if body.Size > dossier.MaxUploadBytes {
		return v.answerUpload(c, fiber.StatusRequestEntityTooLarge, "too_large", "")
	}
	if body.Size == 0 {
		return v.answerUpload(c, fiber.StatusBadRequest, "empty", "")
	}
	mark := ""
	if body.Modified != 0 {
		mark = strconv.FormatInt(body.Modified, 10)
	}
	file := postgres.NewFile{ID: dossier.DocumentID(postgres.NewID()), Filename: web.FileName(body.Filename),
		MimeType: web.MediaType(body.MimeType), Size: body.Size}
	file.ObjectKey = objects.DocumentKey(v.ws, file.ID)
	up := postgres.Upload{LeadID: v.of.Lead, Party: v.of.Party, EntryID: body.EntryID, Source: dossier.SourcePortal,
		Files: []postgres.NewFile{file}}
	if awaited, err := s.awaitedUpload(c, v, up, mark); err == nil {
		return s.sendUploadPlan(c, fiber.StatusOK, awaited)
	}
	uploadID := ""
	if body.Size > objects.PartSize {
		if uploadID, err = s.objects.BeginParts(c.UserContext(), file.ObjectKey, file.MimeType); err != nil {
			return s.sendPortalError(c, err)
		}
	}
	d, err := s.db.AnnouncePortalDocument(c.UserContext(), v.ws, up, uploadID, mark)
	if err != nil {
		if uploadID != "" {
			_ = s.objects.AbortParts(c.UserContext(), file.ObjectKey, uploadID) // else the sweep does
		}
		return s.refusePortalUpload(c, v, "", err)
	}
	return s.sendUploadPlan(c, fiber.StatusCreated, postgres.PortalUpload{Document: d, UploadID: uploadID})
}

// awaitedUpload finds the same file announced before, while object storage still knows of it; what it forgot is
// dropped. Error: NotFound.
func (s *Server) awaitedUpload(c *fiber.Ctx, v portalVisit, up postgres.Upload, mark string) (postgres.PortalUpload,
	error) {
	if mark == "" {
		return postgres.PortalUpload{}, dossier.Errorf(dossier.NotFound, "Files without a mark are not known again")
	}
	awaited, err := s.db.AwaitedUpload(c.UserContext(), v.ws, up, mark)
	if err != nil || awaited.UploadID == "" {
		return awaited, err
	}
	_, err = s.objects.Parts(c.UserContext(), awaited.ObjectKey, awaited.UploadID)
	if dossier.KindOf(err) == dossier.NotFound {
		_ = s.db.DropPortalUpload(c.UserContext(), v.ws, v.of, awaited.ID) // else the sweep does
	}
	return awaited, err
}

// portalJSON reads the JSON body that the page's script sends. A form of another site cannot send this type.
func portalJSON[T any](c *fiber.Ctx) (T, error) {
	var none T
	if err := web.WantJSON(c); err != nil {
		return none, err
	}
	body, err := web.ReadBody(c, web.FormLimit)
	if err != nil {
		return none, err
	}
	return web.Decode[T](c, body)
}

// resumePortalUpload answers which pieces are still to be sent, with addresses that are good again: after a night
// without a connection the first ones are not.
func (s *Server) resumePortalUpload(c *fiber.Ctx) error {
	v, up, err := s.portalUpload(c)
	if err != nil {
		return s.refusePortalUpload(c, v, "", err)
	}
	if up.UploadedAt != nil { // by another tab, or in an answer that was lost
		return web.Send(c, fiber.StatusOK, UploadPlan{up.ID, max(up.Size, 1), []PartPlan{}})
	}
	return s.sendUploadPlan(c, fiber.StatusOK, up)
}

// portalUpload is the lead's own announced file that the path names.
func (s *Server) portalUpload(c *fiber.Ctx) (v portalVisit, up postgres.PortalUpload, err error) {
	if v, err = s.openPortal(c, PerToken); err != nil {
		return v, up, err
	}
	id, err := web.PathID[dossier.DocumentID](c, "documentId")
	if err != nil {
		return v, up, err
	}
	up, err = s.db.PortalUpload(c.UserContext(), v.ws, v.of, id)
	return v, up, err
}

func (s *Server) sendUploadPlan(c *fiber.Ctx, status int, up postgres.PortalUpload) error {
	plan := UploadPlan{ID: up.ID, PartSize: max(up.Size, 1), Parts: []PartPlan{}}
	if up.UploadID == "" {
		to, err := s.objects.PresignPut(c.UserContext(), up.ObjectKey, up.MimeType, up.Size)
		if err != nil {
			return s.sendPortalError(c, err)
		}
		plan.Parts = append(plan.Parts, PartPlan{1, to.URL, to.Headers})
		return web.Send(c, status, plan)
	}
	plan.PartSize = objects.PartSize
	have := map[int]bool{}
	if status == fiber.StatusOK { // a new upload has none
		arrived, err := s.objects.Parts(c.UserContext(), up.ObjectKey, up.UploadID)
		if err != nil {
			return s.sendPortalError(c, err)
		}
		// Parts come one after the other, and the last may have been cut off with its connection: object storage need
		// not see that it is torn, so that one is sent again.
		for _, number := range arrived[:max(0, len(arrived)-1)] {
			have[number] = true
		}
	}
	for number := 1; int64(number-1)*objects.PartSize < up.Size; number++ {
		if have[number] {
			continue
		}
		size := min(objects.PartSize, up.Size-int64(number-1)*objects.PartSize)
		to, err := s.objects.PresignPart(c.UserContext(), up.ObjectKey, up.UploadID, number, size)
		if err != nil {
			return s.sendPortalError(c, err)
		}
		plan.Parts = append(plan.Parts, PartPlan{number, to.URL, to.Headers})
	}
	return web.Send(c, status, plan)
}

// completePortalUpload takes a file whose bytes arrived into the lead's documents, once. The bytes are hashed here.
func (s *Server) completePortalUpload(c *fiber.Ctx) error {
	v, up, err := s.portalUpload(c)
	if err != nil {
		return s.refusePortalUpload(c, v, "", err)
	}
	id := up.ID
	if up.UploadedAt == nil {
		if id, err = s.takePortalUpload(c, v, up); err != nil {
			return s.refusePortalUpload(c, v, "", err)
		}
	}
	return v.answerUpload(c, fiber.StatusOK, "uploaded", "", id)
}

// takePortalUpload returns the document that holds the bytes. It releases its slot, since object storage may take long
// to read a large file.
func (s *Server) takePortalUpload(c *fiber.Ctx, v portalVisit, up postgres.PortalUpload) (dossier.DocumentID, error) {
	ctx := c.UserContext()
	slotOf(c).release()
	if up.UploadID != "" {
		// Gone parts are those of a completion whose answer was lost: then the object is there.
		if err := s.objects.FinishParts(ctx, up.ObjectKey, up.UploadID); err != nil &&
			dossier.KindOf(err) != dossier.NotFound {
			return "", err
		}
	}
	taken, err := s.complete(c, v.ws, up.Document, nil, "")
	return taken.ID, err
}

// cancelPortalUpload forgets a file that is on its way. One that arrived stays: it is removed as a document.
func (s *Server) cancelPortalUpload(c *fiber.Ctx) error {
	v, up, err := s.portalUpload(c)
	if err != nil {
		return s.refusePortalUpload(c, v, "", err)
	}
	if up.UploadedAt == nil {
		if err := s.db.DropPortalUpload(c.UserContext(), v.ws, v.of, up.ID); err != nil {
			return s.sendPortalError(c, err)
		}
		if up.UploadID != "" {
			_ = s.objects.AbortParts(c.UserContext(), up.ObjectKey, up.UploadID) // else the sweep does
		}
		_ = s.objects.Delete(c.UserContext(), up.ObjectKey)
	}
	return web.NoContent(c)
}
