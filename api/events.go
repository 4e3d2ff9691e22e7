package api

import (
	"encoding/json"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
)

type eventsQuery struct {
	After dossier.EventID   `query:"after"`
	Type  dossier.EventType `query:"type"`
	Limit *int              `query:"limit" check:"min=1,max=200"`
}

// eventsAnswer has the bodies as they were delivered. nextToken is the last one's id, the next `after`; null on
// an empty page, so a poller keeps the one it has. epoch counts from 1 how often the feed began anew because a backup
// was put back: events that a poller has seen may be gone then, and others come in their place.
type eventsAnswer struct {
	success
	Events    []json.RawMessage `json:"events"`
	NextToken *dossier.EventID  `json:"nextToken"`
	Epoch     int64             `json:"epoch"`
}

// listEvents lets a client poll instead of receiving webhooks: oldest first, in the order of the commits.
func (s *Server) listEvents(c *fiber.Ctx) error {
	q, err := query[eventsQuery](c)
	if err != nil {
		return err
	}
	if err := knownEvent(q.Type); err != nil {
		return err
	}
	limit := 50
	if q.Limit != nil {
		limit = *q.Limit
	}
	found, epoch, err := s.db.Events(c.UserContext(), workspace(c), q.After, q.Type, limit)
	if err != nil {
		return err
	}
	answer := eventsAnswer{success: yes, Events: []json.RawMessage{}, Epoch: epoch}
	for _, e := range found {
		answer.Events = append(answer.Events, json.RawMessage(e.Body))
		answer.NextToken = &e.ID
	}
	return send(c, fiber.StatusOK, answer)
}
