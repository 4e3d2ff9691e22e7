package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/record"
)

// statusOf is the only place where a kind of error gets a status.
var statusOf = map[dossier.Kind]int{
	dossier.Invalid: 400, dossier.Unauthorized: 401, dossier.Forbidden: 403, dossier.NotFound: 404,
	dossier.MethodNotAllowed: 405,
	dossier.Conflict:         409, dossier.Precondition: 412, dossier.TooLarge: 413, dossier.Unsupported: 415,
	dossier.Unprocessable: 422, dossier.Limited: 429, dossier.Internal: 500, dossier.Unavailable: 503,
}

// problem is an error as it is sent (RFC 9457), with success, code and message beside it for clients that look there.
type problem struct {
	Type      string         `json:"type"`
	Title     string         `json:"title"`
	Status    int            `json:"status"`
	Detail    string         `json:"detail"`
	Instance  string         `json:"instance"`
	Success   bool           `json:"success"`
	Code      string         `json:"code"`
	Message   string         `json:"message"` // equal to detail
	RequestID string         `json:"requestId"`
	Errors    []problemFault `json:"errors,omitempty"`

	ErrorsOmitted int `json:"errorsOmitted,omitempty"` // faults beyond those of errors

	Until *instant `json:"until,omitempty"` // of retention_floor: when it will do

	Claim *record.ReviewClaim `json:"claim,omitempty"` // of review_claimed: somebody else's
}

const maxFaults = 100 // that one answer tells

// problemFault is one fault; exactly one of pointer and parameter is there.
type problemFault struct {
	Pointer   *string `json:"pointer,omitempty"`
	Parameter *string `json:"parameter,omitempty"`
	Code      string  `json:"code"`
	Detail    string  `json:"detail"`
}

// answerError writes err as a problem. What has no kind is 500, without detail, and logged with its chain.
func (s *Server) answerError(c *fiber.Ctx, err error) {
	known := s.known(c, err)
	status := statusOf[known.Kind]
	if status >= 500 {
		s.logFailure(c, status, err, known.Cause)
	}
	if known.Kind == dossier.MethodNotAllowed && c.Method() == fiber.MethodOptions {
		s.answerOptions(c)
		return
	}
	if status == 503 && len(c.Response().Header.Peek(fiber.HeaderRetryAfter)) == 0 {
		c.Set(fiber.HeaderRetryAfter, "5")
	}
	if known.Kind == dossier.Unauthorized {
		c.Set(fiber.HeaderWWWAuthenticate, `Bearer realm="dossier"`)
	}
	c.Locals(problemKey, loggedProblem{known.Code, known.Message})
	body := problem{Type: "/problems/" + known.Code, Title: titleOf(known.Code), Status: status, Detail: known.Message,
		Instance: shownPath(c), Code: known.Code, Message: known.Message, Errors: problemFaults(known.Faults),
		Until: instantOrNil(known.Until)}
	if known.Claim != nil {
		body.Claim = &record.ReviewClaim{By: known.Claim.By, Until: record.Time(known.Claim.Until)}
	}
	if more := len(body.Errors) - maxFaults; more > 0 {
		body.Errors, body.ErrorsOmitted = body.Errors[:maxFaults], more
	}
	body.RequestID, _ = c.Locals(requestIDKey).(string)
	data, err := json.Marshal(body)
	if err != nil {
		data = []byte(`{"success":false,"code":"internal"}`)
	}
	c.Response().ResetBody()
	c.Status(status).Set(fiber.HeaderContentType, "application/problem+json")
	c.Response().SetBodyRaw(data)
}

// known makes a *dossier.Error of anything.
func (s *Server) known(c *fiber.Ctx, err error) *dossier.Error {
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
		return dossier.Errorf(dossier.NotFound, "There is nothing at %s", printable(shownPath(c)))
	case http.StatusMethodNotAllowed:
		return dossier.Errorf(dossier.MethodNotAllowed, "%s is not a method of this address", c.Method())
	case http.StatusRequestEntityTooLarge:
		return dossier.Errorf(dossier.TooLarge, "The body is too large")
	case http.StatusRequestTimeout:
		return dossier.Coded(dossier.Invalid, "validation_failed", "The request did not arrive in time")
	}
	return dossier.Coded(dossier.Invalid, "validation_failed", "The request could not be read as HTTP")
}

// answerOptions tells the methods of an address, and a browser of a configured origin what it may send.
func (s *Server) answerOptions(c *fiber.Ctx) {
	c.Response().ResetBody()
	c.Status(fiber.StatusNoContent)
	if len(c.Response().Header.Peek(fiber.HeaderAccessControlAllowOrigin)) == 0 {
		return
	}
	c.Set(fiber.HeaderAccessControlAllowMethods, string(c.Response().Header.Peek(fiber.HeaderAllow)))
	c.Set(fiber.HeaderAccessControlAllowHeaders,
		"x-api-key, authorization, content-type, idempotency-key, if-match, if-none-match, x-actor, x-request-id")
	c.Set(fiber.HeaderAccessControlMaxAge, "600")
}

func (s *Server) logFailure(c *fiber.Ctx, status int, err, cause error) {
	if cause != nil {
		err = fmt.Errorf("%w: %w", err, cause)
	}
	id, _ := c.Locals(requestIDKey).(string)
	attrs := append([]slog.Attr{slog.String("request", id), slog.Int("status", status),
		slog.String("error", err.Error())}, traceID(c)...)
	s.Log.LogAttrs(c.UserContext(), slog.LevelError, "request failed", attrs...)
}

func titleOf(name string) string {
	if code, ok := dossier.CodeByName(name); ok {
		return code.Title
	}
	return strings.ReplaceAll(name, "_", " ")
}

func problemFaults(faults []dossier.Fault) []problemFault {
	var out []problemFault
	for _, f := range faults {
		p := problemFault{Code: f.Code, Detail: f.Detail}
		if f.Parameter != "" {
			p.Parameter = &f.Parameter
		} else {
			p.Pointer = &f.Pointer
		}
		out = append(out, p)
	}
	return out
}

// printable shortens what a caller sent, for a sentence that quotes it.
func printable(s string) string {
	if len(s) > 100 {
		s = s[:100] + "..."
	}
	return strings.ToValidUTF8(s, "?")
}
