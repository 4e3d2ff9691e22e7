package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// collect runs one query and scans all rows.
func collect[T any](ctx context.Context, tx *tx, scan pgx.RowToFunc[T], sql string, args ...any) ([]T, error) {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scan)
}

// oneOf runs a query of one row. Error: NotFound of the noun.
func oneOf[T any](ctx context.Context, tx *tx, noun string, scan pgx.RowToFunc[T], sql string, args ...any) (T, error) {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		var none T
		return none, err
	}
	row, err := pgx.CollectExactlyOneRow(rows, scan)
	return row, orMissing(err, noun)
}

// queue adds a query to a batch; its rows are in into when the batch has been closed.
func queue[T any](batch *pgx.Batch, into *[]T, scan pgx.RowToFunc[T], sql string, args ...any) {
	batch.Queue(sql, args...).Query(func(rows pgx.Rows) (err error) {
		*into, err = pgx.CollectRows(rows, scan)
		return err
	})
}

// queueOne is queue for a query of one row; without it the batch fails with NotFound of the noun.
func queueOne[T any](batch *pgx.Batch, into *T, noun string, scan pgx.RowToFunc[T], sql string, args ...any) {
	batch.Queue(sql, args...).Query(func(rows pgx.Rows) (err error) {
		*into, err = pgx.CollectExactlyOneRow(rows, scan)
		return orMissing(err, noun)
	})
}

// orElse is err when there is one, else other.
func orElse(err, other error) error {
	if err != nil {
		return err
	}
	return other
}
