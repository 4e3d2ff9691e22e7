package api

import (
	"bytes"
	"embed"
	"html/template"
	"net/netip"
	"net/url"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
)

//go:embed console
var consoleFiles embed.FS

var consolePage = template.Must(template.ParseFS(consoleFiles, "console/page.html"))

// consoleView is what a page of the console shows: the person, or a few words.
type consoleView struct {
	Title   string
	Text    string
	Command string // to be typed
	Action  string // address of the sign-in
	Base    string
	Me      *postgres.SignedIn

	Nonce          string
	Style          template.CSS
	Brand, OnBrand template.CSS
}

// showConsole is where a person is after the sign-in.
func (s *Server) showConsole(c *fiber.Ctx) error {
	consoleHeaders(c)
	who, err := s.openSession(c)
	switch {
	case dossier.KindOf(err) == dossier.Unauthorized:
		return c.Redirect(s.portalBase(c)+"/console/sign-in", fiber.StatusSeeOther)
	case dossier.KindOf(err) == dossier.NotFound:
		return s.consoleWords(c, fiber.StatusForbidden, "No role here",
			"You are signed in, but no workspace gives you a role any more. An admin can.", "")
	case err != nil:
		return s.consoleTrouble(c, err)
	}
	return s.sendConsole(c, fiber.StatusOK, consoleView{Title: "Console", Me: who.person})
}

// signIn leads to the provider, or says how else one gets in.
func (s *Server) signIn(c *fiber.Ctx) error {
	consoleHeaders(c)
	if s.OIDC != nil {
		return s.leadToProvider(c)
	}
	return s.consoleWords(c, fiber.StatusOK, "Sign in",
		"This installation has no single sign-on. Whoever runs it makes a link for you that "+
			"works once, within ten minutes:", "dossier console open --email you@example.com")
}

// useSignInLink signs in by a link of `dossier console open`. A program that only looks (HEAD) does not use it up.
func (s *Server) useSignInLink(c *fiber.Ctx) error {
	consoleHeaders(c)
	if c.Method() == fiber.MethodHead {
		return noContent(c)
	}
	if _, err := s.cookieName(c); err != nil {
		return s.consoleTrouble(c, err)
	}
	if err := s.limitOpen(c, "sign-in:"+s.clientAddress(c), portalGuesses); err != nil {
		return s.consoleTrouble(c, err)
	}
	secret, err := s.db.UseSignInLink(c.UserContext(), c.Params("token"), s.sessionCookie(c))
	if dossier.KindOf(err) == dossier.NotFound {
		return s.consoleWords(c, fiber.StatusGone, "This link is over",
			"A sign-in link works once, within ten minutes. Ask for another one.", "")
	}
	if err != nil {
		return s.consoleTrouble(c, err)
	}
	return s.enter(c, secret)
}

// enter gives the browser its session and leads to the console.
func (s *Server) enter(c *fiber.Ctx, secret string) error {
	if err := s.setSessionCookie(c, secret, dossier.SessionLife); err != nil {
		return err
	}
	return c.Redirect(s.portalBase(c)+"/console", fiber.StatusSeeOther)
}

// signOut ends the session of the cookie.
func (s *Server) signOut(c *fiber.Ctx) error {
	consoleHeaders(c)
	if err := s.refuseCrossSite(c); err != nil {
		return s.consoleWords(c, fiber.StatusForbidden, "Not from here",
			"This was sent from another site, so nothing was done.", "")
	}
	who, err := s.openSession(c)
	if err == nil {
		ctx := postgres.WithActor(c.UserContext(),
			postgres.Actor{Type: dossier.ActorPerson, ID: string(who.person.Person.ID), Name: who.person.Person.Email})
		err = s.db.RevokeSession(ctx, who.workspace, who.person.Session.ID, who.person.Person.ID)
	}
	if kind := dossier.KindOf(err); err != nil && kind != dossier.Unauthorized && kind != dossier.NotFound {
		return s.consoleTrouble(c, err)
	}
	if err := s.setSessionCookie(c, "", 0); err != nil {
		return s.consoleTrouble(c, err)
	}
	view := consoleView{Title: "Signed out", Text: "Your session has ended.",
		Action: s.portalBase(c) + "/console/sign-in"}
	return s.sendConsole(c, fiber.StatusOK, view)
}

// openSession is the person of the request's cookie. Errors: Unauthorized, NotFound (no role).
func (s *Server) openSession(c *fiber.Ctx) (caller, error) {
	cookie := s.sessionCookie(c)
	if cookie == "" {
		return caller{}, unauthorized()
	}
	return s.readSession(c, cookie, "")
}

