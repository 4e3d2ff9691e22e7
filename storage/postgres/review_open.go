package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/record"
)

// reviewKey is what there is one open review of.
type reviewKey struct {
	Code    dossier.ReviewCode
	Subject string
	Part    int
	Pointer string
}

func keyOf(c dossier.ReviewCause) reviewKey {
	key := reviewKey{c.Code, c.Subject.ID, -1, c.Key}
	if c.Subject.Part != nil {
		key.Part, key.Pointer = *c.Subject.Part, dossier.Text(c.Subject.Pointer)
	}
	return key
}

// settleReviews makes the open reviews of some subjects and codes those of their causes: it opens what is missing and
// ends what has no cause any more. A cause that somebody has decided about is not asked again.
func settleReviews(ctx context.Context, tx *tx, lead leadRef, subjects []string, codes []dossier.ReviewCode,
	causes []dossier.ReviewCause) error {
	if len(causes) == 0 {
		endReviews(tx, subjects, codes)
		return nil
	}
	type known struct {
		ID    dossier.ReviewID
		Key   reviewKey
		Mark  string
		State dossier.ReviewState
	}
	all, err := collect(ctx, tx, func(row pgx.CollectableRow) (k known, err error) {
		err = row.Scan(&k.ID, &k.Key.Code, &k.Key.Subject, &k.Key.Part, &k.Key.Pointer, &k.Mark, &k.State)
		return k, err
	}, `SELECT id, code, subject_id::text, part, pointer, mark, state FROM reviews WHERE workspace_id = $1
		AND subject_id = ANY($2::uuid[]) AND code = ANY($3) AND state <> 'OBSOLETE'`, tx.ws, subjects, codes)
	if err != nil {
		return err
	}
	open, decided := map[reviewKey]known{}, map[reviewKey]map[string]bool{}
	for _, k := range all {
		if k.State == dossier.ReviewOpen {
			open[k.Key] = k
			continue
		}
		if decided[k.Key] == nil {
			decided[k.Key] = map[string]bool{}
		}
		decided[k.Key][k.Mark] = true
	}
	var missing []dossier.ReviewCause
	for _, c := range causes {
		key := keyOf(c)
		was, is := open[key]
		switch {
		case is && was.Mark != c.Mark:
			tx.deferExec(`UPDATE reviews SET detail = $3, mark = $4, version = version + 1 WHERE workspace_id = $1
				AND id = $2 AND state = 'OPEN'`, tx.ws, was.ID, c.Detail, c.Mark)
		case !is && !decided[key][c.Mark]:
			missing = append(missing, c)
		}
		delete(open, key)
	}
	var ended []dossier.ReviewID
	for _, k := range open {
		ended = append(ended, k.ID)
	}
	if len(ended) > 0 {
		tx.deferExec(endReview+`AND id = ANY($2::uuid[])`, tx.ws, ended, tx.now)
	}
	return openReviews(ctx, tx, lead, missing)
}

const endReview = `UPDATE reviews SET state = 'OBSOLETE', closed_at = $3, version = version + 1
	WHERE workspace_id = $1 AND state = 'OPEN' `

// endReviews ends the open reviews of some subjects and codes, whose causes are gone.
func endReviews(tx *tx, subjects []string, codes []dossier.ReviewCode) {
	tx.deferExec(endReview+`AND subject_id = ANY($2::uuid[]) AND code = ANY($4)`, tx.ws, subjects, tx.now, codes)
}

// endLeadReviews ends the open reviews of a lead that closes; what the machine completed stays in the sample.
func endLeadReviews(tx *tx, lead dossier.LeadID) {
	tx.deferExec(endReview+`AND lead_id = $2 AND code <> 'qa_sample'`, tx.ws, lead, tx.now)
}

// endAllReviews ends the open reviews of a lead that is deleted.
func endAllReviews(tx *tx, lead dossier.LeadID) {
	tx.deferExec(endReview+`AND lead_id = $2`, tx.ws, lead, tx.now)
}

