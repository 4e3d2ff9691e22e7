package worker

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
)

// faultCase is one way in which a process, a service, an endpoint or the load goes wrong. scenario runs it on a whole worker
// and ends with settled; shown are tests that show it elsewhere, as directory and name.
type faultCase struct {
	number   int
	name     string
	scenario func(t *testing.T)
	shown    []string
}

// faultCases are all faults that are held to the promises: nothing accepted is lost, effects land once, nothing is stuck.
var faultCases = []faultCase{
	{1, "worker killed with its request under way", faultWorkerKilled, []string{"jobs/worker TestReaper_lost_worker", "jobs/worker TestSpread_killed", "jobs/worker TestExport_killed", "jobs/worker TestChain_killed", "cmd/dev TestWorker_killed"}},
	{1, "worker killed before its acknowledgement", faultKilledBeforeItsAck, []string{"jobs/worker TestWorker_suppresses_duplicates"}},
	{2, "worker killed between the answer and its commit", faultKilledBeforeItsCommit, []string{"jobs/worker TestWebhooks_killedWhileSending"}},
	{3, "relay killed between enqueue and delete", faultRelayKilled, nil},
	{4, "api killed after its commit", nil, []string{"api TestIdempotency_crash_after_commit"}},
	{5, "worker told to stop with long jobs", nil, []string{"jobs/worker TestWorker_drain", "jobs/worker TestWorker_gives_up_on_a_handler_that_does_not_stop", "cmd/dossier-worker TestRun"}},
	{6, "worker stopped and continued", faultStopped, []string{"jobs/worker TestReaper_lost_worker", "jobs/worker TestReaper_a_stalled_worker_is_fenced"}},
	{7, "relays reapers and schedulers at once", faultEverythingTwice, []string{"jobs/worker TestSchedule_ticks_once_whoever_leads"}},
	{8, "poison job", faultPoison, []string{"jobs/worker TestWorker_ends_a_job", "jobs/worker TestReaper_lost_workers", "jobs/worker TestWorker_ends_a_job_with_a_poisoned_payload"}},
	{9, "clock skew of two minutes", faultClockSkew, nil},

	{10, "redis down for six seconds while handlers finish", redisAway(6 * time.Second), []string{"jobs/worker TestOutage_redis_away"}},
	{11, "redis down for long", redisAway(longer(9*time.Second, 45*time.Second)), nil},
	{12, "redis flushed", faultFlushed, []string{"jobs/worker TestReaper_redis_wiped", "cmd/dev TestWorker_killed"}},
	{13, "redis restarted without persistence", faultRestarted, nil},
	{14, "redis on a bad line", faultBadLine, nil},
	{15, "redis full", faultFull, nil},
	{16, "redis scripts flushed", faultScriptsFlushed, nil},
	{17, "polls with redis down", nil, []string{"api TestPoll_tags_and_Redis", "storage/cache TestAway"}},

	{18, "postgres vanishes in the middle of commits", faultAmbiguousCommits, []string{"jobs/worker TestOutage_postgres_connections_break"}},
	{19, "connection pool exhausted", faultPoolExhausted, nil},
	{20, "statements cancelled, deadlocks, serialization failures", faultCancelled, []string{"storage/postgres TestTransaction_made_again_after_a_conflict"}},
	{21, "failover to a server that only reads", faultReadOnly, []string{"storage/postgres TestTranslate"}},
	{22, "long transaction", faultLongTransaction, []string{"storage/postgres TestEvents_commitOrder"}},

	{23, "object storage down while artifacts are written", nil, []string{"jobs/worker TestSpread_storage_fails_while_artifacts_are_written", "jobs/worker TestExport_storage_fails_halfway"}},
	{24, "multipart aborted", nil, []string{"storage/objects TestParts_abort", "storage/objects TestAbortIncomplete", "jobs/worker TestExport_storage_fails_halfway"}},
	{25, "object storage slow", nil, []string{"jobs/worker TestExport_stalled", "jobs/worker TestSpread_killed"}},
	{26, "clock of presigned addresses", nil, []string{"storage/objects TestPresignGet", "storage/objects TestPresignGet_forged", "storage/objects TestPresignPut"}},

	{27, "endpoints that misbehave", faultEndpoints, []string{"webhooks TestDeliver_hangsBeforeHead", "webhooks TestDeliver_hangsInHandshake"}},
	{28, "endpoint drips a body for ever", nil, []string{"jobs/worker TestFaults", "webhooks TestDeliver_dripsBody"}},
	{29, "endpoint answers 100 MB", nil, []string{"jobs/worker TestFaults", "webhooks TestDeliver_hugeBody"}},
	{30, "gzip bomb", nil, []string{"jobs/worker TestFaults", "webhooks TestDeliver_gzipBomb"}},
	{31, "redirect to the metadata service", nil, []string{"jobs/worker TestFaults", "webhooks TestClient_redirectIsNotFollowed"}},
	{32, "dns rebinding", nil, []string{"webhooks TestClient_rebinding"}},
	{33, "addresses in other forms", nil, []string{"jobs/worker TestFaults", "webhooks TestClient_blockedAddresses", "webhooks TestClient_failsClosed", ". TestBlockedAddress"}},
	{34, "410, 429 and 503 with Retry-After", faultEndpointGone, []string{"jobs/worker TestFaults", "webhooks TestDeliver_statuses", "webhooks TestRetryAfter", ". TestSchedule_Next"}},
	{35, "certificate expired or of nobody", nil, []string{"jobs/worker TestFaults", "webhooks TestDeliver_tls"}},
	{36, "reset after the request was sent", nil, []string{"jobs/worker TestFaults", "webhooks TestDeliver_resetAfterRequest"}},
	{37, "100-continue, and early success then reset", nil, []string{"jobs/worker TestFaults", "webhooks TestDeliver_continue", "webhooks TestDeliver_endlessContinue", "webhooks TestDeliver_earlySuccessThenReset"}},
	{38, "endpoint flaps", faultFlapping, []string{". TestBreaker_oneProbe", "storage/postgres TestSaveAttempts_breaker"}},
	{39, "endpoint hangs with half the traffic", nil, []string{"jobs/worker TestWebhooks_hangingEndpointHarmsNobody", "cmd/lab/bench TestWebhooks"}},
	{40, "endpoint deleted, disabled or its secret rotated while deliveries wait", nil, []string{"jobs/worker TestWebhooks_deletedWhileWaiting", "jobs/worker TestWebhooks_replaysWhatWasSkipped", "jobs/worker TestWebhooks_secretRotatedAndUrlChangedWhileWaiting"}},
	{41, "header injection", nil, []string{". TestWebhook_headers", "storage/postgres TestCreateWebhook_refuses", "api TestWebhooks"}},
	{42, "no UTF-8, and a huge head", nil, []string{"jobs/worker TestFaults", "webhooks TestDeliver_notUTF8", "webhooks TestDeliver_hugeHead"}},

	{43, "burst of ten times the load", faultBurst, nil},
	{44, "events for long", nil, []string{"cmd/lab/bench TestWebhooks"}},
	{45, "a million wait", nil, []string{"storage/postgres TestPlans_every_statement", "storage/postgres TestPlans_one_has_all", "jobs/worker TestReaper_a_long_queue_is_not_a_loss", "cmd/lab/bench TestWebhooks"}},
	{46, "ten thousand dead letters and a replay beside live traffic", faultDeadLetters, []string{"storage/postgres TestReplay", "storage/postgres TestRetryJobs"}},

	{47, "sentinel makes a replica the primary", faultSentinel, nil},
	{48, "shard of a cluster lost", faultShardLost, []string{"jobs/worker TestRedis_cluster"}},
	{49, "synchronous standby promoted", faultStandbyPromoted, nil},
	{50, "rolling upgrade that gets stuck", nil, []string{"cmd/internal/watch TestFault_rolling_upgrade"}},

	{51, "lane that no worker serves", faultUnserved, nil},
	{52, "lane paused and forgotten", faultPaused, nil},
	{53, "handler that fails", faultHandlerFails, nil},
	{54, "handler that does not stop", faultHandlerStuck, []string{"jobs/worker TestWorker_gives_up_on_a_handler_that_does_not_stop"}},
	{55, "ledger locked for longer than heartbeats take", faultHeartbeats, nil},
	{56, "too few workers for what is uploaded", faultReadingLate, nil},
	{57, "event that cannot be dispatched", faultEventAside, []string{"storage/postgres TestDispatchEvents_sets_aside"}},
	{58, "parser that dies", faultParserDies, nil},
	{59, "provider of messages away", faultProviderAway, nil},
	{60, "language model away", nil, []string{"cmd/internal/watch TestFault_model_away"}},
	{61, "nobody judges", faultNobodyJudges, nil},
	{62, "erasures that nobody makes", faultErasuresOverdue, nil},

	{63, "archive of WAL full", faultArchiveFull, nil},
	{64, "no backup and no drill", faultNoBackup, nil},
	{65, "release started before its migration", nil, []string{"cmd/internal/watch TestFault_schema_behind", "cmd/internal/setup TestAwaitSchema"}},
	{66, "kernel without walls", nil, []string{"cmd/internal/watch TestFault_no_landlock"}},
	{67, "table locked while a small pool fills up", nil, []string{"cmd/internal/watch TestFault_table_locked"}},
	{68, "object storage away while files are sent", nil, []string{"cmd/internal/watch TestFault_storage_away"}},
}

