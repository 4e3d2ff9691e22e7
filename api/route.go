package api

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/storage/postgres"
)

// The classes of routes, by the names that the table uses.
type class = web.Class

const (
	open   = web.Open
	read   = web.Read
	write  = web.Write
	upload = web.Upload
	poll   = web.Poll
)

// route is one row of the table. query, body and answer are zero values that show the types: the wrapper refuses
// parameters and bodies where none is declared, and a test compares the types with the OpenAPI document.
type route struct {
	method  string
	path    string // as in api.md: /api/v1/leads/{leadId}
	handler fiber.Handler
	scope   dossier.Scope // "" on open routes and those of the portal, which a token in the path opens
	class   class
	query   any // struct with `query` tags, or nil: no parameters
	body    any // struct with `json` tags, or nil: no body; files: the handler reads parts
	answer  any // struct, slice, or nil: no JSON
	limit   int // bytes of the body; 0: web.JSONLimit
	status  int // of success; 0: 200, or 204 for a DELETE without an answer

	onPipelines bool         // also on the pipeline address
	files       bool         // the body is multipart, read with eachPart
	mayBeEmpty  bool         // the body may be missing (decodeOrEmpty)
	uploads     bool         // uses the uploads' allowance though its body is small
	role        dossier.Role // that a person needs where the scope alone does not say it

	limited bool // how many of these run at once is limited: see portal.Server.WithSlot
}

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

// pattern is the path as Fiber writes it.
func (r route) pattern() string { return pathParameter.ReplaceAllString(r.path, ":$1") }

// bodyLimit is the most bytes the body may have.
func (r route) bodyLimit() int {
	if r.limit > 0 {
		return r.limit
	}
	return web.JSONLimit
}

// large says that the body may be one of files, which a slow line takes minutes to send.
func (r route) large() bool { return r.class == upload || r.bodyLimit() > web.JSONLimit }

// deadline is how long a request may take, its body included.
func (r route) deadline() time.Duration {
	if r.large() {
		return web.Upload.Deadline()
	}
	return r.class.Deadline()
}

// byPrecedence puts fixed paths before those with parameters, so that the order of the table is only for readers.
func byPrecedence(rows []route) []route {
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, func(a, b route) int {
		return strings.Count(a.path, "{") - strings.Count(b.path, "{")
	})
	return sorted
}

func onPipelineAddress(rows []route) []route {
	return slices.DeleteFunc(slices.Clone(rows), func(r route) bool { return !r.onPipelines })
}

// serve wraps a row's handler in everything that must hold before it: key, scope, allowance, deadline, no stray
// parameters or body, idempotency.
func (s *Server) serve(r route) fiber.Handler {
	return func(c *fiber.Ctx) error {
		c.Locals(routeKey, r)
		if r.scope != "" {
			if err := s.admit(c, r); err != nil {
				return err
			}
		}
		if r.limited {
			return s.portal.WithSlot(c, r.deadline(), func() error { return s.runWithDeadline(c, r) })
		}
		if tenant, ok := c.Locals(web.TenantKey).(dossier.WorkspaceID); ok && (r.class == read || r.class == write) {
			defer s.shares.Begin(c.UserContext(), tenant)()
		}
		return s.runWithDeadline(c, r)
	}
}

// runWithDeadline runs the handler with the deadline of its route.
func (s *Server) runWithDeadline(c *fiber.Ctx, r route) error {
	ctx, cancel := context.WithTimeout(c.UserContext(), r.deadline())
	// A streamed answer is read after the handler returned; its deadline ends it.
	defer func() {
		if !c.Response().IsBodyStream() {
			cancel()
		}
	}()
	c.SetUserContext(ctx)
	if r.large() {
		allowSlowBody(c)
	}
	if err := refuseStray(c, r); err != nil {
		return err
	}
	if err := s.atTimeOf(c, dossier.LeadID(strings.Clone(c.Params("leadId")))); err != nil {
		return err
	}
	return s.idempotently(c, r)
}

// admit checks key or session, scope, allowance and x-actor. What follows is done by the key or the person; x-actor is
// only whom a key names.
func (s *Server) admit(c *fiber.Ctx, r route) error {
	caller, known := c.Locals(visitorKey).(caller)
	if !known {
		var err error
		if caller, err = s.authenticate(c); err != nil {
			return err
		}
	}
	c.Locals(callerKey, caller)
	c.Locals(web.TenantKey, caller.workspace)
	if err := mayCall(caller, r); err != nil {
		return err
	}
	if err := s.limitRate(c, r, caller); err != nil {
		return err
	}
	who, err := actor(c)
	acting := postgres.Actor{Type: dossier.ActorKey, ID: string(caller.key.ID), Name: caller.key.Name, OnBehalfOf: who,
		KeyID: caller.key.ID, Test: caller.key.IsTest}
	if p := caller.person; p != nil {
		acting = postgres.Actor{Type: dossier.ActorPerson, ID: string(p.Person.ID), Name: p.Person.Email,
			Groups: p.Groups}
	}
	c.SetUserContext(postgres.WithActor(c.UserContext(), acting))
	return err
}

// mayCall refuses who lacks the scope of an operation, or the role that it asks of people.
func mayCall(who caller, r route) error {
	switch {
	case who.person == nil && !who.can(r.scope):
		return dossier.Errorf(dossier.Forbidden, "This operation needs a key with the scope %s", r.scope)
	case who.person != nil && (!who.can(r.scope) || !who.person.Role.AtLeast(r.role)):
		needed := r.role
		if needed == "" {
			needed = roleOf[r.scope]
		}
		return dossier.Errorf(dossier.Forbidden, "This operation needs the role %s", needed)
	}
	return nil
}

// roleOf is the least role that opens what a scope does.
var roleOf = map[dossier.Scope]dossier.Role{scopeRead: dossier.RoleViewer, scopeWrite: dossier.RoleReviewer,
	scopeAdmin: dossier.RoleAdmin}

// allowSlowBody lifts the head's deadline from the connection: a large file may take as long as its class.
func allowSlowBody(c *fiber.Ctx) {
	if conn := c.Context().Conn(); conn != nil {
		_ = conn.SetReadDeadline(time.Now().Add(web.Upload.Deadline()))
	}
}

// refuseStray reports parameters on an operation without any, and a body where none is wanted. An empty object is
// no body: many clients send it with every POST.
func refuseStray(c *fiber.Ctx, r route) error {
	if r.query == nil && r.class != open {
		if err := web.ReadQuery(c, &struct{}{}); err != nil {
			return err
		}
	}
	if r.body != nil || r.files || c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead || r.class == open {
		return nil
	}
	body, err := web.ReadBody(c, r.bodyLimit())
	if err != nil || len(strings.TrimSpace(string(body))) == 0 {
		return err
	}
	_, err = web.Decode[struct{}](c, body)
	return err
}

type localKey int

const (
	routeKey localKey = iota
	callerKey
	versionKey
	problemKey
	visitorKey // the person whose page of the console asks an operation; no call from outside has it
)

// workspace is the tenant of the request's key or session.
func workspace(c *fiber.Ctx) dossier.WorkspaceID { return callerOf(c).workspace }

// callerOf is who makes the request; only on routes with a scope.
func callerOf(c *fiber.Ctx) caller {
	who, _ := c.Locals(callerKey).(caller)
	return who
}
