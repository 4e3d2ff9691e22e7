package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
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
	portalPerToken     = 240
	portalUploads      = 60
	portalPerAddress   = 1200
	portalGuesses      = 30 // tokens that open nothing, from one address
	portalLinkRequests = 10 // new links asked for, from one address
)

const portalFormLimit = 128 << 10 // bytes of an answer: the longest text, each of its characters written as up to 12

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
	portalHeaders(c)
	v := portalVisit{words: s.languages.pick(c.Get(fiber.HeaderAcceptLanguage)),
		base: s.portalBase(c) + "/portal/" + c.Params("token")}
	if !sameOrigin(c, s.publicURL(c)) {
		return v, dossier.Errorf(dossier.Forbidden, "This was sent from another site")
	}
	client := s.clientAddress(c)
	if err := s.limitOpen(c, "portal-address:"+client, portalPerAddress); err != nil {
		return v, err
	}
	token := c.Params("token")
	err := dossier.Errorf(dossier.NotFound, "No such portal link")
	var found error = err
	if portalToken.MatchString(token) {
		v.ws, v.of, found = s.db.PortalLead(c.UserContext(), token)
	}
	if dossier.KindOf(found) == dossier.NotFound {
		if limited := s.limitOpen(c, "portal-guess:"+client, portalGuesses); limited != nil {
			return v, limited
		}
	}
	if found != nil {
		return v, found
	}
	c.SetUserContext(postgres.WithActor(c.UserContext(), postgres.Actor{Type: dossier.ActorPortal,
		ID: string(v.of.Lead)}))
	sum := sha256.Sum256([]byte(token))
	if err := s.limitOpen(c, "portal:"+hex.EncodeToString(sum[:8])+":"+map[bool]string{true: "uploads",
		false: "page"}[perMinute == portalUploads], perMinute); err != nil {
		return v, err
	}
	return v, s.takeTurn(c, v.ws)
}

// limitOpen counts a request that has no key. Like all limits it lets pass what Redis cannot count.
func (s *Server) limitOpen(c *fiber.Ctx, key string, perMinute int) error {
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

// clientAddress is who a request comes from, for counting: the peer, or behind proxies that the operator named the
// nearest address that is none of them. What a client writes into X-Forwarded-For by itself counts for nothing.
// One IPv6 network of 64 bits is one client.
func (s *Server) clientAddress(c *fiber.Ctx) string {
	address, err := netip.ParseAddr(c.IP())
	if err != nil {
		return c.IP()
	}
	hops := forwardedLines(c, fiber.HeaderXForwardedFor)
	for i := len(hops) - 1; i >= 0 && s.trusted(address); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		address = hop
	}
	address = address.Unmap().WithZone("")
	if address.Is6() {
		network, err := address.Prefix(64)
		if err == nil {
			return network.String()
		}
	}
	return address.String()
}

func (s *Server) trusted(address netip.Addr) bool {
	for _, network := range s.TrustedProxies {
		if network.Contains(address.Unmap()) {
			return true
		}
	}
	return false
}