// opening is what reviews of a lead take from it and its workspace.
type opening struct {
	settings dossier.ReviewSettings
	zone     string
	test     bool
	name     string
	amount   *decimal.Decimal
}

// leadAmount is the value of the item that says how much a lead is about. w is the workspace, l the lead.
const leadAmount = `(SELECT (e.value #>> '{}')::numeric FROM checklist_entries e WHERE e.workspace_id = l.workspace_id
	AND e.lead_id = l.id AND e.code = coalesce(w.review->>'amountItem', '` + dossier.DefaultAmountItem + `')
	AND jsonb_typeof(e.value) = 'number')`

func readOpening(ctx context.Context, tx *tx, lead dossier.LeadID) (o opening, err error) {
	var l dossier.Lead
	var settings reviewJSON
	var amount *string
	err = tx.QueryRow(ctx, `SELECT w.review, w.timezone, l.is_test, l.first_name, l.middle_name, l.last_name,
			l.business_name, l.email, l.phone_number, `+leadAmount+`::text
		FROM leads l JOIN workspaces w ON w.id = l.workspace_id WHERE l.workspace_id = $1 AND l.id = $2`, tx.ws, lead).
		Scan(&settings, &o.zone, &o.test, &l.FirstName, &l.MiddleName, &l.LastName, &l.BusinessName, &l.Email,
			&l.PhoneNumber, &amount)
	if err != nil {
		return o, orMissing(err, "lead")
	}
	if amount != nil {
		value, err := decimal.NewFromString(*amount)
		if err != nil {
			return o, err
		}
		o.amount = &value
	}
	o.settings, o.name = settings.settings().OrDefault(), l.Name()
	return o, nil
}

// openReviews opens a review of each cause and tells of it.
func openReviews(ctx context.Context, tx *tx, lead leadRef, causes []dossier.ReviewCause) error {
	if len(causes) == 0 {
		return nil
	}
	o, err := readOpening(ctx, tx, lead.LeadID)
	if err != nil {
		return err
	}
	due := o.settings.Due(tx.now, dossier.Zone(o.zone))
	for _, c := range causes {
		types := c.DocTypes
		if c.Subject.Type == dossier.SubjectItem && o.settings.AssignsByType() {
			if types, err = servingTypes(ctx, tx, c.Subject.ID); err != nil {
				return err
			}
		}
		r := dossier.Review{ID: newID[dossier.ReviewID](), Code: c.Code, Detail: c.Detail, Subject: c.Subject,
			LeadID: lead.LeadID, LeadName: o.name, ItemLabel: c.ItemLabel, Priority: c.Code.Priority(),
			CreatedAt: tx.now, DueAt: due, State: dossier.ReviewOpen, Version: 1,
			Assignee: dossier.OrNil(o.settings.AssigneeOf(c.Code, types, o.amount))}
		if o.amount != nil {
			text := o.amount.String()
			r.Amount = &text
		}
		if err := insertReview(ctx, tx, lead, r, c, o.test); err != nil {
			return err
		}
	}
	return nil
}

// insertReview keeps a review and tells of it, unless somebody else has opened one of the same cause meanwhile.
func insertReview(ctx context.Context, tx *tx, lead leadRef, r dossier.Review, c dossier.ReviewCause,
	test bool) error {
	key := keyOf(c)
	tag, err := tx.Exec(ctx, `INSERT INTO reviews (workspace_id, id, lead_id, is_test, code, detail, mark,
		subject_type,
			subject_id, part, pointer, item_label, amount, priority, created_at, due_at, assignee)
		VALUES (@workspace, @id, @leadId, @isTest, @code, @detail, @mark, @subjectType, @subjectId, @part, @pointer,
			@itemLabel, @amount::numeric, @priority, @createdAt, @dueAt, @assignee)
		ON CONFLICT (workspace_id, subject_id, code, part, pointer) WHERE state = 'OPEN' DO NOTHING`,
		pgx.NamedArgs{"workspace": tx.ws, "id": r.ID, "leadId": r.LeadID, "isTest": test, "code": r.Code,
			"detail": r.Detail, "mark": c.Mark, "subjectType": r.Subject.Type, "subjectId": r.Subject.ID,
			"part": key.Part, "pointer": key.Pointer, "itemLabel": r.ItemLabel, "amount": r.Amount,
			"priority": r.Priority, "createdAt": r.CreatedAt, "dueAt": r.DueAt, "assignee": dossier.Text(r.Assignee)})
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	return emitReview(ctx, tx, dossier.EventReviewOpened, lead, r)
}

