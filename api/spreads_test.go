package api

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres"
)

func TestSpreads(t *testing.T) {
	t.Parallel()
	store := objectstest.New(t)
	s := newTestServer(t, func(c *Config) { c.Objects = store })
	lead := valueAt(t, s.do(t, "POST", "/api/v1/leads", `{"firstName":"Ann"}`).Body, "lead", "id")
	empty := valueAt(t, s.do(t, "POST", "/api/v1/leads", `{"firstName":"Bo"}`).Body, "lead", "id")
	document := func(name, docType string) string {
		id := postgres.NewID()
		s.Exec(t, `INSERT INTO documents (workspace_id, id, lead_id, filename, mime_type, size, sha256, object_key, source, uploaded_at, extraction_status, extraction, created_at, updated_at)
			VALUES ($1, $2::uuid, $3, $4, 'application/pdf', 1, convert_to($2::uuid::text, 'UTF8'), 'k', 'imported', now(), 'completed', $5, now(), now())`,
			s.Workspace, id, lead, name, `{"documents":[{"docType":"`+docType+`","facts":{}}]}`)
		return id
	}
	statement, letter := document("statement.pdf", "financial_statement"), document("letter.pdf", "other")
	object := string(s.Workspace) + "/spreads/x/report.pdf"
	stored, err := store.Put(t.Context(), object, "application/pdf", strings.NewReader("%PDF-"), 0)
	if err != nil {
		t.Fatal(err)
	}
	basis, income, period := "accrual", "incomeStatement", "2024-01-01_2024-12-31"
	results := dossier.SpreadResults{SchemaVersion: 2, SpreadID: "${spread}", LeadID: dossier.LeadID(lead), GeneratedAt: "2026-01-02T03:04:05.000Z", EntityName: "Acme LLC", Currency: "USD",
		Statements: dossier.SpreadStatements{
			IncomeStatement: dossier.SpreadStatement{Periods: []dossier.SpreadPeriod{{ID: "2024-01-01_2024-12-31", Label: "FY 2024", Start: "2024-01-01", End: "2024-12-31", Basis: &basis, Integrity: dossier.IntegrityVariance,
				Values: dossier.SpreadValues{{Key: "rent", Label: "Rent and lease expense", Value: dossier.Figure{Decimal: decimal.New(12005, -1)}, Kind: "line",
					Sources: []dossier.SpreadSource{{DocumentID: dossier.DocumentID(statement), Page: 2, Caption: "Rent", Text: "1,200.50", Confidence: 0.98}}}}}}},
			BalanceSheet: dossier.SpreadStatement{Periods: []dossier.SpreadPeriod{}}, CashFlow: dossier.SpreadStatement{Periods: []dossier.SpreadPeriod{}}},
		Checks: []dossier.SpreadCheck{{Name: "incomeStatementVariance", Passed: true}},
		Warnings: []dossier.SpreadWarning{{Code: "statement_incomplete", Detail: `FY 2024: no row is certain for "Sundries"`, DocumentID: (*dossier.DocumentID)(&statement),
			Statement: &income, PeriodID: &period}}}
	data, err := json.Marshal(results)
	if err != nil {
		t.Fatal(err)
	}
	// The conversation learns the spread's id only on its way; results written by SQL carry the one of the answer.
	converse(t, s, "spreads.txt", "lead", lead, "empty", empty, "statement", statement, "letter", letter, "object", object, "sum", stored.SHA256,
		"results", strings.ReplaceAll(string(data), "${spread}", "01900000-0000-7000-8000-0000000000ff"))
}

func TestAdjustments(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	lead := valueAt(t, s.do(t, "POST", "/api/v1/leads", `{"firstName":"Ann"}`).Body, "lead", "id")
	id := postgres.NewID()
	s.Exec(t, `INSERT INTO spreads (workspace_id, id, lead_id, status, results, created_at, updated_at) VALUES ($1, $2, $3, 'COMPLETE', $4::json, now(), now())`, s.Workspace, id, lead,
		`{"statements": {"incomeStatement": {"periods": [{"id": "2025-01-01_2025-12-31", "values": {"rent": {"value": 12000.00}}}]}}}`)
	converse(t, s, "adjustments.txt", "spread", id)
}
