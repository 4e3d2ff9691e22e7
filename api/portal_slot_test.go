package api

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/dossierhq/dossier/api/web"
)

// Whoever sends an answer byte by byte keeps no other lead waiting.
func TestPortal_slow_senders(t *testing.T) {
	t.Parallel()
	g := newPortal(t)
	neighbor := g.newGuest(t)
	host := strings.TrimPrefix(g.URL, "http://")
	// More than a server reads before it calls a handler, so that the handler is what waits for the rest.
	body := "value=" + strings.Repeat("9", 20_000)
	senders := make([]net.Conn, web.HalfOfProcessors()+1)
	for i := range senders {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		fmt.Fprintf(conn, "POST %s/items/%s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s", g.path, g.entry(t, "AMOUNT"), host, len(body), body[:15_000])
		senders[i] = conn
	}
	for range 30 { // the slow ones come to their handlers meanwhile
		if got := neighbor.page(t); got.Status != 200 {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
	}
	for _, conn := range senders { // they were on their way all the time
		fmt.Fprint(conn, body[15_000:])
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusSeeOther {
			t.Errorf("the slow answer: %d", answer.StatusCode)
		}
	}
}

// A lead that somebody holds, because a provider is slow to take a message, keeps no page waiting: its own is shown,
// and an answer that would have to wait is to be sent again.
func TestPortal_of_a_lead_that_is_held(t *testing.T) {
	t.Parallel()
	g := newPortal(t)
	neighbor := g.newGuest(t)
	entry := g.entry(t, "AMOUNT")
	g.Exec(t, `BEGIN`)
	g.Exec(t, `SELECT FROM leads WHERE id = $1 FOR UPDATE`, g.lead)
	if got := g.page(t); got.Status != 200 {
		t.Errorf("its page: %d %s", got.Status, got.Body)
	}
	got := g.do(t, "POST", g.path+"/items/"+entry, "value=9", "x-api-key", "", "Content-Type", "application/x-www-form-urlencoded",
		"Accept", "application/json", "Sec-Fetch-Site", "same-origin")
	if got.Status != 503 || got.Header.Get("Retry-After") == "" || !strings.Contains(got.Body, "Somebody else is changing this") { // it gave up by itself
		t.Errorf("its answer: %d %s", got.Status, got.Body)
	}
	if got := neighbor.page(t); got.Status != 200 {
		t.Errorf("another's page: %d", got.Status)
	}
	g.Exec(t, `ROLLBACK`)
	if got := g.fill(t, "AMOUNT", url.Values{"value": {"9000"}}); got.Status != 200 {
		t.Errorf("afterwards: %d", got.Status)
	}
}
