package worker

import (
	"context"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/cluster"
	"github.com/dossierhq/dossier/cmd/lab/daemon/daemontest"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// load is an API under use: leads are created and jobs staged until it ends, and whoever is told to come again does.
type load struct {
	mu    sync.Mutex
	leads []string // that were accepted
	jobs  []dossier.JobID
	end   func()
}

func (b *hookBench) load() *load {
	l := &load{}
	ctx, cancel := context.WithCancel(context.Background())
	var ended sync.WaitGroup
	l.end = sync.OnceFunc(func() { cancel(); ended.Wait() })
	b.t.Cleanup(l.end)
	ended.Go(func() {
		for jobs.Sleep(ctx, 5*time.Millisecond) {
			if err := b.accept(ctx, l); err != nil && ctx.Err() == nil && dossier.KindOf(err) != dossier.Unavailable {
				b.t.Errorf("an outage must be called one: %v", cause(err))
			}
		}
	})
	return l
}

func (b *hookBench) accept(ctx context.Context, l *load) error {
	ada := postgres.NewLead{LeadUpdate: dossier.LeadUpdate{FirstName: dossier.Set("Ada")}}
	lead, err := b.db.CreateLead(ctx, b.ws, ada, postgres.Caller{Source: dossier.SourceImported})
	if err != nil {
		return err
	}
	l.mu.Lock()
	l.leads = append(l.leads, string(lead))
	l.mu.Unlock()
	ids, err := b.db.StageJobs(ctx, b.ws, noops(b.ws, 1)...)
	if err != nil {
		return err // the load ended in the middle of it, or an outage
	}
	l.mu.Lock()
	l.jobs = append(l.jobs, ids...)
	l.mu.Unlock()
	return nil
}

func (l *load) accepted() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.leads)
}

// more waits until so many leads more were accepted.
func (b *hookBench) more(l *load, n int) {
	b.t.Helper()
	n += l.accepted()
	b.until("more is accepted", func() bool { return l.accepted() >= n })
}

// nothingLost ends the load and holds what was accepted against what became of it: each lead's event came to the
// endpoint, each job is done.
func (b *hookBench) nothingLost(t *testing.T, l *load) {
	t.Helper()
	l.end()
	b.until("leases of what nobody knows run out", func() bool {
		b.pg.Exec(t, `UPDATE jobs SET lease_until = now() - interval '1 second'
			WHERE status = 'RUNNING' AND lease_until < now() + interval '6 seconds'`)
		return b.count(dossier.JobQueued)+b.count(dossier.JobRunning)+b.count(dossier.JobRetry) == 0
	})
	repeats := b.settled()
	told := pgtest.Value[int](t, b.pg, `SELECT count(DISTINCT lead_id) FROM deliveries WHERE status = 'SUCCEEDED'
		AND event_type = 'lead.created' AND lead_id = ANY ($1::uuid[])`, l.leads)
	done := pgtest.Value[int](t, b.pg, `SELECT count(*) FROM jobs WHERE status = 'DONE' AND id = ANY ($1::uuid[])`,
		l.jobs)
	if told != len(l.leads) || done != len(l.jobs) {
		t.Errorf("of %d leads %d are told, of %d jobs %d are done; the others: %v", len(l.leads), told, len(l.jobs), done,
			pgtest.Value[[]string](t, b.pg, `SELECT coalesce(array_agg(concat_ws(' ', status, error_class, attempt)), '{}')
				FROM jobs WHERE status <> 'DONE' AND id = ANY ($1::uuid[])`, l.jobs))
		return
	}
	t.Logf("%d leads and %d jobs accepted, 0 lost; %d requests came again", len(l.leads), len(l.jobs), repeats)
}

