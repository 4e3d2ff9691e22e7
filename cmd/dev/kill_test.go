package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/storage/cache"
)

// rounds is how often the worker is killed; FAULT_ROUNDS sets it for long runs.
func rounds(t *testing.T, usual int) int {
	if text := os.Getenv("FAULT_ROUNDS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return usual
}

// startChild starts a worker process on the stack's services.
func startChild(t *testing.T, s *stack) *exec.Cmd {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), "TEST_CHILD=worker", "DOSSIER_WEBHOOK_ALLOW=127.0.0.0/8", "DOSSIER_WEBHOOK_SCHEDULE=0s,1s,1s,1s,1s")
	for _, v := range s.env {
		child.Env = append(child.Env, v.Name+"="+v.Value)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	return child
}

func kill(child *exec.Cmd) {
	_ = child.Process.Kill()
	_ = child.Wait()
}

// TestWorker_killed sends documents on their way while the worker is killed at random moments, and Redis is wiped in
// the middle. Nothing is lost, each effect lands once, and work goes on within 20 seconds of each restart.
func TestWorker_killed(t *testing.T) {
	s := startStack(t, options{noWorker: true})
	box := newInbox(t, s)
	random := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano())))
	lead, item := s.testLead(t, 1)
	n := rounds(t, 4)
	var ids []string
	var waits []time.Duration
	child := startChild(t, s)
	defer func() { kill(child) }()
	for round := range n {
		made := specimen.BankStatement(specimen.BankOptions{Seed: uint64(round + 1), Layout: specimen.BankLayouts()[round%2],
			Month: time.Date(2020, time.Month(1+round), 1, 0, 0, 0, 0, time.UTC), Entries: 8})
		sentIDs, err := s.demoUpload(t.Context(), lead, []uploadFile{{"statement.pdf", made.MimeType, made.Data}})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, sentIDs...)
		time.Sleep(time.Duration(random.IntN(1500)) * time.Millisecond) // the random moment is the test
		kill(child)
		if round == n/2 {
			wipeRedis(t, s)
		}
		child = startChild(t, s)
		began := time.Now()
		within(t, 2*time.Minute, "the document read after a restart", func() bool { return s.documents(t, lead)[0].Metadata.Status == "completed" })
		waits = append(waits, time.Since(began).Round(10*time.Millisecond))
	}
	slices.Sort(waits)
	t.Logf("%d kills; a document was read, from the restart of its worker on, in %v (median), %v (worst)", n, waits[n/2], waits[n-1])
	s.untilIdle(t)
	for _, id := range ids {
		for _, event := range []string{"document.received", "document.extracted", "document.validated"} {
			within(t, time.Minute, event+" of "+id, func() bool { return box.count(event, id) == 1 })
		}
	}
	for _, d := range s.documents(t, lead) {
		if len(d.Associations) != 1 || d.Associations[0].Item != item {
			t.Errorf("document %s has %d associations, want one, with its item", d.ID, len(d.Associations))
		}
	}
	if got := s.itemStatus(t, lead, "STATEMENT"); got != "COMPLETED" {
		t.Errorf("item = %s, want COMPLETED", got)
	}
	if n := box.count("checklist_item.completed", item); n != 1 {
		t.Errorf("checklist_item.completed came %d times, want once", n)
	}
	if box.bad > 0 {
		t.Errorf("%d deliveries had bad signatures", box.bad)
	}
	t.Logf("%d deliveries came again under their webhook-id, as at-least-once allows after a kill", box.repeated)
}

func wipeRedis(t *testing.T, s *stack) {
	t.Helper()
	conn, err := cache.Open(s.cfg.RedisURL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if err := conn.Client().FlushDB(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
}

// untilIdle waits until every job has ended, and fails when one ended without success.
func (s *stack) untilIdle(t *testing.T) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.cfg.MigrateURL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	count := func(where string) (n int) {
		if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM jobs WHERE kind <> 'system.noop' AND "+where).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	within(t, 2*time.Minute, "no unfinished job", func() bool { return count("status IN ('QUEUED', 'RUNNING', 'RETRY')") == 0 })
	if n := count("status = 'FAILED'"); n > 0 {
		t.Errorf("%d jobs FAILED, want none", n)
	}
}
