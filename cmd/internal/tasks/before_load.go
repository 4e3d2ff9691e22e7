package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/dossierhq/dossier/cmd/internal/embedded"
	"github.com/dossierhq/dossier/cmd/lab/daemon"
)

// What callers do while the schema goes up: leads made a second, each of which is a delivery, and for how long before
// the migration and after it.
const (
	loadRate = 200
	loadEach = 5 * time.Second
	loadWait = time.Minute // for deliveries, when no lead is made any more
)

// upgrade has the programs of a release, built from its files in dir, make and deliver leads while the schema of this
// checkout comes up under them. One of its workers begins afterwards, as when an upgrade is taken back.
func upgrade(ctx context.Context, release, dir string) error {
	bin, now := filepath.Join(dir, "bin"), filepath.Join(dir, "bin-now")
	say("Building the programs of " + release)
	builds := []*exec.Cmd{exec.CommandContext(ctx, "go", "build", "-o", bin+"/", "./cmd/dossier", "./cmd/dossier-api",
		"./cmd/dossier-worker"), exec.CommandContext(ctx, "go", "build", "-o", now+"/", "./cmd/dossier")}
	builds[0].Dir = dir
	for _, build := range builds {
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", strings.Join(build.Args, " "), err, out)
		}
	}
	data, err := os.MkdirTemp("", "dossier-upgrade-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(data) }()
	if err := os.Chmod(data, 0o755); err != nil { // the server's user is another one when we are root
		return err
	}
	none := func(string) string { return "" }
	services, err := embedded.Start(ctx, embedded.Options{Data: data, Getenv: none, Log: say})
	if err != nil {
		return err
	}
	i := installation{bin: bin, env: []string{"DOSSIER_SECRET_KEY=" + strings.Repeat("A", 43) + "=",
		"DOSSIER_PUBLIC_URL=http://127.0.0.1", "DOSSIER_WEBHOOK_ALLOW=127.0.0.0/8", "DOSSIER_RATE_LIMIT=0"}}
	for _, v := range services.Variables() {
		i.env = append(i.env, v.Name+"="+v.Value)
	}
	return errors.Join(i.upgraded(ctx, release, filepath.Join(now, "dossier")), i.stop(), services.Stop())
}

// installation is a release that runs: its programs' directory, what they read, and what was started.
type installation struct {
	bin     string
	env     []string
	running []*exec.Cmd
}

func (i *installation) upgraded(ctx context.Context, release, dossier string) error {
	key, err := i.empty(ctx)
	if err != nil {
		return err
	}
	api, err := i.serve(ctx)
	if err != nil {
		return err
	}
	if err := i.work(ctx); err != nil {
		return err
	}
	l, err := newUpgradeLoad(ctx, api, key)
	if err != nil {
		return err
	}
	defer l.close()
	loading, stop := context.WithCancel(ctx)
	defer stop()
	done := make(chan struct{})
	go func() { defer close(done); l.run(loading, loadRate) }()
	if err := daemon.Pause(ctx, loadEach); err != nil {
		return err
	}
	l.phase("while it migrates")
	out, err := i.run(ctx, dossier, "migrate")
	if err != nil {
		return err
	}
	l.phase("after it")
	if err := errors.Join(i.work(ctx), daemon.Pause(ctx, loadEach)); err != nil {
		return err
	}
	stop()
	<-done
	l.settle(ctx, loadWait)
	fmt.Printf("%s\n%s under %d leads and as many deliveries a second: %s\n", strings.TrimSpace(out), release, loadRate,
		l.report())
	return l.fault()
}

