package webhooks

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"golang.org/x/net/dns/dnsmessage"
)

// environment is what the tests were started with, for programs that fetch something.
var environment = os.Environ()

// TestMain names a proxy that does not exist before anything reads the environment: a client that used it
// would fail every test that goes by name.
func TestMain(m *testing.M) {
	os.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	os.Setenv("HTTPS_PROXY", "http://127.0.0.1:1")
	os.Exit(m.Run())
}

// resolver answers names from a table and counts the questions. A name given several answers gives them
// in turn and stays with the last: that is DNS rebinding.
type resolver struct {
	mu    sync.Mutex
	names map[string][]string
	asked map[string]int
}

func startResolver(t *testing.T, names map[string][]string) (*resolver, *net.Resolver) {
	t.Helper()
	r := &resolver{names: names, asked: map[string]int{}}
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	go r.serve(conn)
	return r, &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

func (r *resolver) serve(conn net.PacketConn) {
	buf := make([]byte, 512)
	for {
		n, from, err := conn.ReadFrom(buf)
		if err != nil {
			return
		}
		var query dnsmessage.Message
		if query.Unpack(buf[:n]) != nil || len(query.Questions) != 1 {
			continue
		}
		packed, err := r.answer(query).Pack()
		if err == nil {
			conn.WriteTo(packed, from)
		}
	}
}

func (r *resolver) answer(query dnsmessage.Message) *dnsmessage.Message {
	q := query.Questions[0]
	reply := &dnsmessage.Message{Header: dnsmessage.Header{ID: query.ID, Response: true, RecursionAvailable: true}, Questions: query.Questions}
	name := strings.TrimSuffix(q.Name.String(), ".")
	r.mu.Lock()
	defer r.mu.Unlock()
	answers := r.names[name]
	if len(answers) == 0 {
		reply.RCode = dnsmessage.RCodeNameError
		return reply
	}
	ip := netip.MustParseAddr(answers[min(r.asked[name], len(answers)-1)])
	header := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: dnsmessage.ClassINET}
	switch {
	case q.Type == dnsmessage.TypeA && ip.Is4():
		r.asked[name]++
		reply.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AResource{A: ip.As4()}}}
	case q.Type == dnsmessage.TypeAAAA && ip.Is6():
		reply.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AAAAResource{AAAA: ip.As16()}}}
	}
	return reply
}

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}

// testClient may reach 127.0.0.1, which stands for a public address; 127.0.0.2 stands for an internal one.
func testClient(config Config) *Client {
	config.Now = time.Now
	if config.Allow == nil {
		config.Allow = loopback
	}
	return NewClient(config)
}

func deliver(t *testing.T, c *Client, url string) Outcome {
	t.Helper()
	out, err := c.Deliver(t.Context(), Attempt{URL: url, Secrets: []string{testSecret}, EventID: "evt", Body: []byte(`{"a":1}`)})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// endpoint serves handle on 127.0.0.1 and counts requests.
func endpoint(t *testing.T, handle http.HandlerFunc) (string, *atomic.Int64) {
	t.Helper()
	var calls atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		handle(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, &calls
}

func TestClient_blockedAddresses(t *testing.T) {
	names := map[string][]string{
		"v4.example": {"127.0.0.2"}, "metadata.example": {"169.254.169.254"}, "private.example": {"10.0.0.1"},
		"v6.example": {"::1"}, "ula.example": {"fd00:ec2::254"}, "mapped.example": {"::ffff:127.0.0.2"},
		"nat64.example": {"64:ff9b::7f00:2"}, "sixtofour.example": {"2002:7f00:2::"},
	}
	_, lookup := startResolver(t, names)
	c := testClient(Config{Resolver: lookup})
	urls := []string{
		"http://127.0.0.2:1/", "http://169.254.169.254/latest/meta-data", "http://[::1]:1/", "http://[::ffff:10.0.0.1]/",
		"http://[64:ff9b::7f00:1]/", "http://0.0.0.0:1/", "https://10.0.0.1/",
	}
	for name := range names {
		urls = append(urls, "http://"+name+":1/")
	}
	for _, url := range urls {
		if out := deliver(t, c, url); out.Error != dossier.ErrorBlockedAddress || out.Response != "" || out.Status != 0 {
			t.Errorf("%s: %+v", url, out)
		}
	}
}

// What an operator denies is not called, though it is public or allowed: a network of its cloud, its own NAT64 prefix.
func TestClient_deniedAddresses(t *testing.T) {
	called := false
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { called = true }))
	defer server.Close()
	loopback := netip.MustParsePrefix("127.0.0.0/8")
	for _, denied := range []netip.Prefix{loopback, netip.MustParsePrefix("127.0.0.1/32")} {
		c := testClient(Config{Allow: []netip.Prefix{loopback}, Deny: []netip.Prefix{denied}})
		if out := deliver(t, c, server.URL); out.Error != dossier.ErrorBlockedAddress || called {
			t.Errorf("denied %s: %+v", denied, out)
		}
	}
	c := testClient(Config{Allow: []netip.Prefix{loopback}, Deny: []netip.Prefix{netip.MustParsePrefix("161.26.0.0/16")}})
	if out := deliver(t, c, server.URL); out.Error != "" || !called {
		t.Errorf("another network is denied: %+v", out)
	}
}

