package api

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

func media(features ...object) step {
	return call("Emulation.setEmulatedMedia", object{"features": append([]object{}, features...)})
}

var spanish = call("Emulation.setUserAgentOverride", object{"userAgent": "browser", "acceptLanguage": "es-MX"})

// judgedAgain writes what the worker would when an item's last file was removed.
func (g portalGuest) judgedAgain(t *testing.T, entry string) {
	t.Helper()
	g.Exec(t, `UPDATE checklist_entries SET status = 'TODO', validation_error = NULL WHERE id = $1`, entry)
}

// Photos are taken with the camera; a refused file is replaced by another in its place; all of it on a phone.
func walkCamera(t *testing.T, b browser, g portalGuest) {
	x := b.open(t, phone, g.URL+g.path)
	x.run(call("Page.enable", nil), call("Page.setInterceptFileChooserDialog", object{"enabled": true}))
	bank := g.entry(t, "BANK_STATEMENTS")
	camera := "document.querySelector('#camera-" + bank + "')"
	if kind := js[string](x, camera+".accept + ' ' + "+camera+".getAttribute('capture')"); kind != "image/* environment" {
		t.Errorf("the camera's input: %s", kind)
	}
	x.click("label[for=camera-" + bank + "]")
	x.chosen(1)
	photo, _ := scratch(t, "photo.jpg", 50_000)
	x.choose("#camera-"+bank, photo)
	x.see(item(bank)+"[data-state=CHECKING]", "photo.jpg")
	g.judge(t, bank, "INVALID", "The page is dark")
	x.see(item(bank)+"[data-state=INVALID] .reason", "The page is dark")
	x.click(item(bank) + " [data-replace]")
	x.chosen(2)
	better, _ := scratch(t, "better.jpg", 60_000)
	x.choose("#files-"+bank, better)
	x.see(item(bank)+" .documents", "better.jpg")
	x.wait("!document.querySelector('" + item(bank) + " .documents').textContent.includes('photo.jpg')")
	x.click(item(bank) + " .documents [id^=remove]")
	x.wait("!document.querySelector('" + item(bank) + " .documents')")
	g.judgedAgain(t, bank)
	x.see(item(bank)+"[data-state=TODO]", "To do")
	if n := pgtest.Value[int](t, g.Server, `SELECT count(*) FROM documents WHERE lead_id = $1 AND deleted_at IS NULL`, g.lead); n != 0 {
		t.Errorf("%d documents are left", n)
	}
}

// A file is reached, refused and removed with the keyboard alone, and each verdict is announced.
func walkKeys(t *testing.T, b browser, g portalGuest) {
	x := b.open(t, desktop, g.URL+g.path)
	x.run(call("Page.enable", nil), call("Page.setInterceptFileChooserDialog", object{"enabled": true}))
	bank := g.entry(t, "BANK_STATEMENTS")
	x.seesFocus()
	x.tabTo("files-" + bank)
	if outline := js[string](x, "getComputedStyle(document.querySelector('label[for=files-"+bank+"]')).outlineStyle"); outline != "solid" {
		t.Errorf("the focus is not seen: outline %s", outline)
	}
	x.run(chromedp.KeyEvent(" "))
	x.chosen(1)
	file, _ := scratch(t, "march.pdf", 1000)
	x.choose("#files-"+bank, file)
	x.see("#live", "march.pdf was sent")
	x.see(item(bank)+"[data-state=CHECKING]", "march.pdf")
	g.judge(t, bank, "INVALID", "The account holder is Bob")
	x.see("#live", "Needs a change")
	x.see("#live", "The account holder is Bob")
	x.tabTo("remove-" + pgtest.Value[string](t, g.Server, `SELECT id::text FROM documents WHERE lead_id = $1`, g.lead))
	x.run(chromedp.KeyEvent(kb.Enter))
	x.wait("!document.querySelector('" + item(bank) + " .documents')")
	x.wait("document.querySelector('" + item(bank) + "').contains(document.activeElement)") // the focus stays where the person was
	g.judgedAgain(t, bank)
	x.see("#live", "To do")
}

