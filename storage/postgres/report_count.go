package postgres

import (
	"context"
	"strings"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// counts are what analytics total up, in the order of countColumns: of one lead, or of many added up.
type counts [len(countColumns)]int64

// countColumns are the columns of report_leads and report_hours that hold counts.
var countColumns = [...]string{"leads", "items", "completed_leads", "not_interested", "opted_out",
	"email_in", "email_out", "sms_in", "sms_out", "whatsapp_in", "whatsapp_out",
	"required", "completed", "by_agent", "by_imported", "by_manual", "by_portal",
	"document_overrides", "escalations", "manual_updates", "message_edits", "message_rejects"}

var (
	countList = strings.Join(countColumns[:], ", ")
	countSums = countExpressions("coalesce(sum(%), 0)::bigint")
)

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
	channel := func(c dossier.Channel) (in, out int64) {
		m := r.Channels.Of(c)
		return int64(m.Inbound), int64(m.Outbound)
	}
	emailIn, emailOut := channel(dossier.ChannelEmail)
	smsIn, smsOut := channel(dossier.ChannelSMS)
	whatsappIn, whatsappOut := channel(dossier.ChannelWhatsApp)
	done, people := r.Completion, r.Interventions
	return counts{1, int64(len(r.Items)), one(r.CompletedAt), one(r.NotInterestedAt), one(r.OptOutAt),
		emailIn, emailOut, smsIn, smsOut, whatsappIn, whatsappOut,
		int64(done.Required), int64(done.Completed), int64(done.Agent), int64(done.Imported), int64(done.Manual), int64(done.Portal),
		int64(people.DocumentOverrides), int64(people.Escalations), int64(people.ManualUpdates), int64(people.MessageEdits), int64(people.MessageRejects)}
}

// add adds the counts of other, times sign.
func (c *counts) add(other counts, sign int64) {
	for i := range c {
		c[i] += sign * other[i]
	}
}

func (c *counts) into() []any {
	list := make([]any, len(c))
	for i := range c {
		list[i] = &c[i]
	}
	return list
}

// totals gives the counts their names.
func (c counts) totals() dossier.ReportTotals {
	t := dossier.ReportTotals{Count: int(c[0]), Completed: int(c[2]), NotInterested: int(c[3]), OptedOut: int(c[4]),
		Completion: dossier.Completion{Required: int(c[11]), Completed: int(c[12]), Agent: int(c[13]), Imported: int(c[14]), Manual: int(c[15]), Portal: int(c[16])},
		Interventions: dossier.Interventions{DocumentOverrides: int(c[17]), Escalations: int(c[18]), ManualUpdates: int(c[19]),
			MessageEdits: int(c[20]), MessageRejects: int(c[21])}}
	for i, channel := range []dossier.Channel{dossier.ChannelEmail, dossier.ChannelSMS, dossier.ChannelWhatsApp} {
		of := t.Channels.Of(channel)
		of.Inbound, of.Outbound = int(c[5+2*i]), int(c[6+2*i])
	}
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
		return psql.Select(countSums).From("report_leads").Where("workspace_id = ? AND created_at >= ? AND created_at < ?", ws, *from, *to)
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
		queueRows(batch, scanCounts, func(c counts) { into.add(c, sign) }, sql, args...)
	}
	return tx.SendBatch(ctx, batch).Close()
}

func scanCounts(row pgx.Rows) (counts, error) {
	var c counts
	err := row.Scan(c.into()...)
	return c, err
}
