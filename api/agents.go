package api

import (
	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/record"
)

// agent is an agent of the workspace (decisions.md section 4).
type agent struct {
	ID        dossier.AgentID   `json:"id"`
	Name      string            `json:"name"`
	Mode      dossier.AgentMode `json:"mode"`
	Channels  []dossier.Channel `json:"channels"`
	IsActive  bool              `json:"isActive"`
	CreatedAt record.Time       `json:"createdAt"`
	UpdatedAt record.Time       `json:"updatedAt"`
}

type agentsAnswer struct {
	success
	Agents []agent `json:"agents"`
}

// listAgents answers the workspace's agents, oldest first. Those that left its file are not active.
func (s *Server) listAgents(c *fiber.Ctx) error {
	list, err := s.db.Agents(c.UserContext(), workspace(c))
	if err != nil {
		return err
	}
	answer := agentsAnswer{success: yes, Agents: []agent{}}
	for _, a := range list {
		answer.Agents = append(answer.Agents,
			agent{a.ID, a.Name, a.Mode, orEmpty(a.Channels), a.IsActive, record.Time(a.CreatedAt),
				record.Time(a.UpdatedAt)})
	}
	return send(c, fiber.StatusOK, answer)
}
