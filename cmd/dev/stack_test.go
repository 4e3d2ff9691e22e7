package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/cmd/internal/workers"
	"github.com/dossierhq/dossier/cmd/lab/daemon/daemontest"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
	"github.com/dossierhq/dossier/webhooks"
)

// The test binary is also the parser of uploads, a worker process that can be killed, and an API process whose memory can
// be measured.
func TestMain(m *testing.M) {
	if sandbox.ChildMain() {
		return
	}
	switch os.Getenv("TEST_CHILD") {
	case "worker":
		childWorker()
		return
	case "api":
		childAPI()
		return
	}
	os.Exit(documenttest.Run(m))
}

func childServices() (setup.Config, *setup.Services) {
	cfg, err := setup.Read(os.Environ())
	if err != nil {
		panic(err)
	}
	s, err := setup.Open(context.Background(), cfg, cfg.Logger(io.Discard))
	if err != nil {
		panic(err)
	}
	return cfg, s
}

// childAPI writes its address to standard output when it accepts connections.
func childAPI() {
	cfg, s := childServices()
	server, err := s.NewAPI(cfg)
	if err != nil {
		panic(err)
	}
	if err := s.RunAPI(context.Background(), cfg, server, func(addr net.Addr) { fmt.Println(addr) }); err != nil {
		panic(err)
	}
}

func childWorker() {
	cfg, s := childServices()
	if _, err := setup.Trace(context.Background(), "dossier-worker"); err != nil {
		panic(err)
	}
	w, err := workers.New(s, cfg)
	if err != nil {
		panic(err)
	}
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
}

// startStack starts everything as `go run ./cmd/dev` does, on a database and a bucket of the tests' servers, which are
// there at once, and on the Redis of TEST_REDIS_URL, or else an embedded one.
func startStack(t *testing.T, o options) *stack {
	t.Helper()
	owner := pgtest.NewURL(t)
	t.Setenv("DATABASE_MIGRATE_URL", owner)
	t.Setenv("DATABASE_URL", pgtest.RunURL(owner))
	t.Setenv("DATABASE_LISTEN_URL", pgtest.DirectURL(owner))
	if url := os.Getenv("TEST_REDIS_URL"); url != "" {
		t.Setenv("REDIS_URL", url+"/0")
	}
	c := objectstest.Config(t)
	t.Setenv("S3_ENDPOINT", c.Endpoint)
	t.Setenv("S3_ACCESS_KEY", c.AccessKey)
	t.Setenv("S3_SECRET_KEY", c.SecretKey)
	t.Setenv("S3_BUCKET", c.Bucket)
	return startEmbedded(t, o)
}

// startEmbedded starts everything on services of its own, but for those that the environment names.
func startEmbedded(t *testing.T, o options) *stack {
	t.Helper()
	o.addr = "127.0.0.1:0"
	if o.data == "" {
		o.data = daemontest.Dir(t)
	}
	s, err := start(t.Context(), o, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// inbox receives deliveries, verifies each, and keeps count by webhook-id.
type inbox struct {
	*httptest.Server
	mu       sync.Mutex
	secret   string
	events   map[string]received // by webhook-id
	repeated int
	bad      int
}

type received struct {
	Type string          `json:"type"`
	Data json.RawMessage `json:"data"`
}

func newInbox(t *testing.T, s *stack) *inbox {
	t.Helper()
	box := &inbox{events: map[string]received{}}
	box.Server = httptest.NewServer(box)
	t.Cleanup(box.Close)
	var answer struct {
		Secret string `json:"secret"`
	}
	box.mu.Lock() // deliveries wait until the secret is known
	defer box.mu.Unlock()
	if err := s.post(t.Context(), "/save-webhook", map[string]any{"url": box.URL, "isEnabled": true}, &answer); err != nil {
		t.Fatal(err)
	}
	box.secret = answer.Secret
	return box
}

func (b *inbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := webhooks.Verify([]string{b.secret}, r.Header, body, time.Now()); err != nil {
		b.bad++
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	id := r.Header.Get("webhook-id")
	if _, again := b.events[id]; again {
		b.repeated++
		return
	}
	var event received
	_ = json.Unmarshal(body, &event)
	b.events[id] = event
}

// count counts events of a type whose data holds the text.
func (b *inbox) count(eventType, text string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for _, e := range b.events {
		if e.Type == eventType && bytes.Contains(e.Data, []byte(text)) {
			n++
		}
	}
	return n
}

// within waits for a condition.
func within(t *testing.T, limit time.Duration, what string, met func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); !met(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited %v in vain for: %s", limit, what)
		}
	}
}

// lead makes a lead with one item of its own that takes bank statements, and returns both ids.
func (s *stack) testLead(t *testing.T, months int) (lead, item string) {
	t.Helper()
	lead, err := s.demoLead(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Item struct {
			ID string `json:"id"`
		} `json:"checklistItem"`
	}
	err = s.post(t.Context(), "/api/v1/leads/"+lead+"/checklist-items", map[string]any{"label": "Bank statement of the account", "code": "STATEMENT",
		"fieldType": "BANK_STATEMENT", "config": map[string]int{"months": months, "gracePeriodDays": 3650},
		"validationRules": []string{"The statement balances reconcile"}}, &answer)
	if err != nil {
		t.Fatal(err)
	}
	return lead, answer.Item.ID
}

// listed is a document as the list shows it.
type listed struct {
	ID       string `json:"id"`
	Metadata struct {
		Status string `json:"extractionStatus"`
	} `json:"metadata"`
	Associations []struct {
		Item   string `json:"leadChecklistItemId"`
		Valid  bool   `json:"overallValid"`
		Result *struct {
			Rules []struct {
				Name   string `json:"ruleName"`
				Valid  bool   `json:"isValid"`
				Reason string `json:"isValidReason"`
			} `json:"validationResults"`
		} `json:"validationResult"`
	} `json:"leadChecklistItemDocument"`
}

func (s *stack) documents(t *testing.T, lead string) []listed {
	t.Helper()
	var list []listed
	if err := s.get(t.Context(), "/api/v1/leads/"+lead+"/documents", &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// itemStatus is the state of the lead's own item.
func (s *stack) itemStatus(t *testing.T, lead, code string) string {
	t.Helper()
	var groups []struct {
		Items []struct {
			Status     string `json:"status"`
			Definition struct {
				Code string `json:"code"`
			} `json:"checklistItem"`
		} `json:"items"`
	}
	if err := s.get(t.Context(), "/api/v1/leads/"+lead+"/checklist", &groups); err != nil {
		t.Fatal(err)
	}
	for _, g := range groups {
		for _, i := range g.Items {
			if i.Definition.Code == code {
				return i.Status
			}
		}
	}
	return ""
}
