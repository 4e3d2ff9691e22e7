package worker

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
)

// stalling is an S3 server behind a proxy that can hold or break the writing of some objects.
type stalling struct {
	cfg   objects.Config // through the proxy
	store *objects.Store // past it
	free  chan struct{}  // closed when held requests may go
	letGo func()
	put   atomic.Pointer[func(w http.ResponseWriter, r *http.Request, forward http.Handler)]
}

// newStalling makes one for the objects whose key has a part.
func newStalling(t *testing.T, part string) *stalling {
	t.Helper()
	s := &stalling{free: make(chan struct{})}
	s.letGo = sync.OnceFunc(func() { close(s.free) })
	s.cfg = objectstest.Config(t)
	var err error
	if s.store, err = objects.Open(s.cfg); err != nil {
		t.Fatal(err)
	}
	backend, err := url.Parse(s.cfg.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(backend); r.Out.Host = r.In.Host }} // requests are signed with their host
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if do := s.put.Load(); do != nil && r.Method == http.MethodPut && strings.Contains(r.URL.Path, part) {
			(*do)(w, r, forward)
			return
		}
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { s.letGo(); proxy.CloseClientConnections(); proxy.Close() })
	s.cfg.Endpoint = proxy.URL
	return s
}

func (s *stalling) onPut(do func(w http.ResponseWriter, r *http.Request, forward http.Handler)) {
	if do == nil {
		s.put.Store(nil)
		return
	}
	s.put.Store(&do)
}

// stored lists the keys that begin with a prefix.
func (s *stalling) stored(t *testing.T, prefix string) []string {
	t.Helper()
	var keys []string
	for info, err := range s.store.List(t.Context(), prefix) {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, info.Key)
	}
	return keys
}

// child starts a worker process of its own that writes through the proxy.
func (s *stalling) child(t *testing.T, b *bench) *victim {
	t.Helper()
	s3, err := json.Marshal(s.cfg)
	if err != nil {
		t.Fatal(err)
	}
	return newVictim(b, b.url, "TEST_CHILD_S3="+string(s3))
}
