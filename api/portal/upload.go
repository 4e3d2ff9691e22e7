package portal

import (
	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/storage/postgres"
)

// portalSent answers the page's script after an upload; message says what became of it in the page's language.
type portalSent struct {
	Message string `json:"message"`
	// which documents the files are: bytes sent before, the first one's
	IDs []dossier.DocumentID `json:"ids,omitempty"`
}

// uploadPortal stores the files of one form, of the plain page or of its script, and leads back to the page. Bytes
// first, row second, as for uploads through the API.
func (s *Server) uploadPortal(c *fiber.Ctx) error {
	v, err := s.openPortal(c, UploadsPerToken)
	if err != nil {
		return s.sendPortalError(c, err)
	}
	form := portalForm{FileForm: web.FileForm{Workspace: v.ws, Objects: s.objects}}
	if err := form.read(c); err != nil {
		form.Discard()
		return s.refusePortalUpload(c, v, form.entry, err)
	}
	if len(form.Files) == 0 {
		return v.answerUpload(c, fiber.StatusBadRequest, "no_files", form.entry)
	}
	up := postgres.Upload{LeadID: v.of.Lead, Party: v.of.Party, EntryID: dossier.EntryID(form.entry),
		Source: dossier.SourcePortal, Files: form.Files}
	documents, err := s.db.CreatePortalDocuments(c.UserContext(), v.ws, up)
	if err != nil {
		// An answer that did not come may hide a commit: then the objects are a document's, and the sweep decides.
		if web.ChangedNothing(err) {
			form.Discard()
		}
		return s.refusePortalUpload(c, v, form.entry, err)
	}
	var ids []dossier.DocumentID
	for i, d := range documents {
		if ids = append(ids, d.ID); d.DuplicateOf != nil {
			form.DiscardFile(i)
		}
	}
	return v.answerUpload(c, fiber.StatusOK, "uploaded", form.entry, ids...)
}

// portalForm is the files that the page's form sends for an item, or for none.
type portalForm struct {
	web.FileForm
	entry string
}

// read reads the parts of the page's form. A browser sends an input without files as a part without a name.
func (f *portalForm) read(c *fiber.Ctx) error {
	return web.EachPart(c, func(part *web.FormPart) error {
		var err error
		switch {
		case part.FormName() == "leadChecklistItemId":
			if f.entry, err = web.FormValue(part, dossier.MaxString); err == nil && !dossier.ValidID(f.entry) {
				f.entry, err = "", web.NotFound("checklistItemId")
			}
		case part.FormName() == "files" && part.FileName() != "":
			err = f.Store(c.UserContext(), part)
		}
		return err
	})
}

// refusePortalUpload says why nothing was stored.
func (s *Server) refusePortalUpload(c *fiber.Ctx, v portalVisit, entry string, err error) error {
	switch dossier.KindOf(err) {
	case dossier.TooLarge:
		return v.answerUpload(c, fiber.StatusRequestEntityTooLarge, "too_large", entry)
	case dossier.Invalid, dossier.Unsupported:
		outcome := "form"
		if known := web.ErrorOf(c, err); len(known.Faults) > 0 && known.Faults[0].Code == "too_long" {
			outcome = "too_many"
		}
		return v.answerUpload(c, fiber.StatusBadRequest, outcome, entry)
	case dossier.Conflict:
		if web.ErrorOf(c, err).Code == "limit_reached" { // the operator's words are not for a lead
			err = dossier.Coded(dossier.Conflict, "limit_reached", "%s", v.words.T("trouble.limit"))
		}
	case dossier.NotFound:
		if wantsJSON(c) { // in the page's language
			return web.Send(c, fiber.StatusNotFound, portalSent{Message: portalOutcome(v.words, "missing")})
		}
	}
	return s.sendPortalError(c, err)
}

func (v portalVisit) answerUpload(c *fiber.Ctx, status int, outcome, entry string, ids ...dossier.DocumentID) error {
	if !wantsJSON(c) {
		return v.back(c, outcome, entry)
	}
	return web.Send(c, status, portalSent{portalOutcome(v.words, outcome), ids})
}
