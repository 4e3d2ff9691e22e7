package bench

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

const portalUplink = 20_000 // bytes a second: a phone on a slow line

// CrowdName is the measurement under which this program is started again as the browsers of all leads: in the API's
// process they would take its processors and stop its memory.
const CrowdName = "portal-crowd"

// crowd is all leads on their pages at once.
type crowd struct {
	Base   string
	Bytes  int           // of a file
	Arrive time.Duration // over which they come
	Guests []guest
}

// crowded is what became of them.
type crowded struct {
	Failed              int
	First               string // what failed first
	Most                int    // files on their way at one moment
	Pages, Saves, Files []time.Duration
}

func (c crowded) first() error {
	if c.First == "" {
		return nil
	}
	return errors.New(c.First)
}

// elsewhere lets the crowd visit from a process that takes only what processors have left.
func (c crowd) elsewhere(ctx context.Context) (crowded, error) {
	var came crowded
	program, err := os.Executable()
	if err != nil {
		return came, err
	}
	child := exec.CommandContext(ctx, program, "bench", CrowdName)
	if nice, err := exec.LookPath("nice"); err == nil {
		child = exec.CommandContext(ctx, nice, "-n", "19", program, "bench", CrowdName)
	}
	in, err := json.Marshal(c)
	if err != nil {
		return came, err
	}
	child.Stdin, child.Stderr = bytes.NewReader(in), os.Stderr
	out, err := child.Output()
	if err != nil {
		return came, fmt.Errorf("the crowd: %w", err)
	}
	return came, json.Unmarshal(out, &came)
}

// Crowd is that process: it reads who comes where from in and writes what became of them.
func Crowd(ctx context.Context, in io.Reader, out io.Writer) error {
	v := visit{client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 10_000}}}
	if err := json.NewDecoder(in).Decode(&v.crowd); err != nil {
		return err
	}
	v.content = make([]byte, v.Bytes)
	if _, err := rand.Read(v.content); err != nil {
		return err
	}
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	var done sync.WaitGroup
	for i, g := range v.Guests {
		done.Go(func() {
			time.Sleep(v.Arrive * time.Duration(i) / time.Duration(len(v.Guests)))
			v.guest(ctx, i, g)
		})
	}
	done.Wait()
	return json.NewEncoder(out).Encode(v.came)
}

type visit struct {
	crowd
	client  *http.Client
	content []byte // of every file

	mu    sync.Mutex
	onWay int
	came  crowded
}

// openPage is a guest's page with the stamps it has shown.
type openPage struct {
	guest

	mu    sync.Mutex
	stamp string
}

// shows takes the stamp of a rendering.
func (p *openPage) shows(page []byte) {
	_, after, _ := bytes.Cut(page, []byte(`data-stamp="`))
	stamp, _, _ := bytes.Cut(after, []byte(`"`))
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stamp = string(stamp)
}

func (p *openPage) shown() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stamp
}

// guest does what the page and its script do: the page, its events, an answer, a file, and the page again.
func (v *visit) guest(ctx context.Context, i int, g guest) {
	p := &openPage{guest: g}
	v.step(&v.came.Pages, func() error { return v.look(ctx, p) })
	listening, stop := context.WithCancel(ctx)
	defer stop()
	go v.listen(listening, p)
	v.step(&v.came.Saves, func() error { return v.answer(ctx, p) })
	v.step(&v.came.Files, func() error { return v.upload(ctx, i, g) })
	v.step(&v.came.Pages, func() error { return v.look(ctx, p) })
}

func (v *visit) step(times *[]time.Duration, do func() error) {
	began := time.Now()
	err := do()
	v.mu.Lock()
	defer v.mu.Unlock()
	if err == nil {
		*times = append(*times, time.Since(began))
		return
	}
	v.came.Failed++
	if v.came.First == "" {
		v.came.First = err.Error()
	}
}

func (v *visit) look(ctx context.Context, p *openPage) error {
	page, err := v.send(ctx, p.guest, "GET", v.Base+p.Path, nil, nil)
	p.shows(page)
	return err
}

