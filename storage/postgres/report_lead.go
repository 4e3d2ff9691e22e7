package postgres

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// reportTemplate is what reports know of the workspace's items before they read a lead: one query for all leads
// instead of the same definitions with every entry.
type reportTemplate struct {
	items map[dossier.ItemID]*reportItem
}

// reportItem is a definition as reports need it.
type reportItem struct {
	rank        int    // place in the checklist
	code        string // as conditions name it
	name        string // as reports name it
	required    bool
	conditional bool
	own         *dossier.Condition
	group       *dossier.Condition
}

// readReportTemplate reads the template, archived items included: leads that have them keep them.
func readReportTemplate(ctx context.Context, tx *tx) (reportTemplate, error) {
	t := reportTemplate{items: map[dossier.ItemID]*reportItem{}}
	rows, err := collect(ctx, tx, pgx.RowToStructByName[itemRow], `SELECT `+itemColumns+` FROM checklist_items i
		LEFT JOIN checklist_groups g ON g.workspace_id = i.workspace_id AND g.id = i.group_id
		WHERE i.workspace_id = $1 AND i.lead_id IS NULL`+checklistOrder, tx.ws)
	for _, row := range rows {
		t.add(row)
	}
	return t, err
}

// add appends a definition; they come in checklist order, leads' own after the template's.
func (t *reportTemplate) add(row itemRow) {
	item := &reportItem{rank: len(t.items), code: row.Code, name: dossier.ReportCode(row.GroupKey, row.Code), required: row.IsRequired,
		own: row.Conditions, group: row.GroupConditions}
	item.conditional = item.own != nil || item.group != nil
	t.items[row.ItemID] = item
}

// entryFact is what reports need of an entry. t is the entry.
type entryFact struct {
	lead     dossier.LeadID
	item     dossier.ItemID
	status   dossier.ItemStatus
	value    json.RawMessage
	source   dossier.ValueSource
	updated  time.Time
	required bool // and visible: set by resolve
}

const entryFactColumns = `t.lead_id, t.item_id, t.status, t.value, coalesce(t.source, ''), t.updated_at`

func (f *entryFact) into() []any {
	return []any{&f.lead, &f.item, &f.status, &f.value, &f.source, &f.updated}
}

func scanEntryFact(row pgx.Rows) (entryFact, error) {
	var f entryFact
	err := row.Scan(f.into()...)
	return f, err
}

// resolve puts one lead's entries in checklist order and says which are required of it.
func (t reportTemplate) resolve(facts []entryFact) []entryFact {
	slices.SortFunc(facts, func(a, b entryFact) int { return t.items[a.item].rank - t.items[b.item].rank })
	conditional := false
	for i := range facts {
		item := t.items[facts[i].item]
		facts[i].required = item.required
		conditional = conditional || item.conditional
	}
	if !conditional {
		return facts
	}
	var c dossier.Checklist
	for _, fact := range facts {
		item := t.items[fact.item]
		entry := dossier.ChecklistEntry{Item: dossier.ChecklistItem{Code: item.code, Conditions: item.own}, Value: fact.value}
		c.Groups = append(c.Groups, dossier.ChecklistGroup{Conditions: item.group, Entries: []dossier.ChecklistEntry{entry}})
	}
	c.Resolve()
	for i := range facts {
		facts[i].required = facts[i].required && c.Groups[i].Entries[0].Visible
	}
	return facts
}

// reportedLeads selects the leads of a filter, without order.
func reportedLeads(ws dossier.WorkspaceID, filter dossier.ReportFilter) squirrel.SelectBuilder {
	return reported(psql.Select("l.id, l.first_name, l.last_name, l.email, l.phone_number, l.created_at, l.completed_at, l.not_interested_at, l.opt_out_at").
		From("leads l"), ws, filter)
}

// page reads the reports of up to page.Limit+1 leads in two round trips.
func (t reportTemplate) page(ctx context.Context, tx *tx, filter dossier.ReportFilter, page dossier.Page) ([]dossier.LeadReport, error) {
	q := reportedLeads(tx.ws, filter)
	if page.After != nil {
		q = q.Where("(l.created_at, l.id) > (?, ?::uuid)", page.After.At, page.After.ID)
	}
	return t.read(ctx, tx, q.OrderBy("l.created_at, l.id").Limit(uint64(page.Limit)+1))
}

