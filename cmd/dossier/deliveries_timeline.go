package main

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/storage/postgres"
)

type eventTimeline struct {
	Event string `arg:"" help:"Id of the event, which is the webhook-id of its deliveries."`
}

// timelineEntry is one moment of an event's delivery: created for an endpoint, tried, ended, or due again.
type timelineEntry struct {
	At         time.Time          `json:"at"`
	What       string             `json:"what"` // offered, tried, due, or how the delivery ended
	WebhookID  dossier.WebhookID  `json:"webhookId"`
	DeliveryID dossier.DeliveryID `json:"deliveryId"`
	Number     int                `json:"number,omitempty"` // of the try
	Status     int                `json:"status,omitempty"`
	Error      string             `json:"error,omitempty"`
	DurationMs int64              `json:"durationMs,omitempty"`
}

// Run lists what happened to the event, the earliest first.
func (c eventTimeline) Run(a *app) error {
	if !dossier.ValidID(c.Event) {
		return usagef("%q is not the id of an event", c.Event)
	}
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		deliveries, err := db.AllDeliveries(a.ctx, postgres.DeliveryFilter{Event: dossier.EventID(c.Event)}, 1000)
		if err != nil {
			return err
		}
		list := []timelineEntry{}
		for _, d := range deliveries {
			_, attempts, err := db.Delivery(a.ctx, d.Workspace, d.ID)
			if err != nil {
				return err
			}
			list = append(list, timelineOf(d, attempts)...)
		}
		slices.SortStableFunc(list, func(a, b timelineEntry) int { return a.At.Compare(b.At) })
		return a.show(list, func(w io.Writer) {
			table(w, "No endpoint was offered this event.", "AT WHAT WEBHOOK TRY ANSWER", timelineRows(list))
		})
	})
}

func timelineOf(d dossier.Delivery, attempts []dossier.Attempt) []timelineEntry {
	at := func(when time.Time, what string) timelineEntry {
		return timelineEntry{At: when, What: what, WebhookID: d.WebhookID, DeliveryID: d.ID}
	}
	way := []timelineEntry{at(d.CreatedAt, "offered")}
	for _, attempt := range attempts {
		tried := at(attempt.StartedAt, "tried")
		tried.Number, tried.Status, tried.Error, tried.DurationMs = attempt.Number, attempt.Status,
			string(attempt.Error), attempt.Duration.Milliseconds()
		way = append(way, tried)
	}
	switch {
	case d.CompletedAt != nil:
		way = append(way, at(*d.CompletedAt, strings.ToLower(string(d.Status))))
	case d.NextAttemptAt != nil:
		way = append(way, at(*d.NextAttemptAt, "due"))
	}
	return way
}

func timelineRows(list []timelineEntry) [][]string {
	var rows [][]string
	for _, h := range list {
		try, answer := "", ""
		if h.Number > 0 {
			try = strconv.Itoa(h.Number)
			answer = strings.TrimSpace(strconv.Itoa(h.Status)+" "+h.Error) + " in " +
				strconv.FormatInt(h.DurationMs, 10) + " ms"
		}
		rows = append(rows, []string{stamp(h.At), h.What, string(h.WebhookID), try, answer})
	}
	return rows
}
