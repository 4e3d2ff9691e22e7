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
	items   map[uuidKey]*reportItem
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
	t := reportTemplate{items: map[uuidKey]*reportItem{}, watched: map[string]bool{}}
	rows, err := collect(ctx, tx, pgx.RowToStructByName[itemRow], `SELECT `+itemColumns+` FROM checklist_items i
		LEFT JOIN checklist_groups g ON g.workspace_id = i.workspace_id AND g.id = i.group_id
		WHERE i.workspace_id = $1 AND i.lead_id IS NULL`+checklistOrder, tx.ws)
	for _, row := range rows {
		if err == nil {
			err = t.add(row)
		}
	}
	return t, err
}

// add appends a definition; they come in checklist order, leads' own after the template's.
func (t *reportTemplate) add(row itemRow) error {
	item := &reportItem{rank: len(t.items), code: row.Code, name: dossier.ReportCode(row.GroupKey, row.Code), required: row.IsRequired,
		own: row.Conditions, group: row.GroupConditions}
	for _, condition := range []*dossier.Condition{item.own, item.group} {
		if condition != nil {
			item.conditional = true
			for _, code := range condition.Codes() {
				t.watched[code] = true
			}
		}
	}
	key, err := keyOf(row.ItemID)
	t.items[key] = item
	return err
}

// reportedLeads selects the leads of a filter, without order.
func reportedLeads(ws dossier.WorkspaceID, filter dossier.ReportFilter) squirrel.SelectBuilder {
	return reported(psql.Select("l.id, l.first_name, l.last_name, l.email, l.phone_number, l.created_at, l.completed_at, l.not_interested_at, l.opt_out_at").
		From("leads l"), ws, filter)
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
	byKey := make(map[uuidKey]int, len(reports))
	for i, r := range reports {
		key, err := keyOf(r.LeadID)
		if err != nil {
			return err
		}
		ids[i], at[r.LeadID], byKey[key] = r.LeadID, i, i
	}
	var own []itemRow
	byLead := make([][]entryFact, len(reports))
	batch := &pgx.Batch{}
	queue(batch, &own, pgx.RowToStructByName[itemRow], `SELECT `+itemColumns+` FROM checklist_items i
		LEFT JOIN checklist_groups g ON g.workspace_id = i.workspace_id AND g.id = i.group_id
		WHERE i.workspace_id = $1 AND i.lead_id = ANY($2)`+checklistOrder, tx.ws, ids)
	queueRows(batch, scanEntryFact, func(f entryFact) { i := byKey[f.lead]; byLead[i] = append(byLead[i], f) },
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
	t, err := t.with(own)
	if err != nil {
		return err
	}
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
func (t reportTemplate) with(own []itemRow) (reportTemplate, error) {
	if len(own) == 0 {
		return t, nil
	}
	t.items = maps.Clone(t.items)
	for _, row := range own {
		if err := t.add(row); err != nil {
			return t, err
		}
	}
	return t, nil
}

func (t reportTemplate) reportItems(facts []entryFact) []dossier.ReportItem {
	t.resolve(facts)
	items := make([]dossier.ReportItem, len(facts))
	for i, f := range facts {
		items[i] = dossier.ReportItem{Code: f.of.name, Required: f.required, Status: f.status, Value: f.value, UpdatedAt: f.updated, Source: f.source}
	}
	return items
}
