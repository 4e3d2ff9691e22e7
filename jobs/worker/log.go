package worker

import (
	"fmt"
	"log/slog"
	"os"

	"github.com/dossierhq/dossier/jobs/tracing"
	"github.com/dossierhq/dossier/storage/postgres"
)

// logOf is the log of one job's try: its lines lead to the ledger's row and to the request that caused it.
func (w *Worker) logOf(claim postgres.Claim) *slog.Logger {
	log := w.log.With("job", claim.Job, "kind", claim.Kind, "workspace", claim.Workspace, "request", claim.RequestID)
	if claim.Trace != "" {
		log = log.With("trace_id", tracing.ID(claim.Trace))
	}
	return log
}

// asynqLogger passes the queue library's log on, without the noise it makes over what the ledger handles.
type asynqLogger struct{ log *slog.Logger }

func (q asynqLogger) Debug(args ...any) { q.log.Debug("asynq: " + fmt.Sprint(args...)) }
func (q asynqLogger) Info(args ...any)  { q.log.Debug("asynq: " + fmt.Sprint(args...)) }
func (q asynqLogger) Warn(args ...any)  { q.log.Debug("asynq: " + fmt.Sprint(args...)) }
func (q asynqLogger) Error(args ...any) { q.log.Warn("asynq: " + fmt.Sprint(args...)) }
func (q asynqLogger) Fatal(args ...any) {
	q.log.Error("asynq: " + fmt.Sprint(args...))
	os.Exit(1)
}
