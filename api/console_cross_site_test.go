package api

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// A cookie goes along with whatever any site's page sends here. So of every operation that changes anything, and of
// every form of the console, what comes with a session from elsewhere, or from nobody knows where, is refused before
// anything is done.
func TestSession_cross_site_every_route(t *testing.T) {
	t.Parallel()
	var tried atomic.Value
	s := newTestServer(t, withObjects(t), func(c *Config) {
		c.TryOut = func(context.Context) (dossier.WorkspaceID, error) { return tried.Load().(dossier.WorkspaceID), nil }
	})
	tried.Store(s.Workspace)
	ids := oneOfEach(t, s, s.Workspace)
	its := strangers{s, ids, ids}
	ada := s.signIn(t, s.Workspace, "ada@lender.example", dossier.RoleAdmin)
	rows := mutating(s)
	for _, row := range s.API.routes() {
		if strings.HasPrefix(row.path, "/console") && row.method != http.MethodGet {
			rows = append(rows, row)
		}
	}
	if len(rows) < 60 {
		t.Fatalf("the table has %d operations that change something", len(rows))
	}
	elsewhere := map[string][]string{
		"another site":                      {"Origin", "https://evil.example"},
		"another port of this host":         {"Origin", "http://127.0.0.1:1"},
		"this host under another scheme":    {"Origin", strings.Replace(s.URL, "http:", "https:", 1)},
		"a host whose name begins as ours":  {"Origin", s.URL + ".evil.example"},
		"a page without an origin":          {"Origin", "null"},
		"a sibling domain":                  {"Origin", "", "Sec-Fetch-Site", "same-site"},
		"another site that says our origin": {"Sec-Fetch-Site", "cross-site"},
		"nobody knows where":                {"Origin", ""},
	}
	before := pgtest.Value[string](t, s.Server, everythingAndKeys)
	for _, row := range rows {
		path := strings.NewReplacer("{pipelineId}", "classify-document", "{part}", "0", "{kind}", "poem").Replace(row.path)
		path, body := its.fill(path), its.fill(tenantBodies[row.name()])
		if row.path == "/console/sign-in" {
			body = "email=ben%40lender.example"
		}
		for name, headers := range elsewhere {
			got := s.as(t, ada, row.method, path, body, append([]string{"Content-Type", kindOf(row)}, headers...)...)
			said := row.scope == "" || strings.Contains(got.Body, `"cross_site_request"`)
			if got.Status != http.StatusForbidden || !said || got.Header.Get("Set-Cookie") != "" {
				t.Errorf("%s %s from %s: %d %.200s", row.method, path, name, got.Status, got.Body)
			}
		}
	}
	if after := pgtest.Value[string](t, s.Server, everythingAndKeys); after != before {
		t.Errorf("something changed:\n%s\n%s", before, after)
	}
	// A page of ours, and a key wherever it comes from, is never refused for that.
	for _, row := range rows {
		path := pathParameter.ReplaceAllString(row.path, postgres.NewID())
		if got := s.as(t, ada, row.method, path, "", "Content-Type", kindOf(row)); crossSite(got) {
			t.Errorf("%s %s from a page of ours: %d %s", row.method, path, got.Status, got.Body)
		}
		got := s.do(t, row.method, path, "", "Content-Type", kindOf(row), "Origin", "https://crm.example")
		if row.scope != "" && crossSite(got) {
			t.Errorf("%s %s by a key: %d %s", row.method, path, got.Status, got.Body)
		}
	}
}

// crossSite says that an answer refuses another site.
func crossSite(got answer) bool {
	return strings.Contains(got.Body, "cross_site_request") || strings.Contains(got.Body, "sent from another site")
}

// kindOf is the content type of what an operation takes.
func kindOf(row route) string {
	switch {
	case row.files:
		return "multipart/form-data; boundary=part"
	case row.scope == "":
		return "application/x-www-form-urlencoded"
	}
	return "application/json"
}
