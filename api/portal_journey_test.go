package api

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// A real browser walks the page as people do. All journeys share one Chromium and one server; each has a lead of its
// own. DOSSIER_SCREENSHOTS names a folder that keeps pictures for people to look at.
func TestPortal_browser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	t.Parallel()
	b, g := startBrowser(t), newPortal(t)
	for _, journey := range []struct {
		name string
		walk func(t *testing.T, b browser, g portalGuest)
	}{
		{"answers by keyboard", walkAnswers}, {"refused and corrected on a phone", walkRefused}, {"without script", walkPlain}, {"without script on a desktop", walkPlainDesktop},
		{"an answer on a bad line", walkUnsaved},
		{"offline in the middle of an upload", walkOffline}, {"closed in the middle of an upload", walkReloaded}, {"storage out of reach", walkThrough}, {"drag, paste and cancel", walkDrop}, {"files that are not taken", walkNotTaken},
		{"two tabs", walkTabs}, {"no events", walkPolling}, {"expired link", walkExpired}, {"finished", walkFinished}, {"Spanish, dark", walkSpanish},
		{"budget", walkBudget},
		{"camera, replace and remove", walkCamera}, {"a file by keyboard", walkKeys}, {"every item", walkEveryItem}, {"every other state", walkStates}, {"troubles", walkTroubles},
	} {
		t.Run(journey.name, func(t *testing.T) { journey.walk(t, b, portalGuest{g.testServer, "", ""}.again(t)) })
	}
}

// again is another lead of the same server, for another journey.
func (g portalGuest) again(t *testing.T) portalGuest { return g.newGuest(t) }

// scratch writes a file to choose.
func scratch(t *testing.T, name string, size int) (path, sum string) {
	t.Helper()
	content := append([]byte("%PDF-1.4 "+name), make([]byte, size)...)
	noise := rand.NewChaCha8([32]byte{7})
	_, _ = noise.Read(content[64:])
	path = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	hash := sha256.Sum256(content)
	return path, hex.EncodeToString(hash[:])
}

// judge writes what the worker would: the verdict on the lead's files, and the item's state.
func (g portalGuest) judge(t *testing.T, entry, status, reason string) {
	t.Helper()
	valid := map[bool]string{true: "true", false: "false"}[status == "COMPLETED" || status == "TODO"]
	g.Exec(t, `UPDATE documents SET extraction_status = 'completed' WHERE lead_id = $1`, g.lead)
	g.Exec(t, `UPDATE document_associations SET judged_at = now(), overall_valid = `+valid+`, validation_result = jsonb_build_object('otherNotes', '', 'overallValid', `+valid+`,
		'validationResults', jsonb_build_array(jsonb_build_object('ruleName', 'The account holder is the business or its owner', 'isValid', `+valid+`, 'isValidReason', $2::text,
		'code', 'earlier', 'args', jsonb_build_object('text', $2::text)))) WHERE lead_id = $1`, g.lead, reason)
	if status == "COMPLETED" {
		g.Exec(t, `UPDATE checklist_entries SET status = 'COMPLETED', reasons = '[]' WHERE id = $1`, entry)
		return
	}
	g.Exec(t, `UPDATE checklist_entries SET status = $2, reasons = jsonb_build_array(jsonb_build_object('code', 'earlier', 'args', jsonb_build_object('text', $3::text), 'citations', '[]'::jsonb))
		WHERE id = $1`, entry, status, reason) // TODO: part of it is there
}

func item(entry string) string { return "#item-" + entry }

