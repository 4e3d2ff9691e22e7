package api

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// Every state in which a page of the console may be is drawn so that everybody can use it, wide and narrow, light and
// dark. DOSSIER_SCREENSHOTS names a folder that keeps the pictures.
func TestConsole_states(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	t.Parallel()
	d := newDesk(t)
	for _, part := range []struct {
		name string
		walk func(t *testing.T, d consoleDesk)
	}{{"the first day", statesOfFirstDay}, {"the queue", statesOfWork}, {"documents", statesOfDocuments}, {"facts", statesOfFacts},
		{"spreads", statesOfSpreads}, {"a lead", statesOfLead}, {"the rest", statesOfRest}} {
		t.Run(part.name, func(t *testing.T) { part.walk(t, d) })
	}
}

// to opens a page, which is small, and waits until it shows what it is to show.
func (d consoleDesk) to(x *tab, path, shown string) {
	x.t.Helper()
	x.run(chromedp.Navigate(d.URL + path))
	x.wait("document.readyState === 'complete' && document.querySelector('#main') && (" + shown + ")")
	if size := js[int](x, "performance.getEntriesByType('navigation')[0].decodedBodySize"); size > 60_000 {
		x.t.Errorf("%s has %d bytes", path, size)
	}
}

// says is an expression that is true once an element holds a text.
func says(selector, text string) string {
	return "[...document.querySelectorAll(" + string(mustJSON(selector)) + ")].some((e) => e.textContent.includes(" + string(mustJSON(text)) + "))"
}

// Where nobody has a lead yet, and who is not let in.
func statesOfFirstDay(t *testing.T, d consoleDesk) {
	empty := *d.testServer
	empty.Workspace = d.Server.Workspace(t)
	fresh := consoleDesk{&empty, d.b}
	x := fresh.at(t, desktop, "new@lender.example", dossier.RoleAdmin, "/console")
	x.see("h2", "Your first day")
	x.everywhere("first day")
	for name, path := range map[string]string{"no leads": "/console/leads", "no quality": "/console/quality", "no webhooks": "/console/webhooks", "new settings": "/console/settings"} {
		fresh.to(x, path, "true")
		x.everywhere(name)
	}
	// Without a session the page leads to the sign-in, which says how one gets in; a link that is over and a person without
	// a role are told so.
	live := consoleDesk{newTestServer(t), d.b}
	out := d.b.open(t, desktop, live.URL+"/console/leads")
	out.expect(`status of 4\d\d`)
	out.wait("location.pathname === '/console/sign-in' && " + says(".command", "dossier console open"))
	out.everywhere("sign in by a link")
	live.to(out, "/console/sign-in/nonsense", says("h1", "This link no longer works"))
	out.everywhere("a link that is over")
	out.click("#main a.button")
	out.see("h1", "Sign in")
	d.to(out, "/console/sign-in", "document.querySelector('button.person')")
	out.everywhere("sign in to try it out")
	vic := fresh.at(t, desktop, "vic@lender.example", dossier.RoleViewer, "/console/settings")
	vic.expect(`a cookie is set by|status of 4\d\d`)
	vic.everywhere("settings of a viewer")
	d.Exec(t, `UPDATE sessions SET given_in = NULL, given_role = NULL WHERE person_id IN (SELECT id FROM people WHERE email = 'vic@lender.example')`)
	fresh.to(vic, "/console", says("h1", "No role here"))
	vic.see("#main", "Ask an admin of your workspace")
	vic.everywhere("without a role")
	vic.click("form[action$='/sign-out'] button")
	vic.see("h1", "Signed out")
	if open := pgtest.Value[int](t, d.Server, `SELECT count(*)::int FROM sessions WHERE revoked_at IS NULL AND person_id IN (SELECT id FROM people WHERE email = 'vic@lender.example')`); open != 0 {
		t.Errorf("%d sessions outlive the sign-out", open)
	}
}

