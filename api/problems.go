package api

import (
	"html/template"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
)

// pageCSP lets pages of ours show text and their own style, nothing else.
const pageCSP = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'"

var problemPage = template.Must(template.New("problem").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>{{if .One}}{{(index .Codes 0).Name}}{{else}}Problem codes{{end}}</title>
<style>body{font:16px/1.55 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1rem;color:#1c2530;background:#fff}
h1{font-size:1.6rem;margin-bottom:.2rem}h2{font-size:1.05rem;margin:2rem 0 .2rem}code{font:600 .92em ui-monospace,monospace}
.status{color:#5b6776}a{color:#0b5cad;display:inline-block;min-width:24px;min-height:24px}@media(prefers-color-scheme:dark){body{background:#12171d;color:#dfe6ee}.status{color:#9fb0c2}a{color:#7db8ff}}</style>
<main>
{{if not .One}}<h1>Problem codes</h1><p>Errors are <code>application/problem+json</code>; their <code>code</code> is one of these.</p>{{end}}
{{range .Codes}}{{if $.One}}<h1>{{.Title}}</h1>{{else}}<h2 id="{{.Name}}"><a href="/problems/{{.Name}}">{{.Title}}</a></h2>{{end}}
<p class="status"><code>{{.Name}}</code>{{if .Status}} &middot; HTTP {{.Status}}{{else}} &middot; entry of <code>errors</code>{{end}}</p>
{{.Prose}}{{end}}
<p>{{if .One}}<a href="/problems">All codes</a> &middot; {{end}}<a href="/docs">API reference</a></p>
</main>
</html>`))

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
