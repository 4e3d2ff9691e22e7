package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/dossierhq/dossier"
)

// NeighbourName is the name under which this program is started again as the bad neighbour. A real neighbour's programs
// run on other machines; here they have the lowest priority, so that what the other tenant feels is the product's own
// work.
const NeighbourName = "neighbour"

// neighbourConfig says to that process what it does: requests, or else events.
type neighbourConfig struct {
	AtOnce int

	Method, URL, Key string
	Body             repeatedText // COUNT in it is the number of the request

	Database  string
	Workspace dossier.WorkspaceID
	Hooks     []dossier.WebhookID
	Ballast   int // characters in each event
}

// repeatedText is a long text in a short form.
type repeatedText struct {
	Before, Fill string
	Times        int
	After        string
}

func (f repeatedText) text() string { return f.Before + strings.Repeat(f.Fill, f.Times) + f.After }

// outcome counts the attempts and those that were refused.
type outcome struct{ Tried, Refused int }

// Neighbour runs as that process: it reads a configuration from in, follows it until there is another value, and writes
// the outcome.
func Neighbour(ctx context.Context, in io.Reader, out io.Writer) error {
	var c neighbourConfig
	decoder := json.NewDecoder(in)
	if err := decoder.Decode(&c); err != nil {
		return err
	}
	try := c.requests()
	if c.URL == "" {
		e, err := (&Stack{URL: c.Database}).emitter(ctx, c.Workspace)
		if err != nil {
			return err
		}
		defer e.close()
		try = c.events(e.heavy(c.Ballast))
	}
	answers := json.NewEncoder(out)
	if err := answers.Encode("ready"); err != nil {
		return err
	}
	end := repeatUntilStopped(ctx, c.AtOnce, try)
	var told any
	_ = decoder.Decode(&told) // whoever started us is gone: as good as told
	return answers.Encode(end())
}

// repeatUntilStopped calls try concurrently until end is called.
func repeatUntilStopped(ctx context.Context, atOnce int,
	try func(ctx context.Context, i int) (taken bool)) (end func() outcome) {
	ctx, cancel := context.WithCancel(ctx)
	var mu sync.Mutex
	var all sync.WaitGroup
	var d outcome
	for range atOnce {
		all.Go(func() {
			for ctx.Err() == nil {
				mu.Lock()
				i := d.Tried
				d.Tried++
				mu.Unlock()
				if !try(ctx, i) && ctx.Err() == nil {
					mu.Lock()
					d.Refused++
					mu.Unlock()
				}
			}
		})
	}
	return func() outcome {
		cancel()
		all.Wait()
		return d
	}
}

func (c neighbourConfig) events(e *emitter) func(context.Context, int) bool {
	return func(ctx context.Context, i int) bool {
		_, err := e.emit(ctx, c.Hooks[i%len(c.Hooks)])
		return err == nil
	}
}

func (c neighbourConfig) requests() func(context.Context, int) bool {
	client := &fasthttp.HostClient{Addr: host(c.URL), MaxConns: c.AtOnce, ReadTimeout: 15 * time.Second,
		MaxResponseBodySize: 64 << 20}
	body := []byte(c.Body.text())
	before, after, counted := bytes.Cut(body, []byte("COUNT"))
	return func(_ context.Context, i int) bool {
		request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
		defer fasthttp.ReleaseRequest(request)
		defer fasthttp.ReleaseResponse(response)
		target{method: c.Method, url: c.URL, key: c.Key}.write(request, 0)
		if len(body) > 0 {
			request.Header.SetContentType("application/json")
			request.SetBodyRaw(body)
		}
		if counted {
			request.SetBodyRaw(slices.Concat(before, []byte(strconv.Itoa(i)), after))
		}
		return client.Do(request, response) == nil && response.StatusCode() < 300
	}
}

// start begins the way; end ends it and says what came of it.
func (w attack) start(ctx context.Context) (end func() (outcome, error), err error) {
	if w.apart == nil {
		end := repeatUntilStopped(ctx, w.atOnce, w.try)
		return func() (outcome, error) { return end(), nil }, nil
	}
	var gently []string
	if nice, err := exec.LookPath("nice"); err == nil {
		gently = []string{nice, "-n", "19"}
	}
	p, err := startProcess(ctx, w.apart, NeighbourName, gently...)
	if err != nil {
		return nil, err
	}
	var ready string
	if err := p.answers.Decode(&ready); err != nil {
		p.stop()
		return nil, err
	}
	return func() (d outcome, err error) {
		defer p.stop()
		if err := json.NewEncoder(p.in).Encode("end"); err != nil {
			return d, err
		}
		return d, p.answers.Decode(&d)
	}, nil
}
