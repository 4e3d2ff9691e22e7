package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/dossierhq/dossier/cmd/internal/embedded"
	"github.com/dossierhq/dossier/cmd/lab/cluster"
	"github.com/dossierhq/dossier/cmd/lab/daemon"
)

// minio is the S3 server of docker-compose.yml, built from its module: Debian has no package.
var minio = daemon.Program{Package: "github.com/minio/minio", Version: "v0.0.0-20260212201848-7aac2a2c5b7c"}

// startServices runs real Redis, MinIO and PostgreSQL, behind PgBouncer, on loopback until stopServices, writes
// their addresses to .data/services/services.env and returns them as NAME=value. TEST_POOLED among them leads the
// tests' stores through the pooler. A second call finds them running. What they hold is for tests and may go at any
// time.
func startServices(ctx context.Context) ([]string, error) {
	dir, err := filepath.Abs(servicesDir())
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	password, err := servicesPassword(dir)
	if err != nil {
		return nil, err
	}
	postgresURL, pooler, err := startPostgres(ctx, dir)
	if err != nil {
		return nil, err
	}
	redisPort, err := startDaemon(ctx, redisServer(dir, password))
	if err != nil {
		return nil, err
	}
	program, err := minio.Install(ctx, say)
	if err != nil {
		return nil, err
	}
	minioPort, err := startDaemon(ctx, minioServer(dir, program, password))
	if err != nil {
		return nil, err
	}
	variables := []string{
		"TEST_DATABASE_URL=" + postgresURL,
		"TEST_REDIS_URL=" + redisURL(redisPort, password),
		"TEST_S3_ENDPOINT=http://" + address(minioPort),
		"TEST_S3_ACCESS_KEY=dossier",
		"TEST_S3_SECRET_KEY=" + password,
		"TEST_POOLER=" + pooler,
		"TEST_POOLED=true",
	}
	file := filepath.Join(dir, "services.env")
	say("PostgreSQL, PgBouncer, Redis and MinIO run; their addresses are in " + file)
	return variables, os.WriteFile(file, []byte(strings.Join(variables, "\n")+"\n"), 0o600)
}

// stopServices ends what startServices started; nothing, when that is nothing.
func stopServices() error {
	dir, err := filepath.Abs(servicesDir())
	if err != nil {
		return err
	}
	if _, err := os.Stat(dir); err != nil {
		return nil
	}
	postgresDir, err := postgresDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(redisServer(dir, "").Stop(), minioServer(dir, "", "").Stop(), cluster.Stop(postgresDir))
}

// servicesPassword is one password for all three, made on first use.
func servicesPassword(dir string) (string, error) {
	path := filepath.Join(dir, "password")
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		text = []byte(rand.Text())
		err = daemon.WriteFile(path, text)
	}
	return strings.TrimSpace(string(text)), err
}

// startPostgres starts the server and, in front of it, a pooler in transaction mode.
func startPostgres(ctx context.Context, dir string) (string, string, error) {
	dir, err := postgresDir(dir)
	if err != nil {
		return "", "", err
	}
	c, err := cluster.Start(ctx, cluster.Options{Dir: dir, Fast: true, MaxConnections: 1000})
	if err != nil {
		return "", "", err
	}
	pooler, err := c.Pooler(ctx)
	return c.URL("postgres"), pooler, err
}

// postgresDir is where the server has its files: in memory where there is enough, behind a link. What lies elsewhere,
// from before, goes.
func postgresDir(dir string) (string, error) {
	memory, name := daemon.Memory(), filepath.Join(dir, "postgres")
	if memory == "" {
		return embedded.PostgresDir(dir, say)
	}
	target, err := os.Readlink(name)
	if err == nil && filepath.Dir(target) == memory {
		return target, os.MkdirAll(target, 0o700) // gone, where the machine has started anew
	}
	if err != nil {
		target = name
	}
	if err := errors.Join(cluster.Stop(target), os.RemoveAll(target), os.RemoveAll(name)); err != nil {
		return "", err
	}
	if target, err = os.MkdirTemp(memory, "dossier-services-"); err != nil {
		return "", err
	}
	return target, os.Symlink(target, name)
}

func startDaemon(ctx context.Context, server daemon.Server) (int, error) {
	port, _, err := server.Start(ctx, 0)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", server.Name, err)
	}
	return port, nil
}

func address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

func redisURL(port int, password string) string {
	return fmt.Sprintf("redis://:%s@%s", password, address(port)) // a test adds the number of a database
}

// redisServer runs as docker-compose.yml does: a queue must never be evicted, and survives.
func redisServer(dir, password string) daemon.Server {
	work := filepath.Join(dir, "redis")
	return daemon.Server{Name: "redis", Dir: dir, Work: work, Env: os.Environ(),
		Command: func(port int) (string, []string) {
			program, _ := exec.LookPath("redis-server") // an empty name fails with a clear error
			return program, []string{"--port", strconv.Itoa(port), "--bind", "127.0.0.1", "--dir", work,
				"--requirepass", password,
				"--appendonly", "yes", "--maxmemory-policy", "noeviction", "--databases", "256"}
		},
		Ready: func(ctx context.Context, port int) bool {
			client := redis.NewClient(&redis.Options{Addr: address(port), Password: password, MaxRetries: -1})
			defer func() { _ = client.Close() }()
			return client.Ping(ctx).Err() == nil
		}}
}

func minioServer(dir, program, password string) daemon.Server {
	work := filepath.Join(dir, "minio")
	return daemon.Server{Name: "minio", Dir: dir, Work: work,
		Env: append(os.Environ(), "MINIO_ROOT_USER=dossier", "MINIO_ROOT_PASSWORD="+password, "MINIO_BROWSER=off"),
		Command: func(port int) (string, []string) {
			return program, []string{"server", "--quiet", "--address", address(port), work}
		},
		Ready: func(ctx context.Context, port int) bool {
			return daemon.Answers(ctx, "http://"+address(port)+"/minio/health/ready")
		}}
}
