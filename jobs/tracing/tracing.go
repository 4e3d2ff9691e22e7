// Package tracing follows a piece of work over requests, jobs and events, by OpenTelemetry. It is off until Use names a
// provider, and then costs nothing: no allocation, no lock. What a span says are ids, counts and classes of errors,
// never contents.
//
// The trace of a job or an event is kept in its row (postgres.WithTrace), so it outlives retries, a killed worker and a
// wiped Redis.
package tracing

import (
	"context"
	"strings"
	"sync/atomic"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

const scope = "github.com/dossierhq/dossier"

// system is messaging.system of the conventions: jobs and events are messages.
const system = "dossier"

var tracer atomic.Pointer[trace.Tracer]

// Use turns tracing on for this process, or off when p is nil.
func Use(p trace.TracerProvider) {
	if p == nil {
		tracer.Store(nil)
		return
	}
	t := p.Tracer(scope)
	tracer.Store(&t)
}

// On reports whether tracing is on.
func On() bool { return tracer.Load() != nil }

// Span is a piece of work. The zero value is of tracing that is off: its methods do nothing.
type Span struct{ span trace.Span }

// On reports whether somebody will read the span.
func (s Span) On() bool { return s.span != nil }

// Text adds an attribute. Never contents, names or addresses of people.
func (s Span) Text(key, value string) {
	if s.span != nil && value != "" {
		s.span.SetAttributes(attribute.String(key, value))
	}
}

// Number adds an attribute.
func (s Span) Number(key string, value int) {
	if s.span != nil {
		s.span.SetAttributes(attribute.Int(key, value))
	}
}

// Name says what it was, once that is known.
func (s Span) Name(name string) {
	if s.span != nil {
		s.span.SetName(name)
	}
}

// Link ties it to another one that it goes on from, as Context gave it.
func (s Span) Link(other string) {
	if s.span == nil || other == "" {
		return
	}
	if c := trace.SpanContextFromContext(From(context.Background(), other)); c.IsValid() {
		s.span.AddLink(trace.Link{SpanContext: c})
	}
}

// End ends it. class is the class of the error, empty when there was none.
func (s Span) End(class string) {
	if s.span == nil {
		return
	}
	if class != "" {
		s.span.SetAttributes(attribute.String("error.type", class))
		s.span.SetStatus(codes.Error, class)
	}
	s.span.End()
}

// Kinds of spans.
const (
	Internal = trace.SpanKindInternal
	Server   = trace.SpanKindServer
	Client   = trace.SpanKindClient
	Producer = trace.SpanKindProducer
	Consumer = trace.SpanKindConsumer
)

// Start begins a span below that of ctx, called "verb noun" or, without a noun, "verb".
func Start(ctx context.Context, kind trace.SpanKind, verb, noun string) (context.Context, Span) {
	t := tracer.Load()
	if t == nil {
		return ctx, Span{}
	}
	if noun != "" {
		verb += " " + noun
	}
	ctx, span := (*t).Start(ctx, verb, trace.WithSpanKind(kind))
	return ctx, Span{span}
}

// message is Start for a step of a message on its way.
func message(ctx context.Context, kind trace.SpanKind, verb, destination, id string) (context.Context, Span) {
	ctx, s := Start(ctx, kind, verb, destination)
	if s.span != nil {
		s.span.SetAttributes(attribute.String("messaging.system", system),
			attribute.String("messaging.operation.type", verb), attribute.String("messaging.operation.name", verb),
			attribute.String("messaging.destination.name", destination), attribute.String("messaging.message.id", id))
	}
	return ctx, s
}

// Send begins the span of handing a job to the queue, whose row kept parent.
func Send(ctx context.Context, parent, lane, job string) (context.Context, Span) {
	if tracer.Load() == nil || parent == "" {
		return ctx, Span{}
	}
	return message(From(ctx, parent), Producer, "send", lane, job)
}

// Process begins the span of one try of a job, whose row kept parent.
func Process(ctx context.Context, parent, kind, job string) (context.Context, Span) {
	if tracer.Load() == nil {
		return ctx, Span{}
	}
	return message(From(ctx, parent), Consumer, "process", kind, job)
}

// Created records that a job or an event was made, in the span of ctx, and returns what its row keeps: whatever is
// done for it comes below. Empty: tracing is off, or ctx has no span.
func Created(ctx context.Context, destination, id string) string {
	if tracer.Load() == nil || !trace.SpanContextFromContext(ctx).IsValid() {
		return ""
	}
	ctx, s := message(ctx, Producer, "create", destination, id)
	s.End("")
	return Context(ctx)
}

const header = "traceparent"

// Context is the span of ctx in the form of W3C's traceparent, or empty.
func Context(ctx context.Context) string {
	if !trace.SpanContextFromContext(ctx).IsValid() {
		return ""
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier[header]
}

// From is ctx below the span that Context gave, elsewhere or before. What cannot be read changes nothing.
func From(ctx context.Context, traceparent string) context.Context {
	if traceparent == "" || tracer.Load() == nil {
		return ctx
	}
	return propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{header: traceparent})
}

// Kept is ID where somebody will be able to look the trace up, being one of those that are sampled.
func Kept(traceparent string) string {
	if !strings.HasSuffix(traceparent, "-01") {
		return ""
	}
	return ID(traceparent)
}

// ID is the id of the trace that Context gave: what log lines carry. Empty: none.
func ID(traceparent string) string {
	const before, id = len("00-"), 32 // the form is fixed: version-trace-span-flags
	if len(traceparent) < before+id {
		return ""
	}
	return traceparent[before : before+id]
}
