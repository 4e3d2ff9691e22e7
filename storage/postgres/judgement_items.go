package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/record"
)

// judgeItems decides the given items anew from all documents that serve them, whose verdicts are written; those by
// rules that ask of several together first. The verdicts on told, and such that moved, are told of. The caller holds
// the lead.
func judgeItems(ctx context.Context, tx *tx, lead leadRef, entries []dossier.EntryID, judge dossier.Judge,
	told ...dossier.DocumentID) error {
	items, err := fileItems(ctx, tx, lead.LeadID)
	if err != nil {
		return err
	}
	items = slices.DeleteFunc(items, func(i dossier.FileItem) bool { return !slices.Contains(entries, i.EntryID) })
	moved, err := judgeTogether(ctx, tx, lead.LeadID, items, judge)
	if err != nil {
		return err
	}
	for _, id := range moved {
		if !slices.Contains(told, id) {
			told = append(told, id)
		}
	}
	if err := emitValidated(ctx, tx, lead, told); err != nil {
		return err
	}
	for _, item := range items {
		files, source, err := judgedFiles(ctx, tx, item.EntryID)
		if err != nil {
			return err
		}
		status, reasons := judge.Item(item, files)
		if err := setJudgement(ctx, tx, lead, item, status, reasons, source); err != nil {
			return err
		}
	}
	return finishRuns(ctx, tx, lead)
}

// judgeTogether gives those verdicts anew that rest on what else serves an item, and says on which documents they are
// better or worse than before.
func judgeTogether(ctx context.Context, tx *tx, lead dossier.LeadID, items []dossier.FileItem,
	judge dossier.Judge) (moved []dossier.DocumentID, err error) {
	for _, item := range items {
		if !judge.AsksTogether(item) {
			continue
		}
		whose := item.Whose
		if whose == nil {
			party, err := readParty(ctx, tx, lead)
			if err != nil {
				return nil, err
			}
			whose = &party
		}
		files, _, err := judgedFiles(ctx, tx, item.EntryID)
		if err != nil {
			return nil, err
		}
		anew := judge.Together(item, *whose, files)
		for _, f := range files {
			result, is := anew[f.ID]
			if !is {
				continue
			}
			if err := saveChangedVerdict(ctx, tx, f, item.EntryID, result); err != nil {
				return nil, err
			}
			if result.OverallValid != f.Result.OverallValid || result.NeedsReview() != f.Result.NeedsReview() {
				moved = append(moved, f.ID)
			}
		}
	}
	return moved, nil
}

// saveChangedVerdict stores a verdict that changed because of the other documents of the item. The day of judging stays
// when only the wording changed, not whether the rules are met.
func saveChangedVerdict(ctx context.Context, tx *tx, f dossier.JudgedFile, entry dossier.EntryID,
	result dossier.ValidationResult) error {
	if err := saveVerdict(ctx, tx, f.ID, entry, result); err != nil {
		return err
	}
	same := func(a, b dossier.RuleResult) bool { return a.IsValid == b.IsValid }
	if !slices.EqualFunc(f.Result.Results, result.Results, same) {
		return nil
	}
	_, err := tx.Exec(ctx, `UPDATE document_associations SET judged_at = $4
		WHERE workspace_id = $1 AND document_id = $2 AND entry_id = $3`, tx.ws, f.ID, entry, f.JudgedAt)
	return err
}

