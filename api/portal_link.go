package api

import (
	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

// portalLinkBody is the body of POST /api/v1/leads/{leadId}/portal-link; all of it is optional.
type portalLinkBody struct {
	Rotate  bool             `json:"rotate" check:"notnull"`
	PartyID *dossier.PartyID `json:"partyId"`
}

type portalLinkAnswer struct {
	success
	URL       string           `json:"url"`
	ExpiresAt record.Time      `json:"expiresAt"`
	PartyID   *dossier.PartyID `json:"partyId"`
}

// renewPortalLink answers the lead's own page, or a party's; an unexpired link is answered again unless it is rotated.
func (s *Server) renewPortalLink(c *fiber.Ctx) error {
	lead, err := pathID[dossier.LeadID](c, "leadId")
	if err != nil {
		return err
	}
	body, err := decodeOrEmpty[portalLinkBody](c)
	if err != nil {
		return err
	}
	page := postgres.PortalOwner{Lead: lead, Party: plain(body.PartyID)}
	link, err := s.db.RenewPortalLink(c.UserContext(), workspace(c), page, body.Rotate)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, portalLinkAnswer{yes, *s.portalURL(c, link.Token), record.Time(link.ExpiresAt),
		body.PartyID})
}

// portalLinkQuery says whose page is closed.
type portalLinkQuery struct {
	PartyID dossier.PartyID `query:"partyId"`
}

// revokePortalLink ends the link of the lead's own page, or of a party's, without making another.
func (s *Server) revokePortalLink(c *fiber.Ctx) error {
	lead, err := pathID[dossier.LeadID](c, "leadId")
	if err != nil {
		return err
	}
	q, err := query[portalLinkQuery](c)
	if err != nil {
		return err
	}
	page := postgres.PortalOwner{Lead: lead, Party: q.PartyID}
	if err := s.db.RevokePortalLink(c.UserContext(), workspace(c), page); err != nil {
		return err
	}
	return noContent(c)
}

// portalURL is the address of a lead's own page; nil when its link has expired.
func (s *Server) portalURL(c *fiber.Ctx, token string) *string {
	if token == "" {
		return nil
	}
	url := s.door.PublicURL(c) + "/portal/" + token
	return &url
}

// portalRows are the routes of the other front door, that of the leads, as rows of this one's table.
func (s *Server) portalRows() []route {
	var rows []route
	for _, r := range s.portal.Routes() {
		rows = append(rows, route{method: r.Method, path: r.Path, handler: r.Handler, class: r.Class, query: r.Query,
			files: r.Files, limited: r.Limited})
	}
	return rows
}
