package api

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// The first look costs one request and what it needs beside it, under 100 kB in all, and nothing holds it up.
func walkBudget(t *testing.T, b browser, g portalGuest) {
	x := b.open(t, phone, "about:blank")
	x.mu.Lock()
	x.requests, x.bytes = nil, 0
	x.mu.Unlock()
	x.run(chromedp.Navigate(g.URL + g.path))
	x.wait("document.documentElement.classList.contains('scripted') && performance.getEntriesByName('first-contentful-paint').length")
	var files []string
	for _, r := range x.asked(g) {
		if !strings.HasPrefix(r.URL, "data:") && !strings.Contains(r.URL, "/events?") { // the stream is no part of it
			files = append(files, r.URL[len(g.URL):])
		}
	}
	x.mu.Lock()
	bytes := int(x.bytes)
	x.mu.Unlock()
	if bytes == 0 || bytes > 100_000 || len(files) != 2 {
		t.Errorf("%d bytes in %d requests: %v", bytes, len(files), files)
	}
	if blocking := js[int](x, "document.querySelectorAll('link[rel=stylesheet], script[src]:not([defer])').length"); blocking != 0 {
		t.Errorf("%d files hold the first look up", blocking)
	}
	page := g.page(t, "Accept-Encoding", "identity").Body
	if !strings.Contains(page, "<style") || len(page) > 100_000 {
		t.Errorf("the page has %d bytes before compression", len(page))
	}
}
