package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// Milestone is something that operators do to the whole database.
type Milestone string

// Milestones.
const (
	MilestoneBackup  Milestone = "backup"
	MilestoneRestore Milestone = "restore"
	MilestoneDrill   Milestone = "drill" // a restoration for practice, beside the database
)

// Reach notes that one happened, at a time by the store's clock, and returns its number: the time in milliseconds, and
// more than any before. Two restorations of one state do not know of each other, and must not have one number.
func (db *DB) Reach(ctx context.Context, name Milestone) (number int64, err error) {
	return systemTx(ctx, db, "milestone", func(tx *tx) (n int64, err error) {
		err = tx.QueryRow(ctx, `INSERT INTO milestones (name, at, times) VALUES ($1, $2, $3)
			ON CONFLICT (name) DO UPDATE SET at = excluded.at, times = greatest(excluded.times, milestones.times + 1)
			RETURNING times`, string(name), tx.now, tx.now.UnixMilli()).Scan(&n)
		return n, err
	})
}

// Milestones says when each was last reached; what never was is missing.
func (db *DB) Milestones(ctx context.Context) (map[Milestone]time.Time, error) {
	return systemTx(ctx, db, "milestones", func(tx *tx) (map[Milestone]time.Time, error) {
		type reached struct {
			Name Milestone
			At   time.Time
		}
		list, err := collect(ctx, tx, pgx.RowToStructByPos[reached], `SELECT name, at FROM milestones`)
		found := map[Milestone]time.Time{}
		for _, r := range list {
			found[r.Name] = r.At
		}
		return found, err
	})
}

// feedEpoch is 1 until an older state of the database is put back, and another number after each time.
func feedEpoch(ctx context.Context, tx *tx) (epoch int64, err error) {
	err = tx.QueryRow(ctx, `SELECT 1 + coalesce((SELECT times FROM milestones WHERE name = 'restore'), 0)`).Scan(&epoch)
	return epoch, err
}
