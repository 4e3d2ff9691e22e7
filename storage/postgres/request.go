package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// requestRow is an entry of the log of requests as it is written.
type requestRow struct {
	Workspace      dossier.WorkspaceID `json:"workspace_id"`
	ID             string              `json:"id"`
	RequestID      string              `json:"request_id"`
	At             time.Time           `json:"at"`
	Method         string              `json:"method"`
	Route          string              `json:"route"`
	Path           string              `json:"path"`
	Status         int                 `json:"status"`
	DurationMS     int64               `json:"duration_ms"`
	KeyID          dossier.KeyID       `json:"key_id"`
	IsTest         bool                `json:"is_test"`
	IdempotencyKey *string             `json:"idempotency_key"`
	ProblemCode    *string             `json:"problem_code"`
	ProblemDetail  *string             `json:"problem_detail"`
	Address        string              `json:"address"`
}

// SaveRequests writes entries of any workspaces into the log of requests, all in one statement. The commit does not
// wait for the disk: what a crash loses is a part of a second of a log.
func (db *DB) SaveRequests(ctx context.Context, entries []dossier.LoggedRequest) error {
	rows := make([]requestRow, len(entries))
	for i, e := range entries {
		rows[i] = requestRow{e.Workspace, e.ID, e.RequestID, e.At, e.Method, e.Route, e.Path, e.Status,
			e.Took.Milliseconds(),
			e.KeyID, e.IsTest, e.IdempotencyKey, e.ProblemCode, e.ProblemDetail, e.Address}
	}
	batch := one(`INSERT INTO request_log (workspace_id, id, request_id, at, method, route, path, status, duration_ms,
		key_id,
			is_test, idempotency_key, problem_code, problem_detail, address)
		SELECT workspace_id, id, request_id, at, method, route, path, status, duration_ms, key_id, is_test,
		idempotency_key,
			problem_code, problem_detail, address
		FROM jsonb_populate_recordset(NULL::request_log, $1)`, []any{rows})
	return translate("save requests", db.system.SendBatch(ctx, batch, setting{"synchronous_commit", "off"}).Close())
}

// RequestFilter says which requests a list keeps; zero fields keep all.
type RequestFilter struct {
	MinStatus, MaxStatus int    // from and to
	Route                string // a part of the route
	KeyID                dossier.KeyID
	Since                *time.Time
}

// Requests lists the calls of a workspace's keys, newest first; for a test key those of test keys.
func (db *DB) Requests(ctx context.Context, ws dossier.WorkspaceID, f RequestFilter,
	page dossier.Page) ([]dossier.LoggedRequest, error) {
	list := psql.Select("id, workspace_id, request_id, at, method, route, path, status, duration_ms, key_id, is_test",
		"idempotency_key, problem_code, problem_detail, address").From("request_log").Where("workspace_id = ?", ws).
		OrderBy("id DESC").Limit(uint64(page.Limit) + 1)
	if page.After != nil {
		list = list.Where("id < ?::uuid", page.After.ID)
	}
	if f.MinStatus > 0 {
		list = list.Where("status BETWEEN ? AND ?", f.MinStatus, f.MaxStatus)
	}
	if f.Route != "" {
		list = list.Where("strpos(route, ?) > 0", f.Route)
	}
	if f.KeyID != "" {
		list = list.Where("key_id = ?::uuid", f.KeyID)
	}
	if f.Since != nil {
		list = list.Where("at >= ?", *f.Since)
	}
	sql, args, err := list.ToSql()
	if err != nil {
		return nil, err
	}
	return readAll(ctx, db, ws, "list requests", scanRequest, sql, args...)
}

func scanRequest(row pgx.CollectableRow) (dossier.LoggedRequest, error) {
	var r dossier.LoggedRequest
	var took int64
	err := row.Scan(&r.ID, &r.Workspace, &r.RequestID, &r.At, &r.Method, &r.Route, &r.Path, &r.Status, &took, &r.KeyID,
		&r.IsTest,
		&r.IdempotencyKey, &r.ProblemCode, &r.ProblemDetail, &r.Address)
	r.Took = time.Duration(took) * time.Millisecond
	return r, err
}

// PruneRequests forgets up to limit requests of before a time.
func (db *DB) PruneRequests(ctx context.Context, before time.Time, limit int) (int, error) {
	tag, err := db.system.Exec(ctx, `
		DELETE FROM request_log WHERE ctid = ANY (ARRAY(
			SELECT ctid FROM request_log WHERE at < $2 ORDER BY at LIMIT $1))`, limit, before)
	return int(tag.RowsAffected()), translate("prune requests", err)
}
