package postgres

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/record"
)

const erasureColumns = `id, subject, subject_id, lead_id, status, reason, requested_by, requested_at, due_at, started_at, completed_at,
	row_count, object_count, certificate`

func scanErasure(row pgx.CollectableRow) (dossier.Erasure, error) {
	var e dossier.Erasure
	var certificate *string
	err := row.Scan(&e.ID, &e.Subject, &e.SubjectID, &e.LeadID, &e.Status, &e.Reason, &e.RequestedBy, &e.RequestedAt, &e.DueAt,
		&e.StartedAt, &e.CompletedAt, &e.Counts.Rows, &e.Counts.Objects, &certificate)
	if certificate != nil {
		e.Certificate = []byte(*certificate)
	}
	return e, err
}

// requester is who asks, as erasures and holds show it: key:<name>, or system.
func requester(ctx context.Context) string {
	who := actorOf(ctx)
	switch who.Type {
	case dossier.ActorKey:
		return "key:" + who.Name
	case dossier.ActorPerson:
		return who.Name
	}
	return "system"
}

// storedLead is a lead that may have been deleted already.
type storedLead struct {
	Deleted bool
	Test    bool
	Held    bool
}

// lockStoredLead holds a lead's row, also one that is deleted and not erased yet. Error: NotFound.
func lockStoredLead(ctx context.Context, tx *tx, id dossier.LeadID) (storedLead, error) {
	var l storedLead
	err := tx.QueryRow(ctx, `SELECT deleted_at IS NOT NULL, is_test,
		EXISTS (SELECT FROM holds h WHERE h.workspace_id = $1 AND h.lead_id = $2 AND h.released_at IS NULL)
		FROM leads WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE`, tx.ws, id).Scan(&l.Deleted, &l.Test, &l.Held)
	return l, orMissing(err, "lead")
}

// EraseLead orders everything about a lead to go now: the lead is gone with the answer, the rest when the job has run. Under a
// hold it stays as it is until the last one is released. A repeat while it is open changes nothing, but that what waits for
// its grace goes now. Error: NotFound.
func (db *DB) EraseLead(ctx context.Context, ws dossier.WorkspaceID, id dossier.LeadID, reason string, by Caller) (dossier.Erasure, error) {
	return transact(ctx, db, ws, "erase lead", func(tx *tx) (dossier.Erasure, error) {
		lead, err := lockStoredLead(ctx, tx, id)
		if err != nil {
			return dossier.Erasure{}, err
		}
		if !lead.Held && !lead.Deleted {
			ref, err := lockLeadRef(ctx, tx, id)
			if err != nil {
				return dossier.Erasure{}, err
			}
			if err := hideLead(ctx, tx, ref, by); err != nil {
				return dossier.Erasure{}, err
			}
		}
		e, err := scheduleErasure(ctx, tx, id, lead, reason, 0)
		audit(ctx, tx, dossier.AuditLeadErase, leadSubject(id), map[string]any{"erasureId": e.ID})
		return e, err
	})
}

// scheduleErasure makes a lead's erasure due after a time, or brings the open one forward to it.
func scheduleErasure(ctx context.Context, tx *tx, id dossier.LeadID, lead storedLead, reason string, after time.Duration) (dossier.Erasure, error) {
	status := dossier.ErasureScheduled
	if lead.Held {
		status = dossier.ErasureHeld
	}
	e, err := oneOf(ctx, tx, "erasure", scanErasure, `
		INSERT INTO erasures (workspace_id, id, subject, subject_id, lead_id, is_test, status, reason, requested_by, requested_at, due_at)
		VALUES ($1, $2, 'lead', $3, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (workspace_id, subject_id) WHERE status IN ('SCHEDULED', 'RUNNING', 'HELD')
		DO UPDATE SET due_at = least(erasures.due_at, excluded.due_at) RETURNING `+erasureColumns,
		tx.ws, NewID(), id, lead.Test, status, reason, requester(ctx), tx.now, tx.now.Add(after))
	if err != nil || e.Status != dossier.ErasureScheduled {
		return e, err
	}
	return e, stageErasure(ctx, tx, e.ID, after)
}

// stageErasure stages the job of an erasure in place of one that waits.
func stageErasure(ctx context.Context, tx *tx, id dossier.ErasureID, after time.Duration) error {
	if err := cancelSubject(ctx, tx, string(id)); err != nil {
		return err
	}
	_, err := enqueue(ctx, tx, jobs.Erase{Workspace: tx.ws, Erasure: id}, staging{subject: string(id), delay: after})
	return err
}

