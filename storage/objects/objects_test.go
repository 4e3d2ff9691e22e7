package objects_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
)

// noise is n bytes that look random and are the same in every run.
func noise(n int) []byte {
	source := rand.NewChaCha8([32]byte{1})
	b := make([]byte, n)
	_, _ = source.Read(b) // never fails
	return b
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

func put(t *testing.T, s *objects.Store, key string, body []byte) {
	t.Helper()
	if _, err := s.Put(t.Context(), key, "application/pdf", bytes.NewReader(body), 0); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, o *objects.Object, err error) []byte {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = o.Close() }()
	b, err := io.ReadAll(o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func wantKind(t *testing.T, err error, kind dossier.Kind) {
	t.Helper()
	if err == nil || dossier.KindOf(err) != kind {
		t.Errorf("error %v of kind %v, want kind %v", err, dossier.KindOf(err), kind)
	}
}

// The sizes lie around the part size of 8 MiB, where a stream becomes a multipart upload.
func TestPut(t *testing.T) {
	s := objectstest.New(t)
	const part = 8 << 20
	for _, size := range []int{0, 1, 70_000, part - 1, part, part + 1, 20<<20 + 5} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			body, key := noise(size), fmt.Sprintf("ws/put-%d", size)
			// io.MultiReader hides that the body could be sought or measured.
			stored, err := s.Put(t.Context(), key, "text/csv", io.MultiReader(bytes.NewReader(body)), int64(size)+1)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(objects.Stored{Size: int64(size), SHA256: sum(body)}, stored); diff != "" {
				t.Errorf("stored (-want +got)\n%s", diff)
			}
			o, err := s.Get(t.Context(), key)
			if got := read(t, o, err); !bytes.Equal(got, body) {
				t.Errorf("%d bytes came back, want the %d that went in", len(got), size)
			}
			info, err := s.Stat(t.Context(), key)
			if err != nil {
				t.Fatal(err)
			}
			if info.Size != int64(size) || info.ContentType != "text/csv" || info.Modified.IsZero() {
				t.Errorf("stat %+v", info)
			}
		})
	}
}

// What was exchanged since it was looked at is not copied.
func TestCopy(t *testing.T) {
	s := objectstest.New(t)
	put(t, s, "from", []byte("first"))
	there, err := s.Stat(t.Context(), "from")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Copy(t.Context(), "from", there.ETag, "to"); err != nil {
		t.Fatal(err)
	}
	put(t, s, "from", []byte("other"))
	wantKind(t, s.Copy(t.Context(), "from", there.ETag, "to"), dossier.Precondition)
	wantKind(t, s.Copy(t.Context(), "absent", there.ETag, "to"), dossier.NotFound)
	o, err := s.Get(t.Context(), "to")
	if got := string(read(t, o, err)); got != "first" || o.ContentType != "application/pdf" {
		t.Errorf("%q %s", got, o.ContentType)
	}
}

func TestPut_replaces(t *testing.T) {
	s := objectstest.New(t)
	put(t, s, "k", []byte("first"))
	put(t, s, "k", []byte("2nd"))
	o, err := s.Get(t.Context(), "k")
	if got := string(read(t, o, err)); got != "2nd" {
		t.Errorf("%q, want the second body", got)
	}
}

