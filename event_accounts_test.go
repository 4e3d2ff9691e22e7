package dossier

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestMaskAccounts(t *testing.T) {
	got, err := MaskAccounts([]byte(`{"leadId":null,"pipelineRun":{"result":{"documents":[{"facts":{"accountNumber":"000 1234-56789","institution":"First 123456789 Bank",` +
		`"accounts":[{"name":"Checking 123456789","accountNumber":"xxxx6789"},{"accountNumber":null}],` +
		`"entries":[{"amount":-12.50,"description":"to 123456789","account":"DE89370400440532013000"},{"account":"Savings"}]},` +
		`"sources":{"/accountNumber":{"page":1,"text":"Account 123456789"},"/entries/0/account":{"text":"DE89370400440532013000"},"/institution":{"text":"First 123456789 Bank"}}}],` +
		`"account":"123456789"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"leadId":null,"pipelineRun":{"result":{"documents":[{"facts":{"accountNumber":"…6789","institution":"First 123456789 Bank",` +
		`"accounts":[{"name":"Checking 123456789","accountNumber":"…6789"},{"accountNumber":null}],` +
		`"entries":[{"amount":-12.50,"description":"to 123456789","account":"…3000"},{"account":"Savings"}]},` +
		`"sources":{"/accountNumber":{"page":1,"text":"…6789"},"/entries/0/account":{"text":"…3000"},"/institution":{"text":"First 123456789 Bank"}}}],` +
		`"account":"123456789"}}}`
	if string(got) != want || !json.Valid(got) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	plain := []byte(`{"lead": {"id": "1"}}`)
	if got, err := MaskAccounts(plain); err != nil || string(got) != string(plain) {
		t.Errorf("%s, %v", got, err)
	}
}

// What a reason says of an account's number is masked with its sentence; other values and citations stay.
func TestMaskAccounts_of_reasons(t *testing.T) {
	why := NewReason("fact_shown", "fact", "account_number", "value", "000 1234-56789")
	why.Citations = []Citation{{Pointer: "/accounts/0/accountNumber", Text: "Account 000 1234-56789"},
		{Pointer: "/institution", Text: "First 1234-56789 Bank"}}
	data, err := json.Marshal(map[string]any{"results": []RuleResult{NewRuleResult("shows the account number", true, why)},
		"item": map[string]any{"validationError": why.With("file", "may.pdf").In(English), "reasons": []Reason{why}}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := MaskAccounts(data)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(got), "1234-56789"); n != 2 || strings.Count(string(got), "…6789") != 6 ||
		!strings.Contains(string(got), "First 1234-56789 Bank") || !strings.Contains(string(got), "is …6789.") {
		t.Errorf("%s", got)
	}
}
