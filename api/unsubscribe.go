package api

import (
	_ "embed"
	"html/template"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/storage/postgres"
)

//go:embed unsubscribe.html
var unsubscribeSource string

var unsubscribePage = template.Must(template.New("unsubscribe").Parse(unsubscribeSource))

type unsubscribeWords struct{ Title, Ask, Button, Done, Back, Gone string }

var unsubscribeIn = map[dossier.Language]unsubscribeWords{
	dossier.English: {"Stop messages", "You will get no more messages from", "Stop all messages",
		"Done. You will get no more messages from", "To receive them again, reply START to any earlier message.",
		"This link does not work. Reply STOP to any message to end them."},
	dossier.Spanish: {"No recibir más mensajes", "No recibirá más mensajes de", "No recibir más mensajes",
		"Listo. No recibirá más mensajes de", "Para volver a recibirlos, responda START a cualquier mensaje anterior.",
		"Este enlace no funciona. Responda STOP a cualquier mensaje para no recibir más."},
}

// showUnsubscribe asks before it does anything: programs that check links open this page too.
func (s *Server) showUnsubscribe(c *fiber.Ctx) error {
	who, err := s.db.ReadSubscriber(c.UserContext(), c.Params("token"))
	return s.sendUnsubscribe(c, who, err)
}

// unsubscribe is the one click of a mail program (RFC 8058), and the button of the page. Repeated it changes nothing.
func (s *Server) unsubscribe(c *fiber.Ctx) error {
	if _, err := web.ReadBody(c, web.JSONLimit); err != nil {
		return err
	}
	who, err := s.db.Unsubscribe(c.UserContext(), c.Params("token"))
	return s.sendUnsubscribe(c, who, err)
}

func (s *Server) sendUnsubscribe(c *fiber.Ctx, who postgres.Subscriber, err error) error {
	status := fiber.StatusOK
	if dossier.KindOf(err) == dossier.NotFound && err != nil {
		status = fiber.StatusNotFound
	} else if err != nil {
		return err
	}
	words, ok := unsubscribeIn[who.Language]
	if !ok {
		words = unsubscribeIn[dossier.English]
	}
	nonce, err := web.Nonce()
	if err != nil {
		return err
	}
	brand, onBrand := web.BrandColors(who.Color)
	var page strings.Builder
	if err := unsubscribePage.Execute(&page,
		map[string]any{"W": words, "Who": who, "Found": status == fiber.StatusOK, "Nonce": nonce, "Brand": brand,
			"OnBrand": onBrand}); err != nil {
		return err
	}
	web.PageHeaders(c)
	c.Set(fiber.HeaderContentSecurityPolicy,
		"default-src 'none'; style-src 'nonce-"+nonce+"'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	c.Status(status).Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
	return c.SendString(page.String())
}