// CountErasure says what the erasure of a lead would take. Error: NotFound.
func (db *DB) CountErasure(ctx context.Context, ws dossier.WorkspaceID, id dossier.LeadID) (dossier.ErasureCounts, error) {
	return transact(ctx, db, ws, "count erasure", func(tx *tx) (dossier.ErasureCounts, error) {
		if _, err := lockStoredLead(ctx, tx, id); err != nil {
			return dossier.ErasureCounts{}, err
		}
		things, err := thingsOf(ctx, tx, id)
		if err != nil {
			return dossier.ErasureCounts{}, err
		}
		gone, err := eachTable(ctx, tx, things, false)
		return dossier.ErasureCounts{Rows: len(gone), Objects: len(things.Objects)}, err
	})
}

// ErasureStep is what the job of an erasure has to do before the rows go.
type ErasureStep struct {
	Open    bool                    // false: it is over, or held
	Objects []string                // keys of stored objects
	Runs    []dossier.PipelineRunID // whose answers to polls may be kept in Redis
}

// StartErasure begins or resumes an erasure. While a hold stands it is HELD instead. Error: NotFound.
func (db *DB) StartErasure(ctx context.Context, ws dossier.WorkspaceID, id dossier.ErasureID) (ErasureStep, error) {
	return transact(ctx, db, ws, "start erasure", func(tx *tx) (ErasureStep, error) {
		var step ErasureStep
		e, lead, err := openErasure(ctx, tx, id)
		if err != nil || e.Status != dossier.ErasureScheduled && e.Status != dossier.ErasureRunning {
			return step, err
		}
		if lead.Held {
			_, err := tx.Exec(ctx, `UPDATE erasures SET status = 'HELD' WHERE workspace_id = $1 AND id = $2`, tx.ws, id)
			return step, err
		}
		things, err := thingsOf(ctx, tx, e.LeadID)
		if err != nil {
			return step, err
		}
		step = ErasureStep{Open: true, Runs: things.Runs}
		err = tx.QueryRow(ctx, `UPDATE erasures SET status = 'RUNNING', started_at = coalesce(started_at, $3),
			objects = ARRAY(SELECT DISTINCT k FROM unnest(objects || $4::text[]) k ORDER BY k) WHERE workspace_id = $1 AND id = $2 RETURNING objects`,
			tx.ws, id, tx.now, things.Objects).Scan(&step.Objects)
		return step, err
	})
}

// openErasure holds an erasure and its lead. Error: NotFound (the erasure).
func openErasure(ctx context.Context, tx *tx, id dossier.ErasureID) (dossier.Erasure, storedLead, error) {
	var leadID dossier.LeadID
	if err := tx.QueryRow(ctx, `SELECT lead_id FROM erasures WHERE workspace_id = $1 AND id = $2`, tx.ws, id).Scan(&leadID); err != nil {
		return dossier.Erasure{}, storedLead{}, orMissing(err, "erasure")
	}
	lead, err := lockStoredLead(ctx, tx, leadID) // first, as everybody does
	if err != nil && dossier.KindOf(err) != dossier.NotFound {
		return dossier.Erasure{}, lead, err
	}
	e, err := oneOf(ctx, tx, "erasure", scanErasure, `SELECT `+erasureColumns+` FROM erasures WHERE workspace_id = $1 AND id = $2 FOR UPDATE`, tx.ws, id)
	return e, lead, err
}

