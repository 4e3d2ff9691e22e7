package api

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/fetch"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is how long a browser may take for anything: a loaded machine is slow, not wrong.
const patience = 90 * time.Second

// browser is one headless Chromium; every tab has cookies, cache and storage of its own.
type browser struct {
	ctx context.Context
	pid int
}

// startBrowser starts a Chromium that ends with t.
func startBrowser(t *testing.T) browser {
	t.Helper()
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil && program == "" {
			program = found
		}
	}
	if program == "" {
		t.Skip("no chromium (make setup installs it): the page is not opened in a real browser")
	}
	options := []chromedp.ExecAllocatorOption{chromedp.ExecPath(program), chromedp.UserDataDir(t.TempDir()), chromedp.WSURLReadTimeout(patience)}
	for _, flag := range []string{"headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "no-default-browser-check", "disable-background-networking",
		"disable-component-update", "disable-sync", "disable-dev-shm-usage", "disable-extensions", "disable-default-apps", "hide-scrollbars", "mute-audio",
		"disable-background-timer-throttling", "disable-renderer-backgrounding", "disable-backgrounding-occluded-windows"} {
		options = append(options, chromedp.Flag(flag, true))
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(allocator)
	t.Cleanup(func() { _ = chromedp.Cancel(ctx); end(); stop() })
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("chromium does not start: %v", err)
	}
	return browser{ctx, chromedp.FromContext(ctx).Browser.Process().Pid}
}

// device is the screen a tab has.
type device struct {
	width, height int64
	phone, dark   bool
}

var (
	desktop = device{width: 1280, height: 900}
	phone   = device{width: 360, height: 740, phone: true}
)

// tab is one page of the browser with all that it complained of and asked for.
type tab struct {
	t      *testing.T
	ctx    context.Context
	screen device

	mu       sync.Mutex
	trouble  []string
	requests []*network.Request
	answered []*network.Response
	bytes    float64 // as they came over the wire
	choosers int     // file choosers that were opened, where they are intercepted
	document *network.Response
	expected *regexp.Regexp
	instead  atomic.Int64 // the status that answers has given
}

// open makes a tab and shows the address. What the console complains of fails the test, unless expect allowed it.
func (b browser) open(t *testing.T, d device, address string, before ...step) *tab {
	t.Helper()
	ctx, end := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	ctx, stop := context.WithTimeout(ctx, 8*patience)
	x := &tab{t: t, ctx: ctx, screen: d, expected: regexp.MustCompile(`^$`)}
	t.Cleanup(func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		for _, complaint := range x.trouble {
			if !x.expected.MatchString(complaint) {
				t.Errorf("the console says: %s", complaint)
			}
		}
		stop()
		end()
	})
	if err := chromedp.Listen(ctx, x.hear); err != nil {
		t.Fatal(err)
	}
	x.run(call("Network.enable", nil), call("Runtime.enable", nil), call("Log.enable", nil), d.screen())
	if d.phone {
		x.run(call("Emulation.setTouchEmulationEnabled", object{"enabled": true}))
	}
	if d.dark {
		x.run(d.scheme())
	}
	x.run(before...)
	x.run(chromedp.Navigate(address))
	return x
}

// step is something a browser does.
type step = chromedp.Action[chromedp.Void]

// call is a command of the DevTools protocol.
func call(method string, parameters object) step {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		if parameters == nil {
			parameters = object{}
		}
		return target.Call(ctx, method, parameters, nil)
	})
}

func (d device) screen() step {
	return call("Emulation.setDeviceMetricsOverride", object{"width": d.width, "height": d.height, "deviceScaleFactor": 1, "mobile": d.phone})
}

func (d device) scheme() step {
	return call("Emulation.setEmulatedMedia", object{"features": []object{{"name": "prefers-color-scheme", "value": map[bool]string{false: "light", true: "dark"}[d.dark]}}})
}

// line is a connection: latency in milliseconds, bytes a second each way, -1 for as fast as it goes.
func line(offline bool, latency, down, up int) step {
	return call("Network.emulateNetworkConditionsByRule", object{"matchedNetworkConditions": []object{
		{"urlPattern": "", "latency": latency, "downloadThroughput": down, "uploadThroughput": up, "offline": offline}}})
}

