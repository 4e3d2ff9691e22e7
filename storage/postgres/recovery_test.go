package postgres

import "testing"

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
