package worker

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/cache"
	"github.com/dossierhq/dossier/storage/postgres"
)

// redisServer starts a real one and returns its address and how to kill it.
func redisServer(t *testing.T, args ...string) (address string, kill func()) {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("no redis-server: `go run ./cmd/internal/tasks setup check` installs it")
	}
	port := freePort(t)
	command := exec.Command(program, append(args, "--port", port, "--bind", "127.0.0.1", "--save", "", "--loglevel", "warning", "--dir", t.TempDir())...)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	kill = func() { _ = command.Process.Kill(); _ = command.Wait() }
	t.Cleanup(kill)
	return "127.0.0.1:" + port, kill
}

func freePort(t *testing.T) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return port
}

// ask sends a command to one server until its answer has what is wanted.
func (b *bench) ask(address, want string, command ...any) {
	b.t.Helper()
	client := redis.NewClient(&redis.Options{Addr: address})
	defer func() { _ = client.Close() }()
	b.until(fmt.Sprint(command, " on ", address), func() bool {
		answer, err := client.Do(context.Background(), command...).Result()
		return err == nil && strings.Contains(fmt.Sprint(answer), want)
	})
}

func (b *bench) connect(url string) {
	b.t.Helper()
	conn, err := cache.Open(url)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = conn.Close() })
	b.redis = conn
}

// The primary dies with work in its queue: the sentinel makes the replica the primary, the worker follows, and what the
// failover lost is staged again.
func TestRedis_sentinel_failover(t *testing.T) {
	b := setup(t)
	primary, kill := redisServer(t)
	host, port, _ := net.SplitHostPort(primary)
	replica, _ := redisServer(t, "--replicaof", host+" "+port)
	b.ask(replica, "master_link_status:up", "INFO", "replication")
	config := filepath.Join(t.TempDir(), "sentinel.conf")
	if err := os.WriteFile(config, []byte("sentinel monitor queue "+host+" "+port+" 1\nsentinel down-after-milliseconds queue 500\nsentinel failover-timeout queue 5000\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sentinel, _ := redisServer(t, config, "--sentinel")
	b.ask(sentinel, "status=ok,address="+primary+",slaves=1", "INFO", "sentinel")
	b.connect("redis-sentinel://" + sentinel + "?master=queue")
	gate := make(chan struct{})
	ran := newTally()
	w := b.worker(func(_ context.Context, claim postgres.Claim) error { ran.add(claim.Job); <-gate; return nil })
	b.run(w)
	ids := b.stage(40)
	b.until("some run and some wait in the queue", func() bool {
		info, err := w.inspector.GetQueueInfo(string(jobs.LaneSystem))
		return err == nil && info.Pending > 0 && b.count(dossier.JobRunning) == 8
	})
	kill()
	ids = append(ids, b.stage(20)...)
	close(gate)
	b.ask(sentinel, "address="+replica, "INFO", "sentinel")
	b.until("all done", func() bool { return b.count(dossier.JobDone) == len(ids) })
	for _, id := range ids {
		if n := ran.of(id); n != 1 {
			t.Errorf("job %s ran %d times", id, n)
		}
	}
}

// In a cluster every lane is a slot on one of the nodes, and all that Dossier asks of Redis works.
func TestRedis_cluster(t *testing.T) {
	b := setup(t)
	nodes := make([]string, 3)
	for i := range nodes {
		nodes[i], _ = redisServer(t, "--cluster-enabled", "yes", "--cluster-port", freePort(t))
		b.ask(nodes[i], "PONG", "PING")
	}
	for i, node := range nodes {
		b.ask(node, "OK", "CLUSTER", "ADDSLOTSRANGE", i*16384/3, (i+1)*16384/3-1)
		host, port, _ := net.SplitHostPort(nodes[(i+1)%3])
		info := redis.NewClient(&redis.Options{Addr: nodes[(i+1)%3]})
		bus, err := info.ConfigGet(t.Context(), "cluster-port").Result()
		_ = info.Close()
		if err != nil {
			t.Fatal(err)
		}
		b.ask(node, "OK", "CLUSTER", "MEET", host, port, bus["cluster-port"])
	}
	for _, node := range nodes {
		b.ask(node, "cluster_state:ok", "CLUSTER", "INFO")
		b.ask(node, "cluster_known_nodes:3", "CLUSTER", "INFO")
	}
	b.connect("redis-cluster://" + strings.Join(nodes, ","))
	b.run(b.worker(nothing))
	w := b.shared(2, nothing)
	b.run(w)
	b.stage(50)
	b.crowd(b.ws, 20)
	b.until("all done", func() bool { return b.count(dossier.JobDone) == 70 })
	if slots := w.slots(); slots[jobs.LaneSystem] == 0 || slots[jobs.LaneDocument] == 0 {
		t.Errorf("the workers' slots are %v", slots)
	}
	spread := map[int64]bool{}
	for _, lane := range jobs.Lanes {
		slot, err := b.redis.Client().ClusterKeySlot(t.Context(), "asynq:{"+string(lane)+"}:pending").Result()
		if err != nil {
			t.Fatal(err)
		}
		spread[slot*3/16384] = true
	}
	if len(spread) < 2 {
		t.Error("all lanes are on one node")
	}
	if allowance, err := b.redis.Allow(t.Context(), "k", 60, 2); err != nil || !allowance.Allowed {
		t.Errorf("a rate limit in a cluster: %+v, %v", allowance, err)
	}
}
