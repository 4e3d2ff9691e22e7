package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

const artifactColumns = `a.id, a.type, a.title, a.object_key, a.sha256, a.size, a.created_at`

func scanArtifact(row pgx.CollectableRow) (a dossier.Artifact, err error) {
	err = row.Scan(&a.ID, &a.Type, &a.Title, &a.ObjectKey, &a.SHA256, &a.Size, &a.CreatedAt)
	return a, err
}

// ReadArtifact returns a file of a spread. Error: NotFound, also when it was replaced or its lead is deleted.
func (db *DB) ReadArtifact(ctx context.Context, ws dossier.WorkspaceID,
	id dossier.ArtifactID) (dossier.Artifact, error) {
	return readOne(ctx, db, ws, "read artifact", "artifact", scanArtifact, `SELECT `+artifactColumns+` FROM artifacts a
		JOIN spreads s ON s.workspace_id = a.workspace_id AND s.id = a.spread_id
		WHERE a.workspace_id = $1 AND a.id = $2`+livingSpread, ws, id)
}

func loadArtifacts(ctx context.Context, tx *tx, byID map[dossier.SpreadID]*dossier.Spread,
	ids []dossier.SpreadID) error {
	rows, err := tx.Query(ctx, `SELECT a.spread_id, `+artifactColumns+` FROM artifacts a WHERE a.workspace_id = $1
		AND a.spread_id = ANY ($2)
		ORDER BY a.spread_id, a.type`, tx.ws, ids)
	if err != nil {
		return err
	}
	_, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (none, error) {
		var id dossier.SpreadID
		var a dossier.Artifact
		err := row.Scan(&id, &a.ID, &a.Type, &a.Title, &a.ObjectKey, &a.SHA256, &a.Size, &a.CreatedAt)
		if s := byID[id]; s != nil {
			s.Artifacts = append(s.Artifacts, a)
		}
		return none{}, err
	})
	return err
}

// replaceArtifacts puts new files in the place of a spread's previous ones. The objects of those are swept.
func replaceArtifacts(ctx context.Context, tx *tx, s *dossier.Spread, files []dossier.Artifact) error {
	if _, err := tx.Exec(ctx, `DELETE FROM artifacts WHERE workspace_id = $1 AND spread_id = $2`, tx.ws,
		s.ID); err != nil {
		return err
	}
	s.Artifacts = nil
	for _, a := range files {
		a.ID, a.CreatedAt = newID[dossier.ArtifactID](), tx.now
		_, err := tx.Exec(ctx, `INSERT INTO artifacts (workspace_id, id, spread_id, round, type, title, object_key,
			sha256, size, created_at)
			VALUES (@workspace, @id, @spreadId, @round, @type, @title, @objectKey, @sha256, @size, @createdAt)`,
			pgx.NamedArgs{"workspace": tx.ws, "id": a.ID, "spreadId": s.ID, "round": s.Round, "type": a.Type,
				"title": a.Title, "objectKey": a.ObjectKey, "sha256": a.SHA256, "size": a.Size,
				"createdAt": a.CreatedAt})
		if err != nil {
			return err
		}
		s.Artifacts = append(s.Artifacts, a)
	}
	return nil
}