// Fields are answered with the keyboard alone; answers show and hide items; what is wrong is said where it is.
func walkAnswers(t *testing.T, b browser, g portalGuest) {
	x := b.open(t, desktop, g.URL+g.path)
	x.wait("document.documentElement.classList.contains('scripted')")
	x.shot("desktop-1-first")
	x.accessible("first look")
	x.run(chromedp.KeyEvent(kb.Tab))
	x.wait("document.activeElement.className === 'skip'")
	x.run(chromedp.KeyEvent(kb.Enter), chromedp.KeyEvent(kb.Tab))
	name, entity, amount := g.entry(t, "LEGAL_NAME"), g.entry(t, "ENTITY_TYPE"), g.entry(t, "AMOUNT")
	for !js[bool](x, "document.activeElement.id === 'in-"+name+"'") {
		x.run(chromedp.KeyEvent(kb.Tab))
	}
	x.run(chromedp.KeyEvent("Bakery LLC"), chromedp.KeyEvent(kb.Tab))
	x.see(item(name)+"[data-state=COMPLETED]", "Bakery LLC")
	x.see("#live", "Saved")
	x.see("#progress", "1 of 12")
	x.wait("document.activeElement.id === 'save-" + name + "'") // the focus did not jump

	x.focus("in-" + entity)
	x.run(chromedp.KeyEvent("L"), chromedp.KeyEvent(kb.Tab)) // LLC
	partners := g.entry(t, "PARTNERS")
	x.see(item(partners), "Number of partners")
	x.see("#live", "Number of partners")
	x.focus("in-" + entity)
	x.run(chromedp.KeyEvent(kb.Home), chromedp.KeyEvent(kb.Tab)) // none
	x.wait("!document.querySelector('" + item(partners) + "')")

	x.write("#in-"+amount, "5")
	x.run(chromedp.KeyEvent(kb.Tab))
	x.see(item(amount)+" .reason", "Must be at least 1,000")
	x.see(".attention", "Needs a change")
	x.accessible("a refused answer")
	x.shot("desktop-2-refused-answer")
	x.write("#in-"+amount, "12,500")
	x.run(chromedp.KeyEvent(kb.Enter))
	x.see(item(amount)+"[data-state=COMPLETED]", "12,500")

	home := g.entry(t, "HOME")
	x.write("#in-street-"+home, "1 Main St")
	for _, part := range []string{"Troy", "NY", "12180"} {
		x.run(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(part))
	}
	if state := js[string](x, "document.querySelector('"+item(home)+"').dataset.state"); state != "TODO" {
		t.Errorf("an address is judged while it is typed: %s", state)
	}
	x.run(chromedp.KeyEvent(kb.Enter))
	x.see(item(home)+"[data-state=COMPLETED] .given", "Troy, NY 12180")
	ssn := g.entry(t, "SSN")
	x.write("#in-"+ssn, "123-45-6789")
	x.run(chromedp.KeyEvent(kb.Tab))
	x.see(item(ssn)+" .given", "***-**-6789")
	if js[bool](x, "document.documentElement.outerHTML.includes('123-45')") {
		t.Error("the number is in the page in full")
	}
	x.accessible("answers given")
	x.shot("desktop-3-answers")
	x.fits("answers given", 1280, 640, 360, 320) // 640: 1280 at 200 %; 320: WCAG 2.2, 1.4.10
	x.asked(g)
	if n := pgtest.Value[int](t, g.Server, `SELECT count(*) FROM action_logs WHERE lead_id = $1 AND input->>'eventType' = 'portal_opened'`, g.lead); n != 1 {
		t.Errorf("%d openings are noted", n)
	}
}

// A document is refused with a reason, replaced, and accepted; all verdicts arrive without reload.
func walkRefused(t *testing.T, b browser, g portalGuest) {
	x := b.open(t, phone, g.URL+g.path)
	bank := g.entry(t, "BANK_STATEMENTS")
	js[bool](x, "window.still = true")
	x.shot("phone-1-first")
	first, _ := scratch(t, "a-statement-with-a-very-long-name-from-the-bank-2025-03-31-final.pdf", 200_000)
	x.choose("#files-"+bank, first)
	x.see(item(bank)+"[data-state=CHECKING]", "Being checked")
	x.see("#live", "was sent")
	x.accessible("a file being checked")
	x.shot("phone-2-checking")
	g.judge(t, bank, "INVALID", "The account holder is Bob Example, not the business")
	x.see(item(bank)+"[data-state=INVALID] .reason", "The account holder is Bob Example")
	x.see(item(bank)+" .reason", "What we asked for")
	x.see("#live", "Needs a change")
	x.accessible("a refused file")
	x.shot("phone-3-refused")
	x.fits("a refused file", 360, 320)
	x.run(phone.screen())

	second, _ := scratch(t, "business-statement.pdf", 100_000)
	js[bool](x, "document.querySelector('#files-"+bank+"').dataset.replaces = document.querySelector('[data-replace]').dataset.replace, true")
	x.choose("#files-"+bank, second)
	x.see(item(bank), "business-statement.pdf")
	x.wait("!document.querySelector('" + item(bank) + "').textContent.includes('very-long-name')")
	g.judge(t, bank, "TODO", "2 of 3 months are there; March 2025 is missing")
	x.see(item(bank)+"[data-state=PART] .reason", "March 2025 is missing")
	x.see(item(bank)+" .reason", "What you already sent is kept")
	x.accessible("part of what is needed")
	x.shot("phone-3-part")
	g.judge(t, bank, "COMPLETED", "")
	x.see(item(bank)+"[data-state=COMPLETED]", "Done")
	x.shot("phone-4-accepted")
	x.accessible("an accepted file")
	if !js[bool](x, "window.still") {
		t.Error("the page was loaded anew")
	}
	if n := len(x.asked(g)); n > 60 {
		t.Errorf("%d requests", n)
	}
}

