package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
)

// PortalResult says what leads on their pages cost everybody else: the same calls of the API, at the same pace, while
// nobody is on a page and while all leads are. The leads' browsers are a process of its own at the lowest priority,
// for they are elsewhere in life; API, object storage, Postgres and Redis share this machine's processors.
type PortalResult struct {
	Name    string        `json:"name"`
	Machine Machine       `json:"machine"`
	Leads   int           `json:"leads"`
	Bytes   int           `json:"bytesPerFile"`
	Looks   []Look        `json:"firstLooks"` // none without a Chromium
	Rounds  []PortalRound `json:"rounds"`
}

// PortalRound is one crowd beside its own quiet time.
type PortalRound struct {
	Arrive  float64 `json:"arriveSeconds"` // over which the leads open their pages; 0: all at one moment
	Seconds float64 `json:"seconds"`       // until the last lead was done
	Most    int     `json:"mostAtOnce"`    // files on their way at one moment
	Failed  int     `json:"failed"`        // pages, answers and files that were not taken
	Page    Load    `json:"page"`          // one page, from its address to its last byte
	Save    Load    `json:"save"`          // one answer, from click to verdict
	File    Load    `json:"file"`          // one file, from choice to receipt, at the line's speed
	Quiet   Load    `json:"othersQuiet"`
	Busy    Load    `json:"othersBusy"`
	Ratio   float64 `json:"othersP99Ratio"` // busy to quiet
	CPU     CPU     `json:"cpuMicrosecondsPerLead"`
}

const othersEvery = 10 * time.Millisecond

// Portal looks at a page in a browser. Then it lets leads open their pages, answer and upload, and measures the API of
// others meanwhile: once arriving evenly over each, and once all at one moment. A file takes twice as long as each to send,
// so that all are on their way together; the quiet time before lasts as long as each.
func Portal(ctx context.Context, s *Stack, leads int, each time.Duration) (PortalResult, error) {
	r := PortalResult{Name: "portal", Machine: s.About, Leads: leads, Bytes: max(1, int(2*portalUplink*each.Seconds()))}
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
	shown, err := s.makeGuest(ctx, base, key, 0, everyQuestion...)
	if err != nil {
		return r, err
	}
	if r.Looks, err = lookAt(ctx, base+shown.Path); err != nil {
		return r, err
	}
	others, err := s.newOthers(ctx, base, key)
	if err != nil {
		return r, err
	}
	for _, arrive := range []time.Duration{each, 0} {
		guests := make([]guest, leads)
		for i := range guests {
			if guests[i], err = s.makeGuest(ctx, base, key, i, everyQuestion[0]); err != nil {
				return r, err
			}
		}
		if err := s.seedFiles(ctx); err != nil {
			return r, err
		}
		round, err := s.portalRound(ctx, others, crowd{Base: base, Bytes: r.Bytes, Arrive: arrive, Guests: guests}, each)
		if err != nil {
			return r, err
		}
		r.Rounds = append(r.Rounds, round)
	}
	return r, nil
}

// seedFiles gives a lead of its own, and so the planner, what a database that was not made a minute ago has.
func (s *Stack) seedFiles(ctx context.Context) error {
	lead := postgres.NewID()
	for _, sql := range []string{`INSERT INTO leads (workspace_id, id, created_at, updated_at) VALUES ($1, $2, now(), now())`,
		`INSERT INTO documents (workspace_id, id, lead_id, filename, mime_type, size, object_key, source, created_at, updated_at)
			SELECT $1, gen_random_uuid(), $2, 'a.pdf', 'application/pdf', 1, 'seed', 'portal', now(), now() FROM generate_series(1, 5000)`,
		`INSERT INTO document_associations (workspace_id, id, lead_id, document_id, entry_id, created_at, updated_at)
			SELECT d.workspace_id, gen_random_uuid(), d.lead_id, d.id, e.id, now(), now() FROM documents d
			CROSS JOIN (SELECT id FROM checklist_entries WHERE workspace_id = $1 LIMIT 1) e WHERE d.workspace_id = $1 AND d.lead_id = $2`} {
		if err := s.exec(ctx, sql, s.Workspace, lead); err != nil {
			return err
		}
	}
	return s.exec(ctx, `ANALYZE`)
}

