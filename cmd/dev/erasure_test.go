package main

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
)

// TestErase plants 32 random bytes in everything of a lead that takes words, has the whole product work on it (it is
// read, judged, spread, told of and written to) and erases it. Afterwards no table, object, Redis key, log line, metric
// or answer holds them, and no object stands that was not there before: reports and workbooks are compressed, so their
// bytes would not tell (lifecycle.md section 3).
func TestErase(t *testing.T) {
	if testing.Short() {
		t.Skip("a whole stack")
	}
	s := startStack(t, options{})
	box := newInbox(t, s)
	var bytes32 [32]byte
	_, _ = rand.Read(bytes32[:])
	p := planting{stack: s, canary: hex.EncodeToString(bytes32[:]), before: s.objectKeys(t)}
	p.plantLead(t)
	p.plantFiles(t)
	spread := p.plantSpread(t)
	within(t, time.Minute, "the lead's answer by email and its spread told", func() bool {
		return box.count("message.received", p.lead) == 1 && box.count("spread.completed", spread) == 1
	})
	if err := s.get(t.Context(), "/api/v0/analytics?format=csv", nil); err != nil { // a file that names the lead
		t.Fatal(err)
	}
	s.untilIdle(t)
	planted := p.left(t)
	for _, place := range []string{"rows of leads", "rows of documents", "rows of messages", "rows of events",
		"rows of escalations", "rows of spreads", "/exports/", "the answer of /api/v0/analytics"} {
		if !strings.Contains(strings.Join(planted, "\n"), place) {
			t.Errorf("nothing was planted in %s: %v", place, planted)
		}
	}

	var erasing struct {
		Erasure struct{ ID, Status string }
	}
	s.value(t, `UPDATE workspaces SET four_eyes = '{}' WHERE id = $1 RETURNING key`, s.ws) // one person is enough here
	if err := s.post(t.Context(), "/api/v1/leads/"+p.lead+"/erase", map[string]any{"reason": "asked"}, &erasing); err != nil {
		t.Fatal(err)
	}
	within(t, time.Minute, "the erasure complete", func() bool {
		err := s.get(t.Context(), "/api/v1/erasures/"+erasing.Erasure.ID, &erasing)
		return err == nil && erasing.Erasure.Status == string(dossier.ErasureComplete)
	})
	within(t, time.Minute, "lead.erased told", func() bool { return box.count("lead.erased", p.lead) == 1 })
	s.untilIdle(t)
	if left := p.left(t); len(left) > 0 {
		t.Errorf("left after the erasure:\n%s", strings.Join(left, "\n"))
	}
}

// planting is a lead with a canary in everything that takes words.
type planting struct {
	*stack
	lead, canary string
	before       map[string]bool // keys of the objects that stood when nothing was planted
}

func (p *planting) plantLead(t *testing.T) {
	t.Helper()
	word := p.canary
	post := func(path string, body map[string]any, answer any) {
		t.Helper()
		if err := p.post(t.Context(), path, body, answer); err != nil {
			t.Fatal(err)
		}
	}
	var made struct{ Lead struct{ ID string } }
	post("/api/v1/leads", map[string]any{"firstName": word, "lastName": word, "businessName": word, "email": word + "@example.com",
		"externalLeadId": word, "tags": []string{word[:40]}, "checklistItems": []map[string]any{{"code": "LEGAL_NAME", "value": word}}}, &made)
	p.lead = made.Lead.ID
	post("/api/v1/activity", map[string]any{"leadId": p.lead, "eventType": "call", "title": word, "description": word, "metadata": map[string]any{"note": word}}, nil)
	post("/api/v1/leads/"+p.lead+"/escalations", map[string]any{"reason": word, "detail": word}, nil)
	post("/api/v1/leads/"+p.lead+"/messages", map[string]any{"channel": "email", "subject": word, "body": word}, nil)
	tokens, err := p.services.DB.InboundTokens(t.Context(), p.ws)
	if err != nil {
		t.Fatal(err)
	}
	post("/inbound/email/"+tokens[dossier.ChannelEmail], map[string]any{"from": word + "@example.com", "to": "files@acme.example", "subject": word, "text": "My name is " + word,
		"messageId": "<" + word + "@example.com>"}, nil)
}

