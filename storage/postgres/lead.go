package postgres

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/record"
)

// leadColumns are the columns of dossier.Lead, scanned by name. l is the table.
const leadColumns = `l.id, l.first_name, l.middle_name, l.last_name, l.business_name, l.email, l.email_verified_at,
	l.phone_number, l.phone_verified_at, l.timezone, l.timezone_inferred, l.website, l.external_lead_id,
	l.external_portal_link, l.source, l.tags, l.assignee_type, l.is_test, l.closing_status, l.did_opt_out,
	l.opt_out_at, l.not_interested_at, l.completed_at, l.decision_at, l.open_escalations, l.activity_summary, l.version,
	l.created_at, l.updated_at, l.deleted_at`

// Caller says who changes a lead.
type Caller struct {
	Source   dossier.ValueSource // imported for the API, manual when a person stands behind the call, portal, agent
	Actor    string              // that person (x-actor), or empty
	Document *dossier.DocumentID // what an agent took a value from
	Test     bool                // by a test key: what it starts never writes to anybody
}

// isIntervention reports whether the call counts as a person's intervention.
func (c Caller) isIntervention() bool { return c.Source == dossier.SourceManual && c.Actor != "" }

// NewLead is a lead to be made.
type NewLead struct {
	dossier.LeadUpdate
	IsTest bool
}

// leadChange carries one change of one lead through its transaction.
type leadChange struct {
	lead      dossier.Lead
	region    string // of phone numbers without a country
	linkDays  int    // of a new lead: how long its page is open
	checklist dossier.Checklist
	changes   dossier.LeadChanges
	outcomes  []dossier.ItemOutcome
	touched   map[*dossier.ChecklistEntry]dossier.ItemStatus // changed entries with the status they had
	link      PortalLink                                     // of a new lead
	logged    dossier.ActionLog                              // of a new lead: the entry that tells of it
	finished  bool                                           // a run ended with it and may have changed it further
}

// CreateLead is CreateLeadView for callers that want the id alone.
func (db *DB) CreateLead(ctx context.Context, ws dossier.WorkspaceID, create NewLead,
	by Caller) (dossier.LeadID, error) {
	view, err := db.CreateLeadView(ctx, ws, create, by)
	return view.Lead.ID, err
}

// saveNew stages drafts with their portal links, and what tells of them: all of it goes with the commit. Rows of one
// table follow one another, so that they go together.
func saveNew(ctx context.Context, tx *tx, drafts []*leadChange, by Caller) (err error) {
	logs, inputs := make([]dossier.ActionLog, len(drafts)), make([]any, len(drafts))
	for i, c := range drafts {
		logs[i], inputs[i] = c.actionLog("lead_created", "Lead created", by)
		insertLead(tx, c.lead)
	}
	for _, c := range drafts {
		if err := insertEntries(tx, c.lead.ID, c.checklist); err != nil {
			return err
		}
	}
	for _, c := range drafts {
		if c.link, err = newPortalLink(tx, PortalOwner{Lead: c.lead.ID}, c.linkDays); err != nil {
			return err
		}
	}
	for i, c := range drafts {
		if c.logged, err = logWithLead(tx, logs[i], inputs[i]); err != nil {
			return err
		}
	}
	for _, c := range drafts {
		if err := emitLead(ctx, tx, dossier.EventLeadCreated, c.lead, nil); err != nil {
			return err
		}
		if err := c.emitTurns(ctx, tx); err != nil {
			return err
		}
	}
	return nil
}

// UpdateLead changes a lead and items of its checklist as the caller asked, under the lead's row lock: one action
// log, cancelled outreach when the lead closes, lead.updated when something changed, then the specific events.
// Errors: NotFound, Invalid, Conflict (opt_out_active, duplicate_external_id), Precondition (ifVersion, when not 0,
// is not the lead's).
func (db *DB) UpdateLead(ctx context.Context, ws dossier.WorkspaceID, id dossier.LeadID, upd dossier.LeadUpdate,
	ifVersion int64, by Caller) error {
	_, err := transact(ctx, db, ws, "update lead", func(tx *tx) (none, error) {
		return none{}, updateLead(ctx, tx, id, upd, ifVersion, by)
	})
	return err
}