// readSession finds the person of a cookie, and asks the provider about it when that is due.
func (s *Server) readSession(c *fiber.Ctx, cookie, wanted string) (caller, error) {
	in, err := s.db.ReadSession(c.UserContext(), cookie, wanted)
	if err != nil {
		return caller{}, err
	}
	changed, err := s.stillWelcome(c, in.Session.ID)
	if err == nil && changed {
		in, err = s.db.ReadSession(c.UserContext(), cookie, wanted)
	}
	return caller{workspace: in.In.ID, person: &in}, err
}

// callerBySession is the person of a session, for operations of the API. Errors: Unauthorized, NotFound (the workspace
// that is wanted), Forbidden (sent by another site).
func (s *Server) callerBySession(c *fiber.Ctx, cookie string) (caller, error) {
	if c.Method() != fiber.MethodGet && c.Method() != fiber.MethodHead {
		if err := s.refuseCrossSite(c); err != nil {
			return caller{}, err
		}
	}
	c.Vary(fiber.HeaderCookie)
	return s.readSession(c, cookie, c.Get("X-Dossier-Workspace"))
}

// refuseCrossSite refuses a change that comes with a cookie unless the browser says that a page of ours sent it: a
// cookie goes along with whatever another site's page sends here. A page of a sibling domain is another site, too.
func (s *Server) refuseCrossSite(c *fiber.Ctx) error {
	refused := dossier.Coded(dossier.Forbidden, "cross_site_request",
		"A change by a session must come from a page of this service")
	site, origin := c.Get("Sec-Fetch-Site"), c.Get(fiber.HeaderOrigin)
	if site != "" && site != "same-origin" && site != "none" {
		return refused
	}
	if origin == "" || origin == "null" {
		if site == "" || origin == "null" && site != "same-origin" {
			return refused
		}
		return nil
	}
	from, err := url.Parse(origin)
	if err != nil {
		return refused
	}
	own, err := url.Parse(s.publicURL(c))
	if err != nil || from.Scheme != own.Scheme || from.Host != own.Host {
		return refused
	}
	return nil
}

// cookieName is the session cookie's: with the prefix that keeps other hosts and plain http from setting it, but for a
// service on this machine without TLS. Error: Forbidden, where a cookie would travel in the clear.
func (s *Server) cookieName(c *fiber.Ctx) (string, error) {
	public, err := url.Parse(s.publicURL(c))
	switch {
	case err == nil && public.Scheme == "https":
		return "__Host-dossier", nil
	case err == nil && isLoopback(public.Hostname()):
		return "dossier", nil
	}
	return "", dossier.Errorf(dossier.Forbidden, "The console needs https; DOSSIER_PUBLIC_URL says under which address")
}

func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// sessionCookie is the secret of the request's session, or "".
func (s *Server) sessionCookie(c *fiber.Ctx) string {
	name, err := s.cookieName(c)
	if err != nil {
		return ""
	}
	return c.Cookies(name)
}

// setSessionCookie gives the browser the secret of a session; an empty one takes it away.
func (s *Server) setSessionCookie(c *fiber.Ctx, secret string, life time.Duration) error {
	name, err := s.cookieName(c)
	if err != nil {
		return err
	}
	cookie := &fiber.Cookie{Name: name, Value: secret, Path: "/", MaxAge: int(life.Seconds()),
		Secure: name != "dossier", HTTPOnly: true, SameSite: fiber.CookieSameSiteLaxMode}
	if secret == "" {
		cookie.MaxAge, cookie.Expires = 0, time.Unix(1, 0)
	}
	c.Cookie(cookie)
	return nil
}

func consoleHeaders(c *fiber.Ctx) {
	portalHeaders(c)
	c.Vary(fiber.HeaderCookie)
}

// consoleTrouble shows an error as a page.
func (s *Server) consoleTrouble(c *fiber.Ctx, err error) error {
	known := s.known(c, err)
	status := statusOf[known.Kind]
	if status >= 500 {
		s.logFailure(c, status, err, known.Cause)
	}
	return s.consoleWords(c, status, titleOf(known.Code), known.Message, "")
}

func (s *Server) consoleWords(c *fiber.Ctx, status int, title, text, command string) error {
	return s.sendConsole(c, status, consoleView{Title: title, Text: text, Command: command})
}

// sendConsole writes a page under a policy that allows its own style and nothing else.
func (s *Server) sendConsole(c *fiber.Ctx, status int, view consoleView) error {
	nonce, err := newNonce()
	if err != nil {
		return err
	}
	view.Nonce, view.Style, view.Base = nonce, portalStyle, s.portalBase(c)
	view.Brand, view.OnBrand = brandColors("")
	var page bytes.Buffer
	if err := consolePage.Execute(&page, view); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentSecurityPolicy,
		"default-src 'none'; style-src 'nonce-"+nonce+
			"'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	c.Status(status).Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
	return c.Send(page.Bytes())
}
