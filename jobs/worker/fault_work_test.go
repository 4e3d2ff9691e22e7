package worker

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/daemon/daemontest"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/jobs/channel/channeltest"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// Parsers die before they have read anything: the document is tried as often as it may be, and then says so.
func faultParserDies(t *testing.T) {
	b := setupHooks(t)
	reader, err := sandbox.NewReader(sandbox.Config{Executable: "/bin/false", CacheDir: t.TempDir(), Open: true})
	if err != nil {
		t.Fatal(err)
	}
	w := b.serving(jobs.LaneDocument)
	w.Reader, w.Objects = reader, objectstest.New(t)
	b.run(w)
	b.well()
	lead, entries := b.pg.Lead(t, b.ws, dossier.FieldBankStatement)
	file := postgres.NewFile{ID: dossier.DocumentID(postgres.NewID()), Filename: "a.pdf", MimeType: "application/pdf"}
	file.ObjectKey = objects.DocumentKey(b.ws, file.ID)
	stored, err := w.Objects.Put(t.Context(), file.ObjectKey, file.MimeType, bytes.NewReader([]byte("%PDF-1.7")), 0)
	if err != nil {
		t.Fatal(err)
	}
	file.Size = stored.Size
	if file.SHA256, err = hex.DecodeString(stored.SHA256); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.db.CreateDocuments(t.Context(), b.ws, postgres.Upload{LeadID: lead, EntryID: entries[0],
		Source: dossier.SourceImported, Files: []postgres.NewFile{file}}); err != nil {
		t.Fatal(err)
	}
	b.says(w, "dossier_parser_exits_total", exactly(3), "fault")
	b.until("it has failed", func() bool {
		status := pgtest.Value[string](t, b.pg, `SELECT extraction_status FROM documents`)
		return status == string(dossier.ExtractionFailed)
	})
}

// The provider of messages takes none: the message waits, and goes once it does.
func faultProviderAway(t *testing.T) {
	p := newPlay(t)
	p.carried(t, channeltest.NewTwilio(t, channeltest.TwilioFault{Status: 429}), nil)
	p.queued(t)
	claim, _ := p.claimSending(t)
	p.pg.Exec(t, `DELETE FROM outbox`) // the play does without a queue
	p.watched(p.w)
	p.well()
	if err := p.w.handlers[claim.Kind].do(t.Context(), claim); err == nil {
		t.Error("a message went to a provider that is away")
	}
	p.says(p.w, "dossier_messages_total", exactly(1), "sms", "failed")
	p.unwatched()
	p.lost(t)
	p.due(t)
	p.expectStates(t, "sms SENT")
}

// Nobody judges what no rule could decide.
func faultNobodyJudges(t *testing.T) {
	b := setupHooks(t)
	w := b.deliverer()
	b.run(w)
	b.well()
	_, entries := b.pg.Lead(t, b.ws, dossier.FieldText)
	b.pg.Exec(t, `UPDATE checklist_entries SET status = 'NEEDS_REVIEW', updated_at = now() - interval '3 days'
		WHERE id = $1`, entries[0])
	b.says(w, "dossier_review_oldest_seconds", atLeast(3*24*3600))
	b.pg.Exec(t, `UPDATE checklist_entries SET status = 'COMPLETED', updated_at = now()`)
	b.says(w, "dossier_review_oldest_seconds", exactly(0))
}

// Nobody makes the erasures that are due.
func faultErasuresOverdue(t *testing.T) {
	b := setupHooks(t)
	w := b.deliverer()
	b.run(w)
	b.well()
	lead, _ := b.pg.Lead(t, b.ws)
	b.pg.Exec(t, `INSERT INTO erasures (workspace_id, id, subject, subject_id, lead_id, status, reason, requested_by,
		requested_at, due_at) VALUES ($1, gen_random_uuid(), 'lead', $2, $2, 'SCHEDULED', 'r', 'somebody',
		now() - interval '3 days', now() - interval '2 days')`, b.ws, lead)
	b.says(w, "dossier_retention_oldest_seconds", atLeast(2*24*3600))
	b.pg.Exec(t, `DELETE FROM erasures`)
	b.says(w, "dossier_retention_oldest_seconds", exactly(0))
}

// For nine days neither a backup was made nor one restored for practice.
func faultNoBackup(t *testing.T) {
	b := setupHooks(t)
	w := b.deliverer()
	both := func() {
		for _, what := range []postgres.Milestone{postgres.MilestoneBackup, postgres.MilestoneDrill} {
			if _, err := b.db.RecordMilestone(t.Context(), what); err != nil {
				t.Fatal(err)
			}
		}
	}
	both()
	b.run(w)
	b.well()
	b.pg.Exec(t, `UPDATE milestones SET at = at - interval '9 days'`)
	old := func(at float64) bool { return at < float64(time.Now().Add(-8*24*time.Hour).Unix()) }
	b.says(w, "dossier_backup_last_success_timestamp_seconds", old)
	b.says(w, "dossier_restore_drill_last_success_timestamp_seconds", old)
	both()
	b.says(w, "dossier_backup_last_success_timestamp_seconds", func(at float64) bool { return !old(at) })
}

// The disk of the archive is full: what is written meanwhile could not be restored, and is archived once there is room.
func faultArchiveFull(t *testing.T) {
	t.Parallel()
	place := filepath.Join(daemontest.Dir(t), "archive")
	disk := func(name string) {
		_ = os.Remove(place) // there may be none yet
		if err := os.Symlink(name, place); err != nil {
			t.Fatal(err)
		}
	}
	disk("/dev/null")
	pg, _ := pgtest.Own(t, map[string]string{"archive_mode": "on", "archive_command": "cat %p > " + place})
	b := hooksOn(benchOn(t, pg))
	r := b.receive(nil)
	w := b.deliverer()
	b.run(w)
	segment := func() {
		b.pg.Exec(t, `CREATE TABLE IF NOT EXISTS written (n int)`)
		b.pg.Exec(t, `INSERT INTO written VALUES (1)`)
		b.pg.Exec(t, `SELECT pg_switch_wal()`)
	}
	archived := func() int { return pgtest.Value[int](t, b.pg, `SELECT archived_count FROM pg_stat_archiver`) }
	segment()
	b.until("it archives", func() bool { return archived() > 0 })
	b.well()
	disk("/dev/full")
	segment()
	b.emit(10, newLead())
	b.says(w, "dossier_wal_archive_lag_seconds", atLeast(0.1))
	b.until("all is delivered all the same", func() bool { return len(r.took()) == 10 })
	disk("/dev/null")
	segment() // which tells the archiver to try again
	b.says(w, "dossier_wal_archive_lag_seconds", exactly(0))
	b.undoubled(t)
}