// The primary of the queue dies under load: the sentinel makes the replica the primary, the worker follows, and what
// the failover lost is staged again.
func faultSentinel(t *testing.T) {
	b := setupHooks(t)
	primary, kill := redisServer(t)
	host, port, _ := net.SplitHostPort(primary)
	replica, _ := redisServer(t, "--replicaof", host+" "+port)
	b.ask(replica, "master_link_status:up", "INFO", "replication")
	config := filepath.Join(t.TempDir(), "sentinel.conf")
	if err := os.WriteFile(config, []byte("sentinel monitor queue "+host+" "+port+" 1\n"+
		"sentinel down-after-milliseconds queue 500\nsentinel failover-timeout queue 5000\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sentinel, _ := redisServer(t, config, "--sentinel")
	b.ask(sentinel, "status=ok,address="+primary+",slaves=1", "INFO", "sentinel")
	b.connect("redis-sentinel://" + sentinel + "?master=queue")
	b.receive(nil)
	w, _ := b.both()
	b.run(w)
	b.well()
	l := b.load()
	b.more(l, longer(50, 500))
	kill()
	b.ask(sentinel, "address="+replica, "INFO", "sentinel")
	b.more(l, longer(50, 500))
	b.nothingLost(t, l)
}

// redisCluster is three nodes without replicas.
type redisCluster struct {
	nodes []string
	kill  []func()
	again []func() (kill func())
}

func (b *bench) redisCluster() *redisCluster {
	b.t.Helper()
	c, program, buses := &redisCluster{}, redisProgram(b.t), make([]string, 3)
	for i := range 3 {
		port, dir := freePort(b.t), b.t.TempDir()
		buses[i] = freePort(b.t)
		start := func() (kill func()) {
			return redisOn(b.t, program, port, dir, "--cluster-enabled", "yes", "--cluster-port", buses[i],
				"--cluster-node-timeout", "1000")
		}
		c.nodes, c.kill, c.again = append(c.nodes, "127.0.0.1:"+port), append(c.kill, start()), append(c.again, start)
		b.ask(c.nodes[i], "PONG", "PING")
	}
	for i, node := range c.nodes {
		b.ask(node, "OK", "CLUSTER", "ADDSLOTSRANGE", i*16384/3, (i+1)*16384/3-1)
		host, port, _ := net.SplitHostPort(c.nodes[(i+1)%3])
		b.ask(node, "OK", "CLUSTER", "MEET", host, port, buses[(i+1)%3])
	}
	for _, node := range c.nodes {
		b.ask(node, "cluster_state:ok", "CLUSTER", "INFO")
		b.ask(node, "cluster_known_nodes:3", "CLUSTER", "INFO")
	}
	b.connect("redis-cluster://" + strings.Join(c.nodes, ","))
	return c
}

// of is the node that has a lane's queue.
func (c *redisCluster) of(t *testing.T, client redis.UniversalClient, lane jobs.Lane) int {
	t.Helper()
	slot, err := client.ClusterKeySlot(t.Context(), "asynq:{"+string(lane)+"}:pending").Result()
	if err != nil {
		t.Fatal(err)
	}
	return int(slot) * 3 / 16384
}

// A shard of the cluster dies under load with all that it held, and comes back empty.
func faultShardLost(t *testing.T) {
	b := setupHooks(t)
	c := b.redisCluster()
	b.receive(nil)
	w, _ := b.both()
	b.run(w)
	b.well()
	l := b.load()
	b.more(l, longer(50, 500))
	lost := c.of(t, b.redis.Client(), jobs.LaneSystem)
	c.kill[lost]()
	b.ask(c.nodes[(lost+1)%3], "cluster_state:fail", "CLUSTER", "INFO")
	b.more(l, longer(50, 500))
	c.again[lost]()
	b.ask(c.nodes[(lost+1)%3], "cluster_state:ok", "CLUSTER", "INFO")
	b.more(l, longer(50, 500))
	b.nothingLost(t, l)
}

// The primary of Postgres dies under load: its synchronous standby, once it is promoted, has all that was accepted.
func faultStandbyPromoted(t *testing.T) {
	t.Parallel()
	pg, primary := pgtest.Own(t, map[string]string{"synchronous_commit": "on"})
	standby, err := primary.Follow(t.Context(), cluster.Options{Dir: filepath.Join(daemontest.Dir(t), "standby"),
		Fast: true, Settings: map[string]string{"synchronous_commit": "on"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := standby.Stop(); err != nil {
			t.Error(err)
		}
	})
	b := hooksOn(benchOn(t, pg))
	b.pg.Exec(t, `ALTER SYSTEM SET synchronous_standby_names = '*'`)
	b.pg.Exec(t, `SELECT pg_reload_conf()`)
	b.until("commits wait for the standby", func() bool {
		return pgtest.Value[int](t, b.pg, `SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'`) == 1
	})
	b.opened(either(t, b.pg.Run, standby.URL("dossier")), 8)
	b.receive(nil)
	w, _ := b.both()
	b.run(w)
	b.well()
	l := b.load()
	b.more(l, longer(50, 500))
	if err := primary.Kill(); err != nil {
		t.Fatal(err)
	}
	b.pg = pgtest.Open(t, standby.URL("dossier"))
	b.says(w, "dossier_postgres_up", exactly(0))
	if !pgtest.Value[bool](t, b.pg, `SELECT pg_promote()`) {
		t.Fatal("the standby is not promoted")
	}
	b.more(l, longer(50, 500))
	b.nothingLost(t, l)
}

// either is the URL of whichever of two servers takes writes.
func either(t *testing.T, one, other string) string {
	t.Helper()
	first, err := url.Parse(one)
	if err != nil {
		t.Fatal(err)
	}
	second, err := url.Parse(other)
	if err != nil {
		t.Fatal(err)
	}
	query := first.Query()
	query.Set("target_session_attrs", "read-write")
	first.Host, first.RawQuery = first.Host+","+second.Host, query.Encode()
	return first.String()
}
