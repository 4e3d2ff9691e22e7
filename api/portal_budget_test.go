package api

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// The first look costs one request and what it needs beside it, under 100 kB in all. How long it takes on a slow
// line and a slow processor is measured for people to read, beside the same without either: both must have been slow.
func walkBudget(t *testing.T, b browser, g portalGuest) {
	const slower, latency = 6, 400 // of a cheap phone; milliseconds there and back (slow 3G)
	x := b.open(t, phone, "about:blank")
	fast, work := x.firstLook(g), x.work()
	x.run(call("Emulation.setCPUThrottlingRate", object{"rate": slower}), line(false, latency, 50_000, 50_000), call("Network.setCacheDisabled", object{"cacheDisabled": true}))
	slow, labor := x.firstLook(g), x.work()
	for deadline := time.Now().Add(patience); labor < 2*work && time.Now().Before(deadline); { // the first may have been held up
		labor = x.work()
	}
	if slow.Content < latency {
		t.Errorf("something was seen after %.0f ms: the line is not slow", slow.Content)
	}
	if labor < 2*work { // the work is the same; how much longer it takes is the machine's affair
		t.Errorf("the same work took %.1f ms, and %.1f ms before: the processor is not slow", labor, work)
	}
	if slow.bytes == 0 || slow.bytes > 100_000 || len(slow.files) != 2 {
		t.Errorf("%d bytes in %d requests: %v", slow.bytes, len(slow.files), slow.files)
	}
	for name, look := range map[string]look{"as it is": fast, fmt.Sprintf("slow 3G (%d ms, 50 kB/s), processor %d times slower (%.1f times by a loop)", latency, slower, labor/work): slow} {
		t.Logf("%s: %d bytes in %d requests; first content %.0f ms, interactive %.0f ms", name, look.bytes, len(look.files), look.Content, look.Ready)
	}
	if blocking := js[int](x, "document.querySelectorAll('link[rel=stylesheet], script[src]:not([defer])').length"); blocking != 0 {
		t.Errorf("%d files hold the first look up", blocking)
	}
	page := g.page(t, "Accept-Encoding", "identity")
	if !bytes.Contains([]byte(page.Body), []byte("<style")) || len(page.Body) > 100_000 {
		t.Errorf("the page has %d bytes before compression", len(page.Body))
	}
}

// look is what one look at the page took: moments in milliseconds since it was asked for.
type look struct {
	Content, Ready float64
	bytes          int
	files          []string
}

// firstLook opens the page and waits until its script answers.
func (x *tab) firstLook(g portalGuest) look {
	x.t.Helper()
	x.mu.Lock()
	x.requests, x.bytes = nil, 0
	x.mu.Unlock()
	x.run(chromedp.Navigate(g.URL + g.path))
	x.wait("document.documentElement.classList.contains('scripted') && performance.getEntriesByName('first-contentful-paint').length")
	took := js[look](x, `(() => { const n = performance.getEntriesByType('navigation')[0];
		return {Content: performance.getEntriesByName('first-contentful-paint')[0].startTime, Ready: n.domContentLoadedEventEnd}; })()`)
	for _, r := range x.asked(g) {
		if !strings.HasPrefix(r.URL, "data:") && !strings.Contains(r.URL, "/events?") {
			took.files = append(took.files, r.URL[len(g.URL):])
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	took.bytes = int(x.bytes)
	return took
}

// work is how many milliseconds the page takes for always the same, at its best.
func (x *tab) work() float64 {
	x.t.Helper()
	return js[float64](x, `(() => { let best = Infinity; for (let i = 0; i < 5; i++) { const from = performance.now(); let n = 0;
		for (let j = 0; j < 2e6; j++) n = (n * 31 + j) | 0; best = Math.min(best, performance.now() - from + (n === 0.5 ? 1 : 0)); } return best; })()`)
}
