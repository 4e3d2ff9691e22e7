package postgres

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/record"
)

// CorrectionRequest is the set of corrections that a person sends for a document, with the rules that judge the
// document by them.
type CorrectionRequest struct {
	Set     []dossier.Correction // what the person says: part, pointer, value, reason and place
	IfMatch string               // the document's tag; empty: any
	DryRun  bool                 // nothing is kept

	CorrectionRules
}

// CorrectionRules are the rules by which what rests on a document follows its facts.
type CorrectionRules struct {
	Validate func(ValidateInput) map[dossier.EntryID]dossier.ValidationResult
	Judge    func(zone string) dossier.Judge
	Relate   dossier.Relations
	// Usable says whether a document has anything to spread.
	Usable func(dossier.Document) bool
	// Respread is what becomes of a spread and of its figures; nil results, when it fails.
	Respread func(SpreadInput) (*dossier.SpreadResults, []SpreadChange)
	// RespreadGlobal is what becomes of the figures of a global spread.
	RespreadGlobal func(dossier.GlobalInput) []SpreadChange
}

// CorrectionEffects is what a set of corrections changes (review.md section 2).
type CorrectionEffects struct {
	Checks  []dossier.CheckEffect `json:"checks"`
	Items   []ItemEffect          `json:"items"`
	Spreads []SpreadEffect        `json:"spreads"`
}

// ItemEffect is an item whose state or reasons change.
type ItemEffect struct {
	EntryID dossier.EntryID `json:"leadChecklistItemId"`
	Code    string          `json:"code"`
	Before  ItemState       `json:"before"`
	After   ItemState       `json:"after"`
}

// ItemState is what an item says of itself.
type ItemState struct {
	Status          dossier.ItemStatus `json:"status"`
	ValidationError *string            `json:"validationError"`
}

// SpreadEffect is a spread that is regenerated, with the cells that its next round changes.
type SpreadEffect struct {
	SpreadID dossier.SpreadID `json:"spreadId"`
	Changes  []SpreadChange   `json:"changes"`
}

// SpreadChange is a cell of a spread that has another figure than before; null where there is none. Rows of a global
// spread are those of its one statement, global, and say whose they are.
type SpreadChange struct {
	Statement      string           `json:"statement"`
	PeriodID       string           `json:"periodId"`
	Row            string           `json:"row"`
	PartyID        *dossier.PartyID `json:"partyId,omitempty"`
	CounterpartyID *dossier.PartyID `json:"counterpartyId,omitempty"`
	Before         *json.Number     `json:"before"` // with 2 places, a ratio with 4
	After          *json.Number     `json:"after"`
}

// errDryRun takes back what a dry run did.
var errDryRun = errors.New("dry run")

// CorrectDocument lays a person's corrections over a document's facts: the whole set, which takes the place of the
// one before. Checks, verdicts and items follow in the same commit, and every spread that uses the document goes
// IN_PROGRESS with its job staged. A set that says what is there already changes nothing. Errors: NotFound,
// Conflict document_not_ready, Precondition, Invalid (by JSON pointer into the request).
func (db *DB) CorrectDocument(ctx context.Context, ws dossier.WorkspaceID, id dossier.DocumentID,
	c CorrectionRequest) (dossier.Document, CorrectionEffects, error) {
	type corrected struct { // exported: a repeat of the call is answered from its JSON
		Document dossier.Document
		Effects  CorrectionEffects
	}
	var dry corrected
	out, err := transact(ctx, db, ws, "correct document", func(tx *tx) (out corrected, err error) {
		if out.Document, out.Effects, err = correctDocument(ctx, tx, id, c); err == nil && c.DryRun {
			dry, err = out, errDryRun
		}
		return out, err
	})
	if errors.Is(err, errDryRun) {
		return dry.Document, dry.Effects, nil
	}
	return out.Document, out.Effects, err
}

