package postgres

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// MatchInput is what matching one document needs.
type MatchInput struct {
	LeadID dossier.LeadID
	File   dossier.ReadFile
	Items  []dossier.FileItem // of the lead, in checklist order
	Party  dossier.Party
	Named  []dossier.EntryID // items the sender named for this file
}

// MatchInput reads what matching one document needs. Error: NotFound, when it was deleted.
func (db *DB) MatchInput(ctx context.Context, ws dossier.WorkspaceID, id dossier.DocumentID) (MatchInput, error) {
	return snapshot(ctx, db, ws, "match input", func(tx *tx) (MatchInput, error) { return matchInput(ctx, tx, id) })
}

func matchInput(ctx context.Context, tx *tx, id dossier.DocumentID) (in MatchInput, err error) {
	d, err := readDocument(ctx, tx, id)
	if err != nil {
		return in, err
	}
	in.LeadID, in.File = d.LeadID, readFile(d)
	for _, a := range d.Associations {
		if a.Requested {
			in.Named = append(in.Named, a.EntryID)
		}
	}
	if in.Items, err = fileItems(ctx, tx, d.LeadID); err != nil {
		return in, err
	}
	if in.Items, err = itemsOfPage(ctx, tx, d, in.Items, in.Named); err != nil {
		return in, err
	}
	in.Party, err = readParty(ctx, tx, d.LeadID)
	return in, err
}

// itemsOfPage leaves, of a file that came through a page, the items of that page and those that somebody put it on: who
// sends something to one page does not answer what another is asked for. A party that is no more has no page.
func itemsOfPage(ctx context.Context, tx *tx, d dossier.Document, items []dossier.FileItem,
	named []dossier.EntryID) ([]dossier.FileItem, error) {
	anybodys := true
	for _, item := range items {
		anybodys = anybodys && item.PartyID == nil
	}
	if d.Source != dossier.SourcePortal || anybodys && d.PagePartyID == nil {
		return items, nil
	}
	primary, err := primaryParty(ctx, tx, d.LeadID)
	return slices.DeleteFunc(items, func(item dossier.FileItem) bool {
		on := dossier.ChecklistItem{PartyID: item.PartyID}.OnPage(dossier.Text(d.PagePartyID), primary)
		return !on && !slices.Contains(named, item.EntryID)
	}), err
}

func readFile(d dossier.Document) dossier.ReadFile {
	return dossier.ReadFile{ID: d.ID, ObjectKey: d.ObjectKey, Filename: d.Filename,
		ExtractionStatus: d.ExtractionStatus, ExtractionError: d.ExtractionError,
		Extraction: d.Extraction, RequestedEntryID: d.RequestedEntryID}
}

// fileItems lists the items of a lead that take files, in checklist order.
func fileItems(ctx context.Context, tx *tx, lead dossier.LeadID) ([]dossier.FileItem, error) {
	rows, err := tx.Query(ctx, `
		SELECT e.id, i.code, i.label, i.field_type, i.is_required, i.config, i.validation_rules,
			coalesce(i.agent_instructions, ''), e.status, e.reasons, i.party_id, coalesce(p.name, ''),
			coalesce(p.kind, ''), p.is_primary IS FALSE
		FROM checklist_entries e
		JOIN checklist_items i ON i.workspace_id = e.workspace_id AND i.id = e.item_id
		LEFT JOIN checklist_groups g ON g.workspace_id = i.workspace_id AND g.id = i.group_id
		LEFT JOIN parties p ON p.workspace_id = i.workspace_id AND p.id = i.party_id
		WHERE e.workspace_id = $1 AND e.lead_id = $2 AND i.field_type IN ('BANK_STATEMENT', 'FILE', 'ID', 'TAX_RETURN')
		ORDER BY g.position NULLS LAST, i.position, i.id`, tx.ws, lead)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (item dossier.FileItem, err error) {
		var config json.RawMessage
		var whose dossier.LeadParty
		var other bool // than the primary one
		err = row.Scan(&item.EntryID, &item.Code, &item.Label, &item.FieldType, &item.IsRequired, &config, &item.Rules,
			&item.AgentInstructions, &item.Status, &item.Reasons, &item.PartyID, &whose.Name, &whose.Kind, &other)
		if other {
			compared := whose.Compared()
			item.Whose = &compared
		}
		// The config was checked when it was stored; a fault here would be ours, and an empty config only asks for
		// less.
		item.Config, _ = dossier.ParseItemConfig(item.FieldType, config, "/config")
		return item, err
	})
}

