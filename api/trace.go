package api

import (
	"strconv"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier/jobs/tracing"
	"github.com/dossierhq/dossier/storage/postgres"
)

// traced begins the span of a request, below the caller's where it names one, and has what the request makes kept in
// the same trace.
func traced(c *fiber.Ctx) tracing.Span {
	if !tracing.On() {
		return tracing.Span{}
	}
	ctx, span := tracing.Start(tracing.From(c.UserContext(), c.Get("traceparent")), tracing.Server, c.Method(), "")
	c.SetUserContext(postgres.WithTrace(ctx, tracing.Created))
	return span
}

// endTrace ends the span of a request, named by its route: a path would hold ids and tokens.
func endTrace(c *fiber.Ctx, span tracing.Span, id string) {
	if !span.On() {
		return
	}
	path, status := shownRoute(c), c.Response().StatusCode()
	span.Name(c.Method() + " " + path)
	span.Text("http.request.method", c.Method())
	span.Text("http.route", path)
	span.Text("dossier.request_id", id)
	span.Number("http.response.status_code", status)
	if status >= fiber.StatusInternalServerError {
		span.End(strconv.Itoa(status))
		return
	}
	span.End("")
}
