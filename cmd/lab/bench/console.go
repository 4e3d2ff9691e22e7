package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/jobs/worker"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
)

// ConsoleResult says what a person waits for at the console: its pages with many leads and as many open reviews, and
// pictures of pages of documents, drawn for the first time and kept.
type ConsoleResult struct {
	Name    string     `json:"name"`
	Machine Machine    `json:"machine"`
	Leads   int        `json:"leads"`
	Reviews int        `json:"reviews"`
	Pages   []PageCost `json:"pages"`
	Worst   float64    `json:"worstP95Ms"`
	Largest int        `json:"largestBytes"`
	Drawn   Latency    `json:"pictureDrawnMs"` // the parser draws it, the store keeps it
	Kept    Latency    `json:"pictureKeptMs"`
}

// PageCost is one page: how large its HTML is, before compression, and how long the server takes for it.
type PageCost struct {
	Page  string  `json:"page"`
	Bytes int     `json:"bytes"`
	Took  Latency `json:"ms"`
	CPU   CPU     `json:"cpuMicroseconds"` // of one showing: what it takes on a machine that does nothing else
}

const (
	consoleSamples = 100
	longEntries    = 1200 // of the statement whose pages are drawn
)

// Console measures n leads with n open reviews in the stack's workspace.
func Console(ctx context.Context, s *Stack, n int, reader *sandbox.Reader) (ConsoleResult, error) {
	r := ConsoleResult{Name: "console", Machine: s.About, Leads: n, Reviews: n}
	if _, err := s.seedLeads(ctx, n); err != nil {
		return r, err
	}
	if err := s.reviewEach(ctx); err != nil {
		return r, err
	}
	var err error
	if s.Objects, _, err = s.openObjects(ctx); err != nil {
		return r, err
	}
	stop, err := s.readDocuments(ctx, reader)
	if err != nil {
		return r, err
	}
	defer stop()
	base, key, end, err := s.startAPI()
	if err != nil {
		return r, err
	}
	defer end()
	desk, err := s.signIn(ctx, base, key)
	if err != nil {
		return r, err
	}
	at, pages, err := desk.fill(ctx)
	if err != nil {
		return r, err
	}
	for _, page := range at {
		cost, err := desk.page(ctx, page.name, page.path)
		if err != nil {
			return r, err
		}
		r.Pages = append(r.Pages, cost)
		r.Worst, r.Largest = max(r.Worst, cost.Took.P95), max(r.Largest, cost.Bytes)
	}
	if r.Drawn, err = desk.pictures(ctx, pages); err != nil {
		return r, err
	}
	r.Kept, err = desk.pictures(ctx, pages)
	return r, err
}

// reviewEach opens a review on every lead of the stack's workspace.
func (s *Stack) reviewEach(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, s.URL)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	for _, step := range []string{
		`SET synchronous_commit = off`, `SET session_replication_role = replica`,
		`INSERT INTO reviews (workspace_id, id, lead_id, is_test, code, detail, mark, subject_type, subject_id, amount,
				priority, created_at, due_at, assignee)
			SELECT l.workspace_id, gen_random_uuid(), l.id, false,
				(ARRAY['item_needs_review', 'rule_not_understood', 'fact_doubted', 'draft_message', 'document_unread',
					'spread_variance', 'escalation', 'tampering'])[1 + abs(hashtext(l.id::text)) % 8],
				'The balances do not foot: 8,870.40 + 82,032.12 - 47,996.46 = 42,906.06, ' ||
					'but the closing balance is 43,023.06',
				'', 'item', gen_random_uuid(), (random() * 1000000)::int, 5, now() - random() * interval '30 days',
				now() + (random() - 0.5) * interval '4 days',
				CASE WHEN random() < 0.3 THEN 'ada@example.com' ELSE '' END
			FROM leads l WHERE l.workspace_id = '` + string(s.Workspace) + `'`,
		`VACUUM (ANALYZE) reviews`,
	} {
		if _, err := conn.Exec(ctx, step); err != nil {
			return fmt.Errorf("seed reviews: %w", err)
		}
	}
	return nil
}

