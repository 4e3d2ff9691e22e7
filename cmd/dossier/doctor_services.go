package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/dossierhq/dossier/jobs/worker"
	"github.com/dossierhq/dossier/storage/cache"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres"
)

const (
	// stuckAfter is well above what workers need to repair things by themselves (20 s).
	stuckAfter = time.Minute
	// leftoverAge is how old an object without a row must be: an upload writes its bytes first and its row after them.
	leftoverAge = 24 * time.Hour
	// skewLimit is the difference between clocks worth a warning: webhook signatures and presigned URLs carry the time.
	skewLimit = 5 * time.Second
)

func (d *doctor) postgres(ctx context.Context) {
	if d.cfg.DatabaseURL == "" {
		d.skipped("postgres", "DATABASE_URL")
		return
	}
	health, err := postgres.Inspect(ctx, d.cfg.DatabaseURL)
	if err != nil {
		d.failed("postgres", reason(err), "start PostgreSQL, and check host, port, user and database in DATABASE_URL")
		return
	}
	d.ok("postgres", "PostgreSQL %s answers, %d connections allowed (each process uses up to %d)", health.Server,
		health.Connections, d.cfg.PoolSize+max(4, d.cfg.PoolSize/4))
	d.health = &health
}

// schema judges the schema's version, the two roles and the second wall between tenants.
func (d *doctor) schema(ctx context.Context) {
	if d.health == nil {
		d.skipped("schema", "postgres")
		return
	}
	want := postgres.SchemaVersion()
	switch {
	case d.health.Schema < want && d.fix:
		applied, _, err := d.cfg.MigrateDB(ctx, nil)
		if err != nil {
			d.failed("schema", reason(err), "dossier migrate, with the owner of the database in DATABASE_MIGRATE_URL")
			return
		}
		d.fixed("schema", "applied %s, now at version %d", count(len(applied), "migration"), want)
		if health, err := postgres.Inspect(ctx, d.cfg.DatabaseURL); err == nil {
			d.health = &health
		}
	case d.health.Schema < want:
		d.failed("schema", fmt.Sprintf("at version %d, this release works with %d", d.health.Schema, want),
			"dossier migrate")
	case d.health.Schema > want:
		d.failed("schema", fmt.Sprintf("at version %d, newer than this release's %d", d.health.Schema, want),
			"run the release that migrated it, or a newer one")
	default:
		d.ok("schema", "at version %d", want)
	}
	d.roles()
}

func (d *doctor) roles() {
	for _, role := range d.health.Roles {
		switch {
		case !role.Exists:
			d.failed("roles", "there is no role "+role.Name, "dossier migrate, as a login that may create roles")
			return
		case !role.Member:
			d.failed("roles", "the login of DATABASE_URL cannot take the role "+role.Name,
				"as the database's administrator: GRANT "+role.Name+" TO <login>")
			return
		case role.BypassRLS:
			d.failed("roles", role.Name+" can bypass row-level security",
				"as the database's administrator: ALTER ROLE "+role.Name+" NOSUPERUSER NOBYPASSRLS")
			return
		}
	}
	if len(d.health.Unguarded) > 0 {
		d.failed("roles", "row-level security is not forced on "+strings.Join(d.health.Unguarded, ", "),
			"ALTER TABLE ... ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY on each")
		return
	}
	d.ok("roles", "dossier_app and dossier_system can be taken, neither bypasses row-level security, every tenant's "+
		"table has it forced")
}

// store opens the database as the other programs do.
func (d *doctor) store(ctx context.Context) {
	if d.health == nil || d.health.Schema < postgres.SchemaVersion() {
		return // said already
	}
	// The pool outlives this check's deadline, which is only for opening it.
	db, err := d.cfg.OpenDB(ctx, d.log())
	if err != nil {
		d.failed("store", reason(err), "see the checks above")
		return
	}
	d.db = db
}

