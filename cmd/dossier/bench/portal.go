package bench

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dossierhq/dossier"
)

// PortalResult says what leads on their pages cost everybody else: the same calls of the API, at the same pace, while
// nobody is on a page and while all leads are. Browsers, object storage and Postgres share the machine with the API.
type PortalResult struct {
	Name    string  `json:"name"`
	Machine Machine `json:"machine"`
	Leads   int     `json:"leads"`
	Bytes   int     `json:"bytesPerFile"`
	Seconds float64 `json:"seconds"` // until the last lead was done
	Failed  int     `json:"failed"`  // pages, answers and files that were not taken
	Save    Load    `json:"save"`    // one answer, from click to verdict
	File    Load    `json:"file"`    // one file, from choice to receipt, at the line's speed
	Quiet   Load    `json:"othersQuiet"`
	Busy    Load    `json:"othersBusy"`
	Ratio   float64 `json:"othersP99Ratio"` // busy to quiet
}

const (
	portalUplink = 20_000 // bytes a second: a phone on a slow line
	othersEvery  = 25 * time.Millisecond
)

// Portal lets leads open their pages, answer and upload at once, and measures the API of others meanwhile. A file
// takes each long to send, so that all are on their way together; the quiet time lasts as long.
func Portal(ctx context.Context, s *Stack, leads int, each time.Duration) (PortalResult, error) {
	r := PortalResult{Name: "portal", Machine: s.About, Leads: leads, Bytes: max(1, int(portalUplink*each.Seconds()))}
	store, _, err := s.openObjects(ctx)
	if err != nil {
		return r, err
	}
	s.Objects = store
	base, key, stop, err := s.startAPI()
	if err != nil {
		return r, err
	}
	defer stop()
	guests, err := s.makeGuests(ctx, base, key, leads)
	if err != nil {
		return r, err
	}
	others := newOthers(base, key, guests[0].lead)
	if _, err := others.run(ctx, each/5); err != nil { // warms caches and connections
		return r, err
	}
	if r.Quiet, err = others.run(ctx, each); err != nil {
		return r, err
	}
	crowd := &crowd{base: base, bytes: r.Bytes, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: leads, MaxConnsPerHost: 0}}}
	busy, end := context.WithCancel(ctx)
	began := time.Now()
	go func() {
		defer end()
		crowd.visit(ctx, guests)
		r.Seconds = round(time.Since(began).Seconds())
	}()
	if r.Busy, err = others.run(busy, time.Hour); err != nil {
		return r, err
	}
	<-busy.Done()
	r.Failed, r.Save, r.File = crowd.failed, loadOf(crowd.saves, time.Since(began)), loadOf(crowd.files, time.Since(began))
	r.Ratio = round(r.Busy.P99 / r.Quiet.P99)
	return r, crowd.first
}

// guest is a lead with its page, one question, and where it comes from.
type guest struct{ lead, path, entry, address string }

func (s *Stack) makeGuests(ctx context.Context, base, key string, n int) ([]guest, error) {
	var guests []guest
	for i := range n {
		var made struct {
			Lead struct {
				ID string `json:"id"`
			} `json:"lead"`
		}
		if err := call(target{method: "POST", url: base + "/api/v1/leads", key: key, body: `{"firstName":"Ann"}`, status: 201}, &made); err != nil {
			return nil, err
		}
		var item struct {
			Item struct {
				ID string `json:"id"`
			} `json:"checklistItem"`
		}
		if err := call(target{method: "POST", url: base + "/api/v1/leads/" + made.Lead.ID + "/checklist-items", key: key, body: `{"label":"Legal name","fieldType":"TEXT"}`, status: 201}, &item); err != nil {
			return nil, err
		}
		link, err := s.DB.RenewPortalLink(ctx, s.Workspace, dossier.LeadID(made.Lead.ID), false)
		if err != nil {
			return nil, err
		}
		guests = append(guests, guest{made.Lead.ID, "/portal/" + link.Token, item.Item.ID, fmt.Sprintf("198.18.%d.%d", i/250, i%250+1)})
	}
	return guests, nil
}

// crowd is all leads on their pages at once.
type crowd struct {
	base   string
	bytes  int // of a file
	client *http.Client

	mu           sync.Mutex
	failed       int
	first        error
	saves, files []time.Duration
}

