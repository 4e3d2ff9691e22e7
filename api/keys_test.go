package api

import "testing"

func TestKeys(t *testing.T) {
	t.Parallel()
	converse(t, newTestServer(t), "keys.txt")
}
