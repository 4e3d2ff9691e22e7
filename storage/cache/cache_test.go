package cache

import (
	"bytes"
	"os"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/dossierhq/dossier"
)

const (
	alpha = dossier.WorkspaceID("01900000-0000-7000-8000-000000000001")
	beta  = dossier.WorkspaceID("01900000-0000-7000-8000-000000000002")
	run   = dossier.PipelineRunID("01900000-0000-7000-8000-0000000000aa")
)

func open(t *testing.T) (*Conn, *miniredis.Miniredis) {
	t.Helper()
	server := miniredis.RunT(t)
	server.SetTime(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	conn, err := Open("redis://" + server.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn, server
}

func TestPoll(t *testing.T) {
	t.Parallel()
	c, server := open(t)
	if err := c.SetPoll(t.Context(), alpha, run, []byte(`{"status":"COMPLETE"}`)); err != nil {
		t.Fatal(err)
	}
	if body, ok, err := c.Poll(t.Context(), alpha, run); err != nil || !ok || string(body) != `{"status":"COMPLETE"}` {
		t.Errorf("Poll = %s, %v, %v", body, ok, err)
	}
	if _, ok, err := c.Poll(t.Context(), beta, run); err != nil || ok {
		t.Errorf("another workspace's poll: found %v, %v; want absent", ok, err)
	}
	server.FastForward(pollTTL)
	if _, ok, err := c.Poll(t.Context(), alpha, run); err != nil || ok {
		t.Errorf("after its time: found %v, %v", ok, err)
	}
	if err := c.SetPoll(t.Context(), alpha, run, bytes.Repeat([]byte("x"), pollMax+1)); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := c.Poll(t.Context(), alpha, run); ok {
		t.Error("a body over 64 KB was kept")
	}
}

func TestAllow(t *testing.T) {
	t.Parallel()
	c, server := open(t)
	take := func(key string) Allowance {
		t.Helper()
		a, err := c.Allow(t.Context(), key, 60, 3)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	for want := 2; want >= 0; want-- {
		if a := take("k"); !a.Allowed || a.Remaining != want {
			t.Fatalf("within the burst: %+v, want %d left", a, want)
		}
	}
	for range 3 { // a refused request takes nothing
		if a := take("k"); a.Allowed || a.Remaining != 0 || a.Wait != time.Second || a.Reset != 3*time.Second {
			t.Fatalf("over the burst: %+v", a)
		}
	}
	if a := take("other"); !a.Allowed {
		t.Error("one key's requests count for another")
	}
	server.SetTime(time.Date(2026, 5, 1, 12, 0, 2, 0, time.UTC)) // two tokens later
	if a := take("k"); !a.Allowed || a.Remaining != 1 {
		t.Errorf("two seconds later: %+v", a)
	}
	if a, err := c.Allow(t.Context(), "k", 0, 0); err != nil || !a.Allowed {
		t.Errorf("no limit: %+v, %v", a, err)
	}
	server.FastForward(10 * time.Second)
	if server.Exists("limit:other") {
		t.Error("a full bucket is not forgotten")
	}
}

func TestAllow_on_a_real_server(t *testing.T) {
	t.Parallel()
	url := os.Getenv("TEST_REDIS_URL")
	if url == "" {
		t.Skip("TEST_REDIS_URL is not set")
	}
	c, err := Open(url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	for i := range 3 {
		a, err := c.Allow(t.Context(), "test-"+t.Name()+time.Now().String(), 60, 2)
		if err != nil || !a.Allowed || a.Remaining != 1 {
			t.Errorf("call %d with a fresh key: %+v, %v", i, a, err)
		}
	}
}

func TestAway(t *testing.T) {
	t.Parallel()
	c, server := open(t)
	server.Close()
	_, _, pollErr := c.Poll(t.Context(), alpha, run)
	_, allowErr := c.Allow(t.Context(), "k", 60, 3)
	for name, err := range map[string]error{"Ping": c.Ping(t.Context()), "Poll": pollErr, "Allow": allowErr,
		"SetPoll": c.SetPoll(t.Context(), alpha, run, []byte("{}"))} {
		if dossier.KindOf(err) != dossier.Unavailable {
			t.Errorf("%s without Redis gave %v, want Unavailable", name, err)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		url    string
		addrs  int
		master string
		tls    bool
		db     int
		bad    bool
	}{
		{url: "redis://127.0.0.1:6379/3", addrs: 1, db: 3},
		{url: "redis://user:secret@cache", addrs: 1},
		{url: "rediss://cache:6380", addrs: 1, tls: true},
		{url: "redis-sentinel://:secret@a:26379,b:26379/1?master=main", addrs: 2, master: "main", db: 1},
		{url: "redis-cluster://a:6379,b:6379,c:6379", addrs: 3},
		{url: "redis-sentinel://a:26379", bad: true},
		{url: "127.0.0.1:6379", bad: true},
		{url: "http://127.0.0.1:6379", bad: true},
		{url: "redis://127.0.0.1:6379/first", bad: true},
	}
	for _, test := range tests {
		opts, err := parse(test.url)
		if (err != nil) != test.bad {
			t.Errorf("%s: %v", test.url, err)
			continue
		}
		if test.bad {
			continue
		}
		if len(opts.Addrs) != test.addrs || opts.MasterName != test.master || (opts.TLSConfig != nil) != test.tls || opts.DB != test.db {
			t.Errorf("%s was read as %+v", test.url, opts)
		}
	}
}

func TestAllow_burst(t *testing.T) {
	t.Parallel()
	c, _ := open(t)
	for i := range 11 { // of a bucket that holds 10
		a, err := c.Allow(t.Context(), "k", 1, 10)
		if err != nil || a.Allowed != (i < 10) || a.Remaining != max(9-i, 0) {
			t.Errorf("request %d: %+v, %v", i+1, a, err)
		}
	}
}

// What a language model said of a document falls with it, also where another one with the same words asked first, and an
// answer that comes late is not kept. Other workspaces keep theirs.
func TestDropAnswers(t *testing.T) {
	t.Parallel()
	c, server := open(t)
	ctx := t.Context()
	kept := func(ws dossier.WorkspaceID, subject, key string) bool {
		_, ok := c.Answer(ctx, ws, subject, key)
		return ok
	}
	for _, ws := range []dossier.WorkspaceID{alpha, beta} {
		c.KeepAnswer(ctx, ws, "first", "k", []byte("{}"))
	}
	if !kept(alpha, "second", "k") || kept(alpha, "second", "other") {
		t.Error("the same words are asked about anew, or an answer is of another question")
	}
	if err := c.DropAnswers(ctx, alpha, []string{"second"}); err != nil {
		t.Fatal(err)
	}
	c.KeepAnswer(ctx, alpha, "second", "late", []byte("{}"))
	if kept(alpha, "first", "k") || kept(alpha, "first", "late") || !kept(beta, "first", "k") {
		t.Error("an answer of an erased document is kept, or one of another workspace is not")
	}
	c.KeepAnswer(ctx, alpha, "first", "k", []byte("{}"))
	if err := c.DropAllAnswers(ctx, alpha); err != nil {
		t.Fatal(err)
	}
	if kept(alpha, "first", "k") || !kept(beta, "first", "k") {
		t.Error("an answer of an erased workspace is kept, or one of another is not")
	}
	server.FastForward(answerTTL + time.Second)
	if keys := server.Keys(); len(keys) != 0 {
		t.Errorf("left after a day: %q", keys)
	}
}