// FinishErasure takes every row about the subject away, signs the certificate and tells of it: all in one commit, after the
// objects are gone. Error: ErrFenced.
func (db *DB) FinishErasure(ctx context.Context, claim Claim, id dossier.ErasureID) error {
	_, err := transact(ctx, db, claim.Workspace, "finish erasure", func(tx *tx) (none, error) {
		e, lead, err := openErasure(ctx, tx, id)
		if err != nil || e.Status != dossier.ErasureRunning || lead.Held {
			return none{}, err // another hand was faster; what is held runs when it is released
		}
		things, err := thingsOf(ctx, tx, e.LeadID)
		if err != nil {
			return none{}, err
		}
		gone, err := eachTable(ctx, tx, things, true)
		if err != nil {
			return none{}, err
		}
		e.CompletedAt, e.Counts = &tx.now, dossier.ErasureCounts{Rows: len(gone)}
		if err := tx.QueryRow(ctx, `SELECT objects FROM erasures WHERE workspace_id = $1 AND id = $2`, tx.ws, id).Scan(&things.Objects); err != nil {
			return none{}, err
		}
		e.Counts.Objects = len(things.Objects)
		certificate, public, err := certify(ctx, tx, e, append(gone, things.Objects...))
		if err != nil {
			return none{}, err
		}
		_, err = tx.Exec(ctx, `UPDATE erasures SET status = 'COMPLETE', completed_at = $3, row_count = $4, object_count = $5, objects = '{}',
			certificate = $6, public_key = $7 WHERE workspace_id = $1 AND id = $2`,
			tx.ws, id, tx.now, e.Counts.Rows, e.Counts.Objects, string(certificate), []byte(public))
		if err != nil {
			return none{}, err
		}
		erased := struct {
			LeadID    dossier.LeadID    `json:"leadId"`
			ErasureID dossier.ErasureID `json:"erasureId"`
		}{e.LeadID, e.ID}
		if err := emit(ctx, tx, dossier.EventLeadErased, e.LeadID, erased); err != nil {
			return none{}, err
		}
		return none{}, finishJob(ctx, tx, claim, "erasure:"+string(id))
	})
	return err
}

// things are what hangs on a lead beyond the rows that carry its id.
type things struct {
	Lead    dossier.LeadID
	IDs     []string // of the lead, its documents, spreads and runs of pipelines: what other rows name
	Runs    []dossier.PipelineRunID
	Objects []string // keys
}

func thingsOf(ctx context.Context, tx *tx, lead dossier.LeadID) (things, error) {
	t := things{Lead: lead}
	err := tx.QueryRow(ctx, `SELECT array_agg(id::text) FROM (SELECT $2::uuid AS id
		UNION SELECT id FROM documents WHERE workspace_id = $1 AND lead_id = $2
		UNION SELECT id FROM spreads WHERE workspace_id = $1 AND lead_id = $2) t`, tx.ws, lead).Scan(&t.IDs)
	if err != nil {
		return t, err
	}
	t.Runs, err = collect(ctx, tx, pgx.RowTo[dossier.PipelineRunID], `SELECT id FROM pipeline_runs WHERE workspace_id = $1
		AND (parameters::text || coalesce(result::text, '')) ~ $2`, tx.ws, strings.Join(t.IDs, "|"))
	if err != nil {
		return t, err
	}
	for _, run := range t.Runs {
		t.IDs = append(t.IDs, string(run))
	}
	t.Objects, err = collect(ctx, tx, pgx.RowTo[string], `SELECT DISTINCT k FROM (
		SELECT unnest(ARRAY[object_key, tokens_key, thumbnail_key]) k FROM documents WHERE workspace_id = $1 AND lead_id = $2
		UNION ALL SELECT a.object_key FROM artifacts a JOIN spreads s ON s.workspace_id = a.workspace_id AND s.id = a.spread_id
			WHERE a.workspace_id = $1 AND s.lead_id = $2
		UNION ALL SELECT coalesce(x.object_key, '') FROM exports x JOIN leads l ON l.workspace_id = x.workspace_id AND l.id = $2
			WHERE x.workspace_id = $1 AND x.created_at >= l.created_at) t WHERE k <> '' ORDER BY k`, tx.ws, lead)
	return t, err
}

