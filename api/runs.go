package api

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

// runBody is the body of POST /api/v1/workflow-runs (api.md): nothing else is accepted.
type runBody struct {
	LeadID     dossier.LeadID     `json:"leadId" check:"required"`
	AgentID    dossier.AgentID    `json:"agentId" check:"required"`
	WorkflowID dossier.WorkflowID `json:"workflowId" check:"required"`
}

type runAnswer struct {
	success
	WorkflowRun record.WorkflowRun `json:"workflowRun"`
}

type runsQuery struct {
	LeadID dossier.LeadID `query:"leadId" check:"required"`
}

type runsAnswer struct {
	success
	WorkflowRuns []record.WorkflowRun `json:"workflowRuns"`
}

// createRun lets an agent begin a workflow on a lead.
func (s *Server) createRun(c *fiber.Ctx) error {
	body, err := decode[runBody](c)
	if err != nil {
		return err
	}
	by, err := changedBy(c)
	if err == nil {
		err = s.atTimeOf(c, body.LeadID)
	}
	if err != nil {
		return err
	}
	run, err := s.db.CreateRun(c.UserContext(), workspace(c), body.LeadID, body.AgentID, body.WorkflowID, by)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusCreated, runAnswer{yes, record.OfRun(run)})
}

// listRuns answers a lead's full history of runs, newest first.
func (s *Server) listRuns(c *fiber.Ctx) error {
	q, err := query[runsQuery](c)
	if err != nil {
		return err
	}
	runs, err := s.db.Runs(c.UserContext(), workspace(c), q.LeadID)
	if err != nil {
		return err
	}
	answer := runsAnswer{success: yes, WorkflowRuns: []record.WorkflowRun{}}
	for _, run := range runs {
		answer.WorkflowRuns = append(answer.WorkflowRuns, record.OfRun(run))
	}
	return send(c, fiber.StatusOK, answer)
}

// readRun answers one run.
func (s *Server) readRun(c *fiber.Ctx) error {
	id, err := pathID[dossier.RunID](c, "workflowRunId")
	if err != nil {
		return err
	}
	run, err := s.db.ReadRun(c.UserContext(), workspace(c), id)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, runAnswer{yes, record.OfRun(run)})
}

// pauseRun stops outreach; replies are still answered. Repeated it changes nothing.
func (s *Server) pauseRun(c *fiber.Ctx) error { return s.moveRun(c, s.db.PauseRun) }

// resumeRun lets a paused run go on. Repeated it changes nothing.
func (s *Server) resumeRun(c *fiber.Ctx) error { return s.moveRun(c, s.db.ResumeRun) }

// cancelRun ends a run for good. Repeated it changes nothing.
func (s *Server) cancelRun(c *fiber.Ctx) error { return s.moveRun(c, s.db.CancelRun) }

// completeRun ends a run as done, where its workflow permits that by hand. Repeated it changes nothing.
func (s *Server) completeRun(c *fiber.Ctx) error { return s.moveRun(c, s.db.CompleteRun) }

// moveRun is the shape of the four: an id, no body, the run in its new state.
func (s *Server) moveRun(c *fiber.Ctx, move func(context.Context, dossier.WorkspaceID, dossier.RunID,
	postgres.Caller) (dossier.Run, error)) error {
	id, err := pathID[dossier.RunID](c, "workflowRunId")
	if err != nil {
		return err
	}
	by, err := changedBy(c)
	if err != nil {
		return err
	}
	run, err := move(c.UserContext(), workspace(c), id, by)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, runAnswer{yes, record.OfRun(run)})
}
