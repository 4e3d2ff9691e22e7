package api

import (
	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/record"
)

type escalationAnswer struct {
	success
	Escalation record.Escalation `json:"escalation"`
}

type escalationsQuery struct {
	LeadID dossier.LeadID           `query:"leadId"`
	Status dossier.EscalationStatus `query:"status"`
	paging
}

type escalationsAnswer struct {
	success
	Escalations []record.Escalation `json:"escalations"`
	NextToken   *string             `json:"nextToken"`
}

// escalationBody is the body of POST /api/v1/leads/{leadId}/escalations.
type escalationBody struct {
	Reason string  `json:"reason" check:"required"`
	Detail *string `json:"detail" check:"text"`
}

// createEscalation asks for a person; the lead is in REVIEW until it is resolved, unless it is closed.
func (s *Server) createEscalation(c *fiber.Ctx) error {
	lead, err := pathID[dossier.LeadID](c, "leadId")
	if err != nil {
		return err
	}
	body, err := decode[escalationBody](c)
	if err != nil {
		return err
	}
	by, err := changedBy(c)
	if err != nil {
		return err
	}
	e, err := s.db.CreateEscalation(c.UserContext(), workspace(c), lead, body.Reason, body.Detail, by)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusCreated, escalationAnswer{yes, record.OfEscalation(e)})
}

// listEscalations answers a workspace's escalations, newest first.
func (s *Server) listEscalations(c *fiber.Ctx) error {
	q, err := query[escalationsQuery](c)
	if err != nil {
		return err
	}
	page, err := q.page(c)
	if err != nil {
		return err
	}
	list, err := s.db.Escalations(c.UserContext(), workspace(c), q.LeadID, q.Status, page)
	if err != nil {
		return err
	}
	list, next := pageEnd(c, page, list,
		func(e dossier.Escalation) dossier.Cursor { return dossier.Cursor{At: e.CreatedAt, ID: string(e.ID)} })
	answer := escalationsAnswer{success: yes, Escalations: []record.Escalation{}, NextToken: next}
	for _, e := range list {
		answer.Escalations = append(answer.Escalations, record.OfEscalation(e))
	}
	return send(c, fiber.StatusOK, answer)
}

// resolveBody is the body of POST /api/v1/escalations/{escalationId}/resolve; all of it is optional.
type resolveBody struct {
	Note *string `json:"note" check:"text"`
}

// resolveEscalation closes an escalation in the name of x-actor. Resolving it again changes nothing.
func (s *Server) resolveEscalation(c *fiber.Ctx) error {
	id, err := pathID[dossier.EscalationID](c, "escalationId")
	if err != nil {
		return err
	}
	body, err := decodeOrEmpty[resolveBody](c)
	if err != nil {
		return err
	}
	by, err := changedBy(c)
	if err != nil {
		return err
	}
	e, err := s.db.ResolveEscalation(c.UserContext(), workspace(c), id, body.Note, by)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, escalationAnswer{yes, record.OfEscalation(e)})
}
