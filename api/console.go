package api

import (
	"errors"
	"net/netip"
	"net/url"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/console"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/pipelines/spread"
	"github.com/dossierhq/dossier/storage/postgres"
)

// showConsole is where a person is after the sign-in.
func (s *Server) showConsole(c *fiber.Ctx) error { return s.inConsole(c, console.Visit.Work) }

func (s *Server) showReview(c *fiber.Ctx) error {
	return s.inConsole(c, func(v console.Visit) (console.Page, error) { return v.Review(c.Params("reviewId")) })
}

func (s *Server) showLeads(c *fiber.Ctx) error { return s.inConsole(c, console.Visit.Leads) }

func (s *Server) showLead(c *fiber.Ctx) error {
	return s.inConsole(c, func(v console.Visit) (console.Page, error) { return v.Lead(c.Params("leadId")) })
}

func (s *Server) showDocument(c *fiber.Ctx) error {
	return s.inConsole(c, func(v console.Visit) (console.Page, error) { return v.Document(c.Params("documentId")) })
}

func (s *Server) showSpread(c *fiber.Ctx) error {
	return s.inConsole(c, func(v console.Visit) (console.Page, error) { return v.Spread(c.Params("spreadId")) })
}

func (s *Server) showQuality(c *fiber.Ctx) error { return s.inConsole(c, console.Visit.Quality) }

func (s *Server) showWebhooks(c *fiber.Ctx) error { return s.inConsole(c, console.Visit.Webhooks) }

func (s *Server) showSettings(c *fiber.Ctx) error { return s.inConsole(c, console.Visit.Settings) }

// readConsoleAsset serves style and script under their content's names, for as long as anybody likes to keep them.
func (s *Server) readConsoleAsset(c *fiber.Ctx) error {
	data, kind, ok := console.Asset(c.Params("file"))
	if !ok {
		return dossier.Errorf(dossier.NotFound, "There is nothing at %s", web.Printable(c.Path()))
	}
	c.Set(fiber.HeaderContentType, kind)
	c.Set(fiber.HeaderCacheControl, "public, max-age=31536000, immutable")
	return c.Send(data)
}

// inConsole shows a page to a person with a session; who has none is led to the sign-in.
func (s *Server) inConsole(c *fiber.Ctx, page func(console.Visit) (console.Page, error)) error {
	consoleHeaders(c)
	who, err := s.openSession(c)
	switch {
	case dossier.KindOf(err) == dossier.Unauthorized:
		return c.Redirect(s.door.Base(c)+"/console/sign-in", fiber.StatusSeeOther)
	case dossier.KindOf(err) == dossier.NotFound:
		return s.sendConsole(c, console.Visit{Base: s.door.Base(c)}, console.Say(fiber.StatusForbidden, "No role here",
			console.Words{Text: "You are signed in, but you have no role in any workspace. Ask an admin of your " +
				"workspace for one, then try again; or sign out and sign in as somebody else.", SignOut: true,
				Action: s.door.Base(c) + "/console", Label: "Try again"}))
	case err != nil:
		return s.sendConsoleError(c, err)
	}
	v := s.consoleVisit(c, who)
	shown, err := page(v)
	var refused *console.Refused
	switch {
	case errors.As(err, &refused):
		shown = refusedPage(refused, s.retryLink(c, refused.Status))
	case err != nil:
		return s.sendConsoleError(c, err)
	}
	return s.sendConsole(c, v, shown)
}

// retryLink returns the link of an error page: to the same page when it failed for now, to the start when it does not
// exist, else none.
func (s *Server) retryLink(c *fiber.Ctx, status int) console.Words {
	if status == fiber.StatusNotFound {
		return console.Words{Action: s.door.Base(c) + "/console", Label: "Go to Work"}
	}
	if c.Method() != fiber.MethodGet || status < 500 && status != fiber.StatusTooManyRequests {
		return console.Words{}
	}
	return console.Words{Action: s.door.Base(c) + string(c.Request().URI().RequestURI()), Label: "Try again"}
}

// refusedPage says why an operation of a page did not answer it.
func refusedPage(r *console.Refused, words console.Words) console.Page {
	words.Text = r.Detail
	title := r.Title
	switch r.Status {
	case fiber.StatusNotFound:
		title, words.Text = "Not here", "This is not in the workspace, or it was deleted."
	case fiber.StatusForbidden:
		title = "Not with your role"
	case fiber.StatusInternalServerError:
		title, words.Text = faultTitle, faultText
		words.Request = r.RequestID
	}
	if title == "" {
		title = "That did not work"
	}
	return console.Say(r.Status, title, words)
}

// faultTitle and faultText say that a page failed for no fault of the person's.
const faultTitle, faultText = "Something went wrong",
	"The fault is ours. Try again; if it stays, tell whoever runs this service the request ID."

