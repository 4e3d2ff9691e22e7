package watch_test

import (
	"bytes"
	"flag"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/cmd/internal/watch"
	"github.com/dossierhq/dossier/cmd/internal/workers"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

var update = flag.Bool("update", false, "write deploy/prometheus and deploy/grafana")

const deploy = "../../../deploy/"

// TestGenerated holds the files that operators load to the tables.
func TestGenerated(t *testing.T) {
	t.Parallel()
	files := map[string]func() ([]byte, error){"prometheus/rules.yaml": watch.Rules, "prometheus/rules_test.yaml": watch.RuleTests}
	for _, d := range watch.Dashboards {
		files["grafana/"+d.UID+".json"] = d.JSON
	}
	for name, write := range files {
		want, err := write()
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.MkdirAll(filepath.Dir(deploy+name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(deploy+name, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(deploy + name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the tables say (%v); -update writes it", name, err)
		}
	}
	written, err := filepath.Glob(deploy + "grafana/*.json")
	if err != nil || len(written) != len(watch.Dashboards) {
		t.Errorf("%d dashboards in deploy/grafana, %d in the table", len(written), len(watch.Dashboards))
	}
}

// exposed are the metrics of the programs, each with its labels: those that a process registers which serves the API
// and works.
func exposed(t *testing.T) map[string][]string {
	t.Helper()
	pg := pgtest.New(t)
	cfg, err := setup.Read([]string{"DATABASE_URL=" + pg.Run, "DATABASE_LISTEN_URL=" + pgtest.DirectURL(pg.URL), "REDIS_URL=redis://" + miniredis.RunT(t).Addr(),
		"S3_ENDPOINT=http://127.0.0.1:1", "S3_ACCESS_KEY=a", "S3_SECRET_KEY=b", "DOSSIER_PUBLIC_URL=https://dossier.example.com",
		"DOSSIER_SECRET_KEY=AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=", "DOSSIER_PARSER_SANDBOX=off"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := setup.Open(t.Context(), cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if _, err := s.NewAPI(cfg); err != nil {
		t.Fatal(err)
	}
	if _, err := workers.New(s, cfg); err != nil {
		t.Fatal(err)
	}
	found := make(chan *prometheus.Desc)
	go func() { s.Metrics.Describe(found); close(found) }()
	described := regexp.MustCompile(`fqName: "([^"]+)".*variableLabels: \{([^}]*)\}`)
	metrics := map[string][]string{}
	for desc := range found {
		m := described.FindStringSubmatch(desc.String())
		if m == nil {
			t.Fatalf("cannot be read: %s", desc)
		}
		metrics[m[1]] = strings.Split(m[2], ",")
	}
	return metrics
}

var (
	metricName = regexp.MustCompile(`\b(dossier_\w+)(?:\{([^}]*)\})?`)
	matched    = regexp.MustCompile(`(\w+)\s*[=!]~?`)
	histogram  = regexp.MustCompile(`_(bucket|count|sum)$`)
)

// TestMetrics_exist holds every query to the metrics there are, and their labels.
func TestMetrics_exist(t *testing.T) {
	t.Parallel()
	metrics := exposed(t)
	used := map[string]bool{}
	check := func(where, expr string) {
		for _, m := range metricName.FindAllStringSubmatch(expr, -1) {
			name := m[1]
			labels, ok := metrics[name]
			if short := histogram.ReplaceAllString(name, ""); !ok && metrics[short] != nil {
				name, labels, ok = short, append(slices.Clone(metrics[short]), "le"), true
			}
			if !ok {
				t.Errorf("%s asks for %s, which no program exposes", where, name)
			}
			used[name] = true
			for _, label := range matched.FindAllStringSubmatch(m[2], -1) {
				if !slices.Contains(labels, label[1]) {
					t.Errorf("%s asks for label %s of %s, which has %v", where, label[1], name, labels)
				}
			}
		}
	}
	for _, a := range watch.Alerts() {
		check(a.Name, a.Expr)
	}
	for _, d := range watch.Dashboards {
		for _, p := range d.Panels {
			for _, line := range p.Lines {
				check(d.Title+", "+p.Title, line.Expr)
			}
		}
	}
	for path, query := range runbookQueries(t) {
		check(path, query)
	}
	for name, labels := range metrics {
		if strings.HasPrefix(name, "dossier_") && !used[name] {
			t.Errorf("nobody looks at %s", name)
		}
		for _, label := range labels {
			if strings.Contains(label, "workspace") || strings.Contains(label, "tenant") || strings.Contains(label, "lead") && label != "leader" {
				t.Errorf("%s has a label %s: tenants are not for metrics", name, label)
			}
		}
	}
}

// runbookQueries are what runbooks ask Prometheus, by their files.
func runbookQueries(t *testing.T) map[string]string {
	t.Helper()
	written, err := filepath.Glob(deploy + "runbooks/*.md")
	if err != nil {
		t.Fatal(err)
	}
	queries := map[string]string{}
	for _, path := range written {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, query, _ := strings.Cut(string(text), "```promql\n")
		queries[path], _, _ = strings.Cut(query, "\n```")
	}
	return queries
}

// Whoever was woken asks Prometheus what the alert asked, of one of its metrics at least.
func TestAlerts_runbook_asks_the_same(t *testing.T) {
	t.Parallel()
	metric := regexp.MustCompile(`dossier_[a-z_]+`)
	for _, a := range watch.Alerts() {
		text, err := os.ReadFile(deploy + "runbooks/" + a.RunbookFile())
		if err != nil {
			t.Fatal(err)
		}
		_, asked, _ := strings.Cut(string(text), "```promql\n")
		asked, _, _ = strings.Cut(asked, "```")
		its := metric.FindAllString(a.Expr, -1)
		if !slices.ContainsFunc(metric.FindAllString(asked, -1), func(m string) bool { return slices.Contains(its, m) }) {
			t.Errorf("%s looks at %v, and its runbook asks\n%s", a.Name, its, asked)
		}
	}
}

// TestAlerts_are_whole: each has a severity, a summary, examples and a runbook; no runbook is nobody's; no lane is
// watched by none.
func TestAlerts_are_whole(t *testing.T) {
	t.Parallel()
	books, names := map[string]bool{}, map[string]bool{}
	var late strings.Builder
	for _, a := range watch.Alerts() {
		if names[a.Name] || a.Summary == "" || len(a.Example.Fires) == 0 || len(a.Example.Quiet) == 0 ||
			!slices.Contains([]watch.Severity{watch.Page, watch.Ticket, watch.Info}, a.Severity) {
			t.Errorf("%s is not whole, or there twice", a.Name)
		}
		names[a.Name], books[a.RunbookFile()] = true, true
		if strings.HasSuffix(a.Name, "Late") {
			late.WriteString(a.Expr)
		}
	}
	for _, lane := range jobs.Lanes {
		if !regexp.MustCompile(`["|]` + string(lane) + `["|]`).MatchString(late.String()) {
			t.Errorf("nobody is told when lane %s is late", lane)
		}
	}
	written, err := filepath.Glob(deploy + "runbooks/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range written {
		if !books[filepath.Base(path)] {
			t.Errorf("%s is no alert's", path)
		}
		delete(books, filepath.Base(path))
	}
	if len(books) > 0 {
		t.Errorf("missing in deploy/runbooks: %v", slices.Sorted(maps.Keys(books)))
	}
}