func emitReview(ctx context.Context, tx *tx, event dossier.EventType, lead leadRef, r dossier.Review) error {
	return emit(ctx, tx, event, lead.LeadID, record.ReviewEvent{LeadRef: lead, Review: record.OfReview(r, tx.now)})
}

// servingTypes are the types of the documents that serve an item.
func servingTypes(ctx context.Context, tx *tx, entry string) ([]dossier.DocType, error) {
	return collect(ctx, tx, pgx.RowTo[dossier.DocType], `SELECT DISTINCT p.part->>'docType'
		FROM document_associations a
		JOIN documents d ON d.workspace_id = a.workspace_id AND d.id = a.document_id AND d.deleted_at IS NULL
		CROSS JOIN LATERAL jsonb_array_elements(d.extraction->'documents') WITH ORDINALITY p(part, n)
		WHERE a.workspace_id = $1 AND a.entry_id = $2::uuid
			AND (cardinality(a.parts) = 0 OR p.n - 1 = ANY(a.parts))`, tx.ws, entry)
}

// settleItemReviews follows the state of an item.
func settleItemReviews(ctx context.Context, tx *tx, lead leadRef, id dossier.EntryID, label string,
	status dossier.ItemStatus, reasons []dossier.Reason) error {
	return settleReviews(ctx, tx, lead, []string{string(id)}, dossier.ItemCodes,
		dossier.ItemCauses(id, label, status, reasons))
}

// settleDocumentReviews follows what was read of a document.
func settleDocumentReviews(ctx context.Context, tx *tx, lead leadRef, d dossier.Document) error {
	return settleReviews(ctx, tx, lead, []string{string(d.ID)}, dossier.DocumentCodes, d.ReviewCauses())
}

// openReview opens the one review that a subject has of a code, which is new each time.
func openReview(ctx context.Context, tx *tx, lead leadRef, code dossier.ReviewCode, subject dossier.ReviewSubject,
	detail string) error {
	return openReviews(ctx, tx, lead, []dossier.ReviewCause{{Code: code, Subject: subject, Detail: detail,
		Mark: tx.now.UTC().Format(time.RFC3339Nano)}})
}

