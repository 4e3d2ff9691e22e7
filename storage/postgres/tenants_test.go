package postgres_test

import (
	"encoding/json"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// idTables says in which table the things of an id type are.
var idTables = map[string]string{
	"LeadID": "leads", "GroupID": "checklist_groups", "ItemID": "checklist_items", "EntryID": "checklist_entries", "DocumentID": "documents",
	"AssociationID": "document_associations", "ActionLogID": "action_logs", "ReviewID": "reviews", "EscalationID": "escalations", "AgentID": "agents",
	"WorkflowID": "workflows", "RunID": "workflow_runs", "MessageID": "messages", "SpreadID": "spreads", "ArtifactID": "artifacts",
	"PipelineRunID": "pipeline_runs", "WebhookID": "webhooks", "EventID": "events", "DeliveryID": "deliveries", "KeyID": "api_keys",
	"ReplayID": "replays", "ErasureID": "erasures", "HoldID": "holds", "PartyID": "parties", "DebtID": "debts", "ImportID": "imports",
}

// silent are methods that answer a foreign id with nothing instead of NotFound; why stands beside each.
var silent = map[string]string{
	"NextDeliveries": "the sender of an endpoint that is gone has nothing to send",
	"AdmitProbe":     "an endpoint that is gone admits nothing",
	"EndDeliveries":  "an endpoint that is gone has nothing to settle",
	"Events":         "the cursor may name an event that retention has dropped; it is compared inside the own feed",
	"CompleteLead":   "a run's lead that is gone has nothing to complete",
	"Deliveries":     "a filter that matches nothing",
	"ReceiveMessage": "a message of anybody is kept; its address says whose it is, never an id",
	"AllDeliveries":  "the same filter, for operators",
	"ListLeads":      "a filter that matches nothing",
	"Erasures":       "a filter that matches nothing",
	"AuditEntries":   "a filter that matches nothing",
	"Requests":       "a filter that matches nothing",
	"PortalStamps":   "leads that are not there are left out of the answer",

	"DropPortalUpload": "a file that is not there needs no forgetting",
}

// owner makes a workspace that has one of everything, and returns the ids by type.
func owner(t *testing.T, s *pgtest.Server) (dossier.WorkspaceID, map[string]string) {
	t.Helper()
	ws := s.Workspace(t)
	lead, entries := s.Lead(t, ws, dossier.FieldBankStatement, dossier.FieldText)
	docs, _, err := s.DB.CreateDocuments(t.Context(), ws, postgres.Upload{LeadID: lead, EntryID: entries[0], Source: dossier.SourceImported, Files: []postgres.NewFile{file("a.pdf", "a")}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.DB.CreatePipelineRun(t.Context(), ws, "classify-document", []string{"classify-document"}, []byte(`{}`), postgres.PipelineSubjects{Documents: []dossier.DocumentID{docs[0].ID}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.DB.CreateEscalation(t.Context(), ws, lead, "asks for a person", nil, postgres.Caller{}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.DB.CreateKey(t.Context(), ws, postgres.NewKey{Name: "k"}); err != nil {
		t.Fatal(err)
	}
	address := "https://example.com/hook"
	hook, _, err := s.DB.CreateWebhook(t.Context(), ws, dossier.WebhookUpdate{URL: &address})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.DB.TestWebhook(t.Context(), ws, hook.ID); err != nil {
		t.Fatal(err)
	}
	now := s.Clock.Now()
	id := func() string { return postgres.NewID() }
	agent, workflow, run, spread := id(), id(), id(), id()
	s.Exec(t, `INSERT INTO agents (workspace_id, id, key, name, mode, channels, created_at, updated_at) VALUES ($1, $2, 'ava', 'Ava', 'LISTEN', '{email}', $3, $3)`, ws, agent, now)
	s.Exec(t, `INSERT INTO workflows (workspace_id, id, key, name, type, created_at, updated_at) VALUES ($1, $2, 'collect', 'Collect', 'CHECKLIST', $3, $3)`, ws, workflow, now)
	s.Exec(t, `INSERT INTO workflow_runs (workspace_id, id, lead_id, agent_id, workflow_id, workflow_type, status, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, 'CHECKLIST', 'PAUSED', $6, $6)`, ws, run, lead, agent, workflow, now)
	s.Exec(t, `INSERT INTO messages (workspace_id, id, lead_id, direction, channel, status, body, created_at, updated_at) VALUES ($1, $2, $3, 'OUTBOUND', 'email', 'DRAFT', 'b', $4, $4)`, ws, id(), lead, now)
	s.Exec(t, `INSERT INTO spreads (workspace_id, id, lead_id, status, created_at, updated_at) VALUES ($1, $2, $3, 'FAILED', $4, $4)`, ws, spread, lead, now)
	s.Exec(t, `INSERT INTO artifacts (workspace_id, id, spread_id, round, type, title, object_key, sha256, size, created_at) VALUES ($1, $2, $3, 1, 'REPORT', 't', 'k', '\x00', 1, $4)`, ws, id(), spread, now)
	s.Exec(t, `INSERT INTO erasures (workspace_id, id, subject, subject_id, lead_id, status, reason, requested_by, requested_at, due_at)
		VALUES ($1, $2, 'lead', $3, $3, 'SCHEDULED', 'r', 'system', $4, $4)`, ws, id(), lead, now)
	s.Exec(t, `INSERT INTO holds (workspace_id, id, lead_id, reason, created_by, created_at) VALUES ($1, $2, $3, 'r', 'system', $4)`, ws, id(), lead, now)
	s.Exec(t, `INSERT INTO parties (workspace_id, id, lead_id, name, kind, role, created_at, updated_at) VALUES ($1, $2, $3, 'p', 'person', 'owner', $4, $4)`, ws, id(), lead, now)
	s.Exec(t, `INSERT INTO document_parties (workspace_id, document_id, part, lead_id, by_person) VALUES ($1, $2, 0, $3, true)`, ws, docs[0].ID, lead)
	s.Exec(t, `INSERT INTO ownership_edges (workspace_id, lead_id, owner_id, owned_id, percent, position) VALUES ($1, $2, $3, $4, 5, 0)`, ws, lead, id(), id())
	s.Exec(t, `INSERT INTO ownership_shares (workspace_id, document_id, part, lead_id, owner_id, owned_id, percent, year) VALUES ($1, $2, 0, $3, $4, $5, 5, 2024)`,
		ws, docs[0].ID, lead, id(), id())
	s.Exec(t, `INSERT INTO debts (workspace_id, id, lead_id, party_id, position, lender, kind, balance, payment, frequency, secured, source)
		VALUES ($1, $2, $3, $4, 0, 'l', 'auto', 1, 1, 'monthly', false, 'manual')`, ws, id(), lead, id())
	s.Exec(t, `INSERT INTO imports (workspace_id, id, file_key, source, created_at) VALUES ($1, $2, 'k', 'imported', $3)`, ws, id(), now)
	ids := map[string]string{}
	for name, table := range idTables {
		ids[name] = pgtest.Value[string](t, s, `SELECT coalesce((SELECT id::text FROM `+table+` WHERE workspace_id = $1 ORDER BY id LIMIT 1), $2)`, ws, id())
	}
	return ws, ids
}

// Whatever a store method is asked in the name of one workspace about the things of another: they are not there, nothing of
// them is in the answer, and nothing of them changes. Every exported method that takes a workspace is asked.
func TestStore_every_method_with_foreign_ids(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	theirs, ids := owner(t, s)
	mine := s.Workspace(t)
	before := state(t, s, theirs)
	answers := askEveryMethod(t, s.DB, mine, ids)
	for _, a := range answers {
		if a.named && a.err == nil && silent[a.method] == "" {
			t.Errorf("%s found something by another workspace's ids", a.method)
		}
		if a.named && a.err != nil && dossier.KindOf(a.err) != dossier.NotFound && silent[a.method] == "" {
			t.Errorf("%s with another workspace's ids = %v, want NotFound", a.method, a.err)
		}
		a.holdsNone(t, ids)
	}
	if len(answers) < 50 {
		t.Errorf("only %d methods were asked", len(answers))
	}
	if after := state(t, s, theirs); after != before {
		t.Errorf("something of the other workspace changed:\n%s\n%s", before, after)
	}
}

// The same behind a pooler in transaction mode, which gives each transaction another connection of the server: two tenants
// ask at the same time, over and over, and neither sees the other's.
func TestStore_every_method_behind_a_pooler(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	theirs, ids := owner(t, s)
	mine, own := owner(t, s)
	db, err := postgres.Open(t.Context(), postgres.Config{URL: pgtest.PooledURL(t, s.URL), ListenURL: s.Run, PoolSize: 12, Now: s.Clock.Now, SecretKey: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	stop, busy := make(chan struct{}), sync.WaitGroup{}
	for range 4 {
		busy.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if lead, err := db.LeadView(t.Context(), theirs, dossier.LeadID(ids["LeadID"])); err != nil || string(lead.Lead.ID) != ids["LeadID"] {
					t.Errorf("the other workspace's own lead: %v", err)
					return
				}
			}
		})
	}
	before := state(t, s, theirs)
	for _, a := range askEveryMethod(t, db, mine, ids) {
		if a.named && a.err == nil && silent[a.method] == "" {
			t.Errorf("%s found something by another workspace's ids", a.method)
		}
		a.holdsNone(t, ids)
	}
	close(stop)
	busy.Wait()
	if after := state(t, s, theirs); after != before {
		t.Errorf("something of the other workspace changed:\n%s\n%s", before, after)
	}
	if lead, err := db.LeadView(t.Context(), mine, dossier.LeadID(own["LeadID"])); err != nil || string(lead.Lead.ID) != own["LeadID"] {
		t.Errorf("its own lead: %v", err)
	}
}

// The same with the wall alone: the session is of one workspace and every statement's condition, forged, names the other.
// No method finds or changes anything.
func TestRowLevelSecurity_alone_in_every_method(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	theirs, ids := owner(t, s)
	db := forged(t, s, s.Workspace(t))
	before := state(t, s, theirs)
	for _, a := range askEveryMethod(t, db, theirs, ids) {
		a.holdsNone(t, ids)
	}
	if after := state(t, s, theirs); after != before {
		t.Errorf("something of the other workspace changed:\n%s\n%s", before, after)
	}
}

// forged is a store whose sessions are all of ws, whatever workspace its methods set.
func forged(t *testing.T, s *pgtest.Server, ws dossier.WorkspaceID) *postgres.DB {
	t.Helper()
	s.Exec(t, `CREATE SCHEMA forged`)
	s.Exec(t, `GRANT USAGE ON SCHEMA forged TO PUBLIC`)
	s.Exec(t, `CREATE FUNCTION forged.set_config(name text, value text, local boolean) RETURNS text LANGUAGE sql AS
		$$ SELECT pg_catalog.set_config(name, CASE name WHEN 'app.ws' THEN '`+string(ws)+`' ELSE value END, local) $$`)
	address, err := url.Parse(pgtest.DirectURL(s.URL))
	if err != nil {
		t.Fatal(err)
	}
	query := address.Query()
	query.Set("search_path", "forged,pg_catalog,public")
	address.RawQuery = query.Encode()
	db, err := postgres.Open(t.Context(), postgres.Config{URL: address.String(), PoolSize: 4, Now: s.Clock.Now, SecretKey: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}

// asked is what a method answered.
type asked struct {
	method string
	named  bool   // ids were among its arguments
	answer string // as JSON
	err    error
}

// holdsNone reports what the answer holds of another workspace.
func (a asked) holdsNone(t *testing.T, ids map[string]string) {
	t.Helper()
	for name, id := range ids {
		if a.err == nil && strings.Contains(a.answer, id) {
			t.Errorf("the answer of %s holds another workspace's %s", a.method, name)
		}
	}
}

// askEveryMethod calls every exported method that takes a workspace in the name of ws, all ids among its arguments from ids.
func askEveryMethod(t *testing.T, store *postgres.DB, ws dossier.WorkspaceID, ids map[string]string) []asked {
	t.Helper()
	db := reflect.ValueOf(store)
	var all []asked
	for i := range db.NumMethod() {
		method, signature := db.Type().Method(i), db.Method(i).Type()
		if signature.NumIn() < 2 || signature.In(1) != reflect.TypeFor[dossier.WorkspaceID]() || signature.IsVariadic() {
			continue
		}
		filler := &filler{ids: ids}
		args := []reflect.Value{reflect.ValueOf(t.Context()), reflect.ValueOf(ws)}
		for p := 2; p < signature.NumIn(); p++ {
			args = append(args, filler.value(signature.In(p)))
		}
		out := db.Method(i).Call(args)
		a := asked{method: method.Name, named: filler.used}
		a.err, _ = out[len(out)-1].Interface().(error)
		for _, value := range out[:len(out)-1] {
			data, _ := json.Marshal(value.Interface())
			a.answer += string(data)
		}
		all = append(all, a)
	}
	return all
}

// filler makes arguments in which every id is another workspace's.
type filler struct {
	ids  map[string]string
	used bool
}

func (f *filler) value(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	f.fill(v, 0)
	return v
}

func (f *filler) fill(v reflect.Value, depth int) {
	if depth > 4 || !v.CanSet() {
		return
	}
	t := v.Type()
	switch {
	case t == reflect.TypeFor[dossier.Page]():
		v.Set(reflect.ValueOf(dossier.Page{Limit: 10}))
	case t == reflect.TypeFor[json.RawMessage]():
		v.SetBytes([]byte(`{}`))
	case t == reflect.TypeFor[time.Time](), t == reflect.TypeFor[time.Duration]():
	case t.Kind() == reflect.String && f.ids[t.Name()] != "":
		v.SetString(f.ids[t.Name()])
		f.used = true
	case t == reflect.TypeFor[dossier.Channel]():
		v.SetString(string(dossier.ChannelEmail))
	case t.Kind() == reflect.String && t.Name() == "string":
		v.SetString("classify-document")
	case t.Kind() == reflect.Int || t.Kind() == reflect.Int64:
		v.SetInt(1)
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			if t.Field(i).IsExported() {
				f.fill(v.Field(i), depth+1)
			}
		}
	case t.Kind() == reflect.Func:
		v.Set(reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value {
			var out []reflect.Value
			for i := range t.NumOut() {
				out = append(out, reflect.Zero(t.Out(i)))
			}
			return out
		}))
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		v.SetBytes([]byte("x"))
	case t.Kind() == reflect.Slice:
		one := reflect.MakeSlice(t, 1, 1)
		f.fill(one.Index(0), depth+1)
		v.Set(one)
	}
}

// state is a digest of everything that belongs to a workspace.
func state(t *testing.T, s *pgtest.Server, ws dossier.WorkspaceID) string {
	t.Helper()
	digest := ""
	tables := pgtest.Value[[]string](t, s, `SELECT array_agg(c.relname::text ORDER BY c.relname) FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id'
		WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace`)
	for _, table := range tables {
		digest += table + " " + pgtest.Value[string](t, s, `SELECT coalesce(md5(string_agg(x::text, ' ' ORDER BY x::text)), '-') FROM `+table+` x WHERE workspace_id = $1`, ws) + "\n"
	}
	return digest
}

// With the wall alone, statements that forget their WHERE see nothing of another tenant, in no table.
func TestRowLevelSecurity_alone_in_every_table(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	theirs, _ := owner(t, s)
	mine := s.Workspace(t)
	tables := pgtest.Value[[]string](t, s, `SELECT array_agg(c.relname::text ORDER BY c.relname) FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id'
		WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace`)
	filled := 0
	for _, table := range tables {
		if pgtest.Value[int](t, s, `SELECT count(*) FROM `+table+` WHERE workspace_id = $1`, theirs) == 0 {
			continue
		}
		filled++
		if !pgtest.Value[bool](t, s, `SELECT has_table_privilege('dossier_app', $1, 'SELECT')`, table) {
			continue // the tenants' role cannot even ask
		}
		s.Exec(t, `SET ROLE dossier_app`)
		s.Exec(t, `SELECT set_config('app.ws', $1, false)`, string(mine))
		seen := pgtest.Value[int](t, s, `SELECT count(*) FROM `+table)
		s.Exec(t, `RESET ROLE`)
		if seen != 0 {
			t.Errorf("as another workspace %d rows of %s are visible, want none", seen, table)
		}
	}
	if filled < 15 {
		t.Errorf("only %d tables had rows to hide", filled)
	}
}
