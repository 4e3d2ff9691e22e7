package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/workspacefile"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/storage/postgres"
)

// badRequest is a request that must be refused, and how.
type badRequest struct {
	name, method, path, body string
	status                   int
	code                     string
	faults                   string // "pointer code" of each, in order
}

// TestBadInput sends what no caller should send to an API process of its own. Every request is answered as specified,
// every file is kept and ends with the stated reason, and the process is no larger afterwards.
func TestBadInput(t *testing.T) {
	if testing.Short() {
		t.Skip("measures memory, once, without the race detector")
	}
	s := startStack(t, options{})
	lead, _ := s.testLead(t, 1)
	pid := s.apiProcess(t)
	requests := badRequests(lead, s.foreignLead(t))
	for _, r := range requests {
		t.Run(r.name, func(t *testing.T) {
			if err := s.refused(t.Context(), r); err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("files", func(t *testing.T) { s.badFiles(t) })
	before := peakMemory(t, pid)
	// 20 rounds of all requests, 8 at once: 320 MiB of bodies that are too large go by.
	for range 20 {
		group, ctx := errgroup.WithContext(t.Context())
		for range 8 {
			group.Go(func() error {
				for _, r := range requests {
					if err := s.refused(ctx, r); err != nil {
						return fmt.Errorf("%s, again: %w", r.name, err)
					}
				}
				return nil
			})
		}
		if err := group.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	after := peakMemory(t, pid)
	t.Logf("the API process took at most %d MiB, and %d MiB after %d more bad requests", before>>20, after>>20, 20*8*len(requests))
	if after > 256<<20 || after-before > 64<<20 {
		t.Errorf("the API process grew from %d to %d MiB", before>>20, after>>20)
	}
}

func badRequests(lead, foreign string) []badRequest {
	const post, leads = http.MethodPost, "/api/v1/leads"
	note := `{"leadId":%q,"eventType":"sales_call","title":"x"}`
	return []badRequest{
		{"malformed JSON", post, leads, `{"firstName": "Ada"`, 400, "invalid_json", ""},
		{"wrong types", post, leads, `{"firstName":7,"tags":"vip"}`, 400, "validation_failed", "/firstName invalid_type, /tags invalid_type"},
		{"unknown fields", post, leads, `{"firstName":"Ada","firstNam":"Ada"}`, 400, "unknown_field", "/firstNam unknown_field"},
		{"unknown parameter", http.MethodGet, leads + "?limt=1", "", 400, "unknown_parameter", "limt unknown_parameter"},
		{"2 MiB body", post, leads, `{"firstName":"` + strings.Repeat("a", 2<<20) + `"}`, 413, "payload_too_large", ""},
		{"foreign id in the path", http.MethodGet, leads + "/" + foreign, "", 404, "lead_not_found", ""},
		{"foreign id in the body", post, "/api/v1/activity", fmt.Sprintf(note, foreign), 404, "lead_not_found", ""},
		{"an id that is none, in the path", http.MethodGet, leads + "/../../etc/passwd", "", 404, "not_found", ""},
		{"an id that is none, in the body", post, "/api/v1/activity", fmt.Sprintf(note, "17"), 400, "validation_failed", "/leadId invalid_id"},
		{"a file larger than may be", post, "/api/v1/documents/presign", `{"leadId":"` + lead + `","filename":"a.pdf","size":104857601,"mimeType":"application/pdf"}`, 413, "payload_too_large", ""},
	}
}

// refused sends a bad request and tells what is wrong with the answer.
func (s *stack) refused(ctx context.Context, r badRequest) error {
	request, err := http.NewRequestWithContext(ctx, r.method, s.url+r.path, strings.NewReader(r.body))
	if err != nil {
		return err
	}
	request.Header.Set("x-api-key", s.key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	var problem struct {
		Code   string `json:"code"`
		Errors []struct {
			Pointer   string `json:"pointer"`
			Parameter string `json:"parameter"`
			Code      string `json:"code"`
		} `json:"errors"`
	}
	if err := json.Unmarshal(text, &problem); err != nil {
		return fmt.Errorf("%d is answered with %.100q", response.StatusCode, text)
	}
	var faults []string
	for _, f := range problem.Errors {
		faults = append(faults, f.Pointer+f.Parameter+" "+f.Code)
	}
	if response.StatusCode != r.status || problem.Code != r.code || strings.Join(faults, ", ") != r.faults {
		return fmt.Errorf("got %d %.400s, want %d %s %s", response.StatusCode, text, r.status, r.code, r.faults)
	}
	return nil
}

// badFiles uploads files that lie, are broken or want to hurt: each is stored, and ends as it must.
func (s *stack) badFiles(t *testing.T) {
	hostile := map[string]specimen.HostileFile{}
	for _, f := range specimen.HostilePDFs(1) {
		hostile[f.Name] = f
	}
	statement := specimen.BankStatement(specimen.BankOptions{Seed: 1, Layout: "meridian"}).Data
	if size := len(hostile["bomb_double_flate.pdf"].Data); size == 0 || size > 4<<10 {
		t.Errorf("the bomb has %d bytes, want about 3 KB", size)
	}
	broken := append([]byte("%PDF-1.7\n"), bytes.Repeat([]byte{0xfe, 0x00, 0x41}, 4000)...)
	files := []struct {
		what, name, shown string
		data              []byte
		ends              []string // completed, or the code of the extractionError
	}{
		{"0 bytes", "empty.pdf", "empty.pdf", nil, []string{"corrupt"}},
		{"a PDF named .jpg", "statement.jpg", "statement.jpg", statement, []string{"completed"}},
		{"a program named .pdf", "program.pdf", "program.pdf", append([]byte("MZ\x90\x00"), bytes.Repeat([]byte{0xcc}, 4096)...), []string{"unsupported_type"}},
		{"encrypted PDF", "encrypted_aes256.pdf", "encrypted_aes256.pdf", hostile["encrypted_aes256.pdf"].Data, []string{"encrypted"}},
		{"broken PDF", "broken.pdf", "broken.pdf", broken, []string{"corrupt"}},
		{"3 KB that unpack to 600 MB", "bomb.pdf", "bomb.pdf", hostile["bomb_double_flate.pdf"].Data, []string{"memory", "timeout"}},
		{"path-traversal name", "../../etc/statement.pdf", "statement.pdf", statement, []string{"completed"}},
	}
	ids := make([]string, len(files))
	for i, f := range files {
		lead, err := s.demoLead(t.Context()) // one each: the same bytes twice would be one document
		if err != nil {
			t.Fatal(err)
		}
		sentIDs, err := s.demoUpload(t.Context(), lead, []uploadFile{{f.name, "application/pdf", f.data}})
		if err != nil {
			t.Fatalf("%s: %v", f.what, err)
		}
		ids[i] = sentIDs[0]
	}
	for i, f := range files {
		t.Run(f.what, func(t *testing.T) {
			var d readDocument
			within(t, 3*time.Minute, "its end", func() bool { d = s.document(t, ids[i]); return d.end() != "" })
			if !slices.Contains(f.ends, d.end()) || d.Filename != f.shown || d.Size != len(f.data) || strings.Contains(d.SignedURL, "..") {
				t.Errorf("%s of %d bytes ends %q, want %s ending %v", d.Filename, d.Size, d.end(), f.shown, f.ends)
			}
		})
	}
}

// readDocument is a document as it is answered alone.
type readDocument struct {
	Filename  string `json:"filename"`
	Size      int    `json:"size"`
	SignedURL string `json:"signedUrl"`
	Metadata  struct {
		Status string `json:"extractionStatus"`
	} `json:"metadata"`
	Error *struct {
		Code string `json:"code"`
	} `json:"extractionError"`
}

// end is completed, the reason of a failure, or nothing yet.
func (d readDocument) end() string {
	switch {
	case d.Metadata.Status == "completed":
		return "completed"
	case d.Metadata.Status == "failed" && d.Error != nil:
		return d.Error.Code
	}
	return ""
}

func (s *stack) document(t *testing.T, id string) readDocument {
	t.Helper()
	var answer struct {
		Document readDocument `json:"document"`
	}
	if err := s.get(t.Context(), "/api/v1/documents/"+id, &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Document
}

// foreignLead makes a lead in a workspace of its own.
func (s *stack) foreignLead(t *testing.T) string {
	t.Helper()
	config, err := workspacefile.Parse("example.yaml", workspacefile.Example)
	if err != nil {
		t.Fatal(err)
	}
	config.Key = "someone-else"
	_, ws, err := s.services.DB.ApplyWorkspace(t.Context(), config, false, false)
	if err != nil {
		t.Fatal(err)
	}
	lead, err := s.services.DB.CreateLead(t.Context(), ws, postgres.NewLead{LeadUpdate: dossier.LeadUpdate{FirstName: dossier.Set("Eve")}}, postgres.Caller{Source: dossier.SourceImported})
	if err != nil {
		t.Fatal(err)
	}
	return string(lead)
}

// apiProcess starts an API process on the stack's services, sends what follows there, and returns its id.
func (s *stack) apiProcess(t *testing.T) int {
	t.Helper()
	child, address := s.apiAt(t, "127.0.0.1:0")
	s.url = "http://" + address
	return child.Process.Pid
}

// apiAt starts an API process on the stack's services. What environ sets counts more than what the stack has.
func (s *stack) apiAt(t *testing.T, listen string, environ ...string) (*exec.Cmd, string) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), "TEST_CHILD=api", "DOSSIER_ADDR="+listen, "DOSSIER_RATE_LIMIT=1000000", "DOSSIER_RATE_LIMIT_UPLOADS=1000")
	for _, v := range s.env {
		child.Env = append(child.Env, v.Name+"="+v.Value)
	}
	child.Env = append(child.Env, environ...)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(child) })
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the API process ended: %v", err)
	}
	return child, strings.TrimSpace(address)
}

// peakMemory is the most that a process ever had in memory, in bytes; 0 where the system does not tell.
func peakMemory(t *testing.T, pid int) int64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Logf("memory cannot be measured here: %v", err)
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	field, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	kilobytes, err := strconv.ParseInt(field, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return kilobytes << 10
}
