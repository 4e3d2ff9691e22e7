package api

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
)

func TestEdge(t *testing.T) {
	t.Parallel()
	converse(t, newTestServer(t, func(c *Config) { c.CORSOrigins = []string{"https://app.example.com"} }), "edge.txt")
}

func TestEdge_bad_bodies(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	long := strings.Repeat("x", 256)
	for name, tt := range map[string]struct {
		body   string
		status int
		says   string
	}{
		"not JSON":             {`{"name":`, 400, `"code":"invalid_json"`},
		"two values":           {`{"name":"a"}{}`, 400, `"code":"invalid_json"`},
		"not an object":        {`["a"]`, 400, `"code":"invalid_type","detail":"The body must be an object, not an array"`},
		"null":                 {`null`, 400, `The body must be an object, not null`},
		"invalid UTF-8":        {"{\"name\":\"\xff\"}", 400, `not valid UTF-8`},
		"NUL":                  {`{"name":"a\u0000b"}`, 400, `"pointer":"/name","code":"invalid_characters"`},
		"name twice":           {`{"name":"a","name":"b"}`, 400, `"pointer":"/name","code":"duplicate_field"`},
		"too long":             {`{"name":"` + long + `"}`, 400, `"pointer":"/name","code":"too_long"`},
		"empty":                {`{"name":"  "}`, 400, `"pointer":"/name","code":"required"`},
		"deep":                 {`{"name":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`, 400, `nested deeper`},
		"null in a list":       {`{"name":"a","scopes":[null]}`, 400, `"pointer":"/scopes/0","code":"invalid_type"`},
		"null where forbidden": {`{"name":"a","scopes":null}`, 400, `"pointer":"/scopes"`},
		"escaped pointer":      {`{"name":"a","x/y~z":1}`, 400, `"pointer":"/x~1y~0z","code":"unknown_field"`},
		"past expiry":          {`{"name":"a","expiresAt":"2020-01-01T00:00:00Z"}`, 400, `"pointer":"/expiresAt"`},
		"2 MiB":                {`{"name":"` + strings.Repeat("x", 2<<20) + `"}`, 413, `"code":"payload_too_large"`},
	} {
		t.Run(name, func(t *testing.T) {
			got := s.do(t, "POST", keysPath, tt.body)
			if got.Status != tt.status || !strings.Contains(got.Body, tt.says) || !strings.Contains(got.Body, `"success":false`) {
				t.Errorf("%d %s, want %d and %s", got.Status, got.Body, tt.status, tt.says)
			}
		})
	}
}

