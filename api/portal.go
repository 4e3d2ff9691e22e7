package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
)

// Allowances of the portal a minute. An address is shared by a whole office, so it may do more than one token.
const (
	portalPerToken   = 240
	portalUploads    = 60
	portalPerAddress = 1200
	portalGuesses    = 30 // tokens that open nothing, from one address
)

const portalFormLimit = 64 << 10 // bytes of an answer

var portalToken = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)

// portalVisit is a request with a token that opens a page.
type portalVisit struct {
	ws    dossier.WorkspaceID
	lead  dossier.LeadID
	words portalWords
	base  string // path of the page
}

// showPortal is the lead's page. Opening it is noted on the timeline once an hour.
func (s *Server) showPortal(c *fiber.Ctx) error {
	v, err := s.openPortal(c, portalPerToken)
	if err != nil {
		return s.portalTrouble(c, err)
	}
	page, err := s.db.PortalPage(c.UserContext(), v.ws, v.lead)
	if err == nil && c.Method() == fiber.MethodGet {
		err = s.db.NotePortalOpened(c.UserContext(), v.ws, v.lead)
	}
	if err != nil {
		return s.portalTrouble(c, err)
	}
	view := s.portalView(v, page)
	tellOutcome(c, &view)
	return s.sendPortal(c, fiber.StatusOK, view)
}

// tellOutcome says beside the item what became of the form before. The words are ours: an address can only choose.
func tellOutcome(c *fiber.Ctx, view *portalPageView) {
	item, said := view.item(c.Query("item")), ""
	switch outcome := c.Query("did"); outcome {
	case "saved":
		if item == nil {
			return
		}
		said = view.T("saved")
		if item.Reason != "" {
			said = view.T("saved_invalid") + " " + item.Reason
		}
	case "kept", "cleared", "uploaded", "removed", "no_files", "too_many", "too_large", "form", "missing":
		said = portalOutcome(view.portalWords, outcome)
	}
	if item == nil {
		view.Notice = said
		return
	}
	item.Said = said
}

func portalOutcome(w portalWords, outcome string) string {
	switch outcome {
	case "too_many":
		return w.T("trouble.too_many", dossier.MaxUploadFiles)
	case "too_large":
		return w.T("trouble.too_large", dossier.MaxUploadBytes>>20)
	case "no_files", "form", "missing":
		return w.T("trouble." + outcome)
	}
	return w.T(outcome)
}

// portalStatus is what the page asks every two seconds while a verdict is to come.
type portalStatus struct {
	Version  string             `json:"version"`
	Pending  bool               `json:"pending"`
	Finished bool               `json:"finished"`
	Done     int                `json:"done"`
	Total    int                `json:"total"`
	Items    []portalItemStatus `json:"items"`
}

type portalItemStatus struct {
	ID        dossier.EntryID `json:"id"`
	State     string          `json:"state"`
	StateText string          `json:"stateText"`
	Reason    string          `json:"reason"`
}

func (s *Server) readPortalStatus(c *fiber.Ctx) error {
	v, err := s.openPortal(c, portalPerToken)
	if err != nil {
		return s.portalTrouble(c, err)
	}
	page, err := s.db.PortalPage(c.UserContext(), v.ws, v.lead)
	if err != nil {
		return s.portalTrouble(c, err)
	}
	view := s.portalView(v, page)
	status := portalStatus{view.Version, view.Pending, view.Finished, view.Done, view.Total, []portalItemStatus{}}
	for _, group := range view.Groups {
		for _, item := range group.Items {
			status.Items = append(status.Items, portalItemStatus{item.ID, item.State, item.StateText, item.Reason})
		}
	}
	return send(c, fiber.StatusOK, status)
}

