package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// NewRow is a row of a table that is to be imported, with the files that were stored for it.
type NewRow struct {
	dossier.ImportRow
	Files []NewFile
}

// ImportRows makes rows into leads, or changes the leads that have their external ids, with their documents, and
// settles them in the same commit. The rows are of different leads. A row that is refused changes nothing and is not
// settled: SettleRows does it. In a dry run nothing is written. Rows that cannot be written together, as one of them
// may be at fault, are written one by one. Error: ErrFenced, also for a row that is settled already.
func (db *DB) ImportRows(ctx context.Context, claim Claim, im dossier.Import,
	rows []NewRow) ([]dossier.SettledRow, error) {
	settled, err := db.importTogether(ctx, claim, im, rows)
	if err == nil || errors.Is(err, ErrFenced) {
		return settled, err
	}
	settled = nil
	for _, row := range rows {
		one, err := db.importAlone(ctx, claim, im, row)
		if err != nil {
			return nil, err
		}
		settled = append(settled, one)
	}
	return settled, nil
}

// importAlone imports a row in a commit of its own. When a call makes the lead in the meantime, it is the lead that the
// second try changes.
func (db *DB) importAlone(ctx context.Context, claim Claim, im dossier.Import, row NewRow) (dossier.SettledRow, error) {
	settled, err := db.importTogether(ctx, claim, im, []NewRow{row})
	var known *dossier.Error
	if row.ExternalID() != "" && errors.As(err, &known) && known.Code == "duplicate_external_id" {
		settled, err = db.importTogether(ctx, claim, im, []NewRow{row})
	}
	if faults := refusal(row.ImportRow, err); faults != nil {
		return refused(row, faults), nil
	}
	if err != nil {
		return dossier.SettledRow{}, err
	}
	return settled[0], nil
}

func refused(row NewRow, faults []dossier.ImportFault) dossier.SettledRow {
	return dossier.SettledRow{Row: row.Row, Outcome: dossier.RowRefused, Faults: faults}
}

// importTogether imports rows in one commit.
func (db *DB) importTogether(ctx context.Context, claim Claim, im dossier.Import,
	rows []NewRow) ([]dossier.SettledRow, error) {
	return transact(ctx, db, claim.Workspace, "import rows", func(tx *tx) ([]dossier.SettledRow, error) {
		known, err := readRowLeads(ctx, tx, rows)
		if err != nil {
			return nil, err
		}
		var out []dossier.SettledRow
		var made []importedRow
		for _, row := range rows {
			settled, change, err := known.importLead(ctx, tx, im, row.ImportRow)
			if faults := refusal(row.ImportRow, err); faults != nil {
				out = append(out, refused(row, faults))
				continue
			}
			if err != nil {
				return nil, err
			}
			if !im.DryRun {
				settled.Lead = &change.lead.ID
				made = append(made, importedRow{change, row, settled})
			}
			out = append(out, settled)
		}
		return out, saveRows(ctx, tx, claim, im, made)
	})
}

// importedRow is a row with what it makes of its lead.
type importedRow struct {
	change  *leadChange
	row     NewRow
	settled dossier.SettledRow
}

// saveRows stages what rows made of their leads, and that they are settled.
func saveRows(ctx context.Context, tx *tx, claim Claim, im dossier.Import, rows []importedRow) error {
	by := Caller{Source: im.Source, Actor: im.Actor, Test: im.Test}
	var drafts []*leadChange
	for _, r := range rows {
		if r.settled.Outcome == dossier.RowCreated {
			drafts = append(drafts, r.change)
		}
	}
	if err := saveNew(ctx, tx, drafts, by); err != nil {
		return err
	}
	for _, r := range rows {
		if r.settled.Outcome != dossier.RowCreated {
			if err := r.change.saveUpdate(ctx, tx, by); err != nil {
				return err
			}
		}
		if len(r.row.Files) > 0 {
			if _, _, err := createDocuments(ctx, tx, Upload{LeadID: r.change.lead.ID, Source: im.Source,
				Actor: im.Actor, Files: r.row.Files}); err != nil {
				return err
			}
		}
	}
	for _, r := range rows {
		settleRow(tx, claim, im, r.settled)
	}
	return nil
}

