package api

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// correctable is a server with a lead whose bank statement was read.
type correctable struct {
	*testServer
	lead  dossier.LeadID
	entry dossier.EntryID
}

// statementRead is what the machine read: a statement whose closing balance is 120.00 in print.
func statementRead(closing string) string {
	check := `{"name": "reconciles", "passed": true, "detail": "100.00 + 50.00 - 30.00 = 120.00"}`
	reconciles, warnings := "true", ""
	if closing != "120.00" {
		detail := "100.00 + 50.00 - 30.00 = 120.00, but the closing balance is " + closing
		check = `{"name": "reconciles", "passed": false, "detail": "` + detail + `"}`
		reconciles, warnings = "false", `{"code": "possible_tampering", "detail": "The balances do not foot: `+detail+`"}`
	}
	return `{"engineVersion": "1", "mimeType": "application/pdf", "pageCount": 1, "layer": "text",
		"pages": [{"page": 1, "width": 612, "height": 792, "unit": "pt", "rotation": 0}],
		"documents": [{"docType": "bank_statement", "fieldType": "BANK_STATEMENT", "pages": [1, 1], "confidence": 0.9, "evidence": [],
			"facts": {"accountHolder": "Example Bakery LLC", "periodStart": "2020-01-01", "periodEnd": "2020-01-31", "openingBalance": "100.00",
				"totalDeposits": "50.00", "totalWithdrawals": "30.00", "closingBalance": "` + closing + `", "reconciles": ` + reconciles + `},
			"sources": {"/closingBalance": {"page": 1, "box": [72, 90, 120, 102], "text": "` + closing + `", "confidence": 1, "method": "text"}},
			"derived": {"/reconciles": "opening balance plus credits minus debits against the closing balance"},
			"checks": [` + check + `], "warnings": [` + warnings + `]}]}`
}

func newCorrectable(t *testing.T) correctable {
	c := correctable{testServer: newTestServer(t, func(c *Config) { c.Objects = objectstest.New(t) })}
	lead, entries := c.Lead(t, c.Workspace, dossier.FieldBankStatement)
	c.lead, c.entry = lead, entries[0]
	c.Exec(t, `UPDATE checklist_items SET config = '{"months": 1, "gracePeriodDays": 3650}',
		validation_rules = ARRAY['The statement balances reconcile', 'The closing balance is at least $110'] WHERE lead_id = $1`, lead)
	return c
}

func (c correctable) document(t *testing.T, status, extraction string) string {
	t.Helper()
	id := postgres.NewID()
	c.Exec(t, `INSERT INTO documents (workspace_id, id, lead_id, filename, mime_type, size, sha256, object_key, source, uploaded_at, extraction_status,
			extraction, created_at, updated_at)
		VALUES ($1, $2::uuid, $3, 'a.pdf', 'application/pdf', 1, convert_to($2::uuid::text, 'UTF8'), 'k', 'imported', now(), $4, nullif($5, '')::jsonb, now(), now())`,
		c.Workspace, id, c.lead, status, extraction)
	c.Exec(t, `INSERT INTO document_associations (workspace_id, id, lead_id, document_id, entry_id, requested, score, reason, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, true, 1, '', now(), now())`, c.Workspace, postgres.NewID(), c.lead, id, c.entry)
	return id
}

func (c correctable) correct(t *testing.T, id, set string, headers ...string) answer {
	t.Helper()
	return c.do(t, "PUT", "/api/v1/documents/"+id+"/corrections", `{"corrections": [`+set+`]}`, headers...)
}

// member is a member of an answer, as JSON.
func member(t *testing.T, body string, path ...string) string {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(body), &value); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	for _, p := range path {
		object, ok := value.(map[string]any)
		if !ok {
			t.Fatalf("%s has no %v", body, path)
		}
		value = object[p]
	}
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const closing = `{"part": 0, "pointer": "/closingBalance", "value": "120.00"}`

