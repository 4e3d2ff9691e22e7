package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// NewImport is a table whose bytes are stored and which is to be made into leads.
type NewImport struct {
	DryRun     bool
	FileKey    string
	ArchiveKey string // empty: none
}

const importColumns = `id, status, dry_run, is_test, row_count, created, updated, refused, done, errors, failure,
	file_key, archive_key, report_key, source, coalesce(actor, ''), created_at, finished_at`

func scanImport(row pgx.CollectableRow) (dossier.Import, error) {
	var im dossier.Import
	err := row.Scan(&im.ID, &im.Status, &im.DryRun, &im.Test, &im.Rows, &im.Created, &im.Updated, &im.Refused,
		&im.Done, &im.Errors, &im.Failure, &im.FileKey, &im.ArchiveKey, &im.ReportKey, &im.Source, &im.Actor,
		&im.CreatedAt, &im.FinishedAt)
	return im, err
}

// CreateImport records a table and stages its job.
func (db *DB) CreateImport(ctx context.Context, ws dossier.WorkspaceID, create NewImport,
	by Caller) (dossier.Import, error) {
	return transact(ctx, db, ws, "create import", func(tx *tx) (dossier.Import, error) {
		im := dossier.Import{ID: newID[dossier.ImportID](), Status: dossier.ImportPending, DryRun: create.DryRun,
			Test:   by.Test,
			Source: by.Source, Actor: by.Actor, CreatedAt: tx.now}
		tx.deferExec(`INSERT INTO imports (workspace_id, id, dry_run, is_test, file_key, archive_key, source, actor,
			created_at) VALUES (@workspace, @id, @dryRun, @isTest, @fileKey, @archiveKey, @source, @actor, @now)`,
			pgx.NamedArgs{"workspace": tx.ws, "id": im.ID, "dryRun": im.DryRun, "isTest": im.Test,
				"fileKey": create.FileKey, "archiveKey": dossier.OrNil(create.ArchiveKey), "source": im.Source,
				"actor": dossier.OrNil(im.Actor), "now": tx.now})
		_, err := enqueue(ctx, tx, jobs.ImportLeads{Workspace: ws, Import: im.ID},
			staging{subject: string(im.ID), bulk: true})
		return im, err
	})
}

// Import returns one import; while it runs, with the faults found so far. Error: NotFound.
func (db *DB) Import(ctx context.Context, ws dossier.WorkspaceID, id dossier.ImportID) (dossier.Import, error) {
	return snapshot(ctx, db, ws, "read import", func(tx *tx) (dossier.Import, error) {
		im, err := oneOf(ctx, tx, "import", scanImport,
			`SELECT `+importColumns+` FROM imports WHERE workspace_id = $1 AND id = $2`, tx.ws, id)
		if err == nil && im.Errors == nil {
			im.Errors = []dossier.ImportFault{}
			if im.Refused > 0 {
				im.Errors, err = importFaults(ctx, tx, id)
			}
		}
		return im, err
	})
}

// Imports lists the imports of a workspace, newest first; of those that run without faults.
func (db *DB) Imports(ctx context.Context, ws dossier.WorkspaceID, page dossier.Page) ([]dossier.Import, error) {
	at, id := pageArgs(page)
	return readAll(ctx, db, ws, "list imports", scanImport, `SELECT `+importColumns+` FROM imports
		WHERE workspace_id = $1 AND ($2::timestamptz IS NULL OR (created_at, id) < ($2, $3::uuid))
		ORDER BY created_at DESC, id DESC LIMIT $4`, ws, at, id, page.Limit+1)
}

// importFaults are the first faults of the rows refused so far.
func importFaults(ctx context.Context, tx *tx, id dossier.ImportID) ([]dossier.ImportFault, error) {
	lists, err := collect(ctx, tx, pgx.RowTo[[]dossier.ImportFault], `SELECT faults FROM import_rows
		WHERE workspace_id = $1 AND import_id = $2 AND outcome = 'refused' ORDER BY row LIMIT $3`, tx.ws, id,
		dossier.MaxImportErrors)
	faults := []dossier.ImportFault{}
	for _, list := range lists {
		faults = append(faults, list...)
	}
	return faults[:min(len(faults), dossier.MaxImportErrors)], err
}

// StartImport begins or resumes an import; ok is false when it has ended. Errors: NotFound, ErrFenced.
func (db *DB) StartImport(ctx context.Context, claim Claim, id dossier.ImportID) (im dossier.Import, ok bool,
	err error) {
	im, err = transact(ctx, db, claim.Workspace, "start import", func(tx *tx) (dossier.Import, error) {
		if err := holdClaim(ctx, tx, claim); err != nil {
			return dossier.Import{}, err
		}
		return oneOf(ctx, tx, "import", scanImport, `UPDATE imports
			SET status = CASE status WHEN 'PENDING' THEN 'RUNNING' ELSE status END
			WHERE workspace_id = $1 AND id = $2 RETURNING `+importColumns, tx.ws, id)
	})
	return im, im.Status == dossier.ImportRunning, err
}

// SettledRows returns the outcomes of the settled rows among those numbered from and to, both included.
func (db *DB) SettledRows(ctx context.Context, claim Claim, id dossier.ImportID,
	from, to int) (map[int]dossier.ImportOutcome, error) {
	rows, err := readAll(ctx, db, claim.Workspace, "settled rows", pgx.RowToStructByPos[struct {
		Row     int
		Outcome dossier.ImportOutcome
	}], `SELECT row, outcome FROM import_rows WHERE workspace_id = $1 AND import_id = $2 AND row BETWEEN $3 AND $4`,
		claim.Workspace, id, from, to)
	settled := make(map[int]dossier.ImportOutcome, len(rows))
	for _, r := range rows {
		settled[r.Row] = r.Outcome
	}
	return settled, err
}