// seesFocus goes through the whole page with Tab and back again: what has the focus is never behind the heading that stays
// (WCAG 2.2, 2.4.11).
func (x *tab) seesFocus() {
	x.t.Helper()
	for _, modifiers := range []int{0, 8} { // 8: Shift
		stops := 0
		for ; stops < 300; stops++ {
			for _, event := range []string{"keyDown", "keyUp"} {
				x.run(call("Input.dispatchKeyEvent", object{"type": event, "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9, "modifiers": modifiers}))
			}
			hidden := js[string](x, `(() => { const e = document.activeElement, band = document.querySelector('.band').getBoundingClientRect();
				if (e === document.body) return 'end';
				const r = (e.type === 'file' ? e.nextElementSibling : e).getBoundingClientRect();
				return e.matches('.skip') || (r.top >= band.bottom - 1 && r.top < innerHeight) ? '' : e.outerHTML.slice(0, 200); })()`)
			if hidden == "end" {
				break
			}
			if hidden != "" {
				x.t.Errorf("it is not seen where the focus is: %s", hidden)
			}
		}
		if stops < 20 || stops == 300 {
			x.t.Errorf("Tab stops %d times", stops)
		}
	}
}

// tabTo presses Tab until an element has the focus.
func (x *tab) tabTo(id string) {
	x.t.Helper()
	for range 200 {
		if js[string](x, "document.activeElement.id") == id {
			return
		}
		x.run(chromedp.KeyEvent(kb.Tab))
	}
	x.t.Fatalf("Tab never reaches %s", id)
}

// The page can be read by everybody: in forced colors, without motion, in another language.
func walkStates(t *testing.T, b browser, g portalGuest) {
	g.fill(t, "AMOUNT", map[string][]string{"value": {"5"}})
	x := b.open(t, phone, g.URL+g.path)
	for _, state := range []struct {
		name   string
		before []step
		check  func()
	}{
		{"forced colors", []step{media(object{"name": "forced-colors", "value": "active"})}, func() {
			if width := js[string](x, "getComputedStyle(document.querySelector('.state')).borderTopWidth"); width == "0px" {
				t.Error("a state is told by its color alone")
			}
		}},
		{"no motion", []step{media(object{"name": "prefers-reduced-motion", "value": "reduce"})}, func() {
			if moving := js[int](x, "[...document.querySelectorAll('*')].filter((e) => getComputedStyle(e).transitionDuration !== '0s' || getComputedStyle(e).animationName !== 'none').length"); moving != 0 {
				t.Errorf("%d elements move", moving)
			}
		}},
		{"Spanish", []step{media(), spanish, chromedp.Navigate(g.URL + g.path)}, func() { x.see("h1", "Hola, Ann") }},
	} {
		x.run(state.before...)
		state.check()
		x.accessible(state.name)
		x.fits(state.name, 1280, 640, 360, 320)
		x.run(phone.screen())
		x.shot("state-" + strings.ReplaceAll(state.name, " ", "-"))
	}
	// What became of a form that the script did not send.
	plain := b.open(t, phone, "about:blank", block("*://*:*/portal-assets/*"))
	plain.expect("ERR_BLOCKED_BY_CLIENT")
	for outcome, words := range map[string]string{"too_large": "larger than 100 MB", "kept": "already have an answer"} {
		plain.run(chromedp.Navigate(g.URL + g.path + "?did=" + outcome + "&item=" + g.entry(t, "BANK_STATEMENTS")))
		plain.see(item(g.entry(t, "BANK_STATEMENTS"))+" .said", words)
		plain.accessible("without script: " + outcome)
		plain.shot("state-" + outcome)
	}
}

// Where there is no checklist to show, the page still speaks to people: each trouble as a browser comes to it. The server
// is one of its own, for it is away from its object storage and refuses whoever guesses.
func walkTroubles(t *testing.T, b browser, _ portalGuest) {
	away, err := objects.Open(objects.Config{Endpoint: "http://127.0.0.1:1", AccessKey: "a", SecretKey: "s", Bucket: "bucket", Region: "us-east-1"})
	if err != nil {
		t.Fatal(err)
	}
	s := newTestServer(t, func(c *Config) { c.Objects = away })
	s.apply(t, portalTemplate())
	g := s.newGuest(t)
	name, bank := g.entry(t, "LEGAL_NAME"), g.entry(t, "BANK_STATEMENTS")
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `<!doctype html><form method="post" action="%s/items/%s"><input name="value" value="Evil LLC"><button>Win</button></form>`, g.URL+g.path, name)
	}))
	t.Cleanup(evil.Close)
	file, _ := scratch(t, "march.pdf", 1000)
	troubles := []struct {
		name, status, title, titulo string
		reach                       func(x *tab)
	}{
		{"a form of another site", "403", "This could not be accepted", "No se pudo aceptar", func(x *tab) {
			x.run(chromedp.Navigate(strings.Replace(evil.URL, "127.0.0.1", "localhost", 1)))
			x.click("button")
		}},
		{"an answer like a book", "413", "That was too long", "Es demasiado largo", func(x *tab) {
			x.run(chromedp.Navigate(g.URL + g.path))
			x.wait("document.querySelector('#in-" + name + "')")
			js[bool](x, "(() => { const i = document.querySelector('#in-"+name+"'); i.value = 'x'.repeat("+fmt.Sprint(portalFormLimit)+"); i.form.submit(); return true; })()")
		}},
		{"storage away", "503", "Something went wrong", "Algo salió mal", func(x *tab) {
			x.run(chromedp.Navigate(g.URL + g.path))
			x.choose("#files-"+bank, file)
			x.click(item(bank) + " .upload > button")
		}},
		{"limited", "429", "Too many requests", "Demasiadas solicitudes", func(x *tab) {
			for range portalGuesses {
				g.do(t, "GET", "/portal/guess", "", "x-api-key", "")
			}
			x.run(chromedp.Navigate(g.URL + "/portal/guess"))
		}},
	}
	for _, d := range []device{desktop, {width: 360, height: 740, phone: true, dark: true}} {
		x := b.open(t, d, "about:blank", block("*://*:*/portal-assets/*"))
		x.expect("ERR_BLOCKED_BY_CLIENT|status of (403|413|503|429)")
		if d.phone {
			x.run(spanish)
		}
		for _, trouble := range troubles {
			x.run(d.screen())
			trouble.reach(x)
			x.see("h1", map[bool]string{false: trouble.title, true: trouble.titulo}[d.phone])
			x.accessible(trouble.name)
			x.shot(fmt.Sprintf("state-%s-%d", trouble.status, d.width))
			x.fits(trouble.name, d.width, 320)
			if got := x.status(g.URL); fmt.Sprint(got) != trouble.status {
				t.Errorf("%s: status %d", trouble.name, got)
			}
			if trouble.status != "429" {
				x.click("main a.button") // nobody is left standing there
				x.see("h1", "Ann")
			}
		}
	}
	if n := pgtest.Value[int](t, g.Server, `SELECT count(*) FROM checklist_entries WHERE lead_id = $1 AND value IS NOT NULL`, g.lead); n != 0 {
		t.Errorf("%d answers were taken", n)
	}
}
