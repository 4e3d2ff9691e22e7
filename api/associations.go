package api

import (
	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
)

type associationBody struct {
	EntryID dossier.EntryID `json:"leadChecklistItemId" check:"required"`
}

// addAssociation puts a document on an item because a person says so: 201, or 200 when it was there.
func (s *Server) addAssociation(c *fiber.Ctx) error {
	id, err := pathID[dossier.DocumentID](c, "documentId")
	if err != nil {
		return err
	}
	body, err := decode[associationBody](c)
	if err != nil {
		return err
	}
	d, created, err := s.db.AddAssociation(c.UserContext(), workspace(c), id, body.EntryID)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderETag, d.Tag())
	status := fiber.StatusOK
	if created {
		status = fiber.StatusCreated
	}
	return s.sendDocument(c, status, d)
}

// removeAssociation takes a document from an item because a person says so.
func (s *Server) removeAssociation(c *fiber.Ctx) error {
	id, err := pathID[dossier.DocumentID](c, "documentId")
	if err != nil {
		return err
	}
	association, err := pathID[dossier.AssociationID](c, "associationId")
	if err != nil {
		return err
	}
	if err := s.db.RemoveAssociation(c.UserContext(), workspace(c), id, association); err != nil {
		return err
	}
	return noContent(c)
}
