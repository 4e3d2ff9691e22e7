package postgres

import (
	"context"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// selectParties lists the columns of scanParty. A condition follows.
const selectParties = `SELECT p.id, p.lead_id, p.name, p.kind, p.role, p.tax_id_last4, p.is_primary, p.created_at,
	p.updated_at, l.first_name, l.middle_name, l.last_name, l.business_name, l.email, l.phone_number
	FROM parties p JOIN leads l ON l.workspace_id = p.workspace_id AND l.id = p.lead_id AND l.deleted_at IS NULL `

func scanParty(row pgx.CollectableRow) (dossier.LeadParty, error) {
	var p dossier.LeadParty
	var lead dossier.Lead
	var name *string
	var kind *dossier.PartyKind
	err := row.Scan(&p.ID, &p.LeadID, &name, &kind, &p.Role, &p.TaxIDLast4, &p.IsPrimary, &p.CreatedAt, &p.UpdatedAt,
		&lead.FirstName, &lead.MiddleName, &lead.LastName, &lead.BusinessName, &lead.Email, &lead.PhoneNumber)
	if p.IsPrimary {
		p.Name, p.Kind = lead.PrimaryName()
		p.OtherNames = []string{dossier.Text(lead.BusinessName), lead.Person().Full()}
	}
	if name != nil {
		p.Name = *name
	}
	if kind != nil {
		p.Kind = *kind
	}
	return p, err
}

// newPrimary makes the primary party of a lead that has none. A lead gets it when parties are first asked about: few
// are, and a row for each would be paid for by all.
func newPrimary(tx *tx, lead dossier.LeadID) {
	tx.deferExec(`INSERT INTO parties (workspace_id, id, lead_id, role, is_primary, created_at, updated_at)
		SELECT workspace_id, $2, id, 'borrower', true, created_at, created_at FROM leads
		WHERE workspace_id = $1 AND id = $3
		ON CONFLICT (workspace_id, lead_id) WHERE is_primary DO NOTHING`, tx.ws, newID[dossier.PartyID](), lead)
}

// Parties lists the parties of a lead, the primary one first, then the oldest first. Error: NotFound (lead).
func (db *DB) Parties(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID) ([]dossier.LeadParty, error) {
	list, err := snapshot(ctx, db, ws, "list parties", func(tx *tx) ([]dossier.LeadParty, error) {
		if err := requireLead(ctx, tx, lead); err != nil {
			return nil, err
		}
		return partiesOf(ctx, tx, lead)
	})
	if err != nil || len(list) > 0 && list[0].IsPrimary {
		return list, err
	}
	return transact(ctx, db, ws, "list parties", func(tx *tx) ([]dossier.LeadParty, error) {
		return lockParties(ctx, tx, lead)
	})
}

func partiesOf(ctx context.Context, tx *tx, lead dossier.LeadID) ([]dossier.LeadParty, error) {
	return collect(ctx, tx, scanParty, selectParties+`WHERE p.workspace_id = $1 AND p.lead_id = $2
		ORDER BY p.is_primary DESC, p.created_at, p.id`, tx.ws, lead)
}

// lockParties holds a lead and lists its parties. Error: NotFound (lead).
func lockParties(ctx context.Context, tx *tx, lead dossier.LeadID) ([]dossier.LeadParty, error) {
	if _, err := lockLeadRef(ctx, tx, lead); err != nil {
		return nil, err
	}
	newPrimary(tx, lead)
	return partiesOf(ctx, tx, lead)
}

// lockParty holds the lead of a party and reads it. Error: NotFound (lead, party).
func lockParty(ctx context.Context, tx *tx, lead dossier.LeadID, id dossier.PartyID) (dossier.LeadParty, error) {
	list, err := lockParties(ctx, tx, lead)
	if err != nil {
		return dossier.LeadParty{}, err
	}
	return partyAmong(list, id)
}

// requireParty is NotFound when a party is named that the lead, which the caller holds, does not have.
func requireParty(ctx context.Context, tx *tx, lead dossier.LeadID, id *dossier.PartyID) error {
	if id == nil {
		return nil
	}
	var exists bool
	err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM parties WHERE workspace_id = $1 AND lead_id = $2
		AND id = $3)`, tx.ws, lead, *id).Scan(&exists)
	if err == nil && !exists {
		err = missing("party")
	}
	return err
}

// primaryParty is the id of the primary party of a lead; "" when it has none yet.
func primaryParty(ctx context.Context, tx *tx, lead dossier.LeadID) (dossier.PartyID, error) {
	ids, err := collect(ctx, tx, pgx.RowTo[dossier.PartyID], `SELECT id FROM parties WHERE workspace_id = $1
		AND lead_id = $2 AND is_primary`, tx.ws, lead)
	if err != nil || len(ids) == 0 {
		return "", err
	}
	return ids[0], nil
}

// partyAmong finds a party by its id. Error: NotFound.
func partyAmong(list []dossier.LeadParty, id dossier.PartyID) (dossier.LeadParty, error) {
	for _, p := range list {
		if p.ID == id {
			return p, nil
		}
	}
	return dossier.LeadParty{}, missing("party")
}

// CreateParty adds a party to a lead. Documents that were read before are looked through for its own. Errors: NotFound
// (lead), Conflict (limit_reached).
func (db *DB) CreateParty(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID,
	in dossier.NewParty) (dossier.LeadParty, error) {
	return transact(ctx, db, ws, "create party", func(tx *tx) (dossier.LeadParty, error) {
		list, err := lockParties(ctx, tx, lead)
		if err != nil {
			return dossier.LeadParty{}, err
		}
		if len(list) >= dossier.MaxParties {
			return dossier.LeadParty{}, dossier.LimitReached("parties", strconv.Itoa(dossier.MaxParties)+" a lead")
		}
		p := dossier.LeadParty{ID: newID[dossier.PartyID](), LeadID: lead, Name: in.Name, Kind: in.Kind, Role: in.Role,
			TaxIDLast4: in.TaxIDLast4, CreatedAt: tx.now, UpdatedAt: tx.now}
		tx.deferExec(`INSERT INTO parties (workspace_id, id, lead_id, name, kind, role, tax_id_last4, created_at,
			updated_at)
			VALUES (@workspace, @id, @leadId, @name, @kind, @role, @taxIdLast4, @now, @now)`,
			pgx.NamedArgs{"workspace": tx.ws, "id": p.ID, "leadId": lead, "name": p.Name, "kind": p.Kind,
				"role": p.Role, "taxIdLast4": p.TaxIDLast4, "now": tx.now})
		audit(ctx, tx, dossier.AuditPartyCreate, leadSubject(lead), map[string]any{"partyId": p.ID})
		return p, stageRelations(ctx, tx, lead)
	})
}

// UpdateParty changes a party as the caller asked. Error: NotFound (lead, party).
func (db *DB) UpdateParty(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID, id dossier.PartyID,
	change dossier.PartyChange) (dossier.LeadParty, error) {
	return transact(ctx, db, ws, "update party", func(tx *tx) (dossier.LeadParty, error) {
		if _, err := lockParty(ctx, tx, lead, id); err != nil {
			return dossier.LeadParty{}, err
		}
		_, err := tx.Exec(ctx, `UPDATE parties SET name = coalesce(@name, name), kind = coalesce(@kind, kind),
			role = coalesce(@role, role), tax_id_last4 = CASE WHEN @sent THEN @value ELSE tax_id_last4 END,
				updated_at = @now
			WHERE workspace_id = @workspace AND id = @id`,
			pgx.NamedArgs{"workspace": tx.ws, "id": id, "name": change.Name, "kind": change.Kind,
				"role": change.Role, "sent": change.TaxIDLast4.Sent, "value": change.TaxIDLast4.Value, "now": tx.now})
		if err != nil {
			return dossier.LeadParty{}, err
		}
		audit(ctx, tx, dossier.AuditPartyUpdate, leadSubject(lead), map[string]any{"partyId": id})
		if err := stageRelations(ctx, tx, lead); err != nil {
			return dossier.LeadParty{}, err
		}
		return oneOf(ctx, tx, "party", scanParty, selectParties+`WHERE p.workspace_id = $1 AND p.id = $2`, tx.ws, id)
	})
}

// DeleteParty takes a party out of a lead's file; what was read of its own is nobody's again. Errors: NotFound (lead,
// party), Conflict (primary_party, party_in_use).
func (db *DB) DeleteParty(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID, id dossier.PartyID) error {
	_, err := transact(ctx, db, ws, "delete party", func(tx *tx) (none, error) {
		p, err := lockParty(ctx, tx, lead, id)
		if err != nil {
			return none{}, err
		}
		if p.IsPrimary {
			return none{}, dossier.Coded(dossier.Conflict, "primary_party",
				"The primary party of a lead cannot be deleted")
		}
		if err := refuseInUse(ctx, tx, lead, id); err != nil {
			return none{}, err
		}
		tx.deferExec(
			`DELETE FROM ownership_edges WHERE workspace_id = $1 AND lead_id = $2 AND $3 IN (owner_id, owned_id)`,
			tx.ws,
			lead, id)
		tx.deferExec(`DELETE FROM ownership_shares WHERE workspace_id = $1 AND lead_id = $2 AND $3 IN (owner_id,
			owned_id)`, tx.ws,
			lead, id)
		tx.deferExec(`DELETE FROM document_parties WHERE workspace_id = $1 AND lead_id = $2 AND party_id = $3`, tx.ws,
			lead, id)
		tx.deferExec(`DELETE FROM parties WHERE workspace_id = $1 AND id = $2`, tx.ws, id)
		audit(ctx, tx, dossier.AuditPartyDelete, leadSubject(lead), map[string]any{"partyId": id})
		return none{}, stageRelations(ctx, tx, lead)
	})
	return err
}

// refuseInUse fails with Conflict (party_in_use) while something names a party.
func refuseInUse(ctx context.Context, tx *tx, lead dossier.LeadID, id dossier.PartyID) error {
	var what *string
	err := tx.QueryRow(ctx, `SELECT CASE
		WHEN EXISTS (SELECT FROM checklist_items WHERE workspace_id = $1 AND lead_id = $2 AND party_id = $3)
			THEN 'checklist items'
		WHEN EXISTS (SELECT FROM portal_links WHERE workspace_id = $1 AND lead_id = $2 AND party_id = $3
			AND revoked_at IS NULL) THEN 'portal links'
		WHEN EXISTS (SELECT FROM debts WHERE workspace_id = $1 AND lead_id = $2 AND party_id = $3) THEN 'debts'
		WHEN EXISTS (SELECT FROM spreads WHERE workspace_id = $1 AND lead_id = $2 AND party_id = $3) THEN 'spreads'
		END`, tx.ws, lead, id).Scan(&what)
	if err == nil && what != nil {
		err = dossier.Coded(dossier.Conflict, "party_in_use", "There are %s of this party; take them away first",
			*what)
	}
	return err
}

// stageRelations has the documents of a lead looked through anew, for whose they are and who owns whom.
func stageRelations(ctx context.Context, tx *tx, lead dossier.LeadID) error {
	_, err := enqueue(ctx, tx, jobs.JudgeLead{Workspace: tx.ws, Lead: lead, Parties: true},
		staging{subject: string(lead)})
	return err
}

// SetPartParty records a person's word on whose a document of a file is; none: nobody's. Nothing changes it again but
// another such word. Errors: NotFound (document, part, party).
func (db *DB) SetPartParty(ctx context.Context, ws dossier.WorkspaceID, document dossier.DocumentID, part int,
	party *dossier.PartyID) (dossier.Document, error) {
	return transact(ctx, db, ws, "set part party", func(tx *tx) (dossier.Document, error) {
		d, err := readDocument(ctx, tx, document)
		if err != nil {
			return d, err
		}
		if d.Extraction == nil || part < 0 || part >= len(d.Extraction.Documents) {
			return d, missing("part")
		}
		if party != nil {
			if _, err := lockParty(ctx, tx, d.LeadID, *party); err != nil {
				return d, err
			}
		}
		_, err = tx.Exec(ctx, `INSERT INTO document_parties (workspace_id, document_id, part, lead_id, party_id,
			by_person)
			VALUES ($1, $2, $3, $4, $5, true)
			ON CONFLICT (workspace_id, document_id, part) DO UPDATE SET party_id = excluded.party_id, by_person =
				true`,
			tx.ws, document, part, d.LeadID, party)
		if err != nil {
			return d, err
		}
		audit(ctx, tx, dossier.AuditDocumentParty, "document:"+string(document), map[string]any{"leadId": d.LeadID,
			"part": part, "partyId": party})
		if err := stageRelations(ctx, tx, d.LeadID); err != nil {
			return d, err
		}
		return readDocument(ctx, tx, document)
	})
}

// partFile is what a file of a lead says, with what a person said of whose its parts are.
type partFile struct {
	ID      dossier.DocumentID
	Parts   []dossier.ReadDocument
	Decided map[int]*dossier.PartyID
	Page    *dossier.PartyID // through whose page it came
}

// findRelations says of the documents in the files of a lead whose they are, where no person has, and keeps what K-1s
// say of who owns whom. only, when not empty, is the file that is looked at. The caller holds the lead.
func findRelations(ctx context.Context, tx *tx, lead dossier.LeadID, only dossier.DocumentID,
	relate dossier.Relations) error {
	newPrimary(tx, lead)
	parties, err := partiesOf(ctx, tx, lead)
	if err != nil {
		return err
	}
	files, err := collect(ctx, tx, pgx.RowToStructByPos[partFile], `SELECT d.id, d.extraction->'documents',
		(SELECT jsonb_object_agg(p.part, p.party_id) FROM document_parties p WHERE p.workspace_id = $1
			AND p.document_id = d.id AND p.by_person),
		d.page_party_id
		FROM documents d WHERE d.workspace_id = $1 AND d.lead_id = $2 AND d.deleted_at IS NULL AND d.extraction IS NOT
			NULL
			AND ($3::uuid IS NULL OR d.id = $3) ORDER BY d.created_at, d.id`, tx.ws, lead, dossier.OrNil(only))
	if err != nil {
		return err
	}
	var found []foundPart
	var shares []foundShare
	ids := []dossier.DocumentID{}
	for _, file := range files {
		ids = append(ids, file.ID)
		page := slices.IndexFunc(parties, func(p dossier.LeadParty) bool {
			return file.Page != nil && p.ID == *file.Page
		})
		for i, part := range file.Parts {
			of, decided := file.Decided[i]
			row := foundPart{WorkspaceID: tx.ws, DocumentID: file.ID, Part: i, LeadID: lead}
			at := page // what comes through a party's page is its own, whatever is printed
			if at < 0 && !decided {
				at = relate.Party(part, parties)
			}
			if !decided && at >= 0 {
				of, row.PartyID = &parties[at].ID, parties[at].ID
				found = append(found, row)
			}
			share, is := relate.Share(part, parties)
			if !is || of == nil || share.Owned < 0 || !share.Percent.IsPositive() || parties[share.Owned].ID == *of {
				continue
			}
			shares = append(shares, foundShare{row, *of, parties[share.Owned].ID, share.Percent, share.Year})
		}
	}
	tx.deferExec(
		`DELETE FROM document_parties WHERE workspace_id = $1 AND document_id = ANY($2) AND NOT by_person`, tx.ws,
		ids)
	if err := saveFound(ctx, tx, found); err != nil {
		return err
	}
	return saveShares(ctx, tx, ids, shares)
}

// foundPart is a row of document_parties that reading gave.
type foundPart struct {
	WorkspaceID dossier.WorkspaceID `json:"workspace_id"`
	DocumentID  dossier.DocumentID  `json:"document_id"`
	Part        int                 `json:"part"`
	LeadID      dossier.LeadID      `json:"lead_id"`
	PartyID     dossier.PartyID     `json:"party_id,omitempty"`
}

// saveFound stores whose parts are. A person's word stays.
func saveFound(ctx context.Context, tx *tx, found []foundPart) error {
	if len(found) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, `INSERT INTO document_parties (workspace_id, document_id, part, lead_id, party_id)
		SELECT workspace_id, document_id, part, lead_id, party_id
		FROM jsonb_populate_recordset(NULL::document_parties, $1) WHERE workspace_id = $2
		ON CONFLICT (workspace_id, document_id, part) DO NOTHING`, found, tx.ws)
	return err
}