// emitValidated emits document.validated for each document, with its present verdicts.
func emitValidated(ctx context.Context, tx *tx, lead leadRef, documents []dossier.DocumentID) error {
	for _, id := range documents {
		d, err := readDocument(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := emitDocument(ctx, tx, dossier.EventDocumentValidated, lead, d); err != nil {
			return err
		}
	}
	return nil
}

// judgedFiles lists the documents of an item that have a verdict, oldest first, and the source of the newest.
func judgedFiles(ctx context.Context, tx *tx,
	entry dossier.EntryID) ([]dossier.JudgedFile, dossier.ValueSource, error) {
	rows, err := tx.Query(ctx, `
		SELECT d.id, d.filename, d.extraction_status, d.extraction_error_code, d.extraction_error_detail, d.extraction,
			d.source,
		       a.parts, a.validation_result, a.judged_at, a.override_valid, a.override_by
		FROM document_associations a JOIN documents d ON d.workspace_id = a.workspace_id AND d.id = a.document_id
		WHERE a.workspace_id = $1 AND a.entry_id = $2 AND d.deleted_at IS NULL
			AND (a.validation_result IS NOT NULL OR a.override_valid IS NOT NULL OR d.extraction_status = 'failed')
		ORDER BY d.created_at, d.id`, tx.ws, entry)
	if err != nil {
		return nil, "", err
	}
	var newest dossier.ValueSource
	files, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (f dossier.JudgedFile, err error) {
		var code, detail, by *string
		var override *bool
		err = row.Scan(&f.ID, &f.Filename, &f.ExtractionStatus, &code, &detail, &f.Extraction, &newest, &f.Parts,
			&f.Result, &f.JudgedAt, &override, &by)
		if code != nil {
			f.ExtractionError = &dossier.ExtractionError{Code: *code, Detail: dossier.Text(detail)}
		}
		if override != nil {
			f.Override = &dossier.Override{Valid: *override, By: dossier.Text(by)}
		}
		return f, err
	})
	return files, newest, err
}

// reasonShown is how much of why a verdict is as it is its summary repeats: of one or two documents all.
const reasonShown = 400

// verdictWords tell a verdict on the timeline.
var verdictWords = map[dossier.ItemStatus]string{dossier.ItemTodo: "not enough yet", dossier.ItemCompleted: "accepted",
	dossier.ItemInvalid: "not accepted",
	dossier.ItemSkipped: "skipped", dossier.ItemNeedsReview: "needs a person's review"}

// setJudgement stores the state of an item when it changed and tells of an item that became COMPLETED or
// INVALID. A skipped item stays skipped until its documents complete it.
func setJudgement(ctx context.Context, tx *tx, lead leadRef, item dossier.FileItem, status dossier.ItemStatus,
	reasons []dossier.Reason, source dossier.ValueSource) error {
	if item.Status == dossier.ItemSkipped && status != dossier.ItemCompleted {
		return nil
	}
	if item.Status == status && dossier.SameReasons(item.Reasons, reasons) {
		return nil
	}
	said := dossier.ReasonsText(dossier.English, reasons)
	told := record.ChecklistItem{ID: item.EntryID, Code: item.Code, Label: item.Label, FieldType: item.FieldType,
		IsRequired: item.IsRequired,
		Status:     status, ValidationError: said, Reasons: dossier.ReasonsOrNone(reasons)}
	err := tx.QueryRow(ctx, `UPDATE checklist_entries SET status = $3, reasons = $4,
		source = coalesce($5, source), auto_skipped = false, updated_at = $6
		WHERE workspace_id = $1 AND id = $2 RETURNING source`, tx.ws, item.EntryID, status, told.Reasons,
		dossier.OrNil(source), tx.now).Scan(&told.Source)
	if err != nil {
		return err
	}
	if status == dossier.ItemNeedsReview || item.Status == dossier.ItemNeedsReview {
		if err := settleItemReviews(ctx, tx, lead, item.EntryID, item.Label, status, reasons); err != nil {
			return err
		}
	}
	if item.Status == status {
		return nil
	}
	if err := sampleItem(ctx, tx, lead, item, status); err != nil {
		return err
	}
	if err := logAutomatic(ctx, tx, lead.LeadID, "CHECKLIST_ITEM_JUDGED",
		summaryWithin(item.Label+" – "+verdictWords[status], dossier.Text(said), reasonShown),
		map[string]any{"code": item.Code, "status": status, "previousStatus": item.Status,
			"reason": said}); err != nil {
		return err
	}
	switch status {
	case dossier.ItemCompleted:
		return emitItem(ctx, tx, dossier.EventItemCompleted, lead, told)
	case dossier.ItemInvalid:
		return emitItem(ctx, tx, dossier.EventItemInvalid, lead, told)
	}
	return nil
}
