package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// candidatesEach is how many of each code and assignee NextReview looks at: those that others are about to claim are
// passed over.
const candidatesEach = 20

// NextReview claims the most urgent review for the caller that nobody has claimed and that is not assigned to somebody
// else; codes, when not empty, keep only theirs. It never gives one to two callers. Error: NotFound, when there is
// none.
func (db *DB) NextReview(ctx context.Context, ws dossier.WorkspaceID, codes []dossier.ReviewCode,
	mode dossier.Mode) (dossier.Review, error) {
	if len(codes) == 0 {
		codes = dossier.ReviewCodes
	}
	r, err := transact(ctx, db, ws, "next review", func(tx *tx) (dossier.Review, error) {
		for {
			ids, err := nextReviews(ctx, tx, codes, mode)
			if err != nil {
				return dossier.Review{}, err
			}
			if len(ids) == 0 {
				return dossier.Review{}, missing("review")
			}
			free, err := collect(ctx, tx, pgx.RowTo[dossier.ReviewID], `SELECT id FROM reviews WHERE workspace_id = $1
				AND id = ANY($2::uuid[]) AND state = 'OPEN' AND (claimed_until IS NULL OR claimed_until <= $3)
				ORDER BY array_position($2::uuid[], id) LIMIT 1 FOR UPDATE SKIP LOCKED`, tx.ws, ids, tx.now)
			if err != nil {
				return dossier.Review{}, err
			}
			if len(free) == 1 {
				r, err := readReview(ctx, tx, free[0], "")
				if err != nil {
					return dossier.Review{}, err
				}
				return r.Review, claim(ctx, tx, &r.Review)
			}
			// Others were faster with all of these: wait for the first of them, then look again.
			if _, err := readReview(ctx, tx, ids[0], lockReview); err != nil &&
				dossier.KindOf(err) != dossier.NotFound {
				return dossier.Review{}, err
			}
		}
	})
	return r, err
}

// nextReviews are the most urgent ones that the caller may claim, the most urgent first.
func nextReviews(ctx context.Context, tx *tx, codes []dossier.ReviewCode,
	mode dossier.Mode) ([]dossier.ReviewID, error) {
	who, _ := reviewer(ctx)
	return collect(ctx, tx, pgx.RowTo[dossier.ReviewID], `SELECT r.id FROM unnest(@codes::text[]) c(code)
		CROSS JOIN unnest(@assignees::text[]) a(assignee) CROSS JOIN LATERAL (
			SELECT id, priority, due_at, created_at FROM reviews r WHERE workspace_id = @workspace AND state = 'OPEN'
				AND code = c.code AND assignee = a.assignee AND is_test = ANY(@isTest)
				AND (claimed_until IS NULL OR claimed_until <= @now)
				AND (code <> 'second_opinion' OR @asker LIKE '%@%' AND asker <> @asker)
				AND EXISTS (SELECT FROM leads l WHERE l.workspace_id = @workspace AND l.id = r.lead_id
					AND `+livingReview+`)
			ORDER BY due_at, created_at, id LIMIT @limit) r
		ORDER BY r.priority, r.due_at, r.created_at, r.id LIMIT @limit`,
		pgx.NamedArgs{"workspace": tx.ws, "codes": codes, "assignees": append([]string{""}, assigneeNames(ctx)...),
			"isTest": testFlags(mode), "now": tx.now, "limit": candidatesEach, "asker": who})
}

// claim gives a review, which the caller holds the row of, to who acts.
func claim(ctx context.Context, tx *tx, r *dossier.Review) error {
	who, shown := reviewer(ctx)
	r.Claim = &dossier.ReviewClaim{By: shown, Until: tx.now.Add(dossier.ReviewLease)}
	_, err := tx.Exec(ctx, `UPDATE reviews SET claimed_by = $3, claimed_name = $4, claimed_until = $5
		WHERE workspace_id = $1 AND id = $2`, tx.ws, r.ID, who, shown, r.Claim.Until)
	return err
}

// heldBy says who has a claim that has not ended: the caller, somebody else, or nobody.
func (r storedReview) heldBy(ctx context.Context, tx *tx) (own, other bool) {
	if r.Claim == nil || !r.Claim.Until.After(tx.now) {
		return false, false
	}
	who, _ := reviewer(ctx)
	return r.claimedBy == who, r.claimedBy != who
}

