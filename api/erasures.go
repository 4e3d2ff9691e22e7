package api

import (
	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/record"
)

// eraseBody is the body of POST /api/v1/leads/{leadId}/erase and of its twin for documents.
type eraseBody struct {
	Reason string `json:"reason" check:"required"`
	DryRun bool   `json:"dryRun"`
}

type erasureAnswer struct {
	success
	Erasure record.Erasure `json:"erasure"`
}

// erasingAnswer is the erasure that was asked for; under four eyes with the review that it waits for.
type erasingAnswer struct {
	success
	Erasure record.Erasure `json:"erasure"`
	Review  *record.Review `json:"review,omitempty"`
}

type erasureCountsAnswer struct {
	success
	Counts record.ErasureCounts `json:"counts"`
}

type erasuresQuery struct {
	paging
	Status dossier.ErasureStatus `query:"status"`
	LeadID dossier.LeadID        `query:"leadId"`
}

type erasuresAnswer struct {
	success
	Erasures  []record.Erasure `json:"erasures"`
	NextToken *string          `json:"nextToken"`
}

// eraseLead orders everything about a lead to go; a dry run only counts it.
func (s *Server) eraseLead(c *fiber.Ctx) error {
	id, err := pathID[dossier.LeadID](c, "leadId")
	if err != nil {
		return err
	}
	body, err := decode[eraseBody](c)
	if err != nil {
		return err
	}
	if body.DryRun {
		counts, err := s.db.CountErasure(c.UserContext(), workspace(c), id)
		return sendCounts(c, counts, err)
	}
	by, err := changedBy(c)
	if err != nil {
		return err
	}
	e, err := s.db.EraseLead(c.UserContext(), workspace(c), id, body.Reason, by)
	return s.sendErasing(c, e, err)
}

// eraseDocument is eraseLead for one document.
func (s *Server) eraseDocument(c *fiber.Ctx) error {
	id, err := pathID[dossier.DocumentID](c, "documentId")
	if err != nil {
		return err
	}
	body, err := decode[eraseBody](c)
	if err != nil {
		return err
	}
	if body.DryRun {
		counts, err := s.db.CountDocumentErasure(c.UserContext(), workspace(c), id)
		return sendCounts(c, counts, err)
	}
	e, err := s.db.EraseDocument(c.UserContext(), workspace(c), id, body.Reason)
	return s.sendErasing(c, e, err)
}

func sendCounts(c *fiber.Ctx, counts dossier.ErasureCounts, err error) error {
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, erasureCountsAnswer{yes, record.ErasureCounts(counts)})
}

func sendErasure(c *fiber.Ctx, status int, e dossier.Erasure) error {
	shown, err := record.OfErasure(e)
	if err != nil {
		return err
	}
	return send(c, status, erasureAnswer{yes, shown})
}

// sendErasing answers who asked for an erasure: the erasure, or under four eyes the review that it waits for.
func (s *Server) sendErasing(c *fiber.Ctx, e dossier.Erasure, err error) error {
	if err != nil {
		return err
	}
	shown, err := record.OfErasure(e)
	if err != nil {
		return err
	}
	answer := erasingAnswer{success: yes, Erasure: shown}
	if e.Asked != nil {
		waits := record.OfReview(*e.Asked, s.Now())
		answer.Review = &waits
	}
	return send(c, fiber.StatusAccepted, answer)
}

// deletion reads whether a deletion is to erase at once, which needs the scope admin, and whether that waits for a
// second person.
func (s *Server) deletion(c *fiber.Ctx) (erase, waits bool, err error) {
	q, err := query[deleteQuery](c)
	if err != nil || !q.Erase {
		return false, false, err
	}
	if !callerOf(c).can(scopeAdmin) {
		return false, false, dossier.Errorf(dossier.Forbidden, "erase=true needs a key with the scope %s", scopeAdmin)
	}
	waits, err = s.db.NeedsSecond(c.UserContext(), workspace(c), dossier.FourEyesErase)
	return true, waits, err
}

// sendAsked answers that something waits for a second person.
func (s *Server) sendAsked(c *fiber.Ctx, r dossier.Review) error {
	return send(c, fiber.StatusAccepted, reviewAnswer{success: yes, Review: record.OfReview(r, s.Now())})
}

// readErasure is all that stays of what was erased.
func (s *Server) readErasure(c *fiber.Ctx) error {
	id, err := pathID[dossier.ErasureID](c, "erasureId")
	if err != nil {
		return err
	}
	e, err := s.db.ReadErasure(c.UserContext(), workspace(c), id, callerOf(c).key.IsTest)
	if err != nil {
		return err
	}
	return sendErasure(c, fiber.StatusOK, e)
}

func (s *Server) listErasures(c *fiber.Ctx) error {
	q, err := query[erasuresQuery](c)
	if err != nil {
		return err
	}
	page, err := q.page(c)
	if err != nil {
		return err
	}
	list, err := s.db.Erasures(c.UserContext(), workspace(c), q.Status, q.LeadID, callerOf(c).key.IsTest, page)
	if err != nil {
		return err
	}
	list, next := pageEnd(c, page, list, func(e dossier.Erasure) dossier.Cursor {
		return dossier.Cursor{At: e.RequestedAt, ID: string(e.ID)}
	})
	answer := erasuresAnswer{success: yes, Erasures: []record.Erasure{}, NextToken: next}
	for _, e := range list {
		shown, err := record.OfErasure(e)
		if err != nil {
			return err
		}
		answer.Erasures = append(answer.Erasures, shown)
	}
	return send(c, fiber.StatusOK, answer)
}

// cancelErasure calls an erasure off that has not begun.
func (s *Server) cancelErasure(c *fiber.Ctx) error {
	id, err := pathID[dossier.ErasureID](c, "erasureId")
	if err != nil {
		return err
	}
	e, err := s.db.CancelErasure(c.UserContext(), workspace(c), id)
	if err != nil {
		return err
	}
	return sendErasure(c, fiber.StatusOK, e)
}
