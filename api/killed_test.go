package api

import (
	"bytes"
	"net"
	"net/url"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// killer stands between a store and its Postgres and breaks the connection when a flight of the store has done its
// work, as if the program had died before the answer.
type killer struct {
	target string

	mu     sync.Mutex
	left   int // flights until it strikes; 0: it does not
	struck bool
}

// arm lets the n-th flight from now be the last of its connection.
func (k *killer) arm(n int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.left, k.struck = n, false
}

// disarm reports whether it struck.
func (k *killer) disarm() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.left = 0
	return k.struck
}

// last reports whether a flight is the last.
func (k *killer) last() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.left == 0 {
		return false
	}
	k.left--
	k.struck = k.left == 0
	return k.struck
}

// flight is what a store sends before it waits for an answer, which may come over the wire in parts, and that answer.
// The next flight begins when the server has said all.
type flight struct {
	mu       sync.Mutex
	tail     []byte // the last bytes of the answer
	answered bool
	muted    bool // the store hears no more of it
}

// begins reports whether bytes of the store are the first of a flight.
func (f *flight) begins() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	begins := f.answered
	f.answered = false
	return begins
}

// mute lets the answer of this flight be the end.
func (f *flight) mute() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.muted = true
}

// hears takes bytes of the server: whether the store may have them, and whether the server has said all: it is ready
// for the next query, or asks who is there.
func (f *flight) hears(said []byte) (tell, over bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	const ready = len("Z....I")
	f.tail = append(f.tail, said...)
	f.tail = f.tail[max(0, len(f.tail)-ready):]
	f.answered = bytes.HasPrefix(f.tail, []byte{'Z', 0, 0, 0, 5}) && len(f.tail) == ready || bytes.HasPrefix(said, []byte("R"))
	return !f.muted, f.answered
}