// A falsified fact is put right: facts, checks, verdicts and item are those of a document that was read rightly.
func TestCorrections(t *testing.T) {
	t.Parallel()
	right, wrong := newCorrectable(t), newCorrectable(t)
	read, misread := right.document(t, "completed", statementRead("120.00")), wrong.document(t, "completed", statementRead("12.00"))
	// A confirmed reading judges the right one too: what the machine read anyway is another fact of it.
	if got := right.correct(t, read, `{"part": 0, "pointer": "/institution", "value": "First Bank"}`); got.Status != 200 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}

	path := "/api/v1/documents/" + misread
	before := wrong.do(t, "GET", path, "")
	dry := wrong.do(t, "PUT", path+"/corrections", `{"dryRun": true, "corrections": [`+closing+`]}`)
	if dry.Status != 200 || member(t, dry.Body, "effects", "checks") != `[{"after":true,"before":false,"name":"reconciles","part":0}]` {
		t.Errorf("dry run: %d %s", dry.Status, dry.Body)
	}
	if after := wrong.do(t, "GET", path, ""); after.Header.Get("ETag") != before.Header.Get("ETag") || before.Header.Get("ETag") == "" {
		t.Error("a dry run moved the document")
	}
	spread := postgres.NewID()
	wrong.Exec(t, `INSERT INTO spreads (workspace_id, id, lead_id, status, results, created_at, updated_at) VALUES ($1, $2, $3, 'COMPLETE', '{}', now(), now())`,
		wrong.Workspace, spread, wrong.lead)
	wrong.Exec(t, `INSERT INTO spread_documents (workspace_id, spread_id, document_id, position, status) VALUES ($1, $2, $3, 0, 'EXTRACTED')`,
		wrong.Workspace, spread, misread)
	got := wrong.correct(t, misread, closing+`, {"part": 0, "pointer": "/institution", "value": "First Bank"}`, "If-Match", before.Header.Get("ETag"))
	if got.Status != 200 || !strings.Contains(member(t, got.Body, "effects", "items"), `"after":{"status":"COMPLETED","validationError":null}`) {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	if member(t, got.Body, "effects", "spreads") != `[{"changes":[],"spreadId":"`+spread+`"}]` || pgtest.Value[string](t, wrong.Server,
		`SELECT status || ' ' || (SELECT count(*) FROM jobs WHERE kind = 'spread.consolidate') FROM spreads WHERE id = $1`, spread) != "IN_PROGRESS 1" {
		t.Errorf("the spread is not regenerated: %s", member(t, got.Body, "effects"))
	}
	for _, c := range []string{`"machineValue":"12.00"`, `"state":"applied"`, `"value":"120.00"`, `"actor":"key:`} {
		if !strings.Contains(member(t, got.Body, "document", "corrections"), c) {
			t.Errorf("corrections lack %s: %s", c, got.Body)
		}
	}
	if !strings.Contains(got.Body, `"box":[72,90,120,102],"text":"120.00","confidence":1,"method":"person"`) {
		t.Errorf("the source is not the person's: %s", got.Body)
	}
	state := func(c correctable, id string) string {
		return pgtest.Value[string](t, c.Server, `SELECT jsonb_build_object('verdict', jsonb_path_query_array(a.validation_result, '$.validationResults[*].isValidReason'),
			'valid', a.overall_valid, 'facts', d.extraction #> '{documents,0,facts}', 'checks', d.extraction #> '{documents,0,checks}',
			'warnings', d.extraction #> '{documents,0,warnings}', 'item', e.status, 'reasons', e.reasons)::text
			FROM documents d JOIN document_associations a ON a.document_id = d.id JOIN checklist_entries e ON e.id = a.entry_id WHERE d.id = $1`, id)
	}
	if diff := cmp.Diff(state(right, read), state(wrong, misread)); diff != "" {
		t.Errorf("corrected, against read rightly (-want +got):\n%s", diff)
	}
	if n := pgtest.Value[int](t, wrong.Server, `SELECT count(*)::int FROM events WHERE type = 'document.corrected' AND body LIKE '%"/documents/0/closingBalance"%'`); n != 1 {
		t.Errorf("%d events", n)
	}
	if again := wrong.correct(t, misread, closing, "If-Match", before.Header.Get("ETag")); again.Status != 412 {
		t.Errorf("a tag of before: %d %s", again.Status, again.Body)
	}
	if back := wrong.correct(t, misread, ""); back.Status != 200 || !strings.Contains(member(t, back.Body, "effects", "items"), `"after":{"status":"INVALID"`) ||
		member(t, back.Body, "document", "corrections") != "[]" {
		t.Errorf("taken back: %d %s", back.Status, back.Body)
	}
	if text := pgtest.Value[string](t, wrong.Server, `SELECT (extraction #> '{documents,0,facts,closingBalance}')::text || coalesce(machine_extraction::text, '') FROM documents WHERE id = $1`, misread); text != `"12.00"` {
		t.Errorf("the machine's facts are not back: %s", text)
	}
}