func statesOfWork(t *testing.T, d consoleDesk) {
	reasons := twentyReasons()
	d.ask(t, reasons)
	d.Exec(t, `UPDATE reviews SET due_at = $2 WHERE id = $1`, reasons[0].id, d.Clock.Now().Add(-time.Hour))
	d.Exec(t, `UPDATE reviews SET amount = 125000, assignee = 'ben@lender.example', claimed_by = 'x', claimed_name = 'ben@lender.example', claimed_until = $2 WHERE id = $1`, reasons[3].id, d.Clock.Now().Add(time.Minute))
	x := d.at(t, desktop, "ada@lender.example", dossier.RoleAdmin, "/console")
	x.see(".work .late", "Overdue")
	x.everywhere("work")
	x.press("?")
	x.see("dialog", "Show the keys")
	x.everywhere("the keys")
	x.press(kb.Escape)
	x.click(".me summary")
	x.see(".me .zone", "Times are shown in ")
	x.everywhere("the account")
	d.to(x, "/console?q=nobody+at+all", says(".empty", "No open review matches"))
	x.everywhere("nothing that matches")
	d.Exec(t, `UPDATE reviews SET state = 'DECIDED', decision = 'reject', decided_by = 'ben@lender.example', decided_at = now(), reason_code = 'other', note = 'Seen the original' WHERE id = $1`, reasons[8].id)
	d.to(x, "/console?state=DECIDED", says(".work", "Rejected"))
	x.wait("!document.querySelector('.sorts')") // by when it is due, nobody asks any more
	x.everywhere("what was decided")
	d.to(x, "/console/reviews/"+reasons[8].id, says("#holder", "rejected by ben@lender.example"))
	x.everywhere("a decided review")
	d.to(x, "/console/reviews/"+reasons[9].id, says("#holder", "You have it"))
	x.press("r")
	x.wait("document.activeElement.name === 'reasonCode'")
	x.everywhere("a reason to reject")
	x.click("#reject [data-close]")
	x.press("g")
	x.wait("document.activeElement.name === 'assignee'")
	x.everywhere("to whom")
	d.Exec(t, `UPDATE reviews SET state = 'OBSOLETE', closed_at = now() WHERE workspace_id = $1 AND state = 'OPEN'`, d.Workspace)
	d.to(x, "/console", says(".empty", "All done"))
	x.everywhere("all done")
	x.click(".empty a[href$='state=DECIDED']")
	x.see(".work", "Rejected")
}

