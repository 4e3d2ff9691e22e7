package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// A call that creates or changes a lead answers with the whole lead. Most of that the transaction has in memory; the
// rest is read in the round trip of the commit, so that the lead is not read a second time.

// CreateLeadView makes a lead with the workspace's checklist and a portal link, applies what the caller gave, and
// tells of it in one commit. It returns what LeadView would. Errors: Invalid, Conflict (duplicate_external_id).
func (db *DB) CreateLeadView(ctx context.Context, ws dossier.WorkspaceID, create NewLead,
	by Caller) (LeadView, error) {
	var answer func() (LeadView, error)
	id, err := transact(ctx, db, ws, "create lead", func(tx *tx) (dossier.LeadID, error) {
		change, err := draftLead(ctx, tx, create.IsTest)
		if err != nil {
			return "", err
		}
		if faults := create.NewFaults(); len(faults) > 0 {
			return "", dossier.InvalidFaults(faults)
		}
		if err := change.apply(create.LeadUpdate, by, tx.now); err != nil {
			return "", err
		}
		if err := saveNew(ctx, tx, []*leadChange{change}, by); err != nil {
			return "", err
		}
		answer = change.answerNew(tx)
		return change.lead.ID, nil
	})
	return db.answered(ctx, ws, id, answer, err)
}

// UpdateLeadView is UpdateLead; it returns what LeadView would.
func (db *DB) UpdateLeadView(ctx context.Context, ws dossier.WorkspaceID, id dossier.LeadID, upd dossier.LeadUpdate,
	ifVersion int64, by Caller) (LeadView, error) {
	var answer func() (LeadView, error)
	_, err := transact(ctx, db, ws, "update lead", func(tx *tx) (none, error) {
		change, err := changeLead(ctx, tx, id, upd, ifVersion, by)
		if answer = nil; err == nil && !change.finished {
			answer = change.answer(ctx, tx, db)
		}
		return none{}, err
	})
	return db.answered(ctx, ws, id, answer, err)
}

// answered returns the answer that the transaction of a call prepared. Where it prepared none, because an earlier call
// with the same idempotency key did the work or a run changed the lead further, it reads the lead.
func (db *DB) answered(ctx context.Context, ws dossier.WorkspaceID, id dossier.LeadID,
	answer func() (LeadView, error), err error) (LeadView, error) {
	switch {
	case err != nil:
		return LeadView{}, err
	case answer == nil:
		return db.LeadView(ctx, ws, id)
	}
	return answer()
}

// answerNew is the view of a lead that is being made, for after the commit: whom it shares its contact with is all that
// is not known of it.
func (c *leadChange) answerNew(tx *tx) func() (LeadView, error) {
	var q leadViewQueries
	c.queueMatches(tx, &q)
	return func() (LeadView, error) {
		return q.view(c.lead, c.link.Token, c.shown(), []ActionEntry{{ActionLog: c.logged}}), nil
	}
}

// answer is the view of a lead that was changed, for after the commit.
func (c *leadChange) answer(ctx context.Context, tx *tx, db *DB) func() (LeadView, error) {
	var q leadViewQueries
	id := c.lead.ID
	if c.closes() {
		q.queueLead(tx.queued, tx, id) // with the summary of what was stopped because of it
	} else {
		q.lead = []leadViewRow{{Lead: c.lead}}
		q.queueLink(tx.queued, tx, id)
	}
	q.queueFiles(tx.queued, tx, id)
	queue(tx.queued, &q.logs, pgx.RowToStructByName[dossier.ActionLog], selectRecentActions, tx.ws, id, recentActions)
	c.queueMatches(tx, &q)
	return func() (LeadView, error) {
		token, err := q.token(tx.cipher, tx.ws)
		if err != nil {
			return LeadView{}, err
		}
		entries := joinActionEntries(q.logs, nil, nil)
		if q.pointsFurther() {
			entries, err = db.actionsOf(ctx, tx.ws, id, &q)
		}
		return q.view(q.lead[0].Lead, token, c.shown(), entries), err
	}
}

// actionsOf reads what the recent logs point to.
func (db *DB) actionsOf(ctx context.Context, ws dossier.WorkspaceID, id dossier.LeadID,
	q *leadViewQueries) ([]ActionEntry, error) {
	return snapshot(ctx, db, ws, "read lead", func(tx *tx) ([]ActionEntry, error) { return q.actions(ctx, tx, id) })
}

// queueMatches asks whom the lead shares its contact with. A test lead, and one without any, shares it with nobody.
func (c *leadChange) queueMatches(tx *tx, q *leadViewQueries) {
	if !c.lead.IsTest && (c.lead.Email != nil || c.lead.PhoneNumber != nil) {
		queue(tx.queued, &q.matches, pgx.RowToStructByName[matchRow], selectMatches, tx.ws, c.lead.ID, maxMatches)
	}
}

// shown is the checklist as it was stored: numbers that were given in full are not read back.
func (c *leadChange) shown() *dossier.Checklist {
	for entry := range c.checklist.All() {
		entry.Secret = ""
	}
	c.checklist.Resolve()
	return &c.checklist
}
