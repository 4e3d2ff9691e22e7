package api

import (
	"testing"

	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

func TestMessages(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	conducted(t, s)
	converse(t, s, "messages.txt", "token", pgtest.Value[string](t, s.Server, `SELECT inbound_token FROM workspaces WHERE id = $1`, s.Workspace))
	for kind, want := range map[string]int{"messageEdits": 1, "messageRejects": 1} {
		if got := pgtest.Value[int](t, s.Server, `SELECT count(*) FROM interventions WHERE kind = $1`, kind); got != want {
			t.Errorf("%d %s counted, want %d", got, kind, want)
		}
	}
}
