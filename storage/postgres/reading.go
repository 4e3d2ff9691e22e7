package postgres

import (
	"context"

	"github.com/dossierhq/dossier"
)

// FillInput is what the second reading of a document, by a language model, needs.
type FillInput struct {
	LeadID  dossier.LeadID
	File    dossier.ReadFile
	Reading dossier.ReadingSettings
}

// FillInput reads what the second reading of one document needs. Error: NotFound, when it was deleted.
func (db *DB) FillInput(ctx context.Context, ws dossier.WorkspaceID, id dossier.DocumentID) (FillInput, error) {
	return snapshot(ctx, db, ws, "fill input", func(tx *tx) (in FillInput, err error) {
		d, err := readDocument(ctx, tx, id)
		if err != nil {
			return in, err
		}
		in.LeadID, in.File = d.LeadID, readFile(d)
		in.Reading, err = readReading(ctx, tx)
		return in, err
	})
}

func readReading(ctx context.Context, tx *tx) (dossier.ReadingSettings, error) {
	var reading readingJSON
	err := tx.QueryRow(ctx, `SELECT reading FROM workspaces WHERE id = $1`, tx.ws).Scan(&reading)
	return dossier.ReadingSettings(reading).OrDefault(), orMissing(err, "workspace")
}

// Filled is what a language model gave for one document, and the rules by which it is judged again. They are pure: they
// run in the commit, on what is true there.
type Filled struct {
	Document dossier.DocumentID
	Apply    func(dossier.Extraction) (filled dossier.Extraction, changed bool) // nil: nobody was asked
	Match    func(MatchInput) []dossier.FileMatch
	Validate func(ValidateInput) Validated
}

// SaveFill puts what a model gave into a document's facts, as they are now, and judges the document again in the same
// commit. It is told of (document.validated) when a verdict moved. A document that is being read anew, or that a model
// has read, stays as it is. Errors: ErrFenced, NotFound.
func (db *DB) SaveFill(ctx context.Context, claim Claim, lead dossier.LeadID, f Filled) error {
	_, err := transact(ctx, db, claim.Workspace, "save fill", func(tx *tx) (none, error) {
		ref, err := lockLeadRef(ctx, tx, lead)
		if err != nil {
			return none{}, err
		}
		d, err := readDocument(ctx, tx, f.Document)
		if err != nil {
			return none{}, err
		}
		open := d.ExtractionStatus == dossier.ExtractionCompleted && d.Extraction != nil && !readByModel(d.Extraction)
		if f.Apply != nil && open {
			if err := saveFill(ctx, tx, ref, d, f); err != nil {
				return none{}, err
			}
		}
		return none{}, finishJob(ctx, tx, claim, "document:"+string(f.Document))
	})
	return err
}

func saveFill(ctx context.Context, tx *tx, ref leadRef, d dossier.Document, f Filled) error {
	before, machine := d, d.Extraction
	if d.MachineExtraction != nil {
		machine = d.MachineExtraction // a person's corrections stay laid over it
	}
	filled, changed := f.Apply(*machine)
	d.Extraction, d.UpdatedAt = &filled, tx.now
	if err := keepCorrections(ctx, tx, &d); err != nil {
		return err
	}
	if err := saveCorrections(ctx, tx, &d); err != nil {
		return err
	}
	if err := settleDocumentReviews(ctx, tx, ref, d); err != nil || !changed {
		return err
	}
	if err := logAutomatic(ctx, tx, d.LeadID, "DOCUMENT_EXTRACTION",
		"Read "+d.Filename+" further with a language model",
		map[string]any{"documentId": d.ID, "model": filled.Model}); err != nil {
		return err
	}
	match, err := matchInput(ctx, tx, d.ID)
	if err != nil {
		return err
	}
	if err := writeMatches(ctx, tx, d.LeadID, d.ID, f.Match(match)); err != nil {
		return err
	}
	in, err := validateInput(ctx, tx, d.ID)
	if err != nil {
		return err
	}
	v := f.Validate(in)
	if err := writeVerdicts(ctx, tx, d.ID, v.Results); err != nil {
		return err
	}
	now, err := readDocument(ctx, tx, d.ID)
	if err != nil {
		return err
	}
	return settleVerdicts(ctx, tx, ref, now, v, verdictsChanged(before, now))
}

// verdictsChanged reports whether a document serves other items than before, or serves one better or worse.
func verdictsChanged(before, now dossier.Document) bool {
	verdicts := func(d dossier.Document) map[dossier.EntryID][2]bool {
		of := map[dossier.EntryID][2]bool{}
		for _, a := range d.Associations {
			of[a.EntryID] = [2]bool{a.Valid(), a.Result != nil && a.Result.NeedsReview()}
		}
		return of
	}
	was, is := verdicts(before), verdicts(now)
	if len(was) != len(is) {
		return true
	}
	for entry, v := range is {
		if had, ok := was[entry]; !ok || had != v {
			return true
		}
	}
	return false
}
