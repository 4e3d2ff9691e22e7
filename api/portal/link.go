package portal

import (
	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
)

// requestPortalLink sends whoever a link once belonged to a new one, at the address that is on file. The answer is
// the same whether there is such a lead, an address or a limit in the way: it tells a stranger nothing.
func (s *Server) requestPortalLink(c *fiber.Ctx) error {
	web.PageHeaders(c)
	if !sameOrigin(c, s.door.PublicURL(c)) {
		return s.sendPortalError(c, dossier.Errorf(dossier.Forbidden, "This was sent from another site"))
	}
	client := s.door.ClientAddress(c)
	if err := s.door.LimitOpen(c, "portal-address:"+client, PerAddress); err != nil {
		return s.sendPortalError(c, err)
	}
	if err := s.door.LimitOpen(c, "portal-link:"+client, LinkRequests); err != nil {
		return s.sendPortalError(c, err)
	}
	words := s.languages.pick(c.Get(fiber.HeaderAcceptLanguage))
	if token := c.Params("token"); portalToken.MatchString(token) {
		if err := s.db.ResendPortalLink(c.UserContext(), token, s.door.PublicURL(c), words.linkMessage); err != nil {
			return s.sendPortalError(c, err)
		}
	}
	view := portalPageView{portalWords: words}
	view.Brand, view.OnBrand = web.BrandColors("")
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
