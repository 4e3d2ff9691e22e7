package main

import (
	"strings"
	"testing"
	"time"
)

// Whoever waits for a long command sees how far it is: one line on a terminal, a few plain ones in a log.
func TestProgress(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		drawn bool
		want  string
	}{
		"log": {want: "copying objects\ncopying objects: 31 objects, 62 MB\ncopying objects: 61 objects, 122 MB\n"},
		"terminal": {drawn: true, want: "\r\x1b[Kcopying objects\r\x1b[Kcopying objects: 2 objects, 4 MB" +
			"\r\x1b[Kcopying objects: 3 objects, 6 MB"},
	} {
		var out strings.Builder
		now := time.Unix(0, 0)
		p := &progress{out: &out, drawn: test.drawn, now: func() time.Time { return now }}
		p.begin("copying objects")
		for range 70 {
			p.add(2e6)
			now = now.Add(time.Second)
		}
		p.end()
		if !strings.HasPrefix(out.String(), test.want) || test.drawn != strings.HasSuffix(out.String(), "\r\x1b[K") {
			t.Errorf("%s: %q, want %q", name, out.String(), test.want)
		}
	}
}

// Where it is known how many there are, the share is said.
func TestProgress_share(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	p := &progress{out: &out, now: func() time.Time { return time.Unix(0, 0) }}
	p.beginOf("applying migrations", "migration", 78)
	p.now = func() time.Time { return time.Unix(31, 0) }
	p.reach(39)
	if want := "applying migrations\napplying migrations: 39 of 78 migrations, 50 %\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// Of a log that is replayed nobody knows the end: how much is done is said in bytes.
func TestProgress_bytes(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	p := &progress{out: &out, now: func() time.Time { return time.Unix(0, 0) }}
	p.begin("replaying the log")
	p.now = func() time.Time { return time.Unix(31, 0) }
	p.grow(48 << 20)
	if want := "replaying the log\nreplaying the log: 50 MB\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