// read reads the reports of the leads that a query of reportedLeads selects.
func (t reportTemplate) read(ctx context.Context, tx *tx, leads squirrel.SelectBuilder) ([]dossier.LeadReport, error) {
	var reports []dossier.LeadReport
	err := eachRow(ctx, tx, leads, func(row pgx.Rows) error {
		var r dossier.LeadReport
		err := row.Scan(&r.LeadID, &r.FirstName, &r.LastName, &r.Email, &r.PhoneNumber, &r.CreatedAt, &r.CompletedAt, &r.NotInterestedAt, &r.OptOutAt)
		reports = append(reports, r)
		return err
	})
	if err != nil || len(reports) == 0 {
		return nil, err
	}
	return reports, t.fill(ctx, tx, reports)
}

// messageFact is a lead's messages of one channel and direction.
type messageFact struct {
	lead        dossier.LeadID
	channel     dossier.Channel
	direction   dossier.MessageDirection
	n           int
	first, last *time.Time
}

type interventionFact struct {
	lead dossier.LeadID
	kind string
	n    int
}

// fill adds checklists, messages and interventions to the reports of some leads.
func (t reportTemplate) fill(ctx context.Context, tx *tx, reports []dossier.LeadReport) error {
	ids := make([]dossier.LeadID, len(reports))
	at := make(map[dossier.LeadID]int, len(reports))
	for i, r := range reports {
		ids[i], at[r.LeadID] = r.LeadID, i
	}
	var own []itemRow
	byLead := make([][]entryFact, len(reports))
	batch := &pgx.Batch{}
	queue(batch, &own, pgx.RowToStructByName[itemRow], `SELECT `+itemColumns+` FROM checklist_items i
		LEFT JOIN checklist_groups g ON g.workspace_id = i.workspace_id AND g.id = i.group_id
		WHERE i.workspace_id = $1 AND i.lead_id = ANY($2)`+checklistOrder, tx.ws, ids)
	queueRows(batch, scanEntryFact, func(f entryFact) { byLead[at[f.lead]] = append(byLead[at[f.lead]], f) },
		`SELECT `+entryFactColumns+` FROM checklist_entries t WHERE t.workspace_id = $1 AND t.lead_id = ANY($2)`, tx.ws, ids)
	queueRows(batch, scanMessageFact, func(f messageFact) {
		if counts := reports[at[f.lead]].Channels.Of(f.channel); counts != nil {
			counts.Count(f.direction, f.n, f.first, f.last)
		}
	}, `SELECT t.lead_id, t.channel, t.direction, count(*), min(`+messageTime+`), max(`+messageTime+`) FROM messages t
		WHERE t.workspace_id = $1 AND t.lead_id = ANY($2) AND `+countedMessage+` GROUP BY t.lead_id, t.channel, t.direction`, tx.ws, ids)
	queueRows(batch, scanInterventionFact, func(f interventionFact) { reports[at[f.lead]].Interventions.Count(f.kind, f.n) },
		`SELECT t.lead_id, t.kind, count(*) FROM interventions t WHERE t.workspace_id = $1 AND t.lead_id = ANY($2) GROUP BY t.lead_id, t.kind`, tx.ws, ids)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return err
	}
	t = t.with(own)
	for i := range reports {
		reports[i].SetItems(t.reportItems(byLead[i]))
	}
	return nil
}

// messageTime is when a message arrived, or went out.
const messageTime = `CASE t.direction WHEN 'INBOUND' THEN t.created_at ELSE coalesce(t.sent_at, t.delivered_at, t.created_at) END`

func scanMessageFact(row pgx.Rows) (messageFact, error) {
	var f messageFact
	err := row.Scan(&f.lead, &f.channel, &f.direction, &f.n, &f.first, &f.last)
	return f, err
}

func scanInterventionFact(row pgx.Rows) (interventionFact, error) {
	var f interventionFact
	err := row.Scan(&f.lead, &f.kind, &f.n)
	return f, err
}

// queueRows adds a query to a batch whose rows are handed over one by one when the batch is closed.
func queueRows[T any](batch *pgx.Batch, scan func(pgx.Rows) (T, error), do func(T), sql string, args ...any) {
	batch.Queue(sql, args...).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			fact, err := scan(rows)
			if err != nil {
				return err
			}
			do(fact)
		}
		return rows.Err()
	})
}

// with is the template and some leads' own items; the template itself stays as it is, so that a long export does
// not gather the items of all its leads.
func (t reportTemplate) with(own []itemRow) reportTemplate {
	if len(own) == 0 {
		return t
	}
	t.items = maps.Clone(t.items)
	for _, row := range own {
		t.add(row)
	}
	return t
}

func (t reportTemplate) reportItems(facts []entryFact) []dossier.ReportItem {
	items := make([]dossier.ReportItem, len(facts))
	for i, f := range t.resolve(facts) {
		items[i] = dossier.ReportItem{Code: t.items[f.item].name, Required: f.required, Status: f.status, Value: f.value, UpdatedAt: f.updated, Source: f.source}
	}
	return items
}
