package main

import (
	"bytes"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// healthy is an installation with everything there.
func healthy(t *testing.T) (operated, *miniredis.Miniredis, *objects.Store) {
	o, redis, cfg := newOperated(t), miniredis.RunT(t), objectstest.Config(t)
	o.environ = append(o.environ, "REDIS_URL=redis://"+redis.Addr(), "S3_ENDPOINT="+cfg.Endpoint, "S3_ACCESS_KEY="+cfg.AccessKey,
		"S3_SECRET_KEY="+cfg.SecretKey, "S3_BUCKET="+cfg.Bucket)
	store, err := objects.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return o, redis, store
}

// examine runs doctor as often as a test likes and returns the findings by check.
func examine(t *testing.T, o operated, wantCode int, args ...string) map[string]finding {
	t.Helper()
	r := call(t, o.environ, "", append([]string{"doctor"}, args...)...)
	if r.code != wantCode || r.err != "" {
		t.Errorf("exit %d, want %d\n%s%s", r.code, wantCode, r.out, r.err)
	}
	found := map[string]finding{}
	for line := range strings.Lines(r.out) {
		fields := strings.Fields(line)
		if fields[0] == "->" {
			continue
		}
		for _, check := range []string{"environment", "secret key", "stored secrets", "postgres", "schema", "roles", "store", "redis", "clock", "outbox", "repair of jobs", "jobs", "object storage", "webhooks", "backups", "leftovers", "tesseract", "dossier-ocr", "poppler", "parser sandbox"} {
			rest := strings.TrimSpace(strings.TrimPrefix(line, fields[0]))
			if strings.HasPrefix(rest, check+" ") {
				found[check] = finding{Check: check, Status: fields[0], Detail: rest}
				break
			}
		}
	}
	return found
}

func wantStatus(t *testing.T, found map[string]finding, check, status, says string) {
	t.Helper()
	if f := found[check]; f.Status != status || !strings.Contains(f.Detail, says) {
		t.Errorf("%s: %+v, want %s saying %q", check, f, status, says)
	}
}

func TestDoctor_healthy(t *testing.T) {
	t.Parallel()
	o, _, _ := healthy(t)
	found := examine(t, o, 0)
	for _, check := range []string{"environment", "secret key", "postgres", "schema", "roles", "stored secrets", "redis", "clock", "outbox", "jobs", "object storage", "leftovers", "parser sandbox"} {
		wantStatus(t, found, check, "ok", "")
	}
	wantStatus(t, found, "backups", "warning", "none was noted yet")
	all := value[examined](t, o, "doctor")
	if !all.OK || len(all.Checks) < 13 {
		t.Errorf("%+v", all)
	}
}

func TestDoctor_nothing_there(t *testing.T) {
	t.Parallel()
	o := operated{environ: []string{"DATABASE_URL=postgres://u:topsecret@127.0.0.1:1/d", "REDIS_URL=redis://127.0.0.1:1", "S3_ENDPOINT=http://127.0.0.1:1",
		"S3_ACCESS_KEY=a", "S3_SECRET_KEY=topsecret"}}
	found := examine(t, o, 1)
	wantStatus(t, found, "environment", "failed", "DOSSIER_SECRET_KEY must be set")
	wantStatus(t, found, "secret key", "failed", "not set")
	wantStatus(t, found, "postgres", "failed", "127.0.0.1")
	wantStatus(t, found, "redis", "failed", "127.0.0.1")
	wantStatus(t, found, "object storage", "failed", "127.0.0.1")
	for _, check := range []string{"schema", "jobs", "leftovers", "stored secrets"} {
		wantStatus(t, found, check, "skipped", "needs")
	}
	r := call(t, o.environ, "", "doctor")
	contains(t, r.out, "-> start PostgreSQL", "-> start Redis", "openssl rand -base64 32")
	if strings.Contains(r.out+r.err, "topsecret") {
		t.Error("a secret is printed")
	}
}

func TestDoctor_schema_and_roles(t *testing.T) {
	t.Parallel()
	o, _, _ := healthy(t)
	o.Exec(t, `ALTER TABLE leads NO FORCE ROW LEVEL SECURITY`)
	wantStatus(t, examine(t, o, 1), "roles", "failed", "not forced on leads")
	o.Exec(t, `ALTER TABLE leads FORCE ROW LEVEL SECURITY`)
	o.Exec(t, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)`)
	wantStatus(t, examine(t, o, 1), "schema", "failed", "newer than this release")
}

// An address without https is warned of; that of the machine itself is not, nor what is off.
func TestDoctor_plain_http(t *testing.T) {
	t.Parallel()
	o, _, _ := healthy(t)
	ws := o.Workspace(t)
	var plain dossier.WebhookID
	for i, at := range []string{"http://127.0.0.1:9/", "https://hooks.example/", "http://hooks.example/"} {
		if i == 2 {
			wantStatus(t, examine(t, o, 1), "webhooks", "ok", "none")
		}
		w, _, err := o.DB.CreateWebhook(t.Context(), ws, dossier.WebhookUpdate{URL: &at, Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
		if err != nil {
			t.Fatal(err)
		}
		plain = w.ID
	}
	wantStatus(t, examine(t, o, 1), "webhooks", "warning", string(plain))
	o.Exec(t, `UPDATE webhooks SET is_enabled = false`)
	wantStatus(t, examine(t, o, 1), "webhooks", "ok", "none")
}

func TestDoctor_wrong_secret_key(t *testing.T) {
	t.Parallel()
	o, _, _ := healthy(t)
	w := value[workspaceJSON](t, o, "workspaces", "create", "w")
	lead, _ := o.Lead(t, w.ID)
	o.do(t, "portal", "open", string(lead))
	wantStatus(t, examine(t, o, 0), "stored secrets", "ok", "the configured keys open all of")
	key := slices.IndexFunc(o.environ, func(pair string) bool { return strings.HasPrefix(pair, "DOSSIER_SECRET_KEY=") })
	before, fresh := o.environ[key], "DOSSIER_SECRET_KEY=AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI="
	o.environ[key] = fresh
	wantStatus(t, examine(t, o, 1), "stored secrets", "failed", "no configured key opens")

	// The new key beside the old one opens them, and after they were sealed anew it does alone.
	o.environ[key] = fresh + "," + strings.TrimPrefix(before, "DOSSIER_SECRET_KEY=")
	wantStatus(t, examine(t, o, 0), "stored secrets", "warning", "sealed with an older key")
	contains(t, o.do(t, "secrets", "reseal", "--dry-run"), "would be sealed anew")
	wantStatus(t, examine(t, o, 0), "stored secrets", "warning", "sealed with an older key")
	contains(t, o.do(t, "secrets", "reseal"), "were sealed anew")
	o.environ[key] = fresh
	wantStatus(t, examine(t, o, 0), "stored secrets", "ok", "the configured keys open all of")
}

// A job whose worker died, one that the queue forgot and one that was never relayed: found, and with --fix repaired.
func TestDoctor_jobs(t *testing.T) {
	t.Parallel()
	o, redis, _ := healthy(t)
	ws := o.Workspace(t)
	staged, err := o.DB.StageJobs(t.Context(), ws, jobs.Noop{Workspace: ws}, jobs.Noop{Workspace: ws}, jobs.Noop{Workspace: ws})
	if err != nil {
		t.Fatal(err)
	}
	dead, forgotten, waits := staged[0], staged[1], staged[2]
	o.Exec(t, `DELETE FROM outbox WHERE job_id <> $1`, waits)
	o.Exec(t, `UPDATE outbox SET created_at = created_at - interval '5 minutes'`)
	o.Exec(t, `UPDATE jobs SET status = 'RUNNING', attempt = 1, lease_until = now() - interval '5 minutes' WHERE id = $1`, dead)
	o.Exec(t, `UPDATE jobs SET run_at = now() - interval '5 minutes' WHERE id = $1`, forgotten)

	found := examine(t, o, 0)
	wantStatus(t, found, "outbox", "warning", "5m")
	wantStatus(t, found, "jobs", "warning", "1 running job of workers that stopped, 1 waiting job that the queue has lost")
	if len(redis.Keys()) != 0 {
		t.Errorf("looking has changed the queue: %v", redis.Keys())
	}
	found = examine(t, o, 0, "--fix")
	wantStatus(t, found, "repair of jobs", "fixed", "1 relayed to the queue, 1 taken from workers that stopped (0 of them had no try left), 1 lost by the queue staged again")
	wantStatus(t, found, "outbox", "ok", "")
	wantStatus(t, found, "jobs", "ok", "none is stuck")
	for _, id := range staged {
		if !strings.Contains(strings.Join(redis.Keys(), " "), string(id)) {
			t.Errorf("job %s is not in the queue: %v", id, redis.Keys())
		}
	}
	if left := pgtest.Value[int64](t, o.Server, `SELECT count(*) FROM outbox`); left != 0 {
		t.Errorf("%d rows are left in the outbox", left)
	}
	if again := examine(t, o, 0, "--fix"); again["repair of jobs"].Check != "" {
		t.Errorf("a second repair did something: %+v", again["repair of jobs"])
	}
}

func TestDoctor_object_storage(t *testing.T) {
	t.Parallel()
	o, _, store := healthy(t)
	if _, err := store.Put(t.Context(), "orphan", "text/plain", bytes.NewReader([]byte("x")), 0); err != nil {
		t.Fatal(err)
	}
	// An object that was just written may belong to an upload that is still running.
	wantStatus(t, examine(t, o, 0, "--fix"), "leftovers", "ok", "0 objects")
	if _, err := store.Stat(t.Context(), "orphan"); err != nil {
		t.Errorf("a new object was deleted: %v", err)
	}
	d := &doctor{app: &app{ctx: t.Context(), environ: o.environ, now: func() time.Time { return time.Now().Add(48 * time.Hour) }}}
	defer d.close()
	d.environment(t.Context())
	d.postgres(t.Context())
	d.store(t.Context())
	d.storage(t.Context())
	d.leftovers(t.Context())
	if last := d.findings[len(d.findings)-1]; last.Status != statusWarning || !strings.Contains(last.Detail, "1 object that no row names") {
		t.Errorf("two days later: %+v", last)
	}
	d.fix = true
	d.leftovers(t.Context())
	if last := d.findings[len(d.findings)-1]; !last.Fixed || !strings.Contains(last.Detail, "deleted 1 object ") {
		t.Errorf("%+v", last)
	}
	if _, err := store.Stat(t.Context(), "orphan"); err == nil {
		t.Error("the orphan is still there")
	}
}

func TestDoctor_makes_the_bucket(t *testing.T) {
	t.Parallel()
	o, _, _ := healthy(t)
	for i, pair := range o.environ {
		if strings.HasPrefix(pair, "S3_BUCKET=") {
			o.environ[i] = pair + "-absent"
		}
	}
	wantStatus(t, examine(t, o, 1), "object storage", "failed", "no bucket")
	wantStatus(t, examine(t, o, 0, "--fix"), "object storage", "ok", "")
}
