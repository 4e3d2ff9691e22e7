package api

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/dossierhq/dossier"
	doctext "github.com/dossierhq/dossier/pipelines/document/text"
)

// statement is a bank statement of a lead whose closing balance the machine read as 121.00 and the page prints as $120.00. Its page has
// a picture and words, as the worker leaves them.
func (d consoleDesk) statement(t *testing.T) (lead, document string) {
	t.Helper()
	made, entries := d.Lead(t, d.Workspace, dossier.FieldBankStatement)
	c := correctable{d.testServer, made, entries[0]}
	id := c.document(t, "completed", statementRead("121.00"))
	word := func(x0, y0, x1, y1 float64, text string) doctext.Token {
		return doctext.Token{Page: 1, X0: x0, Y0: y0, X1: x1, Y1: y1, Text: text, Confidence: 1, Method: doctext.MethodText}
	}
	kept, err := doctext.EncodeTokens(doctext.Decoded{PageCount: 1, Pages: []doctext.Page{{Number: 1, Width: 612, Height: 792, Layer: doctext.LayerText,
		Tokens: []doctext.Token{word(72, 70, 110, 82, "Ending"), word(112, 70, 150, 82, "balance"), word(72, 90, 120, 102, "$120.00")}}}})
	if err != nil {
		t.Fatal(err)
	}
	key := string(d.Workspace) + "/documents/" + id + ".tokens"
	if _, err := d.API.Objects.Put(t.Context(), key, "application/octet-stream", bytes.NewReader(kept), int64(len(kept))); err != nil {
		t.Fatal(err)
	}
	d.Exec(t, `UPDATE documents SET tokens_key = $2 WHERE id = $1`, id, key)
	page := image.NewGray(image.Rect(0, 0, 306, 396))
	for i := range page.Pix {
		page.Pix[i] = 250
	}
	for x := 36; x < 60; x++ {
		page.SetGray(x, 48, color.Gray{Y: 20})
	}
	var picture bytes.Buffer
	if err := png.Encode(&picture, page); err != nil {
		t.Fatal(err)
	}
	if _, err := d.API.Objects.Put(t.Context(), key+".png", "image/png", &picture, int64(picture.Len())); err != nil {
		t.Fatal(err)
	}
	d.Exec(t, `INSERT INTO page_pictures (workspace_id, document_id, page, width, object_key, sha256, created_at)
		SELECT $1, $2, 1, width, $3, '\xab', now() FROM unnest(ARRAY[200, 1200, 2400]) width`, d.Workspace, id, key+".png")
	return string(made), id
}

// drag draws on the page as a mouse does.
func (x *tab) drag(fromX, fromY, toX, toY float64) {
	x.t.Helper()
	move := func(kind string, px, py float64) step {
		return call("Input.dispatchMouseEvent", object{"type": kind, "x": px, "y": py, "button": "left", "buttons": 1, "clickCount": 1})
	}
	x.run(move("mousePressed", fromX, fromY), move("mouseMoved", (fromX+toX)/2, (fromY+toY)/2), move("mouseMoved", toX, toY), move("mouseReleased", toX, toY))
}

