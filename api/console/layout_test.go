package console

import (
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"
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
