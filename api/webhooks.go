package api

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/record"
)

// endpointMargin is for a delivery that a sender has just begun to sign.
const endpointMargin = 500 * time.Millisecond

// webhookBody is the body of POST /save-webhook. Its rules stand in dossier.WebhookUpdate.
type webhookBody struct {
	ID          *dossier.WebhookID                `json:"id"`
	URL         *string                           `json:"url" check:"notnull,max=10000"`
	Headers     *[]webhookHeader                  `json:"headers" check:"notnull"`
	IsEnabled   *bool                             `json:"isEnabled" check:"notnull"`
	Events      web.Optional[[]dossier.EventType] `json:"events"`
	Mode        *dossier.Mode                     `json:"mode" check:"notnull"`
	Description web.Optional[string]              `json:"description" check:"max=10000"`
	RateLimit   web.Optional[int]                 `json:"rateLimit"`
}

type webhookHeader struct {
	Key   string `json:"key" check:"max=10000"`
	Value string `json:"value" check:"max=10000"`
}

// saveWebhookAnswer is api.md's answer. secret is there at creation only.
type saveWebhookAnswer struct {
	WebhookID dossier.WebhookID `json:"webhookId"`
	success
	Secret   string           `json:"secret,omitempty"`
	Warnings []webhookWarning `json:"warnings,omitempty"`
}

// webhookWarning is something about a registration that works and that somebody should look at.
type webhookWarning struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// warningsOf says what is to be thought of; nil: nothing.
func warningsOf(w dossier.Webhook) []webhookWarning {
	if !w.PlainHTTP() {
		return nil
	}
	return []webhookWarning{{"plain_http",
		"The address is plain http: events with personal data can be read and changed " +
			"on their way. Use https"}}
}

type webhookAnswer struct {
	success
	Webhook record.Webhook `json:"webhook"`
}

type rotateSecretAnswer struct {
	success
	Webhook record.Webhook `json:"webhook"`
	Secret  string         `json:"secret"`
}

type webhooksAnswer struct {
	success
	Webhooks  []record.Webhook `json:"webhooks"`
	NextToken *string          `json:"nextToken"`
}

type webhooksQuery struct{ paging }

type testWebhookAnswer struct {
	success
	EventID dossier.EventID `json:"eventId"`
}

// saveWebhook creates a registration, or changes the one whose id is sent. A repeat of a creation without
// Idempotency-Key creates another.
func (s *Server) saveWebhook(c *fiber.Ctx) error {
	body, err := decode[webhookBody](c)
	if err != nil {
		return err
	}
	update := body.update()
	update.Allow = s.WebhookAllow
	if callerOf(c).key.IsTest {
		if err := update.OfTestKey(); err != nil {
			return err
		}
	}
	if body.ID == nil {
		w, secret, err := s.db.CreateWebhook(c.UserContext(), workspace(c), update)
		if err != nil {
			return err
		}
		return send(c, fiber.StatusOK, saveWebhookAnswer{w.ID, yes, secret, warningsOf(w)})
	}
	w, err := s.db.UpdateWebhook(c.UserContext(), workspace(c), *body.ID, update)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, saveWebhookAnswer{w.ID, yes, "", warningsOf(w)})
}

func (b webhookBody) update() dossier.WebhookUpdate {
	u := dossier.WebhookUpdate{URL: b.URL, Enabled: b.IsEnabled, Mode: b.Mode}
	if b.Headers != nil {
		headers := make([]dossier.Header, len(*b.Headers))
		for i, h := range *b.Headers {
			headers[i] = dossier.Header(h)
		}
		u.Headers = &headers
	}
	if b.Events.Set {
		events := b.Events.Value
		if !b.Events.Null {
			events = orEmpty(events)
		}
		u.Events = &events
	}
	if b.Description.Set {
		u.Description = &b.Description.Value
	}
	if b.RateLimit.Set {
		limit := b.RateLimit.Value
		if !b.RateLimit.Null && limit == 0 {
			limit = -1 // zero a second is no limit one can have; null is "none"
		}
		u.RateLimit = &limit
	}
	return u
}

func (s *Server) listWebhooks(c *fiber.Ctx) error {
	q, err := query[webhooksQuery](c)
	if err != nil {
		return err
	}
	page, err := q.page(c)
	if err != nil {
		return err
	}
	found, err := s.db.Webhooks(c.UserContext(), workspace(c), page)
	if err != nil {
		return err
	}
	found, next := pageEnd(c, page, found,
		func(w dossier.Webhook) dossier.Cursor { return dossier.Cursor{At: w.CreatedAt, ID: string(w.ID)} })
	answer := webhooksAnswer{success: yes, Webhooks: []record.Webhook{}, NextToken: next}
	for _, w := range found {
		answer.Webhooks = append(answer.Webhooks, record.OfWebhook(w, s.Now()))
	}
	return send(c, fiber.StatusOK, answer)
}

func (s *Server) readWebhook(c *fiber.Ctx) error {
	id, err := pathID[dossier.WebhookID](c, "webhookId")
	if err != nil {
		return err
	}
	w, err := s.db.Webhook(c.UserContext(), workspace(c), id)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, webhookAnswer{yes, record.OfWebhook(w, s.Now())})
}

