package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// touchedSpread is a spread of a document's lead that may have to be made anew.
type touchedSpread struct {
	ID     dossier.SpreadID
	Status string // of the document in it; empty: it does not use it itself
}

// respread starts the next round of every spread that uses a document, or did not only for what the document said
// before, and of every global one that uses such a spread. One that is still reading its documents takes the corrected
// facts by itself.
func respread(ctx context.Context, tx *tx, d dossier.Document, c CorrectionRules) ([]SpreadEffect, error) {
	effects := []SpreadEffect{}
	touched, err := collect(ctx, tx, pgx.RowToStructByPos[touchedSpread], `SELECT s.id, coalesce(sd.status, '')
		FROM spreads s LEFT JOIN spread_documents sd ON sd.workspace_id = s.workspace_id AND sd.spread_id = s.id
			AND sd.document_id = $3
		WHERE s.workspace_id = $1 AND s.lead_id = $2 AND (sd.status IN ('EXTRACTED', 'FAILED', 'SKIPPED')
			OR s.scope = 'global' AND s.results IS NOT NULL)
		ORDER BY s.scope = 'global', s.id`, tx.ws, d.LeadID, d.ID)
	if err != nil {
		return effects, err
	}
	anew, next := map[dossier.SpreadID]dossier.SpreadResults{}, []dossier.Spread{}
	for _, t := range touched {
		s, changes, follows, err := spreadFollows(ctx, tx, d, t, anew, c)
		if err != nil {
			return effects, err
		}
		if follows {
			effects = append(effects, SpreadEffect{s.ID, append([]SpreadChange{}, changes...)})
			next = append(next, s)
		}
	}
	for i := range next { // after all were looked at: what is made anew has no figures until then
		if err := nextRound(ctx, tx, &next[i]); err != nil {
			return effects, err
		}
	}
	return effects, nil
}

// spreadFollows says whether a spread is to be made anew, and what becomes of its cells; anew has the results of those
// that came before.
func spreadFollows(ctx context.Context, tx *tx, d dossier.Document, t touchedSpread,
	anew map[dossier.SpreadID]dossier.SpreadResults, c CorrectionRules) (s dossier.Spread, changes []SpreadChange,
	follows bool, err error) {
	if s, err = lockSpread(ctx, tx, t.ID); err != nil {
		return s, nil, false, err
	}
	if s.Scope == dossier.SpreadGlobal {
		changes, err = globalFollows(ctx, tx, s, anew, c)
		return s, changes, t.Status == string(dossier.SpreadDocumentExtracted) || len(changes) > 0, err
	}
	if t.Status == string(dossier.SpreadDocumentSkipped) {
		if !c.Usable(d) {
			return s, nil, false, nil
		}
		if err := setSpreadDocument(ctx, tx, s.ID, d.ID, dossier.SpreadDocumentExtracted, ""); err != nil {
			return s, nil, false, err
		}
	}
	in, err := spreadInput(ctx, tx, s.ID)
	if err != nil {
		return s, nil, false, err
	}
	results, changes := c.Respread(in)
	if results != nil {
		anew[s.ID] = *results
	}
	was := t.Status == string(dossier.SpreadDocumentExtracted)
	return s, changes, was || len(changes) > 0 || in.Previous == nil && results != nil, nil
}

// globalFollows says what becomes of the cells of a global spread when the spreads of its parties are what anew says.
// While one of these is being made it is not known.
func globalFollows(ctx context.Context, tx *tx, s dossier.Spread, anew map[dossier.SpreadID]dossier.SpreadResults,
	c CorrectionRules) ([]SpreadChange, error) {
	in := dossier.GlobalInput{Spread: s}
	var err error
	if in.Parties, err = partiesOf(ctx, tx, s.LeadID); err != nil || len(in.Parties) == 0 {
		return nil, err
	}
	if err := readGlobal(ctx, tx, &in); err != nil || in.Previous == nil {
		return nil, err
	}
	if waits, err := globalWaits(ctx, tx, s.LeadID, in.Parties[0].ID); err != nil || waits {
		return nil, err
	}
	for party, results := range in.Spreads {
		if now, is := anew[results.SpreadID]; is {
			in.Spreads[party] = now
		}
	}
	return c.RespreadGlobal(in), nil
}

// nextRound makes a spread anew that the caller holds.
func nextRound(ctx context.Context, tx *tx, s *dossier.Spread) error {
	if s.Status != dossier.SpreadInProgress {
		return regenerate(ctx, tx, s)
	}
	if all, _ := s.Settled(); !all {
		return nil
	}
	s.Round, s.UpdatedAt = s.Round+1, tx.now // the round under way may have read the facts of before
	if err := updateSpread(ctx, tx, *s); err != nil {
		return err
	}
	return stageConsolidation(ctx, tx, *s)
}
