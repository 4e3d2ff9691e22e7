package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// storedReview is a review as it is kept: who claimed it is an address or key:<id>.
type storedReview struct {
	dossier.Review
	claimedBy string
	test      bool
}

// reviewColumns are those of scanReview. r is the table, l its lead.
const reviewColumns = `r.id, r.code, r.detail, r.subject_type, r.subject_id, r.part, r.pointer, r.lead_id,
	l.first_name, l.middle_name, l.last_name, l.business_name, l.email, l.phone_number,
	r.item_label, r.amount::text, r.priority, r.created_at, r.due_at, r.state, r.assignee, r.claimed_by, r.claimed_name,
	r.claimed_until, r.decision, r.decided_by, r.decided_at, r.reason_code, r.note, r.version, r.is_test`

// selectReview hides reviews of deleted leads, but for those of their erasure.
const selectReview = `SELECT ` + reviewColumns + ` FROM reviews r
	JOIN leads l ON l.workspace_id = r.workspace_id AND l.id = r.lead_id AND ` + livingReview + `
	WHERE r.workspace_id = $1`

// livingReview is true of reviews that are there: of a deleted lead only whether it may be erased.
const livingReview = `(l.deleted_at IS NULL OR r.code = 'second_opinion')`

func scanReview(row pgx.CollectableRow) (storedReview, error) {
	var r storedReview
	var part int
	var pointer, assignee string
	var name dossier.Lead
	var claimedBy, claimedName, decision, decidedBy *string
	var until, decidedAt *time.Time
	var d dossier.ReviewDecision
	err := row.Scan(&r.ID, &r.Code, &r.Detail, &r.Subject.Type, &r.Subject.ID, &part, &pointer, &r.LeadID,
		&name.FirstName, &name.MiddleName, &name.LastName, &name.BusinessName, &name.Email, &name.PhoneNumber,
		&r.ItemLabel, &r.Amount, &r.Priority, &r.CreatedAt, &r.DueAt, &r.State, &assignee, &claimedBy, &claimedName,
		&until, &decision, &decidedBy, &decidedAt, &d.ReasonCode, &d.Note, &r.Version, &r.test)
	r.LeadName, r.Assignee = name.Name(), dossier.OrNil(assignee)
	if r.Subject.Type == dossier.SubjectFact {
		r.Subject.Part, r.Subject.Pointer = &part, &pointer
	}
	if until != nil {
		r.Claim = &dossier.ReviewClaim{By: dossier.Text(claimedName), Until: *until}
		r.claimedBy = dossier.Text(claimedBy)
	}
	if decision != nil {
		d.By, d.Decision = dossier.Text(decidedBy), dossier.ReviewDecided(*decision)
		if decidedAt != nil {
			d.At = *decidedAt
		}
		r.Decision = &d
	}
	return r, err
}

// ReadReview returns a review. Error: NotFound, also when its lead is deleted.
func (db *DB) ReadReview(ctx context.Context, ws dossier.WorkspaceID, id dossier.ReviewID) (dossier.Review, error) {
	r, err := readOne(ctx, db, ws, "read review", "review", scanReview, selectReview+` AND r.id = $2`, ws, id)
	return r.Review, err
}

// readReview reads a review; lock is how its row is held, or empty.
func readReview(ctx context.Context, tx *tx, id dossier.ReviewID, lock string) (storedReview, error) {
	return oneOf(ctx, tx, "review", scanReview, selectReview+` AND r.id = $2 `+lock, tx.ws, id)
}

const lockReview = "FOR UPDATE OF r"

// ReviewFilter says which reviews a list keeps; zero fields keep all.
type ReviewFilter struct {
	State    dossier.ReviewState // empty: OPEN
	Codes    []dossier.ReviewCode
	Assignee string // an address or a group; me: the caller and its groups
	LeadID   dossier.LeadID
	Q        string // part of a lead's name, email, phone number or external id
	Sort     dossier.ReviewSort
	Mode     dossier.Mode
}

// ReviewCounts are about all open reviews of the workspace, whatever a list keeps.
type ReviewCounts struct {
	Open    int
	Mine    int // assigned to the caller or its groups, or claimed by it
	Overdue int
	ByCode  map[dossier.ReviewCode]int
}

