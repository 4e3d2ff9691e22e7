package api

import (
	"encoding/json"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
)

type eventsQuery struct {
	After dossier.EventID   `query:"after"`
	Since *time.Time        `query:"since"`
	Type  dossier.EventType `query:"type"`
	Limit *int              `query:"limit" check:"min=1,max=200"`
	Tail  bool              `query:"tail"`
}

// eventsAnswer has the bodies as they were delivered. nextToken is the last one's id, the next `after`; null on
// an empty page, so a poller keeps the one it has. epoch is 1 until a backup is put back, and another number after each
// time: events that a poller has seen may be gone then, and others come in their place.
type eventsAnswer struct {
	success
	Events    []feedEvent      `json:"events"`
	NextToken *dossier.EventID `json:"nextToken"`
	Epoch     int64            `json:"epoch"`
}

// feedEvent is the body of an event as it was delivered.
type feedEvent struct{ json.RawMessage }

// listEvents lets a client poll instead of receiving webhooks: oldest first, in the order of the commits.
func (s *Server) listEvents(c *fiber.Ctx) error {
	q, err := query[eventsQuery](c)
	if err != nil {
		return err
	}
	if err := knownEvent(q.Type); err != nil {
		return err
	}
	filter := postgres.EventFilter{After: q.After, Since: q.Since, Type: q.Type, Tail: q.Tail, Limit: 50}
	if q.Limit != nil {
		filter.Limit = *q.Limit
	}
	found, epoch, err := s.db.Events(c.UserContext(), workspace(c), filter)
	if err != nil {
		return err
	}
	answer := eventsAnswer{success: yes, Events: []feedEvent{}, Epoch: epoch}
	for _, e := range found {
		answer.Events = append(answer.Events, feedEvent{json.RawMessage(e.Body)})
		answer.NextToken = &e.ID
	}
	return send(c, fiber.StatusOK, answer)
}