// updateLead is UpdateLead for callers that have a transaction.
func updateLead(ctx context.Context, tx *tx, id dossier.LeadID, upd dossier.LeadUpdate, ifVersion int64,
	by Caller) error {
	_, err := changeLead(ctx, tx, id, upd, ifVersion, by)
	return err
}

func changeLead(ctx context.Context, tx *tx, id dossier.LeadID, upd dossier.LeadUpdate, ifVersion int64,
	by Caller) (*leadChange, error) {
	change, err := lockLead(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	if ifVersion != 0 && change.lead.Version != ifVersion {
		return nil, dossier.Errorf(dossier.Precondition, "The lead was changed in the meantime; read it again")
	}
	if err := change.apply(upd, by, tx.now); err != nil {
		return nil, err
	}
	return change, change.saveUpdate(ctx, tx, by)
}

// saveUpdate writes what a caller changed, if anything, and logs the call.
func (c *leadChange) saveUpdate(ctx context.Context, tx *tx, by Caller) error {
	if err := logLeadChange(ctx, tx, c, "lead_updated", c.summarize(by), by); err != nil {
		return err
	}
	if !c.changed() {
		return nil
	}
	if by.isIntervention() {
		if err := countIntervention(ctx, tx, c.lead.ID, "manualUpdates", by.Actor); err != nil {
			return err
		}
	}
	return c.save(ctx, tx)
}

// lockLead holds the lead against every other change and reads it with its checklist. Error: NotFound.
func lockLead(ctx context.Context, tx *tx, id dossier.LeadID) (*leadChange, error) {
	type lockedLead struct {
		dossier.Lead
		DefaultRegion string
	}
	var locked []lockedLead
	var entries []entryRow
	// One round trip: the second statement sees what was there once the first had the lock.
	batch := &pgx.Batch{}
	queue(batch, &locked, pgx.RowToStructByName[lockedLead], `SELECT `+leadColumns+`, w.default_region FROM leads l
		JOIN workspaces w ON w.id = l.workspace_id
		WHERE l.workspace_id = $1 AND l.id = $2 AND l.deleted_at IS NULL FOR NO KEY UPDATE OF l`, tx.ws, id)
	queue(batch, &entries, pgx.RowToStructByName[entryRow], selectEntries, tx.ws, id)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return nil, err
	}
	if len(locked) == 0 {
		return nil, missing("lead")
	}
	return &leadChange{lead: locked[0].Lead, region: locked[0].DefaultRegion, checklist: checklistOf(id, entries)}, nil
}

// apply does the update in memory: the lead, then the items in the order given, then what the status asks of them.
func (c *leadChange) apply(upd dossier.LeadUpdate, by Caller, now time.Time) error {
	changes, err := c.lead.Update(upd, c.region, now)
	if err != nil {
		return err
	}
	c.changes = changes
	c.touched = map[*dossier.ChecklistEntry]dossier.ItemStatus{}
	writer := dossier.Writer{Source: by.Source, Document: by.Document, Region: c.region}
	for _, item := range upd.Items {
		outcome := c.checklist.Apply(item, writer, now)
		c.outcomes = append(c.outcomes, outcome)
		if outcome.Changed {
			c.touch(outcome.Entry, outcome.Before)
		}
	}
	c.checklist.Resolve()
	switch {
	case changes.Completed:
		c.autoSkip(now)
	case changes.Reopened:
		for _, entry := range c.checklist.ClearAutoSkips(now) {
			c.touch(entry, dossier.ItemSkipped)
		}
	}
	return nil
}

func (c *leadChange) autoSkip(now time.Time) {
	for _, entry := range c.checklist.AutoSkip(now) {
		c.touch(entry, "") // skipping is no event of its own
	}
}

// touch remembers an entry to save, and the status it had at first.
func (c *leadChange) touch(entry *dossier.ChecklistEntry, before dossier.ItemStatus) {
	if _, known := c.touched[entry]; !known {
		c.touched[entry] = before
	}
}