func (d *doctor) secrets(ctx context.Context) {
	if d.db == nil || len(d.cfg.SecretKeys) == 0 {
		d.skipped("stored secrets", "postgres and the secret key")
		return
	}
	found, err := d.db.Reseal(ctx, true, nil)
	switch {
	case err != nil:
		d.failed("stored secrets", reason(err), "see the checks above")
	case found.Closed > 0:
		d.failed("stored secrets", fmt.Sprintf("no configured key opens %d of %d", found.Closed, found.Secrets),
			"add the key they were written with to DOSSIER_SECRET_KEY, after a comma")
	case found.Sealed > 0 && len(d.cfg.SecretKeys) > 1:
		d.warn("stored secrets", fmt.Sprintf("%d of %d are sealed with an older key, or bound to less than their row",
			found.Sealed, found.Secrets), "dossier secrets reseal")
	default:
		d.ok("stored secrets", "the configured keys open all of %d", found.Secrets)
	}
}

func (d *doctor) queue(ctx context.Context) {
	if d.cfg.RedisURL == "" {
		d.skipped("redis", "REDIS_URL")
		return
	}
	redis, err := cache.Open(d.cfg.RedisURL)
	if err != nil {
		d.failed("redis", reason(err), "correct REDIS_URL")
		return
	}
	if err := redis.Ping(ctx); err != nil {
		_ = redis.Close()
		d.failed("redis", reason(err),
			"start Redis, and check host, port and password in REDIS_URL; meanwhile jobs wait and nothing is lost")
		return
	}
	d.redis = redis
	switch policy := redis.EvictionPolicy(ctx); policy {
	case "noeviction":
		d.ok("redis", "answers, evicts nothing")
	case "":
		d.ok("redis", "answers; its eviction policy cannot be asked for (it must be noeviction)")
	default:
		d.warn("redis", "answers, but may evict queued jobs: maxmemory-policy is "+policy+" (they would run late)",
			"redis-cli config set maxmemory-policy noeviction, and the same in redis.conf")
	}
}

// clock compares this machine's with those of the services.
func (d *doctor) clock(ctx context.Context) {
	if d.health == nil && d.redis == nil {
		d.skipped("clock", "postgres or redis")
		return
	}
	skew, whose := time.Duration(0), ""
	if d.db != nil {
		if at, err := d.db.Clock(ctx); err == nil {
			skew, whose = at.Sub(d.now()), "PostgreSQL"
		}
	}
	if d.redis != nil {
		if at, err := d.redis.Client().Time(ctx).Result(); err == nil && at.Sub(d.now()).Abs() > skew.Abs() {
			skew, whose = at.Sub(d.now()), "Redis"
		}
	}
	if skew.Abs() > skewLimit {
		d.warn("clock", fmt.Sprintf("this machine's differs from %s's by %s", whose, skew.Abs().Round(time.Second)),
			"run a time service (chrony, systemd-timesyncd) on every machine")
		return
	}
	d.ok("clock", "agrees with the services within %s", skewLimit)
}

// jobs looks for what workers should have dealt with.
func (d *doctor) jobs(ctx context.Context) {
	if d.db == nil || d.redis == nil {
		d.skipped("jobs", "postgres and redis")
		return
	}
	if d.fix {
		d.repairJobs(ctx)
	}
	stuck, err := worker.FindStuck(ctx, d.db, d.redis, stuckAfter)
	if err != nil {
		d.failed("jobs", reason(err), "see the checks above")
		return
	}
	const workers = "see that a dossier-worker runs and reaches Postgres and Redis"
	if stuck.Outbox > stuckAfter {
		d.warn("outbox", fmt.Sprintf("staged jobs have been waiting for the queue for %s",
			stuck.Outbox.Round(time.Second)), workers+"; dossier doctor --fix relays them now")
	} else {
		d.ok("outbox", "no staged job waits longer than %s", stuckAfter)
	}
	switch {
	case stuck.Expired+stuck.Lost > 0:
		d.warn("jobs", fmt.Sprintf("%s of workers that stopped, %s that the queue has lost",
			count(stuck.Expired, "running job"), count(stuck.Lost, "waiting job")),
			workers+"; dossier doctor --fix starts them again")
	case stuck.Waiting > 0:
		d.warn("jobs", fmt.Sprintf("%s in the queue for more than %s", count(stuck.Waiting, "job"), stuckAfter),
			"start more workers, and one for every lane (DOSSIER_LANES)")
	default:
		d.ok("jobs", "none is stuck")
	}
}

