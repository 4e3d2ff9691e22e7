package postgres

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// createGlobalSpread records the spread of all parties of a lead. It takes the newest finished spread of each
// business; where there is none but documents, one is started and awaited. Errors: NotFound (lead), Invalid
// no_financial_documents.
func createGlobalSpread(ctx context.Context, tx *tx, in NewSpread) (dossier.Spread, error) {
	parties, err := lockParties(ctx, tx, in.LeadID)
	if err != nil {
		return dossier.Spread{}, err
	}
	some, err := hasPersonalPapers(ctx, tx, in.LeadID)
	if err != nil {
		return dossier.Spread{}, err
	}
	spreads, err := partySpreads(ctx, tx, in.LeadID, parties[0].ID)
	if err != nil {
		return dossier.Spread{}, err
	}
	for _, p := range parties {
		switch has := spreads[p.ID]; {
		case p.Kind != dossier.PartyBusiness:
			continue
		case has.Complete || has.InProgress:
			some = true
			continue
		}
		_, err := createSpread(ctx, tx, NewSpread{LeadID: in.LeadID, PartyID: &p.ID, Currency: in.Currency,
			FiscalYearEndMonth: in.FiscalYearEndMonth})
		if dossier.KindOf(err) == dossier.Invalid {
			continue // it has no documents to spread
		}
		if err != nil {
			return dossier.Spread{}, err
		}
		some = true
	}
	if !some {
		return dossier.Spread{}, dossier.ErrNoFinancialDocuments()
	}
	lead, err := shareLead(ctx, tx, in.LeadID)
	if err != nil {
		return dossier.Spread{}, err
	}
	s, err := insertSpread(ctx, tx, in)
	if err != nil {
		return s, err
	}
	if err := emitSpread(ctx, tx, dossier.EventSpreadStarted, lead, s); err != nil {
		return s, err
	}
	return s, stageGlobal(ctx, tx, s, parties[0].ID)
}

// partyState says what spreads of a party there are.
type partyState struct {
	PartyID    dossier.PartyID
	Complete   bool
	InProgress bool
	Anew       bool // the newest that was finished is being made anew
}

// partySpreads are the spreads of each party of a lead. One that names no party is the primary's.
func partySpreads(ctx context.Context, tx *tx, lead dossier.LeadID,
	primary dossier.PartyID) (map[dossier.PartyID]partyState, error) {
	list, err := collect(ctx, tx, pgx.RowToStructByPos[partyState], `SELECT coalesce(party_id, $3) AS party,
		bool_or(status = 'COMPLETE'), bool_or(status = 'IN_PROGRESS'),
		coalesce((array_agg(status ORDER BY created_at DESC, id DESC)
			FILTER (WHERE results IS NOT NULL AND status <> 'FAILED'))[1] = 'IN_PROGRESS', false) FROM spreads
		WHERE workspace_id = $1 AND lead_id = $2 AND scope = 'party' GROUP BY party`, tx.ws, lead, primary)
	states := map[dossier.PartyID]partyState{}
	for _, state := range list {
		states[state.PartyID] = state
	}
	return states, err
}