func (c *leadChange) changed() bool { return len(c.changes.Fields) > 0 || len(c.touched) > 0 }

// closes reports whether the change ended all outreach.
func (c *leadChange) closes() bool {
	return c.changes.Completed || c.changes.OptedOut || c.changes.NotInterested
}

// save writes the changed lead and entries, stops what must not go out any more, and tells of it.
func (c *leadChange) save(ctx context.Context, tx *tx) error {
	c.lead.UpdatedAt = tx.now
	c.lead.Version++
	updateLeadRow(tx, c.lead)
	if err := c.saveEntries(tx); err != nil {
		return err
	}
	if c.closes() {
		if err := cancelOutreach(ctx, tx, c.lead.ID); err != nil {
			return err
		}
	}
	if err := emitLead(ctx, tx, dossier.EventLeadUpdated, c.lead, c.changedNames()); err != nil {
		return err
	}
	if err := c.emitTurns(ctx, tx); err != nil {
		return err
	}
	if err := c.settleReviews(ctx, tx); err != nil {
		return err
	}
	return c.moveRuns(ctx, tx)
}

// settleReviews keeps the amount of the lead's reviews true, ends them when the lead closes, and asks again when it is
// open again.
func (c *leadChange) settleReviews(ctx context.Context, tx *tx) error {
	for entry := range c.touched {
		if entry.Item.FieldType == dossier.FieldNumber {
			tx.deferExec(`UPDATE reviews r SET amount = a.amount FROM (SELECT `+leadAmount+` amount FROM leads l
				JOIN workspaces w ON w.id = l.workspace_id WHERE l.workspace_id = $1 AND l.id = $2) a
				WHERE r.workspace_id = $1 AND r.lead_id = $2 AND r.state = 'OPEN'`, tx.ws, c.lead.ID)
			break
		}
	}
	switch {
	case c.closes():
		endLeadReviews(tx, c.lead.ID)
	case c.changes.Reopened:
		return reopenReviews(ctx, tx, c.ref())
	}
	return nil
}

// moveRuns ends the run that collects the checklist when nothing is left of it, and lets agents go on that had no
// way to write: the lead was reopened, or has another address.
func (c *leadChange) moveRuns(ctx context.Context, tx *tx) error {
	if c.checklist.Resolve(); len(c.touched) > 0 && c.checklist.Done() {
		var err error
		if c.finished, err = finishedRuns(ctx, tx, c.ref()); err != nil {
			return err
		}
	}
	reachable := c.changes.Reopened
	for _, change := range c.changes.Fields {
		reachable = reachable || slices.Contains([]string{"didOptOut", "email", "phoneNumber"}, change.Field)
	}
	if !reachable || !c.lead.Reachable() {
		return nil
	}
	return wakeRuns(ctx, tx, c.lead.ID)
}

// changedNames are the names of the record's changed fields, with checklistItems for changed items.
func (c *leadChange) changedNames() []string {
	var names []string
	for _, change := range c.changes.Fields {
		names = append(names, change.Field)
	}
	if len(c.touched) > 0 {
		names = append(names, "checklistItems")
	}
	return names
}

