package main

import (
	"bytes"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

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

// failsOnce answers the first try of each document.validated with 503.
type failsOnce struct {
	mu    sync.Mutex
	tries map[string]int // by webhook-id
	took  int
}

func (f *failsOnce) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	f.mu.Lock()
	defer f.mu.Unlock()
	if !bytes.Contains(body, []byte(`"document.validated"`)) {
		return
	}
	id := r.Header.Get("webhook-id")
	if f.tries[id]++; f.tries[id] == 1 {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	f.took++
}

func (f *failsOnce) done() bool { f.mu.Lock(); defer f.mu.Unlock(); return f.took > 0 }

// TestTrace follows one upload whose worker is killed while it reads, whose Redis is wiped and whose endpoint fails at
// first: request, outbox, queue, both tries of the reading, the jobs that follow, the event, both tries of its delivery
// are one connected trace. What the lead is called and the file too stands in no span, metric or log line.
func TestTrace(t *testing.T) {
	traces := newReceiver(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", traces.URL)
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "100")
	s := startStack(t, options{noWorker: true})
	endpoint := &failsOnce{tries: map[string]int{}}
	listening := httptest.NewServer(endpoint)
	t.Cleanup(listening.Close)
	var answer any
	if err := s.post(t.Context(), "/save-webhook", map[string]any{"url": listening.URL, "isEnabled": true}, &answer); err != nil {
		t.Fatal(err)
	}
	lead, _ := s.testLead(t, 1)
	const canary = "Quillwort"
	named := `{"leadId": "` + lead + `", "firstName": "` + canary + `", "lastName": "` + canary + `", "businessName": "` + canary + `", "email": "` + canary + `@example.com"}`
	if err := s.call(t.Context(), http.MethodPut, "/api/v1/leads", "application/json", strings.NewReader(named), &answer); err != nil {
		t.Fatal(err)
	}
	made := specimen.BankStatement(specimen.BankOptions{Seed: 3, Layout: specimen.BankLayouts()[0],
		Month: time.Date(2025, 9, 1, 0, 0, 0, 0, time.UTC), Entries: 5})
	if _, err := s.demoUpload(t.Context(), lead, []uploadFile{{canary + ".pdf", made.MimeType, made.Data}}); err != nil {
		t.Fatal(err)
	}
	child := startChild(t, s)
	within(t, time.Minute, "the reading begun", func() bool { return s.documents(t, lead)[0].Metadata.Status == "processing" })
	kill(child)
	wipeRedis(t, s)
	child = startChild(t, s)
	defer func() { kill(child) }()
	within(t, 2*time.Minute, "the retried delivery", endpoint.done)
	within(t, time.Minute, "all spans", traces.whole)
	traces.check(t)
	log, err := os.ReadFile(filepath.Join(s.cfg.Data, "dev.log"))
	if err != nil || !bytes.Contains(log, []byte(`"trace_id"`)) {
		t.Errorf("the log names no trace (%v)", err)
	}
	traces.mu.Lock()
	defer traces.mu.Unlock()
	for what, text := range map[string][]byte{"spans": traces.raw.Bytes(), "log": log, "metrics": s.metrics(t)} {
		if len(text) == 0 || bytes.Contains(text, []byte(canary)) || bytes.Contains(text, []byte(s.key)) {
			t.Errorf("the %s hold a name, or a key", what)
		}
	}
}

func (s *stack) metrics(t *testing.T) []byte {
	t.Helper()
	response, err := http.Get(s.opsURL + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// whole reports whether the last span has come: that of the job which retried the delivery ends after its request.
func (r *receiver) whole() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, span := range r.spans {
		if span.GetName() == "process webhook.deliver" {
			return true
		}
	}
	return false
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
	answers, readings := map[string]bool{}, map[string]bool{}
	for _, span := range trace {
		if span != root && !ids[hex.EncodeToString(span.GetParentSpanId())] {
			t.Errorf("%s hangs on nothing", span.GetName())
		}
		for _, digit := range []string{"1", "2"} {
			switch {
			case !has(span, "dossier.attempt", digit):
			case span.GetKind() == otlp.Span_SPAN_KIND_CLIENT:
				answers[digit] = true
			case span.GetName() == "process document.extract":
				readings[digit] = true
			}
		}
	}
	for _, want := range []string{"create document", "send document", "process document.extract", "read",
		"process document.match", "process document.validate", "create events", "POST"} {
		if names[want] == 0 {
			t.Errorf("no span %q in the upload's trace, which has %v", want, names)
		}
	}
	if !readings["2"] { // the first died with its worker, before it could tell
		t.Errorf("the trace has the tries %v of the reading, want the second", readings)
	}
	if !answers["1"] || !answers["2"] || names["POST"] < 2 {
		t.Errorf("the trace has the tries %v of the delivery, want both", answers)
	}
}
