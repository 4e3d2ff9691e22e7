package api

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"regexp"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/console"
	"github.com/dossierhq/dossier/storage/postgres"
)

// signInsPerAddress are attempts at the provider a minute. An address is shared by a whole office.
const signInsPerAddress = 120

var secretForm = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)

func newSecret() string {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails (crypto/rand)
	return base64.RawURLEncoding.EncodeToString(secret)
}

// leadToProvider begins a sign-in at the provider. The browser keeps its secret over several attempts, so that two
// windows may sign in at once; each attempt has a state, and all that is derived from both, of its own.
func (s *Server) leadToProvider(c *fiber.Ctx) error {
	name, err := s.cookieName(c)
	if err != nil {
		return s.sendConsoleError(c, err)
	}
	if err := s.door.LimitOpen(c, "sign-in-at:"+s.door.ClientAddress(c), signInsPerAddress); err != nil {
		return s.sendConsoleError(c, err)
	}
	browser := c.Cookies(name + "-signin")
	if !secretForm.MatchString(browser) {
		browser = newSecret()
	}
	state := newSecret()
	address, err := s.OIDC.Begin(c.UserContext(), s.callbackURL(c), browser, state)
	if err != nil {
		return s.sendConsoleError(c, err)
	}
	if err := s.db.BeginSignIn(c.UserContext(), state, browser); err != nil {
		return s.sendConsoleError(c, err)
	}
	c.Cookie(&fiber.Cookie{Name: name + "-signin", Value: browser, Path: "/",
		MaxAge: int(dossier.SignInLinkTTL.Seconds()), Secure: name != "dossier",
		HTTPOnly: true, SameSite: fiber.CookieSameSiteLaxMode})
	return c.Redirect(address, fiber.StatusSeeOther)
}

func (s *Server) callbackURL(c *fiber.Ctx) string { return s.door.PublicURL(c) + "/console/callback" }

// finishSignIn is where the provider sends the browser back to. An attempt can be finished once, by the browser that
// began it.
func (s *Server) finishSignIn(c *fiber.Ctx) error {
	consoleHeaders(c)
	name, err := s.cookieName(c)
	if err != nil || s.OIDC == nil {
		return s.consoleWords(c, fiber.StatusNotFound, "Nothing here", "This installation has no single sign-on.")
	}
	if err := s.door.LimitOpen(c, "sign-in-at:"+s.door.ClientAddress(c), signInsPerAddress); err != nil {
		return s.sendConsoleError(c, err)
	}
	state, browser := c.Query("state"), c.Cookies(name+"-signin")
	if c.Method() == fiber.MethodHead {
		return noContent(c)
	}
	err = s.db.TakeSignIn(c.UserContext(), state, browser)
	if dossier.KindOf(err) == dossier.NotFound {
		return s.tryAgain(c, fiber.StatusBadRequest,
			"This sign-in was begun in another browser, took too long, or is done already.")
	}
	if err != nil {
		return s.sendConsoleError(c, err)
	}
	if c.Query("error") != "" {
		return s.tryAgain(c, fiber.StatusForbidden, "The sign-in service did not let you in.")
	}
	who, err := s.OIDC.Finish(c.UserContext(), s.callbackURL(c), browser, state, c.Query("code"), c.Query("iss"))
	if dossier.KindOf(err) == dossier.Forbidden {
		s.warn(c, "sign-in refused", err)
		return s.tryAgain(c, fiber.StatusForbidden, err.Error()+".")
	}
	if err != nil {
		return s.sendConsoleError(c, err)
	}
	secret, err := s.db.SignIn(c.UserContext(),
		postgres.SignInAs{Email: who.Email, Name: who.Name, Groups: who.Groups, Renew: who.Renew}, s.sessionCookie(c))
	if dossier.KindOf(err) == dossier.NotFound {
		return s.tryAgain(c, fiber.StatusForbidden,
			"Your single sign-on knows you, but you have no role in any workspace. Ask an admin of your workspace "+
				"for one.")
	}
	if err != nil {
		return s.sendConsoleError(c, err)
	}
	return s.openConsole(c, secret)
}

func (s *Server) tryAgain(c *fiber.Ctx, status int, text string) error {
	return s.sendConsole(c, console.Visit{Base: s.door.Base(c)}, console.Say(status, "Not signed in",
		console.Words{Text: text, Action: s.door.Base(c) + "/console/sign-in", Label: "Try again"}))
}

// providerPatience is how long a request waits for the identity provider to say whether its session is still valid.
const providerPatience = 3 * time.Second

// recheckSignIn asks the identity provider, when that is due, whether the session's person may still sign in. When the
// provider is away the session goes on. It reports whether anything about the session changed. Error: Unauthorized.
func (s *Server) recheckSignIn(c *fiber.Ctx, id dossier.SessionID) (bool, error) {
	if s.OIDC == nil {
		return false, nil
	}
	renew, err := s.db.DueCheck(c.UserContext(), id)
	if err != nil || renew == "" {
		return false, err
	}
	ctx, cancel := context.WithTimeout(c.UserContext(), providerPatience)
	defer cancel()
	who, err := s.OIDC.Renew(ctx, renew)
	switch {
	case dossier.KindOf(err) == dossier.Unauthorized:
		if ended := s.db.EndSession(c.UserContext(), id); ended != nil {
			return false, ended
		}
		return false, err
	case err != nil:
		s.warn(c, "a session goes on unchecked", err)
		return false, nil
	}
	if who.Renew == "" {
		who.Renew = renew
	}
	return true, s.db.KeepSession(c.UserContext(), id, who.Groups, who.Renew)
}
