package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dossierhq/dossier/cmd/internal/watch"
	"github.com/dossierhq/dossier/cmd/lab/daemon"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
)

// empty are panels that rightly have no data in a demonstration, each with its reason.
var empty = map[string]string{
	"Archive of WAL": "the demonstration's Postgres does not archive, and says nothing rather than that all is well",
}

// TestPanels: after the demonstration and a while of load every panel of every dashboard has data, line by line, asked
// of a real Prometheus.
func TestPanels(t *testing.T) {
	program, err := daemon.Debian{Package: "prometheus", Program: "prometheus"}.Install(t.Context(),
		func(line string) { t.Log(line) })
	if err != nil {
		t.Skip(err)
	}
	s := startStack(t, options{demo: true, model: "scripted"})
	p := startPrometheus(t, program, s.opsURL)
	var out bytes.Buffer
	if err := s.demonstrate(t.Context(), &out, ""); err != nil {
		t.Fatal(err)
	}
	if err := s.demonstrateModel(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	var load sync.WaitGroup
	load.Go(func() { s.underLoad(ctx, t) })
	defer load.Wait()
	defer end()
	without := map[string]string{}
	for _, d := range watch.Dashboards {
		for _, panel := range d.Panels {
			for i, line := range panel.Lines {
				without[fmt.Sprint(d.UID, ", ", panel.Title, ", ", i+1)] = line.Expr
			}
		}
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end) && len(without) > len(empty); time.Sleep(time.Second) {
		for name, expr := range without {
			if p.has(t, expr) {
				delete(without, name)
			}
		}
	}
	for name, expr := range without {
		title := strings.Split(name, ", ")[1]
		if empty[title] == "" {
			t.Errorf("%s has no data: %s", name, expr)
		}
	}
}

// underLoad creates leads and sends files, some of which cannot be read.
func (s *stack) underLoad(ctx context.Context, t *testing.T) {
	for n := 0; ctx.Err() == nil; n++ {
		lead, err := s.demoLead(ctx)
		if err == nil {
			made := specimen.BankStatement(specimen.BankOptions{Seed: uint64(n + 1), Layout: specimen.BankLayouts()[0],
				Month: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), Entries: 8})
			_, err = s.demoUpload(ctx, lead, []uploadFile{{"statement.pdf", made.MimeType, made.Data},
				{"noise.pdf", "application/pdf", []byte(fmt.Sprint("%PDF-1.7 of nothing ", n))}})
		}
		if err != nil && ctx.Err() == nil {
			t.Error(err)
			return
		}
		if daemon.Pause(ctx, 1200*time.Millisecond) != nil {
			return
		}
	}
}

// prometheus is a server that scrapes the operators' address every second.
type prometheus struct{ url string }

func startPrometheus(t *testing.T, program, ops string) *prometheus {
	t.Helper()
	dir := t.TempDir()
	target, err := url.Parse(ops)
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(dir, "prometheus.yml")
	if err := os.WriteFile(config, []byte("global: {scrape_interval: 1s}\nscrape_configs:\n- job_name: dossier\n"+
		"  static_configs: [{targets: ['"+target.Host+"']}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &prometheus{url: "http://" + listener.Addr().String()}
	_ = listener.Close()
	server := exec.Command(program, "--config.file="+config, "--storage.tsdb.path="+filepath.Join(dir, "data"),
		"--web.listen-address="+listener.Addr().String(), "--log.level=error")
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	within(t, 30*time.Second, "Prometheus has scraped", func() bool { return p.has(t, "dossier_build_info") })
	return p
}

// has reports whether a query has a number for an answer now.
func (p *prometheus) has(t *testing.T, expr string) bool {
	t.Helper()
	expr = strings.ReplaceAll(expr, "$__rate_interval", "2m")
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
		p.url+"/api/v1/query?query="+url.QueryEscape(expr), http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false // not yet
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	var answer struct {
		Status, Error string
		Data          struct{ Result []struct{ Value [2]any } }
	}
	if err != nil || json.Unmarshal(body, &answer) != nil || answer.Status != "success" {
		if answer.Error != "" {
			t.Errorf("%s: %s", expr, answer.Error)
		}
		return false
	}
	for _, r := range answer.Data.Result {
		if text, _ := r.Value[1].(string); text != "" && text != "NaN" {
			return true
		}
	}
	return false
}
