package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/record"
)

// Actor is who acts: type, id and name as in dossier.AuditActor, where empty means none.
type Actor struct {
	Type       dossier.ActorType
	ID         string
	Name       string
	OnBehalfOf string        // x-actor of the call: whom the caller names
	KeyID      dossier.KeyID // of the call
	Test       bool          // a test key acts
	Groups     []string      // of a person, at the provider
}

// Call is the request in which somebody acts.
type Call struct {
	RequestID       string // the server's own
	CallerRequestID string // as the caller wrote it, or empty
	Address         string
}

type actorKey struct{}
type callKey struct{}

// WithActor marks everything done under ctx as the actor's.
func WithActor(ctx context.Context, actor Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, actor)
}

// WithCall marks everything done under ctx as done in one request.
func WithCall(ctx context.Context, call Call) context.Context {
	return context.WithValue(ctx, callKey{}, call)
}

// actorOf is who acts under ctx; the service itself when nobody was named.
func actorOf(ctx context.Context) Actor {
	if actor, ok := ctx.Value(actorKey{}).(Actor); ok {
		return actor
	}
	return Actor{Type: dossier.ActorSystem, Name: "dossier"}
}

// insertAudit is an entry of a statement's workspace. A trigger puts it at the end of the workspace's chain.
const insertAudit = `INSERT INTO audit_entries (workspace_id, id, actor, actor_name, on_behalf_of, key_id, address,
	request_id,
	caller_request_id, action, subject, detail, created_at, is_test) `

// auditSubjectIsTest says, by the noun of a subject, whether it is a test lead or something of one. $11 is the subject.
var auditSubjectIsTest = map[string]string{
	"lead": `coalesce((SELECT is_test FROM leads WHERE workspace_id = $1 AND id = split_part($11, ':', 2)::uuid),
		false)`,
	"document": `coalesce((SELECT l.is_test FROM documents d
		JOIN leads l ON l.workspace_id = d.workspace_id AND l.id = d.lead_id
		WHERE d.workspace_id = $1 AND d.id = split_part($11, ':', 2)::uuid), false)`,
}

// audit records an act in the commit that does it, as its last statement: acts of a workspace that commit at once wait
// for each other from there on, since each is chained to the one before it. Details are ids, codes, names of fields and
// counts.
func audit(ctx context.Context, tx *tx, action dossier.AuditAction, subject string, details map[string]any) {
	if details == nil {
		details = map[string]any{}
	}
	who := actorOf(ctx)
	call, _ := ctx.Value(callKey{}).(Call)
	actor := string(who.Type)
	if who.ID != "" {
		actor += ":" + who.ID
	}
	noun, _, _ := strings.Cut(subject, ":")
	ofTest, known := auditSubjectIsTest[noun]
	if !known {
		ofTest = "false"
	}
	tx.deferLast(insertAudit+`VALUES (@workspace, @newId, @actor, @name, @onBehalfOf, @keyId, @address, @requestId,
		@callerRequestId, @action, @subject::text, @details, @now, @test OR `+ofTest+`)`,
		pgx.NamedArgs{"workspace": tx.ws, "newId": NewID(), "actor": actor, "name": dossier.OrNil(who.Name),
			"onBehalfOf": dossier.OrNil(who.OnBehalfOf), "keyId": dossier.OrNil(who.KeyID),
			"address":   dossier.OrNil(call.Address),
			"requestId": dossier.OrNil(call.RequestID), "callerRequestId": dossier.OrNil(call.CallerRequestID),
			"action": action, "subject": subject, "details": details, "now": tx.now, "test": who.Test})
}

// AuditQuery chooses entries of the audit. Empty fields choose all.
type AuditQuery struct {
	Action  dossier.AuditAction
	Actor   string // id or name
	KeyID   dossier.KeyID
	Subject string // id
	Since   *time.Time
	Until   *time.Time // before it
	Test    bool       // only entries of test leads and test keys
	Page    dossier.Page
}

const auditColumns = `id, created_at, action, subject, actor, actor_name, on_behalf_of, key_id, address, request_id,
	caller_request_id, detail, position, hash`

