package postgres

import (
	"context"
	"maps"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// reportTemplate is what reports know of the workspace's items before they read a lead: one query for all leads
// instead of the same definitions with every entry.
type reportTemplate struct {
	items   map[dossier.ItemID]*reportItem
	watched map[string]bool // codes that conditions look at
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
	t := reportTemplate{items: map[dossier.ItemID]*reportItem{}, watched: map[string]bool{}}
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
	item := &reportItem{
		rank: len(t.items), code: row.Code, name: dossier.ReportCode(row.GroupKey, row.Code), required: row.IsRequired,
		own: row.Conditions, group: row.GroupConditions,
	}
	for _, condition := range []*dossier.Condition{item.own, item.group} {
		if condition != nil {
			item.conditional = true
			for _, code := range condition.Codes() {
				t.watched[code] = true
			}
		}
	}
	t.items[row.ItemID] = item
}

// reportedLeads selects the leads of a filter, without order.
func reportedLeads(ws dossier.WorkspaceID, filter dossier.ReportFilter) squirrel.SelectBuilder {
	return reported(psql.Select("l.id", "l.first_name", "l.last_name", "l.email", "l.phone_number",
		"l.created_at", "l.completed_at", "l.not_interested_at", "l.opt_out_at").From("leads l"), ws, filter)
}

// read reads the reports of the leads that a query of reportedLeads selects.
func (t reportTemplate) read(ctx context.Context, tx *tx, leads squirrel.SelectBuilder) ([]dossier.LeadReport, error) {
	var reports []dossier.LeadReport
	err := eachRow(ctx, tx, leads, func(row pgx.Rows) error {
		var r dossier.LeadReport
		err := row.Scan(&r.LeadID, &r.FirstName, &r.LastName, &r.Email, &r.PhoneNumber,
			&r.CreatedAt, &r.CompletedAt, &r.NotInterestedAt, &r.OptOutAt)
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
	LeadID    dossier.LeadID
	Channel   dossier.Channel
	Direction dossier.MessageDirection
	N         int
	First     *time.Time
	Last      *time.Time
}

type interventionFact struct {
	LeadID dossier.LeadID
	Kind   string
	N      int
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
	queueRows(batch, pgx.RowToStructByName[entryFact],
		func(f entryFact) { i := at[f.LeadID]; byLead[i] = append(byLead[i], f) },
		`SELECT `+entryFactColumns+` FROM checklist_entries t WHERE t.workspace_id = $1 AND t.lead_id = ANY($2)`, tx.ws,
		ids)
	queueRows(batch, pgx.RowToStructByName[messageFact], func(f messageFact) {
		if counts := reports[at[f.LeadID]].Channels.Of(f.Channel); counts != nil {
			counts.Count(f.Direction, f.N, f.First, f.Last)
		}
	}, `SELECT t.lead_id, t.channel, t.direction, count(*) AS n, min(`+messageTime+`) AS first,
		max(`+messageTime+`) AS last FROM messages t
		WHERE t.workspace_id = $1 AND t.lead_id = ANY($2) AND `+countedMessage+`
		GROUP BY t.lead_id, t.channel, t.direction`, tx.ws, ids)
	queueRows(batch, pgx.RowToStructByName[interventionFact], func(f interventionFact) {
		reports[at[f.LeadID]].Interventions.Count(f.Kind, f.N)
	}, `SELECT t.lead_id, t.kind, count(*) AS n FROM interventions t
		WHERE t.workspace_id = $1 AND t.lead_id = ANY($2) GROUP BY t.lead_id, t.kind`, tx.ws, ids)
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
const messageTime = `CASE t.direction WHEN 'INBOUND' THEN t.created_at
	ELSE coalesce(t.sent_at, t.delivered_at, t.created_at) END`

// queueRows adds a query to a batch whose rows are handed over one by one when the batch is closed.
func queueRows[T any](batch *pgx.Batch, scan pgx.RowToFunc[T], do func(T), sql string, args ...any) {
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
	t.resolve(facts)
	items := make([]dossier.ReportItem, len(facts))
	for i, f := range facts {
		items[i] = dossier.ReportItem{
			Code: f.of.name, Required: f.required, Status: f.Status, Value: f.Value, UpdatedAt: f.UpdatedAt,
			Source: f.Source,
		}
	}
	return items
}
