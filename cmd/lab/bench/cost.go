package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"mime/multipart"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/valyala/fasthttp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/sizing"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/jobs"
)

// CostResult is the processor time of one of each, at rates that leave the machine time to spare, beside what processes
// cost that have nothing to do. API and worker are processes of their own; generator and receiver are in this one and
// do not count.
type CostResult struct {
	Name    string  `json:"name"`
	Machine Machine `json:"machine"`
	Seconds float64 `json:"secondsEach"`
	sizing.Costs
}

// costEndpoints is how many endpoints get each event while deliveries are measured.
const costEndpoints = 10

// Cost measures units one after the other: rate is that of updated leads, the others follow from it.
func Cost(ctx context.Context, s *Stack, rate int, each time.Duration) (CostResult, error) {
	r := CostResult{Name: "cost", Machine: s.About, Seconds: each.Seconds()}
	c := &costing{s: s, each: each}
	defer c.stop()
	if err := c.start(ctx); err != nil {
		return r, err
	}
	err := c.measure(ctx, rate)
	r.Costs, r.Idle = c.costs, c.idleUsage()
	return r, err
}

// costing is an installation whose processes are measured separately.
type costing struct {
	s      *Stack
	each   time.Duration
	api    *apiProcess
	worker *process
	leads  []string
	sink   *sink
	conn   *pgx.Conn      // one for all that is asked meanwhile: a new one would cost what is measured
	idle   []sizing.Spent // before each unit, in microseconds a second
	costs  sizing.Costs
}

func (c *costing) start(ctx context.Context) error {
	store, cfg, err := c.s.openObjects(ctx)
	if err != nil {
		return err
	}
	c.s.Objects = store
	if c.conn, err = pgx.Connect(ctx, c.s.URL); err != nil {
		return err
	}
	if c.leads, err = c.s.seed(ctx, Tenants{Leads: 2000, Workspaces: 5}); err != nil {
		return err
	}
	if c.sink, err = startSink(ctx); err != nil {
		return err
	}
	if c.worker, err = c.s.startWorkerProcess(ctx, workerConfig{Objects: &cfg, Schedule: true, Reads: true,
		PublicURL: "http://127.0.0.1:8080"}); err != nil {
		return err
	}
	c.api, err = c.s.startAPIProcess(ctx, cfg)
	return err
}

func (c *costing) stop() {
	if c.conn != nil {
		_ = c.conn.Close(context.Background())
	}
	if c.api != nil {
		c.api.stop()
	}
	if c.worker != nil {
		c.worker.stop()
	}
	if c.sink != nil {
		c.sink.close()
	}
}

// measure goes through the units. Each is first done a few times, since what a process does first is not what it costs.
func (c *costing) measure(ctx context.Context, rate int) error {
	url, key := c.api.reached.URL+"/api/v1/leads", c.api.reached.Key
	created := offer{target{name: sizing.LeadCreated, method: "POST", url: url, key: key,
		body:  `{"firstName":"Eve","lastName":"Lee","email":"eveTURN@example.com","businessName":"Harbor Bakery LLC"}`,
		leads: c.leads, status: 201}, max(1, rate/3)}
	updated := offer{target{name: sizing.LeadUpdated, method: "PUT", url: url, key: key,
		body:  `{"leadId":"LEAD","firstName":"Eve TURN","checklistItems":[{"code":"ITEM_1","value":"Lee TURN LLC"}]}`,
		leads: c.leads, status: 200}, rate}
	// No file comes twice: one that was read before costs less.
	pages := statementFiles(2+c.files(2), func(s specimen.Specimen, _ uint64) specimen.Specimen { return s })
	scans := statementFiles(c.files(0.5), func(s specimen.Specimen, seed uint64) specimen.Specimen {
		return specimen.Scan(s, seed, 1+int(seed%3))
	})
	for _, warm := range []func() error{
		func() error { return c.send(created, time.Second) }, func() error { return c.send(updated, time.Second) },
		func() error { return c.upload(ctx, pages[:2], 2) },
	} {
		if err := warm(); err != nil {
			return err
		}
	}
	for _, o := range []offer{created, updated} {
		if err := c.unit(ctx, o.name, float64(o.rate), int(c.each.Seconds()*float64(o.rate)), func() error {
			return c.send(o, c.each)
		}); err != nil {
			return err
		}
	}
	const uploads = 10 // more than are read: they are read one after the other, and nothing rests in between
	for _, kind := range []struct {
		name  string
		files [][]byte
	}{{sizing.Document, pages[2:]}, {sizing.Scan, scans}} {
		if err := c.unit(ctx, kind.name, uploads, len(kind.files), func() error {
			return c.upload(ctx, kind.files, uploads)
		}); err != nil {
			return err
		}
	}
	return c.deliveries(ctx, updated)
}