// reopenReviews opens again what is still a reason to look at a lead that was closed.
func reopenReviews(ctx context.Context, tx *tx, lead leadRef) error {
	items, err := collect(ctx, tx, pgx.RowToStructByPos[itemState], `SELECT e.id, i.label, e.status, e.reasons
		FROM checklist_entries e JOIN checklist_items i ON i.workspace_id = e.workspace_id AND i.id = e.item_id
		WHERE e.workspace_id = $1 AND e.lead_id = $2 AND e.status = 'NEEDS_REVIEW' ORDER BY e.id`, tx.ws, lead.LeadID)
	if err != nil {
		return err
	}
	for _, i := range items {
		if err := settleItemReviews(ctx, tx, lead, i.ID, i.Label, i.Status, i.Reasons); err != nil {
			return err
		}
	}
	documents, err := collect(ctx, tx, pgx.RowTo[dossier.DocumentID], `SELECT id FROM documents WHERE workspace_id = $1
		AND lead_id = $2 AND deleted_at IS NULL AND extraction_status IN ('completed', 'failed') ORDER BY id`,
		tx.ws, lead.LeadID)
	if err != nil {
		return err
	}
	for _, id := range documents {
		d, err := readDocument(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := settleDocumentReviews(ctx, tx, lead, d); err != nil {
			return err
		}
	}
	return reopenOthers(ctx, tx, lead)
}

// reopenOthers is reopenReviews for escalations and the approval of spreads.
func reopenOthers(ctx context.Context, tx *tx, lead leadRef) error {
	open, err := collect(ctx, tx, pgx.RowToStructByName[dossier.Escalation], `SELECT `+escalationColumns+`
		FROM escalations e WHERE e.workspace_id = $1 AND e.lead_id = $2 AND e.status = 'OPEN' ORDER BY e.id`,
		tx.ws, lead.LeadID)
	if err != nil {
		return err
	}
	for _, e := range open {
		if err := reviewEscalation(ctx, tx, lead, e); err != nil {
			return err
		}
	}
	spreads, err := collect(ctx, tx, pgx.RowTo[dossier.SpreadID], `SELECT id FROM spreads WHERE workspace_id = $1
		AND lead_id = $2 AND approval_state = 'SUBMITTED' ORDER BY id`, tx.ws, lead.LeadID)
	for _, id := range spreads {
		if err := reviewSubmission(ctx, tx, lead, id); err != nil {
			return err
		}
	}
	return err
}

func reviewEscalation(ctx context.Context, tx *tx, lead leadRef, e dossier.Escalation) error {
	return openReview(ctx, tx, lead, dossier.ReviewEscalation,
		dossier.ReviewSubject{Type: dossier.SubjectEscalation, ID: string(e.ID)}, e.Reason)
}

func reviewSubmission(ctx context.Context, tx *tx, lead leadRef, id dossier.SpreadID) error {
	return openReview(ctx, tx, lead, dossier.ReviewSpreadApproval,
		dossier.ReviewSubject{Type: dossier.SubjectSpread, ID: string(id)},
		"The figures of a spread were submitted for approval.")
}

func endSubmission(tx *tx, id dossier.SpreadID) {
	endReviews(tx, []string{string(id)}, []dossier.ReviewCode{dossier.ReviewSpreadApproval})
}

func reviewDraft(ctx context.Context, tx *tx, lead leadRef, m dossier.Message) error {
	return openReview(ctx, tx, lead, dossier.ReviewDraft,
		dossier.ReviewSubject{Type: dossier.SubjectMessage, ID: string(m.ID)},
		"A message ("+m.Channel+") waits for approval.")
}

// endDrafts ends the reviews of messages that are drafts no longer.
func endDrafts(tx *tx, messages ...dossier.Message) {
	if len(messages) == 0 {
		return
	}
	ids := make([]string, len(messages))
	for i, m := range messages {
		ids[i] = string(m.ID)
	}
	endReviews(tx, ids, []dossier.ReviewCode{dossier.ReviewDraft})
}

// reviewJSON is dossier.ReviewSettings as it is kept, but for what needs four eyes.
type reviewJSON struct {
	DueIn       time.Duration    `json:"dueIn,omitempty"`
	Sample      float64          `json:"sample,omitempty"`
	ReasonCodes []string         `json:"reasonCodes,omitempty"`
	AmountItem  string           `json:"amountItem,omitempty"`
	Assign      []assignRuleJSON `json:"assign,omitempty"`
}

type assignRuleJSON struct {
	DocType       dossier.DocType    `json:"docType,omitempty"`
	Code          dossier.ReviewCode `json:"code,omitempty"`
	AmountAtLeast *decimal.Decimal   `json:"amountAtLeast,omitempty"`
	To            string             `json:"to"`
}

func (r reviewJSON) settings() dossier.ReviewSettings {
	s := dossier.ReviewSettings{DueIn: r.DueIn, Sample: r.Sample, ReasonCodes: r.ReasonCodes, AmountItem: r.AmountItem}
	for _, rule := range r.Assign {
		s.Assign = append(s.Assign, dossier.AssignRule(rule))
	}
	return s
}

func reviewJSONOf(s dossier.ReviewSettings) json.RawMessage {
	kept := reviewJSON{DueIn: s.DueIn, Sample: s.Sample, ReasonCodes: s.ReasonCodes, AmountItem: s.AmountItem}
	for _, rule := range s.Assign {
		kept.Assign = append(kept.Assign, assignRuleJSON(rule))
	}
	return mustJSON(kept)
}
