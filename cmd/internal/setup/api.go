package setup

import (
	"context"
	"net"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/dossierhq/dossier/api"
	"github.com/dossierhq/dossier/api/signin"
	"github.com/dossierhq/dossier/cmd/internal/workspacefile"
	"github.com/dossierhq/dossier/jobs/tracing"
)

// How an API process ends: for a moment it only says on /readyz that it will, so that balancers look elsewhere,
// then it finishes what is running.
const (
	drainNotice = 2 * time.Second
	drainLimit  = 30 * time.Second
)

// NewAPI makes the HTTP server of a process. It draws the specimens for whoever tries it out (cmd/internal/specimens);
// the worker, which has this room too, links none.
func (s *Services) NewAPI(c Config, specimens ...api.Specimen) (*api.Server, error) {
	seconds := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "dossier_http_request_seconds", Help: "Time to answer, by route of the table and status.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
	}, []string{"route", "status"})
	if err := s.Metrics.Register(seconds); err != nil {
		return nil, err
	}
	cfg := api.Config{
		DB: s.DB, Objects: s.Objects, Cache: s.Redis, Log: s.Log, PublicURL: c.PublicURL, PipelineURL: c.PipelineURL,
		RateLimitAuth: c.RateLimitAuth, RateLimit: c.RateLimit, RateLimitUpload: c.RateLimitUpload,
		WebhookAllow: c.WebhookAllow, TrustedProxies: c.TrustedProxies,
		CORSOrigins: c.CORSOrigins, PortalLanguages: c.PortalLanguages,
		Observe: func(route string, status int, took time.Duration, trace string) {
			observed := seconds.WithLabelValues(route, strconv.Itoa(status))
			id := tracing.Kept(trace)
			if with, ok := observed.(prometheus.ExemplarObserver); ok && id != "" {
				with.ObserveWithExemplar(took.Seconds(), prometheus.Labels{"trace_id": id})
				return
			}
			observed.Observe(took.Seconds())
		},
	}
	cfg.Secret, cfg.MCPWrites = c.Secret, c.MCPWrites
	cfg.OpsURL, cfg.WorkspaceFile = c.OpsURL, workspacefile.Write
	if c.OIDCIssuer != "" {
		var err error
		if cfg.OIDC, err = signin.New(signin.Config{Issuer: c.OIDCIssuer, ClientID: c.OIDCClientID,
			ClientSecret: c.OIDCClientSecret, GroupsClaim: c.OIDCGroupsClaim}); err != nil {
			return nil, err
		}
	}
	cfg.Specimens = specimens
	for _, check := range s.Checks() {
		if check.Name != "postgres" { // which the server asks itself
			cfg.Ready = append(cfg.Ready, api.Check{Name: check.Name, Ping: check.Ping})
		}
	}
	return api.New(cfg)
}

// RunAPI serves on the configured addresses until ctx ends, then drains. listening is called once connections are
// accepted, with the address; it may be nil. Error: an address that is taken, or requests that outlived the drain.
func (s *Services) RunAPI(ctx context.Context, c Config, server *api.Server, listening func(net.Addr)) error {
	var lc net.ListenConfig
	main, err := lc.Listen(ctx, "tcp", c.Addr)
	if err != nil {
		return err
	}
	var pipeline net.Listener
	if c.PipelineAddr != "" {
		if pipeline, err = lc.Listen(ctx, "tcp", c.PipelineAddr); err != nil {
			_ = main.Close()
			return err
		}
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(main, pipeline) }()
	if listening != nil {
		listening(main.Addr())
	}
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	server.Drain()
	s.Log.Info("draining")
	time.Sleep(drainNotice)
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainLimit)
	defer cancel()
	return server.Shutdown(limit)
}