// answerPortal saves one answer and leads back to the page, which shows the verdict.
func (s *Server) answerPortal(c *fiber.Ctx) error {
	v, err := s.openPortal(c, portalPerToken)
	if err != nil {
		return s.portalTrouble(c, err)
	}
	entry, err := pathID[dossier.EntryID](c, "entryId")
	if err != nil {
		return s.portalTrouble(c, err)
	}
	form, err := portalForm(c)
	if err != nil {
		return s.portalTrouble(c, err)
	}
	outcome, err := s.db.AnswerPortal(c.UserContext(), v.ws, v.lead, entry, portalAnswer(form))
	if err != nil {
		return s.portalTrouble(c, err)
	}
	return v.back(c, map[postgres.PortalOutcome]string{postgres.PortalTaken: "saved", postgres.PortalCleared: "cleared", postgres.PortalOutranked: "kept"}[outcome], string(entry))
}

func portalForm(c *fiber.Ctx) (url.Values, error) {
	if kind := mediaType(c.Get(fiber.HeaderContentType)); kind != fiber.MIMEApplicationForm {
		return nil, dossier.Errorf(dossier.Unsupported, "This form is sent as %s", fiber.MIMEApplicationForm)
	}
	body, err := readBody(c, portalFormLimit)
	if err != nil {
		return nil, err
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, dossier.Coded(dossier.Invalid, "validation_failed", "The form could not be read")
	}
	return form, nil
}

// removePortalDocument takes back a file that the lead sent.
func (s *Server) removePortalDocument(c *fiber.Ctx) error {
	v, err := s.openPortal(c, portalPerToken)
	if err != nil {
		return s.portalTrouble(c, err)
	}
	id, err := pathID[dossier.DocumentID](c, "documentId")
	if err != nil {
		return s.portalTrouble(c, err)
	}
	if err := s.db.RemovePortalDocument(c.UserContext(), v.ws, v.lead, id); err != nil {
		return s.portalTrouble(c, err)
	}
	return v.back(c, "removed", "")
}

// readPortalAsset serves the script under its content's name, for as long as anybody likes to keep it.
func (s *Server) readPortalAsset(c *fiber.Ctx) error {
	if c.Params("file") != portalScriptName {
		return dossier.Errorf(dossier.NotFound, "There is nothing at %s", printable(c.Path()))
	}
	c.Set(fiber.HeaderContentType, "text/javascript; charset=utf-8")
	c.Set(fiber.HeaderCacheControl, "public, max-age=31536000, immutable")
	return c.Send(portalScript)
}

// openPortal lets a token in. Whoever cannot be let in learns nothing of why: unknown, expired, replaced and of a
// deleted lead are one answer. Errors: NotFound, Forbidden (sent by another site), Limited.
func (s *Server) openPortal(c *fiber.Ctx, perMinute int) (portalVisit, error) {
	portalHeaders(c)
	v := portalVisit{words: s.languages.pick(c.Get(fiber.HeaderAcceptLanguage)), base: s.portalBase(c) + "/portal/" + c.Params("token")}
	if !sameOrigin(c, s.publicURL(c)) {
		return v, dossier.Errorf(dossier.Forbidden, "This was sent from another site")
	}
	if err := s.limitPortal(c, "portal-address:"+c.IP(), portalPerAddress); err != nil {
		return v, err
	}
	token := c.Params("token")
	err := dossier.Errorf(dossier.NotFound, "No such portal link")
	var found error = err
	if portalToken.MatchString(token) {
		v.ws, v.lead, found = s.db.PortalLead(c.UserContext(), token)
	}
	if dossier.KindOf(found) == dossier.NotFound {
		if limited := s.limitPortal(c, "portal-guess:"+c.IP(), portalGuesses); limited != nil {
			return v, limited
		}
	}
	if found != nil {
		return v, found
	}
	sum := sha256.Sum256([]byte(token))
	return v, s.limitPortal(c, "portal:"+hex.EncodeToString(sum[:8])+":"+map[bool]string{true: "uploads", false: "page"}[perMinute == portalUploads], perMinute)
}

