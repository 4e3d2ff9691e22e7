package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"maps"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// openedEvery is how often looking at the page is an entry of the timeline: every reload would drown the rest.
const openedEvery = time.Hour

// PortalLead finds whose page a token opens, in any workspace. An unknown, an expired and a replaced token are the
// same NotFound. Whether the lead still exists is for the call that follows to say.
func (db *DB) PortalLead(ctx context.Context, token string) (dossier.WorkspaceID, PortalOwner, error) {
	type row struct {
		WorkspaceID dossier.WorkspaceID
		LeadID      dossier.LeadID
		PartyID     *dossier.PartyID
	}
	hash := sha256.Sum256([]byte(token))
	found, err := retry(ctx, "find portal link", func() (row, error) {
		rows, err := db.system.Query(ctx, `SELECT p.workspace_id, p.lead_id, p.party_id FROM portal_links p
			JOIN workspaces w ON w.id = p.workspace_id AND w.deleted_at IS NULL
			WHERE p.token_hash = $1 AND p.revoked_at IS NULL AND p.expires_at > $2`, hash[:], db.now())
		if err != nil {
			return row{}, err
		}
		one, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[row])
		return one, orMissing(err, "portal link")
	})
	return found.WorkspaceID, PortalOwner{found.LeadID, dossier.Text(found.PartyID)}, err
}

// PortalPage is what a lead sees of itself, or a party of what is its own, all of one moment.
type PortalPage struct {
	Settings  dossier.PortalSettings // the workspace's name stands in for a missing one
	Region    string                 // of phone numbers without a country
	FirstName string                 // "" when unknown; of a party its name
	Checklist dossier.Checklist
	Loose     []dossier.Document // sent through the page and serving no item yet, oldest first
	Awaited   []dossier.Document // announced by the page and not here yet, oldest first
	Stamp     string             // as PortalStamps gives it
	Noted     bool               // the timeline says already that the page was opened
}

// PortalPage reads a page: one snapshot, one round trip. Error: NotFound (the lead is deleted).
func (db *DB) PortalPage(ctx context.Context, ws dossier.WorkspaceID, of PortalOwner) (PortalPage, error) {
	return snapshot(ctx, db, ws, "read portal page", func(tx *tx) (PortalPage, error) {
		var q portalQueries
		batch := &pgx.Batch{}
		q.queue(batch, tx, of)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return PortalPage{}, err
		}
		return q.page(of), nil
	})
}

// portalQueries holds the rows of one batch.
type portalQueries struct {
	head      portalHead
	entries   []entryRow
	served    []dossier.Association
	documents []dossier.Document
	loose     []dossier.Document // and those that are awaited
	stamp     portalStamp
	noted     bool
}

// portalHead is whose page it is.
type portalHead struct {
	Name      string
	Portal    portalJSON
	Region    string
	FirstName string
	Primary   string // id of the primary party; "" when there is none yet
	Party     string // name of the party whose page it is
}

func (q *portalQueries) queue(batch *pgx.Batch, tx *tx, of PortalOwner) {
	lead := of.Lead
	queueOne(batch, &q.head, "lead", pgx.RowToStructByPos[portalHead], `SELECT w.name, w.portal, w.default_region,
		coalesce(l.first_name, ''),
		coalesce((SELECT id::text FROM parties WHERE workspace_id = $1 AND lead_id = $2 AND is_primary), ''),
		coalesce((SELECT name FROM parties WHERE workspace_id = $1 AND id = $3), '')
		FROM leads l JOIN workspaces w ON w.id = l.workspace_id WHERE l.workspace_id = $1 AND l.id = $2
		AND l.deleted_at IS NULL`, tx.ws, lead, dossier.OrNil(of.Party))
	queue(batch, &q.entries, pgx.RowToStructByName[entryRow], selectEntries, tx.ws, lead)
	queue(batch, &q.served, scanAssociation, selectServed, tx.ws, lead)
	queue(batch, &q.documents, scanDocument, selectLeadDocuments, tx.ws, lead)
	queue(batch, &q.loose, scanDocument, `SELECT `+documentColumns+` FROM documents d
		WHERE d.workspace_id = $1 AND d.lead_id = $2 AND d.source = 'portal' AND d.deleted_at IS NULL
		  AND d.page_party_id IS NOT DISTINCT FROM $3
		  AND NOT EXISTS (SELECT FROM document_associations a WHERE a.workspace_id = $1 AND a.document_id = d.id)
		ORDER BY d.created_at, d.id`, tx.ws, lead, dossier.OrNil(of.Party))
	queueOne(batch, &q.stamp, "lead", pgx.RowToStructByPos[portalStamp], portalStamps, tx.ws, []dossier.LeadID{lead})
	queueOne(batch, &q.noted, "lead", pgx.RowTo[bool], selectOpenedLately, tx.ws, lead, tx.now.Add(-openedEvery),
		string(of.Party))
}

