package api

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/cache"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// testServer is a server on loopback with a database and a Redis of its own, one workspace and one key with all scopes.
type testServer struct {
	*pgtest.Server
	Redis     *miniredis.Miniredis
	API       *Server
	URL       string
	Workspace dossier.WorkspaceID
	Key       string // scopes read, write and admin
}

// newTestServer starts a server that ends with t. change may alter its Config.
func newTestServer(t *testing.T, change ...func(*Config)) *testServer {
	t.Helper()
	db := pgtest.New(t)
	redis := miniredis.RunT(t)
	conn, err := cache.Open("redis://" + redis.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	cfg := Config{DB: db.DB, Cache: conn, Now: db.Clock.Now, Log: slog.New(slog.NewTextHandler(testWriter{t}, &slog.HandlerOptions{Level: slog.LevelWarn}))}
	for _, f := range change {
		f(&cfg)
	}
	server, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener, nil) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := server.Shutdown(ctx); err != nil {
			t.Error(err)
		}
		<-ended
	})
	s := &testServer{Server: db, Redis: redis, API: server, URL: "http://" + listener.Addr().String(), Workspace: db.Workspace(t)}
	s.Key = s.newKey(t, s.Workspace, dossier.ScopeAdmin)
	return s
}

// newKey makes a key of a workspace.
func (s *testServer) newKey(t *testing.T, ws dossier.WorkspaceID, scopes ...dossier.Scope) string {
	t.Helper()
	_, text, err := s.DB.CreateKey(t.Context(), ws, postgres.NewKey{Name: "test", Scopes: scopes})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// answer is what came back.
type answer struct {
	Status int
	Header http.Header
	Body   string
}

// do sends a request with the server's key; headers come in pairs and win. A body is sent as JSON.
func (s *testServer) do(t *testing.T, method, path, body string, headers ...string) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("x-api-key", s.Key)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
		if headers[i+1] == "" {
			request.Header.Del(headers[i])
		}
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	noteCodes(string(data))
	return answer{Status: response.StatusCode, Header: response.Header, Body: string(data)}
}

// testWriter sends the server's log to the test's.
type testWriter struct{ t *testing.T }

func (w testWriter) Write(p []byte) (int, error) {
	defer func() { _ = recover() }() // a line after the end of the test
	w.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}