// Reviews returns a page of the queue, and what is open in all. Error: NotFound (lead).
func (db *DB) Reviews(ctx context.Context, ws dossier.WorkspaceID, f ReviewFilter,
	page dossier.Page) ([]dossier.Review, ReviewCounts, error) {
	type listed struct {
		reviews []dossier.Review
		counts  ReviewCounts
	}
	out, err := snapshotByIndex(ctx, db, ws, "list reviews", func(tx *tx) (out listed, err error) {
		if f.LeadID != "" {
			if err := requireLead(ctx, tx, f.LeadID); err != nil {
				return out, err
			}
		}
		rows, err := f.list(ctx, tx, page)
		if err != nil {
			return out, err
		}
		for _, r := range rows {
			out.reviews = append(out.reviews, r.Review)
		}
		out.counts, err = db.countReviews(ctx, tx, f.Mode)
		return out, err
	})
	return out.reviews, out.counts, err
}

// reviewOrders are the queue's orders with what comes after the review whose id is the argument.
var reviewOrders = map[dossier.ReviewSort]struct{ order, after string }{
	dossier.SortDue: {"r.due_at, r.id",
		"(r.due_at, r.id) > (SELECT due_at, id FROM reviews WHERE workspace_id = ? AND id = ?::uuid)"},
	dossier.SortAge: {"r.created_at, r.id",
		"(r.created_at, r.id) > (SELECT created_at, id FROM reviews WHERE workspace_id = ? AND id = ?::uuid)"},
	dossier.SortAmount: {"coalesce(r.amount, -1) DESC, r.id", `EXISTS (SELECT FROM reviews o WHERE o.workspace_id = ?
		AND o.id = ?::uuid AND (coalesce(r.amount, -1) < coalesce(o.amount, -1)
			OR coalesce(r.amount, -1) = coalesce(o.amount, -1) AND r.id > o.id))`},
}

func (f ReviewFilter) list(ctx context.Context, tx *tx, page dossier.Page) ([]storedReview, error) {
	if f.State == "" {
		f.State = dossier.ReviewOpen
	}
	if f.Sort == "" {
		f.Sort = dossier.SortDue
	}
	q := psql.Select(reviewColumns).From("reviews r").
		Join("leads l ON l.workspace_id = r.workspace_id AND l.id = r.lead_id AND "+livingReview).
		Where("r.workspace_id = ?", tx.ws)
	if f.State == dossier.ReviewOpen {
		q = q.Where("r.state = 'OPEN'") // in words: a plan that is kept may then use the indexes of open reviews
	} else {
		q = q.Where("r.state = ?", f.State)
	}
	switch f.Mode {
	case dossier.ModeLive:
		q = q.Where("NOT r.is_test")
	case dossier.ModeTest:
		q = q.Where("r.is_test")
	}
	if len(f.Codes) == 1 {
		q = q.Where("r.code = ?", f.Codes[0]) // an index has its reviews in the order in which they are due
	} else if len(f.Codes) > 0 {
		q = q.Where("r.code = ANY(?)", f.Codes)
	}
	if f.Assignee == "me" {
		q = q.Where("r.assignee = ANY(?)", assigneeNames(ctx))
	} else if f.Assignee != "" {
		q = q.Where("r.assignee = ?", dossier.FoldAssignee(f.Assignee))
	}
	if f.LeadID != "" {
		q = q.Where("r.lead_id = ?", f.LeadID)
	}
	if f.Q != "" {
		look, err := LeadFilter{Q: f.Q}.lookUp(ctx, tx)
		if err != nil {
			return nil, err
		}
		if look.hits != nil {
			q = q.Where("r.lead_id = ANY(?)", look.hits)
		} else {
			q = q.Where("l.search LIKE ?", LeadFilter{Q: f.Q}.pattern())
		}
	}
	order := reviewOrders[f.Sort]
	if page.After != nil {
		q = q.Where(order.after, tx.ws, page.After.ID)
	}
	sql, args, err := q.OrderBy(order.order).Limit(uint64(page.Limit) + 1).ToSql()
	if err != nil {
		return nil, err
	}
	return collect(ctx, tx, scanReview, sql, args...)
}

// testFlags returns the values of is_test that a mode includes.
func testFlags(mode dossier.Mode) []bool {
	switch mode {
	case dossier.ModeLive:
		return []bool{false}
	case dossier.ModeTest:
		return []bool{true}
	}
	return []bool{false, true}
}

// assigneeNames returns the names by which a review can be assigned to the caller: its own and those of its groups.
func assigneeNames(ctx context.Context) []string {
	_, shown := reviewer(ctx)
	return append([]string{shown}, actorOf(ctx).Groups...)
}
