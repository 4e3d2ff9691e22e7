package console

import (
	"cmp"
	"errors"
	"net/url"
	"time"
)

type webhook struct {
	ID, URL, Mode, Description string
	IsEnabled                  bool
	Events                     []string
	RateLimit                  *int
	DisabledReason             *string
	Breaker                    struct {
		State     string
		OpenUntil *time.Time
	}
	CreatedAt, UpdatedAt time.Time
}

type delivery struct {
	ID, WebhookID, EventID, EventType, Status string
	LeadID                                    *string
	Attempts                                  int
	NextAttemptAt, CompletedAt                *time.Time
	LastStatus                                *int
	LastError                                 *string
	CreatedAt                                 time.Time
	AttemptLog                                []struct {
		Number     int
		StartedAt  time.Time
		DurationMS int64
		Status     *int
		Error      *string
		Response   *string
	}
}

// webhooksPage is the endpoints and their deliveries, or one delivery with its attempts.
type webhooksPage struct {
	Webhooks   []webhook
	Deliveries []delivery
	Chosen     *webhook
	One        *delivery
	Status     string
	Statuses   []statusLink
	Leads      map[string]string // names by their ids
	Next       string
}

var deliveryStatuses = []string{"", "PENDING", "SUCCEEDED", "FAILED", "SKIPPED", "CANCELLED"}

// Webhooks shows endpoints and deliveries; the address chooses an endpoint, a status or one delivery.
func (v Visit) Webhooks() (Page, error) {
	chosen, one := v.Query.Get("webhook"), v.Query.Get("delivery")
	data := webhooksPage{Status: v.Query.Get("status")}
	for _, status := range deliveryStatuses {
		data.Statuses = append(data.Statuses, statusLink{status,
			with(v.Base+"/console/webhooks", url.Values{"webhook": {chosen}, "status": {status}}),
			status == data.Status})
	}
	asked := url.Values{"webhookId": {chosen}, "status": {data.Status}, "token": {v.Query.Get("page")}, "limit": {"50"}}
	err := errors.Join(
		fill(v, "/api/v1/webhooks?limit=200", func(a struct{ Webhooks []webhook }) { data.Webhooks = a.Webhooks }),
		fill(v, with("/api/v1/webhooks/deliveries", asked), func(a struct {
			Deliveries []delivery
			NextToken  *string
		}) {
			data.Deliveries = a.Deliveries
			if a.NextToken != nil {
				data.Next = with(v.Base+"/console/webhooks", url.Values{"webhook": {chosen}, "status": {data.Status},
					"page": {*a.NextToken}})
			}
		}))
	if err == nil && one != "" {
		err = fill(v, "/api/v1/webhooks/deliveries/"+url.PathEscape(one), func(a struct{ Delivery delivery }) {
			data.One = &a.Delivery
		})
	}
	if err == nil {
		data.Leads, err = v.leadNames(data.leadIDs())
	}
	for i := range data.Webhooks {
		if data.Webhooks[i].ID == chosen {
			data.Chosen = &data.Webhooks[i]
		}
	}
	return Page{File: "webhooks", Title: "Webhooks", Tab: "webhooks", Data: data}, err
}

// leadIDs are those of the leads that the deliveries are about.
func (p webhooksPage) leadIDs() []string {
	var ids []string
	for _, d := range p.Deliveries {
		if d.LeadID != nil {
			ids = append(ids, *d.LeadID)
		}
	}
	if p.One != nil && p.One.LeadID != nil {
		ids = append(ids, *p.One.LeadID)
	}
	return ids
}

// Lead is what a lead is called.
func (p webhooksPage) Lead(id any) string {
	return cmp.Or(p.Leads[code(id)], "A lead that was deleted")
}

// Known says that the lead is there to be looked at.
func (p webhooksPage) Known(id any) bool { return p.Leads[code(id)] != "" }

// Endpoint is the address of an endpoint by its id.
func (p webhooksPage) Endpoint(id string) string {
	for _, w := range p.Webhooks {
		if w.ID == id {
			return w.URL
		}
	}
	return "an endpoint that was deleted"
}
