package api

import (
	"bytes"
	"crypto/sha256"
	"mime/multipart"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

const keysPath = "/api/v1/api-keys"

func (s *testServer) keysNamed(t *testing.T, name string) int {
	t.Helper()
	return pgtest.Value[int](t, s.Server, "SELECT count(*)::int FROM api_keys WHERE name = $1", name)
}

// withRows starts a second listener of the same server with rows made for a test.
func (s *testServer) withRows(t *testing.T, rows ...route) *testServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	app := s.API.mount(rows)
	ended := make(chan error, 1)
	go func() { ended <- app.Listener(listener) }()
	t.Cleanup(func() {
		if err := app.Shutdown(); err != nil {
			t.Error(err)
		}
		<-ended
	})
	other := *s
	other.URL = "http://" + listener.Addr().String()
	return &other
}

func TestIdempotency_repeat_gets_the_first_answer(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	first := s.do(t, "POST", keysPath, `{"name":"once","isTest":true}`, "Idempotency-Key", "k1")
	if first.Status != 201 || first.Header.Get("Idempotent-Replayed") != "" {
		t.Fatalf("first call: %d %v", first.Status, first.Header)
	}
	again := s.do(t, "POST", keysPath, ` { "isTest" : true, "name" : "once" } `, "Idempotency-Key", "k1")
	if again.Status != 201 || again.Body != first.Body || again.Header.Get("Idempotent-Replayed") != "true" ||
		again.Header.Get("Content-Type") != first.Header.Get("Content-Type") {
		t.Errorf("repeat: %d %v\n%s\nwant\n%s", again.Status, again.Header, again.Body, first.Body)
	}
	if n := s.keysNamed(t, "once"); n != 1 {
		t.Errorf("%d keys were made, want 1", n)
	}
	other := s.do(t, "POST", keysPath, `{"name":"other"}`, "Idempotency-Key", "k1")
	if other.Status != 422 || !strings.Contains(other.Body, `"idempotency_key_reused"`) {
		t.Errorf("another body: %d %s", other.Status, other.Body)
	}
	if raw := pgtest.Value[[]byte](t, s.Server, "SELECT body FROM idempotency_keys"); bytes.Contains(raw, []byte("dsr_")) {
		t.Error("the stored answer shows the key's text")
	}
}

func TestIdempotency_scope_and_life(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	other := s.newKey(t, s.Server.Workspace(t), dossier.ScopeAdmin)
	s.do(t, "POST", keysPath, `{"name":"a"}`, "Idempotency-Key", "k")
	if got := s.do(t, "POST", keysPath, `{"name":"b"}`, "Idempotency-Key", "k", "x-api-key", other); got.Status != 201 || got.Header.Get("Idempotent-Replayed") != "" {
		t.Errorf("the same key in another workspace: %d %s", got.Status, got.Body)
	}
	s.Clock.Advance(24*time.Hour + time.Second)
	if got := s.do(t, "POST", keysPath, `{"name":"c"}`, "Idempotency-Key", "k"); got.Status != 201 || got.Header.Get("Idempotent-Replayed") != "" {
		t.Errorf("after 24 h: %d %s", got.Status, got.Body)
	}
	if got := s.do(t, "POST", keysPath, `{"name":"d"}`, "Idempotency-Key", strings.Repeat("k", 256)); got.Status != 400 {
		t.Errorf("a key of 256 characters: %d", got.Status)
	}
	if n, err := s.DB.PruneIdempotencyKeys(t.Context(), 10); err != nil || n != 1 {
		t.Errorf("swept %d (%v), want the one expired row", n, err)
	}
}

func TestIdempotency_refusals_are_answers(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	first := s.do(t, "POST", keysPath, `{"name":7}`, "Idempotency-Key", "k")
	again := s.do(t, "POST", keysPath, `{"name":7}`, "Idempotency-Key", "k")
	if first.Status != 400 || again.Body != first.Body || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("a 400 is replayed: %d %v", again.Status, again.Header)
	}
	reader := s.newKey(t, s.Workspace, dossier.ScopeRead)
	if got := s.do(t, "POST", keysPath, `{"name":"n"}`, "Idempotency-Key", "f", "x-api-key", reader); got.Status != 403 {
		t.Fatalf("status %d", got.Status)
	}
	if got := s.do(t, "POST", keysPath, `{"name":"n"}`, "Idempotency-Key", "f"); got.Status != 201 {
		t.Errorf("a 403 was stored: %d", got.Status)
	}
}

