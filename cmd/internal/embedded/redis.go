package embedded

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"
	"time"

	"github.com/alicebob/miniredis/v2"
)

// tick is how late a key may expire. miniredis has no clock of its own; its ClockTTL option looks
// at every key with a TTL on every command, which a queue with many thousands of commands a second
// would feel.
const tick = 100 * time.Millisecond

// startRedis runs miniredis in this process on a free port of loopback, with a password: the port
// is open to every user of the machine.
func startRedis(_ context.Context, opts Options) (map[string]string, func() error, error) {
	server := miniredis.NewMiniRedis()
	password := rand.Text()
	server.RequireAuth(password)
	if err := server.StartAddr("127.0.0.1:0"); err != nil {
		return nil, nil, fmt.Errorf("redis: %w", err)
	}
	stop := advanceTTLs(server)
	opts.Log("Redis (in this process) listens on " + server.Addr())
	url := fmt.Sprintf("redis://:%s@%s/0", password, server.Addr())
	return map[string]string{"REDIS_URL": url}, func() error { stop(); server.Close(); return nil }, nil
}

// advanceTTLs advances the TTLs with the clock until the returned function is called.
func advanceTTLs(server *miniredis.Miniredis) func() {
	ticker, done := time.NewTicker(tick), make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		last := time.Now()
		for {
			select {
			case <-done:
				return
			case now := <-ticker.C:
				server.FastForward(now.Sub(last))
				last = now
			}
		}
	})
	return func() { ticker.Stop(); close(done); running.Wait() }
}