// erasedTables are all tables with rows about a lead, in an order in which rows can go: $1 is the workspace, $2 the lead, $3
// what names its things.
var erasedTables = []struct{ table, where, id string }{
	{"attempts", `delivery_id IN (SELECT id FROM deliveries WHERE workspace_id = $1 AND (lead_id = $2 OR event_id IN (` + erasedEvents + `)))`, "delivery_id::text || '/' || number"},
	{"deliveries", `lead_id = $2 OR event_id IN (` + erasedEvents + `)`, "id::text"},
	{"event_inbox", `event_id IN (` + erasedEvents + `)`, "event_id::text"},
	{"events", `id IN (` + erasedEvents + `)`, "id::text"},
	{"exports", `created_at >= (SELECT l.created_at FROM leads l WHERE l.workspace_id = $1 AND l.id = $2)`, "id::text"},
	{"pipeline_runs", `(parameters::text || coalesce(result::text, '')) ~ $3`, "id::text"},
	{"spread_adjustments", `spread_id IN (SELECT id FROM spreads WHERE workspace_id = $1 AND lead_id = $2)`, "id::text"},
	{"artifacts", `spread_id IN (SELECT id FROM spreads WHERE workspace_id = $1 AND lead_id = $2)`, "id::text"},
	{"spread_documents", `spread_id IN (SELECT id FROM spreads WHERE workspace_id = $1 AND lead_id = $2)`, "spread_id::text || '/' || document_id"},
	{"caption_mappings", `lead_id = $2`, "md5(t::text)"},
	{"spreads", `lead_id = $2`, "id::text"},
	{"document_associations", `lead_id = $2`, "id::text"},
	{"documents", `lead_id = $2`, "id::text"},
	{"action_logs", `lead_id = $2`, "id::text"},
	{"interventions", `lead_id = $2`, "id::text"},
	{"escalations", `lead_id = $2`, "id::text"},
	{"messages", `lead_id = $2`, "id::text"},
	{"workflow_runs", `lead_id = $2`, "id::text"},
	{"portal_links", `lead_id = $2`, "id::text"},
	{"checklist_entries", `lead_id = $2`, "id::text"},
	{"checklist_items", `lead_id = $2`, "id::text"},
	{"holds", `lead_id = $2`, "id::text"},
	{"leads", `id = $2`, "id::text"},
}

// erasedEvents are the events of a lead, and those of runs of pipelines that name something of it.
const erasedEvents = `SELECT id FROM events WHERE workspace_id = $1 AND (lead_id = $2 OR (type LIKE 'pipeline_run.%' OR type = 'export.completed') AND body ~ $3)`

// eachTable finds every row about a lead, and takes it away when remove says so; it returns the ids.
func eachTable(ctx context.Context, tx *tx, t things, remove bool) ([]string, error) {
	var ids []string
	for _, e := range erasedTables {
		erased := `SELECT ` + e.id + ` FROM ` + e.table + ` t WHERE workspace_id = $1 AND (` + e.where + `)`
		if remove {
			erased = `DELETE FROM ` + e.table + ` t WHERE workspace_id = $1 AND (` + e.where + `) RETURNING ` + e.id
		}
		found, err := collect(ctx, tx, pgx.RowTo[string], `WITH mine AS (SELECT $2::uuid, $3::text) `+erased, tx.ws, t.Lead, strings.Join(t.IDs, "|"))
		if err != nil {
			return nil, err
		}
		ids = append(ids, found...)
	}
	return ids, nil
}

// certify signs what an erasure took with the workspace's key, which is made with its first one.
func certify(ctx context.Context, tx *tx, e dossier.Erasure, gone []string) ([]byte, ed25519.PublicKey, error) {
	key, err := erasureKey(ctx, tx)
	if err != nil {
		return nil, nil, err
	}
	public, _ := key.Public().(ed25519.PublicKey)
	slices.Sort(gone)
	ids, name := sha256.Sum256([]byte(strings.Join(gone, "\n"))), sha256.Sum256(public)
	c := record.Certificate{ErasureID: e.ID, Subject: e.Subject, Counts: record.ErasureCounts(e.Counts), StartedAt: record.Time(*e.StartedAt),
		CompletedAt: record.Time(*e.CompletedAt), SHA256: hex.EncodeToString(ids[:]), KeyID: hex.EncodeToString(name[:8])}
	text, err := record.Canonical(c)
	if err != nil {
		return nil, nil, err
	}
	c.Signature = base64.StdEncoding.EncodeToString(ed25519.Sign(key, text))
	signed, err := json.Marshal(c)
	return signed, public, err
}

// erasureKey is the key that signs the workspace's certificates.
func erasureKey(ctx context.Context, tx *tx) (ed25519.PrivateKey, error) {
	label := "workspace.erasure_key:" + string(tx.ws)
	var sealed []byte
	if err := tx.QueryRow(ctx, `SELECT erasure_key FROM workspaces WHERE id = $1 FOR UPDATE`, tx.ws).Scan(&sealed); err != nil {
		return nil, orMissing(err, "workspace")
	}
	if sealed != nil {
		seed, err := tx.cipher.Open(label, sealed)
		if err != nil {
			return nil, err
		}
		return ed25519.NewKeyFromSeed(seed), nil
	}
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		return nil, err
	}
	if sealed, err = tx.cipher.Seal(label, key.Seed()); err != nil {
		return nil, err
	}
	_, err = tx.Exec(ctx, `UPDATE workspaces SET erasure_key = $2 WHERE id = $1`, tx.ws, sealed)
	return key, err
}