// hasPersonalPapers reports whether a person of a lead has tax papers that were read.
func hasPersonalPapers(ctx context.Context, tx *tx, lead dossier.LeadID) (has bool, err error) {
	err = tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM document_parties dp
		JOIN documents d ON d.workspace_id = dp.workspace_id AND d.id = dp.document_id AND d.deleted_at IS NULL
		JOIN parties p ON p.workspace_id = dp.workspace_id AND p.id = dp.party_id
		JOIN leads l ON l.workspace_id = p.workspace_id AND l.id = p.lead_id
		WHERE dp.workspace_id = $1 AND dp.lead_id = $2
		  AND coalesce(p.kind, CASE WHEN coalesce(l.business_name, '') = '' THEN 'person' ELSE 'business' END) =
			'person'
		  AND d.extraction->'documents'->dp.part->>'docType' IN ('tax_return', 'tax_form_other'))`, tx.ws,
		lead).Scan(&has)
	return has, err
}

// stageGlobal stages the making of a global spread, unless it waits for a party's: the end of that stages it.
func stageGlobal(ctx context.Context, tx *tx, s dossier.Spread, primary dossier.PartyID) error {
	waits, err := globalWaits(ctx, tx, s.LeadID, primary)
	if err != nil || waits {
		return err
	}
	return stageConsolidation(ctx, tx, s)
}

// globalWaits reports whether a party of a lead has no finished spread but one in progress, or its newest is being made
// anew.
func globalWaits(ctx context.Context, tx *tx, lead dossier.LeadID, primary dossier.PartyID) (bool, error) {
	states, err := partySpreads(ctx, tx, lead, primary)
	for _, state := range states {
		if state.Anew || state.InProgress && !state.Complete {
			return true, err
		}
	}
	return false, err
}

// wakeGlobals stages the global spreads of a lead that waited for one of its parties, which has ended.
func wakeGlobals(ctx context.Context, tx *tx, lead dossier.LeadID) error {
	waiting, err := collect(ctx, tx, pgx.RowTo[dossier.SpreadID], `SELECT id FROM spreads
		WHERE workspace_id = $1 AND lead_id = $2 AND scope = 'global' AND status = 'IN_PROGRESS' ORDER BY id`, tx.ws,
		lead)
	if err != nil || len(waiting) == 0 {
		return err
	}
	parties, err := partiesOf(ctx, tx, lead)
	if err != nil || len(parties) == 0 {
		return err
	}
	for _, id := range waiting {
		s, err := lockSpread(ctx, tx, id) // the last of two that end at once sees the other's end
		if err != nil {
			return ignoreMissing(err)
		}
		if err := stageGlobal(ctx, tx, s, parties[0].ID); err != nil {
			return err
		}
	}
	return nil
}

// GlobalInput reads what making a global spread needs. Without ok the round is old or over, or a party's spread is
// awaited. Error: NotFound.
func (db *DB) GlobalInput(ctx context.Context, ws dossier.WorkspaceID, id dossier.SpreadID,
	round int) (in dossier.GlobalInput, ok bool, err error) {
	in, err = snapshot(ctx, db, ws, "global spread input", func(tx *tx) (in dossier.GlobalInput, err error) {
		if in.Spread, err = readSpread(ctx, tx, id, ""); err != nil {
			return in, err
		}
		if in.Parties, err = partiesOf(ctx, tx, in.Spread.LeadID); err != nil {
			return in, err
		}
		if len(in.Parties) == 0 {
			return in, missing("party")
		}
		waits, err := globalWaits(ctx, tx, in.Spread.LeadID, in.Parties[0].ID)
		ok = !waits && in.Spread.Round == round && in.Spread.Status == dossier.SpreadInProgress
		if err != nil || !ok {
			return in, err
		}
		return in, readGlobal(ctx, tx, &in)
	})
	return in, err == nil && ok, err
}

func readGlobal(ctx context.Context, tx *tx, in *dossier.GlobalInput) error {
	lead, err := in.Spread.LeadID, error(nil)
	if in.Edges, err = ownershipOf(ctx, tx, lead); err != nil {
		return err
	}
	if in.Debts, err = debtsOf(ctx, tx, lead); err != nil {
		return err
	}
	if in.Currency, err = spreadCurrency(ctx, tx); err != nil {
		return err
	}
	var living *string
	if err := tx.QueryRow(ctx, `SELECT spreads->>'livingExpenses' FROM workspaces WHERE id = $1`,
		tx.ws).Scan(&living); err != nil {
		return err
	}
	if living != nil && *living != "" {
		amount, err := decimal.NewFromString(*living)
		if err != nil {
			return err
		}
		in.LivingExpenses = &amount
	}
	in.Files, err = collect(ctx, tx, pgx.RowToStructByPos[dossier.PartyFile], `SELECT d.id, d.extraction->'documents',
		(SELECT jsonb_object_agg(p.part, p.party_id) FROM document_parties p WHERE p.workspace_id = $1
			AND p.document_id = d.id AND p.party_id IS NOT NULL)
		FROM documents d WHERE d.workspace_id = $1 AND d.lead_id = $2 AND d.deleted_at IS NULL AND d.extraction IS NOT
			NULL
			AND d.uploaded_at IS NOT NULL ORDER BY d.created_at DESC, d.id DESC`, tx.ws, lead)
	if err != nil {
		return err
	}
	if err := readMembers(ctx, tx, in); err != nil {
		return err
	}
	var previous *string
	err = tx.QueryRow(ctx, `SELECT results::text FROM spreads WHERE workspace_id = $1 AND id = $2`, tx.ws,
		in.Spread.ID).Scan(&previous)
	if err != nil || previous == nil {
		return err
	}
	in.Previous = new(dossier.GlobalResults)
	return json.Unmarshal([]byte(*previous), in.Previous)
}

// readMembers reads the parties' newest finished spreads.
func readMembers(ctx context.Context, tx *tx, in *dossier.GlobalInput) error {
	type member struct {
		PartyID dossier.PartyID
		ID      dossier.SpreadID
		Results string
	}
	members, err := collect(ctx, tx, pgx.RowToStructByPos[member], `SELECT DISTINCT ON (party) coalesce(party_id, $3)
		AS party, id, results::text
		FROM spreads WHERE workspace_id = $1 AND lead_id = $2 AND scope = 'party' AND status = 'COMPLETE' AND results
			IS NOT NULL
		ORDER BY party, created_at DESC, id DESC`, tx.ws, in.Spread.LeadID, in.Parties[0].ID)
	if err != nil {
		return err
	}
	in.Spreads = map[dossier.PartyID]dossier.SpreadResults{}
	ids := []dossier.SpreadID{}
	for _, m := range members {
		var r dossier.SpreadResults
		if err := json.Unmarshal([]byte(m.Results), &r); err != nil {
			return err
		}
		in.Spreads[m.PartyID], ids = r, append(ids, m.ID)
	}
	in.Used, err = collect(ctx, tx, pgx.RowTo[dossier.DocumentID], `SELECT DISTINCT document_id FROM spread_documents
		WHERE workspace_id = $1 AND spread_id = ANY($2) AND status = 'EXTRACTED' ORDER BY document_id`, tx.ws, ids)
	return err
}

// useDocuments records what a global spread is made from: whoever erases one of these has it made anew.
func useDocuments(ctx context.Context, tx *tx, s *dossier.Spread, used []dossier.DocumentID) error {
	tx.deferExec(`DELETE FROM spread_documents WHERE workspace_id = $1 AND spread_id = $2`, tx.ws, s.ID)
	tx.deferExec(`INSERT INTO spread_documents (workspace_id, spread_id, document_id, position, status)
		SELECT $1, $2, u.id, u.n, 'EXTRACTED' FROM unnest($3::uuid[]) WITH ORDINALITY u (id, n)
		JOIN documents d ON d.workspace_id = $1 AND d.id = u.id`, tx.ws, s.ID, used)
	s.Documents = nil
	return loadSpreads(ctx, tx, []*dossier.Spread{s})
}

// AnyResults are the results of a spread of one party, or of a global one.
type AnyResults struct {
	Party  *dossier.SpreadResults
	Global *dossier.GlobalResults
}

// AnyResults returns the results of the last COMPLETE round. Errors: NotFound; Conflict, before the first.
func (db *DB) AnyResults(ctx context.Context, ws dossier.WorkspaceID, id dossier.SpreadID) (AnyResults, error) {
	type stored struct {
		Scope   dossier.SpreadScope
		Results *string
	}
	var r AnyResults
	found, err := readOne(ctx, db, ws, "spread results", "spread", pgx.RowToStructByPos[stored],
		`SELECT s.scope, s.results::text FROM spreads s WHERE s.workspace_id = $1 AND s.id = $2`+livingSpread, ws, id)
	switch {
	case err != nil:
		return r, err
	case found.Results == nil:
		return r, dossier.Coded(dossier.Conflict, "spread_not_ready", "This spread has no results yet")
	case found.Scope == dossier.SpreadGlobal:
		r.Global = new(dossier.GlobalResults)
		return r, json.Unmarshal([]byte(*found.Results), r.Global)
	}
	r.Party = new(dossier.SpreadResults)
	return r, json.Unmarshal([]byte(*found.Results), r.Party)
}
