package worker

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/dossierhq/dossier/cmd/lab/recording"
)

// faultSeries is where TestFaults writes what the metrics of alerts said during each fault, for cmd/internal/watch to
// hold the alerts against: FAULT_SERIES=$PWD/cmd/internal/watch/testdata/faults go test ./jobs/worker -run TestFaults
var faultSeries = os.Getenv("FAULT_SERIES")

// sampler looks at the metrics of a scenario's workers ten times a second.
type sampler struct {
	recording *recording.Recording
	mu        sync.Mutex
	workers   []*Worker
	healthy   chan struct{} // closed once all was well: what was said before is no fault's
	quit      chan struct{}
	ended     sync.WaitGroup
}

var samplers sync.Map // of scenarios, by the names of their tests

// recorded is the scenario, watched where that is asked for.
func recorded(c faultCase) func(t *testing.T) {
	if faultSeries == "" {
		return c.scenario
	}
	return func(t *testing.T) {
		rules, err := os.ReadFile("../../deploy/prometheus/rules.yaml")
		if err != nil {
			t.Fatal(err)
		}
		s := &sampler{recording: recording.New(string(rules)), healthy: make(chan struct{}), quit: make(chan struct{})}
		samplers.Store(t.Name(), s)
		t.Cleanup(func() {
			file := fmt.Sprintf("%02d_%s.json", c.number, regexp.MustCompile(`\W+`).ReplaceAllString(c.name, "_"))
			if err := s.recording.Write(filepath.Join(faultSeries, file)); err != nil {
				t.Error(err)
			}
		})
		c.scenario(t)
	}
}

// sampler is that of the scenario, where it is recorded.
func (b *bench) sampler() *sampler {
	var found *sampler
	samplers.Range(func(name, value any) bool {
		if b.t.Name() == name || strings.HasPrefix(b.t.Name(), name.(string)+"/") {
			found = value.(*sampler)
		}
		return found == nil // a name is one test's
	})
	return found
}

// watched lets the scenario's sampler, where there is one, look at a worker until the test begins to end.
func (b *bench) watched(w *Worker) *Worker {
	s := b.sampler()
	if s == nil {
		return w
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.workers = append(s.workers, w); len(s.workers) == 1 {
		s.ended.Go(func() { s.run(s.quit) })
	}
	b.t.Cleanup(s.stop)
	return w
}

// unwatched ends the sampling of a scenario that is about to end: that its workers stop is no fault.
func (b *bench) unwatched() {
	if s := b.sampler(); s != nil {
		s.stop()
	}
}

// well waits until a recording has seen that all is well.
func (b *bench) well() {
	s := b.sampler()
	if s == nil {
		return
	}
	select {
	case <-s.healthy:
	case <-time.After(30 * time.Second):
		b.t.Error("all was never well")
	}
}

// says waits until a worker's figure, measured now and not a while ago, is what a fault makes of it; a recording that
// goes on sees it too.
func (b *bench) says(w *Worker, name string, is func(float64) bool, labels ...string) {
	b.t.Helper()
	b.until(name+" says so", func() bool {
		value, measured := figureOf(fresh(w), name, labels...)
		if !measured {
			value, _ = figureOf(w.Metrics.(prometheus.Gatherer), name, labels...)
		}
		return is(value)
	})
	if s := b.sampler(); s != nil {
		s.look()
	}
}

func (s *sampler) stop() {
	s.mu.Lock()
	if s.quit != nil {
		close(s.quit)
		s.quit = nil
	}
	s.mu.Unlock()
	s.ended.Wait()
}

func (s *sampler) run(quit <-chan struct{}) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-quit:
			return
		case <-tick.C:
			s.look()
		}
	}
}

// fresh is what is measured when it is asked for, and not what was some seconds ago.
func fresh(w *Worker) prometheus.Gatherer {
	registry := prometheus.NewRegistry()
	registry.MustRegister(&backlog{w: w}, &figures{w: w})
	return registry
}

// look takes one sample.
func (s *sampler) look() {
	s.mu.Lock()
	workers := s.workers
	s.mu.Unlock()
	now := s.recording.Snapshot(time.Now())
	for _, w := range workers {
		now.Gather(w.Metrics.(prometheus.Gatherer), false)
		now.Gather(fresh(w), true)
		for _, pool := range w.db.Pools() {
			now.Count(fmt.Sprintf("dossier_db_pool_wait_seconds_total{pool=%q}", pool.Name), pool.Waited.Seconds())
			now.Count(fmt.Sprintf("dossier_db_pool_waits_total{pool=%q}", pool.Name), float64(pool.Waits))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.healthy:
	default:
		if now.Value("dossier_postgres_up") != 1 || now.Value("dossier_redis_up") != 1 {
			return
		}
		defer close(s.healthy)
	}
	now.Record()
}