// A figure that was read wrong is found by its key, read again from a box that is drawn, and put right; what follows is shown before, and
// nothing is lost by a reload.
func walkCorrection(t *testing.T, d consoleDesk) {
	_, document := d.statement(t)
	d.Exec(t, `UPDATE documents SET extraction = jsonb_set(jsonb_set(extraction, '{documents,0,sources,/closingBalance}',
		extraction #> '{documents,0,sources,/closingBalance}' || '{"method": "model", "confidence": 0.9}'), '{model}', '{"name": "llama", "taken": 1}') WHERE id = $1`, document)
	x := d.at(t, desktop, "ada@lender.example", dossier.RoleAdmin, "/console/documents/"+document)
	fact := `.facts .f[data-p="/closingBalance"]`
	x.wait("document.querySelector('.leaf img')")
	x.accessible("a document")
	for i := 0; !x.holds(`document.querySelector('` + fact + `').classList.contains('on')`); i++ {
		if i > 20 {
			t.Fatal("the key never reaches the fact")
		}
		x.press("j")
	}
	x.wait("document.querySelector('.b.lit')")
	x.accessible("a chosen fact")
	// What a model gave is marked apart, in the list and on the page, with the line that carries it.
	x.see("#panel .callout.model", "llama, read 1 of these facts")
	x.wait(`getComputedStyle(document.querySelector('` + fact + ` td'), '::after').content.includes('by a model')`)
	x.wait("document.querySelector('.b.model')")
	x.see(".more .sentence", "read it in: “$120.00”")
	x.shot("console-model")
	x.click(".b[title^='Closing balance']")
	x.press("z")
	x.wait("document.querySelector('#zoom').textContent === '200 %'")
	x.press("0")
	x.press("d")
	x.wait("document.querySelector('.desk.drawing')")
	at := js[[]float64](x, `(() => { document.querySelector('#sheets').scrollTop = 0; const r = document.querySelector('.leaf').getBoundingClientRect();
		return [r.left + r.width * 68 / 612, r.top + r.height * 86 / 792, r.left + r.width * 130 / 612, r.top + r.height * 106 / 792]; })()`)
	x.drag(at[0], at[1], at[2], at[3])
	x.wait("document.querySelector('#value') && document.querySelector('#value').value === '$120.00'")
	x.accessible("a value that was drawn")
	x.press(kb.Enter)
	x.see("#pending", "does not hold → holds")
	x.accessible("a correction with its effects")
	x.shot("console-correction")
	x.run(chromedp.Navigate(d.URL + "/console/documents/" + document))
	x.see("#pending", "One correction, not saved")
	x.press("u")
	x.wait("document.querySelector('#pending').hidden")
	x.see(fact+" td", "121.00")
	x.click(fact)
	x.press("e")
	x.wait("document.activeElement.id === 'value'")
	x.write("#value", "120.00")
	x.press(kb.Enter)
	x.see("#pending", "does not hold → holds")
	x.press("s")
	x.see(fact+".confirmed td, "+fact+".applied td", "120.00")
	if got := d.do(t, "GET", "/api/v1/documents/"+document, "").Body; !strings.Contains(got, `"actor":"ada@lender.example"`) || !strings.Contains(got, `"closingBalance":"120.00"`) {
		t.Errorf("the correction: %s", got)
	}
	x.press("?")
	x.see("dialog", "Draw a box for the fact")
	x.accessible("the keys")
	x.press(kb.Escape)
	x.write("#find", "ending balance")
	x.see("#found", "1 of 1")
	d.honest(t, x)
	// What was typed and not saved does not outlive the sign-out.
	x.click(fact)
	x.press("e")
	x.wait("document.activeElement.id === 'value'")
	x.write("#value", "99.00")
	x.press(kb.Enter)
	x.see("#pending", "not saved")
	x.click(".me summary")
	x.click(".signout button")
	x.see("h1", "Signed out")
	if kept := js[int](x, "localStorage.length + sessionStorage.length"); kept != 0 {
		t.Errorf("%d drafts outlive the sign-out", kept)
	}
}

// A spread is looked at, handed in by one person and approved by another.
func walkSpread(t *testing.T, d consoleDesk) {
	id := oneOfEach(t, d.testServer, d.Workspace)["spreadId"]
	d.Exec(t, `UPDATE workspaces SET four_eyes = '{spread_approval}' WHERE id = $1`, d.Workspace)
	defer d.Exec(t, `UPDATE workspaces SET four_eyes = '{}' WHERE id = $1`, d.Workspace)
	ada := d.at(t, desktop, "ada@lender.example", dossier.RoleAdmin, "/console/spreads/"+id)
	ada.accessible("a spread")
	ada.shot("console-spread-page")
	ada.click("form[data-path$='/submit'] button")
	ada.see(".pill", "Submitted")
	ada.click("form[data-path$='/approve'] button")
	ada.see(".trouble", "person")
	ben := d.at(t, device{width: 390, height: 844, phone: true, dark: true}, "ben@lender.example", dossier.RoleApprover, "/console/spreads/"+id)
	ben.accessible("a submitted spread")
	ben.click("form[data-path$='/approve'] button")
	ben.see(".pill", "Approved")
	d.honest(t, ada)
}

