// Package cache is Redis beside the queue: results that are polled often, rate limits. Everything in it may vanish
// at any moment and can be made again from Postgres. Errors are Unavailable; the caller decides what to do without.
// It also opens the connection that the queue library shares.
package cache

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/dossierhq/dossier"
)

// Conn is a connection to Redis. It is safe for concurrent use.
type Conn struct {
	client redis.UniversalClient
}

// Open prepares a connection; it does not wait for Redis, which may come and go. Forms of url:
//
//	redis://[user:password@]host:port[/db]      rediss:// with TLS
//	redis-sentinel://[:password@]host1:port,host2:port[/db]?master=name
//	redis-cluster://[user:password@]host1:port,host2:port
func Open(address string) (*Conn, error) {
	opts, err := parse(address)
	if err != nil {
		return nil, err
	}
	opts.DialTimeout, opts.ReadTimeout, opts.WriteTimeout = 2*time.Second, 3*time.Second, 3*time.Second
	opts.PoolSize, opts.ContextTimeoutEnabled = 128, true
	opts.MaxRetries = 1
	return &Conn{client: redis.NewUniversalClient(opts)}, nil
}

func parse(address string) (*redis.UniversalOptions, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("REDIS_URL cannot be read; its form is redis://[user:password@]host:port[/db]")
	}
	opts := &redis.UniversalOptions{Addrs: withPorts(u.Host), Username: u.User.Username()}
	opts.Password, _ = u.User.Password()
	if path := strings.Trim(u.Path, "/"); path != "" {
		if opts.DB, err = strconv.Atoi(path); err != nil {
			return nil, fmt.Errorf("REDIS_URL: the path must be a database number, not %q", path)
		}
	}
	switch u.Scheme {
	case "redis":
	case "rediss":
		opts.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, ServerName: u.Hostname()}
	case "redis-sentinel":
		opts.MasterName = u.Query().Get("master")
		if opts.MasterName == "" {
			return nil, fmt.Errorf("REDIS_URL: redis-sentinel needs ?master=name")
		}
		opts.SentinelPassword = u.Query().Get("sentinel_password")
	case "redis-cluster":
		opts.IsClusterMode = true
	default:
		return nil, fmt.Errorf("REDIS_URL: the scheme must be redis, rediss, redis-sentinel or redis-cluster, not %q",
			u.Scheme)
	}
	return opts, nil
}

func withPorts(hosts string) []string {
	addresses := strings.Split(hosts, ",")
	for i, address := range addresses {
		if !strings.Contains(address, ":") {
			addresses[i] = address + ":6379"
		}
	}
	return addresses
}

// Client is the connection itself, for the queue library.
func (c *Conn) Client() redis.UniversalClient { return c.client }

// Close closes the connection.
func (c *Conn) Close() error { return c.client.Close() }

// Ping asks whether Redis answers. Error: Unavailable.
func (c *Conn) Ping(ctx context.Context) error {
	return unavailable("ping", c.client.Ping(ctx).Err())
}

// EvictionPolicy is Redis' maxmemory-policy; empty when it cannot be asked. Anything but noeviction may lose
// queued tasks, which the reaper then brings back late.
func (c *Conn) EvictionPolicy(ctx context.Context) string {
	got, err := c.client.ConfigGet(ctx, "maxmemory-policy").Result()
	if err != nil {
		return ""
	}
	return got["maxmemory-policy"]
}

func unavailable(op string, err error) error {
	if err == nil {
		return nil
	}
	return &dossier.Error{Kind: dossier.Unavailable, Code: "unavailable",
		Message: "The queue is not available; try again shortly", Cause: fmt.Errorf("redis %s: %w", op, err)}
}
