package postgres

import (
	"errors"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/dossierhq/dossier"
)

func TestTranslate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		err  error
		kind dossier.Kind
		code string
	}{
		{"open run of the agent", &pgconn.PgError{Code: "23505", ConstraintName: "workflow_runs_open_agent"}, dossier.Conflict, "agent_already_linked"},
		{"server is shutting down", &pgconn.PgError{Code: "57P01"}, dossier.Unavailable, "unavailable"},
		{"failed over to a read-only server", &pgconn.PgError{Code: "25006"}, dossier.Unavailable, "unavailable"},
		{"a missing row keeps its noun", missing("workflow run"), dossier.NotFound, "workflow_run_not_found"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := translate("test", test.err)
			var e *dossier.Error
			if !errors.As(got, &e) || e.Kind != test.kind || e.Code != test.code {
				t.Errorf("translate(%v) = %v, want kind %v and code %s", test.err, got, test.kind, test.code)
			}
		})
	}
	if got := translate("test", errors.New("boom")); dossier.KindOf(got) != dossier.Internal {
		t.Errorf("an unknown error got kind %v, want Internal", dossier.KindOf(got))
	}
}
