package main

import (
	"fmt"
	"io"
	"math"
	"os"

	"github.com/dossierhq/dossier/cmd/internal/sizing"
)

type sizingCommand struct {
	Documents float64 `arg:"" help:"Documents a month."`
	Costs     string  `placeholder:"FILE" help:"${sizing_costs}"`
	Leads     float64 `default:"0.2" help:"Leads made for each document."`
	Updates   float64 `default:"1" help:"Updates of leads for each document."`
	Endpoints float64 `default:"2" help:"Webhooks that get each event."`
	Scanned   float64 `default:"0.3" help:"Share of the documents that are pictures."`
	Pages     float64 `default:"2" help:"Pages of a document."`
	Busy      float64 `default:"8" help:"${sizing_busy}"`
	Months    float64 `default:"12" help:"Months that documents are kept."`
}

// sized is what a number of documents wants, and what is full first.
type sized struct {
	sizing.Need
	Buy   sizing.Buy `json:"buy"`
	First string     `json:"fullFirst"`
}

// Run needs no service: it computes.
func (c sizingCommand) Run(a *app) error {
	if c.Documents <= 0 || c.Leads < 0 || c.Updates < 0 || c.Endpoints < 0 || c.Scanned < 0 || c.Scanned > 1 ||
		c.Pages < 1 || c.Busy < 1 || c.Months <= 0 {
		return usagef("numbers must be positive, --scanned a share, and --pages and --busy at least 1")
	}
	costs, err := sizing.Measured()
	if c.Costs != "" {
		var text []byte
		if text, err = os.ReadFile(c.Costs); err == nil {
			costs, err = sizing.Read(text)
		}
	}
	if err != nil {
		return err
	}
	m := sizing.Usual()
	m.Leads, m.Updates, m.Endpoints, m.Scanned = c.Leads, c.Updates, c.Endpoints, c.Scanned
	m.Pages, m.Busy, m.KeptMonths = c.Pages, c.Busy, c.Months
	n := costs.For(c.Documents, m)
	s := sized{n, n.Buy(), costs.Carries(2, m)[0].Name}
	return a.show(s, func(w io.Writer) {
		cores := func(n float64) string { return fmt.Sprintf("%.2f", n) }
		table(w, "", "PART PROCESSORS BUY", [][]string{
			{"API", cores(n.Cores.API), count(s.Buy.API, "machine") + " of two processors"},
			{"worker", cores(n.Cores.Worker), count(s.Buy.Workers, "machine") + " of two processors"},
			{"Postgres", cores(n.Cores.Postgres), count(s.Buy.Databases, "processor")},
			{"Redis", cores(n.Cores.Redis), count(s.Buy.Redis, "processor")},
		})
		fmt.Fprintf(w, "%.0f documents in the busiest hour. After %.0f months: database %.0f GB, files %.0f GB; "+
			"WAL %.1f GB a day.\nThe %s is full first.\n", n.PerHour, c.Months, math.Ceil(n.DiskGB),
			math.Ceil(n.ObjectsGB), n.WALGB, s.First)
	})
}