func (k *killer) serve(client net.Conn) {
	server, err := net.Dial("tcp", k.target)
	if err != nil {
		_ = client.Close()
		return
	}
	end := func() { _, _ = client.Close(), server.Close() }
	f := &flight{answered: true}
	go func() {
		defer end()
		buffer := make([]byte, 64<<10)
		for {
			n, err := server.Read(buffer)
			if err != nil {
				return
			}
			if tell, over := f.hears(buffer[:n]); !tell {
				if over { // the server does what it has got, a commit behind the rest too, and then ends
					_ = server.(*net.TCPConn).CloseWrite()
				}
				continue
			}
			if _, err := client.Write(buffer[:n]); err != nil {
				return
			}
		}
	}()
	defer end()
	buffer := make([]byte, 64<<10)
	for {
		n, err := client.Read(buffer)
		if err != nil {
			return // also when the other direction has ended
		}
		if f.begins() && k.last() {
			f.mute()
		}
		if _, err := server.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// mortal is a second store on the server's database, through a killer.
func (s *testServer) mortal(t *testing.T) (*postgres.DB, *killer) {
	t.Helper()
	u, err := url.Parse(s.Run)
	if err != nil {
		t.Fatal(err)
	}
	k := &killer{target: u.Host}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go k.serve(client)
		}
	}()
	u.Host = listener.Addr().String()
	db, err := postgres.Open(t.Context(), postgres.Config{URL: u.String(), ListenURL: s.Run, PoolSize: 1, Now: s.Clock.Now, SecretKey: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db, k
}

// everything is all that an act of a person may move, without ids.
func (s *testServer) everything(t *testing.T) string {
	t.Helper()
	return pgtest.Value[string](t, s.Server, `SELECT jsonb_build_object(
		'documents', (SELECT jsonb_agg(jsonb_build_array(extraction, machine_extraction, corrections, extraction_status, parts, updated_at, deleted_at) ORDER BY id) FROM documents),
		'verdicts', (SELECT jsonb_agg(jsonb_build_array(jsonb_path_query_array(validation_result, '$.validationResults[*].isValidReason'), overall_valid, override_valid, override_by, override_at) ORDER BY id) FROM document_associations),
		'items', (SELECT jsonb_agg(jsonb_build_array(status, reasons, updated_at) ORDER BY id) FROM checklist_entries),
		'spreads', (SELECT jsonb_agg(jsonb_build_array(status, round, approval_state, approval_by, approval_at, approval_note, submitter, approver, four_eyes) ORDER BY id) FROM spreads),
		'reviews', (SELECT jsonb_agg(jsonb_build_array(code, state, version, decision, decided_by, detail, assignee, claimed_by, claimed_until) ORDER BY created_at, code, id) FROM reviews),
		'messages', (SELECT jsonb_agg(jsonb_build_array(status) ORDER BY id) FROM messages),
		'escalations', (SELECT jsonb_agg(jsonb_build_array(status, resolved_by) ORDER BY id) FROM escalations),
		'erasures', (SELECT jsonb_agg(jsonb_build_array(status, waits, agreed_by) ORDER BY id) FROM erasures),
		'interventions', (SELECT jsonb_agg(kind ORDER BY kind) FROM interventions),
		'events', (SELECT jsonb_agg(type ORDER BY created_at, type) FROM events),
		'timeline', (SELECT jsonb_agg(summary ORDER BY created_at, summary) FROM action_logs),
		'audit', (SELECT jsonb_agg(action ORDER BY position) FROM audit_entries),
		'jobs', (SELECT jsonb_agg(jsonb_build_array(kind, status) ORDER BY kind, status) FROM jobs))::text`)
}

// killedAtEachStep does something again and again, the program dying one step later each time, until it lives: at every
// death nothing has happened or all of it has, and what has happened once does not happen again. whole is what a
// program that lives makes of the same.
func (s *testServer) killedAtEachStep(t *testing.T, whole string, do func(db *postgres.DB) error) {
	t.Helper()
	db, killer := s.mortal(t)
	before, deaths := s.everything(t), 0
	if before == whole {
		t.Fatal("what is done shows nowhere")
	}
	for step := 1; ; step++ { // after it, which is before the next
		for tries := 0; db.Ping(t.Context()) != nil; tries++ { // connected anew: each time as many flights lead to the commit
			if tries > 100 {
				t.Fatal("the store does not come back")
			}
		}
		killer.arm(step)
		err := do(db)
		struck := killer.disarm()
		now := s.everything(t)
		if now == before && struck {
			if deaths++; err == nil {
				t.Errorf("step %d: it said it was done, and is not", step)
			}
			continue
		}
		if !struck {
			t.Error("it did not die at its commit")
		}
		if diff := cmp.Diff(whole, now); diff != "" {
			t.Errorf("half done at step %d (-want +got):\n%s", step, diff)
		}
		_ = do(db) // the client asks once more
		if again := s.everything(t); again != now {
			t.Errorf("done twice:\n%s", cmp.Diff(now, again))
		}
		if deaths < 4 {
			t.Errorf("only %d deaths before it was done", deaths)
		}
		return
	}
}

// A program that dies at any step of a correction leaves facts, checks, verdicts, items, reviews, spreads, events and
// jobs as they were, or has done all of it, once.
func TestCorrections_killed(t *testing.T) {
	t.Parallel()
	made := func() (correctable, dossier.DocumentID) {
		c := newCorrectable(t)
		id := c.document(t, "completed", statementRead("12.00"))
		spread := postgres.NewID()
		c.Exec(t, `INSERT INTO spreads (workspace_id, id, lead_id, status, results, created_at, updated_at) VALUES ($1, $2, $3, 'COMPLETE', '{}', now(), now())`, c.Workspace, spread, c.lead)
		c.Exec(t, `INSERT INTO spread_documents (workspace_id, spread_id, document_id, position, status) VALUES ($1, $2, $3, 0, 'EXTRACTED')`, c.Workspace, spread, id)
		return c, dossier.DocumentID(id)
	}
	correct := func(c correctable, id dossier.DocumentID) func(db *postgres.DB) error {
		return func(db *postgres.DB) error {
			_, _, err := db.CorrectDocument(t.Context(), c.Workspace, id, postgres.CorrectionRequest{
				Set: []dossier.Correction{{Pointer: "/closingBalance", Value: []byte(`"120.00"`)}}, CorrectionRules: c.API.correctionRules(id, nil)})
			return err
		}
	}
	alive, read := made()
	if err := correct(alive, read)(alive.DB); err != nil {
		t.Fatal(err)
	}
	c, id := made()
	c.killedAtEachStep(t, alive.everything(t), correct(c, id))
}
