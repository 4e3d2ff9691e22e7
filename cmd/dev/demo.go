package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/webhooks"
)

// demoHolder is the business of the demonstration.
const demoHolder = "Example Bakery LLC"

// demonstrate sends documents through the HTTP API as an integrator does, and prints each step as it happens. With a
// path that file is sent instead of generated bank statements.
func (s *stack) demonstrate(ctx context.Context, out io.Writer, path string) error {
	tell := narrator(out)
	files, err := demoFiles(path)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "\nOne journey: a lead is created, documents arrive, are read, matched, checked and announced.")
	box, err := listen(ctx)
	if err != nil {
		return err
	}
	context.AfterFunc(ctx, box.close) // it answers as long as the service runs, so that nothing fails afterwards
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	if err := s.registerWebhook(ctx, box); err != nil {
		return err
	}
	tell("a webhook receiver listens on %s and is registered", box.url)
	lead, err := s.demoLead(ctx)
	if err != nil {
		return err
	}
	tell("POST /api/v1/leads       lead %s, Example Bakery LLC", lead)
	documents, err := s.demoUpload(ctx, lead, files)
	if err != nil {
		return err
	}
	for i, id := range documents {
		tell("POST /api/v1/documents   %s is document %s", files[i].name, id)
	}
	job, err := s.demoPipeline(ctx, documents[0])
	if err != nil {
		return err
	}
	tell("POST /pipelines/run/extract-document   job %s", job)
	if err := box.awaitDeliveries(ctx, len(documents), tell); err != nil {
		return err
	}
	if err := s.demoChecklist(ctx, lead, tell); err != nil {
		return err
	}
	return s.demoPoll(ctx, out, job)
}

// narrator returns a function that prints lines with the time elapsed.
func narrator(out io.Writer) func(string, ...any) {
	began := time.Now()
	return func(format string, values ...any) {
		fmt.Fprintf(out, "  %7.3fs  %s\n", time.Since(began).Seconds(), fmt.Sprintf(format, values...))
	}
}

// demoFiles are three months of statements up to last month, as PDF, or the given file.
func demoFiles(path string) ([]uploadFile, error) {
	if path != "" {
		data, err := os.ReadFile(path)
		return []uploadFile{{filepath.Base(path), orType(mime.TypeByExtension(filepath.Ext(path))), data}}, err
	}
	now := time.Now()
	var files []uploadFile
	for back := 3; back >= 1; back-- {
		month := time.Date(now.Year(), now.Month()-time.Month(back), 1, 0, 0, 0, 0, time.UTC)
		statement := specimen.BankStatement(specimen.BankOptions{Seed: uint64(month.Unix()),
			Layout: specimen.BankLayouts()[0], Month: month,
			Business: true, Holder: demoHolder, Entries: 24})
		name := "statement-" + month.Format("2006-01") + ".pdf"
		files = append(files, uploadFile{name, statement.MimeType, statement.Data})
	}
	return files, nil
}

func orType(contentType string) string {
	if contentType == "" {
		return "application/octet-stream"
	}
	return contentType
}

func (s *stack) registerWebhook(ctx context.Context, box *webhookReceiver) error {
	var answer struct {
		Secret string `json:"secret"`
	}
	err := s.post(ctx, "/save-webhook", map[string]any{"url": box.url, "isEnabled": true,
		"description": "demonstration"}, &answer)
	box.secret <- answer.Secret
	return err
}

func (s *stack) demoLead(ctx context.Context) (string, error) {
	var answer struct {
		Lead struct {
			ID string `json:"id"`
		} `json:"lead"`
	}
	err := s.post(ctx, "/api/v1/leads", map[string]any{"firstName": "Ada", "lastName": "Example",
		"businessName": demoHolder,
		"email":        "ada@example.com", "phoneNumber": "(212) 555-0123", "tags": []string{"demo"}}, &answer)
	return answer.Lead.ID, err
}

func (s *stack) demoUpload(ctx context.Context, lead string, files []uploadFile) ([]string, error) {
	var answer struct {
		Documents []struct {
			ID string `json:"id"`
		} `json:"documents"`
	}
	err := s.upload(ctx, lead, files, &answer)
	var ids []string
	for _, d := range answer.Documents {
		ids = append(ids, d.ID)
	}
	return ids, err
}

func (s *stack) demoPipeline(ctx context.Context, document string) (string, error) {
	var answer struct {
		JobID string `json:"jobId"`
	}
	err := s.post(ctx, "/pipelines/run/extract-document", map[string]any{"documentId": document}, &answer)
	return answer.JobID, err
}

