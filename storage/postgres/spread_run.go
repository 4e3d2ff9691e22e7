package postgres

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// StartFigures marks a document of a spread as being looked at and returns it as it was read. Without ok the try is
// over: the round is old, the document is settled, or it is being read and the end of that stages the job again.
// A document that was deleted is settled here. Errors: ErrFenced, NotFound (the spread).
func (db *DB) StartFigures(ctx context.Context, claim Claim,
	job jobs.ExtractFigures) (d dossier.Document, ok bool, err error) {
	type started struct {
		document dossier.Document
		ok       bool
	}
	got, err := transact(ctx, db, claim.Workspace, "start figures", func(tx *tx) (none started, err error) {
		s, waiting, err := awaitedDocument(ctx, tx, job)
		if err != nil {
			return none, err
		}
		if !waiting {
			return none, finishJob(ctx, tx, claim, "spread:"+string(job.Spread))
		}
		d, err := heldDocument(ctx, tx, job.Document)
		switch {
		case dossier.KindOf(err) == dossier.NotFound:
			return none, settleDocument(ctx, tx, claim, s, job.Document, dossier.SpreadDocumentFailed,
				"The document was deleted")
		case err != nil:
			return none, err
		case d.ExtractionStatus != dossier.ExtractionCompleted && d.ExtractionStatus != dossier.ExtractionFailed:
			return none, finishJob(ctx, tx, claim, "spread:"+string(job.Spread))
		}
		return started{d, true}, setSpreadDocument(ctx, tx, s.ID, d.ID, dossier.SpreadDocumentProcessing, "")
	})
	return got.document, got.ok, err
}

// awaitedDocument holds the spread of a job and reports whether it still awaits the job's document.
func awaitedDocument(ctx context.Context, tx *tx, job jobs.ExtractFigures) (dossier.Spread, bool, error) {
	s, err := lockSpread(ctx, tx, job.Spread)
	if err != nil || s.Round != job.Round || s.Status != dossier.SpreadInProgress {
		return s, false, err
	}
	for _, d := range s.Documents {
		if d.ID == job.Document {
			return s, !d.Status.Settled(), nil
		}
	}
	return s, false, nil
}

// heldDocument reads a document whose reading cannot end or begin anew until the transaction does.
func heldDocument(ctx context.Context, tx *tx, id dossier.DocumentID) (dossier.Document, error) {
	if _, err := tx.Exec(ctx, `SELECT FROM documents WHERE workspace_id = $1 AND id = $2 FOR SHARE`, tx.ws,
		id); err != nil {
		return dossier.Document{}, err
	}
	return readDocument(ctx, tx, id)
}

// SaveFigures settles a document of a spread. The last one stages the consolidation, or fails the spread when no
// document can be used. Errors: ErrFenced, NotFound.
func (db *DB) SaveFigures(ctx context.Context, claim Claim, job jobs.ExtractFigures,
	status dossier.SpreadDocumentStatus, reason string) error {
	_, err := transact(ctx, db, claim.Workspace, "save figures", func(tx *tx) (none, error) {
		s, waiting, err := awaitedDocument(ctx, tx, job)
		if err != nil {
			return none{}, err
		}
		if !waiting {
			return none{}, finishJob(ctx, tx, claim, "spread:"+string(job.Spread))
		}
		return none{}, settleDocument(ctx, tx, claim, s, job.Document, status, reason)
	})
	return err
}

// settleDocument ends the job of a document with its state. The caller holds the spread.
func settleDocument(ctx context.Context, tx *tx, claim Claim, s dossier.Spread, id dossier.DocumentID,
	status dossier.SpreadDocumentStatus, reason string) error {
	if err := noteDocument(ctx, tx, s, id, status, reason); err != nil {
		return err
	}
	return finishJob(ctx, tx, claim, "spread:"+string(s.ID))
}

// noteDocument records the state of a document and goes on when it was the last.
func noteDocument(ctx context.Context, tx *tx, s dossier.Spread, id dossier.DocumentID,
	status dossier.SpreadDocumentStatus, reason string) error {
	if err := setSpreadDocument(ctx, tx, s.ID, id, status, reason); err != nil {
		return err
	}
	for i := range s.Documents {
		if s.Documents[i].ID == id {
			s.Documents[i].Status, s.Documents[i].Error = status, dossier.OrNil(reason)
		}
	}
	all, usable := s.Settled()
	switch {
	case !all:
		return nil
	case usable == 0:
		return failSpread(ctx, tx, s, dossier.ErrNoFinancialDocuments().Message)
	}
	return stageConsolidation(ctx, tx, s)
}

func setSpreadDocument(ctx context.Context, tx *tx, spread dossier.SpreadID, id dossier.DocumentID,
	status dossier.SpreadDocumentStatus, reason string) error {
	_, err := tx.Exec(ctx, `UPDATE spread_documents SET status = $4, error = $5
		WHERE workspace_id = $1 AND spread_id = $2 AND document_id = $3`,
		tx.ws, spread, id, status, dossier.OrNil(reason))
	return err
}