func correctDocument(ctx context.Context, tx *tx, id dossier.DocumentID,
	c CorrectionRequest) (d dossier.Document, effects CorrectionEffects, err error) {
	effects = CorrectionEffects{[]dossier.CheckEffect{}, []ItemEffect{}, []SpreadEffect{}}
	if d, err = readDocument(ctx, tx, id); err != nil {
		return d, effects, err
	}
	lead, err := lockLeadRef(ctx, tx, d.LeadID)
	if err != nil {
		return d, effects, err
	}
	if d, err = readDocument(ctx, tx, id); err != nil { // as it is now that nobody else changes it
		return d, effects, err
	}
	switch {
	case c.IfMatch != "" && c.IfMatch != d.Tag():
		return d, effects, dossier.Errorf(dossier.Precondition,
			"If-Match does not name the present version; read the document again and send its ETag")
	case d.Extraction == nil || d.ExtractionStatus != dossier.ExtractionCompleted:
		return d, effects, dossier.Coded(
			dossier.Conflict,
			"document_not_ready",
			"This document is not read yet, or could not be read",
		)
	}
	machine := *d.Extraction
	if d.MachineExtraction != nil {
		machine = *d.MachineExtraction
	}
	if err := machine.CheckCorrections(c.Set); err != nil {
		return d, effects, err
	}
	before, had := *d.Extraction, d.Corrections
	after, stand := machine.Correct(dossier.SignCorrections(c.Set, had, requester(ctx), tx.now))
	changed := dossier.ChangedCorrections(had, stand)
	if len(changed) == 0 {
		return d, effects, nil
	}
	d.Extraction, d.MachineExtraction, d.Corrections, d.UpdatedAt = &after, &machine, stand, tx.now
	effects.Checks = dossier.CheckEffects(before, after)
	if err := saveCorrections(ctx, tx, &d); err != nil {
		return d, effects, err
	}
	if err := settleDocumentReviews(ctx, tx, lead, d); err != nil {
		return d, effects, err
	}
	if !dossier.SameFacts(before, after) {
		if effects.Items, err = rejudge(ctx, tx, lead, &d, c.CorrectionRules); err != nil {
			return d, effects, err
		}
		if effects.Spreads, err = respread(ctx, tx, d, c.CorrectionRules); err != nil {
			return d, effects, err
		}
	}
	return d, effects, emitCorrected(ctx, tx, lead, d, changed)
}

// saveCorrections keeps a document's facts that count, beside what the machine read while they may differ.
func saveCorrections(ctx context.Context, tx *tx, d *dossier.Document) error {
	if len(d.Corrections) == 0 {
		d.MachineExtraction = nil
	}
	_, err := tx.Exec(
		ctx,
		`UPDATE documents SET extraction = $3, machine_extraction = $4, corrections = $5, updated_at = $6
		WHERE workspace_id = $1 AND id = $2`,
		tx.ws,
		d.ID,
		d.Extraction,
		d.MachineExtraction,
		nonNil(d.Corrections),
		d.UpdatedAt,
	)
	return err
}

// emitCorrected logs corrections on the timeline and emits document.corrected.
func emitCorrected(ctx context.Context, tx *tx, lead leadRef, d dossier.Document, changed []string) error {
	if err := logAutomatic(ctx, tx, d.LeadID, "DOCUMENT_CORRECTION", "A person corrected "+d.Filename,
		map[string]any{"documentId": d.ID, "corrections": changed}); err != nil {
		return err
	}
	audit(
		ctx,
		tx,
		dossier.AuditDocumentCorrect,
		"document:"+string(d.ID),
		map[string]any{"leadId": d.LeadID, "corrections": changed},
	)
	return emit(ctx, tx, dossier.EventDocumentCorrected, lead.LeadID,
		record.DocumentCorrectedEvent{LeadRef: lead, Document: record.OfDocument(d), Corrections: changed})
}

