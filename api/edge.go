package api

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"runtime/debug"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/jobs/tracing"
	"github.com/dossierhq/dossier/storage/postgres"
)

// edge surrounds every request: it names it, recovers, writes the error if there is one, and logs one line
// of ids. Nothing of a body, a name or an address is logged.
func (s *Server) edge(c *fiber.Ctx) error {
	start := time.Now()
	id := requestID(c)
	c.Locals(web.RequestIDKey, id)
	c.Locals(web.BudgetKey, &s.door.Bodies)
	defer web.ReleaseBody(c)
	c.Set(fiber.HeaderXRequestID, id)
	c.Set("X-Content-Type-Options", "nosniff")
	call := postgres.Call{RequestID: postgres.NewID(), Address: s.door.ClientAddress(c)}
	if given := c.Get(fiber.HeaderXRequestID); given == id {
		call.CallerRequestID = given
	}
	c.SetUserContext(postgres.WithCall(postgres.WithRequestID(c.UserContext(), id), call))
	span := traced(c)
	s.allowOrigin(c)
	if err := s.recovered(c); err != nil {
		s.answerError(c, err)
	}
	finishAnswer(c, s.Now())
	took := time.Since(start)
	s.slowRefusal(c)
	s.drainBody(c)
	s.logRequest(c, id, took)
	s.noteRequest(c, id, call, took)
	endTrace(c, span, id)
	return nil
}

// recovered runs the rest of the chain; a panic becomes an internal error with its stack in the log.
func (s *Server) recovered(c *fiber.Ctx) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return c.Next()
}

// lastResort answers what never reached edge: requests fasthttp itself could not read.
func (s *Server) lastResort(c *fiber.Ctx, err error) error {
	id := requestID(c)
	c.Locals(web.RequestIDKey, id)
	c.Set(fiber.HeaderXRequestID, id)
	s.answerError(c, err)
	return nil
}

var saneRequestID = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,128}$`)

// requestID keeps a sane incoming id, so that a caller's trace goes on here; else it makes one.
func requestID(c *fiber.Ctx) string {
	if id := c.Get(fiber.HeaderXRequestID); saneRequestID.MatchString(id) {
		return id
	}
	return postgres.NewID()
}

func (s *Server) logRequest(c *fiber.Ctx, id string, took time.Duration) {
	path := shownRoute(c)
	status := c.Response().StatusCode()
	if s.Observe != nil {
		s.Observe(path, status, took, tracing.Context(c.UserContext()))
	}
	level := slog.LevelInfo
	if path == "/healthz" || path == "/readyz" {
		level = slog.LevelDebug
	}
	attrs := []slog.Attr{slog.String("request", id), slog.String("method", c.Method()), slog.String("route", path),
		slog.Int("status", status), slog.Duration("took", took)}
	if who, ok := c.Locals(callerKey).(caller); ok {
		attrs = append(attrs, slog.String("workspace", string(who.workspace)))
		if who.person != nil {
			attrs = append(attrs, slog.String("person", string(who.person.Person.ID)))
		} else {
			attrs = append(attrs, slog.String("key", string(who.key.ID)))
		}
	}
	s.Log.LogAttrs(c.UserContext(), level, "request", append(attrs, web.TraceID(c)...)...)
}

// shownRoute is the path of the request's route, as it stands in the table.
func shownRoute(c *fiber.Ctx) string {
	if r, ok := c.Locals(routeKey).(route); ok {
		return r.path
	}
	return "unknown"
}

// allowOrigin lets pages of the configured origins call. None are by default.
func (s *Server) allowOrigin(c *fiber.Ctx) {
	origin := c.Get(fiber.HeaderOrigin)
	for _, allowed := range s.CORSOrigins {
		if origin != "" && origin == allowed {
			c.Set(fiber.HeaderAccessControlAllowOrigin, origin)
			c.Set(fiber.HeaderAccessControlExposeHeaders,
				"Link, X-Next-Token, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, ETag, Idempotent-Replayed")
			c.Vary(fiber.HeaderOrigin)
		}
	}
}

// refusalPause is how long the answer to one request too many is kept back. Whoever asks again at once, instead of when
// Retry-After says, gets a few such answers a second over each connection instead of thousands, and its body is not
// read before: that takes processors and lines from everybody else.
const refusalPause = 250 * time.Millisecond

func (s *Server) slowRefusal(c *fiber.Ctx) {
	if c.Response().StatusCode() == fiber.StatusTooManyRequests {
		s.pause(c.Context(), refusalPause)
	}
}

// maxDrained is how much of an unwanted body is read away so that the client, still sending, sees the answer. It is
// read a mebibyte at a time with a rest behind each: who sends much that nobody wants takes the processors for no more
// than 20 MiB a second over each connection.
const (
	maxDrained = 16 << 20
	drainStep  = 1 << 20
	drainPause = 50 * time.Millisecond
)

// drainBody reads what a handler left of the body. fasthttp would take the rest for the next request of the
// connection; where too much is left the connection ends with the answer.
func (s *Server) drainBody(c *fiber.Ctx) {
	stream := c.Context().RequestBodyStream()
	if stream == nil {
		return
	}
	if conn := c.Context().Conn(); conn != nil {
		_ = conn.SetReadDeadline(time.Now().Add(headTimeout))
	}
	n, err := io.CopyN(io.Discard, stream, drainStep)
	for err == nil && n < maxDrained {
		s.pause(c.Context(), drainPause)
		var more int64
		more, err = io.CopyN(io.Discard, stream, drainStep)
		n += more
	}
	if n == maxDrained || (err != nil && !errors.Is(err, io.EOF)) {
		c.Context().SetConnectionClose()
	}
}
