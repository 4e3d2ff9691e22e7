package portal

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"regexp"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/storage/postgres"
)

// Allowances of the portal a minute. An address is shared by a whole office, so it may do more than one token.
const (
	PerToken        = 240
	UploadsPerToken = 60
	PerAddress      = 1200
	Guesses         = 30 // tokens that open nothing, from one address
	LinkRequests    = 10 // new links asked for, from one address
)

var portalToken = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)

// portalVisit is a request with a token that opens a page.
type portalVisit struct {
	ws    dossier.WorkspaceID
	of    postgres.PortalOwner
	words portalWords
	base  string // path of the page
}

// openPortal lets a token in. Whoever cannot be let in learns nothing of why: unknown, expired, replaced and of a
// deleted lead are one answer. Errors: NotFound, Forbidden (sent by another site), Limited.
func (s *Server) openPortal(c *fiber.Ctx, perMinute int) (portalVisit, error) {
	web.PageHeaders(c)
	v := portalVisit{words: s.languages.pick(c.Get(fiber.HeaderAcceptLanguage)),
		base: s.door.Base(c) + "/portal/" + c.Params("token")}
	if !sameOrigin(c, s.door.PublicURL(c)) {
		return v, dossier.Errorf(dossier.Forbidden, "This was sent from another site")
	}
	client := s.door.ClientAddress(c)
	if err := s.door.LimitOpen(c, "portal-address:"+client, PerAddress); err != nil {
		return v, err
	}
	token := c.Params("token")
	err := dossier.Errorf(dossier.NotFound, "No such portal link")
	var found error = err
	if portalToken.MatchString(token) {
		v.ws, v.of, found = s.db.PortalLead(c.UserContext(), token)
	}
	if dossier.KindOf(found) == dossier.NotFound {
		if limited := s.door.LimitOpen(c, "portal-guess:"+client, Guesses); limited != nil {
			return v, limited
		}
	}
	if found != nil {
		return v, found
	}
	c.SetUserContext(postgres.WithActor(c.UserContext(), postgres.Actor{Type: dossier.ActorPortal,
		ID: string(v.of.Lead)}))
	sum := sha256.Sum256([]byte(token))
	if err := s.door.LimitOpen(c, "portal:"+hex.EncodeToString(sum[:8])+":"+map[bool]string{true: "uploads",
		false: "page"}[perMinute == UploadsPerToken], perMinute); err != nil {
		return v, err
	}
	return v, s.acquireSlot(c, v.ws)
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