// crawl lets requests to matching addresses hardly go on.
func crawl(pattern string) step {
	return call("Network.emulateNetworkConditionsByRule", object{"matchedNetworkConditions": []object{
		{"urlPattern": pattern, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 1000, "offline": false}}})
}

func block(pattern string) step {
	return call("Network.setBlockedURLs", object{"urlPatterns": []object{{"urlPattern": pattern, "block": true}}})
}

// answers lets requests to matching addresses be answered with a status instead; 0 ends it.
func (x *tab) answers(pattern string, status int64) {
	x.t.Helper()
	x.instead.Store(status)
	if status == 0 {
		x.run(call("Fetch.disable", nil))
		return
	}
	x.run(call("Fetch.enable", object{"patterns": []object{{"urlPattern": pattern}}}))
}

func (x *tab) hear(event any) {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		x.trouble = append(x.trouble, string(mustJSON(e.ExceptionDetails)))
	case *runtime.EventConsoleAPICalled:
		if e.Type == "error" || e.Type == "warning" {
			x.trouble = append(x.trouble, fmt.Sprintf("%s %s", e.Type, mustJSON(e.Args)))
		}
	case *cdplog.EventEntryAdded:
		if e.Entry.Level == cdplog.EntryLevelError || e.Entry.Level == cdplog.EntryLevelWarning {
			x.trouble = append(x.trouble, e.Entry.Text+" "+e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		x.requests = append(x.requests, e.Request)
	case *network.EventResponseReceived:
		x.answered = append(x.answered, e.Response)
		if headers := strings.ToLower(string(mustJSON(e.Response.Headers))); strings.Contains(headers, `"set-cookie"`) {
			x.trouble = append(x.trouble, "a cookie is set by "+e.Response.URL)
		}
		if e.Type == network.ResourceTypeDocument {
			x.document = e.Response
		}
	case *fetch.EventRequestPaused:
		go func() { // an answer to it may come only after this event was heard
			_ = chromedp.Do(x.ctx, call("Fetch.fulfillRequest", object{"requestId": e.RequestID, "responseCode": x.instead.Load()}))
		}()
	case *page.EventFileChooserOpened:
		x.choosers++
	case *network.EventLoadingFinished:
		x.bytes += e.EncodedDataLength
	}
}

// expect lets the console complain of what the journey does on purpose.
func (x *tab) expect(pattern string) { x.expected = regexp.MustCompile(pattern) }

func (x *tab) run(actions ...step) {
	x.t.Helper()
	if err := chromedp.Do(x.ctx, actions...); err != nil {
		x.t.Fatalf("browser: %v", err)
	}
}

// js evaluates an expression in the page.
func js[T any](x *tab, expression string) T {
	x.t.Helper()
	value, err := chromedp.Run(x.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		x.t.Fatalf("browser: %v\n%s", err, expression)
	}
	return value
}

// leaving is what a browser answers for a page that is being replaced.
var leaving = regexp.MustCompile(`(?i)target navigated or closed|execution context was destroyed|cannot find (default execution )?context`)

// holds tells whether an expression is true. It is not while the page that was asked gives way to the next one.
func (x *tab) holds(expression string) bool {
	x.t.Helper()
	held, err := chromedp.Run(x.ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
	if err != nil && !leaving.MatchString(err.Error()) {
		x.t.Fatalf("browser: %v\n%s", err, expression)
	}
	return err == nil && held
}

// wait waits for an expression to be true.
func (x *tab) wait(expression string) {
	x.t.Helper()
	deadline := time.Now().Add(patience)
	for !x.holds(expression) {
		if time.Now().After(deadline) {
			x.shot("failed-" + strings.ReplaceAll(x.t.Name(), "/", "-"))
			x.t.Fatalf("never true: %s\n%s", expression, js[string](x, "document.body.innerText"))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// see waits until an element holds a text.
func (x *tab) see(selector, text string) {
	x.t.Helper()
	x.wait(fmt.Sprintf("[...document.querySelectorAll(%s)].some((e) => e.textContent.includes(%s))", mustJSON(selector), mustJSON(text)))
}

func (x *tab) click(selector string) {
	x.t.Helper()
	// A page that is not complete may still jump to the item it is about.
	x.wait(fmt.Sprintf("document.readyState === 'complete' && document.querySelector(%s)", mustJSON(selector)))
	// A sticky heading must not be what is hit.
	js[bool](x, fmt.Sprintf("document.querySelector(%s).scrollIntoView({block: 'center', behavior: 'instant'}), true", mustJSON(selector)))
	x.reach(chromedp.Click(chromedp.CSS(selector)))
}

// replaced is what a browser answers for an element that the page has written anew since it was found.
var replaced = regexp.MustCompile(`(?i)could not find node|no node with given id|does not belong to the document|could not compute box model`)

// reach does something to an element, which the page may be writing anew meanwhile.
func (x *tab) reach(action step) {
	x.t.Helper()
	err := chromedp.Do(x.ctx, action)
	for end := time.Now().Add(patience); err != nil && replaced.MatchString(err.Error()) && time.Now().Before(end); {
		err = chromedp.Do(x.ctx, action)
	}
	if err != nil {
		x.t.Fatalf("browser: %v", err)
	}
}

func (x *tab) focus(id string) {
	x.t.Helper()
	x.wait(fmt.Sprintf("document.readyState === 'complete' && document.getElementById(%s)", mustJSON(id)))
	js[bool](x, fmt.Sprintf("document.getElementById(%s).focus(), true", mustJSON(id)))
}

// write replaces what an input holds, as a person types it.
func (x *tab) write(selector, text string) {
	x.t.Helper()
	x.click(selector)
	js[bool](x, fmt.Sprintf("document.querySelector(%s).select(), true", mustJSON(selector)))
	x.run(chromedp.KeyEvent("\b"), chromedp.KeyEvent(text))
}

func (x *tab) choose(selector string, files ...string) {
	x.t.Helper()
	x.wait(fmt.Sprintf("document.querySelector(%s)", mustJSON(selector)))
	x.reach(chromedp.SetUploadFiles(chromedp.CSS(selector), files))
}

// chosen waits until so many file choosers have opened.
func (x *tab) chosen(n int) {
	x.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		x.mu.Lock()
		got := x.choosers
		x.mu.Unlock()
		if got == n {
			return
		}
		if got > n || time.Now().After(deadline) {
			x.t.Fatalf("%d file choosers were opened, want %d", got, n)
		}
	}
}

// status is that of the document shown; it must be one of the server.
func (x *tab) status(server string) int64 {
	x.t.Helper()
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.document == nil || !strings.HasPrefix(x.document.URL, server) {
		x.t.Fatalf("the document is not the server's: %+v", x.document)
	}
	return x.document.Status
}

var axeSource = sync.OnceValues(func() (string, error) {
	text, err := os.ReadFile("testdata/axe-core/axe.min.js")
	return string(text), err
})

// accessible runs axe-core on the page as it is now; a state of it has no violations of WCAG 2.2 A or AA, nor of
// axe's best practices.
func (x *tab) accessible(state string) {
	x.t.Helper()
	x.axe(state, `['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']`)
	for _, small := range js[[]string](x, `[...document.querySelectorAll('a:not(.skip), button, summary, select, textarea, input:not([type=hidden], .scripted .pick *), .scripted label.button')]
		.filter((e) => { const r = e.getBoundingClientRect(); return r.width && (r.width < 24 || r.height < 24); }).map((e) => e.outerHTML.slice(0, 200))`) {
		x.t.Errorf("%s: less than 24 px to hit (WCAG 2.2, 2.5.8): %s", state, small)
	}
	// Of two elements with one id a label finds only the first; axe does not ask any more.
	for _, id := range js[[]string](x, "[...document.querySelectorAll('[id]')].map((e) => e.id).filter((id, i, all) => all.indexOf(id) !== i)") {
		x.t.Errorf("%s: two elements have the id %s", state, id)
	}
}

// axe runs rules of axe-core on the page: tags, or single rules.
func (x *tab) axe(state, rules string) {
	x.t.Helper()
	source, err := axeSource()
	if err != nil {
		x.t.Fatal(err)
	}
	if !js[bool](x, "!!window.axe") {
		js[bool](x, source+"; true")
	}
	found := js[[]string](x, `axe.run(document, {resultTypes: ['violations'], runOnly: `+rules+`})
		.then((r) => r.violations.map((v) => v.id + ': ' + v.help + '\n  ' + v.nodes.map((n) => n.html + ' ' + n.failureSummary).join('\n  ')))`)
	for _, violation := range found {
		x.t.Errorf("axe, %s: %s", state, violation)
	}
}

// everywhere looks at the page as it stands, wide and narrow, light and dark: nobody is shut out, nothing is wider than
// the window, and a picture of each is kept. What the scheme changes is colour alone, so dark is asked for that alone.
func (x *tab) everywhere(state string) {
	x.t.Helper()
	for _, d := range []device{{width: 1280, height: 900}, {width: 1280, height: 900, dark: true}, {width: 390, height: 844, phone: true, dark: true}, {width: 390, height: 844, phone: true}} {
		of := fmt.Sprintf("%s at %d px, dark %t", state, d.width, d.dark)
		x.run(d.screen(), d.scheme())
		if d.dark {
			x.axe(of, `{type: 'rule', values: ['color-contrast', 'link-in-text-block']}`)
		} else {
			x.accessible(of)
		}
		if over := js[int](x, "document.documentElement.scrollWidth - window.innerWidth"); over > 0 {
			x.t.Errorf("%s: %d px too wide", of, over)
		}
		if !js[bool](x, `[...document.querySelectorAll('dialog[open]')].every((d) => { const r = d.getBoundingClientRect(); return d.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)); })`) {
			x.t.Errorf("%s: what is asked is out of sight", of)
		}
		x.shot(fmt.Sprintf("console-%s-%d-%s", strings.ReplaceAll(state, " ", "-"), d.width, map[bool]string{false: "light", true: "dark"}[d.dark]))
	}
	x.run(x.screen.screen(), x.screen.scheme())
}

// fits checks that nothing is wider than the window at any of the widths, in CSS pixels.
func (x *tab) fits(state string, widths ...int64) {
	x.t.Helper()
	for _, width := range widths {
		x.run(device{width: width, height: 740, phone: width < 500}.screen())
		if over := js[int](x, "document.documentElement.scrollWidth - window.innerWidth"); over > 0 {
			x.t.Errorf("%s: %d px too wide at %d px: %s", state, over, width, js[string](x,
				"[...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > window.innerWidth + 1).map((e) => e.tagName + '.' + e.className + '#' + e.id).join(' ')"))
		}
	}
}

// shot keeps a picture of the whole page for people to look at, in the folder that DOSSIER_SCREENSHOTS names.
func (x *tab) shot(name string) {
	x.t.Helper()
	folder := os.Getenv("DOSSIER_SCREENSHOTS")
	if folder == "" {
		return
	}
	picture, err := chromedp.Run(x.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		x.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o600); err != nil {
		x.t.Error(err)
	}
}

// asked lists the requests so far; none may name a stranger or tell anybody where it came from.
func (x *tab) asked(g portalGuest) []*network.Request {
	x.t.Helper()
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, r := range x.requests {
		at, err := url.Parse(r.URL)
		if err != nil {
			x.t.Fatal(err)
		}
		if origin := at.Scheme + "://" + at.Host; at.Scheme != "data" && origin != g.URL && origin != g.API.Objects.PublicOrigin() {
			x.t.Errorf("the page asks a stranger: %s", r.URL)
		}
		headers := string(mustJSON(r.Headers))
		if strings.Contains(headers, `"Referer":"`) && !strings.Contains(headers, `"Referer":""`) {
			x.t.Errorf("a request has a Referer: %s", headers)
		}
	}
	return append([]*network.Request(nil), x.requests...)
}
