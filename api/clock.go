package api

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

// clockBody is the body of POST /api/v1/test/clock.
type clockBody struct {
	LeadID  dossier.LeadID `json:"leadId" check:"required"`
	Advance string         `json:"advance" check:"required"`
}

type clockAnswer struct {
	success
	Now      record.Time       `json:"now"`
	Happened []dossier.EventID `json:"happened"`
}

// maxAdvance is how far one call may put a clock forward: a leap year.
const maxAdvance = 8784 * time.Hour

// clockWait is how long a call waits for what is due on the way.
const clockWait = 25 * time.Second

// clockLook is how often it looks whether all is done.
const clockLook = 20 * time.Millisecond

// advance reads how far the clock is to go.
func (b clockBody) advance() time.Duration {
	d, err := time.ParseDuration(b.Advance)
	if err != nil || d > maxAdvance {
		return 0
	}
	return d
}

func (b clockBody) Faults() []dossier.Fault {
	if b.Advance == "" || b.advance() > 0 {
		return nil
	}
	return []dossier.Fault{{Pointer: "/advance", Code: "invalid_value",
		Detail: "advance must be a duration such as 72h or 1h30m, more than 0 and at most 8784h"}}
}

// advanceClock puts a test lead's clock forward; the workers do what is due on the way. A repeat goes on towards the
// time that the first call began to go to.
func (s *Server) advanceClock(c *fiber.Ctx) error {
	if err := onlyTests(c); err != nil {
		return err
	}
	body, err := decode[clockBody](c)
	if err != nil {
		return err
	}
	ctx, ws := c.UserContext(), workspace(c)
	deadline := s.Now().Add(clockWait)
	wait := func() bool { return s.Now().Before(deadline) && jobs.Sleep(ctx, clockLook) }
	start, err := s.db.StartClock(ctx, ws, body.LeadID, body.advance())
	if err != nil {
		return err
	}
	now, err := s.db.AdvanceLead(ctx, ws, body.LeadID, start.Until, wait)
	if dossier.KindOf(err) == dossier.NotFound { // an erasure was due
		now, err = start.Until, nil
	}
	if err != nil {
		return err
	}
	happened, err := s.db.EventsOfLead(postgres.WithIdempotency(ctx, nil), ws, body.LeadID, start.Feed)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, clockAnswer{yes, record.Time(now), orEmpty(happened)})
}

// atTimeOf makes a test key's request about a test lead run at the lead's time (postgres.WithAhead).
func (s *Server) atTimeOf(c *fiber.Ctx, lead dossier.LeadID) error {
	if !callerOf(c).key.IsTest || !dossier.ValidID(string(lead)) {
		return nil
	}
	ahead, err := s.db.LeadAhead(c.UserContext(), workspace(c), lead)
	switch {
	case dossier.KindOf(err) == dossier.NotFound:
		return nil // the handler says so
	case err != nil:
		return err
	case ahead != 0:
		c.SetUserContext(postgres.WithAhead(c.UserContext(), ahead))
	}
	return nil
}
