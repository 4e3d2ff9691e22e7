package api

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier/api/web"
)

// health is the answer of /healthz.
type health struct {
	Status string `json:"status"`
}

// healthz says that the process answers.
func (s *Server) healthz(c *fiber.Ctx) error {
	return send(c, fiber.StatusOK, health{Status: "ok"})
}

// readiness is the answer of /readyz: each dependency with "ok" or "away", never with an error's text.
type readiness struct {
	Status string            `json:"status"`
	Checks map[string]string `json:"checks"`
}

// readyz says whether this process should get requests: it is not draining and Postgres answers. A missing Redis
// or object storage is named but keeps it ready, since most operations go on without.
func (s *Server) readyz(c *fiber.Ctx) error {
	answer := readiness{Status: "ready", Checks: map[string]string{}}
	status := fiber.StatusOK
	select {
	case <-s.draining:
		answer.Status, status = "draining", fiber.StatusServiceUnavailable
	default:
	}
	answer.Checks["postgres"] = s.ping(c.UserContext(), s.db.Ping)
	if answer.Checks["postgres"] != "ok" && status == fiber.StatusOK {
		answer.Status, status = "unavailable", fiber.StatusServiceUnavailable
	}
	for _, check := range s.Ready {
		answer.Checks[check.Name] = s.ping(c.UserContext(), check.Ping)
	}
	if status != fiber.StatusOK {
		web.RetryAfter(c, 5*time.Second)
	}
	return send(c, status, answer)
}

func (s *Server) ping(ctx context.Context, ping func(context.Context) error) string {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if err := ping(ctx); err != nil {
		s.Log.Warn("dependency is away", "error", err)
		return "away"
	}
	return "ok"
}
