package api

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/cache"
)

// limitPause remembers that Redis was away, so that not every request waits to find out again.
type limitPause struct{ until atomic.Int64 }

const pauseFor = time.Second

// limitRate takes one token from the key's bucket and tells the caller how it stands. The counting is in Redis;
// without Redis requests pass, since a limit is no reason to refuse work.
func (s *Server) limitRate(c *fiber.Ctx, r route, who caller) error {
	name, perMinute := "default", s.RateLimit
	if r.class == upload || r.uploads {
		name, perMinute = "uploads", s.RateLimitUpload
	}
	if perMinute <= 0 || s.Cache == nil {
		return nil
	}
	c.Set("RateLimit-Policy", fmt.Sprintf(`"%s";q=%d;w=60`, name, perMinute))
	if time.Now().UnixNano() < s.limits.until.Load() {
		return nil
	}
	ctx, cancel := context.WithTimeout(c.UserContext(), 250*time.Millisecond)
	defer cancel()
	got, err := s.takeToken(ctx, name+":"+string(who.key.ID), perMinute)
	if err != nil {
		s.limits.until.Store(time.Now().Add(pauseFor).UnixNano())
		s.Log.Warn("rate limits are not counted", "error", err)
		return nil
	}
	c.Set("RateLimit", fmt.Sprintf(`"%s";r=%d;t=%d`, name, got.Remaining, wholeSeconds(got.Reset)))
	if got.Allowed {
		return nil
	}
	retryAfter(c, got.Wait)
	return dossier.Errorf(dossier.Limited, "More than %d requests a minute with this key; try again in %d s", perMinute, max(1, wholeSeconds(got.Wait)))
}

// takeToken takes one token of the bucket. Of an allowance of over 600 a minute it takes a tenth of a second's worth at
// once, and the requests that follow within the second are counted here: a busy key does not ask Redis each time.
func (s *Server) takeToken(ctx context.Context, bucket string, perMinute int) (cache.Allowance, error) {
	atOnce := min(max(perMinute/600, 1), 64)
	if atOnce == 1 {
		return s.Cache.Allow(ctx, bucket, perMinute, perMinute)
	}
	if got, ok := s.spare.take(bucket, time.Now()); ok {
		return got, nil
	}
	got, taken, err := s.Cache.AllowSome(ctx, bucket, perMinute, perMinute, atOnce)
	if err == nil && taken > 1 {
		s.spare.keep(bucket, got, taken-1, time.Now())
		got.Remaining += taken - 1
	}
	return got, err
}

// spareTokens are tokens taken from buckets and not used yet. They are forgotten after a second, in which the bucket
// has refilled.
type spareTokens struct {
	mu   sync.Mutex
	kept map[string]spareToken
}

type spareToken struct {
	left  int
	asOf  cache.Allowance // what the bucket said, without these tokens
	until time.Time
}

func (t *spareTokens) take(bucket string, now time.Time) (cache.Allowance, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	spare, ok := t.kept[bucket]
	if !ok || spare.left == 0 || now.After(spare.until) {
		return cache.Allowance{}, false
	}
	spare.left--
	t.kept[bucket] = spare
	spare.asOf.Remaining += spare.left
	return spare.asOf, true
}

func (t *spareTokens) keep(bucket string, asOf cache.Allowance, n int, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.kept == nil || len(t.kept) >= maxKeysKept {
		t.kept = map[string]spareToken{}
	}
	if old := t.kept[bucket]; !now.After(old.until) {
		n += old.left // several asked at once
	}
	t.kept[bucket] = spareToken{left: n, asOf: asOf, until: now.Add(time.Second)}
}

// wholeSeconds rounds up, so that whoever waits as told is not early.
func wholeSeconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
