package api

import (
	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/record"
)

// portalLinkBody is the body of POST /api/v1/leads/{leadId}/portal-link; all of it is optional.
type portalLinkBody struct {
	Rotate bool `json:"rotate" check:"notnull"`
}

type portalLinkAnswer struct {
	success
	URL       string      `json:"url"`
	ExpiresAt record.Time `json:"expiresAt"`
}

// renewPortalLink answers the lead's own page; an unexpired link is answered again unless it is rotated.
func (s *Server) renewPortalLink(c *fiber.Ctx) error {
	lead, err := pathID[dossier.LeadID](c, "leadId")
	if err != nil {
		return err
	}
	body, err := decodeOrEmpty[portalLinkBody](c)
	if err != nil {
		return err
	}
	link, err := s.db.RenewPortalLink(c.UserContext(), workspace(c), lead, body.Rotate)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, portalLinkAnswer{yes, *s.portalURL(c, link.Token), record.Time(link.ExpiresAt)})
}

// portalURL is the address of a lead's own page; nil when its link has expired.
func (s *Server) portalURL(c *fiber.Ctx, token string) *string {
	if token == "" {
		return nil
	}
	url := s.publicURL(c) + "/portal/" + token
	return &url
}
