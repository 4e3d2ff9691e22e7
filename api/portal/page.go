package portal

import (
	"net/url"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/storage/postgres"
)

// showPortal is the lead's page. Opening it is noted on the timeline once an hour.
func (s *Server) showPortal(c *fiber.Ctx) error {
	v, err := s.openPortal(c, PerToken)
	if err != nil {
		return s.sendPortalError(c, err)
	}
	page, err := s.db.PortalPage(c.UserContext(), v.ws, v.of)
	if err == nil && !page.Noted && c.Method() == fiber.MethodGet {
		err = s.db.NotePortalOpened(c.UserContext(), v.ws, v.of)
	}
	if err != nil {
		return s.sendPortalError(c, err)
	}
	view := s.portalView(v, page)
	tellOutcome(&view, c.Query("did"), c.Query("item"))
	return s.sendPortal(c, fiber.StatusOK, view)
}

// tellOutcome says beside the item what became of the form before. The words are ours: an address can only choose.
func tellOutcome(view *portalPageView, outcome, id string) {
	item, said, problem := view.item(id), "", false
	switch outcome {
	case "saved":
		if item == nil {
			return
		}
		said = view.T("saved")
		if item.Reason != "" {
			said = view.T("saved_invalid") + " " + item.Reason
		}
		if view.Finished {
			said += " " + view.T("finished") + "."
		}
	case "kept", "cleared", "uploaded", "removed":
		said = view.T(outcome)
	case "no_files", "too_many", "too_large", "empty", "form", "missing":
		said, problem = portalOutcome(view.portalWords, outcome), true
	}
	if item == nil {
		view.Notice, view.NoticeProblem = said, problem
		return
	}
	item.Said, item.SaidProblem = said, problem
}

func portalOutcome(w portalWords, outcome string) string {
	switch outcome {
	case "too_many":
		return w.T("trouble.too_many", dossier.MaxUploadFiles)
	case "too_large":
		return w.T("trouble.too_large", dossier.MaxUploadBytes>>20)
	case "no_files", "empty", "form", "missing":
		return w.T("trouble." + outcome)
	}
	return w.T(outcome)
}

// answerPortal saves one answer and leads back to the page, which shows the verdict.
func (s *Server) answerPortal(c *fiber.Ctx) error {
	v, err := s.openPortal(c, PerToken)
	if err != nil {
		return s.sendPortalError(c, err)
	}
	entry, err := web.PathID[dossier.EntryID](c, "entryId")
	if err != nil {
		return s.sendPortalError(c, err)
	}
	form, err := web.ReadForm(c)
	if err != nil {
		return s.sendPortalError(c, err)
	}
	outcome, err := s.db.AnswerPortal(c.UserContext(), v.ws, v.of, entry, portalAnswer(form))
	if err != nil {
		return s.sendPortalError(c, err)
	}
	return s.afterPortal(c, v, map[postgres.PortalOutcome]string{postgres.PortalTaken: "saved",
		postgres.PortalCleared: "cleared", postgres.PortalOutranked: "kept"}[outcome], string(entry))
}

// removePortalDocument takes back a file that the lead sent.
func (s *Server) removePortalDocument(c *fiber.Ctx) error {
	v, err := s.openPortal(c, PerToken)
	if err != nil {
		return s.sendPortalError(c, err)
	}
	id, err := web.PathID[dossier.DocumentID](c, "documentId")
	if err != nil {
		return s.sendPortalError(c, err)
	}
	if err := s.db.RemovePortalDocument(c.UserContext(), v.ws, v.of, id); err != nil {
		return s.sendPortalError(c, err)
	}
	return s.afterPortal(c, v, "removed", "")
}

// readPortalAsset serves the script under its content's name, for as long as anybody likes to keep it.
func (s *Server) readPortalAsset(c *fiber.Ctx) error {
	if c.Params("file") != portalScriptName {
		return dossier.Errorf(dossier.NotFound, "There is nothing at %s", web.Printable(c.Path()))
	}
	c.Set(fiber.HeaderContentType, "text/javascript; charset=utf-8")
	c.Set(fiber.HeaderCacheControl, "public, max-age=31536000, immutable")
	return c.Send(portalScript)
}

