package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

type deliveriesCommand struct {
	List      listDeliveries   `cmd:"" help:"List deliveries of all workspaces, newest first."`
	Timeline  eventTimeline    `cmd:"" help:"${deliveries_timeline}"`
	Redeliver redeliverCommand `cmd:"" help:"Make deliveries due at once, with the same webhook-id."`
}

// deliveryJSON is a delivery in the API's shape, with its workspace.
type deliveryJSON struct {
	record.Delivery
	WorkspaceID dossier.WorkspaceID `json:"workspaceId"`
}

type listDeliveries struct {
	Workspace string        `placeholder:"W" help:"Of this workspace (key or id)."`
	Webhook   string        `placeholder:"ID" help:"To this webhook."`
	Event     string        `placeholder:"ID" help:"Of this event."`
	Status    string        `placeholder:"FAILED" help:"PENDING, SUCCEEDED, FAILED, SKIPPED or CANCELLED."`
	Type      string        `placeholder:"lead.created" help:"Of events of this type."`
	Since     time.Duration `placeholder:"24h" help:"Created within this time."`
	Limit     int           `default:"100" help:"At most so many."`
}

// Run lists deliveries.
func (c listDeliveries) Run(a *app) error {
	filter, err := c.filter(a.now())
	if err != nil {
		return err
	}
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		if c.Workspace != "" {
			w, err := workspaceNamed(a.ctx, db, c.Workspace)
			if err != nil {
				return err
			}
			filter.Workspace = w.ID
		}
		found, err := db.AllDeliveries(a.ctx, filter, c.Limit)
		if err != nil {
			return err
		}
		list, rows := []deliveryJSON{}, [][]string{}
		for _, d := range found {
			list = append(list, deliveryJSON{record.OfDelivery(d), d.Workspace})
			rows = append(rows, []string{string(d.ID), string(d.EventType), string(d.Status), strconv.Itoa(d.Attempts),
				lastOf(d), stampOf(d.NextAttemptAt), stamp(d.CreatedAt)})
		}
		return a.show(list, func(w io.Writer) {
			table(w, "No such deliveries.",
				"ID EVENT STATUS TRIES LAST NEXT CREATED", rows)
		})
	})
}

func (c listDeliveries) filter(now time.Time) (postgres.DeliveryFilter, error) {
	f := postgres.DeliveryFilter{Webhook: dossier.WebhookID(c.Webhook), Event: dossier.EventID(c.Event),
		Status: dossier.DeliveryStatus(strings.ToUpper(c.Status)), Type: dossier.EventType(c.Type)}
	if c.Since > 0 {
		f.Since = now.Add(-c.Since)
	}
	switch {
	case c.Webhook != "" && !dossier.ValidID(c.Webhook):
		return f, usagef("--webhook must be the id of a webhook")
	case c.Event != "" && !dossier.ValidID(c.Event):
		return f, usagef("--event must be the id of an event")
	case f.Status != "" && !slices.Contains(dossier.DeliveryStatuses(), f.Status):
		return f, usagef("--status: %q is none of %s", c.Status, words(dossier.DeliveryStatuses()))
	case f.Type != "" && !f.Type.Known():
		return f, usagef("--type: %q is not the name of an event", c.Type)
	case c.Since < 0:
		return f, usagef("--since must not be negative")
	}
	return f, positiveLimit(c.Limit)
}

// lastOf is what the last try gave.
func lastOf(d dossier.Delivery) string {
	switch {
	case d.LastError != "" && d.LastStatus != 0:
		return fmt.Sprintf("%d %s", d.LastStatus, d.LastError)
	case d.LastError != "":
		return string(d.LastError)
	case d.LastStatus != 0:
		return strconv.Itoa(d.LastStatus)
	}
	return ""
}

type redeliverCommand struct {
	IDs []string `arg:"" name:"id" help:"Ids of deliveries."`
}

type redelivered struct {
	Success    bool           `json:"success"`
	Deliveries []deliveryJSON `json:"deliveries"`
}

// Run redelivers, each in a commit of its own; it stops at the first that refuses.
func (c redeliverCommand) Run(a *app) error {
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		result := redelivered{Success: true, Deliveries: []deliveryJSON{}}
		for _, id := range c.IDs {
			ws, err := db.WorkspaceOfDelivery(a.ctx, dossier.DeliveryID(id))
			if err != nil {
				return fmt.Errorf("%s: %w", id, err)
			}
			d, err := db.Redeliver(a.ctx, ws, dossier.DeliveryID(id))
			if err != nil {
				return fmt.Errorf("%s: %w", id, err)
			}
			result.Deliveries = append(result.Deliveries, deliveryJSON{record.OfDelivery(d), ws})
		}
		return a.show(result, func(w io.Writer) {
			fmt.Fprintf(w, "Due at once: %s.\n", count(len(result.Deliveries), "delivery"))
		})
	})
}
