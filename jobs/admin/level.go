package admin

import (
	"io"
	"log/slog"
	"net/http"
	"strings"
)

// logLevel is GET /log-level.
func (cfg Config) logLevel(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]string{"level": strings.ToLower(cfg.Level.Level().String())})
}

// setLogLevel is PUT /log-level with debug, info, warn or error as its body: from then on, until the process ends.
func (cfg Config) setLogLevel(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(io.LimitReader(r.Body, 20))
	var level slog.Level
	if err != nil || level.UnmarshalText([]byte(strings.TrimSpace(string(text)))) != nil {
		http.Error(w, "The body must be debug, info, warn or error.", http.StatusBadRequest)
		return
	}
	cfg.Level.Set(level)
	cfg.Log.Warn("log level changed", "level", level.String())
	cfg.logLevel(w, r)
}
