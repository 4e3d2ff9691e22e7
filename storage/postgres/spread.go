package postgres

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/record"
)

// NewSpread is what a spread is asked for. Zero values: all financial documents of the lead, the currency of
// its statements, December.
type NewSpread struct {
	LeadID             dossier.LeadID
	Documents          []dossier.DocumentID
	EntityName         *string
	Currency           string
	FiscalYearEndMonth int
	ExternalID         *string
	PartyID            *dossier.PartyID
	Scope              dossier.SpreadScope // empty: party
	Distributions      *dossier.SpreadDistributions
}

const spreadColumns = `s.id, s.lead_id, s.external_id, s.entity_name, s.currency, s.currency_named,
	s.fiscal_year_end_month, s.status, s.error, s.round, s.source, s.created_at, s.updated_at, s.party_id, s.scope,
	s.distributions, s.approval_state, s.approval_by, s.approval_at, s.approval_note`

// livingSpread hides spreads of deleted leads. It follows a FROM spreads s.
const livingSpread = ` AND EXISTS (SELECT FROM leads l WHERE l.workspace_id = $1 AND l.id = s.lead_id
	AND l.deleted_at IS NULL)`

func scanSpread(row pgx.CollectableRow) (dossier.Spread, error) {
	var s dossier.Spread
	err := row.Scan(&s.ID, &s.LeadID, &s.ExternalID, &s.EntityName, &s.Currency, &s.CurrencyNamed,
		&s.FiscalYearEndMonth, &s.Status, &s.Error, &s.Round, &s.Source,
		&s.CreatedAt, &s.UpdatedAt, &s.PartyID, &s.Scope, &s.Distributions,
		&s.Approval.State, &s.Approval.By, &s.Approval.At, &s.Approval.Note)
	return s, err
}

// CreateSpread records a spread and stages the settling of each document that is read; one still being read is
// staged by the commit that ends its reading. Errors: NotFound (lead, document), Invalid no_financial_documents.
func (db *DB) CreateSpread(ctx context.Context, ws dossier.WorkspaceID, in NewSpread) (dossier.Spread, error) {
	return transact(ctx, db, ws, "create spread", func(tx *tx) (dossier.Spread, error) {
		return createSpread(ctx, tx, in)
	})
}

func createSpread(ctx context.Context, tx *tx, in NewSpread) (dossier.Spread, error) {
	if in.Scope == dossier.SpreadGlobal {
		return createGlobalSpread(ctx, tx, in)
	}
	lead, err := shareLead(ctx, tx, in.LeadID)
	if err != nil {
		return dossier.Spread{}, err
	}
	candidates, err := spreadCandidates(ctx, tx, in)
	if err != nil {
		return dossier.Spread{}, err
	}
	s, err := insertSpread(ctx, tx, in)
	if err != nil {
		return s, err
	}
	for i, c := range candidates {
		s.Documents = append(s.Documents, dossier.SpreadDocument{ID: c.ID, Filename: c.Filename,
			Status: dossier.SpreadDocumentPending})
		if err := addToSpread(ctx, tx, s, i, c); err != nil {
			return s, err
		}
	}
	return s, emitSpread(ctx, tx, dossier.EventSpreadStarted, lead, s)
}

