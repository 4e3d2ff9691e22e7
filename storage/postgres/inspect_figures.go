package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// Figures are what operators count over all tenants: numbers only, none of which names anybody.
type Figures struct {
	Schema           int64 // version of the schema
	EndpointsEnabled int   // and not behind an open breaker
	EndpointsOpen    int   // enabled, and their breaker is open
	EndpointsOff     int
	ReviewOpen       int           // items that wait for a person's judgement, counted up to CountedBacklog
	ReviewOldest     time.Duration // since the one of them that was left alone longest was last touched
	ErasuresDue      int           // whose day has come, counted up to CountedBacklog
	ErasuresOldest   time.Duration // since the first of them was due
	Holds            int
	Archiving        bool          // the server archives its WAL
	ArchiveLag       time.Duration // since archiving last worked, while it fails; 0: it works
	BackupAt         time.Time     // of the last one that succeeded; before the first, when the database was made
	DrillAt          time.Time     // of the last restoration for practice; before the first, as above
}

// Figures counts; a few index probes, however much there is.
func (db *DB) Figures(ctx context.Context) (Figures, error) {
	rows, err := db.system.Query(ctx, `
		WITH hooks AS (SELECT is_enabled AS enabled, coalesce(breaker->>'OpenFor', '0') <> '0' AS open
				FROM webhooks WHERE deleted_at IS NULL),
			review AS (SELECT e.updated_at FROM checklist_entries e
				JOIN leads l ON l.workspace_id = e.workspace_id AND l.id = e.lead_id AND l.deleted_at IS NULL
				WHERE e.status = 'NEEDS_REVIEW' LIMIT $1),
			due AS (SELECT due_at FROM erasures WHERE status IN ('SCHEDULED', 'RUNNING') AND NOT waits
				AND due_at < now()
				ORDER BY due_at LIMIT $1)
		SELECT coalesce((SELECT max(version_id) FROM goose_db_version WHERE is_applied), 0),
			(SELECT count(*) FROM hooks WHERE enabled AND NOT open)::int,
			(SELECT count(*) FROM hooks WHERE enabled AND open)::int, (SELECT count(*) FROM hooks
			WHERE NOT enabled)::int,
			review.n, review.oldest, due.n, due.oldest,
			(SELECT count(*) FROM holds WHERE released_at IS NULL)::int,
			current_setting('archive_mode') <> 'off', coalesce(archiver.lag, 0),
			coalesce((SELECT at FROM milestones WHERE name = 'backup'), made.at),
			coalesce((SELECT at FROM milestones WHERE name = 'drill'), made.at)
		FROM (SELECT min(tstamp)::timestamptz AS at FROM goose_db_version) made,
			(SELECT count(*)::int AS n, coalesce(extract(epoch FROM now() - min(updated_at)), 0)::float8 AS oldest
				FROM review) review,
			(SELECT count(*)::int AS n, coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS oldest
				FROM due) due,
			(SELECT CASE WHEN last_failed_time > coalesce(last_archived_time, '-infinity') THEN
				extract(epoch FROM now() - coalesce(last_archived_time, stats_reset)) END::float8 AS lag
				FROM pg_stat_archiver) archiver`, CountedBacklog)
	if err != nil {
		return Figures{}, translate("figures", err)
	}
	f, err := pgx.CollectOneRow(rows, func(row pgx.CollectableRow) (f Figures, err error) {
		var review, due, lag float64
		var backup, drill *time.Time
		err = row.Scan(&f.Schema, &f.EndpointsEnabled, &f.EndpointsOpen, &f.EndpointsOff, &f.ReviewOpen, &review,
			&f.ErasuresDue, &due, &f.Holds, &f.Archiving, &lag, &backup, &drill)
		f.BackupAt, f.DrillAt = orZero(backup), orZero(drill)
		f.ReviewOldest, f.ErasuresOldest, f.ArchiveLag = seconds(review), seconds(due), seconds(lag)
		return f, err
	})
	return f, translate("figures", err)
}

func orZero(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.UTC()
}

// plainShown is how many webhooks on plain http are named.
const plainShown = 10

// PlainEndpoints are the ids of some webhooks, over all tenants, that are enabled and whose events can be read on their
// way; none when there are none.
func (db *DB) PlainEndpoints(ctx context.Context) ([]dossier.WebhookID, error) {
	type endpoint struct {
		ID  dossier.WebhookID
		URL string
	}
	rows, err := db.system.Query(ctx, `SELECT id, url FROM webhooks WHERE is_enabled AND deleted_at IS NULL
		AND url ILIKE 'http://%' ORDER BY created_at, id`)
	if err != nil {
		return nil, translate("plain endpoints", err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[endpoint])
	var plain []dossier.WebhookID
	for _, e := range all {
		if (dossier.Webhook{URL: e.URL}).PlainHTTP() && len(plain) < plainShown {
			plain = append(plain, e.ID)
		}
	}
	return plain, translate("plain endpoints", err)
}

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }

// PoolState is a pool of connections at a moment.
type PoolState struct {
	Name             string // tenant or system
	Busy, Idle, Most int
	Waits            int64 // how often somebody found no free connection, or held its tenant's share of them
	Waited           time.Duration
}

// Pools says how busy the connections of this process are.
func (db *DB) Pools() []PoolState {
	states := make([]PoolState, 0, 2)
	for name, p := range map[string]*pool{"tenant": db.app, "system": db.system} {
		s := p.conns.Stat()
		state := PoolState{Name: name, Busy: int(s.AcquiredConns()), Idle: int(s.IdleConns()),
			Most: int(s.MaxConns()), Waits: s.EmptyAcquireCount(), Waited: s.EmptyAcquireWaitTime()}
		if p == db.app {
			state.Waits += db.shares.waits.Load()
			state.Waited += time.Duration(db.shares.waited.Load())
		}
		states = append(states, state)
	}
	return states
}