func TestPut_refuses(t *testing.T) {
	s := objectstest.New(t)
	broken := errors.New("the caller went away")
	tests := []struct {
		name  string
		body  io.Reader
		limit int64
		check func(t *testing.T, err error)
	}{
		{"one byte too many", bytes.NewReader(noise(101)), 100, func(t *testing.T, err error) { wantKind(t, err, dossier.TooLarge) }},
		{"too large in its second part", bytes.NewReader(noise(9 << 20)), 9<<20 - 1, func(t *testing.T, err error) { wantKind(t, err, dossier.TooLarge) }},
		{"cut short", io.MultiReader(bytes.NewReader(noise(100)), iotest.ErrReader(io.ErrUnexpectedEOF)), 0,
			func(t *testing.T, err error) { wantKind(t, err, dossier.Invalid) }},
		{"cut short in its second part", io.MultiReader(bytes.NewReader(noise(9<<20)), iotest.ErrReader(io.ErrUnexpectedEOF)), 0,
			func(t *testing.T, err error) { wantKind(t, err, dossier.Invalid) }},
		{"reader fails", io.MultiReader(bytes.NewReader(noise(100)), iotest.ErrReader(broken)), 0, func(t *testing.T, err error) {
			if !errors.Is(err, broken) {
				t.Errorf("error %v, want the reader's", err)
			}
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := s.Put(t.Context(), "refused", "text/plain", test.body, test.limit)
			test.check(t, err)
			_, err = s.Stat(t.Context(), "refused")
			wantKind(t, err, dossier.NotFound)
		})
	}
}

// endless is a body that is never whole in memory.
type endless struct{ left int64 }

func (e *endless) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := min(int64(len(p)), e.left)
	e.left -= n
	return int(n), nil
}

// A stream is never whole in memory. Without a part size the client would take 537 MiB at once;
// the race detector adds to what is counted here.
func TestPut_memory(t *testing.T) {
	s := objectstest.New(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := s.Put(t.Context(), "large", "text/csv", &endless{left: 100 << 20}, 0); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if got := (after.TotalAlloc - before.TotalAlloc) >> 20; got > 200 {
		t.Errorf("storing 100 MiB allocated %d MiB, want at most 200", got)
	}
}

// A service that fails before it has read the body is asked again with all of it, whatever of the first try is still
// under way.
func TestPut_again_after_an_early_failure(t *testing.T) {
	cfg := objectstest.Config(t)
	backend, err := url.Parse(cfg.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(backend); r.Out.Host = r.In.Host }} // requests are signed with their host
	var tries atomic.Int32
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut && tries.Add(1) <= 2 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		forward.ServeHTTP(w, r)
	}))
	defer service.Close()
	cfg.Endpoint = service.URL
	s, err := objects.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	body := noise(4 << 20) // more than a connection buffers: most of it is not sent when the answer comes
	put(t, s, "k", body)
	o, err := s.Get(t.Context(), "k")
	if got := read(t, o, err); tries.Load() != 3 || sum(got) != sum(body) {
		t.Errorf("%d bytes of %d at try %d", len(got), len(body), tries.Load())
	}
}

func TestGet_missing(t *testing.T) {
	s := objectstest.New(t)
	_, err := s.Get(t.Context(), "nothing")
	wantKind(t, err, dossier.NotFound)
	_, err = s.Stat(t.Context(), "nothing")
	wantKind(t, err, dossier.NotFound)
}

func TestDelete(t *testing.T) {
	s := objectstest.New(t)
	put(t, s, "k", []byte("x"))
	for range 2 { // the second finds nothing, which is no error
		if err := s.Delete(t.Context(), "k"); err != nil {
			t.Fatal(err)
		}
	}
	_, err := s.Stat(t.Context(), "k")
	wantKind(t, err, dossier.NotFound)
}

func TestList(t *testing.T) {
	s := objectstest.New(t)
	for _, key := range []string{"a/2", "a/1/x", "b/1"} {
		put(t, s, key, []byte(key))
	}
	tests := []struct {
		prefix string
		want   []string
	}{{"", []string{"a/1/x 5", "a/2 3", "b/1 3"}}, {"a/", []string{"a/1/x 5", "a/2 3"}}, {"c", nil}}
	for _, test := range tests {
		var got []string
		for info, err := range s.List(t.Context(), test.prefix) {
			if err != nil {
				t.Fatal(err)
			}
			if info.Modified.IsZero() {
				t.Errorf("%s has no time", info.Key)
			}
			got = append(got, fmt.Sprintf("%s %d", info.Key, info.Size))
		}
		if diff := cmp.Diff(test.want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("prefix %q (-want +got)\n%s", test.prefix, diff)
		}
	}
}