// readParty reads who the lead's documents are compared with: its record and what its checklist says.
func readParty(ctx context.Context, tx *tx, lead dossier.LeadID) (dossier.Party, error) {
	var first, middle, last, business, email *string
	err := tx.QueryRow(ctx, `SELECT first_name, middle_name, last_name, business_name, email FROM leads
		WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL`,
		tx.ws, lead).Scan(&first, &middle, &last, &business, &email)
	if err != nil {
		return dossier.Party{}, orMissing(err, "lead")
	}
	party := dossier.Party{Email: dossier.Text(email)}
	if first != nil || last != nil {
		party.People = []dossier.PersonName{
			{First: dossier.Text(first), Middle: dossier.Text(middle), Last: dossier.Text(last)}}
	}
	if business != nil {
		party.Businesses = []string{*business}
	}
	rows, err := tx.Query(ctx, `SELECT i.code, i.label, i.field_type, e.value FROM checklist_entries e
		JOIN checklist_items i ON i.workspace_id = e.workspace_id AND i.id = e.item_id
		WHERE e.workspace_id = $1 AND e.lead_id = $2 AND e.value IS NOT NULL
			AND i.field_type IN ('TEXT', 'ADDRESS', 'EIN')`, tx.ws, lead)
	if err != nil {
		return party, err
	}
	answers, err := pgx.CollectRows(rows, pgx.RowToStructByPos[dossier.Answer])
	for _, a := range answers {
		party.Add(a)
	}
	return party, err
}

// SaveMatches replaces what the matcher said about one document, keeping items that the sender named or a
// person decided about, and stages the validation. Errors: ErrFenced, NotFound.
func (db *DB) SaveMatches(ctx context.Context, claim Claim, lead dossier.LeadID, id dossier.DocumentID,
	matches []dossier.FileMatch) error {
	_, err := transact(ctx, db, claim.Workspace, "save matches", func(tx *tx) (none, error) {
		if _, err := lockLeadRef(ctx, tx, lead); err != nil {
			return none{}, err
		}
		if err := writeMatches(ctx, tx, lead, id, matches); err != nil {
			return none{}, err
		}
		if _, err := enqueue(ctx, tx, jobs.ValidateDocument{Workspace: tx.ws, Document: id},
			staging{subject: string(id)}); err != nil {
			return none{}, err
		}
		return none{}, finishJob(ctx, tx, claim, "document:"+string(id))
	})
	return err
}

// refusedEntries are the items that a person took a document away from.
func refusedEntries(ctx context.Context, tx *tx, id dossier.DocumentID) (refused []dossier.EntryID, err error) {
	err = tx.QueryRow(ctx, `SELECT refused_entries FROM documents WHERE workspace_id = $1 AND id = $2`, tx.ws,
		id).Scan(&refused)
	return refused, orMissing(err, "document")
}

func writeMatches(ctx context.Context, tx *tx, lead dossier.LeadID, id dossier.DocumentID,
	matches []dossier.FileMatch) error {
	refused, err := refusedEntries(ctx, tx, id)
	if err != nil {
		return err
	}
	entries := []dossier.EntryID{}
	for _, m := range matches {
		if slices.Contains(refused, m.EntryID) {
			continue
		}
		entries = append(entries, m.EntryID)
		_, err := tx.Exec(ctx, `
			INSERT INTO document_associations (workspace_id, id, lead_id, document_id, entry_id, score, reason,
				parts, created_at, updated_at)
			VALUES (@workspace, @id, @leadId, @documentId, @entryId, @score, @reason, @parts, @now, @now)
			ON CONFLICT (workspace_id, document_id, entry_id) DO UPDATE SET score = excluded.score,
				reason = excluded.reason,
				parts = excluded.parts, updated_at = excluded.updated_at`,
			pgx.NamedArgs{"workspace": tx.ws, "id": newID[dossier.AssociationID](), "leadId": lead, "documentId": id,
				"entryId": m.EntryID, "score": float32(m.Score), "reason": m.Reason, "parts": nonNil(m.Parts),
				"now": tx.now})
		if err != nil {
			return err
		}
	}
	return dropMatches(ctx, tx, lead, id, entries)
}

