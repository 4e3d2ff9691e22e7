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

	// What is to be done by who upgrades, and which promises of the release before it breaks, as the test of them
	// prints them.
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

//go:embed changelog.html
var changelogHTML string

// Pages of all changes, and of what callers have to look at.
var (
	changelogPages = template.Must(template.New("").Parse(changelogHTML))
	changelogPage  = changelogPages.Lookup("changelog")
	upgradingPage  = changelogPages.Lookup("upgrading")
)

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
