package postgres

import (
	"context"
	"reflect"
	"strings"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// counts are what analytics total up, of one lead or of many added up. Each field is a column of report_leads and of
// report_hours.
type counts struct {
	Leads             int64 `json:"leads"`
	Items             int64 `json:"items"`
	CompletedLeads    int64 `json:"completed_leads"`
	NotInterested     int64 `json:"not_interested"`
	OptedOut          int64 `json:"opted_out"`
	EmailIn           int64 `json:"email_in"`
	EmailOut          int64 `json:"email_out"`
	SMSIn             int64 `json:"sms_in"`
	SMSOut            int64 `json:"sms_out"`
	WhatsappIn        int64 `json:"whatsapp_in"`
	WhatsappOut       int64 `json:"whatsapp_out"`
	Required          int64 `json:"required"`
	Completed         int64 `json:"completed"`
	ByAgent           int64 `json:"by_agent"`
	ByImported        int64 `json:"by_imported"`
	ByManual          int64 `json:"by_manual"`
	ByPortal          int64 `json:"by_portal"`
	DocumentOverrides int64 `json:"document_overrides"`
	Escalations       int64 `json:"escalations"`
	ManualUpdates     int64 `json:"manual_updates"`
	MessageEdits      int64 `json:"message_edits"`
	MessageRejects    int64 `json:"message_rejects"`
}

// countColumns are the names of the columns.
var (
	countColumns = countNames()
	countList    = strings.Join(countColumns, ", ")
	countSums    = countExpressions("coalesce(sum(%), 0)::bigint AS %")
)

func countNames() []string {
	var names []string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[counts]()) {
		names = append(names, field.Tag.Get("json"))
	}
	return names
}

// countExpressions lists an expression for each column; % stands for its name.
func countExpressions(expression string) string {
	list := make([]string, len(countColumns))
	for i, name := range countColumns {
		list[i] = strings.ReplaceAll(expression, "%", name)
	}
	return strings.Join(list, ", ")
}

// countsOf is what one lead counts for.
func countsOf(r dossier.LeadReport) counts {
	one := func(at *time.Time) int64 {
		if at == nil {
			return 0
		}
		return 1
	}
	email, sms, whatsapp := r.Channels.Of(dossier.ChannelEmail), r.Channels.Of(dossier.ChannelSMS),
		r.Channels.Of(dossier.ChannelWhatsApp)
	return counts{
		Leads: 1, Items: int64(len(r.Items)),
		CompletedLeads: one(r.CompletedAt), NotInterested: one(r.NotInterestedAt), OptedOut: one(r.OptOutAt),
		EmailIn: int64(email.Inbound), EmailOut: int64(email.Outbound),
		SMSIn: int64(sms.Inbound), SMSOut: int64(sms.Outbound),
		WhatsappIn: int64(whatsapp.Inbound), WhatsappOut: int64(whatsapp.Outbound),
		Required: int64(r.Completion.Required), Completed: int64(r.Completion.Completed),
		ByAgent: int64(r.Completion.Agent), ByImported: int64(r.Completion.Imported),
		ByManual: int64(r.Completion.Manual), ByPortal: int64(r.Completion.Portal),
		DocumentOverrides: int64(r.Interventions.DocumentOverrides), Escalations: int64(r.Interventions.Escalations),
		ManualUpdates: int64(r.Interventions.ManualUpdates),
		MessageEdits:  int64(r.Interventions.MessageEdits), MessageRejects: int64(r.Interventions.MessageRejects),
	}
}

// add adds the counts of other, times sign.
func (c *counts) add(other counts, sign int64) {
	into, from := reflect.ValueOf(c).Elem(), reflect.ValueOf(other)
	for i := range into.NumField() {
		into.Field(i).SetInt(into.Field(i).Int() + sign*from.Field(i).Int())
	}
}