// files is how many are read, at so many for each second of a round.
func (c *costing) files(perSecond float64) int { return max(1, int(c.each.Seconds()*perSecond)) }

func (c *costing) send(o offer, each time.Duration) error {
	got, err := c.s.openLoop(o, each)
	if err == nil && got.Failed > 0 {
		err = fmt.Errorf("%s: %d of %d failed", o.name, got.Failed, int(each.Seconds()*float64(o.rate)))
	}
	return err
}

// deliveries measures updates of a lead that go to ten endpoints, less the cost of the update.
func (c *costing) deliveries(ctx context.Context, updated offer) error {
	for range costEndpoints {
		address := c.sink.url
		if _, _, err := c.s.DB.CreateWebhook(ctx, c.s.Workspace,
			dossier.WebhookUpdate{URL: &address, Allow: loopback}); err != nil {
			return err
		}
	}
	updated.rate = max(1, updated.rate/3)
	if err := c.send(updated, time.Second); err != nil { // each endpoint gets a sender
		return err
	}
	if err := c.settle(ctx); err != nil {
		return err
	}
	c.sink.forget()
	n := int(c.each.Seconds() * float64(updated.rate))
	if err := c.unit(ctx, sizing.Delivery, float64(updated.rate*costEndpoints), n, func() error {
		return c.send(updated, c.each)
	}); err != nil {
		return err
	}
	if got, want := c.sink.count(), n*costEndpoints; got < want {
		return fmt.Errorf("%d of %d deliveries arrived", got, want)
	}
	all := &c.costs.Units[len(c.costs.Units)-1]
	for _, alone := range c.costs.Units {
		if alone.Name == sizing.LeadUpdated {
			less := func(all, alone float64) float64 { return round(max(0, all-alone) / costEndpoints) }
			all.CPU = sizing.Spent{API: less(all.CPU.API, alone.CPU.API),
				Worker:   less(all.CPU.Worker, alone.CPU.Worker),
				Postgres: less(all.CPU.Postgres, alone.CPU.Postgres), Redis: less(all.CPU.Redis, alone.CPU.Redis)}
			all.Database, all.WAL = less(all.Database, alone.Database), less(all.WAL, alone.WAL)
		}
	}
	all.Done *= costEndpoints
	return nil
}