func statesOfDocuments(t *testing.T, d consoleDesk) {
	lead, document := d.statement(t)
	x := d.at(t, desktop, "ada@lender.example", dossier.RoleAdmin, "/console/documents/"+document)
	x.wait("document.querySelector('.leaf canvas') && document.querySelector('.b')")
	// What does not hold is open; what holds is folded, until a key or a click opens it.
	d.Exec(t, `UPDATE documents SET extraction = jsonb_set(extraction, '{documents,0,checks,1}',
		'{"name": "all_pages_present", "passed": true, "detail": "Page 1 of 1"}', true) WHERE id = $1`, document)
	d.to(x, "/console/documents/"+document, "document.querySelector('.leaf canvas') && document.querySelector('.b')")
	seen := `document.querySelector('[data-check=all_pages_present]').checkVisibility()`
	x.wait("document.querySelector('[data-check=reconciles]').checkVisibility() && !" + seen)
	x.see(".settled summary", "1 check passed")
	x.press("v")
	x.wait(seen)
	x.click(".settled summary")
	x.wait("!" + seen)
	x.everywhere("a document that was read")
	// No choice is cut, whatever is chosen.
	x.press("p")
	x.wait("document.activeElement.matches('#parts input')")
	cut := js[string](x, `[...document.querySelectorAll('#panel select')].flatMap((s) => [...s.options].map((o) => { const c = document.createElement('select'); c.append(o.cloneNode(true));
		Object.assign(c.style, {position: 'absolute', width: 'auto'}); s.after(c); const wide = c.offsetWidth; c.remove(); return wide > s.offsetWidth ? o.text : ''; })).filter(Boolean).join(', ')`)
	if cut != "" {
		t.Errorf("the panel cuts %s", cut)
	}
	x.everywhere("parts of a document")
	d.to(x, "/console/documents/"+document, "document.querySelector('.leaf canvas') && document.querySelector('.b')")
	// A derived fact leads to what it was made of, and what was made of is lit on its page.
	derived := `.facts .f[data-p="/reconciles"]`
	x.click(derived)
	x.see(".facts .more", "Derived: opening balance plus credits minus debits")
	x.wait("document.querySelector('.b.lit')")
	x.everywhere("a derived fact")
	for range 4 {
		if x.press(kb.Tab); x.holds("document.activeElement.matches('.operand') && document.activeElement.textContent.includes('Closing balance')") {
			break
		}
	}
	x.press(kb.Enter)
	x.wait(`document.activeElement.dataset.p === '/closingBalance' && document.querySelector('.facts .f.on').dataset.p === '/closingBalance'`)
	// A chosen fact is flagged for somebody else, by keys.
	x.press("F")
	x.wait("document.activeElement.matches('#flag textarea') && document.activeElement.value === 'Closing balance: '")
	x.everywhere("a flag")
	x.run(chromedp.KeyEvent("looks copied"))
	x.press(kb.Tab, kb.Enter)
	x.see(".toast", "Flagged")
	x.wait("!document.querySelector('#flag').open")
	if got := d.do(t, "GET", "/api/v1/reviews?code=escalation&leadId="+lead, "").Body; !strings.Contains(got, "Closing balance: looks copied") {
		t.Errorf("what was flagged does not wait: %s", got)
	}
	for status, shown := range map[string]string{"processing": "It is being read", "failed": "Nothing can be shown"} {
		d.Exec(t, `UPDATE documents SET extraction_status = $2, extraction = NULL, extraction_error_code = CASE WHEN $2 = 'failed' THEN 'encrypted' END,
			extraction_error_detail = CASE WHEN $2 = 'failed' THEN 'The file needs a password.' END WHERE id = $1`, document, status)
		d.to(x, "/console/documents/"+document, says(".viewer .empty h2", shown))
		if again := x.holds("document.querySelector(\"form[data-path$='/reprocess']\") !== null"); again != (status == "failed") {
			t.Errorf("%s: it may be read again: %t", status, again)
		}
		x.everywhere("a document, " + status)
	}
	x.expect(`a cookie is set by|status of [45]\d\d`)
	_, drawn := d.statement(t)
	d.Exec(t, `DELETE FROM page_pictures WHERE document_id = $1`, drawn)
	d.to(x, "/console/documents/"+drawn, says(".leaf .wait", "Page"))
	x.everywhere("a page that is being drawn")
	// A page that cannot be drawn says so at once, and is asked for again when the person wants it.
	_, whole := d.statement(t)
	x.answers("*/pages/1?*", 404)
	d.to(x, "/console/documents/"+whole, says(".leaf .wait", "This page cannot be shown."))
	x.everywhere("a page that cannot be shown")
	x.answers("", 0)
	x.click(".leaf .wait button")
	x.wait("document.querySelector('.leaf canvas')")
}