// claimed is a first call of POST /api/v1/api-keys that got this far and no further.
func (s *testServer) claimed(t *testing.T, body string) *postgres.IdempotencyClaim {
	t.Helper()
	sum := sha256.Sum256([]byte(body))
	claim, stored, err := s.DB.ClaimIdempotency(t.Context(), s.Workspace, postgres.IdempotencyKey{Method: "POST", Path: keysPath, Key: s.keyID(t) + "  k"}, sum[:], 20*time.Second)
	if err != nil || stored != nil {
		t.Fatal(stored, err)
	}
	return claim
}

// keyID is the id of the key that requests have.
func (s *testServer) keyID(t *testing.T) string {
	t.Helper()
	return pgtest.Value[string](t, s.Server, `SELECT id::text FROM api_keys WHERE workspace_id = $1 ORDER BY created_at, id LIMIT 1`, s.Workspace)
}

// An Idempotency-Key belongs to the API key that used it, and to whom it acted for: nobody else is given the first answer,
// which may show a secret.
func TestIdempotency_of_another_key(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	first := s.do(t, "POST", keysPath, `{"name":"n"}`, "Idempotency-Key", "k")
	for name, headers := range map[string][]string{
		"another key":    {"x-api-key", s.newKey(t, s.Workspace, dossier.ScopeAdmin)},
		"another person": {"x-actor", "ann@lender.example"},
	} {
		got := s.do(t, "POST", keysPath, `{"name":"n"}`, append(headers, "Idempotency-Key", "k")...)
		if got.Status != 201 || got.Header.Get("Idempotent-Replayed") != "" || got.Body == first.Body {
			t.Errorf("%s: %d, replayed %q", name, got.Status, got.Header.Get("Idempotent-Replayed"))
		}
	}
	if again := s.do(t, "POST", keysPath, `{"name":"n"}`, "Idempotency-Key", "k"); again.Body != first.Body {
		t.Error("the first caller's repeat is not its first answer")
	}
}

func TestIdempotency_running(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	s.claimed(t, `{"name":"n"}`)
	busy := s.do(t, "POST", keysPath, `{"name":"n"}`, "Idempotency-Key", "k")
	if busy.Status != 409 || !strings.Contains(busy.Body, `"idempotency_in_progress"`) || busy.Header.Get("Retry-After") == "" {
		t.Errorf("while the first runs: %d %s", busy.Status, busy.Body)
	}
	if got := s.do(t, "POST", keysPath, `{"name":"x"}`, "Idempotency-Key", "k"); got.Status != 422 {
		t.Errorf("another body while the first runs: %d", got.Status)
	}
	s.Clock.Advance(20 * time.Second) // the first call's process died
	if got := s.do(t, "POST", keysPath, `{"name":"n"}`, "Idempotency-Key", "k"); got.Status != 201 || s.keysNamed(t, "n") != 1 {
		t.Errorf("after the first call's death: %d, %d keys", got.Status, s.keysNamed(t, "n"))
	}
}

// The process dies after the commit and before the answer: the repeat finds what was done and answers with it.
func TestIdempotency_crash_after_commit(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	claim := s.claimed(t, `{"name":"n"}`)
	made, text, err := s.DB.CreateKey(postgres.WithIdempotency(t.Context(), claim), s.Workspace, postgres.NewKey{Name: "n"})
	if err != nil {
		t.Fatal(err)
	}
	if busy := s.do(t, "POST", keysPath, `{"name":"n"}`, "Idempotency-Key", "k"); busy.Status != 409 {
		t.Errorf("a call beside one that may still answer: %d %s", busy.Status, busy.Body)
	}
	s.Clock.Advance(5 * time.Second)
	got := s.do(t, "POST", keysPath, `{"name":"n"}`, "Idempotency-Key", "k")
	if got.Status != 201 || !strings.Contains(got.Body, string(made.ID)) || !strings.Contains(got.Body, text) {
		t.Errorf("the repeat answers %d %s, want the key %s made before", got.Status, got.Body, made.ID)
	}
	if n := s.keysNamed(t, "n"); n != 1 {
		t.Errorf("%d keys, want 1", n)
	}
	again := s.do(t, "POST", keysPath, `{"name":"n"}`, "Idempotency-Key", "k")
	if again.Body != got.Body || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("the next repeat is not replayed: %v", again.Header)
	}
}

