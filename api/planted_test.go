package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// lines keeps what is logged.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// sown are the secrets that a test wrote into everything that takes words: a number of its own for each place, and the key
// of the lead's page.
type sown struct {
	places map[string]string // number to place
	link   string
}

// words are some that hold a number that stands nowhere else, and the lead's page.
func (s *sown) words(place string) string {
	number := fmt.Sprintf("%03d-%02d-%04d", 100+rand.IntN(500), 1+rand.IntN(99), 1000+rand.IntN(9000))
	s.places[number] = place
	return "My number is " + number + " and my page " + s.link
}

// Numbers of people and keys of pages that callers and leads write into whatever takes words stand in no table, event, Redis
// key, log line or answer to who may only read (lifecycle.md section 1).
func TestPlanted_secrets_are_nowhere(t *testing.T) {
	t.Parallel()
	log := &lines{}
	s := newTestServer(t, withObjects(t), func(c *Config) {
		c.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	s.Exec(t, `UPDATE workspaces SET channels = '{"email": {"provider": "log"}, "sms": {"provider": "log"}}' WHERE id = $1`, s.Workspace)
	lead, _ := s.Lead(t, s.Workspace, dossier.FieldSSN, dossier.FieldText)
	link := valueAt(t, s.do(t, "POST", "/api/v1/leads/"+string(lead)+"/portal-link", "").Body, "url")
	planted := &sown{places: map[string]string{}, link: link}
	plant(t, s, lead, planted)

	where := map[string]string{"Redis": s.Redis.Dump(), "the log": log.String()}
	reader := s.newKey(t, s.Workspace, dossier.ScopeRead)
	for _, path := range []string{"/api/v1/leads", "/api/v1/leads/" + string(lead), "/api/v1/leads/" + string(lead) + "/checklist", "/api/v1/leads/" + string(lead) + "/activity",
		"/api/v1/leads/" + string(lead) + "/messages", "/api/v1/leads/" + string(lead) + "/documents", "/api/v1/escalations", "/api/v1/inbox", "/api/v1/events"} {
		got := s.do(t, "GET", path, "", "x-api-key", reader)
		if got.Status != http.StatusOK {
			t.Errorf("%s: %d %s", path, got.Status, got.Body)
		}
		where["the answer of "+path] = got.Body
	}
	secrets := map[string]string{link[strings.LastIndexByte(link, '/')+1:]: "the key of the page"}
	for number, place := range planted.places {
		secrets[number] = place
	}
	for secret, place := range secrets {
		for name, text := range where {
			if strings.Contains(text, secret) {
				t.Errorf("%s stands in %s", place, name)
			}
		}
		tables := pgtest.Value[string](t, s.Server, `SELECT coalesce(string_agg(tablename, ', '), '') FROM pg_tables
			WHERE schemaname = 'public' AND strpos(query_to_xml(format('SELECT * FROM public.%I', tablename), true, false, '')::text, $1) > 0`, secret)
		if tables != "" {
			t.Errorf("%s stands in %s", place, tables)
		}
	}
	if kept := where["the answer of /api/v1/leads/"+string(lead)+"/messages"]; !strings.Contains(kept, "***-**-") || !strings.Contains(kept, dossier.PortalLinkMark) {
		t.Errorf("nothing was planted: %s", kept)
	}
}

// plant writes secrets into everything of a lead that takes words.
func plant(t *testing.T, s *testServer, lead dossier.LeadID, planted *sown) {
	t.Helper()
	encode := func(v map[string]any) string { return string(must(json.Marshal(v))(t)) }
	call := func(path string, body map[string]any) string {
		t.Helper()
		got := s.do(t, "POST", path, encode(body))
		if got.Status >= 300 {
			t.Fatalf("%s: %d %s", path, got.Status, got.Body)
		}
		return got.Body
	}
	call("/api/v1/activity", map[string]any{"leadId": lead, "eventType": "call", "title": planted.words("a title"), "description": planted.words("a description"),
		"metadata": map[string]any{"note": planted.words("metadata")}})
	made := call("/api/v1/leads/"+string(lead)+"/escalations", map[string]any{"reason": planted.words("a reason"), "detail": planted.words("a detail")})
	call("/api/v1/escalations/"+valueAt(t, made, "escalation", "id")+"/resolve", map[string]any{"note": planted.words("a note")})
	number := planted.words("an SSN item")
	value := func(text string) json.RawMessage { return must(json.Marshal(text))(t) }
	err := s.DB.UpdateLead(t.Context(), s.Workspace, lead, dossier.LeadUpdate{Items: []dossier.ItemUpdate{
		{Code: "SSN", Value: value(strings.Fields(number)[3])}, {Code: "TEXT", Value: value(planted.words("a value"))},
	}}, 0, postgres.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	token := pgtest.Value[string](t, s.Server, `SELECT inbound_token FROM workspaces WHERE id = $1`, s.Workspace)
	call("/inbound/email/"+token, map[string]any{"from": "ada@example.com", "to": "files@acme.example", "subject": planted.words("a subject"), "text": planted.words("a message"),
		"messageId": "<1@example.com>"})
	number = planted.words("a file name")
	call("/api/v1/documents/presign", map[string]any{"leadId": lead, "filename": strings.Fields(number)[3] + ".txt", "size": 5, "mimeType": "text/plain"})
}

// must ends the test when a value could not be made.
func must[T any](value T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}