// The facts of a return are called as its form calls its lines, those of a statement as the template of spreads its rows.
func statesOfFacts(t *testing.T, d consoleDesk) {
	x := d.at(t, desktop, "ada@lender.example", dossier.RoleAdmin, "/console")
	for name, one := range map[string]struct {
		part  string
		facts []string
	}{
		"a return": {`"docType": "tax_return", "facts": {"form": "1120-S", "taxYear": 2024, "entityName": "Example Bakery LLC", "grossReceipts": "812400",
			"lines": {"1a": "812400", "1c": "809000", "2": "310500", "K-4": "120", "L-2aa": "44000", "L-15d": "398000", "M2-8": "61000"}}`,
			[]string{"Gross receipts", "Lines", "Line 1a", "Schedule K, line 4", "Schedule L, line 2a, column a", "Schedule M-2, line 8"}},
		"a statement of two years": {`"docType": "financial_statement", "facts": {"entityName": "Example Bakery LLC", "currency": "USD", "unit": 1, "statements": {"incomeStatement": [
			{"label": "FY 2025", "start": "2025-01-01", "end": "2025-12-31", "months": 12, "values": {"advertisingMarketing": "1200.00", "grossRevenues": "98000.00", "cogsGoodsMaterials": "40000.00"},
				"unmapped": [{"caption": "Sundry", "amount": "12.00", "section": "operatingExpenses", "row": "otherOperatingExpenses"}]},
			{"label": "FY 2024", "start": "2024-01-01", "end": "2024-12-31", "months": 12, "values": {"grossRevenues": "91000.00", "advertisingMarketing": "900.00"}, "unmapped": []}],
			"balanceSheet": [], "cashFlow": []}}`, []string{"Gross revenues", "Cost of goods and materials", "Advertising and marketing", "Other operating expenses"}},
	} {
		_, document := d.statement(t)
		d.Exec(t, `UPDATE documents SET extraction = $2 WHERE id = $1`, document, `{"engineVersion": "1", "mimeType": "application/pdf", "pageCount": 1, "layer": "text",
			"pages": [{"page": 1, "width": 612, "height": 792, "unit": "pt", "rotation": 0}],
			"documents": [{"pages": [1, 1], "confidence": 0.98, "evidence": [], "sources": {}, "derived": {}, "checks": [], "warnings": [], `+one.part+`}]}`)
		d.to(x, "/console/documents/"+document, "document.querySelector('.leaf canvas')")
		said := js[string](x, "[...document.querySelectorAll('.facts')].map((e) => e.innerText).join('\\n')")
		at := 0
		for _, fact := range one.facts {
			i := strings.Index(said[at:], fact)
			if i < 0 {
				t.Errorf("%s does not say %s in its place:\n%s", name, fact, said)
				break
			}
			at += i
		}
		x.everywhere(name)
	}
}

// figures are the results of a spread: two years of an income statement, and the second scaled up.
func figures(lead, id string) dossier.SpreadResults {
	amount := func(n int64) dossier.Figure { return dossier.Figure{Decimal: decimal.NewFromInt(n)} }
	year := func(label, period string, sales, returns int64) dossier.SpreadPeriod {
		start, end, _ := strings.Cut(period, "_")
		return dossier.SpreadPeriod{ID: period, Label: label, Start: start, End: end, Integrity: dossier.IntegrityReconciled, Values: dossier.SpreadValues{
			{Key: "grossRevenues", Label: "Gross revenues", Kind: "line", Value: amount(sales), Sources: []dossier.SpreadSource{{DocumentID: dossier.DocumentID(id), Page: 1, Caption: "Sales", Text: "$1,000.00", Confidence: 1}}},
			{Key: "returnsAllowances", Label: "Less: returns, allowances and discounts", Kind: "line", Value: amount(returns)},
			{Key: "netRevenues", Label: "Net revenues", Kind: "subtotal", Computed: true, Value: amount(sales - returns)}}}
	}
	first, second := "2024-01-01_2024-12-31", "2025-01-01_2025-12-31"
	r := dossier.SpreadResults{SchemaVersion: dossier.SpreadSchemaVersion, SpreadID: dossier.SpreadID(id), LeadID: dossier.LeadID(lead), EntityName: "Example Bakery LLC", Currency: "USD",
		Checks:   []dossier.SpreadCheck{{Name: "income_statement_variance", Statement: "incomeStatement", PeriodID: second, Detail: "0.00 of 1.00"}},
		Warnings: []dossier.SpreadWarning{{Code: "seasonality_unknown", Detail: "No prior full year is there."}},
		Unmapped: []dossier.SpreadUnmapped{{DocumentID: dossier.DocumentID(id), Statement: "incomeStatement", PeriodID: second, Caption: "Sundry", Amount: amount(12), Row: "otherIncome"}}}
	r.Statements.IncomeStatement.Periods = []dossier.SpreadPeriod{year("FY 2024", first, 1000, 40), year("FY 2025", second, 1200, 50)}
	r.Statements.BalanceSheet.Periods = []dossier.SpreadPeriod{{ID: second, Label: "Dec 2025", Start: "2025-01-01", End: "2025-12-31", Integrity: dossier.IntegrityReconciled,
		Values: dossier.SpreadValues{{Key: "cash", Label: "Cash and cash equivalents", Kind: "line", Value: amount(310)}, {Key: "totalAssets", Label: "Total assets", Kind: "total", Computed: true, Value: amount(310)}}}}
	return r
}

