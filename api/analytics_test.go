package api

import "testing"

func TestAnalytics_conversation(t *testing.T) {
	t.Parallel()
	converse(t, newTestServer(t), "analytics.txt")
}