// Accepting what the machine read changes nothing but that somebody said so; and the same set again not even that.
func TestCorrections_that_accept(t *testing.T) {
	t.Parallel()
	c := newCorrectable(t)
	id := c.document(t, "completed", statementRead("120.00"))
	stored := func() string {
		return pgtest.Value[string](t, c.Server, `SELECT extraction::text || (SELECT status || reasons::text FROM checklist_entries WHERE id = $2) FROM documents WHERE id = $1`, id, c.entry)
	}
	var machine dossier.Extraction
	if err := json.Unmarshal([]byte(statementRead("120.00")), &machine); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(machine)
	if err != nil {
		t.Fatal(err)
	}
	c.Exec(t, `UPDATE documents SET extraction = $2 WHERE id = $1`, id, json.RawMessage(text))
	before := stored()
	set := `{"part": 0, "pointer": "/closingBalance", "value": "120.0"}, {"part": 0, "pointer": "/accountHolder", "value": "Example Bakery LLC"},
		{"part": 0, "pointer": "/accountNumber", "value": null}`
	got := c.correct(t, id, set)
	if got.Status != 200 || member(t, got.Body, "effects") != `{"checks":[],"items":[],"spreads":[]}` || strings.Count(got.Body, `"confirmed"`) != 3 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if after := stored(); after != before {
		t.Errorf("accepting changed\n%s\nto\n%s", before, after)
	}
	if again := c.correct(t, id, set); again.Status != 200 || again.Header.Get("ETag") != got.Header.Get("ETag") {
		t.Errorf("again: %d, %s against %s", again.Status, again.Header.Get("ETag"), got.Header.Get("ETag"))
	}
	if n := pgtest.Value[int](t, c.Server, `SELECT count(*)::int FROM events WHERE type = 'document.corrected'`); n != 1 {
		t.Errorf("%d events; the same set again tells nothing", n)
	}
}

