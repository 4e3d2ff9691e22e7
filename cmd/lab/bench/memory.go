package bench

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres"
)

// MemoryResult says what the processes of an installation hold in memory while nobody asks anything of them: the
// programs themselves, started as an operator starts them.
type MemoryResult struct {
	Name     string    `json:"name"`
	Machine  Machine   `json:"machine"`
	Requests int       `json:"requests"` // between started and rest
	Files    int       `json:"files"`    // read by the worker meanwhile
	API      Residence `json:"apiMiB"`
	Worker   Residence `json:"workerMiB"`
}

// Residence is the resident memory of a process in MiB.
type Residence struct {
	Started float64 `json:"started"` // ready, and nothing asked yet
	Worked  float64 `json:"worked"`  // when the last answer was given and the last job done
	Rest    float64 `json:"rest"`    // after a while without work
}

// MemoryOptions says how much work lies between the start and the rest.
type MemoryOptions struct {
	Dir      string // of dossier-api and dossier-worker
	Requests int
	Files    int
	Rest     time.Duration
}

// Memory starts an API and a worker on the Stack, gives them work and lets them rest. Error: the programs are not in
// o.Dir, or one of them ended.
func Memory(ctx context.Context, s *Stack, o MemoryOptions) (MemoryResult, error) {
	r := MemoryResult{Name: "memory", Machine: s.About, Requests: o.Requests, Files: o.Files}
	_, store, err := s.openObjects(ctx)
	if err != nil {
		return r, err
	}
	api, err := s.startProgram(ctx, filepath.Join(o.Dir, "dossier-api"), store)
	if err != nil {
		return r, err
	}
	defer api.stop()
	worker, err := s.startProgram(ctx, filepath.Join(o.Dir, "dossier-worker"), store)
	if err != nil {
		return r, err
	}
	defer worker.stop()
	r.API.Started, r.Worker.Started = api.resident(), worker.resident()
	if err := s.occupy(ctx, "http://"+api.address, o); err != nil {
		return r, err
	}
	r.API.Worked, r.Worker.Worked = api.resident(), worker.resident()
	if !pause(ctx, o.Rest) {
		return r, ctx.Err()
	}
	r.API.Rest, r.Worker.Rest = api.resident(), worker.resident()
	return r, errors.Join(api.alive(), worker.alive())
}

// program is a started process of the installation.
type program struct {
	*exec.Cmd
	address string // of its API, when it has one
	stderr  bytes.Buffer
	ended   chan struct{}
}

// startProgram returns when the program says that it is ready.
func (s *Stack) startProgram(ctx context.Context, path string, store objects.Config) (*program, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("%w (go build -o DIR ./cmd/... makes it)", err)
	}
	port, err := freePort(ctx)
	if err != nil {
		return nil, err
	}
	opsPort, err := freePort(ctx)
	if err != nil {
		return nil, err
	}
	p := &program{Cmd: exec.CommandContext(ctx, path), address: "127.0.0.1:" + port, ended: make(chan struct{})}
	p.Stderr = &p.stderr
	p.Env = append(os.Environ(), "DATABASE_URL="+s.URL, "REDIS_URL="+s.RedisURL, "S3_ENDPOINT="+store.Endpoint,
		"S3_ACCESS_KEY="+store.AccessKey, "S3_SECRET_KEY="+store.SecretKey, "S3_BUCKET="+store.Bucket,
		"DOSSIER_SECRET_KEY="+base64.StdEncoding.EncodeToString(make([]byte, 32)), "DOSSIER_RATE_LIMIT=0", "DOSSIER_RATE_LIMIT_UPLOADS=0",
		"DOSSIER_PUBLIC_URL=http://"+p.address, "DOSSIER_ADDR="+p.address, "DOSSIER_OPS_ADDR=127.0.0.1:"+opsPort)
	if err := p.Start(); err != nil {
		return nil, err
	}
	go func() { _ = p.Wait(); close(p.ended) }() // how it ended is read from its log
	return p, p.awaitReady(ctx, "http://127.0.0.1:"+opsPort+"/readyz")
}

func (p *program) awaitReady(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		if response, err := http.DefaultClient.Do(request); err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		if err := p.alive(); err != nil {
			return err
		}
		if !pause(ctx, 20*time.Millisecond) {
			p.stop()
			return fmt.Errorf("%s is not ready after a minute: %s", filepath.Base(p.Path), p.stderr.Bytes())
		}
	}
}

func (p *program) alive() error {
	select {
	case <-p.ended:
		return fmt.Errorf("%s has ended: %s", filepath.Base(p.Path), p.stderr.Bytes())
	default:
		return nil
	}
}

func (p *program) stop() {
	_ = p.Process.Kill() // it may have ended
	<-p.ended
}

func (p *program) resident() float64 { return resident(p.Process.Pid) }

// occupy sends requests from all callers and has files read, until the ledger is empty.
func (s *Stack) occupy(ctx context.Context, url string, o MemoryOptions) error {
	_, key, err := s.DB.CreateKey(ctx, s.Workspace, postgres.NewKey{Name: "bench"})
	if err != nil {
		return err
	}
	leads, _, err := makeLeads(url, key)
	if err != nil {
		return err
	}
	for i := range o.Files {
		if err := upload(ctx, url, key, leads[i%callers], uint64(i+1)); err != nil {
			return err
		}
	}
	for i := range o.Requests {
		var lead any
		if err := call(target{method: "GET", url: url + "/api/v1/leads/LEAD", key: key, status: 200, leads: leads[i%callers : i%callers+1]}, &lead); err != nil {
			return err
		}
	}
	for {
		left, err := s.DB.CountUnfinished(ctx)
		if err != nil || left == 0 {
			return err
		}
		if !pause(ctx, 50*time.Millisecond) {
			return ctx.Err()
		}
	}
}

// upload sends a statement of its own seed to a lead.
func upload(ctx context.Context, url, key, lead string, seed uint64) error {
	file := specimen.BankStatement(specimen.BankOptions{Seed: seed, Layout: specimen.BankLayouts()[0], Entries: 40})
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if err := form.WriteField("leadId", lead); err != nil {
		return err
	}
	part, err := form.CreateFormFile("files", fmt.Sprintf("statement-%d.pdf", seed))
	if err != nil {
		return err
	}
	if _, err := part.Write(file.Data); err != nil {
		return err
	}
	if err := form.Close(); err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/api/v1/documents", &body)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", form.FormDataContentType())
	request.Header.Set("x-api-key", key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusCreated {
		said, _ := io.ReadAll(io.LimitReader(response.Body, 1<<10)) // for the message only
		return fmt.Errorf("upload: status %d: %s", response.StatusCode, said)
	}
	return nil
}
