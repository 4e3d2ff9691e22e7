package main

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/jobs/admin"
	"github.com/dossierhq/dossier/storage/postgres"
)

// TestSupport_names_nobody: a lead, its endpoint and its job with an odd word in every field; the bundle says how many
// there are, and the word nowhere.
func TestSupport_names_nobody(t *testing.T) {
	t.Parallel()
	const canary = "quillwort"
	o, _, _ := healthy(t)
	ops := httptest.NewServer(admin.Handler(admin.Config{Metrics: prometheus.NewRegistry()}))
	t.Cleanup(ops.Close)
	o.environ = append(o.environ, "DOSSIER_OPS_URL="+ops.URL)
	ws := o.Workspace(t)
	lead, _ := o.Lead(t, ws, "TEXT")
	o.Exec(t, `UPDATE leads SET first_name = $2, middle_name = $2, last_name = $2, business_name = $2, email = $2, phone_number = $2,
		website = $2, external_lead_id = $2, external_portal_link = $2, source = $2, tags = ARRAY[$2], tags_folded = ARRAY[$2],
		activity_summary = $2 WHERE id = $1`, lead, canary)
	o.Exec(t, `UPDATE checklist_entries SET value = to_jsonb($2::text), validation_error = $2, status = 'NEEDS_REVIEW' WHERE lead_id = $1`, lead, canary)
	o.Exec(t, `UPDATE workspaces SET name = $2 WHERE id = $1`, ws, canary)
	o.Exec(t, `INSERT INTO webhooks (workspace_id, id, url, secret, description, created_at, updated_at)
		VALUES ($1, gen_random_uuid(), 'https://' || $2 || '.example.com/', 's', $2, now(), now())`, ws, canary)
	ids, err := o.DB.StageJobs(t.Context(), ws, jobs.JudgeLead{Workspace: ws, Lead: lead})
	if err != nil {
		t.Fatal(err)
	}
	o.Exec(t, `UPDATE jobs SET status = 'FAILED', error_class = 'internal', error_message = $2 WHERE id = $1`, ids[0], canary)
	path := filepath.Join(t.TempDir(), "support.json")
	contains(t, o.do(t, "support", "-o", path), "no secrets")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var b bundle
	if err := json.Unmarshal(text, &b); err != nil {
		t.Fatal(err)
	}
	if len(b.Missing) > 0 || len(b.Findings) < 15 || len(b.Lanes) != len(jobs.Lanes) || b.Figures.ReviewOpen != 1 || b.Upkeep == nil ||
		len(b.Work) != 1 || b.Work[0] != (postgres.WorkCount{Kind: "lead.judge", Status: "FAILED", Error: "internal", Count: 1}) {
		t.Errorf("%s", text)
	}
	for _, secret := range []string{canary, testSecretKey, string(lead)} {
		if strings.Contains(strings.ToLower(string(text)), strings.ToLower(secret)) {
			t.Errorf("the bundle holds %s:\n%s", secret, text)
		}
	}
}

func TestDoctor_upkeep(t *testing.T) {
	t.Parallel()
	d := &doctor{}
	d.judgeUpkeep(postgres.Upkeep{Releases: []string{"v1.0.0", "v1.1.0"},
		Tables: []postgres.TableSize{{Name: "jobs", Bytes: 1 << 30, Live: 10, Dead: 9_000_000}, {Name: "leads", Bytes: 1 << 30}}})
	d.judgeUpkeep(postgres.Upkeep{Releases: []string{"v1.1.0"}, Partitions: true})
	d.judgeDisk("/tmp", 1<<30, 100<<30)
	d.judgeDisk("/tmp", 50<<30, 100<<30)
	var got []string
	for _, f := range d.findings {
		got = append(got, f.Check+" "+f.Status)
	}
	want := "releases warning, tables warning, partitions warning, releases ok, tables ok, partitions ok, disk warning, disk ok"
	if strings.Join(got, ", ") != want || !strings.Contains(d.findings[1].Detail, "jobs") || strings.Contains(d.findings[1].Detail, "leads") {
		t.Errorf("%+v", d.findings)
	}
	o, _, _ := healthy(t)
	found := map[string]finding{}
	for _, f := range value[examined](t, o, "doctor").Checks {
		found[f.Check] = f
	}
	if f := found["lanes"]; f.Status != statusWarning || !strings.Contains(f.Detail, "no worker runs") {
		t.Errorf("%+v", f)
	}
	for _, check := range []string{"releases", "tables", "partitions"} {
		if found[check].Status != statusOK {
			t.Errorf("%+v", found[check])
		}
	}
}
