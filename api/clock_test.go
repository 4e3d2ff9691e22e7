package api

import "testing"

// A test lead's clock is put forward, and what follows happens at the lead's time.
func TestClock(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	converse(t, s, "clock.txt", "tester", s.newTestKey(t))
}
