package api

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
)

// The log's first release is the version of the document, dates go down, and the page shows every change.
func TestChangelog(t *testing.T) {
	t.Parallel()
	log, err := loadChangelog()
	if err != nil {
		t.Fatal(err)
	}
	info := testSpec(t).document["info"].(object)
	if len(log.Releases) == 0 || log.Releases[0].Version != info["version"] {
		t.Fatalf("the document is version %v, the log begins with %+v", info["version"], log.Releases)
	}
	if info["version"] != dossier.APIVersion {
		t.Errorf("the document is version %v, events say %s", info["version"], dossier.APIVersion)
	}
	s := newTestServer(t)
	page := s.do(t, "GET", "/changelog", "", "x-api-key", "")
	if page.Status != 200 || !strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") {
		t.Fatalf("%d %v", page.Status, page.Header)
	}
	upgrading := s.do(t, "GET", "/upgrading", "", "x-api-key", "")
	before := "9999-12-31"
	for _, release := range log.Releases {
		if _, err := time.Parse(time.DateOnly, release.Date); err != nil || release.Date > before || !strings.Contains(page.Body, `id="v`+release.Version+`"`) {
			t.Errorf("release %s of %s (%v)", release.Version, release.Date, err)
		}
		before = release.Date
		for _, change := range release.Changes {
			if !slices.Contains([]string{"added", "changed", "deprecated", "removed", "fixed"}, change.Kind) || !strings.Contains(page.Body, string(change.Prose())) {
				t.Errorf("%s: %+v", release.Version, change)
			}
			if strings.Contains(upgrading.Body, string(change.Prose())) != (change.Kind != "added" && change.Kind != "fixed" || change.Do != "") {
				t.Errorf("%s in /upgrading: %+v", release.Version, change)
			}
		}
	}
	if docs := s.do(t, "GET", "/docs", "", "x-api-key", ""); !strings.Contains(docs.Body, `href="/changelog"`) {
		t.Error("the reference does not lead to the log")
	}
}
