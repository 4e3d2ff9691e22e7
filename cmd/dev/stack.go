package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/embedded"
	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/cmd/internal/specimens"
	"github.com/dossierhq/dossier/cmd/internal/workers"
	"github.com/dossierhq/dossier/cmd/internal/workspacefile"
	"github.com/dossierhq/dossier/cmd/lab/score"
	"github.com/dossierhq/dossier/cmd/lab/scripted"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/storage/postgres"
)

// stack is all of Dossier, running.
type stack struct {
	cfg         setup.Config
	embedded    *embedded.Services
	services    *setup.Services
	url         string // of the API
	opsURL      string
	key         string // API key of the demo workspace; empty with --empty
	testKey     string // likewise, which touches nothing real
	inbound     string // where a mail gateway hands over what comes in
	ws          dossier.WorkspaceID
	env         []embedded.Variable
	ended       chan error
	cancel      context.CancelFunc
	parts       sync.WaitGroup
	logFile     *os.File
	stopTracing func()
	model       *scripted.Server // with --model
	modelURL    string
}

// start brings everything up; what had started is stopped again when something cannot.
func start(ctx context.Context, o options, say func(string, ...any)) (*stack, error) {
	s := &stack{ended: make(chan error, 2), cancel: func() {}, stopTracing: func() {}}
	if err := s.start(ctx, o, say); err != nil {
		return nil, errors.Join(err, s.stop())
	}
	return s, nil
}

// start starts everything; what has started is stopped again when something fails.
func (s *stack) start(ctx context.Context, o options, say func(string, ...any)) error {
	data, err := dataDirectory(o)
	if err != nil {
		return err
	}
	if o.model != "" {
		_, strange := specimen.Strange(demoHolder, demoMonth())
		known := []scripted.Facts{strange}
		if o.known != "" {
			if known, err = score.Known(o.known); err != nil {
				return err
			}
		}
		s.model = scripted.New(o.script(), known...)
		if s.modelURL, err = scripted.Serve(context.WithoutCancel(ctx), s.model); err != nil {
			return err
		}
	}
	// The address is tried first: a port that is taken is told before anything is started.
	if err := s.configure(o, data, nil); err != nil {
		return err
	}
	if err := checkFree(ctx, s.cfg.Addr); err != nil {
		return err
	}
	if err := s.startServices(ctx, o, data, say); err != nil {
		return err
	}
	if err := s.serve(ctx, !o.noWorker); err != nil {
		return err
	}
	if err := s.prepareWorkspace(ctx, o, data, say); err != nil {
		return err
	}
	if err := s.writeEnv(data); err != nil {
		return err
	}
	say("everything runs in this process")
	return nil
}

func dataDirectory(o options) (string, error) {
	data := o.data
	if data == "" {
		data = os.Getenv("DOSSIER_DATA")
	}
	if data == "" {
		data = ".data"
	}
	data, err := filepath.Abs(data)
	if err != nil {
		return "", err
	}
	return data, os.MkdirAll(data, 0o755)
}

// configure reads the environment, with defaults of cmd/dev for what it does not set.
func (s *stack) configure(o options, data string, services []embedded.Variable) error {
	environ := slices.Clone(os.Environ())
	defaults := append([]embedded.Variable{
		{Name: "DOSSIER_WEBHOOK_ALLOW", Value: "127.0.0.0/8,::1/128"},
		{Name: "DOSSIER_OPS_ADDR", Value: "127.0.0.1:0"},
		{Name: "DOSSIER_RATE_LIMIT", Value: "6000"},
	}, services...)
	for _, v := range defaults {
		if os.Getenv(v.Name) == "" {
			environ = append(environ, v.Name+"="+v.Value)
		}
	}
	environ = append(environ, "DOSSIER_DATA="+data)
	if s.modelURL != "" {
		environ = append(environ, "DOSSIER_LLM_URL="+s.modelURL, "DOSSIER_LLM_MODEL=scripted")
	}
	if o.addr != "" {
		environ = append(environ, "DOSSIER_ADDR="+o.addr)
	}
	var err error
	s.cfg, err = setup.Read(environ)
	s.cfg.AnyLogin = true // a database that somebody named may have one login only; the log says so
	if s.cfg.PipelineURL == "" && s.cfg.PipelineAddr != "" {
		s.cfg.PipelineURL = "http://" + s.cfg.PipelineAddr
	}
	return err
}

