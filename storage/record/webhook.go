package record

import (
	"time"

	"github.com/dossierhq/dossier"
)

// Webhook is a registration (resources.md section 6). Header values are write-only: null.
type Webhook struct {
	ID             dossier.WebhookID    `json:"id"`
	URL            string               `json:"url"`
	Headers        []WebhookHeader      `json:"headers"`
	IsEnabled      bool                 `json:"isEnabled"`
	Events         *[]dossier.EventType `json:"events"` // null: all
	Mode           dossier.Mode         `json:"mode"`
	Description    *string              `json:"description"`
	RateLimit      *int                 `json:"rateLimit"` // per second
	DisabledReason *string              `json:"disabledReason"`
	Breaker        Breaker              `json:"breaker"`
	CreatedAt      Time                 `json:"createdAt"`
	UpdatedAt      Time                 `json:"updatedAt"`
}

// WebhookHeader is a header's name.
type WebhookHeader struct {
	Key   string  `json:"key"`
	Value *string `json:"value"`
}

// Breaker says whether the endpoint is called at all (resources.md section 11).
type Breaker struct {
	State     dossier.BreakerState `json:"state"`
	OpenUntil *Time                `json:"openUntil"`
}

// OfWebhook shapes a registration as it stands at now.
func OfWebhook(w dossier.Webhook, now time.Time) Webhook {
	r := Webhook{
		ID: w.ID, URL: w.URL, Headers: []WebhookHeader{}, IsEnabled: w.Enabled, Mode: w.Mode,
		Description: dossier.OrNil(w.Description), DisabledReason: dossier.OrNil(w.DisabledReason),
		Breaker:   Breaker{State: w.Breaker.State(now)},
		CreatedAt: Time(w.CreatedAt), UpdatedAt: Time(w.UpdatedAt),
	}
	if w.Events != nil {
		r.Events = &w.Events
	}
	for _, h := range w.Headers {
		r.Headers = append(r.Headers, WebhookHeader{Key: h.Key})
	}
	if w.RateLimit > 0 {
		r.RateLimit = &w.RateLimit
	}
	if r.Breaker.State != dossier.BreakerClosed {
		r.Breaker.OpenUntil = TimeOf(&w.Breaker.OpenUntil)
	}
	return r
}

// Delivery is one event on its way to one endpoint (resources.md section 6).
type Delivery struct {
	ID            dossier.DeliveryID     `json:"id"`
	WebhookID     dossier.WebhookID      `json:"webhookId"`
	EventID       dossier.EventID        `json:"eventId"`
	EventType     dossier.EventType      `json:"eventType"`
	LeadID        *dossier.LeadID        `json:"leadId"`
	Status        dossier.DeliveryStatus `json:"status"`
	Attempts      int                    `json:"attempts"`
	NextAttemptAt *Time                  `json:"nextAttemptAt"`
	LastStatus    *int                   `json:"lastStatus"`
	LastError     *dossier.ErrorClass    `json:"lastError"`
	CreatedAt     Time                   `json:"createdAt"`
	CompletedAt   *Time                  `json:"completedAt"`
}

// OfDelivery shapes a delivery.
func OfDelivery(d dossier.Delivery) Delivery {
	return Delivery{
		ID: d.ID, WebhookID: d.WebhookID, EventID: d.EventID, EventType: d.EventType, LeadID: dossier.OrNil(d.LeadID),
		Status:   d.Status,
		Attempts: d.Attempts, NextAttemptAt: TimeOf(d.NextAttemptAt), LastStatus: positive(d.LastStatus),
		LastError: dossier.OrNil(d.LastError),
		CreatedAt: Time(d.CreatedAt), CompletedAt: TimeOf(d.CompletedAt),
	}
}

func positive(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

// Attempt is an entry of a delivery's attemptLog.
type Attempt struct {
	Number     int                 `json:"number"`
	StartedAt  Time                `json:"startedAt"`
	DurationMS int64               `json:"durationMs"`
	Status     *int                `json:"status"`
	Error      *dossier.ErrorClass `json:"error"`
	Response   *string             `json:"response"` // null without a response head
}

// OfAttempt shapes an attempt.
func OfAttempt(a dossier.Attempt) Attempt {
	r := Attempt{Number: a.Number, StartedAt: Time(a.StartedAt), DurationMS: a.Duration.Milliseconds(),
		Status: positive(a.Status), Error: dossier.OrNil(a.Error)}
	if a.Status != 0 {
		r.Response = &a.Response
	}
	return r
}
