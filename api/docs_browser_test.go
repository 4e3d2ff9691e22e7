package api

import (
	"strings"
	"testing"
)

// The pages about the service as a browser shows them: nothing is wider than a screen, nothing asks a third party, and a
// screen reader finds its way. The reference is too long to be asked whole: its first operations stand for all.
func TestDocs_browser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	t.Parallel()
	b, s := startBrowser(t), newTestServer(t)
	for _, page := range []struct{ name, path, says string }{
		{"docs", "/docs", "Update a lead"},
		{"problems", "/problems", "rate_limited"},
		{"problem", "/problems/rate_limited", "Retry-After"},
		{"changelog", "/changelog", "API"},
		{"upgrading", "/upgrading", "To 1.0.0"},
	} {
		t.Run(page.name, func(t *testing.T) {
			for _, d := range []device{desktop, {width: 390, height: 844, phone: true}} {
				x := b.open(t, d, s.URL+page.path)
				x.see("body", page.says)
				x.shot(page.name + map[bool]string{true: "-390", false: "-1280"}[d.phone])
				x.fits(page.name, d.width)
				if page.name == "docs" {
					js[bool](x, "[...document.querySelectorAll('article')].slice(4).forEach((a) => a.remove()), true")
				}
				x.accessible(page.name)
				x.mu.Lock()
				for _, r := range x.requests {
					if !strings.HasPrefix(r.URL, s.URL+"/") && !strings.HasPrefix(r.URL, "data:") {
						t.Errorf("%s asks a stranger: %s", page.name, r.URL)
					}
				}
				x.mu.Unlock()
			}
		})
	}
}
