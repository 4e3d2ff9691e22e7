package api

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/dossierhq/dossier/api/portal"
	"github.com/dossierhq/dossier/api/web"
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
	g.Exec(t, `UPDATE checklist_entries SET status = 'TODO', reasons = '[]' WHERE id = $1`, entry)
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
	x.choose("#files-"+bank, photo) // the same once more: it is not taken away
	x.see("#live", "photo.jpg was sent")
	x.wait("!document.querySelector('.sending li')")
	if n := pgtest.Value[int](t, g.Server, `SELECT count(*) FROM documents WHERE lead_id = $1 AND deleted_at IS NULL`, g.lead); n != 1 {
		t.Errorf("%d documents after a file replaced itself", n)
	}
	x.click(item(bank) + " [data-replace]")
	x.chosen(3)
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
	x.announced("march.pdf was sent")
	x.see(item(bank)+"[data-state=CHECKING]", "march.pdf")
	g.judge(t, bank, "INVALID", "The account holder is Bob")
	x.announced("Needs a change. Why it was not accepted. The account holder is Bob. What we asked for. The account holder is the business or its owner. What to do. Please add a file")
	x.tabTo("remove-" + pgtest.Value[string](t, g.Server, `SELECT id::text FROM documents WHERE lead_id = $1`, g.lead))
	x.run(chromedp.KeyEvent(kb.Enter))
	x.wait("!document.querySelector('" + item(bank) + " .documents')")
	x.wait("document.querySelector('" + item(bank) + "').contains(document.activeElement)") // the focus stays where the person was
	x.announced("The file was removed")
	g.judgedAgain(t, bank)
	x.announced("To do")
}

// axValue is a value of the accessibility tree.
type axValue struct {
	Value any `json:"value"`
}

// announced waits until the region that screen readers read out by themselves holds a text, as the browser tells it to them.
func (x *tab) announced(text string) {
	x.t.Helper()
	x.see("#live", text)
	var tree struct {
		Nodes []struct {
			Ignored    bool    `json:"ignored"`
			Role       axValue `json:"role"`
			Name       axValue `json:"name"`
			Properties []struct {
				Name  string  `json:"name"`
				Value axValue `json:"value"`
			} `json:"properties"`
		} `json:"nodes"`
	}
	x.run(call("Accessibility.enable", nil), chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		return target.Call(ctx, "Accessibility.getFullAXTree", object{}, &tree)
	}), call("Accessibility.disable", nil))
	read, said := false, false
	for _, node := range tree.Nodes {
		for _, property := range node.Properties {
			read = read || !node.Ignored && node.Role.Value == "log" && property.Name == "live" && property.Value.Value == "polite"
		}
		name, _ := node.Name.Value.(string)
		said = said || !node.Ignored && node.Role.Value == "StaticText" && strings.Contains(name, text)
	}
	if !read || !said {
		x.t.Errorf("a screen reader is not told %q: it has the region %v, the words %v", text, read, said)
	}
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

