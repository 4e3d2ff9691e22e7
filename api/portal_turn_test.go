package api

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
)

// Whoever sends an answer byte by byte keeps no other lead waiting.
func TestPortal_slow_senders(t *testing.T) {
	t.Parallel()
	g := newPortal(t)
	neighbor := g.newGuest(t)
	host := strings.TrimPrefix(g.URL, "http://")
	// More than a server reads before it calls a handler, so that the handler is what waits for the rest.
	body := "value=" + strings.Repeat("9", 20_000)
	senders := make([]net.Conn, cap(g.API.turns)+1)
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

// Where too many want their turn, those who wait too long are told so; a turn that is left is the next one's.
func TestPortal_turns(t *testing.T) {
	t.Parallel()
	turns := make(portalTurns, 1)
	first, second := &turn{turns: turns}, &turn{turns: turns}
	if err := first.take(t.Context()); err != nil {
		t.Fatal(err)
	}
	impatient, cancel := context.WithCancel(t.Context())
	cancel()
	if err := second.take(impatient); dossier.KindOf(err) != dossier.Unavailable {
		t.Errorf("a second turn beside the first: %v", err)
	}
	second.leave() // it had none
	first.leave()
	first.leave()
	if err := second.take(t.Context()); err != nil {
		t.Error(err)
	}
}