func (d *doctor) repairJobs(ctx context.Context) {
	done, err := worker.Repair(ctx, d.db, d.redis, stuckAfter)
	if err != nil {
		d.failed("repair of jobs", reason(err), "see the checks above")
		return
	}
	if done != (worker.Repaired{}) {
		d.fixed("repair of jobs",
			"%d relayed to the queue, %d taken from workers that stopped (%d of them had no try left), %d lost by "+
				"the "+
				"queue staged again",
			done.Relayed, done.Again+done.Failed, done.Failed, done.Redriven)
	}
}

// storage writes, reads and deletes an object.
func (d *doctor) storage(ctx context.Context) {
	if d.cfg.Objects.Endpoint == "" {
		d.skipped("object storage", "S3_ENDPOINT")
		return
	}
	store, err := objects.Open(d.cfg.Objects)
	if err != nil {
		d.failed("object storage", reason(err), "correct the S3_ variables")
		return
	}
	if d.fix {
		if err := store.EnsureBucket(ctx); err != nil {
			d.failed("object storage", reason(err), "start it, and check S3_ENDPOINT, S3_ACCESS_KEY and S3_SECRET_KEY")
			return
		}
	}
	if err := store.Ping(ctx); err != nil {
		d.failed("object storage", reason(err),
			"start it, check S3_ENDPOINT, S3_ACCESS_KEY and S3_SECRET_KEY, and make the "+
				"bucket "+d.cfg.Objects.Bucket+" (dossier doctor --fix does)")
		return
	}
	if err := tryStorage(ctx, store); err != nil {
		d.failed("object storage", reason(err),
			"let the access key read, write and delete in the bucket "+d.cfg.Objects.Bucket)
		return
	}
	d.objects = store
	d.ok("object storage", "an object was written to the bucket %s, read and deleted", d.cfg.Objects.Bucket)
}

func tryStorage(ctx context.Context, store *objects.Store) error {
	key, content := "doctor/"+postgres.NewID(), []byte("dossier doctor")
	if _, err := store.Put(ctx, key, "text/plain", bytes.NewReader(content), 0); err != nil {
		return err
	}
	object, err := store.Get(ctx, key)
	if err != nil {
		return err
	}
	defer func() { _ = object.Close() }()
	read, err := io.ReadAll(object)
	if err != nil {
		return err
	}
	if !bytes.Equal(read, content) {
		return fmt.Errorf("what was read is not what was written")
	}
	return store.Delete(ctx, key)
}

// leftovers are objects that no row names and uploads that never ended.
func (d *doctor) leftovers(ctx context.Context) {
	if d.db == nil || d.objects == nil {
		d.skipped("leftovers", "postgres and object storage")
		return
	}
	before := d.now().Add(-leftoverAge)
	orphans, err := worker.Orphans(ctx, d.db, d.objects, before)
	if err != nil {
		d.failed("leftovers", reason(err), "see the checks above")
		return
	}
	uploads, err := d.objects.CountIncomplete(ctx, before)
	if err != nil {
		d.failed("leftovers", reason(err), "see the checks above")
		return
	}
	detail := fmt.Sprintf("%s that no row names, %s, older than %s", count(len(orphans), "object"),
		count(uploads, "unfinished upload"), leftoverAge)
	switch {
	case len(orphans)+uploads == 0:
		d.ok("leftovers", "%s", detail)
	case d.fix:
		d.removeLeftovers(ctx, orphans, before)
	default:
		d.warn("leftovers", detail, "a dossier-worker sweeps them daily; dossier doctor --fix deletes them now")
	}
}

func (d *doctor) removeLeftovers(ctx context.Context, orphans []string, before time.Time) {
	for _, key := range orphans {
		if err := d.objects.Delete(ctx, key); err != nil {
			d.failed("leftovers", reason(err), "let the access key delete in the bucket")
			return
		}
	}
	dropped, err := d.objects.AbortIncomplete(ctx, before)
	if err != nil {
		d.failed("leftovers", reason(err), "let the access key abort uploads in the bucket")
		return
	}
	d.fixed("leftovers", "deleted %s and %s", count(len(orphans), "object"), count(dropped, "unfinished upload"))
}