func TestClient_failsClosed(t *testing.T) {
	c := testClient(Config{Ports: []int{443}})
	for _, tt := range []struct{ network, address string }{
		{"udp4", "8.8.8.8:443"}, {"unix", "/tmp/x"}, {"tcp4", "nonsense"}, {"tcp4", "8.8.8.8"}, {"tcp6", "[fe80::1%eth0]:443"}, {"tcp4", "8.8.8.8:22"},
	} {
		if c.checkAddress(t.Context(), tt.network, tt.address, nil) == nil {
			t.Errorf("%s %s is let through", tt.network, tt.address)
		}
	}
	if err := c.checkAddress(t.Context(), "tcp4", "8.8.8.8:443", nil); err != nil {
		t.Error(err)
	}
}

func TestClient_rebinding(t *testing.T) {
	url, calls := endpoint(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Connection", "close") })
	names, lookup := startResolver(t, map[string][]string{"rebind.example": {"127.0.0.1", "127.0.0.2"}})
	c := testClient(Config{Resolver: lookup})
	url = strings.Replace(url, "127.0.0.1", "rebind.example", 1)
	if out := deliver(t, c, url); out.Status != 200 {
		t.Fatalf("first: %+v", out)
	}
	if out := deliver(t, c, url); out.Error != dossier.ErrorBlockedAddress {
		t.Fatalf("after rebinding: %+v", out)
	}
	names.mu.Lock()
	defer names.mu.Unlock()
	if calls.Load() != 1 || names.asked["rebind.example"] != 2 {
		t.Errorf("%d calls, %d look-ups: every connection is to be looked up and checked", calls.Load(), names.asked["rebind.example"])
	}
}

func TestClient_noProxy(t *testing.T) {
	url, calls := endpoint(t, func(http.ResponseWriter, *http.Request) {})
	_, lookup := startResolver(t, map[string][]string{"hooks.example": {"127.0.0.1"}})
	out := deliver(t, testClient(Config{Resolver: lookup}), strings.Replace(url, "127.0.0.1", "hooks.example", 1))
	if out.Status != 200 || calls.Load() != 1 {
		t.Errorf("%+v: the proxy of the environment was used", out)
	}
}

func TestClient_dnsError(t *testing.T) {
	_, lookup := startResolver(t, nil)
	if out := deliver(t, testClient(Config{Resolver: lookup}), "http://nowhere.example/"); out.Error != dossier.ErrorDNS {
		t.Errorf("%+v", out)
	}
}

func TestClient_connectError(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if out := deliver(t, testClient(Config{}), "http://"+l.Addr().String()); out.Error != dossier.ErrorConnect {
		t.Errorf("%+v", out)
	}
}

func TestClient_redirectIsNotFollowed(t *testing.T) {
	inner, innerCalls := endpoint(t, func(http.ResponseWriter, *http.Request) {})
	for _, target := range []string{inner, "http://169.254.169.254/"} {
		url, _ := endpoint(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, target, http.StatusTemporaryRedirect)
		})
		if out := deliver(t, testClient(Config{}), url); out.Error != dossier.ErrorRedirect || out.Status != 307 {
			t.Errorf("%+v", out)
		}
	}
	if innerCalls.Load() != 0 {
		t.Error("the redirect was followed")
	}
}

