package api

import (
	_ "embed"
	"html/template"

	"github.com/gofiber/fiber/v2"
	"go.yaml.in/yaml/v4"
)

//go:embed changelog.yaml
var changelogText []byte

// changelog is what changed for clients, newest release first.
type changelog struct {
	Releases []release `yaml:"releases"`
}

type release struct {
	Version string   `yaml:"version"`
	Date    string   `yaml:"date"` // YYYY-MM-DD
	Changes []change `yaml:"changes"`
}

type change struct {
	Kind string `yaml:"kind"` // added, changed, deprecated, removed, fixed
	Text string `yaml:"text"`
}

// Prose is the text with its code marked.
func (c change) Prose() template.HTML { return prose(c.Text) }

func loadChangelog() (log changelog, err error) {
	return log, yaml.Load(changelogText, &log)
}

var changelogPage = template.Must(template.New("changelog").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>API changes</title>
<style>body{font:16px/1.55 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1rem;color:#1c2530;background:#fff}
h1{font-size:1.6rem;margin-bottom:.2rem}h2{font-size:1.1rem;margin:2rem 0 .4rem}code{font:600 .92em ui-monospace,monospace}
dl{display:grid;grid-template-columns:6.5rem 1fr;gap:.5rem 1rem;margin:0}dt{font-weight:600}dd,dd p{margin:0}.date{color:#5b6776;font-weight:400}a{color:#0b5cad;display:inline-block;min-width:24px;min-height:24px}
@media(max-width:32rem){dl{grid-template-columns:1fr}dt{margin-top:.5rem}}
@media(prefers-color-scheme:dark){body{background:#12171d;color:#dfe6ee}.date{color:#9fb0c2}a{color:#7db8ff}}</style>
<main>
<h1>API changes</h1>
<p>New operations, optional parameters, fields of answers and values of closed sets may appear in any release: clients ignore what they do not know.
What goes away is first marked as deprecated, with <code>Deprecation</code> and <code>Sunset</code> headers on its answers, for at least 180 days.</p>
{{range .Releases}}<h2 id="v{{.Version}}">{{.Version}} <span class="date">{{.Date}}</span></h2>
<dl>{{range .Changes}}<dt>{{.Kind}}</dt><dd>{{.Prose}}</dd>{{end}}</dl>{{end}}
<p><a href="/docs">API reference</a></p>
</main>
</html>`))

// changes is the log of changes as a page.
func (s *Server) changes(c *fiber.Ctx) error {
	log, err := loadChangelog()
	if err != nil {
		return err
	}
	return sendPage(c, changelogPage, log)
}
