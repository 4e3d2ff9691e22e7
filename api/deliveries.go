package api

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

type deliveriesQuery struct {
	Status dossier.DeliveryStatus `query:"status"`
	Type   dossier.EventType      `query:"type"`
	Since  *time.Time             `query:"since"`
	paging
}

// allDeliveriesQuery is deliveriesQuery over all endpoints: an event's way to each of them.
type allDeliveriesQuery struct {
	WebhookID dossier.WebhookID `query:"webhookId"`
	EventID   dossier.EventID   `query:"eventId"`
	deliveriesQuery
}

type deliveriesAnswer struct {
	success
	Deliveries []record.Delivery `json:"deliveries"`
	NextToken  *string           `json:"nextToken"`
}

// deliveryDetail is a delivery with every attempt, oldest first.
type deliveryDetail struct {
	record.Delivery
	AttemptLog []record.Attempt `json:"attemptLog"`
}

type deliveryDetailAnswer struct {
	success
	Delivery deliveryDetail `json:"delivery"`
}

type deliveryAnswer struct {
	success
	Delivery record.Delivery `json:"delivery"`
}

func (s *Server) listWebhookDeliveries(c *fiber.Ctx) error {
	id, err := pathID[dossier.WebhookID](c, "webhookId")
	if err != nil {
		return err
	}
	q, err := query[deliveriesQuery](c)
	if err != nil {
		return err
	}
	return s.sendDeliveries(c, q, postgres.DeliveryFilter{Webhook: id})
}

func (s *Server) listDeliveries(c *fiber.Ctx) error {
	q, err := query[allDeliveriesQuery](c)
	if err != nil {
		return err
	}
	return s.sendDeliveries(c, q.deliveriesQuery, postgres.DeliveryFilter{Webhook: q.WebhookID, Event: q.EventID})
}

func (s *Server) sendDeliveries(c *fiber.Ctx, q deliveriesQuery, filter postgres.DeliveryFilter) error {
	if err := knownEvent(q.Type); err != nil {
		return err
	}
	page, err := q.page(c)
	if err != nil {
		return err
	}
	filter.Status, filter.Type = q.Status, q.Type
	if q.Since != nil {
		filter.Since = *q.Since
	}
	found, err := s.db.Deliveries(c.UserContext(), workspace(c), filter, page)
	if err != nil {
		return err
	}
	found, next := pageEnd(c, page, found,
		func(d dossier.Delivery) dossier.Cursor { return dossier.Cursor{At: d.CreatedAt, ID: string(d.ID)} })
	answer := deliveriesAnswer{success: yes, Deliveries: []record.Delivery{}, NextToken: next}
	for _, d := range found {
		answer.Deliveries = append(answer.Deliveries, record.OfDelivery(d))
	}
	return send(c, fiber.StatusOK, answer)
}

// knownEvent refuses a filter that can match nothing. Empty is no filter.
func knownEvent(t dossier.EventType) error {
	if t == "" || t.Known() {
		return nil
	}
	return dossier.InvalidFaults([]dossier.Fault{{Parameter: "type", Code: "unknown_event",
		Detail: "type is not the name of an event"}})
}

func (s *Server) readDelivery(c *fiber.Ctx) error {
	id, err := pathID[dossier.DeliveryID](c, "deliveryId")
	if err != nil {
		return err
	}
	d, attempts, err := s.db.Delivery(c.UserContext(), workspace(c), id)
	if err != nil {
		return err
	}
	detail := deliveryDetail{Delivery: record.OfDelivery(d), AttemptLog: []record.Attempt{}}
	for _, a := range attempts {
		detail.AttemptLog = append(detail.AttemptLog, record.OfAttempt(a))
	}
	return send(c, fiber.StatusOK, deliveryDetailAnswer{yes, detail})
}

// redeliver makes a delivery due at once, whatever became of it, with the same webhook-id.
func (s *Server) redeliver(c *fiber.Ctx) error {
	id, err := pathID[dossier.DeliveryID](c, "deliveryId")
	if err != nil {
		return err
	}
	d, err := s.db.Redeliver(c.UserContext(), workspace(c), id)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusAccepted, deliveryAnswer{yes, record.OfDelivery(d)})
}