// insertSpread records a spread that is in progress, without documents.
func insertSpread(ctx context.Context, tx *tx, in NewSpread) (dossier.Spread, error) {
	s := dossier.Spread{ID: newID[dossier.SpreadID](), LeadID: in.LeadID, ExternalID: in.ExternalID,
		EntityName: in.EntityName, Currency: in.Currency, PartyID: in.PartyID, Scope: in.Scope,
		Distributions: in.Distributions, FiscalYearEndMonth: in.FiscalYearEndMonth, Status: dossier.SpreadInProgress,
		Round:  1,
		Source: "API", CreatedAt: tx.now, UpdatedAt: tx.now,
		Approval: dossier.SpreadApproval{State: dossier.ApprovalDraft}}
	if s.Scope == "" {
		s.Scope = dossier.SpreadOfParty
	}
	var err error
	if s.CurrencyNamed = s.Currency != ""; !s.CurrencyNamed {
		if s.Currency, err = spreadCurrency(ctx, tx); err != nil {
			return s, err
		}
	}
	if s.FiscalYearEndMonth == 0 {
		s.FiscalYearEndMonth = dossier.DefaultFiscalYearEndMonth
	}
	_, err = tx.Exec(ctx, `INSERT INTO spreads (workspace_id, id, lead_id, external_id, entity_name, currency,
		fiscal_year_end_month, status, source, created_at, updated_at,
			currency_named, party_id, scope, distributions)
		VALUES (@workspace, @id, @leadId, @externalId, @entityName, @currency, @fiscalYearEndMonth, @status, @source,
			@now, @now, @currencyNamed, @partyId, @scope, @distributions)`,
		pgx.NamedArgs{"workspace": tx.ws, "id": s.ID, "leadId": s.LeadID, "externalId": s.ExternalID,
			"entityName": s.EntityName, "currency": s.Currency, "fiscalYearEndMonth": s.FiscalYearEndMonth,
			"status": s.Status, "source": s.Source, "now": tx.now, "currencyNamed": s.CurrencyNamed,
			"partyId": s.PartyID, "scope": s.Scope, "distributions": s.Distributions})
	return s, err
}

// spreadCurrency is what spreads of the workspace are in that name no currency and whose statements print none.
func spreadCurrency(ctx context.Context, tx *tx) (currency string, err error) {
	err = tx.QueryRow(ctx, `SELECT coalesce(nullif(spreads->>'currency', ''), $2) FROM workspaces WHERE id = $1`, tx.ws,
		dossier.DefaultSpreadCurrency).Scan(&currency)
	return currency, orMissing(err, "workspace")
}

// addToSpread adds a document to a spread, and stages the job that takes its figures if it has been read already.
func addToSpread(ctx context.Context, tx *tx, s dossier.Spread, position int, c spreadCandidate) error {
	if _, err := tx.Exec(ctx, `INSERT INTO spread_documents (workspace_id, spread_id, document_id, position)
		VALUES ($1, $2, $3, $4)`,
		tx.ws, s.ID, c.ID, position); err != nil || c.Reading {
		return err
	}
	return stageFigures(ctx, tx, s.ID, c.ID, s.Round)
}

func stageFigures(ctx context.Context, tx *tx, spread dossier.SpreadID, document dossier.DocumentID, round int) error {
	_, err := enqueue(ctx, tx, jobs.ExtractFigures{Workspace: tx.ws, Spread: spread, Document: document, Round: round},
		staging{subject: string(spread)})
	return err
}

// spreadCandidate is a document that a spread may use.
type spreadCandidate struct {
	ID       dossier.DocumentID
	Filename string
	Reading  bool // not read yet
	Usable   bool // holds a financial statement or a business tax return
}

// financial is true of an extraction with something to spread.
const financial = `coalesce(d.extraction @? '$.documents[*] ? (@.docType == "financial_statement"
	|| @.docType == "tax_return" && (@.facts.form starts with "1120" || @.facts.form starts with "1065"
		|| @.facts.form like_regex "schedule c" flag "i"))', false)`

// spreadCandidates finds the documents asked for, or all financial ones. Their rows are held, so that a reading
// cannot end between the look and the note. Errors: NotFound, Invalid.
func spreadCandidates(ctx context.Context, tx *tx, in NewSpread) ([]spreadCandidate, error) {
	party, orNobodys, err := candidateParty(ctx, tx, in)
	if err != nil {
		return nil, err
	}
	all, err := collect(ctx, tx, pgx.RowToStructByPos[spreadCandidate], `
		SELECT d.id, d.filename, d.extraction_status NOT IN ('completed', 'failed'), `+financial+`
		FROM documents d WHERE d.workspace_id = $1 AND d.lead_id = $2 AND d.deleted_at IS NULL
			AND d.uploaded_at IS NOT NULL
		  AND ($3::uuid[] IS NULL OR d.id = ANY ($3))
		  AND ($3::uuid[] IS NOT NULL OR $4::uuid IS NULL
			OR EXISTS (SELECT FROM document_parties p WHERE p.workspace_id = $1 AND p.document_id = d.id
			AND p.party_id = $4)
			OR $5 AND jsonb_array_length(d.extraction->'documents') > (SELECT count(*) FROM document_parties p
				WHERE p.workspace_id = $1 AND p.document_id = d.id AND p.party_id IS NOT NULL))
		ORDER BY d.created_at, d.id FOR SHARE OF d`, tx.ws, in.LeadID, in.Documents, party, orNobodys)
	if err != nil {
		return nil, err
	}
	named := map[dossier.DocumentID]bool{}
	for _, id := range in.Documents {
		named[id] = true
	}
	if in.Documents != nil && len(all) < len(named) {
		return nil, missing("document")
	}
	var kept []spreadCandidate
	hopeful := false
	for _, c := range all {
		if c.Usable || len(named) > 0 {
			kept = append(kept, c)
		}
		hopeful = hopeful || c.Usable || c.Reading && len(named) > 0
	}
	if !hopeful {
		return nil, dossier.ErrNoFinancialDocuments()
	}
	return kept, nil
}