func (s *stack) startServices(ctx context.Context, o options, data string, say func(string, ...any)) error {
	var err error
	s.embedded, err = embedded.Start(ctx,
		embedded.Options{Data: data, Getenv: os.Getenv, Log: func(line string) { say("%s", line) }})
	if err != nil {
		return err
	}
	secret, err := storedSecret(filepath.Join(data, "secret.key"))
	if err != nil {
		return err
	}
	s.env = s.embedded.Variables()
	if os.Getenv("DOSSIER_SECRET_KEY") == "" {
		s.env = append(s.env, embedded.Variable{Name: "DOSSIER_SECRET_KEY", Value: secret})
	}
	if err := s.configure(o, data, s.env); err != nil {
		return err
	}
	applied, _, err := s.cfg.MigrateDB(ctx, nil)
	if err != nil {
		return err
	}
	if len(applied) > 0 {
		say("Postgres: the schema is made (%d migrations)", len(applied))
	}
	if s.logFile, err = os.OpenFile(filepath.Join(data, "dev.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY,
		0o600); err != nil {
		return err
	}
	if s.services, err = setup.Open(ctx, s.cfg, slog.New(slog.NewJSONHandler(s.logFile, nil))); err != nil {
		return err
	}
	return s.services.Objects.EnsureBucket(ctx)
}

// storedSecret returns the key that encrypts secrets at rest; the first start makes it.
func storedSecret(path string) (string, error) {
	kept, err := os.ReadFile(path)
	if err == nil {
		return strings.TrimSpace(string(kept)), nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return "", err
	}
	text := base64.StdEncoding.EncodeToString(key)
	return text, os.WriteFile(path, []byte(text+"\n"), 0o600)
}

// checkFree fails early, and names the fix, when another program uses the address.
func checkFree(ctx context.Context, addr string) error {
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("%s cannot be listened on: stop what uses it, or choose another address with --addr (%w)",
			addr, err)
	}
	return listener.Close()
}

// serve starts the worker, the operators' address and the API, and returns when the API answers.
func (s *stack) serve(ctx context.Context, withWorker bool) error {
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s.cancel = cancel
	untrace, err := setup.Trace(running, "dossier")
	if err != nil {
		return err
	}
	s.stopTracing = untrace
	server, err := s.services.NewAPI(s.cfg, specimens.All()...)
	if err != nil {
		return err
	}
	server.TryOut = s.signInWorkspace
	ops, err := s.services.ServeOps(running, s.cfg, s.services.Checks(), func() bool { return running.Err() != nil })
	if err != nil {
		return err
	}
	s.opsURL = "http://" + ops.String()
	server.OpsURL = s.opsURL
	listening := make(chan net.Addr, 1)
	if withWorker {
		cfg := s.cfg
		if cfg.PublicURL == "" {
			cfg.PublicURL = "http://" + cfg.Addr // links in messages lead here
		}
		w, err := workers.New(s.services, cfg)
		if err != nil {
			return err
		}
		s.parts.Go(func() { s.end(w.Run(running)) })
		s.parts.Go(func() { _ = w.Reader.Warm(running) }) // the first document need not wait for the engine
	}
	s.parts.Go(func() { s.end(s.services.RunAPI(running, s.cfg, server, func(addr net.Addr) { listening <- addr })) })
	select {
	case addr := <-listening:
		s.url = "http://" + addr.String()
		return nil
	case err := <-s.ended:
		return err
	}
}

// signInWorkspace is the workspace that anybody at this machine may sign in to.
func (s *stack) signInWorkspace(ctx context.Context) (dossier.WorkspaceID, error) {
	config, err := workspacefile.Parse("example.yaml", workspacefile.Example)
	if err != nil {
		return "", err
	}
	w, err := s.services.DB.WorkspaceByKey(ctx, config.Key)
	return w.ID, err
}

// end reports a component that stopped by itself.
func (s *stack) end(err error) {
	if err != nil {
		select {
		case s.ended <- err:
		default:
		}
	}
}

