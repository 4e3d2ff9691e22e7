package postgres

import "context"

// insertRows runs a statement that writes many rows: $1 is the workspace, $2 the rows as a JSON array, whose keys are
// names of columns (jsonb_populate_recordset). No rows need no statement.
func insertRows[R any](ctx context.Context, tx *tx, sql string, rows []R) error {
	if len(rows) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, sql, tx.ws, rows)
	return err
}