func fetch(t *testing.T, method, u string, body io.Reader, headers map[string]string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, u, body)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(text)
}

func TestPresignGet(t *testing.T) {
	s := objectstest.New(t)
	put(t, s, "ws/doc", []byte("content"))
	for _, name := range []string{"statement.pdf", `a "b"; c\d.pdf`, "Kontoauszug März – 2026.pdf", "x\r\nSet-Cookie: a=b.pdf"} {
		link, err := s.PresignGet(t.Context(), "ws/doc", name, "text/csv")
		if err != nil {
			t.Fatal(err)
		}
		answer, text := fetch(t, http.MethodGet, link, nil, nil)
		if answer.StatusCode != http.StatusOK || text != "content" {
			t.Fatalf("%s: %d %s", name, answer.StatusCode, text)
		}
		if got := answer.Header.Get("Content-Type"); got != "text/csv" {
			t.Errorf("%s: content type %q", name, got)
		}
		if got := answer.Header.Get("Content-Disposition"); !strings.HasPrefix(got, "attachment;") || strings.ContainsAny(got, "\r\n") {
			t.Errorf("%s: disposition %q", name, got)
		}
		if got := answer.Header.Get("Set-Cookie"); got != "" {
			t.Errorf("%s: the name set a cookie %q", name, got)
		}
		u, _ := url.Parse(link)
		if got := u.Query().Get("X-Amz-Expires"); got != "3600" {
			t.Errorf("expires after %s s, want 3600", got)
		}
	}
}

// A link opens one object and nothing else.
func TestPresignGet_forged(t *testing.T) {
	s := objectstest.New(t)
	put(t, s, "ws1/doc", []byte("mine"))
	put(t, s, "ws2/doc", []byte("theirs"))
	link, err := s.PresignGet(t.Context(), "ws1/doc", "a.pdf", "application/pdf")
	if err != nil {
		t.Fatal(err)
	}
	answer, text := fetch(t, http.MethodGet, strings.Replace(link, "ws1/doc", "ws2/doc", 1), nil, nil)
	if answer.StatusCode != http.StatusForbidden || strings.Contains(text, "theirs") {
		t.Errorf("another key: %d %s, want 403", answer.StatusCode, text)
	}
}

func TestPresignPut(t *testing.T) {
	s := objectstest.New(t)
	up, err := s.PresignPut(t.Context(), "ws/up", "application/pdf", 7)
	if err != nil {
		t.Fatal(err)
	}
	if answer, text := fetch(t, up.Method, up.URL, strings.NewReader("longer than seven"), up.Headers); answer.StatusCode != http.StatusForbidden {
		t.Errorf("another size: %d %s, want 403", answer.StatusCode, text)
	}
	if answer, text := fetch(t, up.Method, up.URL, strings.NewReader("content"), map[string]string{"Content-Type": "text/html"}); answer.StatusCode != http.StatusForbidden {
		t.Errorf("another type: %d %s, want 403", answer.StatusCode, text)
	}
	_, err = s.Stat(t.Context(), "ws/up")
	wantKind(t, err, dossier.NotFound)
	if answer, text := fetch(t, up.Method, up.URL, strings.NewReader("content"), up.Headers); answer.StatusCode != http.StatusOK {
		t.Fatalf("%d %s", answer.StatusCode, text)
	}
	info, err := s.Stat(t.Context(), "ws/up")
	if err != nil || info.Size != 7 || info.ContentType != "application/pdf" {
		t.Errorf("stat %+v, %v", info, err)
	}
}