// empty makes the schema of the release, a workspace and a key.
func (i *installation) empty(ctx context.Context) (key string, err error) {
	tool := filepath.Join(i.bin, "dossier")
	for _, args := range [][]string{{"migrate"}, {"doctor", "--fix"}, {"workspaces", "create", "load"}} {
		if _, err := i.run(ctx, tool, args...); err != nil && args[0] != "doctor" { // which may warn
			return "", err
		}
	}
	out, err := i.run(ctx, tool, "keys", "create", "--workspace", "load", "--name", "load", "--scopes",
		"read,write,admin", "--json")
	if err != nil {
		return "", err
	}
	var made struct{ Key string }
	if err := json.Unmarshal([]byte(out), &made); err != nil || made.Key == "" {
		return "", fmt.Errorf("no key in %q: %w", out, err)
	}
	return made.Key, nil
}

// run runs a program to its end and returns what it wrote.
func (i *installation) run(ctx context.Context, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), i.env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", filepath.Base(program), strings.Join(args, " "), err, stderr.String())
	}
	return string(out), nil
}

// serve starts an API and returns its address.
func (i *installation) serve(ctx context.Context) (url string, err error) {
	port, err := daemon.FreePort(0)
	if err != nil {
		return "", err
	}
	at := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	return "http://" + at, i.start(ctx, "dossier-api", "http://"+at+"/readyz", "DOSSIER_ADDR="+at)
}

// work starts a worker of what is no document: it needs no sandbox.
func (i *installation) work(ctx context.Context) error {
	return i.start(ctx, "dossier-worker", "", "DOSSIER_LANES=webhook,webhook-retry,agent,message,model,system")
}

// start starts a program and waits until it is ready, as it says at ready or, where that is empty, at its operators'
// address.
func (i *installation) start(ctx context.Context, program, ready string, env ...string) error {
	port, err := daemon.FreePort(0)
	if err != nil {
		return err
	}
	ops := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	if ready == "" {
		ready = "http://" + ops + "/readyz"
	}
	cmd := exec.CommandContext(ctx, filepath.Join(i.bin, program))
	cmd.Env = append(append(os.Environ(), i.env...), append(env, "DOSSIER_OPS_ADDR="+ops)...)
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.Discard, &log
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	if err := cmd.Start(); err != nil {
		return err
	}
	i.running = append(i.running, cmd)
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); {
		if response, err := http.Get(ready); err == nil { //nolint:gosec // an address of our own
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		if err := daemon.Pause(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s is not ready after 30 s: %s", program, daemon.LastLine(log.String()))
}

func (i *installation) stop() error {
	var errs []error
	for _, cmd := range slices.Backward(i.running) {
		_ = cmd.Process.Signal(os.Interrupt)
		errs = append(errs, cmd.Wait())
	}
	return errors.Join(errs...)
}

// upgradeLoad makes leads and takes their deliveries.
type upgradeLoad struct {
	api, key string
	client   *http.Client
	receiver net.Listener

	mu       sync.Mutex
	accepted []string
	came     map[string]int // deliveries by lead
	refused  []string       // what was answered instead
	now      string         // the phase
	phases   []string
	took     map[string][]time.Duration
}

// newUpgradeLoad opens an address for deliveries and has the workspace send its new leads there.
func newUpgradeLoad(ctx context.Context, api, key string) (*upgradeLoad, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	l := &upgradeLoad{api: api, key: key, client: &http.Client{Timeout: 20 * time.Second}, receiver: listener,
		came: map[string]int{}, took: map[string][]time.Duration{}}
	l.client.Transport = &http.Transport{MaxIdleConnsPerHost: 100}
	l.phase("before")
	go func() { _ = http.Serve(listener, http.HandlerFunc(l.take)) }() //nolint:gosec // ends with the listener
	hook := fmt.Sprintf(`{"url":"http://%s/","events":["lead.created"]}`, listener.Addr())
	if status, answer := l.post(ctx, "/save-webhook", hook, ""); status != http.StatusOK {
		return nil, fmt.Errorf("no webhook: %d %s", status, answer)
	}
	return l, nil
}

func (l *upgradeLoad) close() { _ = l.receiver.Close() }

// phase begins a part of the run whose latencies are counted apart.
func (l *upgradeLoad) phase(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now, l.phases = name, append(l.phases, name)
}

// take is the customer's endpoint.
func (l *upgradeLoad) take(_ http.ResponseWriter, r *http.Request) {
	var event struct {
		Data struct{ Lead struct{ ID string } }
	}
	if json.NewDecoder(r.Body).Decode(&event) == nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.came[event.Data.Lead.ID]++
	}
}

// run makes leads at a rate until ctx ends, whether or not the ones before were answered.
func (l *upgradeLoad) run(ctx context.Context, rate int) {
	tick := time.NewTicker(time.Second / time.Duration(rate))
	defer tick.Stop()
	var callers sync.WaitGroup
	defer callers.Wait()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			callers.Go(func() { l.make(context.WithoutCancel(ctx), n) })
		}
	}
}

