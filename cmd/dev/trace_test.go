package main

import (
	"bytes"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/dossierhq/dossier/cmd/lab/daemon/daemontest"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
)

// receiver takes spans as a collector does.
type receiver struct {
	*httptest.Server
	mu    sync.Mutex
	spans []*otlp.Span
	raw   bytes.Buffer
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		var sent collector.ExportTraceServiceRequest
		if err != nil || request.URL.Path != "/v1/traces" || proto.Unmarshal(body, &sent) != nil {
			t.Errorf("%s: not what a collector gets: %v", request.URL, err)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.raw.Write(body)
		for _, resource := range sent.GetResourceSpans() {
			for _, scope := range resource.GetScopeSpans() {
				r.spans = append(r.spans, scope.GetSpans()...)
			}
		}
	}))
	t.Cleanup(r.Close)
	return r
}

// has reports whether a span has an attribute of that value, as text.
func has(span *otlp.Span, key, value string) bool {
	for _, a := range span.GetAttributes() {
		if a.GetKey() == key && (a.GetValue().GetStringValue() == value || number(a.GetValue()) == value) {
			return true
		}
	}
	return false
}

func number(v *common.AnyValue) string {
	if n, ok := v.GetValue().(*common.AnyValue_IntValue); ok {
		return string(rune('0' + n.IntValue%10))
	}
	return ""
}

// TestTrace follows one upload: request, outbox, queue, reading, the jobs that follow, the event, a delivery whose
// endpoint fails at first, its retry and the answer are one connected trace. No span says what was uploaded.
func TestTrace(t *testing.T) {
	traces := newReceiver(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", traces.URL)
	t.Setenv("DOSSIER_WEBHOOK_SCHEDULE", "0s,1s,1s,1s")
	const canary = "Quillwort"
	data := daemontest.Dir(t)
	s, err := start(t.Context(), options{addr: "127.0.0.1:0", data: data}, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	stop := sync.OnceFunc(func() {
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	var mu sync.Mutex
	tries, took := map[string]int{}, map[string]bool{}
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		id := r.Header.Get("webhook-id")
		if !strings.Contains(string(body), `"document.validated"`) {
			return
		}
		if tries[id]++; tries[id] == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		took[id] = true
	}))
	t.Cleanup(endpoint.Close)
	var registered any
	if err := s.post(t.Context(), "/save-webhook", map[string]any{"url": endpoint.URL, "isEnabled": true},
		&registered); err != nil {
		t.Fatal(err)
	}
	lead, _ := s.testLead(t, 1)
	made := specimen.BankStatement(specimen.BankOptions{Seed: 3, Layout: specimen.BankLayouts()[0],
		Month: time.Date(2025, 9, 1, 0, 0, 0, 0, time.UTC), Entries: 5})
	if _, err := s.demoUpload(t.Context(), lead, []sent{{canary + ".pdf", made.MimeType, made.Data}}); err != nil {
		t.Fatal(err)
	}
	within(t, 3*time.Minute, "the retried delivery", func() bool { mu.Lock(); defer mu.Unlock(); return len(took) > 0 })
	stop() // sends what is left
	traces.check(t)
	if bytes.Contains(traces.raw.Bytes(), []byte(canary)) || strings.Contains(traces.raw.String(), s.key) {
		t.Error("spans hold a file's name, or a key")
	}
}

// check looks for the upload's trace and for everything that must be in it.
func (r *receiver) check(t *testing.T) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	var root *otlp.Span
	for _, span := range r.spans {
		if span.GetKind() == otlp.Span_SPAN_KIND_SERVER && strings.HasPrefix(span.GetName(), "POST ") &&
			strings.HasSuffix(span.GetName(), "/documents") {
			root = span
		}
	}
	if root == nil {
		t.Fatalf("no span of the upload among %d", len(r.spans))
	}
	names, ids := map[string]int{}, map[string]bool{}
	var trace []*otlp.Span
	for _, span := range r.spans {
		if bytes.Equal(span.GetTraceId(), root.GetTraceId()) {
			trace, ids[hex.EncodeToString(span.GetSpanId())] = append(trace, span), true
			names[span.GetName()]++
		}
	}
	answers := map[string]bool{}
	for _, span := range trace {
		if span != root && !ids[hex.EncodeToString(span.GetParentSpanId())] {
			t.Errorf("%s hangs on nothing", span.GetName())
		}
		if span.GetKind() == otlp.Span_SPAN_KIND_CLIENT {
			for _, digit := range []string{"1", "2"} {
				answers[digit] = answers[digit] || has(span, "dossier.attempt", digit)
			}
		}
	}
	for _, want := range []string{"create document", "send document", "process document.extract", "read",
		"process document.match", "process document.validate", "create events", "POST"} {
		if names[want] == 0 {
			t.Errorf("no span %q in the upload's trace, which has %v", want, names)
		}
	}
	if !answers["1"] || !answers["2"] || names["POST"] < 2 {
		t.Errorf("the trace has the tries %v of the delivery, want both", answers)
	}
}
