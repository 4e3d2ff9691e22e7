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
	url := s.publicURL(c) + "/portal/" + token
	return &url
}

// requestPortalLink sends whoever a link once belonged to a new one, at the address that is on file. The answer is
// the same whether there is such a lead, an address or a limit in the way: it tells a stranger nothing.
func (s *Server) requestPortalLink(c *fiber.Ctx) error {
	portalHeaders(c)
	if !sameOrigin(c, s.publicURL(c)) {
		return s.portalTrouble(c, dossier.Errorf(dossier.Forbidden, "This was sent from another site"))
	}
	client := s.clientAddress(c)
	if err := s.limitOpen(c, "portal-address:"+client, portalPerAddress); err != nil {
		return s.portalTrouble(c, err)
	}
	if err := s.limitOpen(c, "portal-link:"+client, portalLinkRequests); err != nil {
		return s.portalTrouble(c, err)
	}
	words := s.languages.pick(c.Get(fiber.HeaderAcceptLanguage))
	if token := c.Params("token"); portalToken.MatchString(token) {
		if err := s.db.ResendPortalLink(c.UserContext(), token, s.publicURL(c), words.linkMessage); err != nil {
			return s.portalTrouble(c, err)
		}
	}
	view := portalPageView{portalWords: words}
	view.Brand, view.OnBrand = brandColors("")
	view.TroubleTitle, view.Trouble = view.T("link_sent_title"), view.T("link_sent")
	return s.sendPortal(c, fiber.StatusOK, view)
}

// linkMessage is the message that brings a new link; a text message has no subject and is short.
func (w portalWords) linkMessage(channel dossier.Channel, company, link string) (subject, body string) {
	if channel == dossier.ChannelEmail {
		return w.T("link_mail_subject", company), w.T("link_mail", company, link)
	}
	return "", w.T("link_text", company, link)
}
