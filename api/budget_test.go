package api

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier/api/web"
)

// While large bodies fill the memory there is for them, another one is to come later; small ones go on. What was taken is
// given back, however the request ends.
func TestBodies_large_ones_wait(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	bodies := &s.API.door.Bodies
	whole := bodies.Left
	large := `{"firstName": "Ann", "website": "` + strings.Repeat("x", web.SmallBody) + `"}`
	if got := s.do(t, "POST", "/api/v1/leads", large); got.Status != 400 {
		t.Errorf("a large body: %d %s", got.Status, got.Body)
	}
	if bodies.Left != whole {
		t.Errorf("%d bytes are left of %d", bodies.Left, whole)
	}
	if !bodies.Take(whole - 1000) {
		t.Fatal("nothing is left")
	}
	if got := s.do(t, "POST", "/api/v1/leads", large); got.Status != 503 || got.Header.Get("Retry-After") == "" || valueAt(t, got.Body, "code") != "unavailable" {
		t.Errorf("one too many: %d %s", got.Status, got.Body)
	}
	if got := s.do(t, "POST", "/api/v1/leads", `{"firstName": "Ann"}`); got.Status != 201 {
		t.Errorf("a small one: %d %s", got.Status, got.Body)
	}
	bodies.Give(whole - 1000)
	if got := s.do(t, "POST", "/api/v1/leads", large); got.Status != 400 || bodies.Left != whole {
		t.Errorf("afterwards: %d, %d bytes left of %d", got.Status, bodies.Left, whole)
	}
}

// A token that opens something stands in no problem.
func TestProblem_shows_no_token(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	const token = "Zm9yZ2VkLXRva2VuLW9mLXRoaXJ0eS10d28tYnl0ZXM"
	for method, paths := range map[string][]string{
		"GET":  {"/unsubscribe/" + token, "/portal/" + token + "/nothing-here"},
		"POST": {"/inbound/email/" + token, "/inbound/email/" + token + "/x", "/portal/" + token + "/items/1"},
	} {
		for _, path := range paths {
			got := s.do(t, method, path, "", "x-api-key", "", "Accept", "application/json")
			if got.Status < 400 || strings.Contains(got.Body, token) {
				t.Errorf("%s %s: %d %s", method, path, got.Status, got.Body)
			}
			if strings.Contains(got.Body, `"instance"`) && !strings.Contains(got.Body, "/***") {
				t.Errorf("%s %s: %s", method, path, got.Body)
			}
		}
	}
}
