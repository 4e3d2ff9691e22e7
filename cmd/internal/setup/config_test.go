package setup

import (
	"bytes"
	"encoding/base64"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

var key = base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32))

func TestRead_defaults(t *testing.T) {
	t.Parallel()
	c, err := Read([]string{"HOME=/root", "DOSSIER_LOG="})
	if err != nil {
		t.Fatal(err)
	}
	if c.Addr != "127.0.0.1:8080" || c.OpsAddr != "127.0.0.1:9090" || c.RateLimit != 600 || c.RateLimitUpload != 60 || c.PoolSize != 16 ||
		c.WebhookInflight != 10 || c.AgentRate != 200 || c.ImportRate != 370 || c.Objects.Bucket != "dossier" || c.Objects.Region != "us-east-1" || len(c.Lanes) != 0 {
		t.Errorf("%+v", c)
	}
	if diff := cmp.Diff(dossier.DefaultSchedule(), c.WebhookSchedule); diff != "" {
		t.Error(diff)
	}
}

func TestRead_values(t *testing.T) {
	t.Parallel()
	c, err := Read([]string{"DOSSIER_LANES=webhook, webhook-retry", "DOSSIER_SECRET_KEY=" + key + "," + key, "DOSSIER_MIGRATE=true",
		"DOSSIER_WEBHOOK_ALLOW=127.0.0.0/8,::1/128", "DOSSIER_TRUSTED_PROXIES=10.0.0.0/8", "DOSSIER_WEBHOOK_SCHEDULE=0s,5s,1h", "DOSSIER_RATE_LIMIT=0",
		"DOSSIER_CORS_ORIGINS=https://app.example.com, http://127.0.0.1:3000",
		"DOSSIER_URL=http://127.0.0.1:8080", "DOSSIER_API_KEY=k", "DOSSIER_PUBLIC_URL=https://dossier.example.com/"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]jobs.Lane{"webhook", "webhook-retry"}, c.Lanes); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(dossier.Schedule{0, 5 * time.Second, time.Hour}, c.WebhookSchedule); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"https://app.example.com", "http://127.0.0.1:3000"}, c.CORSOrigins); diff != "" {
		t.Error(diff)
	}
	if len(c.SecretKeys) != 2 || len(c.WebhookAllow) != 2 || len(c.TrustedProxies) != 1 || !c.Migrate || c.RateLimit != 0 || c.PublicURL != "https://dossier.example.com" {
		t.Errorf("%+v", c)
	}
}

func TestRead_says_all_that_is_wrong(t *testing.T) {
	t.Parallel()
	_, err := Read([]string{"DOSSIER_LANE=webhook", "DOSSIER_COLOUR=red", "DOSSIER_DB_POOL=many", "DOSSIER_LANES=fast",
		"DOSSIER_SECRET_KEY=almost-a-secret", "DOSSIER_WEBHOOK_ALLOW=10.0.0.1", "DOSSIER_LOG=xml", "DOSSIER_PUBLIC_URL=dossier",
		"DOSSIER_CORS_ORIGINS=*"})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"DOSSIER_COLOUR is not a variable", "did you mean DOSSIER_LANES?", "DOSSIER_DB_POOL must be", `unknown lane "fast"`,
		"DOSSIER_SECRET_KEY must be 32 bytes", "DOSSIER_WEBHOOK_ALLOW must be networks", "DOSSIER_LOG must be", "DOSSIER_PUBLIC_URL must be",
		`DOSSIER_CORS_ORIGINS must be origins like https://app.example.com (no path, no *), not "*"`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q: %v", want, err)
		}
	}
	if strings.Contains(err.Error(), "almost-a-secret") {
		t.Error("the error repeats a secret")
	}
}

// What a chart's schema lets through is what a program reads, and what it refuses no program reads either.
func TestKnownSettings(t *testing.T) {
	t.Parallel()
	values := []string{"text", "json", "off", "required", "true", "perhaps", "16", "-1", "http://a.example", "ftp://a.example", "10.0.0.0/8,::1/128",
		"10.0.0.0/8, fast", "0s,5s,1h", "0s,soon", "debug", "chatty", "*", "webhook", key}
	patterns := 0
	for _, known := range KnownSettings() {
		if known.Pattern == "" {
			continue
		}
		patterns++
		pattern, accepted := regexp.MustCompile(known.Pattern), 0
		for _, value := range values {
			_, err := Read([]string{known.Name + "=" + value})
			if err == nil {
				accepted++
			}
			if pattern.MatchString(value) != (err == nil) {
				t.Errorf("%s=%s: the pattern %s, the program: %v", known.Name, value, known.Pattern, err)
			}
		}
		if accepted == 0 || accepted == len(values) {
			t.Errorf("%s accepts %d of these values: add one that tells", known.Name, accepted)
		}
	}
	if patterns < 15 {
		t.Errorf("%d variables have a pattern", patterns)
	}
}

func TestNeed(t *testing.T) {
	t.Parallel()
	c, err := Read([]string{"REDIS_URL=redis://127.0.0.1:6379"})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Need("DATABASE_URL", "REDIS_URL"); err == nil || !strings.Contains(err.Error(), "DATABASE_URL") || strings.Contains(err.Error(), "REDIS_URL") {
		t.Errorf("Need = %v", err)
	}
}

func TestPrint_keeps_secrets(t *testing.T) {
	t.Parallel()
	c, err := Read([]string{"DATABASE_URL=postgres://u:hunter2@db/x", "REDIS_URL=redis://:hunter2@r:6379", "S3_SECRET_KEY=hunter2", "S3_ACCESS_KEY=hunter2",
		"DOSSIER_SECRET_KEY=" + key, "DOSSIER_OPS_PASSWORD=hunter2", "DOSSIER_API_KEY=hunter2", "DOSSIER_LLM_KEY=hunter2", "DOSSIER_LLM_URL=https://u:hunter2@llm",
		"S3_ENDPOINT=http://minio:9000"})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	c.Print(slog.New(slog.NewTextHandler(&out, nil)))
	if strings.Contains(out.String(), "hunter2") || strings.Contains(out.String(), key) {
		t.Errorf("a secret is printed: %s", out.String())
	}
	if !strings.Contains(out.String(), "S3_ENDPOINT=http://minio:9000") || !strings.Contains(out.String(), "DOSSIER_OPS_PASSWORD=set") {
		t.Errorf("printed: %s", out.String())
	}
}
