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

	// What is to be done by who upgrades, and which promises of the release before it breaks, as the test of them prints
	// them.
	Do     string   `yaml:"do"`
	Breaks []string `yaml:"breaks"`
}

// Prose is the text with its code marked.
func (c change) Prose() template.HTML { return prose(c.Text) }

// Todo is what to do about it, with its code marked.
func (c change) Todo() template.HTML { return prose(c.Do) }

// Upgrade are the changes that a caller of the release before has to look at.
func (r release) Upgrade() []change {
	var out []change
	for _, c := range r.Changes {
		if c.Kind == "changed" || c.Kind == "deprecated" || c.Kind == "removed" || len(c.Breaks) > 0 || c.Do != "" {
			out = append(out, c)
		}
	}
	return out
}

func loadChangelog() (log changelog, err error) {
	return log, yaml.Load(changelogText, &log)
}

var changelogPage = template.Must(template.New("changelog").Parse(changelogHead("API changes") + `
<h1>API changes</h1>
<p>New operations, optional parameters, fields of answers and values of closed sets may appear in any release: clients ignore what they do not know.
What goes away is first marked as deprecated, with <code>Deprecation</code> and <code>Sunset</code> headers on its answers, for at least 180 days.</p>
<p><a href="/upgrading">Upgrading</a>: only what callers have to look at.</p>
{{range .Releases}}<h2 id="v{{.Version}}">{{.Version}} <span class="date">{{.Date}}</span></h2>
<dl>{{range .Changes}}<dt>{{.Kind}}</dt><dd>{{.Prose}}{{.Todo}}</dd>{{end}}</dl>{{end}}
<p><a href="/docs">API reference</a></p>
</main>
</html>`))

var upgradingPage = template.Must(template.New("upgrading").Parse(changelogHead("Upgrading") + `
<h1>Upgrading</h1>
<p>What callers of the API have to look at, release by release; start above the one that you run. What is new and breaks nothing
is in <a href="/changelog">all changes</a>. Operators: the server brings the schema to its release with <code>dossier migrate</code>.</p>
{{range .Releases}}<h2 id="v{{.Version}}">To {{.Version}} <span class="date">{{.Date}}</span></h2>
{{with .Upgrade}}<dl>{{range .}}<dt>{{.Kind}}</dt><dd>{{.Prose}}{{.Todo}}{{range .Breaks}}<p><code>{{.}}</code></p>{{end}}</dd>{{end}}</dl>{{else}}<p>Nothing to do.</p>{{end}}{{end}}
<p><a href="/docs">API reference</a></p>
</main>
</html>`))

// changelogHead begins a page about changes.
func changelogHead(title string) string {
	return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>` + title + `</title>
<style>body{font:16px/1.55 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1rem;color:#1c2530;background:#fff}
h1{font-size:1.6rem;margin-bottom:.2rem}h2{font-size:1.1rem;margin:2rem 0 .4rem}code{font:600 .92em ui-monospace,monospace}
dl{display:grid;grid-template-columns:6.5rem 1fr;gap:.5rem 1rem;margin:0}dt{font-weight:600}dd,dd p{margin:0}.date{color:#5b6776;font-weight:400}a{color:#0b5cad;display:inline-block;min-width:24px;min-height:24px}
@media(max-width:32rem){dl{grid-template-columns:1fr}dt{margin-top:.5rem}}
@media(prefers-color-scheme:dark){body{background:#12171d;color:#dfe6ee}.date{color:#9fb0c2}a{color:#7db8ff}}code{overflow-wrap:anywhere}</style>
<main>`
}

// changes is the log of changes as a page.
func (s *Server) changes(c *fiber.Ctx) error {
	log, err := loadChangelog()
	if err != nil {
		return err
	}
	return sendPage(c, changelogPage, log)
}

// upgrading is what callers have to look at, as a page.
func (s *Server) upgrading(c *fiber.Ctx) error {
	log, err := loadChangelog()
	if err != nil {
		return err
	}
	return sendPage(c, upgradingPage, log)
}