func (l *upgradeLoad) make(ctx context.Context, n int) {
	begin := time.Now()
	status, answer := l.post(ctx, "/api/v1/leads", `{"firstName":"Ada"}`, fmt.Sprint("load-", n))
	took := time.Since(begin)
	var made struct{ Lead struct{ ID string } }
	if status == http.StatusCreated {
		_ = json.Unmarshal(answer, &made)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if made.Lead.ID == "" {
		l.refused = append(l.refused, fmt.Sprintf("%d %s", status, answer))
		return
	}
	l.accepted = append(l.accepted, made.Lead.ID)
	l.took[l.now] = append(l.took[l.now], took)
}

// post returns the answer; status 0: there was none.
func (l *upgradeLoad) post(ctx context.Context, path, body, idempotency string) (status int, answer []byte) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, l.api+path, strings.NewReader(body))
	if err != nil {
		return 0, []byte(err.Error())
	}
	r.Header.Set("x-api-key", l.key)
	r.Header.Set("Content-Type", "application/json")
	if idempotency != "" {
		r.Header.Set("Idempotency-Key", idempotency)
	}
	response, err := l.client.Do(r)
	if err != nil {
		return 0, []byte(err.Error())
	}
	defer func() { _ = response.Body.Close() }()
	answer, err = io.ReadAll(response.Body)
	if err != nil {
		return 0, []byte(err.Error())
	}
	return response.StatusCode, answer
}

// settle waits until all came that was accepted, no longer than limit.
func (l *upgradeLoad) settle(ctx context.Context, limit time.Duration) {
	for end := time.Now().Add(limit); time.Now().Before(end); {
		if lost, _ := l.count(); lost == 0 || daemon.Pause(ctx, 100*time.Millisecond) != nil {
			return
		}
	}
}

// count is how many accepted leads were never delivered, and how many deliveries came again.
func (l *upgradeLoad) count() (lost, twice int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, id := range l.accepted {
		if l.came[id] == 0 {
			lost++
		}
	}
	for _, n := range l.came {
		twice += n - 1
	}
	return lost, twice
}

func (l *upgradeLoad) report() string {
	lost, twice := l.count()
	l.mu.Lock()
	defer l.mu.Unlock()
	text := fmt.Sprintf("%d accepted, %d refused, %d lost, %d twice; p99", len(l.accepted), len(l.refused), lost, twice)
	for _, phase := range l.phases {
		took := slices.Sorted(slices.Values(l.took[phase]))
		if len(took) > 0 {
			text += fmt.Sprintf(" %s %v (%d leads),", phase, took[len(took)*99/100].Round(time.Millisecond), len(took))
		}
	}
	return strings.TrimSuffix(text, ",")
}

// fault is what must not be, whatever the machine's pace.
func (l *upgradeLoad) fault() error {
	lost, twice := l.count()
	l.mu.Lock()
	defer l.mu.Unlock()
	if lost == 0 && twice == 0 && len(l.refused) == 0 && len(l.accepted) > 0 {
		return nil
	}
	first := ""
	if len(l.refused) > 0 {
		first = ": " + l.refused[0]
	}
	return fmt.Errorf("%d of %d leads lost, %d twice, %d requests refused%s", lost, len(l.accepted), twice,
		len(l.refused), first)
}