// A first call that was thought dead and is only slow finds at its commit that its turn is over.
func TestIdempotency_slow_owner_changes_nothing(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	slow := s.claimed(t, `{"name":"n"}`)
	s.Clock.Advance(20 * time.Second)
	s.do(t, "POST", keysPath, `{"name":"n"}`, "Idempotency-Key", "k")
	_, _, err := s.DB.CreateKey(postgres.WithIdempotency(t.Context(), slow), s.Workspace, postgres.NewKey{Name: "n"})
	if dossier.KindOf(err) != dossier.Conflict {
		t.Errorf("the slow call's commit: %v, want Conflict", err)
	}
	if n := s.keysNamed(t, "n"); n != 1 {
		t.Errorf("%d keys, want 1", n)
	}
}

// After a 5xx the same request runs again; what was committed before the failure is not done twice.
func TestIdempotency_failure_is_not_stored(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	fail := true
	row := route{method: "POST", path: "/made", scope: scopeWrite, class: write, body: keyBody{}, handler: func(c *fiber.Ctx) error {
		key, _, err := s.DB.CreateKey(c.UserContext(), workspace(c), postgres.NewKey{Name: "n"})
		if err != nil {
			return err
		}
		if fail {
			panic("the presigner is away")
		}
		return send(c, 200, map[string]dossier.KeyID{"id": key.ID})
	}}
	s = s.withRows(t, row)
	first := s.do(t, "POST", "/made", `{"name":"n"}`, "Idempotency-Key", "k")
	if first.Status != 500 || strings.Contains(first.Body, "presigner") {
		t.Fatalf("first: %d %s", first.Status, first.Body)
	}
	fail = false
	second := s.do(t, "POST", "/made", `{"name":"n"}`, "Idempotency-Key", "k")
	if second.Status != 200 || s.keysNamed(t, "n") != 1 {
		t.Errorf("second: %d %s, %d keys", second.Status, second.Body, s.keysNamed(t, "n"))
	}
}

func TestIdempotency_multipart_is_compared_by_content(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	row := route{method: "POST", path: "/upload", scope: scopeWrite, class: upload, files: true, handler: func(c *fiber.Ctx) error {
		if err := web.EachPart(c, func(*web.FormPart) error { return nil }); err != nil {
			return err
		}
		key, _, err := s.DB.CreateKey(c.UserContext(), workspace(c), postgres.NewKey{Name: "n"})
		if err != nil {
			return err
		}
		return send(c, 201, map[string]dossier.KeyID{"id": key.ID})
	}}
	s = s.withRows(t, row)
	send := func(boundary, content, key string) answer {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		_ = w.SetBoundary(boundary)
		_ = w.WriteField("leadId", "x")
		part, _ := w.CreateFormFile("files", "a.pdf")
		_, _ = part.Write([]byte(content))
		_ = w.Close()
		return s.do(t, "POST", "/upload", body.String(), "Content-Type", w.FormDataContentType(), "Idempotency-Key", key)
	}
	file := strings.Repeat("bytes of a file ", 5000)
	first := send("aaa", file, "k")
	again := send("bbb", file, "k")
	if first.Status != 201 || again.Body != first.Body || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("same content, another boundary: %d %s", again.Status, again.Body)
	}
	if got := send("aaa", file+"!", "k"); got.Status != 422 {
		t.Errorf("other bytes: %d %s", got.Status, got.Body)
	}
	if n := s.keysNamed(t, "n"); n != 1 {
		t.Errorf("%d effects, want 1", n)
	}
	if got := s.do(t, "POST", "/upload", `{"leadId":"x"}`, "Idempotency-Key", "j"); got.Status != 415 {
		t.Errorf("JSON at an upload: %d %s", got.Status, got.Body)
	}
}