// unit measures what everything uses while idle, does n units, waits until all resulting work is done, and records what
// each unit used beyond idling.
func (c *costing) unit(ctx context.Context, name string, rate float64, n int, do func() error) error {
	if err := c.settle(ctx); err != nil {
		return err
	}
	for _, sql := range []string{`VACUUM ANALYZE`, `CHECKPOINT`} { // what units before owe
		if _, err := c.conn.Exec(ctx, sql); err != nil {
			return err
		}
	}
	resting, err := c.readUsage(ctx)
	if err != nil {
		return err
	}
	if !jobs.Sleep(ctx, c.each/4) {
		return ctx.Err()
	}
	before, err := c.readUsage(ctx)
	if err != nil {
		return err
	}
	if err := do(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := c.settle(ctx); err != nil {
		return err
	}
	after, err := c.readUsage(ctx)
	if err != nil {
		return err
	}
	idle := before.minus(resting, 1/before.at.Sub(resting.at).Seconds())
	took := after.at.Sub(before.at).Seconds()
	all := after.minus(before, 1)
	each := func(all, idle float64) float64 { return round(max(0, all-idle*took) / float64(n)) }
	c.idle = append(c.idle, idle)
	c.costs.Units = append(c.costs.Units, sizing.Unit{Name: name, Offered: rate, Done: n, CPU: sizing.Spent{
		API: each(all.API, idle.API), Worker: each(all.Worker, idle.Worker),
		Postgres: each(all.Postgres, idle.Postgres),
		Redis:    each(all.Redis, idle.Redis), Storage: each(all.Storage, idle.Storage),
	}, Database: each(after.database-before.database, 0), WAL: each(after.wal-before.wal, 0)})
	return nil
}

// idleUsage returns the mean of what was used while idle, in microseconds a second.
func (c *costing) idleUsage() sizing.Spent {
	var sum sizing.Spent
	n := float64(len(c.idle))
	for _, one := range c.idle {
		sum = sizing.Spent{API: sum.API + one.API/n, Worker: sum.Worker + one.Worker/n,
			Postgres: sum.Postgres + one.Postgres/n, Redis: sum.Redis + one.Redis/n,
			Storage: sum.Storage + one.Storage/n}
	}
	return sizing.Spent{API: round(sum.API), Worker: round(sum.Worker), Postgres: round(sum.Postgres),
		Redis: round(sum.Redis), Storage: round(sum.Storage)}
}

// usage is processor time spent and bytes written up to a moment.
type usage struct {
	sizing.Spent
	at            time.Time
	database, wal float64
}

// minus returns what was used since an earlier moment, multiplied by times.
func (s usage) minus(since usage, times float64) sizing.Spent {
	return sizing.Spent{API: (s.API - since.API) * times, Worker: (s.Worker - since.Worker) * times,
		Postgres: (s.Postgres - since.Postgres) * times, Redis: (s.Redis - since.Redis) * times,
		Storage: (s.Storage - since.Storage) * times}
}

func (c *costing) readUsage(ctx context.Context) (usage, error) {
	all := c.s.spent()
	at := func(pid int) float64 {
		_, _, own, children := readStat("/proc/" + strconv.Itoa(pid) + "/stat")
		return float64((own + children).Microseconds())
	}
	now := usage{at: time.Now(), Spent: sizing.Spent{API: at(c.api.pid), Worker: at(c.worker.pid),
		Postgres: float64(all.postgres.Microseconds()), Redis: float64(all.redis.Microseconds()),
		Storage: float64(all.storage.Microseconds())}}
	err := c.conn.QueryRow(ctx, `SELECT pg_database_size(current_database())::float8,
		(pg_current_wal_lsn() - '0/0')::float8`).Scan(&now.database, &now.wal)
	return now, err
}

// settle waits until no job and no event waits.
func (c *costing) settle(ctx context.Context) error {
	limit := time.Now().Add(5 * time.Minute)
	for quiet := 0; quiet < 3; {
		var n int
		if err := c.conn.QueryRow(ctx, `SELECT (SELECT count(*) FROM event_inbox) + (SELECT count(*) FROM jobs
			WHERE status IN ('QUEUED', 'RUNNING', 'RETRY') AND run_at < now() + interval '1 minute')`).Scan(
			&n); err != nil {
			return err
		}
		if quiet++; n > 0 {
			quiet = 0
		}
		if time.Now().After(limit) {
			return fmt.Errorf("%d jobs or events still wait after five minutes", n)
		}
		if !jobs.Sleep(ctx, 200*time.Millisecond) {
			return ctx.Err()
		}
	}
	return nil
}

// upload sends files at a rate, each to a lead of its own.
func (c *costing) upload(ctx context.Context, files [][]byte, rate float64) error {
	began := time.Now()
	var mu sync.Mutex
	var errs []error
	var all sync.WaitGroup
	for i := range files {
		if !jobs.Sleep(ctx, time.Until(began.Add(time.Duration(float64(i)/rate*float64(time.Second))))) {
			break
		}
		all.Go(func() {
			if err := c.uploadOne(c.leads[i%len(c.leads)], files[i]); err != nil {
				mu.Lock()
				defer mu.Unlock()
				errs = append(errs, err)
			}
		})
	}
	all.Wait()
	return errors.Join(append(errs, ctx.Err())...)
}

func (c *costing) uploadOne(lead string, data []byte) error {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	err := form.WriteField("leadId", lead)
	part, partErr := form.CreatePart(map[string][]string{
		"Content-Disposition": {`form-data; name="files"; filename="statement.pdf"`},
		"Content-Type":        {"application/pdf"}})
	if err := errors.Join(err, partErr); err != nil {
		return err
	}
	_, err = part.Write(data)
	if err := errors.Join(err, form.Close()); err != nil {
		return err
	}
	request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(request)
	defer fasthttp.ReleaseResponse(response)
	request.Header.SetMethod("POST")
	request.SetRequestURI(c.api.reached.URL + "/api/v1/documents")
	request.Header.Set("x-api-key", c.api.reached.Key)
	request.Header.SetContentType(form.FormDataContentType())
	request.SetBody(body.Bytes())
	if err := fasthttp.Do(request, response); err != nil {
		return err
	}
	if response.StatusCode() != 201 {
		return fmt.Errorf("an upload was answered with %d: %s", response.StatusCode(), response.Body())
	}
	return nil
}

// statementFiles are bank statements of one page, drawn or scanned.
func statementFiles(n int, as func(s specimen.Specimen, seed uint64) specimen.Specimen) [][]byte {
	var files [][]byte
	layouts := specimen.BankLayouts()
	for seed := uint64(1); len(files) < n; seed++ {
		made := specimen.BankStatement(specimen.BankOptions{Seed: seed, Layout: layouts[seed%uint64(len(layouts))],
			Entries: 12})
		if made.Truth.Pages == 1 {
			files = append(files, as(made, seed).Data)
		}
	}
	return files
}
