package main

import (
	"context"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestConsole_pictures fills the desk of a service that runs whole, signs in as its start page offers, and looks at a
// lead, a review and a spread in a real browser. CONSOLE_PICTURES names the folder that the README's pictures are
// written to.
func TestConsole_pictures(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium (make setup installs it)")
	}
	s := startStack(t, options{})
	if err := s.makeSampleLeads(t.Context(), t.Logf); err != nil {
		t.Fatal(err)
	}
	if err := s.makeSampleLeads(t.Context(), t.Logf); err != nil {
		t.Fatalf("a second time: %v", err)
	}
	var leads []struct {
		ID, BusinessName, Status string
		CompletedChecklistItems  int
	}
	if err := s.get(t.Context(), "/api/v1/leads?limit=100&tags="+sampleTag, &leads); err != nil {
		t.Fatal(err)
	}
	states := map[string]bool{}
	lead := ""
	for _, l := range leads {
		states[l.Status] = true
		if l.BusinessName == "Muster Dental LLC" {
			lead = l.ID
		}
	}
	if len(leads) != 30 || len(states) < 5 || lead == "" {
		t.Fatalf("%d leads in the states %v; want 30 in all five", len(leads), states)
	}
	review := s.waiting(t, "tampering")
	spread := s.waiting(t, "spread_approval")

	options := []chromedp.ExecAllocatorOption{chromedp.ExecPath(program), chromedp.UserDataDir(t.TempDir())}
	for _, flag := range []string{"headless", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "hide-scrollbars"} {
		options = append(options, chromedp.Flag(flag, true))
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	ctx, end := chromedp.NewContext(allocator)
	defer end()
	ctx, late := context.WithTimeout(ctx, 3*time.Minute)
	defer late()
	look := pictures{t, ctx, s.url}
	look.at("/console/sign-in", `document.querySelector('button.person')`)
	for range 10 {
		if look.holds(`document.activeElement.matches('button.person')`) {
			break
		}
		look.press(kb.Tab)
	}
	look.press(kb.Enter)
	look.until(`location.pathname === '/console' && document.querySelector('.work')`)
	look.importsLeads()
	look.at("/console/leads/"+lead, `document.querySelector('.entry[data-state=INVALID] .reason')`)
	look.until(`document.querySelector('.lead-head').textContent.includes('but the closing balance is')`) // what was last done, in full
	look.keep("lead")
	look.at("/console/reviews/"+review, `document.querySelector('.leaf canvas') && document.querySelector('.claimbar.mine') && document.querySelector('.b')`)
	look.js(`document.querySelector('.facts .f[data-p="/closingBalance"]').click()`)
	look.until(`document.querySelector('.b.lit')`)
	look.keep("review")
	look.at("/console/reviews/"+spread, `document.querySelector('button.fig')`)
	look.js(`document.querySelector('button.fig').click()`)
	look.until(`document.querySelector('.crop img') && document.querySelector('.crop img').complete && document.querySelector('.crop .lit')`)
	look.keep("spread")
	look.derives()
	look.adjusts()
}

// derives opens a calculated figure and a ratio, and goes with keys to what they are made of.
func (p pictures) derives() {
	p.t.Helper()
	for _, of := range []string{"[data-statement=incomeStatement] [data-row=grossProfit]", "[data-statement=cashFlow] [data-row=changeInInventory]", "[data-statement=ratios] [data-row=currentRatio]"} {
		p.js(`document.querySelector('` + of + ` button.fig').click()`)
		p.until(`document.querySelector('#beside').textContent.includes('Calculated') || document.querySelector('#beside .operand')`)
		p.press("o", kb.Enter)
		p.until(`document.activeElement.matches('.fig.on') && !document.activeElement.closest('tr').matches('` + of[strings.LastIndex(of, "["):] + `')`)
	}
}

// importsLeads sends a table by the page of leads: first to hear what would happen, then in earnest.
func (p pictures) importsLeads() {
	p.t.Helper()
	table := filepath.Join(p.t.TempDir(), "leads.csv")
	if err := os.WriteFile(table, []byte("externalLeadId,firstName,email\nrow-1,Ida,ida@example.com\nrow-2,Otto,no-address\n"), 0o600); err != nil {
		p.t.Fatal(err)
	}
	for _, dry := range []bool{true, false} {
		p.at("/console/leads", `document.querySelector('form[data-path="/api/v1/imports"]')`)
		p.js(`document.querySelector('form[data-path="/api/v1/imports"]').closest('details').open = true`)
		if err := chromedp.Do(p.ctx, chromedp.SetUploadFiles(chromedp.CSS("form[data-path='/api/v1/imports'] input[name=file]"), []string{table})); err != nil {
			p.t.Fatal(err)
		}
		said := "1 lead is new, 0 were changed"
		if dry {
			p.js(`document.querySelector('form[data-path="/api/v1/imports"] input[name=dryRun]').click()`)
			said = "would create 1 lead and"
		}
		p.js(`document.querySelector('form[data-path="/api/v1/imports"] button[type=submit]').click()`)
		p.until(`document.querySelector('#import') && document.querySelector('#import').textContent.includes('` + said + `') && document.querySelector('#import').textContent.includes('Row 3')`)
	}
}

// adjusts changes a figure of a spread and says where a caption belongs, with keys; the figures are made again so.
func (p pictures) adjusts() {
	p.t.Helper()
	p.js(`document.querySelector('table.grid[data-statement=incomeStatement] tr.line button.fig').focus()`)
	p.press(kb.Enter)
	p.until(`document.querySelector('.fig.on') && document.querySelector('#beside h2')`)
	p.press("e")
	p.until(`document.activeElement.id === 'adjust'`)
	p.press("1234567", kb.Tab, kb.Tab, "Sold", kb.Enter)
	p.until(`document.querySelector('.fig.adjusted') && document.querySelector('.fig.adjusted').textContent.includes('1,234,567') && !document.querySelector('[data-waiting]')`)
	p.until(`document.querySelector('form.map select')`)
	p.js(`(() => { const f = document.querySelector('form.map'); const s = f.querySelector('select'); s.value = [...s.options].find((o) => o.value && !o.text.includes('as read')).value; f.querySelector('button').click(); })()`)
	p.until(`[...document.querySelectorAll('.toast')].some((note) => note.textContent.includes('Saved. The figures'))`)
}

// press sends keys to whatever has the focus. A key that the page takes for itself types nothing.
func (p pictures) press(keys ...string) {
	p.t.Helper()
	for _, key := range keys {
		actions := []chromedp.Action[chromedp.Void]{chromedp.KeyEvent(key)}
		if key == kb.Enter || len(key) == 1 && key > " " {
			name := strings.Replace(key, kb.Enter, "Enter", 1)
			stroke := map[string]any{"key": name, "text": key, "windowsVirtualKeyCode": int(strings.ToUpper(key)[0])}
			actions = nil
			for _, kind := range []string{"keyDown", "keyUp"} {
				one := maps.Clone(stroke)
				one["type"] = kind
				actions = append(actions, call("Input.dispatchKeyEvent", one))
			}
		}
		if err := chromedp.Do(p.ctx, actions...); err != nil {
			p.t.Fatal(err)
		}
	}
}

// holds tells whether an expression is true now.
func (p pictures) holds(expression string) bool {
	p.t.Helper()
	held, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
	if err != nil {
		p.t.Fatal(err)
	}
	return held
}

// waiting is the id of a review of a code, once there is one.
func (s *stack) waiting(t *testing.T, code string) string {
	t.Helper()
	id := ""
	within(t, time.Minute, "a review "+code, func() bool {
		var list struct {
			Reviews []struct{ ID, LeadName string }
		}
		if err := s.get(t.Context(), "/api/v1/reviews?code="+url.QueryEscape(code), &list); err != nil {
			t.Fatal(err)
		}
		if len(list.Reviews) > 0 {
			id = list.Reviews[0].ID
		}
		return id != ""
	})
	return id
}

type pictures struct {
	t   *testing.T
	ctx context.Context
	url string
}

func (p pictures) at(path, shown string) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 1280, "height": 860, "deviceScaleFactor": 1, "mobile": false}),
		chromedp.Navigate(p.url+path)); err != nil {
		p.t.Fatal(err)
	}
	p.until(shown)
}

func (p pictures) js(expression string) {
	p.t.Helper()
	if _, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool]("("+expression+", true)")); err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
}

func (p pictures) until(expression string) {
	p.t.Helper()
	within(p.t, time.Minute, expression, func() bool {
		held, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool]("document.readyState === 'complete' && !!("+expression+")"))
		return err == nil && held
	})
}

func (p pictures) keep(name string) {
	p.t.Helper()
	folder := os.Getenv("CONSOLE_PICTURES")
	if folder == "" {
		return
	}
	picture, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "console-"+name+".png"), picture, 0o644)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

func call(method string, parameters map[string]any) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		return target.Call(ctx, method, parameters, nil)
	})
}