// Links name the public endpoint; all else goes to the inner one.
func TestPresign_publicEndpoint(t *testing.T) {
	cfg := objectstest.Config(t)
	cfg.PublicEndpoint = "https://files.example.com:8443"
	s, err := objects.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, "k", []byte("x"))
	get, err := s.PresignGet(t.Context(), "k", "a.pdf", "")
	if err != nil {
		t.Fatal(err)
	}
	up, err := s.PresignPut(t.Context(), "k", "text/csv", 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range []string{get, up.URL} {
		if !strings.HasPrefix(link, "https://files.example.com:8443/"+cfg.Bucket+"/k?") {
			t.Errorf("link %s, want the public endpoint", link)
		}
	}
}

func TestAbortIncomplete(t *testing.T) {
	cfg := objectstest.Config(t)
	s, err := objects.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	host, _ := url.Parse(cfg.Endpoint)
	core, err := minio.NewCore(host.Host, &minio.Options{Creds: credentials.NewStaticV4(cfg.AccessKey, cfg.SecretKey, ""), Region: "us-east-1"})
	if err != nil {
		t.Fatal(err)
	}
	id, err := core.NewMultipartUpload(t.Context(), cfg.Bucket, "ws/half", minio.PutObjectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := core.PutObjectPart(t.Context(), cfg.Bucket, "ws/half", id, 1, bytes.NewReader(noise(100)), 100, minio.PutObjectPartOptions{}); err != nil {
		t.Fatal(err)
	}
	if n, err := s.AbortIncomplete(t.Context(), time.Now().Add(-time.Hour)); err != nil || n != 0 {
		t.Errorf("dropped %d (%v), want none: the upload is young", n, err)
	}
	if n, err := s.AbortIncomplete(t.Context(), time.Now().Add(time.Hour)); err != nil || n != 1 {
		t.Errorf("dropped %d (%v), want 1", n, err)
	}
	if _, err := core.ListObjectParts(t.Context(), cfg.Bucket, "ws/half", id, 0, 10); err == nil {
		t.Error("the upload is still there")
	}
}

func TestUnavailable(t *testing.T) {
	cfg := objectstest.Config(t)
	cfg.Endpoint = "http://127.0.0.1:1" // nobody listens there
	s, err := objects.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	calls := map[string]func() error{
		"put":    func() error { _, err := s.Put(ctx, "k", "", strings.NewReader("x"), 0); return err },
		"get":    func() error { _, err := s.Get(ctx, "k"); return err },
		"stat":   func() error { _, err := s.Stat(ctx, "k"); return err },
		"delete": func() error { return s.Delete(ctx, "k") },
		"ping":   func() error { return s.Ping(ctx) },
		"ensure": func() error { return s.EnsureBucket(ctx) },
		"sweep":  func() error { _, err := s.AbortIncomplete(ctx, time.Now()); return err },
		"list": func() error {
			for _, err := range s.List(ctx, "") {
				return err
			}
			return nil
		},
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantKind(t, call(), dossier.Unavailable)
		})
	}
}

func TestPing(t *testing.T) {
	cfg := objectstest.Config(t)
	s, err := objects.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Ping(t.Context()); err != nil {
		t.Error(err)
	}
	if err := s.EnsureBucket(t.Context()); err != nil {
		t.Errorf("again: %v", err)
	}
	cfg.Bucket = "no-such-bucket-here"
	other, err := objects.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	wantKind(t, other.Ping(t.Context()), dossier.Unavailable)
}

func TestOpen_refuses(t *testing.T) {
	tests := map[string]objects.Config{
		"S3_BUCKET":          {Endpoint: "http://localhost:9000"},
		"S3_ENDPOINT":        {Endpoint: "ftp://localhost:9000", Bucket: "b"},
		"S3_PUBLIC_ENDPOINT": {Endpoint: "localhost:9000", PublicEndpoint: "http://localhost:9000/path", Bucket: "b"},
	}
	for variable, cfg := range tests {
		if _, err := objects.Open(cfg); err == nil || !strings.Contains(err.Error(), variable) {
			t.Errorf("error %v, want one that names %s", err, variable)
		}
	}
}

func TestPut_cancelled(t *testing.T) {
	s := objectstest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Put(ctx, "k", "", strings.NewReader("x"), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}
