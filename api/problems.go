package api

import (
	_ "embed"
	"html/template"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
)

// pageCSP lets pages of ours show text and their own style, nothing else.
const pageCSP = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'"

//go:embed problems.html
var problemHTML string

var problemPage = template.Must(template.New("problem").Parse(problemHTML))

// codeView is a code as its page shows it.
type codeView struct {
	dossier.Code
	Status int // 0 for entries of errors
}

// Prose is the explanation with its code marked.
func (c codeView) Prose() template.HTML { return prose(c.Explanation) }

// problem is the page that a problem's type points to.
func (s *Server) problem(c *fiber.Ctx) error {
	code, ok := dossier.CodeByName(c.Params("code"))
	if !ok {
		return dossier.Errorf(dossier.NotFound, "No problem has this code")
	}
	view := codeView{Code: code}
	for _, known := range dossier.Codes {
		if known.Name == code.Name {
			view.Status = web.StatusOf[code.Kind]
		}
	}
	return sendPage(c, problemPage, map[string]any{"One": true, "Codes": []codeView{view}})
}

// problems lists all codes.
func (s *Server) problems(c *fiber.Ctx) error {
	var views []codeView
	for _, code := range dossier.Codes {
		views = append(views, codeView{code, web.StatusOf[code.Kind]})
	}
	for _, code := range dossier.FaultCodes {
		views = append(views, codeView{code, 0})
	}
	return sendPage(c, problemPage, map[string]any{"One": false, "Codes": views})
}

func sendPage(c *fiber.Ctx, page *template.Template, data any) error {
	var text strings.Builder
	if err := page.Execute(&text, data); err != nil {
		return err
	}
	return sendHTML(c, text.String())
}

func sendHTML(c *fiber.Ctx, text string) error {
	c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
	c.Set(fiber.HeaderContentSecurityPolicy, pageCSP)
	c.Set(fiber.HeaderCacheControl, "public, max-age=300")
	return c.SendString(text)
}