// wakeSpreads stages the settling of a document in every spread that awaited its reading.
func wakeSpreads(ctx context.Context, tx *tx, document dossier.DocumentID) error {
	type waiting struct {
		Spread dossier.SpreadID
		Round  int
	}
	all, err := collect(ctx, tx, pgx.RowToStructByPos[waiting], `SELECT s.id, s.round FROM spread_documents sd
		JOIN spreads s ON s.workspace_id = sd.workspace_id AND s.id = sd.spread_id
		WHERE sd.workspace_id = $1 AND sd.document_id = $2 AND sd.status IN ('PENDING', 'PROCESSING')
			AND s.status = 'IN_PROGRESS'`, tx.ws, document)
	if err != nil {
		return err
	}
	for _, w := range all {
		if err := stageFigures(ctx, tx, w.Spread, document, w.Round); err != nil {
			return err
		}
	}
	return nil
}

// SpreadInput is what consolidating a spread needs.
type SpreadInput struct {
	Spread    dossier.Spread
	Documents []dossier.Document     // to be used, in upload order, with their extractions
	Gone      []dossier.DocumentID   // cannot be used any more: deleted, or being read anew
	Previous  *dossier.SpreadResults // of the last COMPLETE round

	Adjustments []dossier.SpreadAdjustment
	Captions    []dossier.CaptionMapping

	DefaultCurrency string // of the workspace
	Nobodys         bool   // of a spread of the primary party: what is nobody's counts too
}

// SpreadInput reads what consolidating a spread needs. Without ok the round is old or over. Error: NotFound.
func (db *DB) SpreadInput(ctx context.Context, ws dossier.WorkspaceID, id dossier.SpreadID,
	round int) (in SpreadInput, ok bool, err error) {
	in, err = snapshot(ctx, db, ws, "spread input", func(tx *tx) (SpreadInput, error) {
		return spreadInput(ctx, tx, id)
	})
	return in, err == nil && in.Spread.Round == round && in.Spread.Status == dossier.SpreadInProgress, err
}

func spreadInput(ctx context.Context, tx *tx, id dossier.SpreadID) (in SpreadInput, err error) {
	if in.Spread, err = readSpread(ctx, tx, id, ""); err != nil || in.Spread.Scope == dossier.SpreadGlobal {
		return in, err
	}
	if in.Spread.PartyID != nil {
		parties, err := partiesOf(ctx, tx, in.Spread.LeadID)
		if err != nil {
			return in, err
		}
		in.Nobodys = len(parties) > 0 && parties[0].IsPrimary && parties[0].ID == *in.Spread.PartyID
	}
	for _, sd := range in.Spread.Documents {
		if sd.Status == dossier.SpreadDocumentSkipped {
			continue
		}
		d, err := readDocument(ctx, tx, sd.ID)
		switch {
		case dossier.KindOf(err) == dossier.NotFound || err == nil && d.Extraction == nil:
			in.Gone = append(in.Gone, sd.ID)
		case err != nil:
			return in, err
		default:
			in.Documents = append(in.Documents, d)
		}
	}
	if in.DefaultCurrency, err = spreadCurrency(ctx, tx); err != nil {
		return in, err
	}
	if in.Adjustments, err = adjustmentsOf(ctx, tx, id); err != nil {
		return in, err
	}
	if in.Captions, err = captionsOf(ctx, tx, in.Spread.LeadID); err != nil {
		return in, err
	}
	var text *string
	if err := tx.QueryRow(ctx, `SELECT results::text FROM spreads WHERE workspace_id = $1 AND id = $2`, tx.ws,
		id).Scan(&text); err != nil || text == nil {
		return in, err
	}
	in.Previous = new(dossier.SpreadResults)
	return in, json.Unmarshal([]byte(*text), in.Previous)
}

// FinishedSpread is the outcome of a round. Without results the spread fails with Reason.
type FinishedSpread struct {
	Results   *dossier.SpreadResults
	Global    *dossier.GlobalResults // of a global one, in place of Results
	Used      []dossier.DocumentID   // by that
	Files     []dossier.Artifact
	Documents map[dossier.DocumentID]string // reasons of those set aside; all others were used
	Reason    string
}

// FinishSpread ends a round: results and files replace the previous ones in one commit with the event. A job of an
// old round changes nothing. Errors: ErrFenced, NotFound.
func (db *DB) FinishSpread(ctx context.Context, claim Claim, job jobs.ConsolidateSpread, out FinishedSpread) error {
	_, err := transact(ctx, db, claim.Workspace, "finish spread", func(tx *tx) (none, error) {
		s, err := lockSpread(ctx, tx, job.Spread)
		if err != nil {
			return none{}, err
		}
		if s.Round == job.Round && s.Status == dossier.SpreadInProgress {
			if err := endRound(ctx, tx, s, out); err != nil {
				return none{}, err
			}
		}
		return none{}, finishJob(ctx, tx, claim, "spread:"+string(s.ID))
	})
	return err
}

