package api

import (
	"encoding/json"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
)

// workspaceAnswer is the caller's workspace with the file that makes it what it is.
type workspaceAnswer struct {
	success
	Workspace meWorkspace `json:"workspace"`
	File      string      `json:"file"` // YAML, as dossier export prints it
}

// readWorkspace answers the workspace as applied, not to test keys: its file names people and addresses.
func (s *Server) readWorkspace(c *fiber.Ctx) error {
	if callerOf(c).key.IsTest {
		return dossier.Coded(dossier.Forbidden, "insufficient_scope",
			"A test key sees test leads only; the workspace's file is for live keys and for people")
	}
	w, err := s.db.ReadWorkspace(c.UserContext(), workspace(c))
	if err != nil {
		return err
	}
	config, err := s.db.ExportWorkspace(c.UserContext(), w.Key)
	if err != nil {
		return err
	}
	file, err := s.WorkspaceFile(config)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, workspaceAnswer{yes, meWorkspace{w.ID, w.Key, w.Name}, string(file)})
}

// plainFile writes a workspace's file where the program that serves has no better way: as JSON, which is YAML, too.
func plainFile(c dossier.WorkspaceConfig) ([]byte, error) { return json.MarshalIndent(c, "", "  ") }