func (s *Server) portalView(v portalVisit, page postgres.PortalPage) portalPageView {
	return portalViewer{words: v.words, base: v.base, now: s.now()}.view(page)
}

// sendPortal writes the page under a policy that allows its own style and script and nothing else.
func (s *Server) sendPortal(c *fiber.Ctx, status int, view portalPageView) error {
	var err error
	if view.Nonce, err = web.Nonce(); err != nil {
		return err
	}
	view.Style, view.Part = Style, c.Get("X-Portal-Part") != ""
	if view.Groups != nil {
		view.Script = s.door.Base(c) + "/portal-assets/" + portalScriptName
	}
	html, err := view.render()
	if err != nil {
		return err
	}
	connect := "'self'"
	if s.objects != nil {
		connect += " " + s.objects.PublicOrigin() // files go there directly
	}
	c.Set(fiber.HeaderContentSecurityPolicy,
		"default-src 'none'; style-src 'nonce-"+view.Nonce+"'; script-src 'nonce-"+view.Nonce+
			"'; connect-src "+connect+"; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors "+
			"'none'; require-trusted-types-for 'script'; trusted-types portal")
	c.Vary(fiber.HeaderAcceptLanguage)
	c.Status(status).Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
	return c.Send(html)
}

// afterPortal answers a form: the script with the page as it is now, in the same round trip, a browser by leading back
// to it.
func (s *Server) afterPortal(c *fiber.Ctx, v portalVisit, outcome, item string) error {
	if c.Get("X-Portal-Part") == "" {
		return v.back(c, outcome, item)
	}
	page, err := s.db.PortalPage(c.UserContext(), v.ws, v.of)
	if err != nil {
		return s.sendPortalError(c, err)
	}
	view := s.portalView(v, page)
	tellOutcome(&view, outcome, item)
	return s.sendPortal(c, fiber.StatusOK, view)
}

// back answers a form with the page (post, redirect, get), at the item it was about.
func (v portalVisit) back(c *fiber.Ctx, outcome, item string) error {
	query := url.Values{"did": {outcome}}
	anchor := ""
	if item != "" {
		query.Set("item", item)
		anchor = "#item-" + item
	}
	return c.Redirect(v.base+"?"+query.Encode()+anchor, fiber.StatusSeeOther)
}

func wantsJSON(c *fiber.Ctx) bool {
	return strings.HasPrefix(c.Get(fiber.HeaderAccept), fiber.MIMEApplicationJSON)
}

// sendPortalError shows an error as a page for people, or as a problem to the page's script. What is not there is
// one answer whatever it was.
func (s *Server) sendPortalError(c *fiber.Ctx, err error) error {
	known := web.ErrorOf(c, err)
	if known.Kind == dossier.NotFound {
		known = dossier.Errorf(dossier.NotFound, "This link, or what it names, is not there")
	}
	if wantsJSON(c) {
		return known
	}
	status := web.StatusOf[known.Kind]
	if status >= 500 {
		s.door.LogFailure(c, status, err, known.Cause)
	}
	view := portalPageView{portalWords: s.languages.pick(c.Get(fiber.HeaderAcceptLanguage))}
	view.Brand, view.OnBrand = web.BrandColors("")
	view.Back = s.door.Base(c) + "/portal/" + url.PathEscape(c.Params("token"))
	if status == fiber.StatusNotFound {
		view.AskLink, view.Back = view.Back+"/link", ""
	}
	title := map[int]string{404: "gone", 429: "limited", 403: "foreign", 400: "foreign", 413: "long",
		415: "foreign"}[status]
	if title == "" {
		title = "broken"
	}
	view.TroubleTitle, view.Trouble = view.T(title+"_title"), view.T(title)
	if status == fiber.StatusServiceUnavailable {
		web.RetryAfter(c, time.Second)
	}
	if known.Code == "limit_reached" {
		view.TroubleTitle, view.Trouble = view.T("foreign_title"), view.T("trouble.limit")
	}
	return s.sendPortal(c, status, view)
}