// rowLeads are what rows are imported into: the leads that are there by external id, and what new ones begin with.
type rowLeads struct {
	template leadTemplate
	there    []leadByExternalID
}

type leadByExternalID struct {
	ExternalLeadID string
	IsTest         bool
	ID             dossier.LeadID
}

// readRowLeads reads both in one round trip.
func readRowLeads(ctx context.Context, tx *tx, rows []NewRow) (leads rowLeads, err error) {
	var external []string
	for _, row := range rows {
		if id := row.ExternalID(); id != "" {
			external = append(external, id)
		}
	}
	batch := &pgx.Batch{}
	leads.template.queueTemplate(batch, tx)
	// One after the other, a live and a test lead at most: of a workspace that had no such ids when Postgres looked
	// last, it would read them all.
	queue(batch, &leads.there, pgx.RowToStructByPos[leadByExternalID], `SELECT l.* FROM unnest($2::text[]) AS asked
		CROSS JOIN LATERAL (SELECT external_lead_id, is_test, id FROM leads
			WHERE workspace_id = $1 AND external_lead_id = asked AND deleted_at IS NULL LIMIT 2) l`, tx.ws, external)
	return leads, tx.SendBatch(ctx, batch).Close()
}

// find is the lead of a mode that has an external id; empty: there is none.
func (l *rowLeads) find(external string, isTest bool) dossier.LeadID {
	for _, lead := range l.there {
		if lead.ExternalLeadID == external && lead.IsTest == isTest {
			return lead.ID
		}
	}
	return ""
}

// importLead applies a row to its lead, new or there already, and checks it; nothing is written.
func (l *rowLeads) importLead(ctx context.Context, tx *tx, im dossier.Import,
	row dossier.ImportRow) (dossier.SettledRow, *leadChange, error) {
	settled := dossier.SettledRow{Row: row.Row, Outcome: dossier.RowUpdated}
	isTest := im.Test || row.IsTest != nil && *row.IsTest
	if im.Test && row.IsTest != nil && !*row.IsTest {
		return settled, nil, rowRefused{{Row: row.Row, Column: "isTest", Code: "invalid_value",
			Detail: "A test key makes test leads only"}}
	}
	var change *leadChange
	if id := l.find(row.ExternalID(), isTest); id != "" {
		locked, err := lockLead(ctx, tx, id)
		if err != nil {
			return settled, nil, err
		}
		change = locked
	} else {
		if !row.Known {
			settled.Outcome = dossier.RowCreated
		}
		if faults := row.Update.NewFaults(); len(faults) > 0 && !row.Known {
			return settled, nil, rowRefused(row.RowFaults(faults))
		}
		change = l.template.draft(tx, isTest)
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

// settleRow keeps a row from being made twice. When the claim is lost, or the row is settled, the commit fails with
// ErrFenced.
func settleRow(tx *tx, claim Claim, im dossier.Import, row dossier.SettledRow) {
	tx.deferRow(`WITH settled AS (
			INSERT INTO import_rows (workspace_id, import_id, row, outcome, made, is_test)
			SELECT @workspace, @importId, row, outcome, made, @isTest
			FROM unnest(@rows::int[], @outcomes::text[], @made::uuid[]) AS r (row, outcome, made) WHERE EXISTS (
				SELECT FROM jobs WHERE id = @id AND workspace_id = @workspace AND epoch = @epoch AND status = 'RUNNING')
			ON CONFLICT DO NOTHING RETURNING row)
		SELECT CASE WHEN (SELECT count(*) FROM settled) < cardinality(@rows::int[]) THEN absent('claim') END`,
		pgx.NamedArgs{"workspace": tx.ws, "importId": im.ID, "isTest": im.Test, "id": claim.Job, "epoch": claim.Epoch},
		pgx.NamedArgs{"rows": row.Row, "outcomes": row.Outcome, "made": row.Lead})
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
