package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/cmd/internal/workers"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
	"github.com/dossierhq/dossier/storage/cache"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres"
)

type doctorCommand struct {
	Fix bool `help:"${doctor_fix}"`
}

// finding is what one check found. Fix is one line that says what to do.
type finding struct {
	Check  string `json:"check"`
	Status string `json:"status"` // ok, warning, failed, skipped
	Detail string `json:"detail"`
	Fix    string `json:"fix,omitempty"`
	Fixed  bool   `json:"fixed,omitempty"`
}

const (
	statusOK      = "ok"
	statusWarning = "warning" // works, but somebody should look
	statusFailed  = "failed"
	statusSkipped = "skipped" // what it needs is missing
)

type examined struct {
	OK     bool      `json:"ok"`
	Checks []finding `json:"checks"`
}

// doctor holds what earlier checks opened for later ones; nil where that failed.
type doctor struct {
	*app
	cfg      setup.Config
	fix      bool
	db       *postgres.DB
	redis    *cache.Conn
	objects  *objects.Store
	health   *postgres.Health
	findings []finding
}

// Limits of one check, so that a dependency that swallows packets does not hold it up for ever; thorough ones read
// everything there is.
const (
	quick    = 15 * time.Second
	thorough = 15 * time.Minute
)

// Run checks everything there is, whatever fails before. It ends with exit 1 when a check failed.
func (c doctorCommand) Run(a *app) error {
	d := &doctor{app: a, fix: c.Fix}
	defer d.close()
	d.examine()
	result := examined{OK: !slices.ContainsFunc(d.findings, func(f finding) bool { return f.Status == statusFailed }),
		Checks: d.findings}
	if err := a.show(result, result.print); err != nil {
		return err
	}
	if !result.OK {
		return errFound
	}
	return nil
}

// examine makes every check.
func (d *doctor) examine() {
	for _, check := range []struct {
		run   func(context.Context)
		limit time.Duration
	}{{d.environment, quick}, {d.secretKey, quick}, {d.postgres, quick}, {d.schema, thorough}, {d.store, quick},
		{d.secrets, thorough}, {d.queue, quick},
		{d.clock, quick}, {d.lanes, quick}, {d.upkeep, quick}, {d.backups, quick},
		{d.webhooks, quick}, {d.disk, quick}, {d.jobs, thorough}, {d.storage, quick},
		{d.leftovers, thorough}, {d.tesseract, quick},
		{d.recognizer, quick}, {d.poppler, quick}, {d.sandbox, thorough}} {
		ctx, cancel := context.WithTimeout(d.ctx, check.limit)
		check.run(ctx)
		cancel()
	}
}

func (r examined) print(w io.Writer) {
	wide := 0
	for _, f := range r.Checks {
		wide = max(wide, len(f.Check))
	}
	for _, f := range r.Checks {
		status := f.Status
		if f.Fixed {
			status = "fixed"
		}
		fmt.Fprintf(w, "%-8s %-*s  %s\n", status, wide, f.Check, printable(f.Detail))
		if f.Fix != "" && !f.Fixed {
			fmt.Fprintf(w, "%-8s %-*s  -> %s\n", "", wide, "", f.Fix)
		}
	}
}

func (d *doctor) close() {
	if d.db != nil {
		d.db.Close()
	}
	if d.redis != nil {
		_ = d.redis.Close()
	}
}

func (d *doctor) ok(check, format string, args ...any) {
	d.findings = append(d.findings, finding{Check: check, Status: statusOK, Detail: fmt.Sprintf(format, args...)})
}

func (d *doctor) failed(check, detail, fix string) {
	d.findings = append(d.findings, finding{Check: check, Status: statusFailed, Detail: detail, Fix: fix})
}

func (d *doctor) warn(check, detail, fix string) {
	d.findings = append(d.findings, finding{Check: check, Status: statusWarning, Detail: detail, Fix: fix})
}

func (d *doctor) fixed(check, format string, args ...any) {
	d.findings = append(d.findings, finding{Check: check, Status: statusOK, Detail: fmt.Sprintf(format, args...),
		Fixed: true})
}

func (d *doctor) skipped(check, needs string) {
	d.findings = append(d.findings, finding{Check: check, Status: statusSkipped, Detail: "needs " + needs})
}

