package api

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

func TestAnalytics_conversation(t *testing.T) {
	t.Parallel()
	converse(t, newTestServer(t), "analytics.txt")
}

// A token goes with the workspace and the filters of the page that gave it.
func TestAnalytics_foreign_tokens(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	s.seedReported(t, 501)
	const start = "start=2020-01-01T00:00:00Z"
	token := func(query string) string {
		var page struct{ NextToken string }
		if err := json.Unmarshal([]byte(s.do(t, "GET", "/api/v0/analytics?"+query, "").Body), &page); err != nil || page.NextToken == "" {
			t.Fatal(err)
		}
		return "token=" + url.QueryEscape(page.NextToken)
	}
	plain, ranged, foreign := token(""), token(start), s.newKey(t, s.Server.Workspace(t), dossier.ScopeRead)
	for _, of := range []struct {
		what, query, key string
		status           int
	}{
		{"its own", plain, s.Key, 200},
		{"its own, with the format said", plain + "&format=json", s.Key, 200},
		{"the same moment in another zone", "start=2020-01-01T01:00:00%2B01:00&" + ranged, s.Key, 200},
		{"another filter", start + "&" + plain, s.Key, 400},
		{"no filter", ranged, s.Key, 400},
		{"another bound", "end=2020-01-01T00:00:00Z&" + ranged, s.Key, 400},
		{"another workspace", plain, foreign, 400},
		{"another list", strings.Replace(plain, "token=", "token=x", 1), s.Key, 400},
	} {
		a := s.do(t, "GET", "/api/v0/analytics?"+of.query, "", "x-api-key", of.key)
		if a.Status != of.status || of.status == 400 && !strings.Contains(a.Body, `"code":"invalid_token"`) {
			t.Errorf("%s: %d %.300s", of.what, a.Status, a.Body)
		}
	}
}

// seedReported adds leads, one a second up to now.
func (s *testServer) seedReported(t *testing.T, n int) {
	t.Helper()
	s.Exec(t, `INSERT INTO leads (workspace_id, id, created_at, updated_at) SELECT $1, gen_random_uuid(), $3::timestamptz - i * interval '1 second', $3 FROM generate_series(1, $2::int) i`,
		s.Workspace, n, s.Clock.Now())
}

// Whoever pages while leads are being added, folded and changed sees every lead that was there at the beginning
// once, in order.
func TestAnalytics_pages_while_leads_change(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	s.seedReported(t, 1700)
	before := s.leadIDs(t)
	var seen []string
	for query := ""; ; {
		var page struct {
			NextToken *string
			Breakdown []struct{ LeadID string }
		}
		a := s.do(t, "GET", "/api/v0/analytics?"+query, "")
		if err := json.Unmarshal([]byte(a.Body), &page); err != nil || a.Status != 200 {
			t.Fatal(a.Status, err)
		}
		for _, lead := range page.Breakdown {
			seen = append(seen, lead.LeadID)
		}
		if page.NextToken == nil {
			break
		}
		query = "token=" + url.QueryEscape(*page.NextToken)
		s.Clock.Advance(time.Hour)
		s.seedReported(t, 30)
		s.Exec(t, `UPDATE leads SET first_name = 'Zoe' WHERE id IN (SELECT id FROM leads ORDER BY random() LIMIT 200)`)
		s.fold(t, 2)
	}
	if len(seen) < len(before) || !slices.Equal(seen[:len(before)], before) {
		t.Errorf("%d leads were seen, %d were there, and not in one order", len(seen), len(before))
	}
	if slices.Sort(seen); len(slices.Compact(seen)) != len(seen) {
		t.Error("a lead was seen twice")
	}
}

// leadIDs are all leads in the order of analytics.
func (s *testServer) leadIDs(t *testing.T) []string {
	t.Helper()
	return strings.Fields(pgtest.Value[string](t, s.Server, `SELECT string_agg(id::text, ' ' ORDER BY created_at, id) FROM leads WHERE workspace_id = $1`, s.Workspace))
}
