package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/dossierhq/dossier"
)

// Group commit: rows that several requests insert at the same time go in one statement per workspace and one commit for
// all (session_batch.go). Only writes that wait for nobody else's lock may be grouped, so that one tenant's open
// transaction delays no other's request.

// written is a row that is to be written for a workspace.
type written interface{ owner() dossier.WorkspaceID }

// groupCommit writes rows of any workspaces in one round trip and one transaction. queue adds to the batch the
// statement that writes the rows of one workspace; it must return the ids of the rows it wrote. The result says for
// each row, in order, whether it was written.
func groupCommit[R written](ctx context.Context, db *DB, op string, rows []R, id func(R) string,
	queue func(batch *pgx.Batch, ws dossier.WorkspaceID, rows []R)) ([]bool, error) {
	order, byOwner := []dossier.WorkspaceID{}, map[dossier.WorkspaceID][]R{}
	for _, row := range rows {
		ws := row.owner()
		if byOwner[ws] == nil {
			order = append(order, ws)
		}
		byOwner[ws] = append(byOwner[ws], row)
	}
	return retry(ctx, op, func() ([]bool, error) {
		batch := &pgx.Batch{}
		for _, ws := range order {
			batch.Queue("select set_config($1, $2, true)", "app.ws", string(ws))
			queue(batch, ws, byOwner[ws])
		}
		done, err := readWritten(db.app.SendBatch(ctx, batch), len(order))
		if err != nil {
			return nil, err
		}
		out := make([]bool, len(rows))
		for i, row := range rows {
			out[i] = done[id(row)]
		}
		return out, nil
	})
}

func readWritten(results pgx.BatchResults, workspaces int) (map[string]bool, error) {
	done := map[string]bool{}
	for range workspaces {
		if _, err := results.Exec(); err != nil {
			_ = results.Close() // says the same
			return nil, err
		}
		rows, err := results.Query()
		if err != nil {
			_ = results.Close() // says the same
			return nil, err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			_ = results.Close() // says the same
			return nil, err
		}
		for _, id := range ids {
			done[id] = true
		}
	}
	return done, results.Close() // the commit
}

// retrySingly reports whether a write that failed in a group is to be repeated by itself: the server rolled back the
// whole group, and the cause may be another's row, or another's lost claim.
func retrySingly(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) || errors.Is(err, ErrFenced)
}

// canGroup reports whether a request's write may be committed with others'. A write under an idempotency key stores its
// result in its own transaction, and a test key works as a role of its own.
func canGroup(ctx context.Context) bool {
	_, claimed := ctx.Value(claimKey{}).(*IdempotencyClaim)
	return !claimed && !actorOf(ctx).Test
}