// SettleRows writes the outcomes of rows that made nothing, counts all up to row to, and shows how far the import is,
// in percent. Error: ErrFenced.
func (db *DB) SettleRows(ctx context.Context, claim Claim, im dossier.Import, rows []dossier.SettledRow, to,
	percent int) error {
	_, err := transact(ctx, db, claim.Workspace, "settle rows", func(tx *tx) (none, error) {
		if err := showProgress(ctx, tx, claim, percent); err != nil {
			return none{}, err
		}
		list := make([]importRow, len(rows))
		for i, r := range rows {
			list[i] = importRow{im.ID, r.Row, r.Outcome, r.Faults, im.Test}
		}
		if err := insertRows(ctx, tx, `INSERT INTO import_rows (workspace_id, import_id, row, outcome, faults, is_test)
			SELECT $1, import_id, row, outcome, faults, is_test FROM jsonb_populate_recordset(NULL::import_rows, $2)
			ON CONFLICT DO NOTHING`, list); err != nil {
			return none{}, err
		}
		tx.deferExec(`UPDATE imports i SET done = $3, row_count = i.row_count + c.n, created = i.created + c.created,
				updated = i.updated + c.updated, refused = i.refused + c.refused
			FROM (SELECT count(*) AS n, count(*) FILTER (WHERE outcome = 'created') AS created,
					count(*) FILTER (WHERE outcome = 'updated') AS updated,
					count(*) FILTER (WHERE outcome = 'refused') AS refused
				FROM import_rows WHERE workspace_id = $1 AND import_id = $2 AND row > $4 AND row <= $3) c
			WHERE i.workspace_id = $1 AND i.id = $2 AND i.done = $4`, tx.ws, im.ID, to, im.Done)
		return none{}, nil
	})
	return err
}

type importRow struct {
	Import  dossier.ImportID      `json:"import_id"`
	Row     int                   `json:"row"`
	Outcome dossier.ImportOutcome `json:"outcome"`
	Faults  []dossier.ImportFault `json:"faults"`
	Test    bool                  `json:"is_test"`
}

// StreamSettled hands over all settled rows in their order, with the lead of each.
func (db *DB) StreamSettled(ctx context.Context, claim Claim, id dossier.ImportID,
	do func(dossier.SettledRow) error) error {
	const page = 5000
	for from := 0; ; {
		rows, err := readAll(ctx, db, claim.Workspace, "settled rows", func(row pgx.CollectableRow) (dossier.SettledRow,
			error) {
			var s dossier.SettledRow
			return s, row.Scan(&s.Row, &s.Outcome, &s.Lead, &s.Faults)
		}, `SELECT row, outcome, made, faults FROM import_rows WHERE workspace_id = $1 AND import_id = $2 AND row > $3
			ORDER BY row LIMIT $4`, claim.Workspace, id, from, page)
		if err != nil {
			return err
		}
		for _, s := range rows {
			if err := do(s); err != nil {
				return err
			}
			from = s.Row
		}
		if len(rows) < page {
			return nil
		}
	}
}

// FinishImport publishes the report and ends the job; the rows, and the names of the table and the archive, go. Errors:
// NotFound, ErrFenced.
func (db *DB) FinishImport(ctx context.Context, claim Claim, id dossier.ImportID, reportKey string) error {
	_, err := transact(ctx, db, claim.Workspace, "finish import", func(tx *tx) (none, error) {
		if err := endImportRow(ctx, tx, id, dossier.ImportComplete, nil, reportKey); err != nil {
			return none{}, err
		}
		return none{}, finishJob(ctx, tx, claim, "import:"+string(id))
	})
	return err
}

// endImportRow gives an import its end, unless it has one.
func endImportRow(ctx context.Context, tx *tx, id dossier.ImportID, status dossier.ImportStatus,
	failure *dossier.ImportFailure, reportKey string) error {
	faults, err := importFaults(ctx, tx, id)
	if err != nil {
		return err
	}
	tx.deferExec(`UPDATE imports SET status = @status, errors = @errors, failure = @failure, report_key = @reportKey,
		file_key = NULL,
			archive_key = NULL, finished_at = @now
		WHERE workspace_id = @workspace AND id = @id AND status IN ('PENDING', 'RUNNING')`,
		pgx.NamedArgs{"workspace": tx.ws, "id": id, "status": status, "errors": mustJSON(faults), "failure": failure,
			"reportKey": dossier.OrNil(reportKey), "now": tx.now})
	tx.deferExec(`DELETE FROM import_rows WHERE workspace_id = $1 AND import_id = $2`, tx.ws, id)
	return nil
}

// endImport leaves an import that could not go on as failed; the leads that were made stay.
func endImport(ctx context.Context, tx *tx, claim Claim, class, message string) error {
	var job jobs.ImportLeads
	if err := json.Unmarshal(claim.Payload, &job); err != nil {
		return err
	}
	return endImportRow(ctx, tx, job.Import, dossier.ImportFailed,
		&dossier.ImportFailure{Code: class, Detail: message}, "")
}

// PruneImports forgets up to limit imports of before a time; their reports become unnamed.
func (db *DB) PruneImports(ctx context.Context, before time.Time, limit int) (int, error) {
	tag, err := db.system.Exec(ctx, `
		DELETE FROM imports WHERE ctid = ANY (ARRAY(
			SELECT ctid FROM imports WHERE created_at < $2 ORDER BY created_at LIMIT $1))`, limit, before)
	return int(tag.RowsAffected()), translate("prune imports", err)
}
