package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dossierhq/dossier"
)

// UseTracer opens the tenants' pool again with a tracer, so that a test sees every statement and round trip.
func (db *DB) UseTracer(ctx context.Context, tracer pgx.QueryTracer) error {
	cfg := db.app.conns.Config()
	cfg.ConnConfig.Tracer = tracer
	conns, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return err
	}
	db.app.Close()
	db.app = &pool{conns: conns, settings: db.app.settings}
	return nil
}

// CompleteLead runs what a finished workflow run does to its lead.
func (db *DB) CompleteLead(ctx context.Context, ws dossier.WorkspaceID, id dossier.LeadID) error {
	_, err := transact(ctx, db, ws, "complete lead", func(tx *tx) (none, error) { return none{}, completeLead(ctx, tx, id) })
	return err
}

// Emit records an event in a transaction of its own, made by a test key or not.
func Emit(ctx context.Context, db *DB, ws dossier.WorkspaceID, t dossier.EventType, lead dossier.LeadID, data any) error {
	_, err := transact(ctx, db, ws, "emit", func(tx *tx) (none, error) { return none{}, emit(ctx, tx, t, lead, data) })
	return err
}
