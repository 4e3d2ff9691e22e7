package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// WorkCount is how many jobs or deliveries are alike.
type WorkCount struct {
	Kind   string `json:"kind"`
	Status string `json:"status"`
	Error  string `json:"error"` // class of the last one
	Count  int64  `json:"count"`
}

// CountWork counts all jobs, and deliveries by the type of their event: kinds, states and classes, no texts.
func (db *DB) CountWork(ctx context.Context) ([]WorkCount, error) {
	rows, err := db.system.Query(ctx, `
		SELECT kind, status, coalesce(error_class, ''), count(*) FROM jobs GROUP BY 1, 2, 3
		UNION ALL SELECT 'delivery ' || event_type, status, coalesce(last_error, ''), count(*) FROM deliveries
			GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`)
	if err != nil {
		return nil, translate("count work", err)
	}
	counts, err := pgx.CollectRows(rows, pgx.RowToStructByPos[WorkCount])
	return counts, translate("count work", err)
}