// deleteWebhook removes a registration. Deliveries that wait for it end as CANCELLED shortly after.
func (s *Server) deleteWebhook(c *fiber.Ctx) error {
	id, err := pathID[dossier.WebhookID](c, "webhookId")
	if err != nil {
		return err
	}
	if err := s.db.DeleteWebhook(c.UserContext(), workspace(c), id); err != nil {
		return err
	}
	return noContent(c)
}

// testWebhook sends webhook.test to this endpoint only; its delivery is found under the event's id.
func (s *Server) testWebhook(c *fiber.Ctx) error {
	id, err := pathID[dossier.WebhookID](c, "webhookId")
	if err != nil {
		return err
	}
	event, err := s.db.TestWebhook(c.UserContext(), workspace(c), id)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusAccepted, testWebhookAnswer{yes, event})
}

// rotateSecret shows a new secret once; the old one signs beside it for 24 hours. The answer comes when every sender
// has learned of it: from then on no delivery leaves with the old signature alone.
func (s *Server) rotateSecret(c *fiber.Ctx) error {
	id, err := pathID[dossier.WebhookID](c, "webhookId")
	if err != nil {
		return err
	}
	w, secret, err := s.db.RotateSecret(c.UserContext(), workspace(c), id)
	if err != nil {
		return err
	}
	s.pause(c.UserContext(), jobs.EndpointKnown+endpointMargin)
	return send(c, fiber.StatusOK, rotateSecretAnswer{yes, record.OfWebhook(w, s.Now()), secret})
}

// replayBody chooses what is replayed: deliveries created from since to until that ended as status.
type replayBody struct {
	Since  *time.Time `json:"since"`
	Until  *time.Time `json:"until"`
	Status *string    `json:"status"`
}

func (b replayBody) Faults() []dossier.Fault {
	var faults []dossier.Fault
	if _, ok := replayStatuses(b.Status); !ok {
		faults = append(faults, dossier.Fault{Pointer: "/status", Code: "invalid_value",
			Detail: "status is FAILED, SKIPPED or ALL; left out: FAILED and SKIPPED"})
	}
	if b.Since != nil && b.Until != nil && !b.Since.Before(*b.Until) {
		faults = append(faults, dossier.Fault{Pointer: "/until", Code: "out_of_range",
			Detail: "until must be after since"})
	}
	return faults
}

func replayStatuses(status *string) ([]dossier.DeliveryStatus, bool) {
	if status == nil {
		return []dossier.DeliveryStatus{dossier.DeliveryFailed, dossier.DeliverySkipped}, true
	}
	switch *status {
	case "FAILED", "SKIPPED":
		return []dossier.DeliveryStatus{dossier.DeliveryStatus(*status)}, true
	case "ALL":
		return []dossier.DeliveryStatus{dossier.DeliverySucceeded, dossier.DeliveryFailed, dossier.DeliverySkipped},
			true
	}
	return nil, false
}

type replayAnswer struct {
	success
	JobID  dossier.ReplayID `json:"jobId"`
	Result string           `json:"result"` // where to poll
}

// replayWebhook stages a replay. Without since it begins with the oldest kept, without until it ends now.
func (s *Server) replayWebhook(c *fiber.Ctx) error {
	id, err := pathID[dossier.WebhookID](c, "webhookId")
	if err != nil {
		return err
	}
	body, err := decodeOrEmpty[replayBody](c)
	if err != nil {
		return err
	}
	r := dossier.Replay{Since: time.Unix(0, 0), Until: s.Now()}
	r.Statuses, _ = replayStatuses(body.Status)
	if body.Since != nil {
		r.Since = *body.Since
	}
	if body.Until != nil {
		r.Until = *body.Until
	}
	r, err = s.db.CreateReplay(c.UserContext(), workspace(c), id, r)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusAccepted,
		replayAnswer{yes, r.ID, s.door.PublicURL(c) + "/api/v1/webhooks/" + string(id) + "/replays/" + string(r.ID)})
}

// replayPoll is a replay in the form of a pipeline's poll body.
type replayPoll struct {
	JobID       dossier.ReplayID     `json:"jobId"`
	Status      dossier.ReplayStatus `json:"status"`
	Progress    int                  `json:"progress"`
	Result      *replayResult        `json:"result"`
	TimeElapsed int64                `json:"timeElapsed"` // milliseconds
}

type replayResult struct {
	Matched  int64 `json:"matched"`
	Replayed int64 `json:"replayed"`
	Capped   bool  `json:"capped"` // more matched than one replay may hold; replay the rest with a later since
}

func (s *Server) pollReplay(c *fiber.Ctx) error {
	id, err := pathID[dossier.WebhookID](c, "webhookId")
	if err != nil {
		return err
	}
	replay, err := pathID[dossier.ReplayID](c, "replayId")
	if err != nil {
		return err
	}
	r, err := s.db.Replay(c.UserContext(), workspace(c), id, replay)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, replayJSON(r, s.Now()))
}

func replayJSON(r dossier.Replay, now time.Time) replayPoll {
	poll := replayPoll{JobID: r.ID, Status: r.Status, Progress: r.Progress()}
	if r.Matched != nil {
		poll.Result = &replayResult{Matched: *r.Matched, Replayed: r.Replayed, Capped: r.Capped}
	}
	if r.StartedAt != nil {
		end := now
		if r.FinishedAt != nil {
			end = *r.FinishedAt
		}
		poll.TimeElapsed = end.Sub(*r.StartedAt).Milliseconds()
	}
	return poll
}