func (q *portalQueries) page(of PortalOwner) PortalPage {
	page := PortalPage{Settings: dossier.PortalSettings(q.head.Portal), Region: q.head.Region,
		FirstName: q.head.FirstName,
		Checklist: checklistOf(of.Lead, q.entries), Stamp: q.stamp.Stamp, Noted: q.noted}
	if page.Settings.Name == "" {
		page.Settings.Name = q.head.Name
	}
	page.Checklist.KeepPage(of.Party, dossier.PartyID(q.head.Primary))
	if of.Party != "" && string(of.Party) != q.head.Primary {
		page.FirstName = q.head.Party
	}
	putDocuments(&page.Checklist, q.documents, q.served)
	keepPageDocuments(&page.Checklist, of.Party)
	for _, d := range q.loose {
		if d.UploadedAt == nil {
			page.Awaited = append(page.Awaited, d)
		} else {
			page.Loose = append(page.Loose, d)
		}
	}
	return page
}

// keepPageDocuments takes out the files that came through another page, unless somebody put them on the item they
// serve; even then their names are not told.
func keepPageDocuments(c *dossier.Checklist, page dossier.PartyID) {
	for entry := range c.All() {
		kept := entry.Documents[:0]
		for _, d := range entry.Documents {
			if d.Source == dossier.SourcePortal && dossier.Text(d.PagePartyID) != page {
				if !d.Associations[0].Requested {
					continue
				}
				d.Filename, d.Source = entry.Item.Label, dossier.SourceManual
			}
			kept = append(kept, d)
		}
		entry.Documents = kept
	}
}

// PortalStamps returns a text for each of a workspace's leads that changes with anything its page shows and that can
// change by itself. Deleted leads are left out. It counts row versions, so that two changes at one moment are two.
func (db *DB) PortalStamps(ctx context.Context, ws dossier.WorkspaceID,
	leads []dossier.LeadID) (map[dossier.LeadID]string, error) {
	rows, err := readAll(ctx, db, ws, "read portal stamps", pgx.RowToStructByPos[portalStamp], portalStamps, ws, leads)
	stamps := map[dossier.LeadID]string{}
	for _, r := range rows {
		stamps[r.ID] = r.Stamp
	}
	return stamps, err
}

type portalStamp struct {
	ID    dossier.LeadID
	Stamp string
}

const portalStamps = `
	SELECT l.id, md5(concat_ws('.', e.versions, d.versions, a.versions)) FROM leads l
	LEFT JOIN (SELECT lead_id, sum(xmin::text::bigint) AS versions FROM checklist_entries
		WHERE workspace_id = $1 AND lead_id = ANY($2) GROUP BY lead_id) e ON e.lead_id = l.id
	LEFT JOIN (SELECT lead_id, sum(xmin::text::bigint) AS versions FROM documents
		WHERE workspace_id = $1 AND lead_id = ANY($2) AND deleted_at IS NULL AND uploaded_at IS NOT NULL
		GROUP BY lead_id) d ON d.lead_id = l.id
	LEFT JOIN (SELECT lead_id, sum(xmin::text::bigint) AS versions FROM document_associations
		WHERE workspace_id = $1 AND lead_id = ANY($2) GROUP BY lead_id) a ON a.lead_id = l.id
	WHERE l.workspace_id = $1 AND l.id = ANY($2) AND l.deleted_at IS NULL`

