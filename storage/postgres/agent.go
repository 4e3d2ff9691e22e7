package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// agentColumns are read by scanAgent. g is the table.
const agentColumns = `g.id, g.key, g.name, g.mode, g.channels, g.settings, g.archived_at IS NULL, g.created_at, ` +
	`g.updated_at`

func scanAgent(row pgx.CollectableRow) (a dossier.Agent, err error) {
	var settings agentSettings
	err = row.Scan(&a.ID, &a.Key, &a.Name, &a.Mode, &a.Channels, &settings, &a.IsActive, &a.CreatedAt, &a.UpdatedAt)
	a.Instructions = settings.Instructions
	return a, err
}

// Agents lists all agents, oldest first; those no longer in the workspace's file are not active.
func (db *DB) Agents(ctx context.Context, ws dossier.WorkspaceID) ([]dossier.Agent, error) {
	return readAll(ctx, db, ws, "list agents", scanAgent, `SELECT `+agentColumns+` FROM agents g
			WHERE g.workspace_id = $1 ORDER BY g.created_at, g.id`, ws)
}

const selectAgent = `SELECT ` + agentColumns + ` FROM agents g WHERE g.workspace_id = $1 AND g.id = $2`

// readAgent finds an agent, archived or not: its open runs go on. Error: NotFound.
func readAgent(ctx context.Context, tx *tx, id dossier.AgentID) (dossier.Agent, error) {
	return oneOf(ctx, tx, "agent", scanAgent, selectAgent, tx.ws, id)
}

// startableAgent finds an agent for a new run. Error: NotFound, also when it was archived.
func startableAgent(ctx context.Context, tx *tx, id dossier.AgentID) (dossier.Agent, error) {
	agent, err := readAgent(ctx, tx, id)
	if err == nil && !agent.IsActive {
		err = missing("agent")
	}
	return agent, err
}
