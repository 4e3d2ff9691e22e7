package api

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

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
	x.wait("document.querySelector('.leaf canvas')")
	for i := 0; !x.holds(`document.querySelector('` + fact + `').classList.contains('on')`); i++ {
		if i > 20 {
			t.Fatal("the key never reaches the fact")
		}
		x.press("j")
	}
	x.wait("document.querySelector('.b.lit')")
	x.everywhere("a chosen fact")
	// What a model gave is marked apart, in the list and on the page, with the line that carries it.
	x.see("#panel .callout.model", "llama, read 1 of these facts")
	x.wait(`getComputedStyle(document.querySelector('` + fact + ` td'), '::after').content.includes('by a model')`)
	x.wait("document.querySelector('.b.model')")
	x.see(".more .sentence", "read it in: “$120.00”")
	x.click(".b[title^='Closing balance']")
	x.press("z")
	x.wait("document.querySelector('#zoom').textContent === '200%'")
	x.press("0")
	// The box is drawn by keys: from the fact's own word to the one above and back, larger and smaller.
	x.press("d")
	x.see(".toast", "$120.00")
	x.everywhere("a box that is being drawn")
	x.press(kb.ArrowUp)
	x.see(".toast", "Ending")
	x.run(chromedp.KeyEvent(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierShift)))
	x.see(".toast", "Ending balance")
	x.press(kb.ArrowDown)
	x.see(".toast", "$120.00")
	x.press(kb.Enter)
	x.wait("document.querySelector('#value') && document.querySelector('#value').value === '$120.00'")
	x.everywhere("a value that was drawn")
	x.press(kb.Enter)
	x.see("#pending", "fails → passes")
	x.everywhere("a correction with its effects")
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
	x.see("#pending", "fails → passes")
	x.press("s")
	x.see(fact+".confirmed td, "+fact+".applied td", "120.00")
	if got := d.do(t, "GET", "/api/v1/documents/"+document, "").Body; !strings.Contains(got, `"actor":"ada@lender.example"`) || !strings.Contains(got, `"closingBalance":"120.00"`) {
		t.Errorf("the correction: %s", got)
	}
	x.press("?")
	x.see("dialog", "Draw a box for the fact")
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

// A spread is looked at, handed in by one person and approved by another: by keys on a desk, by the mouse on a phone.
func walkSpread(t *testing.T, d consoleDesk) {
	d.Exec(t, `UPDATE workspaces SET four_eyes = '{spread_approval}' WHERE id = $1`, d.Workspace)
	defer d.Exec(t, `UPDATE workspaces SET four_eyes = '{}' WHERE id = $1`, d.Workspace)
	for _, screen := range []device{desktop, {width: 390, height: 844, phone: true, dark: true}} {
		id := oneOfEach(t, d.testServer, d.Workspace)["spreadId"]
		act := func(x *tab, verb, key string) {
			t.Helper()
			if screen.phone {
				x.click("form[data-path$='/" + verb + "'] button")
				return
			}
			x.press(key)
		}
		ada := d.at(t, screen, "ada@lender.example", dossier.RoleAdmin, "/console/spreads/"+id)
		ada.accessible("a spread")
		act(ada, "submit", "S")
		ada.see(".pill", "Submitted")
		act(ada, "approve", "A")
		ada.see(".trouble", "person")
		ben := d.at(t, screen, "ben@lender.example", dossier.RoleApprover, "/console/spreads/"+id)
		ben.accessible("a submitted spread")
		act(ben, "approve", "A")
		ben.see(".pill", "Approved")
		d.honest(t, ada)
	}
}

// While one person has a review, another sees who, may take it over and says why.
func walkTwo(t *testing.T, d consoleDesk) {
	lead := valueAt(t, d.do(t, "POST", "/api/v1/leads", `{"firstName":"Lead 21"}`).Body, "lead", "id")
	d.do(t, "POST", "/api/v1/leads/"+lead+"/escalations", `{"reason":"The lead asks for a call"}`)
	_, after, _ := strings.Cut(d.do(t, "GET", "/api/v1/reviews?q=Lead+21", "").Body, `"reviews":[{"id":"`)
	review, _, _ := strings.Cut(after, `"`)
	first := d.at(t, desktop, "ada@lender.example", dossier.RoleAdmin, "/console/reviews/"+review)
	first.see("#holder", "You have it")
	second := d.at(t, device{width: 390, height: 844, phone: true, dark: true}, "ben@lender.example", dossier.RoleApprover, "/console/reviews/"+review)
	second.see("#holder", "ada@lender.example")
	second.wait("document.querySelectorAll('.decide [aria-disabled=true]').length === document.querySelectorAll('[data-decide], [data-open=reject]').length")
	second.wait("document.querySelector('[data-decide=accept]').title.includes('ada@lender.example')")
	second.everywhere("a review that another has")
	second.click("[data-decide=accept]")
	second.see(".toast", "ada@lender.example")
	second.write("#takeover input", "She is at lunch")
	second.press(kb.Enter)
	second.see("#holder", "You have it")
	second.wait("!document.querySelector('.decide [aria-disabled]')")
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
	x.everywhere("offline")
	x.run(line(false, 0, -1, -1))
	x.press(kb.Enter)
	x.see(".line", "Wants to wait until spring")
	x.wait("document.querySelector('.offline[role]').hidden")
	// A session that ends keeps what was typed.
	x.write("input[name=title]", "Called twice")
	d.Exec(t, `DELETE FROM sessions WHERE person_id IN (SELECT id FROM people WHERE email = 'ada@lender.example')`)
	x.press(kb.Enter)
	x.see(".trouble", "Your session has ended")
	x.everywhere("a session that ended")
	if kept := js[string](x, "document.querySelector('input[name=title]').value"); kept != "Called twice" {
		t.Errorf("what was typed is gone: %q", kept)
	}
	// Whoever signs in next in this window does not find it.
	token, err := d.DB.CreateSignInLink(t.Context(), d.Workspace, "ben@lender.example", dossier.RoleApprover)
	if err != nil {
		t.Fatal(err)
	}
	x.run(chromedp.Navigate(d.URL + "/console/sign-in/" + token))
	d.to(x, "/console/leads/"+lead+"?view=timeline", "document.querySelector('input[name=title]')")
	if kept := js[string](x, "document.querySelector('input[name=title]').value"); kept != "" {
		t.Errorf("another person finds what was typed: %q", kept)
	}
}