// ErrCertificate says that a certificate is not what was signed.
var ErrCertificate = errors.New("the certificate is not what was signed")

// VerifyCertificate checks a certificate with the key that is kept beside its erasure. Errors: NotFound, ErrCertificate.
func (db *DB) VerifyCertificate(ctx context.Context, ws dossier.WorkspaceID, c record.Certificate) error {
	public, err := readOne(ctx, db, ws, "read erasure", "erasure", pgx.RowTo[[]byte],
		`SELECT public_key FROM erasures WHERE workspace_id = $1 AND id = $2 AND public_key IS NOT NULL`, ws, c.ErasureID)
	if err != nil {
		return err
	}
	signature, err := base64.StdEncoding.DecodeString(c.Signature)
	if err != nil {
		return ErrCertificate
	}
	c.Signature = ""
	text, err := record.Canonical(c)
	if err != nil || !ed25519.Verify(public, text, signature) {
		return ErrCertificate
	}
	return nil
}

// ReadErasure returns one erasure, also when its lead is gone. test: only of test leads. Error: NotFound.
func (db *DB) ReadErasure(ctx context.Context, ws dossier.WorkspaceID, id dossier.ErasureID, test bool) (dossier.Erasure, error) {
	return readOne(ctx, db, ws, "read erasure", "erasure", scanErasure,
		`SELECT `+erasureColumns+` FROM erasures WHERE workspace_id = $1 AND id = $2 AND (is_test OR NOT $3)`, ws, id, test)
}

// Erasures lists erasures, newest first; status and lead, when not empty, keep only theirs.
func (db *DB) Erasures(ctx context.Context, ws dossier.WorkspaceID, status dossier.ErasureStatus, lead dossier.LeadID, test bool, page dossier.Page) ([]dossier.Erasure, error) {
	at, id := after(page)
	return snapshot(ctx, db, ws, "list erasures", func(tx *tx) ([]dossier.Erasure, error) {
		if lead != "" {
			if err := requireLeadOrErasure(ctx, tx, lead); err != nil {
				return nil, err
			}
		}
		return collect(ctx, tx, scanErasure, `SELECT `+erasureColumns+` FROM erasures
			WHERE workspace_id = $1 AND ($2 = '' OR status = $2) AND ($3 = '' OR lead_id::text = $3) AND (is_test OR NOT $4)
			  AND ($5::timestamptz IS NULL OR (requested_at, id) < ($5, $6::uuid))
			ORDER BY requested_at DESC, id DESC LIMIT $7`, tx.ws, string(status), string(lead), test, at, id, page.Limit+1)
	})
}

// requireLeadOrErasure fails with NotFound for a lead that was never here: one that is erased has left its erasure.
func requireLeadOrErasure(ctx context.Context, tx *tx, lead dossier.LeadID) error {
	var known bool
	err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM leads WHERE workspace_id = $1 AND id = $2)
		OR EXISTS (SELECT FROM erasures WHERE workspace_id = $1 AND lead_id = $2)`, tx.ws, lead).Scan(&known)
	if err == nil && !known {
		return missing("lead")
	}
	return err
}

// CancelErasure calls an erasure off that has not begun; a lead that is deleted stays deleted, and its data is kept. Errors:
// NotFound, Conflict erasure_not_open.
func (db *DB) CancelErasure(ctx context.Context, ws dossier.WorkspaceID, id dossier.ErasureID) (dossier.Erasure, error) {
	return transact(ctx, db, ws, "cancel erasure", func(tx *tx) (dossier.Erasure, error) {
		e, _, err := openErasure(ctx, tx, id)
		if err != nil {
			return e, err
		}
		if e.Status != dossier.ErasureScheduled && e.Status != dossier.ErasureHeld {
			return e, dossier.Coded(dossier.Conflict, "erasure_not_open", "This erasure is %s; only SCHEDULED and HELD ones can be cancelled", e.Status)
		}
		e.Status = dossier.ErasureCancelled
		if _, err := tx.Exec(ctx, `UPDATE erasures SET status = $3 WHERE workspace_id = $1 AND id = $2`, tx.ws, id, e.Status); err != nil {
			return e, err
		}
		audit(ctx, tx, dossier.AuditErasureCancel, "erasure:"+string(id), map[string]any{"leadId": e.LeadID})
		return e, cancelSubject(ctx, tx, string(id))
	})
}
