package console

import (
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
)

// Facts keep the order of the answer, their pointers escape what JSON pointers escape, and empty lists have none.
func TestLeaves(t *testing.T) {
	t.Parallel()
	got, err := leaves(json.RawMessage(`{"closingBalance": "-1234567.50", "periodEnd": "2026-08-31", "reconciles": true, "transactions": 25, "holder": null,
		"accounts": [{"name": "Main", "a/b": "x~"}], "entries": []}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []fact{
		{Pointer: "/closingBalance", Label: "Closing balance", Value: "−1,234,567.50", Kind: "amount"},
		{Pointer: "/periodEnd", Label: "Period end", Value: "2026-08-31", Kind: "date"},
		{Pointer: "/reconciles", Label: "Reconciles", Value: "Yes", Kind: "bool"},
		{Pointer: "/transactions", Label: "Transactions", Value: "25", Kind: "number"},
		{Pointer: "/holder", Label: "Holder", Kind: "none"},
		{Pointer: "/accounts/0/name", Label: "Name", Group: "Accounts 1", Value: "Main", Kind: "text"},
		{Pointer: "/accounts/0/a~1b", Label: "A/b", Group: "Accounts 1", Value: "x~", Kind: "text"},
	}
	if len(got) != len(want) {
		t.Fatalf("%d facts: %+v", len(got), got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("fact %d: %+v\nwant %+v", i, got[i], want[i])
		}
	}
	got, err = leaves(json.RawMessage(" {\"a\" : \"\\u00e9 \\\"x\\\"\" ,\n \"b\" : [ 1 , -2.5e3 ] } "))
	if err != nil || len(got) != 3 || got[0].Value != `é "x"` || got[2].Pointer != "/b/1" || got[2].Value != "-2.5e3" {
		t.Errorf("%+v %v", got, err)
	}
	for _, broken := range []string{"", "{", `{"a`, `{"a": `, `{"a" 1}`, "[1, "} {
		if _, err := leaves(json.RawMessage(broken)); err == nil {
			t.Errorf("%s is read", broken)
		}
	}
}

// The lines of a form are called and ordered as the form does, codes of the contract are words that may be typed again,
// and sums have separators.
func TestLeaves_of_forms(t *testing.T) {
	t.Parallel()
	facts, err := leaves(json.RawMessage(`{"idType": "DRIVERS_LICENSE", "lines": {"10": "7", "2": "3", "1a": "1", "K-16d": "9",
		"16b": "8", "K-4": "5", "L-2aa": "6", "L-1d": "4", "M2-7": "2"}, "partners": [{"name": "Ann"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	orderByLine(facts)
	var got []string
	for _, f := range facts {
		got = append(got, f.Group+"/"+f.Label+"="+f.Value)
	}
	want := "/ID type=Driver's license|Lines/Line 1a=1|Lines/Line 2=3|Lines/Line 10=7|Lines/Line 16b=8|Lines/Schedule K, line 4=5|" +
		"Lines/Schedule K, line 16d=9|Lines/Schedule L, line 1, column d=4|Lines/Schedule L, line 2a, column a=6|" +
		"Lines/Schedule M-2, line 7=2|Partners 1/Name=Ann"
	if said := strings.Join(got, "|"); said != want || facts[0].Raw != "DRIVERS_LICENSE" || facts[2].Pointer != "/lines/2" {
		t.Errorf("%s\nwant %s\n%+v", said, want, facts[0])
	}
	sum := check{Name: "lines_foot", Detail: "line 1c: 2710140 from lines 1a, 1b, printed 2710140"}
	if got := sum.Said(); got != "line 1c: 2,710,140 from lines 1a, 1b, printed 2,710,140" {
		t.Error(got)
	}
}

// What payers report stands in boxes.
func TestLeaves_of_boxes(t *testing.T) {
	t.Parallel()
	facts, err := leaves(json.RawMessage(`{"form": "1099-INT", "lines": {"1": "3.00", "9b": "4.00"}}`))
	if err != nil {
		t.Fatal(err)
	}
	orderByLine(facts)
	if facts[1].Label != "Box 1" || facts[2].Label != "Box 9b" || facts[2].Group != "Boxes" {
		t.Errorf("%+v", facts)
	}
}

// The figures of a statement are called and ordered as the template of spreads does; what it does not know comes last,
// and the rows and sections that captions were put in are in words, too.
func TestFacts_of_statements(t *testing.T) {
	t.Parallel()
	facts, err := leaves(json.RawMessage(`{"statements": {"incomeStatement": [{"label": "FY 2025", "values": {"aFigure": "1.00",
		"advertisingMarketing": "2.00", "grossRevenues": "3.00"}, "unmapped": [{"caption": "Sundry", "section": "operatingExpenses", "row": "grossRevenues"}]},
		{"label": "FY 2024", "values": {"advertisingMarketing": "4.00", "grossRevenues": "5.00"}}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	orderByTemplate(facts, []Row{{"incomeStatement", "grossRevenues", "Gross revenues"}, {"incomeStatement", "advertisingMarketing", "Advertising and marketing"}})
	var got []string
	for _, f := range facts {
		got = append(got, f.Label+"="+f.Value)
	}
	want := "Label=FY 2025|Gross revenues=3.00|Advertising and marketing=2.00|A figure=1.00|Caption=Sundry|Section=Operating expenses|Row=Gross revenues|" +
		"Label=FY 2024|Gross revenues=5.00|Advertising and marketing=4.00"
	if said := strings.Join(got, "|"); said != want || facts[6].Raw != "grossRevenues" {
		t.Errorf("%s\nwant %s", said, want)
	}
}

// Checks that passed are counted in words; what could not be made is not said to have passed.
func TestReadPart_SettledWords(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	for want, checks := range map[string][]check{
		"2 checks passed": {{Passed: &yes}, {Passed: &yes}, {Passed: &no}}, "1 check passed, 1 check could not be made": {{Passed: &yes}, {}},
		"1 check could not be made": {{}}, "": {{Passed: &no}},
	} {
		if got := (readPart{Checks: checks}).SettledWords(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A document that a summary names is led to there, and named once; another stands below it.
func TestLogEntry_Pieces(t *testing.T) {
	t.Parallel()
	e := logEntry{Summary: "2 documents uploaded: a.pdf, b.pdf", Documents: []namedFile{{"1", "a.pdf"}, {"2", "b.pdf"}, {"3", "c.pdf"}}}
	want := []piece{{Text: "2 documents uploaded: "}, {"a.pdf", "1"}, {Text: ", "}, {"b.pdf", "2"}, {}}
	if got := e.Pieces(); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	if got := e.Unnamed(); len(got) != 1 || got[0].ID != "3" {
		t.Errorf("%+v", got)
	}
}

// Every statement has the columns of all, in the template's order.
func TestColumnsOf(t *testing.T) {
	t.Parallel()
	year, part, scaled := spreadPeriod{ID: "2024-01-01_2024-12-31", Label: "FY 2024", Start: "2024-01-01", End: "2024-12-31"},
		spreadPeriod{ID: "2025-01-01_2025-06-30", Label: "6M 2025", Start: "2025-01-01", End: "2025-06-30"},
		spreadPeriod{ID: "2025-01-01_2025-06-30_annualized", Start: "2025-01-01", End: "2025-06-30", Annualized: true}
	columns := columnsOf([]spreadPeriod{part, scaled}, []spreadPeriod{year, part}, nil)
	if len(columns) != 3 || columns[0].ID != year.ID || columns[1].ID != part.ID || columns[2].ID != scaled.ID {
		t.Fatalf("%+v", columns)
	}
	own := alignColumns(columns, []spreadPeriod{{ID: part.ID}})
	if len(own) != 3 || !own[0].Absent || own[1].Absent || own[1].Label != "6M 2025" || !own[2].Absent {
		t.Errorf("%+v", own)
	}
}

// What the activity calls by the names of fields is said in words; a warning of several columns stands once; the audit
// says which key and which person.
func TestWords_of_fields(t *testing.T) {
	t.Parallel()
	for summary, want := range map[string]string{
		"Lead updated: status, didOptOut, optOutAt": "Lead updated: status, opted out",
		"Lead updated: firstName, Legal name":       "Lead updated: first name, Legal name",
		"Read a, firstName.pdf: done":               "Read a, firstName.pdf: done",
	} {
		if got := changeSummary(summary); got != want {
			t.Errorf("%s: %s, want %s", summary, got, want)
		}
	}
	first, second := "2023-01-01_2023-12-31", "2024-01-01_2024-12-31"
	warnings := mergeWarnings([]spreadWarning{{Code: "a", Detail: "x", PeriodID: &first}, {Code: "b"},
		{Code: "a", Detail: "x", PeriodID: &second}})
	if len(warnings) != 2 || strings.Join(warnings[0].Periods, " ") != "2023-12-31 2024-12-31" {
		t.Errorf("%+v", warnings)
	}
	page := settingsPage{Keys: []apiKey{{ID: "k", Name: "crm"}}, endpoints: []webhook{{ID: "w", URL: "https://hooks.example/a"}}, leads: map[string]string{"l": "Ann Ames"}}
	ended := auditEntry{}
	ended.Subject.Type, ended.Subject.ID, ended.Details.PersonID = "session", "s2", "p"
	page.Sessions, page.Entries = []session{{ID: "s1"}}, []auditEntry{ended}
	page.Sessions[0].Person.ID, page.Sessions[0].Person.Email = "p", "ann@lender.example"
	page.named = page.names()
	for of, want := range map[string]subject{
		"api_key k": {"API key “crm”", "", "k"}, "spread 1": {"Spread", "/console/spreads/1", "1"}, "lead l": {"Ann Ames", "/console/leads/l", "l"},
		"lead gone": {"A lead that was deleted", "", "gone"}, "webhook w": {"Webhook to hooks.example/a", "/console/webhooks?webhook=w", "w"},
		"session s2": {"Session of ann@lender.example", "", "s2"}, "workspace x": {"This workspace", "", "x"}, "erasure e": {"Erasure of Ann Ames", "/console/leads/l", "e"},
		"job j": {"Document extract", "", "j"}, "delivery d": {"Delivery", "/console/webhooks?delivery=d", "d"},
	} {
		entry := auditEntry{}
		entry.Subject.Type, entry.Subject.ID, _ = strings.Cut(of, " ")
		entry.Details.LeadID, entry.Details.Kind = "l", "document.extract"
		if got := page.On(entry); got != want {
			t.Errorf("%s: %+v", of, got)
		}
	}
}

// Periods that have different rows stand beside each other in one order of rows, with gaps where one has none.
func TestTableOf(t *testing.T) {
	t.Parallel()
	var periods []spreadPeriod
	if err := json.Unmarshal([]byte(`[{"id": "a", "values": {"sales": {"label": "Sales", "value": 10, "kind": "line"}, "net": {"label": "Net", "value": -4.5, "kind": "total"}}},
		{"id": "b", "values": {"sales": {"label": "Sales", "value": 1, "kind": "line"}, "rent": {"label": "Rent", "value": 2, "kind": "line"}, "net": {"label": "Net", "value": -1, "kind": "total"}}}]`), &periods); err != nil {
		t.Fatal(err)
	}
	table := tableOf("incomeStatement", periods)
	var keys []string
	for _, row := range table.Rows {
		keys = append(keys, row.Key)
	}
	if got := strings.Join(keys, " "); got != "sales rent net" {
		t.Fatalf("rows: %s", got)
	}
	if table.Rows[1].Cells[0].Value != nil || table.Rows[1].Cells[1].Value.Shown() != "2" || table.Rows[2].Cells[0].Value.Shown() != "(4.5)" {
		t.Errorf("%+v", table.Rows)
	}
}

// What an operation refuses is what the page says; what a page writes of others is text, never markup.
func TestPages_of_refusals_and_of_strangers(t *testing.T) {
	t.Parallel()
	refuse := func(string) (Reply, error) {
		return Reply{Status: 403, Body: []byte(`{"title": "Forbidden", "detail": "This operation needs the role admin"}`)}, nil
	}
	_, err := Visit{Ask: refuse, Query: url.Values{}}.Leads()
	var refused *Refused
	if !errors.As(err, &refused) || refused.Status != 403 || refused.Detail != "This operation needs the role admin" {
		t.Errorf("%v", err)
	}
	list := func(string) (Reply, error) {
		return Reply{Status: 200, Body: []byte(`[{"id": "1", "name": "<script>alert(1)</script>", "businessName": "\"><img src=x>", "tags": ["</td><b>"]}]`)}, nil
	}
	v := Visit{Ask: list, Query: url.Values{}, Me: Me{Email: "a@b.c", Role: "viewer"}, Now: time.Unix(0, 0)}
	page, err := v.Leads()
	if err != nil {
		t.Fatal(err)
	}
	html, err := page.Show(v)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script>alert", "<img src=x", "<b>"} {
		if strings.Contains(string(html), bad) {
			t.Errorf("the page has %s of a stranger", bad)
		}
	}
	if !strings.Contains(string(html), "&lt;script&gt;alert(1)&lt;/script&gt;") {
		t.Error("the name is not there")
	}
}

// The elements of a flat list are a table without the columns that no element fills; the rest are pairs.
func TestBlocksOf(t *testing.T) {
	t.Parallel()
	facts, err := leaves(json.RawMessage(`{"holder": "Ann", "entries": [{"date": "2026-08-01", "amount": "1.00", "account": null},
		{"date": "2026-08-02", "amount": "-2.00", "account": null}], "accounts": [{"name": "Main"}],
		"statements": {"incomeStatement": [{"label": "FY 2025", "values": {"rent": "3.00"}}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	periodWords(facts)
	var got []string
	for _, b := range blocksOf(facts) {
		line := b.Group + ":"
		for _, f := range b.Facts {
			line += " " + f.Pointer
		}
		for _, row := range b.Rows {
			line += " |"
			for _, c := range row {
				line += " " + c.Value
			}
		}
		got = append(got, line+" "+strings.Join(b.Columns, ","))
	}
	want := []string{": /holder ", "Entries: | 2026-08-01 1.00 | 2026-08-02 −2.00 Date,Amount", "Accounts 1: /accounts/0/name ",
		"Income statement, FY 2025: /statements/incomeStatement/0/label /statements/incomeStatement/0/values/rent "}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Each wording of a formula finds the facts that it was made of.
func TestOperands(t *testing.T) {
	t.Parallel()
	facts, err := leaves(json.RawMessage(`{"openingBalance": "10.00", "closingBalance": "12.00", "totalDeposits": "5.00", "totalWithdrawals": "2.00", "checks": "1.00",
		"totalCredits": null, "reconciles": true, "form": "1065", "taxYear": 2025, "periodStart": "2025-01-01", "personal": false, "mrz": "P<", "interestExpense": "7",
		"lines": {"16a": "7", "22": "9"}, "other": "1.00",
		"accounts": [{"accountNumber": "1", "deposits": "5.00"}, {"accountNumber": "2", "deposits": "8.00"}],
		"entries": [{"date": "2026-08-02", "amount": "5.00", "balance": null, "account": "1"}, {"date": "2026-08-01", "amount": "-3.00", "balance": "12.00", "account": "1"},
			{"date": "2026-08-03", "amount": "8.00", "balance": "20.00", "account": "2"}],
		"statements": {"incomeStatement": [{"start": "2025-01-01", "end": "2025-12-31", "months": 12}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range []struct{ pointer, says, want string }{
		{"/reconciles", "opening balance plus credits minus debits against the closing balance",
			`[{"p":"/openingBalance"},{"p":"/totalDeposits"},{"p":"/totalWithdrawals"},{"p":"/checks"},{"p":"/closingBalance"}]`},
		{"/totalDeposits", "sum of 2 credits", `[{"p":"/entries/0/amount"},{"p":"/entries/2/amount"}]`},
		{"/totalWithdrawals", "sum of 1 debits", `[{"p":"/entries/1/amount"}]`},
		{"/accounts/1/deposits", "sum of 1 credits", `[{"p":"/entries/2/amount"}]`},
		{"/openingBalance", "first running balance minus the transactions up to it", `[{"p":"/entries/1/balance"},{"p":"/entries/0/amount"},{"p":"/entries/1/amount"}]`},
		{"/closingBalance", "last running balance", `[{"p":"/entries/2/balance"}]`},
		{"/entries/2/balance", "the balance before it plus the amount", `[{"p":"/entries/1/balance"},{"p":"/entries/2/amount"}]`},
		{"/periodStart", "date of the first transaction", `[{"p":"/entries/1/date"}]`},
		{"/periodStart", "calendar year of the form: no other tax year is filled in", `[{"p":"/taxYear"}]`},
		{"/personal", "form 1065 is a person's or is not", `[{"p":"/form"}]`},
		{"/interestExpense", "line 16a, line 16b being empty", `[{"p":"/lines/16a"}]`},
		{"/statements/incomeStatement/0/months", "months from 2025-01-01 to 2025-12-31",
			`[{"p":"/statements/incomeStatement/0/start"},{"p":"/statements/incomeStatement/0/end"}]`},
		{"/other", "sum of Checks, Electronic withdrawals", `[{"p":"/checks"},{"w":"Electronic withdrawals"}]`},
		{"/taxYear", "year in the head of the form", `[{"p":"/form"}]`},
		{"/form", "title of the document", ""},
	} {
		if got := operands(fact{Pointer: one.pointer, Derived: one.says}, facts, valuesOf(facts)); got != one.want {
			t.Errorf("%s, %s: %s\nwant %s", one.pointer, one.says, got, one.want)
		}
	}
}

// A sum of many entries names them as one list.
func TestOperands_many(t *testing.T) {
	t.Parallel()
	facts := []fact{{Pointer: "/total", Kind: "amount", Value: "9.00", Derived: "sum of 30 credits"}}
	for i := range 30 {
		facts = append(facts, fact{Pointer: "/entries/" + strconv.Itoa(i) + "/amount", Kind: "amount", Value: "0.30"})
	}
	got := operands(facts[0], facts, valuesOf(facts))
	if !strings.HasPrefix(got, `[{"l":"/entries","f":"amount","i":[0,1,2,`) || !strings.HasSuffix(got, `,29]}]`) {
		t.Error(got)
	}
}

// What the lead says stands beside the fact that says the same; legal forms and capitals make no difference.
func TestCompare(t *testing.T) {
	t.Parallel()
	facts, err := leaves(json.RawMessage(`{"accountHolder": "ANN'S ANVILS", "ein": "12-3456789", "ssn": "***-**-8430", "firstName": "ANNA", "dateOfBirth": null, "rent": "1.00"}`))
	if err != nil {
		t.Fatal(err)
	}
	business, first := "Ann's Anvils, LLC", "Ann"
	answer := func(label, kind, value string) entry {
		e := entry{Value: json.RawMessage(`"` + value + `"`)}
		e.ChecklistItem.Label, e.ChecklistItem.FieldType = label, kind
		return e
	}
	side, left := compare(lead{BusinessName: &business, FirstName: &first}, []entry{answer("Employer id", "EIN", "12-3456780"), answer("Social security", "SSN", "***-**-8430"),
		answer("Date of birth", "DATE", "1990-01-01"), answer("Legal business name", "TEXT", business), answer("Amount", "NUMBER", "5")},
		[]readPart{{Index: 3, Blocks: blocksOf(facts)}})
	var got []string
	for _, c := range side {
		got = append(got, strings.Join([]string{c.Label, c.Answer, c.Read, map[bool]string{true: "same", false: "differs"}[c.Same]}, " / "))
	}
	want := []string{"Business / Ann's Anvils, LLC / ANN'S ANVILS / same", "First name / Ann / ANNA / differs", "Employer id / 12-3456780 / 12-3456789 / differs",
		"Social security / ***-**-8430 / ***-**-8430 / same"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") || len(left) != 2 || left[0].ChecklistItem.Label != "Date of birth" || side[0].Part != 3 {
		t.Errorf("%s\n%+v", strings.Join(got, "\n"), left)
	}
}

// A state that is behind a pointer is said in words, too, and ratios are written in their template's format.
func TestWords(t *testing.T) {
	t.Parallel()
	state := "RETRYING"
	if got := say(&state) + " " + tone(&state) + say((*string)(nil)); got != "Retrying wait" {
		t.Error(got)
	}
	for number, want := range map[string]string{"+12125550123": "(212) 555-0123", "+442079460958": "+442079460958", "": ""} {
		if got := phone(&number); got != want {
			t.Errorf("%s is said %s, want %s", number, got, want)
		}
	}
	for _, one := range []struct{ n, format, want string }{{"0.0847", "0.0%", "8.5%"}, {"3.2892", "0.00x", "3.29x"}, {"-40.73", "0", "(41)"}, {"285828.17", "money", "285,828.17"}} {
		if got := ratioWords(json.Number(one.n), one.format); got != one.want {
			t.Errorf("%s as %s: %s, want %s", one.n, one.format, got, one.want)
		}
	}
}

// A part with more facts than a page holds is shown page by page.
func TestReadPart_window(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		from          string
		first         int
		before, after string
		left          int
	}{
		{"", 0, "", "?facts=1.250", maxFacts + 7}, {"1.250", 250, "?facts=1.0", "?facts=1.500", 7}, {"1.500", 500, "?facts=1.250", "", 0},
		{"0.250", 0, "", "?facts=1.250", maxFacts + 7}, {"1.9999", 0, "", "?facts=1.250", maxFacts + 7}, {"1.-3", 0, "", "?facts=1.250", maxFacts + 7}, {"x", 0, "", "?facts=1.250", maxFacts + 7},
	} {
		p := readPart{Index: 1}
		first, last := p.window(2*maxFacts+7, one.from)
		if got := first; got != one.first || last != min(first+maxFacts, 2*maxFacts+7) || p.Before != one.before || p.After != one.after || p.Left != one.left {
			t.Errorf("%q: from %d, before %q, after %q, %d left", one.from, got, p.Before, p.After, p.Left)
		}
	}
}

// A review of a fact begins with the page of facts that has it.
func TestReviewPage_begin(t *testing.T) {
	t.Parallel()
	facts := make([]fact, 2*maxFacts+7)
	for i := range facts {
		facts[i].Pointer = "/f" + strings.Repeat("x", i)
	}
	part, pointer := 1, facts[maxFacts+3].Pointer
	r := &review{}
	r.Subject.Part, r.Subject.Pointer = &part, &pointer
	p := reviewPage{Review: r}
	for _, one := range []struct {
		part       int
		from, want string
	}{{1, "", "1.250"}, {1, "1.0", "1.0"}, {0, "", ""}} {
		if got := p.begin(one.part, facts, one.from); got != one.want {
			t.Errorf("part %d from %q: %q, want %q", one.part, one.from, got, one.want)
		}
	}
}

// What was done is said as done, and why a delivery failed in words.
func TestWords_of_what_was_done(t *testing.T) {
	t.Parallel()
	for _, a := range dossier.AuditActions {
		done := auditEntry{Action: string(a.Action)}.Done()
		if last := done[strings.LastIndexByte(done, ' ')+1:]; strings.ContainsAny(done, "_.") || strings.HasSuffix(last, "eed") {
			t.Errorf("%s: %s", a.Action, done)
		}
	}
	for action, want := range map[string]string{"document.override": "Document overridden",
		"review.take_over": "Review taken over", "webhook.rotate_secret": "Webhook secret rotated",
		"api_key.create": "API key created", "workspace.change": "Workspace changed"} {
		if got := (auditEntry{Action: action}).Done(); got != want {
			t.Errorf("%s: %s, want %s", action, got, want)
		}
	}
	for class, want := range map[dossier.ErrorClass]string{dossier.ErrorHTTP5xx: "Server error",
		dossier.ErrorDNS: "Name not found"} {
		if got := say(class); got != want {
			t.Errorf("%s: %s, want %s", class, got, want)
		}
	}
}

// A part of which nothing was read says so.
func TestPages_of_nothing_read(t *testing.T) {
	t.Parallel()
	v := Visit{Query: url.Values{}, Me: Me{Email: "a@b.c", Role: "viewer"}, Now: time.Unix(0, 0)}
	page := Page{File: "review", Data: reviewPage{PageCount: 1, Parts: []readPart{{DocType: "other", Pages: [2]int{1, 1}}}}}
	html, err := page.Show(v)
	if err != nil || !strings.Contains(string(html), "No facts were read on these pages.") {
		t.Errorf("%v", err)
	}
}
