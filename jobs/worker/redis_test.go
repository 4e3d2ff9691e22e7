package worker

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/cache"
)

// redisServer starts a real one and returns its address and how to kill it.
func redisServer(t *testing.T, args ...string) (address string, kill func()) {
	t.Helper()
	program := redisProgram(t)
	port := freePort(t)
	return "127.0.0.1:" + port, redisOn(t, program, port, t.TempDir(), args...)
}

func redisProgram(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("no redis-server: `go run ./cmd/internal/tasks setup check` installs it")
	}
	return program
}

// redisOn starts one at a port, in a directory where an earlier one may have left what it knew of its cluster.
func redisOn(t *testing.T, program, port, dir string, args ...string) (kill func()) {
	t.Helper()
	command := exec.Command(program, append(args, "--port", port, "--bind", "127.0.0.1", "--save", "", "--loglevel",
		"warning", "--dir", dir)...)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	kill = func() { _ = command.Process.Kill(); _ = command.Wait() }
	t.Cleanup(kill)
	return kill
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

// In a cluster every lane is a slot on one of the nodes, and all that Dossier asks of Redis works.
func TestRedis_cluster(t *testing.T) {
	b := setup(t)
	c := b.redisCluster()
	b.run(b.worker(nothing))
	w := b.shared(2, nothing)
	b.run(w)
	b.stage(50)
	b.crowd(b.ws, 20)
	b.until("all done", func() bool { return b.count(dossier.JobDone) == 70 })
	if slots := w.slots(); slots[jobs.LaneSystem] == 0 || slots[jobs.LaneDocument] == 0 {
		t.Errorf("the workers' slots are %v", slots)
	}
	spread := map[int]bool{}
	for _, lane := range jobs.Lanes {
		spread[c.of(t, b.redis.Client(), lane)] = true
	}
	if len(spread) < 2 {
		t.Error("all lanes are on one node")
	}
	if allowance, err := b.redis.Allow(t.Context(), "k", 60, 2); err != nil || !allowance.Allowed {
		t.Errorf("a rate limit in a cluster: %+v, %v", allowance, err)
	}
}