func endRound(ctx context.Context, tx *tx, s dossier.Spread, out FinishedSpread) error {
	for i := range s.Documents {
		d := &s.Documents[i]
		reason, aside := out.Documents[d.ID]
		switch {
		case aside:
			d.Status, d.Error = dossier.SpreadDocumentFailed, &reason
		case d.Status == dossier.SpreadDocumentFailed: // a new reading made it usable
			d.Status, d.Error = dossier.SpreadDocumentExtracted, nil
		default:
			continue
		}
		if err := setSpreadDocument(ctx, tx, s.ID, d.ID, d.Status, dossier.Text(d.Error)); err != nil {
			return err
		}
	}
	var results any
	switch {
	case out.Global != nil:
		results, s.Currency = out.Global, out.Global.Currency
		if err := useDocuments(ctx, tx, &s, out.Used); err != nil {
			return err
		}
	case out.Results != nil:
		results, s.Currency = out.Results, out.Results.Currency
	default:
		return failSpread(ctx, tx, s, out.Reason)
	}
	data, err := json.Marshal(results)
	if err != nil {
		return err
	}
	err = tx.QueryRow(ctx, `UPDATE spreads SET results = $3::text::json, currency = $4 WHERE workspace_id = $1
		AND id = $2
		RETURNING approval_state, approval_by, approval_at, approval_note`, // which new figures take back
		tx.ws, s.ID, string(data), s.Currency).Scan(&s.Approval.State, &s.Approval.By, &s.Approval.At, &s.Approval.Note)
	if err != nil {
		return err
	}
	if err := replaceArtifacts(ctx, tx, &s, out.Files); err != nil {
		return err
	}
	s.Status, s.Error, s.UpdatedAt = dossier.SpreadComplete, nil, tx.now
	if err := endSpreadRun(ctx, tx, s, dossier.EventSpreadCompleted); err != nil {
		return err
	}
	return reviewFigures(ctx, tx, s, out.Results)
}

// reviewFigures follows what the figures of a spread are: whether they add up, and whether they are still submitted.
func reviewFigures(ctx context.Context, tx *tx, s dossier.Spread, results *dossier.SpreadResults) error {
	if s.Approval.State == dossier.ApprovalDraft {
		endSubmission(tx, s.ID)
	}
	lead, err := shareLead(ctx, tx, s.LeadID)
	if err != nil {
		return err
	}
	return settleReviews(ctx, tx, lead, []string{string(s.ID)}, []dossier.ReviewCode{dossier.ReviewSpreadVariance},
		dossier.VarianceCauses(s.ID, results))
}

// failSpread ends a round without results; those of an earlier one stay.
func failSpread(ctx context.Context, tx *tx, s dossier.Spread, reason string) error {
	s.Status, s.Error, s.UpdatedAt = dossier.SpreadFailed, &reason, tx.now
	return endSpreadRun(ctx, tx, s, dossier.EventSpreadFailed)
}

func endSpreadRun(ctx context.Context, tx *tx, s dossier.Spread, event dossier.EventType) error {
	if err := updateSpread(ctx, tx, s); err != nil {
		return err
	}
	lead, err := shareLead(ctx, tx, s.LeadID)
	if err != nil {
		return err
	}
	if err := emitSpread(ctx, tx, event, lead, s); err != nil {
		return err
	}
	if s.Scope == dossier.SpreadOfParty {
		if err := wakeGlobals(ctx, tx, s.LeadID); err != nil {
			return err
		}
	}
	return wakeSpreadRun(ctx, tx, s.ID)
}

// endFigures settles a document that could not be looked at, or whose job was cancelled: its spread waits for nobody.
func endFigures(ctx context.Context, tx *tx, claim Claim, _, _ string) error {
	var job jobs.ExtractFigures
	if err := json.Unmarshal(claim.Payload, &job); err != nil {
		return err
	}
	s, waiting, err := awaitedDocument(ctx, tx, job)
	if err != nil || !waiting {
		return ignoreMissing(err)
	}
	return noteDocument(ctx, tx, s, job.Document, dossier.SpreadDocumentFailed,
		"The figures of the document could not be taken over")
}

// endSpread fails a spread whose consolidation did not succeed.
func endSpread(ctx context.Context, tx *tx, claim Claim, _, _ string) error {
	var job jobs.ConsolidateSpread
	if err := json.Unmarshal(claim.Payload, &job); err != nil {
		return err
	}
	s, err := lockSpread(ctx, tx, job.Spread)
	if err != nil || s.Round != job.Round || s.Status != dossier.SpreadInProgress {
		return ignoreMissing(err)
	}
	return failSpread(ctx, tx, s, "The statements could not be put together, in "+plural(claim.Attempt,
		"try")+". Regenerate the spread to try again")
}
