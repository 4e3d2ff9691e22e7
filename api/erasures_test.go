package api

import "testing"

func TestErasures(t *testing.T) {
	t.Parallel()
	converse(t, newTestServer(t, withObjects(t)), "erasures.txt")
}

func TestRetention(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	s.Exec(t, `UPDATE workspaces SET retention = '{"graceDays": 0, "floorDays": 760, "floorFrom": "decision"}'`)
	converse(t, s, "retention.txt")
}
