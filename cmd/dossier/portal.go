package main

import (
	"fmt"
	"io"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

type portalCommand struct {
	Open openPortal `cmd:"" help:"Print the address of a lead's own page; whoever has it is let in."`
}

type openPortal struct {
	Lead   string `arg:"" help:"Id of the lead."`
	Rotate bool   `help:"Make a new address; the old one no longer works."`
}

type portalLink struct {
	Success   bool        `json:"success"`
	URL       string      `json:"url"`
	ExpiresAt record.Time `json:"expiresAt"`
}

// Run prints the answer of POST /api/v1/leads/{leadId}/portal-link.
func (c openPortal) Run(a *app) error {
	return a.withDB(func(db *postgres.DB, cfg setup.Config) error {
		if err := cfg.Need("DOSSIER_SECRET_KEY"); err != nil {
			return err
		}
		link, err := c.link(a, db)
		if err != nil {
			return err
		}
		answer := portalLink{true, a.publicURL(cfg) + "/portal/" + link.Token, record.Time(link.ExpiresAt)}
		return a.show(answer, func(w io.Writer) {
			fmt.Fprintln(w, answer.URL)
			fmt.Fprintf(a.err, "It works until %s UTC.\n", stamp(link.ExpiresAt))
		})
	})
}

// link asks each workspace for the lead: no role may look for a lead across tenants.
func (c openPortal) link(a *app, db *postgres.DB) (postgres.PortalLink, error) {
	missing := dossier.Errorf(dossier.NotFound, "there is no lead with the id %q", c.Lead)
	if !dossier.ValidID(c.Lead) {
		return postgres.PortalLink{}, missing
	}
	workspaces, err := db.ListWorkspaces(a.ctx)
	if err != nil {
		return postgres.PortalLink{}, err
	}
	for _, w := range workspaces {
		link, err := db.RenewPortalLink(a.ctx, w.ID, dossier.LeadID(c.Lead), c.Rotate)
		if dossier.KindOf(err) != dossier.NotFound {
			return link, err
		}
	}
	return postgres.PortalLink{}, missing
}