func (c *crowd) visit(ctx context.Context, guests []guest) {
	var done sync.WaitGroup
	for _, g := range guests {
		done.Go(func() {
			for _, step := range []struct {
				do    func(context.Context, guest) error
				times *[]time.Duration
			}{{c.look, nil}, {c.answer, &c.saves}, {c.upload, &c.files}} {
				began := time.Now()
				err := step.do(ctx, g)
				c.mu.Lock()
				if err != nil {
					c.failed++
					c.first = orFirst(c.first, err)
				} else if step.times != nil {
					*step.times = append(*step.times, time.Since(began))
				}
				c.mu.Unlock()
			}
		})
	}
	done.Wait()
}

func orFirst(first, err error) error {
	if first != nil {
		return first
	}
	return err
}

func (c *crowd) look(ctx context.Context, g guest) error {
	_, err := c.send(ctx, g, "GET", c.base+g.path, "", nil, nil)
	return err
}

func (c *crowd) answer(ctx context.Context, g guest) error {
	page, err := c.send(ctx, g, "POST", c.base+g.path+"/items/"+g.entry, "application/x-www-form-urlencoded", strings.NewReader(url.Values{"value": {"Harbor Bakery"}}.Encode()), nil)
	if err == nil && !bytes.Contains(page, []byte(`data-state="COMPLETED"`)) {
		return errors.New("an answer was not saved")
	}
	return err
}

// upload sends a file as the page's script does.
func (c *crowd) upload(ctx context.Context, g guest) error {
	plan, err := c.send(ctx, g, "POST", c.base+g.path+"/uploads", "application/json",
		strings.NewReader(fmt.Sprintf(`{"filename":"statement.pdf","size":%d,"mimeType":"application/pdf"}`, c.bytes)), nil)
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
	content := make([]byte, c.bytes)
	if _, err := rand.Read(content); err != nil {
		return err
	}
	if _, err := c.send(ctx, g, "PUT", to.Parts[0].URL, "", &uplink{data: content}, to.Parts[0].Headers); err != nil {
		return err
	}
	_, err = c.send(ctx, g, "POST", c.base+g.path+"/uploads/"+to.ID+"/complete", "", nil, nil)
	return err
}

func (c *crowd) send(ctx context.Context, g guest, method, address, kind string, body io.Reader, headers map[string]string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return nil, err
	}
	if slow, ok := body.(*uplink); ok {
		request.ContentLength = int64(len(slow.data))
	}
	if kind != "" {
		request.Header.Set("Content-Type", kind)
	}
	request.Header.Set("X-Forwarded-For", g.address) // each lead is somewhere else
	if !strings.Contains(address, "/items/") {
		request.Header.Set("Accept", "application/json")
	}
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	answer, err := c.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	data, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: status %d: %.200s", method, request.URL.Path[:min(8, len(request.URL.Path))], answer.StatusCode, data)
	}
	return data, err
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

// others are callers of the API that have nothing to do with pages, at a steady pace.
type others struct {
	targets []target
}

func newOthers(base, key, lead string) others {
	at := []string{lead}
	return others{[]target{
		{name: "readLead", method: "GET", url: base + "/api/v1/leads/LEAD", key: key, leads: at, status: 200},
		{name: "readChecklist", method: "GET", url: base + "/api/v1/leads/LEAD/checklist", key: key, leads: at, status: 200},
		{name: "createActivity", method: "POST", url: base + "/api/v1/activity", key: key, leads: at, body: `{"leadId":"LEAD","eventType":"call","title":"A call"}`, status: 201},
	}}
}

// run calls in turn until the time or ctx ends. A call that is late does not delay the next: each has its own moment.
func (o others) run(ctx context.Context, most time.Duration) (Load, error) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	var mu sync.Mutex
	var took []time.Duration
	failed := 0
	var done sync.WaitGroup
	began := time.Now()
	tick := time.NewTicker(othersEvery)
	defer tick.Stop()
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			done.Wait()
			if len(took) == 0 {
				return Load{}, fmt.Errorf("no call of the API was answered (%d others)", failed)
			}
			load := loadOf(took, time.Since(began))
			load.Failed = failed
			return load, nil
		case <-tick.C:
		}
		done.Go(func() {
			start := time.Now()
			var answer json.RawMessage
			err := call(o.targets[i%len(o.targets)], &answer)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed++
				return
			}
			took = append(took, time.Since(start))
		})
	}
}

// loadOf makes the figures of calls that took so long.
func loadOf(all []time.Duration, over time.Duration) Load {
	if len(all) == 0 {
		return Load{}
	}
	slices.Sort(all)
	at := func(p float64) float64 { return round(float64(all[int(p*float64(len(all)-1))].Microseconds()) / 1000) }
	return Load{PerSecond: round(float64(len(all)) / over.Seconds()), P50: at(.5), P95: at(.95), P99: at(.99)}
}
