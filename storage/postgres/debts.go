package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// Debts lists what the parties of a lead owe, in the order they were given. Error: NotFound (lead).
func (db *DB) Debts(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID) ([]dossier.Debt, error) {
	return snapshot(ctx, db, ws, "list debts", func(tx *tx) ([]dossier.Debt, error) {
		if err := requireLead(ctx, tx, lead); err != nil {
			return nil, err
		}
		return debtsOf(ctx, tx, lead)
	})
}

func debtsOf(ctx context.Context, tx *tx, lead dossier.LeadID) ([]dossier.Debt, error) {
	return collect(ctx, tx, scanDebt, `SELECT id, party_id, lender, kind, balance::text, rate::text, payment::text,
		frequency, to_char(maturity, 'YYYY-MM-DD'), secured, source, document_id
		FROM debts WHERE workspace_id = $1 AND lead_id = $2 ORDER BY position, id`, tx.ws, lead)
}

func scanDebt(row pgx.CollectableRow) (dossier.Debt, error) {
	var d dossier.Debt
	var balance, payment string
	var rate *string
	if err := row.Scan(&d.ID, &d.PartyID, &d.Lender, &d.Kind, &balance, &rate, &payment, &d.Frequency, &d.Maturity,
		&d.Secured, &d.Source, &d.DocumentID); err != nil {
		return d, err
	}
	var err error
	if d.Balance, err = decimal.NewFromString(balance); err != nil {
		return d, err
	}
	if d.Payment, err = decimal.NewFromString(payment); err != nil || rate == nil {
		return d, err
	}
	percent, err := decimal.NewFromString(*rate)
	d.Rate = &percent
	return d, err
}

// SaveDebts puts a whole set of debts in the place of those that were given by hand before; one that names the id of
// such a debt is that debt, changed. Errors: NotFound (lead, party, document, debt).
func (db *DB) SaveDebts(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID,
	list []dossier.Debt) ([]dossier.Debt, error) {
	return transact(ctx, db, ws, "save debts", func(tx *tx) ([]dossier.Debt, error) {
		parties, err := lockParties(ctx, tx, lead)
		if err != nil {
			return nil, err
		}
		before, err := debtsOf(ctx, tx, lead)
		if err != nil {
			return nil, err
		}
		known := map[dossier.DebtID]bool{}
		for _, d := range before {
			known[d.ID] = d.Source == dossier.DebtManual
		}
		tx.deferExec(`DELETE FROM debts WHERE workspace_id = $1 AND lead_id = $2 AND source = 'manual'`, tx.ws, lead)
		for i, d := range list {
			if d.ID == "" {
				d.ID = newID[dossier.DebtID]()
			} else if !known[d.ID] {
				return nil, missing("debt")
			}
			if _, err := partyAmong(parties, d.PartyID); err != nil {
				return nil, err
			}
			if err := requireDocument(ctx, tx, lead, d.DocumentID); err != nil {
				return nil, err
			}
			insertDebt(tx, lead, i, d)
		}
		audit(ctx, tx, dossier.AuditDebts, leadSubject(lead), map[string]any{"debts": len(list)})
		return debtsOf(ctx, tx, lead)
	})
}

func insertDebt(tx *tx, lead dossier.LeadID, position int, d dossier.Debt) {
	var rate *string
	if d.Rate != nil {
		text := d.Rate.String()
		rate = &text
	}
	tx.deferExec(
		`INSERT INTO debts (workspace_id, id, lead_id, party_id, position, lender, kind, balance, rate, payment,
		frequency, maturity, secured, source, document_id)
		VALUES (@workspace, @id, @leadId, @partyId, @position, @lender, @kind, @balance::numeric, @rate::numeric,
			@payment::numeric, @frequency, @maturity::text::date, @secured,
			'manual', @documentId)`,
		pgx.NamedArgs{"workspace": tx.ws, "id": d.ID, "leadId": lead, "partyId": d.PartyID, "position": position,
			"lender": d.Lender, "kind": d.Kind, "balance": d.Balance.String(), "rate": rate,
			"payment": d.Payment.String(), "frequency": d.Frequency, "maturity": d.Maturity, "secured": d.Secured,
			"documentId": d.DocumentID})
}