func statesOfSpreads(t *testing.T, d consoleDesk) {
	ids := oneOfEach(t, d.testServer, d.Workspace)
	id, lead := ids["spreadId"], ids["leadId"]
	x := d.at(t, desktop, "ada@lender.example", dossier.RoleAdmin, "/console/spreads/"+id)
	for status, shown := range map[string]string{"IN_PROGRESS": "The figures are being calculated", "FAILED": "There are no figures"} {
		d.Exec(t, `UPDATE spreads SET status = $2 WHERE id = $1`, id, status)
		d.to(x, "/console/spreads/"+id, says(".empty h2", shown))
		x.everywhere("a spread, " + status)
	}
	d.Exec(t, `UPDATE spreads SET status = 'COMPLETE', results = $2, approval_state = 'RETURNED', approval_by = 'key:crm', approval_note = 'Where are the wages?', approval_at = now() WHERE id = $1`,
		id, string(mustJSON(figures(lead, ids["documentId"]))))
	d.to(x, "/console/spreads/"+id, says("button.fig", "1,150.00"))
	x.see(".callout", "the key “crm”")
	// A year stands in the same place in every statement, whichever years these have.
	if places := js[int](x, "new Set([...document.querySelectorAll('[data-period=\"2025-01-01_2025-12-31\"]')].map((e) => Math.round(e.getBoundingClientRect().right))).size"); places != 1 {
		t.Errorf("one year stands in %d places", places)
	}
	x.see(".map option", "Other income, as read")
	x.everywhere("a returned spread")
	// A calculated figure says how it comes about, and leads to the figures it is made of: by keys and by the mouse.
	x.press(kb.Tab)
	x.wait("document.querySelector('button.fig[tabindex=\"0\"]')")
	js[bool](x, "document.querySelector('button.fig[tabindex=\"0\"]').focus(), true")
	x.press(kb.ArrowDown, kb.ArrowDown)
	x.see("#beside", "Calculated: Gross revenues − Less: returns, allowances and discounts")
	x.wait("document.querySelectorAll('.fig.of').length === 2")
	x.see("#beside .operand", "1,000.00")
	x.everywhere("a calculated figure")
	x.press("o")
	x.wait("document.activeElement.matches('.operand')")
	x.press(kb.Enter)
	x.wait("document.activeElement.matches('button.fig.on') && document.activeElement.textContent === '1,000.00'")
	x.see("#beside", "Sales")
	x.press("e")
	x.wait("document.activeElement.id === 'adjust'")
	x.everywhere("an adjustment")
	x.press(kb.Escape)
	m := d.at(t, device{width: 390, height: 844, phone: true}, "ada@lender.example", dossier.RoleAdmin, "/console/spreads/"+id)
	m.click("tr[data-row=netRevenues] button.fig")
	m.see("#beside .operand", "1,000.00")
	m.click("#beside .operand")
	m.wait("document.querySelector('.fig.on').textContent === '1,000.00'")
	// Over the statements of a phone lies the chosen figure: what one does with it is in sight, and it is put away.
	m.wait(`(() => { const act = document.querySelector('#adjusts button'), at = act && act.getBoundingClientRect(); return at && at.bottom <= innerHeight && document.elementFromPoint(at.x + 5, at.y + 5) === act; })()`)
	m.accessible("a chosen figure on a phone")
	m.shot("console-a-figure-on-a-phone-390-light")
	m.click(".chosen-head button")
	m.wait("!document.querySelector('#beside.chosen') && !document.querySelector('.fig.on')")
	m.see("#beside", "Choose a figure")
}