// Every state that an item and a file of it can have, and a page with nothing to do: each can be read by light and by
// dark, on a phone and on a desktop.
func walkEveryItem(t *testing.T, b browser, g portalGuest) {
	bank := g.entry(t, "BANK_STATEMENTS")
	for _, name := range []string{"good.pdf", "wrong.pdf", "dark.pdf", "locked.pdf"} {
		g.send(t, bank, name, "%PDF "+name)
	}
	g.send(t, g.entry(t, "NOTES"), "new.pdf", "%PDF new")
	g.send(t, "", "loose.pdf", "%PDF loose")
	g.Exec(t, `UPDATE documents SET extraction_status = CASE filename WHEN 'locked.pdf' THEN 'failed' WHEN 'new.pdf' THEN 'processing' ELSE 'completed' END,
		extraction_error_code = CASE filename WHEN 'locked.pdf' THEN 'encrypted' END, updated_at = updated_at - interval '1 hour' WHERE lead_id = $1`, g.lead)
	g.Exec(t, `UPDATE document_associations a SET judged_at = now(), overall_valid = d.filename = 'good.pdf', validation_result = jsonb_build_object('otherNotes', '', 'overallValid', d.filename = 'good.pdf',
		'validationResults', jsonb_build_array(jsonb_build_object('ruleName', 'r', 'isValid', d.filename = 'good.pdf', 'isValidReason', CASE d.filename WHEN 'dark.pdf' THEN 'needs a person: it is dark' ELSE 'The holder is Bob' END,
		'code', CASE d.filename WHEN 'dark.pdf' THEN 'earlier_doubt' ELSE 'earlier' END, 'args', jsonb_build_object('text', CASE d.filename WHEN 'dark.pdf' THEN 'it is dark' ELSE 'The holder is Bob' END))))
		FROM documents d WHERE d.id = a.document_id AND d.lead_id = $1 AND d.filename IN ('good.pdf', 'wrong.pdf', 'dark.pdf')`, g.lead)
	for code, status := range map[string]string{"BANK_STATEMENTS": "TODO", "EIN": "SKIPPED", "BORN": "NEEDS_REVIEW"} {
		g.Exec(t, `UPDATE checklist_entries SET status = $3, reasons = CASE code WHEN 'BANK_STATEMENTS' THEN
			jsonb_build_array(jsonb_build_object('code', 'earlier', 'args', jsonb_build_object('text', '1 of 3 months: March 2026 is missing'), 'citations', '[]'::jsonb)) ELSE '[]' END
			WHERE lead_id = $1 AND code = $2`, g.lead, code, status)
	}
	g.fill(t, "AMOUNT", map[string][]string{"value": {"5"}})
	g.fill(t, "HOME", map[string][]string{"street": {"1 Main St"}})
	g.fill(t, "MAIL", map[string][]string{"value": {"ann@example.com"}})
	x := b.open(t, phone, g.URL+g.path)
	for code, state := range map[string]string{"BANK_STATEMENTS": "PART", "EIN": "SKIPPED", "BORN": "NEEDS_REVIEW", "AMOUNT": "INVALID", "HOME": "INVALID", "MAIL": "COMPLETED", "NOTES": "CHECKING", "CALL": "TODO"} {
		x.see(item(g.entry(t, code))+"[data-state="+state+"] .state", map[string]string{"PART": "More needed", "SKIPPED": "Not needed", "NEEDS_REVIEW": "With our team for review", "INVALID": "Needs a change",
			"COMPLETED": "Done", "CHECKING": "Being checked", "TODO": "To do"}[state])
	}
	for name, words := range map[string]string{"good": "Accepted", "wrong": "The holder is Bob", "dark": "With our team", "locked": "password-protected", "new": "Being checked", "loose": "Received"} {
		x.wait("[...document.querySelectorAll('.documents li')].some((e) => e.textContent.includes('" + name + ".pdf') && e.textContent.includes('" + words + "'))")
	}
	x.click(item(g.entry(t, "MAIL")) + " summary")
	for _, light := range []string{"light", "dark"} {
		for _, d := range []device{phone, desktop} {
			x.run(d.screen(), media(object{"name": "prefers-color-scheme", "value": light}))
			x.accessible(fmt.Sprintf("every item, %s, %d px", light, d.width))
		}
	}
	x.shot("state-every-item")
	x.fits("every item", 1280, 640, 360, 320)
	nothing := g.again(t)
	g.Exec(t, `DELETE FROM checklist_entries WHERE lead_id = $1`, nothing.lead)
	x.run(phone.screen(), chromedp.Navigate(g.URL+nothing.path))
	x.see(".intro", "There is nothing to do right now")
	x.accessible("nothing to do")
	x.shot("state-nothing")
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
		plain.see(item(g.entry(t, "BANK_STATEMENTS"))+map[string]string{"too_large": " .said.problem", "kept": " .said:not(.problem)"}[outcome], words)
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
			js[bool](x, "(() => { const i = document.querySelector('#in-"+name+"'); i.value = 'x'.repeat("+fmt.Sprint(web.FormLimit)+"); i.form.submit(); return true; })()")
		}},
		{"storage away", "503", "Something went wrong", "Algo salió mal", func(x *tab) {
			x.run(chromedp.Navigate(g.URL + g.path))
			x.choose("#files-"+bank, file)
			x.click(item(bank) + " .upload > button")
		}},
		{"limited", "429", "Too many requests", "Demasiadas solicitudes", func(x *tab) {
			// A minute lets the address guess again, little by little: the browser must come before that.
			for guess := 0; guess == 0 || x.status(g.URL) != http.StatusTooManyRequests && guess < portal.Guesses; guess++ {
				for g.do(t, "GET", "/portal/guess", "", "x-api-key", "").Status != http.StatusTooManyRequests {
				}
				x.run(chromedp.Navigate(g.URL + "/portal/guess"))
			}
		}},
	}
	for _, d := range []device{desktop, {width: 360, height: 740, phone: true, dark: true}} {
		x := b.open(t, d, "about:blank", block("*://*:*/portal-assets/*"))
		x.expect("ERR_BLOCKED_BY_CLIENT|status of (403|404|413|503|429)") // 404: a guess that came before the refusal
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