// emitTurns tells of items that became COMPLETED or INVALID, then of the turn the lead took.
func (c *leadChange) emitTurns(ctx context.Context, tx *tx) error {
	for entry := range c.checklist.All() {
		before, touched := c.touched[entry]
		if touched && (before == dossier.ItemNeedsReview || entry.Status == dossier.ItemNeedsReview) {
			if err := settleItemReviews(ctx, tx, c.ref(), entry.ID, entry.Item.Label, entry.Status,
				entry.Reasons); err != nil {
				return err
			}
		}
		if !touched || before == entry.Status {
			continue
		}
		switch entry.Status {
		case dossier.ItemCompleted:
			if err := emitEntry(ctx, tx, dossier.EventItemCompleted, c.ref(), *entry); err != nil {
				return err
			}
		case dossier.ItemInvalid:
			if err := emitEntry(ctx, tx, dossier.EventItemInvalid, c.ref(), *entry); err != nil {
				return err
			}
		}
	}
	for _, turn := range []struct {
		taken bool
		event dossier.EventType
	}{
		{c.changes.OptedOut, dossier.EventLeadOptedOut},
		{c.changes.NotInterested, dossier.EventLeadNotInterested},
		{c.changes.Reopened, dossier.EventLeadReopened},
	} {
		if turn.taken {
			if err := emitLead(ctx, tx, turn.event, c.lead, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *leadChange) ref() leadRef {
	return leadRef{LeadID: c.lead.ID, ExternalLeadID: c.lead.ExternalLeadID}
}

// emitLead records an event about the lead; changes are the changed fields, of lead.updated only.
func emitLead(ctx context.Context, tx *tx, event dossier.EventType, lead dossier.Lead, changes []string) error {
	ref := leadRef{LeadID: lead.ID, ExternalLeadID: lead.ExternalLeadID}
	if event == dossier.EventLeadUpdated {
		return emit(ctx, tx, event, lead.ID,
			record.LeadUpdatedEvent{LeadRef: ref, Lead: record.OfLead(lead, nil), Changes: changes})
	}
	return emit(ctx, tx, event, lead.ID, record.LeadEvent{LeadRef: ref, Lead: record.OfLead(lead, nil)})
}

// completeLead sets a lead COMPLETED because a run ended, skips what is still open, and records lead.completed;
// the caller has recorded workflow_run.completed before. A lead that already is COMPLETED stays as it is.
func completeLead(ctx context.Context, tx *tx, id dossier.LeadID) error {
	change, err := lockLead(ctx, tx, id)
	if err != nil {
		return err
	}
	if !change.lead.Close(dossier.LeadCompleted, tx.now) {
		return nil
	}
	change.checklist.Resolve()
	change.touched = map[*dossier.ChecklistEntry]dossier.ItemStatus{}
	change.autoSkip(tx.now)
	change.lead.UpdatedAt, change.lead.Version = tx.now, change.lead.Version+1
	updateLeadRow(tx, change.lead)
	if err := change.saveEntries(tx); err != nil {
		return err
	}
	endLeadReviews(tx, id)
	if err := emitLead(ctx, tx, dossier.EventLeadCompleted, change.lead, nil); err != nil {
		return err
	}
	return cancelOutreach(ctx, tx, id) // told after it: lead.completed follows the end of its run (api.md, Events)
}

// cancelOutreach cancels messages of a lead that have not left, and planned follow-ups, and takes both out of the
// queue. A job that runs already finds out by itself: it may be the one that does this.
func cancelOutreach(ctx context.Context, tx *tx, id dossier.LeadID) error {
	var stopped []dossier.Message
	var plans []string
	batch := &pgx.Batch{}
	queue(batch, &stopped, pgx.RowToStructByName[dossier.Message], stopMessages+`m.lead_id = $2
		AND m.direction = 'OUTBOUND' RETURNING `+messageColumns, tx.ws, id, tx.now, stoppedMidCall)
	queue(batch, &plans, pgx.RowTo[string], `UPDATE action_logs a SET status = `+stoppedAction+`, completed_at = $3
		WHERE workspace_id = $1 AND lead_id = $2 AND status = 'PENDING' RETURNING id`, tx.ws, id, tx.now)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return err
	}
	if err := unqueue(ctx, tx, id, stopped, plans); err != nil {
		return err
	}
	return emitStopped(ctx, tx, stopped)
}

func insertLead(tx *tx, l dossier.Lead) {
	row := leadArgs(tx.ws, l)
	row["tags"] = json.RawMessage(mustJSON(l.Tags)) // a list in a column of lists
	row["tags_folded"] = json.RawMessage(mustJSON(dossier.FoldTags(l.Tags)))
	tx.deferRow(`
		INSERT INTO leads (workspace_id, id, first_name, middle_name, last_name, business_name, email,
			email_verified_at, phone_number, timezone, timezone_inferred, website, external_lead_id,
			external_portal_link, source, tags, tags_folded, assignee_type, is_test, closing_status, did_opt_out,
			opt_out_at, created_at, updated_at, decision_at, activity_summary)
		SELECT l.workspace, l.id, l.first, l.middle, l.last, l.business, l.email, l.verified, l.phone, l.timezone,
			l.inferred, l.website, l.external, l.link, l.source, ARRAY(SELECT jsonb_array_elements_text(l.tags)),
			ARRAY(SELECT jsonb_array_elements_text(l.folded)), l.assignee, l.test, l.closing, l.opted, l.opted_at,
			l.created, l.created, l.decision, l.summary
		FROM unnest(@workspace::uuid[], @id::uuid[], @first_name::text[], @middle_name::text[], @last_name::text[],
			@business_name::text[], @email::text[], @email_verified_at::timestamptz[], @phone_number::text[],
			@timezone::text[], @timezone_inferred::bool[], @website::text[], @external_lead_id::text[],
			@external_portal_link::text[], @source::text[], @tags::jsonb[], @tags_folded::jsonb[],
			@assignee_type::text[], @is_test::bool[], @closing_status::text[], @did_opt_out::bool[],
			@opt_out_at::timestamptz[], @created_at::timestamptz[], @decision_at::timestamptz[],
			@activity_summary::text[])
			AS l (workspace, id, first, middle, last, business, email, verified, phone, timezone, inferred, website,
				external, link, source, tags, folded, assignee, test, closing, opted, opted_at, created, decision,
				summary)`, pgx.NamedArgs{}, row)
}

func updateLeadRow(tx *tx, l dossier.Lead) {
	tx.deferExec(`
		UPDATE leads SET first_name = @first_name, middle_name = @middle_name, last_name = @last_name,
			business_name = @business_name, email = @email, email_verified_at = @email_verified_at,
			phone_number = @phone_number, phone_verified_at = @phone_verified_at,
			timezone = @timezone, timezone_inferred = @timezone_inferred, website = @website,
			external_lead_id = @external_lead_id, external_portal_link = @external_portal_link,
			tags = @tags, tags_folded = @tags_folded, assignee_type = @assignee_type,
			closing_status = @closing_status, did_opt_out = @did_opt_out, opt_out_at = @opt_out_at,
			not_interested_at = @not_interested_at, completed_at = @completed_at, open_escalations = @open_escalations,
			version = @version, updated_at = @updated_at, decision_at = @decision_at,
			activity_summary = @activity_summary
		WHERE workspace_id = @workspace AND id = @id`, leadArgs(tx.ws, l))
}

// leadArgs are the columns of a lead that are written, by name.
func leadArgs(ws dossier.WorkspaceID, l dossier.Lead) pgx.NamedArgs {
	return pgx.NamedArgs{
		"workspace": ws, "id": l.ID, "first_name": l.FirstName, "middle_name": l.MiddleName, "last_name": l.LastName,
		"business_name": l.BusinessName, "email": l.Email, "email_verified_at": l.EmailVerifiedAt,
		"phone_number": l.PhoneNumber, "phone_verified_at": l.PhoneVerifiedAt,
		"timezone": l.Timezone, "timezone_inferred": l.TimezoneInferred, "website": l.Website,
		"external_lead_id": l.ExternalLeadID, "external_portal_link": l.ExternalPortalLink, "source": l.Source,
		"tags": l.Tags, "tags_folded": dossier.FoldTags(l.Tags), "assignee_type": l.AssigneeType, "is_test": l.IsTest,
		"closing_status": l.ClosingStatus, "did_opt_out": l.DidOptOut, "opt_out_at": l.OptOutAt,
		"not_interested_at": l.NotInterestedAt, "completed_at": l.CompletedAt, "open_escalations": l.OpenEscalations,
		"version": l.Version, "created_at": l.CreatedAt, "updated_at": l.UpdatedAt,
		"decision_at": l.DecisionAt, "activity_summary": l.ActivitySummary,
	}
}