// NotePortalOpened puts "opened" on the timeline unless it stands there within the last hour. Where somebody holds the
// lead, another tab or who writes to it, nothing is noted: the page does not wait for a line of the timeline. Error:
// NotFound (lead).
func (db *DB) NotePortalOpened(ctx context.Context, ws dossier.WorkspaceID, of PortalOwner) error {
	lead := of.Lead
	_, err := transact(ctx, db, ws, "note portal opened", func(tx *tx) (none, error) {
		// Whoever calls has looked; under the lock two tabs opened at once are one entry.
		held, err := collect(ctx, tx, pgx.RowTo[dossier.LeadID], `SELECT id FROM leads
			WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE SKIP LOCKED`, tx.ws, lead)
		if err != nil {
			return none{}, err
		}
		if len(held) == 0 { // somebody holds it, or it is not there
			return none{}, requireLead(ctx, tx, lead)
		}
		if noted, err := openedLately(ctx, tx, of); err != nil || noted {
			return none{}, err
		}
		input := map[string]any{"eventType": "portal_opened", "source": dossier.SourcePortal}
		maps.Copy(input, of.details())
		_, err = logAction(ctx, tx, dossier.ActionLog{LeadID: lead, Type: dossier.ActionPortalActivity,
			Summary: "Portal opened"}, input)
		return none{}, err
	})
	return err
}

const selectOpenedLately = `SELECT EXISTS (SELECT FROM action_logs WHERE workspace_id = $1 AND lead_id = $2
	AND created_at > $3
	AND type = 'PORTAL_ACTIVITY' AND input->>'eventType' = 'portal_opened' AND coalesce(input->>'partyId', '') = $4)`

func openedLately(ctx context.Context, tx *tx, of PortalOwner) (bool, error) {
	var noted bool
	err := tx.QueryRow(ctx, selectOpenedLately, tx.ws, of.Lead, tx.now.Add(-openedEvery),
		string(of.Party)).Scan(&noted)
	return noted, err
}

// PortalOutcome is what became of an answer.
type PortalOutcome int

// Outcomes.
const (
	PortalTaken   PortalOutcome = iota // it is the item's value now
	PortalCleared                      // the item has no value now
	// a person or the customer's system answered before; the lead's is kept beside it
	PortalOutranked
)

// AnswerPortal takes the lead's own answer to one visible item. answer makes the value out of the item as it is;
// null clears it, nil leaves it. Errors: NotFound (the lead, or the item is not on its page), Invalid (the item
// takes files).
func (db *DB) AnswerPortal(ctx context.Context, ws dossier.WorkspaceID, of PortalOwner, entry dossier.EntryID,
	answer func(dossier.ChecklistEntry) json.RawMessage) (PortalOutcome, error) {
	return transactBriefly(ctx, db, ws, "answer portal item", func(tx *tx) (PortalOutcome, error) {
		change, err := lockLead(ctx, tx, of.Lead)
		if err != nil {
			return 0, err
		}
		item, err := portalEntry(ctx, tx, &change.checklist, of, entry)
		if err != nil {
			return 0, err
		}
		if item.Item.FieldType.TakesFiles() {
			return 0, dossier.Errorf(dossier.Invalid, "%s is answered with documents, not with a value",
				item.Item.FieldType)
		}
		value := answer(*item)
		if value == nil {
			return PortalTaken, nil
		}
		outcome := portalOutcome(*item, value)
		by := Caller{Source: dossier.SourcePortal}
		if err := change.apply(dossier.LeadUpdate{Items: []dossier.ItemUpdate{{Code: item.Item.Code, Value: value}}},
			by, tx.now); err != nil {
			return 0, err
		}
		if !change.changed() {
			return outcome, nil // the same answer again, of a double click or a second tab
		}
		if err := logLeadChange(ctx, tx, change, "portal_answered", "Answered in the portal: "+item.Item.Label,
			by); err != nil {
			return 0, err
		}
		return outcome, change.save(ctx, tx)
	})
}

func portalOutcome(item dossier.ChecklistEntry, value json.RawMessage) PortalOutcome {
	switch {
	case item.Value != nil && (item.Source == dossier.SourceManual || item.Source == dossier.SourceImported):
		return PortalOutranked
	case string(value) == "null":
		return PortalCleared
	}
	return PortalTaken
}

// portalEntry is the entry with this id if it is on a page. Error: NotFound.
func portalEntry(ctx context.Context, tx *tx, c *dossier.Checklist, of PortalOwner,
	id dossier.EntryID) (*dossier.ChecklistEntry, error) {
	c.Resolve()
	var primary dossier.PartyID
	if c.NamesParties() {
		var err error
		if primary, err = primaryParty(ctx, tx, of.Lead); err != nil {
			return nil, err
		}
	}
	for entry := range c.All() {
		if entry.ID == id && entry.Visible && entry.Item.OnPage(of.Party, primary) {
			return entry, nil
		}
	}
	return nil, missing("checklist item")
}
