package dossier

import (
	"encoding/json"
	"strings"
	"testing"
)

// Every code says something in both languages, names no value that only one of them has, and is still itself after JSON.
func TestReasonWords(t *testing.T) {
	for code, w := range reasonWords {
		for _, language := range []Language{English, Spanish} {
			if strings.TrimSpace(w.in(language)) == "" {
				t.Errorf("%s says nothing in %s", code, language)
			}
		}
		english := map[string]bool{}
		for _, g := range reasonPlace.FindAllStringSubmatch(w.en, -1) {
			english[g[1]] = true
		}
		for _, g := range reasonPlace.FindAllStringSubmatch(w.es, -1) {
			if !english[g[1]] {
				t.Errorf("%s: only Spanish says %q", code, g[1])
			}
		}
		if asks := NewRuleResult("r", false, NewReason(code)).Unsure(); asks != w.asks {
			t.Errorf("%s asks for a person: %v", code, asks)
		}
	}
}

// A reason is said from its code and values alone, in the reader's language, also after it was stored.
func TestReason_In(t *testing.T) {
	second := NewReason("kind_is", "docType", "pay_stub")
	for _, test := range []struct {
		reason           Reason
		english, spanish string
	}{
		{NewReason("expiry_date", "date", "2020-01-31", "today", "2020-02-20").With("file", "id.jpg"), "id.jpg: The expiry date is 2020-01-31, 20 days before 2020-02-20.", "id.jpg: la fecha de vencimiento es el 2020-01-31."},
		{NewReason("fact_missing", "fact", "expiry_date"), "needs a person: no expiry date was read on the document.", "Hace falta una persona: no se leyó en el documento: fecha de vencimiento."},
		{NewReason("figure_is", "figure", "closing_balance", "value", "12000.5", "op", ">=", "bound", "15000", "terms", []string{"7000", "5000.5"}),
			"The closing balance is 12,000.5 (7,000 + 5,000.5), at least 15,000 is asked.", "Saldo final: 12,000.5; se pide al menos 15,000."},
		{NewReason("kind_is", "docType", "tax_return", "form", "1120-S", "taxYear", 2023).With("pages", []int{1, 4}).With("also", []Reason{second}),
			"Pages 1 to 4: The document is Form 1120-S for 2023. The document is a pay stub.", "Páginas 1 a 4: el documento es el formulario 1120-S de 2023. El documento es un recibo de nómina."},
	} {
		data, err := json.Marshal(test.reason)
		if err != nil {
			t.Fatal(err)
		}
		var stored Reason
		if err := json.Unmarshal(data, &stored); err != nil {
			t.Fatal(err)
		}
		for _, r := range []Reason{test.reason, stored} {
			if got := r.In(English); got != test.english {
				t.Errorf("got  %s\nwant %s", got, test.english)
			}
			if got := r.In(Spanish); got != test.spanish {
				t.Errorf("got  %s\nwant %s", got, test.spanish)
			}
		}
	}
}