// TestFaults runs each fault. DOSSIER_LONG=1 lets outages last and heaps grow as long and large as they do in bad weeks.
func TestFaults(t *testing.T) {
	for _, c := range faultCases {
		if c.scenario != nil {
			t.Run(fmt.Sprintf("%02d %s", c.number, c.name), recorded(c))
		}
	}
}

var long = os.Getenv("DOSSIER_LONG") != ""

func longer[T any](usual, inLong T) T {
	if long {
		return inLong
	}
	return usual
}

// TestFaults_index holds the table against the tests there are: each fault with a scenario or a test elsewhere.
func TestFaults_index(t *testing.T) {
	t.Parallel()
	tests := testNames(t)
	var numbers []int
	for _, c := range faultCases {
		numbers = append(numbers, c.number)
		if c.scenario == nil && len(c.shown) == 0 {
			t.Errorf("fault %d, %s, is shown by nothing", c.number, c.name)
		}
		for _, name := range c.shown {
			if !tests[name] {
				t.Errorf("fault %d, %s: there is no test %q", c.number, c.name, name)
			}
		}
	}
	if !slices.IsSorted(numbers) {
		t.Error("the faults are not in order")
	}
	for number := 1; number <= slices.Max(numbers); number++ {
		if !slices.Contains(numbers, number) {
			t.Errorf("fault %d is missing", number)
		}
	}
}

// testNames are all test functions of the repository, as directory and name.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	root, names := os.DirFS("../.."), map[string]bool{}
	err := fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && path != "." {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, declared := range file.Decls {
			if f, ok := declared.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") {
				names[filepath.Dir(path)+" "+f.Name.Name] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// both makes a worker that delivers and also counts no-op jobs.
func (b *hookBench) both() (*Worker, *tally) {
	b.t.Helper()
	w, ran := b.deliverer(), newTally()
	w.handlers[jobs.Noop{}.Spec().Kind] = handler{spec: jobs.Noop{}.Spec(), do: func(_ context.Context, claim postgres.Claim) error {
		ran.add(claim.Job)
		return nil
	}}
	return w, ran
}

// once: each of the jobs ran exactly once.
func (b *hookBench) once(t *testing.T, ran *tally, ids []dossier.JobID) {
	t.Helper()
	for _, id := range ids {
		if n := ran.of(id); n != 1 {
			t.Errorf("job %s ran %d times", id, n)
		}
	}
}
