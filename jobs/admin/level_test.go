package admin

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

func TestLogLevel(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	level := new(slog.LevelVar)
	log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: level}))
	handler := Handler(Config{Metrics: prometheus.NewRegistry(), User: "u", Password: "p", Log: log, Level: level})
	ask := func(method, body string, known bool) (int, string) {
		r := httptest.NewRequest(method, "/log-level", strings.NewReader(body))
		if known {
			r.SetBasicAuth("u", "p")
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w.Code, strings.TrimSpace(w.Body.String())
	}
	log.Debug("before")
	if code, _ := ask(http.MethodPut, "debug", false); code != http.StatusUnauthorized || level.Level() != slog.LevelInfo {
		t.Errorf("a stranger: %d, level %s", code, level)
	}
	if code, body := ask(http.MethodPut, "loud", true); code != http.StatusBadRequest || !strings.Contains(body, "debug, info") {
		t.Errorf("%d %s", code, body)
	}
	if code, body := ask(http.MethodPut, "debug\n", true); code != http.StatusOK || body != `{"level":"debug"}` {
		t.Errorf("%d %s", code, body)
	}
	log.Debug("after")
	if code, body := ask(http.MethodGet, "", true); code != http.StatusOK || body != `{"level":"debug"}` {
		t.Errorf("%d %s", code, body)
	}
	if text := out.String(); strings.Contains(text, "before") || !strings.Contains(text, "after") {
		t.Errorf("log: %s", text)
	}
}
