package api

import (
	"fmt"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
)

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
	got, counted := s.door.Count(c, name+":"+who.name(), perMinute)
	if !counted {
		return nil
	}
	c.Set("RateLimit", fmt.Sprintf(`"%s";r=%d;t=%d`, name, got.Remaining, web.WholeSeconds(got.Reset)))
	if got.Allowed {
		return nil
	}
	web.RetryAfter(c, got.Wait)
	return dossier.Errorf(dossier.Limited, "More than %d requests a minute; try again in %d s", perMinute,
		max(1, web.WholeSeconds(got.Wait)))
}