// demoChecklist shows what became of the items that documents serve.
func (s *stack) demoChecklist(ctx context.Context, lead string, tell func(string, ...any)) error {
	var groups []struct {
		Items []struct {
			Status          string  `json:"status"`
			ValidationError *string `json:"validationError"`
			Definition      struct {
				Label string `json:"label"`
			} `json:"checklistItem"`
			Documents []json.RawMessage `json:"documents"`
		} `json:"items"`
	}
	if err := s.get(ctx, "/api/v1/leads/"+lead+"/checklist", &groups); err != nil {
		return err
	}
	for _, group := range groups {
		for _, item := range group.Items {
			if len(item.Documents) == 0 {
				continue
			}
			reason := ""
			if item.ValidationError != nil {
				reason = ": " + *item.ValidationError
			}
			tell("checklist item %q is %s%s", item.Definition.Label, item.Status, reason)
		}
	}
	return nil
}

// demoPoll prints the result of the pipeline run, without the list of transactions and the boxes.
func (s *stack) demoPoll(ctx context.Context, out io.Writer, job string) error {
	var body map[string]any
	if err := s.get(ctx, "/pipelines/run/extract-document?wait=20&jobId="+job, &body); err != nil {
		return err
	}
	if result, ok := body["result"].(map[string]any); ok {
		documents, _ := result["documents"].([]any)
		for _, d := range documents {
			document, _ := d.(map[string]any)
			facts, _ := document["facts"].(map[string]any)
			for name, value := range facts {
				if list, isList := value.([]any); value == nil || isList && len(list) > 0 {
					delete(facts, name)
				}
			}
			delete(document, "sources")
		}
	}
	text, err := json.MarshalIndent(body, "  ", "  ")
	fmt.Fprintf(out, "\nGET /pipelines/run/extract-document?jobId=%s\n  %s\n", job, text)
	return err
}

// webhookReceiver is the demonstration's webhook endpoint.
type webhookReceiver struct {
	url      string
	secret   chan string
	received chan verifiedDelivery
	server   *http.Server
}

// verifiedDelivery is a delivery whose signature was valid.
type verifiedDelivery struct {
	Type string `json:"type"`
	Data struct {
		Document struct {
			ID       string `json:"id"`
			Filename string `json:"filename"`
			Metadata struct {
				Status  string            `json:"extractionStatus"`
				Matched []json.RawMessage `json:"Matched checklist items"`
			} `json:"metadata"`
			Associations []struct {
				OverallValid bool `json:"overallValid"`
			} `json:"leadChecklistItemDocument"`
		} `json:"document"`
		Item struct {
			Code string `json:"code"`
		} `json:"checklistItem"`
	} `json:"data"`
}

func listen(ctx context.Context) (*webhookReceiver, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	box := &webhookReceiver{url: "http://" + listener.Addr().String() + "/hooks", secret: make(chan string, 1),
		received: make(chan verifiedDelivery, 1000)}
	box.server = &http.Server{Handler: http.HandlerFunc(box.receive), ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = box.server.Serve(listener) }()
	return box, nil
}

func (b *webhookReceiver) close() { _ = b.server.Close() }

// receive verifies each delivery as Standard Webhooks says and answers at once.
func (b *webhookReceiver) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	secret := <-b.secret
	b.secret <- secret
	if err != nil || webhooks.Verify([]string{secret}, r.Header, body, time.Now()) != nil {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var a verifiedDelivery
	if json.Unmarshal(body, &a) == nil {
		select {
		case b.received <- a:
		default: // nobody follows any more
		}
	}
	w.WriteHeader(http.StatusNoContent)
}

// awaitDeliveries prints deliveries until every document has been processed.
func (b *webhookReceiver) awaitDeliveries(ctx context.Context, documents int, tell func(string, ...any)) error {
	for ended := 0; ended < documents; {
		select {
		case <-ctx.Done():
			return fmt.Errorf("the journey did not end in time; see dev.log in the data directory: %w", ctx.Err())
		case a := <-b.received:
			tell("webhook, signature good  %-24s %s", a.Type, a.summary())
			if a.Type == "document.validated" || a.Type == "document.extracted" &&
				a.Data.Document.Metadata.Status == "failed" {
				ended++
			}
		}
	}
	return b.drain(tell)
}

// drain prints the deliveries that follow the last document within a moment.
func (b *webhookReceiver) drain(tell func(string, ...any)) error {
	for {
		select {
		case a := <-b.received:
			tell("webhook, signature good  %-24s %s", a.Type, a.summary())
		case <-time.After(700 * time.Millisecond):
			return nil
		}
	}
}

func (a verifiedDelivery) summary() string {
	d := a.Data.Document
	switch {
	case a.Data.Item.Code != "":
		return a.Data.Item.Code
	case a.Type == "document.extracted":
		return d.Filename + ": reading " + d.Metadata.Status
	case a.Type == "document.validated":
		verdicts := []string{}
		for _, association := range d.Associations {
			verdict := "refused"
			if association.OverallValid {
				verdict = "valid"
			}
			verdicts = append(verdicts, verdict)
		}
		if len(verdicts) == 0 {
			return d.Filename + ": serves no item"
		}
		return d.Filename + ": " + strings.Join(verdicts, ", ")
	}
	return d.Filename
}
