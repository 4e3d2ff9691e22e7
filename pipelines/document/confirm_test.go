package document

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/llm"
)

// A language model may confirm or doubt a figure that OCR read with little confidence. It changes no fact, whatever
// it answers, and is asked about nothing else.
func TestConfirm(t *testing.T) {
	closing := dossier.Amount{}
	if err := closing.UnmarshalJSON([]byte(`"849.50"`)); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, answer, method string
		confidence           float64
		calls                int
		evidence, warning    string
	}{
		{"reads the same", `{"known":true,"quote":"849.50"}`, text.MethodOCR, 0.4, 1, `reads /closingBalance as "849.50" too`, ""},
		{"reads another figure", `{"known":true,"quote":"349.50"}`, text.MethodOCR, 0.4, 1, "", `read as "849.50"; a language model reads "349.50"`},
		{"lies", `{"known":true,"quote":"1,000,000.00"}`, text.MethodOCR, 0.4, 1, "", ""},
		{"answers no JSON", `I believe it is 849.50`, text.MethodOCR, 0.4, 1, "", ""},
		{"finds nothing", `{"known":false,"quote":""}`, text.MethodOCR, 0.4, 1, "", ""},
		{"is not asked about what is clear", `{"known":true,"quote":"349.50"}`, text.MethodOCR, 0.9, 0, "", ""},
		{"is not asked about a text layer", `{"known":true,"quote":"349.50"}`, text.MethodText, 0.4, 0, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			calls := 0
			web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				calls++
				w.Header().Set("Content-Type", "application/json")
				_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]any{"role": "assistant", "content": tt.answer}}}})
			}))
			t.Cleanup(web.Close)
			model, err := llm.New(llm.Config{URL: web.URL, Name: "m", HTTP: web.Client(), Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
			if err != nil {
				t.Fatal(err)
			}
			e := &dossier.Extraction{Documents: []dossier.ReadDocument{{DocType: dossier.DocBankStatement, Pages: [2]int{1, 1},
				Facts:   dossier.Facts{Bank: &dossier.BankFacts{ClosingBalance: &closing}},
				Sources: map[string]dossier.Source{"/closingBalance": {Page: 1, Text: "849.50", Confidence: tt.confidence, Method: tt.method, Caption: "Ending balance"}}}}}
			Confirm(t.Context(), model, "w1", e, []text.Page{documenttest.Page("Ending balance|849.50", "Minimum balance|349.50")})
			d := e.Documents[0]
			if calls != tt.calls || d.Facts.Bank.ClosingBalance.String() != "849.50" {
				t.Errorf("%d calls, want %d; the fact is %s", calls, tt.calls, d.Facts.Bank.ClosingBalance)
			}
			if got := strings.Join(d.Evidence, "; "); (tt.evidence == "") != (got == "") || !strings.Contains(got, tt.evidence) {
				t.Errorf("evidence %q, want %q", got, tt.evidence)
			}
			var warned []string
			for _, w := range d.Warnings {
				warned = append(warned, w.Detail)
			}
			if got := strings.Join(warned, "; "); (tt.warning == "") != (got == "") || !strings.Contains(got, tt.warning) {
				t.Errorf("warnings %q, want %q", got, tt.warning)
			}
		})
	}
}
