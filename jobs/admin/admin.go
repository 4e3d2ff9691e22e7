// Package admin is the operators' door of every process: health, metrics, profiles, the queue's dashboard and its
// lanes. It changes the queue through that dashboard and pauses lanes; jobs are changed with the command line. It is
// apart from jobs/worker so that an API process can open it without linking the code that reads documents.
package admin

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"sync"
	"time"

	"github.com/hibiken/asynqmon"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/dossierhq/dossier/storage/cache"
)

// Check is one dependency that /readyz names.
type Check struct {
	Name     string
	Ping     func(ctx context.Context) error
	Optional bool // away, it does not make the process unready
}

// Config is what a Handler is made of.
type Config struct {
	Redis    *cache.Conn // whose queues the dashboard shows; nil: no dashboard
	Metrics  prometheus.Gatherer
	Checks   []Check
	Lanes    *Lanes      // default: not served
	Draining func() bool // default: never
	User     string      // of operators; default "operator"
	Password string      // empty: no password, and only for callers on this machine
	Log      *slog.Logger
	Level    *slog.LevelVar // of the process' log; nil: it cannot be changed
}

// Handler serves /healthz (alive), /readyz (dependencies, each named), /metrics, /queues (asynqmon), /lanes,
// /log-level and /debug/pprof. The last four ask for the operators' password.
func Handler(cfg Config) http.Handler {
	if cfg.User == "" {
		cfg.User = "operator"
	}
	if cfg.Draining == nil {
		cfg.Draining = func() bool { return false }
	}
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string]string{"status": "alive"})
	})
	mux.HandleFunc("GET /readyz", cfg.readyz)
	mux.Handle("GET /metrics", promhttp.HandlerFor(cfg.Metrics,
		promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError, EnableOpenMetrics: true})) // which has exemplars

	operators := http.NewServeMux()
	operators.HandleFunc("/debug/pprof/", pprof.Index)
	operators.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	operators.HandleFunc("/debug/pprof/profile", pprof.Profile)
	operators.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	operators.HandleFunc("/debug/pprof/trace", pprof.Trace)
	if cfg.Redis != nil {
		dashboard := asynqmon.New(asynqmon.Options{RootPath: "/queues", RedisConnOpt: shared{cfg.Redis}})
		operators.Handle("/queues", dashboard)
		operators.Handle("/queues/", dashboard)
	}
	if cfg.Level != nil {
		operators.HandleFunc("GET /log-level", cfg.logLevel)
		operators.HandleFunc("PUT /log-level", cfg.setLogLevel)
	}
	if cfg.Lanes != nil {
		operators.HandleFunc("GET /lanes", cfg.lanes)
		operators.HandleFunc("POST /lanes/{lane}/pause", cfg.switchLane(true))
		operators.HandleFunc("POST /lanes/{lane}/resume", cfg.switchLane(false))
	}
	guarded := cfg.guard(operators)
	mux.Handle("/lanes", guarded)
	mux.Handle("/lanes/", guarded)
	mux.Handle("/log-level", guarded)
	mux.Handle("/queues", guarded)
	mux.Handle("/queues/", guarded)
	mux.Handle("/debug/pprof/", guarded)
	mux.Handle("GET /{$}", http.RedirectHandler("/queues", http.StatusFound))
	return mux
}

// shared gives the dashboard the connection that is open already.
type shared struct{ conn *cache.Conn }

func (s shared) MakeRedisClient() any { return s.conn.Client() }

// guard lets operators in. A browser that is logged in must not act for another site; without a password only
// names of this machine are answered, else any page could reach the dashboard through a name that resolves here.
func (cfg Config) guard(next http.Handler) http.Handler {
	return http.NewCrossOriginProtection().Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if cfg.Password == "" {
			if !loopback(r.Host) {
				http.Error(w, "Open this page under 127.0.0.1, or set DOSSIER_OPS_PASSWORD.", http.StatusForbidden)
				return
			}
			next.ServeHTTP(w, r)
			return
		}
		user, password, _ := r.BasicAuth()
		if !same(user, cfg.User) || !same(password, cfg.Password) {
			w.Header().Set("WWW-Authenticate", `Basic realm="Dossier operators", charset="UTF-8"`)
			http.Error(w, "Operators only.", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	}))
}

// same compares in a time that does not tell where two texts differ.
func same(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// readiness is the answer of /readyz: each dependency with "ok" or "away", never with an error's text.
type readiness struct {
	Status string            `json:"status"`
	Checks map[string]string `json:"checks"`
}

func (cfg Config) readyz(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	results := make([]error, len(cfg.Checks))
	var all sync.WaitGroup
	for i, check := range cfg.Checks {
		all.Go(func() { results[i] = check.Ping(ctx) })
	}
	all.Wait()
	ready, status := readiness{Status: "ready", Checks: map[string]string{}}, http.StatusOK
	for i, check := range cfg.Checks {
		ready.Checks[check.Name] = "ok"
		if results[i] != nil {
			cfg.Log.Warn("dependency is away", "name", check.Name, "error", results[i])
			ready.Checks[check.Name] = "away"
			if !check.Optional {
				ready.Status, status = "unavailable", http.StatusServiceUnavailable
			}
		}
	}
	if cfg.Draining() {
		ready.Status, status = "draining", http.StatusServiceUnavailable
	}
	if status != http.StatusOK {
		w.Header().Set("Retry-After", "5")
	}
	answer(w, status, ready)
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the caller may have gone
}

// Listen opens the operators' address. Without a password it must be on this machine.
func Listen(ctx context.Context, address, password string) (net.Listener, error) {
	if password == "" && !loopback(address) {
		return nil, fmt.Errorf("DOSSIER_OPS_ADDR %s can be reached from other machines: set DOSSIER_OPS_PASSWORD, or "+
			"use 127.0.0.1", address)
	}
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("DOSSIER_OPS_ADDR %s cannot be opened: %w", address, err)
	}
	return listener, nil
}

// Serve answers on listener until ctx ends.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute}
	stop := context.AfterFunc(ctx, func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
		_ = server.Shutdown(ending)
	})
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
