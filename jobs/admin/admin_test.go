package admin

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/hibiken/asynq"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/cache"
)

func serve(t *testing.T, cfg Config) (*httptest.Server, *cache.Conn) {
	t.Helper()
	conn, err := cache.Open("redis://" + miniredis.RunT(t).Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	cfg.Redis = conn
	registry := prometheus.NewRegistry()
	registry.MustRegister(prometheus.NewGauge(prometheus.GaugeOpts{Name: "dossier_test"}))
	cfg.Metrics = registry
	server := httptest.NewServer(Handler(cfg))
	t.Cleanup(server.Close)
	return server, conn
}

func call(t *testing.T, method, url string, change func(r *http.Request)) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(request)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

func TestHandler_operators_only(t *testing.T) {
	t.Parallel()
	server, _ := serve(t, Config{Password: "correct horse", Lanes: &Lanes{Read: func(context.Context, []jobs.Lane) ([]Lane, error) { return nil, nil }}})
	login := func(password string) func(r *http.Request) {
		return func(r *http.Request) { r.SetBasicAuth("operator", password) }
	}
	for _, path := range []string{"/queues", "/queues/api/queues", "/lanes", "/debug/pprof/"} {
		if status, _ := call(t, "GET", server.URL+path, nil); status != 401 {
			t.Errorf("%s without a password: %d", path, status)
		}
		if status, _ := call(t, "GET", server.URL+path, login("wrong")); status != 401 {
			t.Errorf("%s with a wrong password: %d", path, status)
		}
		if status, _ := call(t, "GET", server.URL+path, login("correct horse")); status != 200 {
			t.Errorf("%s with the password: %d", path, status)
		}
	}
	for path, want := range map[string]string{"/healthz": "alive", "/metrics": "dossier_test"} {
		if status, body := call(t, "GET", server.URL+path, nil); status != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
}

func TestHandler_dashboard_shows_and_pauses_a_lane(t *testing.T) {
	t.Parallel()
	server, conn := serve(t, Config{})
	if _, err := asynq.NewClientFromRedisClient(conn.Client()).Enqueue(asynq.NewTask("system.noop", nil), asynq.Queue("system")); err != nil {
		t.Fatal(err)
	}
	if status, body := call(t, "GET", server.URL+"/queues/api/queues", nil); status != 200 || !strings.Contains(body, `"queue":"system"`) || !strings.Contains(body, `"pending":1`) {
		t.Errorf("%d %s", status, body)
	}
	foreign := func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }
	if status, _ := call(t, "POST", server.URL+"/queues/api/queues/system:pause", foreign); status != 403 {
		t.Errorf("another site could pause a lane: %d", status)
	}
	if status, _ := call(t, "GET", server.URL+"/queues/api/queues", func(r *http.Request) { r.Host = "rebound.example" }); status != 403 {
		t.Errorf("without a password a foreign name was answered: %d", status)
	}
	if status, body := call(t, "POST", server.URL+"/queues/api/queues/system:pause", nil); status != 204 {
		t.Errorf("pause: %d %s", status, body)
	}
	info, err := asynq.NewInspectorFromRedisClient(conn.Client()).GetQueueInfo("system")
	if err != nil || !info.Paused {
		t.Errorf("the lane is not paused: %+v, %v", info, err)
	}
}

func TestHandler_lanes(t *testing.T) {
	t.Parallel()
	paused := map[jobs.Lane]bool{}
	server, _ := serve(t, Config{Lanes: &Lanes{
		Pause: func(_ context.Context, lane jobs.Lane, on bool, by string) error {
			if paused[lane] = on; by != "operator" {
				t.Errorf("changed by %q", by)
			}
			return nil
		},
		Read: func(_ context.Context, lanes []jobs.Lane) ([]Lane, error) {
			var list []Lane
			for _, lane := range lanes {
				list = append(list, Lane{Lane: lane, Paused: paused[lane]})
			}
			return list, nil
		}}})
	if status, body := call(t, "GET", server.URL+"/lanes", nil); status != 200 || strings.Count(body, `"paused":false`) != len(jobs.Lanes) {
		t.Errorf("%d %s", status, body)
	}
	if status, body := call(t, "POST", server.URL+"/lanes/document/pause", nil); status != 200 || !strings.Contains(body, `"lane":"document","paused":true`) {
		t.Errorf("%d %s", status, body)
	}
	if status, body := call(t, "POST", server.URL+"/lanes/document/resume", nil); status != 200 || !strings.Contains(body, `"lane":"document","paused":false`) {
		t.Errorf("%d %s", status, body)
	}
	if status, _ := call(t, "POST", server.URL+"/lanes/fast/pause", nil); status != 404 {
		t.Errorf("a lane that is none: %d", status)
	}
	foreign := func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }
	if status, _ := call(t, "POST", server.URL+"/lanes/document/pause", foreign); status != 403 {
		t.Errorf("another site could pause a lane: %d", status)
	}
}

func TestHandler_readyz(t *testing.T) {
	t.Parallel()
	draining, away := false, errors.New("connection refused to 10.0.0.7")
	var postgres, redis error
	server, _ := serve(t, Config{Draining: func() bool { return draining }, Checks: []Check{
		{Name: "postgres", Ping: func(context.Context) error { return postgres }},
		{Name: "redis", Ping: func(context.Context) error { return redis }, Optional: true},
	}})
	ask := func(wantStatus int, wantBody string) {
		t.Helper()
		if status, body := call(t, "GET", server.URL+"/readyz", nil); status != wantStatus || strings.TrimSpace(body) != wantBody {
			t.Errorf("%d %s, want %d %s", status, body, wantStatus, wantBody)
		}
	}
	ask(200, `{"status":"ready","checks":{"postgres":"ok","redis":"ok"}}`)
	redis = away
	ask(200, `{"status":"ready","checks":{"postgres":"ok","redis":"away"}}`)
	postgres = away
	ask(503, `{"status":"unavailable","checks":{"postgres":"away","redis":"away"}}`)
	postgres, redis, draining = nil, nil, true
	ask(503, `{"status":"draining","checks":{"postgres":"ok","redis":"ok"}}`)
}

func TestListen_refuses_to_leave_loopback_without_a_password(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0", "203.0.113.9:0"} {
		if _, err := Listen(t.Context(), address, ""); err == nil || !strings.Contains(err.Error(), "DOSSIER_OPS_PASSWORD") {
			t.Errorf("%s without a password: %v", address, err)
		}
	}
	for address, password := range map[string]string{"127.0.0.1:0": "", "localhost:0": "", "0.0.0.0:0": "secret"} {
		listener, err := Listen(t.Context(), address, password)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		_ = listener.Close()
	}
}
