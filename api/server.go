// Package api is the HTTP front door: it parses a request, makes one call of the store, and shapes the answer.
// No SQL, no rules of the domain, no parsing of documents.
//
// # Adding an operation
//
//  1. A row in routes.go under your noun, in the order of api.md, with the Go types of query, body and answer.
//
//  2. The handler in <noun>.go, shaped like this (errors are returned, never written):
//
//     func (s *Server) createNote(c *fiber.Ctx) error {
//     lead, err := pathID[dossier.LeadID](c, "leadId")   // malformed: 404
//     body, err := decode[noteBody](c)                    // all faults at once: 400
//     note, err := s.db.CreateNote(c.UserContext(), workspace(c), lead, body.note())
//     return send(c, 201, noteAnswer{yes, noteJSON(note)})
//     }
//
//  3. Its words in openapi/<noun>.yaml, by the handler's name (keys.yaml is an example; the format is the type words
//     in openapi.go). Paths, parameters, schemas and error answers of the OpenAPI document come from the row and its
//     Go types: write only what they cannot say. `go test ./api -run TestOpenAPI` says what is missing.
//
//  4. A conversation in testdata/<noun>.txt (format: conversation_test.go), run by converse(t, s, "<noun>.txt").
//     `go test ./api -run '<your test>' -update` keeps its first successful exchange of each operation as the
//     document's example (openapi/examples/<handler>.json); commit these files.
package api

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/portal"
	"github.com/dossierhq/dossier/api/signin"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/cache"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres"
)

// Config is what a Server is made of. Plain values; zero values of the optional ones work.
type Config struct {
	DB      *postgres.DB
	Objects *objects.Store
	Cache   *cache.Conn // Redis; may be nil and may be away

	Now   func() time.Time // default time.Now
	Log   *slog.Logger     // default slog.Default()
	Ready []Check          // what /readyz asks besides Postgres

	PublicURL   string // base of links in answers, without a slash at the end; default: the request's own host
	PipelineURL string // base of poll URLs; default PublicURL

	PortalLanguages string // directory with the leads' page in further languages, fr.yaml; none by default

	MCPWrites bool // /mcp offers the tools that write, to keys with the scope write

	OIDC *signin.Provider // where people sign in; nil: by links of the command line alone

	// TryOut is the workspace that whoever reaches a development service on this machine may sign in to; nil: nobody
	// may.
	TryOut func(ctx context.Context) (dossier.WorkspaceID, error)

	// OpsURL is where operators' pages are, which the console links for admins; "": it names none.
	OpsURL string
	// WorkspaceFile writes the file of a workspace; nil: JSON.
	WorkspaceFile func(dossier.WorkspaceConfig) ([]byte, error)

	RateLimit       int // requests per key and minute; 0: none
	RateLimitUpload int // uploads and spread starts per key and minute; 0: none

	RateLimitAuth int // requests without a valid key per address and minute; 0, or a RateLimit of 0: none

	// Secret finds the value of an environment variable that the workspace's configuration names, or "".
	Secret func(name string) string

	WebhookAllow []netip.Prefix // networks besides the public ones that a webhook's url may name

	TrustedProxies []netip.Prefix // whose X-Forwarded-For is believed; none by default

	CORSOrigins []string // origins whose pages may call; none by default

	Specimens []Specimen // for whoever tries the service out; none by default

	NoRequestLog bool // calls are not put into the log of requests: a measurement says what it costs

	// Observe is told of every answer: the route's path as in the table, its status, how long it took, and its trace.
	Observe func(route string, status int, took time.Duration, trace string)
}

// Check is one dependency that /readyz names.
type Check struct {
	Name string
	Ping func(ctx context.Context) error
}

