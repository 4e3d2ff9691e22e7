package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// eraseWorkspace orders everything of a workspace that is being deleted to go, once its processes are silent. Errors:
// Conflict, when a hold stands on one of its leads (held) or the floor of one is not over (retention_floor).
func eraseWorkspace(ctx context.Context, tx *tx, reason string) error {
	var held int
	err := tx.QueryRow(ctx, `SELECT count(DISTINCT lead_id) FROM holds WHERE workspace_id = $1 AND released_at IS NULL`,
		tx.ws).Scan(&held)
	if err != nil {
		return err
	}
	if held > 0 {
		return dossier.Errorf(dossier.Conflict,
			"%s of this workspace may not be erased while a hold stands; release the holds first", plural(held, "lead"))
	}
	r, err := readRetention(ctx, tx)
	if err != nil {
		return err
	}
	if r.FloorFrom != "" {
		var last *time.Time
		err := tx.QueryRow(ctx, `SELECT max(`+leadMoment(r.FloorFrom)+`) FROM leads l WHERE l.workspace_id = $1`,
			tx.ws).Scan(&last)
		if err != nil {
			return err
		}
		if last != nil {
			if floor := last.AddDate(0, 0, r.FloorDays); tx.now.Before(floor) {
				return dossier.RetentionFloor(floor)
			}
		}
	}
	id := newID[dossier.ErasureID]()
	_, err = tx.Exec(ctx, `INSERT INTO erasures (workspace_id, id, subject, subject_id, status, reason, requested_by,
		requested_at, due_at, policy)
		VALUES ($1, $2, 'workspace', $1, 'SCHEDULED', $3, $4, $5, $5,
		'request')`, tx.ws, id, reason, requester(ctx), tx.now)
	if err != nil {
		return err
	}
	audit(ctx, tx, dossier.AuditWorkspaceErase, "workspace:"+string(tx.ws), map[string]any{"erasureId": id})
	return nil
}

// stageWorkspaceErasure stages the job that erases a deleted workspace. The job belongs to no workspace, since jobs of
// a deleted workspace are never claimed. It runs as the system, in the commit that deletes the workspace.
func stageWorkspaceErasure(ctx context.Context, tx *tx, ws dossier.WorkspaceID) error {
	job := jobs.EraseWorkspace{Target: ws}
	spec := job.Spec()
	tag, err := tx.Exec(ctx, `
		WITH j AS (
			INSERT INTO jobs (id, kind, lane, payload, max_attempts, run_at, unique_key, created_at)
			VALUES (@id, @kind, @lane, @payload::jsonb, @maxAttempts, now() + @runAt::interval, @uniqueKey,
				now()) ON CONFLICT (unique_key)
			WHERE workspace_id IS NULL DO NOTHING RETURNING *)`+restage,
		pgx.NamedArgs{"id": newID[dossier.JobID](), "kind": spec.Kind, "lane": spec.Lane, "payload": mustJSON(job),
			"maxAttempts": spec.Tries, "runAt": 2 * WorkspaceSilence, "uniqueKey": "erase:" + string(ws)})
	tx.staged = tx.staged || tag.RowsAffected() > 0
	return err
}

// StartWorkspaceErasure begins or resumes the erasure of a deleted workspace; ok is false when there is none that is
// open.
func (db *DB) StartWorkspaceErasure(ctx context.Context, ws dossier.WorkspaceID) (runs []dossier.PipelineRunID, ok bool,
	err error) {
	runs, err = transact(ctx, db, ws, "start workspace erasure", func(tx *tx) ([]dossier.PipelineRunID, error) {
		tag, err := tx.Exec(ctx, `UPDATE erasures SET status = 'RUNNING', started_at = coalesce(started_at, $2)
			WHERE workspace_id = $1 AND subject = 'workspace' AND status IN ('SCHEDULED', 'RUNNING')`, tx.ws, tx.now)
		if ok = tag.RowsAffected() > 0; err != nil || !ok {
			return nil, err
		}
		return collect(ctx, tx, pgx.RowTo[dossier.PipelineRunID],
			`SELECT id FROM pipeline_runs WHERE workspace_id = $1`, tx.ws)
	})
	return runs, ok, err
}

// NoteErasedObjects records objects that are about to go: the certificate is over their names.
func (db *DB) NoteErasedObjects(ctx context.Context, ws dossier.WorkspaceID, keys []string) error {
	_, err := transact(ctx, db, ws, "note erased objects", func(tx *tx) (none, error) {
		_, err := tx.Exec(ctx, `INSERT INTO erasure_things (workspace_id, thing, is_object) SELECT $1, k, true
				FROM unnest($2::text[]) k ON CONFLICT DO NOTHING`, tx.ws, keys)
		return none{}, err
	})
	return err
}

// erasePage is how many rows of a table of an erased workspace go in one commit.
const erasePage = 5000

