package api

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// reason is a review of the journey: how it is decided, by keys and by the mouse.
type reason struct {
	code     dossier.ReviewCode
	decision string
	id       string
}

// twentyReasons are two or one of every code, with the decisions that suit it.
func twentyReasons() []reason {
	return []reason{
		{code: dossier.ReviewItem, decision: "accept"}, {code: dossier.ReviewItem, decision: "reject"}, {code: dossier.ReviewItem, decision: "dismiss"},
		{code: dossier.ReviewRule, decision: "accept"}, {code: dossier.ReviewRule, decision: "correct"},
		{code: dossier.ReviewFact, decision: "accept"}, {code: dossier.ReviewFact, decision: "correct"},
		{code: dossier.ReviewConflict, decision: "accept"},
		{code: dossier.ReviewTampering, decision: "accept"}, {code: dossier.ReviewTampering, decision: "reject"},
		{code: dossier.ReviewUnread, decision: "reject"}, {code: dossier.ReviewUnread, decision: "dismiss"},
		{code: dossier.ReviewSpreadVariance, decision: "accept"}, {code: dossier.ReviewSpreadApproval, decision: "accept"},
		{code: dossier.ReviewDraft, decision: "accept"}, {code: dossier.ReviewDraft, decision: "reject"},
		{code: dossier.ReviewEscalation, decision: "accept"}, {code: dossier.ReviewEscalation, decision: "dismiss"},
		{code: dossier.ReviewSample, decision: "accept"}, {code: dossier.ReviewSecondOpinion, decision: "accept"},
	}
}

// ask opens the reviews, each on a thing of its own that it can be decided for.
func (d consoleDesk) ask(t *testing.T, reasons []reason) {
	t.Helper()
	d.Exec(t, `UPDATE reviews SET state = 'OBSOLETE', closed_at = now() WHERE workspace_id = $1 AND state = 'OPEN'`, d.Workspace)
	for i := range reasons {
		r := &reasons[i]
		lead, entries := d.Lead(t, d.Workspace, dossier.FieldBankStatement)
		subject, kind, pointer := string(entries[0]), dossier.SubjectItem, ""
		switch r.code {
		case dossier.ReviewItem, dossier.ReviewRule:
			d.Exec(t, `UPDATE checklist_entries SET status = 'NEEDS_REVIEW' WHERE id = $1`, entries[0])
		case dossier.ReviewFact, dossier.ReviewConflict, dossier.ReviewTampering, dossier.ReviewUnread, dossier.ReviewSecondOpinion:
			of, document := d.statement(t)
			lead, subject, kind = dossier.LeadID(of), document, dossier.SubjectDocument
			if r.code == dossier.ReviewFact || r.code == dossier.ReviewConflict {
				kind, pointer = dossier.SubjectFact, "/closingBalance"
			}
		case dossier.ReviewSpreadVariance, dossier.ReviewSpreadApproval:
			subject, kind = oneOfEach(t, d.testServer, d.Workspace)["spreadId"], dossier.SubjectSpread
			if r.code == dossier.ReviewSpreadApproval {
				d.do(t, "POST", "/api/v1/spreads/"+subject+"/submit", "")
				r.id = reviewOf(t, d.testServer, r.code)
			}
			d.Exec(t, `UPDATE reviews SET state = 'OBSOLETE', closed_at = now() WHERE code = 'escalation' AND state = 'OPEN' AND lead_id IN (SELECT lead_id FROM spreads WHERE id = $1)`, subject)
		case dossier.ReviewDraft:
			d.Exec(t, `UPDATE leads SET email = id || '@example.com' WHERE id = $1`, lead)
			subject, kind = postgres.NewID(), dossier.SubjectMessage
			d.Exec(t, `INSERT INTO messages (workspace_id, id, lead_id, direction, channel, status, subject, body, created_at, updated_at)
				VALUES ($1, $2, $3, 'OUTBOUND', 'email', 'DRAFT', 'Your file', 'Could you send the March statement?', now(), now())`, d.Workspace, subject, lead)
		case dossier.ReviewEscalation:
			d.do(t, "POST", "/api/v1/leads/"+string(lead)+"/escalations", `{"reason":"The lead asks for a call"}`)
		}
		switch r.code {
		case dossier.ReviewEscalation:
			r.id = d.reviewFor(t, r.code, string(lead))
		case dossier.ReviewSpreadApproval:
		case dossier.ReviewSecondOpinion:
			bob := d.signIn(t, d.Workspace, "bob@lender.example", dossier.RoleApprover)
			association := pgtest.Value[string](t, d.Server, `SELECT id::text FROM document_associations WHERE document_id = $1`, subject)
			d.Exec(t, `UPDATE workspaces SET four_eyes = '{override}' WHERE id = $1`, d.Workspace)
			got := d.as(t, bob, "PATCH", "/api/v1/documents/"+subject+"/associations/"+association, `{"overallValid": true, "note": "Seen the original"}`)
			d.Exec(t, `UPDATE workspaces SET four_eyes = '{}' WHERE id = $1`, d.Workspace)
			r.id = valueAt(t, got.Body, "review", "id")
		default:
			r.id = postgres.NewID()
			d.Exec(t, `INSERT INTO reviews (workspace_id, id, lead_id, is_test, code, detail, mark, subject_type, subject_id, part, pointer, priority, created_at, due_at)
				VALUES ($1, $2, $3, false, $4, 'A reason to look: ' || $4, '', $5, $6, CASE WHEN $7 = '' THEN -1 ELSE 0 END, $7, 5, now(), now() + interval '1 day')`,
				d.Workspace, r.id, lead, r.code, kind, subject, pointer)
		}
	}
}