// Server answers HTTP. It holds no state that another replica would need.
type Server struct {
	Config
	db       *postgres.DB
	keys     *keyCache
	app      *fiber.App // everything
	pipeline *fiber.App // what the pipeline address serves
	draining chan struct{}
	spec     *spec
	door     *web.Door
	shares   *web.Shares // of the tenants in this process
	portal   *portal.Server
	polls    pollPause
	streams  streamCount // of the console

	pause func(ctx context.Context, d time.Duration) // waits so long, or until ctx ends

	requests *requestLog
}

// Timeouts of connections. A request's own deadline comes from its class.
const (
	headTimeout  = 10 * time.Second
	writeTimeout = 60 * time.Second
	idleTimeout  = 60 * time.Second
)

// New makes a server that is ready to Serve.
func New(cfg Config) (*Server, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.WorkspaceFile == nil {
		cfg.WorkspaceFile = plainFile
	}
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	if cfg.PipelineURL == "" {
		cfg.PipelineURL = cfg.PublicURL
	}
	s := &Server{Config: cfg, db: cfg.DB, keys: newKeyCache(), draining: make(chan struct{}),
		pause:  func(ctx context.Context, d time.Duration) { jobs.Sleep(ctx, d) },
		door:   web.NewDoor(cfg.PublicURL, cfg.TrustedProxies, cfg.Cache, cfg.Log),
		shares: web.NewShares(web.HalfOfProcessors(), web.SharePatience, time.Now)}
	var err error
	s.portal, err = portal.New(portal.Config{DB: s.db, Objects: cfg.Objects, Now: cfg.Now, Door: s.door,
		Languages: cfg.PortalLanguages, Complete: s.completeUpload, Draining: s.draining})
	if err != nil {
		return nil, err
	}
	if s.spec, err = ownSpec(); err != nil {
		return nil, err
	}
	routes := s.routes()
	s.requests = newRequestLog(s.db.SaveRequests, func(n int, err error) {
		s.Log.Warn("calls are missing in the log of requests", "calls", n, "error", err)
	})
	s.app = s.mount(routes)
	s.pipeline = s.mount(onPipelineAddress(routes))
	return s, nil
}

// Serve answers on the listener until Shutdown. pipeline is the second listener of DOSSIER_PIPELINE_ADDR, or nil.
func (s *Server) Serve(main, pipeline net.Listener) error {
	ended := make(chan error, 2)
	go func() { ended <- s.app.Listener(main) }()
	waitFor := 1
	if pipeline != nil {
		waitFor = 2
		go func() { ended <- s.pipeline.Listener(pipeline) }()
	}
	for ; waitFor > 0; waitFor-- {
		if err := <-ended; err != nil {
			return err
		}
	}
	return nil
}

// Drain makes /readyz answer 503, so that balancers look elsewhere, while requests are still served.
func (s *Server) Drain() {
	select {
	case <-s.draining:
	default:
		close(s.draining)
	}
}

// Shutdown stops accepting, and waits for running requests until ctx ends.
func (s *Server) Shutdown(ctx context.Context) error {
	s.Drain()
	err := s.app.ShutdownWithContext(ctx)
	if second := s.pipeline.ShutdownWithContext(ctx); err == nil {
		err = second
	}
	s.requests.close()
	return err
}

// mount puts rows on a Fiber app. Strings that Fiber hands out are copies (Immutable). Bodies are streams, so that
// nothing is read before the key and the class of the route are known, and multipart is never parsed ahead.
func (s *Server) mount(rows []route) *fiber.App {
	app := fiber.New(fiber.Config{
		Immutable: true, StrictRouting: true, CaseSensitive: true, DisableStartupMessage: true,
		ReadTimeout: headTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout, ReadBufferSize: 16 << 10,
		StreamRequestBody: true, DisablePreParseMultipartForm: true, BodyLimit: web.JSONLimit,
		ErrorHandler: s.lastResort,
	})
	app.Use(s.edge)
	for _, row := range byPrecedence(rows) {
		handler := s.serve(row)
		app.Add(row.method, row.pattern(), handler)
		if row.method == fiber.MethodGet {
			app.Add(fiber.MethodHead, row.pattern(), handler)
		}
	}
	return app
}