// listen holds the page's stream of events open, as browsers do, and asks what changed unless the page shows it.
func (v *visit) listen(ctx context.Context, p *openPage) {
	for ctx.Err() == nil {
		stream, err := v.open(ctx, p.guest, "GET", v.Base+p.Path+"/events?seen="+p.shown(), nil, nil)
		if err != nil {
			continue // its end is no failure: the browser opens the next
		}
		lines := bufio.NewScanner(stream.Body)
		for lines.Scan() {
			if stamp, found := strings.CutPrefix(lines.Text(), "data: "); found && stamp != "{}" && stamp != p.shown() {
				_, _ = v.send(ctx, p.guest, "GET", v.Base+p.Path+"/status", nil, map[string]string{"Accept": "application/json"})
			}
		}
		_ = stream.Body.Close()
	}
}

func (v *visit) answer(ctx context.Context, p *openPage) error {
	form := strings.NewReader(url.Values{"value": {"Harbor Bakery"}}.Encode())
	page, err := v.send(ctx, p.guest, "POST", v.Base+p.Path+"/items/"+p.Entry, form,
		map[string]string{"Content-Type": "application/x-www-form-urlencoded", "X-Portal-Part": "1"})
	p.shows(page)
	if err == nil && !bytes.Contains(page, []byte(`data-state="COMPLETED"`)) {
		return errors.New("an answer was not saved")
	}
	return err
}

// upload sends a file as the page's script does.
func (v *visit) upload(ctx context.Context, i int, g guest) error {
	script := map[string]string{"Content-Type": "application/json", "Accept": "application/json"}
	plan, err := v.send(ctx, g, "POST", v.Base+g.Path+"/uploads",
		strings.NewReader(fmt.Sprintf(`{"filename":"statement-%d.pdf","size":%d,"mimeType":"application/pdf"}`, i, v.Bytes)), script)
	if err != nil {
		return err
	}
	var to struct {
		ID    string `json:"id"`
		Parts []struct {
			URL     string            `json:"url"`
			Headers map[string]string `json:"headers"`
		} `json:"parts"`
	}
	if err := json.Unmarshal(plan, &to); err != nil || len(to.Parts) != 1 {
		return fmt.Errorf("a plan of %d parts: %w", len(to.Parts), err)
	}
	v.under(1)
	_, err = v.send(ctx, g, "PUT", to.Parts[0].URL, &uplink{data: v.content}, to.Parts[0].Headers)
	v.under(-1)
	if err != nil {
		return err
	}
	_, err = v.send(ctx, g, "POST", v.Base+g.Path+"/uploads/"+to.ID+"/complete", nil, script)
	return err
}

// under counts files on their way.
func (v *visit) under(by int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.onWay += by
	v.came.Most = max(v.came.Most, v.onWay)
}

func (v *visit) send(ctx context.Context, g guest, method, address string, body io.Reader, headers map[string]string) ([]byte, error) {
	answer, err := v.open(ctx, g, method, address, body, headers)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	return io.ReadAll(answer.Body)
}

// open sends a request; the caller closes the answer's body. Error: also a status that is none of success.
func (v *visit) open(ctx context.Context, g guest, method, address string, body io.Reader, headers map[string]string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return nil, err
	}
	if slow, ok := body.(*uplink); ok {
		request.ContentLength = int64(len(slow.data))
	}
	request.Header.Set("X-Forwarded-For", g.Address) // each lead is somewhere else
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	answer, err := v.client.Do(request)
	if err != nil || answer.StatusCode < 300 {
		return answer, err
	}
	data, _ := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	return nil, fmt.Errorf("%s %s: status %d: %.200s", method, request.URL.Path[:min(8, len(request.URL.Path))], answer.StatusCode, data)
}

// uplink gives its bytes at a phone's speed.
type uplink struct {
	data []byte
	at   int
}

func (u *uplink) Read(p []byte) (int, error) {
	if u.at == len(u.data) {
		return 0, io.EOF
	}
	const ticks = 4 // a second
	if u.at > 0 {
		time.Sleep(time.Second / ticks)
	}
	n := copy(p[:min(len(p), portalUplink/ticks)], u.data[u.at:])
	u.at += n
	return n, nil
}