func TestDeliver_hangsBeforeHead(t *testing.T) {
	url, _ := endpoint(t, func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	if out := deliver(t, testClient(Config{HeadTimeout: 50 * time.Millisecond}), url); out.Error != dossier.ErrorTimeoutHead || out.Status != 0 || out.Aborted {
		t.Errorf("%+v", out)
	}
}

func TestDeliver_hangsInHandshake(t *testing.T) {
	address := rawServer(t, func(conn net.Conn, _ int) { io.Copy(io.Discard, conn) })
	if out := deliver(t, testClient(Config{HeadTimeout: 50 * time.Millisecond}), "https://"+address); out.Error != dossier.ErrorTLS {
		t.Errorf("%+v", out)
	}
}

func TestDeliver_dripsBody(t *testing.T) {
	url, _ := endpoint(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "drop")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	c := testClient(Config{})
	c.bodyTimeout = 50 * time.Millisecond
	if out := deliver(t, c, url); out.Error != "" || out.Status != 200 || out.Response != "drop" {
		t.Errorf("a 2xx head in time is success: %+v", out)
	}
}

func TestDeliver_hugeBody(t *testing.T) {
	var written atomic.Int64
	done := make(chan struct{})
	url, _ := endpoint(t, func(w http.ResponseWriter, _ *http.Request) {
		defer close(done)
		chunk := bytes.Repeat([]byte("x"), 1<<20)
		for range 100 {
			n, err := w.Write(chunk)
			written.Add(int64(n))
			if err != nil {
				return
			}
		}
	})
	out := deliver(t, testClient(Config{}), url)
	<-done
	if out.Error != "" || len(out.Response) != 16<<10 || written.Load() >= 100<<20 {
		t.Errorf("kept %d bytes, the endpoint could send %d: %+v", len(out.Response), written.Load(), out.Error)
	}
}

func TestDeliver_gzipBomb(t *testing.T) {
	var bomb bytes.Buffer
	zip := gzip.NewWriter(&bomb)
	zip.Write(make([]byte, 8<<20))
	zip.Close()
	var accepts atomic.Value
	url, _ := endpoint(t, func(w http.ResponseWriter, r *http.Request) {
		accepts.Store(r.Header.Get("Accept-Encoding"))
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(bomb.Bytes())
	})
	out := deliver(t, testClient(Config{}), url)
	if out.Error != "" || len(out.Response) > bomb.Len()*3 || accepts.Load() != "" {
		t.Errorf("kept %d of %d bytes, asked for %q", len(out.Response), bomb.Len(), accepts.Load())
	}
}

func TestDeliver_statuses(t *testing.T) {
	for status, want := range map[int]dossier.ErrorClass{
		200: "", 201: "", 204: "", 299: "", 301: "redirect", 304: "redirect", 400: "http_4xx", 404: "http_4xx", 410: "http_4xx", 429: "http_4xx",
		500: "http_5xx", 503: "http_5xx", 700: "http_5xx",
	} {
		url, _ := endpoint(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "120")
			w.WriteHeader(status)
		})
		out := deliver(t, testClient(Config{}), url)
		if out.Error != want || out.Status != status || out.RetryAfter != 2*time.Minute {
			t.Errorf("%d: %+v, want %q", status, out, want)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"": 0, "30": 30 * time.Second, "0": 0, "-5": 0, "soon": 0, "1.5": 0,
		"Wed, 04 Mar 2026 05:07:07 GMT": time.Minute, "Wed, 04 Mar 2026 05:05:07 GMT": 0, "Wednesday, 04-Mar-26 05:07:07 GMT": time.Minute,
		"315360000": 87600 * time.Hour, "99999999999999999999": 1<<63 - 1, "9999999999999": 1<<63 - 1, "-99999999999999999999": 0,
	} {
		if got := retryAfter(header, now); got != want {
			t.Errorf("%q: %s, want %s", header, got, want)
		}
	}
}

func TestDeliver_tls(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	cert := func(host string, until time.Time) tls.Certificate {
		template := &x509.Certificate{
			SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: host}, DNSNames: []string{host}, IsCA: true, BasicConstraintsValid: true,
			NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: until,
		}
		der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
		if err != nil {
			t.Fatal(err)
		}
		leaf, err := x509.ParseCertificate(der)
		if err != nil {
			t.Fatal(err)
		}
		return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
	}
	tomorrow := time.Now().Add(24 * time.Hour)
	tests := []struct {
		name    string
		cert    tls.Certificate
		trusted bool
		want    dossier.ErrorClass
	}{
		{"good", cert("hooks.example", tomorrow), true, ""},
		{"self-signed", cert("hooks.example", tomorrow), false, dossier.ErrorTLS},
		{"expired", cert("hooks.example", time.Now().Add(-time.Hour)), true, dossier.ErrorTLS},
		{"other name", cert("other.example", tomorrow), true, dossier.ErrorTLS},
	}
	_, lookup := startResolver(t, map[string][]string{"hooks.example": {"127.0.0.1"}})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
			server.TLS = &tls.Config{Certificates: []tls.Certificate{tt.cert}}
			server.Config.ErrorLog = quiet()
			server.StartTLS()
			defer server.Close()
			roots := x509.NewCertPool()
			if tt.trusted {
				roots.AddCert(tt.cert.Leaf)
			}
			c := testClient(Config{Resolver: lookup, RootCAs: roots})
			if out := deliver(t, c, strings.Replace(server.URL, "127.0.0.1", "hooks.example", 1)); out.Error != tt.want {
				t.Errorf("%+v, want %q", out, tt.want)
			}
		})
	}
	t.Run("plain server", func(t *testing.T) {
		url, _ := endpoint(t, func(http.ResponseWriter, *http.Request) {})
		if out := deliver(t, testClient(Config{}), strings.Replace(url, "http:", "https:", 1)); out.Error != dossier.ErrorTLS {
			t.Errorf("%+v", out)
		}
	})
}
