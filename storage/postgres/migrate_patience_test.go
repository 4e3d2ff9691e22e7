package postgres

import (
	"testing"
	"time"
)

// The first turns keep others waiting for a moment only; later ones wait until the server has broken off a vacuum, for
// which it takes deadlock_timeout (a second), and none much longer.
func TestPatience(t *testing.T) {
	t.Parallel()
	if first := lockTimeout(1); first > 250*time.Millisecond {
		t.Errorf("the first turn keeps everybody waiting for %s", first)
	}
	for turn := 2; turn <= maxMigrateTries; turn++ {
		if now, before := lockTimeout(turn), lockTimeout(turn-1); now < before || now > 3*time.Second {
			t.Errorf("turn %d waits %s, the one before %s", turn, now, before)
		}
	}
	if tenth := lockTimeout(10); tenth < 2*time.Second {
		t.Errorf("the tenth turn ends after %s, before a vacuum does", tenth)
	}
}