// readDocuments reads documents and draws pages in this process; the parser is a process of its own.
func (s *Stack) readDocuments(ctx context.Context, reader *sandbox.Reader) (stop func(), err error) {
	w, err := worker.New(worker.Config{DB: s.DB, Redis: s.Redis, Objects: s.Objects, Reader: reader, NoSchedule: true,
		Lanes: []jobs.Lane{jobs.LaneDocument, jobs.LanePipeline, jobs.LaneSpread}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, err
	}
	running, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() { _ = w.Run(running); close(ended) }() // ends with stop
	return func() { cancel(); <-ended }, nil
}

// consoleSession is a person who is signed in to the console.
type consoleSession struct {
	*Stack
	base, key, cookie string
}

func (s *Stack) signIn(ctx context.Context, base, key string) (consoleSession, error) {
	link, err := s.DB.CreateSignInLink(ctx, s.Workspace, "ada@example.com", dossier.RoleAdmin)
	if err != nil {
		return consoleSession{}, err
	}
	secret, err := s.DB.UseSignInLink(ctx, link, "")
	return consoleSession{s, base, key, secret}, err
}

type namedPage struct{ name, path string }

// fill sends a long statement and the books of a borrower for one lead, and gives the addresses that are measured and
// those of the pages' pictures.
func (d consoleSession) fill(ctx context.Context) (at []namedPage, pictures []string, err error) {
	statement := specimen.BankStatement(specimen.BankOptions{Seed: 7, Layout: specimen.BankLayouts()[0],
		Month: time.Now().AddDate(0, -1, 0), Business: true, Entries: longEntries})
	files := []specimen.Specimen{statement}
	files = append(files, specimen.Borrowers()[0].Documents...)
	var made struct{ Lead struct{ ID string } }
	if err := d.call(ctx, "POST", "/api/v1/leads", `{"firstName": "Ada", "businessName": "Example Bakery LLC"}`,
		&made); err != nil {
		return nil, nil, err
	}
	lead := made.Lead.ID
	var ids []string
	for i, f := range files {
		id, count, err := d.upload(ctx, lead, fmt.Sprintf("file-%d%s", i, suffix(f.MimeType)), f)
		if err != nil {
			return nil, nil, err
		}
		ids = append(ids, id)
		for n := 1; i == 0 && n <= count; n++ {
			pictures = append(pictures, fmt.Sprintf("/api/v1/documents/%s/pages/%d", id, n))
		}
	}
	spread, err := d.spread(ctx, lead)
	if err != nil {
		return nil, nil, err
	}
	var list struct{ Reviews []struct{ ID, LeadID string } }
	if err := d.call(ctx, "GET", "/api/v1/reviews?limit=1&code=escalation", "", &list); err != nil {
		return nil, nil, err
	}
	if len(list.Reviews) == 0 {
		return nil, nil, fmt.Errorf("no review waits")
	}
	one := list.Reviews[0]
	return []namedPage{{"work", "/console"}, {"work of a code", "/console?code=tampering"},
		{"work, mine", "/console?assignee=me"}, {"work by amount", "/console?sort=amount"},
		{"work, searched", "/console?q=Lee+4711"}, {"leads", "/console/leads"},
		{"leads of a status", "/console/leads?status=COMPLETED"}, {"leads, searched", "/console/leads?q=lee+4711"},
		{"lead", "/console/leads/" + one.LeadID}, {"review", "/console/reviews/" + one.ID},
		{"lead with documents", "/console/leads/" + lead}, {"document, long", "/console/documents/" + ids[0]},
		{"document", "/console/documents/" + ids[1]}, {"spread", "/console/spreads/" + spread},
		{"quality", "/console/quality"}, {"webhooks", "/console/webhooks"},
		{"settings", "/console/settings"}}, pictures, nil
}

func suffix(mimeType string) string {
	switch mimeType {
	case "application/pdf":
		return ".pdf"
	case "text/csv":
		return ".csv"
	}
	return ".xlsx"
}

// upload sends a file and waits until it is read. It gives the document and how many pages it has.
func (d consoleSession) upload(ctx context.Context, lead, name string, f specimen.Specimen) (id string, pages int,
	err error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if err := form.WriteField("leadId", lead); err != nil {
		return "", 0, err
	}
	part, err := form.CreateFormFile("files", name)
	if err == nil {
		_, err = part.Write(f.Data)
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		return "", 0, err
	}
	var sent struct{ Documents []struct{ ID string } }
	if err := d.send(ctx, "POST", "/api/v1/documents", form.FormDataContentType(), &body, &sent); err != nil {
		return "", 0, err
	}
	id = sent.Documents[0].ID
	for {
		var got struct {
			Document struct {
				Metadata   struct{ ExtractionStatus string }
				Extraction *struct{ PageCount int }
			}
		}
		if err := d.call(ctx, "GET", "/api/v1/documents/"+id, "", &got); err != nil {
			return "", 0, err
		}
		switch got.Document.Metadata.ExtractionStatus {
		case "completed":
			return id, got.Document.Extraction.PageCount, nil
		case "failed":
			return "", 0, fmt.Errorf("%s could not be read", name)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// spread makes one of a lead's documents and waits for its figures.
func (d consoleSession) spread(ctx context.Context, lead string) (string, error) {
	var got struct{ Spread struct{ ID, Status string } }
	if err := d.call(ctx, "POST", "/api/v1/spreads", `{"leadId": "`+lead+`"}`, &got); err != nil {
		return "", err
	}
	for got.Spread.Status != "COMPLETE" {
		if got.Spread.Status == "FAILED" {
			return "", fmt.Errorf("the spread failed")
		}
		time.Sleep(100 * time.Millisecond)
		if err := d.call(ctx, "GET", "/api/v1/spreads/"+got.Spread.ID, "", &got); err != nil {
			return "", err
		}
	}
	return got.Spread.ID, nil
}

func (d consoleSession) call(ctx context.Context, method, path, body string, into any) error {
	return d.send(ctx, method, path, "application/json", strings.NewReader(body), into)
}

func (d consoleSession) send(ctx context.Context, method, path, kind string, body io.Reader, into any) error {
	request, err := http.NewRequestWithContext(ctx, method, d.base+path, body)
	if err != nil {
		return err
	}
	request.Header.Set("x-api-key", d.key)
	if method != http.MethodGet {
		request.Header.Set("Content-Type", kind)
	}
	text, err := answered(request)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// answered sends a request and returns the body of its answer, which must have a status of 2xx.
func answered(request *http.Request) ([]byte, error) {
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err == nil && (response.StatusCode < 200 || response.StatusCode > 299 || strings.HasSuffix(
		response.Request.URL.Path, "/sign-in")) {
		err = fmt.Errorf("%s %s: status %d: %.300s", request.Method, request.URL.Path, response.StatusCode, text)
	}
	return text, err
}

// open asks for a page as the person.
func (d consoleSession) open(ctx context.Context, path string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.base+path, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Cookie", "dossier="+d.cookie)
	return answered(request)
}

// page measures a page, after it was shown once.
func (d consoleSession) page(ctx context.Context, name, path string) (PageCost, error) {
	cost := PageCost{Page: name}
	var took []time.Duration
	before := d.spent()
	for i := range consoleSamples + 1 {
		began := time.Now()
		html, err := d.open(ctx, path)
		if err != nil {
			return cost, err
		}
		cost.Bytes = len(html)
		if i > 0 {
			took = append(took, time.Since(began))
		}
	}
	cost.Took, cost.CPU = latency(took), d.since(before, consoleSamples+1)
	return cost, nil
}

// pictures asks for each once.
func (d consoleSession) pictures(ctx context.Context, paths []string) (Latency, error) {
	var took []time.Duration
	for _, path := range paths {
		began := time.Now()
		if _, err := d.open(ctx, path); err != nil {
			return Latency{}, err
		}
		took = append(took, time.Since(began))
	}
	return latency(took), nil
}
