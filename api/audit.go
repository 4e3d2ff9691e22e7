package api

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

type auditQuery struct {
	paging
	Action    dossier.AuditAction `query:"action"`
	Actor     string              `query:"actor" check:"max=255"`
	KeyID     dossier.KeyID       `query:"keyId"`
	SubjectID string              `query:"subjectId" check:"max=255"`
	Since     *time.Time          `query:"since"`
	Until     *time.Time          `query:"until"`
}

type auditAnswer struct {
	success
	Entries   []record.AuditEntry `json:"entries"`
	NextToken *string             `json:"nextToken"`
}

// listAudit answers a workspace's acts, newest first. A test key sees those of test leads and of test keys.
func (s *Server) listAudit(c *fiber.Ctx) error {
	q, err := query[auditQuery](c)
	if err != nil {
		return err
	}
	page, err := q.page(c)
	if err != nil {
		return err
	}
	list, err := s.db.AuditEntries(c.UserContext(), workspace(c),
		postgres.AuditQuery{Action: q.Action, Actor: q.Actor, KeyID: q.KeyID,
			Subject: q.SubjectID, Since: q.Since, Until: q.Until, Test: callerOf(c).key.IsTest, Page: page})
	if err != nil {
		return err
	}
	list, next := pageEnd(c, page, list,
		func(e dossier.AuditEntry) dossier.Cursor { return dossier.Cursor{At: e.At, ID: e.ID} })
	answer := auditAnswer{success: yes, Entries: []record.AuditEntry{}, NextToken: next}
	for _, e := range list {
		answer.Entries = append(answer.Entries, record.Audit(e))
	}
	return send(c, fiber.StatusOK, answer)
}
