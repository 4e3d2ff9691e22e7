package api

import "testing"

func TestErasures(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	converse(t, s, "erasures.txt")
}
