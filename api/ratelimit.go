package api

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
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
	got, err := s.Cache.Allow(ctx, name+":"+who.name(), perMinute, perMinute)
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
	return dossier.Errorf(dossier.Limited, "More than %d requests a minute; try again in %d s", perMinute,
		max(1, wholeSeconds(got.Wait)))
}

// wholeSeconds rounds up, so that whoever waits as told is not early.
func wholeSeconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
