package postgres

import (
	"context"
	"strconv"

	"github.com/dossierhq/dossier"
)

// limitsJSON is how a workspace's limits are kept. What is 0 has its default.
type limitsJSON struct {
	Webhooks         int   `json:"webhooks,omitempty"`
	APIKeys          int   `json:"apiKeys,omitempty"`
	ChecklistItems   int   `json:"checklistItems,omitempty"`
	Documents        int   `json:"documents,omitempty"`
	DocumentBytes    int64 `json:"documentBytes,omitempty"`
	InboundPerMinute int   `json:"inboundPerMinute,omitempty"`
}

// holdLimit locks a limit until the commit, so that transactions that add to what it counts see each other's rows. The
// lock is taken with the next statement. of names what is counted: webhooks, or documents of a lead.
func holdLimit(tx *tx, of string) {
	tx.deferExec(`SELECT pg_advisory_xact_lock(hashtextextended($1, 4218021))`, string(tx.ws)+" "+of)
}

func readLimits(ctx context.Context, tx *tx) (dossier.Limits, error) {
	var limits limitsJSON
	err := tx.QueryRow(ctx, `SELECT limits FROM workspaces WHERE id = $1`, tx.ws).Scan(&limits)
	return dossier.Limits(limits).OrDefault(), orMissing(err, "workspace")
}

// limitWebhooks refuses one more registration than the workspace may have. Error: Conflict (limit_reached).
func limitWebhooks(ctx context.Context, tx *tx) error {
	holdLimit(tx, "webhooks")
	return refuseOver(ctx, tx, "webhooks", func(l dossier.Limits) int { return l.Webhooks },
		`SELECT count(*) FROM webhooks WHERE workspace_id = $1 AND deleted_at IS NULL`, tx.ws)
}

// limitKeys refuses one more API key than the workspace may have. Error: Conflict (limit_reached).
func limitKeys(ctx context.Context, tx *tx) error {
	holdLimit(tx, "apiKeys")
	return refuseOver(ctx, tx, "apiKeys", func(l dossier.Limits) int { return l.APIKeys },
		`SELECT count(*) FROM api_keys WHERE workspace_id = $1 AND revoked_at IS NULL
			AND (expires_at IS NULL OR expires_at > $2)`, tx.ws, tx.now)
}

// refuseOver counts what is there and refuses another one.
func refuseOver(ctx context.Context, tx *tx, name string, limit func(dossier.Limits) int, count string,
	args ...any) error {
	limits, err := readLimits(ctx, tx)
	if err != nil {
		return err
	}
	var there int
	if err := tx.QueryRow(ctx, count, args...).Scan(&there); err != nil {
		return err
	}
	if there >= limit(limits) {
		return dossier.LimitReached(name, strconv.Itoa(limit(limits)))
	}
	return nil
}

// documentRoom is what a lead may still send.
type documentRoom struct {
	limits dossier.Limits
	files  int
	bytes  int64
}

// readRoom says what room the lead's documents leave, announced ones included. holdLimit goes before it.
func readRoom(ctx context.Context, tx *tx, lead dossier.LeadID) (documentRoom, error) {
	var limits limitsJSON
	var r documentRoom
	err := tx.QueryRow(ctx, `SELECT w.limits, d.files, d.bytes FROM workspaces w,
		(SELECT count(*) AS files, coalesce(sum(size), 0)::bigint AS bytes FROM documents
			WHERE workspace_id = $1 AND lead_id = $2 AND deleted_at IS NULL) d
		WHERE w.id = $1`, tx.ws, lead).Scan(&limits, &r.files, &r.bytes)
	r.limits = dossier.Limits(limits).OrDefault()
	r.files, r.bytes = r.limits.Documents-r.files, r.limits.DocumentBytes-r.bytes
	return r, orMissing(err, "workspace")
}

// checkLimit refuses documents beyond the limits. Error: Conflict (limit_reached).
func (r documentRoom) checkLimit() error {
	switch {
	case r.files < 0:
		return dossier.LimitReached("documents", strconv.Itoa(r.limits.Documents)+" a lead")
	case r.bytes < 0:
		return dossier.LimitReached("documentBytes", dossier.FormatSize(r.limits.DocumentBytes)+" a lead")
	}
	return nil
}

// reserve counts one more file of the given size in bytes, and reports whether it fits.
func (r *documentRoom) reserve(size int64) bool {
	if r.files < 1 || r.bytes < size {
		return false
	}
	r.files, r.bytes = r.files-1, r.bytes-size
	return true
}

// limitDocuments refuses documents that were just added beyond what a lead may have: the transaction takes all of them
// back. Error: Conflict (limit_reached).
func limitDocuments(ctx context.Context, tx *tx, lead dossier.LeadID) error {
	room, err := readRoom(ctx, tx, lead)
	if err != nil {
		return err
	}
	return room.checkLimit()
}
