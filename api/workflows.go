package api

import (
	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/record"
)

// workflow is a workflow that runs can be started of (api.md, Workflow).
type workflow struct {
	ID        dossier.WorkflowID   `json:"id"`
	Name      string               `json:"name"`
	Type      dossier.WorkflowType `json:"type"`
	CreatedAt record.Time          `json:"createdAt"`
	UpdatedAt record.Time          `json:"updatedAt"`
}

type workflowsAnswer struct {
	success
	Workflows []workflow `json:"workflows"`
}

// listWorkflows answers the workspace's workflows, oldest first.
func (s *Server) listWorkflows(c *fiber.Ctx) error {
	list, err := s.db.Workflows(c.UserContext(), workspace(c))
	if err != nil {
		return err
	}
	answer := workflowsAnswer{success: yes, Workflows: []workflow{}}
	for _, w := range list {
		answer.Workflows = append(answer.Workflows,
			workflow{w.ID, w.Name, w.Type, record.Time(w.CreatedAt), record.Time(w.UpdatedAt)})
	}
	return send(c, fiber.StatusOK, answer)
}
