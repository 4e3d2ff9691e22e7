package postgres_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// logged makes an entry of the log of requests that is of a moment, in its id too.
func logged(ws dossier.WorkspaceID, at time.Time, route string, status int) postgres.LoggedRequest {
	id := uuid.Must(uuid.NewV7())
	ms := uint64(at.UnixMilli())
	for i := range 6 {
		id[i] = byte(ms >> (40 - 8*i))
	}
	return postgres.LoggedRequest{ID: id.String(), Workspace: ws, RequestID: "r", At: at, Method: "GET", Route: route,
		Path: route, Status: status, Took: 12 * time.Millisecond, KeyID: dossier.KeyID(uuid.NewString()), Address: "192.0.2.1"}
}

// A caller finds its own calls by status, route, key and time, page by page, newest first, and nobody else's.
func TestRequests(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws, other := s.Workspace(t), s.Workspace(t)
	now := s.Clock.Now()
	all := []postgres.LoggedRequest{logged(ws, now, "/leads", 200), logged(ws, now.Add(time.Minute), "/leads/:id", 404),
		logged(ws, now.Add(2*time.Minute), "/keys", 500)}
	all[1].IsTest, all[1].IdempotencyKey, all[1].ProblemCode = true, ptr("k"), ptr("not_found")
	if err := s.DB.SaveRequests(t.Context(), append(all, logged(other, now, "/leads", 200))); err != nil {
		t.Fatal(err)
	}
	since := all[1].At
	for name, test := range map[string]struct {
		filter postgres.RequestFilter
		want   []int
	}{
		"all":             {postgres.RequestFilter{}, []int{2, 1, 0}},
		"refusals":        {postgres.RequestFilter{MinStatus: 400, MaxStatus: 499}, []int{1}},
		"a part of it":    {postgres.RequestFilter{Route: "leads"}, []int{1, 0}},
		"no pattern":      {postgres.RequestFilter{Route: "%"}, nil},
		"a key's":         {postgres.RequestFilter{KeyID: all[2].KeyID}, []int{2}},
		"from a time on":  {postgres.RequestFilter{Since: &since}, []int{2, 1}},
		"nothing matches": {postgres.RequestFilter{MinStatus: 301, MaxStatus: 301}, nil},
	} {
		got, err := s.DB.Requests(t.Context(), ws, test.filter, dossier.Page{Limit: 5})
		if err != nil {
			t.Fatal(err)
		}
		want := []postgres.LoggedRequest{}
		for _, i := range test.want {
			want = append(want, all[i])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	var pages []string
	page := dossier.Page{Limit: 1}
	for range all {
		got, err := s.DB.Requests(t.Context(), ws, postgres.RequestFilter{}, page)
		if err != nil || len(got) == 0 {
			t.Fatal(len(got), err)
		}
		pages = append(pages, got[0].ID)
		page.After = &dossier.Cursor{ID: got[0].ID}
	}
	if want := []string{all[2].ID, all[1].ID, all[0].ID}; !slices.Equal(pages, want) {
		t.Errorf("page by page %v, want %v", pages, want)
	}
}

// The log forgets what is older than its age, of every workspace, a bounded number at a time.
func TestPruneRequests(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	now := s.Clock.Now()
	var all []postgres.LoggedRequest
	for range 3 {
		ws := s.Workspace(t)
		for days := range 3 {
			all = append(all, logged(ws, now.AddDate(0, 0, -days), "/leads", 200))
		}
	}
	if err := s.DB.SaveRequests(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{4, 2, 0} {
		if n, err := s.DB.PruneRequests(t.Context(), now, 4); err != nil || n != want {
			t.Errorf("%d went, %v; want %d", n, err, want)
		}
	}
	if left := pgtest.Value[int](t, s, `SELECT count(*) FROM request_log WHERE at = $1`, now); left != 3 {
		t.Errorf("%d are left of the last day", left)
	}
}
