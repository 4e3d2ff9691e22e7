package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// UseTracer opens the tenants' pool again with a tracer, so that a test sees every statement and round trip.
func (db *DB) UseTracer(ctx context.Context, tracer pgx.QueryTracer) error {
	cfg := db.app.Config()
	cfg.ConnConfig.Tracer = tracer
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return err
	}
	db.app.Close()
	db.app = pool
	return nil
}

// CompleteLead runs what a finished workflow run does to its lead.
func (db *DB) CompleteLead(ctx context.Context, ws dossier.WorkspaceID, id dossier.LeadID) error {
	_, err := transact(ctx, db, ws, "complete lead", func(tx *tx) (none, error) { return none{}, completeLead(ctx, tx, id) })
	return err
}

// CrowdSize is how many turns make a crowd, CrowdWait how long others give way to it.
const (
	CrowdSize = crowdSize
	CrowdWait = crowdWait
)

// CrowdSeen says whether there ever was a crowd.
func (db *DB) CrowdSeen() bool { return db.crowd.until.Load() != 0 }

// JoinCrowd makes a crowd, of which one is stuck inside.
func (db *DB) JoinCrowd() {
	db.crowd.seen()
	select {
	case db.crowd.inside <- struct{}{}:
	default:
	}
}

// TakeTurns takes turns that came together, and says which were taken.
func (db *DB) TakeTurns(ctx context.Context, claims []Claim, turns []jobs.TakeTurn) ([]bool, error) {
	asks := make([]turnAsk, len(claims))
	for i, claim := range claims {
		asks[i] = turnAsk{claim: claim, job: turns[i]}
	}
	return db.takeTurns(ctx, asks)
}