// prepareWorkspace applies the demo workspace and keeps one API key of each mode for it over restarts.
func (s *stack) prepareWorkspace(ctx context.Context, o options, data string, say func(string, ...any)) error {
	if o.empty {
		return nil
	}
	config, err := workspacefile.Parse("example.yaml", workspacefile.Example)
	if err != nil {
		return err
	}
	w, err := s.services.DB.WorkspaceByKey(ctx, config.Key)
	switch {
	case dossier.KindOf(err) == dossier.NotFound:
		if _, s.ws, err = s.services.DB.ApplyWorkspace(ctx, config, false, false); err != nil {
			return err
		}
		say("workspace %s: made from the example file", config.Key)
	case err != nil:
		return err
	default:
		s.ws = w.ID // whatever was applied to it since stays
	}
	if s.key, err = s.storedKey(ctx, filepath.Join(data, "api.key"), postgres.NewKey{Name: "dev"}); err != nil {
		return err
	}
	if s.testKey, err = s.storedKey(ctx, filepath.Join(data, "test.key"),
		postgres.NewKey{Name: "dev, test mode", IsTest: true}); err != nil {
		return err
	}
	tokens, err := s.services.DB.InboundTokens(ctx, s.ws)
	if err != nil {
		return err
	}
	s.inbound = s.url + "/inbound/" + string(dossier.ChannelEmail) + "/" + tokens[dossier.ChannelEmail]
	if o.model != "" {
		if err := s.enableModel(ctx, config.Key); err != nil {
			return err
		}
	}
	if o.seed > 0 {
		return s.seed(ctx, o.seed, say)
	}
	return nil
}

// storedKey returns the API key of an earlier start if it still works, else a new one with all scopes.
func (s *stack) storedKey(ctx context.Context, path string, create postgres.NewKey) (string, error) {
	if kept, err := os.ReadFile(path); err == nil {
		text := strings.TrimSpace(string(kept))
		if s.keyWorks(ctx, text) {
			return text, nil
		}
	}
	create.Scopes = []dossier.Scope{dossier.ScopeRead, dossier.ScopeWrite, dossier.ScopeAdmin}
	_, text, err := s.services.DB.CreateKey(ctx, s.ws, create)
	if err != nil {
		return "", err
	}
	return text, os.WriteFile(path, []byte(text+"\n"), 0o600)
}

// writeEnv writes the variables with which the CLI and any client connect. The file is renamed into place once it is
// complete.
func (s *stack) writeEnv(data string) error {
	pipeline := s.url
	if s.cfg.PipelineAddr != "" {
		pipeline = s.cfg.PipelineURL
	}
	vars := []embedded.Variable{{Name: "DOSSIER_URL", Value: s.url}, {Name: "DOSSIER_PIPELINE_URL", Value: pipeline},
		{Name: "DOSSIER_OPS_URL", Value: s.opsURL}}
	if s.key != "" {
		vars = append(vars, embedded.Variable{Name: "DOSSIER_API_KEY", Value: s.key},
			embedded.Variable{Name: "DOSSIER_TEST_API_KEY", Value: s.testKey},
			embedded.Variable{Name: "DOSSIER_INBOUND_EMAIL", Value: s.inbound})
	}
	var text strings.Builder
	for _, v := range append(vars, s.env...) {
		fmt.Fprintf(&text, "%s='%s'\n", v.Name, strings.ReplaceAll(v.Value, "'", `'\''`))
	}
	path := filepath.Join(data, "dev.env")
	if err := os.WriteFile(path+".new", []byte(text.String()), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// announce prints the same for people.
func (s *stack) announce(out io.Writer) {
	fmt.Fprintf(out, "\n  Console     %s/console\n  API         %s\n  Docs        %s/docs\n  Dashboard   %s/queues\n",
		s.url, s.url, s.url, s.opsURL)
	if s.key != "" {
		fmt.Fprintf(out, "  API key     %s\n  Test key    %s\n", s.key, s.testKey)
	}
	fmt.Fprintf(out, "  Environment %s\n", filepath.Join(s.cfg.Data, "dev.env"))
}

// stop drains and stops what runs. Data stays.
func (s *stack) stop() error {
	s.cancel()
	s.parts.Wait()
	s.stopTracing()
	var errs []error
	if s.services != nil {
		errs = append(errs, s.services.Close())
	}
	if s.embedded != nil {
		errs = append(errs, s.embedded.Stop())
	}
	if s.logFile != nil {
		errs = append(errs, s.logFile.Close())
	}
	return errors.Join(errs...)
}
