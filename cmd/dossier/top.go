package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/jobs/admin"
	"github.com/dossierhq/dossier/storage/postgres"
)

type topCommand struct {
	Every time.Duration `default:"2s" help:"How often a terminal is drawn anew, at least 1s."`
	Slow  time.Duration `default:"1s" help:"How long a statement runs before it is named."`
	Once  bool          `help:"Print once, as without a terminal."`
}

// busy is what an installation does at a moment.
type busy struct {
	At      time.Time                `json:"at"`
	Lanes   []admin.Lane             `json:"lanes"` // those with work, and those that are paused
	Tenants []postgres.BusyTenant    `json:"tenants"`
	Slow    []postgres.SlowStatement `json:"slow"`
}

// Run shows lanes, tenants and slow statements: again and again on a terminal, else once.
func (c topCommand) Run(a *app) error {
	if c.Every < time.Second {
		return usagef("--every must be at least 1s")
	}
	if c.Slow < 0 {
		return usagef("--slow must not be negative")
	}
	return a.withDB(func(db *postgres.DB, cfg setup.Config) error {
		if c.Once || a.json || !terminal(a.out) {
			now, err := a.busy(db, cfg, c.Slow)
			if err != nil {
				return err
			}
			return a.show(now, now.print)
		}
		return a.watch(c.Every, func() (busy, error) { return a.busy(db, cfg, c.Slow) })
	})
}

// terminal reports whether somebody looks at what is written.
func terminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// watch draws over what it drew before until the command is interrupted. An error is shown in its place: the database
// may come back.
func (a *app) watch(every time.Duration, look func() (busy, error)) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		var page bytes.Buffer
		if now, err := look(); a.ctx.Err() != nil {
			return nil
		} else if err != nil {
			fmt.Fprintf(&page, "%s\n%v\n", stamp(a.now()), err)
		} else {
			now.print(&page)
		}
		// From the upper left corner, each line to its end, and what is left below: nothing flickers.
		fmt.Fprint(a.out, "\x1b[H"+strings.ReplaceAll(page.String(), "\n", "\x1b[K\n")+"\x1b[J")
		select {
		case <-a.ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

func (a *app) busy(db *postgres.DB, cfg setup.Config, slow time.Duration) (busy, error) {
	now := busy{At: a.now().UTC(), Lanes: []admin.Lane{}}
	lanes, err := setup.Lanes(a.ctx, db, jobs.Lanes)
	if err != nil {
		return now, err
	}
	for _, l := range lanes {
		if l.Paused || l.InTurn+l.Queued+l.Running > 0 {
			now.Lanes = append(now.Lanes, l)
		}
	}
	if now.Tenants, err = db.BusyTenants(a.ctx, jobs.Lanes); err != nil {
		return now, err
	}
	now.Slow, err = postgres.InspectSlow(a.ctx, cfg.DatabaseURL, slow)
	return now, err
}

func (b busy) print(w io.Writer) {
	fmt.Fprintln(w, stamp(b.At))
	fmt.Fprintln(w)
	table(w, "No lane has work.", laneHeading, laneRows(b.Lanes))
	fmt.Fprintln(w)
	var rows [][]string
	for _, t := range b.Tenants {
		rows = append(rows, []string{t.Workspace, strconv.Itoa(t.Running), strconv.Itoa(t.Waiting)})
	}
	table(w, "No workspace has work.", "WORKSPACE RUNNING WAITING", rows)
	fmt.Fprintln(w)
	rows = nil
	for _, s := range b.Slow {
		var blockers []string
		for _, pid := range s.BlockedBy {
			blockers = append(blockers, strconv.Itoa(int(pid)))
		}
		rows = append(rows, []string{strconv.Itoa(s.Process), s.Since.Round(100 * time.Millisecond).String(), s.Waits,
			strings.Join(blockers, ","), short(s.Statement, 80)})
	}
	table(w, "No slow statement.", "PROCESS SINCE WAITS BLOCKED-BY STATEMENT", rows)
}
