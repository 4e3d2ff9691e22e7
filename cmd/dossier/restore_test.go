package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// emptyPlace is an environment with an empty database of the same server and an empty bucket.
func emptyPlace(t *testing.T, o operated) (environ []string, owner string, store *objects.Store) {
	t.Helper()
	u, err := url.Parse(o.URL)
	if err != nil {
		t.Fatal(err)
	}
	name := "test_restored_" + postgres.NewID()[24:]
	u.Path = "/" + name
	o.Exec(t, "CREATE DATABASE "+name)
	t.Cleanup(func() {
		conn, err := pgx.Connect(context.Background(), o.URL)
		if err == nil {
			_, err = conn.Exec(context.Background(), "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
			_ = conn.Close(context.Background())
		}
		if err != nil {
			t.Error(err)
		}
	})
	cfg := objectstest.Config(t)
	if store, err = objects.Open(cfg); err != nil {
		t.Fatal(err)
	}
	return []string{"DATABASE_URL=" + pgtest.RunURL(u.String()), "DATABASE_MIGRATE_URL=" + u.String(),
		"DATABASE_LISTEN_URL=" + pgtest.DirectURL(u.String()),
		"DOSSIER_SECRET_KEY=" + testSecretKey, "S3_ENDPOINT=" + cfg.Endpoint, "S3_ACCESS_KEY=" + cfg.AccessKey,
		"S3_SECRET_KEY=" + cfg.SecretKey, "S3_BUCKET=" + cfg.Bucket}, u.String(), store
}

func rowsOf(t *testing.T, owner, sql string, args ...any) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), owner)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	if err := conn.QueryRow(t.Context(), sql, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// storedFile makes a document of a lead with its bytes.
func storedFile(t *testing.T, o operated, store *objects.Store, ws dossier.WorkspaceID, lead dossier.LeadID, text string) string {
	t.Helper()
	id, sum := postgres.NewID(), sha256.Sum256([]byte(text))
	key := objects.DocumentKey(ws, dossier.DocumentID(id))
	if _, err := store.Put(t.Context(), key, "text/plain", strings.NewReader(text), 0); err != nil {
		t.Fatal(err)
	}
	o.Exec(t, `INSERT INTO documents (workspace_id, id, lead_id, filename, mime_type, size, sha256, object_key, source,
		uploaded_at, created_at, updated_at) VALUES ($1, $2, $3, 'a.txt', 'text/plain', $4, $5, $6, 'manual', now(), now(), now())`,
		ws, id, lead, len(text), sum[:], key)
	return key
}

// erase carries an erasure out, as a worker does.
func erase(t *testing.T, o operated, ws dossier.WorkspaceID, lead dossier.LeadID) {
	t.Helper()
	e, err := o.DB.EraseLead(t.Context(), ws, lead, "asked", postgres.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	job := pgtest.Value[string](t, o.Server, `SELECT id::text FROM jobs WHERE subject_id = $1`, string(e.ID))
	claim, ok, err := o.DB.ClaimJob(t.Context(), dossier.JobID(job), 1, "w")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if _, err := o.DB.StartErasure(t.Context(), ws, e.ID); err != nil {
		t.Fatal(err)
	}
	if err := o.DB.FinishErasure(t.Context(), claim, e.ID); err != nil {
		t.Fatal(err)
	}
}

// What a backup holds is back, byte for byte and row for row, in another place; what came after it is not; what was
// erased after it is erased again; and readers of the feed learn that it began anew.
func TestRestore(t *testing.T) {
	t.Parallel()
	o, _, store := healthy(t)
	o.environ = append(o.environ, "DATABASE_MIGRATE_URL="+o.URL)
	ws := o.Workspace(t)
	kept, _ := o.Lead(t, ws, "TEXT")
	gone, _ := o.Lead(t, ws, "TEXT")
	key := storedFile(t, o, store, ws, kept, "the lead's own words")
	dir := filepath.Join(t.TempDir(), "backup")
	made := value[manifest](t, o, "backup", dir)
	if made.Objects != 1 || !made.Copied || made.Schema != postgres.SchemaVersion() {
		t.Errorf("backup: %+v", made)
	}
	after, _ := o.Lead(t, ws)
	erase(t, o, ws, gone)
	log := filepath.Join(t.TempDir(), "erased")
	if err := os.WriteFile(log, []byte(o.do(t, "erasures", "log")), 0o600); err != nil {
		t.Fatal(err)
	}
	environ, owner, bucket := emptyPlace(t, o)
	there := operated{o.Server, environ}
	there.refused(t, 2, "--erased", "restore", dir)
	got := value[restored](t, there, "restore", dir, "--erased", log)
	if !got.Success || got.Epoch < 2 || got.ErasedAgain != 1 || got.Tables != len(made.Tables) || got.Objects != 1 {
		t.Errorf("restored: %+v", got)
	}
	if n := rowsOf(t, owner, `SELECT count(*) FROM leads WHERE id = $1 AND deleted_at IS NULL`, kept); n != 1 {
		t.Error("a lead of before the backup is missing")
	}
	if n := rowsOf(t, owner, `SELECT count(*) FROM leads WHERE id = $1`, after); n != 0 {
		t.Error("a lead of after the backup is here")
	}
	if n := rowsOf(t, owner, `SELECT count(*) FROM leads l JOIN erasures e ON e.lead_id = l.id AND e.status = 'SCHEDULED'
		JOIN jobs j ON j.subject_id = e.id AND j.status = 'QUEUED' WHERE l.id = $1 AND l.deleted_at IS NOT NULL`, gone); n != 1 {
		t.Error("what was erased is in sight again, or no worker would erase it")
	}
	object, err := bucket.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = object.Close() }()
	if text, err := io.ReadAll(object); err != nil || string(text) != "the lead's own words" || object.ContentType != "text/plain" {
		t.Errorf("%q of type %s came back: %v", text, object.ContentType, err)
	}
	there.refused(t, 1, "has tables", "restore", dir, "--nothing-erased")
	// The same state put back once more, as if the restoration before had not been.
	rowsOf(t, owner, `WITH gone AS (DELETE FROM milestones WHERE name = 'restore' RETURNING 1) SELECT count(*) FROM gone`)
	if again := value[restored](t, there, "restore", "--finish", "--nothing-erased"); again.Epoch == got.Epoch {
		t.Errorf("two restorations have the epoch %d", got.Epoch)
	}
}

// A drill says that the newest backup can be put back, leaves nothing behind, and is noted; a backup that was changed or
// cut off, or whose key is not here, is refused before anything is touched.
func TestRestore_drill(t *testing.T) {
	t.Parallel()
	o, _, store := healthy(t)
	o.environ = append(o.environ, "DATABASE_MIGRATE_URL="+o.URL)
	ws := o.Workspace(t)
	lead, _ := o.Lead(t, ws)
	key := storedFile(t, o, store, ws, lead, "words")
	dir := filepath.Join(t.TempDir(), "backup")
	o.do(t, "backup", dir)
	contains(t, o.do(t, "restore", "--drill", dir), "are back and are what was backed up")
	drills := `SELECT count(*)::int FROM pg_database WHERE datname LIKE 'dossier_drill_%'
		AND datname NOT IN (SELECT datname FROM pg_stat_activity WHERE datname IS NOT NULL)`
	reached, err := o.DB.Milestones(t.Context())
	if err != nil || reached[postgres.MilestoneDrill].IsZero() || reached[postgres.MilestoneBackup].IsZero() {
		t.Errorf("noted: %v %v", reached, err)
	}
	if n := pgtest.Value[int](t, o.Server, drills); n != 0 {
		t.Errorf("%d databases of drills are left", n)
	}
	contains(t, o.do(t, "backup", "--note"), "Noted")
	listed := filepath.Join(t.TempDir(), "listed")
	o.do(t, "backup", "--no-objects", listed)
	o.do(t, "restore", "--drill", listed)
	if err := store.Delete(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	o.refused(t, 1, key, "restore", "--drill", listed)

	other := operated{o.Server, append([]string{}, o.environ...)}
	for i, pair := range other.environ {
		if strings.HasPrefix(pair, "DOSSIER_SECRET_KEY=") {
			other.environ[i] = "DOSSIER_SECRET_KEY=" + strings.Replace(testSecretKey, "AQ", "Ag", 1)
		}
	}
	other.refused(t, 1, "is not the key of this backup", "restore", "--drill", dir)
	file := filepath.Join(dir, savedObject{Key: key}.path())
	if err := os.WriteFile(file, bytes.ToUpper([]byte("words")), 0o600); err != nil {
		t.Fatal(err)
	}
	o.refused(t, 1, "is not what was backed up", "restore", "--drill", dir)
	if err := os.Remove(filepath.Join(dir, manifestFile)); err != nil {
		t.Fatal(err)
	}
	o.refused(t, 1, "cut off", "restore", "--drill", dir)
	o.refused(t, 2, "--note", "backup")
}
