package web

import (
	"context"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/cache"
)

// RetryAfter writes the header in whole seconds, at least one.
func RetryAfter(c *fiber.Ctx, wait time.Duration) {
	c.Set(fiber.HeaderRetryAfter, strconv.Itoa(max(1, WholeSeconds(wait))))
}

// LimitOpen counts a request that has no key. Like all limits it lets pass what Redis cannot count.
func (d *Door) LimitOpen(c *fiber.Ctx, key string, perMinute int) error {
	got, counted := d.Count(c, key, perMinute)
	if !counted || got.Allowed {
		return nil
	}
	RetryAfter(c, got.Wait)
	return dossier.Errorf(dossier.Limited, "Too many requests; try again in %d s", max(1, WholeSeconds(got.Wait)))
}

// countPause is how long nothing is counted after Redis was away, so that not every request waits to find out again.
const countPause = time.Second

// Count takes one token from a bucket of so many a minute; counted is false where Redis cannot say.
func (d *Door) Count(c *fiber.Ctx, key string, perMinute int) (got cache.Allowance, counted bool) {
	if d.cache == nil || time.Now().UnixNano() < d.uncounted.Load() {
		return got, false
	}
	ctx, cancel := context.WithTimeout(c.UserContext(), 250*time.Millisecond)
	defer cancel()
	got, err := d.cache.Allow(ctx, key, perMinute, perMinute)
	if err != nil {
		d.uncounted.Store(time.Now().Add(countPause).UnixNano())
		d.log.Warn("rate limits are not counted", "error", err)
		return got, false
	}
	return got, true
}

// WholeSeconds rounds up, so that whoever waits as told is not early.
func WholeSeconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
