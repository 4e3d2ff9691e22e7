package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// ImportRow makes one row into a lead, or changes the lead that has its external id, with its documents, and settles
// the row in the same commit. A row that is refused changes nothing and is not settled: SettleRows does it. In a dry
// run nothing is written. Error: ErrFenced, also for a row that is settled already.
func (db *DB) ImportRow(ctx context.Context, claim Claim, im dossier.Import, row dossier.ImportRow,
	files []NewFile) (dossier.SettledRow, error) {
	return db.importRow(ctx, claim, im, row, files, row.ExternalID() != "")
}

func (db *DB) importRow(ctx context.Context, claim Claim, im dossier.Import, row dossier.ImportRow, files []NewFile,
	again bool) (dossier.SettledRow, error) {
	settled, err := transact(ctx, db, claim.Workspace, "import row", func(tx *tx) (dossier.SettledRow, error) {
		settled, change, err := importLead(ctx, tx, im, row)
		if err != nil || im.DryRun {
			return settled, err
		}
		by := Caller{Source: im.Source, Actor: im.Actor, Test: im.Test}
		if settled.Outcome == dossier.RowCreated {
			err = change.saveNew(ctx, tx, by)
		} else {
			err = change.saveUpdate(ctx, tx, by)
		}
		if err == nil && len(files) > 0 {
			_, _, err = createDocuments(ctx, tx, Upload{LeadID: change.lead.ID, Source: im.Source, Actor: im.Actor,
				Files: files})
		}
		if err != nil {
			return settled, err
		}
		settled.Lead = &change.lead.ID
		settleRow(tx, claim, im, settled)
		return settled, nil
	})
	var known *dossier.Error
	if again && errors.As(err, &known) && known.Code == "duplicate_external_id" {
		return db.importRow(ctx, claim, im, row, files, false) // a call made the lead in the meantime
	}
	if faults := refusal(row, err); faults != nil {
		return dossier.SettledRow{Row: row.Row, Outcome: dossier.RowRefused, Faults: faults}, nil
	}
	return settled, err
}

// importLead applies a row to its lead, new or there already, and checks it; nothing is written.
func importLead(ctx context.Context, tx *tx, im dossier.Import, row dossier.ImportRow) (dossier.SettledRow, *leadChange,
	error) {
	settled := dossier.SettledRow{Row: row.Row, Outcome: dossier.RowUpdated}
	isTest := im.Test || row.IsTest != nil && *row.IsTest
	if im.Test && row.IsTest != nil && !*row.IsTest {
		return settled, nil, rowRefused{{Row: row.Row, Column: "isTest", Code: "invalid_value",
			Detail: "A test key makes test leads only"}}
	}
	id, err := leadByExternalID(ctx, tx, row.ExternalID(), isTest)
	if err != nil {
		return settled, nil, err
	}
	var change *leadChange
	if id == "" {
		if !row.Known {
			settled.Outcome = dossier.RowCreated
		}
		if faults := row.Update.NewFaults(); len(faults) > 0 && !row.Known {
			return settled, nil, rowRefused(row.RowFaults(faults))
		}
		change, err = draftLead(ctx, tx, isTest)
	} else {
		change, err = lockLead(ctx, tx, id)
	}
	if err != nil {
		return settled, nil, err
	}
	row.CellValues(func(code string) bool {
		entry := change.checklist.Entry(code)
		return entry != nil && entry.Item.FieldType == dossier.FieldMultiSelect
	})
	by := Caller{Source: im.Source, Actor: im.Actor, Test: im.Test}
	if err := change.apply(row.Update, by, tx.now); err != nil {
		return settled, nil, err
	}
	if faults := row.OutcomeFaults(change.outcomes); len(faults) > 0 {
		return settled, nil, rowRefused(faults)
	}
	return settled, change, nil
}

// leadByExternalID finds the lead of a mode that has an external id; empty: there is none.
func leadByExternalID(ctx context.Context, tx *tx, external string, isTest bool) (dossier.LeadID, error) {
	if external == "" {
		return "", nil
	}
	var id dossier.LeadID
	err := tx.QueryRow(ctx, `SELECT id FROM leads WHERE workspace_id = $1 AND external_lead_id = $2 AND is_test = $3
		AND deleted_at IS NULL`, tx.ws, external, isTest).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	return id, err
}

// settleRow keeps a row from being made twice. When the claim is lost, or the row is settled, the commit fails with
// ErrFenced.
func settleRow(tx *tx, claim Claim, im dossier.Import, row dossier.SettledRow) {
	tx.later(`WITH settled AS (
			INSERT INTO import_rows (workspace_id, import_id, row, outcome, made, is_test)
			SELECT @workspace, @importId, @row, @outcome, @made, @isTest WHERE EXISTS (
				SELECT FROM jobs WHERE id = @id AND workspace_id = @workspace AND epoch = @epoch AND status = 'RUNNING')
			ON CONFLICT DO NOTHING RETURNING row)
		SELECT CASE WHEN NOT EXISTS (SELECT FROM settled) THEN absent('claim') END`,
		pgx.NamedArgs{"workspace": tx.ws, "importId": im.ID, "row": row.Row, "outcome": row.Outcome,
			"made": row.Lead, "isTest": im.Test, "id": claim.Job, "epoch": claim.Epoch})
}

// rowRefused are the faults of a row that is not imported.
type rowRefused []dossier.ImportFault

func (rowRefused) Error() string { return "the row is refused" }

// refusal is why a row was refused; nil when err is none of the row's.
func refusal(row dossier.ImportRow, err error) []dossier.ImportFault {
	var refused rowRefused
	var known *dossier.Error
	switch {
	case errors.As(err, &refused):
		return refused
	case errors.Is(err, ErrFenced) || !errors.As(err, &known):
		return nil
	case len(known.Faults) > 0:
		return row.RowFaults(known.Faults)
	case known.Kind == dossier.Invalid || known.Kind == dossier.Conflict:
		return []dossier.ImportFault{{Row: row.Row, Code: known.Code, Detail: known.Message}}
	}
	return nil
}
