package api

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

func TestLimits(t *testing.T) {
	t.Parallel()
	converse(t, newTestServer(t, withObjects(t)), "limits.txt")
}

// Of registrations made at once no more are taken than the limit leaves room for.
func TestLimits_at_once(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	s.Exec(t, `UPDATE workspaces SET limits = '{"webhooks": 5}'`)
	var wait sync.WaitGroup
	for range 12 {
		wait.Go(func() { s.do(t, "POST", "/save-webhook", `{"url": "https://hooks.example/"}`) })
	}
	wait.Wait()
	if n := pgtest.Value[int](t, s.Server, `SELECT count(*) FROM webhooks`); n != 5 {
		t.Errorf("%d registrations, the limit is 5", n)
	}
}

// Messages of providers beyond the workspace's allowance are to be sent again later.
func TestLimits_inbound(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	s.Exec(t, `UPDATE workspaces SET channels = '{"email": {"provider": "log"}}', limits = '{"inboundPerMinute": 2}'`)
	path := "/inbound/email/" + pgtest.Value[string](t, s.Server, `SELECT inbound_token FROM workspaces`)
	for i, want := range []int{202, 202, 429} {
		got := s.do(t, "POST", path, `{"from": "ann@example.com", "text": "Hello", "messageId": "m`+strconv.Itoa(i)+`"}`, "x-api-key", "")
		if got.Status != want || want == 429 && (got.Header.Get("Retry-After") == "" || valueAt(t, got.Body, "code") != "rate_limited") {
			t.Errorf("message %d: %d %s", i, got.Status, got.Body)
		}
	}
}

// A message says something, or brings something.
func TestInbound_empty(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	s.Exec(t, `UPDATE workspaces SET channels = '{"email": {"provider": "log"}}'`)
	path := "/inbound/email/" + pgtest.Value[string](t, s.Server, `SELECT inbound_token FROM workspaces`)
	for _, text := range []string{``, `"text": "",`, `"text": " \n",`, `"text": null, "attachments": [],`} {
		got := s.do(t, "POST", path, `{`+text+`"from": "ann@example.com", "messageId": "m"}`, "x-api-key", "")
		if got.Status != 400 || !strings.Contains(got.Body, `"pointer":"/text"`) {
			t.Errorf("%s %d %s", text, got.Status, got.Body)
		}
	}
}

// A lead whose documents have no room left reads a sentence on its page; its script gets the problem with the sentence.
func TestPortal_limit(t *testing.T) {
	t.Parallel()
	g := newPortal(t)
	g.Exec(t, `UPDATE workspaces SET limits = '{"documents": 1}'`)
	bank := g.entry(t, "BANK_STATEMENTS")
	g.plan(t, g.script(t, "POST", "/uploads", announced(t, bank, "a.pdf", 10)), 201)
	const sentence = "We have as many files from you as can be kept here."
	got := g.script(t, "POST", "/uploads", announced(t, bank, "b.pdf", 10))
	if got.Status != http.StatusConflict || valueAt(t, got.Body, "code") != "limit_reached" || !strings.HasPrefix(valueAt(t, got.Body, "detail"), sentence) {
		t.Errorf("the script: %d %s", got.Status, got.Body)
	}
	form := "--part\r\nContent-Disposition: form-data; name=\"files\"; filename=\"c.pdf\"\r\n\r\nbytes\r\n--part--\r\n"
	page := g.do(t, "POST", g.path+"/files", form, "x-api-key", "", "Content-Type", "multipart/form-data; boundary=part", "Sec-Fetch-Site", "same-origin")
	if page.Status != http.StatusConflict || !strings.Contains(page.Body, sentence) {
		t.Errorf("the page: %d %s", page.Status, page.Body)
	}
}
