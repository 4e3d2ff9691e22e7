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
	Open   openPortal   `cmd:"" help:"Print the address of a lead's own page; whoever has it is let in."`
	Revoke revokePortal `cmd:"" help:"${portal_revoke}"`
}

type openPortal struct {
	Lead   string `arg:"" help:"Id of the lead."`
	Party  string `help:"Id of a party of the lead: its page instead."`
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
	return inSomeWorkspace(a, db, c.Lead, func(ws dossier.WorkspaceID, lead dossier.LeadID) (postgres.PortalLink,
		error) {
		page := postgres.PortalOwner{Lead: lead, Party: dossier.PartyID(c.Party)}
		return db.OpenPortalLink(a.ctx, ws, page, c.Rotate)
	})
}

type revokePortal struct {
	Lead  string `arg:"" help:"Id of the lead."`
	Party string `help:"Id of a party of the lead: its page instead."`
}

type portalRevoked struct {
	Success bool `json:"success"`
}

// Run does what DELETE /api/v1/leads/{leadId}/portal-link does.
func (c revokePortal) Run(a *app) error {
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		_, err := inSomeWorkspace(a, db, c.Lead, func(ws dossier.WorkspaceID, lead dossier.LeadID) (struct{}, error) {
			page := postgres.PortalOwner{Lead: lead, Party: dossier.PartyID(c.Party)}
			return struct{}{}, db.RevokePortalLink(a.ctx, ws, page)
		})
		if err != nil {
			return err
		}
		return a.show(portalRevoked{true}, func(w io.Writer) { fmt.Fprintln(w, "The page is closed.") })
	})
}

// inSomeWorkspace does something to a lead in the workspace that has it.
func inSomeWorkspace[T any](a *app, db *postgres.DB, id string,
	do func(dossier.WorkspaceID, dossier.LeadID) (T, error)) (T, error) {
	var none T
	missing := dossier.Errorf(dossier.NotFound, "there is no lead with the id %q", id)
	if !dossier.ValidID(id) {
		return none, missing
	}
	workspaces, err := db.ListWorkspaces(a.ctx)
	if err != nil {
		return none, err
	}
	for _, w := range workspaces {
		result, err := do(w.ID, dossier.LeadID(id))
		if dossier.KindOf(err) != dossier.NotFound {
			return result, err
		}
	}
	return none, missing
}