// Rules may ask of several documents together: what one says after it was corrected counts for the others too, and no
// more than that is judged anew.
func TestCorrections_of_several_documents(t *testing.T) {
	t.Parallel()
	c := newCorrectable(t)
	c.Exec(t, `UPDATE checklist_items SET config = '{}', validation_rules = ARRAY['The statement covers at least 2 months', 'The moon is in the seventh house'] WHERE lead_id = $1`, c.lead)
	january := c.document(t, "completed", statementRead("120.00"))
	march := c.document(t, "completed", strings.NewReplacer("2020-01-01", "2020-03-01", "2020-01-31", "2020-03-31").Replace(statementRead("120.00")))
	correct := func(id, set string) {
		t.Helper()
		if got := c.correct(t, id, set); got.Status != 200 {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
	}
	verdict := func(id string) string {
		return pgtest.Value[string](t, c.Server, `SELECT jsonb_path_query_array(validation_result, '$.validationResults[*].isValid')::text FROM document_associations WHERE document_id = $1`, id)
	}
	bank := `{"part": 0, "pointer": "/institution", "value": "First Bank"}`
	correct(march, bank)
	correct(january, bank)
	// What a model said of a rule that the judge cannot read is none of the correction's business.
	c.Exec(t, `UPDATE document_associations SET validation_result = jsonb_set(validation_result, '{validationResults,1,isValid}', 'true') WHERE document_id = $1`, january)
	if got := verdict(january) + verdict(march); got != "[false, true][false, false]" {
		t.Fatalf("a month apart: %s", got)
	}
	correct(march, bank+`, {"part": 0, "pointer": "/periodStart", "value": "2020-02-01"}, {"part": 0, "pointer": "/periodEnd", "value": "2020-02-29"}`)
	if got := verdict(january) + verdict(march); got != "[true, true][true, false]" {
		t.Errorf("side by side: %s", got)
	}
	if n := pgtest.Value[int](t, c.Server, `SELECT count(*) FROM document_associations WHERE document_id = $1 AND overall_valid`, january); n != 1 {
		t.Error("the other document passes all its rules, and is not valid")
	}
	correct(march, bank)
	if got := verdict(january) + verdict(march); got != "[false, true][false, false]" {
		t.Errorf("taken back: %s", got)
	}
}

// A spread that left a document aside for what it said takes it in when that is put right.
func TestCorrections_of_what_a_spread_left_aside(t *testing.T) {
	t.Parallel()
	for _, was := range []string{"SKIPPED", "FAILED"} {
		c := newCorrectable(t)
		id := c.document(t, "completed", `{"engineVersion": "1", "mimeType": "application/pdf", "pageCount": 1, "layer": "text", "pages": [{"page": 1, "width": 612, "height": 792, "unit": "pt", "rotation": 0}],
			"documents": [{"docType": "financial_statement", "fieldType": "FILE", "pages": [1, 1], "confidence": 0.9, "evidence": [], "facts": {"entityName": "Example Bakery LLC", "currency": "USD", "unit": 1,
				"statements": {"incomeStatement": [{"label": "FY2024", "start": "2024-01-01", "end": "2024-12-31", "months": 12, "values": {}, "unmapped": []}], "balanceSheet": [], "cashFlow": []}},
				"sources": {}, "derived": {}, "checks": [], "warnings": []}]}`)
		spread := postgres.NewID()
		c.Exec(t, `INSERT INTO spreads (workspace_id, id, lead_id, status, error, created_at, updated_at) VALUES ($1, $2, $3, 'FAILED', 'nothing', now(), now())`, c.Workspace, spread, c.lead)
		c.Exec(t, `INSERT INTO spread_documents (workspace_id, spread_id, document_id, position, status) VALUES ($1, $2, $3, 0, $4)`, c.Workspace, spread, id, was)
		state := func() string {
			return pgtest.Value[string](t, c.Server, `SELECT s.status || ' ' || d.status FROM spreads s JOIN spread_documents d ON d.spread_id = s.id WHERE s.id = $1`, spread)
		}
		if got := c.correct(t, id, `{"part": 0, "pointer": "/entityName", "value": "Example Bakery"}`); got.Status != 200 || member(t, got.Body, "effects", "spreads") != "[]" || state() != "FAILED "+was {
			t.Errorf("%s: still nothing to spread: %d %s, %s", was, got.Status, got.Body, state())
		}
		got := c.correct(t, id, `{"part": 0, "pointer": "/statements/incomeStatement/0/values/netRevenues", "value": "5000"}`)
		if got.Status != 200 || member(t, got.Body, "effects", "spreads") != `[{"changes":[],"spreadId":"`+spread+`"}]` {
			t.Errorf("%s: %d %s", was, got.Status, got.Body)
		}
		if want := map[string]string{"SKIPPED": "IN_PROGRESS EXTRACTED", "FAILED": "IN_PROGRESS FAILED"}[was]; state() != want { // its end says the document was used
			t.Errorf("%s: %s", was, state())
		}
	}
}

// What cannot be a correction is refused, and the answer names it.
func TestCorrections_refused(t *testing.T) {
	t.Parallel()
	c := newCorrectable(t)
	id := c.document(t, "completed", statementRead("120.00"))
	for set, want := range map[string]string{
		`{"part": 0, "pointer": "/closingBalance", "value": 120}`:                                                  "/corrections/0/value",
		`{"part": 0, "pointer": "/periodEnd", "value": "31.01.2026"}`:                                              "/corrections/0/value",
		`{"part": 0, "pointer": "/reconciles", "value": "yes"}`:                                                    "/corrections/0/value",
		`{"part": 0, "pointer": "/entries/0/date", "value": null}`:                                                 "/corrections/0/value",
		`{"part": 0, "pointer": "/closing", "value": "1.00"}`:                                                      "/corrections/0/pointer",
		`{"part": 0, "pointer": "/accounts", "value": []}`:                                                         "/corrections/0/pointer",
		`{"part": 0, "pointer": "/entries/1/amount", "value": "1.00"}`:                                             "/corrections/0/pointer",
		`{"part": 1, "pointer": "/closingBalance", "value": "1.00"}`:                                               "/corrections/0/part",
		closing + `, ` + closing:                                                                                   "/corrections/1/pointer",
		`{"part": 0, "pointer": "/closingBalance", "value": "1.00", "page": 2}`:                                    "/corrections/0/page",
		`{"part": 0, "pointer": "/closingBalance", "value": "1.00", "page": 1, "box": [1, 2, 700, 9]}`:             "/corrections/0/box",
		`{"part": 0, "pointer": "/closingBalance", "value": "1.00", "page": 1, "box": "Sheet1!C14"}`:               "/corrections/0/box",
		`{"part": 0, "pointer": "/closingBalance", "value": "1.00", "box": [1, 2, 3, 4]}`:                          "/corrections/0/page",
		`{"pointer": "/closingBalance", "value": "1.00"}`:                                                          "/corrections/0/part",
		`{"part": 0, "pointer": "/closingBalance", "value": "1.00", "reason": "` + strings.Repeat("x", 501) + `"}`: "/corrections/0/reason",
	} {
		if got := c.correct(t, id, set); got.Status != 400 || !strings.Contains(got.Body, `"`+want+`"`) {
			t.Errorf("%s: %d %s; want 400 at %s", set, got.Status, got.Body, want)
		}
	}
	for status, want := range map[string]int{"processing": 409, "failed": 409} {
		if got := c.correct(t, c.document(t, status, ""), closing); got.Status != want || !strings.Contains(got.Body, "document_not_ready") {
			t.Errorf("%s: %d %s", status, got.Status, got.Body)
		}
	}
	if got := c.correct(t, postgres.NewID(), closing); got.Status != 404 {
		t.Errorf("unknown document: %d", got.Status)
	}
	if got := c.correct(t, id, `{"part": 0, "pointer": "/accountHolder", "value": "SSN 219-09-9999"}`); got.Status != 200 || bytes.Contains([]byte(got.Body), []byte("219-09-9999")) {
		t.Errorf("a number of a person is kept: %d %s", got.Status, got.Body)
	}
}
