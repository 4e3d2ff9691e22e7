package postgres

import (
	"context"

	"github.com/dossierhq/dossier"
)

// Traced says what the row of a job or an event keeps of the trace it belongs to: destination is a lane, or events.
type Traced func(ctx context.Context, destination, id string) string

type tracedKey struct{}

// WithTrace has everything that ctx stages or emits keep its trace. Without it, nothing is kept and nothing asked.
func WithTrace(ctx context.Context, traced Traced) context.Context {
	return context.WithValue(ctx, tracedKey{}, traced)
}

// traceOf is what the row of a job or event keeps; nil: nobody traces.
func traceOf(ctx context.Context, destination, id string) *string {
	traced, _ := ctx.Value(tracedKey{}).(Traced)
	if traced == nil {
		return nil
	}
	return dossier.OrNil(traced(ctx, destination, id))
}
