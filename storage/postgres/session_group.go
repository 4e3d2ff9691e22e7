package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/dossierhq/dossier"
)

// Writes that many callers make at once travel together: what several requests insert is one statement a workspace and
// one commit for all (batch.go). Only writes that need nobody else's lock may, so that one tenant's open transaction
// holds up no other's request.

// written is a row that is to be written for a workspace.
type written interface{ owner() dossier.WorkspaceID }

// groupCommit writes rows of any workspaces in one round trip and one transaction. queue adds the statement that writes
// the rows of one workspace and returns the ids of those it wrote. The result says for each row whether it was.
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

// retrySingly reports whether a write that travelled with others and failed is to be made by itself: the server refused
// the whole, and did nothing, for what may be the fault of another, or another's claim was lost.
func retrySingly(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) || errors.Is(err, ErrFenced)
}

// travels reports whether a request's write may go with others'. The result of one that has an idempotency key is kept
// in its own transaction, and a test key has a role of its own.
func travels(ctx context.Context) bool {
	_, claimed := ctx.Value(claimKey{}).(*IdempotencyClaim)
	return !claimed && !actorOf(ctx).Test
}