func (d consoleDesk) reviewFor(t *testing.T, code dossier.ReviewCode, lead string) string {
	t.Helper()
	return pgtest.Value[string](t, d.Server, `SELECT id::text FROM reviews WHERE code = $1 AND lead_id = $2 AND state = 'OPEN'`, code, lead)
}

// A scripted person reads at words a minute and acts as people do (Card, Moran and Newell's keystroke-level model).
const (
	wordsAMinute = 250
	aKey         = 280 * time.Millisecond
	aPoint       = 1100 * time.Millisecond // to a target
	aClick       = 200 * time.Millisecond
	aHand        = 400 * time.Millisecond // between keys and mouse
)

// effort is what decisions cost a person: what is read, keys, clicks, and how long the page let it wait.
type effort struct {
	words, keys, clicks, hands int
	waited                     time.Duration
}

func (e effort) time() time.Duration {
	return time.Duration(e.words)*time.Minute/wordsAMinute + time.Duration(e.keys)*aKey + time.Duration(e.clicks)*(aPoint+aClick) + time.Duration(e.hands)*aHand + e.waited
}

func (e effort) String() string {
	return fmt.Sprintf("%d words read, %d keys, %d clicks, waited %s: %s", e.words, e.keys, e.clicks, e.waited.Round(10*time.Millisecond), e.time().Round(100*time.Millisecond))
}

// decideAll takes one review after the other and decides each as it is told, until nothing waits.
func (d consoleDesk) decideAll(t *testing.T, x *tab, reasons []reason, act func(e *effort, r reason)) effort {
	t.Helper()
	var e effort
	for range reasons {
		began := time.Now()
		x.see("#holder", "You have it until")
		e.waited += time.Since(began)
		at := js[string](x, "location.pathname")
		i := slices.IndexFunc(reasons, func(r reason) bool { return strings.HasSuffix(at, "/"+r.id) })
		if i < 0 {
			t.Fatalf("%s is no review of the journey", at)
		}
		e.words += js[int](x, "document.querySelector('#claim .why').innerText.split(/\\s+/).length")
		act(&e, reasons[i])
		began = time.Now()
		x.wait(fmt.Sprintf("location.pathname !== %q && document.readyState === 'complete'", at))
		e.waited += time.Since(began)
	}
	x.see(".toast", "Nothing more waits")
	for _, r := range reasons {
		if got := pgtest.Value[string](t, d.Server, `SELECT state || ' ' || coalesce(decision, '') FROM reviews WHERE id = $1`, r.id); got != "DECIDED "+r.decision {
			t.Errorf("%s was to be decided with %s: %s", r.code, r.decision, got)
		}
	}
	return e
}