// dropMatches removes what the matcher no longer says. An item that loses a document is judged again.
func dropMatches(ctx context.Context, tx *tx, lead dossier.LeadID, id dossier.DocumentID,
	keep []dossier.EntryID) error {
	lost, err := collect(ctx, tx, pgx.RowTo[dossier.EntryID], `DELETE FROM document_associations
		WHERE workspace_id = $1 AND document_id = $2 AND NOT requested AND override_valid IS NULL
			AND NOT (entry_id = ANY($3))
		RETURNING entry_id`, tx.ws, id, keep)
	if err != nil || len(lost) == 0 {
		return err
	}
	_, err = enqueue(ctx, tx, jobs.JudgeLead{Workspace: tx.ws, Lead: lead, Lost: lost}, staging{subject: string(lead)})
	return err
}

// ValidateInput is what validating one document needs.
type ValidateInput struct {
	LeadID dossier.LeadID
	Zone   string // the lead's, else the workspace's: it decides what day it is
	File   dossier.ReadFile
	Items  []ServedItem // those the document serves
	Party  dossier.Party
	// Reading is what the workspace lets a language model read.
	Reading dossier.ReadingSettings
}

// ServedItem is an item that a document serves: with which of its documents, and what else serves it.
type ServedItem struct {
	dossier.FileItem
	Parts  []int
	Others []dossier.JudgedFile      // the item's other documents
	Last   *dossier.ValidationResult // the verdict so far on this document; nil: none yet
}

// ValidateInput reads what validating one document needs. Error: NotFound, when it was deleted.
func (db *DB) ValidateInput(ctx context.Context, ws dossier.WorkspaceID, id dossier.DocumentID) (ValidateInput, error) {
	return snapshot(ctx, db, ws, "validate input", func(tx *tx) (ValidateInput, error) {
		return validateInput(ctx, tx, id)
	})
}

func validateInput(ctx context.Context, tx *tx, id dossier.DocumentID) (in ValidateInput, err error) {
	d, err := readDocument(ctx, tx, id)
	if err != nil {
		return in, err
	}
	in.LeadID, in.File = d.LeadID, readFile(d)
	all, err := fileItems(ctx, tx, d.LeadID)
	if err != nil {
		return in, err
	}
	if in.Items, err = servedItems(ctx, tx, d, all); err != nil {
		return in, err
	}
	if in.Zone, err = leadZone(ctx, tx, d.LeadID); err != nil {
		return in, err
	}
	if in.Reading, err = readReading(ctx, tx); err != nil {
		return in, err
	}
	in.Party, err = readParty(ctx, tx, d.LeadID)
	return in, err
}

func servedItems(ctx context.Context, tx *tx, d dossier.Document, all []dossier.FileItem) ([]ServedItem, error) {
	serves := map[dossier.EntryID]dossier.Association{}
	for _, a := range d.Associations {
		serves[a.EntryID] = a
	}
	var served []ServedItem
	for _, item := range all {
		a, ok := serves[item.EntryID]
		if !ok {
			continue
		}
		files, _, err := judgedFiles(ctx, tx, item.EntryID)
		if err != nil {
			return nil, err
		}
		others := slices.DeleteFunc(files, func(f dossier.JudgedFile) bool { return f.ID == d.ID })
		served = append(served, ServedItem{item, a.Parts, others, a.Result})
	}
	return served, nil
}

// LeadZone returns the IANA zone in which a lead's days begin. Error: NotFound.
func (db *DB) LeadZone(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID) (string, error) {
	return snapshot(ctx, db, ws, "lead zone", func(tx *tx) (string, error) { return leadZone(ctx, tx, lead) })
}

func leadZone(ctx context.Context, tx *tx, lead dossier.LeadID) (zone string, err error) {
	err = tx.QueryRow(ctx, `SELECT coalesce(l.timezone, w.timezone) FROM leads l
		JOIN workspaces w ON w.id = l.workspace_id
		WHERE l.workspace_id = $1 AND l.id = $2 AND l.deleted_at IS NULL`, tx.ws, lead).Scan(&zone)
	return zone, orMissing(err, "lead")
}

