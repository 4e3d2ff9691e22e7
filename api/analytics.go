package api

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
)

// reportPage is how many leads a page of analytics has (api.md, Limits).
const reportPage = 500

type analyticsQuery struct {
	Start  *time.Time            `query:"start"`
	End    *time.Time            `query:"end"`
	Format *dossier.ReportFormat `query:"format"`
	Token  *string               `query:"token" check:"max=500"`
}

// Faults returns what api.md forbids although the values are well-formed.
func (q analyticsQuery) Faults() []dossier.Fault {
	var faults []dossier.Fault
	if q.Start != nil && q.End != nil && q.End.Before(*q.Start) {
		faults = append(faults, dossier.Fault{Parameter: "end", Code: "invalid_value",
			Detail: "end must be on or after start"})
	}
	if q.csv() && q.Token != nil {
		faults = append(faults, dossier.Fault{Parameter: "token", Code: "invalid_value",
			Detail: "token goes with format=json only: a CSV file has all leads"})
	}
	return faults
}

func (q analyticsQuery) csv() bool { return q.Format != nil && *q.Format == dossier.ReportCSV }

// list names the result set a token belongs to. The format is no part of it: json is json, said or not.
func (q analyticsQuery) list(ws dossier.WorkspaceID, test bool) string {
	bound := func(t *time.Time) string {
		if t == nil {
			return "-"
		}
		return strconv.FormatInt(t.UnixMicro(), 10)
	}
	return string(ws) + "\n" + strconv.FormatBool(test) + "\nanalytics\n" + bound(q.Start) + "\n" + bound(q.End)
}

// analyticsAnswer has no success field: it keeps api.md's shape (resources.md section 1).
type analyticsAnswer struct {
	Start     *string      `json:"start"` // as they were sent
	End       *string      `json:"end"`
	NextToken *string      `json:"nextToken"`
	Totals    reportTotals `json:"totals"`
	Breakdown []reportLead `json:"breakdown"`
}

type reportTotals struct {
	Count              int                 `json:"count"`
	LeadsCompleted     int                 `json:"leadsCompleted"`
	LeadsNotInterested int                 `json:"leadsNotInterested"`
	LeadsOptedOut      int                 `json:"leadsOptedOut"`
	TotalMessages      int                 `json:"totalMessages"`
	InboundMessages    int                 `json:"inboundMessages"`
	OutboundMessages   int                 `json:"outboundMessages"`
	Channels           totalsByChannel     `json:"channels"`
	Completion         reportCompletion    `json:"completion"`
	Interventions      reportInterventions `json:"interventions"`
}

// totalsByChannel and reportByChannel always have all three channels.
type totalsByChannel struct {
	SMS      channelTotals `json:"sms"`
	Email    channelTotals `json:"email"`
	WhatsApp channelTotals `json:"whatsapp"`
}

type reportByChannel struct {
	SMS      reportChannel `json:"sms"`
	Email    reportChannel `json:"email"`
	WhatsApp reportChannel `json:"whatsapp"`
}

type channelTotals struct {
	Inbound  int `json:"inbound"`
	Outbound int `json:"outbound"`
}

type reportCompletion struct {
	TotalRequired  int            `json:"totalRequired"`
	TotalCompleted int            `json:"totalCompleted"`
	BySource       reportBySource `json:"bySource"`
}

type reportBySource struct {
	Agent    int `json:"agent"`
	Imported int `json:"imported"`
	Manual   int `json:"manual"`
	Portal   int `json:"portal"`
}

type reportInterventions struct {
	DocumentOverrides int `json:"documentOverrides"`
	Escalations       int `json:"escalations"`
	ManualUpdates     int `json:"manualUpdates"`
	MessageEdits      int `json:"messageEdits"`
	MessageRejects    int `json:"messageRejects"`
}

type reportLead struct {
	LeadID          dossier.LeadID `json:"leadId"`
	FirstName       *string        `json:"firstName"`
	LastName        *string        `json:"lastName"`
	Email           *string        `json:"email"`
	PhoneNumber     *string        `json:"phoneNumber"`
	CreatedAt       instant        `json:"createdAt"`
	CompletedAt     *instant       `json:"completedAt"`
	NotInterestedAt *instant       `json:"notInterestedAt"`
	OptedOutAt      *instant       `json:"optedOutAt"`
	TotalMessages   int            `json:"totalMessages"`
	InboundMessages int            `json:"inboundMessages"`
	OutMessages     int            `json:"outboundMessages"`
	messageTimes
	Channels       reportByChannel     `json:"channels"`
	Completion     reportCompletion    `json:"completion"`
	Interventions  reportInterventions `json:"interventions"`
	ChecklistItems []reportItem        `json:"checklistItems"`
}

type messageTimes struct {
	FirstInboundAt  *instant `json:"firstInboundAt"`
	FirstOutboundAt *instant `json:"firstOutboundAt"`
	LastInboundAt   *instant `json:"lastInboundAt"`
	LastOutboundAt  *instant `json:"lastOutboundAt"`
}

type reportChannel struct {
	Inbound  int `json:"inbound"`
	Outbound int `json:"outbound"`
	messageTimes
}