// letters are the keys of decisions; rejecting asks for a reason.
var letters = map[string]string{"accept": "a", "dismiss": "x", "correct": "c", "reject": "r"}

// Twenty reasons of all codes are decided by keys alone, and by the mouse on a phone's width. What it costs a person is
// logged: docs/benchmarks.md has the table.
func walkReasons(t *testing.T, d consoleDesk) {
	reasons := twentyReasons()
	codes := map[dossier.ReviewCode]bool{}
	for _, r := range reasons {
		codes[r.code] = true
	}
	if len(reasons) != 20 || len(codes) != 12 {
		t.Fatalf("%d reasons of %d codes", len(reasons), len(codes))
	}
	d.ask(t, reasons)
	x := d.at(t, desktop, "ada@lender.example", dossier.RoleAdmin, "/console")
	x.see(".work", "A reason to look")
	x.press("j")
	x.wait("document.activeElement.closest('.work th')")
	seen := map[dossier.ReviewCode]bool{}
	x.press("n")
	keys := d.decideAll(t, x, reasons, func(e *effort, r reason) {
		if !seen[r.code] {
			seen[r.code] = true
			x.everywhere("a review of " + string(r.code))
		}
		x.press(letters[r.decision])
		e.keys++
		if r.decision == "reject" {
			x.wait("document.activeElement.name === 'reasonCode'")
			x.press(kb.Enter)
			e.keys++
		}
	})
	keys.keys++ // the first
	t.Logf("20 decisions by keys: %s", keys)

	d.ask(t, reasons)
	m := d.at(t, device{width: 390, height: 844, phone: true, dark: true}, "ada@lender.example", dossier.RoleAdmin, "/console")
	m.click("[data-next]")
	mouse := d.decideAll(t, m, reasons, func(e *effort, r reason) {
		if r.decision == "reject" {
			m.click("[data-open=reject]")
			m.click("#reject [type=submit]")
			e.clicks += 2
			return
		}
		m.click("[data-decide=" + r.decision + "]")
		e.clicks++
	})
	mouse.clicks++
	t.Logf("20 decisions by mouse: %s", mouse)
	if keys.keys > 25 || mouse.clicks > 25 {
		t.Errorf("20 decisions take %d keys or %d clicks", keys.keys, mouse.clicks)
	}
	d.honest(t, x)
	d.honest(t, m)
}

// packet is a document of three pages that was read as one statement, and how it is read.
func (d consoleDesk) packet(t *testing.T) (document, read string) {
	t.Helper()
	_, document = d.statement(t)
	d.Exec(t, `UPDATE documents SET extraction = jsonb_set(jsonb_set(jsonb_set(extraction, '{pageCount}', '3'), '{pages}', extraction->'pages' ||
		'[{"page": 2, "width": 612, "height": 792, "unit": "pt", "rotation": 0}, {"page": 3, "width": 612, "height": 792, "unit": "pt", "rotation": 0}]'),
		'{documents,0,pages}', '[1, 3]') WHERE id = $1`, document)
	d.drawn(t, document, 3)
	return document, pgtest.Value[string](t, d.Server, `SELECT extraction::text FROM documents WHERE id = $1`, document)
}

// parted waits until a document is read again in parts.
func (d consoleDesk) parted(x *tab, document, want string) {
	x.t.Helper()
	x.see(".toast", "It is read again in these parts")
	x.see(".viewer .empty", "It is being read")
	if got := pgtest.Value[string](x.t, d.Server, `SELECT parts::text FROM documents WHERE id = $1`, document); got != want {
		x.t.Errorf("the parts are %s, want %s", got, want)
	}
}

