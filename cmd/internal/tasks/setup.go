package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"github.com/dossierhq/dossier/cmd/internal/chart"
	"github.com/dossierhq/dossier/cmd/lab/cluster"
	"github.com/dossierhq/dossier/cmd/lab/daemon"
	"github.com/dossierhq/dossier/cmd/lab/gateway"
)

// need is a program of the machine that the product or its tests start.
type need struct {
	what     string
	present  func() bool
	packages []string // of Debian and Ubuntu
	check    bool     // only `make check` needs it
}

var needs = []need{
	{"PostgreSQL", cluster.Installed, []string{"postgresql"}, false},
	{"Tesseract OCR with English", hasTesseract, []string{"tesseract-ocr", "tesseract-ocr-eng", "tesseract-ocr-osd"},
		false},
	{"Poppler", programs("pdftoppm", "pdftotext"), []string{"poppler-utils"}, false},
	{"PgBouncer", cluster.HasPooler, []string{"pgbouncer"}, true},
	{"Redis", programs("redis-server"), []string{"redis-server"}, true},
	{"Chromium", anyProgram("chromium", "chromium-browser", "google-chrome"), []string{"chromium"}, true},
	{"LibreOffice Calc", anyProgram("soffice", "libreoffice"), []string{"libreoffice-calc"}, true},
	{"Node.js and npm", programs("node", "npm"), []string{"nodejs", "npm"}, true},
	{"Python and mypy", programs("python3", "mypy"), []string{"python3", "mypy"}, true},
	{"PHP", programs("php"), []string{"php-cli"}, true},
	{"Ruby", programs("ruby"), []string{"ruby"}, true},
	{"curl and OpenSSL", programs("curl", "openssl"), []string{"curl", "openssl"}, true},
	{"a C compiler for the race detector", programs("gcc"), []string{"gcc", "libc6-dev"}, true},
}

func programs(names ...string) func() bool {
	return func() bool { return !slices.ContainsFunc(names, func(name string) bool { return !anyProgram(name)() }) }
}

func anyProgram(names ...string) func() bool {
	return func() bool {
		return slices.ContainsFunc(names, func(name string) bool {
			_, err := exec.LookPath(name)
			return err == nil
		})
	}
}

func hasTesseract() bool {
	out, err := exec.Command("tesseract", "--list-langs").CombinedOutput()
	languages := strings.Fields(string(out))
	return err == nil && slices.Contains(languages, "eng") && slices.Contains(languages, "osd")
}

// setup installs what is missing, saying so in one line, and builds the servers that come as Go
// modules. Where all of it is there it does nothing and says nothing.
func setup(ctx context.Context, forCheck bool) error {
	var names, packages []string
	for _, n := range needs {
		if (n.check && !forCheck) || n.present() {
			continue
		}
		names = append(names, n.what)
		packages = append(packages, n.packages...)
	}
	if len(packages) > 0 {
		if err := install(ctx, names, packages); err != nil {
			return err
		}
	}
	if _, err := gateway.Install(ctx, say); err != nil {
		return err
	}
	if err := setupRecognizer(ctx); err != nil {
		return err
	}
	if !forCheck {
		return nil
	}
	for _, program := range append([]daemon.Program{minio, linter}, chart.Tools...) {
		if _, err := program.Install(ctx, say); err != nil {
			return err
		}
	}
	if _, err := (daemon.Debian{Package: "prometheus", Program: "promtool"}).Install(ctx, say); err != nil {
		say("Tests that ask a real Prometheus are skipped: " + err.Error())
	}
	return nil
}

func install(ctx context.Context, names, packages []string) error {
	list := strings.Join(names, ", ")
	if _, err := exec.LookPath("apt-get"); err != nil {
		return fmt.Errorf("missing: %s. On %s please install them yourself (on Debian and Ubuntu: apt-get install %s)",
			list, runtime.GOOS, strings.Join(packages, " "))
	}
	var prefix []string
	if os.Getuid() != 0 {
		if _, err := exec.LookPath("sudo"); err != nil {
			return fmt.Errorf("missing: %s. Run this as root: apt-get install %s", list, strings.Join(packages, " "))
		}
		prefix = []string{"sudo"}
	}
	say("Installing " + list + " (" + strings.Join(append(prefix, "apt-get install"), " ") + " " +
		strings.Join(packages, " ") + ")")
	if err := apt(ctx, prefix, "update", "-q"); err != nil {
		return err
	}
	return apt(ctx, prefix, append([]string{"install", "-q", "-y", "--no-install-recommends"}, packages...)...)
}

// apt runs apt-get quietly; its output is shown only when it fails.
func apt(ctx context.Context, prefix []string, args ...string) error {
	line := append(slices.Clone(prefix), "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-o",
		"DPkg::Lock::Timeout=300")
	line = append(line, args...)
	out, err := exec.CommandContext(ctx, line[0], line[1:]...).CombinedOutput()
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	fmt.Fprint(os.Stderr, string(out))
	return errors.New("apt-get " + args[0] + " failed: see its output above")
}
