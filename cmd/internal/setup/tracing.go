package setup

import (
	"context"
	"os"
	"slices"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/dossierhq/dossier/jobs/tracing"
)

// traceEndpoints are OpenTelemetry's own variables that say where traces go. Without one of them tracing is off; all
// other OTEL_ variables mean what OpenTelemetry says (OTEL_TRACES_SAMPLER, OTEL_EXPORTER_OTLP_HEADERS and so on).
var traceEndpoints = []string{"OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"}

// Trace turns tracing on when the environment names a receiver. stop sends what is left.
func Trace(ctx context.Context, program string) (stop func(), err error) {
	named := func(name string) bool { return os.Getenv(name) != "" }
	if !slices.ContainsFunc(traceEndpoints, named) || os.Getenv("OTEL_SDK_DISABLED") == "true" ||
		os.Getenv("OTEL_TRACES_EXPORTER") == "none" {
		return func() {}, nil
	}
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, err
	}
	// Whoever sets OTEL_SERVICE_NAME or OTEL_RESOURCE_ATTRIBUTES is heard last.
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", program),
		attribute.String("service.version", Version())), resource.WithFromEnv())
	if err != nil {
		return nil, err
	}
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(about))
	tracing.Use(provider)
	return func() {
		tracing.Use(nil)
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = provider.Shutdown(ending) // a receiver that is away loses spans, and nothing else
	}, nil
}
