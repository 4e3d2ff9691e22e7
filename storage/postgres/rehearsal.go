package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// A rehearsal plays a workspace on a clock of its own that runs in the past, without a queue. The database stamps what
// is due at once with its own time, so every due time after the rehearsal began means "now".

// ClaimDue takes the oldest waiting job of some lanes that is due at a moment of a rehearsal. Not ok: there is none.
func (db *DB) ClaimDue(ctx context.Context, lanes []jobs.Lane, at, began time.Time,
	worker string) (Claim, bool, error) {
	rows, err := db.system.Query(ctx, `
		UPDATE jobs j SET status = 'RUNNING', attempt = attempt + 1, lease_until = now() + $4, worker = $5,
			started_at = coalesce(started_at, now())
		WHERE id = (SELECT id FROM jobs WHERE lane = ANY ($1) AND status IN ('QUEUED', 'RETRY') AND `+notAwaiting+`
			AND (run_at <= $2 OR run_at >= $3) ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
		RETURNING `+claimColumns, lanes, at, began, Lease, worker)
	if err != nil {
		return Claim{}, false, translate("claim due job", err)
	}
	claims, err := pgx.CollectRows(rows, pgx.RowToFunc[Claim](scanClaim))
	if err != nil || len(claims) == 0 {
		return Claim{}, false, translate("claim due job", err)
	}
	return claims[0], true, nil
}

// PutOff makes a waiting job of a rehearsal due at a moment of it.
func (db *DB) PutOff(ctx context.Context, job dossier.JobID, due time.Time) error {
	_, err := db.system.Exec(ctx, `UPDATE jobs SET run_at = $2 WHERE id = $1 AND status IN ('QUEUED', 'RETRY')`, job,
		due)
	return translate("put off job", err)
}

// NextDue is when the next waiting job of some lanes is due in a rehearsal; zero: none.
func (db *DB) NextDue(ctx context.Context, lanes []jobs.Lane, began time.Time) (time.Time, error) {
	var next *time.Time
	err := db.system.QueryRow(ctx, `SELECT min(run_at) FROM jobs WHERE lane = ANY ($1) AND status IN ('QUEUED', 'RETRY')
		AND `+notAwaiting+` AND run_at < $2`, lanes, began).Scan(&next)
	return deref(next), translate("next due job", err)
}