// rejudge gives verdicts on a document anew, judges the items that it serves, with the verdicts on other documents of
// theirs that rest on it, and says which of them changed. What the built-in judge leaves unsure goes to the document's
// job, where a language model may be asked.
func rejudge(ctx context.Context, tx *tx, lead leadRef, d *dossier.Document,
	c CorrectionRules) ([]ItemEffect, error) {
	effects := []ItemEffect{}
	before, err := fileItems(ctx, tx, d.LeadID)
	if err != nil {
		return effects, err
	}
	in := ValidateInput{LeadID: d.LeadID, File: readFile(*d)}
	if in.Items, err = servedItems(ctx, tx, *d, before); err != nil {
		return effects, err
	}
	if in.Zone, err = leadZone(ctx, tx, d.LeadID); err != nil {
		return effects, err
	}
	if in.Party, err = readParty(ctx, tx, d.LeadID); err != nil {
		return effects, err
	}
	unsure := false
	for entry, result := range c.Validate(in) {
		if err := saveVerdict(ctx, tx, d.ID, entry, result); err != nil {
			return effects, err
		}
		unsure = unsure || result.NeedsReview()
	}
	if unsure {
		if err := stageValidation(ctx, tx, d.ID); err != nil {
			return effects, err
		}
	}
	if err := judgeItems(ctx, tx, lead, servedEntries(*d), c.Judge(in.Zone)); err != nil {
		return effects, err
	}
	if err := findRelations(ctx, tx, d.LeadID, d.ID, c.Relate); err != nil {
		return effects, err
	}
	after, err := fileItems(ctx, tx, d.LeadID)
	if err != nil {
		return effects, err
	}
	for i := range after {
		old, anew := stateOf(before[i]), stateOf(after[i])
		if old.Status != anew.Status || dossier.Text(old.ValidationError) != dossier.Text(anew.ValidationError) {
			effects = append(effects, ItemEffect{after[i].EntryID, after[i].Code, old, anew})
		}
	}
	return effects, loadAssociations(ctx, tx, []*dossier.Document{d})
}

func stageValidation(ctx context.Context, tx *tx, id dossier.DocumentID) error {
	_, err := enqueue(ctx, tx, jobs.ValidateDocument{Workspace: tx.ws, Document: id}, staging{subject: string(id)})
	return err
}

func stateOf(item dossier.FileItem) ItemState {
	return ItemState{item.Status, dossier.ReasonsText(dossier.English, item.Reasons)}
}

func saveVerdict(
	ctx context.Context,
	tx *tx,
	id dossier.DocumentID,
	entry dossier.EntryID,
	result dossier.ValidationResult,
) error {
	_, err := tx.Exec(ctx, `UPDATE document_associations SET validation_result = @validationResult,
		overall_valid = @overallValid,
		unsure = @unsure, judged_at = @now, updated_at = @now
		WHERE workspace_id = @workspace AND document_id = @documentId AND entry_id = @entryId`,
		pgx.NamedArgs{"workspace": tx.ws, "documentId": id, "entryId": entry, "validationResult": result,
			"overallValid": result.OverallValid, "unsure": result.NeedsReview(), "now": tx.now})
	return err
}

// keepCorrections lays the corrections that a document has over what was read anew. Whoever
// keeps the document settles its reviews: those that conflict ask for a person.
func keepCorrections(ctx context.Context, tx *tx, d *dossier.Document) error {
	var stored json.RawMessage
	err := tx.QueryRow(ctx, `SELECT corrections FROM documents WHERE workspace_id = $1 AND id = $2`, tx.ws, d.ID).
		Scan(&stored)
	if err == nil {
		err = json.Unmarshal(stored, &d.Corrections)
	}
	if err != nil || d.Extraction == nil || len(d.Corrections) == 0 {
		d.MachineExtraction = nil
		return err
	}
	machine := *d.Extraction
	effective, stand := machine.Correct(d.Corrections)
	d.Extraction, d.MachineExtraction, d.Corrections = &effective, &machine, stand
	return nil
}

// CorrectedDocuments lists the documents of a workspace that were read and have corrections, oldest first.
func (db *DB) CorrectedDocuments(ctx context.Context, ws dossier.WorkspaceID) ([]dossier.DocumentID, error) {
	return readAll(ctx, db, ws, "list corrected documents", pgx.RowTo[dossier.DocumentID], `SELECT d.id FROM documents d
		JOIN leads l ON l.workspace_id = d.workspace_id AND l.id = d.lead_id AND l.deleted_at IS NULL
		WHERE d.workspace_id = $1 AND d.corrections <> '[]' AND d.extraction IS NOT NULL AND d.deleted_at IS NULL
		ORDER BY d.created_at, d.id`, ws)
}
