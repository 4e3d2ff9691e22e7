package api

import (
	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

// draftBody is the body of POST /api/v1/leads/{leadId}/messages.
type draftBody struct {
	Channel dossier.Channel `json:"channel" check:"required"`
	Subject *string         `json:"subject"`
	Body    string          `json:"body" check:"required,text"`
}

func (b draftBody) Faults() []dossier.Fault {
	switch b.Channel {
	case "", "email", "sms", "whatsapp":
		return nil
	}
	return []dossier.Fault{{Pointer: "/channel", Code: "invalid_value",
		Detail: "channel must be email, sms or whatsapp"}}
}

// createDraft writes a message that waits for a person's approval.
func (s *Server) createDraft(c *fiber.Ctx) error {
	lead, err := pathID[dossier.LeadID](c, "leadId")
	if err != nil {
		return err
	}
	body, err := decode[draftBody](c)
	if err != nil {
		return err
	}
	by, err := changedBy(c)
	if err != nil {
		return err
	}
	m, err := s.db.DraftMessage(c.UserContext(), workspace(c), lead,
		postgres.NewDraft{Channel: body.Channel, Subject: body.Subject, Body: body.Body}, by)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusCreated, messageAnswer{yes, record.OfMessage(m)})
}
