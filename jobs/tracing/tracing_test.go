package tracing_test

import (
	"context"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/dossierhq/dossier/jobs/tracing"
)

// The tests here share the process' provider, so they run one after the other.

func TestOff_costs_nothing(t *testing.T) {
	tracing.Use(nil)
	ctx, class := context.Background(), "timeout"
	const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	allocs := testing.AllocsPerRun(100, func() {
		_, span := tracing.Start(ctx, tracing.Server, "GET", "/leads")
		span.Text("http.route", "/leads")
		span.Number("http.response.status_code", 200)
		span.Link(parent)
		span.End(class)
		_, span = tracing.Process(ctx, parent, "document.extract", "id")
		span.End("")
		_, span = tracing.Send(ctx, parent, "document", "id")
		span.End("")
		if tracing.Created(ctx, "document", "id") != "" || tracing.Context(ctx) != "" || tracing.From(ctx, parent) != ctx {
			t.Error("something is traced")
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations, want none", allocs)
	}
}

func TestOn(t *testing.T) {
	recorder := tracetest.NewInMemoryExporter()
	tracing.Use(sdktrace.NewTracerProvider(sdktrace.WithSyncer(recorder)))
	defer tracing.Use(nil)
	ctx, request := tracing.Start(t.Context(), tracing.Server, "POST", "/documents")
	kept := tracing.Created(ctx, "document", "job-1") // in the row of the job
	_, send := tracing.Send(t.Context(), kept, "document", "job-1")
	send.End("")
	_, first := tracing.Process(t.Context(), kept, "document.extract", "job-1")
	first.End("timeout")
	_, second := tracing.Process(t.Context(), kept, "document.extract", "job-1")
	second.Link(tracing.Context(ctx))
	second.End("")
	request.End("")
	spans := recorder.GetSpans()
	if len(spans) != 5 || tracing.ID(kept) != spans[0].SpanContext.TraceID().String() {
		t.Fatalf("%d spans, and the row kept %q", len(spans), kept)
	}
	create := spans[0]
	for i, want := range []string{"create document", "send document", "process document.extract",
		"process document.extract", "POST /documents"} {
		s := spans[i]
		if s.Name != want || s.SpanContext.TraceID() != create.SpanContext.TraceID() {
			t.Errorf("span %d is %s of trace %s", i, s.Name, s.SpanContext.TraceID())
		}
		if i > 0 && i < 4 && s.Parent.SpanID() != create.SpanContext.SpanID() {
			t.Errorf("%s is not below what made the job", s.Name)
		}
	}
	if spans[2].Status.Description != "timeout" || len(spans[3].Links) != 1 {
		t.Errorf("the first try ended %v, the second has %d links", spans[2].Status, len(spans[3].Links))
	}
	if _, s := tracing.Send(t.Context(), "", "document", "job-2"); s.On() {
		t.Error("a job that nobody traced is sent in a trace of its own")
	}
	if tracing.ID("") != "" || tracing.Context(tracing.From(t.Context(), "nonsense")) != "" {
		t.Error("nonsense is read")
	}
}
