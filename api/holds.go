package api

import (
	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/record"
)

// holdBody is the body of POST /api/v1/leads/{leadId}/holds.
type holdBody struct {
	Reason string `json:"reason" check:"required"`
}

type holdAnswer struct {
	success
	Hold record.Hold `json:"hold"`
}

type holdsQuery struct{ paging }

type holdsAnswer struct {
	success
	Holds     []record.Hold `json:"holds"`
	NextToken *string       `json:"nextToken"`
}

// createHold keeps a lead from being erased.
func (s *Server) createHold(c *fiber.Ctx) error {
	id, err := pathID[dossier.LeadID](c, "leadId")
	if err != nil {
		return err
	}
	body, err := decode[holdBody](c)
	if err != nil {
		return err
	}
	h, err := s.db.CreateHold(c.UserContext(), workspace(c), id, body.Reason)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusCreated, holdAnswer{yes, record.OfHold(h)})
}

func (s *Server) listHolds(c *fiber.Ctx) error {
	id, err := pathID[dossier.LeadID](c, "leadId")
	if err != nil {
		return err
	}
	q, err := query[holdsQuery](c)
	if err != nil {
		return err
	}
	page, err := q.page(c)
	if err != nil {
		return err
	}
	list, err := s.db.Holds(c.UserContext(), workspace(c), id, page)
	if err != nil {
		return err
	}
	list, next := pageEnd(c, page, list,
		func(h dossier.Hold) dossier.Cursor { return dossier.Cursor{At: h.CreatedAt, ID: string(h.ID)} })
	answer := holdsAnswer{success: yes, Holds: []record.Hold{}, NextToken: next}
	for _, h := range list {
		answer.Holds = append(answer.Holds, record.OfHold(h))
	}
	return send(c, fiber.StatusOK, answer)
}

// releaseHold ends a hold. It stays in the list.
func (s *Server) releaseHold(c *fiber.Ctx) error {
	lead, err := pathID[dossier.LeadID](c, "leadId")
	if err != nil {
		return err
	}
	id, err := pathID[dossier.HoldID](c, "holdId")
	if err != nil {
		return err
	}
	by, err := changedBy(c)
	if err != nil {
		return err
	}
	if err := s.db.ReleaseHold(c.UserContext(), workspace(c), lead, id, by); err != nil {
		return err
	}
	return noContent(c)
}