// candidateParty is whose documents a spread takes that names none: the party's that it is of, else, of several, the
// primary's. The primary has also what is nobody's. Error: NotFound (party).
func candidateParty(ctx context.Context, tx *tx, in NewSpread) (party *dossier.PartyID, orNobodys bool, err error) {
	parties, err := partiesOf(ctx, tx, in.LeadID)
	if err != nil {
		return nil, false, err
	}
	if in.PartyID != nil {
		p, err := partyAmong(parties, *in.PartyID)
		return in.PartyID, p.IsPrimary, err
	}
	if len(parties) > 1 && parties[0].IsPrimary {
		return &parties[0].ID, true, nil
	}
	return nil, false, nil
}

// ReadSpread returns a spread with its documents and artifacts. Error: NotFound, also when its lead is deleted.
func (db *DB) ReadSpread(ctx context.Context, ws dossier.WorkspaceID, id dossier.SpreadID) (dossier.Spread, error) {
	return snapshot(ctx, db, ws, "read spread", func(tx *tx) (dossier.Spread,
		error) {
		return readSpread(ctx, tx, id, "")
	})
}

func readSpread(ctx context.Context, tx *tx, id dossier.SpreadID, lock string) (dossier.Spread, error) {
	rows, err := tx.Query(ctx, `SELECT `+spreadColumns+` FROM spreads s WHERE s.workspace_id = $1
		AND s.id = $2`+livingSpread+` `+lock, tx.ws, id)
	if err != nil {
		return dossier.Spread{}, err
	}
	s, err := pgx.CollectExactlyOneRow(rows, scanSpread)
	if err != nil {
		return s, orMissing(err, "spread")
	}
	return s, loadSpreads(ctx, tx, []*dossier.Spread{&s})
}

// lockSpread holds a spread against every other change of it.
func lockSpread(ctx context.Context, tx *tx, id dossier.SpreadID) (dossier.Spread, error) {
	return readSpread(ctx, tx, id, "FOR UPDATE OF s")
}

// ListSpreads returns a page of a lead's spreads, newest first. Error: NotFound (lead).
func (db *DB) ListSpreads(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID,
	page dossier.Page) ([]dossier.Spread, error) {
	return snapshot(ctx, db, ws, "list spreads", func(tx *tx) ([]dossier.Spread, error) {
		if err := requireLead(ctx, tx, lead); err != nil {
			return nil, err
		}
		at, id := pageArgs(page)
		list, err := collect(ctx, tx, scanSpread, `SELECT `+spreadColumns+` FROM spreads s
			WHERE s.workspace_id = $1 AND s.lead_id = $2 AND ($3::timestamptz IS NULL
				OR (s.created_at, s.id) < ($3, $4::uuid))
			ORDER BY s.created_at DESC, s.id DESC LIMIT $5`, tx.ws, lead, at, id, page.Limit+1)
		if err != nil {
			return nil, err
		}
		return list, loadSpreads(ctx, tx, pointers(list))
	})
}

