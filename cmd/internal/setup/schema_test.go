package setup

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// spoken is a log that several goroutines write and a test reads.
type spoken struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *spoken) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *spoken) has(part string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Contains(s.text.String(), part)
}

// A program that meets a schema which is not its own says so and waits, and goes on when it is.
func TestAwaitSchema(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	for _, test := range []struct{ name, spoil, mend, says string }{
		{"too old", `UPDATE goose_db_version SET is_applied = false WHERE version_id = (SELECT max(version_id) FROM goose_db_version)`,
			`UPDATE goose_db_version SET is_applied = true`, "run dossier migrate"},
		{"too new", `CREATE OR REPLACE FUNCTION schema_floor() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 99999::bigint'`,
			`CREATE OR REPLACE FUNCTION schema_floor() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 0::bigint'`, "the release that migrated it"},
	} {
		s.Exec(t, test.spoil)
		log, ended := &spoken{}, make(chan error, 1)
		cfg := Config{DatabaseURL: s.Run, OpsAddr: "127.0.0.1:0"}
		go func() {
			ended <- cfg.awaitSchema(t.Context(), slog.New(slog.NewTextHandler(log, nil)), 10*time.Millisecond)
		}()
		for end := time.Now().Add(time.Minute); !log.has(test.says); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s: it says nothing", test.name)
			}
		}
		if !log.has("the schema is " + test.name) {
			t.Errorf("%s is called something else", test.name)
		}
		select {
		case err := <-ended:
			t.Fatalf("%s: it did not wait: %v", test.name, err)
		default:
		}
		s.Exec(t, test.mend)
		if err := <-ended; err != nil || !log.has("the schema is here") {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.Exec(t, `UPDATE goose_db_version SET is_applied = false WHERE version_id = $1`, postgres.SchemaVersion())
	if err := (Config{DatabaseURL: s.Run, OpsAddr: "127.0.0.1:0"}).awaitSchema(ctx, slog.New(slog.DiscardHandler), time.Hour); err == nil {
		t.Error("who was told to stop goes on waiting")
	}
}