// A body of unknown length is cut off at the limit too.
func TestEdge_chunked_body_over_the_limit(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	request, _ := http.NewRequestWithContext(t.Context(), "POST", s.URL+keysPath, io.LimitReader(endless{}, 3<<20))
	request.Header.Set("x-api-key", s.Key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != 413 {
		t.Errorf("status %d, want 413", response.StatusCode)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// What a handler leaves of a body must never be taken for the next request of the connection.
func TestEdge_unread_body_is_not_the_next_request(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	hidden := "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
	body := strings.Repeat(" ", 20<<10) + hidden
	_, _ = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", keysPath, len(body), body)
	_, _ = fmt.Fprintf(conn, "GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	reader := bufio.NewReader(conn)
	var statuses []int
	for {
		response, err := http.ReadResponse(reader, nil)
		if err != nil {
			break
		}
		_, _ = io.Copy(io.Discard, response.Body)
		statuses = append(statuses, response.StatusCode)
	}
	if fmt.Sprint(statuses) != "[401 404]" {
		t.Errorf("answers %v, want [401 404]", statuses)
	}
}

func TestEdge_large_answers_are_compressed(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	plain := s.do(t, "GET", "/problems", "", "x-api-key", "", "Accept-Encoding", "identity")
	packed := s.do(t, "GET", "/problems", "", "x-api-key", "", "Accept-Encoding", "gzip")
	if packed.Header.Get("Content-Encoding") != "gzip" {
		t.Fatalf("headers %v", packed.Header)
	}
	r, err := gzip.NewReader(strings.NewReader(packed.Body))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil || string(text) != plain.Body {
		t.Errorf("unpacked answer differs (%v)", err)
	}
	if got := s.do(t, "GET", "/problems", "", "If-None-Match", plain.Header.Get("ETag")); got.Status != 304 || got.Body != "" {
		t.Errorf("If-None-Match: %d with %d bytes", got.Status, len(got.Body))
	}
}

func TestEdge_rate_limit(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.RateLimit, c.RateLimitUpload = 2, 1 })
	s.Redis.SetTime(s.Clock.Now()) // stands still: no token grows back
	var paused []time.Duration
	s.API.pause = func(_ context.Context, d time.Duration) { paused = append(paused, d) }
	first := s.do(t, "GET", keysPath, "")
	if first.Status != 200 || first.Header.Get("RateLimit-Policy") != `"default";q=2;w=60` || first.Header.Get("RateLimit") != `"default";r=1;t=30` {
		t.Errorf("first: %d %v", first.Status, first.Header)
	}
	s.do(t, "GET", keysPath, "")
	third := s.do(t, "GET", keysPath, "")
	if third.Status != 429 || third.Header.Get("Retry-After") != "30" || !strings.Contains(third.Body, `"rate_limited"`) {
		t.Errorf("third: %d %v %s", third.Status, third.Header, third.Body)
	}
	if !slices.Equal(paused, []time.Duration{refusalPause}) {
		t.Errorf("kept back %v: only what is too much is, so that who asks again at once takes nothing from others", paused)
	}
	if got := s.do(t, "GET", keysPath, "", "x-api-key", s.newKey(t, s.Workspace, dossier.ScopeAdmin)); got.Status != 200 {
		t.Errorf("another key: %d", got.Status)
	}
	if got := s.do(t, "POST", "/api/v1/documents", "{}"); got.Status == 429 || got.Header.Get("RateLimit-Policy") != `"uploads";q=1;w=60` {
		t.Errorf("uploads have an allowance of their own: %d %v", got.Status, got.Header)
	}
	for _, key := range s.Redis.Keys() {
		if strings.Contains(key, "dsr_") {
			t.Errorf("the bucket %s shows a key", key)
		}
	}
	s.Redis.SetTime(s.Clock.Now().Add(30 * time.Second))
	if got := s.do(t, "GET", keysPath, ""); got.Status != 200 {
		t.Errorf("half a minute later: %d", got.Status)
	}
	s.Redis.Close()
	for range 5 {
		if got := s.do(t, "GET", keysPath, ""); got.Status != 200 {
			t.Errorf("without Redis: %d, want 200", got.Status)
		}
	}
}

// A body that nobody wants is read away in steps, so that its sender sees the answer and yet takes little from others.
func TestEdge_unwanted_body(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	rests := 0
	s.API.pause = func(_ context.Context, d time.Duration) {
		if d == drainPause {
			rests++
		}
	}
	got := s.do(t, "POST", "/api/v1/leads", strings.Repeat("x", 5*drainStep/2), "x-api-key", "")
	if got.Status != 401 || rests != 2 {
		t.Errorf("%d with %d rests, want 401 with one behind each whole mebibyte", got.Status, rests)
	}
	if got := s.do(t, "POST", "/api/v1/leads", "{}", "x-api-key", ""); got.Status != 401 || rests != 2 {
		t.Errorf("a small one: %d, %d rests", got.Status, rests)
	}
}

// A key revoked by another process is refused here within keyTTL; by this one at once.
func TestAuth_revocation_and_expiry(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	expires := s.Clock.Now().Add(time.Hour)
	_, text, err := s.DB.CreateKey(t.Context(), s.Workspace, postgres.NewKey{Name: "n", Scopes: []dossier.Scope{dossier.ScopeAdmin}, ExpiresAt: &expires})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.do(t, "GET", keysPath, "", "x-api-key", text); got.Status != 200 {
		t.Fatalf("status %d", got.Status)
	}
	s.Clock.Advance(time.Hour)
	if got := s.do(t, "GET", keysPath, "", "x-api-key", text); got.Status != 401 {
		t.Errorf("an expired key still cached: %d", got.Status)
	}
	s.Exec(t, "UPDATE api_keys SET revoked_at = now() WHERE workspace_id = $1", s.Workspace)
	for start := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		if s.do(t, "GET", keysPath, "").Status == 401 {
			break
		}
		if time.Since(start) > 3*keyTTL {
			t.Fatal("a revoked key is still believed")
		}
	}
	s.Exec(t, "UPDATE workspaces SET deleted_at = now() WHERE id = $1", s.Workspace)
}

func TestAuth_altered_key(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	altered := s.Key[:len(s.Key)-1] + map[bool]string{true: "1", false: "0"}[s.Key[len(s.Key)-1] == '0']
	for _, key := range []string{"", "x", altered, strings.ToUpper(s.Key), s.Key + "0"} {
		got := s.do(t, "GET", keysPath, "", "x-api-key", key)
		if got.Status != 401 || !strings.Contains(got.Body, `"code":"unauthorized"`) {
			t.Errorf("key %q: %d %s", key, got.Status, got.Body)
		}
	}
}

func TestReadyz_draining(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) {
		c.Ready = []Check{{"redis", func(context.Context) error { return errors.New("refused") }}}
	})
	if got := s.do(t, "GET", "/readyz", ""); got.Status != 200 || !strings.Contains(got.Body, `"redis":"away"`) || strings.Contains(got.Body, "refused") {
		t.Errorf("ready: %d %s", got.Status, got.Body)
	}
	s.API.Drain()
	if got := s.do(t, "GET", "/readyz", ""); got.Status != 503 || !strings.Contains(got.Body, `"draining"`) {
		t.Errorf("draining: %d %s", got.Status, got.Body)
	}
	if got := s.do(t, "GET", "/healthz", ""); got.Status != 200 {
		t.Errorf("alive while draining: %d", got.Status)
	}
}

// Many requests of two tenants on few connections: what one sends must never show up with the other.
func TestEdge_strings_do_not_leak_between_requests(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	row := route{method: "POST", path: "/echo/{word}", scope: scopeWrite, class: write, body: keyBody{}, handler: func(c *fiber.Ctx) error {
		body, err := decode[keyBody](c)
		if err != nil {
			return err
		}
		word, id := c.Params("word"), c.Get("X-Request-Id")
		return send(c, 200, []string{word, body.Name, id})
	}}
	s = s.withRows(t, row)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 50 {
				word := fmt.Sprintf("w%dx%d", i, j)
				got := s.do(t, "POST", "/echo/"+word, `{"name":"`+word+`"}`, "X-Request-Id", word)
				want := fmt.Sprintf(`["%s","%s","%s"]`, word, word, word) + "\n"
				if got.Body != want {
					t.Errorf("%s, want %s", got.Body, want)
				}
			}
		})
	}
	all.Wait()
}