// plantFiles sends a statement of a bank account, a ledger and a page of words, each under the canary's name.
func (p *planting) plantFiles(t *testing.T) {
	t.Helper()
	made := specimen.BankStatement(specimen.BankOptions{Seed: 5, Layout: specimen.BankLayouts()[0], Month: time.Date(2025, 9, 1, 0, 0, 0, 0, time.UTC),
		Holder: p.canary, Entries: 6})
	profit := p.canary + " LLC\nProfit and Loss\nJanuary - December 2024\n,Total\nIncome,\nSales,\"$120,000.00\"\nTotal Income,\"$120,000.00\"\nExpenses,\n" +
		"Rent,\"$30,000.00\"\nWages,\"$50,000.00\"\nTotal Expenses,\"$80,000.00\"\nNet Income,\"$40,000.00\"\n"
	_, err := p.demoUpload(t.Context(), p.lead, []uploadFile{{p.canary + ".pdf", made.MimeType, made.Data}, {p.canary + ".csv", "text/csv", []byte(profit)},
		{p.canary + ".txt", "text/plain", []byte("A letter of " + p.canary)}})
	if err != nil {
		t.Fatal(err)
	}
	within(t, 2*time.Minute, "the files read", func() bool {
		for _, d := range p.documents(t, p.lead) {
			if d.Metadata.Status == "pending" || d.Metadata.Status == "processing" {
				return false
			}
		}
		return true
	})
}

// plantSpread spreads the ledger, so that a report and a workbook name the lead.
func (p *planting) plantSpread(t *testing.T) string {
	t.Helper()
	var got struct{ Spread struct{ ID, Status string } }
	if err := p.post(t.Context(), "/api/v1/spreads", map[string]any{"leadId": p.lead}, &got); err != nil {
		t.Fatal(err)
	}
	within(t, time.Minute, "the spread", func() bool {
		return p.get(t.Context(), "/api/v1/spreads/"+got.Spread.ID, &got) == nil && got.Spread.Status == "COMPLETE"
	})
	return got.Spread.ID
}

// left says where the canary stands.
func (p *planting) left(t *testing.T) []string {
	t.Helper()
	found := p.tables(t)
	for key := range p.objectKeys(t) {
		if !p.before[key] {
			found = append(found, "object "+key)
		}
	}
	for _, key := range p.services.Redis.Client().Keys(t.Context(), "*").Val() {
		dump, _ := p.services.Redis.Client().Dump(t.Context(), key).Result()
		if strings.Contains(key+dump, p.canary) {
			found = append(found, "Redis key "+key)
		}
	}
	log, err := os.ReadFile(filepath.Join(p.cfg.Data, "dev.log"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(log, []byte(p.canary)) {
		found = append(found, "the log")
	}
	if bytes.Contains(p.metrics(t), []byte(p.canary)) {
		found = append(found, "the metrics")
	}
	return append(found, p.answers(t)...)
}

// tables are those with a row that holds the canary, as text or as bytes.
func (p *planting) tables(t *testing.T) (found []string) {
	t.Helper()
	for name := range strings.SplitSeq(p.value(t, `SELECT string_agg(tablename, ',') FROM pg_tables WHERE schemaname = 'public'`), ",") {
		count := p.value(t, `SELECT count(*)::text FROM `+pgx.Identifier{name}.Sanitize()+` t
			WHERE t::text LIKE '%' || $1 || '%' OR t::text LIKE '%' || encode($1::text::bytea, 'hex') || '%'`, p.canary)
		if count != "0" {
			found = append(found, fmt.Sprintf("%s rows of %s", count, name))
		}
	}
	return found
}

// answers are the lists that hold the canary.
func (p *planting) answers(t *testing.T) (found []string) {
	t.Helper()
	for _, path := range []string{"/api/v1/leads", "/api/v1/inbox", "/api/v1/escalations", "/api/v1/events", "/api/v1/reviews",
		"/api/v1/erasures", "/api/v1/audit", "/api/v1/requests",
		"/api/v0/analytics"} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("x-api-key", p.key)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if err != nil || response.StatusCode != http.StatusOK {
			t.Errorf("%s: %s %v", path, response.Status, err)
		}
		if bytes.Contains(body, []byte(p.canary)) {
			found = append(found, "the answer of "+path)
		}
	}
	return found
}

// value is one text that the database says, to its owner.
func (s *stack) value(t *testing.T, query string, args ...any) (text string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.cfg.MigrateURL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	if err := conn.QueryRow(t.Context(), query, args...).Scan(&text); err != nil {
		t.Fatal(err)
	}
	return text
}

func (s *stack) objectKeys(t *testing.T) map[string]bool {
	t.Helper()
	keys := map[string]bool{}
	for o, err := range s.services.Objects.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		keys[o.Key] = true
	}
	return keys
}