// totals are the counts as the API tells them.
func (c counts) totals() dossier.ReportTotals {
	t := dossier.ReportTotals{
		Count: int(c.Leads), Completed: int(c.CompletedLeads), NotInterested: int(c.NotInterested),
		OptedOut: int(c.OptedOut),
		Completion: dossier.Completion{
			Required: int(c.Required), Completed: int(c.Completed), Agent: int(c.ByAgent), Imported: int(c.ByImported),
			Manual: int(c.ByManual), Portal: int(c.ByPortal),
		},
		Interventions: dossier.Interventions{
			DocumentOverrides: int(c.DocumentOverrides), Escalations: int(c.Escalations),
			ManualUpdates: int(c.ManualUpdates),
			MessageEdits:  int(c.MessageEdits), MessageRejects: int(c.MessageRejects),
		},
	}
	*t.Channels.Of(dossier.ChannelEmail) = dossier.MessageCounts{Inbound: int(c.EmailIn), Outbound: int(c.EmailOut)}
	*t.Channels.Of(dossier.ChannelSMS) = dossier.MessageCounts{Inbound: int(c.SMSIn), Outbound: int(c.SMSOut)}
	*t.Channels.Of(dossier.ChannelWhatsApp) = dossier.MessageCounts{Inbound: int(c.WhatsappIn),
		Outbound: int(c.WhatsappOut)}
	return t
}

// reportSpan is a filter as sums are found by it: the whole hours of report_hours from first to last, and the leads of
// the hours that are only partly inside. The end is the first moment that no longer counts; nil has no bound.
type reportSpan struct {
	start, end  *time.Time
	first, last *time.Time // last is not included
	narrow      bool       // start and end lie in one hour: none is whole
}

func spanOf(filter dossier.ReportFilter) reportSpan {
	var s reportSpan
	if filter.Start != nil {
		start := filter.Start.UTC()
		first := start.Truncate(time.Hour)
		if first.Before(start) {
			first = first.Add(time.Hour)
		}
		s.start, s.first = &start, &first
	}
	if filter.End != nil {
		end := filter.End.UTC().Truncate(time.Millisecond).Add(time.Millisecond) // moments are compared in milliseconds
		last := end.Truncate(time.Hour)
		s.end, s.last = &end, &last
	}
	s.narrow = s.start != nil && s.end != nil && s.last.Before(*s.first)
	return s
}

// sums selects what adds up to the folded counts of the span, in up to three rows.
func (s reportSpan) sums(ws dossier.WorkspaceID) []squirrel.SelectBuilder {
	within := func(from, to *time.Time) squirrel.SelectBuilder {
		return psql.Select(countSums).From("report_leads").Where(
			"workspace_id = ? AND created_at >= ? AND created_at < ?", ws, *from, *to)
	}
	if s.narrow {
		return []squirrel.SelectBuilder{within(s.start, s.end)}
	}
	hours := psql.Select(countSums).From("report_hours").Where("workspace_id = ?", ws)
	var all []squirrel.SelectBuilder
	if s.start != nil {
		hours, all = hours.Where("hour >= ?", *s.first), append(all, within(s.start, s.first))
	}
	if s.end != nil {
		hours, all = hours.Where("hour < ?", *s.last), append(all, within(s.last, s.end))
	}
	return append(all, hours)
}

// folded keeps the rows of report_leads that a span has.
func (s reportSpan) folded(q squirrel.SelectBuilder, ws dossier.WorkspaceID) squirrel.SelectBuilder {
	q = q.From("report_leads r").Where("r.workspace_id = ?", ws)
	if s.start != nil {
		q = q.Where("r.created_at >= ?", *s.start)
	}
	if s.end != nil {
		q = q.Where("r.created_at < ?", *s.end)
	}
	return q
}

// sumCounts runs queries of sums in one round trip and adds their rows.
func sumCounts(ctx context.Context, tx *tx, into *counts, sign int64, queries ...squirrel.SelectBuilder) error {
	batch := &pgx.Batch{}
	for _, q := range queries {
		sql, args, err := q.ToSql()
		if err != nil {
			return err
		}
		queueRows(batch, pgx.RowToStructByName[counts], func(c counts) { into.add(c, sign) }, sql, args...)
	}
	return tx.SendBatch(ctx, batch).Close()
}
