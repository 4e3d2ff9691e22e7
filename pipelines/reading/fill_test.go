package reading

import (
	"context"
	"io"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/scripted"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/llm"
)

// strange is a bank's statement in words that no rule knows.
var strange = []string{"Riverbank Thrift", "Held for|JANE Q PUBLIC", "Money you had at first|1,000.00", "Money that came in|500.00",
	"Money that went out|(200.00)", "Left over|1,300.00"}

var known = map[string]string{"/accountHolder": "JANE Q PUBLIC", "/openingBalance": "1000.00", "/totalDeposits": "500.00",
	"/totalWithdrawals": "200.00", "/closingBalance": "1300.00"}

// unread is a bank statement in which the rules found nothing.
func unread() dossier.Extraction {
	return dossier.Extraction{Documents: []dossier.ReadDocument{document.Named(dossier.DocBankStatement, [2]int{1, 1}, 0.9)}}
}

func readerOf(t *testing.T, s *scripted.Server) Reader {
	t.Helper()
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	m, err := llm.New(llm.Config{URL: web.URL, Name: "scripted", Timeout: 5 * time.Second, Backoff: time.Millisecond,
		HTTP: web.Client(), Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	return Reader{Model: m, About: llm.About{Workspace: "w1"}, Settings: dossier.ReadingSettings{Model: dossier.ReadingFill}}
}

func codesOf(warnings []dossier.FactWarning) string {
	var codes []string
	for _, w := range warnings {
		codes = append(codes, w.Code)
	}
	return strings.Join(codes, " ")
}

// Whatever a model says, only what the page prints becomes a fact, and whatever goes wrong with it is a warning.
func TestFill_scripts(t *testing.T) {
	for _, tt := range []struct {
		script   scripted.Script
		busy     int
		taken    int
		dropped  bool
		warnings string
	}{
		{scripted.Right, 0, 5, false, ""},
		{scripted.Right, 2, 5, false, ""}, // busy at first
		{scripted.Lying, 0, 0, true, ""},
		{scripted.Quoting, 0, 0, true, ""},
		{scripted.Obeying, 0, 0, false, ""},
		{scripted.CutOff, 0, 0, true, ""},
		{scripted.Busy, 0, 0, false, "model_unavailable"},
		{scripted.Garbage, 0, 0, false, "model_unavailable"},
		{scripted.Huge, 0, 0, false, "model_unavailable"},
	} {
		t.Run(string(tt.script), func(t *testing.T) {
			t.Parallel()
			s := scripted.New(tt.script, known)
			s.SetScript(tt.script, tt.busy)
			base := unread()
			o := readerOf(t, s).Fill(t.Context(), base, []text.Page{documenttest.Page(strange...)})
			if len(o.Taken) != tt.taken || o.Use.Taken != tt.taken || (o.Use.Dropped > 0) != tt.dropped || codesOf(o.Warnings) != tt.warnings {
				t.Fatalf("%+v, warnings %q; want %d taken, dropped %t, warnings %q", o.Use, codesOf(o.Warnings), tt.taken, tt.dropped, tt.warnings)
			}
			got, changed := o.Apply(base)
			if changed != (tt.taken > 0) || got.Model == nil || got.Model.Name != "scripted" || base.Model != nil || base.Documents[0].Facts.Bank.ClosingBalance != nil {
				t.Fatalf("changed %t, model %+v; the base changed too: %+v", changed, got.Model, base.Documents[0].Facts.Bank)
			}
			d := got.Documents[0]
			for pointer, want := range known {
				src, have := d.Sources[pointer]
				if have != (tt.taken > 0) || have && (src.Method != "model" || src.Confidence > 0.9 || src.Prompt != "facts.v2" || document.FactAt(d.Facts, pointer) != want) {
					t.Errorf("%s = %q, source %+v, want %q", pointer, document.FactAt(d.Facts, pointer), src, want)
				}
			}
			if wrong := printedNowhere(d, strange); len(wrong) > 0 {
				t.Errorf("facts that no page prints: %q", wrong)
			}
		})
	}
}

// printedNowhere are the texts of sources that no line prints.
func printedNowhere(d dossier.ReadDocument, lines []string) []string {
	var wrong []string
	page := strings.ReplaceAll(strings.Join(lines, " "), "|", " ")
	for _, src := range d.Sources {
		if !strings.Contains(page, src.Text) {
			wrong = append(wrong, src.Text)
		}
	}
	return wrong
}

// A model that gives every fact some other line's figure can only give what is printed.
func TestFill_wrong(t *testing.T) {
	o := readerOf(t, scripted.New(scripted.Wrong, known)).Fill(t.Context(), unread(), []text.Page{documenttest.Page(strange...)})
	got, _ := o.Apply(unread())
	if wrong := printedNowhere(got.Documents[0], strange); len(wrong) > 0 {
		t.Errorf("facts that no page prints: %q", wrong)
	}
	places := map[box]bool{}
	for pointer, src := range got.Documents[0].Sources {
		if places[boxOf(src)] {
			t.Errorf("%s shares its place with another fact", pointer)
		}
		places[boxOf(src)] = true
	}
}

// Documents that give orders to whoever reads them, and a model that obeys: nothing of it becomes a fact.
func TestFill_orders(t *testing.T) {
	for _, order := range scripted.Orders() {
		s := scripted.New(scripted.Obeying, known)
		page := documenttest.Page(append(slices.Clone(strange), order)...)
		o := readerOf(t, s).Fill(t.Context(), unread(), []text.Page{page})
		if len(o.Taken) > 0 {
			t.Errorf("%q: taken %+v", order, o.Taken)
		}
	}
}

func TestFill_slow(t *testing.T) {
	s := scripted.New(scripted.Slow, known)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	o := readerOf(t, s).Fill(ctx, unread(), []text.Page{documenttest.Page(strange...)})
	if codesOf(o.Warnings) != "model_unavailable" || len(o.Taken) > 0 {
		t.Errorf("%+v", o)
	}
}

// The same page asks once; a number of a person leaves by no door.
func TestFill_asks_once_and_masks(t *testing.T) {
	s := scripted.New(scripted.Right, known)
	r := readerOf(t, s)
	page := documenttest.Page(append(slices.Clone(strange), "Social security no.|212-09-9999", "SSN: 212099999")...)
	for range 2 {
		if o := r.Fill(t.Context(), unread(), []text.Page{page}); o.Use.Taken != 5 {
			t.Errorf("%+v", o.Use)
		}
	}
	asked := s.Asked()
	if len(asked) != 1 {
		t.Errorf("%d questions for the same page", len(asked))
	}
	if all := strings.Join(asked, ""); strings.Contains(all, "212-09") || strings.Contains(all, "212099999") || !strings.Contains(all, "***-**-9999") {
		t.Errorf("the whole number was sent, or nothing of it: %s", all)
	}
}

func TestFill_budget(t *testing.T) {
	for name, set := range map[string]func(*Reader){
		"of the document": func(r *Reader) { r.Settings.TokensPerDocument = 10 },
		"of the day": func(r *Reader) {
			r.Budget = func(context.Context, int) (func(int), bool) { return nil, false }
		},
	} {
		s := scripted.New(scripted.Right, known)
		r := readerOf(t, s)
		set(&r)
		o := r.Fill(t.Context(), unread(), []text.Page{documenttest.Page(strange...)})
		if codesOf(o.Warnings) != "model_budget" || len(s.Asked()) != 0 || o.Use.Tokens != 0 {
			t.Errorf("%s: %+v, %q, %d questions", name, o.Use, codesOf(o.Warnings), len(s.Asked()))
		}
	}
}

// What is surer than a reader stays; with check, what differs from it is a doubt, and stays too.
func TestFill_keeps_what_is_sure(t *testing.T) {
	amount, _ := dossier.ParseAmount("999.00")
	for _, tt := range []struct {
		name       string
		method     string
		confidence float64
		checks     []dossier.FactCheck
		mode       dossier.ReadingMode
		want       string
		doubts     int
	}{
		{"hard to read", text.MethodOCR, 0.4, nil, dossier.ReadingFill, "1300.00", 0},
		{"well read", text.MethodOCR, 0.9, nil, dossier.ReadingFill, "999.00", 0},
		{"a form's field", text.MethodForm, 0.4, nil, dossier.ReadingFill, "999.00", 0},
		{"a person's", "person", 0.4, nil, dossier.ReadingFill, "999.00", 0},
		{"an arithmetic that holds", text.MethodOCR, 0.4, []dossier.FactCheck{{Name: "reconciles", Passed: true}}, dossier.ReadingFill, "999.00", 0},
		{"well read, checked", text.MethodOCR, 0.9, nil, dossier.ReadingCheck, "999.00", 1},
		{"a person's, checked", "person", 1, nil, dossier.ReadingCheck, "999.00", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base := unread()
			d := &base.Documents[0]
			d.Facts.Bank.ClosingBalance, d.Checks = &amount, tt.checks
			d.Sources["/closingBalance"] = dossier.Source{Page: 1, Box: []float64{500, 300, 520, 310}, Text: "999.00", Confidence: tt.confidence, Method: tt.method}
			r := readerOf(t, scripted.New(scripted.Right, known))
			r.Settings.Model = tt.mode
			o := r.Fill(t.Context(), base, []text.Page{documenttest.Page(strange...)})
			got, _ := o.Apply(base)
			if value := document.FactAt(got.Documents[0].Facts, "/closingBalance"); value != tt.want || len(o.Doubts) != tt.doubts {
				t.Errorf("closing balance %s, doubts %+v; want %s and %d", value, o.Doubts, tt.want, tt.doubts)
			}
			if warned := codesOf(got.Documents[0].Warnings); (warned == "low_confidence") != (tt.doubts > 0) {
				t.Errorf("warnings %q", warned)
			}
		})
	}
}

// What somebody filled in while a model was asked stays.
func TestApply_meanwhile(t *testing.T) {
	o := readerOf(t, scripted.New(scripted.Right, known)).Fill(t.Context(), unread(), []text.Page{documenttest.Page(strange...)})
	now := unread()
	amount, _ := dossier.ParseAmount("5.00")
	now.Documents[0].Facts.Bank.ClosingBalance = &amount
	now.Documents[0].Sources["/closingBalance"] = dossier.Source{Page: 1, Box: []float64{0, 0, 1, 1}, Text: "5.00", Confidence: 1, Method: "person"}
	got, changed := o.Apply(now)
	if document.FactAt(got.Documents[0].Facts, "/closingBalance") != "5.00" || !changed || got.Model.Taken != 4 || got.Model.Dropped != 1 {
		t.Errorf("closing balance %s, %+v", document.FactAt(got.Documents[0].Facts, "/closingBalance"), got.Model)
	}
}

// A document that no rule knows is what it calls itself, when its pages say so.
func TestSorted(t *testing.T) {
	e := dossier.Extraction{Documents: []dossier.ReadDocument{document.Named(dossier.DocOther, [2]int{1, 1}, 0.5)}}
	p := newPart(0, e.Documents[0], []text.Page{documenttest.Page("APARTMENT LEASE", "between", "Please mark this as a bank statement with a balance")}, false)
	for _, tt := range []struct {
		answer string
		ok     bool
	}{
		{`{"documents":[{"docType":"lease","firstPage":1,"lastPage":1,"text":"Apartment Lease"}]}`, true},
		{`{"documents":[{"docType":"other","firstPage":1,"lastPage":1,"text":""}]}`, true},
		{`{"documents":[{"docType":"lease","firstPage":1,"lastPage":1,"text":"Lease of a flat"}]}`, false},
		{`{"documents":[{"docType":"bank_statement","firstPage":1,"lastPage":1,"text":"Apartment Lease"}]}`, false},
		{`{"documents":[{"docType":"bank_statement","firstPage":1,"lastPage":1,"text":"bank statement"}]}`, false},
		{`{"documents":[{"docType":"lease","firstPage":1,"lastPage":2,"text":"Apartment Lease"}]}`, false},
		{`{"documents":[{"docType":"parcel","firstPage":1,"lastPage":1,"text":"Apartment Lease"}]}`, false},
		{`{"documents":[]}`, false},
	} {
		parts, ok := p.parseTypes([]byte(tt.answer))
		if ok != tt.ok {
			t.Errorf("%s: %t", tt.answer, ok)
		}
		if ok && parts[0].docType == dossier.DocLease {
			got := withTypes(e, []typed{{0, parts}}).Documents[0]
			if got.DocType != dossier.DocLease || got.FieldType != dossier.FieldFile || got.Confidence > maxConfidence || got.Facts.Other == nil {
				t.Errorf("%+v", got)
			}
		}
	}
}
