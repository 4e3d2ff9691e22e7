package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// LoggedRequest is a call with a key of a workspace, as it is kept to be found again: nothing of its body, and of its
// address only the path.
type LoggedRequest struct {
	ID             string // the server's own, in the order of time; RequestID is not unique
	Workspace      dossier.WorkspaceID
	RequestID      string // the answer's X-Request-Id
	At             time.Time
	Method         string
	Route          string // the path as in the route table
	Path           string // without the query, tokens as ***
	Status         int
	Took           time.Duration
	KeyID          dossier.KeyID
	IsTest         bool // by a test key
	IdempotencyKey *string
	ProblemCode    *string // of an answer that is an error
	ProblemDetail  *string
	Address        string
}

// SaveRequests writes entries of any workspaces into the log of requests: one statement that takes an array per column,
// which costs the server least. It commits asynchronously: a crash of the database may lose the last second of the log.
func (db *DB) SaveRequests(ctx context.Context, entries []LoggedRequest) error {
	batch := singleBatch(
		`INSERT INTO request_log (workspace_id, id, request_id, at, method, route, path, status, duration_ms,
			key_id, is_test, idempotency_key, problem_code, problem_detail, address)
		SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::text[],
			$8::int[], $9::bigint[], $10::uuid[], $11::bool[], $12::text[], $13::text[], $14::text[], $15::text[])`,
		[]any{
			column(entries, func(e LoggedRequest) string { return string(e.Workspace) }),
			column(entries, func(e LoggedRequest) string { return e.ID }),
			column(entries, func(e LoggedRequest) string { return e.RequestID }),
			column(entries, func(e LoggedRequest) time.Time { return e.At }),
			column(entries, func(e LoggedRequest) string { return e.Method }),
			column(entries, func(e LoggedRequest) string { return e.Route }),
			column(entries, func(e LoggedRequest) string { return e.Path }),
			column(entries, func(e LoggedRequest) int { return e.Status }),
			column(entries, func(e LoggedRequest) int64 { return e.Took.Milliseconds() }),
			column(entries, func(e LoggedRequest) string { return string(e.KeyID) }),
			column(entries, func(e LoggedRequest) bool { return e.IsTest }),
			column(entries, func(e LoggedRequest) *string { return e.IdempotencyKey }),
			column(entries, func(e LoggedRequest) *string { return e.ProblemCode }),
			column(entries, func(e LoggedRequest) *string { return e.ProblemDetail }),
			column(entries, func(e LoggedRequest) string { return e.Address }),
		})
	return translate("save requests", db.system.SendBatch(ctx, batch, setting{"synchronous_commit", "off"}).Close())
}

// column is one member of each of some things.
func column[T, V any](things []T, of func(T) V) []V {
	out := make([]V, len(things))
	for i, thing := range things {
		out[i] = of(thing)
	}
	return out
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
	page dossier.Page) ([]LoggedRequest, error) {
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
	if f.Since != nil { // by the id, too: it has an index
		list = list.Where("at >= ? AND id >= ?::uuid", *f.Since, idFrom(f.Since.Add(-clockStep)))
	}
	sql, args, err := list.ToSql()
	if err != nil {
		return nil, err
	}
	return readAll(ctx, db, ws, "list requests", scanRequest, sql, args...)
}

func scanRequest(row pgx.CollectableRow) (LoggedRequest, error) {
	var r LoggedRequest
	var took int64
	err := row.Scan(&r.ID, &r.Workspace, &r.RequestID, &r.At, &r.Method, &r.Route, &r.Path, &r.Status, &took, &r.KeyID,
		&r.IsTest,
		&r.IdempotencyKey, &r.ProblemCode, &r.ProblemDetail, &r.Address)
	r.Took = time.Duration(took) * time.Millisecond
	return r, err
}

// clockStep is how far the ids of entries may be from their times: both are taken as a call begins.
const clockStep = time.Second

// PruneRequests forgets up to limit requests of before a time, workspace by workspace: the age stands in the id, so
// that no call pays for an index that only this asks for.
func (db *DB) PruneRequests(ctx context.Context, before time.Time, limit int) (int, error) {
	tag, err := db.system.Exec(ctx, `
		WITH RECURSIVE w AS (
			SELECT '00000000-0000-0000-0000-000000000000'::uuid AS workspace_id
			UNION ALL
			SELECT (SELECT r.workspace_id FROM request_log r WHERE r.workspace_id > w.workspace_id
				ORDER BY r.workspace_id LIMIT 1) FROM w WHERE w.workspace_id IS NOT NULL)
		DELETE FROM request_log WHERE ctid = ANY (ARRAY(
			SELECT old.ctid FROM w CROSS JOIN LATERAL (
				SELECT r.ctid FROM request_log r WHERE r.workspace_id = w.workspace_id AND r.id < $2::uuid
				ORDER BY r.id LIMIT $1) old LIMIT $1))`, limit, idFrom(before))
	return int(tag.RowsAffected()), translate("prune requests", err)
}