// consoleVisit is a person on a page, with the operations it may ask.
func (s *Server) consoleVisit(c *fiber.Ctx, who caller) console.Visit {
	p := who.person
	me := console.Me{Email: p.Person.Email, Name: p.Person.Name, Role: string(p.Role)}
	for _, r := range p.Roles {
		one := console.Workspace{ID: string(r.ID), Key: r.Key, Name: r.Name, Role: string(r.Role)}
		me.Workspaces = append(me.Workspaces, one)
		if r.ID == p.In.ID {
			me.Workspace = one
		}
	}
	query := url.Values{}
	for name, value := range c.Context().QueryArgs().All() {
		query.Add(string(name), string(value))
	}
	return console.Visit{Base: s.door.Base(c), Me: me, Ops: s.OpsURL, Query: query, Now: s.Now(), Rows: rowsOfSpreads(),
		Ask: func(path string) (console.Reply, error) { return s.askOperation(c, who, path) }}
}

// rowsOfSpreads are what the template of spreads calls its rows.
var rowsOfSpreads = sync.OnceValue(func() []console.Row {
	var rows []console.Row
	for _, r := range spread.Template().Rows {
		rows = append(rows, console.Row{Statement: r.Statement, Key: r.Key, Label: r.Label})
	}
	return rows
})

// askOperation is a GET of an operation as the person whose page asks, past the network: route, role, allowance and
// the tenant's walls are those of any other call. The session was read a moment ago, for the page.
func (s *Server) askOperation(c *fiber.Ctx, who caller, path string) (console.Reply, error) {
	var request fasthttp.Request
	c.Request().Header.CopyTo(&request.Header)
	request.Header.SetMethod(fiber.MethodGet)
	request.SetRequestURI(path)
	for _, name := range []string{fiber.HeaderIfNoneMatch, fiber.HeaderRange, fiber.HeaderAcceptEncoding, "x-api-key",
		fiber.HeaderAuthorization} {
		request.Header.Del(name)
	}
	request.Header.Set(fiber.HeaderAccept, fiber.MIMEApplicationJSON)
	var inner fasthttp.RequestCtx
	inner.Init(&request, c.Context().RemoteAddr(), nil)
	inner.SetUserValue(visitorKey, who)
	s.app.Handler()(&inner)
	return console.Reply{Status: inner.Response.StatusCode(), Body: inner.Response.Body(),
		Tag:  string(inner.Response.Header.Peek(fiber.HeaderETag)),
		Next: string(inner.Response.Header.Peek("X-Next-Token"))}, nil
}

// signIn leads to the provider, or says how else one gets in.
func (s *Server) signIn(c *fiber.Ctx) error {
	consoleHeaders(c)
	if s.OIDC != nil {
		return s.leadToProvider(c)
	}
	words := console.Words{Text: "This installation has no single sign-on. Whoever runs it makes a link for you that " +
		"works once, within ten minutes:", Command: "dossier console open --email you@example.com"}
	if s.TryOut != nil && s.fromHere(c) {
		words = console.Words{Text: "This is a development service on this machine. Whoever reaches it may sign in, " +
			"without a password, as one of two made-up people: what one submits the other approves."}
		for _, p := range tryOutPeople {
			words.People = append(words.People, console.Me{Email: p.email, Role: string(p.role)})
		}
	}
	return s.sendConsole(c, console.Visit{Base: s.door.Base(c)}, console.Say(fiber.StatusOK, "Sign in", words))
}

// tryOutPeople are who one may be on a development service.
var tryOutPeople = []struct {
	email string
	role  dossier.Role
}{{"ada@lender.example", dossier.RoleAdmin}, {"ben@lender.example", dossier.RoleApprover}}

// fromHere reports that a request comes from this machine, and asks for it by a name of this machine.
func (s *Server) fromHere(c *fiber.Ctx) bool {
	address, err := netip.ParseAddr(c.IP())
	public, wrong := url.Parse(s.door.PublicURL(c))
	return err == nil && wrong == nil && address.Unmap().IsLoopback() && isLoopback(public.Hostname())
}

// tryOut signs in to a development service, as whom the form names.
func (s *Server) tryOut(c *fiber.Ctx) error {
	consoleHeaders(c)
	if s.TryOut == nil || !s.fromHere(c) {
		return s.consoleWords(c, fiber.StatusNotFound, "Nothing here", "Only a development service has this sign-in.")
	}
	if err := s.refuseCrossSite(c); err != nil {
		return s.sendConsoleError(c, err)
	}
	form, err := web.ReadForm(c)
	if err != nil {
		return s.sendConsoleError(c, err)
	}
	for _, p := range tryOutPeople {
		if p.email != form.Get("email") {
			continue
		}
		ws, err := s.TryOut(c.UserContext())
		if err != nil {
			return s.sendConsoleError(c, err)
		}
		link, err := s.db.CreateSignInLink(c.UserContext(), ws, p.email, p.role)
		if err != nil {
			return s.sendConsoleError(c, err)
		}
		secret, err := s.db.UseSignInLink(c.UserContext(), link, s.sessionCookie(c))
		if err != nil {
			return s.sendConsoleError(c, err)
		}
		return s.openConsole(c, secret)
	}
	return s.consoleWords(c, fiber.StatusNotFound, "Nobody here", "This service does not know that person.")
}

