package api

import (
	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/record"
)

// returnBody is the body of POST /api/v1/spreads/{spreadId}/return.
type returnBody struct {
	Note string `json:"note" check:"required,max=10000"`
}

func (s *Server) submitSpread(c *fiber.Ctx) error {
	return s.withSpread(c, func(id dossier.SpreadID) (dossier.Spread, error) {
		return s.db.SubmitSpread(c.UserContext(), workspace(c), id)
	})
}

// withSpread does something to the spread of the path and answers it.
func (s *Server) withSpread(c *fiber.Ctx, do func(dossier.SpreadID) (dossier.Spread, error)) error {
	id, err := pathID[dossier.SpreadID](c, "spreadId")
	if err != nil {
		return err
	}
	spread, err := do(id)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, spreadAnswer{yes, record.OfSpread(spread)})
}

func (s *Server) approveSpread(c *fiber.Ctx) error {
	return s.withSpread(c, func(id dossier.SpreadID) (dossier.Spread, error) {
		return s.db.ApproveSpread(c.UserContext(), workspace(c), id)
	})
}

func (s *Server) returnSpread(c *fiber.Ctx) error {
	return s.withSpread(c, func(id dossier.SpreadID) (dossier.Spread, error) {
		body, err := decode[returnBody](c)
		if err != nil {
			return dossier.Spread{}, err
		}
		return s.db.ReturnSpread(c.UserContext(), workspace(c), id, body.Note)
	})
}
