package main

import (
	"fmt"
	"io"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/storage/postgres"
)

type reprocessCommand struct {
	Workspace string   `arg:"" name:"workspace" help:"Key or id."`
	Documents []string `name:"document" placeholder:"ID" help:"${reprocess_documents}"`
	Tokens    bool     `help:"${reprocess_tokens}"`
	Limit     int      `default:"0" help:"At most so many; 0: all."`
}

// reprocessed is what the command staged.
type reprocessed struct {
	EngineVersion string `json:"engineVersion"`
	Staged        int    `json:"staged"`
}

// reprocessBatch is how many documents are staged in one transaction.
const reprocessBatch = 200

// Run stages jobs; workers do them at their own pace, behind nothing and before nothing else.
func (c reprocessCommand) Run(a *app) error {
	if c.Limit < 0 {
		return usagef("--limit must not be negative")
	}
	if len(c.Documents) > 0 && (c.Tokens || c.Limit > 0) {
		return usagef("--document reads the named files anew; --tokens and --limit are for all outdated ones")
	}
	return a.inWorkspace(c.Workspace, func(db *postgres.DB, w dossier.Workspace) error {
		staged, err := c.stage(a, db, w.ID)
		if err != nil {
			return err
		}
		return a.show(reprocessed{document.EngineVersion, staged}, func(out io.Writer) {
			fmt.Fprintf(out, "%s will be read by engine %s\n", count(staged, "document"), document.EngineVersion)
		})
	})
}

func (c reprocessCommand) stage(a *app, db *postgres.DB, ws dossier.WorkspaceID) (int, error) {
	for _, id := range c.Documents {
		if _, err := db.ReprocessDocument(a.ctx, ws, dossier.DocumentID(id)); err != nil {
			return 0, fmt.Errorf("document %s: %w", id, err)
		}
	}
	if len(c.Documents) > 0 {
		return len(c.Documents), nil
	}
	staged := 0
	for {
		batch := reprocessBatch
		if c.Limit > 0 {
			batch = min(batch, c.Limit-staged)
		}
		n, err := db.ReprocessOutdated(a.ctx, ws, document.EngineVersion, c.Tokens, batch)
		staged += n
		if err != nil || n < batch || staged == c.Limit && c.Limit > 0 {
			return staged, err
		}
	}
}