func statesOfLead(t *testing.T, d consoleDesk) {
	ids := oneOfEach(t, d.testServer, d.Workspace)
	at := "/console/leads/" + ids["leadId"]
	d.Exec(t, `UPDATE checklist_entries SET status = 'INVALID', reasons = '[{"code": "refused_by_person", "args": {"document": "a.pdf"}, "citations": []}]' WHERE lead_id = $1`, ids["leadId"])
	x := d.at(t, desktop, "ada@lender.example", dossier.RoleAdmin, at)
	for _, view := range leadTabs {
		d.to(x, at+"?view="+view, "document.querySelector('.tabs [aria-current]')")
		x.everywhere("lead, " + view)
	}
	// A document that an entry names stands in it once; what was last done is said in full.
	long := "Wrote to ask for the statements of March, April and May, for the tax returns of two years, and for the schedule of debts that the bank asks for."
	d.Exec(t, `UPDATE leads SET activity_summary = $2 WHERE id = $1`, ids["leadId"], long)
	d.to(x, at+"?view=timeline", says(".lead-head", long))
	if named := js[int](x, "document.querySelector('.line').innerText.split('a.pdf').length - 1"); named != 1 {
		t.Errorf("the entry of an upload names its file %d times", named)
	}
	// A text message has no subject.
	d.Exec(t, `UPDATE leads SET email = id || '@example.com', phone_number = '+12125550143' WHERE id = $1`, ids["leadId"])
	d.to(x, at+"?view=messages", "document.querySelector('#write')")
	x.click("#write summary")
	for channel, shown := range map[string]bool{"sms": false, "email": true} {
		js[bool](x, "(() => { const of = document.querySelector('#write select'); of.value = "+string(mustJSON(channel))+"; of.dispatchEvent(new Event('change')); return true; })()")
		if x.holds("document.querySelector('#write [name=subject]').checkVisibility()") != shown {
			t.Errorf("%s has a subject: %t", channel, !shown)
		}
	}
	x.everywhere("writing to a lead")
	phone := d.at(t, device{width: 390, height: 844, phone: true}, "ada@lender.example", dossier.RoleAdmin, at+"?view=control")
	phone.wait(`(() => { const tab = document.querySelector('.tabs [aria-current]').getBoundingClientRect(); return tab.left >= 0 && tab.right <= innerWidth; })()`)
	none := valueAt(t, d.do(t, "POST", "/api/v1/leads", `{"firstName":"Cleo","email":"cleo@example.com"}`).Body, "lead", "id")
	for _, view := range leadTabs[1:] {
		d.to(x, "/console/leads/"+none+"?view="+view, "document.querySelector('.tabs [aria-current]')")
		x.everywhere("new lead, " + view)
	}
	x.write("form[data-path$='/erase'] input", "Asked for by letter")
	x.press(kb.Enter)
	x.see("dialog", "Erases")
	x.everywhere("a question")
	d.to(x, "/console/leads", "document.querySelector('.leads')")
	x.everywhere("leads")
	x.click("#new-lead summary")
	x.write("input[name=externalLeadId]", strings.Repeat("x", 300))
	x.press(kb.Enter)
	x.expect(`a cookie is set by|status of [45]\d\d`)
	x.see("#new-lead .trouble", "255")
	x.everywhere("a new lead that is refused")
	for status, shown := range map[string]string{"RUNNING": "is being read", "COMPLETE": "2 leads are new", "FAILED": "could not be imported"} {
		d.Exec(t, `UPDATE imports SET status = $2, row_count = 3, created = 2, refused = 1, errors = '[{"row": 3, "column": "email", "code": "invalid_value", "detail": "This is no email address."}]',
			failure = CASE WHEN $2 = 'FAILED' THEN '{"code": "no_header", "detail": "The first row names no columns."}'::jsonb END WHERE id = $1`, ids["importId"], status)
		d.to(x, "/console/leads?import="+ids["importId"], says("#import", shown))
		x.everywhere("an import, " + status)
	}
}

