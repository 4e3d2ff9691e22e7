package webhooks

import (
	"bufio"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
)

func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

// rawServer accepts TCP connections and hands each to serve with its number, from 0.
func rawServer(t *testing.T, serve func(conn net.Conn, n int)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for n := 0; ; n++ {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				serve(conn, n)
			}()
		}
	}()
	return l.Addr().String()
}

// readRequest consumes one request with its body.
func readRequest(r *bufio.Reader) error {
	req, err := http.ReadRequest(r)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, req.Body)
	return err
}

func reset(conn net.Conn) {
	conn.(*net.TCPConn).SetLinger(0)
	conn.Close()
}

func TestDeliver_sendsExactlyWhatWasSigned(t *testing.T) {
	type request struct {
		header http.Header
		body   []byte
		method string
	}
	got := make(chan request, 1)
	url, _ := endpoint(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- request{r.Header, body, r.Method}
		io.WriteString(w, "thanks")
	})
	body := []byte("{\"z\":1,  \"a\":\"Zo\u00eb\"}")
	old, young := newTestSecret(t), newTestSecret(t)
	out, err := testClient(Config{}).Deliver(t.Context(), Attempt{
		URL: url, Secrets: []string{young, old}, EventID: "0190", Body: body,
		Headers: []dossier.Header{{Key: "Authorization", Value: "Bearer <TOKEN>"}, {Key: "webhook-id", Value: "forged"}, {Key: "X-A", Value: "a\r\nX-B: b"}, {Key: "Host", Value: "evil"}},
	})
	if err != nil || out.Error != "" || out.Status != 200 || out.Response != "thanks" {
		t.Fatalf("%+v %v", out, err)
	}
	r := <-got
	if r.method != "POST" || string(r.body) != string(body) || r.header.Get("Content-Type") != "application/json" {
		t.Errorf("%s %q %v", r.method, r.body, r.header)
	}
	if r.header.Get("Authorization") != "Bearer <TOKEN>" || r.header.Get("X-A") != "" || r.header.Get("X-B") != "" || len(r.header.Values("Webhook-Id")) != 1 {
		t.Errorf("headers %v", r.header)
	}
	for _, secret := range []string{old, young} {
		if err := Verify([]string{secret}, r.header, r.body, time.Now()); err != nil {
			t.Error(err)
		}
	}
}

func TestDeliver_resetAfterRequest(t *testing.T) {
	var served atomic.Int64
	address := rawServer(t, func(conn net.Conn, _ int) {
		served.Add(1)
		readRequest(bufio.NewReader(conn))
		reset(conn)
	})
	if out := deliver(t, testClient(Config{}), "http://"+address); out.Error != dossier.ErrorReset || served.Load() != 1 {
		t.Errorf("%+v after %d requests", out, served.Load())
	}
}

func TestDeliver_garbage(t *testing.T) {
	address := rawServer(t, func(conn net.Conn, _ int) {
		readRequest(bufio.NewReader(conn))
		io.WriteString(conn, "220 smtp.example ESMTP\r\n")
	})
	if out := deliver(t, testClient(Config{}), "http://"+address); out.Error != dossier.ErrorReset {
		t.Errorf("%+v", out)
	}
}

// An endpoint that closed an idle connection must not cost a try: the request goes out again on a new one.
func TestDeliver_deadKeptConnection(t *testing.T) {
	address := rawServer(t, func(conn net.Conn, n int) {
		r := bufio.NewReader(conn)
		readRequest(r)
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
		readRequest(r) // the first connection gets a second request and dies of it
	})
	c := testClient(Config{})
	for range 2 {
		if out := deliver(t, c, "http://"+address); out.Error != "" {
			t.Fatalf("%+v", out)
		}
	}
	if s := c.Stats(); s.Opened != 2 || s.Reused != 1 {
		t.Errorf("%+v", s)
	}
}

func TestDeliver_earlySuccessThenReset(t *testing.T) {
	address := rawServer(t, func(conn net.Conn, _ int) {
		readRequest(bufio.NewReader(conn))
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nab")
		reset(conn)
	})
	if out := deliver(t, testClient(Config{}), "http://"+address); out.Error != "" || out.Status != 200 {
		t.Errorf("%+v", out)
	}
}

func TestDeliver_continue(t *testing.T) {
	address := rawServer(t, func(conn net.Conn, _ int) {
		readRequest(bufio.NewReader(conn)) // before that a 100 would be an answer to nothing
		io.WriteString(conn, "HTTP/1.1 100 Continue\r\n\r\n")
		io.WriteString(conn, "HTTP/1.1 204 No Content\r\n\r\n")
	})
	if out := deliver(t, testClient(Config{}), "http://"+address); out.Error != "" || out.Status != 204 {
		t.Errorf("%+v", out)
	}
}

func TestDeliver_endlessContinue(t *testing.T) {
	address := rawServer(t, func(conn net.Conn, _ int) {
		for {
			if _, err := io.WriteString(conn, "HTTP/1.1 100 Continue\r\n\r\n"); err != nil {
				return
			}
		}
	})
	if out := deliver(t, testClient(Config{HeadTimeout: 200 * time.Millisecond}), "http://"+address); out.Error == "" || out.Status != 0 {
		t.Errorf("%+v", out)
	}
}

func TestDeliver_hugeHead(t *testing.T) {
	url, _ := endpoint(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Large", strings.Repeat("x", 100<<10))
	})
	if out := deliver(t, testClient(Config{}), url); out.Error != dossier.ErrorTooLarge {
		t.Errorf("%+v", out)
	}
}

func TestDeliver_notUTF8(t *testing.T) {
	url, _ := endpoint(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "a\xff\xfe\x00b") })
	if out := deliver(t, testClient(Config{}), url); out.Response != "a\uFFFDb" {
		t.Errorf("%q", out.Response)
	}
}

func TestDeliver_reusesConnections(t *testing.T) {
	url, _ := endpoint(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok") })
	c := testClient(Config{})
	for range 10 {
		deliver(t, c, url)
	}
	if s := c.Stats(); s.Opened != 1 || s.Reused != 9 {
		t.Errorf("%+v", s)
	}
}

func TestDeliver_aborted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	url, _ := endpoint(t, func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		cancel()
		<-r.Context().Done()
	})
	out, err := testClient(Config{}).Deliver(ctx, Attempt{URL: url, Secrets: []string{testSecret}, EventID: "e"})
	if err != nil || !out.Aborted {
		t.Errorf("%+v %v", out, err)
	}
}

func TestDeliver_ourFaults(t *testing.T) {
	for _, a := range []Attempt{
		{URL: "http://127.0.0.1/", EventID: "e"},
		{URL: "http://127.0.0.1/", EventID: "e", Secrets: []string{"whsec_short"}},
		{URL: "http://%zz/", EventID: "e", Secrets: []string{testSecret}},
	} {
		if _, err := testClient(Config{}).Deliver(t.Context(), a); dossier.KindOf(err) != dossier.Invalid {
			t.Errorf("%+v: %v", a, err)
		}
	}
}