// limitPortal counts a request. Like all limits it lets pass what Redis cannot count.
func (s *Server) limitPortal(c *fiber.Ctx, key string, perMinute int) error {
	if s.Cache == nil || time.Now().UnixNano() < s.limits.until.Load() {
		return nil
	}
	ctx, cancel := context.WithTimeout(c.UserContext(), 250*time.Millisecond)
	defer cancel()
	got, err := s.Cache.Allow(ctx, key, perMinute, perMinute)
	if err != nil {
		s.limits.until.Store(time.Now().Add(pauseFor).UnixNano())
		s.Log.Warn("rate limits are not counted", "error", err)
		return nil
	}
	if got.Allowed {
		return nil
	}
	retryAfter(c, got.Wait)
	return dossier.Errorf(dossier.Limited, "Too many requests; try again in %d s", max(1, wholeSeconds(got.Wait)))
}

// sameOrigin refuses a change that another site's page sends. The token in the path is the only authority, no
// cookie is, so that such a page would have to know it; this stands behind that. A browser writes Origin: null on
// forms of a page without referrer, so null alone proves nothing and Sec-Fetch-Site decides.
func sameOrigin(c *fiber.Ctx, public string) bool {
	if c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead {
		return true
	}
	if site := c.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return false
	}
	origin := c.Get(fiber.HeaderOrigin)
	if origin == "" || origin == "null" {
		return true
	}
	from, err := url.Parse(origin)
	if err != nil {
		return false
	}
	at, err := url.Parse(public)
	return from.Host == string(c.Request().Host()) || err == nil && from.Host == at.Host
}

func portalHeaders(c *fiber.Ctx) {
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Set(fiber.HeaderReferrerPolicy, "no-referrer")
	c.Set("X-Robots-Tag", "noindex, nofollow")
	c.Set(fiber.HeaderXFrameOptions, "DENY")
	c.Set("Cross-Origin-Opener-Policy", "same-origin")
	c.Set("Cross-Origin-Resource-Policy", "same-origin")
	c.Set("Permissions-Policy", "geolocation=(), microphone=(), payment=()")
}

// portalBase is the path under which the service is published, without a slash at the end.
func (s *Server) portalBase(c *fiber.Ctx) string {
	public, err := url.Parse(s.publicURL(c))
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(public.Path, "/")
}

func (s *Server) portalView(v portalVisit, page postgres.PortalPage) portalPageView {
	return portalViewer{words: v.words, base: v.base, now: s.Now()}.view(page)
}

// sendPortal writes the page under a policy that allows its own style and script and nothing else.
func (s *Server) sendPortal(c *fiber.Ctx, status int, view portalPageView) error {
	var err error
	if view.Nonce, err = newNonce(); err != nil {
		return err
	}
	view.Style = portalStyle
	if view.Groups != nil {
		view.Script = s.portalBase(c) + "/portal-assets/" + portalScriptName
	}
	html, err := view.render()
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentSecurityPolicy, "default-src 'none'; style-src 'nonce-"+view.Nonce+"'; script-src 'nonce-"+view.Nonce+
		"'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	c.Vary(fiber.HeaderAcceptLanguage)
	c.Status(status).Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
	return c.Send(html)
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

// portalTrouble shows an error as a page for people, or as a problem to the page's script. What is not there is
// one answer whatever it was.
func (s *Server) portalTrouble(c *fiber.Ctx, err error) error {
	known := s.known(c, err)
	if known.Kind == dossier.NotFound {
		known = dossier.Errorf(dossier.NotFound, "This link, or what it names, is not there")
	}
	if wantsJSON(c) {
		return known
	}
	status := statusOf[known.Kind]
	if status >= 500 {
		s.logFailure(c, status, err, known.Cause)
	}
	view := portalPageView{portalWords: s.languages.pick(c.Get(fiber.HeaderAcceptLanguage))}
	view.Brand, view.OnBrand = brandColors("")
	title := map[int]string{404: "gone", 429: "limited", 403: "foreign", 400: "foreign", 413: "foreign", 415: "foreign"}[status]
	if title == "" {
		title = "broken"
	}
	view.TroubleTitle, view.Trouble = view.T(title+"_title"), view.T(title)
	return s.sendPortal(c, status, view)
}
