package api

import "testing"

func TestErasures(t *testing.T) {
	t.Parallel()
	converse(t, newTestServer(t, withObjects(t)), "erasures.txt")
}