// environment reads the variables. One that is wrong is no reason to leave the rest unchecked.
func (d *doctor) environment(context.Context) {
	var err error
	if d.cfg, err = d.config(); err != nil {
		d.failed("environment", err.Error(), "correct or unset these variables")
		return
	}
	if err := d.cfg.Need("DATABASE_URL", "REDIS_URL", "S3_ENDPOINT", "DOSSIER_SECRET_KEY"); err != nil {
		d.failed("environment", err.Error(),
			"set them as in docker-compose.yml; for a stack that needs none: go run ./cmd/dev, then set -a; . "+
				".data/dev.env")
		return
	}
	d.ok("environment", "all variables are known and well formed")
}

func (d *doctor) secretKey(context.Context) {
	const fix = "set DOSSIER_SECRET_KEY to the output of: openssl rand -base64 32 (the same for every process, and " +
		"keep it: secrets at rest need it)"
	switch {
	case len(d.cfg.SecretKeys) == 0:
		d.failed("secret key", "DOSSIER_SECRET_KEY is not set", fix)
	case bytes.Equal(d.cfg.SecretKeys[0], make([]byte, 32)):
		d.failed("secret key", "DOSSIER_SECRET_KEY is all zeros", fix)
	default:
		d.ok("secret key", "set, with %s", count(len(d.cfg.SecretKeys)-1, "older key"))
	}
}

func (d *doctor) tesseract(ctx context.Context) {
	const fix = "install it where workers run: apt-get install tesseract-ocr tesseract-ocr-eng tesseract-ocr-osd"
	if sandbox.Find("tesseract") == "" {
		d.warn("tesseract", "is not on PATH here: scans and photographs would be refused", fix)
		return
	}
	out, err := exec.CommandContext(ctx, "tesseract", "--list-langs").CombinedOutput()
	languages := strings.Fields(string(out))
	for _, language := range []string{"eng", "osd"} {
		if err != nil || !slices.Contains(languages, language) {
			d.warn("tesseract", "has no language data "+language, fix)
			return
		}
	}
	d.ok("tesseract", "installed with eng and osd")
}

// recognizer asks for one greeting: it says that the program, its library and its networks go together.
func (d *doctor) recognizer(ctx context.Context) {
	const fix = "install it where workers run: make setup, or the worker's image"
	found := sandbox.FindRecognizer()
	if found.Missing {
		d.warn("dossier-ocr", "or its library onnxruntime is not here: photographs and small print would be read by "+
			"tesseract, worse", fix)
		return
	}
	out, err := exec.CommandContext(ctx, found.Program, found.Library).Output()
	if err != nil {
		d.warn("dossier-ocr", "does not start with "+found.Library, fix)
		return
	}
	d.ok("dossier-ocr", "%s", "runs: "+strings.TrimSpace(string(out)))
}

// sandbox has a parser try to get out, as a document would that took it over.
func (d *doctor) sandbox(ctx context.Context) {
	const check, fix = "parser sandbox",
		"run workers on Linux 5.13 or newer with landlock and seccomp, in a container whose profile allows both"
	missing := sandbox.Missing()
	if missing != nil && !d.cfg.SandboxOff {
		d.failed(check, reason(missing), fix+"; DOSSIER_PARSER_SANDBOX=off does without")
		return
	}
	reader, err := workers.NewReader(slog.New(slog.DiscardHandler), d.cfg.SandboxOff)
	if err != nil {
		d.failed(check, reason(err), fix)
		return
	}
	tried, reached, err := reader.Probe(ctx)
	switch {
	case err != nil:
		d.failed(check, "cannot be tried: "+reason(err), fix)
	case len(reached) == 0:
		d.ok(check, "holds: a hostile parser tried %d ways out and found none", tried)
	case d.cfg.SandboxOff:
		d.warn(check, "DOSSIER_PARSER_SANDBOX is off, and a hostile parser can "+strings.Join(reached, ", "), fix)
	default:
		d.failed(check, "a hostile parser can "+strings.Join(reached, ", "), fix)
	}
}

func (d *doctor) poppler(context.Context) {
	for _, program := range []string{"pdftoppm", "pdftotext"} {
		if sandbox.Find(program) == "" {
			d.warn("poppler", program+" is not on PATH here",
				"install it where workers run: apt-get install poppler-utils")
			return
		}
	}
	d.ok("poppler", "pdftoppm and pdftotext are installed")
}

// reason is the error as operators need it, on one line.
func reason(err error) string { return printable(forOperators(err)) }