const signInGuesses = 30 // links that are tried a minute, from one address

// useSignInLink signs in by a link of `dossier console open`. A program that only looks (HEAD) does not use it up.
func (s *Server) useSignInLink(c *fiber.Ctx) error {
	consoleHeaders(c)
	if c.Method() == fiber.MethodHead {
		return noContent(c)
	}
	if _, err := s.cookieName(c); err != nil {
		return s.sendConsoleError(c, err)
	}
	if err := s.door.LimitOpen(c, "sign-in:"+s.door.ClientAddress(c), signInGuesses); err != nil {
		return s.sendConsoleError(c, err)
	}
	secret, err := s.db.UseSignInLink(c.UserContext(), c.Params("token"), s.sessionCookie(c))
	if dossier.KindOf(err) == dossier.NotFound {
		return s.consoleWords(c, fiber.StatusGone, "This link no longer works",
			"A sign-in link works once, within ten minutes. Ask for another one.")
	}
	if err != nil {
		return s.sendConsoleError(c, err)
	}
	return s.openConsole(c, secret)
}

// openConsole sets the session cookie and redirects to the console.
func (s *Server) openConsole(c *fiber.Ctx, secret string) error {
	if err := s.setSessionCookie(c, secret, dossier.SessionLife); err != nil {
		return err
	}
	return c.Redirect(s.door.Base(c)+"/console", fiber.StatusSeeOther)
}

// signOut ends the session of the cookie.
func (s *Server) signOut(c *fiber.Ctx) error {
	consoleHeaders(c)
	if err := s.refuseCrossSite(c); err != nil {
		return s.consoleWords(c, fiber.StatusForbidden, "Not from here",
			"This was sent from another site, so nothing was done.")
	}
	who, err := s.openSession(c)
	switch kind := dossier.KindOf(err); {
	case err == nil:
		ctx := postgres.WithActor(c.UserContext(),
			postgres.Actor{Type: dossier.ActorPerson, ID: string(who.person.Person.ID), Name: who.person.Person.Email})
		err = s.db.RevokeSession(ctx, who.workspace, who.person.Session.ID, who.person.Person.ID)
	case kind == dossier.NotFound: // a person without a role
		err = s.db.EndSessionBySecret(c.UserContext(), s.sessionCookie(c))
	case kind == dossier.Unauthorized:
		err = nil // there is none
	}
	if err != nil && dossier.KindOf(err) != dossier.NotFound {
		return s.sendConsoleError(c, err)
	}
	c.Set("Clear-Site-Data", `"storage"`) // drafts, also where the page had no script
	if err := s.setSessionCookie(c, "", 0); err != nil {
		return s.sendConsoleError(c, err)
	}
	return s.sendConsole(c, console.Visit{Base: s.door.Base(c)}, console.Say(fiber.StatusOK, "Signed out",
		console.Words{Text: "Your session has ended, and what this browser kept for it is gone.",
			Action: s.door.Base(c) + "/console/sign-in"}))
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
	changed, err := s.recheckSignIn(c, in.Session.ID)
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
	own, err := url.Parse(s.door.PublicURL(c))
	if err != nil || from.Scheme != own.Scheme || from.Host != own.Host {
		return refused
	}
	return nil
}

// cookieName is the session cookie's: with the prefix that keeps other hosts and plain http from setting it, but for a
// service on this machine without TLS. Error: Forbidden, where a cookie would travel in the clear.
func (s *Server) cookieName(c *fiber.Ctx) (string, error) {
	public, err := url.Parse(s.door.PublicURL(c))
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
	web.PageHeaders(c)
	c.Vary(fiber.HeaderCookie)
}

// sendConsoleError shows an error as a page.
func (s *Server) sendConsoleError(c *fiber.Ctx, err error) error {
	known := web.ErrorOf(c, err)
	status := web.StatusOf[known.Kind]
	if status >= 500 {
		s.door.LogFailure(c, status, err, known.Cause)
	}
	title, words := web.TitleOf(known.Code), s.retryLink(c, status)
	words.Text = known.Message
	if status == fiber.StatusInternalServerError {
		title, words.Text = faultTitle, faultText
		words.Request, _ = c.Locals(web.RequestIDKey).(string)
	}
	return s.sendConsole(c, console.Visit{Base: s.door.Base(c)}, console.Say(status, title, words))
}

func (s *Server) consoleWords(c *fiber.Ctx, status int, title, text string) error {
	base := s.door.Base(c)
	return s.sendConsole(c, console.Visit{Base: base}, console.Say(status, title,
		console.Words{Text: text, Action: base + "/console/sign-in", Label: "Go to sign-in"}))
}

// sendConsole writes a page under a policy that allows what is the service's own and nothing else.
func (s *Server) sendConsole(c *fiber.Ctx, v console.Visit, page console.Page) error {
	html, err := page.Show(v)
	if err != nil {
		return err
	}
	if page.Status == 0 {
		page.Status = fiber.StatusOK
	}
	c.Set(fiber.HeaderContentSecurityPolicy, console.Policy)
	c.Status(page.Status).Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
	return c.Send(html)
}
