package worker

import (
	"context"
	"net/url"

	"github.com/dossierhq/dossier/jobs/tracing"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/webhooks"
)

// traced begins the span of one try, below what made the job, and has what the try makes kept in the same trace.
func traced(ctx context.Context, claim postgres.Claim) (context.Context, tracing.Span) {
	ctx, span := tracing.Process(ctx, claim.Trace, claim.Kind, string(claim.Job))
	if !span.On() {
		return ctx, span
	}
	span.Text("dossier.request_id", claim.RequestID)
	span.Number("dossier.attempt", claim.Attempt)
	span.Number("dossier.epoch", claim.Epoch)
	return postgres.WithTrace(ctx, tracing.Created), span
}

// tracedPost begins the span of a request to an endpoint, in the trace of its event: the try that makes it may send
// events of many.
func tracedPost(ctx context.Context, e postgres.Endpoint, o postgres.Outgoing) tracing.Span {
	if o.Trace == "" {
		return tracing.Span{}
	}
	_, span := tracing.Start(tracing.From(ctx, o.Trace), tracing.Client, "POST", "")
	if !span.On() {
		return span
	}
	span.Link(tracing.Context(ctx))
	span.Text("http.request.method", "POST")
	span.Text("dossier.webhook_id", string(e.ID))
	span.Text("dossier.delivery_id", string(o.ID))
	span.Number("dossier.attempt", o.Attempts+1)
	if u, err := url.Parse(e.URL); err == nil {
		span.Text("server.address", u.Hostname())
	}
	return span
}

func endPost(span tracing.Span, out webhooks.Outcome) {
	if !span.On() {
		return
	}
	if out.Status != 0 {
		span.Number("http.response.status_code", out.Status)
	}
	span.End(string(out.Error))
}
