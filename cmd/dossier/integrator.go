package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/dossierhq/dossier/cmd/internal/integrator"
)

type listenCommand struct {
	ForwardTo string   `placeholder:"URL" help:"Where events are sent, signed as a webhook's are."`
	Events    []string `placeholder:"TYPE" help:"${listen_events}"`
	Print     bool     `help:"Also show the body of each event."`
	Since     string   `placeholder:"ID|TIME" help:"${listen_since}"`
	Secret    string   `placeholder:"whsec_..." help:"${listen_secret}"`
}

// Run follows the events of a workspace until it is interrupted.
func (c listenCommand) Run(a *app) error {
	if c.ForwardTo == "" && !c.Print {
		return usagef("give --forward-to an address that receives events, or --print, or both")
	}
	if unknown := integrator.UnknownPattern(c.Events); unknown != "" {
		return usagef("--events: %q is no type of event; lead.* stands for all of a kind", unknown)
	}
	client, err := a.apiClient()
	if err != nil {
		return err
	}
	return integrator.Listen{Client: client, ForwardTo: c.ForwardTo, Events: c.Events, Print: c.Print, Since: c.Since,
		Secret: c.Secret,
		JSON:   a.json, Out: a.out, Err: a.err, Now: a.now}.Run(a.ctx)
}

type triggerCommand struct {
	Event string `arg:"" optional:"" help:"Type of the event, for example document.validated."`
	List  bool   `help:"Name the events that can be played, one a line."`
	Lead  string `placeholder:"ID" help:"A test lead to play on; one is made without it."`
}

// Run plays the journey that leads to an event.
func (c triggerCommand) Run(a *app) error {
	if c.List {
		for _, name := range integrator.Events() {
			if _, err := fmt.Fprintln(a.out, name); err != nil {
				return err
			}
		}
		return nil
	}
	if !slices.Contains(integrator.Events(), c.Event) {
		return usagef("%q is no event that can be played; dossier trigger --list names those that can", c.Event)
	}
	client, err := a.apiClient()
	if err != nil {
		return err
	}
	return integrator.Trigger{Client: client, Event: c.Event, Lead: c.Lead,
		Inbound: a.variable("DOSSIER_INBOUND_EMAIL"), JSON: a.json, Out: a.out, Now: a.now}.Run(a.ctx)
}

type requestsCommand struct {
	Follow bool   `short:"f" help:"Go on with what is called from now on."`
	Status string `placeholder:"4xx" help:"Only answers of this status, or of this class of them."`
	Route  string `placeholder:"PART" help:"Only routes that contain this, for example leads."`
	Key    string `placeholder:"ID" help:"Only calls with the key of this id."`
	Since  string `placeholder:"TIME" help:"All calls since then (RFC 3339). Default: the last of them."`
	Limit  int    `short:"n" default:"20" help:"How many of the last calls; without --since."`
}

// Run shows which calls were made with the workspace's keys and what came of them.
func (c requestsCommand) Run(a *app) error {
	if c.Since != "" {
		if _, err := time.Parse(time.RFC3339, c.Since); err != nil {
			return usagef("--since: %q is no time like 2026-01-31T09:00:00Z", c.Since)
		}
		c.Limit = 0
	} else if c.Limit < 1 {
		return usagef("--limit must be 1 or more")
	}
	client, err := a.apiClient()
	if err != nil {
		return err
	}
	return integrator.Requests{Client: client, Status: c.Status, Route: c.Route, KeyID: c.Key, Since: c.Since,
		Limit: c.Limit, Follow: c.Follow, JSON: a.json, Out: a.out, Err: a.err}.Run(a.ctx)
}

type importCommand struct {
	File    string `arg:"" type:"existingfile" help:"${import_file}"`
	Archive string `type:"existingfile" placeholder:"ZIP" help:"The documents that the column documents names."`
	DryRun  bool   `help:"Make nothing; say what would be made."`
	Report  string `placeholder:"FILE" help:"Write what became of each row there, as CSV."`
}

// Run sends a table of leads and waits until all rows are settled. Exit status 1: a row was refused.
func (c importCommand) Run(a *app) error {
	client, err := a.apiClient()
	if err != nil {
		return err
	}
	return integrator.Import{Client: client, File: c.File, Archive: c.Archive, DryRun: c.DryRun, Report: c.Report,
		JSON: a.json, Out: a.out, Err: a.err}.Run(a.ctx)
}

// apiClient makes a client of the API at DOSSIER_URL, with the key DOSSIER_API_KEY.
func (a *app) apiClient() (*integrator.Client, error) {
	client, err := integrator.New(a.variable)
	if err != nil {
		return nil, usagef("%v", err)
	}
	return client, nil
}