func (s *Stack) portalRound(ctx context.Context, others others, c crowd, each time.Duration) (PortalRound, error) {
	r := PortalRound{Arrive: round(c.Arrive.Seconds())}
	if _, err := others.run(ctx, each/5); err != nil { // warms caches and connections
		return r, err
	}
	var err error
	if r.Quiet, err = others.run(ctx, each); err != nil {
		return r, err
	}
	var came crowded
	var left error
	busy, end := context.WithCancel(ctx)
	began, spent := time.Now(), s.spent()
	go func() {
		defer end()
		came, left = c.elsewhere(ctx)
	}()
	if r.Busy, err = others.run(busy, time.Hour); err != nil {
		return r, err
	}
	<-busy.Done()
	if left != nil {
		return r, left
	}
	took := time.Since(began)
	r.Seconds, r.Failed, r.Most, r.CPU = round(took.Seconds()), came.Failed, came.Most, s.since(spent, len(c.Guests))
	r.Page, r.Save, r.File = loadOf(came.Pages, took), loadOf(came.Saves, took), loadOf(came.Files, took)
	r.Ratio = round(r.Busy.P99 / r.Quiet.P99)
	return r, came.first()
}

// guest is a lead with its page, its last question, and where it comes from.
type guest struct{ Lead, Path, Entry, Address string }

// everyQuestion is a page of common length: an item of each type.
var everyQuestion = []string{
	`{"label":"Legal name","fieldType":"TEXT"}`, `{"label":"Employer identification number","fieldType":"EIN"}`, `{"label":"Amount","fieldType":"NUMBER","config":{"min":1000}}`,
	`{"label":"Kind of company","fieldType":"SELECT","config":{"options":["LLC","S-Corp"]}}`, `{"label":"Use of funds","fieldType":"MULTI_SELECT","config":{"options":["Inventory","Payroll"]}}`,
	`{"label":"Home address","fieldType":"ADDRESS"}`, `{"label":"Date of birth","fieldType":"DATE"}`, `{"label":"Email","fieldType":"EMAIL"}`, `{"label":"Phone","fieldType":"PHONE"}`,
	`{"label":"Social security number","fieldType":"SSN"}`, `{"label":"Bank statements","fieldType":"BANK_STATEMENT","config":{"months":3}}`,
	`{"label":"Tax returns","fieldType":"TAX_RETURN","config":{"years":2}}`, `{"label":"Driver's license","fieldType":"ID","config":{"type":"DRIVERS_LICENSE"}}`, `{"label":"Lease","fieldType":"FILE"}`,
}

// makeGuest makes guest i with these questions, each a body of the API.
func (s *Stack) makeGuest(ctx context.Context, base, key string, i int, questions ...string) (guest, error) {
	var made struct {
		Lead struct {
			ID string `json:"id"`
		} `json:"lead"`
	}
	if err := call(target{method: "POST", url: base + "/api/v1/leads", key: key, body: `{"firstName":"Ann"}`, status: 201}, &made); err != nil {
		return guest{}, err
	}
	var item struct {
		Item struct {
			ID string `json:"id"`
		} `json:"checklistItem"`
	}
	for _, question := range questions {
		if err := call(target{method: "POST", url: base + "/api/v1/leads/" + made.Lead.ID + "/checklist-items", key: key, body: question, status: 201}, &item); err != nil {
			return guest{}, err
		}
	}
	link, err := s.DB.RenewPortalLink(ctx, s.Workspace, dossier.LeadID(made.Lead.ID), false)
	return guest{made.Lead.ID, "/portal/" + link.Token, item.Item.ID, fmt.Sprintf("198.18.%d.%d", i/250, i%250+1)}, err
}

// others are callers of the API that have nothing to do with pages, at a steady pace.
type others struct {
	targets []target
	leads   []string
}

// othersLeads is among how many leads the callers take turns: the timeline of a single one would grow with every call, and
// with it what reading it costs.
const othersLeads = 50

func (s *Stack) newOthers(ctx context.Context, base, key string) (others, error) {
	var o others
	for i := range othersLeads {
		guest, err := s.makeGuest(ctx, base, key, i, everyQuestion[0])
		if err != nil {
			return o, err
		}
		o.leads = append(o.leads, guest.Lead)
	}
	o.targets = []target{
		{name: "readLead", method: "GET", url: base + "/api/v1/leads/LEAD", key: key, status: 200},
		{name: "readChecklist", method: "GET", url: base + "/api/v1/leads/LEAD/checklist", key: key, status: 200},
		{name: "createActivity", method: "POST", url: base + "/api/v1/activity", key: key, body: `{"leadId":"LEAD","eventType":"call","title":"A call"}`, status: 201},
	}
	return o, nil
}

// target is call number i.
func (o others) target(i int) target {
	t, lead := o.targets[i%len(o.targets)], i/len(o.targets)%len(o.leads)
	t.leads = o.leads[lead : lead+1]
	return t
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
			err := call(o.target(i), &answer)
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
