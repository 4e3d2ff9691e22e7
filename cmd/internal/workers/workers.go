// Package workers makes the worker of a process from its configuration. It is apart from setup so that the API
// process links no reader of documents.
package workers

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/jobs/admin"
	"github.com/dossierhq/dossier/jobs/channel"
	"github.com/dossierhq/dossier/jobs/worker"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
	"github.com/dossierhq/dossier/pipelines/llm"
)

// New makes the worker. The program that calls it must begin its main with document.ChildMain: uploads are read by
// the program itself, started again as a sandboxed parser.
func New(s *setup.Services, cfg setup.Config) (*worker.Worker, error) {
	reader, err := sandboxed(s, cfg)
	if err != nil {
		return nil, err
	}
	observe, err := countModel(s.Metrics)
	if err != nil {
		return nil, err
	}
	model, err := llm.New(llm.Config{URL: cfg.LLMURL, Name: cfg.LLMModel, Key: cfg.LLMKey, Cache: s.Redis, Log: s.Log,
		Observe: observe})
	if err != nil {
		return nil, err
	}
	return worker.New(worker.Config{Model: model, DB: s.DB, Redis: s.Redis, Objects: s.Objects, Reader: reader,
		Lanes: cfg.Lanes, AgentRate: cfg.AgentRate, ImportRate: cfg.ImportRate, PublicURL: cfg.PublicURL,
		Metrics: s.Metrics, Log: s.Log,
		Channels: channel.Carriers{Secret: cfg.Secret},
		Webhooks: worker.WebhookConfig{Client: cfg.WebhookClient(s.Log), Schedule: cfg.WebhookSchedule,
			Inflight: cfg.WebhookInflight}})
}

// parsing are the lanes whose jobs read uploads.
var parsing = []jobs.Lane{jobs.LaneDocument, jobs.LanePipeline, jobs.LaneSpread}

// sandboxed makes what reads documents, and says in log and metrics what holds a parser. Error: this worker reads
// documents and a wall of the sandbox is missing, and nobody wrote down that it may.
func sandboxed(s *setup.Services, cfg setup.Config) (*sandbox.Reader, error) {
	missing := sandbox.Missing()
	if err := refusal(missing, cfg); err != nil {
		return nil, err
	}
	if cfg.SandboxOff {
		s.Log.Warn("DOSSIER_PARSER_SANDBOX is off: a hostile document that takes over its parser is held by what "+
			"this system has", "missing", fmt.Sprint(missing))
	}
	gauge := prometheus.NewGauge(prometheus.GaugeOpts{Name: "dossier_parser_sandbox",
		Help: "1: parsers run behind both walls, landlock and seccomp; 0: not."})
	if missing == nil {
		gauge.Set(1)
	}
	if _, err := registered(s.Metrics, gauge); err != nil {
		return nil, err
	}
	return NewReader(s.Log, cfg.SandboxOff)
}

// refusal is the error of a worker that would read documents where missing says that a wall is.
func refusal(missing error, cfg setup.Config) error {
	reads := len(cfg.Lanes) == 0 || slices.ContainsFunc(cfg.Lanes,
		func(lane jobs.Lane) bool { return slices.Contains(parsing, lane) })
	if missing == nil || !reads || cfg.SandboxOff {
		return nil
	}
	return fmt.Errorf("documents would be read by parsers without a sandbox: %w. Run the worker where it is to be "+
		"had, or set DOSSIER_PARSER_SANDBOX=off", missing)
}

// NewReader makes what reads documents, behind the walls of the sandbox or, when open, behind those that there are. The
// program's main must begin with document.ChildMain.
func NewReader(log *slog.Logger, open bool) (*sandbox.Reader, error) {
	cache, err := cacheDir()
	if err != nil {
		return nil, err
	}
	tesseract := sandbox.Find("tesseract")
	if tesseract == "" {
		log.Warn("tesseract is not installed: scans and photographs will be refused")
	}
	recognizer := sandbox.FindRecognizer()
	if recognizer.Program == "" {
		log.Warn("dossier-ocr or its library is not installed: photographs and small print will be read by " +
			"tesseract, which reads them worse")
	}
	return sandbox.NewReader(sandbox.Config{CacheDir: cache, Tesseract: tesseract, OCR: recognizer, Open: open,
		Ahead: true})
}

// OCRCheck has readiness name the recognizer of pictures. Without it the worker goes on with tesseract.
func OCRCheck() admin.Check {
	return admin.Check{Name: "ocr", Optional: true, Ping: func(context.Context) error {
		if sandbox.FindRecognizer().Missing {
			return errors.New("dossier-ocr or its library is not installed")
		}
		return nil
	}}
}

// cacheDir is where the parser keeps its compiled engine: a directory only this user can write to, since what lies
// there is run.
func cacheDir() (string, error) {
	if home, err := os.UserCacheDir(); err == nil {
		dir := filepath.Join(home, "dossier", "parser")
		if os.MkdirAll(dir, 0o700) == nil {
			return dir, nil
		}
	}
	dir, err := os.MkdirTemp("", "dossier-parser-") // a container without a home: made anew with each start
	if err != nil {
		return "", fmt.Errorf("no directory for the parser's cache: %w", err)
	}
	return dir, nil
}
