package main

import (
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/jobs/admin"
	"github.com/dossierhq/dossier/storage/postgres"
)

type lanesCommand struct {
	List   listLanes  `cmd:"" help:"List the lanes: what waits, what runs, which are paused."`
	Pause  pauseLane  `cmd:"" help:"Start no more jobs of a lane; those that run go on."`
	Resume resumeLane `cmd:"" help:"Start jobs of a paused lane again."`
	Share  shareLane  `cmd:"" help:"${lanes_share}"`
}

type listLanes struct{}

// Run lists the lanes.
func (listLanes) Run(a *app) error {
	return a.withDB(func(db *postgres.DB, _ setup.Config) error { return a.showLanes(db, jobs.Lanes) })
}

func (a *app) showLanes(db *postgres.DB, lanes []jobs.Lane) error {
	list, err := setup.Lanes(a.ctx, db, lanes)
	if err != nil {
		return err
	}
	return a.show(list, func(w io.Writer) {
		table(w, "No lanes.", laneHeading, laneRows(list))
	})
}

const laneHeading = "LANE STATE IN-TURN QUEUED RUNNING OLDEST LIMIT SHARES"

func laneRows(lanes []admin.Lane) (rows [][]string) {
	for _, l := range lanes {
		state, limit := "open", "-"
		if l.Paused {
			state = "paused"
		}
		if l.WorkspaceLimit != nil {
			limit = strconv.Itoa(*l.WorkspaceLimit)
		}
		rows = append(rows, []string{string(l.Lane), state, strconv.Itoa(l.InTurn), strconv.Itoa(l.Queued),
			strconv.Itoa(l.Running), (time.Duration(l.OldestSeconds) * time.Second).String(), limit,
			strconv.Itoa(len(l.Shares))})
	}
	return rows
}

type namedLane struct {
	Lane string `arg:"" help:"Name of the lane."`
}

func (n namedLane) lane() (jobs.Lane, error) {
	if !slices.Contains(jobs.Lanes, jobs.Lane(n.Lane)) {
		return "", usagef("%q is none of %s", n.Lane, words(jobs.Lanes))
	}
	return jobs.Lane(n.Lane), nil
}

type pauseLane struct{ namedLane }

// Run pauses a lane.
func (c pauseLane) Run(a *app) error { return a.switchLane(c.namedLane, true) }

type resumeLane struct{ namedLane }

// Run resumes a lane.
func (c resumeLane) Run(a *app) error { return a.switchLane(c.namedLane, false) }

func (a *app) switchLane(named namedLane, paused bool) error {
	lane, err := named.lane()
	if err != nil {
		return err
	}
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		if err := db.SetLanePaused(a.ctx, lane, paused, "command line"); err != nil {
			return err
		}
		return a.showLanes(db, []jobs.Lane{lane})
	})
}

type shareLane struct {
	namedLane
	Workspace string `placeholder:"W" help:"Of this workspace (key or id) instead of each."`
	Limit     int    `placeholder:"4" help:"Jobs of a workspace at once; 0: no limit, for one workspace the lane's."`
	Weight    int    `default:"1" help:"${lanes_weight}"`
}

// Run sets a share.
func (c shareLane) Run(a *app) error {
	lane, err := c.lane()
	switch {
	case err != nil:
		return err
	case !lane.Shared():
		return usagef("%s is not shared in turns; those that are: %s", lane, words(jobs.SharedLanes))
	case c.Limit < 0:
		return usagef("--limit must not be negative")
	case c.Weight < 1 || c.Weight > 100:
		return usagef("--weight must be between 1 and 100")
	case c.Workspace == "" && c.Weight != 1:
		return usagef("--weight is of one workspace: name it with --workspace")
	}
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		if c.Workspace == "" {
			err = db.SetLaneLimit(a.ctx, lane, c.Limit)
		} else {
			var w dossier.Workspace
			if w, err = workspaceNamed(a.ctx, db, c.Workspace); err == nil {
				err = db.SetLaneShare(a.ctx, postgres.LaneShare{Workspace: w.ID, Lane: lane, Weight: c.Weight,
					AtOnce: c.Limit})
			}
		}
		if err != nil {
			return err
		}
		return a.showLanes(db, []jobs.Lane{lane})
	})
}