// leadTabs are the views of a lead.
var leadTabs = []string{"checklist", "documents", "messages", "timeline", "control"}

func statesOfRest(t *testing.T, d consoleDesk) {
	ids := oneOfEach(t, d.testServer, d.Workspace)
	d.Exec(t, `INSERT INTO attempts (workspace_id, delivery_id, number, started_at, duration_ms, status, error, response)
		SELECT workspace_id, id, 1, now(), 312, 503, 'http_5xx', 'Not now' FROM deliveries WHERE id = $1`, ids["deliveryId"])
	d.Exec(t, `UPDATE deliveries SET lead_id = $2 WHERE id = $1`, ids["deliveryId"], ids["leadId"])
	for i, field := range []string{"closingBalance", "accountHolder", "periodEnd"} {
		d.Exec(t, `INSERT INTO review_looks (workspace_id, review_id, document_id, is_test, doc_type, field, looked_at, correct, at)
			VALUES ($1, $2, $3, false, 'bank_statement', $4, 40, $5, $6)`, d.Workspace, ids["reviewId"], ids["documentId"], field, 40-3*i, d.Clock.Now().Add(-time.Hour))
	}
	x := d.at(t, desktop, "ada@lender.example", dossier.RoleAdmin, "/console")
	x.expect(`a cookie is set by|status of [45]\d\d`)
	for name, at := range map[string][2]string{
		"quality": {"/console/quality", says(".months td", "120")}, "webhooks": {"/console/webhooks", "document.querySelector('.tight')"},
		"a delivery": {"/console/webhooks?delivery=" + ids["deliveryId"], says("#delivery", "503")}, "settings": {"/console/settings", "document.querySelector('#audit tbody')"},
		"not here": {"/console/leads/" + string(d.Workspace), says("h1", "Not here")},
	} {
		d.to(x, at[0], at[1])
		x.everywhere(name)
	}
	// A delivery says to whom and about whom, and its attempts line up.
	d.to(x, "/console/webhooks?delivery="+ids["deliveryId"], says(".attempts td", "312 ms"))
	x.see(".tight td", "hooks.example")
	x.see(".tight td a", "Ada Example")
	x.see(".attempts", "Server error")
	d.to(x, "/console/settings", says("#audit td", "API key “other”"))
	x.see(".pairs", "everything: also people, keys, holds, erasing and the audit")
	d.to(x, "/console/leads/"+string(d.Workspace), says("h1", "Not here"))
	x.click("#main a.button")
	x.wait("location.pathname === '/console' && document.querySelector('.work')")
	// What fails says so, and leads to where it is asked for once more.
	d.Exec(t, `ALTER TABLE webhooks RENAME TO webhooks_away`)
	d.to(x, "/console/webhooks?status=FAILED", says("a.button", "Try again"))
	x.see("h1", "Something went wrong")
	x.see("code", "-") // the request's id, as the log has it
	x.everywhere("a page that failed")
	d.Exec(t, `ALTER TABLE webhooks_away RENAME TO webhooks`)
	x.click("#main a.button")
	x.see("h1", "Webhooks")
	x.wait("location.search === '?status=FAILED'")
}
