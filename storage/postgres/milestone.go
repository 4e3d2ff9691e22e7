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

// RecordMilestone stores that a milestone happened now, and returns its number: the time in Unix milliseconds, or one
// more than the last number when that is higher. The number is a time because two restorations of the same backup do
// not know of each other and must not get the same one.
func (db *DB) RecordMilestone(ctx context.Context, name Milestone) (number int64, err error) {
	return systemTx(ctx, db, "milestone", func(tx *tx) (n int64, err error) {
		err = tx.QueryRow(ctx, `INSERT INTO milestones (name, at, times) VALUES ($1, $2, $3)
			ON CONFLICT (name) DO UPDATE SET at = excluded.at, times = greatest(excluded.times, milestones.times + 1)
			RETURNING times`, string(name), tx.now, tx.now.UnixMilli()).Scan(&n)
		return n, err
	})
}

// Milestones returns when each milestone last happened; those that never did are missing.
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

// feedEpoch is the epoch of the event feed: 1 until a backup is restored, and another number after each restoration.
func feedEpoch(ctx context.Context, tx *tx) (epoch int64, err error) {
	err = tx.QueryRow(ctx, `SELECT 1 + coalesce((SELECT times FROM milestones WHERE name = 'restore'), 0)`).Scan(&epoch)
	return epoch, err
}