// Twenty decisions by keys alone, each once; while one person has a review, another sees who, may take it over and says why.
func walkDecisions(t *testing.T, d consoleDesk) {
	ask := func(n int) {
		lead := valueAt(t, d.do(t, "POST", "/api/v1/leads", fmt.Sprintf(`{"firstName":"Lead %d"}`, n)).Body, "lead", "id")
		d.do(t, "POST", "/api/v1/leads/"+lead+"/escalations", `{"reason":"The lead asks for a call"}`)
	}
	for i := range 20 {
		ask(i)
	}
	x := d.at(t, desktop, "ada@lender.example", dossier.RoleAdmin, "/console?code=escalation")
	x.see(".work", "The lead asks for a call")
	x.accessible("work")
	x.shot("console-work")
	open := js[int](x, "Number([...document.querySelectorAll('.chips a')].find((a) => a.textContent.includes('Escalation')).querySelector('.count').textContent)")
	if open < 20 {
		t.Fatalf("%d reviews wait, want 20", open)
	}
	began := time.Now()
	x.press("n")
	for i := range 20 {
		x.see("#holder", "You have it until")
		if i == 0 {
			x.accessible("a review")
			x.shot("console-review")
		}
		at := js[string](x, "location.pathname")
		x.press("a")
		x.wait(fmt.Sprintf("location.pathname !== %q && document.readyState === 'complete'", at))
	}
	t.Logf("20 decisions by 21 key strokes, the browser's and the server's share: %s", time.Since(began).Round(time.Millisecond))
	if got := d.do(t, "GET", "/api/v1/reviews?code=escalation&state=DECIDED&limit=200", "").Body; strings.Count(got, `"decision":"accept"`) != 20 {
		t.Errorf("%d were decided, want 20", strings.Count(got, `"decision":"accept"`))
	}

	ask(21)
	_, after, _ := strings.Cut(d.do(t, "GET", "/api/v1/reviews?q=Lead+21", "").Body, `"reviews":[{"id":"`)
	review, _, _ := strings.Cut(after, `"`)
	first := d.at(t, desktop, "ada@lender.example", dossier.RoleAdmin, "/console/reviews/"+review)
	first.see("#holder", "You have it")
	second := d.at(t, device{width: 390, height: 844, phone: true, dark: true}, "ben@lender.example", dossier.RoleApprover, "/console/reviews/"+review)
	second.see("#holder", "ada@lender.example")
	second.accessible("a review that another has")
	second.click("[data-decide=accept]")
	second.see(".toast", "ada@lender.example")
	second.write("#takeover input", "She is at lunch")
	second.press(kb.Enter)
	second.see("#holder", "You have it")
	first.press("a")
	first.see(".toast", "ben@lender.example")
	second.click("[data-decide=accept]")
	second.wait("!location.pathname.endsWith(" + string(mustJSON(review)) + ")")
	d.honest(t, second)
}

// Drafts of messages are approved, edited and rejected where they stand; while the line is down the page says so.
func walkOffDuty(t *testing.T, d consoleDesk) {
	lead := valueAt(t, d.do(t, "POST", "/api/v1/leads", `{"firstName":"Cleo","email":"cleo@example.com"}`).Body, "lead", "id")
	x := d.at(t, desktop, "ada@lender.example", dossier.RoleAdmin, "/console/leads/"+lead+"?view=timeline")
	x.expect(`a cookie is set by|status of 4\d\d|ERR_INTERNET_DISCONNECTED`)
	x.run(line(true, 0, -1, -1))
	x.write("input[name=title]", "Wants to wait until spring")
	x.press(kb.Enter)
	x.see(".trouble", "could not be reached")
	x.wait("!document.querySelector('.offline[role]').hidden")
	x.accessible("offline")
	x.shot("console-offline")
	x.run(line(false, 0, -1, -1))
	x.press(kb.Enter)
	x.see(".line", "Wants to wait until spring")
	x.wait("document.querySelector('.offline[role]').hidden")
	// A session that ends keeps what was typed.
	x.write("input[name=title]", "Called twice")
	d.Exec(t, `DELETE FROM sessions WHERE person_id IN (SELECT id FROM people WHERE email = 'ada@lender.example')`)
	x.press(kb.Enter)
	x.see(".trouble", "Your session has ended")
	if kept := js[string](x, "document.querySelector('input[name=title]').value"); kept != "Called twice" {
		t.Errorf("what was typed is gone: %q", kept)
	}
}
