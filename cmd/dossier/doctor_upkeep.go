package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/jobs/worker"
	"github.com/dossierhq/dossier/storage/postgres"
)

// What of a disk must be free: parsers write there, and a database that finds none stops.
const (
	freeShare = 10      // percent
	freeBytes = 2 << 30 // and this much
	largeSize = 100 << 30
)

// lanes looks for those that nobody serves.
func (d *doctor) lanes(context.Context) {
	if d.redis == nil {
		d.skipped("lanes", "redis")
		return
	}
	unserved, err := worker.Unserved(d.redis)
	switch {
	case err != nil:
		d.failed("lanes", reason(err), "see the checks above")
	case len(unserved) == len(jobs.Lanes):
		d.warn("lanes", "no worker runs: jobs wait", "start dossier-worker")
	case len(unserved) > 0:
		d.warn("lanes", "no worker serves "+words(unserved)+": their jobs wait for ever",
			"name them in DOSSIER_LANES of some worker, or leave the variable away")
	default:
		d.ok("lanes", "each is served")
	}
}

// disk looks at the directory that parsers and uploads use here.
func (d *doctor) disk(context.Context) {
	dir := os.TempDir()
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		d.warn("disk", "cannot be asked: "+reason(err), "see that "+dir+" is there")
		return
	}
	free, all := fs.Bavail*uint64(fs.Bsize), fs.Blocks*uint64(fs.Bsize) //nolint:gosec // sizes of blocks are positive
	d.judgeDisk(dir, free, all)
}

func (d *doctor) judgeDisk(dir string, free, all uint64) {
	detail := fmt.Sprintf("%s has %.1f GB of %.1f free", dir, float64(free)/(1<<30), float64(all)/(1<<30))
	if free < freeBytes || free*100 < all*freeShare {
		d.warn("disk", detail, "make room, or give it a larger disk")
		return
	}
	d.ok("disk", "%s", detail)
}

// upkeep looks at what time does to a database.
func (d *doctor) upkeep(ctx context.Context) {
	if d.db == nil {
		d.skipped("upkeep", "postgres")
		return
	}
	found, err := postgres.InspectUpkeep(ctx, d.cfg.DatabaseURL)
	if err != nil {
		d.failed("upkeep", reason(err), "see the checks above")
		return
	}
	d.judgeUpkeep(found)
}

// backupAge is how old the last backup may be: a nightly one, with two hours to spare.
const backupAge = 26 * time.Hour

// backups looks at the last one.
func (d *doctor) backups(ctx context.Context) {
	if d.db == nil {
		d.skipped("backups", "postgres")
		return
	}
	reached, err := d.db.Milestones(ctx)
	if err != nil {
		d.failed("backups", reason(err), "see the checks above")
		return
	}
	at, noted := reached[postgres.MilestoneBackup]
	switch age := d.now().Sub(at).Round(time.Minute); {
	case !noted:
		d.warn("backups", "none was noted yet",
			"dossier backup, or dossier backup --note after your own tools made one")
	case age > backupAge:
		d.warn("backups", fmt.Sprintf("the last one is %s old", age), "dossier backup; see why the nightly one fails")
	default:
		d.ok("backups", "the last one is %s old", age)
	}
}

// webhooks looks for those whose events can be read on their way.
func (d *doctor) webhooks(ctx context.Context) {
	if d.db == nil {
		d.skipped("webhooks", "postgres")
		return
	}
	plain, err := d.db.PlainEndpoints(ctx)
	if err != nil {
		d.failed("webhooks", reason(err), "see the checks above")
		return
	}
	if len(plain) > 0 {
		d.warn("webhooks", "events with personal data go to plain http: "+words(plain),
			"give these webhooks https addresses")
		return
	}
	d.ok("webhooks", "none is sent to over plain http")
}

func (d *doctor) judgeUpkeep(found postgres.Upkeep) {
	if len(found.Releases) > 1 {
		d.warn("releases", "several run side by side: "+strings.Join(found.Releases, ", "),
			"finish the upgrade; or, if none is under way, find who still runs the old one")
	} else {
		d.ok("releases", "one runs: %s", strings.Join(found.Releases, ", "))
	}
	large := slices.DeleteFunc(slices.Clone(found.Tables),
		func(t postgres.TableSize) bool { return t.Bytes < largeSize && !t.Crowded() })
	if len(large) > 0 {
		names := make([]string, len(large))
		for i, t := range large {
			names[i] = fmt.Sprintf("%s (%.0f GB, %d rows, %d dead)", t.Name, float64(t.Bytes)/(1<<30), t.Live, t.Dead)
		}
		d.warn("tables", strings.Join(names, ", "),
			"shorter retention; and where much is dead, see that autovacuum runs and nobody holds an old transaction")
	} else {
		d.ok("tables", "none is over %d GB or half dead", largeSize>>30)
	}
	if !found.Partitions {
		d.warn("partitions", "the attempts of tomorrow have no partition of their own: old ones will be slow to delete",
			"see that some worker serves the lane system; its job system.sweep-events makes them")
	} else {
		d.ok("partitions", "those of attempts are there")
	}
}
