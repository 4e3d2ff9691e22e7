package api

import (
	"testing"
	"time"

	"github.com/dossierhq/dossier/storage/cache"
)

// Tokens taken ahead are given once each, count down, and are forgotten after a second.
func TestSpareTokens(t *testing.T) {
	t.Parallel()
	var spare spareTokens
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	if _, ok := spare.take("k", now); ok {
		t.Error("a token out of nothing")
	}
	spare.keep("k", cache.Allowance{Allowed: true, Remaining: 90}, 2, now)
	for _, want := range []int{91, 90} {
		if got, ok := spare.take("k", now); !ok || !got.Allowed || got.Remaining != want {
			t.Errorf("took %+v, %v, want %d left", got, ok, want)
		}
	}
	if _, ok := spare.take("k", now); ok {
		t.Error("more was given than taken")
	}
	spare.keep("k", cache.Allowance{Allowed: true}, 5, now)
	if _, ok := spare.take("other", now); ok {
		t.Error("one key's tokens were given to another")
	}
	if _, ok := spare.take("k", now.Add(time.Second+1)); ok {
		t.Error("a token was given that is past its second")
	}
}

// A key with a large allowance asks Redis for several tokens at once, and the answer counts what is left of all.
func TestEdge_rate_limit_of_a_busy_key(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.RateLimit = 6000 })
	s.Redis.SetTime(s.Clock.Now())
	if got := s.do(t, "GET", keysPath, ""); got.Header.Get("RateLimit") != `"default";r=5999;t=1` {
		t.Errorf("first: %d %v", got.Status, got.Header)
	}
	if got := s.Redis.HGet("limit:"+s.Redis.Keys()[0][len("limit:"):], "tokens"); got != "5990.0" && got != "5990" {
		t.Errorf("the bucket holds %s, want 5990: ten were taken at once", got)
	}
}
