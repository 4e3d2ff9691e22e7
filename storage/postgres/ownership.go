package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// Ownership lists who owns whom among the parties of a lead: what was given by hand, and what K-1s say beside it.
// Error: NotFound (lead).
func (db *DB) Ownership(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID) ([]dossier.OwnershipEdge,
	error) {
	return snapshot(ctx, db, ws, "ownership", func(tx *tx) ([]dossier.OwnershipEdge, error) {
		if err := requireLead(ctx, tx, lead); err != nil {
			return nil, err
		}
		return ownershipOf(ctx, tx, lead)
	})
}

func ownershipOf(ctx context.Context, tx *tx, lead dossier.LeadID) ([]dossier.OwnershipEdge, error) {
	manual, err := collect(ctx, tx, scanEdge, `SELECT owner_id, owned_id, percent::text, 'manual', document_id, 0
		FROM ownership_edges WHERE workspace_id = $1 AND lead_id = $2 ORDER BY position`, tx.ws, lead)
	if err != nil {
		return nil, err
	}
	shares, err := sharesOf(ctx, tx, lead)
	return dossier.Ownership(manual, shares), err
}

// sharesOf are what the K-1s of a lead say, the newest documents first.
func sharesOf(ctx context.Context, tx *tx, lead dossier.LeadID) ([]dossier.OwnershipEdge, error) {
	return collect(ctx, tx, scanEdge, `SELECT s.owner_id, s.owned_id, s.percent::text, 'k1', s.document_id, s.year
		FROM ownership_shares s JOIN documents d ON d.workspace_id = s.workspace_id AND d.id = s.document_id
		WHERE s.workspace_id = $1 AND s.lead_id = $2 AND d.deleted_at IS NULL
		ORDER BY s.year DESC, d.created_at DESC, s.document_id, s.part`, tx.ws, lead)
}

func scanEdge(row pgx.CollectableRow) (dossier.OwnershipEdge, error) {
	var e dossier.OwnershipEdge
	var percent string
	if err := row.Scan(&e.OwnerID, &e.OwnedID, &percent, &e.Source, &e.DocumentID, &e.Year); err != nil {
		return e, err
	}
	var err error
	e.Percent, err = decimal.NewFromString(percent)
	return e, err
}

// SaveOwnership puts edges in the place of those that were given by hand before; K-1s stay beside them. Errors:
// NotFound (lead, document), Invalid, with pointers into the body.
func (db *DB) SaveOwnership(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID,
	edges []dossier.OwnershipEdge) ([]dossier.OwnershipEdge, error) {
	return transact(ctx, db, ws, "save ownership", func(tx *tx) ([]dossier.OwnershipEdge, error) {
		parties, err := lockParties(ctx, tx, lead)
		if err != nil {
			return nil, err
		}
		shares, err := sharesOf(ctx, tx, lead)
		if err != nil {
			return nil, err
		}
		manual, faults := dossier.CheckOwnership(edges, dossier.Ownership(nil, shares), parties)
		if len(faults) > 0 {
			return nil, dossier.InvalidFaults(faults)
		}
		tx.deferExec(`DELETE FROM ownership_edges WHERE workspace_id = $1 AND lead_id = $2`, tx.ws, lead)
		for i, e := range manual {
			if err := requireDocument(ctx, tx, lead, e.DocumentID); err != nil {
				return nil, err
			}
			tx.deferExec(`INSERT INTO ownership_edges (workspace_id, lead_id, owner_id, owned_id, percent, document_id,
				position)
				VALUES (@workspace, @leadId, @ownerId, @ownedId, @percent::numeric, @documentId, @position)`,
				pgx.NamedArgs{"workspace": tx.ws, "leadId": lead, "ownerId": e.OwnerID, "ownedId": e.OwnedID,
					"percent": e.Percent.String(), "documentId": e.DocumentID, "position": i})
		}
		audit(ctx, tx, dossier.AuditOwnership, leadSubject(lead), map[string]any{"edges": len(manual)})
		return ownershipOf(ctx, tx, lead)
	})
}

// requireDocument fails with NotFound for a document that the lead does not have.
func requireDocument(ctx context.Context, tx *tx, lead dossier.LeadID, id *dossier.DocumentID) error {
	if id == nil {
		return nil
	}
	var has bool
	err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM documents WHERE workspace_id = $1 AND lead_id = $2 AND id = $3
		AND deleted_at IS NULL AND uploaded_at IS NOT NULL)`, tx.ws, lead, id).Scan(&has)
	if err == nil && !has {
		err = missing("document")
	}
	return err
}

// foundShare is a row of ownership_shares.
type foundShare struct {
	foundPart
	OwnerID dossier.PartyID `json:"owner_id"`
	OwnedID dossier.PartyID `json:"owned_id"`
	Percent decimal.Decimal `json:"percent"`
	Year    int             `json:"year"`
}

// saveShares stores what the K-1s among the documents say.
func saveShares(ctx context.Context, tx *tx, documents []dossier.DocumentID, shares []foundShare) error {
	tx.deferExec(`DELETE FROM ownership_shares WHERE workspace_id = $1 AND document_id = ANY($2)`, tx.ws, documents)
	if len(shares) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, `INSERT INTO ownership_shares (workspace_id, document_id, part, lead_id, owner_id, owned_id,
		percent, year)
		SELECT workspace_id, document_id, part, lead_id, owner_id, owned_id, percent, year
		FROM jsonb_populate_recordset(NULL::ownership_shares, $1) WHERE workspace_id = $2`, shares, tx.ws)
	return err
}