// loadSpreads fills in documents and artifacts.
func loadSpreads(ctx context.Context, tx *tx, list []*dossier.Spread) error {
	byID, ids := map[dossier.SpreadID]*dossier.Spread{}, []dossier.SpreadID{}
	for _, s := range list {
		byID[s.ID], ids = s, append(ids, s.ID)
	}
	rows, err := tx.Query(ctx, `SELECT sd.spread_id, sd.document_id, d.filename, sd.status, sd.error
		FROM spread_documents sd JOIN documents d ON d.workspace_id = sd.workspace_id AND d.id = sd.document_id
		WHERE sd.workspace_id = $1 AND sd.spread_id = ANY ($2) ORDER BY sd.spread_id, sd.position`, tx.ws, ids)
	if err != nil {
		return err
	}
	_, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (none, error) {
		var id dossier.SpreadID
		var d dossier.SpreadDocument
		err := row.Scan(&id, &d.ID, &d.Filename, &d.Status, &d.Error)
		if s := byID[id]; s != nil {
			s.Documents = append(s.Documents, d)
		}
		return none{}, err
	})
	if err != nil {
		return err
	}
	return loadArtifacts(ctx, tx, byID, ids)
}

// RegenerateSpread starts a finished spread over from what was read before. Errors: NotFound; Conflict, while it
// is in progress.
func (db *DB) RegenerateSpread(ctx context.Context, ws dossier.WorkspaceID,
	id dossier.SpreadID) (dossier.Spread, error) {
	return transact(ctx, db, ws, "regenerate spread", func(tx *tx) (dossier.Spread, error) {
		s, err := lockSpread(ctx, tx, id)
		if err != nil {
			return s, err
		}
		err = regenerate(ctx, tx, &s)
		return s, err
	})
}

// regenerate starts the next round of a spread that the caller holds.
func regenerate(ctx context.Context, tx *tx, s *dossier.Spread) error {
	if err := s.Regenerate(tx.now); err != nil {
		return err
	}
	if err := updateSpread(ctx, tx, *s); err != nil {
		return err
	}
	lead, err := shareLead(ctx, tx, s.LeadID)
	if err != nil {
		return err
	}
	if err := stageConsolidation(ctx, tx, *s); err != nil {
		return err
	}
	return emitSpread(ctx, tx, dossier.EventSpreadStarted, lead, *s)
}

func stageConsolidation(ctx context.Context, tx *tx, s dossier.Spread) error {
	_, err := enqueue(ctx, tx, jobs.ConsolidateSpread{Workspace: tx.ws, Spread: s.ID, Round: s.Round},
		staging{subject: string(s.ID)})
	return err
}

func updateSpread(ctx context.Context, tx *tx, s dossier.Spread) error {
	_, err := tx.Exec(ctx, `UPDATE spreads SET status = $3, error = $4, round = $5, updated_at = $6
		WHERE workspace_id = $1 AND id = $2`,
		tx.ws, s.ID, s.Status, s.Error, s.Round, s.UpdatedAt)
	return err
}

// SpreadResults returns the results of the last COMPLETE round. Errors: NotFound; Conflict, before the first.
func (db *DB) SpreadResults(ctx context.Context, ws dossier.WorkspaceID,
	id dossier.SpreadID) (dossier.SpreadResults, error) {
	var results dossier.SpreadResults
	text, err := readOne(ctx, db, ws, "spread results", "spread", pgx.RowTo[*string],
		`SELECT s.results::text FROM spreads s WHERE s.workspace_id = $1 AND s.id = $2`+livingSpread, ws, id)
	switch {
	case err != nil:
		return results, err
	case text == nil:
		return results, dossier.Coded(dossier.Conflict, "spread_not_ready", "This spread has no results yet")
	}
	return results, json.Unmarshal([]byte(*text), &results)
}

// emitSpread tells of a spread. artifacts stand beside it in spread.completed and .approved.
func emitSpread(ctx context.Context, tx *tx, event dossier.EventType, lead leadRef, s dossier.Spread) error {
	if event == dossier.EventSpreadCompleted || event == dossier.EventSpreadApproved {
		return emit(ctx, tx, event, lead.LeadID,
			record.SpreadCompletedEvent{LeadRef: lead, Spread: record.OfSpread(s),
				Artifacts: record.OfArtifacts(s.Artifacts)})
	}
	return emit(ctx, tx, event, lead.LeadID, record.SpreadEvent{LeadRef: lead, Spread: record.OfSpread(s)})
}