// readInTwo says that a packet was read again as it was split.
func (d consoleDesk) readInTwo(x *tab, document, read string) {
	x.t.Helper()
	d.Exec(x.t, `UPDATE documents SET extraction_status = 'completed', extraction = jsonb_set($2::jsonb, '{documents}',
		jsonb_build_array(jsonb_set($2::jsonb #> '{documents,0}', '{pages}', '[1, 1]'), jsonb_set($2::jsonb #> '{documents,0}', '{pages}', '[2, 3]'))) WHERE id = $1`, document, read)
	x.wait("document.querySelectorAll('.partline').length === 2")
}

const inTwo, inOne = `[{"pages": [1, 1], "docType": "bank_statement"}, {"pages": [2, 3], "docType": "tax_return"}]`, `[{"pages": [1, 3], "docType": "lease"}]`

// A package is split, joined and retyped by the mouse on a phone's width.
func walkPartsByMouse(t *testing.T, d consoleDesk) {
	document, read := d.packet(t)
	m := d.at(t, device{width: 390, height: 844, phone: true}, "ada@lender.example", dossier.RoleAdmin, "/console/documents/"+document)
	choose := func(line int, docType string) {
		t.Helper()
		js[bool](m, fmt.Sprintf("document.querySelectorAll('.partline')[%d].querySelector('select').value = %q, true", line, docType)) // a list of the system
	}
	m.click("#split summary")
	m.write(".partline [name=last]", "1")
	m.click("[data-more]")
	m.wait("document.querySelectorAll('.partline').length === 2")
	choose(1, "tax_return")
	m.everywhere("a package in two parts")
	m.click("#parts [type=submit]")
	d.parted(m, document, inTwo)
	d.readInTwo(m, document, read)
	m.click("#split summary")
	m.click(".partline:nth-child(2) [data-less]")
	m.write(".partline [name=last]", "3")
	choose(0, "lease")
	m.click("#parts [type=submit]")
	d.parted(m, document, inOne)
	d.honest(t, m)
}

// A package is split, joined and retyped with the keyboard alone.
func walkParts(t *testing.T, d consoleDesk) {
	document, read := d.packet(t)
	x := d.at(t, desktop, "ada@lender.example", dossier.RoleAdmin, "/console/documents/"+document)
	focused := func(name string) { t.Helper(); x.wait(fmt.Sprintf("document.activeElement.name === %q", name)) }
	x.press("p")
	focused("first")
	x.everywhere("the parts of a document")
	x.press(kb.Tab)
	focused("last")
	x.press("1", kb.Tab, kb.Tab, kb.Tab, kb.Enter) // over the type and × to “Add a part”
	x.wait("document.querySelectorAll('.partline').length === 2 && document.activeElement.value === '2'")
	x.press(kb.Tab, kb.Tab)
	focused("docType")
	x.press("T") // Tax return
	x.wait("document.activeElement.value === 'tax_return'")
	x.press(kb.Tab, kb.Tab, kb.Tab, kb.Enter)
	d.parted(x, document, inTwo)
	// Read again as two, it is joined again and is something else.
	d.readInTwo(x, document, read)
	x.press("p", kb.Tab)
	focused("last")
	x.press("3", kb.Tab)
	x.press("L")
	x.wait("document.activeElement.value === 'lease'")
	x.press(kb.Tab, kb.Tab, kb.Tab, kb.Tab, kb.Tab, kb.Enter) // × of the second part
	x.wait("document.querySelectorAll('.partline').length === 1")
	x.press(kb.Tab, kb.Enter)
	d.parted(x, document, inOne)
	d.honest(t, x)
}

// drawn says that all pages of a document look as the first.
func (d consoleDesk) drawn(t *testing.T, document string, pages int) {
	t.Helper()
	d.Exec(t, `INSERT INTO page_pictures (workspace_id, document_id, page, width, object_key, sha256, created_at)
		SELECT workspace_id, document_id, n, width, object_key, sha256, created_at FROM page_pictures, generate_series(2, $2) n WHERE document_id = $1`, document, pages)
}
