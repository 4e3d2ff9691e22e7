package api

import (
	"fmt"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/record"
)

// ownershipBody is the body of PUT /api/v1/leads/{leadId}/ownership: all edges that are given by hand.
type ownershipBody struct {
	Edges []edgeBody `json:"edges" check:"required,max=500"`
}

type edgeBody struct {
	OwnerID    dossier.PartyID     `json:"ownerId" check:"required"`
	OwnedID    dossier.PartyID     `json:"ownedId" check:"required"`
	Percent    *dossier.Figure     `json:"percent" check:"required"`
	Source     *dossier.EdgeSource `json:"source"`
	DocumentID *dossier.DocumentID `json:"documentId"`
}

// Faults returns the faults that show in the body alone; the store finds the others.
func (b ownershipBody) Faults() []dossier.Fault {
	var faults []dossier.Fault
	for i, e := range b.Edges {
		if e.Percent != nil && (e.Percent.Exponent() < -6 || e.Percent.NumDigits() > 12) {
			faults = append(faults, dossier.Fault{Pointer: fmt.Sprintf("/edges/%d/percent", i), Code: "invalid_value",
				Detail: "percent must be a number above 0 and at most 100, with at most 6 decimal places"})
		}
	}
	return faults
}

func (b ownershipBody) edges() []dossier.OwnershipEdge {
	edges := []dossier.OwnershipEdge{}
	for _, e := range b.Edges {
		edge := dossier.OwnershipEdge{OwnerID: e.OwnerID, OwnedID: e.OwnedID, Percent: e.Percent.Decimal,
			Source: dossier.EdgeManual, DocumentID: e.DocumentID}
		if e.Source != nil {
			edge.Source = *e.Source
		}
		edges = append(edges, edge)
	}
	return edges
}

type ownershipAnswer struct {
	success
	Edges []record.OwnershipEdge `json:"edges"`
}

// readOwnership answers who owns whom among the parties of a lead.
func (s *Server) readOwnership(c *fiber.Ctx) error {
	lead, err := pathID[dossier.LeadID](c, "leadId")
	if err != nil {
		return err
	}
	edges, err := s.db.Ownership(c.UserContext(), workspace(c), lead)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, ownershipAnswer{yes, record.OfOwnership(edges)})
}

// putOwnership replaces what was given by hand; K-1s stay beside it.
func (s *Server) putOwnership(c *fiber.Ctx) error {
	lead, err := pathID[dossier.LeadID](c, "leadId")
	if err != nil {
		return err
	}
	body, err := decode[ownershipBody](c)
	if err != nil {
		return err
	}
	edges, err := s.db.SaveOwnership(c.UserContext(), workspace(c), lead, body.edges())
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, ownershipAnswer{yes, record.OfOwnership(edges)})
}
