package postgres

import (
	"strings"
	"testing"
)

func TestRecovered_replayed(t *testing.T) {
	started := "LOG:  starting point-in-time recovery to 2026-11-26 02:00:00+00\n" +
		"LOG:  restored log file \"0000000100000000000000FE\" from archive\n" +
		"LOG:  redo starts at 0/FE000028\n"
	for name, tt := range map[string]struct {
		log  string
		want int64
	}{
		"nothing said yet": {"LOG:  starting point-in-time recovery to 2026-11-26 02:00:00+00\n", 0},
		"begun":            {started, 0},
		"under way": {started + "LOG:  redo in progress, elapsed time: 10.00 s, current LSN: 0/FF000028\n" +
			"LOG:  redo in progress, elapsed time: 20.01 s, current LSN: 1/00000028\n", 32 << 20},
	} {
		if got := walReplayed(tt.log); got != tt.want {
			t.Errorf("%s: %d bytes replayed, want %d", name, got, tt.want)
		}
	}
}

// Whoever restores hears why the server gave up, not that it took no connections until then.
func TestRecovered_failure(t *testing.T) {
	log := "LOG:  starting archive recovery\n" +
		"FATAL:  archive file \"0000000100000000000000FE\" has wrong size: 8192 instead of 16777216\n" +
		"LOG:  startup process (PID 71) exited with exit code 1\n" +
		"FATAL:  the database system is not accepting connections\n"
	if err := recoveryFailure(log); !strings.Contains(err.Error(), "has wrong size: 8192") {
		t.Errorf("the failure is told as %q", err)
	}
}