// SaveValidation stores the verdicts on one document (one for each item in results), judges those items under the
// lead's lock, finds whose it is, tells of it, and stages what comes next. Errors: ErrFenced, NotFound; Unavailable,
// when a model filled facts in since the verdicts were made.
func (db *DB) SaveValidation(ctx context.Context, claim Claim, lead dossier.LeadID, v Validated) error {
	_, err := transact(ctx, db, claim.Workspace, "save validation", func(tx *tx) (none, error) {
		ref, err := lockLeadRef(ctx, tx, lead)
		if err != nil {
			return none{}, err
		}
		if err := writeVerdicts(ctx, tx, v.Document, v.Results); err != nil {
			return none{}, err
		}
		d, err := readDocument(ctx, tx, v.Document)
		if err != nil {
			return none{}, err
		}
		if readByModel(d.Extraction) != readByModel(v.On) {
			return none{}, dossier.Errorf(dossier.Unavailable, "The document was read further meanwhile")
		}
		if err := settleVerdicts(ctx, tx, ref, d, v, d.ExtractionStatus == dossier.ExtractionCompleted); err != nil {
			return none{}, err
		}
		for _, next := range v.Next {
			if _, err := enqueue(ctx, tx, next, staging{subject: string(v.Document)}); err != nil {
				return none{}, err
			}
		}
		return none{}, finishJob(ctx, tx, claim, "document:"+string(v.Document))
	})
	return err
}

// Validated are the verdicts on one document with the rules that follow from them.
type Validated struct {
	Document dossier.DocumentID
	On       *dossier.Extraction // what was judged
	Results  map[dossier.EntryID]dossier.ValidationResult
	Judge    dossier.Judge
	Relate   dossier.Relations
	Next     []jobs.Job
}

func readByModel(e *dossier.Extraction) bool { return e != nil && e.Model != nil }

func writeVerdicts(ctx context.Context, tx *tx, id dossier.DocumentID,
	results map[dossier.EntryID]dossier.ValidationResult) error {
	for entry, result := range results {
		if err := saveVerdict(ctx, tx, id, entry, result); err != nil {
			return err
		}
	}
	return nil
}

// settleVerdicts judges the items that a document serves, whose verdicts are written, and tells of it.
func settleVerdicts(ctx context.Context, tx *tx, ref leadRef, d dossier.Document, v Validated, tell bool) error {
	told := []dossier.DocumentID{}
	if tell {
		told = append(told, d.ID)
	}
	if err := judgeItems(ctx, tx, ref, servedEntries(d), v.Judge, told...); err != nil {
		return err
	}
	if err := planRefusalTurn(ctx, tx, ref, servedEntries(d)); err != nil {
		return err
	}
	return findRelations(ctx, tx, ref.LeadID, d.ID, v.Relate)
}

func servedEntries(d dossier.Document) []dossier.EntryID {
	var entries []dossier.EntryID
	for _, a := range d.Associations {
		entries = append(entries, a.EntryID)
	}
	return entries
}

// JudgeLead judges all file items of a lead that have documents or had one, lost ones too; relate, when not nil, says
// anew whose its documents are and who owns whom. Errors: ErrFenced, NotFound.
func (db *DB) JudgeLead(ctx context.Context, claim Claim, lead dossier.LeadID, lost []dossier.EntryID,
	judge dossier.Judge, relate *dossier.Relations) error {
	_, err := transact(ctx, db, claim.Workspace, "judge lead", func(tx *tx) (none, error) {
		ref, err := lockLeadRef(ctx, tx, lead)
		if err != nil {
			return none{}, err
		}
		rows, err := tx.Query(ctx, `SELECT DISTINCT entry_id FROM document_associations
			WHERE workspace_id = $1 AND lead_id = $2`, tx.ws, lead)
		if err != nil {
			return none{}, err
		}
		entries, err := pgx.CollectRows(rows, pgx.RowTo[dossier.EntryID])
		if err != nil {
			return none{}, err
		}
		if err := judgeItems(ctx, tx, ref, append(entries, lost...), judge); err != nil {
			return none{}, err
		}
		if relate != nil {
			if err := findRelations(ctx, tx, lead, "", *relate); err != nil {
				return none{}, err
			}
		}
		return none{}, finishJob(ctx, tx, claim, "lead:"+string(lead))
	})
	return err
}

// nonNil returns an empty list for a nil one, which would be stored as NULL.
func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