type reportItem struct {
	Code      string               `json:"code"`
	Required  bool                 `json:"required"`
	Status    dossier.ItemStatus   `json:"status"`
	Value     json.RawMessage      `json:"value"`
	UpdatedAt instant              `json:"updatedAt"`
	Source    *dossier.ValueSource `json:"source"`
}

// analytics answers a page of reports with the totals of all, or the whole as a CSV file.
func (s *Server) analytics(c *fiber.Ctx) error {
	q, err := query[analyticsQuery](c)
	if err != nil {
		return err
	}
	if faults := q.Faults(); len(faults) > 0 {
		return dossier.InvalidFaults(faults)
	}
	if q.csv() {
		return s.analyticsCSV(c, q)
	}
	page, list := dossier.Page{Limit: reportPage}, q.list(workspace(c), callerOf(c).key.IsTest)
	if q.Token != nil {
		if page.After, err = readToken(*q.Token, list); err != nil {
			return err
		}
	}
	reports, totals, err := s.db.ReportPage(c.UserContext(), workspace(c),
		dossier.ReportFilter{Start: q.Start, End: q.End, Test: callerOf(c).key.IsTest}, page)
	if err != nil {
		return err
	}
	answer := analyticsAnswer{Start: given(c, "start"), End: given(c, "end"), Totals: totalsJSON(totals),
		Breakdown: []reportLead{}}
	if len(reports) > page.Limit {
		reports = reports[:page.Limit]
		last := reports[len(reports)-1]
		token := writeToken(dossier.Cursor{At: last.CreatedAt, ID: string(last.LeadID)}, list)
		answer.NextToken = &token
	}
	for _, r := range reports {
		answer.Breakdown = append(answer.Breakdown, reportJSON(r))
	}
	return send(c, fiber.StatusOK, answer)
}

// given echoes a parameter as it was sent; nil when it was not.
func given(c *fiber.Ctx, name string) *string {
	if !c.Context().QueryArgs().Has(name) {
		return nil
	}
	text := strings.Clone(c.Query(name))
	return &text
}

func totalsJSON(t dossier.ReportTotals) reportTotals {
	all := t.Channels.All()
	return reportTotals{
		Count: t.Count, LeadsCompleted: t.Completed, LeadsNotInterested: t.NotInterested, LeadsOptedOut: t.OptedOut,
		TotalMessages: all.Total(), InboundMessages: all.Inbound, OutboundMessages: all.Outbound,
		Channels: totalsByChannel{
			SMS:      channelTotalsJSON(t.Channels.Of(dossier.ChannelSMS)),
			Email:    channelTotalsJSON(t.Channels.Of(dossier.ChannelEmail)),
			WhatsApp: channelTotalsJSON(t.Channels.Of(dossier.ChannelWhatsApp)),
		},
		Completion: completionJSON(t.Completion), Interventions: reportInterventions(t.Interventions),
	}
}

func reportJSON(r dossier.LeadReport) reportLead {
	all := r.Channels.All()
	out := reportLead{
		LeadID: r.LeadID, FirstName: r.FirstName, LastName: r.LastName, Email: r.Email, PhoneNumber: r.PhoneNumber,
		CreatedAt:   instant(r.CreatedAt),
		CompletedAt: instantOrNil(r.CompletedAt), NotInterestedAt: instantOrNil(r.NotInterestedAt),
		OptedOutAt:    instantOrNil(r.OptOutAt),
		TotalMessages: all.Total(), InboundMessages: all.Inbound, OutMessages: all.Outbound,
		messageTimes: timesJSON(all),
		Channels: reportByChannel{
			SMS:      channelJSON(r.Channels.Of(dossier.ChannelSMS)),
			Email:    channelJSON(r.Channels.Of(dossier.ChannelEmail)),
			WhatsApp: channelJSON(r.Channels.Of(dossier.ChannelWhatsApp)),
		},
		Completion: completionJSON(r.Completion), Interventions: reportInterventions(r.Interventions),
		ChecklistItems: make([]reportItem, len(r.Items)),
	}
	for i, item := range r.Items {
		out.ChecklistItems[i] = reportItem{Code: item.Code, Required: item.Required, Status: item.Status,
			Value: item.Value, UpdatedAt: instant(item.UpdatedAt)}
		if item.Source != "" {
			out.ChecklistItems[i].Source = &item.Source
		}
	}
	return out
}

func channelTotalsJSON(m *dossier.MessageCounts) channelTotals {
	return channelTotals{m.Inbound, m.Outbound}
}

func channelJSON(m *dossier.MessageCounts) reportChannel {
	return reportChannel{m.Inbound, m.Outbound, timesJSON(*m)}
}

func timesJSON(m dossier.MessageCounts) messageTimes {
	return messageTimes{FirstInboundAt: instantOrNil(m.FirstInboundAt),
		FirstOutboundAt: instantOrNil(m.FirstOutboundAt),
		LastInboundAt:   instantOrNil(m.LastInboundAt), LastOutboundAt: instantOrNil(m.LastOutboundAt)}
}

func completionJSON(c dossier.Completion) reportCompletion {
	return reportCompletion{TotalRequired: c.Required, TotalCompleted: c.Completed,
		BySource: reportBySource{Agent: c.Agent, Imported: c.Imported, Manual: c.Manual, Portal: c.Portal}}
}
