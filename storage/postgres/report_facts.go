package postgres

import (
	"encoding/json"
	"time"

	"github.com/dossierhq/dossier"
)

// reportFacts are what analytics say of a lead beside its id, its creation and what it counts for: the column facts of
// report_leads. A change of these names needs a migration that marks all leads as changed.
type reportFacts struct {
	FirstName       *string                          `json:"firstName,omitempty"`
	LastName        *string                          `json:"lastName,omitempty"`
	Email           *string                          `json:"email,omitempty"`
	PhoneNumber     *string                          `json:"phoneNumber,omitempty"`
	CompletedAt     *time.Time                       `json:"completedAt,omitempty"`
	NotInterestedAt *time.Time                       `json:"notInterestedAt,omitempty"`
	OptOutAt        *time.Time                       `json:"optOutAt,omitempty"`
	Channels        map[dossier.Channel]messageFacts `json:"channels,omitempty"`
	Interventions   interventionFacts                `json:"interventions,omitzero"`
	Items           []itemFacts                      `json:"items,omitempty"` // in checklist order
}

// messageFacts are dossier.MessageCounts.
type messageFacts struct {
	Inbound         int        `json:"inbound,omitempty"`
	Outbound        int        `json:"outbound,omitempty"`
	FirstInboundAt  *time.Time `json:"firstInboundAt,omitempty"`
	FirstOutboundAt *time.Time `json:"firstOutboundAt,omitempty"`
	LastInboundAt   *time.Time `json:"lastInboundAt,omitempty"`
	LastOutboundAt  *time.Time `json:"lastOutboundAt,omitempty"`
}

// interventionFacts are dossier.Interventions.
type interventionFacts struct {
	DocumentOverrides int `json:"documentOverrides,omitempty"`
	Escalations       int `json:"escalations,omitempty"`
	ManualUpdates     int `json:"manualUpdates,omitempty"`
	MessageEdits      int `json:"messageEdits,omitempty"`
	MessageRejects    int `json:"messageRejects,omitempty"`
}

// itemFacts are a dossier.ReportItem.
type itemFacts struct {
	Code      string              `json:"code"`
	Required  bool                `json:"required,omitempty"`
	Status    dossier.ItemStatus  `json:"status"`
	Value     json.RawMessage     `json:"value,omitempty"`
	UpdatedAt time.Time           `json:"updatedAt"`
	Source    dossier.ValueSource `json:"source,omitempty"`
}

func factsOf(r dossier.LeadReport) reportFacts {
	f := reportFacts{
		FirstName: r.FirstName, LastName: r.LastName, Email: r.Email, PhoneNumber: r.PhoneNumber,
		CompletedAt: r.CompletedAt, NotInterestedAt: r.NotInterestedAt, OptOutAt: r.OptOutAt,
		Channels: map[dossier.Channel]messageFacts{}, Interventions: interventionFacts(r.Interventions),
	}
	for i, channel := range dossier.Channels {
		if r.Channels[i] != (dossier.MessageCounts{}) {
			f.Channels[channel] = messageFacts(r.Channels[i])
		}
	}
	for _, item := range r.Items {
		f.Items = append(f.Items, itemFacts(item))
	}
	return f
}

// report is what factsOf was made of.
func (f reportFacts) report(lead dossier.LeadID, created time.Time) dossier.LeadReport {
	r := dossier.LeadReport{
		LeadID: lead, CreatedAt: created,
		FirstName: f.FirstName, LastName: f.LastName, Email: f.Email, PhoneNumber: f.PhoneNumber,
		CompletedAt: f.CompletedAt, NotInterestedAt: f.NotInterestedAt, OptOutAt: f.OptOutAt,
		Interventions: dossier.Interventions(f.Interventions),
	}
	for i, channel := range dossier.Channels {
		r.Channels[i] = dossier.MessageCounts(f.Channels[channel])
	}
	items := make([]dossier.ReportItem, len(f.Items))
	for i, item := range f.Items {
		items[i] = dossier.ReportItem(item)
	}
	r.SetItems(items)
	return r
}
