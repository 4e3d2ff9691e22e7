package main

import (
	"context"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

func TestMain(m *testing.M) {
	if sandbox.ChildMain() {
		return
	}
	os.Exit(documenttest.Run(m))
}

func TestRun(t *testing.T) {
	t.Parallel()
	pg := pgtest.New(t)
	ops := freeAddress(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, []string{"DATABASE_URL=" + pg.Run, "DATABASE_LISTEN_URL=" + pgtest.DirectURL(pg.URL), "REDIS_URL=redis://" + miniredis.RunT(t).Addr(), "S3_ENDPOINT=http://127.0.0.1:1",
			"S3_ACCESS_KEY=a", "S3_SECRET_KEY=b", "DOSSIER_OPS_ADDR=" + ops, "DOSSIER_LANES=system", "DOSSIER_PUBLIC_URL=https://dossier.example.com",
			"DOSSIER_SECRET_KEY=" + base64.StdEncoding.EncodeToString(make([]byte, 32))})
	}()
	var ready string
	until(t, func() bool { ready = get("http://" + ops + "/readyz"); return ready != "" })
	// Whether pictures have their recognizer is the machine's matter; it is told, and never makes a worker unready.
	told := regexp.MustCompile(`"ocr":"[a-z]+",`).ReplaceAllString(strings.TrimSpace(ready), "")
	if want := `{"status":"unavailable","checks":{"objects":"away","postgres":"ok","redis":"ok"}}`; told != want {
		t.Errorf("/readyz = %s, want %s", ready, want)
	}
	ws := pg.Workspace(t)
	id, err := pg.DB.StageJobs(t.Context(), ws, jobs.Noop{Workspace: ws})
	if err != nil {
		t.Fatal(err)
	}
	until(t, func() bool {
		job, err := pg.DB.Job(t.Context(), id[0])
		return err == nil && job.Status == dossier.JobDone
	})
	metrics := get("http://" + ops + "/metrics")
	for _, want := range []string{"dossier_outbox_oldest_seconds ", `dossier_lane_oldest_seconds{lane="document"}`, `dossier_jobs_total{kind="system.noop",outcome="done"} 1`,
		"dossier_duplicates_suppressed_total ", `dossier_reaper_actions_total{action="redriven"}`, `dossier_lane_tasks{lane="system",state="pending"} 0`, "dossier_redis_up 1"} {
		if !strings.Contains(metrics, want) {
			t.Errorf("/metrics has no %s", want)
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestRun_says_what_is_missing(t *testing.T) {
	t.Parallel()
	err := run(t.Context(), []string{"REDIS_URL=redis://127.0.0.1:1"})
	if err == nil || !strings.Contains(err.Error(), "DATABASE_URL") || !strings.Contains(err.Error(), "DOSSIER_SECRET_KEY") {
		t.Errorf("without its variables: %v", err)
	}
}

func freeAddress(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

func get(url string) string {
	response, err := http.Get(url)
	if err != nil {
		return ""
	}
	defer func() { _ = response.Body.Close() }()
	body, _ := io.ReadAll(response.Body)
	return string(body)
}

func until(t *testing.T, met func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !met(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("waited in vain")
		}
	}
}