// An answer that could not be sent is sent by itself once it can be, whether the browser knows of its connection or not;
// until then the page says so.
func walkUnsaved(t *testing.T, b browser, g portalGuest) {
	x := b.open(t, phone, g.URL+g.path)
	x.expect("ERR_BLOCKED_BY_CLIENT|ERR_INTERNET_DISCONNECTED|status of 503|Failed to load resource")
	for _, bad := range []struct {
		code, answer, said string
		cut, mend          func()
	}{
		{"LEGAL_NAME", "Bakery LLC", "You seem to be offline", func() { x.run(block("*://*:*/portal/*/items/*")) }, func() { x.run(call("Network.setBlockedURLs", object{"urlPatterns": []object{}})) }},
		{"MAIL", "ann@example.com", "You seem to be offline", func() { x.run(line(true, 0, -1, -1)) }, func() { x.run(line(false, 0, -1, -1)) }},
		{"AMOUNT", "12,500", "very busy right now", func() { x.answers("*/items/*", 503) }, func() { x.answers("", 0) }},
	} {
		entry := g.entry(t, bad.code)
		bad.cut()
		x.write("#in-"+entry, bad.answer)
		x.run(chromedp.KeyEvent(kb.Tab))
		x.see(item(entry)+" .problem", bad.said)
		x.see("#live", bad.said)
		x.shot("unsaved-" + bad.code)
		bad.mend()
		x.see(item(entry)+"[data-state=COMPLETED] .given", bad.answer)
		x.wait("!document.querySelector('.problem')")
	}
	x.accessible("answers saved later")
}

// A connection that breaks in the middle costs the part under way, and the last before it that may be torn, no more.
func walkOffline(t *testing.T, b browser, g portalGuest) {
	x := b.open(t, phone, g.URL+g.path)
	x.expect("ERR_INTERNET_DISCONNECTED|ERR_NETWORK|Failed to load resource")
	bank := g.entry(t, "BANK_STATEMENTS")
	file, sum := scratch(t, "large.pdf", 3*objects.PartSize)
	x.run(crawl(g.API.Objects.PublicOrigin() + `/*\\?*partNumber=3*`))
	x.choose("#files-"+bank, file)
	x.wait("document.querySelector('.sending progress')?.value > 66")
	x.run(line(true, 0, -1, -1))
	x.see(".sending", "Waiting for a connection")
	x.shot("phone-5-offline")
	x.accessible("an upload that waits")
	x.run(line(false, 0, -1, -1))
	x.see(item(bank)+"[data-state=CHECKING]", "large.pdf")
	if got := pgtest.Value[string](t, g.Server, `SELECT encode(sha256, 'hex') FROM documents WHERE lead_id = $1 AND uploaded_at IS NOT NULL`, g.lead); got != sum {
		t.Errorf("other bytes arrived: %s", got)
	}
	if n := x.sentParts(g, 1); n > 2 {
		t.Errorf("the first part was sent %d times", n)
	}
}

