package api

import (
	"encoding/json"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/storage/record"
)

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

// problemFault is one fault; exactly one of pointer and parameter is there.
type problemFault struct {
	Pointer   *string `json:"pointer,omitempty"`
	Parameter *string `json:"parameter,omitempty"`
	Code      string  `json:"code"`
	Detail    string  `json:"detail"`
}

// answerError writes err as a problem. What has no kind is 500, without detail, and logged with its chain.
func (s *Server) answerError(c *fiber.Ctx, err error) {
	known := web.ErrorOf(c, err)
	status := web.StatusOf[known.Kind]
	if status >= 500 {
		s.door.LogFailure(c, status, err, known.Cause)
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
	body := problem{Type: "/problems/" + known.Code, Title: web.TitleOf(known.Code), Status: status,
		Detail: known.Message, Instance: web.ShownPath(c), Code: known.Code, Message: known.Message,
		Errors: problemFaults(known.Faults), Until: instantOrNil(known.Until)}
	if known.Claim != nil {
		body.Claim = &record.ReviewClaim{By: known.Claim.By, Until: record.Time(known.Claim.Until)}
	}
	if more := len(body.Errors) - web.MaxFaults; more > 0 {
		body.Errors, body.ErrorsOmitted = body.Errors[:web.MaxFaults], more
	}
	body.RequestID, _ = c.Locals(web.RequestIDKey).(string)
	data, err := json.Marshal(body)
	if err != nil {
		data = []byte(`{"success":false,"code":"internal"}`)
	}
	c.Response().ResetBody()
	c.Status(status).Set(fiber.HeaderContentType, "application/problem+json")
	c.Response().SetBodyRaw(data)
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
