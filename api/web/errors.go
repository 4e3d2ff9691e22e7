package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs/tracing"
)

// StatusOf is the only place where a kind of error gets a status.
var StatusOf = map[dossier.Kind]int{
	dossier.Invalid: 400, dossier.Unauthorized: 401, dossier.Forbidden: 403, dossier.NotFound: 404,
	dossier.MethodNotAllowed: 405,
	dossier.Conflict:         409, dossier.Precondition: 412, dossier.TooLarge: 413, dossier.Unsupported: 415,
	dossier.Unprocessable: 422, dossier.Limited: 429, dossier.Internal: 500, dossier.Unavailable: 503,
}

// MaxFaults bounds an answer.
const MaxFaults = 100 // that one answer tells

// ErrorOf makes a *dossier.Error of anything.
func ErrorOf(c *fiber.Ctx, err error) *dossier.Error {
	var known *dossier.Error
	if errors.As(err, &known) {
		return known
	}
	var fromFiber *fiber.Error
	if errors.As(err, &fromFiber) {
		return fiberError(c, fromFiber)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &dossier.Error{Kind: dossier.Unavailable, Code: "unavailable",
			Message: "The request took too long; try again shortly", Cause: err}
	}
	return &dossier.Error{Kind: dossier.Internal, Code: "internal",
		Message: "Something went wrong on our side; it was logged under the request id", Cause: err}
}

// fiberError translates what the router and the HTTP reader report.
func fiberError(c *fiber.Ctx, err *fiber.Error) *dossier.Error {
	switch err.Code {
	case http.StatusNotFound:
		return dossier.Errorf(dossier.NotFound, "There is nothing at %s", Printable(ShownPath(c)))
	case http.StatusMethodNotAllowed:
		return dossier.Errorf(dossier.MethodNotAllowed, "%s is not a method of this address", c.Method())
	case http.StatusRequestEntityTooLarge:
		return dossier.Errorf(dossier.TooLarge, "The body is too large")
	case http.StatusRequestTimeout:
		return dossier.Coded(dossier.Invalid, "validation_failed", "The request did not arrive in time")
	}
	return dossier.Coded(dossier.Invalid, "validation_failed", "The request could not be read as HTTP")
}

// LogFailure writes a failure of ours with its chain of causes.
func (d *Door) LogFailure(c *fiber.Ctx, status int, err, cause error) {
	if cause != nil {
		err = fmt.Errorf("%w: %w", err, cause)
	}
	id, _ := c.Locals(RequestIDKey).(string)
	attrs := append([]slog.Attr{slog.String("request", id), slog.Int("status", status),
		slog.String("error", err.Error())}, TraceID(c)...)
	d.log.LogAttrs(c.UserContext(), slog.LevelError, "request failed", attrs...)
}

// TitleOf is what a code is called.
func TitleOf(name string) string {
	if code, ok := dossier.CodeByName(name); ok {
		return code.Title
	}
	return strings.ReplaceAll(name, "_", " ")
}

// Printable shortens what a caller sent, for a sentence that quotes it.
func Printable(s string) string {
	if len(s) > 100 {
		s = s[:100] + "..."
	}
	return strings.ToValidUTF8(s, "?")
}

// TraceID is what a log line says of the request's trace; nothing where there is none.
func TraceID(c *fiber.Ctx) []slog.Attr {
	if id := tracing.ID(tracing.Context(c.UserContext())); id != "" {
		return []slog.Attr{slog.String("trace_id", id)}
	}
	return nil
}
