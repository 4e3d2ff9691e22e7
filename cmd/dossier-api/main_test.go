package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// The program answers, says that it drains, finishes the request that is running, and ends without an error.
func TestRun(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	_, key, err := db.DB.CreateKey(t.Context(), db.Workspace(t), postgres.NewKey{Name: "test", Scopes: []dossier.Scope{dossier.ScopeAdmin}})
	if err != nil {
		t.Fatal(err)
	}
	store, address := objectstest.Config(t), freeAddress(t)
	environ := []string{
		"DATABASE_URL=" + db.Run, "DATABASE_LISTEN_URL=" + pgtest.DirectURL(db.URL), "REDIS_URL=redis://" + miniredis.RunT(t).Addr(), "DOSSIER_SECRET_KEY=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
		"S3_ENDPOINT=" + store.Endpoint, "S3_ACCESS_KEY=" + store.AccessKey, "S3_SECRET_KEY=" + store.SecretKey, "S3_BUCKET=" + store.Bucket,
		"DOSSIER_PUBLIC_URL=https://dossier.example.com", "DOSSIER_ADDR=" + address, "DOSSIER_OPS_ADDR=" + freeAddress(t),
	}
	ctx, sigterm := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, environ) }()
	await(t, ended, "readiness", func() bool { return status(t, "http://"+address+"/readyz") == 200 })

	slow, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = slow.Close() }()
	body := `{"name":"slow"}`
	_, _ = fmt.Fprintf(slow, "POST /api/v1/api-keys HTTP/1.1\r\nHost: x\r\nx-api-key: %s\r\nContent-Length: %d\r\n\r\n%s", key, len(body), body[:4])
	sigterm()
	await(t, ended, "draining", func() bool { return status(t, "http://"+address+"/readyz") == 503 })
	_, _ = io.WriteString(slow, body[4:])
	answer, err := http.ReadResponse(bufio.NewReader(slow), nil)
	if err != nil || answer.StatusCode != 201 {
		t.Errorf("the request that was running: %v %v", answer, err)
	}
	if err := <-ended; err != nil {
		t.Errorf("run: %v", err)
	}
}

func TestRun_says_what_is_missing(t *testing.T) {
	t.Parallel()
	for environ, says := range map[string]string{
		"":                               "DATABASE_URL, REDIS_URL, S3_ENDPOINT, DOSSIER_SECRET_KEY, DOSSIER_PUBLIC_URL must be set",
		"DOSSIER_ADDRS=127.0.0.1:1":      "DOSSIER_ADDRS is not a variable of Dossier",
		"DOSSIER_RATE_LIMIT=many":        "DOSSIER_RATE_LIMIT must be a whole number",
		"DOSSIER_SECRET_KEY=c2hvcnQ=":    "DOSSIER_SECRET_KEY must be 32 bytes in base64",
		"DOSSIER_PUBLIC_URL=example.com": "DOSSIER_PUBLIC_URL must be a URL",
	} {
		if err := run(t.Context(), []string{environ}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %s", environ, err, says)
		}
	}
}

// status is of one answer, 0 while nobody listens.
func status(t *testing.T, url string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return 0
	}
	_ = response.Body.Close()
	return response.StatusCode
}

func await(t *testing.T, ended chan error, what string, holds func() bool) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for !holds() {
		select {
		case err := <-ended:
			t.Fatalf("ended before %s: %v", what, err)
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			t.Fatalf("no %s", what)
		}
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}