// A page that was closed or lost in the middle tells of the file, and sends what is missing when it is chosen again.
func walkReloaded(t *testing.T, b browser, g portalGuest) {
	x := b.open(t, phone, g.URL+g.path)
	bank := g.entry(t, "BANK_STATEMENTS")
	file, sum := scratch(t, "large.pdf", 3*objects.PartSize)
	x.expect("beforeunload|ERR_FILE_NOT_FOUND") // of an upload that ends with its page
	unwanted, _ := scratch(t, "unwanted.pdf", 2*objects.PartSize)
	x.run(crawl(g.API.Objects.PublicOrigin() + `/*\\?*partNumber=2*`))
	x.choose("#files-"+bank, file)
	x.choose("#files-", unwanted)
	x.wait("document.querySelector('.sending progress')?.value > 33 && document.querySelector('#item-loose .sending progress')?.value > 33")
	x.run(line(false, 0, -1, -1), chromedp.Navigate("about:blank"), chromedp.Navigate(g.URL+g.path))
	x.see(item(bank)+" [data-state=AWAITED]", "large.pdf")
	x.see(item(bank)+" [data-state=AWAITED]", "Choose the same file again")
	x.accessible("a file that did not arrive")
	x.shot("phone-9-interrupted")
	x.click("#item-loose [data-state=AWAITED] [id^=remove]")
	x.wait("!document.querySelector('#item-loose .documents')")
	x.choose("#files-"+bank, file)
	x.see(item(bank)+"[data-state=CHECKING]", "large.pdf")
	x.wait("!document.querySelector('[data-state=AWAITED]')")
	if got := pgtest.Value[string](t, g.Server, `SELECT encode(sha256, 'hex') FROM documents WHERE lead_id = $1 AND deleted_at IS NULL`, g.lead); got != sum {
		t.Errorf("other bytes arrived: %s", got)
	}
	if n := x.sentParts(g, 1); n < 2 || n > 3 { // the one may have been the last to arrive
		t.Errorf("the first parts of two files were sent %d times", n)
	}
}

// sentParts counts how often a part was sent, of uploads in parts.
func (x *tab) sentParts(g portalGuest, number int) (n int) {
	x.t.Helper()
	for _, r := range x.asked(g) {
		if r.Method == "PUT" && strings.Contains(r.URL, fmt.Sprintf("partNumber=%d&", number)) && strings.Contains(r.URL, "uploadId") {
			n++
		}
	}
	return n
}

// Where a browser cannot reach object storage, files go through the page's own address.
func walkThrough(t *testing.T, b browser, g portalGuest) {
	x := b.open(t, desktop, g.URL+g.path, block(g.API.Objects.PublicOrigin()+"/*"))
	x.expect("ERR_BLOCKED_BY_CLIENT|Failed to load resource")
	file, sum := scratch(t, "through.pdf", 300_000)
	x.choose("#files-", file)
	x.see("#item-loose .documents", "through.pdf")
	if got := pgtest.Value[string](t, g.Server, `SELECT encode(sha256, 'hex') FROM documents WHERE lead_id = $1 AND uploaded_at IS NOT NULL`, g.lead); got != sum {
		t.Errorf("other bytes arrived: %s", got)
	}
}

// What is done in one tab shows in the other, and takes nothing away that is being typed there.
func walkTabs(t *testing.T, b browser, g portalGuest) {
	one, two := b.open(t, desktop, g.URL+g.path), b.open(t, phone, g.URL+g.path)
	name, ein := g.entry(t, "LEGAL_NAME"), g.entry(t, "EIN")
	two.click("#in-" + ein)
	two.run(chromedp.KeyEvent("12-34"))
	one.write("#in-"+name, "Bakery LLC")
	one.run(chromedp.KeyEvent(kb.Enter))
	two.see(item(name)+"[data-state=COMPLETED]", "Bakery LLC")
	one.write("#in-"+ein, "98-7654321")
	one.run(chromedp.KeyEvent(kb.Enter))
	two.see(item(ein)+" .state", "Done")
	two.run(chromedp.KeyEvent("56789"))
	if typed := js[string](two, "document.activeElement.value"); typed != "12-3456789" {
		t.Errorf("what was being typed became %q", typed)
	}
	two.run(chromedp.KeyEvent(kb.Enter))
	one.see(item(ein)+" .given", "**-***6789")
}