// EraseWorkspaceRows takes a page of the workspace's rows away and returns how many; 0: none is left.
func (db *DB) EraseWorkspaceRows(ctx context.Context, ws dossier.WorkspaceID) (int, error) {
	return transact(ctx, db, ws, "erase workspace rows", func(tx *tx) (int, error) {
		tables, err := tenantTables(ctx, tx)
		if err != nil {
			return 0, err
		}
		for _, table := range tables {
			few := `SELECT ctid FROM ` + table + ` WHERE workspace_id = $1 LIMIT $2`
			sql := `WITH gone AS (DELETE FROM ` + table + ` t WHERE workspace_id = $1
				AND ctid = ANY (ARRAY(` + few + `)) RETURNING ` + rowName(table) + ` AS thing)
				INSERT INTO erasure_things (workspace_id, thing, is_object) SELECT $1, $3 || ':' || thing, false
				FROM gone ON CONFLICT DO NOTHING`
			tag, err := tx.Exec(ctx, sql, tx.ws, erasePage, table)
			if err != nil {
				return 0, err
			}
			if n := int(tag.RowsAffected()); n > 0 {
				return n, nil
			}
		}
		return 0, nil
	})
}

// rowName is what a row is called among the things that went. What has no id is called by what it holds, in a hash.
func rowName(table string) string {
	if table == "attempts" {
		return "t.delivery_id::text || '/' || t.number"
	}
	return "coalesce(to_jsonb(t)->>'id', md5(t::text))"
}

// tenantTables are all tables with rows of a workspace but those that outlive it, each before those that it refers to.
func tenantTables(ctx context.Context, tx *tx) ([]string, error) {
	tables, err := collect(ctx, tx, pgx.RowTo[string], `SELECT c.relname::text FROM pg_class c JOIN pg_attribute a
		ON a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
		  AND has_table_privilege(c.oid, 'DELETE') AND c.relname NOT IN ('erasures', 'erasure_things')
		  ORDER BY c.relname`)
	if err != nil {
		return nil, err
	}
	type reference struct{ From, To string }
	references, err := collect(ctx, tx, pgx.RowToStructByPos[reference], `SELECT DISTINCT f.relname::text,
		t.relname::text FROM pg_constraint c
		JOIN pg_class f ON f.oid = c.conrelid JOIN pg_class t ON t.oid = c.confrelid WHERE c.contype = 'f'
		AND f.oid <> t.oid AND NOT f.relispartition`)
	if err != nil {
		return nil, err
	}
	var order []string
	for len(tables) > 0 {
		free := slices.IndexFunc(tables, func(table string) bool {
			return !slices.ContainsFunc(references,
				func(r reference) bool { return r.To == table && slices.Contains(tables, r.From) })
		})
		free = max(free, 0) // in a circle any may be the first
		order, tables = append(order, tables[free]), slices.Delete(tables, free, free+1)
	}
	return order, nil
}

// FinishWorkspaceErasure takes the workspace itself away and signs what went, in one commit.
func (db *DB) FinishWorkspaceErasure(ctx context.Context, ws dossier.WorkspaceID) error {
	_, err := transact(ctx, db, ws, "finish workspace erasure", func(tx *tx) (none, error) {
		e, err := oneOf(ctx, tx, "erasure", scanErasure, `SELECT `+erasureColumns+` FROM erasures
			WHERE workspace_id = $1 AND subject = 'workspace' AND status = 'RUNNING' FOR UPDATE`, tx.ws)
		if err != nil {
			return none{}, ignoreMissing(err) // another hand was faster
		}
		rows, err := tx.Query(ctx, `SELECT thing, is_object FROM erasure_things WHERE workspace_id = $1
				ORDER BY thing COLLATE "C"`, tx.ws)
		if err != nil {
			return none{}, err
		}
		sum, first := sha256.New(), true
		var thing string
		var object bool
		_, err = pgx.ForEachRow(rows, []any{&thing, &object}, func() error {
			if !first {
				sum.Write([]byte{'\n'})
			}
			first = false
			sum.Write([]byte(thing))
			if object {
				e.Counts.Objects++
			} else {
				e.Counts.Rows++
			}
			return nil
		})
		if err != nil {
			return none{}, err
		}
		e.CompletedAt = &tx.now
		certificate, public, err := certifySum(ctx, tx, e, hex.EncodeToString(sum.Sum(nil)))
		if err != nil {
			return none{}, err
		}
		tx.deferExec(`UPDATE erasures SET status = 'COMPLETE', completed_at = @now, row_count = @rowCount,
			object_count = @objectCount,
			certificate = @certificate, public_key = @publicKey
			WHERE workspace_id = @workspace AND id = @id`,
			pgx.NamedArgs{"workspace": tx.ws, "id": e.ID, "now": tx.now, "rowCount": e.Counts.Rows,
				"objectCount": e.Counts.Objects, "certificate": string(certificate), "publicKey": []byte(public)})
		tx.deferExec(`DELETE FROM erasure_things WHERE workspace_id = $1`, tx.ws)
		tx.deferExec(`DELETE FROM workspaces WHERE id = $1`, tx.ws)
		return none{}, nil
	})
	return err
}