// withReview does something to a review whose row it holds.
func withReview(ctx context.Context, db *DB, ws dossier.WorkspaceID, op string, id dossier.ReviewID,
	do func(tx *tx, r *storedReview) error) (dossier.Review, error) {
	return transact(ctx, db, ws, op, func(tx *tx) (dossier.Review, error) {
		r, err := readReview(ctx, tx, id, lockReview)
		if err == nil {
			err = do(tx, &r)
		}
		return r.Review, err
	})
}

// ClaimReview gives the caller an open review for a time; one's own claim is extended. takeOver takes it from somebody
// else, with a note that goes to the lead's timeline. Errors: NotFound; Conflict review_claimed, review_moved.
func (db *DB) ClaimReview(ctx context.Context, ws dossier.WorkspaceID, id dossier.ReviewID, takeOver bool,
	note string) (dossier.Review, error) {
	note = dossier.MaskSecrets(note)
	return withReview(ctx, db, ws, "claim review", id, func(tx *tx, r *storedReview) error {
		if r.State != dossier.ReviewOpen {
			return dossier.ReviewMoved(r.Review)
		}
		if _, other := r.heldBy(ctx, tx); other {
			if !takeOver {
				return dossier.ClaimedBy(*r.Claim)
			}
			if err := logAutomatic(ctx, tx, r.LeadID, "REVIEW", "A review was taken over: "+note,
				map[string]any{"reviewId": r.ID, "from": r.Claim.By}); err != nil {
				return err
			}
			audit(ctx, tx, dossier.AuditReviewTakeOver, "review:"+string(r.ID),
				map[string]any{"leadId": r.LeadID, "code": r.Code})
		}
		return claim(ctx, tx, &r.Review)
	})
}

// RenewReview extends the caller's own claim. Errors: NotFound; Conflict review_claimed, review_not_claimed,
// review_moved.
func (db *DB) RenewReview(ctx context.Context, ws dossier.WorkspaceID, id dossier.ReviewID) (dossier.Review, error) {
	return withReview(ctx, db, ws, "renew review", id, func(tx *tx, r *storedReview) error {
		if err := r.requireClaim(ctx, tx); err != nil {
			return err
		}
		return claim(ctx, tx, &r.Review)
	})
}

// requireClaim refuses whoever has not claimed the review while it is open.
func (r storedReview) requireClaim(ctx context.Context, tx *tx) error {
	own, other := r.heldBy(ctx, tx)
	switch {
	case r.State != dossier.ReviewOpen:
		return dossier.ReviewMoved(r.Review)
	case other:
		return dossier.ClaimedBy(*r.Claim)
	case !own:
		return dossier.Coded(dossier.Conflict, "review_not_claimed", "Claim this review first")
	}
	return nil
}

// ReleaseReview gives a claim back. Without one it changes nothing. Errors: NotFound; Conflict review_claimed.
func (db *DB) ReleaseReview(ctx context.Context, ws dossier.WorkspaceID, id dossier.ReviewID) (dossier.Review, error) {
	return withReview(ctx, db, ws, "release review", id, func(tx *tx, r *storedReview) error {
		own, other := r.heldBy(ctx, tx)
		if other {
			return dossier.ClaimedBy(*r.Claim)
		}
		if !own {
			return nil
		}
		r.Claim = nil
		_, err := tx.Exec(ctx, `UPDATE reviews SET claimed_by = NULL, claimed_name = NULL, claimed_until = NULL
			WHERE workspace_id = $1 AND id = $2`, tx.ws, r.ID)
		return err
	})
}

// AssignReview says whose an open review is; empty: anybody's. Errors: NotFound; Conflict review_moved.
func (db *DB) AssignReview(ctx context.Context, ws dossier.WorkspaceID, id dossier.ReviewID,
	assignee string) (dossier.Review, error) {
	return withReview(ctx, db, ws, "assign review", id, func(tx *tx, r *storedReview) error {
		if r.State != dossier.ReviewOpen {
			return dossier.ReviewMoved(r.Review)
		}
		assignee = dossier.FoldAssignee(assignee)
		if dossier.Text(r.Assignee) == assignee {
			return nil
		}
		r.Assignee = dossier.OrNil(assignee)
		if _, err := tx.Exec(ctx, `UPDATE reviews SET assignee = $3 WHERE workspace_id = $1 AND id = $2`, tx.ws, r.ID,
			assignee); err != nil {
			return err
		}
		audit(ctx, tx, dossier.AuditReviewAssign, "review:"+string(r.ID),
			map[string]any{"leadId": r.LeadID, "assigned": assignee != ""})
		return nil
	})
}