// AuditEntries lists a workspace's acts, newest first; those of a deleted workspace too.
func (db *DB) AuditEntries(ctx context.Context, ws dossier.WorkspaceID, q AuditQuery) ([]dossier.AuditEntry, error) {
	at, id := pageArgs(q.Page)
	list := psql.Select(auditColumns).From("audit_entries").Where("workspace_id = ?", ws).OrderBy("created_at DESC",
		"id DESC").Limit(uint64(q.Page.Limit) + 1)
	if at != nil {
		list = list.Where("(created_at, id) < (?, ?::uuid)", at, id)
	}
	if q.Action != "" {
		list = list.Where("action = ?", q.Action)
	}
	if q.Actor != "" {
		list = list.Where("(actor_name = ? OR split_part(actor, ':', 2) = ?)", q.Actor, q.Actor)
	}
	if q.KeyID != "" {
		list = list.Where("key_id = ?::uuid", q.KeyID)
	}
	if q.Subject != "" {
		list = list.Where("split_part(subject, ':', 2) = ?", q.Subject)
	}
	if q.Since != nil {
		list = list.Where("created_at >= ?", q.Since)
	}
	if q.Until != nil {
		list = list.Where("created_at < ?", q.Until)
	}
	if q.Test {
		list = list.Where("is_test")
	}
	sql, args, err := list.ToSql()
	if err != nil {
		return nil, err
	}
	return readAll(ctx, db, ws, "list audit entries", scanAudit, sql, args...)
}

func scanAudit(row pgx.CollectableRow) (dossier.AuditEntry, error) {
	var e dossier.AuditEntry
	var subject, actor string
	var details []byte
	err := row.Scan(&e.ID, &e.At, &e.Action, &subject, &actor, &e.Actor.Name, &e.OnBehalfOf, &e.KeyID, &e.Address,
		&e.RequestID,
		&e.CallerRequestID, &details, &e.Position, &e.Hash)
	if err != nil {
		return e, err
	}
	e.Subject.Type, e.Subject.ID, _ = strings.Cut(subject, ":")
	kind, id, _ := strings.Cut(actor, ":")
	e.Actor.Type, e.Actor.ID = dossier.ActorType(kind), dossier.OrNil(id)
	decoder := json.NewDecoder(strings.NewReader(string(details)))
	decoder.UseNumber() // a hash is over the digits
	return e, decoder.Decode(&e.Details)
}

// AuditNote records an act that changes nothing in the store, such as the reading of a file. subject is noun:id.
func (db *DB) AuditNote(ctx context.Context, ws dossier.WorkspaceID, action dossier.AuditAction, subject string,
	details map[string]any) error {
	_, err := transact(ctx, db, ws, "audit", func(tx *tx) (none, error) {
		audit(ctx, tx, action, subject, details)
		return none{}, nil
	})
	return err
}

// AuditChain is what became of checking a chain: how many entries hold, and the id of the first that does not.
type AuditChain struct {
	Entries int
	Broken  string
}

// noHash stands before the first entry of a chain.
var noHash = strings.Repeat("0", 2*sha256.Size)

// VerifyAudit checks the chain of a workspace from its first entry: places without a gap, and each hash that of the
// entry and of the hash before it. It stops at the first entry that does not hold, which for a missing one is the next.
func (db *DB) VerifyAudit(ctx context.Context, ws dossier.WorkspaceID) (AuditChain, error) {
	chain, last := AuditChain{}, noHash
	for {
		page, err := readAll(ctx, db, ws, "verify audit", scanAudit, `SELECT `+auditColumns+` FROM audit_entries
			WHERE workspace_id = $1 AND position > $2 ORDER BY position LIMIT 1000`, ws, chain.Entries)
		if err != nil || len(page) == 0 {
			return chain, err
		}
		for _, entry := range page {
			sum, err := auditHash(last, entry)
			if err != nil || entry.Position != int64(chain.Entries)+1 || entry.Hash != sum {
				chain.Broken = entry.ID // what cannot be written as canonical JSON was never hashed so
				return chain, nil
			}
			chain.Entries++
			last = sum
		}
	}
}

// auditHash is the hex SHA-256 of the hash before an entry and the entry as canonical JSON, without its hash.
func auditHash(previous string, e dossier.AuditEntry) (string, error) {
	e.Hash = ""
	text, err := record.Canonical(record.Audit(e))
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(append([]byte(previous), text...))
	return hex.EncodeToString(sum[:]), nil
}

// AuditedWorkspaces are all workspaces with an audit, deleted ones too, in the order of their ids.
func (db *DB) AuditedWorkspaces(ctx context.Context) ([]dossier.WorkspaceID, error) {
	return systemTx(ctx, db, "audited workspaces", func(tx *tx) ([]dossier.WorkspaceID, error) {
		return collect(ctx, tx, pgx.RowTo[dossier.WorkspaceID], `SELECT DISTINCT workspace_id FROM audit_entries
			ORDER BY workspace_id`)
	})
}