// Where events do not come through, the page asks.
func walkPolling(t *testing.T, b browser, g portalGuest) {
	x := b.open(t, phone, g.URL+g.path, block("*://*:*/portal/*/events"))
	x.expect("ERR_BLOCKED_BY_CLIENT|Failed to load resource")
	bank := g.entry(t, "BANK_STATEMENTS")
	file, _ := scratch(t, "march.pdf", 1000)
	x.choose("#files-"+bank, file)
	x.see(item(bank)+"[data-state=CHECKING]", "march.pdf")
	g.judge(t, bank, "NEEDS_REVIEW", "needs a person: the page is dark")
	x.see(item(bank)+"[data-state=NEEDS_REVIEW]", "With our team")
	x.accessible("a person looks at it")
	x.shot("phone-12-review")
	for _, r := range x.asked(g) {
		if strings.HasSuffix(r.URL, "/status") {
			return
		}
	}
	t.Error("the verdict came without being asked for")
}

// An expired link says so and sends a new one to the address on file.
func walkExpired(t *testing.T, b browser, g portalGuest) {
	g.Exec(t, `UPDATE workspaces SET channels = '{"email": {"provider": "log"}}' WHERE id = $1`, g.Workspace)
	g.do(t, "PUT", "/api/v1/leads", `{"leadId":"`+g.lead+`","email":"ann@example.com"}`)
	g.Exec(t, `UPDATE portal_links SET expires_at = $2 WHERE lead_id = $1`, g.lead, g.Clock.Now())
	x := b.open(t, phone, g.URL+g.path)
	x.expect("404")
	x.see("h1", "This link does not work")
	x.accessible("an expired link")
	x.shot("phone-6-expired")
	x.click("form button")
	x.see("h1", "Please check your messages")
	x.accessible("a new link asked for")
	x.shot("phone-7-asked")
	x.fits("a new link asked for", 360, 320)
	link := valueAt(t, g.do(t, "POST", "/api/v1/leads/"+g.lead+"/portal-link", "").Body, "url")
	x.run(chromedp.Navigate(link))
	x.see("h1", "Hello Ann")
	g.do(t, "POST", "/api/v1/leads/"+g.lead+"/portal-link", `{"rotate":true}`)
	x.write("#in-"+g.entry(t, "LEGAL_NAME"), "Bakery LLC")
	x.run(chromedp.KeyEvent(kb.Tab))
	x.see("h1", "This link does not work") // nobody types on into a page that is closed
	x.asked(g)
}

// The end is said, with a summary; it can still be changed.
func walkFinished(t *testing.T, b browser, g portalGuest) {
	g.fill(t, "AMOUNT", map[string][]string{"value": {"250000"}})
	g.fill(t, "SSN", map[string][]string{"value": {"123-45-6789"}})
	g.fill(t, "HOME", map[string][]string{"street": {"1 Main St"}, "city": {"Troy"}, "state": {"NY"}, "postalCode": {"12180"}})
	g.Exec(t, `UPDATE checklist_entries SET status = 'COMPLETED' WHERE lead_id = $1 AND id <> $2`, g.lead, g.entry(t, "LEGAL_NAME"))
	x := b.open(t, phone, g.URL+g.path)
	name := g.entry(t, "LEGAL_NAME")
	x.write("#in-"+name, "Bakery LLC")
	x.run(chromedp.KeyEvent(kb.Enter))
	x.see(".finished", "All done, thank you")
	x.see(item(name)+" .said", "All done, thank you") // where the person is
	x.see("#live", "All done, thank you")
	x.see(".summary", "250,000")
	x.see(".summary", "***-**-6789")
	x.accessible("finished")
	x.shot("phone-8-finished")
	x.fits("finished", 1280, 640, 360, 320)
	x.shot("phone-8-finished-320")
}

func walkSpanish(t *testing.T, b browser, g portalGuest) {
	g.fill(t, "AMOUNT", map[string][]string{"value": {"5"}})
	x := b.open(t, device{width: 1280, height: 900, dark: true}, g.URL+g.path, call("Emulation.setUserAgentOverride", object{"userAgent": "browser", "acceptLanguage": "es-MX"}))
	x.see("h1", "Hola, Ann")
	x.see(".reason", "Indique un número dentro de los límites")
	x.accessible("dark, in Spanish")
	x.shot("desktop-5-dark-spanish")
}
